"""States that a hash table can only tell apart by comparing them."""

from __future__ import annotations

import numpy as np

from search.kernels import table


def with_equal_tags(words: int) -> list[tuple[int, int]]:
    """Pairs of states, of one word or two, that differ in the last word and whose hashes have the same upper half."""
    last = np.random.default_rng(words).integers(0, 2**64, 300_000, dtype=np.uint64)
    before = table.mix(np.zeros(1, np.uint64)) if words == 2 else np.zeros(1, np.uint64)
    hashes = table.mix(before ^ last)
    tags = hashes >> np.uint64(32)
    order = np.argsort(tags)
    places = np.flatnonzero(tags[order][1:] == tags[order][:-1])
    ends = zip(last[order][places].tolist(), last[order][places + 1].tolist(), strict=True)
    return [(one << 64 * (words - 1), other << 64 * (words - 1)) for one, other in ends]
