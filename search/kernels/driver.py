"""What all drivers of kernels share: the machine, its successors, memory, limits, and plans from paths of states.

A driver calls its kernel again and again, about twenty times a second; in between, control is here: counters move into
the statistics, and clock, memory, progress and Ctrl-C get their turn. A kernel never expands more states than it is
allowed to, so the limit on nodes is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from models.outcomes import Limits, Outcome
from models.resident import physical_memory_mb
from search.space import Found, LimitReached, SearchSpace, resident_memory_mb

P = ParamSpec("P")
T = TypeVar("T")
Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.int64]

MIB = 1 << 20
MOST_STATES = (1 << 32) - 2  # the numbers of states have 32 bits, and one of them means none
SUCCESSORS = 65_536  # of one batch, unless one state alone may have more
BATCH = 256  # states expanded together, at most
UNHURRIED = 0.1  # seconds that a kernel may be away, about


class Status(IntEnum):
    """What a kernel comes back with: the search is over, or something has to be done before it goes on."""

    DONE = 0  # nothing is left to be expanded
    FOUND = 1  # a goal, or a state that the other side knows
    HORIZON = 2  # all that is left is beyond the ceiling
    PAUSED = 3  # as much has been done as was allowed
    NODE_LIMIT = 4  # a state was about to be expanded that must not be
    TOO_LARGE = 5  # a cost or an estimate, for machine words
    STATES_FULL = 6  # there is no room for more states, or not in their table
    STACK_FULL = 7  # for the successors of one more state
    LAYERS_FULL = 8  # for the start of one more layer
    ENTRIES_FULL = 9  # on the open list
    BUCKETS_FULL = 10  # of the open list


class NativeModel(Protocol):
    """A compiled puzzle: addresses for kernels, and the same as Python functions, where a state is one int."""

    @property
    def words(self) -> int: ...
    @property
    def branching(self) -> int: ...
    @property
    def expand(self) -> int: ...
    @property
    def goal(self) -> int: ...
    @property
    def initial(self) -> int: ...
    @property
    def unit_cost(self) -> bool: ...
    def running(self) -> None:
        """To be told between two calls."""
        ...

    def is_goal(self, state: int) -> bool: ...
    def successors(self, state: int) -> list[tuple[int, int, int]]:
        """(action, successor, cost), in the order of `expand`."""
        ...

    def backward(self) -> NativeModel:
        """Its successors are the predecessors; may raise Unsupported."""
        ...


def machine_of(space: SearchSpace) -> NativeModel:
    return cast(NativeModel, space.machine)


class Functions(NamedTuple):
    """A puzzle's functions by address (0: there is none), and the sizes of what they read and write."""

    expand: int
    goal: int
    estimate: int
    words: int  # of a state
    branching: int  # successors of a state, at most


def functions_of(machine: NativeModel, estimate: int = 0) -> Functions:
    """They are there as long as the machine is: whoever calls them has to hold it."""
    return Functions(machine.expand, machine.goal, estimate, machine.words, machine.branching)


class Successors(NamedTuple):
    """Those of one batch of states, as `expand` writes them, and room for the hash of each or the home of its cell."""

    states: Words
    actions: Numbers
    parents: Numbers
    costs: Counts
    hashes: Words
    batch: int  # states expanded together, at most


def room_for_successors(machine: NativeModel) -> Successors:
    most = max(1, machine.branching)
    batch = max(1, min(BATCH, SUCCESSORS // most))
    room = batch * most
    return Successors(
        states=np.empty(room * machine.words, np.uint64),
        actions=np.empty(room, np.uint32),
        parents=np.empty(room, np.uint32),
        costs=np.empty(room, np.int64),
        hashes=np.empty(room, np.uint64),
        batch=batch,
    )


# --- states as ints and as words --------------------------------------------------------------------------------------


def words_of(states: Sequence[int], words: int) -> Words:
    return np.frombuffer(b"".join(state.to_bytes(8 * words, "little") for state in states), np.uint64).copy()


def state_at(states: Words, number: int, words: int) -> int:
    return int.from_bytes(states[number * words : (number + 1) * words].tobytes(), "little")


def path_of(states: Words, parents: Numbers, number: int, words: int) -> list[int]:
    """The states from where the search began to this one; a root is its own parent."""
    path = [state_at(states, number, words)]
    while (parent := int(parents[number])) != number:
        number = parent
        path.append(state_at(states, number, words))
    return path[::-1]


def actions_along(machine: NativeModel, states: Sequence[int], cheapest: bool = True) -> Found:
    """The plan that visits these states one after the other, by the cheapest actions or by the first that do it."""
    actions, cost = [], 0
    for state, target in zip(states, states[1:], strict=False):
        steps = [(action, price) for action, successor, price in machine.successors(state) if successor == target]
        action, price = min(steps, key=lambda step: step[1]) if cheapest else steps[0]
        actions.append(action)
        cost += price
    return Found(cast(Any, tuple(actions)), cost)


# --- memory -----------------------------------------------------------------------------------------------------------


def room_for(limits: Limits, bytes_per_state: float) -> int:
    """How many states the memory could hold at all. Arrays of that size may be made at once by `np.empty`: memory that
    is never touched costs nothing, arrays never move, and NumPy asks for huge pages."""
    budget = physical_memory() * 0.9
    if limits.memory_mb is not None:
        budget = min(budget, limits.memory_mb * MIB)
    room = max(1, min(MOST_STATES, int(budget / bytes_per_state)))
    while not _addressable(int(room * bytes_per_state)):
        room //= 2
    return room


def _addressable(size: int) -> bool:
    try:
        np.empty(size, np.uint8)
    except MemoryError:
        if size < MIB:
            raise LimitReached(Outcome.MEMORY_LIMIT) from None
        return False
    return True


def bounded(function: Callable[P, T]) -> Callable[P, T]:
    """Memory that the system refuses ends the search like a limit."""

    @wraps(function)
    def run(*args: P.args, **options: P.kwargs) -> T:
        try:
            return function(*args, **options)
        except MemoryError:
            raise LimitReached(Outcome.MEMORY_LIMIT) from None

    return run


def grow(array: npt.NDArray[Any], least: int) -> None:
    """Make an array half as long again, at least `least`, where it stands if possible; nobody may hold a view of it."""
    array.resize(max(least, len(array) * 3 // 2), refcheck=False)


def physical_memory() -> int:
    """Bytes."""
    return int(physical_memory_mb() * MIB)


# --- limits -----------------------------------------------------------------------------------------------------------


def nodes_left(space: SearchSpace, wanted: int) -> int:
    """How many of the wanted expansions are allowed; LimitReached if none is, and no more are granted."""
    if space.limits.nodes is None:
        return wanted
    left = space.limits.nodes - space.statistics.expanded
    if left <= 0:
        space.ask_for_nodes()
        return nodes_left(space, wanted)
    return min(wanted, left)


def checkpoint(space: SearchSpace) -> None:
    """Tell the progress; LimitReached if time or memory is used up. To be called before every kernel."""
    space.check_resources()
    machine_of(space).running()


def require_memory(space: SearchSpace, size: int) -> None:
    """LimitReached if `size` more bytes would exceed the limit on memory: ask before they are touched."""
    limit = space.limits.memory_mb
    before = space.limits.memory_before or 0
    if limit is not None and resident_memory_mb() - before + size / MIB >= limit:
        raise LimitReached(Outcome.MEMORY_LIMIT)


class Pace:
    """How much work to give to a kernel so that it is back in time, by the speed of the last call."""

    def __init__(self, work: int = 4096) -> None:
        self.work = work
        self._began = 0.0

    def start(self) -> int:
        self._began = time.perf_counter()
        return self.work

    def stop(self) -> None:
        away = time.perf_counter() - self._began
        if away < UNHURRIED / 4:
            self.work = min(self.work * 2, 1 << 30)
        elif away > UNHURRIED and self.work > 1:
            self.work //= 2
