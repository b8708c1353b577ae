"""Recursive best-first search (Korf 1993): best-first order, and only the current path with its siblings in memory.

Below each node on the path the search goes on as long as the best child stays within the bound, which is the best
value any alternative higher up still promises; then it backs up, leaving behind in `value` the smallest f found
below, and forgets the rest. When it returns, `value` saves it from raising that f step by step again.

Two departures from the paper. The recursion is an explicit stack of frames, so plans may be longer than Python's
recursion limit. A bounded table remembers for each state its cheapest g and the parent it came from; any other path
to it is pruned (the same cost by another parent too: one owner is enough to keep an optimal path alive), without
which an unsolvable space means walking every path without a cycle. With room for no states it is Korf's algorithm
with a path check.
"""

from dataclasses import dataclass

from search.algorithms.ida_star import Remembering
from search.space import INFINITY, Found, Operator, SearchSpace, State

Owners = dict[State, tuple[int, State]]  # cheapest g of a state, and the parent state that gave it


@dataclass(slots=True)
class Node:
    """A path to a state; `value` starts as f and is raised to what its subtree has shown."""

    state: State
    operator: Operator
    cost: int
    g: int
    f: int
    value: int


@dataclass(slots=True)
class Frame:
    """A call of Korf's procedure: explore the children of `node` while the best stays within `bound`."""

    node: Node
    children: list[Node]
    bound: int


def recursive_best_first(space: SearchSpace, options: Remembering) -> Found | None:
    """A cheapest plan if h is admissible, or None if the reachable space is exhausted."""
    f = space.h(space.initial)
    root = Node(space.initial, (), 0, 0, f, f)
    if space.is_goal(space.initial):
        return Found((), 0)
    if space.is_dead_end(f):
        return None
    owners: Owners = {space.initial: (0, space.initial)}
    on_path = {space.initial}
    stack = [Frame(root, children_of(space, root, on_path, owners, options.transpositions, 0), INFINITY)]
    while stack:
        frame = stack[-1]
        frame.children.sort(key=lambda child: child.value)
        best = frame.children[0].value if frame.children else INFINITY
        if best > frame.bound or best == INFINITY:
            frame.node.value = best
            on_path.remove(stack.pop().node.state)
            continue
        if space.heuristic.admissible:
            space.prove_cost(best)  # within the bound, so no tip of the tree promises less
        child = frame.children[0]
        if space.is_goal(child.state):
            return plan_along([frame.node for frame in stack[1:]] + [child])
        alternative = frame.children[1].value if len(frame.children) > 1 else INFINITY
        on_path.add(child.state)
        children = children_of(space, child, on_path, owners, options.transpositions, len(stack))
        stack.append(Frame(child, children, min(frame.bound, alternative)))
    return None


def children_of(
    space: SearchSpace, node: Node, on_path: set[State], owners: Owners, capacity: int, depth: int
) -> list[Node]:
    """The children worth a visit; one whose parent is known to promise more inherits the parent's value."""
    inherited = node.value if node.value > node.f else 0
    children = []
    for operator, successor, cost in space.expand(node.state, depth, depth + 1):
        g = node.g + cost
        if successor not in on_path and owns(owners, successor, g, node.state, capacity):
            h = space.h(successor)
            if space.is_dead_end(h):
                continue
            f = g + h
            children.append(Node(successor, operator, cost, g, f, max(f, inherited)))
    return children


def owns(owners: Owners, state: State, g: int, parent: State, capacity: int) -> bool:
    """True unless the table knows a cheaper path to the state, or as cheap a one by another parent."""
    known = owners.get(state)
    if known is None or g < known[0]:
        if known or len(owners) < capacity:
            owners[state] = g, parent
        return True
    return known == (g, parent)


def plan_along(nodes: list[Node]) -> Found:
    return Found(tuple(node.operator for node in nodes), sum(node.cost for node in nodes))
