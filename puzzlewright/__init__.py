"""State a puzzle in YAML, get a provably shortest plan: `load`, `solve`, `prove`; see it: `picture`, `player`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.notebooks import Page, Picture
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
    from puzzlewright.notebooks import seen
    from puzzlewright.solving import Request
    from puzzlewright.solving import solve as run

    return seen(puzzle, run(puzzle, Request(backend, **request)))


def prove(puzzle: Puzzle, **request: Any) -> Report:
    """Search and CP-SAT together."""
    from puzzlewright.notebooks import seen
    from puzzlewright.proving import prove as run
    from puzzlewright.solving import Request

    return seen(puzzle, run(puzzle, Request(**request)))


def picture(puzzle: Puzzle, report: Report | None = None, step: int | None = None) -> Picture:
    """The start as a picture, or of a report's plan one step, or all; notebooks show it; `svg` is a file's text."""
    from puzzlewright.notebooks import picture_of

    return picture_of(puzzle, report, step)


def player(puzzle: Puzzle, report: Report, speed: float = 2) -> Page:
    """A page that plays a report's plan; notebooks show it in a frame; `html` is a file's text."""
    from puzzlewright.notebooks import player_of

    return player_of(puzzle, report, speed)
