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

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from models.outcomes import Outcome, Unsupported
from search.algorithms.best_first import Weighted, prove_exhausted, rounded
from search.kernels.calls import call_estimate, call_goal, expand_states, prefetch
from search.kernels.driver import (
    SUCCESSORS,
    Counts,
    Functions,
    Pace,
    Status,
    Successors,
    Words,
    actions_along,
    bounded,
    checkpoint,
    functions_of,
    grow,
    machine_of,
    require_memory,
    room_for,
    room_for_successors,
    state_at,
    words_of,
)
from search.kernels.loading import kernel
from search.kernels.records import Ledger, inner, signed
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    NOBODY,
    NUMBER,
    OF,
    HashTable,
    Known,
    after,
    find_node,
    hash_state,
    home,
    mix,
    node_cell,
    prefetch_matches,
    prefetch_nodes,
    same_state,
)
from search.options import Options
from search.space import BLIND, INFINITY, Found, LimitReached, SearchSpace

_ONE = np.uint64(1)
_HALF = np.uint64(32)
_NONE = int(NOBODY)  # no bucket, no entry

LARGEST_PRIORITY = 1 << 62
LARGEST_WORD = (1 << 63) - 1  # more than any estimate: they go up to 1 << 62
FEWEST_BUCKETS = 1 << 10
BEYOND_CACHE = 1 << 17  # cells of an index that does not stay in the cache
TOO_LARGE_FOR_WORDS = "weights, costs or estimates are too large for machine words"
FEW_SUCCESSORS = 8  # on average: so few that it costs less to make them twice than to wait for their cells


class Rules(NamedTuple):
    """What is fixed from the beginning."""

    g_weight: int
    h_weight: int
    reopen: bool  # closed states too
    ceiling: int  # no larger priority is taken
    safe: int  # no g or h is larger
    limit: int  # of expansions
    below: int  # paths of this cost are dropped,
    cuts: bool  # those too that reach it with their estimate
    lost: int  # states of such an estimate are dead ends


class Course(Ledger):
    """How the search stands: sizes and counters."""

    nodes: int
    open: int
    entries: int
    free: int  # the first entry of the free list
    buckets: int
    queued: int
    expanded: int
    generated: int
    reopened: int
    evaluated: int
    dead_ends: int  # that were left out
    frontier: int
    depth: int
    bound: int  # the largest priority taken
    taken: int  # the node taken last
    held: int  # is it still to be expanded, since the limit did not let it?
    waiting: int  # successors of it that are in the buffers, not yet looked at


class Bucket(Ledger):
    """A pair, its latest entry, and whether it is in the heap."""

    priority: int
    h: int
    top: int
    in_heap: int


class OpenList(NamedTuple):
    """A heap of buckets, which `pairs` finds, and their entries: the one below on the stack << 32 | the node."""

    entries: Words
    buckets: npt.NDArray[Bucket]
    pairs: Counts
    heap: Counts


# --- open list --------------------------------------------------------------------------------------------------------


@inner
def before(buckets: Any, a: Any, b: Any) -> Any:
    """Is bucket a taken from before bucket b?"""
    if buckets[a].priority != buckets[b].priority:
        return buckets[a].priority < buckets[b].priority
    return buckets[a].h < buckets[b].h


@inner
def enqueue(course: Course, queue: OpenList, bucket: Any) -> Any:
    """Put a bucket into the heap."""
    buckets, heap = queue.buckets, queue.heap
    place = course.queued
    course.queued += 1
    while place > 0:
        above = (place - 1) >> 1
        if not before(buckets, bucket, heap[above]):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = bucket
    buckets[bucket].in_heap = 1


@inner
def dequeue(course: Course, queue: OpenList) -> Any:
    """Take the first bucket out of the heap."""
    buckets, heap = queue.buckets, queue.heap
    buckets[heap[0]].in_heap = 0
    course.queued -= 1
    size = course.queued
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
def pair_cell(queue: OpenList, priority: Any, h: Any) -> Any:
    """The cell of a pair's bucket, or the empty one where it belongs."""
    pairs, buckets = queue.pairs, queue.buckets
    capacity = np.uint64(len(pairs))
    at = home(mix(mix(np.uint64(priority)) ^ np.uint64(h)), capacity)
    while pairs[at] >= 0:
        if buckets[pairs[at]].priority == priority and buckets[pairs[at]].h == h:
            return at
        at = after(at, capacity)
    return at


@inner
def push(course: Course, queue: OpenList, node: Any, priority: Any, h: Any) -> Any:
    at = pair_cell(queue, priority, h)
    if queue.pairs[at] < 0:
        queue.pairs[at] = course.buckets
        new = queue.buckets[course.buckets]
        course.buckets += 1
        new.priority, new.h, new.top, new.in_heap = priority, h, _NONE, 0
    bucket = queue.buckets[queue.pairs[at]]
    entry = course.free
    if entry == _NONE:
        entry = course.entries
        course.entries += 1
    else:
        course.free = signed(queue.entries[entry] >> _HALF)
    queue.entries[entry] = (np.uint64(bucket.top) << _HALF) | np.uint64(node)
    bucket.top = entry
    course.open += 1
    if not bucket.in_heap:
        enqueue(course, queue, queue.pairs[at])


@inner
def first_bucket(course: Course, queue: OpenList) -> Any:
    """The bucket to take from; those that ran empty leave the heap only when they come to its top."""
    while queue.buckets[queue.heap[0]].top == _NONE:
        dequeue(course, queue)
    return queue.buckets[queue.heap[0]]


@inner
def pop(course: Course, entries: Any, bucket: Bucket) -> Any:
    """The node of the bucket's latest entry, which goes to the free list."""
    entry = bucket.top
    value = entries[entry]
    bucket.top = signed(value >> _HALF)
    entries[entry] = np.uint64(course.free) << _HALF
    course.free = entry
    course.open -= 1
    return signed(value & NUMBER)


@kernel
def drop_empty_buckets(course: Course, queue: OpenList) -> None:
    """Number the buckets with entries anew and rebuild the table and the heap."""
    kept = 0
    for number in range(course.buckets):
        if queue.buckets[number].top != _NONE:
            queue.buckets[kept] = queue.buckets[number]
            kept += 1
    course.buckets, course.queued = kept, 0
    queue.pairs[:] = -1
    for number in range(kept):
        bucket = queue.buckets[number]
        queue.pairs[pair_cell(queue, bucket.priority, bucket.h)] = number
        enqueue(course, queue, number)


# --- search -----------------------------------------------------------------------------------------------------------


@inner
def look_ahead(puzzle: Functions, nodes: Known, entries: Any, entry: Any, out: Successors) -> Any:
    """Ask for all that the expansion of the entry's node needs, and for the row of the entry below it."""
    words = puzzle.words
    value = entries[entry]
    if value >> _HALF != NUMBER:
        prefetch(nodes.states, (entries[value >> _HALF] & NUMBER) * np.uint64(nodes.width))
    n = expand_states(puzzle, nodes.states, signed(value & NUMBER) * nodes.width, 1, out)
    for i in range(n):
        prefetch(nodes.cells, home(hash_state(out.states, i * words, words), np.uint64(len(nodes.cells))))


@inner
def accept(rules: Rules, course: Course, nodes: Known, parent: Any, n: Any, out: Successors) -> Any:
    """Enter the successors that are new or reached more cheaply than before: their number, or -1 if a cost is too
    large. Their states, their nodes and g move to the front of the states, actions and costs of `out`."""
    words, width, rows, index = nodes.words, nodes.width, nodes.states, nodes.cells
    row = parent * width
    g = signed(rows[row + words] >> _ONE)
    link = (((rows[row + words + 1] >> _HALF) + _ONE) << _HALF) | np.uint64(parent)
    prefetch_nodes(nodes, out.states, n, out.hashes)
    prefetch_matches(nodes, n, out.hashes)
    kept = 0
    for i in range(n):
        if out.costs[i] > rules.safe - g:
            return -1
        cost = g + out.costs[i]
        at = find_node(nodes, out.states, i * words, out.hashes[i])
        if index[at] == EMPTY:
            node = course.nodes
            course.nodes += 1
            index[at] = node_cell(out.hashes[i], node)
            row = node * width
            for word in range(words):
                rows[row + word] = out.states[i * words + word]
        else:
            node = signed(index[at] & NUMBER)
            row = node * width
            known = rows[row + words]
            if cost >= signed(known >> _ONE):
                continue
            if known & _ONE:
                if not rules.reopen:
                    continue
                course.reopened += 1
        rows[row + words] = np.uint64(cost) << _ONE
        rows[row + words + 1] = link
        for word in range(words):
            out.states[kept * words + word] = out.states[i * words + word]
        out.actions[kept] = node
        out.costs[kept] = cost
        kept += 1
    return kept


@inner
def open_all(
    puzzle: Functions, rules: Rules, course: Course, queue: OpenList, n: Any, out: Successors, estimates: Any
) -> Any:
    """Estimate n states that are accepted and put their nodes on the open list; False if an estimate is too large."""
    if rules.h_weight:
        course.evaluated += n
    if rules.h_weight and puzzle.estimate:
        call_estimate(puzzle.estimate, out.states, 0, n, estimates)
    else:
        estimates[:n] = 0
    for i in range(n):
        h = estimates[i]
        if h >= rules.lost:
            course.dead_ends += 1
            continue
        if h > rules.safe:
            return False
        if out.costs[i] + h * rules.cuts >= rules.below:
            continue
        push(course, queue, out.actions[i], rules.g_weight * out.costs[i] + rules.h_weight * h, h)
    return True


@kernel
def begin(
    puzzle: Functions, rules: Rules, course: Course, nodes: Known, queue: OpenList, out: Successors, estimates: Counts
) -> bool:
    """Open the state at the front of `out`; False if its estimate is too large."""
    words = puzzle.words
    hashed = hash_state(out.states, 0, words)
    nodes.cells[home(hashed, np.uint64(len(nodes.cells)))] = node_cell(hashed, 0)
    for word in range(words):
        nodes.states[word] = out.states[word]
    nodes.states[words], nodes.states[words + 1] = 0, NUMBER
    course.nodes, out.actions[0], out.costs[0] = 1, 0, 0
    return bool(open_all(puzzle, rules, course, queue, 1, out, estimates))


@kernel
def run(
    puzzle: Functions, rules: Rules, course: Course, nodes: Known, queue: OpenList, out: Successors, estimates: Counts,
    until: int,
) -> int:  # fmt: skip
    """Search until `until` states have been expanded or something else has to be done first."""
    words, width, rows = nodes.words, nodes.width, nodes.states
    most_nodes = min(len(rows) // width, len(nodes.cells) * FULL // OF)
    ahead = len(nodes.cells) >= BEYOND_CACHE and course.generated <= FEW_SUCCESSORS * course.expanded
    while course.waiting or course.held or course.open:
        if not course.waiting and not course.held:
            if course.expanded >= until:
                return Status.PAUSED
            bucket = first_bucket(course, queue)
            node = pop(course, queue.entries, bucket)
            row = node * width
            if rows[row + words] & _ONE:
                continue
            if ahead and bucket.top != _NONE:
                look_ahead(puzzle, nodes, queue.entries, bucket.top, out)
            course.taken = node
            course.bound = max(course.bound, bucket.priority)
            if bucket.priority > rules.ceiling:
                return Status.HORIZON
            if puzzle.goal and call_goal(puzzle.goal, rows, row, 1) == 0:
                return Status.FOUND
            course.held = 1
        if course.held:
            if course.expanded == rules.limit:
                return Status.NODE_LIMIT
            row = course.taken * width
            course.held = 0
            rows[row + words] |= _ONE
            course.waiting = expand_states(puzzle, rows, row, 1, out)
            course.expanded += 1
            course.generated += course.waiting
            course.frontier = max(course.frontier, course.open)
            course.depth = max(course.depth, signed(rows[row + words + 1] >> _HALF))
        n = course.waiting
        if course.nodes + n > most_nodes:
            return Status.STATES_FULL
        if course.open + n > len(queue.entries):
            return Status.ENTRIES_FULL
        if course.buckets + n > len(queue.heap):
            return Status.BUCKETS_FULL
        course.waiting = 0
        n = accept(rules, course, nodes, course.taken, n, out)
        if n < 0 or not open_all(puzzle, rules, course, queue, n, out, estimates):
            return Status.TOO_LARGE
    return Status.DONE


# --- plan in hand -----------------------------------------------------------------------------------------------------


@inner
def step_cost(puzzle: Functions, rows: Any, row: Any, target: Any, out: Successors) -> Any:
    """The cost of the cheapest action from one row's state to the other's."""
    words = puzzle.words
    n = expand_states(puzzle, rows, row, 1, out)
    cheapest = LARGEST_PRIORITY
    for i in range(n):
        if same_state(rows, target, out.states, i * words, words):
            cheapest = min(cheapest, out.costs[i])
    return cheapest


@inner
def path_cost(puzzle: Functions, nodes: Known, node: Any, out: Successors) -> Any:
    """The cost of the path that the parents spell out. It is less than g if a state on it was reopened meanwhile."""
    words, width, rows = nodes.words, nodes.width, nodes.states
    cost = 0
    row = node * width
    while rows[row + words + 1] & NUMBER != NUMBER:
        parent = signed(rows[row + words + 1] & NUMBER) * width
        cost += step_cost(puzzle, rows, parent, row, out)
        row = parent
    return cost


@kernel
def cheapest_open_goal(puzzle: Functions, course: Course, nodes: Known, out: Successors) -> int:
    """The goal on the open list with the cheapest path, -1 if there is none."""
    words, rows = nodes.words, nodes.states
    best, best_cost = -1, LARGEST_PRIORITY
    for node in range(course.nodes):
        row = node * nodes.width
        if rows[row + words] & _ONE or call_goal(puzzle.goal, rows, row, 1) != 0:
            continue
        cost = path_cost(puzzle, nodes, node, out) if course.reopened else signed(rows[row + words] >> _ONE)
        if cost < best_cost:
            best, best_cost = node, cost
    return best


# --- driver -----------------------------------------------------------------------------------------------------------


def most_expanded(space: SearchSpace) -> int:
    nodes = space.limits.nodes
    return LARGEST_PRIORITY if nodes is None else min(LARGEST_PRIORITY, nodes)


class BestFirst:
    """One search: its arrays, and what is done between two calls of the kernel. It knows no space, because the space
    knows it, by the plan in hand, and memory is to be free as soon as the space is gone."""

    def __init__(self, space: SearchSpace, g_weight: int, h_weight: int, reopen: bool) -> None:
        self.machine = machine_of(space)
        self.weight = max(g_weight, h_weight)
        self.cuts = h_weight == 0 or space.heuristic.admissible
        self.bounds = self.cuts and (reopen or space.below == INFINITY)
        self.puzzle = functions_of(self.machine, space.heuristic.address())
        self.rules = self._rules(space, g_weight, h_weight, reopen)
        self.course = Course(free=_NONE)
        self.width = self.machine.words + 2
        room = room_for(space.limits, 8 * (self.width + 1 + CELLS_PER_STATE))
        self.rows = np.empty(room * self.width, np.uint64)
        self.index = HashTable(room)
        self.queue = OpenList(
            entries=np.empty(room, np.uint64),
            buckets=np.empty(FEWEST_BUCKETS, Bucket.layout),
            pairs=np.full(FEWEST_BUCKETS * 2, -1, np.int64),
            heap=np.empty(FEWEST_BUCKETS, np.int64),
        )
        self.successors = room_for_successors(self.machine)
        self.estimates = np.empty(len(self.successors.actions), np.int64)

    def _rules(self, space: SearchSpace, g_weight: int, h_weight: int, reopen: bool) -> Rules:
        if self.weight > LARGEST_PRIORITY // 2:
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        horizon, ceiling = space.limits.max_horizon, LARGEST_PRIORITY
        if horizon is not None and self.bounds and space.unit_cost:
            ceiling = min(LARGEST_PRIORITY, horizon * self.weight)
        below = min(LARGEST_PRIORITY, space.below)
        safe = LARGEST_PRIORITY // 2 // self.weight
        lost = min(LARGEST_WORD, space.heuristic.lost)
        return Rules(g_weight, h_weight, reopen, ceiling, safe, most_expanded(space), below, self.cuts, lost)

    @property
    def nodes(self) -> Known:
        return self.index.over(self.rows, self.machine.words, self.width)

    def search(self, space: SearchSpace) -> Found | None:
        words, out = self.machine.words, self.successors
        out.states[:words] = words_of([self.machine.initial], words)
        if not begin(self.puzzle, self.rules, self.course, self.nodes, self.queue, out, self.estimates):
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        self._count(space)
        pace = Pace(max(1, SUCCESSORS // len(self.estimates)))
        while True:
            checkpoint(space)
            until = self.course.expanded + pace.start()
            status = run(self.puzzle, self.rules, self.course, self.nodes, self.queue, out, self.estimates, until)
            pace.stop()
            self._count(space)
            if status == Status.FOUND:
                return self._plan_to(self.course.taken)
            if status == Status.DONE:
                prove_exhausted(space, bool(self.rules.reopen))
            if status in (Status.DONE, Status.HORIZON):
                return None
            self._make_room(space, status)

    def _count(self, space: SearchSpace) -> None:
        course, statistics = self.course, space.statistics
        statistics.leave_out(course.dead_ends)
        course.dead_ends = 0
        statistics.expanded, statistics.generated = course.expanded, course.generated
        statistics.reopened, statistics.evaluated = course.reopened, course.evaluated
        statistics.max_frontier, statistics.max_depth = course.frontier, course.depth
        space.check_steps(statistics.max_depth + 1)
        if self.bounds:
            space.prove_cost(-(-course.bound // self.weight))

    def _make_room(self, space: SearchSpace, status: int) -> None:
        """What the kernel came back for, unless it was time only."""
        course = self.course
        if status == Status.NODE_LIMIT:
            space.ask_for_nodes()
            self.rules = self.rules._replace(limit=most_expanded(space))
        if status == Status.TOO_LARGE:
            raise Unsupported(TOO_LARGE_FOR_WORDS)
        if status == Status.STATES_FULL:
            self._more_nodes(space, course.nodes + course.waiting)
        if status == Status.ENTRIES_FULL:
            require_memory(space, self.queue.entries.nbytes // 2)
            grow(self.queue.entries, course.open + course.waiting)
        if status == Status.BUCKETS_FULL:
            self._more_buckets(space, course.waiting)

    def _more_nodes(self, space: SearchSpace, needed: int) -> None:
        cells = len(self.index.cells)
        wanted = self.index.capacity_for(needed)
        if needed > len(self.rows) // self.width or wanted <= cells:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        require_memory(space, (wanted - cells) * 8)
        self.index.grow(wanted)

    def _more_buckets(self, space: SearchSpace, needed: int) -> None:
        """Most are empty by now, as a rule: only if not, the arrays grow."""
        queue = self.queue
        drop_empty_buckets(self.course, queue)
        size = 2 * (self.course.buckets + needed)
        if size <= len(queue.heap):
            return
        require_memory(space, (size - len(queue.heap)) * (Bucket.layout.itemsize + 24))
        queue.buckets.resize(size, refcheck=False)
        queue.heap.resize(size, refcheck=False)
        queue.pairs.resize(size * 2, refcheck=False)
        drop_empty_buckets(self.course, queue)

    def _plan_to(self, node: int) -> Found:
        path = []
        while node != _NONE:
            row = self.rows[node * self.width : (node + 1) * self.width]
            path.append(state_at(row, 0, self.machine.words))
            node = int(row[-1] & NUMBER)
        return actions_along(self.machine, path[::-1])

    def plan_in_hand(self) -> Found | None:
        """The plan in hand when a limit strikes: a goal that was generated but not yet taken from the open list."""
        node = cheapest_open_goal(self.puzzle, self.course, self.nodes, self.successors)
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
    search.puzzle, search.rules = search.puzzle._replace(goal=0), search.rules._replace(ceiling=ceiling)
    search.search(space)
    words, count = search.machine.words, search.course.nodes
    require_memory(space, count * (words + 1) * 8)
    rows = search.rows[: count * search.width].reshape(count, search.width)
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
