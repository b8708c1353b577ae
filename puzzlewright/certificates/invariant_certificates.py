"""A certificate that there is no plan because of invariants: formulas without a model, made and checked again.

One formula for each invariant says that some step loses its value, given those before; another one says that a goal
state has all of their values. They are refuted as that of a best plan is, and made anew from the puzzle to be compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from models.interpreter import UNDEFINED, evaluate, scope
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from models.task import Invariant, Task
from models.values import plain, show
from puzzlewright.certificates import recheck
from puzzlewright.certificates.bundle import (
    ALONE,
    CHECKER,
    INVARIANT,
    MANIFEST,
    PUZZLE,
    README,
    Examined,
    Source,
    bench_of,
    claim,
    comments,
    files_of,
    manifest,
    read_from,
)
from puzzlewright.certificates.certifying import CertificateWanted, Made, draft_of, publish
from puzzlewright.certificates.recheck import Refused
from puzzlewright.certificates.variable_map import row_words
from puzzlewright.report import Report
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from encoders.kept import OneStep

_README = """\
A certificate of Puzzlewright.

{claim}

Why that is so: no step changes the value of these invariants of puzzle.yaml, and no goal state has all the values that
they have at the start:

{invariants}

kept-1.cnf, kept-2.cnf, ... say, one for each of them and given those before, that some step loses it; goal.cnf says
that a goal state has them all. Comments tell what their variables mean. None has a model: the .lrat files prove that.

{alone}

To check the proofs again:

    python3 recheck.py .                          Python 3.11, nothing else; reads also the digests in manifest.json
    cake_lpr goal.cnf goal.lrat                   or any other checker of LRAT, such as lrat-check

To check the rest as well (that the formulas are the puzzle's, and what the values at the start are):

    puzzlewright verify DIR                       where DIR is this folder
"""


def certify_by_invariant(bench: Workbench, report: Report, wanted: CertificateWanted, deadline: float | None) -> Made:
    """Of the proven invariants, those that are kept step by step, as far as the one that no goal state has."""
    with draft_of(wanted.folder.resolve()) as draft:
        job = _Making(bench, wanted.source, draft, deadline, report.seed)
        why = job.run()
        if why:
            return Made(Outcome.UNPROVEN, f"no certificate is written: {why}")
        (draft / PUZZLE).write_bytes(wanted.source.text.encode())
        for name, text in texts(bench, wanted.source, job.kept).items():
            (draft / name).write_bytes(text.encode())
        figures = _checked(draft, len(job.kept), deadline)
        stated = statement(bench, wanted.source, job.kept)
        (draft / MANIFEST).write_bytes(manifest(stated, draft, files_of(INVARIANT, False, len(job.kept))).encode())
        publish(draft, wanted.folder.resolve())
    told = f"a certificate is written to {wanted.folder}: {_words(figures)}, which were checked"
    return Made(report.outcome, told, {"directory": str(wanted.folder), **figures, "prove_seconds": job.seconds})


class _Making:
    """The proofs of one certificate, written into its draft."""

    def __init__(self, bench: Workbench, source: Source, draft: Path, deadline: float | None, seed: int) -> None:
        self.bench, self.source, self.draft, self.deadline, self.seed = bench, source, draft, deadline, seed
        self.kept: list[Invariant] = []
        self.seconds = 0.0

    def run(self) -> str:
        """Why it cannot be done; '' if it can."""
        apart = self.bench.proofs.separating()
        for invariant in self.bench.task.invariants:
            if not self.bench.proofs.invariants[invariant.name].proven:
                continue
            why = self.refute(_loss(self.bench, self.source, invariant, self.kept), f"kept-{len(self.kept) + 1}")
            if not why:
                self.kept.append(invariant)
            if invariant.name == apart:
                return why or self.refute(_goal(self.bench, self.source, self.kept), "goal")
        return "no proven invariant tells the start from all goal states"

    def refute(self, asked: Asked, name: str) -> str:
        from encoders.lrat import refute

        formula = self.draft / f"{name}.cnf"
        formula.write_text(asked.text, encoding="ascii")
        left = None if self.deadline is None else self.deadline - time.perf_counter()
        found = refute(asked.step.form, formula, self.draft / f"{name}.lrat", left, self.seed)
        self.seconds = round(self.seconds + found.seconds, 3)
        may = f"in some state, though perhaps none that can be reached, it holds that {asked.said}"
        return {"infeasible": "", "unknown": found.reason}.get(found.status, may)


class Asked(NamedTuple):
    """A formula that has to be refuted: what it says in words, and the text of its file."""

    step: OneStep
    said: str
    text: str


def _loss(bench: Workbench, source: Source, invariant: Invariant, before: Sequence[Invariant]) -> Asked:
    from encoders.kept import loss

    given = f", given {', '.join(each.name for each in before)}" if before else ""
    said = f"some step loses the value of {invariant.name}{given}"
    return _asked(bench, source, loss(bench.task, invariant, before, bench.deadline), said)


def _goal(bench: Workbench, source: Source, kept: Sequence[Invariant]) -> Asked:
    from encoders.kept import reached_goal

    names = ", ".join(invariant.name for invariant in kept)
    return _asked(
        bench, source, reached_goal(bench.task, kept), f"a goal state has the values that the start has: {names}"
    )


def formulas(bench: Workbench, source: Source, kept: Sequence[Invariant]) -> dict[str, str]:
    """The files with the formulas that have to be refuted."""
    made = {f"kept-{n + 1}.cnf": _loss(bench, source, invariant, kept[:n]).text for n, invariant in enumerate(kept)}
    return {**made, "goal.cnf": _goal(bench, source, kept).text}


def _asked(bench: Workbench, source: Source, step: OneStep, said: str) -> Asked:
    from encoders.clausal import write_dimacs

    lines = comments(f'{claim(bench.puzzle, source, bench.metrics, None, {})} This formula says: "{said}".')
    return Asked(step, said, write_dimacs(step.form, [*lines, *_meanings(bench, step)]))


def _meanings(bench: Workbench, step: OneStep) -> Iterator[str]:
    """What literals say, in ASCII."""
    from encoders.clausal import dimacs

    task = bench.task
    for index, literals in step.values.items():
        variable = task.variables[index]
        for value, literal in literals.items():
            yield from comments(f"{dimacs(literal)}: {variable.name} = {show(variable.domain[value])}")
    for (schema, row), literal in step.rows.items():
        words = row_words(task.schemas[schema], task.schemas[schema].rows[row], bench.puzzle.words)
        yield from comments(f"{dimacs(literal)}: {words}")


def texts(bench: Workbench, source: Source, kept: Sequence[Invariant]) -> dict[str, str]:
    """The other files that follow from the puzzle and the names of the invariants."""
    values = start_values(bench.puzzle, bench.task, kept)
    listed = "\n".join(f"    {name}: {show(value)}" for name, value in values.items())
    return {
        README: _README.format(
            claim=claim(bench.puzzle, source, bench.metrics, None, {}), invariants=listed, alone=ALONE
        ),
        CHECKER: Path(recheck.__file__).read_text(encoding="utf-8"),
    }


def start_values(puzzle: Puzzle, task: Task, kept: Sequence[Invariant]) -> dict[str, Any]:
    """What the referee says of the invariants at the start; Refused where grounding says something else."""
    from models.terms import value_in

    said = {declared.name: declared.expression for declared in puzzle.invariants}
    start = scope(start_state(puzzle))
    values = {invariant.name: evaluate(said[invariant.name], start) for invariant in kept}
    for invariant in kept:
        value = values[invariant.name]
        if value is UNDEFINED or (isinstance(value, int) and value_in(invariant.term, task.start) != int(value)):
            raise Refused(f"the invariant {invariant.name} is {show(value)} at the start, by the referee")
    return values


def statement(bench: Workbench, source: Source, kept: Sequence[Invariant]) -> dict[str, Any]:
    """The manifest, but for versions and digests."""
    values = start_values(bench.puzzle, bench.task, kept)
    return {
        **read_from(bench.puzzle, bench.metrics, source),
        "kind": INVARIANT,
        "costs": None,
        "length": None,
        "claim": claim(bench.puzzle, source, bench.metrics, None, {}),
        "invariants": [{"name": name, "start": plain(value)} for name, value in values.items()],
    }


def examine(examination: Examined, puzzle: Puzzle, metrics: Sequence[str], source: Source,
            told: Mapping[str, Any]) -> None:  # fmt: skip
    """The proofs; then the formulas, made anew from the puzzle, and the values at the start."""
    bench = bench_of(puzzle, metrics, examination.deadline)
    kept = _named(bench.task, told)
    figures = _checked(examination.folder, len(kept), examination.deadline)
    examination.tell(f"proofs: {_words(figures)}", figures)
    made = formulas(bench, source, kept)
    examination.same(statement(bench, source, kept), {**made, **texts(bench, source, kept)}, told)
    examination.established.append(f"formulas: {len(made)}, encoded anew from the puzzle, are the same")
    values = start_values(puzzle, bench.task, kept)
    at_start = ", ".join(f"{name} is {show(value)}" for name, value in values.items())
    examination.established.append(f"start: by the referee {at_start}")


def _named(task: Task, told: Mapping[str, Any]) -> list[Invariant]:
    declared = {invariant.name: invariant for invariant in task.invariants}
    try:
        names = [each["name"] for each in told["invariants"]]
        return [declared[name] for name in names]
    except (KeyError, TypeError):
        raise Refused(f"{MANIFEST}: it names no invariants of this puzzle") from None


def _checked(folder: Path, kept: int, deadline: float | None) -> dict[str, Any]:
    """The figures of the proofs, which the checker accepts; Refused if he does not."""
    began = time.perf_counter()
    names = [*(f"kept-{number}" for number in range(1, kept + 1)), "goal"]
    found = [recheck.check(folder / f"{name}.cnf", folder / f"{name}.lrat", deadline) for name in names]
    return {
        "kind": INVARIANT,
        "formulas": len(found),
        "clauses": sum(each.clauses for each in found),
        "proof_lines": sum(each.lines for each in found),
        "check_seconds": round(time.perf_counter() - began, 3),
    }


def _words(figures: Mapping[str, Any]) -> str:
    sizes = f"{figures['clauses']:,} clauses, refuted by {figures['proof_lines']:,} lines of proof"
    return f"{figures['formulas']} formulas of {sizes}"
