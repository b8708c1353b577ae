"""The algorithms of path one: a literal table whose rows carry the facts, and the one way to run a row.

An algorithm returns a plan or None and proves lower bounds on the way; the outcome follows from these and from the
row, here and nowhere else. `optimal` means: a plan whose cost equals the proven lower bound.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from models.outcomes import LONG_PATH, LimitReached, Limits, Outcome, SearchResult, Unsupported, outcome_of
from search import native
from search.algorithms.beam import Narrow, beam
from search.algorithms.best_first import Weighted, a_star, greedy, rounded, uniform_cost, weighted_a_star
from search.algorithms.bidirectional import bidirectional
from search.algorithms.breadth_first import breadth_first
from search.algorithms.depth_first import depth_first, iterative_deepening
from search.algorithms.genetic import Breeding, genetic
from search.algorithms.ida_star import Remembering, ida_star
from search.algorithms.layered import Layered, bucketed, layered
from search.algorithms.rbfs import recursive_best_first
from search.options import Declared, Jobs, Options
from search.space import BLIND, INFINITY, Found, Heuristic, Model, Outgrown, Progress, Run, SearchSpace

if TYPE_CHECKING:
    from fractions import Fraction

NO_LIMITS = Limits()
SMALL = 250_000  # successors and estimates that Python has before a kernel takes over: what compiling kernels costs
KEPT = 30_000  # the same where kernels have been compiled before: what loading them costs
NO_OPTIONS: Mapping[str, object] = {}

Weights = tuple[int, "int | Fraction"]  # of g and h
Fact = Literal["optimal", "complete", "informed", "unit-cost", "inverse", "by-cost", "cuts"]


class Algorithm(NamedTuple):
    """A row of the table: all that is true of an algorithm."""

    name: str
    run: Run
    kernel: Callable[[], Run] | None  # loads the same in machine code; None: it stays with Python, however large
    options: type[Options]  # that it reads
    f: Callable[[Any], Weights] | Literal["depth"] | None  # by which it orders nodes, or cuts them off, given options
    facts: frozenset[Fact]
    summary: str
    untraced: str = ""  # why it has no trace

    @property
    def optimal(self) -> bool:
        """Promises a cheapest plan, given an admissible h if informed and unit costs if it needs them."""
        return "optimal" in self.facts

    @property
    def complete(self) -> bool:
        """Finds a plan or proves that there is none, in every finite space."""
        return "complete" in self.facts

    @property
    def informed(self) -> bool:
        """Uses a heuristic."""
        return "informed" in self.facts

    @property
    def needs_unit_cost(self) -> bool:
        """For its promise: it counts steps."""
        return "unit-cost" in self.facts

    @property
    def needs_inverse(self) -> bool:
        """Predecessors and goal states."""
        return "inverse" in self.facts

    @property
    def by_cost(self) -> bool:
        """Compares the costs of paths."""
        return "by-cost" in self.facts

    @property
    def cuts(self) -> bool:
        """Leaves states out by their values, and comes back to them."""
        return "cuts" in self.facts

    @property
    def random(self) -> bool:
        """Its work depends on the seed."""
        return any(each.name == "seed" for each in self.options.declared())

    def settings(self, given: Mapping[str, object]) -> Options:
        """Those of the options that it reads; ValueError if one is out of range."""
        return self.options(**{each.name: given[each.name] for each in self.options.declared() if each.name in given})

    def weights(self, settings: Any) -> Weights | None:
        """Of g and h in f, if that is a sum of these."""
        return self.f(settings) if callable(self.f) else None


def row(name: str, run: Run, kernel: Callable[[], Run] | None, options: type[Options], f: Any, facts: str, summary: str,
        untraced: str = "") -> Algorithm:  # fmt: skip
    """A row as the table writes it: `facts` are words, `f` may be fixed weights."""
    known: tuple[Fact, ...] = ("optimal", "complete", "informed", "unit-cost", "inverse", "by-cost", "cuts")
    said = facts.split()
    assert set(said) <= set(known), f"{name}: {facts}"
    weigh = (lambda settings: f) if isinstance(f, tuple) else f
    return Algorithm(name, run, kernel, options, weigh, frozenset(each for each in known if each in said), summary,
                     untraced)  # fmt: skip


BREEDS = "it breeds sequences of actions and expands the same states again and again"

# fmt: off
ROWS = (
    row("bfs", breadth_first, native.breadth_first, Jobs, None, "optimal complete unit-cost",
        "layer by layer, fewest steps"),
    row("layers", layered, native.layered, Layered, None, "optimal complete unit-cost",
        "layer by layer, on the disk"),
    row("buckets", bucketed, native.bucketed, Layered, (1, 1), "optimal complete informed by-cost",
        "smallest g + h first, on the disk"),
    row("dfs", depth_first, native.depth_first, Options, None, "complete",
        "each branch to its end"),
    row("ids", iterative_deepening, native.iterative_deepening, Remembering, "depth", "optimal complete unit-cost",
        "depth-first, depth rising"),
    row("ucs", uniform_cost, native.uniform_cost, Options, (1, 0), "optimal complete by-cost",
        "cheapest path first"),
    row("greedy", greedy, native.greedy, Options, (0, 1), "complete informed by-cost",
        "smallest h first"),
    row("astar", a_star, native.a_star, Options, (1, 1), "optimal complete informed by-cost",
        "smallest g + h first"),
    row("wastar", weighted_a_star, native.weighted_a_star, Weighted, rounded, "complete informed by-cost",
        "smallest g + w * h first"),
    row("idastar", ida_star, native.ida_star, Remembering, (1, 1), "optimal complete informed by-cost cuts",
        "depth-first, f bound rising"),
    row("rbfs", recursive_best_first, None, Remembering, (1, 1), "optimal complete informed by-cost cuts",
        "best-first along one path"),
    row("bidirectional", bidirectional, native.bidirectional, Options, None, "optimal complete unit-cost inverse",
        "layers from both ends meet"),
    row("beam", beam, native.beam, Narrow, (0, 1), "informed",
        "layers cut to the best by h"),
    row("genetic", genetic, None, Breeding, None, "informed",
        "breeds action sequences",
        untraced=BREEDS),
)
# fmt: on

ALGORITHMS: dict[str, Algorithm] = {each.name: each for each in ROWS}


def options_of(rows: Iterable[Algorithm] = ROWS) -> dict[str, tuple[Declared, tuple[str, ...]]]:
    """The options of algorithms by name, each with those that read it; the seed, which all runs have, is none."""
    found: dict[str, tuple[Declared, tuple[str, ...]]] = {}
    for each in rows:
        for declared in each.options.declared():
            if declared.name != "seed":
                known, readers = found.get(declared.name, (declared, ()))
                assert known == declared, f"{declared.name} is two different options"
                found[declared.name] = known, (*readers, each.name)
    return found


def search_with(
    name: str,
    model: Model,
    heuristic: Heuristic = BLIND,
    limits: Limits = NO_LIMITS,
    options: Mapping[str, object] = NO_OPTIONS,
    on_progress: Progress | None = None,
    *,
    kernels: bool = True,
    small: int | None = None,
) -> SearchResult:
    """Run one algorithm to its end, a limit or Ctrl-C; KeyError: no such name, Unsupported: not in this model.

    Of the options it takes those that it reads.
    A heuristic that is no machine code is unknown to kernels: then they are not to be had. `small`: what Python does,
    if not `SMALL`.
    """
    tried = attempt(name, model, heuristic, limits, options, on_progress, kernels=kernels, small=small)
    return conclude(ALGORITHMS[name], *tried)


class Attempt(NamedTuple):
    """How a search has gone: what its space knows, the plan, and what ended it before it was through."""

    space: SearchSpace
    found: Found | None
    stopped: Outcome | None


def attempt(
    name: str,
    model: Model,
    heuristic: Heuristic = BLIND,
    limits: Limits = NO_LIMITS,
    options: Mapping[str, object] = NO_OPTIONS,
    on_progress: Progress | None = None,
    *,
    kernels: bool = True,
    below: int = INFINITY,
    small: int | None = None,
) -> Attempt:
    """As `search_with`, without a verdict. Of best-first and beam searches only plans below a cost may be wanted; what
    such a space has as its lower bound is then no more than that. `small`: what Python does, if not `SMALL`."""
    algorithm = ALGORITHMS[name]
    settings = algorithm.settings(options)
    used = heuristic if algorithm.informed else BLIND
    space = SearchSpace(model, limits, used, on_progress)
    space.below = below
    if algorithm.by_cost or below < INFINITY:
        space.weigh_costs(getattr(model, "exact_steps", INFINITY))
    check_horizon(algorithm, space)
    first = (min(KEPT, SMALL), SMALL) if small is None else (small,)
    for patience in first if kernels and may_grow(algorithm, model) else (None,):
        space = space.anew(patience)
        try:
            return pursue(algorithm.run, space, settings)
        except Outgrown:
            if native.at_hand():
                break
    space = space.anew()
    if algorithm.by_cost:
        space.weigh_costs(min(space.exact_steps, space.machine.word_steps))
    return pursue(partial(_in_machine_code, algorithm), space, settings)


def may_grow(algorithm: Algorithm, model: Model) -> bool:
    """Is there a kernel for it? Sums of costs must fit into machine words on all paths that are likely."""
    steps = getattr(model, "word_steps", None)  # none: no machine code
    return algorithm.kernel is not None and steps is not None and (not algorithm.by_cost or steps >= LONG_PATH)


def _in_machine_code(algorithm: Algorithm, space: SearchSpace, settings: Options) -> Found | None:
    """To load a kernel, and to compile it where it never was, belongs to the search: Ctrl-C may come then as well."""
    assert algorithm.kernel is not None
    return algorithm.kernel()(space, settings)


def run(algorithm: Algorithm, function: Run, space: SearchSpace, settings: Options) -> SearchResult:
    return conclude(algorithm, *pursue(function, space, settings))


def pursue(function: Run, space: SearchSpace, settings: Options) -> Attempt:
    """To its end, a limit or Ctrl-C."""
    try:
        return Attempt(space, function(space, settings), None)
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)
        return Attempt(space, None if stopped is Outcome.HORIZON_EXHAUSTED else space.plan_in_hand(), stopped)


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
    if algorithm.name in ("astar", "buckets") and space.heuristic.consistent and space.statistics.reopened:
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
