"""Things parted into groups of given sizes, so that what gains by each other is together: by exchanges."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product

STARTS = 40
Gains = Mapping[tuple[int, int], float]  # of two things in one group, the smaller first


def sizes_of(count: int, most: int) -> list[int]:
    """As few groups as there can be, as equal as they can be."""
    groups = -(-count // most)
    return [count // groups + (number < count % groups) for number in range(groups)]


def parted(things: Sequence[int], sizes: Sequence[int], gains: Gains) -> list[tuple[int, ...]]:
    """The best of some local optima: no exchange of two things makes the gains greater."""
    rng = random.Random(0)
    tried = [_improved(_dealt(rng.sample(list(things), len(things)), sizes), gains) for _ in range(STARTS)]
    best = max(tried, key=lambda groups: sum(_inside(group, gains) for group in groups))
    return sorted(tuple(sorted(group)) for group in best)


def _dealt(things: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [list(things[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _inside(group: Sequence[int], gains: Gains) -> float:
    return sum(gains[min(pair), max(pair)] for pair in combinations(group, 2))


def _improved(groups: list[list[int]], gains: Gains) -> list[list[int]]:
    between = {(a, b): gain for pair, gain in gains.items() for a, b in (pair, pair[::-1])}
    better = True
    while better:
        better = False
        for one, other in combinations(groups, 2):
            for i, j in product(range(len(one)), range(len(other))):
                if _gain(one, i, other, j, between) > 1e-9:
                    one[i], other[j] = other[j], one[i]
                    better = True
    return groups


def _gain(one: Sequence[int], i: int, other: Sequence[int], j: int, between: Gains) -> float:
    """How much better it is if two things change places."""
    a, b = one[i], other[j]
    there = sum(between[b, each] - between[a, each] for each in one if each != a)
    return there + sum(between[a, each] - between[b, each] for each in other if each != b)
