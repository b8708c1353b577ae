"""`explain`: seeded modelling mistakes are named, verdicts are right, limits and Ctrl-C are obeyed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from payloads import reasons_of
from random_models import random_puzzle
from running import run

from encoders.regression import transition as encoded_transition
from models import parts
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Deadline, LimitReached, Limits, Outcome
from models.puzzle import Condition
from models.referee import is_goal
from puzzlewright.analysis import explaining
from puzzlewright.analysis.explaining import explain, shrunk
from puzzlewright.report import Reason, Report, as_json
from puzzlewright.solving.request import Request
from search.machine import Machine
from search.proofs.relaxation import Relaxation
from search.proofs.transitions import transition
from search.space import SearchSpace
from search.spaces.reached import reach

PUZZLES = Path(__file__).parent.parent / "puzzles"
SLIDE_OFF = ("      at[c]: 0\n", "")
LAMPS = """
puzzle: lamps
data: {n: 3}
types: {lamp: 0 .. n - 1, place: 0 .. 3}
state:
  at: place = 0
  other: place = 0
  lit[i in lamp]: bool = false
actions:
  step: {when: at < 2, effect: {at: at + 1}}
  press:
    params: {i: lamp}
    when:
      - at == i
      - not lit[i] and
        at == 3
    effect: {"lit[i]": true}
goal: all(lit[i] for i in lamp) and at == 2
"""


@pytest.fixture(autouse=True)
def short_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "TRIED_SECONDS", 0.3)


def broken(name: str, *changes: tuple[str, str]) -> str:
    """A built-in puzzle with a mistake: every change is made, and made once."""
    text = (PUZZLES / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    return text


def explained(text: str, level: str | None = None, seconds: float | None = None, nodes: int | None = None) -> Report:
    return explain(load_text(text, "x.yaml", level), Request(limits=Limits(seconds, nodes)), text)


def line_of(text: str, words: str) -> int:
    """The line of the file that holds the words, which stand there once."""
    found = [number for number, line in enumerate(text.splitlines(), 1) if words in line]
    assert len(found) == 1, (words, found)
    return found[0]


# -- seeded mistakes: what the first two reasons have to say, and which line they point at -----------------------------

TURNED = ("piece[c + d]: s\n", "piece[c - d]: s\n")
NO_INVARIANTS = re.compile(r"^invariants:.*?(?=^view:)", re.MULTILINE | re.DOTALL)
ISLAND = ("11110001110\n      1A11aa11191\n", "1111000A110\n      1111aa11191\n")  # the switch lies behind its bridge
MISTAKES = {
    # name of the mistake: puzzle, level, changes; kind, words of the text, words of the line it points at
    "an effect is forgotten": (
        *("n_puzzle", "easy-8", [SLIDE_OFF]),
        *("broken-invariant", ["`slide`", "each-tile-once", "after step 1"], "  slide:"),
    ),
    "water stays in its tube": (
        *("water_sort", "three-units"),
        [("      unit[a, l]: empty for l in level if height(a) - amount <= l < height(a)\n", "")],
        *("broken-invariant", ["`pour`", "`units`", "0 to 3"], "  pour:"),
    ),
    "only one vehicle moves": (
        *("vehicles", "n2", [("at[v]: to(v) for v in vehicle", "at[v]: to(v) for v in vehicle if v == 0")]),
        *("impossible-goal", ["`at[1] == [1, 0]`", "no action can ever change it"], "goal:"),
    ),
    "the home is off the board": (
        *("vehicles", "n3", [("home(v): cell(n - 1, n - 1 - v)", "home(v): cell(n, n - 1 - v)")]),
        *("impossible-goal", ["at[v] == home(v)", "v = 0", "[0, 0] against undefined"], "goal:"),
    ),
    "the goal's value is off by one": (
        *("n_puzzle", "two-by-two", [("(index(c) + 1) % (rows * cols)", "index(c) + 1")]),
        *("impossible-goal", ["at[c] == wanted(c)", "c = [1, 1]", "1 against 4"], "goal:"),
    ),
    "row and column are exchanged": (
        *("bloxorz", "stage-1", [('and board[at] == "9"\n', "and at == cell(hole.col, hole.row)\n")]),
        *("impossible-goal", ["at == cell(hole.col, hole.row)", "[1, 1] against undefined"], "goal:"),
    ),
    "a condition is never true": (
        *("water_sort", "three-units", [("min(run(a), capacity - height(b))", "min(run(a), height(b) - capacity)")]),
        *("idle-action", ["`pour`", "given `a != b`", "`amount > 0` is false"], "    when: a != b"),
    ),
    "conditions contradict each other": (
        *("sokoban", "little", [("and box[c + d] and not box[c + 2 * d]", "and box[c + d] and not box[c + d]")]),
        *("idle-action", ["`push`", "`not box[c + d]` is false"], "    when: keeper == c and box"),
    ),
    "a push pulls": (
        *("sokoban", "little", [("box[c + 2 * d]: true", "box[c - d]: true")]),
        *("idle-action", ["`push`", "'push down' is refused", "target is undefined"], "box[c - d]: true"),
    ),
    "the sign of a direction": (
        *("klotski", "kinds", [TURNED]),
        *("idle-action", ["`slide`", "is refused", "`piece[c - d]: s`"], "piece[c - d]: s"),
    ),
    "a disk moves to its own peg": (
        *("hanoi", "three", [("a and a != b", "a and a == b")]),
        *("vain-action", ["`move` applies, but changes nothing"], "  move:"),
    ),
    "goal parts that exclude each other": (
        *("rush_hour", "small", [("goal: ahead == 0", "goal: ahead == 0 and at[target] == 0")]),
        *("conflicting-goals", ["`at[X] == 2`", "`at[X] == 0`", "never together"], "goal:"),
    ),
    "a peg too many": (
        *("hanoi", "three", [("on[d] == pegs for d in disk)\n\nheu", "on[d] == pegs + d - 1 for d in disk)\n\nheu")]),
        *("impossible-goal", ["on[d] == pegs + d - 1", "d = 2", "1 against 4"], "goal:"),
    ),
    "a switch behind its bridge": (
        *("bloxorz", "toggle-soft-1", [ISLAND]),
        *("frozen-variable", ["`open[a]` stays false"], "  open[g in bridge]"),
    ),
    "a box in a corner": (
        *("sokoban", "corner", []),
        *("impossible-goal", ["`not box[[1, 1]]`", "no action can ever change it"], "goal:"),
    ),
    "no way out": (
        *("rush_hour", "jam", []),
        *("impossible-goal", ["`at[X] == 2`", "`slide`", "[0, 1] only, never 2"], "goal:"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake: str) -> None:
    name, level, changes, kind, words, place = MISTAKES[mistake]
    text = broken(name, *changes)
    report = explained(text, level)
    assert (report.outcome, report.plan) == (Outcome.UNSOLVABLE, None)
    found = [reason for reason in reasons_of(report)[:2] if reason.kind == kind]
    assert found, [reason.kind for reason in reasons_of(report)]
    assert [word for word in words if word not in found[0].text] == [], found[0].text
    lines = text.splitlines()
    assert (found[0].file, found[0].line is not None) == ("x.yaml", True)
    assert place in lines[(found[0].line or 0) - 1]


def test_a_forgotten_effect_without_invariants() -> None:
    text = NO_INVARIANTS.sub("", broken("n_puzzle", SLIDE_OFF))
    goal, stuck, nearest = kinds(explained(text, "easy-8"), "impossible-goal", "stuck", "nearest")
    assert "at[[2, 2]] == 0" in goal.parts and goal.line == line_of(text, "goal:")
    assert "no action applies in 3 of the 4 states that can be reached, first after 1 step" in stuck.text
    assert "no more than 6 of 9 goal parts" in nearest.text and "1 step from the start" in nearest.text
    assert nearest.board == (" 1  2  3", " 4  4  6", " 7  5  8")


def kinds(report: Report, *wanted: str) -> list[Reason]:
    """The first reason of each kind."""
    return [next(reason for reason in reasons_of(report) if reason.kind == kind) for kind in wanted]


def test_a_separating_invariant_comes_first() -> None:
    report = explained(broken("n_puzzle"), "two-by-two")
    assert report.outcome is Outcome.OPTIMAL
    text = broken("n_puzzle", ("start: [0, 3, 2, 1]", "start: [2, 1, 3, 0]"))
    report = explained(text, "two-by-two")
    first, conflict = kinds(report, "separating-invariant", "conflicting-goals")
    assert reasons_of(report)[0] is first and "`parity` is 0 at the start and 1 in every goal state" in first.text
    assert first.line == line_of(text, "  parity:")
    assert "never together in the 12 states that can be reached" in conflict.text and report.proven_by[0] == "invariant"


# -- what would help ---------------------------------------------------------------------------------------------------


def test_lamps_by_hand() -> None:
    """`press` asks for two places at once; without either it lights all lamps on the way: 2 steps and 3 presses."""
    report = explained(LAMPS)
    assert report.outcome is Outcome.UNSOLVABLE and report.statistics["states"] == 3
    idle, goal = kinds(report, "idle-action", "impossible-goal")
    assert "given `at == i` and `not lit[i]`, `at == 3` is false" in idle.text
    assert idle.line == line_of(LAMPS, "        at == 3")
    assert goal.parts == ("lit[0]", "lit[1]", "lit[2]")
    helps = {reason.parts[0]: reason.text for reason in reasons_of(report) if reason.kind == "droppable"}
    assert helps == {"at == 3": "without `at == 3` there is a plan of 5 steps"}


def test_a_goal_part_too_many() -> None:
    text = LAMPS.replace("and\n        at == 3", "").replace("and at == 2", "and at + other == 3")
    report = explained(text)
    assert [reason.text for reason in reasons_of(report) if reason.kind == "droppable"] == [
        "without `at < 2` there is a plan of 6 steps",
        "without the goal part `at + other == 3` there is a plan of 5 steps",
    ]


def test_excluding_parts_are_as_few_as_possible() -> None:
    text = LAMPS.replace("and\n        at == 3", "").replace("n: 3", "n: 2").replace("and at == 2", "and at == 0")
    (conflict,) = kinds(explained(text), "conflicting-goals")
    assert conflict.parts == ("lit[1]", "at == 0")


def test_an_effect_that_is_never_possible() -> None:
    """Without any `when` the referee's refusal is all that there is to say; a parameter without values is said."""
    text = LAMPS.replace("step: {when: at < 2, effect: {at: at + 1}}", "step: {effect: {at: at - 1}}")
    (idle,) = kinds(explained(text), "idle-action")
    assert "`step` (line 10) never applies" in idle.text and "'step' is refused, because `at: at - 1`" in idle.text
    nobody = LAMPS.replace("{n: 3}", "{n: 3, people: {}}").replace("types: {", "types: {person: keys(people), ")
    (idle,) = kinds(explained(nobody.replace("params: {i: lamp}", "params: {i: lamp, w: person}")), "idle-action")
    assert idle.text == "`press` has no instance at all: its parameter `w` has no values"


def test_shrinking() -> None:
    assert shrunk([1, 2, 3, 4, 5], lambda kept: {2, 4} <= set(kept)) == [2, 4]
    assert shrunk([1, 2, 3], lambda kept: len(kept) >= 2) == [2, 3]


# -- parts -------------------------------------------------------------------------------------------------------------


def test_conjuncts_have_their_own_places() -> None:
    text = broken("sokoban")
    push = load_text(text, "x.yaml", "little").actions[1]
    found = [part for condition in push.when for part in parts.conjuncts(condition, text)]
    assert [part.words for part in found] == ["keeper == c", "box[c + d]", "not box[c + 2 * d]"]
    line = text.splitlines()[push.when[0].location.line - 1]
    columns = [line.index(part.words) + 1 for part in found]
    assert [(part.location.column, part.location.length) for part in found] == [
        (column, len(part.words)) for column, part in zip(columns, found, strict=True)
    ]


@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_conjuncts_behind_quotes_and_umlauts(quote: str) -> None:
    text = f"puzzle: q\nstate: {{x: 0 .. 3 = 0, ö: 0 .. 3 = 0}}\ngoal: {quote}(ö == 1 and (x == 2 and x == 3)){quote}\n"
    puzzle = load_text(text + "actions: {a: {effect: {x: 1, ö: 1}}}", "x.yaml")
    found = [part for condition in puzzle.goal for part in parts.conjuncts(condition, text)]
    line = text.splitlines()[2]
    assert [(part.words, part.location.column - 1) for part in found] == [
        (words, line.index(words)) for words in ("ö == 1", "x == 2", "x == 3")
    ]


@pytest.mark.slow
def test_instances_mean_the_same_as_the_whole() -> None:
    """In every reachable state of random puzzles all parts hold just where the referee sees a goal."""
    goals = 0
    for seed in range(40):
        text = random_puzzle(seed)
        try:
            puzzle = load_text(text, "x.yaml")
            case = explaining.Case(explaining.Workbench(puzzle), Request(limits=Limits(nodes=40)), text)
            masks = case.holding
        except (PuzzleError, explaining.Unsupported):
            continue
        for number in range(min(len(masks), 40)):
            _, walked = case.walked(number)
            assert (masks[number] == case.all_parts) == is_goal(puzzle, walked.states[-1]), (seed, number)
            goals += masks[number] == case.all_parts
    assert goals > 10


def test_definitions_and_negated_loops_are_opened() -> None:
    text = (
        LAMPS.replace("all(lit[i] for i in lamp) and at == 2", "done")
        + "define:\n  done: not any(lit[i] for i in lamp)\n"
    )
    puzzle = load_text(text, "x.yaml")
    assert [part.bound for part in parts.instances(puzzle.goal[0])] == [(("i", 0),), (("i", 1),), (("i", 2),)]
    opened = parts.instances(
        Condition(puzzle.goal[0].expression, "not any(lit[i] for i in lamp)", puzzle.goal[0].location)
    )
    assert opened[1].words == "`not lit[i]` for i = 1"


# -- the relaxation ----------------------------------------------------------------------------------------------------


def test_the_relaxation_leaves_nothing_out() -> None:
    """Every value and every row that random puzzles really reach is among the possible ones."""
    rng, seen = random.Random(5), 0
    for seed in rng.sample(range(10_000), 60):
        try:
            task = ground(load_text(random_puzzle(seed), "x.yaml"))
            machine = Machine(task, trim=False)
        except (PuzzleError, explaining.Unsupported):
            continue
        relaxation = Relaxation(task, lambda: None)
        found = reach(SearchSpace(machine, Limits()), 300)
        for state in found.states:
            values = machine.layout.unpack(state)
            assert all(value in relaxation.values[index] for index, value in enumerate(values)), seed
        assert {machine.operator(action)[:2] for action in found.applied} <= relaxation.rows.keys(), seed
        assert relaxation.can_hold_all([task.goal]) or not any(map(machine.is_goal, found.states)), seed
        seen += len(found.states)
    assert seen > 300


def test_the_relaxation_is_exact_where_values_decide() -> None:
    task = ground(load_text(LAMPS, "x.yaml"))
    relaxation = Relaxation(task, lambda: None)
    values = {variable.name: found for variable, found in zip(task.variables, relaxation.values, strict=True)}
    assert values == {"at": {0, 1, 2}, "lit[0]": {0}, "lit[1]": {0}, "lit[2]": {0}}


FALLING = """
puzzle: falling
types: {place: 0 .. 5}
state:
  x[e in place]: bool = false
actions:
  go:
    effect:
      x[0]: true
    then:
    - repeat: 9
      x[e]: x[e - 1] for e in place if e > 0
    label: go
goal: x[5]
"""


def test_a_row_of_many_phases_is_composed_by_the_clock() -> None:
    """Between any two phases of a row, so that none is too long."""
    task = ground(load_text(FALLING, "x.yaml"))
    phases = len(task.schemas[0].rows[0].phases)
    for compose in (transition, encoded_transition):
        looks = count()
        compose(task, (0, 0), lambda looks=looks: next(looks))
        assert next(looks) == phases > 9
    for late in range(phases):
        with pytest.raises(LimitReached):
            Relaxation(task, running_out(late))


def running_out(looks: int) -> Callable[[], None]:
    """A clock that is over after so many looks."""
    left = iter(range(looks))

    def look() -> None:
        if next(left, None) is None:
            raise LimitReached(Outcome.TIME_LIMIT)

    return look


# -- verdicts, limits, the command line --------------------------------------------------------------------------------


def test_random_puzzles_get_the_verdict_of_the_search() -> None:
    counted = {Outcome.UNSOLVABLE: 0, Outcome.OPTIMAL: 0}
    for seed in range(20):
        text = random_puzzle(seed)
        try:
            puzzle = load_text(text, "x.yaml")
            expected = explaining.solve(puzzle, Request(limits=Limits(nodes=500))).outcome
        except PuzzleError:
            continue
        if expected in counted:
            assert explained(text, nodes=500).outcome is expected, seed
            counted[expected] += 1
    assert min(counted.values()) >= 3


def test_only_some_states_are_looked_at() -> None:
    report = explained(broken("n_puzzle"), "odd-8", nodes=500)
    assert report.outcome is Outcome.UNSOLVABLE  # by parity
    (nearest,) = kinds(report, "nearest")
    assert "hold together in the 500 states looked at (there are more)" in nearest.text
    assert not [reason for reason in reasons_of(report) if reason.kind == "conflicting-goals"]
    undecided = explain(
        load_text(broken("n_puzzle"), "x.yaml", "odd-8"), Request(limits=Limits(nodes=50), invariants=False)
    )
    assert undecided.outcome is Outcome.NODE_LIMIT and "nearest states were looked at" in " ".join(undecided.notes)


def test_no_time_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))  # what is remembered needs no time
    report = explained(broken("n_puzzle"), "odd-8", seconds=0)
    assert (report.outcome, report.lower_bound) == (Outcome.TIME_LIMIT, 0)
    text = broken("n_puzzle")
    case = explaining.Case(explaining.Workbench(load_text(text, "x.yaml", "odd-8")), Request(), text)
    case.clock = Deadline(0.0)
    explaining._collect(case)
    assert any(note.startswith("there was no time for: ") for note in case.notes)


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(case: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(explaining.STAGES, "variables that never change", stop)
    report = explained(LAMPS)
    assert report.outcome is Outcome.INTERRUPTED and kinds(report, "idle-action")
    assert report.notes[-1] == "stopped by Ctrl-C; the verdict until then: unsolvable"


def test_the_command() -> None:
    found = run("explain", "sokoban", "--level", "corner", "--json").json
    assert (found["command"], found["outcome"], found["exit_code"]) == ("explain", "unsolvable", 11)
    assert {"kind", "text", "file", "line", "parts", "board"} == found["reasons"][0].keys()
    shown = run("explain", "sokoban", "--level", "corner")
    assert shown.code == 11 and "1. " in shown.out and "box[[1, 1]]" in shown.out
    solvable = run("explain", "sokoban", "--level", "little", "--json").json
    assert (solvable["outcome"], solvable["length"], solvable["reasons"]) == ("optimal", 9, [])
    assert "there is a plan, so there is nothing to explain" in solvable["notes"]


def test_solve_and_prove_point_at_it() -> None:
    for command in ("solve", "prove"):
        assert "`puzzlewright explain` tells why" in run(command, "sokoban", "--level", "corner").out
    assert "puzzlewright explain" not in run("solve", "sokoban", "--level", "little").out


def test_other_reports_have_no_reasons() -> None:
    assert "reasons" not in as_json(explaining.solve(load_text(LAMPS, "x.yaml"), Request()))
