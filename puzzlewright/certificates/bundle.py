"""What a certificate is: a folder with a puzzle, a best plan, and a proof that there is no better one.

All files but the puzzle, the plan and the proof follow from these, so that `verify` can make them anew and compare.
"""

from __future__ import annotations

import json
import re
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from models.frozen import frozen
from models.outcomes import ENDLESS, Outcome
from models.plan import Plan, step_json
from models.puzzle import Puzzle
from puzzlewright.certificates import recheck
from puzzlewright.printing.reports import WORDS
from puzzlewright.report import Payload, Report, versions
from puzzlewright.solving.request import Progress
from puzzlewright.solving.workbench import Workbench
from search.cache import program

if TYPE_CHECKING:
    from encoders.certified import Certified

FORMAT, FORMAT_VERSION = "puzzlewright-certificate", 1
PUZZLE, PLAN, FORMULA, VARIABLES, PROOF = "puzzle.yaml", "plan.json", "problem.cnf", "variables.txt", "proof.lrat"
CHECKER, README, MANIFEST = "recheck.py", "README.txt", "manifest.json"
FILES = (PUZZLE, PLAN, FORMULA, VARIABLES, PROOF, CHECKER, README, MANIFEST)
STATES = "states.jsonl"
LRAT, LISTED, INVARIANT = "lrat", "states", "invariant"  # kinds; the manifest of the first one names none
MADE_BY = ("models", "encoders", "puzzlewright/certificates")  # whose text the files of a certificate depend on
KINDS = (LRAT, LISTED, INVARIANT)
ALONE = "By which search, heuristic or tables somebody has come to this plays no part: none of them is asked."


@frozen(eq=True)
class Certificate(Payload):
    """A certificate's folder, and figures of it."""

    figures: Mapping[str, object]

    def as_json(self) -> dict[str, object]:
        return {"certificate": self.figures}

    def reproducible(self) -> Certificate:
        return replace(self, figures={k: v for k, v in self.figures.items() if not k.endswith("_seconds")})


@frozen(eq=True)
class CheckedAgain(Certificate):
    """A certificate that is checked again."""

    def headline(self, report: Report) -> str:
        valid = WORDS[Outcome.UNSOLVABLE] if report.plan is None else "the plan is one, and no plan costs less"
        return {
            Outcome.VALID: valid,
            Outcome.REFUTED: "the certificate does not hold",
            Outcome.UNPROVEN: "the certificate cannot be checked in full",
        }.get(report.outcome, "")


_README = """\
A certificate of Puzzlewright.

{claim}

Why that is so: problem.cnf is a propositional formula that says

    "{question}"

What its variables mean is told in variables.txt. It has no model, and proof.lrat proves that.

{alone}

To check the proof again:

    python3 recheck.py .                          Python 3.11, nothing else; reads also the digests in manifest.json
    cake_lpr problem.cnf proof.lrat               or any other checker of LRAT, such as lrat-check

To check the rest as well (that the plan is one and costs what is said, and that the formula is the puzzle's):

    puzzlewright verify DIR                       where DIR is this folder
"""


@frozen(eq=True)
class Source:
    """What a puzzle is read from."""

    text: str
    level: str | None
    settings: tuple[str, ...]
    seed: int


class Examined(Protocol):
    """A certificate while it is checked again: what the kinds have to know of it (`verifying_bundles`)."""

    folder: Path
    deadline: float | None  # as `time.perf_counter` tells it
    progress: Progress | None
    established: list[str]
    report: Report

    @property
    def costs(self) -> dict[str, int]:
        """Those of the plan; none without one."""
        ...

    def tell(self, established: str, figures: Mapping[str, object]) -> None:
        """Something holds; the figures are for `--json`."""
        ...

    def same(self, stated: Mapping[str, object], texts: Mapping[str, str], told: Mapping[str, object]) -> None:
        """Refused, or OtherVersion, where the manifest or a file is not as it is made anew, or there is more."""
        ...


def files_of(kind: str, planned: bool, kept: int = 0) -> tuple[str, ...]:
    """What a certificate of a kind consists of, with a plan or without, and with so many invariants."""
    if kind == LRAT:
        return FILES
    if kind == LISTED:
        return (PUZZLE, *[PLAN] * planned, STATES, README, MANIFEST)
    proven = [*(f"kept-{number}" for number in range(1, kept + 1)), "goal"]
    proofs = [name + ending for name in proven for ending in (".cnf", ".lrat")]
    return (PUZZLE, *proofs, CHECKER, README, MANIFEST)


def is_part(name: str) -> bool:
    """May a certificate have a file of this name?"""
    return name in (*FILES, STATES) or bool(re.fullmatch(r"(kept-[0-9]+|goal)[.](cnf|lrat)", name))


def bench_of(puzzle: Puzzle, metrics: Sequence[str], deadline: float | None = None) -> Workbench:
    """A workbench that takes nothing from the disk cache; the deadline is a time of `time.perf_counter`."""
    left = None if deadline is None else deadline - time.perf_counter()
    return Workbench(replace(puzzle, fingerprint=""), metrics, ENDLESS.within(left), memory=False)


def claim(puzzle: Puzzle, source: Source, metrics: Sequence[str], plan: Plan | None, costs: Mapping[str, int]) -> str:
    """What the certificate says, in words; of the level as it is written only if nothing has been set."""
    where = f"{puzzle.name}, level {puzzle.level}" if puzzle.level else puzzle.name
    where += f", with {' and '.join(source.settings)}" if source.settings else ""
    where += f", seed {source.seed}" if source.seed else ""
    if plan is None:
        return f"{where}: there is no plan."
    steps = f"{len(plan)} step" + "s" * (len(plan) != 1)
    cost = ", ".join(f"{costs[metric]}" + f" {metric}" * (metric != "cost") for metric in metrics)
    return f"{where}: the plan in {PLAN} has {steps} and costs {cost}; no plan costs less."


def question(certified: Certified) -> str:
    """What the formula says, in words."""
    horizon, below = certified.question
    steps = f"there is a plan of at most {horizon} step" + "s" * (horizon != 1)
    if below is None:
        return steps
    metrics = certified.encoding.outline.task.metrics
    if len(metrics) == 1:
        return f"{steps} that costs less than {below[0]}"
    costs = ", ".join(f"{cost} {metric}" for cost, metric in zip(below, metrics, strict=True))
    return f"{steps} that costs less than {costs} (less in one of them, and not more in those before it)"


def texts(
    bench: Workbench, source: Source, certified: Certified, plan: Plan, costs: Mapping[str, int]
) -> dict[str, str]:
    """The files that follow from puzzle and plan."""
    from encoders.clausal import write_dimacs
    from puzzlewright.certificates.variable_map import variable_map

    said = claim(bench.puzzle, source, bench.metrics, plan, costs)
    asked = question(certified)
    told = (said, f'This formula says: "{asked}".', f"Its variables: {VARIABLES}. Its refutation: {PROOF}.")
    return {
        PLAN: plan_text(bench.puzzle, plan),
        FORMULA: write_dimacs(certified.form, [line for comment in told for line in comments(comment)]),
        VARIABLES: variable_map(certified, bench.puzzle.words),
        README: _README.format(claim=said, question=asked, alone=ALONE),
        CHECKER: Path(recheck.__file__).read_text(encoding="utf-8"),
    }


def comments(text: str) -> list[str]:
    """Lines that every reader of DIMACS can hold, in ASCII."""
    return textwrap.wrap(text.encode("ascii", "backslashreplace").decode(), 110)


def plan_text(puzzle: Puzzle, plan: Plan) -> str:
    steps = [step_json(step, puzzle.words) for step in plan]
    made = {"puzzle": puzzle.name, "level": puzzle.level, "plan": steps}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def read_from(puzzle: Puzzle, metrics: Sequence[str], source: Source) -> dict[str, object]:
    """The part of the manifest that says what the puzzle is read from."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "puzzle": puzzle.name,
        "level": source.level,
        "settings": list(source.settings),
        "seed": source.seed,
        "metric": ",".join(metrics),
    }


def statement(
    bench: Workbench, source: Source, certified: Certified, plan: Plan, costs: Mapping[str, int]
) -> dict[str, object]:
    """The part of the manifest that follows from puzzle and plan."""
    return {
        **read_from(bench.puzzle, bench.metrics, source),
        "costs": {metric: costs[metric] for metric in bench.metrics},
        "length": len(plan),
        "claim": claim(bench.puzzle, source, bench.metrics, plan, costs),
        "question": {"words": question(certified), "horizon": certified.question.horizon, "below": _below(certified)},
        "variables": certified.form.variables,
        "clauses": len(certified.form.clauses),
    }


def _below(certified: Certified) -> int | list[int] | None:
    """The bound on the cost: a number or, with several metrics, one for each."""
    below = certified.question.below
    return None if below is None else below[0] if len(below) == 1 else list(below)


def manifest(stated: Mapping[str, object], folder: Path, files: Sequence[str] = FILES) -> str:
    """The text of the manifest for the files in a folder."""
    digests = {name: recheck.digest(folder / name) for name in files if name != MANIFEST}
    whole = {**stated, "versions": {**versions(), "program": program(MADE_BY)}, "sha256": digests}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
