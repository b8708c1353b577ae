"""The search space: a model seen by the algorithms, with the counting and the limits in one place.

Algorithms ask the space, never the model, so that expanded, generated and evaluated mean the same for all of them
("count in the problem, not in the algorithm": aima-python's InstrumentedProblem) and every limit holds everywhere.
The space also keeps what has been proven so far, so that a search that is stopped still says something true.
"""

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, cast

from models.frozen import frozen
from models.outcomes import LimitReached, Limits, Outcome, Statistics, Unsupported
from models.resident import peak_memory_mb, resident_memory_mb

if TYPE_CHECKING:
    from search.machine import Machine

__all__ = [
    "BLIND",
    "INFINITY",
    "Estimated",
    "Found",
    "Heuristic",
    "LimitReached",
    "Model",
    "Operator",
    "Outgrown",
    "Parents",
    "Progress",
    "Run",
    "SearchSpace",
    "State",
    "Successor",
    "Unsupported",
    "path_to",
    "peak_memory_mb",
    "resident_memory_mb",
]

State = Any  # a packed number, or a tuple: hashable, and looked into by the model only
Operator = Any  # the model's name of an action
Successor = tuple[Operator, State, int]  # operator, successor state, cost
Parents = dict[State, tuple[State, Operator, int] | None]  # how a state was reached first or best; None for the start
Progress = Callable[[Statistics, int], None]  # statistics and proven lower bound so far
Run = Callable[["SearchSpace", Any], "Found | None"]  # an algorithm, with its own options

INFINITY: Any = math.inf  # an f no path has
CHECK_INTERVAL = 256  # expansions between two looks at clock and memory


class Model(Protocol):
    """What compiled code offers; successors come in the order of the file, and no cost is negative."""

    @property
    def initial(self) -> State: ...
    @property
    def unit_cost(self) -> bool: ...
    def is_goal(self, state: State) -> bool: ...
    def successors(self, state: State) -> list[Successor]: ...
    def predecessors(self, state: State) -> list[Successor]:
        """(any name, predecessor, cost) of every edge into the state; may raise Unsupported."""
        ...

    def goal_states(self) -> list[State]:
        """A superset of the reachable goal states; may raise Unsupported."""
        ...


class Estimated(NamedTuple):
    """What an estimate is made of: a term, sums of entries of tables, or the greater one of both."""

    term: Any = None  # `models.terms.Term`
    sums: Any = ()  # `search.abstractions.reading.Sums`


@frozen(eq=True)
class Heuristic:
    """An estimate of the cost to a goal; the flags say what is proven, not what is hoped."""

    name: str
    evaluate: Callable[[State], int]
    admissible: bool = False
    consistent: bool = False
    address: Callable[[], int] = lambda: 0  # of the same function over arrays of packed states; 0: none, or blind
    lost: Any = INFINITY  # where the estimate is that much it is proven that no goal can be reached
    parts: "Estimated | None" = None  # for other processes, if it can be made again there


BLIND = Heuristic("blind", lambda state: 0, admissible=True, consistent=True)


class Found(NamedTuple):
    """A plan as an algorithm hands it over."""

    operators: tuple[Operator, ...]
    cost: int


class Outgrown(Exception):
    """The search is too large for Python; its kernel begins anew."""


class SearchSpace:
    """One search in one model: counts, enforces the limits, remembers the proven lower bound."""

    def __init__(
        self,
        model: Model,
        limits: Limits,
        heuristic: Heuristic = BLIND,
        on_progress: Progress | None = None,
        outgrown: int | None = None,
        started: float | None = None,
    ) -> None:
        self.initial = model.initial
        self.unit_cost = model.unit_cost
        self.heuristic = heuristic
        self.limits = limits
        self.exact_steps: float = INFINITY  # of a path whose cost is compared; `weigh_costs` lowers it
        self.is_goal = model.is_goal
        self.statistics = Statistics()
        self.lower_bound = max(0, heuristic.evaluate(model.initial)) if heuristic.admissible else 0
        self.below: int = INFINITY  # only plans that cost less are wanted: `search.registry.attempt` lowers it
        self.plan_in_hand: Callable[[], Found | None] = lambda: None  # set by algorithms that may hold a plan early
        self.known: Callable[[], int] = lambda: 0  # different states, so far: set by algorithms that tell
        self.machine = cast("Machine", model)  # if the model is a compiled puzzle
        self._model = model
        self._outgrown = outgrown  # successors and estimates after which the search is one for kernels
        self._on_progress = on_progress
        self.started = time.monotonic() if started is None else started

    def anew(self, outgrown: int | None = None) -> Self:
        """The same search from its beginning, on the same clock; what is proven stays proven."""
        again = type(self)(self._model, self.limits, self.heuristic, self._on_progress, outgrown, self.started)
        again.lower_bound, again.exact_steps, again.below = self.lower_bound, self.exact_steps, self.below
        return again

    def weigh_costs(self, exact_steps: float) -> None:
        """Costs of paths are about to be compared, which is right for so many steps: beyond, the search ends."""
        self.exact_steps = exact_steps

    def h(self, state: State) -> int:
        self.statistics.evaluated += 1
        return self.heuristic.evaluate(state)

    def is_dead_end(self, h: int) -> bool:
        """Is it proven of states with this estimate that no goal can be reached? Then one is left out, and counted.

        Whatever comes after such a state is one too, so a search that is through all others has missed no plan.
        """
        dead = bool(h >= self.heuristic.lost)
        self.statistics.leave_out(dead)
        return dead

    def expand(self, state: State, depth: int = 0, frontier: int = 0, allowed: Any = None) -> list[Successor]:
        """All successors; `depth` in steps and `frontier` in states are for the statistics.

        `allowed[action]` is false for what need not follow; such successors are never generated. None: all are.
        """
        self._count_expansion(depth, frontier)
        successors = self._model.successors(state)
        if allowed is not None:
            successors = [successor for successor in successors if allowed[successor[0]]]
        self.statistics.generated += len(successors)
        return successors

    def goal_states(self) -> list[State]:
        """A superset of the reachable goal states."""
        return self._model.goal_states()

    def expand_backward(self, state: State, depth: int = 0, frontier: int = 0) -> list[Successor]:
        """All predecessors, counted like successors."""
        self._count_expansion(depth, frontier)
        predecessors = self._model.predecessors(state)
        self.statistics.generated += len(predecessors)
        return predecessors

    @property
    def may_outgrow(self) -> bool:
        """Is there a kernel that would begin anew?"""
        return self._outgrown is not None

    @property
    def pruning(self) -> Any:
        """allowed[last, next] for a walk of all paths (`proofs.pruning`); None: any action may follow any."""
        return getattr(self._model, "pruning", None)

    def reopen(self, state: State) -> None:
        """A closed state goes back on the open list, because a cheaper path to it was found."""
        self.statistics.reopened += 1

    def begin_iteration(self, bound: int) -> None:
        """A search that deepens begins anew with this bound; nothing is counted."""

    def step(self, state: State, successor: State) -> tuple[Operator, int]:
        """(operator, cost) of the cheapest way from a state to a successor of it."""
        found = [(operator, cost) for operator, after, cost in self._model.successors(state) if after == successor]
        return min(found, key=lambda step: step[1])

    def after(self, state: State, operator: Operator) -> tuple[State, int]:
        """(successor, cost) of an action that is applicable."""
        return next((after, cost) for each, after, cost in self._model.successors(state) if each == operator)

    def prove_cost(self, bound: int) -> None:
        """Every plan costs at least `bound`."""
        if bound > self.lower_bound:
            self._raise_bound(bound)
        if self.unit_cost:
            self._check_horizon(bound)

    def prove_length(self, steps: int) -> None:
        """Every plan has at least `steps` steps, which bounds its cost if costs are unit costs."""
        if self.unit_cost and steps > self.lower_bound:
            self._raise_bound(steps)
        self._check_horizon(steps)

    def _raise_bound(self, bound: int) -> None:
        self.lower_bound = bound
        if self._on_progress:
            self._on_progress(self.statistics, bound)

    def _check_horizon(self, steps: int) -> None:
        if self.limits.max_horizon is not None and steps > self.limits.max_horizon:
            raise LimitReached(Outcome.HORIZON_EXHAUSTED)

    def check_steps(self, steps: int) -> None:
        """Unsupported where paths of so many steps cannot be compared by their costs."""
        if steps > self.exact_steps:
            raise Unsupported(f"costs of more than {self.exact_steps:,} steps may be too large to be compared")

    def _count_expansion(self, depth: int, frontier: int) -> None:
        statistics = self.statistics
        if depth >= self.exact_steps:
            self.check_steps(depth + 1)
        if self._outgrown is not None and statistics.generated + statistics.evaluated > self._outgrown:
            raise Outgrown
        if statistics.expanded == self.limits.nodes:
            self.ask_for_nodes()
        if statistics.expanded % CHECK_INTERVAL == 0:
            self.check_resources()
        statistics.expanded += 1
        if depth > statistics.max_depth:
            statistics.max_depth = depth
        if frontier > statistics.max_frontier:
            statistics.max_frontier = frontier

    def ask_for_nodes(self) -> None:
        """All are used up: LimitReached, unless whoever has set the limit grants another one. Then the search goes on
        where it is, as if that had been its limit from the beginning."""
        granted = None if self.limits.more is None else self.limits.more(self)
        if granted is None or granted.nodes == self.statistics.expanded:
            raise LimitReached(Outcome.NODE_LIMIT)
        self.limits = granted

    def check_resources(self) -> None:
        if self._on_progress:
            self._on_progress(self.statistics, self.lower_bound)
        if self.limits.stop is not None and self.limits.stop():
            raise LimitReached(Outcome.INTERRUPTED)
        if self.limits.time is not None and time.monotonic() - self.started >= self.limits.time:
            raise LimitReached(Outcome.TIME_LIMIT)
        if self.limits.memory_is_full():
            raise LimitReached(Outcome.MEMORY_LIMIT)


def path_to(state: State, parents: Parents) -> Found:
    """The plan that the parent links spell out, with the cost of exactly these steps."""
    operators, cost = [], 0
    while link := parents[state]:
        state, operator, step_cost = link
        operators.append(operator)
        cost += step_cost
    return Found(tuple(reversed(operators)), cost)
