"""What hints say is true, from any position: on random models against the referee's truth, each kind by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from game_texts import at, game_of, hints, of
from hinted import Way, wrong
from payloads import reasons_of
from random_models import random_puzzle
from reasoned_models import reasoned
from reasons import MOST_STATES, Told
from reasons import wrong as wrong_reason
from truth import Truth, truth_of

from models.errors import PuzzleError
from models.interpreter import State
from models.loader import check_start
from models.outcomes import Limits, Outcome
from models.puzzle import Puzzle
from models.starts import with_start
from puzzlewright.analysis import explaining
from puzzlewright.analysis.explaining import HERE, explain
from puzzlewright.play import hints as hints_module
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints
from puzzlewright.play.wire import BadRequest
from puzzlewright.report import Report
from puzzlewright.solving.request import Request

POSITIONS = 3  # of a model, besides its start


@pytest.fixture(autouse=True)
def short_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "TRIED_SECONDS", 0.3)


# -- random models -----------------------------------------------------------------------------------------------------


def games(text: str, rng: random.Random) -> Iterator[tuple[Game, Puzzle, Truth]]:
    """A model's game with some of its positions, reachable or not: the puzzle from there, and its truth."""
    try:
        source = GameSource(text, "x.yaml")
        puzzle = source.read()
        game = Game(GameSource(text, "x.yaml", metric=rng.choice(puzzle.metrics)))
    except PuzzleError:
        return
    whole = truth_of(puzzle, MOST_STATES)
    if whole is None:
        return
    there = Told(puzzle, text, whole, puzzle.metrics).everything or list(whole.states)
    for state in [whole.states[0], *rng.sample(there, min(POSITIONS, len(there)))]:
        moved = with_start(puzzle, state)
        try:
            check_start(moved)
        except PuzzleError:
            continue
        truth = truth_of(moved, MOST_STATES)
        if truth is not None:
            yield game, moved, truth


def answers(known: Hints, truth: Truth, rng: random.Random) -> Iterator[tuple[Way, dict[str, Any]]]:
    """Every degree of hint there, with what is true; one of those that say why there is no way."""
    metric, here = known.game.metric, truth.states[0]
    degrees = ["solvable", "next", "plan"]
    for degree in degrees if truth.goals else [rng.choice(degrees)]:
        yield Way(truth, metric), known.hint(degree, here, 2.0)
    if truth.edges[0]:
        edge = rng.choice(truth.edges[0])
        step = rng.choice((edge.step, None))  # without it the cheapest move that leads there is meant
        paid = min(e.costs[metric] for e in truth.edges[0] if e == edge or (step is None and e.after == edge.after))
        after = truth.states[edge.after]
        there = truth_of(with_start(truth.puzzle, after), MOST_STATES)
        assert there is not None
        yield Way(there, metric, (truth, paid)), known.hint("wrong", after, 2.0, (here, step))


def falsehoods(text: str, seed: int) -> tuple[list[str], Counter[str]]:
    """What is false of all the hints for a model; how often which answer was given."""
    rng, given, false = random.Random(seed), Counter[str](), list[str]()
    known: Hints | None = None
    for game, moved, truth in games(text, rng):
        known = known or hints(game)
        for way, told in answers(known, truth, rng):
            given[told["answer"]] += 1
            false += [wrong(way, told), *about_the_file(known.game, truth.states[0], told)]
        if not truth.goals:
            false += reasons(moved, text, truth, game.metric)
    return [words for words in false if words], given


def about_the_file(game: Game, here: State, told: dict[str, Any]) -> list[str]:
    """Reasons that name the file's start, given for another position."""
    return [words for words in told.get("reasons", ()) if "the start" in words and here != game.start]


def reasons(moved: Puzzle, text: str, truth: Truth, metric: str) -> Iterator[str]:
    """What is false of the reasons why there is no way."""
    report = explain(moved, Request(limits=Limits(5.0), metrics=(metric,)), text, HERE)
    for reason in reasons_of(report):
        try:
            found = wrong_reason(Told(moved, text, truth, (metric,)), reason)
        except LookupError:
            continue  # a value whose words are not those of the file
        yield f"{reason.text}: {found}" if found else ""


@pytest.mark.parametrize(
    ("make", "said"),
    [(reasoned, {"yes", "no", "best", "fine"}), (random_puzzle, {"yes", "no", "fine"})],
)
def test_all_that_is_said_is_true(make: Any, said: set[str]) -> None:
    given = Counter[str]()
    for seed in range(10):
        false, answered = falsehoods(make(seed), seed)
        assert false == [], f"seed {seed}"
        given += answered
    assert said <= given.keys()


@pytest.mark.slow
@pytest.mark.parametrize("make", [reasoned, random_puzzle])
def test_all_that_is_said_of_many_models_is_true(make: Any) -> None:
    for seed in range(10, 300):
        assert falsehoods(make(seed), seed)[0] == [], f"seed {seed}"


# -- by hand -----------------------------------------------------------------------------------------------------------

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


def test_reasons_are_about_the_position_and_not_about_the_files_start() -> None:
    """At the file's start `drop` applies, and `parity` is broken by two steps; from here there is no key for ever."""
    game = game_of(DROP)
    told = hints(game).hint("solvable", at(game, key=False), 2)
    assert told["reasons"] == [
        "`drop` (line 6) never applies from here: `key` is false whatever the actions do",
        "the goal needs `key`, but key is false here, and no action can ever change it from here",
        "no action can ever change these from here, although some write them: `key` stays false",
    ]


def test_a_separating_invariant_is_about_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without reasons of `explain` the note of the search stays, and it is about the same position."""
    monkeypatch.setattr(Hints, "_reasons", lambda *_: [])
    text = DROP.replace("parity: at % 2 == 0 or key", "fixed: spare").replace("goal: key", "goal: spare and key")
    game = game_of(text.replace("at: p = 0}", "at: p = 0, spare: bool = true}"))
    told = hints(game).hint("solvable", at(game, spare=False), 2)
    assert told["reasons"] == ["the invariant fixed has another value in every goal state than here"]


def test_a_way_that_is_too_long_to_tell_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints_module, "LONGEST", 1)
    game = game_of(DROP)
    told = hints(game).hint("plan", game.start, 2)
    assert of(told) == ("unknown", False)
    assert told["says"] == "A way was found, but it has more than 1 moves, which is too long to tell."


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([Outcome.TIME_LIMIT, Outcome.TIME_LIMIT], "1 second was not enough"),
        ([Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT], "1,500 MB of memory were not enough"),
        ([Outcome.UNSUPPORTED, Outcome.UNSUPPORTED], "no search here is able"),
        ([Outcome.UNSUPPORTED, Outcome.TIME_LIMIT], "1 second was not enough"),
    ],
)
def test_what_was_not_enough(outcomes: list[Outcome], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(DROP)
    known = hints(game)
    answered = iter(outcomes)
    monkeypatch.setattr(known, "_solved", lambda *_: Report("solve", next(answered)))
    assert known.hint("solvable", game.start, 1)["says"] == f"Not known: {words} to tell."


def test_answers_that_contradict_each_other_are_no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound above a plan's cost, a way from where there is none, a plan where there is no way."""
    game = game_of(DROP)
    one = at(game, at=1)
    known = hints(game)
    found = known._distance(one, 2)
    assert found.most == 1
    known.known[tuple(game.start.values())] = hints_module.Distance(3)
    with pytest.raises(BadRequest, match="cheaper than the least cost"):
        known.hint("wrong", one, 2, (game.start, None))
    known.known[tuple(game.start.values())] = hints_module.Distance(0, unsolvable=Report("solve", Outcome.UNSOLVABLE))
    with pytest.raises(BadRequest, match="from where there is no solution to where there is one"):
        known.hint("wrong", one, 2, (game.start, None))
    with pytest.raises(BadRequest, match="a plan was found where there is none"):
        known.hint("solvable", game.start, 2)


def test_the_page_has_no_other_name_for_what_the_file_knows() -> None:
    """`none, proven` is for what is proven; that the file says so is `known`, as a least cost is."""
    script = (Path(hints_module.__file__).parent / "play.js").read_text(encoding="utf-8")
    assert script.count('return ["none", ') == 2
    assert 'if (best?.unsolvable) return ["none", make("small", {}, "proven")]' in script
    assert 'if (info.solvable === false && !session.edited) return ["none", make("small", {}, "known")]' in script
