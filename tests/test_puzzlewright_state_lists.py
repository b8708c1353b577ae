"""Lists of states with bounds: what the checker accepts is true, whatever has been done to the list; what it may leave
out, and which values are alike."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import permutations
from pathlib import Path

import pytest
from crosschecking import load, reachable

from models.errors import PuzzleError
from models.interpreter import HIDDEN, HiddenRead, State
from models.loader import load_text
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from models.referee import costs, is_goal, start_state, successors
from puzzlewright.certificates.alike import NotAlike, slices_of
from puzzlewright.certificates.recheck import Refused
from puzzlewright.certificates.recheck_states import Bound, ListAccepted, Rules, check, json_line
from puzzlewright.certificates.state_lists import list_states, text_of
from puzzlewright.solving.workbench import Workbench


def optimum(puzzle: Puzzle, metrics: tuple[str, ...]) -> Bound:
    """What a best plan costs, by trying everything; None: there is no plan."""
    states = reachable(puzzle)
    assert states is not None
    every = list(states)
    numbers = {tuple(state.values()): number for number, state in enumerate(every)}
    waiting, seen = [((0,) * len(metrics), numbers[tuple(start_state(puzzle).values())])], set[int]()
    while waiting:
        gone, number = heappop(waiting)
        if number in seen:
            continue
        seen.add(number)
        if is_goal(puzzle, every[number]):
            return gone
        for step, after in states[every[number]]:
            found = costs(puzzle, every[number], step)
            total = tuple(g + found[metric] for g, metric in zip(gone, metrics, strict=True))
            heappush(waiting, (total, numbers[tuple(after.values())]))
    return None


def listed(puzzle: Puzzle, metrics: tuple[str, ...], best: Bound, symmetry: bool = True) -> tuple[Rules, str]:
    bench = Workbench(puzzle, metrics, memory=False)
    rules, bounds, _ = list_states(bench, symmetry, best, lambda done: None)
    return rules, text_of(rules, bounds)


def judged(rules: Rules, text: str, folder: Path) -> ListAccepted:
    (folder / "list.jsonl").write_text(text, encoding="ascii")
    return check(rules, folder / "list.jsonl", lambda done: None)


# -- on random models --------------------------------------------------------------------------------------------------

Change = Callable[[random.Random, list[list[object]]], None]


def other_bound(rng: random.Random, rows: list[list[object]]) -> None:
    row = rng.choice(rows)
    row[0] = rng.choice([None, [rng.randrange(4) for _ in row[0]] if isinstance(row[0], list) else [0]])


def one_more(rng: random.Random, rows: list[list[object]]) -> None:
    row = rng.choice(rows)
    if isinstance(row[0], list):
        place = rng.randrange(len(row[0]))
        row[0] = [n + (place == i) * rng.choice((-1, 1)) for i, n in enumerate(row[0])]


def left_out(rng: random.Random, rows: list[list[object]]) -> None:
    rows.pop(rng.randrange(len(rows)))


def another_state(rng: random.Random, rows: list[list[object]]) -> None:
    code = rng.choice(rows)[1]
    assert isinstance(code, list)
    if code:
        code[rng.randrange(len(code))] = rng.randrange(3)


CHANGES: tuple[Change, ...] = (other_bound, one_more, left_out, another_state)


def test_whatever_is_accepted_is_true(tmp_path: Path) -> None:
    """Lists for random models, whole and with random changes: the start's bound is never more than a plan costs."""
    whole = refused = kept = 0
    for seed in range(55):
        puzzle = load(seed)
        if puzzle is None or reachable(puzzle) is None:
            continue
        rng, metrics = random.Random(seed), puzzle.metrics[: 1 + seed % 2]
        best = optimum(puzzle, metrics)
        try:
            rules, text = listed(puzzle, metrics, best)
        except PuzzleError:
            continue  # grounding refuses it
        assert judged(rules, text, tmp_path).bound == best
        whole += 1
        head, *lines = text.splitlines(keepends=True)
        for _ in range(6 if lines else 0):
            rows = list(map(json.loads, lines))
            for change in rng.choices(CHANGES, k=rng.choice((1, 1, 2))):
                if rows:
                    change(rng, rows)
            try:
                found = judged(rules, head + "".join(map(json_line, rows)), tmp_path).bound
            except (Refused, HiddenRead):
                refused += 1
                continue
            kept += 1
            assert best is None or (found is not None and found <= best)
    assert whole > 15 and refused > 20 and kept > 3


WALK = """
puzzle: walk
types: {place: 0 .. 3}
state: {at: place = 0}
actions:
  step: {when: at < 3, effect: {at: at + 1}, cost: {time: 3, effort: 1}}
  leap: {when: at <= 1, effect: {at: at + 2}, cost: {time: 1, effort: 5}}
goal: at == 3
"""


def test_a_search_that_was_wrong_is_contradicted() -> None:
    bench = Workbench(load_text(WALK, "walk"), ("time",), memory=False)
    for wrong in ((5,), None):
        with pytest.raises(Refused, match="the referee finds a goal at the cost 4"):
            list_states(bench, True, wrong, lambda done: None)


def test_several_metrics_compare_in_their_order(tmp_path: Path) -> None:
    """Leap and step: time 4, effort 6; three steps: time 9, effort 3."""
    puzzle = load_text(WALK, "walk")
    for metrics, best, rows in (
        (("time",), (4,), "[[4],[0]]\n[[3],[2]]\n[[1],[1]]\n"),
        (("effort", "time"), (3, 9), "[[3,9],[0]]\n[[2,6],[1]]\n[[1,3],[2]]\n"),
    ):
        assert optimum(puzzle, metrics) == best
        rules, text = listed(puzzle, metrics, best)
        assert text == json_line(rules.header()) + rows
        assert judged(rules, text, tmp_path) == (best, 3, 5)
    with pytest.raises(Refused, match="line 4: the bound 1, 4 is too high: step costs 1, 3"):
        judged(rules, text.replace("[[1,3]", "[[1,4]"), tmp_path)


def test_too_many_states_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlewright.certificates.state_lists.MOST_LISTED", 2)
    with pytest.raises(Unsupported, match="more than 2 states"):
        listed(load_text(WALK, "walk"), ("time",), (4,))


# -- what is left out --------------------------------------------------------------------------------------------------

IDLE = """
puzzle: idle
types: {{place: 0 .. 3, few: 0 .. 2}}
state: {{at: place = 0, last: few = 0, still: few = 0}}
actions:
  step: {{when: at < 3{when}, effect: {{at: at + 1, last: {last}}}, cost: {cost}{more}}}
goal: at == 3
"""


def idle(last: str = "1", when: str = "", cost: str = "1", more: str = "") -> Puzzle:
    return load_text(IDLE.format(last=last, when=when, cost=cost, more=more), "idle")


@pytest.mark.parametrize(
    ("puzzle", "left"),
    [
        (idle(), ["last", "still"]),
        (idle(last="1 - last"), ["still"]),  # it decides nothing, yet it is read: then it is listed
        (idle(when=" and last <= 2"), ["still"]),
        (idle(cost="{steps: 1, turns: 0 if last == 1 else 1}"), ["last", "still"]),  # never undefined, so never a guard
        (idle(cost="{steps: 1, turns: last}"), ["still"]),
        (idle(more=", then: {repeat: 2, last: 1}"), ["still"]),  # states are compared after a repeated phase
    ],
)
def test_what_makes_no_difference_is_left_out(puzzle: Puzzle, left: list[str], tmp_path: Path) -> None:
    rules, text = listed(puzzle, puzzle.metrics[:1], (3,))
    assert list(rules.left_out) == left
    assert judged(rules, text, tmp_path).bound == (3,)


def test_whoever_reads_what_is_hidden_is_stopped() -> None:
    puzzle = idle(last="1 - last")
    state: State = {("at", ()): 0, ("last", ()): HIDDEN, ("still", ()): HIDDEN}
    with pytest.raises(HiddenRead, match="last"):
        list(successors(puzzle, state))
    assert not is_goal(puzzle, state)


def test_a_list_that_leaves_out_too_much(tmp_path: Path) -> None:
    puzzle = idle(last="1 - last")
    rules = Rules(puzzle, ("cost",), ["last", "still"], [])
    with pytest.raises(HiddenRead, match="last"):
        judged(rules, json_line(rules.header()) + "[[3],[0]]\n", tmp_path)
    with pytest.raises(HiddenRead, match="last"):
        Rules(idle(more=", then: {repeat: 2, last: 1}"), ("cost",), ["last"], [])
    with pytest.raises(HiddenRead, match="last"):
        Rules(idle(more=", then: {repeat: stable, last: 1}"), ("cost",), ["last"], [])
    for name in ("lost", "at[0]"):
        with pytest.raises(Refused, match="no places of this puzzle"):
            Rules(puzzle, ("cost",), [name], [])


# -- values that are alike ---------------------------------------------------------------------------------------------

TUBES = """
puzzle: tubes
data: {{tubes: ["ab", "b", ""]}}
types:
  tube: keys(tubes)
  level: 0 .. 1
  colour: letters(tubes)
state:
  unit[t in tube, l in level]: colour or empty = tubes[t][l] if l < len(tubes[t]) else empty
  held: {held}
define:
  height(t): count(l for l in level if unit[t, l] != empty)
  same(x, y): x == y
  linked(x in tube, y in tube): x == y or any(linked(x, z) and height(z) == height(y) for z in tube)
  {define}
actions:
  pour:
    params: {{a: tube, b: tube}}
    let: {{top: "unit[a, height(a) - 1]"}}
    when: a != b and height(a) > 0 and height(b) < 2 and {when}
    effect:
      unit[a, height(a) - 1]: empty
      unit[b, height(b)]: top
      {effect}
goal: {goal}
"""


def tubes(when: str = "true", goal: str = "all(unit[t, 0] == unit[t, 1] for t in tube)", define: str = "no: false",
          effect: str = "held: 0", held: str = "level = 0") -> Puzzle:  # fmt: skip
    return load_text(TUBES.format(when=when, goal=goal, define=define, effect=effect, held=held), "tubes")


ALIKE = {
    "nothing": tubes(),
    "a definition": tubes(when="not same(a, b)"),
    "a recursive definition": tubes(when="not linked(a, b)"),
    "a list": tubes(when="b in [b, a]"),
    "a choice": tubes(when="height(b if a == b else a) > 0"),
    "a sum": tubes(when="sum(height(t) for t in tube) == 3 and max(height(t) for t in tube) == 2"),
    "another order": tubes(when="first(l for l in level if unit[a, l] != empty) == 0"),
}
NOT_ALIKE = {
    "an order": tubes(when="a < b"),
    "a number": tubes(when="a + 1 != 3"),
    "a constant index": tubes(when="unit[0, 0] != empty"),
    "a constant": tubes(when="a != 2"),
    "the first": tubes(when="first(t for t in tube if height(t) > 0) == a"),
    "the least": tubes(when="min(t for t in tube if height(t) > 0) == a"),
    "a sum of them": tubes(when="sum(t for t in tube if height(t) > 0) > 1"),
    "a level for a tube": tubes(when="any(same(a, l) for l in level)"),
    "a tube for a level": tubes(when="any(unit[b, l] == empty and l == a for l in level)"),
    "data of one": tubes(when="len(tubes[a]) > 0"),
    "a list with a constant": tubes(when="a in [0, b]"),
    "a goal for one": tubes(goal="unit[1, 0] == 'b'"),
    "a definition with a constant": tubes(define="last(t): t == 2", when="not last(a)"),
    "what is stored": tubes(held="tube = 0", effect="held: a"),
    "a stored number": tubes(effect="held: a if a < 2 else 0"),
    "every second one": tubes(when="a % 2 == 0"),
}


def exchanged(state: State, order: tuple[int, ...]) -> State:
    return {place: state[("unit", (order[place[1][0]], place[1][1])) if place[0] == "unit" else place]
            for place in state}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_values_that_no_rule_tells_apart(name: str, tmp_path: Path) -> None:
    """By trial: what an exchange makes of a state has the steps, exchanged; and the shorter list proves the same."""
    puzzle = ALIKE[name]
    slices_of(puzzle, "tube", list(start_state(puzzle)))
    states = reachable(puzzle)
    assert states is not None and len(states) > 2
    for order in permutations(range(3)):
        for state, edges in states.items():
            other = exchanged(state, order)
            after = sorted(str(list(t.values())) for _, t in successors(puzzle, other))
            assert after == sorted(str(list(exchanged(t, order).values())) for _, t in edges)
            assert is_goal(puzzle, other) == is_goal(puzzle, state)
    best = optimum(puzzle, ("cost",))
    rules, text = listed(puzzle, ("cost",), best)
    _, long = listed(puzzle, ("cost",), best, symmetry=False)
    assert rules.alike == ("tube",) and text.count("\n") < long.count("\n")
    assert judged(rules, text, tmp_path).bound == best


@pytest.mark.parametrize("name", NOT_ALIKE)
def test_values_that_a_rule_tells_apart(name: str) -> None:
    puzzle = NOT_ALIKE[name]
    with pytest.raises(NotAlike):
        slices_of(puzzle, "tube", list(start_state(puzzle)))
    with pytest.raises(Refused):
        Rules(puzzle, ("cost",), [], ["tube"])


def test_a_type_that_indexes_twice_and_what_is_no_type() -> None:
    puzzle = load_text(
        "puzzle: p\ntypes:\n  n: objects(2)\nstate:\n  near[a in n, b in n]: bool = false\n  on[a in n]: bool = false\n"
        "actions:\n  link:\n    params: {a: n, b: n}\n    effect:\n      near[a, b]: true\n"
        "goal: all(near[a, a] for a in n)\n",
        "p",
    )
    for name in ("n", "m"):
        with pytest.raises(NotAlike):
            slices_of(puzzle, name, list(start_state(puzzle)))
    only = [place for place in start_state(puzzle) if place[0] == "on"]
    assert slices_of(puzzle, "n", only) == [(0,), (1,)]
    with pytest.raises(NotAlike):
        slices_of(puzzle, "n", only[:1])
    with pytest.raises(NotAlike):
        slices_of(puzzle, "n", only, [[(0,), (1,)]])


CARDS = """
puzzle: cards
types: {{card: [p1, p2, p3], word: [ab, b]}}
state:
  text[c in card]: word = first(w for w in word if ('a' in w) == (c == p1))
define: {{of(c): "text[c]", first_of: "text[p1]"}}
actions:
  swap:
    params: {{c: card, d: card}}
    when: (text[c] != text[d] and {when})
    effect: {{"text[c]": "text[d]", "text[d]": "text[c]"}}
goal: ({goal})
"""  # p1 has `ab` at the start; a swap gives it to another one
LETTERS = {  # what looks into a card, and the cost of a best plan
    "a letter of a name": ("true", "any('3' in c and 'a' in text[c] for c in card)", (1,)),
    "a letter of a parameter": (
        "not '3' in c and not '3' in d",
        "any('3' in c and 'a' in text[c] for c in card)",
        None,
    ),
    "the letters of a name": ("true", "any(any(l == '3' for l in c) and 'a' in text[c] for c in card)", (1,)),
    "a letter of what a constant has": ("true", "'a' in text[p3]", (1,)),
    "a letter of what a constant has not": ("true", "not 'a' in text[p1]", (1,)),
    "a letter of a definition with a constant": ("true", "not 'a' in first_of", (1,)),
}


@pytest.mark.parametrize("name", LETTERS)
def test_values_that_are_told_apart_by_letters(name: str, tmp_path: Path) -> None:
    """A text is a collection of letters, whatever it is read from."""
    when, goal, best = LETTERS[name]
    puzzle = load_text(CARDS.format(when=when, goal=goal), "cards")
    assert optimum(puzzle, ("cost",)) == best
    with pytest.raises(Refused):
        Rules(puzzle, ("cost",), [], ["card"])
    rules, text = listed(puzzle, ("cost",), best)
    assert rules.alike == () and judged(rules, text, tmp_path).bound == best


@pytest.mark.parametrize(
    "goal",
    ["any('a' in of(c) for c in card)",
     "any('b' in first(w for w in word if w == text[c] and 'c' in w) for c in card)"],
)  # fmt: skip
def test_letters_that_tell_no_values_apart(goal: str) -> None:
    puzzle = load_text(CARDS.format(when="true", goal=goal), "cards")
    assert Rules(puzzle, ("cost",), [], ["card"]).alike == ("card",)


# -- the clock ---------------------------------------------------------------------------------------------------------

LAMPS = """
puzzle: lamps
types: {lamp: 0 .. 9}
state: {on: bool = false}
actions:
  press:
    params:
      p[l in lamp]: bool
    when: all(p[l] for l in lamp) and any(not p[l] for l in lamp)
    effect: {on: true}
goal: on
"""


def test_the_clock_is_looked_at_while_one_state_has_many_joint_moves(tmp_path: Path) -> None:
    """1,024 ways to press the lamps are tried in the only state, where none of them is allowed."""
    puzzle = load_text(LAMPS, "lamps")
    rules, text = listed(puzzle, ("cost",), None)
    assert judged(rules, text, tmp_path) == (None, 1, 0)
    looks: list[int] = []

    def look(done: int) -> None:
        looks.append(done)
        if len(looks) > 1000:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        check(rules, tmp_path / "list.jsonl", look)
    looks.clear()
    with pytest.raises(TimeoutError):
        list_states(Workbench(puzzle, ("cost",), memory=False), True, None, look)
