"""Where objects that are said to be interchangeable stand in a task: as an index of arrays and as stored values.

Said so are the types under `symmetry`, every type made by `objects(n)`, the marks of a map that have the same letter,
and the cells of a board that has mirrors. What is found here are guesses, as good as the names allow; nothing is wrong
with a wrong one, since `proofs.symmetry` proves each exchange on the task itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from models.frozen import frozen
from models.puzzle import Puzzle
from models.task import Interchangeable, Occurrence, Task
from models.values import Thing, Type, Value, element_name, exact

Classes = tuple[tuple[Value, ...], ...]


@frozen(eq=True)
class _Array:
    """State variables or choices of one name."""

    name: str
    indices: tuple[Type, ...]
    type: Type


def interchangeables(puzzle: Puzzle, task: Task) -> tuple[Interchangeable, ...]:
    """The declared types in the order of the file, then the other types of objects, and of cells that are mirrored."""
    return tuple(_located(type_, classes, puzzle, task) for type_, classes in _said(puzzle))


def _said(puzzle: Puzzle) -> Iterator[tuple[Type, Classes]]:
    yield from puzzle.interchangeable
    declared = [type_ for type_, _ in puzzle.interchangeable]
    for type_ in puzzle.types.values():
        if type_ in declared:
            continue
        if all(isinstance(value, Thing) for value in type_.values):
            yield type_, _by_letter(type_.values)
        elif puzzle.mirrors and type_.is_board:
            yield type_, ()


def _by_letter(things: Iterable[Thing]) -> Classes:
    """Marks of a map by their letters; other objects have none."""
    found: dict[str, list[Thing]] = {}
    for thing in things:
        found.setdefault(thing.letter, []).append(thing)
    return tuple(map(tuple, found.values()))


def _located(type_: Type, classes: Classes, puzzle: Puzzle, task: Task) -> Interchangeable:
    arrays = [_Array(v.name, tuple(index for _, index in v.indices), v.type) for v in puzzle.variables]
    state = _occurrence(type_, arrays, [variable.name for variable in task.variables])
    choices = []
    for action, schema in zip(puzzle.actions, task.schemas, strict=True):
        arrays = [_Array(p.name, p.indices, p.type) for p in action.parameters if p.indices]
        choices.append(_occurrence(type_, arrays, [choice.name for choice in schema.choices]))
    numbers = tuple(tuple(type_.place[value] for value in members) for members in classes)
    mirrors = puzzle.mirrors if type_.is_board else ()
    return Interchangeable(type_.name, type_.values, numbers, state, tuple(choices), mirrors)


def _occurrence(type_: Type, arrays: Iterable[_Array], names: Iterable[str]) -> Occurrence:
    """Slices of the arrays that the type is an index of once, and the elements that store it; idle ones are gone."""
    numbers = {name: number for number, name in enumerate(names)}
    slices: list[list[int]] = [[] for _ in type_.values]
    stored: list[tuple[int, tuple[int, ...]]] = []
    for array in arrays:
        axes = [axis for axis, index in enumerate(array.indices) if index is type_]
        places = _places(type_, array.type)
        for index, number in _elements(array, numbers):
            if len(axes) == 1:
                slices[type_.place[index[axes[0]]]].append(number)
            if places:
                stored.append((number, places))
    return Occurrence(tuple(map(tuple, slices)), tuple(stored))


def _elements(array: _Array, numbers: Mapping[str, int]) -> Iterator[tuple[tuple[Value, ...], int]]:
    for index in product(*(type_.values for type_ in array.indices)):
        name = element_name(array.name, index, array.indices)
        if name in numbers:
            yield index, numbers[name]


def _places(type_: Type, domain: Type) -> tuple[int, ...]:
    """Where the objects stand among the values of `domain`; nowhere if it is about something else."""
    if domain is type_:
        return tuple(range(len(type_.values)))
    place = {exact(value): number for number, value in enumerate(domain.values)}
    found = [place.get(exact(value)) for value in type_.values]
    numbers = [value for value in domain.values if type(value) is int]
    if any(type(value) is int for value in type_.values) and len(numbers) in (len(domain.values), 0):
        return ()  # numbers of another type
    return tuple(number for number in found if number is not None) if None not in found else ()
