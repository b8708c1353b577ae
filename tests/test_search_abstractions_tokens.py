"""Tokens of many kinds, ways to end, and what a row does case by case, by the definition of a task and by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from abstracting import distances, drawn_task, kinds_task, reached, simple_row, slide_row, states_of
from random_tasks import make_task, random_term
from sampled import seeds

from models.execution import is_goal, value
from models.outcomes import ENDLESS, Unsupported
from models.task import Assignment, Phase, Row, Schema, Task
from models.terms import (
    FALSE,
    TRUE,
    Choice,
    Term,
    add,
    cases,
    conjunction,
    const,
    disjunction,
    is_condition,
    leaves,
    member,
    negation,
    var,
)
from search.abstractions import ends, tokens
from search.abstractions.cases import cases_of
from search.abstractions.derived import LOST, Derived
from search.abstractions.deriving import derive
from search.abstractions.ends import ANY, ends_of
from search.abstractions.moves import Change, Step, mover
from search.abstractions.reading import Estimate
from search.abstractions.tokens import least_sum
from search.compiler.layout import values_apart
from search.machine import Machine
from search.proofs.transitions import transitions

EMPTY, A, B, WALL = range(4)


@pytest.mark.parametrize("seed", seeds(6, 400))
def test_one_of_the_cases_of_a_row_tells_what_it_does(seed: int) -> None:
    """In each state in which it applies one holds, and those that hold have the values that the row gives."""
    task = (drawn_task if seed % 2 else kinds_task)(random.Random(seed))
    for row in transitions(task):
        if any(isinstance(leaf, Choice) for leaf in leaves(*row.guard, *row.after.values())):
            continue
        try:
            found = list(cases_of(row, row.after))
        except Unsupported:
            continue
        for state in list(states_of(task))[:200]:
            if all(value(part, [state]) for part in row.guard):
                holding = [case for case in found if all(value(part, [state]) for part in case.given)]
                assert holding, (row.place, state)
                for case in holding:
                    assert all(value(new, [state]) == value(row.after[old], [state]) for old, new in case.after.items())


@pytest.mark.parametrize("seed", seeds(20, 1000))
def test_where_a_goal_holds_one_of_the_ends_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they are more than are told apart."""
    rng = random.Random(seed)
    monkeypatch.setattr(ends, "MOST_ENDS", rng.choice((2, 1000)))
    told = [var(index, rng.randint(2, 4)) for index in range(3)]
    parts = [random_term(rng, told, 2) for _ in range(4)]
    parts = [each if is_condition(each) else member(each, each.values[: rng.randint(1, 2)]) for each in parts]
    goal = disjunction(
        (conjunction(parts[:2]), conjunction(parts[1:3]), member(add([(2, p) for p in parts[1:]]), (6,)))
    )
    found = ends_of(goal)
    for state in states_of(make_task([len(each.values) for each in told], [])):
        holds = any(all(state[index] in kept for index, kept in end.items()) for end in found)
        assert holds or not value(goal, [state])


def test_sums_that_are_as_small_or_as_large_as_can_be_tell_of_their_summands() -> None:
    a, b, c = var(0, 2), var(1, 2), var(2, 3)
    total = add([(1, a), (-2, b), (3, member(c, (1, 2)))])
    assert ends_of(member(total, (-2,))) == [{0: {0}, 1: {1}, 2: {0}}]
    assert ends_of(member(total, (4,))) == [{0: {1}, 1: {0}, 2: {1, 2}}]
    assert ends_of(member(total, (-2, 4))) == ends_of(TRUE) == [ANY] and ends_of(FALSE) == []


# -- by hand -----------------------------------------------------------------------------------------------------------


def line(squares: int, *parts: Term, start: tuple[int, ...], more: tuple[Row, ...] = ()) -> Task:
    """Tokens step to a neighbour that is empty, at a cost of 1; there are some ways to end."""
    at = [var(index, 4) for index in range(squares)]
    pairs = [pair for one in range(squares - 1) for pair in ((one, one + 1), (one + 1, one))]
    rows = [slide_row(at, pair, const(1)) for pair in pairs]
    return make_task([4] * squares, [Schema("step", (), (), (*rows, *more))], disjunction(parts), start=start)


def said(task: Task) -> tuple[int, Derived]:
    machine = Machine(task)
    found = derive(task, machine, lambda: ENDLESS)
    return Estimate(machine.layout, found.sums).evaluate(machine.initial), found


def on(index: int, kind: int) -> Term:
    return member(var(index, 4), (kind,))


BOTH = conjunction((on(1, A), on(2, B)))


@pytest.mark.parametrize(("start", "parts", "known"), [
    ((A, 0, 0, B), (BOTH,), 2),  # one step each
    ((A, 0, 0, B), (conjunction((on(3, A), on(2, B))),), 4),  # though they cannot pass each other
    ((A, 0, 0, B), (conjunction((on(3, A), on(2, B))), BOTH), 2),  # the nearer of two ends
    ((A, 0, 0, 0), (conjunction((on(0, A), on(1, A))), on(3, A)), 3),  # of the first end there are not enough
    ((A, A, 0, 0), (on(3, A),), 1),  # there are more than are wanted: it is told by the square that is not empty then
    ((A, A, 0, 0), (conjunction((on(2, A), on(3, A))),), 3),  # each to the nearer square: 2 + 1
    ((A, 0, 0, WALL), (on(3, A), on(2, A)), 2),  # no token is ever on a wall
    ((A, 0, 0, 0), (negation(on(0, A)),), 1),
    ((A, 0, 0, B), (conjunction((negation(on(0, A)), negation(on(1, A)), on(3, B))),), 2),
    ((A, 0, 0, 0), (member(add([(1, negation(on(2, A))), (1, negation(on(3, EMPTY)))]), (0,)),), 2),
])  # fmt: skip
def test_tokens_on_a_line(start: tuple[int, ...], parts: tuple[Term, ...], known: int) -> None:
    found, derived = said(line(4, *parts, start=start))
    assert found == known and derived.why.startswith("each action moves one token at most")


def test_ends_beyond_so_many_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is 2 from the one end and 3 from the other."""
    for most in (256, 1):
        monkeypatch.setattr(tokens, "MOST_COLUMNS", most)
        found, derived = said(line(4, on(2, A), on(3, A), start=(A, 0, 0, 0)))
        assert (found, derived.tables[0].ends) == (2, min(most, 2))


def test_without_enough_tokens_nothing_can_be_reached() -> None:
    task = line(4, conjunction((on(0, A), on(1, A))), start=(A, 0, 0, B))
    found, derived = said(task)
    assert found >= derived.least_lost and not any(is_goal(task, state) for state in reached(task))


def test_a_slide_may_stop_anywhere() -> None:
    """A token slides past five squares in one step; where another stops it, it is one step as well."""
    at = [var(index, 4) for index in range(5)]
    rows = (slide_row(at, range(5), const(1)), slide_row(at, range(4, -1, -1), const(1)))
    for square, known in ((4, 1), (2, 1)):
        task = make_task([4] * 5, [Schema("slide", (), (), rows)], on(square, A), start=(A, 0, 0, 0, 0))
        assert said(task)[0] == known


def test_what_a_condition_asks_of_may_become_true_later() -> None:
    """The second row makes it possible that the first one does something."""
    first = Row((), (Phase(TRUE, (Assignment(1, on(0, B), const(A)),)),), const(1))
    rows = (first, simple_row(TRUE, {0: const(B)}, const(1)))
    task = make_task([4, 4], [Schema("set", (), (), rows)], on(1, A))
    assert values_apart(task, Machine(task, trim=False).program.plans, ()) == [(EMPTY, B), (EMPTY, A)]


def test_no_token_comes_to_a_wall() -> None:
    """It stops before; a square that is a wall has no bits, and neither are rows that begin there."""
    at = [var(index, 4) for index in range(4)]
    rows = (slide_row(at, range(4), const(1)), slide_row(at, range(3, -1, -1), const(1)))
    task = make_task([4] * 4, [Schema("slide", (), (), rows)], on(1, A), start=(A, 0, WALL, 0))
    assert values_apart(task, Machine(task).program.plans, ()) == [(EMPTY, A), (EMPTY, A), (WALL,), (EMPTY,)]


def test_an_end_on_squares_that_no_such_token_comes_to_is_none() -> None:
    """One goes from 0 to 2, the other from 3 to 2."""
    ways = ((0, 1, A), (1, 2, A), (3, 2, B))
    free = [conjunction((on(one, kind), on(other, EMPTY))) for one, other, kind in ways]
    rows = [simple_row(guard, {one: const(EMPTY), other: const(kind)}, const(1))
            for guard, (one, other, kind) in zip(free, ways, strict=True)]  # fmt: skip
    goal = disjunction((on(3, A), on(2, A)))
    assert said(make_task([4] * 5, [Schema("step", (), (), tuple(rows))], goal, start=(A, 0, 0, B, WALL)))[0] == 2


def moving(*ways: tuple[int, int, int], waits: Term = TRUE) -> list[Row]:
    """Tokens of one kind between two squares, to and fro; the first one waits for something."""
    rows = []
    for number, (one, other, kind) in enumerate(ways):
        for a, b in ((one, other), (other, one)) if number or waits is TRUE else ((one, other),):
            guard = conjunction((on(a, kind), on(b, EMPTY), TRUE if number else waits))
            rows.append(simple_row(guard, {a: const(EMPTY), b: const(kind)}, const(1)))
    return rows


def test_a_move_that_waits_for_what_never_comes_is_none() -> None:
    """From 0 to 1, while an A is on 3, where only a B ever is; the ones on 0 and 4 have a step to go."""
    rows = moving((0, 1, A), (3, 2, B), (4, 5, A), (0, 6, A), (1, 7, B), waits=on(3, A))
    steps, start = (Schema("step", (), (), tuple(rows)),), (A, 0, 0, B, A, 0, 0, B, WALL)
    found, derived = said(make_task([4] * 9, steps, conjunction((on(5, A), on(6, A))), start=start))
    assert found == 2 and derived.why.startswith("each action moves one token at most")
    found, derived = said(make_task([4] * 9, steps, on(1, A), start=start))
    assert found >= derived.least_lost


def test_only_kinds_that_come_to_a_square_move_there() -> None:
    both = frozenset((A, B))
    changes = Change(0, both, frozenset((EMPTY,)), None), Change(1, frozenset((EMPTY,)), frozenset((A,)), 0)
    move = mover(Step((0, 0), 1, changes), both)
    assert move is not None and (move.one, move.other, move.kinds) == (0, 1, {A})


def test_a_square_may_have_nothing_but_tokens() -> None:
    """No B comes to 0, but that is not seen at once, and walls are so many that 0 has a bit for it and A alone."""
    kept = cases([(on(3, B), var(0, 4)), (conjunction((on(3, B), on(4, A))), const(B))], var(0, 4))
    rows = [*moving((4, 5, A), (3, 2, B)), simple_row(TRUE, {0: kept}, const(1))]
    start, goal = (A, 0, 0, B, A, 0, *[WALL] * 54), conjunction((on(0, A), on(5, A), on(2, B)))
    task = make_task([4] * 60, [Schema("step", (), (), tuple(rows))], goal, start=start)
    assert Machine(task).layout.fields[0].values == (A, B) and said(task)[0] == 2


def test_a_token_that_never_moves_is_at_home_or_not() -> None:
    """The one on 0 is stuck, so that the end that wants two elsewhere is none; the other goes from 2 to 4."""
    task = line(40, conjunction((on(3, A), on(4, A))), conjunction((on(0, A), on(4, A))), start=(A, 0, A, *[0] * 37))
    (steps,) = task.schemas
    free = tuple(row for row in steps.rows if min(each.target for each in row.phases[0].assignments) > 1)
    found, derived = said(replace(task, schemas=(replace(steps, rows=free),)))
    assert found == 2 and derived.tables[0].ends == 1


def test_what_is_empty_need_not_be_the_first_value() -> None:
    """A token is 0 on three squares, where 1 is no token."""
    at = [var(index, 2) for index in range(3)]
    rows = [simple_row(conjunction((negation(at[one]), at[one + 1])), {one: TRUE, one + 1: FALSE}, const(1))
            for one in range(2)]  # fmt: skip
    task = make_task([2] * 3, [Schema("step", (), (), tuple(rows))], negation(at[2]), start=(0, 1, 1))
    assert said(task)[0] == 2


@pytest.mark.parametrize("odd", [
    simple_row(TRUE, {0: var(3, 4), 3: var(0, 4)}, const(1)),  # two at once
    simple_row(on(2, EMPTY), {2: const(A)}, const(1)),  # made of nothing
    simple_row(on(0, A), {0: const(B)}, const(1)),  # turned into another
    simple_row(on(2, EMPTY), {2: var(0, 4)}, const(1)),  # there twice
    simple_row(on(1, EMPTY), {1: var(0, 4), 0: const(EMPTY)}, const(0)),  # for nothing
    simple_row(conjunction((on(0, A), on(1, EMPTY))), {0: const(EMPTY), 1: const(B)}, const(1)),  # another on its way
])  # fmt: skip
def test_rows_that_do_more_are_no_moves_of_tokens(odd: Row) -> None:
    """What is derived then, if anything, is no more than the least cost of a plan."""
    for goal in (conjunction((on(3, A), on(2, B))), conjunction((on(3, B), on(2, B)))):
        task = line(4, goal, start=(A, 0, 0, B), more=(odd,))
        try:
            found, _ = said(task)
        except Unsupported:
            continue
        assert found <= distances(task, reached(task)).get(task.start, LOST << 10)


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_machine_code_reads_what_the_table_says(seed: int) -> None:
    """With up to forty ends, on up to three words; squares of which each has a token too."""
    rng = random.Random(seed)
    squares, kinds = rng.choice((5, 30, 60)), rng.randint(1, 6)
    sizes = [kinds + 1] * squares
    at = [var(index, kinds + 1) for index in range(squares)]
    rows = [slide_row(at, rng.sample(range(squares), 3), const(1)) for _ in range(2 * squares)]
    parts = [
        conjunction(member(at[rng.randrange(squares)], (rng.randint(1, kinds),)) for _ in range(2)) for _ in range(40)
    ]
    start = tuple(rng.choice((0, 0, rng.randint(1, kinds))) for _ in at)
    task = make_task(sizes, [Schema("slide", (), (), tuple(rows))], disjunction(parts), start=start)
    try:
        machine = Machine(task)
        found = derive(task, machine, lambda: ENDLESS, in_passing=True)
    except Unsupported:
        return
    (table,) = found.tables
    estimate, state = Estimate(machine.layout, found.sums), machine.initial
    for _ in range(20):
        known = least_sum(table, machine.layout.unpack(state))
        assert estimate.evaluate(state) == (known if known < LOST else found.least_lost)
        after = machine.successors(state)
        state = rng.choice(after)[1] if after else machine.initial
