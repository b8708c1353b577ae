"""Layers by the distance to the nearest goal, among all states that a walk has found, where steps cannot be undone.

From the goals backwards, d(s) being the least number of steps from s to a goal; two ways, whichever is to be had:

    by inverse   The task backwards is expanded. It also leads to states that no start leads to, and to some again, so a
                 layer is open until it is compared with all states and with the layers before it.
    by passes    All states that are not known yet are expanded forwards; those with a step into the last layer are the
                 next one.

By inverse an open layer j has every state s with d(s) = j: the state after it on a best path is in layer j - 1, and
what is left out since a layer i < j has it has a path of i steps to a goal. And d(s) <= j for each state of it that can
be reached, since every state of that path can be. So of the open layers k+1, ..., m, the layers 0..k being right, those
states are right that the other walk has and that are in no layer before: in layers 0..k, or in the open ones. (A state
that cannot be reached has no state before it that can, so it leads to nothing but itself being written in vain.)

Each look at an open layer reads all states, which takes a hundredth of what it takes to expand them: so there is one as
soon as the open layers have that part of all states. How many layers there are then does not matter.

A state j steps away from a goal lies in a layer of the other walk from n - j on, if the nearest goal lies in its layer
n: the path through the state would be shorter else. Where each step leads from a layer to the next it lies in layers up
to f - j, if the farthest goal lies in layer f.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.outcomes import Unsupported
from search.kernels.driver import NativeModel
from search.layers.executors import Executor, Look
from search.layers.files import Site
from search.layers.manifest import Layer, across, between
from search.layers.tasks import Merged, Narrowing, Preceding, Worker
from search.layers.walk import ALL, NEAR, NONE, Walk, answers_of

WINDOW = 100  # open layers are looked at when they have this part of all states
MOST_BEFORE = 1 << 16  # states that may come before one; where they are more, it is as fast to look at all states
MOST_EFFORT = 1_000_000  # terms that are looked at for the task backwards, some seconds


def inverse_of(machine: NativeModel) -> NativeModel | None:
    """The task backwards; None: it is not soon to be had, or leads to very many states from each."""
    if getattr(machine, "backward_effort", 0) > MOST_EFFORT:
        return None
    try:
        inverse = machine.backward()
    except Unsupported:
        return None
    return inverse if inverse.branching <= MOST_BEFORE else None


class Backwards(Walk):
    """A walk among the states of another one, which has come to its end."""

    def __init__(self, whole: Walk, site: Site, near: Worker, far: Executor | None = None, look: Look = lambda: None,
                 room: int | None = None, parts: int | None = None, resume: bool = True) -> None:  # fmt: skip
        super().__init__(site, resume, ALL, near, far, look, room, parts)
        self.source, self.all_states, self._graded = whole.site, whole.known, whole.scope == NONE
        self.whole = [layer for layer in whole.settled if layer.states]
        goals = [depth for depth, layer in enumerate(self.whole) if layer.goals]
        self._nearest, self._farthest = goals[0], goals[-1]

    def _within(self, first: int, last: int) -> Sequence[Layer]:
        """The layers of the other walk that have the states from `first` to `last` steps away from a goal."""
        end = max(0, self._farthest - first + 1) if self._graded else None
        return self.whole[max(0, self._nearest - last) : end]


class ByInverse(Backwards):
    """What is expanded is the task backwards."""

    @property
    def _settled_at_once(self) -> bool:
        return not self.layers

    def _settle_many(self) -> None:
        if not self.layers[-1].states or sum(layer.states for layer in self._opened) * WINDOW >= self.all_states:
            self.settle()

    def settle(self) -> None:
        """The open layers become what is right of them."""
        opened = self._opened
        if not opened:
            return
        states = sum(layer.states for layer in opened)
        executor = self._far if states > NEAR else self._near
        found = list[tuple[Merged, ...]]()
        with answers_of(executor.map("narrow", self.site, self._narrowings(opened, states))) as answers:
            for answer in answers:
                found.append(answer)
                self._take(sum(merged.file.size for merged in answer if merged.file is not None))
        self.manifest.replace(narrowed(opened, found))
        self._remove(opened)

    def _narrowings(self, opened: Sequence[Layer], states: int) -> list[Narrowing]:
        first, last = len(self.settled), self.depth
        folders = tuple(f"layer-{depth:04}" for depth in range(first, last + 1))
        within = self._within(first, last)
        return [
            Narrowing(folders, low, high, tuple(across(layer, low, high) for layer in opened),
                      between(self.settled, low, high), self.source, between(within, low, high))
            for low, high in self._ranges(states)
        ]  # fmt: skip


def narrowed(opened: Sequence[Layer], found: Sequence[Sequence[Merged]]) -> list[Layer]:
    """The layers, of what was found in each hash range, up to the first that has no state: nothing comes after it."""
    layers = list[Layer]()
    for layer, merged in zip(opened, zip(*found, strict=True), strict=True):
        files = tuple(each.file for each in merged if each.file is not None)
        written = layer.written + sum(file.size for file in files)
        layers.append(layer._replace(states=sum(file.states for file in files), goals=0, written=written, files=files))
        if not files:
            break
    return layers


class ByPasses(Backwards):
    """Nothing but steps forwards is to be had."""

    def grow(self, until_goal: bool = False) -> None:
        into, last = self._folder("layer", self.depth + 1), self.layers[-1]
        within = self._within(len(self.layers), len(self.layers))
        states = sum(layer.states for layer in within)
        self.taken = self.kept
        tasks = [
            Preceding(into, low, high, last.files, between(self.layers, low, high), self.source,
                      between(within, low, high))
            for low, high in self._ranges(states)
        ]  # fmt: skip
        self._finish(self._sifted(self._far if states > NEAR else self._near, tasks, "precede"), 0, 0)

    @property
    def _settled_at_once(self) -> bool:
        return True
