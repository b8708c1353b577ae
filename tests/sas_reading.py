"""SAS+ read and run by its definition alone: what a planner makes of the text, breadth first, in the plainest way."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

Facts = tuple[tuple[int, int], ...]
State = tuple[int, ...]


@dataclass(frozen=True)
class SasEffect:
    when: Facts
    place: int
    old: int
    new: int


@dataclass(frozen=True)
class SasOperator:
    name: str
    prevail: Facts
    effects: tuple[SasEffect, ...]
    cost: int

    def applies(self, state: State) -> bool:
        tests = [*self.prevail, *((each.place, each.old) for each in self.effects if each.old != -1)]
        return all(state[place] == value for place, value in tests)

    def after(self, state: State) -> State:
        """All effects read the state before; two that fire and clash would be a fault of the text."""
        new: dict[int, int] = {}
        for each in self.effects:
            if all(state[place] == value for place, value in each.when):
                assert new.setdefault(each.place, each.new) == each.new
        return tuple(new.get(place, value) for place, value in enumerate(state))


@dataclass(frozen=True)
class Sas:
    names: tuple[tuple[str, ...], ...]  # of all values
    groups: tuple[Facts, ...]
    start: State
    goal: Facts
    operators: tuple[SasOperator, ...]

    def is_goal(self, state: State) -> bool:
        return all(state[place] == value for place, value in self.goal)

    def successors(self, state: State) -> Iterator[tuple[str, State, int]]:
        for operator in self.operators:
            if operator.applies(state):
                yield operator.name, operator.after(state), operator.cost

    def optimum(self) -> int | None:
        """The least cost of a plan (Dijkstra); None where there is none."""
        queue, done = [(0, self.start)], set[State]()
        while queue:
            cost, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            assert all(sum(state[place] == value for place, value in group) <= 1 for group in self.groups)
            if self.is_goal(state):
                return cost
            for _, after, price in self.successors(state):
                heapq.heappush(queue, (cost + price, after))
        return None


def read(text: str) -> Sas:
    """The task in the text; anything that is not as the format says is an assertion."""
    lines = iter(text.splitlines())
    _expect(lines, "begin_version", "3", "end_version", "begin_metric", "1", "end_metric")
    names = tuple(_variable(lines, number) for number in range(int(next(lines))))
    groups = tuple(_facts_between(lines, "mutex_group") for _ in range(int(next(lines))))
    _expect(lines, "begin_state")
    start = tuple(int(next(lines)) for _ in names)
    _expect(lines, "end_state")
    goal = _facts_between(lines, "goal")
    operators = tuple(_operator(lines) for _ in range(int(next(lines))))
    _expect(lines, "0")
    assert next(lines, None) is None
    made = Sas(names, groups, start, goal, operators)
    _check(made)
    return made


def _check(made: Sas) -> None:
    """All that the text speaks of is there, and no operator is idle."""
    tests = [*goal_and_groups(made), *enumerate(made.start)]
    for operator in made.operators:
        assert operator.effects and operator.cost >= 0
        assert len({place for place, _ in operator.prevail}) == len(operator.prevail)
        tests += operator.prevail
        for each in operator.effects:
            assert each.old != each.new
            tests += [*each.when, (each.place, each.new), (each.place, max(each.old, 0))]
    assert all(0 <= place < len(made.names) and 0 <= value < len(made.names[place]) for place, value in tests)
    assert all(len(values) > 1 for values in made.names)


def goal_and_groups(made: Sas) -> list[tuple[int, int]]:
    return [*made.goal, *(fact for group in made.groups for fact in group)]


def _expect(lines: Iterator[str], *words: str) -> None:
    for word in words:
        found = next(lines)
        assert found == word, (found, word)


def _variable(lines: Iterator[str], number: int) -> tuple[str, ...]:
    _expect(lines, "begin_variable", f"var{number}", "-1")
    names = tuple(next(lines) for _ in range(int(next(lines))))
    _expect(lines, "end_variable")
    return names


def _facts_between(lines: Iterator[str], word: str) -> Facts:
    _expect(lines, f"begin_{word}")
    facts = _facts(lines)
    _expect(lines, f"end_{word}")
    return facts


def _facts(lines: Iterator[str]) -> Facts:
    found = [tuple(map(int, next(lines).split())) for _ in range(int(next(lines)))]
    return tuple((place, value) for place, value in found)


def _operator(lines: Iterator[str]) -> SasOperator:
    _expect(lines, "begin_operator")
    name, prevail = next(lines), _facts(lines)
    effects = tuple(_effect(next(lines)) for _ in range(int(next(lines))))
    cost = int(next(lines))
    _expect(lines, "end_operator")
    return SasOperator(name, prevail, effects, cost)


def _effect(line: str) -> SasEffect:
    number, *rest = map(int, line.split())
    when, (place, old, new) = rest[: 2 * number], rest[2 * number :]
    return SasEffect(tuple(zip(when[::2], when[1::2], strict=True)), place, old, new)
