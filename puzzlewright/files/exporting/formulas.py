"""The question whether there is a plan of at most so many steps, as clauses in DIMACS or as a model of CP-SAT.

It is the formula that certificates refute: nothing that the puzzle admits is left out, no invariant is used.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from models.outcomes import LimitReached, Outcome
from puzzlewright.certificates.variable_map import variable_map
from puzzlewright.files.exporting.wanted import Exported, ExportWanted

if TYPE_CHECKING:
    from encoders.certified import Certified

MAP = "-variables.txt"


def cnf(wanted: ExportWanted) -> Exported:
    """Clauses, with what each variable says beside them."""
    from encoders.clausal import write_dimacs
    from puzzlewright.certificates.bundle import comments

    made = asked(wanted)
    told = comments(f"{wanted.puzzle.name} {wanted.puzzle.level}: {question(made)}")
    sizes = f"{made.form.variables:,} variables, {len(made.form.clauses):,} clauses"
    words = variable_map(made, wanted.puzzle.words)
    return Exported(write_dimacs(made.form, told), f"{question(made)}: DIMACS, {sizes}", {MAP: words})


def cpsat(wanted: ExportWanted) -> Exported:
    """A model whose variables have names; as text, or as bytes in a `.pb`."""
    from encoders.cpsat import named_model

    made = asked(wanted)
    lines = variable_map(made, wanted.puzzle.words).splitlines()[: made.encoding.formula.variables]
    model = named_model(made.encoding.formula, [json.dumps(line.partition(" ")[2]) for line in lines])
    sizes = f"{made.encoding.formula.variables:,} variables"
    content = _binary(model) if wanted.suffix == ".pb" else str(model.proto)
    return Exported(content, f"{question(made)}: a model of CP-SAT, {sizes}")


def asked(wanted: ExportWanted) -> Certified:
    """The formula for the horizon that was said."""
    from encoders.certified import plan_within

    horizon, left = wanted.horizon("a formula"), wanted.bench.deadline.left
    try:
        return plan_within(wanted.bench.task, horizon, None if left is None else time.perf_counter() + left)
    except TimeoutError:
        raise LimitReached(Outcome.TIME_LIMIT) from None


def question(made: Certified) -> str:
    horizon = made.question.horizon
    return f"is there a plan of at most {horizon} step{'s' * (horizon != 1)}"


def _binary(model: object) -> bytes:
    """OR-Tools writes it to a file only."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pb"
        assert model.export_to_file(str(path))  # type: ignore[attr-defined]
        return path.read_bytes()
