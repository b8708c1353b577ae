"""What explore, levels, verify, solve --count and trace say of random small puzzles, against the referee's truth.

`docs/sentences.md` lists the sentences and when they are true; here each figure in them is worked out again by
`truth.py`, the sentence is put together from that, and must be the one that is printed.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from payloads import figures_of
from random_models import random_board, random_puzzle
from truth import STEPS, Cost, Metrics, Truth, metric_tuples, truth_of

from models.decoding import bindings_of, numbers_of
from models.errors import PuzzleError
from models.interpreter import evaluate, scope
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.plan import Plan, Step
from models.puzzle import Puzzle
from models.referee import apply, costs
from puzzlewright.analysis import counting, exploring, space_figures
from puzzlewright.analysis.level_rows import RowWanted as RowWanted
from puzzlewright.analysis.level_rows import rows_of
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.analysis.tracing import trace
from puzzlewright.analysis.verifying import verify
from puzzlewright.files.planfiles import read_plan
from puzzlewright.printing.reports import headline
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

MOST_STATES = 60
MOST_PLANS = 200


def graph(seed: int) -> str:
    """A small graph as a puzzle: ways that cost nothing, circles, twins, an idle variable, a metric named steps."""
    draw = random.Random(seed)
    size, kinds = draw.randint(2, 7), draw.randint(1, 3)
    metrics = draw.choice([("",), ("",), ("steps",), ("toll", "steps"), ("steps", "toll")])
    dear = draw.choice([1, 2, 5])
    lines = ["puzzle: graph", "data:"]
    for kind in range(kinds):
        lines += [f"  to{kind}: {[draw.randrange(size) if draw.random() < 0.8 else -1 for _ in range(size)]}"]
        lines += [f"  {metric}cost{kind}: {[draw.randint(0, dear) for _ in range(size)]}" for metric in metrics]
    lines += [f"types: {{place: 0 .. {size - 1}, twin: 0 .. 1}}", "state:", "  at: place = 0", "  idle: twin = 0"]
    lines += ["actions:"]
    for kind in range(kinds):
        lines += [f"  go{kind}:", "    params: {t: twin}"] if draw.random() < 0.3 else [f"  go{kind}:"]
        lines += [f"    when: to{kind}[at] >= 0", "    effect:", f"      at: to{kind}[at]"]
        lines += ["      idle: 1 - idle"] * (draw.random() < 0.3)
        unit = draw.random() < 0.3
        cost = {metric: "1" if unit else f"{metric}cost{kind}[at]" for metric in metrics}
        lines += [f"    cost: {cost['']}"] if metrics == ("",) else ["    cost:"]
        lines += [f"      {metric}: {words}" for metric, words in cost.items() if metric]
    goals = draw.sample(range(size), draw.randint(1, 2))
    return "\n".join([*lines, f"goal: {' or '.join(f'at == {goal}' for goal in goals)}"]) + "\n"


def models(first: int, many: int) -> Iterator[tuple[str, Puzzle, Truth]]:
    """Small puzzles of three kinds, with their truth."""
    for seed in range(first, first + many):
        for make in (graph, random_puzzle, random_board):
            try:
                puzzle = load_text(make(seed), f"{make.__name__} {seed}")
                truth = truth_of(puzzle, MOST_STATES)
                Workbench(puzzle)
            except PuzzleError:
                continue
            if truth is not None:
                yield f"{make.__name__} {seed}", puzzle, truth


def kept(bench: Workbench, truth: Truth, metrics: Metrics) -> Truth:
    """The truth about the variables that the task keeps: the others must have no influence."""
    names = {variable.name for variable in bench.task.variables}
    return truth.folded([p for p, name in bench.puzzle.place_names.items() if name in names], metrics)


def merged(bench: Workbench) -> Callable[[Step], object]:
    """Which steps the task takes for one."""
    first: dict[Step, Step] = {}
    for schema in bench.task.schemas:
        for row in schema.rows:
            bound = [frozenset(arguments) for arguments in bindings_of(row)]
            first |= {(schema.name, each): bound[0] for each in bound}  # type: ignore[misc]

    def same(step: Step) -> object:
        arrays = {
            name for name, places in next(s for s in bench.task.schemas if s.name == step.action).parameters if places
        }
        scalars = frozenset((name, value) for name, value in step.arguments if name not in arrays)
        rest = tuple((name, value) for name, value in step.arguments if name in arrays)
        return step.action, first[step.action, scalars], rest  # type: ignore[index]

    return same


def checked(check: Callable[[Puzzle, Truth, Counter[str]], None], first: int, many: int) -> Counter[str]:
    """The check on many puzzles; a failure says on which."""
    seen: Counter[str] = Counter()
    for name, puzzle, truth in models(first, many):
        try:
            check(puzzle, truth, seen)
        except Exception as failure:
            raise AssertionError(f"{name}: {failure}") from failure
    return seen


# -- explore -----------------------------------------------------------------------------------------------------------


def states(number: int) -> str:
    return f"{number:,} state" + "s" * (number != 1)


def steps(number: int) -> str:
    return f"{number:,} step" + "s" * (number != 1)


def far(cost: Cost, metrics: Metrics, unit: bool) -> str:
    """A distance in words."""
    if unit:
        return steps(cost[0])
    return (
        f"cost {cost[0]:,}"
        if len(metrics) == 1
        else ", ".join(f"{c:,} {m}" for c, m in zip(cost, metrics, strict=True))
    )


def explored(truth: Truth, metrics: Metrics, unit: bool) -> dict[str, str]:
    """The facts that `explore` prints, by the truth; `unit`: distances are steps, which the costs must bear out."""
    behind, depth = truth.to_goal(metrics), truth.depth
    edges = [len(each) for each in truth.edges]
    assert not unit or {edge.price(metrics) for out in truth.edges for edge in out} <= {(1,)}
    told = {"states": f"{len(edges):,}"}
    out = f"{min(edges):,} out of every state"
    if min(edges) < max(edges):
        out = f"{min(edges):,} to {max(edges):,} out of a state, {sum(edges) / len(edges):.2f} on average"
    told["edges"] = f"{sum(edges):,}; {out}"
    told["depth"] = f"{steps(max(depth))} from the start to the farthest state"
    farthest = max(cost for cost in truth.from_start(metrics) if cost is not None)
    told["depth"] += "" if unit else f", {far(farthest, metrics, unit)} at most"
    if truth.goals:
        told["goals"] = (
            f"{states(len(truth.goals))}, the nearest {steps(min(depth[goal] for goal in truth.goals))} away"
        )
        assert behind[0] is not None
        told["goals"] += "" if unit else f", the cheapest at {far(behind[0], metrics, unit)}"
        number = truth.plans(metrics)
        told["best plans"] = f"{number:,}" if number is not None else "infinitely many"
        told["best plans"] += f" of {far(behind[0], metrics, unit)}"
        told["best plans"] += ": some steps that cost nothing lead in a circle" if number is None else ""
        hardest = max(cost for cost in behind if cost is not None)
        told["hardest"] = f"{states(behind.count(hardest))}, {far(hardest, metrics, unit)} from the nearest goal"
    dead = len(truth.dead_ends)
    told["dead ends"] = f"{states(dead)} from which no goal can be reached" if dead else "none"
    return told


def dead_told(truth: Truth) -> int:
    """In how many states `dead` holds."""
    conditions = [condition.expression for condition in truth.puzzle.dead]
    return sum(any(evaluate(each, scope(state)) is True for each in conditions) for state in truth.states)


def explores(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    for metrics in (STEPS, *metric_tuples(puzzle)):
        bench = Workbench(puzzle, metrics)
        if metrics == STEPS and "steps" in puzzle.metrics:
            continue
        report = exploring.explore(puzzle, Request(metrics=metrics), exploring.SpaceWanted(in_steps=metrics == STEPS))
        if report.outcome is Outcome.UNSUPPORTED:
            continue
        space = report.payload(SpaceFigures)
        assert space is not None and report.outcome is Outcome.VALID
        true = kept(bench, truth, metrics or bench.metrics)
        told = dict(space_figures.facts(space, report.statistics["expanded"]))
        orbits = up_to_symmetry(bench, truth) if bench.symmetry else None
        expected = explored(true, metrics, space.unit_cost)
        expected["states"] += f", {orbits:,} up to symmetry" if orbits is not None else ""
        if bench.task.dead is not None:
            expected["dead ends"] += f"; `dead` holds in {states(dead_told(true))}"
        assert told == expected, metrics
        says = f"all {len(true.states):,} reachable states seen" + "; none is a goal" * (not true.goals)
        assert headline(report) == says
        assert space.layers == [true.depth.count(layer) for layer in range(max(true.depth) + 1)]
        seen["explored"] += 1
        seen["symmetric"] += orbits is not None
        seen["infinite"] += "infinitely" in told.get("best plans", "")
        seen["dead"] += not told["dead ends"].startswith("none")


def up_to_symmetry(bench: Workbench, truth: Truth) -> int:
    """The number of orbits; states of one have equal distances, and steps to the same orbits at the same costs."""
    canonical = [bench.symmetry.canonical(numbers_of(bench.puzzle, bench.task, state)) for state in truth.states]
    behind = truth.to_goal(bench.metrics)
    ways: dict[object, object] = {}
    for number, orbit in enumerate(canonical):
        out = {(edge.price(bench.metrics), canonical[edge.after]) for edge in truth.edges[number]}
        way = (number in truth.goals, behind[number], out)
        assert ways.setdefault(orbit, way) == way, "states that are one by symmetry differ"
    return len(ways)


def test_explore() -> None:
    seen = checked(explores, 0, 8)
    assert min(seen[what] for what in ("symmetric", "infinite", "dead")) > 0, seen


@pytest.mark.slow
def test_explore_more() -> None:
    checked(explores, 1000, 2000)


# -- explore --hardest -----------------------------------------------------------------------------------------------


def proposes(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    draw = random.Random(puzzle.source)
    make, seed = puzzle.source.split()
    text = {"graph": graph, "random_board": random_board}.get(make)
    if text is None or draw.random() < 0.5:
        return
    (metrics,) = draw.sample([*metric_tuples(puzzle)], 1)
    bench = Workbench(puzzle, metrics)
    true = kept(bench, truth, metrics)
    behind = true.to_goal(metrics)
    length = draw.choice([None, None, 1, 2])
    wanted = exploring.SpaceWanted(levels=4, length=length, text=text(int(seed)))
    report = exploring.explore(puzzle, Request(metrics=metrics), wanted)
    if report.outcome is Outcome.UNSUPPORTED:
        return
    found = figures_of(report)["proposed"]
    usable = [n for n, cost in enumerate(behind) if cost and n not in true.goals and length in (None, cost[0])]
    canonical = bench.symmetry.canonical if bench.symmetry else lambda state: state
    orbits = {canonical(numbers_of(puzzle, bench.task, true.states[number])) for number in usable}
    assert len(found) == min(4, len(orbits))
    hardest = max((cost for cost in behind if cost is not None), default=None)
    if hardest is None:
        assert report.notes[-1] == "no level is proposed: no state leads to a goal"
    elif len(found) < 4:
        few = f"only {states(len(found))} may be proposed: the others are goals or lead to none"
        few = few if length is None else f"{states(len(found))} at the distance {length}; the largest is {hardest[0]}"
        assert report.notes[-1] == f"up to symmetry, {few}"
    names = [variable.name for variable in bench.task.variables]  # of what plays a part
    plain = [exploring.plain_state(puzzle, state) for state in true.states]
    numbers = {str([state[name] for name in names]): number for number, state in enumerate(plain)}
    for each in found:
        number = numbers[str([each["state"][name] for name in names])]
        cost = behind[number]
        assert cost is not None and (each["cost"], tuple(each.get("costs", {"": cost[0]}).values())) == (cost[0], cost)
        plans = true.plans(metrics, start=number)
        assert each["optimal_plans"] == ("infinite" if plans is None else plans)
        assert each["branching"] == len({edge.after for edge in true.edges[number]})
        seen["proposed"] += 1
    costs = [each["cost"] for each in found]
    assert costs == sorted(costs, reverse=True)


def test_proposals() -> None:
    seen = checked(proposes, 0, 12)
    assert seen["proposed"] > 2, seen


@pytest.mark.slow
def test_more_proposals() -> None:
    checked(proposes, 1000, 1000)


# -- solve --count, --all, --up-to -------------------------------------------------------------------------------------


def counts(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    draw = random.Random(puzzle.source)
    for metrics in metric_tuples(puzzle):
        bench = Workbench(puzzle, metrics)
        true, same = kept(bench, truth, metrics), merged(bench)
        up_to = draw.choice([(), (), ("reordering",), ("symmetry",), ("reordering", "symmetry")])
        backend = "cpsat" if not up_to and draw.random() < 0.2 else "auto"
        limits = Limits(max_horizon=12, time=20) if backend == "cpsat" else Limits()
        request = Request(backend, metrics=metrics, limits=limits)
        report = counting.solve_and_count(puzzle, request, counting.CountWanted(5, up_to))
        if report.outcome is Outcome.UNSUPPORTED and report.plan is None:
            continue
        if backend == "cpsat" and report.outcome not in (Outcome.OPTIMAL, Outcome.UNSOLVABLE):
            assert report.outcome not in (Outcome.DISAGREEMENT, Outcome.INTERNAL_ERROR), report.notes
            seen["cpsat open"] += 1
            continue
        counted = report.payload(counting.PlanCount)
        assert counted is not None
        found = counted.as_json()
        best, number = true.optimum(metrics), true.plans(metrics, same)
        if best is None:
            assert (report.outcome, found["optimal_plans"], found["answer"]) == (
                Outcome.UNSOLVABLE,
                0,
                "there is no plan",
            )
            seen["no plan"] += 1
            continue
        assert report.replay is not None and tuple(report.replay.costs[metric] for metric in metrics) == best
        if number is None:
            why = "a best plan may go in a circle that costs nothing: there are infinitely many"
            assert (report.outcome, report.notes[-1], found["answer"]) == (Outcome.UNSUPPORTED, why, None)
            seen["infinite"] += 1
            continue
        kind = "shortest" if bench.task.unit_cost else "cheapest"
        assert kind == "cheapest" or (sum(best),) == true.optimum(STEPS)
        answer = f"the {kind} plan is unique" if number == 1 else f"there are {number:,} {kind} plans"
        alike = number != true.plans(metrics)
        answer += ", actions that do the very same counted once" * alike
        assert (found["optimal_plans"], found["answer"]) == (number, answer)
        seen["counted"] += 1
        seen["twins"] += alike
        plans = true.best_plans(metrics, MOST_PLANS, same)
        if plans is not None and report.outcome is Outcome.OPTIMAL:
            classes(bench, true, plans, found, up_to, seen)
            listed(puzzle, truth, metrics, found, len(plans) if not up_to else found["classes"], report.notes)


def listed(
    puzzle: Puzzle, truth: Truth, metrics: Metrics, found: dict[str, Any], number: int, notes: tuple[str, ...]
) -> None:
    """The plans of the list are best plans, all different, and all there are unless a note says so."""
    plans = [read_plan("x.json", json.dumps(steps), puzzle) for steps in found["plans"]]
    for plan in plans:
        path = walked(truth, plan)
        assert (
            path is not None and path[-1] in truth.goals and spent(truth, path, plan, metrics) == truth.optimum(metrics)
        )
    assert len(set(plans)) == len(plans) == min(number, 5)
    what = "classes" if found.get("up_to") else "plans"
    cut = f"5 of {number:,} {what} are listed; --max-plans lists more"
    assert (cut in notes) is (number > 5)


def walked(truth: Truth, plan: Plan) -> list[int] | None:
    """The numbers of the states along a plan; None where a step does not apply."""
    path = [0]
    for step in plan:
        after = next((edge.after for edge in truth.edges[path[-1]] if edge.step == step), None)
        if after is None:
            return None
        path.append(after)
    return path


def spent(truth: Truth, path: list[int], plan: Plan, metrics: Metrics) -> Cost:
    prices = [
        next(e for e in truth.edges[at] if e.step == step).price(metrics) for at, step in zip(path, plan, strict=False)
    ]
    return tuple(sum(price[i] for price in prices) for i in range(len(metrics)))


def classes(
    bench: Workbench, truth: Truth, plans: list[Plan], found: dict[str, Any], up_to: tuple[str, ...], seen: Counter[str]
) -> None:
    """Up to symmetry: sequences of orbits. Up to reordering: at most all plans, and no fewer than are left where two
    plans are one if two neighbours are swapped and the states before and after them are the same."""
    if not up_to:
        return
    seen[" ".join(up_to)] += 1
    canonical = bench.symmetry.canonical if bench.symmetry else lambda state: state
    orbit = [canonical(numbers_of(bench.puzzle, bench.task, state)) for state in truth.states]
    paths = [walked(truth, plan) for plan in plans]
    positions = {tuple(orbit[number] for number in path or ()) for path in paths}
    if up_to == ("symmetry",):
        assert found["classes"] == len(positions)
        return
    least = len(joined(plans, paths, orbit if "symmetry" in up_to else None))
    most = len(positions) if "symmetry" in up_to else len(plans)
    assert least <= found["classes"] <= most


def joined(plans: list[Plan], paths: list[list[int] | None], orbit: list[Any] | None) -> set[int]:
    """The numbers of the first plans of classes that swaps of two neighbours, and orbits, join."""
    number, leader = {plan: n for n, plan in enumerate(plans)}, list(range(len(plans)))
    first: dict[object, int] = {}

    def join(one: int, other: int) -> None:
        old, new = max(leader[one], leader[other]), min(leader[one], leader[other])
        leader[:] = [new if each == old else each for each in leader]

    for n, (plan, path) in enumerate(zip(plans, paths, strict=True)):
        assert path is not None
        for k in range(len(plan) - 1):
            other = number.get((*plan[:k], plan[k + 1], plan[k], *plan[k + 2 :]))
            if other is not None and (paths[other] or ())[k + 2] == path[k + 2]:
                join(n, other)
        if orbit is not None:
            join(n, first.setdefault(tuple(orbit[each] for each in path), n))
    return set(leader)


def test_counts() -> None:
    seen = checked(counts, 0, 10)
    assert min(seen[what] for what in ("no plan", "infinite", "counted", "twins", "reordering", "symmetry")) > 0, seen


@pytest.mark.slow
def test_more_counts() -> None:
    checked(counts, 1000, 2000)


# -- verify ------------------------------------------------------------------------------------------------------------


def verifies(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    draw = random.Random(puzzle.source)
    metric = draw.choice(puzzle.metrics)
    everything = [edge.step for edges in truth.edges for edge in edges]
    plans = truth.best_plans((metric,), MOST_PLANS) or []
    for plan in [*plans[:3], *(wandering(truth, draw) for _ in range(4))]:
        if everything and draw.random() < 0.4:
            place = draw.randint(0, len(plan))
            plan = (*plan[:place], draw.choice(everything), *plan[place + 1 :])
        report = verify(puzzle, plan, metric)
        path, many = walked(truth, plan), len(plan)
        if path is not None and path[-1] in truth.goals:
            seen["valid"] += 1
            assert report.outcome is Outcome.VALID and report.notes == ()
            assert headline(report) == f"{many} step{'s' * (many != 1)} lead to the goal"
            assert (report.cost,) == spent(truth, path, plan, (metric,))
            continue
        assert report.outcome is Outcome.REFUTED and report.replay is not None
        if path is None:
            seen["fails"] += 1
            first = next(n for n in range(many) if walked(truth, plan[: n + 1]) is None) + 1
            assert report.notes[0].startswith(f"step {first} of {many} fails: ") and report.replay.step == first
        else:
            seen["falls short"] += 1
            assert report.notes[0].startswith(f"after {many} steps the goal is not reached: ")


def wandering(truth: Truth, draw: random.Random) -> Plan:
    """Some steps that apply one after the other."""
    plan, state = list[Step](), 0
    for _ in range(draw.randint(0, 5)):
        if not truth.edges[state]:
            break
        edge = draw.choice(truth.edges[state])
        plan.append(edge.step)
        state = edge.after
    return tuple(plan)


def test_verify() -> None:
    seen = checked(verifies, 0, 12)
    assert min(seen[what] for what in ("valid", "fails", "falls short")) > 1, seen


# -- levels ------------------------------------------------------------------------------------------------------------


def rows(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    draw = random.Random(puzzle.source)
    known = claims(puzzle, truth, draw)
    orders = tuple(draw.sample([*metric_tuples(puzzle)], 1)) if draw.random() < 0.3 else ()
    *_, row = rows_of(replace(puzzle, known=known), RowWanted(time_limit=100, race=True, orders=orders))
    if row["outcome"] == Outcome.UNSUPPORTED:
        return
    first = orders[0] if orders else puzzle.metrics[:1]
    bench = Workbench(puzzle, first)
    true = kept(bench, truth, first)
    best = true.optimum(first)
    assert row["outcome"] == (Outcome.OPTIMAL if best else Outcome.UNSOLVABLE), row["notes"]
    for order in map(tuple, (each.split(",") for each in row["optima"])):
        cost = truth.optimum(order)
        assert row["optima"][",".join(order)] == (None if cost is None else cost[0] if len(cost) == 1 else list(cost))
    edges = sum(map(len, true.edges))
    assert (row["states"], row["branching"]) == (len(true.states), round(edges / len(true.states), 4))
    assert row["dead_end_share"] == pytest.approx(len(true.dead_ends) / len(true.states), abs=1e-4)
    number = true.plans(first, merged(bench))
    assert row["optimal_plans"] == ("infinite" if number is None else number)
    if number == 1:
        figures(true, first, row, merged(bench))
        seen["unique"] += 1
    verdicts(puzzle, truth, known, row, seen)
    seen["rows"] += 1


def figures(truth: Truth, metrics: Metrics, row: dict[str, Any], same: Callable[[Step], object]) -> None:
    """Length, forced moves and changes of the one best plan."""
    [plan] = truth.best_plans(metrics, 1, same) or []
    path = walked(truth, plan) or []
    before = [None, *path]
    forced = sum(len({edge.after for edge in truth.edges[state]} - {state, old}) == 1
                 for old, state in zip(before, path[:-1], strict=False))  # fmt: skip
    assert (row["length"], row["forced"]) == (len(plan), forced)


def claims(puzzle: Puzzle, truth: Truth, draw: random.Random) -> dict[str, Any]:
    """What may be said to be known of a level: true, or a little wrong."""
    best = truth.optimum(puzzle.metrics[:1])
    wrong = draw.choice([0, 0, 1, -1])
    several = {
        metric: (cost[0] if cost else 3) + wrong for metric in puzzle.metrics for cost in [truth.optimum((metric,))]
    }
    return draw.choice([
        {},
        {"optimal": (best[0] if best else 3) + wrong},
        {"optimal": several},
        {"solvable": (best is not None) is (wrong == 0)},
    ])  # fmt: skip


def verdicts(puzzle: Puzzle, truth: Truth, known: dict[str, Any], row: dict[str, Any], seen: Counter[str]) -> None:
    held, missed = set(), set()
    optimal = known.get("optimal", {})
    for metric, value in (optimal if isinstance(optimal, dict) else {"": optimal}).items():
        (held if truth.optimum((metric or puzzle.metrics[0],)) == (value,) else missed).add(f"optimal {metric}".strip())
    if "solvable" in known:
        (held if known["solvable"] is bool(truth.optimum(STEPS)) else missed).add("solvable")
    assert set(row["held"]) <= held and {each["figure"] for each in row["missed"]} <= missed
    assert held | missed == {*row["held"], *row["open"], *(each["figure"] for each in row["missed"])}
    seen["held"] += bool(row["held"])
    seen["missed"] += bool(row["missed"])


def test_levels() -> None:
    seen = checked(rows, 0, 5)
    assert min(seen[what] for what in ("rows", "unique", "held", "missed")) > 0, seen


@pytest.mark.slow
def test_more_levels() -> None:
    checked(rows, 1000, 1000)


# -- trace -------------------------------------------------------------------------------------------------------------

WEIGHTS = {"ucs": (1, 0), "greedy": (0, 1), "astar": (1, 1), "wastar": (1, Fraction(3, 2)), "idastar": (1, 1)}


def traces(puzzle: Puzzle, truth: Truth, seen: Counter[str]) -> None:
    draw = random.Random(puzzle.source)
    for metrics in metric_tuples(puzzle):
        name = draw.choice(["bfs", "dfs", *WEIGHTS])
        told: list[dict[str, Any]] = []
        request = Request(name, metrics=metrics, symmetry=False, limits=Limits(nodes=200),
                          options={"weight": 1.5} if name == "wastar" else {})  # fmt: skip
        report = trace(puzzle, request, told.append)
        if report.outcome is Outcome.UNSUPPORTED:
            continue
        events(puzzle, truth, metrics, name, told)
        best = truth.optimum(metrics)
        if report.outcome is Outcome.OPTIMAL:
            assert best is not None and report.cost == best[0]
        assert report.outcome is not Outcome.UNSOLVABLE or best is None
        seen[f"{name} {report.outcome}"] += 1


def events(puzzle: Puzzle, truth: Truth, metrics: Metrics, name: str, told: list[dict[str, Any]]) -> None:
    """Each node is the state after its step, at the cost of its way; the last path is a plan."""
    state: dict[int, Any] = {}
    nodes: dict[int, dict[str, Any]] = {}
    head, *rest = told
    assert head["canonical"] is False and head["metric"] == ",".join(metrics)
    for event in rest:
        if event["event"] == "start":
            state[event["node"]], nodes[event["node"]] = truth.states[0], event
            assert (event["depth"], numbers(event["g"])) == (0, (0,) * len(metrics))
        elif event["event"] == "generate":
            parent, raw = event["parent"], event["step"]
            (step,) = read_plan("x.json", json.dumps([raw]), puzzle)
            state[event["node"]], nodes[event["node"]] = apply(puzzle, state[parent], step), event
            price = tuple(costs(puzzle, state[parent], step)[metric] for metric in metrics)
            assert numbers(raw["cost"]) == price and event["depth"] == nodes[parent]["depth"] + 1
            assert numbers(event["g"]) == tuple(map(sum, zip(numbers(nodes[parent]["g"]), price, strict=True)))
            if name in WEIGHTS:
                weights, h = WEIGHTS[name], numbers(event["h"] if event["h"] is not None else [0] * len(metrics))
                f = tuple(weights[0] * g + weights[1] * each for g, each in zip(numbers(event["g"]), h, strict=True))
                assert numbers(event["f"]) == tuple(map(float, f))
        elif event["event"] == "goal":
            path = event["path"]
            assert truth.number(state[path[-1]]) in truth.goals
            assert all(nodes[after]["parent"] == before for before, after in zip(path, path[1:], strict=False))


def numbers(figure: Any) -> tuple[Any, ...]:
    return tuple(figure) if isinstance(figure, list) else (figure,)


def test_trace() -> None:
    seen = checked(traces, 0, 8)
    assert sum(count for what, count in seen.items() if what.endswith("optimal")) > 5, seen


@pytest.mark.slow
def test_more_traces() -> None:
    checked(traces, 1000, 1000)
