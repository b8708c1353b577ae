"""`docs/sentences.md` has every text that the code can print of a puzzle where it says so, and no other one.

Texts are read out of the syntax tree: every string, or f-string with its holes as an ellipsis, that is no docstring and
has two words side by side. A part of the page names the modules that it is about, and for some the functions or tables
in them; whatever is written there has to be in a row of the page, and each row has to be written somewhere there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "sentences.md"
HOLE = "…"
ROW = re.compile(r"^\| `` ?(.*?) ?`` \| (.+?) \| (.+?) \|$")
SOURCE = re.compile(r"^- `([\w/]+\.py)`(?:: (.+))?$")


def written(node: ast.AST) -> str:
    """The text of a string, its holes as an ellipsis."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(written, node.values))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else HOLE


def texts_in(tree: ast.AST) -> Iterator[str]:
    """The texts below a node of the syntax tree; those inside of another text's holes are texts of their own."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.JoinedStr):
            yield written(node)
            for hole in (part for part in node.values if isinstance(part, ast.FormattedValue)):
                yield from texts_in(ast.Expression(hole.value))
        elif isinstance(node, ast.Constant):
            yield written(node)
        else:
            yield from texts_in(node)


def is_sentence(text: str) -> bool:
    return bool(re.search(r"[\w…][,;:]? [\w…]", text) and re.search(r"[a-z]{2}", text)) and not text.startswith("…: …")


def names_of(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def sentences(file: str, names: set[str]) -> set[str]:
    """The texts of a module, or of what is named in it."""
    module = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    chosen = [node for node in module.body if not names or names & names_of(node)]
    assert not names or {name for node in chosen for name in names_of(node)} >= names, f"{file} lacks some of {names}"
    found = {text for node in chosen for text in texts_in(ast.Module([node], []))}
    return {shown(text) for text in found if is_sentence(text)}


def shown(text: str) -> str:
    """As the page has it: on one line, and without a bar that would end a cell."""
    return " ".join(text.split()).replace("|", "/")


def sources() -> list[str]:
    """The lines of the page that name a module."""
    return [line for line in PAGE.read_text(encoding="utf-8").splitlines() if SOURCE.match(line)]


@cache
def texts_of(source: str) -> set[str]:
    ((file, names),) = SOURCE.findall(source)
    return sentences(file, set(re.findall(r"`([^`]+)`", names)))


@cache
def rows() -> list[tuple[str, str, str]]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [(found[1], found[2], found[3]) for line in lines if (found := ROW.match(line))]


@pytest.mark.parametrize("source", sources(), ids=lambda line: line[3:40])
def test_every_text_has_a_row(source: str) -> None:
    missing = texts_of(source) - {sentence for sentence, _, _ in rows()}
    assert not missing, "\n".join(f"| `` {text} `` |  |  |" for text in sorted(missing))


def test_every_row_is_a_text() -> None:
    everything = set().union(*map(texts_of, sources()))
    assert not [sentence for sentence, _, _ in rows() if sentence not in everything]


def test_every_table_is_read() -> None:
    """No line of a table is passed over because of its form, and none stands there twice."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ``")]
    assert len(lines) == len(rows()) == len({sentence for sentence, _, _ in rows()}) > 100


CODE = """
def f(x):
    "no text at all"
    return f"{x} states, {g('of a kind')} of {x!r}" + "one" + h("at least two")
"""


def test_what_is_a_text() -> None:
    found = {text for text in texts_in(ast.parse(CODE)) if is_sentence(text)}
    assert found == {"… states, … of …", "of a kind", "at least two"}
