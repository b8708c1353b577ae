"""`check --prove` and what `solve` believes: claims proven, refuted in a reachable state, or left open."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from asking import wrong_dead
from crosschecking import reachable
from random_models import random_puzzle
from running import run
from sampled import seeds, slow
from truth import truth_of

from encoders import induction
from encoders.induction import Decision
from models.errors import PuzzleError
from models.interpreter import evaluate, scope
from models.loader import load_text
from models.outcomes import Deadline
from models.referee import costs, is_goal
from puzzlewright.analysis.claims import Claims
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

ROOT = Path(__file__).parent.parent
FAR = """
puzzle: far
types: {place: 0 .. 3}
state: {at: place = 0}
actions:
  step: {when: at < 3, effect: {at: at + 1}, cost: {time: 3, effort: 1}}
goal: at == 3
heuristics: {far: 3 * (3 - at)}
claims: {far: CLAIM}
"""


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is remembered."""
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path / "cache"))


def changed(name: str, level: str, *changes: tuple[str, str]) -> str:
    """A built-in puzzle with one level and other words in it."""
    text = (ROOT / "puzzles" / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    head, tail = text.split("\nlevels:\n")
    [own] = re.findall(rf"^  {level}:.*\n(?:    .*\n)*", tail, re.MULTILINE)
    return head + "\nlevels:\n" + own


def checked(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "puzzle.yaml"
    path.write_text(text, encoding="utf-8")
    return run("check", path, "--prove", "--json").json


@pytest.mark.parametrize("level", ["seed-8", slow("seed-15")])
def test_what_both_prove(tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlewright.analysis.claims.SECOND_OPINION", 60.0)  # seconds, for a machine that is busy
    found = checked(tmp_path, changed("n_puzzle", level))
    assert (found["outcome"], found["exit_code"]) == ("valid", 0) and "counterexamples" not in found
    assert len(found["verdicts"]) == 4
    for words in found["verdicts"].values():
        assert words.startswith("proven: ") and words.endswith("proven by search and CP-SAT")


def test_manhattan_with_the_gap_counted(tmp_path: Path) -> None:
    wrong = ("for c in cell if at[c] != 0)\n  misplaced", "for c in cell)\n  misplaced")
    path = tmp_path / "counted.yaml"
    path.write_text(changed("n_puzzle", "seed-8", wrong), encoding="utf-8")
    found = run("check", path, "--prove", "--json").json
    assert (found["outcome"], found["exit_code"]) == ("refuted", 5)
    (example,) = found["counterexamples"]
    assert (example["claim"], example["reachable"]) == ("heuristic manhattan", True)
    assert example["value_before"] > example["costs"]["cost"] + example["value_after"]
    assert sorted(example["state"].values()) == list(range(9))
    plain = run("check", path, "--prove")
    assert plain.code == 5 and "claims what is false" in plain.out
    assert "\n".join("  " + line for line in example["board"]) in plain.out
    assert f"{example['label']} (cost 1): its value is {example['value_after']}" in plain.out


def test_a_wrong_parity(tmp_path: Path) -> None:
    found = checked(tmp_path, changed("n_puzzle", "seed-15", (" + gap.row + gap.col) % 2", " + gap.col) % 2")))
    assert found["outcome"] == "refuted" and found["verdicts"]["invariant parity"].startswith("refuted: ")
    (example,) = found["counterexamples"]
    assert {example["value_before"], example["value_after"]} == {0, 1}


def test_the_diagonal_distance_of_vehicles(tmp_path: Path) -> None:
    """Rows or columns apart, whichever are more: a hop lowers it by two in one step."""
    diagonal = "max(max(abs(at[v].row - home(v).row), abs(at[v].col - home(v).col)) for v in vehicle)"
    found = checked(tmp_path, changed("vehicles", "n3", ("max((distance(at[v], home(v)) + 1) // 2 for v in vehicle)",
                                                         diagonal)))  # fmt: skip
    assert found["verdicts"]["heuristic largest"].startswith("refuted: ")
    assert found["counterexamples"][0]["reachable"]


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [("consistent for time", "valid"), ("consistent for effort", "refuted"), ("admissible for effort", "unproven")],
)
def test_a_claim_names_its_metric(tmp_path: Path, claim: str, outcome: str) -> None:
    found = checked(tmp_path, FAR.replace("CLAIM", claim))
    assert found["outcome"] == outcome
    assert found["verdicts"]["heuristic far"].startswith("proven: ")


def test_what_nobody_claims_is_no_error(tmp_path: Path) -> None:
    text = FAR.replace("claims: {far: CLAIM}\n", "").replace("3 * (3 - at)", "9 * (3 - at)")
    found = checked(tmp_path, text)
    assert found["outcome"] == "valid" and found["verdicts"]["heuristic far"].startswith("refuted: ")


TRAP = """
puzzle: trap
types: {place: 0 .. 9, many: 0 .. 9999}
state: {at: place = 0, high: bool = false, tally: many = 0, spare: many = 0}
actions:
  step: {when: at < 9, effect: {at: at + 1}}
  leap: {when: high and at == 0, effect: {at: 9}}
  tick: {when: tally < 9999, effect: {tally: tally + 1}}
  back: {when: tally > 0 and spare < 9999, effect: {spare: spare + 1}}
goal: at == 9
heuristics: {left: 9 - at}
claims: {left: consistent}
"""


@pytest.mark.slow
def test_a_counterexample_out_of_reach_leaves_a_claim_open(tmp_path: Path) -> None:
    """The leap is possible in no reachable state, and there are too many of these to walk through."""
    found = checked(tmp_path, TRAP.replace("goal: at == 9", "goal: at == 9 and tally < 9000 and spare < 9000"))
    assert found["outcome"] == "unproven" and "out of reach" in found["verdicts"]["heuristic left"]
    (example,) = found["counterexamples"]
    assert not example["reachable"] and example["action"] == "leap"
    guarded = TRAP.replace("goal: at == 9", "invariants: {low: not high}\ngoal: at == 9 and tally < 9000")
    found = checked(tmp_path, guarded)
    assert found["outcome"] == "valid" and found["verdicts"]["heuristic left"].startswith("proven: ")
    warned = [d for d in found["diagnostics"] if d["code"] == "W503"]
    assert len(warned) == 1 and "`leap` never applies" in warned[0]["message"]


def test_all_reachable_states_decide(tmp_path: Path) -> None:
    """The same with ten states, which are all looked at."""
    small = "\n".join(line for line in TRAP.splitlines() if "tick" not in line and "back" not in line)
    small = small.replace(", tally: many = 0, spare: many = 0", "").replace(", many: 0 .. 9999", "")
    found = checked(tmp_path, small)
    assert found["verdicts"]["heuristic left"] == "proven: holds in all 10 reachable states"


CLASH = """
puzzle: clash
types: {place: 0 .. 3}
state:
  x: place = 0
  y: place = 3
  z[i in place]: place = 0
actions:
  up: {when: x < 3, effect: {x: x + 1}}
  both:
    effect:
      z[x]: 1
      z[y]: 2
goal: z[3] == 2
"""


def test_a_clash_of_effects_is_a_warning_with_a_state(tmp_path: Path) -> None:
    found = checked(tmp_path, CLASH)
    (warning,) = [d for d in found["diagnostics"] if d["code"] == "W504"]
    assert "`both`" in warning["message"] and warning["line"] == 10
    (example,) = found["counterexamples"]
    assert example["state"]["x"] == example["state"]["y"] and example["conflict"]
    assert found["outcome"] == "valid"
    apart = CLASH.replace("  both:\n", "  both:\n    when: x != y\n")
    assert not checked(tmp_path, apart)["diagnostics"]


def test_a_solver_that_contradicts_the_search_is_a_disagreement(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CP-SAT is made to name a counterexample; the referee sees none there."""
    start = (1, 8, 7, 3, 0, 5, 4, 6, 2)
    monkeypatch.setattr(induction.Prover, "heuristic", lambda self, term: Decision("refuted", start, (0, 3)))
    found = checked(tmp_path, changed("n_puzzle", "seed-8"))
    assert (found["outcome"], found["exit_code"]) == ("disagreement", 40)
    assert any("heuristic manhattan on seed-8" in note for note in found["notes"])


def test_solve_asks_cpsat_where_the_quick_prover_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A* says `optimal` by what CP-SAT has proven, and `solved` where nobody has."""
    from models.claims import Verdict
    from search.proofs import knowledge

    puzzle = load_text(FAR.replace("CLAIM", "consistent"), "far")
    monkeypatch.setattr(knowledge.Prover, "heuristic", lambda self, declared: Verdict("unknown", "made to give up", 0))
    request = Request(backend="astar", heuristics=("far",))
    report = solve(puzzle, request)
    assert str(report.outcome) == "optimal"
    assert report.verdicts["heuristic far"] == "proven: consistent for every action; proven by CP-SAT"
    worse = load_text(FAR.replace("CLAIM", "consistent").replace("3 * (3 - at)", "9 * (3 - at)"), "far")
    report = solve(worse, request)
    assert str(report.outcome) == "solved" and report.verdicts["heuristic far"].startswith("unknown: ")


def test_the_quick_prover_comes_before_those_who_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it can prove is proven though the first claim takes all the time that is left."""
    bench = Workbench(load_text((ROOT / "puzzles" / "n_puzzle.yaml").read_text("utf-8"), "n_puzzle", "hardest-8"))
    finding = Claims._finding

    def slow(claims: Claims, name: str, declared: Any, quick: Any) -> Any:
        found = finding(claims, name, declared, quick)
        bench.deadline = Deadline(time.monotonic())
        return found

    monkeypatch.setattr(Claims, "_finding", slow)
    found = {each.name: each.verdict.status for each in Claims(bench).findings()}
    assert found["heuristic manhattan"] == "proven"


@pytest.mark.parametrize("seed", seeds(60, 150))
def test_random_puzzles_against_the_referee(seed: int) -> None:
    """What is proven holds in every reachable state, what is refuted in one does not; nobody contradicts anybody."""
    try:
        puzzle = load_text(random_puzzle(seed), f"seed {seed}")
        bench = Workbench(puzzle)
    except PuzzleError:
        return
    if not (puzzle.heuristics or puzzle.invariants):
        return
    graph = reachable(puzzle)
    if graph is None:
        return
    for found in Claims(bench).findings():
        assert not found.disagreement, found
        if found.name == "dead":
            assert found.verdict.status == "unknown" or (
                found.verdict.proven == (not wrong_dead(truth_of(puzzle, 10**6)))
            )
            continue
        kind, name = found.name.split(" ", 1)
        stated = next(d for d in (puzzle.heuristics if kind == "heuristic" else puzzle.invariants) if d.name == name)
        value = {id(s): evaluate(stated.expression, scope(s)) for s in graph}
        frozen = {tuple(s.values()): value[id(s)] for s in graph}
        if not all(type(each) is int for each in frozen.values()):
            continue  # undefined, or no number: the proofs speak of 0 there
        edges = [(s, step, frozen[tuple(after.values())]) for s, out in graph.items() for step, after in out]
        if kind == "invariant":
            holds = len(set(map(repr, frozen.values()))) == 1
        else:
            metric = puzzle.metrics[0]
            holds = all(max(value[id(s)], 0) <= costs(puzzle, s, step)[metric] + max(h, 0) for s, step, h in edges)
            holds = holds and not any(value[id(s)] > 0 and is_goal(puzzle, s) for s in graph)
        assert found.verdict.status == ("proven" if holds else "refuted")
