"""The compiled successor function against what a Task means, on hand-made and random tasks."""

import itertools
import random

import pytest

from models.execution import successors, value
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task, Variable
from models.terms import (
    TRUE,
    Term,
    Var,
    add,
    cases,
    choice,
    compare,
    conjunction,
    const,
    disjunction,
    floor_divide,
    is_condition,
    lookup,
    maximum,
    member,
    minimum,
    modulo,
    negation,
    select,
    var,
)
from search.machine import compile_task


def make_task(sizes, schemas, goal=TRUE, always=TRUE, start=None, heuristics=(), invariants=()):
    start = start or (0,) * len(sizes)
    variables = [Variable(f"v{i}", tuple(range(n)), start[i]) for i, n in enumerate(sizes)]
    return Task("p", "l", "steps", tuple(variables), tuple(schemas), goal, always, tuple(heuristics), tuple(invariants))


def slide(rows, cols, start):
    """The n-puzzle; tile 0 is the gap."""
    size = rows * cols
    at = [var(c, size) for c in range(size)]
    table = []
    for c in range(size):
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, q = c // cols + dr, c % cols + dc
            if 0 <= r < rows and 0 <= q < cols:
                guard = conjunction([negation(member(at[c], (0,))), member(at[r * cols + q], (0,))])
                effects = (Assignment(r * cols + q, TRUE, at[c]), Assignment(c, TRUE, const(0)))
                table.append(Row((("c", c), ("d", (dr, dc))), (Phase(guard, effects),), const(1)))
    goal = conjunction(member(at[c], ((c + 1) % size,)) for c in range(size))
    return make_task([size] * size, [Schema("slide", (("c", ()), ("d", ())), (), tuple(table))], goal, TRUE, start)


def closure(compiled):
    seen, layer = {compiled.initial}, [compiled.initial]
    generated = 0
    while layer:
        found = [s for state in layer for _, s, _ in compiled.successors(state)]
        generated += len(found)
        layer = list(dict.fromkeys(s for s in found if s not in seen))
        seen.update(layer)
    return len(seen), generated


def compile_value(sizes, term):
    return compile_task(make_task(sizes, [])).evaluate(term)


def test_the_eight_puzzle_has_half_of_all_permutations():
    compiled = compile_task(slide(3, 3, (1, 8, 7, 3, 0, 5, 4, 6, 2)))
    assert closure(compiled) == (181440, 483840)
    assert compiled.unit_cost and compiled.is_goal((1, 2, 3, 4, 5, 6, 7, 8, 0))


def random_term(rng: random.Random, leaves: list[Term], depth: int) -> Term:
    if depth == 0:
        return rng.choice([*leaves, const(rng.randint(-2, 4))])

    def part() -> Term:
        return random_term(rng, leaves, depth - rng.choice((1, 1, 2)) if depth > 1 else 0)

    def condition() -> Term:
        inner = part()
        return inner if is_condition(inner) else member(inner, rng.sample(list(inner.values), len(inner.values) // 2))

    match rng.randrange(13):
        case 0:
            argument = part()
            return lookup(argument, [rng.randint(-3, 9) for _ in argument.values])
        case 1:
            argument = part()
            few = [part() for _ in range(3)]
            return select(argument, [rng.choice(few) for _ in argument.values])
        case 2:
            argument, other = part(), part()
            tables = [lookup(other, [rng.randint(0, 3) for _ in other.values]) for _ in argument.values]
            return select(argument, tables)
        case 3:
            return cases([(condition(), part()) for _ in range(rng.randint(1, 4))], part())
        case 4:
            return add([(rng.choice((-2, -1, 1, 1, 3)), part()) for _ in range(rng.randint(1, 4))], rng.randint(-2, 2))
        case 5:
            return floor_divide(part(), rng.randint(1, 4))
        case 6:
            return modulo(part(), rng.randint(1, 4))
        case 7:
            return minimum([part(), part(), part()])
        case 8:
            return maximum([part(), part(), part()])
        case 9:
            return compare(rng.choice(("==", "!=", "<", "<=")), part(), part())
        case 10:
            return conjunction([condition(), condition(), condition()])
        case 11:
            return negation(condition())
        case _:
            return disjunction([condition(), condition()])


@pytest.mark.parametrize("seed", range(300))
def test_random_terms(seed):
    rng = random.Random(seed)
    sizes = [rng.randint(2, 5) for _ in range(4)]
    term = random_term(rng, [var(i, n) for i, n in enumerate(sizes)], 4)
    compiled = compile_value(sizes, term)
    for _ in range(20):
        state = tuple(rng.randrange(n) for n in sizes)
        found = compiled(state)
        assert found == value(term, [state]) and type(found) is int


def into(term: Term, size: int) -> Term:
    return modulo(term, size)


def random_task(rng: random.Random) -> Task:
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
    schemas = []
    for _ in range(rng.randint(1, 3)):
        domains = [rng.randint(1, 3) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
        pool: list[Term] = []
        rows = []
        for _ in range(rng.randint(1, 5)):
            phases = []
            leaves = [choice(k, n) for k, n in enumerate(domains)]
            for stage in range(rng.choice((1, 1, 2, 3))):
                leaves = leaves + [var(i, n, stage) for i, n in enumerate(sizes)]
                tests = [random_term(rng, leaves, 2) for _ in range(rng.randint(0, 3))]
                tests = [t if is_condition(t) else member(t, t.values[: (len(t.values) + 1) // 2]) for t in tests]
                if stage == 0:
                    pool += tests
                    tests += rng.sample(pool, min(len(pool), 2))
                targets = rng.sample(range(len(sizes)), rng.randint(1, len(sizes)))
                effects = []
                for t in targets:
                    test = random_term(rng, leaves, 2) if rng.random() < 0.5 else TRUE
                    test = test if is_condition(test) else compare("<", test, rng.choice(leaves))
                    effects.append(Assignment(t, test, into(random_term(rng, leaves, 3), sizes[t])))
                phases.append(Phase(conjunction(tests), tuple(effects)))
            first = [leaf for leaf in leaves if not isinstance(leaf, Var) or leaf.stage == 0]
            rows.append(Row((), tuple(phases), into(random_term(rng, first, 2), 4)))
        names = tuple(ChoiceVariable(f"m{k}", tuple(range(n))) for k, n in enumerate(domains))
        schemas.append(Schema("a", (), names, tuple(rows)))
    always = random_term(rng, [var(i, n) for i, n in enumerate(sizes)], 2)
    return make_task(sizes, schemas, always=disjunction([always, TRUE]) if not is_condition(always) else always)


@pytest.mark.parametrize("seed", range(400))
def test_random_tasks(seed):
    rng = random.Random(seed)
    task = random_task(rng)
    compiled = compile_task(task)
    states = list(itertools.product(*(range(len(v.domain)) for v in task.variables)))
    states = [s for s in states if value(task.always, [s])]
    for state in rng.sample(states, min(len(states), 12)):
        expected = successors(task, state)
        assert compiled.successors(state) == expected
        for operator, after, _ in expected[:5]:
            assert compiled.apply(state, operator) == after


def test_many_choices_and_tests_stay_within_pythons_limits():
    count = 24
    moves = [choice(k, 2) for k in range(count)]
    at = [var(k, 3) for k in range(count)]
    pairs = [compare("<=", moves[k], moves[k + 1]) for k in range(count - 1)]
    sums = [member(add([(1, at[k]), (1, at[j])]), range(4)) for k in range(count) for j in range(k)]
    quotients = [member(floor_divide(add([(3, t.argument)]), 2), range(6)) for t in sums]
    effects = tuple(Assignment(k, TRUE, moves[k]) for k in range(count))
    row = Row((), (Phase(conjunction([*pairs, *sums, *quotients]), effects),), const(1))
    schema = Schema("all", (), tuple(ChoiceVariable(f"m{k}", (0, 1)) for k in range(count)), (row,))
    found = compile_task(make_task([3] * count, [schema])).successors((0,) * count)
    assert len(found) == count + 1


def test_a_variable_index_that_depends_on_the_state():
    cells = [var(k, 3) for k in range(4)]
    place = var(4, 4)
    term = member(select(place, [cells[2], None, cells[1], cells[0]]), (1,))
    compiled = compile_value([3, 3, 3, 3, 4], term)
    assert [compiled((0, 1, 2, 0, p)) for p in (0, 2, 3)] == [0, 1, 0]
