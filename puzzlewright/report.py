"""What a run came to, in one shape for text, JSON and the library."""

from __future__ import annotations

import platform
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar

from models.errors import Diagnostic
from models.frozen import frozen
from models.interpreter import State
from models.outcomes import Operator, Outcome
from models.plan import Plan, Words, step_json
from models.puzzle import Puzzle
from models.referee import Replay, label
from models.statics import freeze
from models.values import show
from search.cache import installed

SCHEMA_VERSION = 1
PACKAGES = ("ortools", "pydantic", "pyyaml")


Facts = Iterable[tuple[str, str]]  # names and words, for lines of a summary
P = TypeVar("P", bound="Payload")


@frozen(eq=True)
class About:
    """What a report is about, and who was asked."""

    puzzle: str = ""
    level: str = ""
    metric: str = ""  # what is minimised: one, or several separated by commas
    backend: str = ""
    heuristic: str | None = None
    seed: int = 0

    @classmethod
    def of(cls, puzzle: Puzzle, metric: str = "", backend: str = "", seed: int = 0) -> About:
        return cls(puzzle.name, puzzle.level, metric, backend, None, seed)


@frozen(eq=True)
class Solution:
    """A plan in the words of its puzzle, and the referee's walk along it."""

    plan: Plan
    labels: tuple[str, ...]
    words: Words
    replay: Replay
    cost: int | None  # in the first metric, as far as the plan goes; None where `verify` refuses it
    operators: tuple[Operator, ...] = ()  # the plan in the task's numbers

    @classmethod
    def of(cls, puzzle: Puzzle, plan: Plan, replay: Replay, cost: int | None,
           operators: tuple[Operator, ...] = ()) -> Solution:  # fmt: skip
        """A plan that the referee has replayed."""
        labels = tuple(label(puzzle, state, step) for state, step in zip(replay.states, plan, strict=False))
        return cls(plan, labels, puzzle.words, replay, cost, operators)


class Payload:
    """What a command found besides a plan: what it adds to the object of `--json`, and to the text."""

    alone: ClassVar[bool] = False  # is its text all that is printed?

    def as_json(self) -> dict[str, object]:
        raise NotImplementedError

    def headline(self, report: Report) -> str:
        """What the answer is in one line; empty: as for any command."""
        return ""

    def facts(self, report: Report) -> Facts:
        """Lines of the summary."""
        return ()

    def as_text(self, report: Report) -> Iterable[str]:
        """Lines below the summary."""
        return ()

    def reproducible(self) -> Payload:
        """Without what differs from run to run."""
        return self


@frozen(eq=True)
class Table(Payload):
    """Rows as `--json` has them; their text is all that is printed."""

    rows: tuple[Mapping[str, Any], ...]
    alone = True

    def as_json(self) -> dict[str, object]:
        return {"rows": list(self.rows)}


@frozen(eq=True)
class Reason:
    """Why there is no plan: a kind for programs, a sentence or two, the place in the file, the parts it is about."""

    kind: str
    text: str
    file: str = ""
    line: int | None = None
    parts: tuple[str, ...] = ()
    board: tuple[str, ...] = ()  # of the state that the text speaks of


@frozen(eq=True)
class Reasons(Payload):
    """The most telling first."""

    reasons: tuple[Reason, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {"reasons": [asdict(reason) for reason in self.reasons]}

    def as_text(self, report: Report) -> Iterable[str]:
        """Numbered, with the boards that they speak of."""
        for number, reason in enumerate(self.reasons, 1):
            yield ""
            head = f"{number:>3}. "
            text = f"{reason.file}:{reason.line}: {reason.text}" if reason.line else reason.text
            yield from textwrap.wrap(text, line_width(), initial_indent=head, subsequent_indent=" " * len(head),
                                     break_on_hyphens=False)  # fmt: skip
            yield from (f"       {line}" for line in reason.board)


def terminal_width() -> int | None:
    """The columns of the terminal that stdout is; None where it is none, and lines may be as long as they like."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def line_width() -> int:
    """Of a text that is wrapped."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120) - 1)


@frozen(eq=True)
class Scramble(Payload):
    """How a start came about: what was asked for, how far the walk got, and the start as a level may state it."""

    steps: int
    seed: int
    walked: int
    start: Mapping[str, object]

    @property
    def words(self) -> str:
        """For people: how to repeat it."""
        steps = f"{self.walked} random step" + "s" * (self.walked != 1)
        stuck = ", then no action applied" if self.walked < self.steps else ""
        return f"the start is scrambled by {steps}{stuck}; repeat it with --scramble {self.steps} --seed {self.seed}"

    def as_json(self) -> dict[str, object]:
        return {"scramble": asdict(self)}


@frozen(eq=True)
class Hint(Payload):
    """A line in the text that says where to go on."""

    text: str

    def as_json(self) -> dict[str, object]:
        return {}

    def as_text(self, report: Report) -> Iterable[str]:
        yield f"  {'note':<12} {self.text}"


EXPLAIN = Hint("`puzzlewright explain` tells why")


@dataclass(frozen=True, repr=False)
class Report:
    """One run: a verdict, by whom, on what, the plan if there is one, and what else the command found."""

    command: str
    outcome: Outcome
    about: About = About()
    proven_by: tuple[str, ...] = ()
    lower_bound: int | None = None
    solution: Solution | None = None
    statistics: Mapping[str, object] = field(default_factory=dict)
    verdicts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    payloads: tuple[Payload, ...] = ()

    def payload(self, kind: type[P]) -> P | None:
        """What was found of this kind."""
        return next((each for each in self.payloads if isinstance(each, kind)), None)

    def having(self, found: Payload) -> Self:
        """The report with this in place of what it has of the same kind."""
        others = tuple(each for each in self.payloads if type(each) is not type(found))
        return replace(self, payloads=(*others, found))

    def noting(self, *notes: str) -> Self:
        """The report with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def counted(self, name: str) -> int | None:
        """A figure of the statistics; None where there is none of that name."""
        found = self.statistics.get(name)
        return found if isinstance(found, int) else None

    def seconds(self, name: str) -> float:
        """A time of the statistics; 0 where there is none of that name."""
        found = self.statistics.get(name)
        return float(found) if isinstance(found, int | float) else 0.0

    # -- what is asked for often -----------------------------------------------------------------------------------

    @property
    def puzzle(self) -> str:
        return self.about.puzzle

    @property
    def level(self) -> str:
        return self.about.level

    @property
    def metric(self) -> str:
        return self.about.metric

    @property
    def backend(self) -> str:
        return self.about.backend

    @property
    def heuristic(self) -> str | None:
        return self.about.heuristic

    @property
    def seed(self) -> int:
        return self.about.seed

    @property
    def plan(self) -> Plan | None:
        return None if self.solution is None else self.solution.plan

    @property
    def cost(self) -> int | None:
        """Of the plan, in the metric that is minimised first."""
        return None if self.solution is None else self.solution.cost

    @property
    def labels(self) -> tuple[str, ...]:
        """The steps of the plan in words."""
        return () if self.solution is None else self.solution.labels

    @property
    def replay(self) -> Replay | None:
        """The referee's walk along the plan."""
        return None if self.solution is None else self.solution.replay

    @property
    def operators(self) -> tuple[Operator, ...]:
        return () if self.solution is None else self.solution.operators

    @property
    def walked(self) -> tuple[State, ...]:
        """The states that the plan passes through, as the referee writes them; none without a plan."""
        return () if self.solution is None else self.solution.replay.states

    @property
    def states(self) -> Sequence[Mapping[Any, Any]]:
        """The same; of a report that the library gives they are states that can be hashed and draw themselves."""
        return self.walked

    @property
    def expanded(self) -> int | None:
        """States that the search expanded; None where no search was at work."""
        return self.counted("expanded")

    @property
    def generated(self) -> int | None:
        """States that the search generated, duplicates included."""
        return self.counted("generated")

    def __repr__(self) -> str:
        cost = "" if self.cost is None else f"{self.metric} {self.cost}"
        about = (cost, self.puzzle, self.level and f"level {self.level}", self.backend)
        return f"<Report of {self.command}: {self.outcome}, {', '.join(filter(None, about)):.120}>"


def explained_by(report: Report) -> Report:
    """The report; where there is no plan its text says what tells why."""
    return report.having(EXPLAIN) if report.outcome is Outcome.UNSOLVABLE else report


def as_json(report: Report) -> dict[str, object]:
    """The object that `--json` prints."""
    found = {**_always(report), **_walk(report)}
    for payload in report.payloads:
        found |= payload.as_json()
    return found


def _always(report: Report) -> dict[str, object]:
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
        "plan": None if report.solution is None else plan_steps(report.solution, report.metric),
        "statistics": report.statistics,
        "verdicts": report.verdicts,
        "notes": list(report.notes),
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in report.diagnostics],
        "versions": versions(),
        "seed": report.seed,
    }


def _walk(report: Report) -> dict[str, object]:
    """What only some plans have."""
    made: dict[str, object] = {}
    if report.replay is not None and len(report.replay.costs) > 1:
        made["costs"] = report.replay.costs
    if report.replay is not None and not report.replay.valid:
        made["failure"] = {"step": report.replay.step, "reason": report.replay.reason}
    return made


def plan_steps(solution: Solution, metric: str) -> list[dict[str, object]]:
    """The plan step by step, each with its label and costs."""
    steps = [step_json(step, solution.words) for step in solution.plan]
    first = metric.split(",")[0]
    for step, text in zip(steps, solution.labels, strict=False):
        step["label"] = text
    for step, cost in zip(steps, solution.replay.step_costs, strict=False):
        step["cost"] = cost.get(first)
        if len(cost) > 1:
            step["costs"] = cost
    return steps


def _diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
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


def missed_words(missed: Mapping[str, object]) -> str:
    """A `known` value that was missed, for people."""
    return f"{missed['figure']}: known {show(freeze(missed['known']))}, found {missed['found']}"


def versions() -> dict[str, str]:
    """The versions that an answer may depend on."""
    packages = {name: installed(name) for name in ("puzzlewright", *PACKAGES)}
    return {"python": platform.python_version(), **packages}
