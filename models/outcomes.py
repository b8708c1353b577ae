"""How a run may end, what it was allowed, what it did: values shared by both paths and by the command line.

An outcome is a value, never None, a string or an exception. The words and exit codes are the ones a user sees in text,
in JSON and in the shell (the idea of unified-planning's results and of Fast Downward's exit codes); nothing else in
the project defines them.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from models.frozen import frozen
from models.resident import peak_memory_mb, resident_memory_mb

Operator = tuple[int, ...]
LONG_PATH = 1 << 20  # steps of a path that is longer than nearly all that are searched for
GAUGED = 64  # looks at the clock, of which one looks at the memory too
Stop = Callable[[], bool]  # has somebody asked for the end of the work?
More = Callable[[Any], "Limits | None"]  # other limits for a search, which is at rest meanwhile; None: it ends there


class Unsupported(Exception):
    """This backend cannot do that: the message says which construct or option, and where."""


class Outcome(StrEnum):
    """The one word a run ends with."""

    OPTIMAL = "optimal"
    SOLVED = "solved"
    UNPROVEN = "unproven"
    UNSOLVABLE = "unsolvable"
    NOT_FOUND = "not-found"
    HORIZON_EXHAUSTED = "horizon-exhausted"
    MEMORY_LIMIT = "memory-limit"
    TIME_LIMIT = "time-limit"
    NODE_LIMIT = "node-limit"
    DISK_LIMIT = "disk-limit"
    INVALID_INPUT = "invalid-input"
    UNSUPPORTED = "unsupported"
    DISAGREEMENT = "disagreement"
    VALID = "valid"
    REFUTED = "refuted"
    USAGE_ERROR = "usage-error"
    INTERNAL_ERROR = "internal-error"
    INTERRUPTED = "interrupted"

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self]


EXIT_CODES: dict[Outcome, int] = {
    Outcome.OPTIMAL: 0,  # a plan, proven best
    Outcome.SOLVED: 0,  # a plan, optimality neither asked for nor known
    Outcome.VALID: 0,  # what was asked holds
    Outcome.INTERNAL_ERROR: 1,
    Outcome.USAGE_ERROR: 2,
    Outcome.UNPROVEN: 4,  # a plan, but the proof that was asked for is missing
    Outcome.REFUTED: 5,  # what was asked does not hold
    Outcome.UNSOLVABLE: 11,  # proven: there is no plan of any length
    Outcome.NOT_FOUND: 12,  # an incomplete search ended without a plan
    Outcome.HORIZON_EXHAUSTED: 13,  # no plan of at most max_horizon steps
    Outcome.MEMORY_LIMIT: 22,
    Outcome.TIME_LIMIT: 23,
    Outcome.NODE_LIMIT: 24,
    Outcome.DISK_LIMIT: 25,
    Outcome.INVALID_INPUT: 31,
    Outcome.UNSUPPORTED: 34,
    Outcome.DISAGREEMENT: 40,  # two evaluators contradict each other: always a bug
    Outcome.INTERRUPTED: 130,
}


class LimitReached(Exception):
    """A limit stopped the work; `outcome` says which."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def outcome_of(reason: LimitReached | KeyboardInterrupt) -> Outcome:
    """The word for work that was stopped."""
    return reason.outcome if isinstance(reason, LimitReached) else Outcome.INTERRUPTED


@frozen(eq=True)
class Deadline:
    """When the time for some work is up; its long loops `look` at it."""

    at: float = math.inf  # as `time.monotonic` tells it
    stop: Stop | None = field(default=None, compare=False)
    full: "Gauge | None" = field(default=None, compare=False)  # of the memory that there may be

    @property
    def left(self) -> float | None:
        """Seconds, at least 0; None: there is no end."""
        return None if self.at == math.inf else max(0.0, self.at - time.monotonic())

    @property
    def room(self) -> float | None:
        """MB that may still be used, perhaps less than none; None: there is no end."""
        return None if self.full is None else self.full.left

    def share(self, part: float) -> float | None:
        """Seconds: this part of what is left."""
        return None if self.left is None else self.left * part

    def within(self, seconds: float | None) -> Self:
        """This time, or that in so many seconds if it is sooner."""
        return self if seconds is None else replace(self, at=min(self.at, time.monotonic() + seconds))

    def look(self) -> None:
        """LimitReached where the time is up, the memory is used, or somebody says stop."""
        if self.stop is not None and self.stop():
            raise LimitReached(Outcome.INTERRUPTED)
        if time.monotonic() >= self.at:
            raise LimitReached(Outcome.TIME_LIMIT)
        if self.full is not None and self.full():
            raise LimitReached(Outcome.MEMORY_LIMIT)


ENDLESS = Deadline()


@frozen(eq=True)
class Limits:
    """What a run may use; None means no limit."""

    time: float | None = None  # seconds of wall clock
    nodes: int | None = None  # expanded states, exactly
    memory_mb: float | None = None  # resident memory of the process, its peak
    max_horizon: int | None = None  # steps of a plan
    stop: Stop | None = field(default=None, compare=False, repr=False)
    memory_before: float | None = None  # resident before the run: does not count, nor does the peak
    more: More | None = field(default=None, compare=False, repr=False)  # is asked when the nodes have been used up

    def deadline(self) -> Deadline:
        """Of work that begins now."""
        full = None if self.memory_mb is None else Gauge(self)
        return replace(ENDLESS, stop=self.stop, full=full).within(self.time)

    def memory_is_full(self) -> bool:
        return self.memory_mb is not None and self.used_memory_mb() >= self.memory_mb

    def sharing(self, part: float) -> Self:
        """With a part of the memory that is left."""
        if self.memory_mb is None:
            return self
        left = max(0.0, self.memory_mb - self.used_memory_mb())
        return replace(self, memory_mb=self.memory_mb - (1 - part) * left)

    def used_memory_mb(self) -> float:
        """What the limit on memory is held against: the process's peak, or what the run has added to a process."""
        return peak_memory_mb() if self.memory_before is None else resident_memory_mb() - self.memory_before


@dataclass
class Gauge:
    """Looks at the memory now and then, since that takes longer than a look at the clock."""

    limits: Limits
    looks: int = 0

    @property
    def left(self) -> float | None:
        """MB; None: there is no limit."""
        limit = self.limits.memory_mb
        return None if limit is None else limit - self.limits.used_memory_mb()

    def __call__(self) -> bool:
        self.looks += 1
        return self.looks % GAUGED == 1 and self.limits.memory_is_full()


DEAD_ENDS = "dead_ends_by_tables"


@dataclass
class Statistics:
    """What a search did; every counter means the same for every algorithm."""

    expanded: int = 0  # states whose successors were generated, again after a reopening or a new iteration
    generated: int = 0  # states created by an expansion, duplicates included
    reopened: int = 0  # closed states put back on the open list because a cheaper path was found
    evaluated: int = 0  # calls of the heuristic
    max_frontier: int = 0  # largest open list, layer or stack
    max_depth: int = 0  # steps to the deepest state expanded, or to the goal
    extra: dict[str, Any] = field(default_factory=dict)  # of one algorithm only, such as generations
    doing: str = field(default="", compare=False)  # what it does now, in words, where there is more to say

    def leave_out(self, states: int) -> None:
        """So many more states that tables call dead ends were not looked at; told where there are any."""
        if states:
            self.extra[DEAD_ENDS] = self.extra.get(DEAD_ENDS, 0) + states


@frozen(eq=True)
class SearchResult:
    """What one search answers: operators and cost are None without a plan; no plan is cheaper than `lower_bound`."""

    outcome: Outcome
    operators: tuple[Operator, ...] | None
    cost: int | None
    lower_bound: int
    statistics: Statistics
    contradiction: str = ""  # what speaks against what is held to be proven; the outcome is then `disagreement`
