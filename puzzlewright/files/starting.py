"""`new`: a puzzle file to begin with, and what to do with it next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from models.document import read_document
from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.files.library import built_in
from puzzlewright.report import About, Report, Table

STARTER = Path(__file__).with_name("starter.yaml")
NEXT = {  # command: what it does
    "solve {file}": "a shortest plan, drawn step by step",
    "puzzlewright check {file} --prove": "are its claims true?",
    "puzzlewright levels {file}": "all its levels, held to what is known of them",
}


@frozen(eq=True)
class NextSteps(Table):
    """A row for each command to go on with: `command` and what it `does`."""

    def as_text(self, report: Report) -> Iterator[str]:
        """The commands to go on with, each ready to be copied."""
        yield f"{report.puzzle} is written. To go on:"
        width = max(len(row["command"]) for row in self.rows)
        for row in self.rows:
            yield f"  {row['command']:<{width}}  # {row['does']}"


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
    return Report("new", Outcome.VALID, About(str(read_document(text, name).puzzle)), payloads=(NextSteps(rows),))
