"""Two evaluators contradict each other: always a bug, so everything that both said is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from models.outcomes import Outcome
from puzzlewright.report import Report, as_json

if TYPE_CHECKING:
    from encoders.horizons import Contradiction

NOTHING: Mapping[str, str] = {}
SAVED = "puzzlewright-disagreement"


def disagreement(found: Report, note: str, artefacts: Mapping[str, str] = NOTHING) -> Report:
    """The report of a disagreement; what was found and the artefacts, by the name of their file, are saved."""
    told = replace(found, outcome=Outcome.DISAGREEMENT, proven_by=()).noting(note)
    return told.noting(_saved(told, {"search.json": json_text(found), **artefacts}))


def _saved(found: Report, artefacts: Mapping[str, str]) -> str:
    """Where they are saved, or why they are not."""
    named = f"{SAVED}-{found.puzzle}-{found.level or 'level'}"
    folder = Path(re.sub(r"[^\w.-]", "_", named))  # a level's name may hold anything
    try:
        folder.mkdir(exist_ok=True)
        for name, content in artefacts.items():
            (folder / name).write_text(content, encoding="utf-8")
    except OSError as error:
        return f"both answers cannot be saved in {folder}: {error.strerror or error}"
    return f"both answers are saved in {folder}"


def json_text(report: Report) -> str:
    return json.dumps(as_json(report), indent=1)


def contradiction(found: Report, contradicted: Contradiction, other: Report) -> Report:
    """CP-SAT contradicts itself: `other` is the plan that it found at last; the formula that has it is saved too."""
    from encoders.cpsat import formula_text

    artefacts = {"cpsat.json": json_text(other), "cpsat-model.txt": formula_text(contradicted.asked.formula)}
    return disagreement(found, str(contradicted), artefacts)
