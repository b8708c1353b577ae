"""The clock and signals, wherever the work is: in grounding, in proofs, between the claims of `check`."""

from __future__ import annotations

import ctypes
import json
import signal
import time
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest
from proving import learn
from puzzle_files import load
from running import run, start

from models import grounding
from models.claims import CUT_SHORT, Verdict
from models.frozen import frozen
from models.grounding import ground
from models.loader import load_text
from models.outcomes import ENDLESS, Deadline, LimitReached, Limits, Outcome
from models.puzzle import Puzzle
from models.resident import resident_memory_mb
from models.task import Task
from models.terms import add
from puzzlewright.analysis.counting import CountWanted, solve_and_count
from puzzlewright.analysis.explaining import explain
from puzzlewright.analysis.exploring import explore
from puzzlewright.analysis.level_rows import RowWanted as RowWanted
from puzzlewright.analysis.level_rows import rows_of
from puzzlewright.report import Report
from puzzlewright.solving.memory import Memory, remembered
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search.compiler import jit
from search.compiler.code import compile_text
from search.kernels.loading import undisturbed
from search.machine import Machine
from search.proofs.knowledge import SHARE, WHOLE, Prover, prove_invariants

PASSED = Deadline(0.0)
LONG_TO_GROUND = """puzzle: pairs
types: {lamp: 0 .. 899}
state: {"lit[i in lamp]": bool = false}
actions: {light: {params: {i: lamp}, effect: {"lit[i]": true}}}
goal: all(lit[i] or lit[j] for i in lamp for j in lamp)
"""
LONG_TO_DEFINE = """puzzle: two-in-one-product
types: {lamp: 0 .. 59}
state: {"lit[i in lamp]": bool = false}
define: {"r(i in lamp, j in lamp)": "lit[i] and lit[j] or any(r(i, k) and r(k, j) for k in lamp)"}
actions: {light: {params: {i: lamp}, effect: {"lit[i]": true}}}
goal: r(0, 59)
"""
LONG_TO_COMPILE = """puzzle: sums
types: {place: 0 .. 15, number: 0 .. 12}
state: {"at[p in place]": "number = p % 13"}
actions:
  mix:
    params: {i: place, j: place}
    when: i != j and (at[i] * 3 + at[j]) % 7 < 5 and count(k for k in place if at[k] + at[i] > at[j] + k) > 3
    effect:
      "at[i]": (at[i] + 2 * at[j] + sum(at[k] * (k % 5) for k in place if at[k] > at[i])) % 13
goal: all(at[p] == 0 for p in place)
"""
COMMANDS: dict[str, Callable[[Puzzle, Request], Report]] = {
    "solve": solve,
    "count": lambda puzzle, request: solve_and_count(puzzle, request, CountWanted()),
    "prove": prove,
    "explore": explore,
    "explain": explain,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_grounding_keeps_the_time_limit(command: str) -> None:
    puzzle, began = load_text(LONG_TO_GROUND, "pairs.yaml"), time.process_time()
    found = COMMANDS[command](puzzle, Request(limits=Limits(time=0.1)))
    assert time.process_time() - began < 2, "810,000 pairs take some ten seconds"
    assert (found.outcome, found.puzzle, found.metric, found.lower_bound) == (Outcome.TIME_LIMIT, "pairs", "cost", 0)
    assert found.command == command.replace("count", "solve") and found.statistics["total_seconds"] >= 0.1


def test_definitions_keep_the_time_limit() -> None:
    """A recursion that is not linear: 3,600 instances, in as many rounds."""
    puzzle, began = load_text(LONG_TO_DEFINE, "product.yaml"), time.process_time()
    assert solve(puzzle, Request(limits=Limits(time=0.3))).outcome is Outcome.TIME_LIMIT
    assert time.process_time() - began < 2


@frozen(eq=True)
class Counting(Deadline):
    """Over after so many looks; `left` is what it says."""

    most: int = 10**9
    seconds: float | None = None
    looks: list[int] = field(default_factory=lambda: [0], compare=False)

    @property
    def left(self) -> float | None:
        return self.seconds

    def look(self) -> None:
        self.looks[0] += 1
        if self.looks[0] > self.most:
            raise LimitReached(Outcome.TIME_LIMIT)


@pytest.fixture(scope="module")
def sums() -> Task:
    return ground(load_text(LONG_TO_COMPILE, "sums.yaml"))


def test_code_generation_keeps_the_time_limit(sums: Task) -> None:
    """It looks before each row, and while it writes; a machine that has been stopped goes on with another clock."""
    whole = Counting()
    made = Machine(sums, trim=False, clock=lambda: whole)
    prepared = whole.looks[0]
    assert prepared >= len(sums.rows)
    lines, printing = made._code.text.count("\n"), whole.looks[0] - prepared
    assert printing > len(sums.rows)
    before, every = whole.looks[0], add((1, row.phases[0].guard) for row in sums.rows.values())
    written = made._estimate(every, 0).text
    assert whole.looks[0] - before > written.count("\n") / 500 > 5
    short = Counting(most=prepared // 2)
    with pytest.raises(LimitReached, match="time-limit"):
        Machine(sums, trim=False, clock=lambda: short)
    clock = Counting(most=prepared + printing // 2)
    stopped = Machine(sums, trim=False, clock=lambda: clock)
    with pytest.raises(LimitReached, match="time-limit"):
        assert stopped._code
    assert stopped.__dict__.get("_code") is None
    clock = Counting()
    assert stopped._code.text.count("\n") == lines


def test_llvm_is_not_begun_where_it_would_end_too_late() -> None:
    with pytest.raises(LimitReached, match="time-limit"):
        compile_text("no code at all" + "\n" * 300_000, [], Counting(seconds=5.0))
    with pytest.raises(RuntimeError, match="LLVM IR parsing error"):
        compile_text("no code at all" + "\n" * 300_000, [], Counting(seconds=7.0))


def test_code_is_made_better_only_where_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "define i64 @f(i64 %x) {\nentry:\n  %y = add i64 %x, 0\n  ret i64 %y\n}\n"
    better: list[bool] = []
    monkeypatch.setattr(jit, "optimize", lambda module, target, combine: better.append(combine))
    for seconds, times in ((None, 1), (1.0, 2), (0.002, 2)):
        assert compile_text(text, ["f"], Counting(seconds=seconds)).addresses["f"] and len(better) == times


def test_grounding_and_code_generation_keep_the_memory_limit(sums: Task) -> None:
    puzzle = load_text(LONG_TO_GROUND, "pairs.yaml")
    assert solve(puzzle, Request(limits=Limits(memory_mb=1))).outcome is Outcome.MEMORY_LIMIT
    with pytest.raises(LimitReached, match="memory-limit"):
        Machine(sums, clock=Limits(memory_mb=1).deadline)
    more = Limits(memory_mb=1000, memory_before=resident_memory_mb())  # what the process had before does not count
    assert Machine(sums, clock=more.deadline).expand


def test_a_row_of_levels_keeps_the_time_limit() -> None:
    with pytest.raises(LimitReached):
        next(rows_of(load_text(LONG_TO_GROUND, "pairs.yaml"), RowWanted(time_limit=0.1)))


MANY_ROWS = """
puzzle: rows
types:
  n: 0 .. 4
state:
  x[i in n]: n = 0
actions:
  set:
    params: {a: n, b: n, c: n, d: n}
    when: x[a] + x[b] < x[c] + x[d] + 1
    effect: {'x[a]': b}
goal: x[0] == 4
"""


def test_every_row_looks_at_the_clock() -> None:
    """Also where nothing is left to be worked out for it: the last row's look is the last but those of the whole."""
    puzzle, whole = load_text(MANY_ROWS, "rows.yaml"), Counting()
    rows: list[int] = []
    make = grounding._Grounder._row

    def row(self: Any, *given: Any) -> Any:
        rows.append(whole.looks[0])
        return make(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounding._Grounder, "_row", row)
        ground(puzzle, deadline=whole)
    assert len(rows) == 625 and all(before < after for before, after in zip(rows, rows[1:], strict=False))


def test_the_join_keeps_the_time_limit() -> None:
    with pytest.raises(LimitReached):
        ground(load("n_puzzle"), deadline=PASSED)
    assert ground(load("n_puzzle"), deadline=ENDLESS.within(60)) == ground(load("n_puzzle"))


def test_ctrl_c_while_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("puzzlewright.solving.workbench.ground_puzzle", stop)
    found = solve(load("n_puzzle", "easy-8"), Request())
    assert (found.outcome, found.level, found.lower_bound) == (Outcome.INTERRUPTED, "easy-8", 0)


# -- proofs ------------------------------------------------------------------------------------------------------------


def test_a_proof_without_time_says_nothing_about_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    task = ground(load("n_puzzle", "easy-8"))
    manhattan = next(h for h in task.heuristics if h.name == "manhattan")
    clock = [PASSED]
    prover = Prover(task, lambda: clock[0])
    assert prover.heuristic(manhattan).reason == CUT_SHORT
    assert {verdict.reason for verdict in learn(task, deadline=PASSED).heuristics.values()} == {CUT_SHORT}
    assert not [key for key in remembered(task.fingerprint) if "heuristic" in key]
    clock[0] = ENDLESS
    assert prover.heuristic(manhattan).proven and learn(task).heuristics["manhattan"].proven


def test_a_claim_has_a_share_of_the_time_that_is_left() -> None:
    prover = Prover(ground(load("n_puzzle", "easy-8")), lambda: ENDLESS.within(8))

    def endless() -> str:
        while True:
            prover.proof.deadline.look()

    began, worked = time.monotonic(), time.process_time()
    assert prover.judge(endless, "").reason == CUT_SHORT
    assert time.monotonic() - began > 0.9 and time.process_time() - worked < 2


def test_a_proof_that_is_nested_too_deeply_is_none() -> None:
    def nested() -> str:
        return nested()

    verdict = Prover(ground(load("n_puzzle", "easy-8"))).judge(nested, "")
    assert (verdict.status, verdict.reason) == ("unknown", "expressions are nested too deeply")


def test_solve_ends_in_a_proof() -> None:
    puzzle = load("n_puzzle", "easy-8")
    bench = Workbench(puzzle)
    bench.proofs.memory = Memory("")
    found = solve(puzzle, Request(limits=Limits(time=0), invariants=False), bench)
    assert (found.outcome, found.lower_bound) == (Outcome.TIME_LIMIT, 0)


@pytest.mark.slow
def test_heuristics_share_the_time() -> None:
    far = "start=15,14,8,12,10,11,13,9,2,6,5,1,3,7,4,0"
    puzzle = load("n_puzzle", "hardest-8", "rows=4", "cols=4", far)
    request = Request("idastar", ("blind", "misplaced"), limits=Limits(time=2))
    worked = time.process_time()
    found = solve(puzzle, request)
    assert time.process_time() - worked < 6 and found.outcome is Outcome.TIME_LIMIT
    assert "blind: gave up (time-limit)" in found.notes and found.heuristic == "misplaced"
    assert found.lower_bound is not None and found.lower_bound > 10


# -- check -------------------------------------------------------------------------------------------------------------


def test_check_looks_at_chosen_levels() -> None:
    whole, some = (run("check", "n_puzzle", *words, "--json") for words in ((), ("-l", "easy-8", "-l", "hardest*")))
    assert (whole.code, some.code) == (0, 0)
    assert json.loads(some.out)["notes"][0] == "2 levels" != json.loads(whole.out)["notes"][0]
    missing = run("check", "n_puzzle", "--level", "easy-9", "--json")
    assert missing.code == 31 and json.loads(missing.out)["diagnostics"][0]["code"] == "E409"


def test_check_looks_at_a_level_file(tmp_path: Path) -> None:
    (tmp_path / "two.xsb").write_text("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n", encoding="utf-8")
    found = json.loads(run("check", "sokoban", "--level-file", tmp_path / "two.xsb", "--json").out)
    assert (found["outcome"], found["notes"][0]) == ("valid", "2 levels")


def test_check_keeps_the_time_limit(tmp_path: Path) -> None:
    (tmp_path / "pairs.yaml").write_text(LONG_TO_GROUND, encoding="utf-8")
    began = time.process_time()
    found = run("check", tmp_path / "pairs.yaml", "--time-limit", "0.1", "--json")
    assert found.code == 23 and time.process_time() - began < 2
    assert json.loads(found.out)["notes"] == ["0 of 1 levels are in order, the others were not looked at"]


def test_claims_without_time_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlewright.analysis.verifying import check

    puzzle = load("n_puzzle", "easy-8")
    text = Path(puzzle.source).read_text(encoding="utf-8").replace("puzzle: n-puzzle", "puzzle: n-puzzle-in-haste")
    clock = ENDLESS.within(3600)
    monkeypatch.setattr(Deadline, "left", property(lambda self: 0.0))
    found = check(text, "haste.yaml", prove=True, patterns=["easy-8"], deadline=clock)
    assert found.outcome is Outcome.UNPROVEN
    assert {words.partition(":")[0] for words in found.verdicts.values()} == {"unknown"}


def test_a_proof_that_decides_may_take_all_the_time() -> None:
    """A share of the time is what heuristics have to be proven in, not what may answer by itself."""
    prover = Prover(ground(load("n_puzzle", "odd-8")), lambda: ENDLESS.within(8))
    shares: list[float] = []

    def attempt() -> str:
        shares.append((prover.proof.deadline.left or 0) / 8)
        return "not proven"

    for share in (SHARE, WHOLE):
        prover.judge(attempt, "", share)
    assert shares[0] <= 1 / 8 and shares[1] > 1 / 2


@pytest.mark.parametrize("side", [3, 6])
def test_a_parity_decides_under_a_limit(side: int) -> None:
    tiles = [2, 1, *range(3, side * side), 0]
    puzzle = load("n_puzzle", "hardest-8", f"rows={side}", f"cols={side}", f"start={','.join(map(str, tiles))}")
    given: list[float] = []

    def noted(task: Task, prover: Prover, share: float) -> dict[str, Verdict]:
        given.append(share)
        return prove_invariants(task, prover, share)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("search.proofs.knowledge.prove_invariants", noted)
        found = solve(puzzle, Request(limits=Limits(time=60)), Workbench(puzzle, memory=False))
    assert (found.outcome, found.proven_by, given) == (Outcome.UNSOLVABLE, ("invariant",), [WHOLE])


@pytest.mark.parametrize("backend", ["auto", "astar", "bfs", "bidirectional", "cpsat", "idastar", "rbfs", "ucs"])
def test_nothing_is_proven_of_a_start_that_is_a_goal(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prover, "judge", None)
    monkeypatch.setattr("puzzlewright.solving.opinions.ask_cpsat", None)
    puzzle = load("n_puzzle", "hardest-8", "start=1,2,3,4,5,6,7,8,0")
    found = solve(puzzle, Request(backend), Workbench(puzzle, memory=False))
    assert (found.outcome, found.cost, found.lower_bound) == (Outcome.OPTIMAL, 0, 0)


DROPPING = """
import signal
import time
from puzzlewright.printing.desk import obey_ctrl_c

class Ending:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

obey_ctrl_c()
try:
    Ending()
    for _ in range(1000):
        time.sleep(0.01)
except KeyboardInterrupt:
    print("interrupted", flush=True)
signal.raise_signal(signal.SIGTERM)
print("not reached")
"""


def test_an_interrupt_that_python_drops_comes_again_and_a_second_one_ends_the_process() -> None:
    process = start(module=("-c", DROPPING))
    out, err = process.communicate()
    assert (out, err, process.returncode) == (b"interrupted\n", b"", Outcome.INTERRUPTED.exit_code)


def test_an_interrupt_waits_for_the_compiler_and_a_second_one_does_not() -> None:
    # of a callback by C, out of which no exception comes
    callback = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))
    done = list[int]()
    with pytest.raises(KeyboardInterrupt), undisturbed():
        callback()
        done.append(1)
    with pytest.raises(KeyboardInterrupt), undisturbed():
        callback()
        signal.raise_signal(signal.SIGINT)
        done.append(2)
    assert done == [1] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
