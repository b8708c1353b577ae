"""State a puzzle in YAML, get a provably shortest plan. `load`, `solve`, `prove` are the library's door."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.report import Report

__version__ = "0.1.0"


def load(file: str, level: str | None = None, seed: int = 0, **data: Any) -> Puzzle:
    """A puzzle from a file or a built-in one's name; keyword arguments replace data, written as for `--set`."""
    from models.data import parse_setting
    from models.loader import load_text
    from puzzlewright.library import find

    text, source = find(file)
    settings = dict(parse_setting(f"{name}={value}") for name, value in data.items())
    return load_text(text, source, level, settings, seed)


def solve(puzzle: Puzzle, backend: str = "auto", **request: Any) -> Report:
    """Run one backend; `request` holds the fields of `puzzlewright.solving.Request`."""
    from puzzlewright.solving import Request
    from puzzlewright.solving import solve as run

    return run(puzzle, Request(backend, **request))


def prove(puzzle: Puzzle, **request: Any) -> Report:
    """Search and CP-SAT together."""
    from puzzlewright.proving import prove as run
    from puzzlewright.solving import Request

    return run(puzzle, Request(**request))
