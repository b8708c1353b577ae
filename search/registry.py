"""The algorithms of path one: a literal table whose rows carry the facts, and the one way to run a row.

An algorithm returns a plan or None and proves lower bounds on the way; the outcome follows from these and from the
row, here and nowhere else. `optimal` means: a plan whose cost equals the proven lower bound.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from models.metrics import LONG
from models.outcomes import LimitReached, Limits, Outcome, SearchResult, Unsupported, outcome_of
from search.algorithms.beam import beam
from search.algorithms.best_first import a_star, greedy, uniform_cost, weighted_a_star
from search.algorithms.bidirectional import bidirectional
from search.algorithms.breadth_first import breadth_first
from search.algorithms.depth_first import depth_first, iterative_deepening
from search.algorithms.genetic import genetic
from search.algorithms.ida_star import ida_star
from search.algorithms.rbfs import recursive_best_first
from search.options import Options
from search.space import BLIND, INFINITY, Found, Heuristic, Model, Outgrown, Progress, SearchSpace

NO_LIMITS = Limits()
DEFAULTS = Options()


SMALL = 250_000  # successors and estimates that Python has before a kernel takes over: what loading kernels costs

Run = Callable[[SearchSpace, Options], Found | None]


@dataclass(frozen=True)
class Algorithm:
    """A row of the table."""

    name: str
    run: Run
    optimal: bool  # promises a cheapest plan, given an admissible h if informed and unit costs if it needs them
    complete: bool  # finds a plan or proves that there is none, in every finite space
    informed: bool  # uses a heuristic
    needs_unit_cost: bool  # for its promise: it counts steps
    needs_inverse: bool  # predecessors and goal states
    summary: str


# fmt: off
ROWS = (
    #                                                optimal complete informed unit-cost inverse
    Algorithm("bfs",           breadth_first,        True,  True,  False, True,  False, "layer by layer, fewest steps"),
    Algorithm("dfs",           depth_first,          False, True,  False, False, False, "each branch to its end"),
    Algorithm("ids",           iterative_deepening,  True,  True,  False, True,  False, "depth-first, depth rising"),
    Algorithm("ucs",           uniform_cost,         True,  True,  False, False, False, "cheapest path first"),
    Algorithm("greedy",        greedy,               False, True,  True,  False, False, "smallest h first"),
    Algorithm("astar",         a_star,               True,  True,  True,  False, False, "smallest g + h first"),
    Algorithm("wastar",        weighted_a_star,      False, True,  True,  False, False, "smallest g + w * h first"),
    Algorithm("idastar",       ida_star,             True,  True,  True,  False, False, "depth-first, f bound rising"),
    Algorithm("rbfs",          recursive_best_first, True,  True,  True,  False, False, "best-first along one path"),
    Algorithm("bidirectional", bidirectional,        True,  True,  False, True,  True,  "layers from both ends meet"),
    Algorithm("beam",          beam,                 False, False, True,  False, False, "layers cut to the best by h"),
    Algorithm("genetic",       genetic,              False, False, True,  False, False, "breeds action sequences"),
)
# fmt: on

ALGORITHMS: dict[str, Algorithm] = {row.name: row for row in ROWS}

WITH_KERNEL = ALGORITHMS.keys() - {"rbfs", "genetic"}  # the others stay with Python, however large they grow
BY_COST = {"ucs", "greedy", "astar", "wastar", "idastar", "rbfs"}  # compare the costs of paths


def search_with(
    name: str,
    model: Model,
    heuristic: Heuristic = BLIND,
    limits: Limits = NO_LIMITS,
    options: Options = DEFAULTS,
    on_progress: Progress | None = None,
    *,
    kernels: bool = True,
) -> SearchResult:
    """Run one algorithm to its end, a limit or Ctrl-C; KeyError: no such name, Unsupported: not in this model.

    A heuristic that is no machine code is unknown to kernels: then they are not to be had.
    """
    algorithm = ALGORITHMS[name]
    used = heuristic if algorithm.informed else BLIND
    space = SearchSpace(model, limits, used, on_progress, SMALL if kernels and may_grow(name, model) else None)
    if name in BY_COST:
        space.weigh_costs(getattr(model, "exact_steps", INFINITY))
    check_horizon(algorithm, space)
    try:
        return run(algorithm, algorithm.run, space, options)
    except Outgrown:
        again = SearchSpace(model, limits, used, on_progress, started=space.started)
        again.lower_bound = space.lower_bound
        if name in BY_COST:
            again.weigh_costs(min(space.exact_steps, space.machine.word_steps))
        return run(algorithm, partial(_in_machine_code, name), again, options)


def may_grow(name: str, model: Model) -> bool:
    """Is there a kernel for it? Sums of costs must fit into machine words on all paths that are likely."""
    steps = getattr(model, "word_steps", None)  # none: no machine code
    return name in WITH_KERNEL and steps is not None and (name not in BY_COST or steps >= LONG)


def _in_machine_code(name: str, space: SearchSpace, options: Options) -> Found | None:
    """Loading a kernel takes a second or more, which belongs to the search: Ctrl-C may come then as well."""
    from search.kernels.registry import kernel_of

    return kernel_of(name)(space, options)


def run(algorithm: Algorithm, function: Run, space: SearchSpace, options: Options) -> SearchResult:
    stopped = None
    try:
        found = function(space, options)
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)
        found = None if stopped is Outcome.HORIZON_EXHAUSTED else space.plan_in_hand()
    return conclude(algorithm, space, found, stopped)


def check_horizon(algorithm: Algorithm, space: SearchSpace) -> None:
    """A horizon is only meaningful where bounds on the number of steps are proven."""
    counts_steps = algorithm.needs_unit_cost or (
        algorithm.optimal and space.unit_cost and (space.heuristic.admissible or not algorithm.informed)
    )
    if space.limits.max_horizon is not None and not counts_steps:
        raise Unsupported(f"{algorithm.name} proves nothing about plan length here, so it cannot keep a max-horizon")


def conclude(algorithm: Algorithm, space: SearchSpace, found: Found | None, stopped: Outcome | None) -> SearchResult:
    outcome = judge(algorithm, found, space.lower_bound, stopped)
    if found is not None and outcome is Outcome.OPTIMAL:
        space.check_steps(len(found.operators))
    if found is None:
        return SearchResult(outcome, None, None, space.lower_bound, space.statistics)
    space.statistics.max_depth = max(space.statistics.max_depth, len(found.operators))
    doubt = contradiction(algorithm, space, found)
    outcome = Outcome.DISAGREEMENT if doubt else outcome
    return SearchResult(outcome, found.operators, found.cost, space.lower_bound, space.statistics, doubt)


def contradiction(algorithm: Algorithm, space: SearchSpace, found: Found) -> str:
    """What the plan itself, or how it was found, says against what is held to be proven; empty: nothing."""
    if found.cost < space.lower_bound:
        return f"a plan of cost {found.cost}, though {space.lower_bound} was the least cost proven"
    if algorithm.name == "astar" and space.heuristic.consistent and space.statistics.reopened:
        return f"{space.heuristic.name} is proven consistent, yet states had to be reopened"
    if algorithm.informed and space.heuristic.admissible and overestimated(space, found):
        return f"{space.heuristic.name} is proven, yet on the plan it is more than what is left to pay"
    return ""


def overestimated(space: SearchSpace, found: Found) -> bool:
    """Is the estimate of some state on the plan more than the rest of the plan costs?"""
    state, left = space.machine.initial, found.cost  # `space.initial` of a recorded search is a node
    for operator in found.operators:
        if space.heuristic.evaluate(state) > left:
            return True
        state, cost = space.after(state, operator)
        left -= cost
    return space.heuristic.evaluate(state) > left


def judge(algorithm: Algorithm, found: Found | None, lower_bound: int, stopped: Outcome | None) -> Outcome:
    """The word for a run: what was found, what is proven, what was promised, what stopped it."""
    if stopped is Outcome.INTERRUPTED:
        return stopped
    if found is None:
        return stopped or (Outcome.UNSOLVABLE if algorithm.complete else Outcome.NOT_FOUND)
    if algorithm.optimal and found.cost == lower_bound:
        return Outcome.OPTIMAL
    return Outcome.UNPROVEN if stopped and algorithm.optimal else Outcome.SOLVED
