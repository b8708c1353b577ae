"""Bidirectional breadth-first search: grow layers from the start and from all goal states until they meet.

Pohl 1971. When the layers 0..f forwards and 0..b backwards are complete and share no state, every plan is longer than
f + b: a plan of at most f + b steps would have a state within both. So the first state that a further layer shares
with the other side lies on a plan of exactly f + b + 1 steps, and the search may stop in the middle of that layer.
The side with the smaller layer is grown. If either side runs dry, there is no plan: forwards because all reachable
states are known, backwards because all states that can reach any goal state are known.
"""

from collections.abc import Callable

from search.options import Options
from search.space import Found, Parents, SearchSpace, State, Successor, path_to


class Side:
    """One of the two searches: its newest layer, and the links that lead back to where it began."""

    def __init__(self, roots: list[State], expand: Callable[[State, int, int], list[Successor]]) -> None:
        self.parents: Parents = dict.fromkeys(roots)
        self.layer = list(self.parents)
        self.depth = 0
        self._expand = expand

    def grow(self, other: "Side") -> State | None:
        """Replace the layer by the next one; the first state that the other side knows ends it."""
        next_layer: list[State] = []
        for state in self.layer:
            for operator, neighbour, cost in self._expand(state, self.depth, len(self.layer) + len(other.layer)):
                if neighbour in self.parents:
                    continue
                self.parents[neighbour] = state, operator, cost
                if neighbour in other.parents:
                    return neighbour
                next_layer.append(neighbour)
        self.layer = next_layer
        self.depth += 1
        return None


def bidirectional(space: SearchSpace, options: Options) -> Found | None:
    """A plan with the fewest steps, or None if one side is exhausted; Unsupported if the model has no inverse."""
    if space.is_goal(space.initial):
        return Found((), 0)
    forward = Side([space.initial], space.expand)
    backward = Side([state for state in space.goal_states() if space.is_goal(state)], space.expand_backward)
    while forward.layer and backward.layer:
        space.prove_length(forward.depth + backward.depth + 1)
        small, large = (forward, backward) if len(forward.layer) <= len(backward.layer) else (backward, forward)
        meeting = small.grow(large)
        if meeting is not None:
            return onward(space, path_to(meeting, forward.parents), meeting, backward.parents)
    return None


def onward(space: SearchSpace, plan: Found, state: State, parents: Parents) -> Found:
    """The plan continued to the goal where the links of the backward side end.

    These tell which states lie on the way; what leads from one to the next is asked again of the model forwards.
    """
    operators, cost = list(plan.operators), plan.cost
    while link := parents[state]:
        operator, step_cost = space.step(state, link[0])
        operators.append(operator)
        cost, state = cost + step_cost, link[0]
    return Found(tuple(operators), cost)
