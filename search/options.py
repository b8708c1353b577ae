"""Options of the algorithms: one flat record, each field read by the algorithms its comment names."""

import math
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import cast


@dataclass(frozen=True)
class Options:
    """Settings beyond the limits; ValueError if one is out of range."""

    weight: float = 2  # wastar: f = g + weight * h, rounded to a fraction with denominator at most 1000
    width: int = 100  # beam: states kept per layer
    transpositions: int = 500_000  # ids, idastar, rbfs: most states remembered; 0 is the linear-memory textbook form
    population: int = 200  # genetic: individuals per generation
    generations: int = 200  # genetic: generations lived through, the first included
    length: int = 50  # genetic: genes, so the longest plan it can find
    mutation_rate: float = 0.05  # genetic: probability that a gene is drawn anew
    selection: str = "tournament"  # genetic: tournament or roulette
    seed: int = 0  # genetic: of the random numbers

    def __post_init__(self) -> None:
        for each in fields(self):
            kind, words = _KINDS[cast(type, each.type)]
            value = getattr(self, each.name)
            _require(isinstance(value, kind) and not isinstance(value, bool), f"{each.name} must be {words}")
        for name in ("weight", "width", "generations", "length"):
            _require(0 < getattr(self, name) < math.inf, f"{name} must be positive and finite")
        _require(self.transpositions >= 0, "transpositions must not be negative")
        _require(self.population >= 2, "population must be at least 2")
        _require(0 <= self.mutation_rate <= 1, "mutation_rate must lie between 0 and 1")
        _require(self.selection in ("tournament", "roulette"), "selection must be tournament or roulette")


_KINDS = {int: (Integral, "a whole number"), float: (Real, "a number"), str: (str, "a text")}


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)
