"""PDDL in: the same steps and costs as by an interpreter that knows sets of facts only; what is wrong, and where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import running
from pddl_classics import CLASSICS, SMALL
from pddl_oracle import Oracle, State
from random_pddl import random_pddl
from sampled import seeds

import puzzlewright
from models import execution, referee
from models.decoding import numbers_of, steps_of
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.pddl.forms import forms, is_pddl, joined
from models.pddl.groups import groups
from models.pddl.world import world_of
from models.puzzle import Puzzle
from models.steps import step_line
from models.task import Task
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

MOST_STATES = 60


def grounded(puzzle: Puzzle, task: Task, state: Mapping[Any, Any]) -> Iterator[str]:
    """The steps that apply by the grounded task."""
    for operator, _, _ in execution.successors(task, numbers_of(puzzle, task, state)):
        yield from (step_line(step, puzzle) for step in steps_of(task, operator))


def compared(domain: str, problem: str) -> int:
    """Both walked side by side; how many states there were."""
    puzzle, oracle = load_text(joined({"d.pddl": domain, "p.pddl": problem}), "p.pddl"), Oracle(domain, problem)
    start, task = referee.start_state(puzzle), ground(puzzle)
    partner: dict[State, Mapping[Any, Any]] = {oracle.start: start}
    waiting = deque([oracle.start])
    while waiting and len(partner) < MOST_STATES:
        state = waiting.popleft()
        ours = {step_line(step, puzzle): (after, referee.costs(puzzle, partner[state], step)["cost"])
                for step, after in referee.successors(puzzle, partner[state])}  # fmt: skip
        theirs = {name: (after, cost) for name, after, cost in oracle.successors(state)}
        assert ours.keys() == theirs.keys() == set(grounded(puzzle, task, partner[state]))
        assert referee.is_goal(puzzle, partner[state]) == oracle.holds(oracle.goal, state, {})
        for name, (after, cost) in theirs.items():
            assert ours[name][1] == cost, name
            if after not in partner:
                partner[after] = ours[name][0]
                waiting.append(after)
            assert partner[after] == ours[name][0], name
    assert len({tuple(map(str, state.items())) for state in partner.values()}) == len(partner)
    return len(partner)


@pytest.mark.parametrize("seed", seeds(25, 3000))
def test_random_domains(seed: int) -> None:
    compared(*random_pddl(seed))


@pytest.mark.parametrize("name", SMALL)
def test_small_classics_step_by_step(name: str) -> None:
    files, cost = SMALL[name]()
    assert Oracle(*files).optimum() == cost
    compared(*files)


@pytest.mark.parametrize("name", CLASSICS)
def test_classics_have_the_known_costs(name: str, tmp_path: Path) -> None:
    (domain, problem), cost = CLASSICS[name]()
    (tmp_path / "d.pddl").write_text(domain)
    (tmp_path / "p.pddl").write_text(problem)
    words = [tmp_path / "d.pddl", tmp_path / "p.pddl"]
    found = running.run("solve", *words, "--json", "--plan-out", tmp_path / "found.plan").json
    assert (found["outcome"], found["cost"]) == ("optimal", cost)
    assert carried_out(Oracle(domain, problem), (tmp_path / "found.plan").read_text()) == cost


def carried_out(oracle: Oracle, plan: str) -> int:
    """What a plan costs that leads to the goal, step by step as it is written."""
    state, total = oracle.start, 0
    for line in plan.splitlines():
        if not line.startswith(";"):
            after = {name: (state, cost) for name, state, cost in oracle.successors(state)}
            state, cost = after[line][0], after[line][1]
            total += cost
    assert oracle.holds(oracle.goal, state, {})
    return total


# -- files -------------------------------------------------------------------------------------------------------------


def test_a_problem_finds_its_domain(tmp_path: Path) -> None:
    (domain, problem), cost = SMALL["hanoi"]()
    for names in (("domain.pddl", "two.pddl"), ("x-domain.pddl", "x-problem.pddl")):
        folder = tmp_path / names[0]
        folder.mkdir()
        for name, text in zip(names, (domain, problem), strict=True):
            (folder / name).write_text(text)
        assert running.run("solve", folder / names[1], "--json").json["cost"] == cost
        assert running.run("explore", folder / names[1], "--json").json["exploration"]["states"] == 9


def test_both_in_one_file_are_a_puzzle_too(tmp_path: Path) -> None:
    (domain, problem), cost = SMALL["hanoi"]()
    path = tmp_path / "both.pddl"
    path.write_text(domain.upper() + problem)
    assert running.run("solve", path, "--json").json["cost"] == cost
    plan = tmp_path / "x.plan"
    plan.write_text("(move d1 d2 p2)\n(move d2 p1 p3)\n(move d1 p2 d2)\n")
    assert running.run("verify", path, plan).code == 0
    refused = running.run("solve", "hanoi", path)
    assert refused.code == 31 and "is no PDDL" in refused.err


def test_no_yaml_is_taken_for_pddl() -> None:
    assert is_pddl("; a comment\n\n( DEFINE (domain x))") and not is_pddl("(at)") and not is_pddl("puzzle: (define x)")


# -- what is wrong -----------------------------------------------------------------------------------------------------

DOMAIN = """(define (domain d) (:requirements :strips) (:functions (total-cost))
 (:types thing)
 (:predicates (p ?x - thing) (q))
 (:action go :parameters (?x - thing) :precondition (p ?x)
  :effect (and (q) (not (p ?x)))))
"""
PROBLEM = """(define (problem one) (:domain d) (:objects a b - thing)
 (:init (p a)) (:goal (q)))
"""


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("(q) (not (p ?x))", "(q) (not (r ?x))", (5, 25), "there is no predicate 'r'"),
        ("(q) (not (p ?x))", "(q) (not (p ?x ?x))", (5, 25), "has 1 arguments, not 2"),
        ("(q) (not (p ?x))", "(q) (not (p ?y))", (5, 28), "there is no variable ?y"),
        ("(q) (not (p ?x))", "(q) (not (p c))", (5, 28), "there is no object 'c'"),
        ("(q) (not (p ?x))", "(q) (not (p ?x) (q))", (5, 20), "has 1 part"),
        (":precondition (p ?x)", ":precondition (or (p ?x) (r))", (4, 64), "there is no predicate 'r'"),
        (":precondition (p ?x)", ":precondition (> (p ?x) 3)", (4, 53), "a comparison of numbers is not supported"),
        (":precondition (p ?x)", ":duration (p ?x)", (4, 49), ":duration of an action is not supported"),
        ("(:types thing)", "(:derived (q) (p a))", (2, 2), "the section :derived is not supported"),
        ("- thing) (q))", "- thin) (q))", (3, 18), "there is no type 'thin'"),
        ("(q) (not (p ?x))", "(q) (increase (fuel) 1)", (5, 20), "a number that changes"),
        ("(q) (not (p ?x))", "(q) (when (q) (increase (total-cost) 1))", (5, 30), "a cost under a condition"),
        (":effect (and (q)", ":effect (and (q", (1, 1), "this bracket is not closed"),
    ],
)
def test_what_is_wrong_has_its_place(old: str, new: str, place: tuple[int, int], message: str) -> None:
    assert old in DOMAIN
    texts = {"d.pddl": DOMAIN.replace(old, new), "p.pddl": PROBLEM}
    with pytest.raises(PuzzleError) as refused:
        load_text(joined(texts), "d.pddl")
    found = refused.value.diagnostics[0]
    assert message in found.message and found.location is not None
    assert (found.location.source, found.location.line, found.location.column) == ("d.pddl", *place)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("(p a)", "(p c)", (2, 12), "there is no object 'c'"),
        ("(:goal (q))", "(:goal (s))", (2, 23), "there is no predicate 's'"),
        ("(:domain d)", "(:domain e)", (1, 23), "the problem is of the domain 'e'"),
        ("(:goal (q))", "(:goal (q)) (:metric maximize (total-cost))", (2, 28), "a metric other than"),
        ("(p a)", "(p a) (= (total-cost) 1e3)", (2, 15), "the value '1e3', which is no whole number,"),
        ("(p a)", "(p a) (= (total-cost) 2)", (2, 15), "a total-cost that is not 0 at the start"),
        ("(:goal (q))", "(:goal (q)) (:constraints (q))", (2, 28), "the section :constraints"),
    ],
)
def test_what_is_wrong_with_a_problem_has_its_place(old: str, new: str, place: tuple[int, int], message: str) -> None:
    texts = {"d.pddl": DOMAIN, "p.pddl": PROBLEM.replace(old, new)}
    with pytest.raises(PuzzleError) as refused:
        load_text(joined(texts), "d.pddl")
    found = refused.value.diagnostics[0]
    assert message in found.message and found.location is not None
    assert (found.location.source, found.location.line, found.location.column) == ("p.pddl", *place)


def test_a_domain_alone_is_half(tmp_path: Path) -> None:
    path = tmp_path / "d.pddl"
    path.write_text(DOMAIN)
    told = running.run("solve", path)
    assert told.code == 31 and "there is no problem" in told.err
    assert running.run("solve", path, "--set", "a=1").code == 31


# -- one of many facts -------------------------------------------------------------------------------------------------


def found_groups(domain: str, problem: str) -> set[str]:
    return {" ".join(part.predicate for part in group) for group in groups(world_of(forms(domain + problem, "x")))}


def moving(old: str, new: str) -> str:
    return f"(when (at ?x {old}) (and (not (at ?x {old})) (at ?x {new})))"


@pytest.mark.parametrize(
    ("effect", "found"),
    [
        ("(and (not (at ?x ?a)) (at ?x ?b))", True),
        ("(and (at ?x ?b))", False),  # a second place
        ("(and (not (at ?x ?a)) (at ?x ?b) (at ?x l1))", False),  # two for one
        ("(and (not (at ?x ?b)) (at ?x ?a))", False),  # that it goes is not certain
        ("(and (not (at ?x ?a)) (when (at ?x l2) (at ?x ?b)))", False),  # under other conditions
        ("(and (not (at ?x ?a)) (forall (?l - loc) (at ?x ?l)))", False),  # all at once
        (f"(and {moving('l1', '?b')} {moving('l2', '?a')})", True),  # of two places one
        (f"(and {moving('?a', '?b')} {moving('?b', '?a')})", False),  # ?a and ?b may be one
        ("(forall (?l - loc) (when (at ?x ?a) (and (not (at ?x ?a)) (at ?x ?l))))", False),  # many for one
        ("(forall (?l - loc) (when (at ?x ?l) (and (not (at ?x ?l)) (at ?x ?b))))", True),  # wherever it is
        ("(and (forall (?y - obj) (when (at ?y l1) (and (not (at ?y l1)) (at ?y ?b)))))", True),
    ],
)  # fmt: skip
def test_groups_are_what_no_action_breaks(effect: str, found: bool) -> None:
    domain = f"""(define (domain d) (:types obj loc) (:constants l1 l2 - loc)
     (:predicates (at ?x - obj ?l - loc))
     (:action go :parameters (?x - obj ?a ?b - loc) :precondition (at ?x ?a) :effect {effect}))"""
    problem = """(define (problem p) (:domain d) (:objects o1 o2 - obj l3 - loc)
     (:init (at o1 l1) (at o2 l2)) (:goal (at o1 l2)))"""
    assert (found_groups(domain, problem) == {"at"}) == found
    compared(domain, problem)


@pytest.mark.parametrize(("static", "found"), [("(apart ?x ?y)", True), ("(near ?x ?y)", False)])
def test_two_that_move_at_once_are_told_apart(static: str, found: bool) -> None:
    """Where ?x may be ?y, it would be at two places."""
    domain = f"""(define (domain d) (:types obj loc)
     (:predicates (at ?x - obj ?l - loc) (apart ?x ?y - obj) (near ?x ?y - obj))
     (:action go :parameters (?x ?y - obj ?a ?b ?c - loc) :precondition (and (at ?x ?a) (at ?y ?a) {static})
      :effect (and (not (at ?x ?a)) (at ?x ?b) (not (at ?y ?a)) (at ?y ?c))))"""
    problem = """(define (problem p) (:domain d) (:objects o1 o2 - obj l1 l2 - loc)
     (:init (at o1 l1) (at o2 l1) (apart o1 o2) (near o1 o2) (near o2 o2)) (:goal (at o1 l2)))"""
    assert (found_groups(domain, problem) == {"at"}) == found
    compared(domain, problem)


def test_a_fact_that_starts_twice_is_no_group() -> None:
    domain = DOMAIN.replace("(p ?x - thing) (q)", "(p ?x - thing) (q) (w)")
    assert "q p" in found_groups(domain, PROBLEM)
    assert found_groups(domain, PROBLEM.replace("(p a)", "(p a) (p b)")) == set()


def test_an_empty_condition_holds() -> None:
    """Of `()` some readers make a condition that never holds."""
    domain = DOMAIN.replace(":precondition (p ?x)", ":precondition ()")
    assert compared(domain, PROBLEM) == 3  # (p a), (q), both


@pytest.mark.parametrize(
    "effect",
    [
        "(and (not (p ?x)) (p ?x))",
        "(and (not (p ?x)) (p ?y))",  # where ?y is ?x
        "(and (forall (?z - thing) (not (p ?z))) (p ?x))",
        "(and (not (p ?x)) (forall (?z - thing) (when (w ?z) (p ?z))))",
        "(and (forall (?z - thing) (when (p ?z) (not (p ?z)))) (forall (?z - thing) (when (w ?z) (p ?z))))",
        "(and (not (w ?x)) (p ?x) (when (p ?y) (w ?y)))",
    ],
)
def test_what_is_made_false_and_true_is_true(effect: str) -> None:
    domain = f"""(define (domain d) (:types thing) (:predicates (p ?x - thing) (w ?x - thing))
     (:action go :parameters (?x ?y - thing) :effect {effect})
     (:action swap :parameters (?x - thing) :precondition (not (p ?x)) :effect (and (p ?x) (w ?x))))"""
    problem = "(define (problem p) (:domain d) (:objects a b c - thing) (:init (p a) (w b)) (:goal (p c)))"
    assert compared(domain, problem) > 3


def test_commands_that_ask_for_levels_find_one(tmp_path: Path) -> None:
    (domain, problem), _ = SMALL["hanoi"]()
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "one.pddl").write_text(problem)
    path = tmp_path / "one.pddl"
    assert running.run("check", path, "--json").json["outcome"] == "valid"
    assert running.run("compare", path, "--backends", "bfs", "--json").json["rows"][0]["cost"] == 3
    assert puzzlewright.levels(path) == () and puzzlewright.solve(puzzlewright.load(path)).cost == 3
    (row,) = running.run("levels", path, "--json").json["rows"]
    assert (row["level"], row["optimum"], row["states"]) == ("one", 3, 9)


def test_a_problem_without_a_plan_is_explained(tmp_path: Path) -> None:
    """No two blocks stand on one; all but one of the three facts can be had."""
    (domain, problem), _ = SMALL["blocks"]()
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "one.pddl").write_text(problem.replace("(on b1 b0)", "(on b1 b0) (on b2 b0)"))
    assert running.run("solve", tmp_path / "one.pddl").code == 11
    told = running.run("explain", tmp_path / "one.pddl")
    assert told.code == 11 and "no more than 2 of 3 goal parts hold together" in " ".join(told.out.split())


@pytest.mark.slow
def test_both_paths_prove_a_plan(tmp_path: Path) -> None:
    (domain, problem), cost = SMALL["ferry"]()
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "one.pddl").write_text(problem)
    found = running.run("prove", tmp_path / "one.pddl", "--json").json
    assert (found["outcome"], found["cost"], found["proven_by"]) == ("optimal", cost, ["search", "cpsat"])


def test_names_that_are_words_of_ours() -> None:
    """A predicate and an object called `none`, and one of many facts that may go without another."""
    domain = """(define (domain d) (:types thing) (:predicates (none ?x - thing) (at ?x ?y - thing))
     (:action go :parameters (?x ?y - thing) :precondition (none ?x) :effect (and (not (none ?x)) (at ?x ?y)))
     (:action drop :parameters (?x ?y - thing) :precondition (at ?x ?y) :effect (not (at ?x ?y))))"""
    problem = """(define (problem p) (:domain d) (:objects none true - thing) (:init (none none) (none true))
     (:goal (and (at none true) (not (at true none)) (not (none true)))))"""
    assert found_groups(domain, problem) == {"at none"} and compared(domain, problem) == 16
    assert Oracle(domain, problem).optimum() == 2  # each goes to `true`


@pytest.mark.parametrize("cost", ["0.5", "-1", "1e3", "nan", "1_000", "(f)"])
def test_a_cost_is_a_whole_number(cost: str) -> None:
    domain = DOMAIN.replace("(q) (not (p ?x))", f"(q) (increase (total-cost) {cost})")
    with pytest.raises(PuzzleError, match="as a cost|no whole number"):
        load_text(joined({"d.pddl": domain, "p.pddl": PROBLEM[:-2] + "(:metric minimize (total-cost)))"}), "d.pddl")


@pytest.mark.parametrize("written", ["9007199254740993", "9007199254740993.0"])
def test_a_cost_keeps_its_digits(written: str) -> None:
    """2**53 + 1 is between two numbers of floating point; the other way costs one more, and has to stay the dearer."""
    domain = f"""(define (domain d) (:predicates (a) (b) (c)) (:functions (total-cost) (far))
     (:action once :parameters () :precondition (a) :effect (and (b) (increase (total-cost) {written})))
     (:action half :parameters () :precondition (a) :effect (and (c) (increase (total-cost) (far))))
     (:action rest :parameters () :precondition (c) :effect (and (b) (increase (total-cost) 1))))"""
    problem = f"""(define (problem p) (:domain d) (:init (a) (= (far) {written})) (:goal (b))
     (:metric minimize (total-cost)))"""
    puzzle = load_text(joined({"d.pddl": domain, "p.pddl": problem}), "d.pddl")
    found = solve(puzzle, Request())
    assert (found.cost, len(found.plan or ())) == (9007199254740993, 1)


def test_what_is_empty() -> None:
    """A type without objects, an action without effects, a goal of nothing."""
    domain = """(define (domain d) (:types thing other) (:predicates (p ?x - thing) (q ?x - other) (r))
     (:action go :parameters (?x - other) :precondition (p ?x) :effect (q ?x))
     (:action rest :parameters () :effect (and)))"""
    problem = "(define (problem p) (:domain d) (:objects a - thing) (:init (p a) (r)) (:goal (and)))"
    assert compared(domain, problem) == 1


def test_too_many_facts_are_refused() -> None:
    domain = "(define (domain d) (:predicates (p ?x ?y ?z)) (:action go :parameters (?x) :effect (p ?x ?x ?x)))"
    names = " ".join(f"a{number}" for number in range(50))
    problem = f"(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (p a1 a1 a1)))"
    with pytest.raises(PuzzleError, match="125,000 facts of `p`"):
        load_text(joined({"d.pddl": domain, "p.pddl": problem}), "d.pddl")
