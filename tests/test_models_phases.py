"""Phases that happen several times: `times`, `for`, `repeat: stable`, beside `repeat`; by hand, in every evaluator."""

from __future__ import annotations

import pytest
from crosschecking import check

import puzzlewright as pw
from encoders import rounds
from encoders.rounds import written_out
from models import execution
from models.errors import PuzzleError
from models.grounding import ground
from models.limits import UNTIL_REST
from models.loader import load_text
from models.outcomes import Unsupported
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import Refusal, apply, start_state
from search.machine import compile_task

TEXT = """
puzzle: phases
types:
  col: 0 .. 3
state:
  n[c in col]: 0 .. 9 = 0
  total: 0 .. 20 = 0
  k: 0 .. 6 = 0
actions:
  carry:
    effect:
      n[0]: n[0] + 1
    then:
      - for: c in col
        n[c]: n[c - 1] + 1 if c > 0
  sum:
    effect: {}
    then:
      - for: c in col
        total: total + n[c]
  thrice:
    effect: {}
    then:
      - times: 3
        k: k + 2
goal: total == 10 and k == 6
"""


def after(*actions: str) -> dict[str, object]:
    puzzle = load_text(TEXT, "phases.yaml")
    state = start_state(puzzle)
    for action in actions:
        state = apply(puzzle, state, Step(action, ()))
    return {name + "".join(map(str, indices)): value for (name, indices), value in state.items()}


def test_a_phase_for_each_value_reads_what_the_one_before_has_left() -> None:
    assert [after("carry")[f"n{c}"] for c in range(4)] == [1, 2, 3, 4]
    assert after("carry", "sum")["total"] == 1 + 2 + 3 + 4


def test_times_is_exactly_so_often() -> None:
    assert after("thrice")["k"] == 6
    with pytest.raises(Refusal):
        after("thrice", "thrice")


@pytest.mark.parametrize("backend", ["bfs", "cpsat", "auto"])
def test_both_paths_find_the_plan(backend: str) -> None:
    report = pw.solve(load_text(TEXT, "phases.yaml"), backend)
    assert (report.outcome, report.cost) == ("optimal", 3)


def test_every_evaluator_agrees_on_every_state() -> None:
    small = TEXT.replace("0 .. 9", "0 .. 4").replace("0 .. 20", "0 .. 10")
    assert check(load_text(small, "phases.yaml")) > 3


def test_a_variable_may_have_the_name() -> None:
    """As in every file that was written before the word had a meaning."""
    text = """
puzzle: own
state: {times: 0 .. 9 = 0}
actions:
  count:
    effect: {}
    then: {times: times + 2}
goal: times == 4
"""
    assert pw.solve(load_text(text, "own.yaml")).cost == 2


@pytest.mark.parametrize(("old", "new", "code"), [
    ("times: 3", "times: 0", "E421"),
    ("times: 3", "times: 3\n        repeat: 2", "E421"),
    ("for: c in col\n        total", "for: c\n        total", "E201"),
    ("for: c in col\n        total", "for: k in col\n        total", "E303"),
    ("times: 3", "times: 201", "E418"),
    ("      n[0]: n[0] + 1", "      n[0]: n[0] + 1\n      times: 2", "E308"),  # of phases of `then` only
])  # fmt: skip
def test_what_is_no_phase(old: str, new: str, code: str) -> None:
    with pytest.raises(PuzzleError) as found:
        load_text(TEXT.replace(old, new), "phases.yaml")
    assert code in [each.code for each in found.value.diagnostics]


# -- until nothing changes ---------------------------------------------------------------------------------------------

RESTING = """
puzzle: resting
types:
  num: 0 .. 6
  who: [ann, ben]
state:
  a: num = START
  b: num = 0
  on: bool = false
  at[w in who]: 0 .. 3 = 0
actions:
  move:
    PARAMS
    effect: {EFFECT}
    then:
      - repeat: stable
        LINES
goal: a == 6 and b == 6 and at[ann] == 3
"""


def resting(lines: str, start: int = 0, params: str = "let: {was: a}", effect: str = "", load: bool = True) -> Puzzle:
    indented = lines.replace("; ", "\n        ")
    text = RESTING.replace("START", str(start)).replace("PARAMS", params).replace("EFFECT", effect)
    return load_text(text.replace("LINES", indented), "resting.yaml")


@pytest.mark.parametrize(("lines", "start", "effect", "left", "most"), [
    ("a: a - 1 if a > 0", 5, "", (0, 0), 6),  # falls to the ground; the most is from 6
    ("a: a + 1 if a < 6; b: b + 1 if a == 6 and b < 3", 0, "", (6, 3), 9),  # one behind the other
    ("b: b + 1 if b < was", 4, "a: 0", (0, 4), 6),  # a let keeps its meaning; not more than 6 whatever it was
    ("b: a; a: b", 0, "", (0, 0), 0),  # nothing to exchange: no run that exchanges something comes to rest
    ("b: a", 3, "", (3, 3), 1),
    ("a: a + 2 if a in [2, 4]", 0, "a: 2", (6, 0), 2),  # it begins with what the effect has left
    ("b: a; at[ann]: b if b < 4; at[ben]: at[ann]", 0, 'a: 2, b: 0, "at[ann]": 0, "at[ben]": 0', (2, 2), 3),  # in turn
    ("a: a + 1", 0, "", None, 0),  # to 6, and then the value is none of the type
    ("on: not on", 0, "", None, 0),  # there and back, and nothing else reads it
    ("a: (3 if a == 5 else a + 1)", 0, "", None, 0),  # 0 1 2 3 4 5 3 4 5: the start does not come back; 6 cannot go on
    ("a: (3 if a == 5 else a + 1) if a != 1", 0, "", (1, 0), 1),  # only from 0
    ("at[ann]: 1; at[w]: 2 for w in who if b == 1; b: 1", 0, "", None, 0),  # 1 and 2 at once, in the second round
])  # fmt: skip
def test_until_nothing_changes(lines: str, start: int, effect: str, left: tuple[int, int] | None, most: int) -> None:
    puzzle = resting(lines, start, effect=effect)
    state = start_state(puzzle)
    if left is None:
        with pytest.raises(Refusal):
            apply(puzzle, state, Step("move", ()))
    else:
        after = apply(puzzle, state, Step("move", ()))
        assert (after["a", ()], after["b", ()]) == left
    task = ground(puzzle)
    assert len(execution.successors(task, task.start)) == (left is not None)
    assert check(puzzle) == (1 if left is None or left == (start, 0) else 2)
    phases = written_out(task).schemas[0].rows[0].phases  # the effect, the rounds, the look whether it is at rest
    assert len(phases) == 1 + most + 1


def test_a_loop_may_read_a_choice() -> None:
    """Each goes up to its own number: sixteen pairs, sixteen states."""
    puzzle = resting("at[w]: at[w] + 1 for w in who if at[w] < m[w]", params='params: {"m[w in who]": 0 .. 3}')
    assert check(puzzle) == 16


@pytest.mark.parametrize(("top", "applies"), [(UNTIL_REST - 1, True), (UNTIL_REST, False)])
def test_a_phase_that_takes_very_long_counts_as_endless(top: int, applies: bool) -> None:
    """All rounds but the last one change something."""
    text = RESTING.replace("PARAMS", "params: {}").replace("EFFECT", "").replace("START", "0")
    text = text.replace("0 .. 6", f"0 .. {top}").replace("LINES", f"a: a + 1 if a < {top}")
    puzzle = load_text(text, "long.yaml")
    task = ground(puzzle)
    compiled = compile_task(task)
    assert len(compiled.successors(compiled.initial)) == len(execution.successors(task, task.start)) == applies
    if applies:
        assert apply(puzzle, start_state(puzzle), Step("move", ()))["a", ()] == top
    else:
        with pytest.raises(Refusal, match="the phase takes 10,000 rounds or more to be at rest"):
            apply(puzzle, start_state(puzzle), Step("move", ()))


@pytest.mark.parametrize("top", [12, 13])
def test_a_formula_has_so_many_rounds_or_says_so(top: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 12)
    monkeypatch.setattr(rounds, "_rounds", {})
    text = RESTING.replace("PARAMS", "params: {}").replace("EFFECT", "").replace("START", "0")
    text = text.replace("0 .. 6", f"0 .. {top}").replace("LINES", f"a: a + 1 if a < {top}")
    puzzle = load_text(text.replace("a == 6 and b == 6 and at[ann] == 3", f"a == {top}"), "long.yaml")
    assert pw.solve(puzzle, "bfs").cost == 1
    if top == 12:
        assert len(written_out(ground(puzzle)).schemas[0].rows[0].phases) == 1 + top + 1
    else:
        report = pw.solve(puzzle, "cpsat")
        assert report.outcome == "unsupported" and "`repeat: N` tells CP-SAT" in " ".join(report.notes)
        with pytest.raises(Unsupported):
            written_out(ground(puzzle))


def test_a_datum_may_be_called_stable() -> None:
    puzzle = resting("a: a + 1 if a < 6")
    text = RESTING.replace("PARAMS", "params: {}").replace("EFFECT", "").replace("START", "0")
    own = load_text("data: {stable: 2}\n" + text.replace("LINES", "a: a + 1 if a < 2"), "own.yaml")
    assert [phase.repeat for phase in own.actions[0].phases] == [None, 2]
    assert [phase.stable for phase in puzzle.actions[0].phases] == [False, True]
