"""`new`: a puzzle file to begin with, and what to do with it next."""

from __future__ import annotations

import shlex
from pathlib import Path

from models.document import read_document
from models.outcomes import Outcome
from puzzlewright.files.library import built_in
from puzzlewright.report import Report

STARTER = Path(__file__).with_name("starter.yaml")
NEXT = {  # command: what it does
    "solve {file}": "a shortest plan, drawn step by step",
    "puzzlewright check {file} --prove": "are its claims true?",
    "puzzlewright levels {file}": "all its levels, held to what is known of them",
}


def starter(like: str | None = None) -> str:
    """The text of the puzzle to begin with, or of a built-in one."""
    path = STARTER if like is None else built_in()[like]
    return path.read_text(encoding="utf-8")


def begin(path: Path, text: str) -> Report:
    """Write a new file; one row for each command to go on with. OSError where that fails, or the file is there."""
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    name = shlex.quote(str(path))
    rows = tuple({"command": command.format(file=name), "does": does} for command, does in NEXT.items())
    return Report("new", Outcome.VALID, str(read_document(text, name).puzzle), rows=rows)
