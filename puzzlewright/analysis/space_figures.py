"""The figures of a state space, and in text: a histogram of its layers, the hardest starts drawn, figures in words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.report import Facts, Payload, Report

MOST_ROWS = 50  # of the histogram; beyond, neighbouring layers share a row
LONGEST_BAR = 50
WIDTH = 100  # of a line of values


@frozen(eq=True)
class SpaceFigures(Payload):
    """What `explore` finds, as `--json` has it; None is what is not known."""

    exhausted: bool
    states: int
    states_up_to_symmetry: int | None
    layers: Sequence[int]  # the number of states so many steps from the start
    eccentricity: int | None
    farthest: Mapping[str, Any] | None  # from the start: a cost
    edges: int | None
    branching: Mapping[str, Any] | None  # average, min, max
    goal_states: int
    nearest_goal_steps: int | None
    nearest_goal: Mapping[str, Any] | None
    optimal_plans: int | str | None
    dead_ends: int | None
    dead_told: int | None  # states where `dead` holds
    hardest: Mapping[str, Any] | None  # the states that are farthest from every goal, a few of them in full
    unit_cost: bool
    not_computed: str | None
    proposed: Sequence[Mapping[str, Any]] | None = None  # levels

    def as_json(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"exploration": {name: value for name, value in told.items() if name != "proposed" or value is not None}}

    def headline(self, report: Report) -> str:
        return headline(self) if report.outcome is Outcome.VALID else ""

    def facts(self, report: Report) -> Facts:
        return facts(self, report.expanded or 0)

    def chart(self) -> Iterator[str]:
        """The histogram of the layers, then the hardest starts."""
        yield from layer_chart(self)
        yield ""
        yield from hardest_starts(self)
        yield from proposed_levels(self)


def layer_chart(figures: SpaceFigures) -> Iterator[str]:
    """A row for each layer, or for a few neighbouring ones, with a bar as long as its share of states."""
    layers = figures.layers
    step = -(-len(layers) // MOST_ROWS)
    firsts = range(0, len(layers), step)
    names = [_span(first, min(first + step, len(layers)) - 1) for first in firsts]
    sizes = [sum(layers[first : first + step]) for first in firsts]
    counts = [f"{size:,}" for size in sizes]
    left, right = max(5, *map(len, names)), max(6, *map(len, counts))
    yield f"{'layer':>{left}}  {'states':>{right}}"
    for name, count, size in zip(names, counts, sizes, strict=True):
        bar = "#" * max(1, round(LONGEST_BAR * size / max(sizes)))
        yield f"{name:>{left}}  {count:>{right}}  {bar}"
    if not figures.exhausted:
        yield f"{'':>{left}}  (the last layer may be incomplete)"


def _span(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}-{last}"


def hardest_starts(figures: SpaceFigures) -> Iterator[str]:
    """The boards of a few states that are farthest from every goal, with their values."""
    hardest = figures.hardest
    if hardest is None:
        return
    for number, shown in enumerate(hardest["shown"], 1):
        caption = f": {shown['caption']}" if shown["caption"] else ""
        yield f"hardest start {number} of {hardest['number']:,}{caption}"
        yield from (f"  {line}" for line in shown["board"])
        yield from (f"  {line}" for line in _values(shown["state"]))
        yield ""


_HOW_HARD = {"optimal_plans": "best plans", "branching": "states after one step", "forced": "forced moves"}


def proposed_levels(figures: SpaceFigures) -> Iterator[str]:
    """The levels that were asked for: how hard each is, its board, and its lines for the file."""
    for level in figures.proposed or ():
        facts = [f"{words} {_figure(level[key])}" for key, words in _HOW_HARD.items() if level[key] is not None]
        yield f"{level['level'] or 'no level'}: {_distance(figures, level)}, {', '.join(facts)}"
        yield from (f"  {line}" for line in level["board"] or _values(level["state"]))
        yield ""
        yield from (level["text"] or "").splitlines()
        yield ""


def _values(state: Mapping[str, Any]) -> Iterator[str]:
    """One line a variable: the values of an array in the order of its indices."""
    groups: dict[str, list[str]] = {}
    for place, value in state.items():
        groups.setdefault(place.partition("[")[0], []).append(_word(value))
    for name, values in groups.items():
        yield from textwrap.wrap(f"{name} = {', '.join(values)}", WIDTH, subsequent_indent="  ")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def headline(figures: SpaceFigures) -> str:
    return f"all {figures.states:,} reachable states seen" + "; none is a goal" * (not figures.goal_states)


def facts(figures: SpaceFigures, expanded: int) -> Iterator[tuple[str, str]]:
    """Name and words of every figure that is known."""
    yield "states", _states(figures, expanded)
    if figures.edges is not None:
        yield "edges", _edges(figures)
    yield "depth", _depth(figures)
    if figures.goal_states:
        yield "goals", _goals(figures)
    if figures.optimal_plans:
        yield "best plans", _plans(figures, figures.optimal_plans)
    if figures.dead_ends is not None:
        count = figures.dead_ends
        told = "" if figures.dead_told is None else f"; `dead` holds in {_states_of(figures.dead_told)}"
        yield "dead ends", (f"{_states_of(count)} from which no goal can be reached" if count else "none") + told
    if figures.hardest:
        hardest = figures.hardest
        yield "hardest", f"{_states_of(hardest['number'])}, {_distance(figures, hardest)} from the nearest goal"
    if figures.not_computed:
        yield "missing", f"all other figures: {figures.not_computed}"


def _states(figures: SpaceFigures, expanded: int) -> str:
    if not figures.exhausted:
        return f"{figures.states:,} found, {expanded:,} of them expanded"
    reduced = figures.states_up_to_symmetry
    return f"{figures.states:,}" + (f", {reduced:,} up to symmetry" if reduced is not None else "")


def _edges(figures: SpaceFigures) -> str:
    branching = figures.branching
    if branching is None:
        return f"{figures.edges:,} found"
    average = f"{branching['average']:.2f} on average"
    if branching["min"] is None:
        return f"{figures.edges:,}; {average} out of a state"
    if branching["min"] == branching["max"]:
        return f"{figures.edges:,}; {branching['min']:,} out of every state"
    return f"{figures.edges:,}; {branching['min']:,} to {branching['max']:,} out of a state, {average}"


def _depth(figures: SpaceFigures) -> str:
    if figures.eccentricity is None:
        return f"at least {len(figures.layers) - 1} steps from the start to the farthest state"
    depth = f"{_steps(figures.eccentricity)} from the start to the farthest state"
    return depth if figures.unit_cost or not figures.farthest else f"{depth}, {_price(figures.farthest)} at most"


def _goals(figures: SpaceFigures) -> str:
    found = "" if figures.exhausted else " found"
    nearest = _steps(figures.nearest_goal_steps or 0)
    steps = f"{_states_of(figures.goal_states)}{found}, the nearest {nearest} away"
    return (
        steps
        if figures.unit_cost or not figures.nearest_goal
        else f"{steps}, the cheapest at " + _price(figures.nearest_goal)
    )


def _plans(figures: SpaceFigures, count: int | str) -> str:
    of_length = f"of {_distance(figures, figures.nearest_goal or {'cost': 0})}"
    if count == "infinite":
        return f"infinitely many {of_length}: some steps that cost nothing lead in a circle"
    return f"{_figure(count)} {of_length}"


def _figure(count: int | str) -> str:
    """A number, which may come in words."""
    return count if isinstance(count, str) else f"{count:,}"


def _distance(figures: SpaceFigures, price: Mapping[str, Any]) -> str:
    return _steps(price["cost"]) if figures.unit_cost else _price(price)


def _price(price: Mapping[str, Any]) -> str:
    if "costs" in price:
        return ", ".join(f"{cost:,} {metric}" for metric, cost in price["costs"].items())
    return f"cost {price['cost']:,}"


def _steps(number: int) -> str:
    return f"{number:,} step" + "s" * (number != 1)


def _states_of(number: int) -> str:
    return f"{number:,} state" + "s" * (number != 1)
