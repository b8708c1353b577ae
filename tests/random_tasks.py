"""Tasks for the tests of compiler and encoder: hand-made ones in a line, the n-puzzle, random terms, random tasks."""

from __future__ import annotations

import random

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


def into(term: Term, size: int) -> Term:
    return modulo(term, size)


def random_task(rng: random.Random, loops: float = 0.0) -> Task:
    """`loops`: of the phases behind the first one, how many are repeated until nothing changes."""
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
                loop = bool(loops and stage) and rng.random() < loops
                phases.append(Phase(conjunction(tests), tuple(effects), loop=loop))
            first = [leaf for leaf in leaves if not isinstance(leaf, Var) or leaf.stage == 0]
            rows.append(Row((), tuple(phases), into(random_term(rng, first, 2), 4)))
        names = tuple(ChoiceVariable(f"m{k}", tuple(range(n))) for k, n in enumerate(domains))
        schemas.append(Schema("a", (), names, tuple(rows)))
    always = random_term(rng, [var(i, n) for i, n in enumerate(sizes)], 2)
    return make_task(sizes, schemas, always=disjunction([always, TRUE]) if not is_condition(always) else always)
