"""Hints in degrees: can it still be solved, was that move wrong, what is a good next move, the whole plan.

A hint says what it knows and how: what is proven, what a quick search suggests, and what is not known in the time.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any

from models.frozen import frozen
from models.interpreter import State
from models.outcomes import Limits, Outcome, Stop
from models.plan import Step
from models.referee import Refusal, apply, costs, is_goal
from models.starts import with_start
from puzzlewright.play.bench import MEMORY, Benches
from puzzlewright.play.game import Game
from puzzlewright.play.wire import BAD, FAULT, BadRequest
from puzzlewright.report import Reasons, Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

DEGREES = ("solvable", "wrong", "next", "plan")
QUICK = 0.3  # the share of the time for a search that proves nothing
REASONS = 3
EXPLAINING = 2.0  # seconds
LONGEST = 2000  # steps of a plan that is told
SHORTEST = 0.05  # seconds of a search
KEPT = 5000  # states of which something is proven
Told = dict[str, Any]
Key = tuple[Any, ...]  # a state's values


@frozen(eq=True)
class Distance:
    """What is known of the cheapest way to a goal: every plan costs at least `least`; `plan` is the best one known."""

    least: int
    plan: Report | None = None
    unsolvable: Report | None = None  # the report that proves it
    stopped: tuple[Outcome, ...] = ()  # what ended the searches that came to nothing

    @property
    def most(self) -> int | None:
        return None if self.plan is None else self.plan.cost

    @property
    def late(self) -> bool:
        """Was there too little time for a proof?"""
        return not self.exact and self.unsolvable is None and Outcome.MEMORY_LIMIT not in self.stopped

    @property
    def exact(self) -> bool:
        return self.plan is not None and self.plan.outcome is Outcome.OPTIMAL


class Hints:
    """The hints of a game."""

    def __init__(self, game: Game, benches: Benches) -> None:
        self.game, self.benches = game, benches
        self.known: dict[Key, Distance] = {}  # what is proven of states
        self.hard: State | None = None  # where there was too little time for a proof, until tables are made
        self.prepared = False  # have tables been made, as far as they can be?

    def hint(self, degree: str, state: State, seconds: float, last: tuple[State, Step | None] | None = None) -> Told:
        """The answer of that degree; `last` is the state before the last move, and that move where it is known."""
        match degree:
            case "solvable":
                told = self._solvable(state, seconds)
            case "wrong":
                told = self._wrong(state, seconds, last)
            case "next":
                told = self._next(state, seconds)
            case _:
                told = self._plan(state, seconds)
        return {"degree": degree, **told}

    def ahead(self, stop: Stop) -> None:
        """Nobody asks anything, and a search of this game has run out of time: tables for the next ones.

        `auto` decides whether to use them. They are made once, for all starts that they hold for; where it is
        interrupted, the work goes on from the large ones that are on disk.
        """
        if self.hard is not None:
            self.prepared = self.benches.at(self.hard).make_tables(stop)
            self.hard = None if self.prepared else self.hard

    # -- degrees -------------------------------------------------------------------------------------------------------

    def _solvable(self, state: State, seconds: float) -> Told:
        if is_goal(self.game.puzzle, state):
            return _told("yes", True, "This position is solved already.")
        found = self._distance(state, seconds, quick_first=True)
        if found.unsolvable is not None:
            return self._unsolvable(state, found.unsolvable)
        if found.plan is not None:
            return _told("yes", True, "Yes, it can still be solved from here.")
        return _told("unknown", False, f"Not known: {_short(seconds, found)} to tell.")

    def _wrong(self, state: State, seconds: float, last: tuple[State, Step | None] | None) -> Told:
        if last is None:
            raise BadRequest(BAD, "`previous` is missing: the state before the last move")
        before, step = last
        paid = self._paid(before, step, state)
        self.benches.at(before)  # what it proves first is not on the clock
        ends = time.monotonic() + seconds
        old = self._distance(before, seconds / 2)
        new = self._distance(state, max(SHORTEST, ends - time.monotonic()))
        if old.unsolvable is not None:
            if new.plan is not None:
                raise _contradiction("a move leads from where there is no solution to where there is one")
            return _told("fine", True, "It could not be solved before that move either.")
        if new.unsolvable is not None and old.plan is not None:
            return _told("unsolvable", True, "After that move it can no longer be solved. Take it back.")
        if new.unsolvable is not None:
            return _told("unsolvable", True, "It cannot be solved from here; whether it could before is not known.")
        least = None if old.most is None else paid + new.least - old.most
        most = None if new.most is None else paid + new.most - old.least
        if most is not None and most < 0:
            raise _contradiction("a move leads to a solution that is cheaper than the least cost")
        if most == 0:
            return {**_told("fine", True, "That move is on a best way."), "extra": 0}
        if least is not None and least > 0:
            more = self._amount(least)
            exact = "" if least == most else "at least "
            return {**_told("wrong", True, f"That move costs {exact}{more} more than the best way."), "extra": least}
        return _told("unknown", False, f"Can't tell: {_short(seconds, old, new)} to compare both positions.")

    def _next(self, state: State, seconds: float) -> Told:
        found, told = self._way(state, seconds)
        if found is None:
            return told
        move = self._move(state, found)
        left = self._amount(found.cost or 0)
        if told["proven"]:
            says = f"{move['label']}: a best move, {left} to the goal; that is proven."
        else:
            says = f"{move['label']}: a quick search suggests it ({left} to the goal); a better one may exist."
        return {**told, "says": says, "move": move}

    def _plan(self, state: State, seconds: float) -> Told:
        found, told = self._way(state, seconds)
        if found is None:
            return told
        assert found.solution is not None
        length = len(found.solution.plan)
        steps = f"{length} move" + "s" * (length != 1)
        paid = "" if found.cost == length else f", {self._amount(found.cost or 0)}"
        if told["proven"]:
            says = f"A best solution: {steps}{paid}. That none is better is proven."
        else:
            says = f"A solution: {steps}{paid}. A better one may exist."
        plan = self.game.plan(found.solution, found.metric)
        return {**told, "says": says, "move": self._move(state, found), "plan": plan}

    def _way(self, state: State, seconds: float) -> tuple[Report | None, Told]:
        """A plan of at least one step, and the answer as far as it does not depend on it."""
        if is_goal(self.game.puzzle, state):
            return None, _told("solved", True, "This position is solved already.")
        found = self._distance(state, seconds)
        if found.unsolvable is not None:
            return None, self._unsolvable(state, found.unsolvable)
        if found.plan is None:
            return None, _told("unknown", False, f"Not known: {_short(seconds, found)} to find a way.")
        if len(found.plan.plan or ()) > LONGEST:
            says = f"A way was found, but it has more than {LONGEST:,} moves, which is too long to tell."
            return None, _told("unknown", False, says)
        answer = "best" if found.exact else "suggested"
        return found.plan, {**_told(answer, found.exact, ""), "cost": found.plan.cost}

    # -- what they rest on ---------------------------------------------------------------------------------------------

    def _distance(self, state: State, seconds: float, quick_first: bool = False) -> Distance:
        """What is remembered of the state, else an optimum, where it can be proven, or what a quick search finds."""
        key = tuple(state.values())
        if key not in self.known:
            found = self._searched(state, seconds, quick_first)
            if not found.exact and found.unsolvable is None:
                self.hard = state if found.late and not self.prepared else self.hard
                return found
            self._remember(key, found)
        return self.known[key]

    def _remember(self, key: Key, found: Distance) -> None:
        """A proof. The rest of a best plan is a best plan from each of its states."""
        if len(self.known) > KEPT:
            self.known.clear()
        self.known[key] = found
        if found.plan is not None:
            for number, state in enumerate(found.plan.walked):
                rest = _rest(found.plan, number, self.game.metric)
                self.known[tuple(state.values())] = Distance(rest.cost or 0, rest)

    def _searched(self, state: State, seconds: float, quick_first: bool) -> Distance:
        bench, least, ends = self.benches.at(state), 0, time.monotonic() + seconds
        stopped: list[Outcome] = []
        for backend in ("greedy", "auto") if quick_first else ("auto", "greedy"):
            share = seconds * (QUICK if backend == "greedy" else 1 - QUICK)
            report = self._solved(bench, backend, max(SHORTEST, min(share, ends - time.monotonic())))
            if report.outcome is Outcome.DISAGREEMENT:
                raise _contradiction("; ".join(report.notes))
            if report.outcome is Outcome.UNSOLVABLE:
                return Distance(least, unsolvable=report)
            least = max(least, report.lower_bound or 0)
            if report.outcome is Outcome.OPTIMAL:
                return Distance(report.cost or 0, report)
            if report.outcome in (Outcome.SOLVED, Outcome.UNPROVEN):
                return Distance(least, report, stopped=tuple(stopped))
            stopped.append(report.outcome)
        return Distance(least, stopped=tuple(stopped))

    def _solved(self, bench: Workbench, backend: str, seconds: float) -> Report:
        return solve(bench.puzzle, Request(backend, limits=Limits(seconds, memory_mb=MEMORY)), bench)

    def _unsolvable(self, state: State, proof: Report) -> Told:
        """That there is no way, and why."""
        reasons = self._reasons(state)
        if proof.proven_by == ("invariant",) and not reasons:
            reasons = list(proof.notes)
        says = "No, it cannot be solved from here; that is proven."
        return {**_told("no", True, says), "reasons": reasons}

    def _reasons(self, state: State) -> list[str]:
        """What `explain` says of the level from that state on, in words about that state."""
        from puzzlewright.analysis.explaining import HERE, START, explain

        puzzle = replace(with_start(self.game.puzzle, state), fingerprint="")  # not to be kept on disk
        request = Request(limits=Limits(EXPLAINING, memory_mb=MEMORY), metrics=(self.game.metric,))
        found = explain(puzzle, request, self.game.source.text, START if state == self.game.start else HERE)
        if found.plan is not None or found.outcome is Outcome.DISAGREEMENT:
            raise _contradiction("; ".join(("a plan was found where there is none", *found.notes)))
        told = found.payload(Reasons) or Reasons()
        return [reason.text for reason in told.reasons[:REASONS]]

    def _paid(self, before: State, step: Step | None, after: State) -> int:
        """What the last move has cost."""
        puzzle, metric = self.game.puzzle, self.game.metric
        if step is None:
            there = self.game.plain(after)
            moves = self.game.moves(before)["moves"]
            prices = [move["cost"] for move in moves if move["state"] == there]
            if not prices:
                raise BadRequest(BAD, "no single move leads from `previous` to `state`; name it by `action` and `args`")
            return int(min(prices))
        try:
            if apply(puzzle, before, step) != after:
                raise BadRequest(BAD, "that move does not lead from `previous` to `state`")
            return costs(puzzle, before, step)[metric]
        except Refusal as refusal:
            raise BadRequest(BAD, f"that move cannot be made: {refusal.told}") from None

    def _move(self, state: State, found: Report) -> Told:
        assert found.plan and found.replay
        return self.game.move(state, found.plan[0], found.replay.states[1])

    def _amount(self, cost: int) -> str:
        """A cost in words."""
        if self.game.metric != "cost":
            return f"{cost} {re.sub('(?<=[cs]h)es$|s$', '', self.game.metric) if cost == 1 else self.game.metric}"
        return f"{cost} move" + "s" * (cost != 1) if self.game.unit_cost else f"a cost of {cost}"


def _rest(report: Report, number: int, metric: str) -> Report:
    """The report after so many steps of its plan."""
    whole = report.solution
    assert whole is not None
    paid = whole.replay.step_costs[number:]
    walked = replace(whole.replay, states=whole.replay.states[number:], step_costs=paid)
    cost = sum(each[metric] for each in paid)
    rest = replace(whole, plan=whole.plan[number:], labels=whole.labels[number:], cost=cost, replay=walked)
    return replace(report, solution=rest)


def _told(answer: str, proven: bool, says: str) -> Told:
    return {"answer": answer, "proven": proven, "says": says}


def _short(seconds: float, *found: Distance) -> str:
    """What was not enough."""
    stopped = {outcome for each in found for outcome in each.stopped}
    if Outcome.MEMORY_LIMIT in stopped:
        return f"{MEMORY:,.0f} MB of memory were not enough"
    if stopped == {Outcome.UNSUPPORTED}:
        return "no search here is able"
    return f"{seconds:g} second" + (" was" if seconds == 1 else "s were") + " not enough"


def _contradiction(words: str) -> BadRequest:
    return BadRequest(FAULT, f"two evaluators contradict each other, which is a bug: {words}")
