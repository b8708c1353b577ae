"""A whole space by its layers, and the states that are farthest from every goal, by a second walk that begins with all
goals.

Where every step can be undone, steps backwards are steps forwards: the second walk is one of the same machine code, and
it comes to every state that the first has come to. Elsewhere it goes back among the states of the first
(`search.layers.backwards`), and those that it does not come to are dead ends. What it finds last is hardest to solve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from models.frozen import frozen
from models.outcomes import LimitReached, Outcome, outcome_of
from search.algorithms.layered import Layered
from search.kernels.driver import NativeModel, checkpoint, machine_of, state_at
from search.layers.paths import has
from search.layers.returning import returning
from search.layers.searching import Walking, require_nodes
from search.layers.shortest import shortest_paths
from search.layers.walk import LAST_TWO, Walk
from search.space import SearchSpace


@frozen(eq=True)
class Hardest:
    """How far from every goal the farthest states are, how many these are, and a few of them."""

    steps: int
    number: int
    states: tuple[int, ...]


@frozen(eq=True)
class Surveyed:
    """What the layers tell."""

    layers: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()  # out of the states of each layer
    exhausted: bool = False
    stopped: Outcome | None = None
    hardest: Hardest | None = None
    plans: int | None = None  # shortest ones
    dead: int | None = None  # states from which no goal can be reached,
    dead_by_layer: tuple[int, ...] | None = None

    @property
    def generated(self) -> int:
        return sum(self.edges)


def surveyed(space: SearchSpace, options: Layered, shown: int, by_layer: bool = False) -> Surveyed:
    """As far as a limit or Ctrl-C lets it come; with `by_layer` dead ends of each layer, too."""
    found = Surveyed()
    try:
        walking = Walking(space, machine_of(space), options)
        with walking.walk() as walk:
            try:
                _to_the_end(space, walk)
                found = _told(walk)
                found = _counted(space, walk, found)
                walking.dismiss()
                found = _from_goals(space, options, walk, found, shown, by_layer)
            except (LimitReached, KeyboardInterrupt) as reason:
                found = replace(found if found.exhausted else _told(walk), stopped=outcome_of(reason))
    except (LimitReached, KeyboardInterrupt) as reason:  # before there was a layer
        return replace(found, stopped=outcome_of(reason))
    return found


def _to_the_end(space: SearchSpace, walk: Walk) -> None:
    while walk.layers[-1].states:
        require_nodes(space, walk)
        walk.grow()


def _told(walk: Walk) -> Surveyed:
    """Of the layers that are settled, as all are when nothing comes after them."""
    layers = [layer for layer in walk.settled if layer.states]
    return Surveyed(tuple(each.states for each in layers), tuple(each.goals for each in layers),
                    tuple(each.generated for each in walk.settled[1:]), not walk.settled[-1].states)  # fmt: skip


def _counted(space: SearchSpace, walk: Walk, found: Surveyed) -> Surveyed:
    """With the number of shortest plans; 0 where there is no goal."""
    nearest = next((depth for depth, number in enumerate(found.goals) if number), None)
    return replace(found, plans=0 if nearest is None else shortest_paths(walk, nearest, lambda: checkpoint(space)))


def _from_goals(space: SearchSpace, options: Layered, walk: Walk, found: Surveyed, shown: int, by_layer: bool
                ) -> Surveyed:  # fmt: skip
    """With what a second walk tells."""
    if not sum(found.goals):
        return replace(found, dead=walk.known, dead_by_layer=found.layers)
    with returning(space, options, walk).walk() as back:
        while back.layers[-1].states:
            back.grow()
        _require_agreement(walk, back, machine_of(space), found)
        last = len(back.layers) - 2
        hardest = Hardest(last, back.layers[last].states, tuple(_some(back, last, shown)))
        found = replace(found, hardest=hardest, dead=walk.known - back.known)
        return replace(found, dead_by_layer=_dead_by_layer(walk, back, found)) if by_layer else found


def _require_agreement(walk: Walk, back: Walk, machine: NativeModel, found: Surveyed) -> None:
    """Both walks are about the same steps: AssertionError, always a bug."""
    assert walk.scope != LAST_TWO or back.known == walk.known, "a state leads to no goal, though steps can be undone"
    nearest = next(depth for depth, number in enumerate(found.goals) if number)
    assert nearest < len(back.layers) and has(back, nearest, machine.initial), "the way back is not as long"


def _dead_by_layer(walk: Walk, back: Walk, found: Surveyed) -> tuple[int, ...]:
    if not found.dead:
        return (0,) * len(found.layers)
    alive = back.met(walk.site, walk.settled[: len(found.layers)])
    return tuple(states - met for states, met in zip(found.layers, alive, strict=True))


def _some(walk: Walk, depth: int, number: int) -> Iterator[int]:
    """The first few states of a layer."""
    from search.kernels.packing import Packer
    from search.layers.files import frames

    words = walk.site.words
    for file in walk.layers[depth].files:
        for states in frames(walk.site, file, Packer(words)):
            for at in range(len(states) // words):
                if number <= 0:
                    return
                number -= 1
                yield state_at(states, at, words)
