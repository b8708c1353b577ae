"""Two evaluators contradict each other: always a bug, so everything that both said is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from models.outcomes import Outcome
from puzzlewright.report import Report, as_json

if TYPE_CHECKING:
    from encoders.deepening import Contradiction

SAVED = "puzzlewright-disagreement"


def disagreement(found: Report, note: str, artefacts: Mapping[str, str]) -> Report:
    """The report of a disagreement; what was found and the artefacts, by the name of their file, are saved."""
    folder = Path(f"{SAVED}-{found.puzzle}-{found.level or 'level'}")
    folder.mkdir(exist_ok=True)
    for name, content in {"search.json": json_text(found), **artefacts}.items():
        (folder / name).write_text(content, encoding="utf-8")
    notes = (*found.notes, note, f"both answers are saved in {folder}")
    return replace(found, outcome=Outcome.DISAGREEMENT, proven_by=(), notes=notes)


def json_text(report: Report) -> str:
    return json.dumps(as_json(report), indent=1)


def contradiction(found: Report, contradicted: Contradiction, other: Report) -> Report:
    """CP-SAT contradicts itself: `other` is the plan that it found at last; the formula that has it is saved too."""
    from encoders.cpsat import formula_text

    artefacts = {"cpsat.json": json_text(other), "cpsat-model.txt": formula_text(contradicted.asked.formula)}
    return disagreement(found, str(contradicted), artefacts)
