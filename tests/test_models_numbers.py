"""Numbers as large as the language lets them be: weights of metrics, value sets of terms, what is refused."""

from __future__ import annotations

import random
from itertools import product
from operator import mul

import pytest

from models import terms as t
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.metrics import LARGEST, apart, combined, exact_steps, weighed, word_steps
from models.task import Heuristic, Phase, Row, Schema, Task, Variable

MOST = 2**53  # of the language


def priced(steps: list[tuple[int, ...]], states: int = 2**40, estimate: int = 0) -> Task:
    """A task with a row for each of these costs, in so many states (or a few more)."""
    names = ",".join("abc"[: len(steps[0])])
    variables = tuple(Variable(f"v{n}", (0, 1), 0) for n in range((states - 1).bit_length()))
    rows = tuple(
        Row((), (Phase(t.TRUE, ()),), t.FALSE, parts=tuple(map(t.const, costs)) if len(costs) > 1 else ())
        if len(costs) > 1
        else Row((), (Phase(t.TRUE, ()),), t.const(costs[0]))
        for costs in steps
    )
    heuristic = Heuristic("h", t.const(estimate))
    return weighed(Task("p", "", names, variables, (Schema("s", (), (), rows),), t.TRUE, t.TRUE, (heuristic,)))


def sums(task: Task, steps: list[tuple[int, ...]], length: int, rng: random.Random) -> tuple[tuple[int, ...], int]:
    """(the costs of a path of so many steps, the same as one number)."""
    chosen = [rng.choice(range(len(steps))) if rng.random() < 0.3 else 0 for _ in range(length)]
    rows = task.schemas[0].rows
    return tuple(map(sum, zip(*(steps[n] for n in chosen), strict=True))), sum(rows[n].cost.values[0] for n in chosen)


@pytest.mark.parametrize("seed", range(60))
def test_sums_compare_as_tuples_up_to_the_bound(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((2, 2, 3))
    steps = [tuple(rng.choice((0, 1, 2, 7, 1000, 2**20)) for _ in range(size)) for _ in range(3)]
    steps[0] = tuple(rng.choice((2**9, 2**14, 2**17)) for _ in range(size))
    estimate = rng.choice((0, 5, 2**20))
    task = priced(steps, rng.choice((4, 100, 2**30)), estimate)
    bound = exact_steps(task)
    assert bound >= 1
    paths = [sums(task, steps, rng.choice((min(bound, 500), rng.randint(1, min(bound, 500)))), rng) for _ in range(30)]
    dearest = tuple(bound * max(column) for column in zip(*steps, strict=True))
    assert apart(task.weights, combined(task.weights, dearest) + estimate) == (*dearest[:-1], dearest[-1] + estimate)
    for (one, number), (other, another) in product(paths, repeat=2):
        assert apart(task.weights, number) == one and combined(task.weights, one) == number
        for h in (0, estimate):
            assert (number < another + h) == (one < (*other[:-1], other[-1] + h))
    assert word_steps(task) * combined(task.weights, [max(column) for column in zip(*steps, strict=True)]) < LARGEST


def test_weights_are_no_larger_than_paths_are_long() -> None:
    """Three states: no path without a repetition, and not the step after it, is longer."""
    task = priced([(1, 2**41), (1, 0)], states=4)
    assert exact_steps(task) == 4 and task.weights == (4 * 2**41 + 1, 1)
    assert word_steps(task) > 4


def test_a_path_as_long_as_fits() -> None:
    """b adds up to 2^50 a step: some sixty steps as sums of 64 bits, some thousands as sums of Python."""
    task = priced([(1, 2**50), (0, 1)])
    assert 2**11 < exact_steps(task) < 2**12 and word_steps(task) == 1
    task = priced([(1, 1), (0, 1)])
    assert exact_steps(task) == word_steps(task) == 2**31 - 1  # of as many states


def test_what_does_not_fit_has_no_weights() -> None:
    assert priced([(MOST, MOST)]).weights == () and exact_steps(priced([(MOST, MOST)])) == 0
    assert priced([(1, MOST, MOST)]).schemas[0].rows[0].cost is t.FALSE
    one = priced([(MOST,)])
    assert one.weights == (1,) and exact_steps(one) > 2**60 and word_steps(one) == 511
    assert exact_steps(priced([(1, 0), (0, 0)])) > 2**60, "nothing is ever carried"


def test_estimates_are_counted() -> None:
    """An estimate must not look like a step in the first metric."""
    task = priced([(1, 1)], states=4, estimate=10**6)
    assert exact_steps(task) == 4 and task.weights[0] == 4 + 10**6 + 1


# -- value sets --------------------------------------------------------------------------------------------------------

BITS = [t.var(n, 2) for n in range(20)]
HUGE = t.add([(2**30 + 3**n, bit) for n, bit in enumerate(BITS)])  # a million values, between 0 and some 2^35


def test_nobody_walks_through_an_interval() -> None:
    """Each of these would take minutes."""
    top, flag = HUGE.values[-1], t.var(30, 2)
    wide = t.add([(2**20, HUGE)])
    assert t.cases([(flag, wide)], t.const(-5)).values == range(-5, 2**20 * top + 1)
    assert t.select(t.var(31, 3), [wide, t.const(7), HUGE]).values == range(2**20 * top + 1)
    assert t.minimum([wide, t.const(2**40)]).values == range(2**40 + 1)
    assert t.maximum([wide, t.const(2**40)]).values == range(2**40, 2**20 * top + 1)
    assert t.minimum([wide, t.const(0)]) is t.FALSE
    assert t.member(wide, range(5, 2**60)).members == range(5, 2**20 * top + 1)
    assert t.conjunction([t.member(wide, range(5, 2**60)), t.member(wide, range(2**30))]).values == (0, 1)


@pytest.mark.parametrize("seed", range(60))
def test_a_sum_has_the_values_that_its_parts_add_up_to(seed: int) -> None:
    """Listed by all choices of the parts: intervals, gaps, steps that are longer than an interval and shorter."""
    rng = random.Random(seed)
    sets = [rng.choice((range(rng.randint(2, 5)), (0, 3), (1, 2, 4), (-2, -1, 0))) for _ in range(rng.randint(2, 4))]
    factors = [rng.choice((1, -1, 2, 3, -4, 5, 11)) for _ in sets]
    parts = [t.lookup(t.var(n, len(values)), list(values)) for n, values in enumerate(sets)]
    total = t.add(list(zip(factors, parts, strict=True)), 7)
    listed = {7 + sum(map(mul, factors, each)) for each in product(*sets)}
    assert sorted(listed) == list(total.values)


# -- what is refused ---------------------------------------------------------------------------------------------------

PUZZLE = f"""
puzzle: big
data: {{w: [{MOST}, 1, {MOST}], most: {MOST}}}
types: {{i: keys(w)}}
state: {{n: 0 .. 2 = 0, on: 0 .. 2 = 0, d: direction = up}}
actions:
  act:
    effect: {{n: 1}}
    cost: COST
goal: GOAL
"""


def refused(goal: str = "n == 1", cost: str = "1") -> PuzzleError:
    with pytest.raises(PuzzleError) as found:
        ground(load_text(PUZZLE.replace("GOAL", goal).replace("COST", cost), "big.yaml"))
    return found.value


@pytest.mark.parametrize(("goal", "cost"), [
    ("sum(w[k] for k in i if k <= on) > 5", "1"),
    ("most * on > 5", "1"),
    ("abs(-most - on) > 5", "1"),
    ("n == 1", "sum(w[k] for k in i)"),
    ("n == 1", "(most * (2 * d)).row"),
])  # fmt: skip
def test_no_number_leaves_the_range(goal: str, cost: str) -> None:
    found = refused(goal, cost).diagnostics[0]
    assert found.code == "E414" and found.location is not None


def test_what_stays_in_the_range_is_taken() -> None:
    """The padding of a minimum is no number of the puzzle's: it is not counted."""
    goal = "1 * min(w[k] for k in i if k < on) > 0 and sum(w[k] for k in i if k == 1) == 1"
    ground(load_text(PUZZLE.replace("GOAL", goal).replace("COST", "most"), "big.yaml"))


SUMS = """
puzzle: sums
data: {w: [1000000, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025, 2049, 4097]}
types: {i: keys(w)}
state:
  on[k in i]: bool = false
  n: 0 .. 5 = 0
actions:
  act:
    effect:
      n: EFFECT
goal: GOAL
"""
TOTAL = "sum(w[k] for k in i if on[k])"


def test_too_many_values_to_look_at_are_refused() -> None:
    """As an index, or as what a product is told apart by; what is asked or divided need not be listed."""
    for goal in (f"w[{TOTAL}] == 5", f"{TOTAL} * {TOTAL} > 5"):
        with pytest.raises(PuzzleError) as found:
            ground(load_text(SUMS.replace("EFFECT", "1").replace("GOAL", goal), "sums.yaml"))
        assert found.value.diagnostics[0].code == "E418"
    ground(load_text(SUMS.replace("EFFECT", f"{TOTAL} % 5").replace("GOAL", f"{TOTAL} // 1000 != 7"), "sums.yaml"))
