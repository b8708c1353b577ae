"""What a Task means: worked out by hand, and on random small puzzles against the referee, which knows of no Task."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from random_models import random_puzzle

from models import terms as t
from models.decoding import numbers_of, steps_of
from models.errors import PuzzleError
from models.execution import apply, is_goal, operators, successors, value
from models.grounding import ground
from models.loader import load_text
from models.puzzle import Puzzle
from models.referee import costs, start_state
from models.referee import is_goal as referee_is_goal
from models.referee import successors as referee_successors
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task, Variable

MOST_STATES = 12  # of a puzzle
PUZZLES = 80

X, Y, C = t.var(0, 4), t.var(1, 3), t.choice(0, 3)
SUM = t.add([(1, X), (1, C)])
AFTER = t.var(0, 4, stage=1)  # x, as the second phase finds it
FITS = t.conjunction([t.negation(t.member(C, (0,))), t.compare("<=", SUM, t.const(3))])
ADD = Row((), (
    Phase(FITS, (Assignment(0, t.TRUE, SUM),)),
    Phase(t.negation(t.member(AFTER, (1,))), (Assignment(1, t.member(AFTER, (3,)), X),)),
), t.add([(10, X), (1, C)]))  # fmt: skip
SWAP = Row((), (Phase(t.member(X, range(3)), (Assignment(0, t.TRUE, Y), Assignment(1, t.TRUE, X))),), t.TRUE)
TASK = Task(
    "by hand", "", "cost", (Variable("x", tuple(range(4)), 0), Variable("y", tuple(range(3)), 0)),
    (Schema("add", (("c", (0,)),), (ChoiceVariable("c", tuple(range(3))),), (ADD,)), Schema("swap", (), (), (SWAP,))),
    goal=t.conjunction([t.member(X, (3,)), t.member(Y, (2,))]), always=t.negation(t.member(Y, (1,))),
)  # fmt: skip


@pytest.mark.parametrize(("state", "found"), [
    ((0, 0), [((0, 0, 2), (2, 0), 2), ((1, 0), (0, 0), 1)]),  # + 1 makes x 1, which the second phase does not take
    ((1, 0), [((0, 0, 1), (2, 0), 11)]),  # + 2 makes x 3 and y what x was, 1, which may never be; so does the swap
    ((2, 0), [((0, 0, 1), (3, 2), 21), ((1, 0), (0, 2), 1)]),  # + 2 would be 4; the swap reads old values
    ((3, 2), []),
])  # fmt: skip
def test_successors_worked_out_by_hand(state: tuple[int, int], found: list[tuple[object, ...]]) -> None:
    assert successors(TASK, state) == found
    assert is_goal(TASK, state) == (state == (3, 2))


def test_every_choice_is_tried() -> None:
    assert list(operators(TASK)) == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0)]
    assert apply(TASK, (0, 0), (0, 0, 0)) is None


def test_a_task_knows_its_rows_and_whether_steps_cost_one() -> None:
    assert TASK.rows == {(0, 0): ADD, (1, 0): SWAP} and not TASK.unit_cost
    assert replace(TASK, schemas=TASK.schemas[1:]).unit_cost and replace(TASK, schemas=()).unit_cost
    assert not replace(TASK, schemas=(replace(TASK.schemas[1], rows=(SWAP, replace(SWAP, cost=t.FALSE))),)).unit_cost


def test_nobody_looks_at_a_hole() -> None:
    term = t.lookup(t.var(0, 3), [7, None, 5])
    assert [value(term, [(x,)]) for x in (0, 2)] == [7, 5]
    with pytest.raises(AssertionError, match="hole"):
        value(term, [(1,)])


def test_random_puzzles_against_the_referee() -> None:
    tried = sum(agree(puzzle, task) for seed in range(PUZZLES) for puzzle, task in accepted(seed))
    assert tried > PUZZLES


def accepted(seed: int) -> list[tuple[Puzzle, Task]]:
    try:
        puzzle = load_text(random_puzzle(seed), f"seed {seed}")
        return [(puzzle, ground(puzzle))]
    except PuzzleError:
        return []


def agree(puzzle: Puzzle, task: Task) -> int:
    """In how many states referee and task have the same steps, states and costs, and agree about the goal."""
    waiting = {numbers_of(puzzle, task, start_state(puzzle)): start_state(puzzle)}
    done = set[tuple[int, ...]]()
    while waiting and len(done) < MOST_STATES:
        numbers, state = waiting.popitem()
        done.add(numbers)
        assert is_goal(task, numbers) == referee_is_goal(puzzle, state)
        edges = [(step, after, numbers_of(puzzle, task, after)) for step, after in referee_successors(puzzle, state)]
        expected = Counter((step, after, costs(puzzle, state, step)[task.metric]) for step, _, after in edges)
        made = successors(task, numbers)
        assert Counter((step, after, cost) for o, after, cost in made for step in steps_of(task, o)) == expected
        waiting |= {known: after for _, after, known in edges if known not in done}
    return len(done)
