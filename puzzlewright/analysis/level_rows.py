"""One level's row: its optimum in every metric, the figures of its space and of its shortest plan, what is known of it.

A process of its own makes each row (`main`), so that one level's memory, limits and faults are no other level's.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from models.errors import PuzzleError, render
from models.frozen import frozen
from models.outcomes import LimitReached, Limits, Operator, Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from models.values import plain
from puzzlewright.analysis import counting, exploring
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.report import Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine

NO_SPACE: Mapping[str, Any] = {"exhausted": False, "states": 0, "optimal_plans": None}
RACERS = ("bfs", "astar", "bidirectional", "idastar")
DECIDED = (Outcome.OPTIMAL, Outcome.UNSOLVABLE)
Order = tuple[str, ...]  # metrics that are minimised, the most important first
Costs = tuple[int, ...]  # one for each metric of an order
FIGURES = ("optimum", "length", "states", "branching", "dead_end_share", "forced", "optimal_plans", "changes",
           "quickest", "seconds")  # fmt: skip


@frozen(eq=True)
class RowWanted:
    """What the user asked for of each level."""

    time_limit: float = 60.0  # seconds for the whole row
    node_limit: int = 1_000_000  # states of the space, beyond which they are not counted
    race: bool = False
    seed: int = 0
    known: bool = True  # compare with it: it is about the file's own data
    orders: tuple[Order, ...] = ()  # none: each metric by itself, and what `known` names besides
    optima: bool = False  # nothing else: no walk through the states, no number of plans
    heuristics: tuple[str, ...] = ()  # what leads the search for the optimum


def main() -> None:
    """Standard input holds (load, wanted), pickled by the parent; standard output is the row as it grows.

    It is a line of JSON after each stage, so that what ends the process loses none that is known.
    """
    load, wanted = pickle.load(sys.stdin.buffer)
    began, row = time.perf_counter(), {**failed_row(Outcome.TIME_LIMIT), "lower_bound": 0}
    try:
        for row in rows_of(load(), wanted):
            _write(row, began)
    except LimitReached:
        _write(row, began)
    except PuzzleError as error:
        _write(failed_row(Outcome.INVALID_INPUT, *(render(each, None) for each in error.diagnostics)), began)
    except MemoryError:
        _write({**row, "outcome": Outcome.MEMORY_LIMIT}, began)
    except Exception as error:
        _write({**row, "outcome": Outcome.INTERNAL_ERROR, "notes": [f"{type(error).__name__}: {error}"]}, began)


def _write(row: Mapping[str, Any], began: float) -> None:
    print(json.dumps({**row, "seconds": round(time.perf_counter() - began, 3)}), flush=True)


def failed_row(outcome: Outcome, *notes: str) -> dict[str, Any]:
    """The row of a level of which nothing is known."""
    nothing = dict.fromkeys(FIGURES)
    return {"outcome": str(outcome), "metric": "", "optima": {}, "lower_bound": None, **nothing, "race": {}, "held": [],
            "open": [], "missed": [], "notes": list(notes)}  # fmt: skip


def rows_of(puzzle: Puzzle, wanted: RowWanted) -> Iterator[dict[str, Any]]:
    """Solve, walk the space, count the plans, race, each in the time that is left; the row after every stage."""
    work = _Work(puzzle, wanted)
    figures = () if wanted.optima else (work.walk, work.count)
    for stage in (work.solve, work.solve_by_others, *figures, work.race):
        stage()
        yield work.row()


class _Work:
    """A level with what is found out about it so far."""

    def __init__(self, puzzle: Puzzle, wanted: RowWanted) -> None:
        self.puzzle, self.wanted = puzzle, wanted
        self.deadline = Limits(time=wanted.time_limit).deadline()
        self.orders = wanted.orders or orders_of(puzzle)
        self.request = Request(heuristics=wanted.heuristics, metrics=self.orders[0],
                               limits=Limits(time=wanted.time_limit), seed=wanted.seed)  # fmt: skip
        self.bench = Workbench(puzzle, self.orders[0], self.deadline)
        self.found: dict[Order, Report] = {}
        self.space: Mapping[str, Any] = NO_SPACE
        self.counted: Report | None = None
        self.racers: dict[str, Report] = {}

    @property
    def first(self) -> Report:
        """What is found in the first order."""
        return self.found[self.orders[0]]

    @property
    def limits(self) -> Limits | None:
        """The time that is left; None where there is none."""
        left = self.deadline.left
        return Limits(time=left) if left else None

    def solve(self) -> None:
        self.found[self.orders[0]] = solve(self.puzzle, self.request, self.bench)

    def solve_by_others(self) -> None:
        """Each of the other orders."""
        for order in self.orders[1:]:
            if self.first.outcome is not Outcome.UNSOLVABLE and (limits := self.limits):
                self.found[order] = solve(self.puzzle, replace(self.request, metrics=order, limits=limits))

    def walk(self) -> None:
        """All states, as `explore` does."""
        if limits := self.limits:
            request = replace(self.request, limits=replace(limits, nodes=self.wanted.node_limit), symmetry=False)
            found = exploring.explore(self.puzzle, request, exploring.SpaceWanted(shown=0)).payload(SpaceFigures)
            self.space = NO_SPACE if found is None else found.as_json()["exploration"]

    def count(self) -> None:
        self.counted = counting.with_count(self.bench, self.request, self.first, counting.CountWanted())

    def race(self) -> None:
        """Each algorithm that can prove the optimum, in the time of the quickest before it."""
        if not self.wanted.race or self.first.outcome is not Outcome.OPTIMAL:
            return
        for name in _applicable(self.bench):
            if (limits := self.limits) and limits.time is not None:
                seconds = min([limits.time, *map(_seconds, self.racers.values())])
                request = Request(name, limits=Limits(time=seconds), invariants=False)
                answer = solve(self.puzzle, request, self.bench)
                if answer.outcome in (*DECIDED, Outcome.DISAGREEMENT):
                    self.racers[name] = answer

    def row(self) -> dict[str, Any]:
        """What is not known is None."""
        found, first = self.found, self.first
        return {
            **failed_row(self._outcome()),
            "metric": ",".join(self.orders[0]),
            "optima": {",".join(order): _optimum(order, found.get(order)) for order in self.orders},
            "lower_bound": first.lower_bound,
            "optimum": _optimum(self.orders[0][:1], first),
            **_of_space(self.space),
            **self._of_plan,
            "optimal_plans": _plans(self.counted, self.space),
            "quickest": min(self.racers, key=lambda name: _seconds(self.racers[name]), default=None),
            "race": {name: _seconds(answer) for name, answer in self.racers.items()},
            **(compared(self.puzzle, found, self.space if self._by_default else NO_SPACE) if self.wanted.known else {}),
            "notes": self._notes(),
        }

    def _outcome(self) -> Outcome:
        """The first order's, or the one that keeps another order from its optimum, or that of a contradiction."""
        if self._contradictions():
            return Outcome.DISAGREEMENT
        if self.first.outcome is not Outcome.OPTIMAL:
            return self.first.outcome
        words = [self.found[order].outcome if order in self.found else Outcome.TIME_LIMIT for order in self.orders]
        if Outcome.DISAGREEMENT in words:
            return Outcome.DISAGREEMENT
        return next((outcome for outcome in words if outcome is not Outcome.OPTIMAL), Outcome.OPTIMAL)

    def _contradictions(self) -> list[str]:
        """The second opinions that differ from the first answer."""
        first, found = self.first, list[str]()
        if self.counted is not None and self.counted.outcome is Outcome.DISAGREEMENT is not first.outcome:
            found.append(self.counted.notes[-1])
        if first.plan is not None and any(each.outcome is Outcome.UNSOLVABLE for each in self.found.values()):
            found.append("there is a plan in one metric and none in another")
        if _contradicts(self.space, first):
            found.append("the walk through all states finds another optimum")
        for name, racer in self.racers.items():
            if (racer.outcome, _costs(self.orders[0], racer)) != (first.outcome, _costs(self.orders[0], first)):
                found.append(f"{name} finds another optimum")
        return found

    @cached_property
    def _by_default(self) -> bool:
        """Are its states those that `known` counts? A variable may have an influence on another metric only."""
        if self.orders[0] == self.puzzle.metrics[:1]:
            return True
        try:
            return self.bench.task.variables == Workbench(self.puzzle, (), self.deadline).task.variables
        except LimitReached:
            return False

    @cached_property
    def _of_plan(self) -> dict[str, Any]:
        first = self.first
        if first.outcome is not Outcome.OPTIMAL or first.plan is None:
            return {}
        return {"length": len(first.plan), "forced": forced_moves(self.bench.machine(), first.operators),
                "changes": changes(first.plan)}  # fmt: skip

    def _notes(self) -> list[str]:
        """Why there is no verdict, or no number of plans."""
        telling = (Outcome.DISAGREEMENT, Outcome.UNSUPPORTED)
        notes = [note for each in self.found.values() if each.outcome in telling for note in each.notes[-1:]]
        if self.counted is not None and self.first.outcome is Outcome.OPTIMAL:
            notes += self.counted.notes[len(self.first.notes) :]
        return list(dict.fromkeys([*notes, *self._contradictions()]))


def orders_of(puzzle: Puzzle) -> tuple[Order, ...]:
    """Each metric by itself, then the orders of several metrics that the level has a known optimum, or a bound, in."""
    figures = (puzzle.known.get(figure) for figure in ON_COSTS)
    known = (tuple(key.split(",")) for each in figures if isinstance(each, Mapping) for key in each)
    alone = [(metric,) for metric in puzzle.metrics]
    return tuple(dict.fromkeys([*alone, *(order for order in known if set(order) <= set(puzzle.metrics))]))


def _costs(order: Order, report: Report) -> Costs | None:
    """The plan's costs in these metrics; None where there is no plan."""
    return None if report.replay is None else tuple(report.replay.costs[metric] for metric in order)


def _optimum(order: Order, report: Report | None) -> int | list[int] | None:
    """The least cost; of several metrics a list."""
    costs = _costs(order, report) if report is not None and report.outcome is Outcome.OPTIMAL else None
    return None if costs is None else list(costs) if len(costs) > 1 else costs[0]


def _seconds(report: Report) -> float:
    return report.seconds("search_seconds")


# -- the space ---------------------------------------------------------------------------------------------------------


def _of_space(space: Mapping[str, Any]) -> dict[str, Any]:
    if not space["exhausted"]:
        return {}
    states, dead = space["states"], space["dead_ends"]
    share = None if dead is None else _share(dead, states)
    return {"states": states, "branching": (space["branching"] or {}).get("average"), "dead_end_share": share}


def _share(part: int, whole: int) -> float:
    """Rounded, but not to none or all."""
    rounded = round(part / whole, 4)
    return part / whole if rounded in (0, 1) else rounded


def _contradicts(space: Mapping[str, Any], first: Report) -> bool:
    """Does the walk through all states see another optimum than the search, or a lower one than is proven possible?"""
    if not space["exhausted"]:
        return False
    nearest = space["nearest_goal"]
    if first.outcome is Outcome.UNSOLVABLE:
        return bool(space["goal_states"] > 0)
    if first.outcome is Outcome.OPTIMAL:
        return space["goal_states"] == 0 or (nearest is not None and not _agrees(nearest, first))
    return (first.plan is not None and space["goal_states"] == 0) or (
        nearest is not None and first.lower_bound is not None and nearest["cost"] < first.lower_bound
    )


def _agrees(nearest: Mapping[str, Any], first: Report) -> bool:
    """Is the distance to the nearest goal what the plan costs, in all metrics that are minimised?"""
    several = nearest.get("costs", {})
    return nearest["cost"] == first.cost and _costs(tuple(several), first) == tuple(several.values())


# -- the shortest plan -------------------------------------------------------------------------------------------------


def forced_moves(machine: Machine, operators: Sequence[Operator]) -> int:
    """The states along a plan, its last left out, with one successor besides themselves and the state before."""
    forced, before, state = 0, None, machine.initial
    for operator in operators:
        successors = machine.successors(state)
        forced += len({after for _, after, _ in successors} - {before, state}) == 1
        before, state = state, next(after for a, after, _ in successors if machine.operator(a) == operator)
    return forced


def changes(plan: Plan) -> int:
    """How often another piece acts than in the step before: the first parameter's value, else the action's name."""
    pieces = [step.arguments[0][1] if step.arguments else step.action for step in plan]
    return sum(piece != before for before, piece in zip(pieces, pieces[1:], strict=False))


def _plans(counted: Report | None, space: Mapping[str, Any]) -> int | str | None:
    """The number of best plans, in words where figures cannot hold it or where there is no end of them."""
    found = counted and counted.payload(counting.PlanCount)
    number = found.optimal_plans if found else None
    return "infinite" if number is None and space["optimal_plans"] == "infinite" else number


# -- the race ----------------------------------------------------------------------------------------------------------


def _applicable(bench: Workbench) -> list[str]:
    """Those whose promise holds here; their kernels are loaded before any clock runs."""

    from search.registry import ALGORITHMS

    rows = [ALGORITHMS[name] for name in RACERS]
    names = [row.name for row in rows if (bench.task.unit_cost or not row.needs_unit_cost)
             and (not row.informed or bench.first_proven() is not None)]  # fmt: skip
    for row in rows:
        if row.name in names and row.kernel is not None:
            row.kernel()
    return names


# -- what is known -----------------------------------------------------------------------------------------------------

Verdict = tuple[Literal["held", "open", "missed"], str]  # on a known value, and what was found


def compared(puzzle: Puzzle, found: Mapping[Order, Report], space: Mapping[str, Any]) -> dict[str, Any]:
    """The known figures that hold, that stay open, and that are missed, these with what was found instead."""
    figures: dict[str, list[Any]] = {"held": [], "open": [], "missed": []}
    for figure, value, (verdict, words) in _judged(puzzle, found, space):
        missed = {"figure": figure, "known": plain(value), "found": words}
        figures[verdict].append(missed if verdict == "missed" else figure)
    return figures


def _judged(puzzle: Puzzle, found: Mapping[Order, Report], space: Mapping[str, Any]
            ) -> Iterator[tuple[str, Any, Verdict]]:  # fmt: skip
    """(figure, known value, verdict)."""
    known, first = puzzle.known, next(iter(found.values()))
    for figure, judge in ON_COSTS.items():
        for metrics, value in _by_metrics(known.get(figure, {})):
            order = puzzle.metrics[:1] if metrics is None else tuple(metrics.split(","))
            strange: Verdict = ("missed", "no such metric")
            verdict = judge(value, found, order) if set(order) <= set(puzzle.metrics) else strange
            yield figure if metrics is None else f"{figure} {metrics}", value, verdict
    if "states" in known:
        most = (space["states"],) if space["exhausted"] else None
        yield "states", known["states"], _between(known["states"], (space["states"],), most)
    if "solvable" in known:
        yield "solvable", known["solvable"], _solvable(known["solvable"], first)


def _by_metrics(value: Any) -> Iterable[tuple[str | None, Any]]:
    """(an order of metrics, what is known in it); None stands for the first metric."""
    return value.items() if isinstance(value, Mapping) else [(None, value)]


def _optimal(value: Any, found: Mapping[Order, Report], order: Order) -> Verdict:
    """On the least cost in this order of metrics; an optimum in more metrics is one in the first of them too."""
    if next(iter(found.values())).outcome is Outcome.UNSOLVABLE:
        return "missed", "unsolvable"
    bounds = _bounds(found, order)
    return ("open", "") if bounds is None else _between(value, *bounds)


def _at_most(value: Any, found: Mapping[Order, Report], order: Order) -> Verdict:
    """On a bound that others have found: a plan that keeps to it shows it, a proof that all cost more refutes it."""
    if next(iter(found.values())).outcome is Outcome.UNSOLVABLE:
        return "missed", "unsolvable"
    numbers = value if isinstance(value, tuple) else (value,)
    if len(numbers) != len(order) or any(type(number) is not int for number in numbers):
        return "missed", "no bound: a number for each metric is one"
    low, high = _bounds(found, order) or ((), None)
    if high is not None and high <= numbers:
        return "held", ""
    return ("missed", _words(low, high)) if low > numbers else ("open", "")


def _bounds(found: Mapping[Order, Report], order: Order) -> tuple[Costs, Costs | None] | None:
    """What the least cost is at least, and at most (None: nothing is found); None where nothing is to be believed."""
    report = next((report for minimised, report in found.items() if minimised[: len(order)] == order), None)
    if report is None or report.outcome is Outcome.DISAGREEMENT:
        return None
    most = _costs(order, report)
    return most if report.outcome is Outcome.OPTIMAL and most is not None else (report.lower_bound or 0,), most


def _between(value: Any, low: Costs, high: Costs | None) -> Verdict:
    """On a number, or on some that are compared in turn: at least `low`, at most `high` (None: no bound is found)."""
    numbers = value if isinstance(value, tuple) else (value,)
    if all(type(number) is int for number in numbers) and low <= numbers and (high is None or numbers <= high):
        return "held" if low == high else "open", ""
    return "missed", _words(low, high)


def _words(low: Costs, high: Costs | None) -> str:
    least, most = (", ".join(map(str, bound or ())) for bound in (low, high))
    words = (f"at least {least}", *(() if high is None else (f"at most {most}",)))
    return least if low == high else " and ".join(words)


def _solvable(value: Any, first: Report) -> Verdict:
    solvable = first.plan is not None
    if first.outcome is Outcome.DISAGREEMENT or (first.outcome is not Outcome.UNSOLVABLE and not solvable):
        return "open", ""
    return "held" if value is solvable else "missed", "a plan" if solvable else "unsolvable"


ON_COSTS = {"optimal": _optimal, "at_most": _at_most}  # figures of `known`: a number, or one for each order of metrics

if __name__ == "__main__":
    main()
