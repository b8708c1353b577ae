"""`schema`: puzzle files for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlewright.commands import Told, command
from puzzlewright.options import PRINTED
from puzzlewright.printing.desk import Desk, put

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(*PRINTED, json_=Told("the same in one line"))
def run(desk: Desk) -> Report:
    """The JSON Schema of puzzle files, for editors."""
    import json

    from puzzlewright.files.schema import schema

    put(json.dumps(schema(), indent=None if desk.as_json else 2) + "\n")
