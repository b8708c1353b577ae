"""The compiled successor function against what a Task means, on hand-made and random tasks."""

import itertools
import random
from math import factorial

import pytest
from random_tasks import make_task, random_task, random_term, slide
from sampled import seeds, slow

from models.execution import successors, value
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema
from models.terms import (
    TRUE,
    add,
    choice,
    compare,
    conjunction,
    const,
    disjunction,
    floor_divide,
    member,
    select,
    value_in,
    var,
)
from search.compiler import emitter, jit
from search.machine import compile_task


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


@pytest.mark.parametrize(("rows", "ways"), [(2, 14), slow(3, 24)])  # of the gap, over all places
def test_n_puzzles_have_half_of_all_permutations(rows, ways):
    size = 3 * rows
    compiled = compile_task(slide(rows, 3, (*range(1, size), 0)))
    assert closure(compiled) == (factorial(size) // 2, factorial(size) // 2 // size * ways)
    assert compiled.unit_cost and compiled.is_goal((*range(1, size), 0))


@pytest.mark.parametrize("seed", seeds(75, 300))
def test_random_terms(seed):
    rng = random.Random(seed)
    sizes = [rng.randint(2, 5) for _ in range(4)]
    term = random_term(rng, [var(i, n) for i, n in enumerate(sizes)], 4)
    compiled = compile_value(sizes, term)
    for _ in range(20):
        state = tuple(rng.randrange(n) for n in sizes)
        found = compiled(state)
        assert found == value(term, [state]) and type(found) is int


@pytest.mark.parametrize("seed", seeds(75, 400))
def test_random_tasks(seed):
    holds_to_its_meaning(random.Random(seed), better=seed % 3 == 0)


@pytest.mark.parametrize("seed", seeds(30, 100))
def test_random_tasks_in_small_steps(seed, monkeypatch):
    """As large ones are written: tall terms in steps, and LLVM leaves its dear pass out."""
    monkeypatch.setattr(emitter, "STEP", 1 + seed % 3)
    monkeypatch.setattr(jit, "TANGLED", 0)
    holds_to_its_meaning(random.Random(1000 + seed), better=True)


@pytest.mark.parametrize("seed", seeds(40, 600))
def test_random_loops(seed):
    holds_to_its_meaning(random.Random(seed), better=seed % 2 == 1, loops=0.6)


def holds_to_its_meaning(rng, better, loops=0.0):
    """`better`: as kernels have the code."""
    task = random_task(rng, loops)
    compiled = compile_task(task)
    assert not better or compiled.machine.expand
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


def test_terms_of_a_thousand_levels():
    """x1 and (x0 or x1 and (x0 or ...)) in a form that no constructor sees through, and a sum in each third level."""
    size = 40
    leaves = [var(k, 3) for k in range(size)]
    term = member(leaves[0], (1,))
    for level in range(1200):
        leaf = leaves[level % size]
        if level % 3:
            pair = (term, compare("<", leaf, leaves[(level * 7 + 3) % size]))
            term = (disjunction if level % 2 else conjunction)(pair)
        else:
            term = member(add([(1, leaf), (2, term)]), (1, 2, 4))
    compiled = compile_value([3] * size, term)
    for seed in range(20):
        state = [random.Random(seed).randrange(3) for _ in range(size)]
        assert compiled(tuple(state)) == value_in(term, state)


def test_a_variable_index_that_depends_on_the_state():
    cells = [var(k, 3) for k in range(4)]
    place = var(4, 4)
    term = member(select(place, [cells[2], None, cells[1], cells[0]]), (1,))
    compiled = compile_value([3, 3, 3, 3, 4], term)
    assert [compiled((0, 1, 2, 0, p)) for p in (0, 2, 3)] == [0, 1, 0]
