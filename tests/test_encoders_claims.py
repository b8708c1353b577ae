"""Claims decided by CP-SAT over all states: known proofs and refutations, random claims against plain enumeration."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from claimed_tasks import n_puzzle, vehicles
from proving import learn
from random_tasks import make_task, random_task, random_term
from sampled import seeds, slow

from encoders.induction import Prover
from encoders.regression import fact, transition, value_in
from models import terms
from models.execution import successors, value
from models.grounding import ground
from models.loader import load_text
from models.task import Assignment, Heuristic, Invariant, Phase, Row, Schema, Task
from models.terms import TRUE, Term, add, const, is_condition, lookup, member, minimum, modulo, negation, var
from search.proofs.knowledge import Prover as KnowledgeProver


def decided(task: Task) -> dict[str, str]:
    """Every claim's status, each given the invariants proven before it."""
    facts: list[Term] = []
    found = {}
    for invariant in task.invariants:
        found[invariant.name] = Prover(task, facts).invariant(invariant).status
        if found[invariant.name] == "proven":
            facts.append(fact(invariant, task.start))
    prover = Prover(task, facts)
    return found | {h.name: prover.heuristic(h.term).status for h in task.heuristics}


@pytest.mark.parametrize("side", [2, 3, slow(4)])
def test_n_puzzle(side: int) -> None:
    task = n_puzzle(side, side, (*range(1, side * side), 0))
    names = {i.name: i for i in task.invariants}
    task = replace(task, invariants=tuple(names[n] for n in ("each-tile-once", "parity", "wrong", "corner")))
    assert decided(task) == {
        **{"each-tile-once": "proven", "parity": "proven", "wrong": "refuted", "corner": "refuted"},
        **{"manhattan": "proven", "misplaced": "proven", "larger": "proven"},
        **{"gap counted": "refuted", "twice": "refuted", "positive at the goal": "refuted"},
    }


def test_manhattan_on_the_24_puzzle_takes_no_time() -> None:
    task = n_puzzle(5, 5, (*range(1, 25), 0))
    manhattan = next(h for h in task.heuristics if h.name == "manhattan")
    assert Prover(task, seconds=10).heuristic(manhattan.term).status == "proven"


def test_the_counterexample_is_one() -> None:
    task = n_puzzle(3, 3, (1, 2, 3, 4, 5, 6, 7, 8, 0))
    once, counted = task.invariants[0].term, next(h for h in task.heuristics if h.name == "gap counted").term
    found = Prover(task, [once]).heuristic(counted)
    assert sorted(found.state) == list(range(9))
    after = next(s for operator, s, _ in successors(task, found.state) if operator == found.operator)
    assert value(counted, [found.state]) > value(counted, [after]) + 1


def test_joint_moves() -> None:
    assert decided(vehicles(4)) == {"half": "proven", "largest": "proven", "sum": "refuted"}


def row(guard: Term, *lines: Assignment, lax: Term | None = None) -> Row:
    return Row((), (Phase(guard, lines, lax),), const(1))


def counter(size: int, step: Term, heuristics: dict[str, Term], goal: Term) -> Task:
    """x goes to `step` where it is not at its end."""
    rows = (row(negation(member(var(0, size), (size - 1,))), Assignment(0, TRUE, step)),)
    found = [Heuristic(name, term) for name, term in heuristics.items()]
    return make_task([size], [Schema("a", (), (), rows)], goal, TRUE, (0,), found)


def test_a_negative_estimate_counts_as_nothing() -> None:
    x = var(0, 4)
    falling = lookup(x, [1, 0, -5, -9])
    task = counter(4, lookup(x, [1, 2, 3, None]), {"falling": falling, "late": lookup(x, [2, 2, 0, 0])}, TRUE)
    task = replace(task, goal=member(x, (3,)))
    assert decided(task) == {"falling": "proven", "late": "refuted"}


def test_a_goal_with_an_estimate_above_nothing_is_a_counterexample() -> None:
    x = var(0, 3)
    task = counter(3, lookup(x, [1, 2, 2]), {"one": const(1)}, member(x, (2,)))
    found = Prover(task).heuristic(task.heuristics[0].term)
    assert (found.status, found.state, found.operator) == ("refuted", (2,), ())


def test_a_value_that_is_kept_only_where_it_is_right() -> None:
    """x, at 0, is changed only where it is 1: nothing follows for other values of x, and nothing has to."""
    x = var(0, 3)
    task = make_task([3], [Schema("a", (), (), (row(member(x, (1,)), Assignment(0, TRUE, const(2))),))])
    kept = Invariant("x", x)
    assert Prover(task).invariant(kept).status == "proven"
    assert Prover(replace(task, variables=(replace(task.variables[0], start=1),))).invariant(kept).status == "refuted"


def test_an_invariant_has_to_keep_its_having_a_value() -> None:
    """x counts up to 3. What has no value at 1 is no invariant, what has one at 2 and 3 is, from 2 on."""
    x = var(0, 4)
    for defined, start, status in (([0, 2, 3], 0, "refuted"), ([2, 3], 2, "proven"), ([0, 1], 2, "unknown")):
        table = [7 if value in defined else None for value in range(4)]
        invariant = Invariant("worth", lookup(x, table), member(x, defined))
        task = counter(4, lookup(x, [1, 2, 3, None]), {}, member(x, (3,)))
        task = replace(task, variables=(replace(task.variables[0], start=start),))
        assert Prover(task).invariant(invariant).status == status
        assert KnowledgeProver(task).invariant(invariant).proven == (status == "proven")


def test_where_a_row_applies_and_where_its_effects_clash() -> None:
    x, y = var(0, 3), var(1, 3)
    apart = terms.compare("!=", x, y)
    never = row(member(x, (2,)), Assignment(1, TRUE, const(0)))
    clashing = row(terms.conjunction((member(x, (0,)), negation(apart))), Assignment(0, TRUE, x),
                   lax=member(x, (0,)))  # fmt: skip
    task = make_task([3, 3], [Schema("a", (), (), (never, clashing))], start=(0, 0))
    free = Prover(task)
    assert [free.applies((0, r)).status for r in (0, 1)] == ["refuted", "refuted"]
    assert [free.clashes((0, r)).status for r in (0, 1)] == ["proven", "refuted"]
    found = free.clashes((0, 1))
    assert found.state[0] == 0 and found.state[1] != 0 and found.operator == (0, 1)
    informed = Prover(task, [member(x, (0, 1)), negation(apart)])
    assert informed.applies((0, 0)).status == "proven" and informed.clashes((0, 1)).status == "proven"


def test_phases_are_composed() -> None:
    """x := x + 1, then y := the new x; both at once on the state before."""
    x, y, later = var(0, 4), var(1, 4), var(0, 4, 1)
    up = lookup(x, [1, 2, 3, None])
    phases = (
        Phase(negation(member(x, (3,))), (Assignment(0, TRUE, up),)),
        Phase(negation(member(later, (2,))), (Assignment(1, TRUE, later),)),
    )
    task = make_task([4, 4], [Schema("a", (), (), (Row((), phases, const(1)),))])
    found = transition(task, (0, 0))
    assert found.after[x] is up and [value_in(found.after[y], (n, 0)) for n in (0, 1, 2)] == [1, 2, 3]
    states = [s for s in itertools.product(range(4), repeat=2) if all(value_in(c, s) for c in found.guard)]
    assert states == [(n, m) for n in (0, 2) for m in range(4)]


def test_a_limit_leaves_the_answer_open() -> None:
    found = Prover(n_puzzle(3, 3, tuple(range(9))), seconds=0).heuristic(var(0, 9))
    assert found.status == "unknown" and "0 s" in found.reason


def all_transitions(task: Task) -> dict[tuple[int, ...], list]:
    """Every state in which `always` holds, with its successors."""
    states = itertools.product(*(range(len(v.domain)) for v in task.variables))
    return {s: successors(task, s) for s in states if value(task.always, [s])}


@pytest.mark.parametrize("seed", seeds(14, 60))
def test_random_claims_against_all_states(seed: int) -> None:
    """Both directions: CP-SAT proves what holds in every state with the facts, and nothing else."""
    rng = random.Random(seed)
    task = random_task(rng)
    if not value(task.always, [task.start]):
        return
    variables = [var(i, len(v.domain)) for i, v in enumerate(task.variables)]
    goal = random_term(rng, variables, 2)
    task = replace(task, goal=goal if is_condition(goal) else member(goal, goal.values[:1]))
    claims = [random_term(rng, variables, rng.choice((1, 2, 3))) for _ in range(5)]
    claims += [modulo(add((1, v) for v in variables), 2), terms.conjunction(member(v, v.values[:2]) for v in variables)]
    task = replace(
        task,
        invariants=tuple(Invariant(f"i{n}", term) for n, term in enumerate(claims)),
        heuristics=tuple(Heuristic(f"h{n}", minimum([t, const(3)])) for n, t in enumerate(claims)),
    )
    graph = all_transitions(task)
    found, quick = decided(task), learn(task, cache=False)
    facts: list[Term] = []
    for invariant in task.invariants:
        here = [s for s in graph if all(value(f, [s]) for f in facts) and value(fact(invariant, task.start), [s])]
        holds = all(value(invariant.term, [a]) == value(invariant.term, [s]) for s in here for _, a, _ in graph[s])
        assert found[invariant.name] == ("proven" if holds else "refuted")
        assert found[invariant.name] == "proven" or not quick.invariants[invariant.name].proven
        facts += [fact(invariant, task.start)] * holds
    here = [s for s in graph if all(value(f, [s]) for f in facts)]
    for heuristic in task.heuristics:
        h = {s: max(0, value(heuristic.term, [s])) for s in graph}
        holds = all(h[s] <= cost + h[a] for s in here for _, a, cost in graph[s])
        holds = holds and not any(h[s] and value(task.goal, [s]) for s in here)
        assert found[heuristic.name] == ("proven" if holds else "refuted")
        assert found[heuristic.name] == "proven" or not quick.heuristics[heuristic.name].proven


@pytest.mark.parametrize("seed", seeds(25, 60))
def test_random_rows_against_all_states(seed: int) -> None:
    task = random_task(random.Random(seed))
    used = {operator[:2] for edges in all_transitions(task).values() for operator, _, _ in edges}
    prover = Prover(task)
    for place in itertools.chain.from_iterable(
        ((s, r) for r in range(len(schema.rows))) for s, schema in enumerate(task.schemas)
    ):
        assert prover.applies(place).status == ("refuted" if place in used else "proven")


CLASH = """
puzzle: clash
types: {place: 0 .. 3}
state:
  x: place = 0
  y: place = 1
  z[i in place]: place = 0
actions:
  up: {when: x < 3, effect: {x: x + 1}}
  both:
    effect:
      z[x]: 1
      z[y]: 2
goal: z[1] == 2
"""


def test_grounding_says_what_a_clash_is() -> None:
    task = ground(load_text(CLASH, "clash"))
    up, both = (schema.rows[0].phases[0] for schema in task.schemas)
    assert up.lax is None and both.lax is TRUE
    found = Prover(task).clashes((1, 0))
    assert found.status == "refuted" and found.state[0] == found.state[1]
    assert Prover(task, [terms.compare("!=", var(0, 4), var(1, 4))]).clashes((1, 0)).status == "proven"
