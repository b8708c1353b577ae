"""Proofs about all states: what must be proven is, what must not be stays unknown, and nothing proven is ever false."""

import inspect
import itertools
import random
import sys
from dataclasses import replace

import numpy as np
import pytest
from claimed_tasks import n_puzzle, vehicles
from proving import learn, prove_heuristic
from random_tasks import make_task, random_task, random_term
from sampled import seeds, slow

from models.execution import apply, successors, value
from models.outcomes import Unsupported
from models.shapes import Naming
from models.task import Assignment, Heuristic, Invariant, Phase, Row, Schema
from models.terms import (
    TRUE,
    Term,
    add,
    compare,
    conjunction,
    const,
    disjunction,
    floor_divide,
    is_condition,
    leaves,
    member,
    minimum,
    modulo,
    negation,
    select,
    substitute,
    var,
)
from search.cache import cache_folder
from search.machine import Machine, compile_task
from search.proofs import short
from search.proofs.enumeration import assignments, relax
from search.proofs.evaluation import Columns, evaluate
from search.proofs.goals import goal_states
from search.proofs.knowledge import Prover, prove_invariants, separates
from search.proofs.short import ShortColumns


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), slow(3, 2), (3, 3), (4, 4), slow(5, 5)])
def test_n_puzzle(rows, cols):
    known = learn(n_puzzle(rows, cols, (*range(1, rows * cols), 0)), cache=False)
    assert {name for name, v in known.invariants.items() if v.proven} == {"each-tile-once", "parity"}
    assert {name for name, v in known.heuristics.items() if v.proven} == {"manhattan", "misplaced", "larger"}
    assert known.separating is None
    assert "slide(c=" in known.heuristics["gap counted"].reason
    odd = n_puzzle(rows, cols, (2, 1, *range(3, rows * cols), 0))
    assert learn(replace(odd, invariants=odd.invariants[:2]), cache=False).separating == "parity"


def test_parity_needs_each_tile_once_and_separates_nothing_solvable():
    task = n_puzzle(3, 3, (1, 8, 7, 3, 0, 5, 4, 6, 2))
    alone = replace(task, invariants=task.invariants[1:])
    assert not any(verdict.proven for verdict in prove_invariants(alone).values())
    assert learn(task, cache=False).separating is None
    assert separates(n_puzzle(3, 3, (2, 1, 3, 4, 5, 6, 7, 8, 0)), task.invariants[1])


def test_a_row_that_breaks_an_invariant_but_never_applies():
    """x: 0 -> 1, 3 -> 2; x <= 1 holds at the start, so x is never 3."""
    x = var(0, 4)

    def row(old, new):
        return Row((), (Phase(member(x, (old,)), (Assignment(0, TRUE, const(new)),)),), const(1))

    for rows, proven in (([row(0, 1), row(3, 2)], True), ([row(0, 1), row(1, 2)], False)):
        low = Invariant("low", member(x, (0, 1)))
        task = make_task([4], [Schema("a", (), (), tuple(rows))], invariants=[low])
        assert prove_invariants(task)["low"].proven is proven


def counters(change, start):
    """Twelve counters, 0 .. 4, too many to look at all their values; a row adds `change` to one of them."""
    count = [var(n, 5) for n in range(12)]
    able = [member(c, [v for v in range(5) if 0 <= v + change < 5]) for c in count]
    effects = [(Assignment(n, TRUE, add([(1, c)], change)),) for n, c in enumerate(count)]
    rows = [Row((), (Phase(test, effect),), const(1)) for test, effect in zip(able, effects, strict=True)]
    total = add((1, c) for c in count)
    goal = conjunction(member(c, (0,)) for c in count)
    return make_task([5] * 12, [Schema("count", (), (), tuple(rows))], goal, start=(start,) * 12), total


def test_a_sum_may_move_away_from_one_end_only():
    for change, start, low, high in ((1, 1, False, True), (-1, 1, True, False)):
        task, total = counters(change, start)
        low_and_high = {"low": member(total, range(20)), "high": member(total, range(12, 49))}
        claims = tuple(Invariant(name, term) for name, term in low_and_high.items())
        verdicts = prove_invariants(replace(task, invariants=claims))
        assert {name: verdict.proven for name, verdict in verdicts.items()} == {"low": low, "high": high}


def test_a_quotient_falls_by_the_fall_rounded_up():
    """From 48 to 44 a third falls from 16 to 14, at the cost of one step; a quarter falls by one at a time."""
    task, total = counters(-4, 4)
    for divisor, proven in ((3, False), (4, True)):
        assert prove_heuristic(task, Heuristic("h", floor_divide(total, divisor))).proven is proven


def test_what_goes_round_is_followed_from_place_to_place():
    """After a turn each of four is at most one place nearer to where it belongs; they have too many values together."""
    at = [var(p, 64) for p in range(4)]
    turn = Row((), (Phase(TRUE, tuple(Assignment((p + 1) % 4, TRUE, at[p]) for p in range(4))),), const(1))
    task = make_task([64] * 4, [Schema("turn", (), (), (turn,))], conjunction(member(at[p], [p]) for p in range(4)))
    far = add([(1, select(at[p], [const(min((x - p) % 4, 2)) for x in range(64)])) for p in range(4)])
    for divisor, proven in ((3, False), (4, True)):
        rounded_up = floor_divide(add([(1, far)], divisor - 1), divisor)
        assert prove_heuristic(task, Heuristic("h", rounded_up)).proven is proven


def test_joint_moves():
    task = vehicles(5)
    verdicts = learn(task, cache=False).heuristics
    assert verdicts["half"].proven and verdicts["largest"].proven and not verdicts["sum"].proven


def water_sort(tubes, colours, capacity, start):
    """Water Sort, the amount poured derived from the state; 0 is empty."""
    size, levels = colours + 1, range(capacity)
    unit = [[var(t * capacity + k, size) for k in levels] for t in range(tubes)]
    full = [[negation(member(u, (0,))) for u in tube] for tube in unit]
    height = [add((1, f) for f in tube) for tube in full]
    top = [select(h, [None if n == 0 else unit[t][n - 1] for n in h.values]) for t, h in enumerate(height)]

    def tops(t: int, term: Term) -> Term:
        return conjunction([negation(member(height[t], (0,))), compare("==", top[t], term)])

    def run(t: int) -> Term:
        below = [disjunction([member(height[t], range(k + 1)), tops(t, unit[t][k])]) for k in levels]
        inside = [member(height[t], range(k + 1, capacity + 1)) for k in levels]
        return add((1, conjunction([inside[k], *below[k:]])) for k in levels)

    rows = []
    for a, b in itertools.permutations(range(tubes), 2):
        amount = minimum([run(a), add([(-1, height[b])], capacity)])
        first, last = add([(1, height[a]), (-1, amount)]), add([(1, height[b]), (1, amount)])
        guard = [compare("<", const(0), amount), disjunction([member(height[b], (0,)), tops(b, top[a])])]
        effects = []
        for k in levels:
            leaves_a = conjunction([compare("<=", first, const(k)), compare("<", const(k), height[a])])
            enters_b = conjunction([compare("<=", height[b], const(k)), compare("<", const(k), last)])
            effects.append(Assignment(a * capacity + k, leaves_a, const(0)))
            effects.append(Assignment(b * capacity + k, enters_b, top[a]))
        rows.append(Row((("a", a), ("b", b)), (Phase(conjunction(guard), tuple(effects)),), const(1)))
    goal = conjunction(compare("==", tube[0], u) for tube in unit for u in tube[1:])
    inner = [(t, k) for t in range(tubes) for k in levels[1:]]
    border = [conjunction([full[t][k], compare("!=", unit[t][k], unit[t][k - 1])]) for t, k in inner]
    grounded = conjunction(disjunction([full[t][k - 1], member(unit[t][k], (0,))]) for t, k in inner)
    count = [add((1, member(u, (c,))) for tube in unit for u in tube) for c in range(1, size)]
    runs = add([(1, p) for p in border] + [(1, tube[0]) for tube in full], -colours)
    task = make_task([size] * (tubes * capacity), [Schema("pour", (), (), tuple(rows))], goal, TRUE, start)
    return replace(
        task,
        invariants=(
            Invariant("grounded", grounded),
            Invariant("units", conjunction(member(c, (capacity,)) for c in count)),
        ),
        heuristics=(
            Heuristic(
                "borders", add((1, conjunction([full[t][k - 1], p])) for (t, k), p in zip(inner, border, strict=True))
            ),
            Heuristic("runs", runs),
            Heuristic("half too much", add([(2, runs)])),
        ),
    )


THREE_COLOURS = (1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 1, 3, 0, 0, 0, 0)


def test_water_sort():
    known = learn(water_sort(4, 3, 4, THREE_COLOURS), cache=False)
    assert all(verdict.proven for verdict in known.invariants.values())
    assert [v.proven for v in known.heuristics.values()] == [True, True, False]
    assert known.separating is None


def reachable(task, limit=400):
    seen = {task.start: successors(task, task.start)}
    queue = [task.start]
    for state in queue:
        for _, after, _ in seen[state]:
            if after not in seen and len(seen) < limit:
                seen[after] = successors(task, after)
                queue.append(after)
    return seen


@pytest.mark.parametrize("seed", seeds(40, 250, 94))
def test_nothing_proven_is_false(seed, monkeypatch):
    """Random tasks with random claims, checked on all reachable states; tables are lists, arrays, or either."""
    rng = random.Random(seed)
    monkeypatch.setattr(short, "MOST", (short.MOST, 0, 7)[seed % 3])
    task = random_task(rng)
    if not value(task.always, [task.start]):
        return
    variables = [var(i, len(v.domain)) for i, v in enumerate(task.variables)]
    goal = random_term(rng, variables, 2)
    goal = goal if is_condition(goal) else member(goal, goal.values[:1])
    claims = [random_term(rng, variables, rng.choice((1, 2, 3))) for _ in range(12)]
    claims += [modulo(add((1, v) for v in variables), 2), conjunction(member(v, v.values[:2]) for v in variables)]
    invariants = tuple(Invariant(f"i{n}", term) for n, term in enumerate(claims))
    heuristics = tuple(Heuristic(f"h{n}", minimum([t, const(3)])) for n, t in enumerate(claims))
    task = replace(task, goal=goal, invariants=invariants, heuristics=heuristics)
    known, graph = learn(task, cache=False), reachable(task)
    for invariant in invariants:
        if known.invariants[invariant.name].proven:
            assert len({value(invariant.term, [state]) for state in graph}) == 1
    for heuristic in heuristics:
        if known.heuristics[heuristic.name].proven:
            h = {s: value(heuristic.term, [s]) for s in {*graph, *(a for found in graph.values() for _, a, _ in found)}}
            assert all(h[s] - h[after] <= cost for s, found in graph.items() for _, after, cost in found)
            assert all(h[s] <= 0 for s in graph if value(goal, [s]))
    if known.separating:
        assert not any(value(goal, [state]) for state in graph)


@pytest.mark.parametrize("most", [0, 12, 1000])
@pytest.mark.parametrize("seed", seeds(20, 80))
def test_enumeration_and_relaxation(seed, most, monkeypatch):
    monkeypatch.setattr(short, "MOST", most)
    rng = random.Random(seed)
    sizes = [rng.randint(2, 4) for _ in range(4)]
    variables = [var(i, n) for i, n in enumerate(sizes)]
    terms = [random_term(rng, variables, 3) for _ in range(3)]
    tests = [t if is_condition(t) else member(t, t.values[: len(t.values) // 2 + 1]) for t in terms]
    states = list(itertools.product(*map(range, sizes)))
    expected = [s for s in states if all(value(t, [s]) for t in tests)]
    columns = assignments(variables, tests, 1000)
    rows = list(zip(*(columns.listed()[v] for v in variables), strict=True))
    assert sorted(rows) == expected
    for term in terms:
        assert columns.evaluate(term).tolist() == [value(term, [row]) for row in rows]
        assert columns.holds(term).tolist() == [value(term, [row]) != 0 for row in rows]
        assert evaluate(term, columns.long()).dtype == np.int64
    few = frozenset(rng.sample(variables, 2))
    for test in tests:
        weaker = relax(test, few)
        assert set(leaves(weaker)) <= few
        assert all(value(weaker, [s]) for s in states if value(test, [s]))
    assert assignments(variables, [], 2) is None


def predecessors(task, facts=()):
    """A function from a state to the set of (state before, cost)."""
    machine = Machine(task, trim=False, facts=lambda: facts)
    layout, into = machine.layout, machine.backward().successors
    return lambda state: {(layout.unpack(before), cost) for _, before, cost in into(layout.pack(state))}


@pytest.mark.parametrize("seed", seeds(30, 60))
def test_random_predecessors(seed):
    task = random_task(random.Random(seed))
    states = [s for s in itertools.product(*(range(len(v.domain)) for v in task.variables)) if value(task.always, [s])]
    expected = {}
    for before in states:
        for _, after, cost in successors(task, before):
            expected.setdefault(after, set()).add((before, cost))
    into = predecessors(task)
    assert all(into(state) == expected.get(state, set()) for state in states)


@pytest.mark.parametrize("task", [vehicles(3), water_sort(4, 3, 4, THREE_COLOURS), n_puzzle(3, 3, tuple(range(9)))])
def test_predecessors_undo_successors(task):
    compiled, state, rng = compile_task(task), task.start, random.Random(1)
    into = predecessors(task, [i.term for i in task.invariants[:1]])
    for _ in range(30):
        _, after, cost = rng.choice(compiled.successors(state))
        found = into(after)
        assert (state, cost) in found
        assert all(after in [s for _, s, _ in compiled.successors(before)] for before, _ in found)
        state = after


def test_goal_states():
    task = n_puzzle(3, 3, tuple(range(9)))
    assert goal_states(task, [task.invariants[0].term]) == [(1, 2, 3, 4, 5, 6, 7, 8, 0)]
    sorted_tubes = goal_states(
        water_sort(4, 3, 4, THREE_COLOURS), [i.term for i in water_sort(4, 3, 4, THREE_COLOURS).invariants]
    )
    assert len(sorted_tubes) == 24
    with pytest.raises(Unsupported, match="more than 5 goal states"):
        goal_states(replace(task, goal=TRUE), limit=5)


def test_memory_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    task = replace(n_puzzle(2, 3, (1, 2, 3, 4, 5, 0)), fingerprint="abc123")
    first = learn(task)
    (kept,) = cache_folder().glob("verdicts-*")
    assert learn(task) == first
    kept.write_text("[not json")
    assert {n: v.status for n, v in learn(task).heuristics.items()} == {
        n: v.status for n, v in first.heuristics.items()
    }
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", "/dev/null/nowhere")
    assert learn(task).invariants["parity"].proven


def test_single_questions():
    task = n_puzzle(3, 3, tuple(range(9)))
    assert prove_heuristic(task, task.heuristics[0]).proven
    assert Prover(task).heuristic(task.heuristics[0]).reason == "consistent for every action"
    assert apply(task, task.start, (0, 0)) is None


# -- terms that are nested deeply --------------------------------------------------------------------------------------

STATES = list(itertools.product((0, 1), repeat=6))


def nested(levels, first=0):
    """x0 or (x1 and (x2 or (x3 and ... , innermost x0, over six variables in turn."""
    term = var(first, 2)
    for level in reversed(range(levels)):
        join = conjunction if level % 2 else disjunction
        term = join((var(first + level % 6, 2), term))
    return term


def nested_value(levels, state):
    found = state[0]
    for level in reversed(range(levels)):
        found = min(state[level % 6], found) if level % 2 else max(state[level % 6], found)
    return found


def test_deep_terms_are_worked_out_without_recursion():
    term = nested(3000)
    columns = Columns(len(STATES), {var(i, 2): np.array([state[i] for state in STATES]) for i in range(6)})
    expected = [nested_value(3000, state) for state in STATES]
    assert set(expected) == {0, 1}
    assert evaluate(term, columns).tolist() == expected
    assert ShortColumns(columns.size, columns.listed()).evaluate(term).tolist() == expected
    assert evaluate(negation(term), columns).tolist() == [1 - found for found in expected]
    for state, found in zip(STATES, expected, strict=True):
        assert substitute(term, {var(i, 2): const(state[i]) for i in range(6)}) is const(found)
    assert Naming().shape(term) == Naming().shape(nested(3000, first=6)) != Naming().shape(nested(3002))


def test_a_deep_estimate_is_proven():
    """0 or 1, each action costs 1, and 0 at the goal: consistent whatever it says."""
    term = nested(400)
    rows = [Row((), (Phase(TRUE, (Assignment(i, TRUE, negation(var(i, 2))),)),), const(1)) for i in range(6)]
    task = make_task([2] * 6, [Schema(f"flip{i}", (), (), (row,)) for i, row in enumerate(rows)], goal=negation(term))
    task = replace(task, heuristics=(Heuristic("deep", term), Heuristic("twice", add([(2, term)]))))
    verdicts = learn(task, cache=False).heuristics
    assert verdicts["deep"].proven and verdicts["twice"].status == "unknown"


@pytest.mark.parametrize(("levels", "frames"), [(300, 250), slow(3000, 900)])
def test_nothing_is_too_deep_for_the_compiler(levels, frames):
    """Terms of more levels than Python has room for calls."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        machine = Machine(make_task([2] * 6, [], goal=nested(levels)), trim=False)
    finally:
        sys.setrecursionlimit(usual)
    assert [machine.is_goal(machine.layout.pack(state)) for state in STATES] == [
        bool(nested_value(levels, state)) for state in STATES
    ]


def test_enumerations_are_limited_by_what_is_worked_out(monkeypatch):
    task = n_puzzle(2, 3, (1, 2, 3, 4, 5, 0))
    manhattan = task.heuristics[0]
    assert Prover(task).heuristic(manhattan).proven
    monkeypatch.setattr("search.proofs.differences.CELLS", 10)
    assert Prover(task).heuristic(manhattan).status == "unknown"


def test_values_are_worked_out_in_pieces(monkeypatch):
    rng = random.Random(1)
    leaves_ = [var(i, 5) for i in range(3)]
    columns = Columns(125, dict(zip(leaves_, np.array(list(itertools.product(range(5), repeat=3))).T, strict=True)))
    for _ in range(40):
        term = random_term(rng, leaves_, 3)
        whole = evaluate(term, columns).tolist()
        monkeypatch.setattr("search.proofs.evaluation.CELLS", rng.randrange(1, 400))
        assert evaluate(term, columns).tolist() == whole
        monkeypatch.undo()
    empty = columns.filtered(np.zeros(125, dtype=bool))
    assert evaluate(add([(1, leaves_[0]), (2, leaves_[1])]), empty).tolist() == []
