"""`dead`: proven by both paths, each for itself; then it leaves states out, and nothing else changes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from proving import learn
from running import run
from truth import Truth, truth_of

from models.grounding import ground
from models.interpreter import holds, scope
from models.loader import load_text
from puzzlewright.report import Report
from puzzlewright.solving.opinions import told_of_dead
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

WALK = """
puzzle: walk
types: {{place: 0 .. 9}}
state:
  at: place = {start}
  lost: bool = false
actions:
  step:
    when: not lost and at < 5
    effect: {{at: at + 1}}
    label: step
  fall:
    when: at < 4
    effect: {{lost: true}}
    label: fall
  stray:
    when: lost and at < 4
    effect: {{at: at + 1}}
    label: stray
  back:
    when: {back}
    effect: {{lost: false}}
    label: back
goal: at == 5 and not lost
dead: {dead}
"""


def asked(text: str, **wanted: Any) -> Report:
    puzzle = load_text(text, "walk.yaml")
    request = Request(**{"backend": "ucs", **wanted})
    return solve(puzzle, request, Workbench(puzzle, request.metrics, memory=False))


def statuses(text: str) -> tuple[str, str]:
    """What search and CP-SAT say of the claim."""
    from encoders.induction import Prover

    task = ground(load_text(text, "walk.yaml"))
    quick = learn(task, cache=False).dead
    assert quick is not None
    return quick.status, told_of_dead(Prover(task)).status


def test_dead_states_are_left_out() -> None:
    """Whoever falls goes astray as far as 4. Alive are the places 0 to 4, which are expanded; 5 is the goal."""
    text = WALK.format(start=0, back="false", dead="lost")
    assert statuses(text) == ("proven", "proven")
    found, whole = asked(text), asked(text, invariants=False)
    assert (found.outcome, found.cost, found.statistics["expanded"]) == ("optimal", 5, 5)
    assert (whole.outcome, whole.cost, whole.statistics["expanded"]) == ("optimal", 5, 5 + 5)
    assert any("dead states are left out" in note for note in found.notes)
    by_cpsat = asked(text, backend="cpsat")
    assert (by_cpsat.outcome, by_cpsat.cost) == ("optimal", 5) and "`dead`" in by_cpsat.notes[0]


@pytest.mark.parametrize("back, dead", [("lost and at == 4", "lost"), ("false", "at == 5"), ("false", "at > 2"),
                                        ("lost", "lost and at == 2"), ("lost", "[lost, at > 7]"),
                                        ("lost", "[at > 7, lost]")])  # fmt: skip
def test_what_is_wrong_leaves_nothing_out(back: str, dead: str) -> None:
    """From these states a goal can be reached, or they are goals."""
    text = WALK.format(start=0, back=back, dead=dead)
    assert statuses(text) == ("unknown", "unknown")
    for backend in ("ucs", "bfs", "cpsat"):
        found = asked(text, backend=backend)
        assert (found.outcome, found.cost) == ("optimal", 5) and not any("dead" in note for note in found.notes)


def test_what_is_right_but_left_by_a_step() -> None:
    """One step on it does not hold any more, though the goal is as far as before: only a walk can tell."""
    text = WALK.format(start=0, back="false", dead="lost and at == 2")
    assert statuses(text) == ("unknown", "unknown")


def test_a_dead_start(tmp_path: Path) -> None:
    """Nobody has to search, and the certificate does not rest on it."""
    path = tmp_path / "walk.yaml"
    path.write_text(WALK.format(start=3, back="false", dead="[lost, at > 2 and at < 5]").replace("at < 5", "at < 3", 1))
    for backend in ("bfs", "cpsat", "auto"):
        found = run("solve", path, "--backend", backend, "--json").json
        assert (found["outcome"], found["proven_by"]) == ("unsolvable", ["dead"])
    assert run("solve", path, "--no-invariants", "--json").json["proven_by"] == ["search"]
    assert "unsolvable: there is no plan of any length, proven by `dead`" in run("solve", path).out
    made = run("prove", path, "--certificate", tmp_path / "made", "--json").json
    assert (made["outcome"], made["certificate"]["kind"]) == ("unsolvable", "states")
    assert run("verify", tmp_path / "made", "--json").json["outcome"] == "valid"


def test_a_start_that_is_a_goal_is_no_dead_end() -> None:
    found = asked(WALK.format(start=5, back="false", dead="at == 5"))
    assert (found.outcome, found.cost) == ("optimal", 0)


HUGE = """
puzzle: huge
data: {w: [16385, 16385, 16386, 16386, 16384]}
types: {n: 0 .. 4}
state: {x: n = 0, y: n = 0}
actions:
  go:
    when: x < 3
    effect:
      x: x + 1
  on:
    when: y < 3
    effect:
      y: y + 1
goal: x == 3 and y == 3
dead: not 8192 * (137438953472 * w[x] + 137438953472 * w[y] - 4503599627370496) > 0
"""


def test_numbers_that_cannot_be_compiled_are_no_reason_to_give_up(tmp_path: Path) -> None:
    """As a sum of products its parts leave 64 bits. It holds in none of the 16 states; three steps each way."""
    path = tmp_path / "huge.yaml"
    path.write_text(HUGE, encoding="utf-8")
    for backend in ("bfs", "cpsat"):
        found = run("solve", path, "--backend", backend, "--json").json
        assert (found["outcome"], found["cost"]) == ("optimal", 6)
    explored = run("explore", path, "--graph", tmp_path / "g.dot", "--json").json["exploration"]
    assert (explored["states"], explored["dead_told"]) == (16, None)
    assert run("check", path, "--prove", "--json").json["outcome"] in ("valid", "unproven")


OBJECTS = """
puzzle: objects
types: {thing: [k, l, m], place: 0 .. 3}
state:
  at[t in thing]: place = 0
  mark[t in thing]: bool = t == k
symmetry: {interchangeable: [thing]}
actions:
  go:
    params: {t: thing}
    when: at[t] < 3
    effect:
      at[t]: at[t] + 1
goal: count(t for t in thing if at[t] == 2) == 3
dead: DEAD
"""


def test_dead_states_beside_symmetry() -> None:
    """Beside it only what is dead in all images at once: 3^3 and 2^3 states up to the order of the things."""
    alike = asked(OBJECTS.replace("DEAD", "any(at[t] == 3 for t in thing)"))
    assert (alike.outcome, alike.cost, alike.statistics["expanded"]) == ("optimal", 6, 10 - 1)
    one = OBJECTS.replace("DEAD", "any(at[t] == 3 and mark[t] for t in thing)")
    apart, whole = asked(one), asked(one, invariants=False)
    assert (apart.outcome, apart.cost) == (whole.outcome, whole.cost) == ("optimal", 6)


def test_check_tells_of_it(tmp_path: Path) -> None:
    path = tmp_path / "walk.yaml"
    said = {("false", "lost"): "proven: kept by every action, and no goal state is dead; proven by search and CP-SAT",
            ("lost and at == 4", "lost"): "refuted: a goal can be reached from a reachable state where it holds",
            ("false", "at == 5"): "refuted: a goal can be reached from a reachable state where it holds",
            ("false", "lost and at == 2"): "proven: it holds in 1 of 11 reachable states, and no goal can be reached "
            "from there"}  # fmt: skip
    for (back, dead), verdict in said.items():
        path.write_text(WALK.format(start=0, back=back, dead=dead), encoding="utf-8")
        found = run("check", path, "--prove", "--json").json
        assert found["verdicts"]["dead"] == verdict
        assert found["outcome"] == ("refuted" if verdict.startswith("refuted") else "valid")
        examples = found.get("counterexamples", [])
        assert len(examples) == verdict.startswith("refuted")
        assert all(example["claim"] == "dead" and example["reachable"] for example in examples)


# -- random ------------------------------------------------------------------------------------------------------------

RANDOM = """
puzzle: drawn
types: {{n: 0 .. 3}}
state: {{a: n = {a}, b: n = {b}, f: bool = false}}
actions:
{actions}
goal: {goal}
dead: {dead}
"""
CONDITIONS = ("a > {0}", "b == {0}", "f", "not f", "a + b > {0}", "a == b", "f and a == {0}", "a < {0} and b > {1}")
EFFECTS = ("a: {0}", "b: {0}", "f: true", "f: false", "a: b", "b: a", "a: (a + 1 if a < 3 else a)",
           "b: (b - 1 if b > 0 else b)")  # fmt: skip


NONE = ("unsolvable", "unproven", "unsupported")  # steps that cost nothing, and rows that have no inverse
SOME = ("optimal", "solved", "unproven", "unsupported")


def drawn(rng: random.Random) -> str:
    def some(among: tuple[str, ...]) -> str:
        return rng.choice(among).format(rng.randint(0, 3), rng.randint(0, 3))

    actions = []
    for number in range(rng.randint(2, 5)):
        effects = {line.partition(":")[0]: line for line in (some(EFFECTS) for _ in range(rng.randint(1, 2)))}
        lines = "".join(f"      {line}\n" for line in effects.values())
        actions.append(
            f"  go{number}:\n    when: {some(CONDITIONS)}\n    effect:\n{lines}    cost: {rng.randint(0, 2)}\n"
        )
    dead = [some(CONDITIONS) for _ in range(rng.randint(1, 2))]
    start = {"a": rng.randint(0, 3), "b": rng.randint(0, 3)}
    return RANDOM.format(actions="".join(actions), goal=f"{some(CONDITIONS)} and {some(CONDITIONS)}",
                         dead=f"[{', '.join(dead)}]", **start)  # fmt: skip


def is_right(truth: Truth) -> bool:
    """Can no goal be reached where `dead` holds?"""
    conditions = truth.puzzle.dead
    holding = {number for number, state in enumerate(truth.states)
               if any(holds(condition.expression, scope(state)) for condition in conditions)}  # fmt: skip
    return holding <= truth.dead_ends


def test_random_models() -> None:
    """What is proven is right, and answers are those of the referee and Dijkstra's algorithm."""
    rng, seen = random.Random(14), {"proven": 0, "wrong": 0, "dead start": 0, "left out": 0}
    for _ in range(25):
        text = drawn(rng)
        puzzle = load_text(text, "drawn.yaml")
        truth = truth_of(puzzle)
        assert truth is not None
        said, right = statuses(text) if ground(puzzle).dead is not None else ("none", "none"), is_right(truth)
        assert right or "proven" not in said, text
        seen["proven"] += said[0] == "proven"
        seen["wrong"] += not right
        best = truth.optimum(puzzle.metrics)
        for backend in ("ucs", "bidirectional", "cpsat") if "proven" in said else ("ucs",):
            found = asked(text, backend=backend)
            assert found.outcome in (NONE if best is None else SOME), (backend, text)
            assert best is None or found.outcome != "optimal" or (found.cost,) == best, (backend, text)
            seen["dead start"] += found.proven_by == ("dead",)
            seen["left out"] += any("dead states are left out" in note for note in found.notes)
    assert min(seen.values()) > 2, seen
