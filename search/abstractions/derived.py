"""What is derived of a task: tables, the sums of their entries, and the starts that they hold for.

How they are made is a matter of other modules. These here, what reads the tables and what keeps them on disk do without
those and without NumPy: to load them would take longer than most searches with tables that are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from models.frozen import frozen
from models.task import State
from search.abstractions.pieces import Weights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from search.abstractions.images import Image
    from search.abstractions.moves import Tokens
    from search.abstractions.ranking import Ranking
    from search.proofs.exchange import Moves
    from search.proofs.symmetry import Symmetry

FULL = 254  # of an entry of a table: the cost is this or more
DEAD = 255  # no way leads to a goal
LOST = 1 << 15  # the same in a row of two bytes for each end; sums of less are less
LEAST_DEAD = 1 << 20  # units, the estimate of a state from which no goal can be reached; fewer where they are large:
MOST_DEAD = 1 << 50  # as much as searches can weigh


class Automorphism(NamedTuple):
    """Where each variable of the board goes, and what each value becomes there."""

    places: Mapping[int, int]
    values: tuple[int, ...]


@frozen()
class Table:
    """The distances of an image, in units of cost. A state's place is the sum of the weights of its values.

    With `ends`, it has rows of two bytes for each end, and weights tell of rows: the sums of these are the distances.
    """

    far: npt.NDArray[np.uint8]  # from the disk: a memoryview, which is read alike
    weights: Weights
    unit: int
    states: int  # of the image
    pattern: tuple[str, ...] = ()  # what it tells of: values, or variables
    image: Image | None = None  # None: what comes from the disk, or is no image's
    ranking: Ranking | None = None
    mirror: Automorphism | None = None  # the automorphism by which the table is read
    tokens: Tokens | None = None  # None: what comes from the disk, or tells of none
    ends: int = 0
    most: int = FULL  # that it says of a state from which a goal can be reached

    @property
    def dead(self) -> int:
        """What it says at least of a state that is lost."""
        return LOST if self.ends else DEAD


Sums = Sequence[Sequence[Table]]  # the entries of one group are added up; the greatest sum is the estimate


def lost_of(found: Sums) -> int:
    """The estimate of a state from which no goal can be reached, in units: more than any other state has."""
    unit = max((table.unit for group in found for table in group), default=1)
    most = max((sum(table.most for table in group) for group in found), default=0)
    return max(1 + most, min(LEAST_DEAD, MOST_DEAD // unit))


class Starts(NamedTuple):
    """The starts that tables hold for."""

    known: Mapping[int, int]  # what no row writes, with its values
    places: tuple[int, ...]  # of a board, where each value is as often as it was
    values: tuple[int, ...]  # those, sorted
    tokens: Weights = ()  # of the values that are tokens, if these are what tables are about
    numbers: Mapping[int, int] = {}  # of each kind of them
    within: Sequence[Sequence[int]] = ()  # what values there are then

    def have(self, start: State) -> bool:
        kept = all(start[index] == value for index, value in self.known.items()) and self._have_tokens(start)
        return kept and tuple(sorted(start[index] for index in self.places)) == self.values

    def _have_tokens(self, start: State) -> bool:
        """As many of each kind, and no values from which others come than those that the moves were seen for."""
        inside = all(value in values for value, values in zip(start, self.within, strict=False))
        return inside and numbers_of(self.tokens, start) == self.numbers

    def have_images(self, start: State, symmetry: Symmetry) -> bool:
        """Also all states that are one, under a symmetry, with those that can be reached?

        Each exchange has to map what is known, and the board, onto itself, and on the board to exchange the same
        values in all places. If it then keeps what the start holds of that, so do all together, of every state.
        """
        if self.tokens:
            return False
        return all(self.have(each.state.apply(start)) and self._kept(each.state) for each in symmetry.exchanges)

    def _kept(self, moves: Moves) -> bool:
        kept = all({moves.places.get(each, each) for each in part} == {*part} for part in (self.known, self.places))
        return kept and len({moves.swaps.get(place) for place in self.places}) <= 1


def starts_like(start: State, known: Sequence[int], places: tuple[int, ...], values: Sequence[Sequence[int]],
                sums: Sums) -> Starts:  # fmt: skip
    """Those that tables hold for which were made for this one; `known` is what no row writes."""
    held = {index: start[index] for index in known}, places, tuple(sorted(start[index] for index in places))
    tokens = next((table.weights for group in sums for table in group if table.ends), ())
    return Starts(*held, tokens, numbers_of(tokens, start), values if tokens else ())


def numbers_of(tokens: Weights, start: State) -> Mapping[int, int]:
    """How many tokens of each kind there are."""
    return Counter(value for value, told in zip(start, tokens, strict=False) if told[value])


@frozen(eq=True)
class Derived:
    """Sums of entries of tables, the greatest of which is the estimate, and why they may be added up."""

    sums: Sums
    why: str
    starts: Starts = Starts({}, (), ())

    @property
    def tables(self) -> list[Table]:
        """Each once, however often it is read."""
        return list({id(table.far): table for group in reversed(self.sums) for table in reversed(group)}.values())[::-1]

    @property
    def states(self) -> int:
        """Of all images."""
        return sum(table.states for table in self.tables)

    @property
    def least_lost(self) -> int:
        """The least estimate of a state from which no goal can be reached; no other state has as much."""
        return lost_of(self.sums) * max((table.unit for group in self.sums for table in group), default=1)

    @property
    def size(self) -> int:
        """Bytes of all tables."""
        return sum(table.far.nbytes for table in self.tables)
