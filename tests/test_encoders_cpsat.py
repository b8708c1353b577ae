"""Path two against what a Task means, and against known optima."""

import itertools
import random
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
import random_tasks
from one_step import transitions
from sampled import seeds

from encoders import cpsat, horizons, reachability, steps, sums
from encoders.encoding import encode
from encoders.formula import Formula
from encoders.reachability import outline
from encoders.statements import horizon_below
from models import execution, terms
from models.execution import apply, is_goal
from models.outcomes import Limits, Operator, Outcome
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task, Variable
from models.terms import (
    FALSE,
    TRUE,
    add,
    cases,
    choice,
    compare,
    conjunction,
    const,
    disjunction,
    lookup,
    member,
    negation,
    select,
    var,
)

EIGHT = (1, 8, 7, 3, 0, 5, 4, 6, 2)
HARD_FIFTEEN = (15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)

# --- a naive interpreter ---------------------------------------------------------------------------------------------


def accepts(task: Task, operators: Sequence[Operator]) -> horizons.Answer:
    """Is this very sequence of operators a plan?"""
    return horizons.Session(task, Limits()).exact(len(operators), operators)


def refute(task: Task, at_most_steps: int) -> horizons.Answer:
    return horizons.Session(task, Limits()).refuted(at_most_steps)


def refute_cheaper(task: Task, cost: int) -> horizons.Answer:
    session = horizons.Session(task, Limits())
    return session.refuted(horizon_below(session.outline, (cost,)), (cost,))


def successors(task, state):
    return {(operator, after) for operator, after, _ in execution.successors(task, state)}


def reachable(task, limit=200):
    seen, queue = {task.start: 0}, [task.start]
    for state in queue:
        for _, after in sorted(successors(task, state)):
            if after not in seen and len(seen) < limit:
                seen[after] = seen[state] + 1
                queue.append(after)
    return seen


def replay(task, operators):
    """The state and the cost that a plan ends with."""
    state, cost = task.start, 0
    for operator in operators:
        after = apply(task, state, operator)
        assert after is not None
        state, cost = after[0], cost + after[1]
    assert is_goal(task, state)
    return cost


def cheapest(task):
    """The least cost of a plan by Dijkstra on the naive successors, None without a plan."""
    best, done = {task.start: 0}, set()
    while open_ := {s: c for s, c in best.items() if s not in done}:
        state = min(open_, key=open_.__getitem__)
        if is_goal(task, state):
            return best[state]
        done.add(state)
        for _, after, price in execution.successors(task, state):
            best[after] = min(best.get(after, best[state] + price), best[state] + price)
    return None


# --- tasks -----------------------------------------------------------------------------------------------------------


def make(variables, schemas, goal, always=TRUE):
    made = tuple(Variable(name, tuple(range(size)), start) for name, size, start in variables)
    return Task("test", "level", "cost", made, tuple(schemas), goal, always)


def schema(name, rows, choices=()):
    return Schema(name, (), tuple(ChoiceVariable(f"c{i}", tuple(range(n))) for i, n in enumerate(choices)), tuple(rows))


def row(guard, *assignments, cost=TRUE, more=()):
    made = [Assignment(a[0], TRUE, a[1]) if len(a) == 2 else Assignment(*a) for a in assignments]
    return Row((), (Phase(guard, tuple(made)), *more), cost)


def tiles(size, start):
    """Sliding tiles: a variable for each cell holds the tile, 0 is the gap; a row for each cell and direction."""
    cells = size * size
    at = [var(c, cells) for c in range(cells)]
    rows = []
    for c in range(cells):
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, k = c // size + dr, c % size + dc
            if 0 <= r < size and 0 <= k < size:
                d = r * size + k
                made = row(member(at[d], (0,)), (d, at[c]), (c, const(0)))
                rows.append(replace(made, arguments=(("from", c), ("to", d))))
    goal = conjunction(member(at[c], ((c + 1) % cells,)) for c in range(cells))
    return make([(f"at{c}", cells, start[c]) for c in range(cells)], [schema("slide", rows)], goal)


def vehicles(n):
    """n vehicles cross an n x n board and reverse their order, all moving at once: /design/examples/vehicles.yaml."""
    moves = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-2, 0), (2, 0), (0, -2), (0, 2)]
    at, m = [var(v, n * n) for v in range(n)], [choice(v, len(moves)) for v in range(n)]

    def moved(v, part):
        """`part(move)` is the offset to add to the cell of v; off the board is None."""

        def cell(c, move):
            offset = part(move)
            if offset is None:
                return None
            r, k = c // n + offset[0], c % n + offset[1]
            return r * n + k if 0 <= r < n and 0 <= k < n else None

        table = [[cell(c, move) for move in moves] for c in range(n * n)]
        defined = select(at[v], [member(m[v], [i for i, t in enumerate(line) if t is not None]) for line in table])
        return select(at[v], [lookup(m[v], line) for line in table]), defined

    to = [moved(v, lambda move: move) for v in range(n)]
    over = [moved(v, lambda mv: (mv[0] // 2, mv[1] // 2) if abs(sum(mv)) == 2 else None) for v in range(n)]
    hops = [member(m[v], range(5, 9)) for v in range(n)]
    guard = [defined for _, defined in to]
    for v, w in itertools.combinations(range(n), 2):
        guard.append(compare("!=", to[v][0], to[w][0]))
        both = conjunction((hops[v], hops[w]))
        guard.append(disjunction((negation(both), compare("!=", over[v][0], over[w][0]))))
    for v in range(n):
        stays = [conjunction((compare("==", at[w], over[v][0]), member(m[w], (0,)))) for w in range(n) if w != v]
        guard.append(disjunction((negation(hops[v]), disjunction(stays))))
    step = row(conjunction(guard), *((v, to[v][0]) for v in range(n)))
    goal = conjunction(member(at[v], ((n - 1) * n + n - 1 - v,)) for v in range(n))
    return make([(f"at{v}", n * n, v) for v in range(n)], [schema("step", [step], [len(moves)] * n)], goal)


def torch():
    """Four people of 1, 2, 5, 10 minutes cross a bridge in pairs with one torch: 17 minutes."""
    speeds = (1, 2, 5, 10)
    side, light = [var(i, 2) for i in range(4)], var(4, 2)
    rows = [
        row(
            conjunction(compare("==", side[i], light) for i in group),
            *((i, negation(side[i])) for i in group),
            (4, negation(light)),
            cost=const(max(speeds[i] for i in group)),
        )
        for count in (1, 2)
        for group in itertools.combinations(range(4), count)
    ]
    goal = conjunction(side)
    return make([*((f"side{i}", 2, 0) for i in range(4)), ("light", 2, 0)], [schema("cross", rows)], goal)


def bridge_walk():
    """A walker on a line of 6 cells; stepping on cell 1 toggles, in a second phase, a bridge that cell 3 needs."""
    at, bridge, after = var(0, 6), var(1, 2), var(0, 6, 1)
    rows = []
    for d in (-1, 1):
        inside = member(at, [c for c in range(6) if 0 <= c + d < 6])
        to = lookup(at, [c + d if 0 <= c + d < 6 else None for c in range(6)])
        toggle = Assignment(1, member(after, (1,)), negation(var(1, 2, 1)))
        rows.append(
            row(inside, (0, to), more=(Phase(disjunction((negation(member(after, (3,))), bridge)), (toggle,)),))
        )
    wait = row(member(at, (0, 1)), (1, TRUE))
    return make([("at", 6, 2), ("bridge", 2, 0)], [schema("walk", rows), schema("wait", [wait])], member(at, (5,)))


def pointer():
    """A pointer walks along an array of 3 counters and copies, adds or swaps what it points to."""
    p, a = var(0, 3), [var(i + 1, 4) for i in range(3)]
    here = select(p, a)
    there = select(p, [a[1], a[2], a[0]])
    write = [(i + 1, member(p, (i,)), there) for i in range(3)]
    total = add([(1, here), (1, there)])
    add_up = [(i + 1, member(p, (i,)), terms.minimum((total, const(3)))) for i in range(3)]
    rows = [
        row(TRUE, (0, lookup(p, (1, 2, 0)))),
        row(compare("!=", here, there), *write),
        row(compare("<", here, there), *add_up),
        row(member(terms.modulo(add([(1, each) for each in a]), 3), (0, 1)), (0, const(0)), (1, a[1]), (2, a[0])),
    ]
    return make(
        [("p", 3, 0), ("a", 4, 1), ("b", 4, 0), ("c", 4, 2)], [schema("do", rows)], compare("==", a[0], const(3))
    )


# --- random tasks ----------------------------------------------------------------------------------------------------


class Dice:
    """Random terms over given leaves."""

    def __init__(self, seed, leaves):
        self.random, self.leaves = random.Random(seed), leaves

    def number(self, depth):
        pick = self.random.randrange(9) if depth else self.random.randrange(2)
        if pick == 0:
            return const(self.random.randrange(-1, 4))
        if pick == 1:
            return self.random.choice(self.leaves)
        a, b = self.number(depth - 1), self.number(depth - 1)
        match pick:
            case 2:
                return select(a, [self.number(depth - 1) for _ in a.values]) if len(a.values) < 6 else a
            case 3:
                return cases([(self.condition(depth - 1), a) for _ in range(2)], b)
            case 4:
                weights = [self.random.choice((-2, -1, 1, 3)) for _ in range(3)]
                return add(zip(weights, (a, b, self.number(0)), strict=True), self.random.randrange(3))
            case 5:
                return terms.minimum((a, b))
            case 6:
                return terms.maximum((a, b, self.number(0)))
            case 7:
                return terms.modulo(a, 3) if self.random.random() < 0.5 else terms.floor_divide(a, 2)
        return lookup(a, [self.random.randrange(-1, 3) for _ in a.values])

    def condition(self, depth):
        pick = self.random.randrange(6) if depth else 0
        match pick:
            case 0 | 1:
                a = self.number(max(depth - 1, 0))
                return member(a, [v for v in a.values if self.random.random() < 0.6])
            case 2:
                sign = self.random.choice(["==", "!=", "<", "<="])
                return compare(sign, self.number(depth - 1), self.number(depth - 1))
            case 3:
                return negation(self.condition(depth - 1))
        parts = [self.condition(depth - 1) for _ in range(self.random.randrange(2, 4))]
        return conjunction(parts) if pick == 4 else disjunction(parts)


def random_task(seed):
    dice = random.Random(seed)
    sizes = [dice.choice((2, 2, 3, 4)) for _ in range(dice.randrange(2, 5))]
    schemas = []
    for s in range(dice.randrange(1, 3)):
        widths = [dice.choice((2, 3)) for _ in range(dice.choice((0, 0, 1, 2)))]
        rows = [random_row(dice, sizes, widths) for _ in range(dice.randrange(1, 5))]
        schemas.append(schema(f"s{s}", rows, widths))
    now = Dice(dice.random(), [var(i, n) for i, n in enumerate(sizes)])
    variables = [(f"v{i}", n, dice.randrange(n)) for i, n in enumerate(sizes)]
    always = disjunction((now.condition(2), now.condition(1))) if dice.random() < 0.3 else TRUE
    task = make(variables, schemas, TRUE, always)
    distances = reachable(task)
    far = max(distances, key=distances.__getitem__)
    parts = dice.sample(range(len(sizes)), dice.randrange(1, len(sizes) + 1))
    exact = conjunction(member(now.leaves[i], (far[i],)) for i in parts)
    return replace(task, goal=exact if dice.random() < 0.7 else disjunction((exact, now.condition(2))))


def random_row(dice, sizes, widths):
    picks = [choice(i, n) for i, n in enumerate(widths)]
    phases = []
    for stage in range(dice.choice((1, 1, 2, 3))):
        leaves = [var(i, n, k) for k in {stage, dice.randrange(stage + 1)} for i, n in enumerate(sizes)] + picks
        roll = Dice(dice.random(), leaves)
        guard, assignments = [roll.condition(2) if dice.random() < 0.5 else TRUE], []
        for target in dice.sample(range(len(sizes)), dice.randrange(1, len(sizes) + 1)):
            value = roll.number(2)
            value = terms.modulo(value, sizes[target]) if dice.random() < 0.7 else value
            condition = roll.condition(2) if dice.random() < 0.4 else TRUE
            guard.append(disjunction((negation(condition), member(value, range(sizes[target])))))
            assignments.append(Assignment(target, condition, value))
        if dice.random() < 0.3:
            index, target = roll.number(1), dice.randrange(len(sizes))
            known = [dice.random() < 0.7 for _ in index.values]
            guard.append(member(index, [v for v, k in zip(index.values, known, strict=True) if k]))
            parts = [terms.modulo(roll.number(1), sizes[target]) if k else None for k in known]
            kept = [a for a in assignments if a.target != target]
            assignments = [*kept, Assignment(target, TRUE, select(index, parts))]
        phases.append(Phase(conjunction(guard), tuple(assignments)))
    now = Dice(dice.random(), [var(i, n) for i, n in enumerate(sizes)] + picks)
    cost = terms.maximum((now.number(1), const(1))) if dice.random() < 0.5 else const(2)
    return Row((), tuple(phases), cost)


def solve(task, **limits):
    return horizons.solve_by_horizon(task, Limits(**{"time": 60, "max_horizon": 25, **limits}))


def solutions(formula):
    """Every model of a formula, once."""
    found = set()
    cpsat.every_solution(formula, lambda values: found.add(tuple(values)))
    return found


def plans(task, steps):
    """Every plan of exactly that many steps, by the naive successors."""
    partial = [((), task.start)]
    for _ in range(steps):
        partial = [((*plan, op), after) for plan, state in partial for op, after in successors(task, state)]
    return [plan for plan, state in partial if is_goal(task, state)]


# --- tests -----------------------------------------------------------------------------------------------------------


def check_transitions(task):
    states = list(reachable(task, 60))
    found = transitions(task, states)
    for state in states:
        assert found[state] == successors(task, state)


@pytest.mark.parametrize("task", [bridge_walk(), pointer(), torch(), vehicles(2)])
def test_one_step_equals_interpreter(task):
    check_transitions(task)


def test_one_step_successors_of_one_state():
    task = tiles(3, EIGHT)
    assert transitions(task, [task.start])[task.start] == successors(task, task.start)


def test_parameter_literals_change_no_answer(monkeypatch):
    monkeypatch.setattr(steps, "MANY_ROWS", 3)
    task = tiles(3, (1, 2, 3, 4, 5, 0, 7, 8, 6))
    check_transitions(task)
    assert solve(task).cost == (1,)
    assert refute(tiles(3, EIGHT), 21).status == "infeasible"
    assert solve(tiles(2, (3, 1, 2, 0))).cost == (cheapest(tiles(2, (3, 1, 2, 0))),)


@pytest.mark.parametrize("frame", ["touched", "by value"])
def test_frames_agree(frame):
    for seed in range(20):
        task = random_task(seed)
        for horizon in range(4):
            answers = [cpsat.solve(encode(task, horizon, frame=each))[0].status for each in (frame, "mixed")]
            assert answers[0] == answers[1]


@pytest.mark.parametrize("seed", seeds(15, 150))
def test_random_loops(seed):
    check_transitions(random_tasks.random_task(random.Random(seed), loops=0.6))


@pytest.mark.parametrize("seed", seeds(40, 150, 141))
def test_random_task(seed):
    task = random_task(seed)
    check_transitions(task)
    best = cheapest(task)
    result = horizons.solve_by_horizon(task, Limits(max_horizon=6))
    if best is None:
        assert result.outcome in (Outcome.HORIZON_EXHAUSTED, Outcome.UNSOLVABLE)
    elif result.operators is None:
        assert result.outcome is Outcome.HORIZON_EXHAUSTED
        assert (best,) >= result.lower_bound
    else:
        assert (replay(task, result.operators),) == result.cost
        assert result.lower_bound <= (best,) <= result.cost
        assert result.outcome is Outcome.UNPROVEN or result.cost == (best,)
        assert accepts(task, result.operators).status == "feasible"
        assert refute_cheaper(task, best).status == "infeasible"
        assert refute_cheaper(task, best + 1).cost == (best,)


def test_eight_puzzle():
    task = tiles(3, EIGHT)
    result = solve(task)
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.OPTIMAL, (22,), (22,))
    assert replay(task, result.operators) == 22
    assert refute(task, 21).status == "infeasible"
    assert accepts(task, result.operators).status == "feasible"
    assert accepts(task, result.operators[:-1]).status == "infeasible"
    assert accepts(task, result.operators[::-1]).status == "infeasible"


class Asked:
    """Stands in for a session about a puzzle whose shortest plan has `shortest` steps: what is it asked?"""

    def __init__(self, shortest, spare=0, wrong=()):
        self.shortest, self.spare, self.wrong, self.asked = shortest, spare, wrong, []
        self.outline = SimpleNamespace(lower_bound=2, cheapest=(1,), uniform_cost=(1,))
        self.limits, self.least_steps, self.at_least = Limits(), 2, 0

    def exact(self, horizon):
        return self.at_most(horizon, form="=")

    def at_most(self, horizon, form="<="):
        self.asked.append(f"{form}{horizon}")
        if horizon < self.shortest or horizon in self.wrong:
            return horizons.Answer("infeasible", None, None, None)
        length = self.shortest if form == "<=" and self.wrong else min(horizon, self.shortest + self.spare)
        return horizons.Answer("feasible", ((0, 0),) * length, (length,), None)

    def contradicted(self, horizon, answer):
        raise AssertionError(f"no plan of {horizon} steps, and one of {len(answer.operators)}")


def test_horizons_rise_and_the_gap_is_halved():
    """Strides 1, 1.5, 2.25, 3.4, 5.1, 7.6, whole steps of them; then half way between proof and plan."""
    session = Asked(20, spare=3)
    assert horizons._first_plan(session).cost == (20,)
    assert session.asked == ["=2", "=3", "<=5", "<=8", "<=13", "<=20", "<=16", "<=18", "=19"]
    session = Asked(17, spare=3)
    assert horizons._first_plan(session).cost == (17,)
    assert session.asked == ["=2", "=3", "<=5", "<=8", "<=13", "<=20", "<=16", "<=18", "=17"]


def test_where_questions_become_harder_the_gap_is_one_step():
    gap = horizons.Gap(5)
    for horizon, conflicts, stride in [
        (5, 900, 1.5),
        (6, 1_000, 2.25),
        (8, 1_822, 3.375),
        (11, 4_483, 1),
        (12, 6_052, 1.5),
    ]:
        gap.rise(horizon, conflicts)
        assert (gap.least, gap.stride) == (horizon + 1, stride)


def test_a_limit_on_steps_is_asked_about_and_no_more():
    session = Asked(99)
    session.limits = Limits(max_horizon=10)
    found = horizons._first_plan(session)
    assert (found.outcome, found.lower_bound) == (Outcome.HORIZON_EXHAUSTED, (11,))
    assert session.asked == ["=2", "=3", "<=5", "<=8", "<=10"]


def test_a_plan_shorter_than_what_was_ruled_out_is_a_contradiction():
    """Plans of at most 5 steps are ruled out wrongly; among those of at most 8 there is one of 4."""
    with pytest.raises(AssertionError, match="no plan of 5 steps, and one of 4"):
        horizons._first_plan(Asked(4, wrong=(5,)))


@pytest.mark.parametrize(("size", "steps"), [(2, 2), (3, 4), (4, 5)])
def test_vehicles(size, steps):
    task = vehicles(size)
    result = solve(task)
    assert (result.outcome, result.cost) == (Outcome.OPTIMAL, (steps,))
    assert replay(task, result.operators) == steps
    assert refute(task, steps - 1).status == "infeasible"


@pytest.mark.parametrize("seed", seeds(1, 4))
def test_conditions_of_a_thousand_levels(seed):
    """In goal, guards and effects: as many switches as the nearest state is away in which the goal holds."""
    dice, size = random.Random(seed), 6
    links = [(n % 2 == 0, dice.randrange(size), dice.random() < 0.5) for n in range(1500)]
    tall = var(0, 2)
    for both, k, negated in links:
        tall = (conjunction if both else disjunction)((tall, negation(var(k, 2)) if negated else var(k, 2)))

    def holds(state):
        found = state[0]
        for both, k, negated in links:
            found = found and state[k] != negated if both else found or state[k] != negated
        return bool(found)

    goals = [state for state in itertools.product((0, 1), repeat=size) if holds(state)]
    start = next(state for state in itertools.product((1, 0), repeat=size) if not holds(state))
    rows = [row(negation(tall), (k, negation(tall), negation(var(k, 2)))) for k in range(size)]
    found = solve(make([(f"v{k}", 2, start[k]) for k in range(size)], [schema("switch", rows)], tall))
    nearest = min((sum(a != b for a, b in zip(start, goal, strict=True)) for goal in goals), default=None)
    wanted = (Outcome.HORIZON_EXHAUSTED, None) if nearest is None else (Outcome.OPTIMAL, (nearest,))
    assert (found.outcome, found.cost) == wanted


def test_a_plan_is_one_solution():
    task = vehicles(2)
    assert len(solutions(encode(task, 2).formula)) == len(plans(task, 2))
    assert len(solutions(encode(task, 2, form="bounded").formula)) == sum(len(plans(task, n)) for n in range(3))
    two = replace(task, schemas=(*task.schemas, schema("again", task.schemas[0].rows, [9, 9])))
    assert len(solutions(encode(two, 2).formula)) == len(plans(two, 2)) == 4 * len(plans(task, 2))


@pytest.mark.parametrize("seed", seeds(20, 40))
def test_every_auxiliary_literal_is_determined(seed):
    task = random_task(seed)
    for form, lengths in (("exact", (2,)), ("bounded", (0, 1, 2))):
        wanted = [plan for steps in lengths for plan in plans(task, steps)]
        if len(wanted) < 500:
            assert len(solutions(encode(task, 2, form=form).formula)) == len(wanted)


@pytest.mark.parametrize("seed", range(60))
def test_sums_as_linear_constraints(seed, monkeypatch):
    monkeypatch.setattr(sums, "LARGE_SUM", 2)
    check_transitions(random_task(seed))


def test_bridge_and_torch():
    task = torch()
    result = solve(task)
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.OPTIMAL, (17,), (17,))
    assert replay(task, result.operators) == 17
    assert refute_cheaper(task, 17).status == "infeasible"
    assert refute_cheaper(task, 18).cost == (17,)


def test_phases():
    task = bridge_walk()
    result = solve(task)
    assert result.outcome is Outcome.OPTIMAL
    assert result.cost == (cheapest(task),) == (replay(task, result.operators),)


def test_parity_needs_every_shorter_horizon():
    at = var(0, 5)
    walk = [row(member(at, range(max(0, -d), min(5, 5 - d))), (0, add([(1, at)], d))) for d in (2, -2)]
    task = make([("at", 5, 0)], [schema("walk", walk)], member(at, (4,)))
    assert refute(task, 1).status == "infeasible"
    assert refute(task, 3).status == "feasible"
    assert solve(task).cost == (2,)


def test_unsolvable_within_a_horizon():
    rows = [row(TRUE, (0, negation(var(0, 2))), (1, negation(var(1, 2))))]
    task = make([("a", 2, 0), ("b", 2, 0)], [schema("flip", rows)], compare("!=", var(0, 2), var(1, 2)))
    result = horizons.solve_by_horizon(task, Limits(max_horizon=7))
    assert (result.outcome, result.operators, result.lower_bound) == (Outcome.HORIZON_EXHAUSTED, None, (8,))


def test_goal_outside_reachable_values():
    task = make([("a", 3, 0)], [schema("set", [row(TRUE, (0, const(1)))])], member(var(0, 3), (2,)))
    assert solve(task).outcome is Outcome.UNSOLVABLE


def test_start_is_goal():
    task = make(
        [("a", 3, 2)], [schema("set", [row(TRUE, (0, const(1)))])], member(var(0, 3), (2,)), negation(var(0, 3))
    )
    result = solve(task)
    assert (result.outcome, result.operators, result.cost) == (Outcome.OPTIMAL, (), (0,))


def test_a_cheaper_plan_may_be_longer():
    """One step of 5 or two of 2: what is cheaper than 5 may have two steps, though 5 is no multiple of 2."""
    at = var(0, 3)
    leap = row(TRUE, (0, const(2)), cost=const(5))
    walk = row(member(at, (0, 1)), (0, add([(1, at)], 1)), cost=const(2))
    task = make([("at", 3, 0)], [schema("go", [leap, walk])], member(at, (2,)))
    result = solve(task)
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.OPTIMAL, (4,), (4,))
    assert refute_cheaper(task, 5).cost == (4,)
    assert refute_cheaper(task, 4).status == "infeasible"


def test_steps_that_cost_nothing():
    free, dear = row(TRUE, (0, const(1)), cost=const(0)), row(TRUE, (1, const(1)), cost=const(3))
    also = row(var(0, 2), (1, const(1)), cost=const(2))
    task = make([("a", 2, 0), ("b", 2, 0)], [schema("do", [free, dear, also])], var(1, 2))
    assert solve(task).outcome is Outcome.UNPROVEN
    result = horizons.solve_by_horizon(task, Limits(max_horizon=3))
    assert (result.outcome, result.cost) == (Outcome.UNPROVEN, (2,))
    assert result.notes


def test_large_sums_are_linear():
    n = 12
    bits = [var(i, 2) for i in range(n)]
    total = add((3 * i + 1, bits[i]) for i in range(n))
    rows = [row(negation(bits[i]), (i, TRUE)) for i in range(n)]
    task = make([(f"b{i}", 2, 0) for i in range(n)], [schema("set", rows)], compare("==", total, const(66)))
    assert encode(task, 3).formula.linears
    assert replay(task, solve(task).operators) == 3


def test_weighted_literals_may_be_negated():
    """2 where x fails, 3 where it holds, 4 where y fails: 6 only where both fail."""
    formula = Formula()
    x, y = formula.fresh(), formula.fresh()
    formula.linear((), [(2, ~x), (3, x), (4, ~y)], ((6, 6),))
    assert {values[1:] for values in solutions(formula)} == {(False, False)}


def test_time_limit_holds():
    begin = time.perf_counter()
    begin = time.process_time()
    result = horizons.solve_by_horizon(
        tiles(4, (15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)), Limits(time=1.5)
    )
    assert result.outcome is Outcome.TIME_LIMIT
    assert result.lower_bound > (0,)
    assert time.process_time() - begin < 4


def counter(size):
    """Count up to size - 1, one at a time or, from 3 on, back to 0."""
    x = var(0, size)
    rows = [row(member(x, range(size - 1)), (0, add([(1, x)], 1))), row(member(x, range(3, size)), (0, const(0)))]
    return make([("x", size, 0)], [schema("count", rows)], member(x, (size - 1,)))


def test_many_values_end(monkeypatch):
    monkeypatch.setattr(reachability, "MUCH_WORK", 10_000)
    assert outline(counter(20)).lower_bound == 19
    shared = outline(counter(100_000))
    assert 20 < shared.lower_bound < 1000
    assert all(window.first <= shared.lower_bound for window in shared.value_windows[0][0].values())


@pytest.mark.parametrize("seed", seeds(25, 60))
def test_cut_short_reachability_is_sound(seed, monkeypatch):
    task = random_task(seed)
    full, known = outline(task), solve(task, max_horizon=5)
    monkeypatch.setattr(reachability, "MUCH_WORK", 0)
    short = outline(task)
    assert short.lower_bound <= full.lower_bound
    for rough, fine in zip(short.value_windows[0], full.value_windows[0], strict=True):
        assert fine.keys() <= rough.keys()
        assert all(rough[v].first <= fine[v].first and rough[v].tail <= fine[v].tail for v in fine)
    found = solve(task, max_horizon=5)
    if known.outcome is Outcome.UNSOLVABLE:
        assert found.outcome in (Outcome.UNSOLVABLE, Outcome.HORIZON_EXHAUSTED)
    else:
        assert (found.outcome, found.cost) == (known.outcome, known.cost)


def test_time_limit_holds_before_the_first_question(monkeypatch):
    monkeypatch.setattr(reachability, "MUCH_WORK", 1 << 60)
    begin = time.perf_counter()
    result = horizons.solve_by_horizon(counter(100_000), Limits(time=0.3))
    begin = time.process_time()
    result = horizons.solve_by_horizon(counter(100_000), Limits(time=0.3))
    assert (result.outcome, result.operators) == (Outcome.TIME_LIMIT, None)
    assert time.process_time() - begin < 3


def test_interrupt():
    shared = outline(tiles(4, HARD_FIFTEEN))
    built = encode(shared.task, 40, shared=shared)
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        cpsat.solve(built, 600)
    assert time.perf_counter() - begin < 300
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_false_is_never_emitted():
    formula = encode(tiles(3, EIGHT), 22).formula
    assert all(-1 not in clause and (0 not in clause or clause == (0,)) for clause in formula.clauses)
    assert FALSE.value == 0
