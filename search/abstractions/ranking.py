"""Images of states as numbers, the places of a table: the sum of a weight for each variable's class.

Either every variable counts (a number system whose digits are the classes), or a state is told by where certain classes
stand, each of them in one variable (positions). Both are sums, so that a packed state's number is a few look-ups of
pieces of its bits, and a number is taken apart into digits, each of which puts one class into one variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from models.frozen import frozen
from models.task import State
from search.abstractions.images import Classes, class_count
from search.abstractions.pieces import Weights
from search.compiler.layout import WORD, Layout

MOST_PLACES = 64  # variables that positions are among: a word has a bit for each
Counts = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]


@frozen(eq=True)
class Ranking:
    """Which numbers images have. A digit's values each put a class into a variable; all else has the `filler`."""

    weights: Weights  # of classes
    digits: tuple[tuple[tuple[int, int], ...], ...]
    filler: tuple[int, ...]  # a class for each variable
    apart: bool  # are digits to be different, and is each digit's class in just one variable?

    @property
    def size(self) -> int:
        return prod(map(len, self.digits))

    @property
    def states(self) -> int:
        """How many of the numbers are those of images."""
        if not self.apart:
            return self.size
        places = len(self.digits[0])
        return prod(range(places - len(self.digits) + 1, places + 1))

    def number(self, image: State) -> int:
        return sum(each[number] for each, number in zip(self.weights, image, strict=True))

    def tells(self, image: State) -> bool:
        """Has the image a number?"""
        return not self.apart or all(
            [image[index] for index, _ in digit].count(digit[0][1]) == 1 for digit in self.digits
        )


def by_classes(classes: Classes) -> Ranking:
    """Each image has a number."""
    counts = [class_count(each) for each in classes]
    strides = [prod(counts[:index]) for index in range(len(counts))]
    weights = tuple(
        tuple(stride * number for number in range(count)) for stride, count in zip(strides, counts, strict=True)
    )
    digits = tuple(tuple((index, number) for number in range(count)) for index, count in enumerate(counts) if count > 1)
    return Ranking(weights, digits, (0,) * len(counts), False)


def by_positions(classes: Classes, places: Sequence[int], told: Sequence[int], filler: int) -> Ranking:
    """Images in which each of the `told` classes is in one of the variables `places`, and `filler` in the others."""
    assert len(places) <= MOST_PLACES
    strides = {number: len(places) ** digit for digit, number in enumerate(told)}
    weights = [(0,) * class_count(each) for each in classes]
    for position, index in enumerate(places):
        weights[index] = tuple(position * strides.get(number, 0) for number in range(class_count(classes[index])))
    digits = tuple(tuple((index, number) for index in places) for number in told)
    fillers = tuple(filler if index in places else 0 for index in range(len(classes)))
    return Ranking(tuple(weights), digits, fillers, True)


def of_values(weights: Weights, classes: Classes) -> Weights:
    """The weight of each value is that of its class."""
    return tuple(tuple(those[number] for number in each) for those, each in zip(weights, classes, strict=True))


def listed(ranking: Ranking) -> tuple[Counts, list[Counts]]:
    """All images: their numbers, and for each variable its class in each of them."""
    numbers = np.arange(ranking.size)
    digits, left = [], numbers
    for digit in ranking.digits:
        digits.append(left % len(digit))
        left = left // len(digit)
    different = [one != other for k, one in enumerate(digits) for other in digits[:k]] if ranking.apart else []
    whole = np.logical_and.reduce([np.ones(ranking.size, np.bool_), *different])
    found = [np.full(ranking.size, filler) for filler in ranking.filler]
    for values, digit in zip(digits, ranking.digits, strict=True):
        for value, (index, number) in enumerate(digit):
            found[index][values == value] = number
    return numbers[whole], [each[whole] for each in found]


# -- as arrays ---------------------------------------------------------------------------------------------------------


def census(ranking: Ranking) -> Weights:
    """A byte for each digit counts how often its class is there; no more than 64 variables have it."""
    assert len(ranking.digits) <= 7
    told = {digit[0][1]: 1 << 8 * place for place, digit in enumerate(ranking.digits)}
    places = {index for digit in ranking.digits for index, _ in digit}
    return tuple(
        tuple(told.get(number, 0) if index in places else 0 for number in range(len(each)))
        for index, each in enumerate(ranking.weights)
    )


def words_between(changes: Sequence[tuple[int, int, int]], layout: Layout) -> Words:
    """What to add to a state's words so that variables that have one class have another."""
    total = [0] * layout.words
    for index, new, old in changes:
        field = layout.fields[index]
        total[field.word] += (field.codes[new] - field.codes[old]) << field.shift
    return np.array([each % (1 << WORD) for each in total], np.uint64)
