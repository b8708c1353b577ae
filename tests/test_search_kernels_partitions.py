"""What layers on the disk rest on: states packed and unpacked, checksums, and the sieve with its filter."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from search.kernels.driver import Words  # noqa: E402
from search.kernels.packing import BLOCK, HEAD, LANES, Packer, digest  # noqa: E402
from search.kernels.partitions import WHOLE, Dealer, Sieve, hash_of  # noqa: E402

SIZES = (0, 1, LANES - 1, LANES, LANES + 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 77)


@pytest.mark.parametrize("words", [1, 2, 3])
def test_what_is_packed_comes_back(words: int) -> None:
    """Whatever the number of states and of bits that differ."""
    random, packer = Random(words), Packer(words)
    for size in SIZES:
        for bits in (0, 1, 31, 33, 38, 63, 64):
            base = random.getrandbits(64)
            states = np.array([base ^ random.getrandbits(bits) for _ in range(size * words)], np.uint64)
            packed = packer.packed(states).copy()
            assert np.array_equal(packer.unpacked(packed, size), states)
            most = BLOCK * (words > 1) + size * bits / 64  # the first block may have all bits of its states
            assert len(packed) <= (most + 4 * (1 + LANES)) * words + HEAD


@pytest.mark.parametrize("words", [1, 2, 3])
def test_what_is_packed_in_order_comes_back(words: int) -> None:
    """All of it, in whatever pieces, of states that are near each other, far from each other, or the same."""
    random, packer = Random(words), Packer(words)
    for size in SIZES:
        for bits in (0, 1, 7, 19, 33, 63, 64):
            base = random.getrandbits(64)
            states = [tuple(base ^ random.getrandbits(bits) for _ in range(words)) for _ in range(size)]
            found, _ = in_order(packer, packed(states), random.choice((size or 1, BLOCK, 77, 1)))
            assert sorted(found) == sorted(states)


def test_fields_of_which_the_last_follows_from_the_others_take_less() -> None:
    """Permutations of 16 numbers of four bits: 60 bits each, less what their order tells, and up to three for it.

    Widths are even."""
    random, packer, size = Random(5), Packer(1), 1 << 14
    states = [shuffled(random, 16, 4) for _ in range(size)]
    found, taken = in_order(packer, packed(states), size)
    assert sorted(found) == sorted(states)
    assert taken * 64 / size < 60 - 15 + 1 + 3 + 0.1
    found, taken = in_order(packer, packed([(state ^ random.getrandbits(4),) for (state,) in states]), size)
    assert taken * 64 / size > 64 - 15 + 1


def shuffled(random: Random, fields: int, width: int) -> tuple[int]:
    return (sum(value << width * place for place, value in enumerate(random.sample(range(fields), fields))),)


def in_order(packer: Packer, states: Words, most: int) -> tuple[list[tuple[int, ...]], int]:
    """What comes back, and how many words it took."""
    found: list[tuple[int, ...]] = []
    taken = 0
    for piece, number in packer.ordered(states, most):
        taken += len(piece)
        found += map(tuple, packer.unpacked(piece.copy(), number).reshape(-1, packer.words).tolist())
    return found, taken


def test_what_nobody_has_packed_is_refused() -> None:
    """No word behind its end is read, no width beyond that of a word believed, in order or as it came."""
    packer = Packer(1)
    states = np.arange(3 * LANES, dtype=np.uint64)
    packed = packer.packed(states).copy()
    for wrong in (packed[:-1], np.append(packed, packed[:1]), packed[:0], *altered(packed)):
        refuse(packer, wrong, len(states))
    refuse(packer, packed, BLOCK + 1)
    ordered = next(packer.ordered(states << np.uint64(20), len(states)))[0].copy()
    for wrong in (ordered[:HEAD], *altered(ordered)):
        refuse(packer, wrong, len(states))
    ordered[HEAD] = 1  # a rise for one state only
    ordered[HEAD + 1 : HEAD + int(ordered[4])] = 0
    refuse(packer, ordered, len(states))


def altered(packed: Words) -> Iterator[Words]:
    """With a fold, a shift, bits left out, words of rises, and a width, that are too large."""
    for at in (0, 1, 2, 4, HEAD + int(packed[4])):
        wrong = packed.copy()
        wrong[at] = 66 if at != 4 else len(packed)
        yield wrong


def refuse(packer: Packer, wrong: Words, states: int) -> None:
    bits, out = np.full(1, 2**64 - 1, np.uint64), np.empty(states + 1, np.uint64)
    with pytest.raises(ValueError, match="packed"):
        packer.unpacked(wrong, states)
    with pytest.raises(ValueError, match="packed"):
        packer.strained(wrong, states, np.uint64(58), bits, out)


def test_a_checksum_changes_with_every_bit_and_place() -> None:
    random = Random(3)
    for size in (1, 4, 7, 8):
        words = np.array([random.getrandbits(64) for _ in range(size)], np.uint64)
        seen = {
            int(digest(words, np.uint64(5))),
            int(digest(words, np.uint64(6))),
            int(digest(words[:-1], np.uint64(5))),
        }
        for at in range(size):
            for bit in (0, 1, 31, 32, 62, 63):
                words[at] ^= np.uint64(1 << bit)
                seen.add(int(digest(words, np.uint64(5))))
                words[at] ^= np.uint64(1 << bit)
        swapped = {int(digest(words[np.roll(np.arange(size), by)], np.uint64(5))) for by in range(1, size)}
        assert len(seen | swapped) == 3 + 6 * size + size - 1


def test_two_bits_at_the_end_of_words_do_not_cancel() -> None:
    words = np.zeros(16, np.uint64)
    before = checked(words)
    for one in range(16):
        for other in range(one):
            words[[one, other]] ^= np.uint64(1 << 63)
            assert checked(words) != before
            words[[one, other]] ^= np.uint64(1 << 63)


def checked(words: Words, seed: int = 5) -> int:
    return int(digest(words, np.uint64(seed)))


@pytest.mark.parametrize(("branching", "parts"), [(1, 2), (360, 256), (3, 64), (70_000, 2)])
def test_candidates_take_no_more_memory_than_they_may(branching: int, parts: int) -> None:
    """Unless the successors of a single state do: there is room for those of two."""
    machine: Any = SimpleNamespace(words=3, branching=branching, expand=0, goal=0)
    for size in (1 << 20, 64 << 20, 384 << 20):
        dealt = Dealer(machine, parts, size).dealt
        alone = 2 * branching * parts * 24
        assert max(alone, size - 512 * parts * 24) <= dealt.states.nbytes <= max(alone, size) + 520 * parts * 24


@pytest.mark.parametrize("words", [1, 2])
def test_what_a_sieve_leaves(words: int) -> None:
    """By Python's sets: candidates come more than once, known states a few at a time, most of them strangers; one
    sieve does task after task."""
    random, sieve, packer = Random(words), Sieve(words), Packer(words)
    for size in (0, 1, 5, 300, 3000):
        pool = [tuple(random.getrandbits(20) for _ in range(words)) for _ in range(4 * size + 8)]
        within = [state for state in pool if hash_of(np.array(state, np.uint64)) < WHOLE // 2]
        candidates = [random.choice(within) for _ in range(size)] if within else []
        sieve.begin(len(candidates), 0, WHOLE // 2)
        sieve.add(packed(candidates))
        known = [random.sample(pool, min(len(pool), 50 + size)) for _ in range(6)]
        for each in known:
            sieve.strike_packed(packer.packed(packed(each)), len(each), packer)
        rest = sieve.rest().reshape(-1, words)
        assert sorted(map(tuple, rest.tolist())) == sorted(
            set(candidates) - {state for each in known for state in each}
        )


def packed(states: list[tuple[int, ...]]) -> Words:
    return np.array([word for state in states for word in state], np.uint64)
