"""A whole space by its layers, and the states that are farthest from every goal, by a second walk that begins with all
goals.

Where every step can be undone, steps backwards are steps forwards: the second walk is one of the same machine code, and
it comes to every state that the first has come to. What it then finds last is hardest to solve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from models.frozen import frozen
from models.outcomes import LimitReached, Outcome, outcome_of
from search.algorithms.layered import Layered
from search.kernels.driver import checkpoint, machine_of, state_at
from search.layers.paths import goals_in
from search.layers.searching import Walking, require_nodes
from search.layers.shortest import shortest_paths
from search.layers.walk import LAST_TWO, Walk
from search.space import SearchSpace

MOST_GOALS = 1_000_000  # that a walk begins with
BEHIND = "from-goals"  # the folder of the second walk, in that of the first


@frozen(eq=True)
class Hardest:
    """How far from every goal the farthest states are, how many these are, and a few of them."""

    steps: int
    number: int
    states: tuple[int, ...]


@frozen(eq=True)
class Surveyed:
    """What the layers tell; `missing`: why there is no `hardest`."""

    layers: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    generated: int = 0
    exhausted: bool = False
    stopped: Outcome | None = None
    hardest: Hardest | None = None
    plans: int | None = None  # shortest ones
    dead: int | None = None  # states from which no goal can be reached
    missing: str = ""


def surveyed(space: SearchSpace, options: Layered, shown: int) -> Surveyed:
    """As far as a limit or Ctrl-C lets it come."""
    found = Surveyed()
    try:
        with Walking(space, machine_of(space), options).walk() as walk:
            try:
                _to_the_end(space, walk)
                found = _counted(space, walk, _told(walk))
                found = _from_goals(space, options, walk, found, shown)
            except (LimitReached, KeyboardInterrupt) as reason:
                found = replace(_told(walk), stopped=outcome_of(reason))
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
                    sum(each.generated for each in walk.settled), not walk.settled[-1].states)  # fmt: skip


def _counted(space: SearchSpace, walk: Walk, found: Surveyed) -> Surveyed:
    """With the number of shortest plans; 0 where there is no goal."""
    nearest = next((depth for depth, number in enumerate(found.goals) if number), None)
    return replace(found, plans=0 if nearest is None else shortest_paths(walk, nearest, lambda: checkpoint(space)))


def _from_goals(space: SearchSpace, options: Layered, walk: Walk, found: Surveyed, shown: int) -> Surveyed:
    goals = sum(found.goals)
    if not goals:
        return replace(found, dead=walk.known)
    if walk.scope != LAST_TWO:
        return replace(found, missing="it is not proven that every step can be undone")
    if goals > MOST_GOALS:
        return replace(found, missing=f"{goals:,} goals are too many to begin with")
    states = [state for depth, number in enumerate(found.goals) if number for state in goals_in(walk, depth)]
    behind = replace(options, disk=str(Path(walk.site.folder) / BEHIND), resume=True)
    with Walking(space.anew(), machine_of(space), behind).walk(states) as back:
        while back.layers[-1].states:
            back.grow()
        assert back.known == walk.known, "a state leads to no goal, though every step can be undone"
        last = len(back.layers) - 2
        hardest = Hardest(last, back.layers[last].states, tuple(_some(back, last, shown)))
        return replace(found, hardest=hardest, dead=0)


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
