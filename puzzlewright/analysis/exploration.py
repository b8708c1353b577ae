"""A walked state space in the words of its puzzle: what figures, graphs and proposals are made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.decoding import state_of
from models.frozen import frozen
from models.interpreter import State as Lifted
from models.outcomes import Outcome, Unsupported
from models.referee import start_state
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.spaces.state_space import StateSpace
    from search.spaces.survey import Survey

STEPS = "steps"  # the metric in which every action costs 1


@frozen(eq=True)
class Exploration:
    """A level's state space with its figures; the figures that are missing have a reason, `missing`."""

    bench: Workbench
    space: StateSpace
    survey: Survey
    in_steps: bool  # every step costs 1, whatever the actions cost
    outcome: Outcome
    missing: str
    reduced: int | None  # states up to symmetry

    @property
    def metrics(self) -> tuple[str, ...]:
        return (STEPS,) if self.in_steps else self.bench.metrics

    @property
    def unit_cost(self) -> bool:
        """Are distances numbers of steps? By the costs alone: a metric may be named `steps`, or cost nothing."""
        return self.in_steps or (len(self.metrics) == 1 and self.bench.task.unit_cost)

    @cached_property
    def is_dead(self) -> Callable[[int], bool] | None:
        """Does the file's `dead` hold in the state of that number? None: it has none, or none that can be compiled."""
        from search.machine import CompiledTask

        dead = self.bench.task.dead
        if dead is None:
            return None
        try:
            value = CompiledTask(self.bench.task, self.bench.machine()).evaluate(dead)
        except Unsupported:
            return None
        return lambda number: bool(value(self.space.state(number)))

    def lifted(self, number: int) -> Lifted:
        """The state of that number in the puzzle's own values; what plays no part is as at the start."""
        puzzle = self.bench.puzzle
        return {**start_state(puzzle), **state_of(puzzle, self.bench.task, self.space.state(number))}

    def priced(self, combined: int | None) -> dict[str, Any] | None:
        """A distance: in the first metric, and in each where there are several."""
        if combined is None:
            return None
        costs = self.bench.scale.apart(combined) if len(self.metrics) > 1 else (combined,)
        several = {"costs": dict(zip(self.metrics, costs, strict=True))} if len(costs) > 1 else {}
        return {"cost": costs[0], **several}
