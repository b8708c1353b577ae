"""An engine for unified-planning: a plan that is proven cheapest, and the referee as validator of plans.

    import unified_planning.shortcuts as up
    up.get_environment().factory.add_engine("puzzlewright", "puzzlewright.python.unified", "PuzzlewrightEngine")
    up.OneshotPlanner(name="puzzlewright").solve(problem)

A problem is written as PDDL by unified-planning, and read as any PDDL is; names lead back by its writer. The class is
made when it is first asked for, so that this module can be imported where unified-planning is not installed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from models.errors import PuzzleError
from models.outcomes import Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.report import Report

NAME = "puzzlewright"
STATUS = {  # of a result, by our outcome; with a plan that is proven best only where something is minimised
    Outcome.UNSOLVABLE: "UNSOLVABLE_PROVEN",
    Outcome.TIME_LIMIT: "TIMEOUT",
    Outcome.MEMORY_LIMIT: "MEMOUT",
    Outcome.UNSUPPORTED: "UNSUPPORTED_PROBLEM",
    Outcome.INVALID_INPUT: "UNSUPPORTED_PROBLEM",
    Outcome.SOLVED: "SOLVED_SATISFICING",
    Outcome.UNPROVEN: "SOLVED_SATISFICING",
}
KIND = {  # what a problem may have, as unified-planning calls it
    "problem_class": ("ACTION_BASED",),
    "typing": ("FLAT_TYPING", "HIERARCHICAL_TYPING"),
    "conditions_kind": (
        *("NEGATIVE_CONDITIONS", "DISJUNCTIVE_CONDITIONS", "EQUALITIES"),
        *("EXISTENTIAL_CONDITIONS", "UNIVERSAL_CONDITIONS"),
    ),
    "effects_kind": ("CONDITIONAL_EFFECTS", "FORALL_EFFECTS"),
    "quality_metrics": ("ACTIONS_COST", "PLAN_LENGTH"),
    "actions_cost_kind": ("INT_NUMBERS_IN_ACTIONS_COST",),
}


def __getattr__(name: str) -> Any:
    if name == "PuzzlewrightEngine":
        return engine()
    raise AttributeError(name)


def puzzle_of(writer: Any) -> Puzzle:
    """The problem that unified-planning's writer of PDDL has; PuzzleError where PDDL or we have no words for it."""
    from models.pddl.building import pddl_puzzle
    from models.pddl.forms import joined

    return pddl_puzzle(joined({"domain": writer.get_domain(), "problem": writer.get_problem()}), "unified-planning")


def solved(puzzle: Puzzle, seconds: float | None) -> Report:
    """What `solve` says."""
    from puzzlewright.solving.request import Request
    from puzzlewright.solving.solve import solve

    return solve(puzzle, Request(limits=Limits(time=seconds)))


def plan_text(report: Report, puzzle: Puzzle) -> str:
    """The plan, a line for each step."""
    from puzzlewright.files.planfiles import plan_text as written

    return written(".plan", report, puzzle)


def supported() -> Any:
    """The kind of problems that are supported."""
    from unified_planning.model.problem_kind import LATEST_PROBLEM_KIND_VERSION, ProblemKind

    kind = ProblemKind(version=LATEST_PROBLEM_KIND_VERSION)
    for group, features in KIND.items():
        for feature in features:
            getattr(kind, f"set_{group}")(feature)
    return kind


def result_of(problem: Any, seconds: float | None) -> Any:
    """A plan that is proven best, or how it ended without one."""
    from unified_planning.engines import PlanGenerationResult
    from unified_planning.engines import PlanGenerationResultStatus as Status
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLReader, PDDLWriter

    writer = PDDLWriter(problem)
    try:
        puzzle = puzzle_of(writer)
        report = solved(puzzle, seconds)
    except (PuzzleError, Unsupported, UPException):
        return PlanGenerationResult(Status.UNSUPPORTED_PROBLEM, None, NAME)
    if report.plan is None:
        return PlanGenerationResult(Status[STATUS.get(report.outcome, "INTERNAL_ERROR")], None, NAME)
    text = plan_text(report, puzzle)
    plan = PDDLReader(problem.environment).parse_plan_string(problem, text, writer.get_item_named)
    proven = report.outcome is Outcome.OPTIMAL and problem.quality_metrics
    return PlanGenerationResult(Status.SOLVED_OPTIMALLY if proven else Status.SOLVED_SATISFICING, plan, NAME)


def validity_of(problem: Any, plan: Any) -> Any:
    """The referee's word on a plan."""
    from unified_planning.engines import ValidationResult
    from unified_planning.engines import ValidationResultStatus as Status
    from unified_planning.io import PDDLWriter

    from models.referee import replay
    from puzzlewright.files.planfiles import read_plan

    writer = PDDLWriter(problem)
    puzzle = puzzle_of(writer)
    try:
        valid = replay(puzzle, read_plan("a plan", writer.get_plan(plan), puzzle)).valid
    except PuzzleError:  # a step that is none of the problem's
        valid = False
    return ValidationResult(Status.VALID if valid else Status.INVALID, NAME, [])


@cache
def engine() -> type:
    """The class of the engine."""
    from unified_planning.engines import Engine
    from unified_planning.engines.mixins import OneshotPlannerMixin, PlanValidatorMixin
    from unified_planning.plans import PlanKind

    class PuzzlewrightEngine(Engine, OneshotPlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
        """Plans that are proven best, and the referee's word on any."""

        name = NAME
        supported_kind = staticmethod(supported)

        def __init__(self, **_parameters: object) -> None:
            Engine.__init__(self)
            OneshotPlannerMixin.__init__(self)

        @staticmethod
        def supports(problem_kind: Any) -> bool:
            return bool(problem_kind <= supported())

        @staticmethod
        def supports_plan(plan_kind: Any) -> bool:
            return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

        @staticmethod
        def satisfies(optimality_guarantee: Any) -> bool:
            return True

        def _solve(self, problem: Any, heuristic: Any = None, timeout: float | None = None, *_others: Any) -> Any:
            return result_of(problem, timeout)

        def _validate(self, problem: Any, plan: Any) -> Any:
            return validity_of(problem, plan)

    return PuzzlewrightEngine
