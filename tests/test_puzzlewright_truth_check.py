"""What `check --prove` and `prove` say is true: on random models against the referee's truth, each kind by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checked import wrong
from random_models import random_board, random_puzzle
from reasoned_models import reasoned
from reasons import MOST_STATES
from running import run
from truth import truth_of

from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Outcome
from puzzlewright.analysis.claims import Claims
from puzzlewright.analysis.verifying import check
from puzzlewright.report import as_json
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is remembered."""
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path / "cache"))


# -- random models -----------------------------------------------------------------------------------------------------


def falsehoods(text: str) -> tuple[list[str], Counter[str]]:
    """What is false of all that is said of a puzzle without levels; the codes of its warnings."""
    try:
        puzzle = load_text(text, "x.yaml")
        truth = None if puzzle.level else truth_of(puzzle, MOST_STATES)
        if truth is None:
            return [], Counter()
        told = as_json(check(text, "x.yaml", prove=True))
    except PuzzleError:
        return [], Counter()
    codes = Counter([str(warning["code"]) for warning in told["diagnostics"]])
    return [words for words in wrong(truth, told) if words], codes


MODELS: dict[str, tuple[Callable[[int], str], int, int]] = {  # and models, models of the slow tests
    "reasoned": (reasoned, 16, 1500),
    "puzzles": (random_puzzle, 8, 400),
    "boards": (random_board, 4, 100),
}


@pytest.mark.parametrize("name", MODELS)
def test_all_that_is_said_is_true(name: str) -> None:
    make, number, _ = MODELS[name]
    codes = Counter[str]()
    for seed in range(number):
        false, given = falsehoods(make(seed))
        assert false == [], f"seed {seed}"
        codes += given
    assert name != "reasoned" or {"W503", "W504"} <= codes.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_all_that_is_said_of_many_models_is_true(name: str) -> None:
    make, first, number = MODELS[name]
    for seed in range(first, number):
        assert falsehoods(make(seed))[0] == [], f"seed {seed}"


def test_what_prove_says_is_true() -> None:
    """The outcome, the cost and the number of best plans, where twins count as one."""
    outcomes = Counter[Outcome]()
    for seed in range(25):
        try:
            puzzle = load_text(reasoned(seed), "x.yaml")
            truth = truth_of(puzzle, MOST_STATES)
            report = prove(puzzle, Request())
        except PuzzleError:
            continue
        if truth is not None:
            best = truth.optimum(puzzle.metrics[:1])
            outcomes[report.outcome] += 1
            assert report.outcome is (Outcome.UNSOLVABLE if best is None else Outcome.OPTIMAL), seed
            assert best is None or (report.cost,) == best, seed
    assert min(outcomes[Outcome.UNSOLVABLE], outcomes[Outcome.OPTIMAL]) >= 3


# -- choices of parameters ---------------------------------------------------------------------------------------------


def checked(tmp_path: Path, text: str, *options: str) -> dict[str, Any]:
    path = tmp_path / "puzzle.yaml"
    path.write_text(text, encoding="utf-8")
    told: dict[str, Any] = run("check", path, "--prove", "--json", *options).json
    return told


PUT = """
puzzle: put
types: {p: 0 .. 3}
state: {x: p = 0, y: p = 0}
actions:
  put:
    params: {k: p, l: p}
    when: (x == 3 if k == 0 else x == k and x < 2)
    effect: {y: 1 if k > 0 else 2}
  up: {when: x < 1, effect: {x: x + 1}}
goal: y == 1
"""


def test_choices_are_counted_as_the_author_sees_them(tmp_path: Path) -> None:
    """`put` applies with k = 1 and any of four l; k = 2, 3 contradict themselves, and k = 0 is never reached."""
    assert checked(tmp_path, PUT)["notes"][1] == "put: choices of parameters with which it never applies: 12 of 16"


def test_lists_of_choices_are_counted_one_by_one(tmp_path: Path) -> None:
    """Of nine lists six are in order; with each of them `put` applies for k = 1 only."""
    params = '{"m[i in pair]": three, k: pair}'
    text = PUT.replace("{k: p, l: p}", params).replace("types: {", "types: {three: 0 .. 2, pair: 0 .. 1, ")
    text = text.replace("(x == 3 if k == 0 else x == k and x < 2)", "m[0] <= m[1] and (x == 3 if k == 0 else x == k)")
    assert checked(tmp_path, text)["notes"][1] == "put: choices of parameters with which it never applies: 12 of 18"


def test_what_was_not_decided_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a whole walk the prover knows of k = 0 only if it knows how x grows."""
    monkeypatch.setattr("puzzlewright.analysis.claims.MOST_STATES", 2)
    assert len(checked(tmp_path, PUT)["notes"]) == 1
    told = checked(tmp_path, PUT + "invariants: {low: x < 3}\n")
    assert told["notes"][1] == "put: choices of parameters with which it never applies: 12 of 16"
    told = checked(tmp_path, PUT.replace("{k: p, l: p}", '{k: p, l: p, "m[i in p]": p}') + "invariants: {low: x < 3}\n")
    assert (
        told["notes"][1]
        == f"put: choices of parameters with which it never applies: at least {12 * 256:,} of {16 * 256:,}"
    )


NEVER = """
puzzle: never
data: {top: 2}
types: {p: 0 .. 2}
state: {x: p = 0, y: bool = false}
actions:
  flip: {effect: {y: not y}}
  use: {when: x == top, effect: {x: 1}}
goal: y and x < 2
"""


def warnings(told: dict[str, Any]) -> list[str]:
    return [each["message"] for each in told["diagnostics"] if each["code"] == "W503"]


def test_never_is_said_of_the_states_that_can_be_reached(tmp_path: Path) -> None:
    """There is no invariant; a walk has seen both states."""
    assert warnings(checked(tmp_path, NEVER)) == ["`use` never applies in a state that can be reached"]


def test_never_is_said_of_the_levels_that_were_looked_at(tmp_path: Path) -> None:
    text = NEVER + "levels:\n  a: {top: 2}\n  b: {top: 0}\n  c: {top: 7}\n"
    assert warnings(checked(tmp_path, text)) == []
    assert warnings(checked(tmp_path, text, "--level", "a")) == [
        "`use` never applies in a state that can be reached, of the levels that were chosen"
    ]
    assert warnings(checked(tmp_path, text, "--level", "c")) == [
        "no level has values with which `use` could apply, of the levels that were chosen"
    ]


def test_never_is_said_of_the_data_that_were_drawn(tmp_path: Path) -> None:
    text = NEVER.replace("data: {top: 2}", "draw:\n  top: pick([1, 2])")
    assert warnings(checked(tmp_path, text)) == [
        "`use` never applies in a state that can be reached, with the data that seed 0 draws"
    ]


# -- examples and claims -----------------------------------------------------------------------------------------------

ASIDE = """
puzzle: aside
types: {p: 0 .. 3}
state: {x: p = 0, tally: p = 0}
actions:
  go: {when: x < 3, effect: {x: x + 1, tally: x + 1 if x < 2 else 3}}
goal: x == 3
invariants: {low: x < 2, still: tally == 0}
heuristics: {late: 3 - tally}
claims: {late: consistent}
"""


def test_a_reachable_example_is_one_with_all_its_variables(tmp_path: Path) -> None:
    """`tally` plays no part; where x is 1, it is 1 as well."""
    told = checked(tmp_path, ASIDE)
    example = told["counterexamples"][0]
    assert (example["claim"], example["reachable"], example["state"]) == ("invariant low", True, {"x": 1, "tally": 1})


def test_claims_about_what_plays_no_part_are_claims_too(tmp_path: Path) -> None:
    """`tally` counts; the estimate falls by one a step, and by two at first, once it does so."""
    told = checked(tmp_path, ASIDE.replace("low: x < 2, ", ""))
    assert told["verdicts"] == {
        "invariant still": "refuted: an action changes it in a reachable state",
        "heuristic late": "proven: holds in all 4 reachable states",
    }
    assert told["counterexamples"][0]["state"] == {"x": 0, "tally": 0}
    told = checked(tmp_path, ASIDE.replace("x + 1 if x < 2 else 3", "2 if x == 0 else 3"))
    assert (
        told["verdicts"]["heuristic late"] == "refuted: an action lowers it by more than its cost in a reachable state"
    )
    found = run("solve", tmp_path / "puzzle.yaml", "--backend", "astar", "--heuristic", "late", "--json").json
    assert found["outcome"] == "unsupported" and "no condition, goal or cost depends on" in found["notes"][-1]


def test_a_clash_that_the_referee_does_not_see_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from encoders import induction
    from encoders.induction import Decision

    clash = "  both: {effect: {'z[x]': 1, 'z[y]': 2}}\n"
    text = PUT.replace("goal:", clash + "goal:").replace("y: p = 0}", "y: p = 1, 'z[i in p]': p = 0}")
    monkeypatch.setattr(induction.Prover, "clashes", lambda *_: Decision("refuted", (0, 1, 0, 0, 0), (2, 0)))
    assert (
        checked(tmp_path, text.replace("y == 1", "z[0] == 1 and z[1] == 0 and z[3] == 0"))["outcome"] == "disagreement"
    )


def test_levels_of_claims_are_the_walks_own() -> None:
    """A way to a state of the walk has as many steps as the walk had layers before it."""
    claims = Claims(Workbench(load_text(ASIDE, "x.yaml")))
    assert [len(claims.walk.way(number)) for number in range(4)] == [0, 1, 2, 3]
