"""Bidirectional search: layers from both ends, grown by the kernel of breadth-first search until they meet.

Pohl 1971; `algorithms.bidirectional` says why it may stop in the middle of a layer. The side that grows asks the table
of the other side for its new states, a batch at a time.
"""

from __future__ import annotations

from typing import Any, cast

from search.kernels.breadth_first import Layers
from search.kernels.driver import Status, actions_along, bounded, machine_of, state_at
from search.options import Options
from search.space import Found, SearchSpace


@bounded
def bidirectional(space: SearchSpace, options: Options) -> Found | None:
    """A plan with the fewest steps, or None if one side is exhausted; Unsupported if the model has no inverse."""
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    goals = [goal for goal in cast(Any, space.goal_states()) if machine.is_goal(goal)]
    forward = Layers(space, machine, [machine.initial], sides=2)
    backward = Layers(space, machine.backward(), list(dict.fromkeys(goals)), sides=2)
    while forward.width and backward.width:
        space.prove_length(forward.depth + backward.depth + 1)
        small, large = (forward, backward) if forward.width <= backward.width else (backward, forward)
        if meet(space, small, large):
            meeting = state_at(small.states, small.reached, machine.words)
            there, back = (side.path_to(side.number_of(meeting)) for side in (forward, backward))
            first, second = actions_along(machine, there, cheapest=False), actions_along(machine, back[::-1])
            return Found(first.operators + second.operators, first.cost + second.cost)
    return None


def meet(space: SearchSpace, small: Layers, large: Layers) -> bool:
    """Replace the layer of one side by the next one, or stop at its first state that the other side knows."""
    layer = small.depth
    while small.width and small.depth == layer:
        if small.step(space, pause=layer + 1, other=large) == Status.FOUND:
            return True
    return False
