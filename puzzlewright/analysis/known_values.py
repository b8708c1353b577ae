"""What levels say to be `known`, held to what is found without a long search.

A value counts as missed only where that is shown: by the values beside it, by the start, by steps that the file states,
or by a search that the referee has judged, as far as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from models.document import Document
from models.errors import Location
from models.outcomes import Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from models.referee import apply, costs, is_goal, replay, start_state
from models.starts import steps_after
from models.terms import FALSE
from models.text import Plain, Text
from puzzlewright.analysis.level_rows import NO_SPACE, ON_COSTS, compared, orders_of
from puzzlewright.report import About, Report, Solution, missed_words
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from puzzlewright.analysis.claims import Claims

SOON = Limits(time=2.0, nodes=20_000)  # of the search for a level


def missed_at_once(bench: Workbench) -> dict[str, str]:
    """What is wrong as it stands: each figure with words about it."""
    puzzle = bench.puzzle
    beside = {figure: f"known {value}, and {words} is known too" for figure, value, words in _beside(puzzle.known)}
    return beside | (_missed(puzzle, _at_start(bench), NO_SPACE) if puzzle.known else {})


def missed_together(document: Document, benches: Sequence[Workbench]) -> Iterator[tuple[Workbench, str, str]]:
    """(level, figure, words) where steps of the file lead from one level to where less is left than is known of it."""
    for begun in (bench.puzzle for bench in benches):
        level = document.levels.get(Text(begun.level))
        rest = 0 if is_goal(begun, start_state(begun)) else _optimum(begun)
        if level is None or level.after is None or rest is None:
            continue
        for bench in benches:
            best, other = _optimum(bench.puzzle), document.levels[Text(bench.puzzle.level)]
            alike = other.after is None and (other.data, other.state) == (level.data, level.state)
            if alike and best is not None and best > (cost := _cost(bench.puzzle, level.after)) + rest:
                words = f"known {best}, and the steps to {begun.level} cost {cost}, from where {rest} is known"
                yield bench, "optimal", words


def _optimum(puzzle: Puzzle) -> int | None:
    """What is known to be the least cost in the first metric."""
    known = _by_metrics(puzzle.known.get("optimal", {}))
    found = known.get("", known.get(puzzle.metrics[0]))
    return found if type(found) is int else None


def _cost(puzzle: Puzzle, written: Plain) -> int:
    """Of the steps of an `after`, which can be made, in the first metric."""
    total, state = 0, start_state(puzzle)
    for step, _ in steps_after(puzzle, written, Location("", 1, 1)):
        total += costs(puzzle, state, step)[puzzle.metrics[0]]
        state = apply(puzzle, state, step)
    return total


def missed_soon(bench: Workbench, claims: Claims) -> tuple[dict[str, str], bool]:
    """What a short search shows to be wrong; and is there a disagreement?"""
    if not bench.puzzle.known or bench.deadline.left == 0:
        return {}, False
    found = solve(bench.puzzle, Request(metrics=bench.metrics, limits=SOON), bench)
    if found.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return _missed(bench.puzzle, found, _space(claims)), found.outcome is Outcome.DISAGREEMENT


def _space(claims: Claims) -> Mapping[str, Any]:
    """How many states a walk has seen, and whether these are all."""
    try:
        return {**NO_SPACE, "exhausted": claims.walk.complete, "states": len(claims.walk.states)}
    except Unsupported:
        return NO_SPACE


def _missed(puzzle: Puzzle, found: Report, space: Mapping[str, Any]) -> dict[str, str]:
    """By what is found in the first metric; of others only the plan that costs nothing is told."""
    reports = {puzzle.metrics[:1]: found}
    if found.plan == ():
        reports = dict.fromkeys(orders_of(puzzle), found)
    told = compared(puzzle, reports, space)["missed"]
    return {missed["figure"]: missed_words(missed).partition(": ")[2] for missed in told}


def _at_start(bench: Workbench) -> Report:
    """Is the start a goal, is the goal false whatever the state, and do all steps cost something?"""
    puzzle = bench.puzzle
    metric, walked = puzzle.metrics[0], replay(puzzle, ())
    report = Report("check", Outcome.UNPROVEN, About.of(puzzle, metric), lower_bound=int(bench.task.unit_cost))
    if walked.valid:
        return replace(report, outcome=Outcome.OPTIMAL, solution=Solution.of(puzzle, (), walked, 0))
    return replace(report, outcome=Outcome.UNSOLVABLE) if bench.task.goal is FALSE else report


def _beside(known: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """(figure, value, the other figure with its value) of what cannot be true together."""
    for figure in ON_COSTS:
        if known.get("solvable") is False and figure in known:
            yield figure, known[figure], "`solvable: false`"
    bounds, optima = (dict(_by_metrics(known.get(figure, {}))) for figure in ("at_most", "optimal"))
    for metrics, bound in bounds.items():
        best = optima.get(metrics)
        if best is not None and type(best) is type(bound) and best > bound:
            yield f"optimal {metrics}".strip(), best, f"`at_most: {bound}`"


def _by_metrics(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {"": value}
