"""What PDDL has words for: objects, types, predicates and facts that no step changes.

Each value of the language is one object wherever it occurs. Types of the puzzle become types as far as any two of them
share nothing or one lies in the other, which is all that PDDL's types can say; what a name may stand for else is said
by a static predicate. A *table* is a static predicate that holds for the rows that are given; tables with the same rows
are one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from models.frozen import frozen
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from models.values import Cell, Thing, Type, Value, exact, show

MOST_FACTS = 100_000  # that never change
ROOT = "object"
RESERVED = frozenset(
    [*("and", "or", "not", "when", "forall", "exists", "imply", "either", "object", "number"),
     *("increase", "decrease", "assign", "total-cost", "minimize")]
)  # fmt: skip
Row = tuple[Value, ...]


def word_of(text: str) -> str:
    """Small letters, digits and hyphens, the first a letter; empty where nothing is left."""
    word = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"n{word}" if word[:1].isdigit() else word


class Namer:
    """Names, none of them twice."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)

    def name(self, wish: str) -> str:
        """The wish, or one with a number behind it."""
        found, number = wish, 1
        while found in self.taken:
            number += 1
            found = f"{wish}-{number}"
        self.taken.add(found)
        return found


@frozen(eq=True)
class Predicate:
    """A name, and what its arguments may be; a state variable's value is the last one, but a Boolean's has none."""

    name: str
    columns: tuple[tuple[Value, ...], ...]


class Vocabulary:
    def __init__(self, puzzle: Puzzle) -> None:
        self.names = Namer(RESERVED)  # of types, predicates and functions: planners make predicates of types
        self.words = Namer(RESERVED)  # of objects
        self.objects: dict[object, tuple[str, str]] = {}  # name and type, by the key of the value
        self.types: dict[str, frozenset[object]] = {}  # the larger ones first
        self.tables: dict[str, tuple[Predicate, tuple[Row, ...]]] = {}
        self.prices: dict[str, tuple[Predicate, dict[Row, int]]] = {}
        self.facts = 0
        self._known: dict[object, str] = {}  # names of tables
        self._ways = {offset: word for type_ in _types(puzzle) for offset, word in type_.names.items()}
        self._nest(_types(puzzle))
        self.states = {each.name: self._state(each.name, [*(t for _, t in each.indices), each.type])
                       for each in puzzle.variables}  # fmt: skip

    def _nest(self, types: Sequence[Type]) -> None:
        for type_ in sorted(types, key=lambda each: -len(each.values)):
            keys = frozenset(map(exact, type_.values))
            fits = all(not keys & other or keys < other for other in self.types.values())
            if keys and fits:
                self.types[self.names.name(word_of(type_.name) or "kind")] = keys

    def _state(self, name: str, types: Sequence[Type]) -> Predicate:
        *indices, own = types
        columns = indices if is_truth(own) else types
        return Predicate(self.names.name(word_of(name) or "fact"), tuple(each.values for each in columns))

    def parent(self, name: str) -> str:
        """The smallest type that the type lies in."""
        own = self.types[name]
        return next((other for other, keys in reversed(self.types.items()) if own < keys), ROOT)

    def type_of(self, values: Iterable[Value]) -> tuple[str, bool]:
        """The smallest type that has the values, and whether it has no others."""
        keys = frozenset(map(exact, values))
        for name, own in reversed(self.types.items()):
            if keys <= own:
                return name, keys == own
        return ROOT, False

    def object_of(self, value: Value) -> str:
        key = exact(value)
        if key not in self.objects:
            self.objects[key] = self.words.name(self._word(value)), self.type_of([value])[0]
        return self.objects[key][0]

    def _word(self, value: Value) -> str:
        if type(value) is int:
            return f"n{value}" if value >= 0 else f"m{-value}"
        if isinstance(value, Cell):
            return f"c{value.row}-{value.col}"
        word = word_of(show(value, self._ways)) or "thing"
        return f"{word_of(value.type)}-{word}" if isinstance(value, Thing) else word

    def table(self, kind: str, columns: Sequence[tuple[Value, ...]], rows: Sequence[Row]) -> str:
        """The name of the static predicate that holds for these rows."""
        kinds = tuple(self.type_of(values)[0] for values in columns)
        key = kinds, frozenset(tuple(map(exact, row)) for row in rows)
        if key not in self._known:
            self._count(rows)
            name = self._known[key] = self.names.name(kind)
            self.tables[name] = Predicate(name, tuple(columns)), tuple(rows)
        return self._known[key]

    def price(self, columns: Sequence[tuple[Value, ...]], costs: dict[Row, int]) -> str:
        """The name of the function that has these values."""
        self._count(costs)
        name = self.names.name("price")
        self.prices[name] = Predicate(name, tuple(columns)), costs
        return name

    def _count(self, rows: Collection[Row]) -> None:
        """Rows of facts are to be written, and their objects."""
        self.facts += len(rows)
        if self.facts > MOST_FACTS:
            raise Unsupported(f"it takes more than {MOST_FACTS:,} facts that no step changes")
        for row in rows:
            list(map(self.object_of, row))

    def fact(self, name: str, row: Iterable[Value]) -> str:
        return atom(name, map(self.object_of, row))


def is_truth(type_: Type) -> bool:
    """Is the type that of conditions?"""
    return frozenset(map(exact, type_.values)) == frozenset(map(exact, (False, True)))


def _types(puzzle: Puzzle) -> list[Type]:
    """Those that the puzzle has names for."""
    used = [*(t for v in puzzle.variables for t in (*(t for _, t in v.indices), v.type)),
            *(p.type for action in puzzle.actions for p in action.parameters)]  # fmt: skip
    return list(dict.fromkeys([*puzzle.types.values(), *used]))


# -- formulas as texts -------------------------------------------------------------------------------------------------

TRUE, FALSE = "(and)", "(or)"


def atom(name: str, words: Iterable[str]) -> str:
    return f"({' '.join([name, *words])})"


def equal(one: str, other: str) -> str:
    return f"(= {one} {other})"


def all_of(parts: Iterable[str]) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != TRUE]
    if FALSE in kept:
        return FALSE
    return kept[0] if len(kept) == 1 else atom("and", kept)


def any_of(parts: Iterable[str]) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != FALSE]
    if TRUE in kept:
        return TRUE
    return kept[0] if len(kept) == 1 else atom("or", kept)


def no(part: str) -> str:
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return f"(not {part})"


def some(variables: dict[str, str], part: str) -> str:
    """There are values of the variables with which it holds."""
    return f"(exists ({typed(variables)}) {part})" if variables and part != FALSE else part


def every(variables: dict[str, str], guard: str, part: str) -> str:
    """With all values of the variables that pass the guard it holds."""
    if guard == FALSE or part == TRUE:
        return TRUE
    return each(variables, part if guard == TRUE else no(guard) if part == FALSE else f"(imply {guard} {part})")


def each(variables: dict[str, str], part: str) -> str:
    return f"(forall ({typed(variables)}) {part})" if variables else part


def typed(variables: dict[str, str]) -> str:
    return " ".join(f"{name} - {type_}" for name, type_ in variables.items())
