"""States packed for files: in an order, as differences, with as many bits as these have.

States that were put in order, by the bits that come after those in which all agree, begin with a number that never
falls: its rises are told by single bits (Elias 1974, Fano 1971), at most three a state. What is left of a state, and
the other words of one of several, are numbers of as many bits as the greatest of a block has.

Often the exclusive or of all fields of a state is always the same, as where they hold a permutation, or what is on each
place of a board. Folded, a field is the exclusive or of itself and of all before it, so the last one need not be kept.
Folding is one to one whatever the fields are: how wide they may be is guessed from a sample, and what is won is what
all states of a frame have in common.

What has to be true: unpacked is what was packed, in an order of its own; what was not packed here is refused, or
becomes states of no meaning, and nothing behind an array's end is read for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from typing import Any

import numpy as np

from search.kernels.calls import lowest_bit
from search.kernels.driver import Counts, Words
from search.kernels.loading import kernel
from search.kernels.records import inner, signed

BLOCK = 1024  # numbers packed with one width,
LANES = 32  # so many at a time, by the vectors that a processor has
HEAD = 5  # words before what is packed: a fold, a shift, low bits that are left out, the first state, words of rises
DIGIT = 9  # bits that states are put in order by at a time,
TWICE = 2 * DIGIT  # in two passes
SAMPLE = 256  # states
WIDEST = 8  # bits of fields that are tried
PLAIN = 64  # the shift of states in no order
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_FULL = np.uint64(64)
_SIX = np.uint64(6)
_SIXTY_THREE = np.uint64(63)
_HALF = np.uint64(32)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


# --- in order ---------------------------------------------------------------------------------------------------------


@inner
def folded(word: Any, fold: Any) -> Any:
    """Each bit as the exclusive or of itself and of those `fold`, 2 * `fold` ... places above it; 0: as it is."""
    step = fold
    while 0 < step < 64:
        word ^= word >> np.uint64(step)
        step *= 2
    return word


@kernel
def fold_of(states: Words, n: int, words: int) -> int:
    """The width of fields that lets most low bits of a sample be left out; 0 where none is better than none."""
    best, most, step = 0, -1, (n + SAMPLE - 1) // SAMPLE
    for fold in range(WIDEST + 1):
        first, varied = folded(states[0], fold), _NONE
        for i in range(0, n, step):
            varied |= folded(states[i * words], fold) ^ first
        low = signed(lowest_bit(varied)) if varied != _NONE else 64
        if low > most:
            best, most = fold, low
    return best


@kernel
def order_states(states: Words, spare: Words, n: int, words: int, fold: int, counts: Counts) -> int:
    """Fold first words, and put the states in the order of what they have above the shift, which is the answer."""
    fold_words(states, n, words, fold)
    varied = _NONE
    for i in range(n):
        varied |= states[i * words] ^ states[0]
    width = min(TWICE, bits_of_word(np.uint64(n)))
    shift = max(0, bits_of_word(varied) - width)
    low, high = shift, shift + width // 2
    count_digits(states, n, words, low, width // 2, high, width - width // 2, counts)
    deal_by(states, spare, n, words, low, width // 2, counts[: 1 << DIGIT])
    deal_by(spare, states, n, words, high, width - width // 2, counts[1 << DIGIT :])
    return shift  # type: ignore[no-any-return]


@inner
def fold_words(states: Any, n: Any, words: Any, fold: Any) -> Any:
    """All first words, a step at a time."""
    step = fold
    while 0 < step < 64:
        by = np.uint64(step)
        if words == 1:
            for i in range(n):
                states[i] ^= states[i] >> by
        else:
            for i in range(n):
                states[i * words] ^= states[i * words] >> by
        step *= 2


@inner
def count_digits(states: Any, n: Any, words: Any, low: Any, few: Any, high: Any, many: Any, counts: Any) -> Any:
    """How many states have less of a digit than each value, for two digits."""
    one, one_mask = np.uint64(low), (_ONE << np.uint64(few)) - _ONE
    two, two_mask = np.uint64(high), (_ONE << np.uint64(many)) - _ONE
    counts[:] = 0
    for i in range(n):
        counts[signed((states[i * words] >> one) & one_mask)] += 1
        counts[(1 << DIGIT) + signed((states[i * words] >> two) & two_mask)] += 1
    total = 0
    for value in range(2 << DIGIT):
        if value == 1 << DIGIT:
            total = 0
        size = counts[value]
        counts[value] = total
        total += size


@inner
def deal_by(states: Any, spare: Any, n: Any, words: Any, shift: Any, digit: Any, places: Any) -> Any:
    """Those of equal digits one after the other, as they come."""
    at, mask = np.uint64(shift), (_ONE << np.uint64(digit)) - _ONE
    for i in range(n):
        value = signed((states[i * words] >> at) & mask)
        to = places[value]
        places[value] = to + 1
        for word in range(words):
            spare[to * words + word] = states[i * words + word]


@inner
def bits_of_word(word: Any) -> Any:
    width = 0
    while width < 64 and word >> np.uint64(width) != _NONE:
        width += 1
    return width


# --- packing ----------------------------------------------------------------------------------------------------------


@kernel
def pack_states(states: Words, n: int, words: int, fold: int, shift: int, block: Words, out: Words) -> int:
    """States, folded and in order: a head, rises of what is above the shift, then for each block and word of a state a
    width, and the bits that differ from the last state of the block before. The number of words written."""
    if n == 0:
        return 0
    first, mask = states[0], low_mask(shift)
    left_out = common_bits(states, n, words, mask)
    rises = write_rises(states, n, words, shift, out[HEAD:])
    out[0], out[1], out[2] = np.uint64(fold), np.uint64(shift), np.uint64(left_out)
    out[3], out[4] = first, np.uint64(rises)
    end = HEAD + rises
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        rows = (size + LANES - 1) // LANES
        for word in range(words):
            before = first if word == 0 else _NONE
            if start > 0:
                before = states[(start - 1) * words + word]
            block[size : rows * LANES] = _NONE
            if word == 0:
                copy_word(states[start * words :], size, words, 0, before, mask, left_out, block)
            else:
                copy_word(states[start * words :], size, words, word, before, ~_NONE, 0, block)
            width = bits_of(block[:size])
            out[end] = np.uint64(width)
            taken = packed_words(rows, width)
            pack_block(block, rows, width, out[end + 1 : end + 1 + taken])
            end += 1 + taken
    return end  # type: ignore[no-any-return]


@inner
def low_mask(shift: Any) -> Any:
    return (_ONE << np.uint64(shift)) - _ONE if shift < PLAIN else ~_NONE


@inner
def common_bits(states: Any, n: Any, words: Any, mask: Any) -> Any:
    """So many low bits are the same in all first words; less than 64."""
    varied = ~mask
    for i in range(n):
        varied |= states[i * words] ^ states[0]
    return min(63, signed(lowest_bit(varied))) if varied != _NONE else 63


@inner
def write_rises(states: Any, n: Any, words: Any, shift: Any, out: Any) -> Any:
    """For each state as many zeros as it is above the last one, and a one; how many words that takes."""
    if shift >= PLAIN:
        return 0
    at = np.uint64(shift)
    base = states[0] >> at
    taken = (signed((states[(n - 1) * words] >> at) - base) + n + 63) // 64
    out[:taken] = _NONE
    for i in range(n):
        place = signed((states[i * words] >> at) - base) + i
        out[place // 64] |= _ONE << np.uint64(place % 64)
    return taken


@inner
def copy_word(states: Any, size: Any, words: Any, word: Any, before: Any, mask: Any, left_out: Any, block: Any) -> Any:
    """One word of each state."""
    low = np.uint64(left_out)
    if words == 1:
        for i in range(size):
            block[i] = ((states[i] ^ before) & mask) >> low
    else:
        for i in range(size):
            block[i] = ((states[i * words + word] ^ before) & mask) >> low


@inner
def bits_of(numbers: Any) -> Any:
    """That the greatest of them has."""
    either = _NONE
    for i in range(len(numbers)):
        either |= numbers[i]
    return bits_of_word(either)


@inner
def packed_words(rows: Any, width: Any) -> Any:
    """That rows of numbers of so many bits take: those of a lane follow one another, and words of lanes take turns."""
    return (rows * width + 63) // 64 * LANES


@inner
def pack_block(block: Any, rows: Any, width: Any, out: Any) -> Any:
    out[:] = _NONE
    for row in range(rows if width > 0 else 0):
        at, shift = row * width // 64 * LANES, row * width % 64
        numbers, lows, highs = block[row * LANES : row * LANES + LANES], out[at : at + LANES], out[at + LANES :]
        left, right = np.uint64(shift), np.uint64(64 - shift)
        for lane in range(LANES):
            lows[lane] |= numbers[lane] << left
        if shift + width > 64:
            for lane in range(LANES):
                highs[lane] = numbers[lane] >> right


# --- unpacking --------------------------------------------------------------------------------------------------------


@inner
def has_head(packed: Any) -> Any:
    """Is there one that may be believed?"""
    return (len(packed) >= HEAD and packed[0] < _FULL and packed[1] <= _FULL and packed[2] < _FULL
            and packed[4] <= np.uint64(len(packed) - HEAD))  # fmt: skip


@kernel
def unpack_states(packed: Words, n: int, words: int, block: Words, uppers: Words, out: Words) -> bool:
    """What `pack_states` has packed; False: that is not what this is."""
    if n == 0:
        return len(packed) == 0
    if not has_head(packed):
        return False
    before, place, end = packed[3], 0, HEAD + signed(packed[4])
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        rows = (size + LANES - 1) // LANES
        place = read_rises(packed, place, start, size, uppers)
        for word in range(words):
            taken = block_at(packed, end, rows)
            if place < 0 or taken < 0:
                return False
            unpack_block(packed[end + 1 : end + 1 + taken], rows, signed(packed[end]), block)
            end += 1 + taken
            if word == 0:
                before = first_words(packed, size, before, uppers, block)
                put_word(block, size, words, 0, _NONE, out[start * words :])
            else:
                last = out[(start - 1) * words + word] if start > 0 else _NONE
                put_word(block, size, words, word, last, out[start * words :])
    return end == len(packed)  # type: ignore[no-any-return]


@inner
def block_at(packed: Any, end: Any, rows: Any) -> Any:
    """How many words the numbers of the block take that begins there; -1: there is none."""
    if end >= len(packed) or packed[end] > _FULL:
        return -1
    taken = packed_words(rows, signed(packed[end]))
    return taken if end + 1 + taken <= len(packed) else -1


@inner
def read_rises(packed: Any, place: Any, start: Any, size: Any, uppers: Any) -> Any:
    """How far states start..start + size - 1 are above the first one; the place of the next rise, -1: there is none."""
    if packed[1] == _FULL:
        uppers[:size] = _NONE
        return 0
    rises = packed[HEAD : HEAD + signed(packed[4])]
    at, word = place // 64, _NONE
    if at < len(rises):
        word = rises[at] >> np.uint64(place % 64) << np.uint64(place % 64)
    for i in range(size):
        while word == _NONE:
            at += 1
            if at >= len(rises):
                return -1
            word = rises[at]
        place = at * 64 + signed(lowest_bit(word))
        uppers[i] = np.uint64(place - start - i)
        word &= word - _ONE
    return place + 1


@inner
def first_words(packed: Any, size: Any, before: Any, uppers: Any, block: Any) -> Any:
    """Make first words of the numbers of a block; the last one as it was packed."""
    fold, shift, left_out = packed[0], packed[1], packed[2]
    mask, base = ~_NONE, _NONE
    if shift < _FULL:
        mask = (_ONE << shift) - _ONE
        base = packed[3] & ~mask
    else:
        shift = _NONE
    before &= mask
    again = ~_NONE if fold > _NONE else _NONE
    for i in range(size):
        word = (base + (uppers[i] << shift)) | ((block[i] << left_out) ^ before)
        uppers[i] = word
        block[i] = word ^ ((word >> fold) & again)
    return uppers[size - 1]


@inner
def put_word(block: Any, size: Any, words: Any, word: Any, before: Any, out: Any) -> Any:
    """One word of each state."""
    if words == 1:
        for i in range(size):
            out[i] = block[i] ^ before
    else:
        for i in range(size):
            out[i * words + word] = block[i] ^ before


@inner
def unpack_block(packed: Any, rows: Any, width: Any, block: Any) -> Any:
    mask = ~_NONE if width == 64 else (_ONE << np.uint64(width)) - _ONE
    for row in range(rows):
        at, shift = row * width // 64 * LANES, row * width % 64
        lows, highs, out = packed[at : at + LANES], packed[at + LANES :], block[row * LANES : row * LANES + LANES]
        right, left = np.uint64(shift), np.uint64(64 - shift)
        if width == 0:
            out[:] = _NONE
        elif shift + width <= 64:
            for lane in range(LANES):
                out[lane] = (lows[lane] >> right) & mask
        else:
            for lane in range(LANES):
                out[lane] = ((lows[lane] >> right) | (highs[lane] << left)) & mask


@inner
def bit_of(states: Any, first: Any, words: Any, shift: Any) -> Any:
    """The bit of a filter that belongs to a state."""
    mixed = states[first] * _FACTOR
    for word in range(first + 1, first + words):
        mixed = (mixed ^ (mixed >> _HALF) ^ states[word]) * _FACTOR
    return mixed >> shift


@kernel
def strain_packed(packed: Words, n: int, block: Words, uppers: Words, shift: np.uint64, bits: Words, out: Words) -> int:
    """Write those packed states of one word whose bits of a filter are set, and their number; -1: that is not what this
    is. `out` has room for one more."""
    if n == 0 or not has_head(packed):
        return 0 if n == len(packed) else -1
    before, place, end, kept = packed[3], 0, HEAD + signed(packed[4]), _NONE
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        rows = (size + LANES - 1) // LANES
        place = read_rises(packed, place, start, size, uppers)
        taken = block_at(packed, end, rows)
        if place < 0 or taken < 0:
            return -1
        unpack_block(packed[end + 1 : end + 1 + taken], rows, signed(packed[end]), block)
        before = first_words(packed, size, before, uppers, block)
        for i in range(size):
            out[kept] = block[i]
            bit = bit_of(out, kept, 1, shift)
            kept += (bits[bit >> _SIX] >> (bit & _SIXTY_THREE)) & _ONE
        end += 1 + taken
    return signed(kept) if end == len(packed) else -1


class Packer:
    """States of some words to packed ones and back. Arrays are used again: what it gives holds until it gives more."""

    def __init__(self, words: int) -> None:
        self.words = words
        self._spare, self._packed, self._unpacked, self._read = (np.empty(0, np.uint64) for _ in range(4))
        self._counts = np.empty(2 << DIGIT, np.int64)
        self._block, self._uppers = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)

    def read(self, source: BufferedReader, words: int) -> Words:
        """So many words of a file; ValueError: it has no more."""
        if len(self._read) < words:
            self._read = np.empty(words * 5 // 4, np.uint64)
        if source.readinto(self._read[:words].data) != words * 8:
            raise ValueError("it ends too soon")
        return self._read[:words]

    def ordered(self, states: Words, most: int) -> Iterator[tuple[Words, int]]:
        """The states, which are lost thereby, in an order that packs well: so many at a time, and how many."""
        n = len(states) // self.words
        if not n:
            return
        if len(self._spare) < len(states):
            self._spare = np.empty(len(states) * 5 // 4, np.uint64)
        fold = fold_of(states, n, self.words)
        shift = order_states(states, self._spare, n, self.words, fold, self._counts)
        for first in range(0, n, most):
            size = min(most, n - first)
            yield self._frame(states[first * self.words :], size, fold, shift), size

    def packed(self, states: Words) -> Words:
        """As they come."""
        return self._frame(states, len(states) // self.words, 0, PLAIN)

    def _frame(self, states: Words, n: int, fold: int, shift: int) -> Words:
        rises = n // 64 + (1 << TWICE) // 64 + 1
        need = n * self.words + (n // BLOCK + 1) * self.words * (BLOCK + 1) + rises + HEAD  # with every bit of all
        if len(self._packed) < need:
            self._packed = np.empty(need, np.uint64)
        return self._packed[: pack_states(states, n, self.words, fold, shift, self._block, self._packed)]

    def unpacked(self, packed: Words, n: int) -> Words:
        """ValueError: these are no packed states."""
        if len(self._unpacked) < n * self.words:
            self._unpacked = np.empty(n * self.words, np.uint64)
        out = self._unpacked[: n * self.words]
        if not unpack_states(packed, n, self.words, self._block, self._uppers, out):
            raise ValueError("no packed states")
        return out

    def strained(self, packed: Words, n: int, shift: np.uint64, bits: Words, out: Words) -> int:
        """Of packed states of one word those that a filter lets through; ValueError as above."""
        kept = strain_packed(packed, n, self._block, self._uppers, shift, bits, out)
        if kept < 0:
            raise ValueError("no packed states")
        return kept


# --- checksums --------------------------------------------------------------------------------------------------------


@kernel
def digest(words: Words, seed: np.uint64) -> np.uint64:
    """A checksum in which every word counts: of two that differ in one word it is another one."""
    one = two = three = four = seed
    whole = len(words) // 4 * 4
    for i in range(0, whole, 4):
        one, two = stirred(one, words[i]), stirred(two, words[i + 1])
        three, four = stirred(three, words[i + 2]), stirred(four, words[i + 3])
    for i in range(whole, len(words)):
        one = stirred(one, words[i])
    return stirred(stirred(stirred(stirred(np.uint64(len(words)), one), two), three), four)  # type: ignore[no-any-return]


@inner
def stirred(check: Any, word: Any) -> Any:
    """One to one in either, when the other stays."""
    check = (check ^ word) * _FACTOR
    return check ^ (check >> _HALF)
