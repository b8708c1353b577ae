"""Rows that do one thing to a whole board, as shifts of bit planes, against the naive interpreter of tasks."""

import random

import pytest
from random_tasks import make_task
from sampled import seeds

from models.execution import successors
from models.task import Assignment, Phase, Row, Schema
from models.terms import cases, conjunction, const, disjunction, lookup, member, negation, var
from search.compiler.codegen import make_program, segmented
from search.machine import compile_task


def random_board(rng):
    """A task on `cells` cells of `size` values; its rows test and change pairs of cells that lie `step` apart."""
    cells, size = rng.choice((9, 16, 20, 25, 40)), rng.choice((2, 3, 4, 5, 9))
    v = [var(c, size) for c in range(cells)]
    rows = []
    for _ in range(rng.randint(1, 4)):
        step = rng.choice([d for d in (-5, -4, -1, 1, 3, 4, 5) if abs(d) < cells])
        pairs = [(c, c + step) for c in range(cells) if 0 <= c + step < cells and rng.random() < 0.9]
        some = [sorted(rng.sample(range(size), rng.randint(1, size - 1))) for _ in range(4)]
        new, other = rng.randrange(size), rng.randrange(size)
        tests = [disjunction([member(v[a], some[0]), member(v[b], some[1])]) for a, b in pairs if rng.random() < 0.5]
        effects = []
        for a, b in pairs:
            here, there = member(v[a], some[2]), member(v[b], some[3])
            value = rng.choice((
                const(new),
                cases([(there, const(other))], const(new)),
                lookup(negation(there), (other, new)),
            ))  # fmt: skip
            effects.append(
                Assignment(a, rng.choice((here, disjunction([here, there]), conjunction([here, there]))), value)
            )
        rows.append(Row((), (Phase(conjunction(tests), tuple(effects)),), const(rng.randint(0, 3))))
    start = tuple(rng.randrange(size) for _ in range(cells))
    return make_task([size] * cells, [Schema("a", (), (), tuple(rows))], start=start)


@pytest.mark.parametrize("seed", seeds(40, 150))
def test_random_boards(seed):
    rng = random.Random(seed)
    task = random_board(rng)
    compiled = compile_task(task, trim=bool(seed % 2))
    states = [task.start]
    for _ in range(12):
        expected = successors(task, states[-1])
        assert compiled.successors(states[-1]) == expected
        if not seed % 2:
            states.append(tuple(rng.randrange(len(v.domain)) for v in task.variables))
        elif expected:
            states.append(rng.choice(expected)[1])


def test_most_of_them_are_compiled_as_boards():
    kinds = [
        segment for seed in range(150) for segment in segmented(make_program(random_board(random.Random(seed)), False))
    ]
    assert sum(len(segment.boards) for segment in kinds) > 200
