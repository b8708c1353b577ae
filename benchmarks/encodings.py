"""What the encoding's parts are worth, each measured by changing it alone: `python -m benchmarks.encodings`.

For an optimum U the question "at most U - 1 steps?" is refuted and "exactly U steps?" is answered, by one worker, each
with a time limit. A cell says UNSAT / SAT in seconds of this process's CPU, encoding and solving together, so that
other work on the machine counts little; `=`: the same formula, `open`: not decided in time (after an open UNSAT, SAT is
not asked). What depends on the task alone (layers, bans, proofs of facts) is made before.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.contests import quotient
from benchmarks.levels import Level
from benchmarks.product import workbench
from benchmarks.report import Record, cell, machine_lines, table
from benchmarks.variants import AS_IT_IS, ONE_HOT, TABLES, Subject, Variant, minimised
from encoders import cpsat
from encoders.certified import something_cheaper
from encoders.clausal import write_dimacs
from encoders.encoding import Form
from encoders.lrat import refute
from encoders.lrat_child import read_model
from puzzlewright.certificates import recheck
from puzzlewright.solving.workbench import Workbench

JUGS = """\
puzzle: jugs
data:
  holds: [16, 9, 7]
types:
  jug: 0 .. len(holds) - 1
  litres: 0 .. holds[0]
state:
  has[j in jug]: litres = holds[0] if j == 0 else 0
actions:
  empty:
    params: {a: jug, b: jug}
    when: a != b and has[a] > 0 and has[a] + has[b] <= holds[b]
    effect:
      has[a]: 0
      has[b]: has[a] + has[b]
  fill:
    params: {a: jug, b: jug}
    when: a != b and has[b] < holds[b] and has[a] + has[b] > holds[b]
    effect:
      has[a]: has[a] + has[b] - holds[b]
      has[b]: holds[b]
goal: has[0] == 8 and has[1] == 8
"""


class Case(NamedTuple):
    name: str
    optimum: int  # steps of a shortest plan
    open: Callable[[], Workbench]


def built_in(puzzle: str, level: str, optimum: int) -> Case:
    return Case(f"{puzzle} {level}", optimum, lambda: workbench(Level(puzzle, level)))


def jugs() -> Workbench:
    from models.loader import load_text

    return Workbench(load_text(JUGS, "jugs"))


CASES = (
    built_in("n_puzzle", "seed-8", 22),
    built_in("n_puzzle", "hardest-8", 31),
    built_in("n_puzzle", "seed-15", 19),
    built_in("water_sort", "seed-1", 15),
    built_in("klotski", "elbow", 22),
    built_in("klotski", "little", 36),
    built_in("klotski", "hook", 40),
    built_in("klotski", "seed-6", 32),
    built_in("rush_hour", "rush", 36),
    built_in("rush_hour", "rush-moves", 14),
    built_in("lights_out", "five", 15),
    built_in("vehicles", "n5", 7),
    built_in("vehicles_one_at_a_time", "n4", 14),
    built_in("bloxorz", "toggle-heavy-2", 29),
    built_in("hanoi", "five", 31),
    built_in("pancake", "eight", 9),
    built_in("sokoban", "pillars", 24),
)
POURING = Case("jugs 16, 9, 7", 15, jugs)
CERTIFIED = {"n_puzzle seed-8", "rush_hour rush-moves", "hanoi five"}


class Run(NamedTuple):
    """What one or more questions came to."""

    verdict: str  # right, open, or wrong
    seconds: float  # of CPU
    variables: int
    clauses: int  # constraints of every kind
    conflicts: int


OPEN = Run("open", 0.0, 0, 0, 0)


class Asked(NamedTuple):
    """UNSAT and SAT; `formulas` are their texts. No runs: the formulas are those of another variant."""

    formulas: list[str]
    unsat: Run | None = None
    sat: Run | None = None


class Bench:
    """The runs of one level, for one seed."""

    def __init__(self, case: Case, limit: float, seed: int) -> None:
        self.case, self.limit, self.seed = case, limit, seed
        began = time.process_time()
        self.subject = Subject(case.open())
        self.shared_seconds = time.process_time() - began
        self.usual = self.ask(AS_IT_IS)

    def ask(self, variant: Variant) -> Asked:
        """UNSAT, then SAT."""
        with variant.in_force():
            below = variant.refutations(self.subject, self.case.optimum)
            at: list[tuple[int, Form]] = [(self.case.optimum, "exact")]
            texts = [cpsat.formula_text(variant.encoded(self.subject, *each).formula) for each in (*below, *at)]
            if variant is not AS_IT_IS and variant.same_solver and texts == self.usual.formulas:
                return Asked(texts)
            unsat = self._run(variant, below, "infeasible")
            return Asked(texts, unsat, self._run(variant, at, "feasible") if unsat.verdict == "right" else OPEN)

    def _run(self, variant: Variant, questions: Sequence[tuple[int, Form]], expected: str) -> Run:
        conflicts, left = 0, self.limit
        began = time.process_time()
        for question in questions:
            made = variant.encoded(self.subject, *question)
            solved, _ = cpsat.solve(made, left, seed=self.seed, **variant.solving)
            conflicts += solved.conflicts
            left -= solved.solve_seconds
            if solved.status != expected:
                break
        verdict = {expected: "right", "unknown": "open"}.get(solved.status, "wrong")
        return Run(verdict, time.process_time() - began, solved.booleans, solved.clauses, conflicts)


# -- tables ------------------------------------------------------------------------------------------------------------


def told(runs: Sequence[Run | None]) -> str:
    """The median of the seconds over all seeds, or the worst verdict."""
    made = [run for run in runs if run is not None]
    if not made:
        return "="
    worst = max((run.verdict for run in made), key=["right", "open", "wrong"].index)
    return cell(float(median(run.seconds for run in made))) if worst == "right" else worst


def size_record(benches: Sequence[Bench]) -> Record:
    """The encoding as it is: sizes of the UNSAT question, medians over seeds."""
    first, usual = benches[0], [bench.usual for bench in benches]
    unsat = usual[0].unsat
    assert unsat is not None
    return {
        "level": first.case.name,
        "steps": first.case.optimum,
        "from": first.subject.least_steps,
        "literals": unsat.variables,
        "constraints": unsat.clauses,
        "conflicts": int(median(each.unsat.conflicts for each in usual if each.unsat)),
        "shared s": first.shared_seconds,
        "UNSAT s": told([each.unsat for each in usual]),
        "SAT s": told([each.sat for each in usual]),
    }


def both(asked: Sequence[Asked]) -> str:
    unsat, sat = told([each.unsat for each in asked]), told([each.sat for each in asked])
    return unsat if unsat == sat and unsat in ("=", "open") else f"{unsat} / {sat}"


def minimising(bench: Bench) -> str:
    """One model that minimises the number of steps; it answers both questions."""
    began = time.process_time()
    verdict = minimised(bench.subject, bench.case.optimum, bench.limit, bench.seed)
    return cell(time.process_time() - began) if verdict == "right" else verdict


def proof_record(case: Case, limit: float) -> Record:
    """The size of a certificate's proof, and the checker's seconds, for 1,000 conflicts."""
    certified = something_cheaper(case.open().task, (case.optimum,))
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        formula, proof = Path(folder, "formula"), Path(folder, "proof")
        formula.write_text(write_dimacs(certified.form, []), encoding="ascii")
        made = refute(certified.form, formula, proof, limit)
        if made.status != "infeasible":
            return {"level": case.name, "note": made.reason or made.status}
        solver = cpsat.new_solver()
        began = time.process_time()
        cpsat.run(solver, read_model(formula), limit)
        alone = time.process_time() - began
        began = time.process_time()
        checked = recheck.check(formula, proof)
        seconds, size = time.process_time() - began, proof.stat().st_size
    thousands = solver.num_conflicts / 1000
    return {"level": case.name, "steps": case.optimum, "clauses": checked.clauses, "conflicts": solver.num_conflicts,
            "solve s": alone, "with proof s": made.seconds, "proof MB": size / 1e6, "check s": seconds,
            "MB/1,000": quotient(size / 1e6, thousands), "check s/1,000": quotient(seconds, thousands)}  # fmt: skip


def measure(case: Case, limit: float, seeds: int, kept: list[Any]) -> Iterator[tuple[str, Record]]:
    """The lines about a level, each with its table's title; `kept` gets the figures of all runs."""
    benches = [Bench(case, limit, seed) for seed in range(seeds)]
    first = {"level": case.name, AS_IT_IS.name: both([bench.usual for bench in benches])}

    def told_of(variant: Variant) -> str:
        asked = [bench.usual if variant is AS_IT_IS else bench.ask(variant) for bench in benches]
        runs = [{"unsat": unsat and unsat._asdict(), "sat": sat and sat._asdict()} for _, unsat, sat in asked]
        kept.append({"level": case.name, "variant": variant.name, "seeds": runs})
        print(f"{case.name}, {variant.name}: {both(asked)}", file=sys.stderr, flush=True)
        return both(asked)

    told_of(AS_IT_IS)
    yield "The encoding as it is", size_record(benches)
    tables = {"Sums over counters": [ONE_HOT]} if case is POURING else TABLES
    for title, variants in tables.items():
        yield title, {**first, **{variant.name: told_of(variant) for variant in variants}}
    yield "The number of steps minimised, instead of two questions", {**first, "minimised": minimising(benches[0])}
    if case.name in CERTIFIED:
        yield "Proofs of certificates", proof_record(case, limit)


# -- the command -------------------------------------------------------------------------------------------------------


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encodings", description=__doc__)
    parser.add_argument("--only", default="*", metavar="NAME,...", help="levels by name, * allowed")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of a question (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=1, choices=range(1, 10), metavar="N", help="how many (1 to 9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures of all runs")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    wanted = arguments(argv)
    chosen = [case for case in (*CASES, POURING) if any(fnmatch.fnmatch(case.name, p) for p in wanted.only.split(","))]
    if not chosen:
        print(f"no level is named {wanted.only!r}", file=sys.stderr)
        return 2
    kept: list[Any] = []
    tables: dict[str, list[Record]] = {}
    with suppress(KeyboardInterrupt):  # what is known by then is shown
        for case in chosen:
            for title, record in measure(case, wanted.seconds, wanted.seeds, kept):
                tables.setdefault(title, []).append(record)
    print("\n".join([*machine_lines(()), "", *(table(title, records) for title, records in tables.items())]))
    if wanted.json:
        wanted.json.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
