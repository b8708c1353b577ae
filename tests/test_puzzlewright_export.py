"""`export`: what it writes, and what it refuses."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import documented
import pytest
import running
import sas_reading
from pddl_oracle import Oracle
from random_tasks import random_task
from sampled import seeds

from encoders import cpsat
from models import execution
from models.task import Task
from models.terms import conjunction, member, var
from puzzlewright.files.exporting.formats import TARGETS
from puzzlewright.files.exporting.minizinc import minizinc_text
from puzzlewright.files.exporting.pddl import pddl_texts
from puzzlewright.files.exporting.planning import planning
from puzzlewright.files.exporting.sas import sas_text


def test_formats_are_named() -> None:
    text = documented.page("docs/exchange.md")
    shown = {name: f"`{each.suffixes[0]}`" if each.suffixes else "-" for name, each in TARGETS.items()}
    assert [name for name, suffix in shown.items() if f"| `{name}` | {suffix}" not in text] == []


def test_no_suffix_stands_for_two_formats() -> None:
    suffixes = [suffix for each in TARGETS.values() for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes)


def test_a_space_as_a_graph(tmp_path: Path) -> None:
    """Three disks have 27 states; each has three moves, but for the three with one peg: two."""
    words = ("hanoi", "--set", "disks=3", "--out", tmp_path / "hanoi.graphml", "--json")
    done = running.run("export", *words).json
    assert done["outcome"] == "valid" and done["export"]["format"] == "graphml"
    kinds = [each.tag.partition("}")[2] for each in ElementTree.parse(tmp_path / "hanoi.graphml").iter()]
    assert (kinds.count("node"), kinds.count("edge")) == (27, 3 * 24 + 2 * 3)
    assert "the graph of all 27 states: " in running.run("export", *words[:-1]).out


def test_a_format_by_its_name_or_by_that_of_the_file(tmp_path: Path) -> None:
    words = ("export", "hanoi", "--set", "disks=1")
    assert running.run(*words, "--out", tmp_path / "a.dot").code == 0
    assert running.run(*words, "--out", tmp_path / "a.txt", "--to", "dot").code == 0
    assert (tmp_path / "a.dot").read_text() == (tmp_path / "a.txt").read_text()
    refused = running.run(*words, "--out", tmp_path / "b.txt")
    assert refused.code == 2 and ".dot" in refused.err
    assert running.run(*words, "--out", tmp_path / "b.txt", "--to", "dto").code == 2
    assert not (tmp_path / "b.txt").exists()


@pytest.mark.parametrize(("words", "outcome"), [((), "unsupported"), (("--node-limit", 100), "node-limit")])
def test_a_space_that_is_no_graph(words: tuple[object, ...], outcome: str, tmp_path: Path) -> None:
    """The 15-puzzle has 10^13 states."""
    done = running.run("export", "n_puzzle", "--out", tmp_path / "n.dot", *words, "--json").json
    assert done["outcome"] == outcome and not (tmp_path / "n.dot").exists()


def test_several_levels_are_for_formats_that_have_them(tmp_path: Path) -> None:
    refused = running.run("export", "hanoi", "--out", tmp_path / "n.dot", "--levels", "*")
    assert refused.code == 2 and re.search("one level", refused.err)


# -- formulas ----------------------------------------------------------------------------------------------------------


def satisfied(clauses: list[list[int]]) -> bool:
    """Davis, Putnam, Logemann and Loveland, in the plainest way."""
    while units := {clause[0] for clause in clauses if len(clause) == 1}:
        clauses = [[each for each in c if -each not in units] for c in clauses if not units.intersection(c)]
    if [] in clauses or not clauses:
        return not clauses
    chosen = clauses[0][0]
    return any(satisfied([*clauses, [literal]]) for literal in (chosen, -chosen))


@pytest.mark.parametrize(("steps", "answer"), [(2, False), (3, True)])
def test_clauses_hold_where_there_is_a_plan(steps: int, answer: bool, tmp_path: Path) -> None:
    """Two disks need 3 moves."""
    path = tmp_path / "two.cnf"
    done = running.run("export", "hanoi", "--set", "disks=2", "--max-horizon", steps, "--out", path, "--json").json
    assert done["export"]["files"] == [str(path), str(tmp_path / "two-variables.txt")]
    lines = [line.split() for line in path.read_text().splitlines() if line[0] != "c"]
    clauses = [list(map(int, line[:-1])) for line in lines[1:]]
    numbers = {abs(each) for clause in clauses for each in clause}
    said = (tmp_path / "two-variables.txt").read_text().splitlines()
    assert lines[0] == ["p", "cnf", str(len(said)), str(len(clauses))] and max(numbers) <= len(said)
    assert any("after step 2: on[1] = 2" in line for line in said)
    assert satisfied(clauses) == answer


@pytest.mark.parametrize(("steps", "answer"), [(2, "infeasible"), (3, "feasible")])
def test_a_model_holds_where_there_is_a_plan(steps: int, answer: str, tmp_path: Path) -> None:
    words = ("export", "hanoi", "--set", "disks=2", "--max-horizon", steps, "--out")
    assert running.run(*words, tmp_path / "two.pb").code == running.run(*words, tmp_path / "two.textproto").code == 0
    model, text = cpsat.cp_model.CpModel(), (tmp_path / "two.textproto").read_text()
    assert model.proto.parse_text_format(text)
    assert cpsat.run(cpsat.new_solver(), model, None) == answer
    assert "after step 2: on[1] = 2" in text and b"after step 2: on[1] = 2" in (tmp_path / "two.pb").read_bytes()


@pytest.mark.parametrize("words", [(), ("--max-horizon", 100_000)])
def test_a_formula_is_about_so_many_steps(words: tuple[object, ...], tmp_path: Path) -> None:
    done = running.run("export", "hanoi", "--out", tmp_path / "x.cnf", *words, "--json").json
    assert done["outcome"] == "unsupported" and not (tmp_path / "x.cnf").exists()


# -- PDDL --------------------------------------------------------------------------------------------------------------


def test_grounded_pddl_is_read_again(tmp_path: Path) -> None:
    """By ourselves, and by an interpreter that knows sets of facts only. Three disks need 7 moves."""
    words = ("export", "hanoi", "--set", "disks=3", "--out", tmp_path / "x-domain.pddl")
    assert running.run(*words).code == 0
    texts = [(tmp_path / f"x-{kind}.pddl").read_text() for kind in ("domain", "problem")]
    assert Oracle(*texts).optimum() == 7 and ":conditional-effects" not in texts[0]
    assert running.run("solve", tmp_path / "x-problem.pddl", "--json").json["cost"] == 7


@pytest.mark.parametrize("seed", seeds(8, 500))
def test_grounded_pddl_of_random_tasks(seed: int) -> None:
    """The same optimum as the SAS+, whose steps are held to the task's elsewhere."""
    task = random_task(random.Random(seed))
    wanted = random.Random(seed).choices(range(4), k=len(task.variables))
    sizes = [len(variable.domain) for variable in task.variables]
    goal = [member(var(i, size), (wanted[i] % size,)) for i, size in enumerate(sizes)]
    task = replace(task, goal=conjunction(goal[:2]))
    if execution.value(task.always, [task.start]):
        made = planning(task, str)
        assert Oracle(*pddl_texts(made, "random")).optimum() == sas_reading.read(sas_text(made)).optimum()


# -- MiniZinc ----------------------------------------------------------------------------------------------------------

needs_minizinc = pytest.mark.skipif(shutil.which("minizinc") is None, reason="there is no minizinc on the path")


def asked_minizinc(model: Path) -> str:
    """The plan file that it prints; empty where there is no plan."""
    plain = ("--soln-sep", "", "--search-complete-msg", "", "--unsat-msg", "")
    done = subprocess.run(["minizinc", *plain, model], capture_output=True, text=True, timeout=300, check=True)
    return done.stdout.strip()


def cheapest(task: Task, horizon: int) -> int | None:
    """What the cheapest plan of at most so many steps costs, by walking all of them."""
    costs, best = {task.start: 0}, list[int]()
    for left in range(horizon, -1, -1):
        best += [cost for state, cost in costs.items() if execution.is_goal(task, state)]
        after: dict[tuple[int, ...], int] = {}
        for state, cost in costs.items() if left else ():
            for _, new, step in execution.successors(task, state):
                after[new] = min(cost + step, after.get(new, cost + step))
        costs = after
    return min(best, default=None)


@needs_minizinc
@pytest.mark.parametrize("seed", seeds(4, 200))
def test_random_tasks_by_minizinc(seed: int, tmp_path: Path) -> None:
    task = random_task(random.Random(seed))
    if execution.value(task.always, [task.start]):
        made, path = planning(task, lambda step: " ".join(map(str, step))), tmp_path / "task.mzn"
        path.write_text(minizinc_text(made, 3, "random\ntask"))
        found = re.search(r"^; cost (\d+)$", asked_minizinc(path), re.MULTILINE)
        assert (found and int(found[1])) == cheapest(task, 3)


@needs_minizinc
@pytest.mark.parametrize(("horizon", "cost"), [(6, None), (7, 7), (9, 7)])
def test_minizinc_prints_a_plan_file(horizon: int, cost: int | None, tmp_path: Path) -> None:
    """Three disks want 7 moves."""
    model, plan = tmp_path / "h.mzn", tmp_path / "h.plan"
    words = ("hanoi", "--set", "disks=3")
    assert running.run("export", *words, "--max-horizon", horizon, "--out", model).code == 0
    plan.write_text(asked_minizinc(model))
    if cost is None:
        assert plan.read_text() == ""
    else:
        assert running.run("verify", *words, plan, "--json").json["cost"] == cost


def test_a_model_in_minizinc_says_how_long_plans_are(tmp_path: Path) -> None:
    """Of an only step from 0 to 1 that costs 3: its data, by hand; without a horizon there is no model."""
    path, model = tmp_path / "a.yaml", tmp_path / "a.mzn"
    path.write_text(ONE)
    refused = running.run("export", path, "--out", model, "--json").json
    assert refused["outcome"] == "unsupported" and "--max-horizon" in refused["notes"][0] and not model.exists()
    assert running.run("export", path, "--max-horizon", 2, "--out", model).code == 0
    lines = model.read_text().splitlines()
    assert lines[: lines.index("")] == [
        "% a: the cheapest plan of at most 2 steps",
        "% variable 1: 0: at == 0, 1: at == 1",
        "int: steps = 2;",
        "array[int] of int: size = [2];",
        "array[int] of int: start = [0];",
        "array[int] of int: goal_variable = [1];",
        "array[int] of int: goal_value = [1];",
        "array[0..1] of int: cost = array1d(0..1, [0, 3]);",
        'array[0..1] of string: name = array1d(0..1, ["", "go"]);',
        "array[int] of int: test_action = [1];",
        "array[int] of int: test_variable = [1];",
        "array[int] of int: test_value = [0];",
        "array[int] of int: effect_action = [1];",
        "array[int] of int: effect_variable = [1];",
        "array[int] of int: effect_value = [1];",
        "array[int] of int: condition_variable = [];",
        "array[int] of int: condition_value = [];",
        "array[0..1] of int: ends = array1d(0..1, [0, 0]);",
    ]


ONE = """
puzzle: a
state: {at: 0 .. 1 = 0}
actions: {go: {when: at == 0, effect: {at: 1}, cost: 3}}
goal: at == 1
"""
