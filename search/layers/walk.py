"""A walk through all states by layers on the disk, whoever does its tasks.

Layers are exact whatever is known when: all candidates of a hash range come to one merge, which strikes those that are
known. How many of the layers before that are is the `scope`, and each has its condition:

    all     none: a state that was reached before is in one of them. The last few are looked at at once, the others
            later, for several layers together.
    last 2  every step can be undone by a step. Then what a step from layer d leads to is no nearer to the start than
            layer d - 1, since a step leads back: if it is not new, it lies in layer d or in layer d - 1.
    none    some number that belongs to a state grows by the same amount, not 0, with every step. Then no state is
            reached by two paths of different lengths.

The two latter are for a proof to switch on. A layer is finished when the manifest has its line.

Where all are known, a layer is open until the layers before were looked at too. It has every state that it should have,
since what was left out lies in a layer before; and it may have states that it should not. If the open layers share no
state with any that is settled, and none with each other, they have none of these: the first one with one would have it
from a layer that is right, so from there no farther than it is, thus in a layer before. If they do, they are dropped,
and made again with more layers looked at at once. So an open layer proves that there is no goal nearer, and that there
is no farther state, but its number of states counts when it is settled.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, cast

from models.outcomes import LimitReached, Outcome
from search.layers.executors import Executor, Kind, Look, Serial
from search.layers.files import Extent, Site, StateFile
from search.layers.manifest import Layer, Line, Manifest, across, between, kept
from search.layers.tasks import Expanded, Expansion, Meeting, Merged, Merging, Picking, Settling, Worker, range_of

ALL, LAST_TWO, NONE = None, 2, 0  # layers before the next one that a state may lie in
NEAR = 1 << 16  # states of a layer that one process expands faster than many share them out
PART = 1 << 19  # candidates of a partition, about: their table stays in the cache
FEW = 1 << 16  # candidates that are worth a merge of their own
MOST_PARTS = 256
SPREAD = 64  # partitions at least, where all layers are looked at: a file is read by each merge whose range it shares,
THIN = 1 << 14  # and so is one of a merge of few candidates
TABLES = 1 << 27  # bytes of the tables of one merge
LATELY, WIDER = 2, 4  # layers looked at at once where all are known; times as many each time that this was too few
SETTLING = 1 << 20  # states of open layers that are looked at together, about
LATER = 3  # open layers are looked at when they have this part of all states, or of all layers
SHARES = 4  # tasks of each worker, about
ENDLESS = 1 << 62  # bytes


class Growing(Generic[Line]):
    """What grows on the disk line by line, layers or buckets. `look` may raise between any two steps; what is finished
    then stays."""

    def __init__(self, site: Site, manifest: Manifest[Line], near: Worker, far: Executor | None, look: Look,
                 room: int | None, parts: int | None) -> None:  # fmt: skip
        """`far` does the tasks of large layers; `room`: bytes for files; `parts`: always so many partitions."""
        self.site = site
        self.manifest: Manifest[Line] = manifest
        self._near, self.worker = Serial(near), near
        self._far = far or self._near
        self._look, self._room, self._parts = look, room, parts
        self.ahead = 0  # states of the last layer that are expanded
        self.expanded = self.known = self.generated = self.written = self.kept = self.widest = 0
        self._count_all()
        self.taken = self.kept  # bytes that files take
        self.merges = self.merged = 0  # of the layer that is made, as soon as it is known how many there are

    @property
    def layers(self) -> list[Line]:
        return self.manifest.layers

    @property
    def depth(self) -> int:
        """The number of the last line."""
        return len(self.layers) - 1

    def _ran(self, executor: Executor, tasks: Sequence[Expansion]) -> list[Expanded]:
        found = list[Expanded]()
        with answers_of(executor.map("expand", self.site, tasks)) as answers:
            for task, expanded in zip(tasks, answers, strict=True):
                found.append(expanded)
                self.ahead += sum(file.states for file in task.files)
                self._take(expanded.written)
        return found

    def _sifted(self, executor: Executor, tasks: Sequence[Any], kind: Kind = "merge", until_goal: bool = False
                ) -> list[Merged]:  # fmt: skip
        """Up to the first with a goal, if that is enough."""
        found, self.merges, self.merged = list[Merged](), len(tasks), 0
        with answers_of(executor.map(kind, self.site, tasks)) as answers:
            for merged in answers:
                found.append(merged)
                self.merged = len(found)
                self._take(0 if merged.file is None else merged.file.size)
                if until_goal and merged.goal is not None:
                    break
        return found

    def _merges(self, into: str, extents: Sequence[Extent], known: Sequence[Line]) -> list[Merging]:
        return [
            Merging(into, low, high, tuple(within), between(known, low, high))
            for low, high, within in ranges(extents, self._few, self._most)
        ]

    @property
    def _few(self) -> int:
        """Candidates that are worth a merge of their own."""
        return FEW

    @property
    def _most(self) -> int:
        """Candidates of one merge, about."""
        from search.kernels.partitions import Sieve

        return max(1, min(self.site.buffer, TABLES) // Sieve.size(1, self.site.words))

    @property
    def _left(self) -> int:
        return ENDLESS if self._room is None else self._room - self.taken

    def _take(self, size: int) -> None:
        """Of the disk."""
        self.taken += size
        if self._left < 0:
            raise LimitReached(Outcome.DISK_LIMIT)
        self._look()

    def _count_all(self) -> None:
        self.known = self.generated = self.written = self.kept = self.widest = 0
        for layer in self.layers:
            self._count(layer)

    def _count(self, layer: Line) -> None:
        self.known += layer.states
        self.generated += layer.generated
        self.written += layer.written
        self.kept += kept(layer)
        self.widest = max(self.widest, layer.states)

    def _folder(self, kind: str, depth: int) -> str:
        """Empty: what an unfinished layer has left is gone."""
        name = f"{kind}-{depth:04}"
        shutil.rmtree(self.site.path(name), ignore_errors=True)
        self.site.path(name).mkdir()
        return name


class Walk(Growing[Layer]):
    """Layers, one after the other."""

    def __init__(self, site: Site, resume: bool, scope: int | None, near: Worker, far: Executor | None = None,
                 look: Look = lambda: None, room: int | None = None, parts: int | None = None) -> None:  # fmt: skip
        super().__init__(site, Manifest(site, resume, Layer), near, far, look, room, parts)
        self.manifest.sweep()
        self.scope = scope
        self._ratio = float(min(4, max(1, near.machine.branching)))  # candidates of a state
        self.expanded = self.known - (self.layers[-1].states if self.layers else 0)

    def begin(self, states: Iterable[int]) -> None:
        """The first layer, where there is none."""
        if not self.layers:
            planted = self.worker.plant(self.site, self._folder("layer", 0), states)
            self._finish([planted], 0, 0)
        self._settle_many()

    def begin_with_goals(self, source: Site, layers: Sequence[Layer]) -> None:
        """The same: all goals of these layers, which are another walk's."""
        if not self.layers:
            into, lines = self._folder("layer", 0), [layer for layer in layers if layer.goals]
            goals = sum(layer.goals for layer in lines)
            executor = self._far if goals > NEAR else self._near
            tasks = [Picking(into, low, high, source, between(lines, low, high)) for low, high in self._ranges(goals)]
            self._finish(self._sifted(executor, tasks, "pick"), 0, 0)
        self._settle_many()

    def met(self, source: Site, layers: Sequence[Layer]) -> list[int]:
        """How many states of each of these layers, which are another walk's, are known here."""
        tasks = [
            Meeting(low, high, between(self.settled, low, high), source,
                    tuple(across(layer, low, high) for layer in layers))
            for low, high in self._ranges(self.known)
        ]  # fmt: skip
        executor = self._far if self.known > NEAR else self._near
        with answers_of(executor.map("meet", self.site, tasks)) as answers:
            return [sum(numbers) for numbers in zip(*answers, strict=True)]

    @property
    def settled(self) -> list[Layer]:
        """Those that have no state too many."""
        return self.layers[: self.manifest.settled]

    def grow(self, until_goal: bool = False) -> int | None:
        """One more layer. With `until_goal` no layer is finished that has one: the goal is returned instead."""
        depth = self.depth
        many = self.layers[depth].states > NEAR
        executor = self._far if many else self._near
        self.ahead, self.taken, self.merges, self.merged = 0, self.kept, 0, 0
        runs = self._folder("run", depth)
        extents, generated, written = self._expanded(executor, depth, runs)
        into = self._folder("layer", depth + 1)
        merges = self._merges(into, extents, self.layers[self._first_known(depth) :])
        found = self._sifted(executor, merges, until_goal=until_goal)
        if until_goal and found and found[-1].goal is not None:
            return found[-1].goal
        self._finish(found, generated, written)
        self._take(-written)
        shutil.rmtree(self.site.path(runs), ignore_errors=True)
        self._settle_many()
        return None

    def _expanded(self, executor: Executor, depth: int, runs: str) -> tuple[list[Extent], int, int]:
        """All candidates, how many successors there were, and the bytes that were written."""
        layer, parts, left = self.layers[depth], self._partitions(depth), self._left
        tasks = [Expansion(runs, files, parts, executor.holds, left) for files in shared(layer.files, executor)]
        found = self._ran(executor, tasks)
        extents = [extent for each in found for extent in each.extents]
        self._ratio = max(1.0, sum(extent.states for extent in extents) / max(1, layer.states))
        self.expanded, self.ahead = self.expanded + layer.states, 0
        return extents, sum(each.generated for each in found), sum(each.written for each in found)

    def _partitions(self, depth: int) -> int:
        """So many that the tables of merges fit the cache; a power of two, so that it is seldom another number."""
        if self._parts:
            return self._parts
        many = self.scope is ALL and self.layers[depth].states > NEAR
        parts, expected = SPREAD if many else 2, self.layers[depth].states * self._ratio
        while parts < MOST_PARTS and parts * PART < expected:
            parts *= 2
        return parts

    @property
    def _few(self) -> int:
        return THIN if self.scope is ALL else FEW

    def _first_known(self, depth: int) -> int:
        """The first layer that is looked at at once."""
        lately = LATELY * WIDER**self.manifest.dropped if self.scope is ALL else self.scope
        return max(0, depth + 1 - lately)

    def _finish(self, found: Sequence[Merged], generated: int, written: int) -> None:
        files = tuple(merged.file for merged in found if merged.file is not None)
        goals = sum(merged.goals for merged in found)
        written += sum(file.size for file in files)
        layer = Layer(sum(file.states for file in files), goals, generated, written, files)
        self.manifest.commit(layer, self._settled_at_once and len(self.settled) == len(self.layers))
        self._count(layer)

    @property
    def _settled_at_once(self) -> bool:
        """Has the next layer been compared with all that may have its states?"""
        return self.scope is not ALL or self._first_known(self.depth) == 0

    def _settle_many(self) -> None:
        """When there are enough of them, or nothing comes after them."""
        settled, opened = len(self.settled), self._opened
        states = sum(layer.states for layer in opened)
        if not self.layers[-1].states or states * LATER >= self.known or len(opened) * LATER >= settled:
            self.settle()

    @property
    def _opened(self) -> list[Layer]:
        return self.layers[self.manifest.settled :]

    def settle(self) -> None:
        """No layer is open then: the open ones are right, or they are gone."""
        settled, opened = self.settled, self._opened
        if not opened:
            return
        states = sum(layer.states for layer in opened)
        executor = self._far if states > NEAR else self._near
        with answers_of(executor.map("settle", self.site, self._settlings(settled, opened, states))) as answers:
            right = all(self._looked(answer) for answer in answers)
        if right:
            self.manifest.settle()
        else:
            self._drop(opened)

    def _settlings(self, settled: Sequence[Layer], opened: Sequence[Layer], states: int) -> list[Settling]:
        return [
            Settling(low, high, between(opened, low, high), between(settled, low, high))
            for low, high in self._ranges(states)
        ]

    def _ranges(self, states: int) -> list[tuple[int, int]]:
        """Hash ranges, each with so few of these states that they can be looked at together."""
        parts = 2
        while parts < MOST_PARTS and parts * min(SETTLING, self._most) < states:
            parts *= 2
        return [range_of(part, parts) for part in range(parts)]

    def _looked(self, right: bool) -> bool:
        self._look()
        return right

    def _drop(self, opened: Sequence[Layer]) -> None:
        """They are made again."""
        self.manifest.drop()
        self._remove(opened)

    def _remove(self, opened: Sequence[Layer]) -> None:
        """The manifest has them no more."""
        for file in (file for layer in opened for file in layer.files):
            self.site.path(file.name).unlink(missing_ok=True)
        self._count_all()
        self.taken = self.kept
        self.expanded = self.known - self.layers[-1].states


@contextmanager
def answers_of(answers: Iterator[Any]) -> Iterator[Iterator[Any]]:
    """Those that nobody waits for any more are not worked out."""
    try:
        yield answers
    finally:
        cast("Generator[Any, None, None]", answers).close()


def shared(files: Sequence[StateFile], executor: Executor) -> list[tuple[StateFile, ...]]:
    """The files for tasks of about one size; all for one, where what it leaves is held."""
    if executor.holds:
        return [tuple(files)] if files else []
    least = sum(file.states for file in files) / (SHARES * executor.workers)
    tasks: list[list[StateFile]] = [[]]
    for file in files:
        if sum(each.states for each in tasks[-1]) >= least:
            tasks.append([])
        tasks[-1].append(file)
    return [tuple(each) for each in tasks if each]


def ranges(extents: Sequence[Extent], few: int, most: int) -> Iterator[tuple[int, int, list[Extent]]]:
    """Hash ranges with all extents that may have candidates of them: neighbouring partitions share one up to so few
    candidates, and up to half of all hashes; one with more than `most` is cut up. Numbers of partitions may differ by
    powers of two."""
    by_part: dict[int, list[Extent]] = {}
    parts = max((extent.parts for extent in extents), default=0)
    for extent in extents:
        finer = parts // extent.parts
        for part in range(extent.part * finer, (extent.part + 1) * finer):
            by_part.setdefault(part, []).append(extent)
    together: list[int] = []
    for part in sorted(by_part):
        size = sum(extent.states for each in (*together, part) for extent in by_part[each])
        across = together and (together[0] * 2 < parts <= part * 2)
        if together and (across or size > few):
            yield from _cut(together, parts, by_part, most)
            together = []
        together.append(part)
    if together:
        yield from _cut(together, parts, by_part, most)


def _cut(together: Sequence[int], parts: int, by_part: dict[int, list[Extent]], most: int
         ) -> Iterator[tuple[int, int, list[Extent]]]:  # fmt: skip
    within = list(dict.fromkeys(extent for part in together for extent in by_part[part]))
    low, high = range_of(together[0], parts)[0], range_of(together[-1], parts)[1]
    pieces = -(-sum(extent.states for extent in within) // most)
    ends = [low + (high - low) * piece // pieces for piece in range(pieces + 1)]
    for first, last in zip(ends, ends[1:], strict=False):
        yield first, last, within
