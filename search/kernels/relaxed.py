"""A relaxed plan of a state, over the gates of `search.improving.gates`.

Nodes open in the order of what it costs to come to them, as in Dijkstra's algorithm (Knuth, A generalization of
Dijkstra's algorithm, 1977): a gate costs what its first inputs of enough weight cost together (h_add: Bonet and
Geffner, Planning as heuristic search, 2001). The relaxed plan has the rows that these lead back to (Keyder and Geffner,
Heuristics for planning with action costs revisited, 2008), each once; but a row that gives a variable one of several
values gives it one at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from search.kernels.driver import Counts, Numbers, Words
from search.kernels.loading import kernel
from search.kernels.records import Ledger, inner, signed

FAR = 1 << 60  # no estimate is greater
BUCKETS = 1 << 12  # for what costs less; the rest is on a heap
NOBODY = -1


class Wiring(NamedTuple):
    """The nodes: all facts, then `rows` rows from `first_row` on, then the rest."""

    need: Counts  # of each node: the weight of inputs with which it opens; none: it is open anyway
    price: Counts  # what it costs beside its inputs
    into: Numbers  # where the inputs of each node begin, and the end of all
    inputs: Numbers
    outof: Numbers  # the same for those it is an input of
    outputs: Numbers
    weights: Numbers  # parallel to the outputs
    group: Counts  # of each node: those of one variable's values that one row may give; or NOBODY
    owner: Numbers  # the row of each group
    word: Numbers  # of each variable: where its code lies in a state,
    shift: Words
    mask: Words
    first: Numbers  # where its facts begin in `fact`,
    fact: Counts  # the node of each code, or NOBODY
    first_row: int
    rows: int
    goal: int


class Desk(NamedTuple):
    """Room to work in, for each node; the buckets are empty between two calls."""

    left: Counts  # weight that is still needed
    cost: Counts
    turn: Counts  # when it was opened
    ready: Counts  # when the last input was that it needed
    stack: Counts
    heap: Counts
    after: Counts  # the next one of its bucket
    used: Counts  # of each group: how many of it the relaxed plan has
    times: Counts  # that the relaxed plan has each row
    buckets: Counts  # the first of each


class Relaxed(Ledger):
    """What comes out, and how much waits in the meantime."""

    estimate: int
    helpful: int  # rows of the relaxed plan whose guards are open
    heaped: int
    linked: int  # in buckets
    bucket: int  # none below it has any


@inner
def wait(desk: Any, out: Any, node: Any) -> None:
    """Until nothing is left that costs less."""
    cost = desk.cost
    if cost[node] < BUCKETS:
        desk.after[node] = desk.buckets[cost[node]]
        desk.buckets[cost[node]] = node
        out.linked += 1
        return
    heap, at = desk.heap, out.heaped
    out.heaped += 1
    while at > 0:
        above = heap[(at - 1) >> 1]
        if cost[above] < cost[node] or (cost[above] == cost[node] and above < node):
            break
        heap[at] = above
        at = (at - 1) >> 1
    heap[at] = node


@inner
def next_of(desk: Any, out: Any) -> Any:
    """The one of least cost; there is one."""
    if out.linked:
        while desk.buckets[out.bucket] < 0:
            out.bucket += 1
        node = desk.buckets[out.bucket]
        desk.buckets[out.bucket] = desk.after[node]
        out.linked -= 1
        return node
    heap, cost = desk.heap, desk.cost
    first = heap[0]
    out.heaped -= 1
    last, at = heap[out.heaped], 0
    while 2 * at + 1 < out.heaped:
        child = 2 * at + 1
        if child + 1 < out.heaped:
            one, other = heap[child], heap[child + 1]
            child += cost[other] < cost[one] or (cost[other] == cost[one] and other < one)
        least = heap[child]
        if cost[last] < cost[least] or (cost[last] == cost[least] and last < least):
            break
        heap[at] = least
        at = child
    heap[at] = last
    return first


@inner
def opened(wiring: Any, desk: Any, out: Any, stack: Any, size: Any) -> Any:
    """Open nodes, those on the stack first, until the goal is; is it?"""
    left, cost, turn = desk.left, desk.cost, desk.turn
    turns, now = 0, 0
    while turn[wiring.goal] < 0:
        if size:
            size -= 1
            node = stack[size]
        elif out.linked or out.heaped:
            node = next_of(desk, out)
            now = cost[node]
        else:
            return False
        turn[node] = turns
        for place in range(wiring.outof[node], wiring.outof[node + 1]):
            other = wiring.outputs[place]
            if left[other] <= 0:
                continue
            left[other] -= wiring.weights[place]
            cost[other] = min(FAR, cost[other] + now)
            if left[other] <= 0:
                desk.ready[other] = turns
                cost[other] = min(FAR, cost[other] + wiring.price[other])
                if cost[other] == now:
                    stack[size] = other
                    size += 1
                else:
                    wait(desk, out, other)
        turns += 1
    return True


@kernel
def relaxed_plan(wiring: Wiring, desk: Desk, state: Words, helpful: Counts, out: Relaxed) -> None:
    """The cost of a relaxed plan; FAR: there is none. `helpful` begins with those of its rows that could be first."""
    left, cost, turn, stack = desk.left, desk.cost, desk.turn, desk.stack
    size = 0
    for node in range(len(left)):
        left[node], cost[node], turn[node] = wiring.need[node], 0, -1
        if left[node] <= 0:
            cost[node] = wiring.price[node]
            wait(desk, out, node)
    for number in range(len(wiring.word)):
        code = signed(state[wiring.word[number]] >> wiring.shift[number] & wiring.mask[number])
        node = wiring.fact[wiring.first[number] + code]
        if node >= 0:
            left[node] = 0
            stack[size] = node
            size += 1
    reached = opened(wiring, desk, out, stack, size)
    if out.linked:
        desk.buckets[out.bucket :] = NOBODY
    out.heaped = out.linked = out.bucket = out.helpful = 0
    out.estimate = 0 if reached else FAR
    size = 0
    if reached and cost[wiring.goal] > 0:
        stack[0] = wiring.goal
        size = 1
        desk.used[: len(wiring.owner)] = 0
        desk.times[wiring.first_row : wiring.first_row + wiring.rows] = 0
    while size:
        size -= 1
        node = stack[size]
        if wiring.group[node] >= 0:
            group = wiring.group[node]
            row = wiring.owner[group]
            desk.used[group] += 1
            if desk.used[group] > desk.times[row]:
                desk.times[row] += 1
                out.estimate = min(FAR - 1, out.estimate + wiring.price[row])
        elif wiring.first_row <= node < wiring.first_row + wiring.rows:
            if desk.times[node] == 0:
                desk.times[node] = 1
                out.estimate = min(FAR - 1, out.estimate + wiring.price[node])
            if cost[node] == wiring.price[node]:
                helpful[out.helpful] = node - wiring.first_row
                out.helpful += 1
                continue
        for place in range(wiring.into[node], wiring.into[node + 1]):
            other = wiring.inputs[place]
            if 0 <= turn[other] <= desk.ready[node] and cost[other] > 0:
                turn[other] = -1
                stack[size] = other
                size += 1
