"""Re-check a list of states with lower bounds: no plan costs less than the start's bound, or there is no plan at all.

A bound h(s) is a cost or *never*; a state that is not listed counts as 0. Every listed state is looked at:
- its bound is not negative, and is 0 if the state is a goal;
- h(s) <= cost(s, t) + h(t) for every step from s to any t.
Then it holds for every state that h(s) <= cost of the way to a goal, by induction along the way; for a state that is
not listed there is nothing to show, as costs and bounds are not negative. Costs in several metrics are compared in
their order, as lists are. If the start's bound is never, no way from it ends in a goal.

Trusted are this file, `alike.py` where states are listed up to an exchange of values, and the referee with what it
reads the puzzle by: steps, costs and goals are his alone. A state variable that is left out is hidden from him: were
it read, he would stop. So what it holds makes no difference, and a state without it stands for all that have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from models import expressions as e
from models.interpreter import HIDDEN, HiddenRead, State
from models.plan import Step
from models.puzzle import Action, Puzzle
from models.referee import costs, is_goal, place_name, start_state, successors
from models.values import plain, show
from puzzlewright.certificates.alike import NotAlike, Slices, in_order, slices_of
from puzzlewright.certificates.recheck import Refused

Code = tuple[int, ...]  # a listed state: for each place the number of its value, as the type lists them
Bound = tuple[int, ...] | None  # a number for each metric; None: never
Look = Callable[[int], None]  # told again and again how many states there were; it may raise TimeoutError


class ListAccepted(NamedTuple):
    bound: Bound  # of the start
    states: int
    steps: int  # that were looked at


class Rules:
    """A puzzle as a list speaks of it: the places `left_out` hidden, the values of the types `alike` exchangeable.

    Refused where that cannot be; HiddenRead where it leaves out what the rules read.
    """

    def __init__(self, puzzle: Puzzle, metrics: Sequence[str], left_out: Sequence[str], alike: Sequence[str]) -> None:
        self.metrics, self.left_out, self.alike = tuple(metrics), tuple(left_out), tuple(alike)
        self.start = start_state(puzzle)
        self.types = {variable.name: variable.type for variable in puzzle.variables}
        self.places = [place for place in self.start if place_name(place) not in left_out]
        if len(self.places) + len(left_out) != len(self.start):
            raise Refused("what is left out are no places of this puzzle")
        self.puzzle = replace(puzzle, actions=tuple(map(self._without_idle_costs, puzzle.actions)))
        self.zero = (0,) * len(self.metrics)
        self.slices: list[Slices] = []
        try:
            for name in alike:
                self.slices.append(slices_of(self.puzzle, name, self.places, self.slices))
        except NotAlike as reason:
            raise Refused(str(reason)) from None

    def _without_idle_costs(self, action: Action) -> Action:
        """The action without costs that nobody asks for and that never hold it back, since they are never undefined.

        A repeated phase is asked whether it would go on by comparing states, which a hidden value must not decide.
        """
        hidden = {place[0] for place in self.start.keys() - set(self.places)}
        repeated = {line.variable for phase in action.phases if phase.rests for line in phase.lines}
        for name in sorted(repeated & hidden):
            raise HiddenRead(name)
        return replace(action, costs={m: c for m, c in action.costs.items() if m in self.metrics or not _sure(c)})

    def header(self) -> dict[str, object]:
        """The first line of a list: how the others are to be read."""
        types = {name: self.types[name] for name, _ in self.places}
        return {
            "metrics": self.metrics,
            "places": [place_name(place) for place in self.places],
            "values": {name: [plain(value, type_.names) for value in type_.values] for name, type_ in types.items()},
            "left_out": self.left_out,
            "alike": self.alike,
        }

    def code(self, state: State) -> Code:
        """The code of a state; the same for states that an exchange maps onto each other."""
        numbers = [self.types[place[0]].place[state[place]] for place in self.places]
        return in_order(numbers, self.slices)

    def state(self, code: Code) -> State:
        listed = {place: self.types[place[0]].values[n] for place, n in zip(self.places, code, strict=True)}
        return {place: listed.get(place, HIDDEN) for place in self.start}

    def is_goal(self, code: Code) -> bool:
        return is_goal(self.puzzle, self.state(code))

    def steps(self, code: Code, watch: Callable[[], None]) -> Iterator[tuple[Step, tuple[int, ...], Code]]:
        """Every step from a state, its costs, and the state that it leads to; `watch` sees all that is tried."""
        state = self.state(code)
        for step, after in successors(self.puzzle, state, watch):
            found = costs(self.puzzle, state, step)
            yield step, tuple(found[metric] for metric in self.metrics), self.code(after)


def check(rules: Rules, path: Path, look: Look) -> ListAccepted:
    """Refused, with the place and the reason, where the list shows nothing; HiddenRead where it leaves out too much."""
    bounds = dict(read(rules, path))
    steps = 0
    for number, (code, (line, bound)) in enumerate(bounds.items()):
        where, watch = f"{path.name}, line {line}", partial(look, number)
        watch()
        steps += _check_state(rules, bounds, code, where, bound, watch)
    found = bounds.get(rules.code(rules.start))
    return ListAccepted(found[1] if found else rules.zero, len(bounds), steps)


def _check_state(rules: Rules, bounds: dict[Code, tuple[int, Bound]], code: Code, where: str, bound: Bound,
                 watch: Callable[[], None]) -> int:  # fmt: skip
    if bound != rules.zero and rules.is_goal(code):
        raise Refused(f"{where}: the state is a goal, but its bound is {words_of(bound)}")
    steps = 0
    for step, cost, after in rules.steps(code, watch):
        steps += 1
        _, left = bounds.get(after, (0, rules.zero))
        if left is not None and (bound is None or bound > tuple(map(sum, zip(cost, left, strict=True)))):
            words = " ".join([step.action, *(show(value) for _, value in step.arguments)])
            reason = f"{words} costs {words_of(cost)} and leads to a state with the bound {words_of(left)}"
            raise Refused(f"{where}: the bound {words_of(bound)} is too high: {reason}")
    return steps


def read(rules: Rules, path: Path) -> Iterator[tuple[Code, tuple[int, Bound]]]:
    """(state, (its line, its bound)) of every line after the first."""
    seen: set[Code] = set()
    sizes = [len(rules.types[name].values) for name, _ in rules.places]
    with path.open(encoding="ascii", errors="replace") as lines:
        for number, text in enumerate(lines, 1):
            where = f"{path.name}, line {number}"
            if number == 1:
                if text != json_line(rules.header()):
                    raise Refused(f"{where}: this is not the head of a list for this puzzle")
                continue
            code, bound = _entry(text, where, rules, sizes)
            if code in seen:
                raise Refused(f"{where}: the state is listed twice")
            seen.add(code)
            yield code, (number, bound)
        if not seen and path.stat().st_size == 0:
            raise Refused(f"{path.name}: it is empty")


def _entry(text: str, where: str, rules: Rules, sizes: Sequence[int]) -> tuple[Code, Bound]:
    """A line `[bound, [number, ...]]`, spelt in just one way."""
    try:
        bound, numbers = json.loads(text)
        right = text == json_line([bound, numbers]) and len(numbers) == len(sizes)
        right = right and all(type(n) is int and 0 <= n < size for n, size in zip(numbers, sizes, strict=True))
        if bound is not None:
            right = right and len(bound) == len(rules.metrics) and all(type(each) is int for each in bound)
            right = right and tuple(bound) >= rules.zero
    except (ValueError, TypeError, RecursionError):
        right = False
    if not right:
        raise Refused(f"{where}: expected is [bound, [numbers of values]], the bound null or not negative")
    if in_order(numbers, rules.slices) != tuple(numbers):
        raise Refused(f"{where}: of the states that are alike, this is not the one to be listed")
    return tuple(numbers), None if bound is None else tuple(bound)


def json_line(data: object) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def words_of(bound: Bound) -> str:
    return "never" if bound is None else ", ".join(map(str, bound))


def _sure(cost: e.Expr) -> bool:
    """Is it certain, whatever the state, that this is a whole number and not negative?"""
    match cost:
        case e.Constant(value=int(value)):
            return value >= 0
        case e.Conditional(then=one, otherwise=other):
            return _sure(one) and _sure(other)
    return isinstance(cost, e.Quantifier) and cost.kind == "count"
