"""States as Python programs hold them: mappings that can be hashed, compared, pickled, and that draw themselves."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from models.interpreter import Place
from models.interpreter import State as Lifted
from models.puzzle import Puzzle
from models.values import Value, show

SHORT = 150  # letters of a state in one line


class Shape:
    """What all states of a puzzle have in common: the variables' places, in the order of the file."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.places: tuple[Place, ...] = tuple(puzzle.place_names)
        self.numbers = {place: number for number, place in enumerate(self.places)}

    def __reduce__(self) -> tuple[type[Shape], tuple[Puzzle]]:
        return Shape, (self.puzzle,)

    @cached_property
    def arrays(self) -> dict[str, tuple[slice, tuple[Hashable, ...]]]:
        """Of each variable: where its values stand, and by which indices; of one without indices by none."""
        found: dict[str, list[Place]] = {variable.name: [] for variable in self.puzzle.variables}
        for place in self.places:
            found[place[0]].append(place)
        return {name: self._array(places) for name, places in found.items()}

    def _array(self, places: list[Place]) -> tuple[slice, tuple[Hashable, ...]]:
        if not places:  # of an index type without values
            return slice(0), ()
        first = self.numbers[places[0]]
        keys = tuple(indices[0] if len(indices) == 1 else indices for _, indices in places)
        return slice(first, first + len(places)), () if keys == ((),) else keys

    def number(self, key: tuple[Value, ...]) -> int:
        """Where `"at", cell` stands; the referee writes it `"at", (cell,)`. KeyError: nowhere."""
        found = self.numbers.get((key[0], key[1:]))
        return self.numbers[key] if found is None else found

    def fits(self, other: Shape) -> bool:
        """Are they about the same variables?"""
        return self is other or self.places == other.places

    def state(self, lifted: Lifted) -> State:
        """A state that is written down place by place."""
        return State(self, tuple(lifted[place] for place in self.places))


class State(Mapping[str, Value]):
    """One state: `s["gap"]` is a variable's value, `s["at"]` a mapping from its indices, `s["at", cell]` an element.

    It has all variables of the file, those too on which nothing depends, and two states are equal if all their values
    are.
    """

    __slots__ = ("_shape", "_values")

    def __init__(self, shape: Shape, values: tuple[Value, ...]) -> None:
        self._shape, self._values = shape, values

    def __getitem__(self, key: str | tuple[Value, ...]) -> Value:
        if isinstance(key, tuple):
            return self._values[self._shape.number(key)]
        where, indices = self._shape.arrays[key]
        if indices:
            return MappingProxyType(dict(zip(indices, self._values[where], strict=True)))
        return self._values[where][0] if where.stop else MappingProxyType({})

    def __iter__(self) -> Iterator[str]:
        return iter(self._shape.arrays)

    def __len__(self) -> int:
        return len(self._shape.arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._values == other._values and self._shape.fits(other._shape)

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> tuple[type[State], tuple[Shape, tuple[Value, ...]]]:
        return State, (self._shape, self._values)

    @property
    def shape(self) -> Shape:
        """What it has in common with all states of its puzzle."""
        return self._shape

    @property
    def values_in_order(self) -> tuple[Value, ...]:
        """The values of all places, in the order of the file."""
        return self._values

    @property
    def lifted(self) -> Lifted:
        """The state as the referee writes it, place by place."""
        return dict(zip(self._shape.places, self._values, strict=True))

    def __repr__(self) -> str:
        parts = (
            f"{name}={' '.join(map(show, self._values[where]))}" for name, (where, _) in self._shape.arrays.items()
        )
        text = ", ".join(parts).replace("\n", " ")
        return f"State({text if len(text) <= SHORT else text[:SHORT] + '...'})"

    def __str__(self) -> str:
        from puzzlewright.pictures.scene import scene
        from puzzlewright.pictures.text import draw

        now = scene(self._shape.puzzle, self.lifted)
        return "\n".join([*([now.caption] if now.caption else []), *draw(now)])

    def _repr_svg_(self) -> str:
        from puzzlewright.pictures.scene import scene
        from puzzlewright.pictures.svg import document, draw

        drawing = draw(scene(self._shape.puzzle, self.lifted))
        return document(drawing.elements, drawing.box, f"a state of {self._shape.puzzle.name}")

    def _repr_html_(self) -> str:
        return self._repr_svg_()
