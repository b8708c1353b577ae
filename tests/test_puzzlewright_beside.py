"""CP-SAT beside the search of `prove`: the verdicts are those of one after the other, whoever is faster; contradictions
are found both ways; nothing is told by two at once.

The search waits here for what CP-SAT is to have done by then, so that nothing depends on who is faster.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sampled import seeds, slow
from stepping import random_steps
from truth import truth_of

from encoders import cpsat, horizons
from encoders.horizons import Answer, Gap, Session
from models.loader import load_text
from models.outcomes import ENDLESS, Limits, Outcome
from models.puzzle import Puzzle
from puzzlewright import load
from puzzlewright.report import Report
from puzzlewright.solving import beside, proving
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench
from search.registry import search_with

MOST = 30.0  # seconds, on any machine, for a thread that has next to nothing to do


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is a second processor, and CP-SAT waits for nothing."""
    monkeypatch.setattr(beside, "processors", lambda: 2)
    monkeypatch.setattr(beside, "PATIENCE", 0)
    monkeypatch.chdir(tmp_path)  # where disagreements are saved


def others() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "beside"]


def last_of_all(*arguments: Any) -> Any:
    """A search that begins when CP-SAT has ended by itself."""
    for thread in others():
        thread.join(MOST)
        assert not thread.is_alive()
    return search_with(*arguments)


def turns() -> Puzzle:
    """10 steps, as the file says."""
    return load("vehicles_in_turn", "n3")


@cache
def one_after_the_other() -> Report:
    """For who has just one processor."""
    return prove(turns(), Request())


def told(report: Report) -> tuple[object, ...]:
    return (report.outcome, report.cost, report.plan, report.proven_by, report.lower_bound, report.notes)


# --- the same verdicts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [last_of_all, None])
def test_the_verdict_is_that_of_one_after_the_other(
    search: Callable[..., Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10 steps, as the file says."""
    found = prove(turns(), Request(search=search))
    monkeypatch.setattr(beside, "processors", lambda: 1)
    alone = one_after_the_other()
    assert told(found) == told(alone) and (alone.outcome, alone.cost) == (Outcome.OPTIMAL, 10)
    assert found.proven_by == ("search", "cpsat") and not others()


def test_what_was_ruled_out_is_not_asked_again() -> None:
    found = prove(turns(), Request(search=last_of_all))
    rows: Any = found.statistics["solves"]
    assert [(row["form"], row["horizon"], row["presolve"]) for row in rows[-2:]] == [
        ("exact", 10, False),  # the plan of search
        ("bounded", 9, True),  # the second opinion
    ]
    assert sum(row["status"] == "feasible" for row in rows) > 1, "CP-SAT has found a plan of its own"


@pytest.mark.parametrize("seed", seeds(6, 120))
def test_verdicts_are_true(seed: int) -> None:
    """Of models whose states the referee has been through; costs differ in some, some have no plan."""
    puzzle = load_text(random_steps(seed), f"seed {seed}")
    truth = truth_of(puzzle)
    assert truth is not None
    nearest = min((truth.depth[goal] for goal in truth.goals), default=None)
    found = prove(puzzle, Request(limits=Limits(nodes=100_000), search=last_of_all if nearest is not None else None))
    if nearest is None:
        assert found.outcome is Outcome.UNSOLVABLE
    else:
        assert found.outcome is Outcome.OPTIMAL and found.proven_by == ("search", "cpsat")
        assert found.cost == nearest


def test_a_puzzle_without_a_plan_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """CP-SAT would ask for ever longer plans; that it was not asked is not said when it was."""
    asked = threading.Event()
    ask = Gap.ask

    def noticed(self: Gap, session: Session, horizon: int) -> Any:
        answer = ask(self, session, horizon)
        asked.set()
        return answer

    def later(*arguments: Any) -> Any:
        assert asked.wait(MOST)
        return search_with(*arguments)

    monkeypatch.setattr(Gap, "ask", noticed)
    puzzle = load_text(
        "puzzle: p\ntypes: {n: 0 .. 1}\nstate: {a: n = 0, b: n = 0}\n"
        "actions: {turn: {effect: {a: 1 - a, b: 1 - b}}}\ngoal: a == 1 and b == 0\n",
        "odd",
    )
    found = prove(puzzle, Request(search=later, invariants=False))
    assert found.outcome is Outcome.UNSOLVABLE and not others()
    assert proving.NO_BOUND in found.notes and proving.NOT_ASKED not in found.notes


# --- contradictions ---------------------------------------------------------------------------------------------------


def lying(monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
    """Search says something else than it has found, after CP-SAT has ended."""
    solve = proving.solve

    def wrong(puzzle: Puzzle, request: Request, bench: Any) -> Report:
        for thread in others():
            thread.join(MOST)
        return replace(solve(puzzle, request, bench), **given)

    monkeypatch.setattr(proving, "solve", wrong)


def test_a_shorter_plan_of_cpsat_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy search finds one of more than 22 steps here."""
    lying(monkeypatch, outcome=Outcome.OPTIMAL)
    found = prove(load("n_puzzle", "seed-8"), Request("greedy"))
    assert found.outcome is Outcome.DISAGREEMENT and found.cost is not None and found.cost > 22
    assert f"CP-SAT found a plan of at most {found.cost - 1} steps" in found.notes


@pytest.mark.parametrize("largest", [0, beside.LARGEST])
def test_a_plan_that_cpsat_has_ruled_out_is_a_disagreement(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """CP-SAT is made to call plans of at most 12 steps impossible, before search shows one of 10: CP-SAT finds out by
    itself, if it goes on."""
    monkeypatch.setattr(beside, "LARGEST", largest)
    monkeypatch.setattr(Gap, "horizon", lambda self, limit: max(12, self.least))
    answer = Session._answer

    def wrong(self: Session, made: Any, plan: Any = None, **settings: Any) -> Answer:
        found = answer(self, made, plan, **settings)
        if plan is None and made.horizon <= 12 and found.solve is not None:
            return Answer("infeasible", None, None, found.solve)
        return found

    monkeypatch.setattr(horizons.Session, "_answer", wrong)
    found = prove(turns(), Request(search=last_of_all))
    assert found.outcome is Outcome.DISAGREEMENT
    assert any("CP-SAT calls plans of at most" in note for note in found.notes)


def test_a_plan_of_a_puzzle_without_one_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    lying(monkeypatch, outcome=Outcome.UNSOLVABLE)
    found = prove(turns(), Request())
    assert found.outcome is Outcome.DISAGREEMENT and proving.FOUND_ONE in found.notes


# --- limits, Ctrl-C, progress -----------------------------------------------------------------------------------------


def test_lines_come_from_the_thread_that_searches() -> None:
    lines: list[tuple[str, str]] = []

    def line(text: str) -> None:
        lines.append((threading.current_thread().name, text))

    prove(turns(), Request(search=last_of_all, progress=line, milestone=line))
    assert {name for name, _ in lines} == {threading.current_thread().name}
    words = [text.split(" (")[0] for _, text in lines if text.startswith("CP-SAT")]
    assert words[-2:] == ["CP-SAT: accepts the plan of 10 steps",
                          "CP-SAT, asked in another way: no plan of at most 9 steps"]  # fmt: skip
    assert any(word.startswith("CP-SAT: a plan of at most 1") for word in words)


@pytest.mark.parametrize("when", ["search", slow("check")])
def test_ctrl_c_ends_both(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    if when == "check":
        monkeypatch.setattr(Session, "exact", pressed)
    found = prove(turns(), Request(search=pressed if when == "search" else last_of_all))
    assert found.outcome is Outcome.INTERRUPTED and not others()
    if when == "check":
        assert "by CP-SAT alone every plan has at least 10 steps" in found.notes


def endless(monkeypatch: pytest.MonkeyPatch, least: int) -> threading.Event:
    """Solvers of the other thread, asked about that many steps, do nothing until they are stopped."""
    begun, here = threading.Event(), threading.current_thread().name
    solve, horizon = cpsat.solve, Gap.horizon

    def wait(encoding: Any, *given: Any, stop: Any = None, **settings: Any) -> Any:
        if threading.current_thread().name == here:
            return solve(encoding, *given, stop=stop, **settings)
        begun.set()
        while not stop():
            threading.Event().wait(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(Gap, "horizon", lambda self, limit: max(least, horizon(self, limit)))
    monkeypatch.setattr(cpsat, "solve", wait)
    return begun


def test_a_question_that_is_of_no_use_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """One about no fewer steps than the plan of search has."""
    begun = endless(monkeypatch, 10)

    def later(*arguments: Any) -> Any:
        assert begun.wait(MOST)
        return search_with(*arguments)

    found = prove(turns(), Request(search=later))
    assert (found.outcome, found.cost, found.proven_by) == (Outcome.OPTIMAL, 10, ("search", "cpsat"))


def test_a_question_is_ended_when_its_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would be of use: what follows needs time too."""
    begun = endless(monkeypatch, 5)
    with closing(beside.Beside(Workbench(turns(), memory=False), Request())) as other:
        assert begun.wait(MOST)
        ready = other.ended(10, ENDLESS.within(0))
        assert ready is not None and ready.plan is None and not others()


def test_where_memory_is_limited_or_one_processor_is_there_is_nobody_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(beside.Beside, "_work", lambda self: begun.append(self))
    puzzle = load("vehicles_in_turn", "n2")
    prove(puzzle, Request(limits=Limits(memory_mb=1e6)))
    monkeypatch.setattr(beside, "processors", lambda: 1)
    prove(puzzle, Request())
    assert not begun
