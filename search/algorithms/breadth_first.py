"""Breadth-first search: layer by layer, so the first goal generated is reached in the fewest steps.

Moore 1959; Lee 1961. The goal is tested when a state is generated: while layer d is expanded, no state of the layers
0..d is a goal, hence every plan has at least d + 1 steps. Fewest steps is cheapest exactly when costs are unit costs.
"""

from search.options import Jobs
from search.space import Found, Parents, SearchSpace, State, path_to


def breadth_first(space: SearchSpace, options: Jobs) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted."""
    if space.is_goal(space.initial):
        return Found((), 0)
    parents: Parents = {space.initial: None}  # also the closed list: every state ever generated
    space.known = lambda: len(parents)
    layer, depth = [space.initial], 0
    while layer:
        space.prove_length(depth + 1)
        next_layer: list[State] = []
        for state in layer:
            for operator, successor, cost in space.expand(state, depth, len(layer)):
                if successor in parents:
                    continue
                parents[successor] = state, operator, cost
                if space.is_goal(successor):
                    return path_to(successor, parents)
                next_layer.append(successor)
        layer, depth = next_layer, depth + 1
    return None
