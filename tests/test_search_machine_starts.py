"""Machine code that is made for one start, and states that it is not about; verdicts that a short run leaves behind."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from models.claims import CUT_SHORT, Verdict
from models.grounding import ground
from models.interpreter import State
from models.loader import load_text
from models.outcomes import ENDLESS, Deadline, LimitReached
from models.referee import start_state
from models.task import Invariant
from puzzlewright.play.bench import Benches
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints
from puzzlewright.solving.memory import remembered
from puzzlewright.solving.workbench import Workbench
from search import machine
from search.compiler.code import compile_text
from search.compiler.in_memory import Care, Code
from search.machine import Machine
from search.proofs.knowledge import Prover

BAR = """
puzzle: bar
types: {place: 0 .. 4}
state: {x: place = 0, bar: place = 4}
actions:
  go: {when: x + 1 != bar, effect: {x: x + 1}}
  hop: {when: x + 2 < bar and x < 2, effect: {x: x + 2}}
goal: x == 3
"""  # no action moves the bar. Steps from 0 to 3: with the bar at 0 three, at 4 two, else it is in the way

FAR = """
puzzle: far
types: {place: 0 .. 3}
state: {x: place = 0, y: place = 0, z: place = 0}
actions:
  go: {when: x < 2, effect: {x: 2}}
  rise: {effect: {z: z + 1}}
  never: {when: x == 3, effect: {y: 1}}
goal: x == 2 and y == 0 and z == 3
"""  # nothing leads to x = 1 or 3; from 3 on y may change. There is room for 3, since z has it


def test_a_constant_of_the_code_is_no_constant_elsewhere() -> None:
    machine = Machine(ground(load_text(BAR, "bar.yaml")))
    assert {bar for x, bar in itertools.product(range(5), repeat=2) if machine.covers((x, bar))} == {4}
    assert machine.covers(machine.task.start) and machine.covers((4, 4))


def test_a_state_is_covered_with_all_that_it_leads_to() -> None:
    machine = Machine(ground(load_text(FAR, "far.yaml")))
    assert [x for x in range(4) if machine.covers((x, 0, 1))] == [0, 2]
    assert machine.layout.unpack(machine.layout.pack((3, 0, 1))) == (3, 0, 1)
    everywhere = Machine(ground(load_text(FAR, "far.yaml")), trim=False)
    assert all(everywhere.covers(state) for state in itertools.product(range(4), repeat=3))


@pytest.mark.parametrize("order", list(itertools.permutations((0, 2, 4))))
def test_hints_do_not_mix_up_starts(order: tuple[int, ...]) -> None:
    game = Game(GameSource(BAR, "bar.yaml"))
    hints = Hints(game, Benches(game))
    told = {}
    for bar in order:
        state: State = {**game.start, ("bar", ()): bar}
        found = hints.hint("plan", state, 5.0)
        told[bar] = found["answer"], found["proven"], found.get("cost")
    assert told == {0: ("best", True, 3), 2: ("no", True, None), 4: ("best", True, 2)}


def test_hints_share_their_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compiled for the first of them, under the clock of whoever asks."""
    made: list[float | None] = []

    def counted(text: str, names: Any, deadline: Deadline, care: Care, keeps: bool) -> Code:
        made.append(deadline.left)
        return compile_text(text, names, deadline, care, keeps)

    monkeypatch.setattr(machine, "compile_text", counted)
    game = Game(GameSource(BAR, "bar.yaml"))
    hints = Hints(game, Benches(game))
    clocks = []
    for x in (0, 1, 2):
        hints.hint("plan", {**game.start, ("x", ()): x}, 5.0)
        clocks.append(len(made))
    assert clocks[0] == clocks[1] == clocks[2] > 0 and all(left is not None and left <= 5.0 for left in made)


def test_a_restarted_machine_has_another_clock() -> None:
    made = Machine(ground(load_text(BAR, "bar.yaml")))
    with pytest.raises(LimitReached, match="time-limit"):
        made.restarted(made.task, tuple, lambda: Deadline(at=0.0))
    assert made.restarted(made.task, tuple, lambda: ENDLESS).successors(made.initial)


def test_a_table_of_start_values_is_read_by_its_words() -> None:
    text = """
puzzle: jars
types: {colour: [red, blue, green]}
state: {"n[c in colour]": "0 .. 3 = 0"}
actions:
  fill:
    params: {c: colour}
    effect:
      n[c]: n[c] + 1
goal: all(n[c] == 3 for c in colour)
levels: {one: {state: {n: {blue: 1, red: 2, green: 0}}}}
"""
    assert start_state(load_text(text, "jars.yaml")) == {
        ("n", ("red",)): 2,
        ("n", ("blue",)): 1,
        ("n", ("green",)): 0,
    }


STEPS = """
puzzle: steps
types: {place: 0 .. 3}
state: {x: place = 0, y: place = 3}
actions:
  go: {when: x < 3, effect: {x: x + 1, y: y - 1}}
goal: x == 3
heuristics: {left: y}
invariants: {both: x + y}
"""  # y is what is left only because x + y stays 3: where y is 3 and the goal holds, the estimate would be too high


def test_a_proof_that_lacks_another_that_was_cut_short_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    puzzle = load_text(STEPS, "steps.yaml")
    first = Workbench(puzzle)
    with monkeypatch.context() as patch:
        patch.setattr(Prover, "invariant", lambda self, invariant, share: Verdict("unknown", CUT_SHORT, 0.1))
        (heuristic,) = first.task.heuristics
        assert not first.proofs.proven(heuristic, ask=False)
    assert not [verdict for verdict in remembered(first.task.fingerprint).values() if verdict.proven]
    assert Workbench(puzzle).proofs.proven(heuristic, ask=False)


def test_levels_that_differ_in_their_start_share_what_holds_for_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From x = 0 the estimate is right; from x = 1 the goal is reached with y = 1."""
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    text = STEPS.replace("x: place = 0", "x: place = begun") + "data: {begun: 0}\nlevels: {a: {}, b: {begun: 1}}\n"
    benches = [Workbench(load_text(text, "steps.yaml", level)) for level in "abab"]
    assert len({bench.task.fingerprint for bench in benches}) == 1
    verdicts = [bench.proofs.proven(bench.task.heuristics[0], ask=False) for bench in benches]
    assert verdicts == [True, False, True, False]


def test_a_fingerprint_tells_all_but_the_start() -> None:
    text = STEPS + "claims: {left: consistent}\n"
    same = [text.replace("y: place = 3", "y: place = 2"), text + "levels: {one: {}}\n", text + "about: x\n"]
    other = [text.replace("0 .. ", "-1 .. "), text.replace("x < 3", "x < 2"), text.replace("x: x + 1", "x: x + 2"),
             text.replace("goal: x == 3", "goal: x == 2"), text.replace("left: y}", "left: y - 1}"),
             text.replace("both: x + y", "both: y + 2 * x"), text.replace("both:", "total:"),
             text.replace("go:", "step:"), text.replace("claims: {left: consistent}", ""), text + "dead: x == y\n",
             text + "always: x < 3\n",
             text.replace("effect: {", "cost: 2, effect: {")]  # fmt: skip
    told = [ground(load_text(each, "steps.yaml")).fingerprint for each in (text, *same, *other)]
    assert len(set(told[: 1 + len(same)])) == 1 and len(set(told)) == 1 + len(other)


def test_a_deadline_that_is_over_proves_nothing() -> None:
    task = ground(load_text(STEPS, "steps.yaml"))
    prover = Prover(task, lambda: ENDLESS.within(0.0))
    late = prover.invariant(task.invariants[0])
    assert (late.status, late.reason) == ("unknown", CUT_SHORT)
    assert prover.heuristic(task.heuristics[0]).status == "unknown"
    prover.clock = Deadline
    assert prover.invariant(task.invariants[0]).proven
    assert prover.invariant(Invariant("false", task.heuristics[0].term)).status == "unknown"
