"""What a run came to, in one shape for text, JSON and the library."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from models.errors import Diagnostic
from models.interpreter import State
from models.outcomes import Operator, Outcome
from models.plan import Plan, Words, step_json
from models.puzzle import Puzzle
from models.referee import Replay, label

SCHEMA_VERSION = 1
PACKAGES = ("ortools", "pydantic", "pyyaml")


@dataclass(frozen=True)
class Reason:
    """Why there is no plan: a kind for programs, a sentence or two, the place in the file, the parts it is about."""

    kind: str
    text: str
    file: str = ""
    line: int | None = None
    parts: tuple[str, ...] = ()
    board: tuple[str, ...] = ()  # of the state that the text speaks of


@dataclass(frozen=True)
class Scramble:
    """How a start came about: what was asked for, how far the walk got, and the start as a level may state it."""

    steps: int
    seed: int
    walked: int
    start: Mapping[str, Any]

    @property
    def words(self) -> str:
        """For people: how to repeat it."""
        steps = f"{self.walked} random step" + "s" * (self.walked != 1)
        stuck = ", then no action applied" if self.walked < self.steps else ""
        return f"the start is scrambled by {steps}{stuck}; repeat it with --scramble {self.steps} --seed {self.seed}"


@dataclass(frozen=True, repr=False)
class Report:
    """One run. `replay` is the referee's walk along the plan; `cost` is the one of the metric that was asked for."""

    command: str
    outcome: Outcome
    puzzle: str = ""
    level: str = ""
    backend: str = ""
    heuristic: str | None = None
    proven_by: tuple[str, ...] = ()
    metric: str = ""
    cost: int | None = None
    lower_bound: int | None = None
    plan: Plan | None = None
    operators: tuple[Operator, ...] = ()  # the plan in the task's numbers
    labels: tuple[str, ...] = ()
    words: Words = field(default_factory=dict)
    replay: Replay | None = None
    statistics: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    seed: int = 0
    rows: tuple[dict[str, Any], ...] | None = None
    summary: tuple[dict[str, Any], ...] | None = None  # of rows over several seeds
    exploration: dict[str, Any] | None = None  # the figures of a state space
    counterexamples: tuple[dict[str, Any], ...] = ()  # of claims: a state, an action, their boards
    certificate: dict[str, Any] | None = None  # where it is, its figures
    scramble: Scramble | None = None  # how the start came about, if it is not the level's own
    plan_count: dict[str, Any] | None = None  # the number of best plans, and what else was asked of them
    reasons: tuple[Reason, ...] | None = None  # of `explain`, the most telling first
    trace: dict[str, Any] | None = None  # of `trace`: its layers, and what else belongs to its last line

    @property
    def walked(self) -> tuple[State, ...]:
        """The states that the plan passes through, as the referee writes them; none without a plan."""
        return self.replay.states if self.replay else ()

    @property
    def states(self) -> tuple[Mapping[Any, Any], ...]:
        """The same; of a report that the library gives they are states that can be hashed and draw themselves."""
        return self.walked

    @property
    def expanded(self) -> int | None:
        """States that the search expanded; None where no search was at work."""
        return self.statistics.get("expanded")

    @property
    def generated(self) -> int | None:
        """States that the search generated, duplicates included."""
        return self.statistics.get("generated")

    def __repr__(self) -> str:
        cost = "" if self.cost is None else f"{self.metric} {self.cost}"
        about = (cost, self.puzzle, self.level and f"level {self.level}", self.backend)
        return f"<Report of {self.command}: {self.outcome}, {', '.join(filter(None, about)):.120}>"


def with_plan(puzzle: Puzzle, plan: Plan, replay: Replay) -> dict[str, Any]:
    """The fields of a report that a replayed plan fills."""
    labels = tuple(label(puzzle, state, step) for state, step in zip(replay.states, plan, strict=False))
    return {"plan": plan, "labels": labels, "words": puzzle.words, "replay": replay}


def as_json(report: Report) -> dict[str, Any]:
    """The object that `--json` prints."""
    return {**_always(report), **_found(report)}


def _always(report: Report) -> dict[str, Any]:
    """What every command tells."""
    return {
        "schema_version": SCHEMA_VERSION,
        "command": report.command,
        "puzzle": report.puzzle,
        "level": report.level,
        "backend": report.backend,
        "heuristic": report.heuristic,
        "outcome": str(report.outcome),
        "exit_code": report.outcome.exit_code,
        "proven_by": list(report.proven_by),
        "metric": report.metric,
        "cost": report.cost,
        "length": None if report.plan is None else len(report.plan),
        "lower_bound": report.lower_bound,
        "plan": None if report.plan is None else plan_steps(report),
        "statistics": report.statistics,
        "verdicts": report.verdicts,
        "notes": list(report.notes),
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in report.diagnostics],
        "versions": versions(),
        "seed": report.seed,
    }


def _found(report: Report) -> dict[str, Any]:
    """What only some runs have."""
    made: dict[str, Any] = {}
    if report.replay is not None and len(report.replay.costs) > 1:
        made["costs"] = report.replay.costs
    if report.replay is not None and not report.replay.valid:
        made["failure"] = {"step": report.replay.step, "reason": report.replay.reason}
    if report.rows is not None:
        made["rows"] = list(report.rows)
    if report.summary is not None:
        made["summary"] = list(report.summary)
    if report.exploration is not None:
        made["exploration"] = report.exploration
    if report.counterexamples:
        made["counterexamples"] = list(report.counterexamples)
    if report.certificate is not None:
        made["certificate"] = report.certificate
    if report.scramble is not None:
        made["scramble"] = asdict(report.scramble)
    if report.plan_count is not None:
        made |= report.plan_count
    if report.reasons is not None:
        made["reasons"] = [asdict(reason) for reason in report.reasons]
    if report.trace is not None:
        made |= report.trace
    return made


def plan_steps(report: Report) -> list[dict[str, Any]]:
    """The plan step by step, each with its label and costs."""
    assert report.plan is not None
    steps = [step_json(step, report.words) for step in report.plan]
    costs = report.replay.step_costs if report.replay else ()
    metric = report.metric.split(",")[0]
    for step, text in zip(steps, report.labels, strict=False):
        step["label"] = text
    for step, cost in zip(steps, costs, strict=False):
        step["cost"] = cost.get(metric)
        if len(cost) > 1:
            step["costs"] = cost
    return steps


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    place = diagnostic.location
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": place.source if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def missed_words(missed: Mapping[str, Any]) -> str:
    """A `known` value that was missed, for people."""
    return f"{missed['figure']}: known {missed['known']}, found {missed['found']}"


def versions() -> dict[str, str]:
    """The versions that an answer may depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for name in ("puzzlewright", *PACKAGES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
