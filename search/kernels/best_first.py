"""Best-first search in machine code: the loop of `algorithms.best_first`, entry by entry in the same order.

A state is a *node*, numbered in the order of first generation. Its row in `nodes` holds the words of the state, then
2 * g + closed, then depth << 32 | parent: whoever finds a state has everything about it in the same cache line. `index`
is a table of node numbers.

The open list is a heap of *buckets*, one for each pair (priority, h), and a bucket is a stack of entries, so ties are
broken last in first out. If few pairs occur, this is a bucket queue (Dial 1969), however large the costs are; if every
entry has a pair of its own, it is a binary heap (Williams 1964). `pairs` is the table of the buckets by their pairs.

An entry is obsolete if and only if its node is closed when it is popped: of the entries of one node the latest has the
smallest g, so the smallest priority (or stands higher in the same stack, where g does not count), and is popped first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.outcomes import Outcome, Unsupported
from search.algorithms.best_first import Weighted, rounded
from search.kernels.calls import call_estimate, call_expand, call_goal, prefetch
from search.kernels.driver import (
    SUCCESSORS,
    Buffers,
    Counts,
    Numbers,
    Pace,
    Words,
    actions_along,
    bounded,
    checkpoint,
    grow,
    machine_of,
    require_memory,
    room_for,
    state_at,
    words_of,
)
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    NOBODY,
    NUMBER,
    OF,
    Table,
    after,
    hash_state,
    home,
    inner,
    kernel,
    mix,
    node_cell,
    prefetch_matches,
    prefetch_nodes,
    same_state,
    seek,
)
from search.options import Options
from search.space import BLIND, Found, LimitReached, SearchSpace

_ONE = np.uint64(1)
_HALF = np.uint64(32)
_NONE = int(NOBODY)  # no bucket, no entry

LARGEST_PRIORITY = 1 << 62
FEWEST_BUCKETS = 1 << 10
BEYOND_CACHE = 1 << 17  # cells of an index that does not stay in the cache
TOO_LARGE_FOR_WORDS = "weights, costs or estimates are too large for machine words"
FEW_SUCCESSORS = 8  # on average: so few that it costs less to make them twice than to wait for their cells

# What the kernel comes back with.
PAUSED, FOUND, EXHAUSTED, NODE_LIMIT, HORIZON, NODES_FULL, ENTRIES_FULL, BUCKETS_FULL, TOO_LARGE = range(9)

# `rules`, fixed from the beginning: addresses (GOAL 0: no state is one), sizes, and
# REOPEN: closed states too; CEILING: no larger priority is taken; SAFE: no g or h is larger; LIMIT: of expansions.
EXPAND, GOAL, ESTIMATE, WORDS, G_WEIGHT, H_WEIGHT, REOPEN, CEILING, SAFE, LIMIT, RULES = range(11)

# `now`, how the search stands: sizes, counters, and
# FREE: the first entry of the free list; BOUND: the largest priority taken; TAKEN: the node taken last;
# WAITING: how many successors of it are in the buffers, not yet looked at.
(NODES, OPEN, ENTRIES, FREE, BUCKETS, QUEUED, EXPANDED, GENERATED, REOPENED, EVALUATED, FRONTIER, DEPTH, BOUND,
 TAKEN, WAITING, NOW) = range(16)  # fmt: skip

# A bucket's row in `buckets`: its pair, its latest entry, and whether it is in the heap.
PRIORITY, H, TOP, IN_HEAP, BUCKET = range(5)


# --- open list --------------------------------------------------------------------------------------------------------


@inner
def before(buckets: Any, a: Any, b: Any) -> Any:
    """Is bucket a taken from before bucket b?"""
    a, b = a * BUCKET, b * BUCKET
    if buckets[a + PRIORITY] != buckets[b + PRIORITY]:
        return buckets[a + PRIORITY] < buckets[b + PRIORITY]
    return buckets[a + H] < buckets[b + H]


@inner
def enqueue(now: Any, buckets: Any, heap: Any, bucket: Any) -> Any:
    """Put a bucket into the heap."""
    place = now[QUEUED]
    now[QUEUED] += 1
    while place > 0:
        above = (place - 1) >> 1
        if not before(buckets, bucket, heap[above]):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = bucket
    buckets[bucket * BUCKET + IN_HEAP] = 1


@inner
def dequeue(now: Any, buckets: Any, heap: Any) -> Any:
    """Take the first bucket out of the heap."""
    buckets[heap[0] * BUCKET + IN_HEAP] = 0
    now[QUEUED] -= 1
    size = now[QUEUED]
    bucket = heap[size]
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and before(buckets, heap[below + 1], heap[below]):
            below += 1
        if not before(buckets, heap[below], bucket):
            break
        heap[place] = heap[below]
        place = below
    heap[place] = bucket


@inner
def pair_cell(buckets: Any, pairs: Any, priority: Any, h: Any) -> Any:
    """The cell of a pair's bucket, or the empty one where it belongs."""
    capacity = np.uint64(len(pairs))
    at = home(mix(mix(np.uint64(priority)) ^ np.uint64(h)), capacity)
    while pairs[at] >= 0:
        row = pairs[at] * BUCKET
        if buckets[row + PRIORITY] == priority and buckets[row + H] == h:
            return at
        at = after(at, capacity)
    return at


@inner
def push(now: Any, entries: Any, buckets: Any, pairs: Any, heap: Any, node: Any, priority: Any, h: Any) -> Any:
    at = pair_cell(buckets, pairs, priority, h)
    if pairs[at] < 0:
        pairs[at] = now[BUCKETS]
        row = now[BUCKETS] * BUCKET
        now[BUCKETS] += 1
        buckets[row + PRIORITY], buckets[row + H] = priority, h
        buckets[row + TOP], buckets[row + IN_HEAP] = _NONE, 0
    row = pairs[at] * BUCKET
    entry = now[FREE]
    if entry == _NONE:
        entry = now[ENTRIES]
        now[ENTRIES] += 1
    else:
        now[FREE] = np.int64(entries[entry] >> _HALF)
    entries[entry] = (np.uint64(buckets[row + TOP]) << _HALF) | np.uint64(node)
    buckets[row + TOP] = entry
    now[OPEN] += 1
    if not buckets[row + IN_HEAP]:
        enqueue(now, buckets, heap, pairs[at])


@inner
def first_bucket(now: Any, buckets: Any, heap: Any) -> Any:
    """The row of the bucket to take from; buckets that ran empty leave the heap only when they come to its top."""
    while buckets[heap[0] * BUCKET + TOP] == _NONE:
        dequeue(now, buckets, heap)
    return heap[0] * BUCKET


@inner
def pop(now: Any, entries: Any, buckets: Any, row: Any) -> Any:
    """The node of the bucket's latest entry, which goes to the free list."""
    entry = buckets[row + TOP]
    value = entries[entry]
    buckets[row + TOP] = np.int64(value >> _HALF)
    entries[entry] = np.uint64(now[FREE]) << _HALF
    now[FREE] = entry
    now[OPEN] -= 1
    return np.int64(value & NUMBER)


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1])")
def drop_empty_buckets(now: Counts, buckets: Counts, pairs: Counts, heap: Counts) -> None:
    """Number the buckets with entries anew and rebuild the table and the heap."""
    kept = 0
    for bucket in range(now[BUCKETS]):
        if buckets[bucket * BUCKET + TOP] != _NONE:
            for word in range(BUCKET):
                buckets[kept * BUCKET + word] = buckets[bucket * BUCKET + word]
            kept += 1
    now[BUCKETS], now[QUEUED] = kept, 0
    pairs[:] = -1
    for bucket in range(kept):
        row = bucket * BUCKET
        pairs[pair_cell(buckets, pairs, buckets[row + PRIORITY], buckets[row + H])] = bucket
        enqueue(now, buckets, heap, bucket)


# --- search -----------------------------------------------------------------------------------------------------------


@inner
def find_row(index: Any, nodes: Any, states: Any, first: Any, words: Any, hashed: Any) -> Any:
    """The cell of the state that begins at word `first` of `states`, or the empty cell where it belongs."""
    capacity, width = np.uint64(len(index)), np.uint64(words + 2)
    at = seek(index, hashed, home(hashed, capacity))
    while index[at] != EMPTY and not same_state(nodes, (index[at] & NUMBER) * width, states, first, words):
        at = seek(index, hashed, after(at, capacity))
    return at


@inner
def look_ahead(rules: Any, nodes: Any, index: Any, entries: Any, entry: Any, states: Any, actions: Any, origins: Any,
               costs: Any) -> Any:  # fmt: skip
    """Ask for all that the expansion of the entry's node needs, and for the row of the entry below it."""
    words = rules[WORDS]
    value = entries[entry]
    if value >> _HALF != NUMBER:
        prefetch(nodes, (entries[value >> _HALF] & NUMBER) * np.uint64(words + 2))
    row = np.int64(value & NUMBER) * (words + 2)
    n = call_expand(rules[EXPAND], nodes, row, 1, states, actions, origins, costs)
    for i in range(n):
        prefetch(index, home(hash_state(states, i * words, words), np.uint64(len(index))))


@inner
def accept(rules: Any, now: Any, nodes: Any, index: Any, parent: Any, states: Any, n: Any, costs: Any, hashes: Any,
           accepted: Any) -> Any:  # fmt: skip
    """Enter the successors that are new or reached more cheaply than before: their number, or -1 if a cost is too
    large. Their states move to the front of `states`, their nodes and g to that of `accepted` and `costs`."""
    words = rules[WORDS]
    width = words + 2
    row = parent * width
    g = np.int64(nodes[row + words] >> _ONE)
    link = (((nodes[row + words + 1] >> _HALF) + _ONE) << _HALF) | np.uint64(parent)
    prefetch_nodes(index, states, words, n, hashes)
    prefetch_matches(index, nodes, width, n, hashes)
    kept = 0
    for i in range(n):
        if costs[i] > rules[SAFE] - g:
            return -1
        cost = g + costs[i]
        at = find_row(index, nodes, states, i * words, words, hashes[i])
        if index[at] == EMPTY:
            node = now[NODES]
            now[NODES] += 1
            index[at] = node_cell(hashes[i], node)
            row = node * width
            for word in range(words):
                nodes[row + word] = states[i * words + word]
        else:
            node = np.int64(index[at] & NUMBER)
            row = node * width
            known = nodes[row + words]
            if cost >= np.int64(known >> _ONE):
                continue
            if known & _ONE:
                if not rules[REOPEN]:
                    continue
                now[REOPENED] += 1
        nodes[row + words] = np.uint64(cost) << _ONE
        nodes[row + words + 1] = link
        for word in range(words):
            states[kept * words + word] = states[i * words + word]
        accepted[kept] = node
        costs[kept] = cost
        kept += 1
    return kept


@inner
def open_all(rules: Any, now: Any, entries: Any, buckets: Any, pairs: Any, heap: Any, states: Any, n: Any,
             accepted: Any, costs: Any, estimates: Any) -> Any:  # fmt: skip
    """Estimate n states and put their nodes on the open list; False if an estimate is too large."""
    if rules[H_WEIGHT]:
        now[EVALUATED] += n
    if rules[H_WEIGHT] and rules[ESTIMATE]:
        call_estimate(rules[ESTIMATE], states, 0, n, estimates)
    else:
        estimates[:n] = 0
    for i in range(n):
        h = estimates[i]
        if h > rules[SAFE]:
            return False
        priority = rules[G_WEIGHT] * costs[i] + rules[H_WEIGHT] * h
        push(now, entries, buckets, pairs, heap, accepted[i], priority, h)
    return True


@kernel("boolean(int64[::1], int64[::1], uint64[::1], uint64[::1], uint64[::1], int64[::1], int64[::1], int64[::1],"
        "uint64[::1], uint32[::1], int64[::1], int64[::1])")  # fmt: skip
def begin(rules: Counts, now: Counts, nodes: Words, index: Words, entries: Words, buckets: Counts, pairs: Counts,
          heap: Counts, states: Words, accepted: Numbers, costs: Counts, estimates: Counts) -> bool:  # fmt: skip
    """Open the state at the front of `states`; False if its estimate is too large."""
    words = rules[WORDS]
    hashed = hash_state(states, 0, words)
    index[home(hashed, np.uint64(len(index)))] = node_cell(hashed, 0)
    for word in range(words):
        nodes[word] = states[word]
    nodes[words], nodes[words + 1] = 0, NUMBER
    now[NODES], accepted[0], costs[0] = 1, 0, 0
    return bool(open_all(rules, now, entries, buckets, pairs, heap, states, 1, accepted, costs, estimates))


@kernel("int64(int64[::1], int64[::1], uint64[::1], uint64[::1], uint64[::1], int64[::1], int64[::1], int64[::1],"
        "uint64[::1], uint32[::1], uint32[::1], int64[::1], uint64[::1], int64[::1], int64)")  # fmt: skip
def run(rules: Counts, now: Counts, nodes: Words, index: Words, entries: Words, buckets: Counts, pairs: Counts,
        heap: Counts, states: Words, accepted: Numbers, origins: Numbers, costs: Counts, hashes: Words,
        estimates: Counts, until: int) -> int:  # fmt: skip
    """Search until `until` states have been expanded or something else has to be done first."""
    words = rules[WORDS]
    width = words + 2
    most_nodes = min(len(nodes) // width, len(index) * FULL // OF)
    ahead = len(index) >= BEYOND_CACHE and now[GENERATED] <= FEW_SUCCESSORS * now[EXPANDED]
    while now[WAITING] or now[OPEN]:
        if not now[WAITING]:
            if now[EXPANDED] >= until:
                return PAUSED
            bucket = first_bucket(now, buckets, heap)
            node = pop(now, entries, buckets, bucket)
            row = node * width
            if nodes[row + words] & _ONE:
                continue
            if ahead and buckets[bucket + TOP] != _NONE:
                look_ahead(rules, nodes, index, entries, buckets[bucket + TOP], states, accepted, origins, costs)
            now[TAKEN] = node
            now[BOUND] = max(now[BOUND], buckets[bucket + PRIORITY])
            if buckets[bucket + PRIORITY] > rules[CEILING]:
                return HORIZON
            if rules[GOAL] and call_goal(rules[GOAL], nodes, row, 1) == 0:
                return FOUND
            if now[EXPANDED] == rules[LIMIT]:
                return NODE_LIMIT
            nodes[row + words] |= _ONE
            now[WAITING] = call_expand(rules[EXPAND], nodes, row, 1, states, accepted, origins, costs)
            now[EXPANDED] += 1
            now[GENERATED] += now[WAITING]
            now[FRONTIER] = max(now[FRONTIER], now[OPEN])
            now[DEPTH] = max(now[DEPTH], np.int64(nodes[row + words + 1] >> _HALF))
        n = now[WAITING]
        if now[NODES] + n > most_nodes:
            return NODES_FULL
        if now[OPEN] + n > len(entries):
            return ENTRIES_FULL
        if now[BUCKETS] + n > len(heap):
            return BUCKETS_FULL
        now[WAITING] = 0
        n = accept(rules, now, nodes, index, now[TAKEN], states, n, costs, hashes, accepted)
        if n < 0 or not open_all(rules, now, entries, buckets, pairs, heap, states, n, accepted, costs, estimates):
            return TOO_LARGE
    return EXHAUSTED


# --- plan in hand -----------------------------------------------------------------------------------------------------


@inner
def step_cost(rules: Any, nodes: Any, row: Any, target: Any, states: Any, actions: Any, origins: Any,
              costs: Any) -> Any:  # fmt: skip
    """The cost of the cheapest action from one row's state to the other's."""
    words = rules[WORDS]
    n = call_expand(rules[EXPAND], nodes, row, 1, states, actions, origins, costs)
    cheapest = rules[SAFE]
    for i in range(n):
        if same_state(nodes, target, states, i * words, words):
            cheapest = min(cheapest, costs[i])
    return cheapest


@inner
def path_cost(rules: Any, nodes: Any, node: Any, states: Any, actions: Any, origins: Any, costs: Any) -> Any:
    """The cost of the path that the parents spell out. It is less than g if a state on it was reopened meanwhile."""
    words, width = rules[WORDS], rules[WORDS] + 2
    cost = 0
    row = node * width
    while nodes[row + words + 1] & NUMBER != NUMBER:
        parent = np.int64(nodes[row + words + 1] & NUMBER) * width
        cost += step_cost(rules, nodes, parent, row, states, actions, origins, costs)
        row = parent
    return cost


@kernel("int64(int64[::1], int64[::1], uint64[::1], uint64[::1], uint32[::1], uint32[::1], int64[::1])")
def cheapest_open_goal(rules: Counts, now: Counts, nodes: Words, states: Words, actions: Numbers, origins: Numbers,
                       costs: Counts) -> int:  # fmt: skip
    """The goal on the open list with the cheapest path, -1 if there is none."""
    words = rules[WORDS]
    best, best_cost = -1, LARGEST_PRIORITY
    for node in range(now[NODES]):
        row = node * (words + 2)
        if nodes[row + words] & _ONE or call_goal(rules[GOAL], nodes, row, 1) != 0:
            continue
        if now[REOPENED]:
            cost = path_cost(rules, nodes, node, states, actions, origins, costs)
        else:
            cost = np.int64(nodes[row + words] >> _ONE)
        if cost < best_cost:
            best, best_cost = node, cost
    return best


# --- driver -----------------------------------------------------------------------------------------------------------


class BestFirst:
    """One search: its arrays, and what is done between two calls of the kernel. It knows no space, because the space
    knows it, by the plan in hand, and memory is to be free as soon as the space is gone."""

    def __init__(self, space: SearchSpace, g_weight: int, h_weight: int, reopen: bool) -> None:
        self.machine = machine_of(space)
        self.weight = max(g_weight, h_weight)
        self.bounds = h_weight == 0 or space.heuristic.admissible
        self.rules = self._rules(space, g_weight, h_weight, reopen)
        self.now = np.zeros(NOW, np.int64)
        self.now[FREE] = _NONE
        self.width = self.machine.words + 2
        room = room_for(space.limits, 8 * (self.width + 1 + CELLS_PER_STATE))
        self.nodes = np.empty(room * self.width, np.uint64)
        self.index = Table(room)
        self.entries = np.empty(room, np.uint64)
        self.buckets = np.empty(FEWEST_BUCKETS * BUCKET, np.int64)
        self.heap = np.empty(FEWEST_BUCKETS, np.int64)
        self.pairs = np.full(FEWEST_BUCKETS * 2, -1, np.int64)
        self.successors = Buffers(self.machine)
        self.estimates = np.empty(len(self.successors.actions), np.int64)

    def _rules(self, space: SearchSpace, g_weight: int, h_weight: int, reopen: bool) -> Counts:
        if self.weight > LARGEST_PRIORITY // 2:
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        nodes, horizon = space.limits.nodes, space.limits.max_horizon
        rules = np.zeros(RULES, np.int64)
        rules[EXPAND], rules[GOAL] = self.machine.expand, self.machine.goal
        rules[ESTIMATE] = space.heuristic.address
        rules[WORDS] = self.machine.words
        rules[G_WEIGHT], rules[H_WEIGHT], rules[REOPEN] = g_weight, h_weight, reopen
        rules[CEILING] = rules[LIMIT] = LARGEST_PRIORITY
        if horizon is not None and self.bounds and space.unit_cost:
            rules[CEILING] = min(LARGEST_PRIORITY, horizon * self.weight)
        if nodes is not None:
            rules[LIMIT] = min(LARGEST_PRIORITY, nodes)
        rules[SAFE] = LARGEST_PRIORITY // 2 // self.weight
        return rules

    def search(self, space: SearchSpace) -> Found | None:
        words, out = self.machine.words, self.successors
        out.states[:words] = words_of([self.machine.initial], words)
        if not begin(self.rules, self.now, *self._arrays(), out.states, out.actions, out.costs, self.estimates):
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        self._count(space)
        pace = Pace(max(1, SUCCESSORS // len(self.estimates)))
        while True:
            checkpoint(space)
            until = int(self.now[EXPANDED]) + pace.start()
            status = run(self.rules, self.now, *self._arrays(), *out.arrays, out.homes, self.estimates, until)
            pace.stop()
            self._count(space)
            if status == FOUND:
                return self._plan_to(int(self.now[TAKEN]))
            if status in (EXHAUSTED, HORIZON):
                return None
            self._make_room(space, status)

    def _arrays(self) -> tuple[Words, Words, Words, Counts, Counts, Counts]:
        return self.nodes, self.index.cells, self.entries, self.buckets, self.pairs, self.heap

    def _count(self, space: SearchSpace) -> None:
        now, statistics = self.now, space.statistics
        statistics.expanded, statistics.generated = int(now[EXPANDED]), int(now[GENERATED])
        statistics.reopened, statistics.evaluated = int(now[REOPENED]), int(now[EVALUATED])
        statistics.max_frontier, statistics.max_depth = int(now[FRONTIER]), int(now[DEPTH])
        space.check_steps(statistics.max_depth + 1)
        if self.bounds:
            space.prove_cost(-(-int(now[BOUND]) // self.weight))

    def _make_room(self, space: SearchSpace, status: int) -> None:
        """What the kernel came back for, unless it was time only."""
        waiting = int(self.now[WAITING])
        if status == NODE_LIMIT:
            raise LimitReached(Outcome.NODE_LIMIT)
        if status == TOO_LARGE:
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        if status == NODES_FULL:
            self._more_nodes(space, int(self.now[NODES]) + waiting)
        if status == ENTRIES_FULL:
            require_memory(space, self.entries.nbytes // 2)
            grow(self.entries, int(self.now[OPEN]) + waiting)
        if status == BUCKETS_FULL:
            self._more_buckets(space, waiting)

    def _more_nodes(self, space: SearchSpace, needed: int) -> None:
        cells = len(self.index.cells)
        wanted = self.index.capacity_for(needed)
        if needed > len(self.nodes) // self.width or wanted <= cells:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        require_memory(space, (wanted - cells) * 8)
        self.index.grow(wanted)

    def _more_buckets(self, space: SearchSpace, needed: int) -> None:
        """Most are empty by now, as a rule: only if not, the arrays grow."""
        drop_empty_buckets(self.now, self.buckets, self.pairs, self.heap)
        size = 2 * (int(self.now[BUCKETS]) + needed)
        if size <= len(self.heap):
            return
        require_memory(space, (size - len(self.heap)) * 8 * (BUCKET + 3))
        self.buckets.resize(size * BUCKET, refcheck=False)
        self.heap.resize(size, refcheck=False)
        self.pairs.resize(size * 2, refcheck=False)
        drop_empty_buckets(self.now, self.buckets, self.pairs, self.heap)

    def _plan_to(self, node: int) -> Found:
        path = []
        while node != _NONE:
            row = self.nodes[node * self.width : (node + 1) * self.width]
            path.append(state_at(row, 0, self.machine.words))
            node = int(row[-1] & NUMBER)
        return actions_along(self.machine, path[::-1])

    def plan_in_hand(self) -> Found | None:
        """The plan in hand when a limit strikes: a goal that was generated but not yet taken from the open list."""
        node = cheapest_open_goal(self.rules, self.now, self.nodes, *self.successors.arrays)
        return None if node < 0 else self._plan_to(node)


@bounded
def best_first(space: SearchSpace, g_weight: int, h_weight: int, reopen: bool = True) -> Found | None:
    """A plan to the first goal taken from the open list, or None if the reachable space is exhausted."""
    search = BestFirst(space, g_weight, h_weight, reopen)
    space.plan_in_hand = search.plan_in_hand
    return search.search(space)


@bounded
def states_within(space: SearchSpace, ceiling: int) -> tuple[Words, Counts]:
    """The states of which f = g + h is at most `ceiling`, goals like others, and the states after them: (words of a
    state after words of a state, g of each). With a consistent h, g is exact where f is in the limit."""
    search = BestFirst(space, g_weight=1, h_weight=int(space.heuristic is not BLIND), reopen=True)
    search.rules[GOAL], search.rules[CEILING] = 0, ceiling
    search.search(space)
    words, count = search.machine.words, int(search.now[NODES])
    require_memory(space, count * (words + 1) * 8)
    rows = search.nodes[: count * search.width].reshape(count, search.width)
    return rows[:, :words].ravel(), (rows[:, words] >> _ONE).astype(np.int64)


def uniform_cost(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=1, h_weight=0)


def greedy(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=0, h_weight=1, reopen=False)


def a_star(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=1, h_weight=1)


def weighted_a_star(space: SearchSpace, options: Weighted) -> Found | None:
    weight = rounded(options)[1]
    return best_first(space, g_weight=weight.denominator, h_weight=weight.numerator)
