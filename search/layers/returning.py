"""The way back as an algorithm: a walk that begins with all goals of another one, in a folder in that one's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from search.algorithms.layered import Layered
from search.kernels.driver import NativeModel, machine_of
from search.layers.backwards import Backwards, ByInverse, ByPasses, inverse_of
from search.layers.executors import Executor
from search.layers.files import Site
from search.layers.searching import Walking
from search.layers.walk import LAST_TWO, Walk
from search.space import SearchSpace

FOLDER = "from-goals"
UNDONE, INVERSE, PASSES = "undone", "inverse", "passes"
WAYS: dict[str, type[Backwards]] = {INVERSE: ByInverse, PASSES: ByPasses}


def returning(space: SearchSpace, options: Layered, whole: Walk) -> Returning:
    """The way back through all states of a walk that has come to its end, however it is to be had."""
    machine = machine_of(space)
    if whole.scope == LAST_TWO:
        return Returning(space, machine, options, whole, UNDONE)
    inverse = inverse_of(machine)
    if inverse is not None:
        return Returning(space, inverse, options, whole, INVERSE)
    return Returning(space, machine, options, whole, PASSES)


class Returning(Walking):
    """Layer by layer, one for each distance to the nearest goal."""

    def __init__(self, space: SearchSpace, machine: NativeModel, options: Layered, whole: Walk, way: str) -> None:
        """`machine`: whose states are expanded."""
        disk = str(Path(whole.site.folder) / f"{FOLDER}-{way}")
        super().__init__(space.anew(), machine, replace(options, disk=disk, resume=True))
        self.space.limits = replace(space.limits, nodes=None)  # they are of the first walk
        self._whole, self._way = whole, way

    def _begun(self, folder: str, far: Executor | None, first: Sequence[int]) -> Walk:
        given = self._worker, far, self._look, self._room
        if self._way == UNDONE:
            walk = Walk(self._site(folder), True, LAST_TWO, *given)
        else:
            walk = WAYS[self._way](self._whole, self._site(folder), *given)
        self._walk = walk
        self._before = walk.expanded
        walk.begin_with_goals(self._whole.site, self._whole.settled)
        return walk

    def _site(self, folder: str, *more: str) -> Site:
        return super()._site(folder, *more)._replace(stays=self._whole.site.stays)

    @property
    def _room(self) -> int | None:
        room = super()._room
        return room and max(1, room - self._whole.kept)

    def _told(self, walk: Walk, ahead: int, speed: float) -> tuple[str, str]:
        place, now = super()._told(walk, ahead, speed)
        return f"back from the goals, {place}", now
