"""Puzzle files for the tests. Of the built-in ones each is read once per process; levels are loaded anew every time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from models import loader
from models.data import parse_setting
from models.document import Document, LevelSource, read_document
from models.puzzle import Puzzle
from models.text import Plain

PUZZLES = Path(__file__).resolve().parents[1] / "puzzles"


@cache
def _read(name: str) -> tuple[Document, str, str]:
    path = PUZZLES / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    return read_document(text, str(path)), text, str(path)


def sources(name: str) -> dict[str, LevelSource]:
    """The levels as the file states them."""
    return {str(level): source for level, source in _read(name)[0].levels.items()}


def load(name: str, level: str | None = None, *settings: str, seed: int = 0) -> Puzzle:
    """A level, the first one by default; settings as on the command line."""
    return loader.load(*_read(name), level, dict(map(parse_setting, settings)), seed)


def load_file(path: str | Path, level: str | None = None, settings: Mapping[str, Plain] | None = None) -> Puzzle:
    """A level of any puzzle file."""
    return loader.load_text(Path(path).read_text(encoding="utf-8"), str(path), level, settings)
