"""Breadth-first search over files as an algorithm: its folder, its processes, its limits, its plan.

The bound is that of the last finished layer: where no state of the layers 0..d is a goal, every plan has at least d + 1
steps.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from models.outcomes import LimitReached, Outcome
from search.algorithms.layered import Layered, Unusable
from search.cache import cache_folder, program
from search.kernels.driver import MIB, NativeModel, actions_along, bounded, checkpoint, machine_of
from search.layers.buckets import Buckets
from search.layers.executors import Executor
from search.layers.files import Site
from search.layers.paths import goals_in, path_to
from search.layers.tasks import Worker
from search.layers.walk import ALL, LAST_TWO, Walk
from search.space import Found, SearchSpace

if TYPE_CHECKING:
    from search.machine import Machine

GB = 10**9
BUFFER = 128 * MIB  # of candidates that a process holds before it writes,
ALONE = 384 * MIB  # and one that works alone, which need not write what it holds
PROGRAM = ("models", "search")  # whose text decides what the files mean
PAUSE = 0.05  # seconds between two looks
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)


@bounded
def layered(space: SearchSpace, options: Layered) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted."""
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    with Walking(space, machine, options).walk() as walk:
        goal, depth = _goal(space, walk)
        if goal is None:
            return None
        undone = walk.scope == LAST_TWO
        path = path_to(walk, machine, goal, depth, undone, lambda: checkpoint(space))
        return actions_along(machine, path, cheapest=False)


def temporary() -> str:
    """Where folders are that go again: with the caches, since what is called temporary may lie in memory."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
    except OSError:
        return tempfile.gettempdir()
    return str(cache_folder()) if os.access(cache_folder(), os.W_OK) else tempfile.gettempdir()


def may_write() -> bool:
    """Is there a place for files that nobody has asked for?"""
    try:
        with tempfile.TemporaryFile(dir=temporary()):
            return True
    except OSError:
        return False


def half_the_disk() -> float:
    """GB of what is free, for files that nobody has asked for."""
    return shutil.disk_usage(temporary()).free / 2 / GB


def _goal(space: SearchSpace, walk: Walk) -> tuple[int | None, int]:
    """One that is nearest, and how many steps away it is."""
    for depth, layer in enumerate(walk.layers):
        if layer.goals:  # a walk that does not stop there has been here before
            space.prove_length(depth)
            return min(goals_in(walk, depth)), depth
    goal = None
    while goal is None and walk.layers[-1].states:
        space.prove_length(walk.depth + 1)
        require_nodes(space, walk)
        goal = walk.grow(until_goal=True)
    space.prove_length(walk.depth + (goal is not None))
    return goal, walk.depth + 1


def require_nodes(space: SearchSpace, walk: Walk) -> None:
    """LimitReached where the last layer has more states than may still be expanded, and no more are granted: none of
    them is then. It is asked as by other searches, which have used up all."""
    if _beyond(space, walk) is not None:
        walk.settle()
    while (most := _beyond(space, walk)) is not None:
        space.statistics.expanded = most
        space.ask_for_nodes()


def _beyond(space: SearchSpace, walk: Walk) -> int | None:
    """The limit on nodes, where all that are known are more."""
    most = space.limits.nodes
    return None if most is None or walk.known <= most else most


W = TypeVar("W", Walk, Buckets)


class Working(Generic[W]):
    """What a walk over files takes, of either kind, and what it has come to."""

    guide = b""  # the recipe of an estimate that leads
    _worker: Worker

    def __init__(self, space: SearchSpace, machine: NativeModel, options: Layered) -> None:
        self.space, self.machine, self.options = space, machine, options
        self._walk: W | None = None
        self._far: Executor | None = None
        self._before = 0  # states that were expanded when it began
        self._next = 0.0  # look

    def _begun(self, folder: str, far: Executor | None, first: Sequence[int]) -> W:
        """With its first line."""
        raise NotImplementedError

    @contextmanager
    def walk(self, first: Sequence[int] = ()) -> Iterator[W]:
        """With its first layer, the start unless other states are named; the folder goes where none was asked for."""
        folder = self.options.disk or tempfile.mkdtemp(prefix="layers-", dir=temporary())
        try:
            self._far = self._executor()
            yield self._begun(folder, self._far, first or [self.machine.initial])
        except OSError as why:
            if why.errno in FULL:
                raise LimitReached(Outcome.DISK_LIMIT) from None
            raise Unusable(str(why)) from None
        finally:
            self._charge()
            self.dismiss()
            if self._walk is not None:
                self._walk.manifest.close()
            if not self.options.disk:
                shutil.rmtree(folder, ignore_errors=True)

    def dismiss(self) -> None:
        """Who does the tasks of large layers goes, and so do arrays: from now on files are read, and nothing else."""
        if self._far is not None:
            self._far.close()
        self._far = None
        if self._walk is not None:
            self._walk.worker.rest()

    def _executor(self) -> Executor | None:
        """None: this process does it."""
        if self.options.cluster:
            from search.layers.cluster import Cluster

            return Cluster(self.options.cluster, self.options.jobs, self._recipe, self._look, self.guide)
        if self.options.jobs == 1:
            return None
        from search.layers.pool import Pool

        return Pool(self.options.jobs, self._recipe, self._look, self.guide)

    @property
    def _recipe(self) -> bytes:
        return cast("Machine", self.machine).recipe()

    def _site(self, folder: str, *more: str) -> Site:
        """The key has what decides what the files mean."""
        parts = getattr(self.machine, "digest", ""), f"{self.machine.initial:x}", program(PROGRAM), *more
        return Site(folder, " ".join(parts), self.machine.words, self._buffer(), bool(self.options.disk))

    @property
    def _room(self) -> int | None:
        return int(self.options.disk_limit * GB) or None

    def _buffer(self) -> int:
        limit, options = self.space.limits.memory_mb, self.options
        most = ALONE if options.jobs == 1 and not options.cluster else BUFFER
        return most if limit is None else max(MIB, min(most, int(limit * MIB / 6)))

    def _look(self) -> None:
        """At limits and Ctrl-C, some twenty times a second, however often it is called."""
        if (now := time.monotonic()) >= self._next:
            self._next = now + PAUSE
            self._charge()
            checkpoint(self.space)

    def _charge(self) -> None:
        """What is done so far, as statistics and in words."""
        walk, statistics = self._walk, self.space.statistics
        if walk is None or not walk.layers:
            return
        ahead = walk.ahead + self._worker.done
        statistics.expanded, statistics.generated = walk.expanded + ahead, walk.generated
        statistics.max_frontier = walk.widest
        self._count(walk, ahead)
        statistics.extra |= {"bytes_written": walk.written, "bytes_kept": walk.kept}
        speed = max(1.0, (walk.expanded + ahead - self._before) / max(0.01, time.monotonic() - self.space.started))
        place, now = self._told(walk, ahead, speed)
        if walk.merges:
            now = f"{walk.merged:,} of {walk.merges:,} parts merged"
        files = f"{walk.known:,} states known, {walk.taken / GB:.2f} GB, {speed:,.0f} states a second"
        statistics.doing = f"{place}: {now}; {files}"

    def _count(self, walk: W, ahead: int) -> None:
        """What only this kind has, as statistics."""
        raise NotImplementedError

    def _told(self, walk: W, ahead: int, speed: float) -> tuple[str, str]:
        """In words, where it is and what is done there while nothing is merged. `speed`: states a second."""
        raise NotImplementedError


class Walking(Working[Walk]):
    """Layer by layer."""

    def __init__(self, space: SearchSpace, machine: NativeModel, options: Layered) -> None:
        super().__init__(space, machine, options)
        self._worker = Worker(machine, self._look)

    def _begun(self, folder: str, far: Executor | None, first: Sequence[int]) -> Walk:
        scope = getattr(self.machine, "known_layers", lambda: ALL)()
        walk = self._walk = Walk(self._site(folder), self.options.resume, scope, self._worker, far, self._look,
                                 self._room)  # fmt: skip
        self._before = walk.expanded
        walk.begin(first)
        return walk

    def _count(self, walk: Walk, ahead: int) -> None:
        statistics = self.space.statistics
        statistics.max_depth = max(statistics.max_depth, walk.depth if ahead else walk.depth - 1)
        statistics.extra["layers"] = walk.depth + (walk.layers[-1].states > 0)

    def _told(self, walk: Walk, ahead: int, speed: float) -> tuple[str, str]:
        width = walk.layers[-1].states
        now = f"{ahead:,} of {width:,} states expanded, some {(width - ahead) / speed:,.0f} s to go"
        return f"layer {walk.depth + 1}", now
