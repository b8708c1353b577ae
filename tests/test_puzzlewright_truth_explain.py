"""What `explain` says is true: on random models every sentence against the referee's truth, each kind by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from payloads import reasons_of
from random_models import random_board, random_puzzle
from reasoned_models import reasoned
from reasons import MOST_STATES, Told, wrong
from truth import truth_of

from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import LimitReached, Limits, Outcome
from models.starts import with_start
from puzzlewright.analysis import explaining
from puzzlewright.analysis.explaining import HERE, START, Origin, explain
from puzzlewright.report import Reason, Report
from puzzlewright.solving.request import Request
from search.space import SearchSpace


@pytest.fixture(autouse=True)
def short_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "TRIED_SECONDS", 0.3)


# -- random models -----------------------------------------------------------------------------------------------------


def falsehoods(text: str, nodes: int | None = None, metric: int = 0) -> tuple[list[str], Counter[str]]:
    """What is false of all that is said of a puzzle; how often which kind of reason was given."""
    try:
        puzzle = load_text(text, "x.yaml")
        truth = truth_of(puzzle, MOST_STATES)
        if truth is None:
            return [], Counter()
        metrics = (puzzle.metrics[metric % len(puzzle.metrics)],)
        report = explain(puzzle, Request(limits=Limits(20.0, nodes), metrics=metrics), text)
    except PuzzleError:
        return [], Counter()
    told = Told(puzzle, text, truth, metrics)
    false = [f"{reason.text}: {why}" for reason in reasons_of(report) if (why := judged(told, reason))]
    if report.outcome is Outcome.OPTIMAL and (report.cost,) != truth.optimum(metrics):
        false.append(f"the cost {report.cost}")
    if (report.outcome is Outcome.UNSOLVABLE) is bool(truth.goals) and report.outcome is not Outcome.NODE_LIMIT:
        false.append(f"the verdict {report.outcome}")
    return false, Counter([reason.kind for reason in reasons_of(report)])


def judged(told: Told, reason: Reason) -> str:
    try:
        return wrong(told, reason)
    except LookupError:
        return ""  # a value whose words are not those of the file, such as an object's number


MODELS: dict[str, tuple[Callable[[int], str], int | None, int, int]] = {  # and states, models, models of the slow tests
    "reasoned": (reasoned, None, 21, 2500),
    "some states only": (reasoned, 3, 8, 600),
    "puzzles": (random_puzzle, None, 10, 600),
    "boards": (random_board, None, 4, 150),
}


@pytest.mark.parametrize("name", MODELS)
def test_all_that_is_said_is_true(name: str) -> None:
    make, nodes, number, _ = MODELS[name]
    kinds = Counter[str]()
    for seed in range(number):
        false, given = falsehoods(make(seed), nodes, seed)
        assert false == [], f"seed {seed}"
        kinds += given
    assert name != "reasoned" or len(kinds) >= 10, kinds


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_all_that_is_said_of_many_models_is_true(name: str) -> None:
    make, nodes, first, number = MODELS[name]
    for seed in range(first, number):
        assert falsehoods(make(seed), nodes, seed)[0] == [], f"seed {seed}"


# -- by hand -----------------------------------------------------------------------------------------------------------


def told(text: str, kind: str, nodes: int | None = None, origin: Origin = START, **start: Any) -> list[str]:
    """The reasons of a kind, from a start with other values than the file's."""
    puzzle = load_text(text, "x.yaml")
    if start:
        puzzle = with_start(puzzle, {**truth_of(puzzle).states[0], **{(n, ()): v for n, v in start.items()}})  # type: ignore[union-attr]
    report = explain(puzzle, Request(limits=Limits(nodes=nodes)), text, origin)
    return [reason.text for reason in reasons_of(report) if reason.kind == kind]


PAIR = """
puzzle: pair
types: {lamp: 0 .. 1}
state: {"lit[i in lamp]": bool = false, x: lamp = 0, seen: lamp = 0}
actions:
  press:
    params: {k: lamp}
    when: x == 0
    effect:
      lit[k]: true
      lit[i]: true for i in lamp if i == k
goal: lit[0] and lit[1] and x == 1
"""


def test_lines_of_which_each_may_go_but_not_all() -> None:
    (text,) = told(PAIR, "vain-effect")
    assert text.startswith("in this level each of these alone may go, ") and text.endswith(
        "nor to the cost: `lit[k]: true` (line 10), `lit[i]: true for i in lamp if i == k` (line 11)"
    )


def test_lines_that_may_all_go() -> None:
    more = "      seen: k\n      x: x\n"
    (text,) = told(PAIR.replace("      lit[i]: true for i in lamp if i == k\n", more), "vain-effect")
    assert text.startswith("in this level these may go, ") and text.endswith("`seen: k` (line 11), `x: x` (line 12)")


def test_reasons_are_about_the_cost_that_was_asked_for() -> None:
    """What `z` is matters to the effort, and to nothing else."""
    text = STEPS.replace("effect: {z: z if x < 2 else 1}}", "effect: {z: 1}, cost: {moves: 1, effort: z}}")
    text = text.replace("}}\n  ", "}, cost: {moves: 1, effort: 0}}\n  ").replace("and z == 0", "")
    puzzle = load_text(text, "x.yaml")

    def needless(metric: str) -> list[str]:
        report = explain(puzzle, Request(metrics=(metric,)), text)
        return [reason.text for reason in reasons_of(report) if reason.kind == "vain-effect"]

    nothing = "which matters neither to what can be done nor to the goal nor to the cost in moves"
    assert needless("moves") == [f"in this level these may go, {nothing}: `z: 1` (line 9)"]
    assert needless("effort") == []


def test_what_plays_no_part_is_not_counted_and_that_is_said() -> None:
    """`lit` has four states; `seen` would double them."""
    text = PAIR.replace("      lit[i]: true for i in lamp if i == k\n", "      seen: k\n")
    (nearest,) = told(text, "nearest")
    assert "of 3 goal parts hold together in the 4 states that can be reached (leaving aside seen): " in nearest


def test_a_number_is_no_condition() -> None:
    """0 and 1 are equal to false and true where Python compares them."""
    (text,) = told(PAIR, "impossible-goal")
    assert text == "the goal needs `x == 1`, but x is 0 at the start, and no action can ever change it"


STEPS = """
puzzle: steps
types: {place: 0 .. 5}
state: {x: place = 0, y: place = 0, z: place = 0}
actions:
  left: {when: x == 0, effect: {x: 1}}
  right: {when: x == 0, effect: {x: 2}}
  on: {when: x == 1 and y < 5, effect: {y: y + 1}}
  wait: {effect: {z: z if x < 2 else 1}}
goal: x == 5 and y == 0 and z == 0
"""


def test_what_is_said_of_actions_is_said_of_the_states_that_were_expanded() -> None:
    """Of three states two are expanded; in the third `wait` does something."""
    (vain,) = told(STEPS, "vain-action", nodes=3)
    assert vain.startswith("`wait` applies, ") and vain.endswith("in the 2 states looked at (there are more)")
    (nearest,) = told(STEPS, "nearest", nodes=3)
    assert "hold together in the 3 states looked at (there are more)" in nearest
    assert told(STEPS, "vain-action") == []


def test_there_are_more_states_only_where_one_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk is stopped at its last state, when all are known: with x, y, z = 0 0 0, 1 0 0 to 1 5 0, 2 0 0, 2 0 1."""
    expand = SearchSpace.expand

    def stop(self: SearchSpace, state: Any, *rest: Any) -> Any:
        if self.statistics.expanded == 8:
            raise LimitReached(Outcome.TIME_LIMIT)
        return expand(self, state, *rest)

    monkeypatch.setattr("puzzlewright.analysis.explaining._verdict", lambda *_: Report("explain", Outcome.TIME_LIMIT))
    (whole,) = told(STEPS, "nearest")
    monkeypatch.setattr(SearchSpace, "expand", stop)
    (nearest,) = told(STEPS, "nearest")
    assert " the 9 states that can be reached: " in whole
    assert " the 9 states looked at (there may be more): " in nearest


INVARIANTS = """
puzzle: invariants
types: {cell: "grid(1, 3)", p: 0 .. 3}
state: {at: "cell = [0, 0]", a: p = 0, b: p = 0}
actions:
  go: {when: b < 3, effect: {b: b + 1}}
goal: at == [0, 2] and b + a == 6
invariants:
  where: at
  whole: min(i for i in p if i == a + b)
  never: min(i for i in p if i == b + 4)
  later: min(i for i in p if i == b - 1)
"""


def test_an_invariant_has_the_value_that_the_author_thinks_of() -> None:
    (text,) = told(INVARIANTS, "separating-invariant")
    assert text.startswith("the invariant `where` is [0, 0] at the start and [0, 2] in every goal state, ")


SOMEWHERE = """
puzzle: somewhere
types: {p: 0 .. 3}
state: {a: p = 1, b: p = 1, "lit[i in p]": bool = false}
actions: {mark: {effect: {"lit[a]": true}}}
goal: b == 3 and lit[2]
invariants: {whole: min(i for i in p if i == a + b)}
"""


def test_an_invariant_may_have_no_value_in_a_goal_state() -> None:
    """The goal fixes b; with a = 0 `whole` is 3 there, else nothing, and from the start it is 2 for ever."""
    (text,) = told(SOMEWHERE, "separating-invariant")
    assert text.startswith("the invariant `whole` is 2 at the start and another or undefined in every goal state, ")


def test_an_invariant_that_becomes_undefined_is_broken_and_one_that_starts_so_says_nothing() -> None:
    """With a = 3, `whole` is 3 and then nothing; `never` is undefined for ever, `later` at the start."""
    broken = told(INVARIANTS.replace("a: p = 0", "a: p = 3"), "broken-invariant")
    assert [text.partition("should never change: ")[2] for text in broken] == [
        "`whole` (line 10) is 3 at the start and undefined after step 1, 'go'"
    ]
    assert [text[:4] for text in told(INVARIANTS, "broken-invariant")] == ["`go`"]


DROP = """
puzzle: drop
types: {p: 0 .. 2}
state: {key: bool = true, at: p = 0}
actions:
  drop: {when: key, effect: {key: false}}
  walk: {when: at < 2, effect: {at: at + 1}}
goal: key and at == 2
invariants: {parity: at % 2 == 0 or key}
"""


def test_of_another_start_nothing_is_said_that_is_about_the_files() -> None:
    """`drop` applies from the file's start, where the key is there; from a position without it, it never does."""
    assert told(DROP, "idle-action", origin=HERE, key=False) == [
        "`drop` (line 6) never applies from here: `key` is false whatever the actions do"
    ]
    assert told(DROP, "impossible-goal", origin=HERE, key=False) == [
        "the goal needs `key`, but key is false here, and no action can ever change it from here"
    ]
    assert told(DROP, "broken-invariant", origin=HERE, key=False) == []
    assert told(DROP, "nearest", origin=HERE, key=False)[0].endswith("2 steps from here, lacks `key` (line 8)")


def test_parts_that_share_their_words_are_numbered() -> None:
    """The chain is two comparisons; each holds somewhere, the chain nowhere."""
    (text,) = told(STEPS.replace("goal: x == 5 and y == 0", "goal: x < y < x"), "conflicting-goals")
    assert text.endswith("`x < y < x` (part 1 of 2), `x < y < x` (part 2 of 2) (line 10)")


def test_parts_that_hold_everywhere_are_counted() -> None:
    (text,) = told(STEPS.replace("goal: x == 5", "goal: 1 == 1 and x == 5"), "nearest")
    assert text.startswith("no more than 3 of 4 goal parts hold together")


def test_a_walk_that_meets_a_goal_after_a_proof_is_a_disagreement(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(explaining, "_relaxed_away", lambda *_: True)
    report = explain(load_text(DROP, "x.yaml"), Request())
    assert report.outcome is Outcome.DISAGREEMENT and any("a walk meets a goal state" in note for note in report.notes)
    assert reasons_of(report) == () and list(tmp_path.glob("*/walk.json"))
