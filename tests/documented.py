"""What the documentation leaves unsaid of a command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer import Typer
from typer.main import get_command

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GENERAL = {"--help", "--level", "--plan-out", "--quiet", "--verbose", "--reproducible", "--heuristics"}


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(app: Typer) -> Mapping[str, Any]:
    """The commands as they are run, by their names."""
    made: Any = get_command(app)
    context = made.make_context("puzzlewright", [], resilient_parsing=True)
    return {name: made.resolve_command(context, [name])[1] for name in made.commands}


def options(command: Any) -> list[str]:
    """The long names of its options."""
    return [name for each in command.params for name in each.opts if name.startswith("--")]


def unnamed_commands(app: Typer) -> list[str]:
    text, table = page("README.md"), page("docs/algorithms.md")
    return [name for name in commands(app) if not re.search(rf"\b{name}\b", text) or f"| `{name}` |" not in table]


def unnamed_options(app: Typer) -> list[str]:
    text = "\n".join(page(f"docs/{name}.md") for name in ("language", "algorithms", "seeing")) + page("README.md")
    named = GENERAL.union(re.findall(r"--[a-z-]+", text))
    every = dict.fromkeys(name for command in commands(app).values() for name in options(command))
    return [name for name in every if name not in named]


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples() -> list[str]:
    found = [block for name in ("README.md", "docs/language.md") for block in blocks(page(name), "yaml")]
    return [block for block in found if block.startswith(("format:", "puzzle:"))]
