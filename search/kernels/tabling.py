"""Distance tables of images of tasks: a state is a number, taken apart and put together here, and expanded by its code.

A table has a byte for each number: the least cost from the state to a goal, FULL for that or more, DEAD where no way
leads to a goal. It is filled from the goals by levels of equal distance, by the code of the task turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.outcomes import Unsupported
from search.abstractions import derived as told
from search.abstractions.pieces import pieces, sums
from search.abstractions.ranking import Bytes, Ranking, census, words_between
from search.compiler.layout import Layout
from search.kernels.calls import call_goal, expand_states, prefetch
from search.kernels.driver import (
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Pace,
    Successors,
    Words,
    functions_of,
    room_for_successors,
)
from search.kernels.loading import kernel
from search.kernels.records import Ledger, inner, signed
from search.spaces.state_space import Graph, row_starts

FULL, DEAD = 254, 255  # told here too, since compiled kernels are kept under this package's text
assert (FULL, DEAD) == (told.FULL, told.DEAD)
Look = Callable[[], None]  # called between two kernels; it may raise
PORTION = 256  # states that are tested together for being goals
AT_ONCE = 1 << 20  # numbers that are gone through between two looks at the limits
_ONE = np.uint64(1)


class Arrays(NamedTuple):
    """A ranking as kernels read it."""

    pieces: Counts  # for each piece its word, its shift, its mask, and where its sums begin
    sums: Counts
    census: Counts  # how often each class is there that a digit is about, for the same pieces; empty where all will do
    whole: int  # what that has to be
    radices: Counts
    parts: Words  # for each value of each digit, what it adds to the words of a state
    base: Words  # the words that this is added to
    apart: bool


class Spread(Ledger):
    """How far a level has come: entries head..end-1 of the queue are its states that have not been expanded."""

    level: int
    head: int
    end: int
    ahead: int  # states of the next level
    jumps: int  # has anything been reached beyond that?


class Pass(Ledger):
    """Numbers head..stop-1 are still to be looked at; `found` are what that has come to."""

    head: int
    stop: int
    found: int
    states: int  # images among those that were looked at
    lost: int  # has a step led to a state without a number?


@inner
def number_of(arrays: Arrays, states: Any, first: Any) -> Any:
    """The number of the state that begins at word `first`."""
    total = 0
    for k in range(0, len(arrays.pieces), 4):
        word = states[first + arrays.pieces[k]] >> np.uint64(arrays.pieces[k + 1])
        total += arrays.sums[arrays.pieces[k + 3] + signed(word & np.uint64(arrays.pieces[k + 2]))]
    return total


@inner
def is_whole(arrays: Arrays, states: Any, first: Any) -> Any:
    """Has the state a number: is each class that the number tells of just once there?"""
    if len(arrays.census) == 0:
        return True
    total = 0
    for k in range(0, len(arrays.pieces), 4):
        word = states[first + arrays.pieces[k]] >> np.uint64(arrays.pieces[k + 1])
        total += arrays.census[arrays.pieces[k + 3] + signed(word & np.uint64(arrays.pieces[k + 2]))]
    return total == arrays.whole


@inner
def number_if_whole(arrays: Arrays, states: Any, first: Any) -> Any:
    """Both at once; -1: it has none."""
    total, there = 0, 0
    for k in range(0, len(arrays.pieces), 4):
        word = states[first + arrays.pieces[k]] >> np.uint64(arrays.pieces[k + 1])
        at = arrays.pieces[k + 3] + signed(word & np.uint64(arrays.pieces[k + 2]))
        total += arrays.sums[at]
        if len(arrays.census) > 0:
            there += arrays.census[at]
    return total if there == arrays.whole else -1


@inner
def put(arrays: Arrays, number: Any, states: Any, first: Any) -> Any:
    """Write the state with that number; False where there is none, since two digits are the same."""
    words = len(arrays.base)
    for word in range(words):
        states[first + word] = arrays.base[word]
    start, used, left = 0, np.uint64(0), np.uint64(number)
    for digit in range(len(arrays.radices)):
        radix = np.uint64(arrays.radices[digit])
        value = left % radix
        left //= radix
        if arrays.apart:
            bit = _ONE << value
            if used & bit:
                return False
            used |= bit
        for word in range(words):
            states[first + word] += arrays.parts[(start + signed(value)) * words + word]
        start += arrays.radices[digit]
    return True


@inner
def put_some(arrays: Arrays, work: Pass, most: Any, states: Any, numbers: Any) -> Any:
    """Write the next states, at most so many, with their numbers; how many there are."""
    n = 0
    while work.head < work.stop and n < most:
        if put(arrays, work.head, states, n * len(arrays.base)):
            numbers[n] = work.head
            n += 1
        work.head += 1
    work.states += n
    return n


@kernel
def plant(
    puzzle: Functions, arrays: Arrays, far: Bytes, work: Pass, queue: Numbers, states: Words, numbers: Counts
) -> None:
    """Goals are at distance 0: the first level."""
    while work.head < work.stop:
        n = put_some(arrays, work, len(numbers), states, numbers)
        at = call_goal(puzzle.goal, states, 0, n)
        while at < n:
            far[numbers[at]] = 0
            queue[work.found] = numbers[at]
            work.found += 1
            at += 1
            at += call_goal(puzzle.goal, states, at * puzzle.words, n - at)


@kernel
def spread(
    puzzle: Functions, arrays: Arrays, far: Bytes, spread: Spread, queue: Numbers, ahead: Numbers, most: int,
    states: Words, numbers: Counts, out: Successors,
) -> None:  # fmt: skip
    """Expand about so many states of a level. What comes nearer by it is on this level, on the next, or beyond."""
    words, level = puzzle.words, spread.level
    while spread.head < spread.end and most > 0:
        n = 0
        while spread.head < spread.end and n < out.batch:
            number = np.int64(queue[spread.head])
            spread.head += 1
            if far[number] == level and put(arrays, number, states, n * words):
                n += 1
        most -= n
        count = expand_states(puzzle, states, 0, n, out)
        for i in range(count):
            numbers[i] = number_of(arrays, out.states, i * words)
            prefetch(far, numbers[i])
        for i in range(count):
            cost = FULL if out.costs[i] >= FULL - level else level + out.costs[i]
            if numbers[i] < len(far) and cost < far[numbers[i]] and is_whole(arrays, out.states, i * words):
                far[numbers[i]] = cost
                if cost == level:
                    queue[spread.end] = numbers[i]
                    spread.end += 1
                elif cost == level + 1:
                    ahead[spread.ahead] = numbers[i]
                    spread.ahead += 1
                else:
                    spread.jumps = 1


@kernel
def refute(
    puzzle: Functions, arrays: Arrays, far: Bytes, work: Pass, states: Words, numbers: Counts, after: Counts,
    out: Successors,
) -> None:  # fmt: skip
    """Look for a state whose table entry is no estimate: a goal that is not at 0, a step that costs less than what it
    takes off, one out of a dead state, or one that leads out of the table. `found` is its number and one more."""
    words = puzzle.words
    while work.head < work.stop:
        n = put_some(arrays, work, out.batch, states, numbers)
        at = call_goal(puzzle.goal, states, 0, n)
        while at < n:
            if far[numbers[at]] != 0:
                work.found = numbers[at] + 1
                return
            at += 1
            at += call_goal(puzzle.goal, states, at * words, n - at)
        count = expand_states(puzzle, states, 0, n, out)
        for i in range(count):
            after[i] = number_if_whole(arrays, out.states, i * words)
            if after[i] < 0:
                work.found = numbers[out.parents[i]] + 1
                return
            prefetch(far, after[i])
        for i in range(count):
            source, left = numbers[out.parents[i]], far[after[i]]
            if left != DEAD and (far[source] == DEAD or (left < FULL and far[source] > left + out.costs[i])):
                work.found = source + 1
                return


@kernel
def list_steps(
    puzzle: Functions, arrays: Arrays, work: Pass, sizes: Counts, targets: Numbers, costs: Counts, states: Words,
    numbers: Counts, out: Successors,
) -> None:  # fmt: skip
    """Append the steps out of all states, by number; it stops where there may be no room for the next ones."""
    words = puzzle.words
    while work.head < work.stop and work.found + len(out.actions) <= len(targets):
        n = put_some(arrays, work, out.batch, states, numbers)
        count = expand_states(puzzle, states, 0, n, out)
        for i in range(count):
            sizes[numbers[out.parents[i]]] += 1
            number = number_if_whole(arrays, out.states, i * words)
            work.lost += number < 0
            targets[work.found + i] = max(number, 0)
            costs[work.found + i] = out.costs[i]
        work.found += count


# --- drivers ----------------------------------------------------------------------------------------------------------


def arrays(ranking: Ranking, layout: Layout) -> Arrays:
    """For packed states of a layout in which every class is its own code."""
    cut = pieces(layout)
    starts = np.cumsum([0, *(1 << each.width for each in cut)])
    told = [(each.word, each.shift, (1 << each.width) - 1, start) for each, start in zip(cut, starts, strict=False)]
    filler = ranking.filler
    parts = [words_between([(i, new, filler[i])], layout) for digit in ranking.digits for i, new in digit]
    return Arrays(
        pieces=np.array(told, np.int64).reshape(-1),
        sums=_joined([sums(each, layout.fields, ranking.weights) for each in cut], np.int64),
        census=_joined([sums(e, layout.fields, census(ranking)) for e in cut] if ranking.apart else [], np.int64),
        whole=sum(1 << 8 * digit for digit in range(len(ranking.digits))) if ranking.apart else 0,
        radices=np.array([len(digit) for digit in ranking.digits], np.int64),
        parts=_joined(parts, np.uint64),
        base=words_between([(index, number, 0) for index, number in enumerate(filler)], layout),
        apart=ranking.apart,
    )


def _joined(found: Sequence[Any], kind: Any) -> Any:
    return np.concatenate([np.zeros(0, kind), *found])


class Tabling:
    """The table of one image, made and looked through by its code: `machine` has its rows, `goals` its goals."""

    def __init__(self, machine: NativeModel, goals: NativeModel, ranking: Ranking, layout: Layout, look: Look,
                 few: Sequence[int] | None = None) -> None:  # fmt: skip
        """`few`: the numbers of all goals, where somebody knows them."""
        self._functions = functions_of(machine)._replace(goal=goals.goal)
        self._held = machine, goals  # they are called by address
        self._machine, self.look, self._few = machine, look, few
        self.ranking, self.arrays = ranking, arrays(ranking, layout)

    def backwards(self) -> Bytes:
        """The table, from the goals on by the predecessors; Unsupported where these are not to be had."""
        back = self._machine.backward()
        far, queue = np.full(self.ranking.size, DEAD, np.uint8), np.empty(self.ranking.size, np.uint32)
        course = Spread(end=self._plant(far, queue))
        ahead, out = np.empty_like(queue), room_for_successors(back)
        states, numbers = np.empty(out.batch * back.words, np.uint64), np.empty(len(out.actions), np.int64)
        while course.level <= FULL:
            self._spread(functions_of(back), far, course, queue, ahead, states, numbers, out)
            course.level += 1
            queue, ahead = ahead, queue
            if course.jumps:
                found = np.flatnonzero(far == course.level)
                queue[: len(found)], course.ahead = found, len(found)
            elif not course.ahead:
                break
            course.head, course.end, course.ahead = 0, course.ahead, 0
        return far

    def _spread(
        self, puzzle: Functions, far: Bytes, course: Spread, queue: Numbers, ahead: Numbers, *room: Any
    ) -> None:
        pace = Pace()
        while course.head < course.end:
            self.look()
            spread(puzzle, self.arrays, far, course, queue, ahead, pace.start(), *room)
            pace.stop()

    def _plant(self, far: Bytes, queue: Numbers) -> int:
        """Mark the goals; how many there are."""
        if self._few is not None:
            queue[: len(self._few)], far[self._few] = self._few, 0
            return len(self._few)
        states, numbers = np.empty(PORTION * self._functions.words, np.uint64), np.empty(PORTION, np.int64)
        work = Pass()
        for stop in self._stops():
            work.stop = stop
            plant(self._functions, self.arrays, far, work, queue, states, numbers)
        return work.found

    def goals(self) -> Counts:
        """The numbers of the goals."""
        far, queue = np.full(self.ranking.size, DEAD, np.uint8), np.empty(self.ranking.size, np.uint32)
        return queue[: self._plant(far, queue)].astype(np.int64)

    def _stops(self) -> Iterator[int]:
        """Numbers up to which is worked between two looks at the limits."""
        for first in range(0, self.ranking.size, AT_ONCE):
            self.look()
            yield min(self.ranking.size, first + AT_ONCE)

    def refuted(self, far: Bytes) -> int | None:
        """The number of a state for which the table has no consistent estimate; None: it is one everywhere."""
        out = room_for_successors(self._machine)
        states, numbers = np.empty(out.batch * self._functions.words, np.uint64), np.empty(out.batch, np.int64)
        work, after = Pass(), np.empty(len(out.actions), np.int64)
        for stop in self._stops():
            work.stop = stop
            refute(self._functions, self.arrays, far, work, states, numbers, after, out)
            if work.found:
                return work.found - 1
        return None

    def steps(self, most: int) -> Graph:
        """All steps between states, by their numbers; Unsupported where they are more, or lead out of the table."""
        out = room_for_successors(self._machine)
        states, numbers = np.empty(out.batch * self._functions.words, np.uint64), np.empty(out.batch, np.int64)
        sizes, work = np.zeros(self.ranking.size, np.int64), Pass()
        targets, costs = np.empty(len(out.actions), np.uint32), np.empty(len(out.actions), np.int64)
        for stop in self._stops():
            work.stop = stop
            while work.head < stop:
                list_steps(self._functions, self.arrays, work, sizes, targets, costs, states, numbers, out)
                if work.found > most or work.lost:
                    raise Unsupported("too many steps between images, or such that lead out of the table")
                if work.head < stop:
                    targets, costs = _grown(targets), _grown(costs)
        return Graph(row_starts(sizes), targets[: work.found], costs[: work.found])


def _grown(array: Any) -> Any:
    return np.concatenate([array, np.empty_like(array)])
