"""PDDL by its definition alone: states are sets of facts, all is tried out. It shares nothing with the project."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

Fact = tuple[str, ...]
State = frozenset[Fact]


def tree(text: str) -> list[Any]:
    """Nested lists of words."""
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower())
    stack: list[list[Any]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    assert len(stack) == 1
    return stack[0]


def typed(words: Sequence[Any]) -> dict[str, str]:
    """Names with their types, one each."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    each = iter(words)
    for word in each:
        if word == "-":
            found |= dict.fromkeys(waiting, next(each))
            waiting = []
        else:
            waiting.append(word)
    return {**found, **dict.fromkeys(waiting, "object")}


class Oracle:
    def __init__(self, domain: str, problem: str) -> None:
        sections = [section for top in tree(domain + problem) for section in top[2:]]
        self.types = self._names(sections, ":types")
        self.objects = self._names(sections, ":constants") | self._names(sections, ":objects")
        self.actions = [section for section in sections if section[0] == ":action"]
        first = {section[0]: section for section in sections}
        self.start: State = frozenset(tuple(fact) for fact in first[":init"][1:] if fact[0] != "=")
        self.numbers = {tuple(fact[1]): int(fact[2]) for fact in first[":init"][1:] if fact[0] == "="}
        self.goal = first[":goal"][1]
        self.priced = ":metric" in first

    def _names(self, sections: Sequence[Any], kind: str) -> dict[str, str]:
        return {name: type_ for section in sections if section[0] == kind for name, type_ in typed(section[1:]).items()}

    def of_type(self, wanted: str) -> list[str]:
        return [name for name, type_ in self.objects.items() if wanted in self.above(type_)]

    def above(self, type_: str) -> list[str]:
        found = [type_]
        while found[-1] in self.types:
            found.append(self.types[found[-1]])
        return [*found, "object"]

    def bindings(self, variables: Sequence[Any]) -> Iterator[dict[str, str]]:
        names = typed(variables)
        for values in product(*map(self.of_type, names.values())):
            yield dict(zip(names, values, strict=True))

    def holds(self, condition: Any, state: State, names: Mapping[str, str]) -> bool:
        match condition:
            case []:
                return True
            case ["and", *parts]:
                return all(self.holds(part, state, names) for part in parts)
            case ["or", *parts]:
                return any(self.holds(part, state, names) for part in parts)
            case ["not", part]:
                return not self.holds(part, state, names)
            case ["imply", one, other]:
                return not self.holds(one, state, names) or self.holds(other, state, names)
            case ["forall", variables, part]:
                return all(self.holds(part, state, {**names, **more}) for more in self.bindings(variables))
            case ["exists", variables, part]:
                return any(self.holds(part, state, {**names, **more}) for more in self.bindings(variables))
            case ["=", one, other]:
                return names.get(one, one) == names.get(other, other)
        return tuple(names.get(word, word) for word in condition) in state

    def effects(self, effect: Any, state: State, names: Mapping[str, str]) -> Iterator[tuple[bool, Fact]]:
        match effect:
            case [] | ["increase", *_]:
                return
            case ["and", *parts]:
                for part in parts:
                    yield from self.effects(part, state, names)
            case ["forall", variables, part]:
                for more in self.bindings(variables):
                    yield from self.effects(part, state, {**names, **more})
            case ["when", condition, part]:
                if self.holds(condition, state, names):
                    yield from self.effects(part, state, names)
            case ["not", fact]:
                yield False, tuple(names.get(word, word) for word in fact)
            case fact:
                yield True, tuple(names.get(word, word) for word in fact)

    def cost(self, effect: Any, names: Mapping[str, str]) -> int:
        if not self.priced:
            return 1
        for part in effect[1:] if effect and effect[0] == "and" else [effect]:
            if part and part[0] == "increase":
                price = part[2]
                return int(price) if isinstance(price, str) else self.numbers[tuple(names.get(w, w) for w in price)]
        return 0

    def successors(self, state: State) -> Iterator[tuple[str, State, int]]:
        for action in self.actions:
            parts = dict(zip(action[2::2], action[3::2], strict=True))
            for names in self.bindings(parts.get(":parameters", [])):
                if self.holds(parts.get(":precondition", []), state, names):
                    told = list(self.effects(parts[":effect"], state, names))
                    gone = {fact for adds, fact in told if not adds}
                    come = {fact for adds, fact in told if adds}
                    step = f"({' '.join([action[1], *names.values()])})"
                    yield step, (state - gone) | come, self.cost(parts[":effect"], names)

    def optimum(self) -> int | None:
        """The least cost of a plan (Dijkstra); None where there is none."""
        queue: list[tuple[int, int, State]] = [(0, 0, self.start)]
        done, number = set[State](), 0
        while queue:
            cost, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            if self.holds(self.goal, state, {}):
                return cost
            for _, after, price in self.successors(state):
                number += 1
                heapq.heappush(queue, (cost + price, number, after))
        return None
