"""Depth-first search, plain and by iterative deepening.

Plain: follow the first successor not seen before, back up at a dead end; finds some plan, often a long one, and
exhausts a finite space. The stack holds iterators, so plans of any length need no recursion.

Iterative deepening on depth (Slate and Atkin 1977; Korf 1985) is the loop of `algorithms.ida_star` with every step
counted as one and no heuristic: depth-first searches to depth 0, 1, 2, ..., so the first plan has the fewest steps.
"""

from search.algorithms.ida_star import PathNode, Remembering, deepen, plan_along
from search.options import Options
from search.space import Found, SearchSpace


def depth_first(space: SearchSpace, options: Options) -> Found | None:
    """The first plan in the order of the file, or None if the reachable space is exhausted."""
    if space.is_goal(space.initial):
        return Found((), 0)
    closed = {space.initial}
    path = [PathNode(space.initial, (), 0, 0, iter(space.expand(space.initial)))]
    while path:
        for operator, successor, cost in path[-1].successors:
            if successor in closed:
                continue
            if space.is_goal(successor):
                return plan_along(path, operator, cost)
            closed.add(successor)
            successors = space.expand(successor, len(path), len(path))
            path.append(PathNode(successor, operator, cost, path[-1].g + cost, iter(successors)))
            break
        else:
            path.pop()
    return None


def iterative_deepening(space: SearchSpace, options: Remembering) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted."""
    return deepen(space, options.transpositions, lambda cost: 1, lambda state: 0, space.prove_length)
