"""`verify` and `check`: the referee on a plan, the proofs on what a file claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from models import expressions as e
from models.document import Document, read_document
from models.errors import Diagnostic, PuzzleError
from models.level_files import LevelFile
from models.loader import load_text
from models.outcomes import ENDLESS, Deadline, LimitReached, Outcome, Unsupported, outcome_of
from models.parts import conjuncts
from models.plan import Plan
from models.puzzle import Action, Condition, Puzzle
from models.referee import Replay, replay
from puzzlewright.analysis.batch import chosen
from puzzlewright.analysis.claims import Checked
from puzzlewright.analysis.known_values import missed_at_once, missed_soon, missed_together
from puzzlewright.analysis.resting import lost_moves
from puzzlewright.report import About, Report, Solution
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from models.claims import Verdict
    from models.task import Task
    from puzzlewright.analysis.claims import Claims, Finding, Idle
    from search.proofs.symmetry import Symmetry


EDGE_SECONDS = 2.0  # for all conditions that may be false at the edge
EVERY_EXCHANGE = "every exchange maps the level onto itself"


def verify(puzzle: Puzzle, plan: Plan, metric: str = "") -> Report:
    """`valid` or `refuted`, by the referee alone."""
    walked = replay(puzzle, plan)
    metric = metric or puzzle.metrics[0]
    seen = Solution.of(puzzle, plan, walked, walked.costs[metric] if walked.valid else None)
    if walked.valid:
        return Report("verify", Outcome.VALID, About.of(puzzle, metric), solution=seen)
    return Report("verify", Outcome.REFUTED, About.of(puzzle, metric), solution=seen, notes=(_failure(walked, plan),))


def _failure(walked: Replay, plan: Plan) -> str:
    if len(walked.states) <= len(plan):
        return f"step {walked.step} of {len(plan)} fails: {walked.reason}"
    return f"after {len(plan)} steps {walked.reason}"


def check(text: str, source: str, *, prove: bool, patterns: Sequence[str] = (), level_file: LevelFile | None = None,
          deadline: Deadline = ENDLESS, derived: bool = False) -> Report:  # fmt: skip
    """The chosen levels of a file parsed, typed and grounded; with `prove`, what they claim proven as far as can be,
    and with `derived` that what is derived of them is an estimate."""
    document = read_document(text, source)
    names = chosen(document, patterns, level_file)
    found: dict[tuple[str, object], Diagnostic] = {}
    benches: list[Workbench] = []
    stopped: Outcome | None = None
    try:
        for level in names:
            try:
                benches.append(
                    Workbench(load_text(text, source, level or None, level_file=level_file), deadline=deadline)
                )
            except PuzzleError as error:
                for diagnostic in error.diagnostics:
                    found.setdefault((diagnostic.message, diagnostic.location), diagnostic)
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)
    if found:
        raise PuzzleError(found.values())
    if stopped is not None:
        return _unfinished(document, stopped, len(benches), len(names))
    puzzles = [bench.puzzle for bench in benches]
    warnings = {(w.message, w.location): w for puzzle in puzzles for w in puzzle.warnings}
    which = _which(document, len(names) < len(chosen(document, (), level_file)))
    diagnostics = (*warnings.values(), *_no_rows(benches, which), *_undefined_sides(benches),
                   *lost_moves(puzzles, deadline))  # fmt: skip
    levels = f"{len(benches)} level" + "s" * (len(benches) != 1)
    report = Report("check", Outcome.VALID, About(puzzles[0].name), notes=(levels,), diagnostics=diagnostics,
                    payloads=(Checked(),))  # fmt: skip
    known = _Known()
    for bench in benches:
        known.add_missed(bench, missed_at_once(bench))
    for bench, figure, words in missed_together(document, benches) if level_file is None else ():
        known.add_missed(bench, {figure: words})
    if prove:
        return _proven(benches, report, which, known, derived)
    return replace(report, outcome=known.outcome, verdicts=known.missed)


def _unfinished(document: Document, stopped: Outcome, done: int, whole: int) -> Report:
    notes = (f"{done} of {whole} levels are in order, the others were not looked at",)
    return Report("check", stopped, About(str(document.puzzle)), notes=notes)


def _proven(benches: list[Workbench], report: Report, which: str, known: _Known, derived: bool) -> Report:
    """The report with what is known about every claim, on every level and for every metric that a claim names."""
    try:
        for bench, suffix, claims in _asked(benches):
            for found in claims.findings(partial(_claimed, bench, suffix=suffix)):
                known.add(bench, found, suffix)
            if derived and not suffix and bench.deadline.left != 0:
                known.add_derived(bench, claims)
            if not suffix and bench.deadline.left != 0:
                known.add_besides(bench, claims)
                known.add_missed(bench, *missed_soon(bench, claims))
    except LimitReached:
        known.open = True
    except KeyboardInterrupt:
        known.interrupted = True
    idle = known.idle if len(known.idle) == len(benches) else [{} for _ in benches]  # not known of all levels
    return replace(
        report,
        outcome=known.outcome,
        verdicts={**_by_claim(known.verdicts, len(benches)), **known.missed},
        payloads=(Checked(tuple(known.examples.values())),),
        notes=(*report.notes, *_idle_choices(benches, idle), *known.problems),
        diagnostics=(*report.diagnostics, *_never(benches, idle, which), *known.warnings.values()),
    )


class _Known:
    """What has been found so far."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[Puzzle, str, Verdict]] = []
        self.missed: dict[str, str] = {}  # known values, by figure and level
        self.examples: dict[str, dict[str, Any]] = {}
        self.problems: list[str] = []
        self.warnings: dict[str, Diagnostic] = {}
        self.idle: list[dict[str, Idle]] = []
        self.open = self.refuted = self.interrupted = False

    @property
    def outcome(self) -> Outcome:
        if self.problems:
            return Outcome.DISAGREEMENT
        if self.refuted or self.missed:
            return Outcome.REFUTED
        return Outcome.INTERRUPTED if self.interrupted else Outcome.UNPROVEN if self.open else Outcome.VALID

    def add(self, bench: Workbench, found: Finding, suffix: str) -> None:
        """About one claim, for the metric that the suffix names."""
        claimed, name = _claimed(bench, found.name, suffix), found.name + suffix
        if suffix and not claimed:
            return
        self.verdicts.append((bench.puzzle, name, found.verdict))
        self.refuted |= claimed and found.verdict.status == "refuted"
        self.open |= claimed and not found.verdict.proven
        if found.example is not None:
            self.examples.setdefault(name, found.example | {"claim": name})
        if found.disagreement:
            self.problems.append(f"{found.name} on {bench.puzzle.level or bench.puzzle.name}: {found.disagreement}")

    def add_derived(self, bench: Workbench, claims: Claims) -> None:
        """About what is derived of a level, if anything is."""
        from puzzlewright.analysis.derived_claims import NOTHING, finding

        found = finding(claims)
        self.add(bench, found, "")
        self.refuted |= found.verdict.status == "refuted"
        self.open |= not found.verdict.proven and not found.verdict.reason.startswith(NOTHING)

    def add_missed(self, bench: Workbench, missed: Mapping[str, str], disagreement: bool = False) -> None:
        """About what the level says to be known; of a figure what was found first."""
        for figure, words in missed.items():
            self.missed.setdefault(f"known {figure} on {bench.puzzle.level}", f"refuted: {words}")
        if disagreement:
            self.problems.append(f"known values on {bench.puzzle.level or bench.puzzle.name}: a search ends so")

    def add_besides(self, bench: Workbench, claims: Claims) -> None:
        """About symmetries and actions."""
        self.verdicts += [(bench.puzzle, name, verdict) for name, verdict in _symmetries(bench)]
        self.idle.append(claims.idle_actions())
        for warning, example in claims.clashes():
            self.warnings.setdefault(warning.message, warning)
            self.examples.setdefault(example["claim"], example)
            if not example.get("conflict"):
                self.problems.append(f"{example['claim']}: the referee does not see effects clash")


def _asked(benches: list[Workbench]) -> Iterator[tuple[Workbench, str, Claims]]:
    """The claims of each level for its first metric, then (with a suffix that says so) for each other one named."""
    from puzzlewright.analysis.claims import Claims

    for bench in benches:
        yield bench, "", Claims(bench)
        named = dict.fromkeys(_claim_metric(bench.puzzle, h.claim) for h in bench.puzzle.heuristics)
        for metric in (metric for metric in named if metric in bench.puzzle.metrics[1:]):
            yield bench, f" for {metric}", Claims(Workbench(bench.puzzle, (metric,), bench.deadline))


def _claim_metric(puzzle: Puzzle, claim: str) -> str:
    """The metric that a claim is about; empty without a claim."""
    return (claim.partition(" for ")[2] or puzzle.metrics[0]) if claim else ""


def _claimed(bench: Workbench, name: str, suffix: str) -> bool:
    """Does the file claim that, for the metric that the suffix names (none: the first)?"""
    metric = suffix.removeprefix(" for ") or bench.puzzle.metrics[0]
    claims = (_claim_metric(bench.puzzle, h.claim) for h in bench.puzzle.heuristics if name == f"heuristic {h.name}")
    return metric in claims if name.startswith("heuristic ") else not suffix


def _never(benches: list[Workbench], idle: list[dict[str, Idle]], which: str) -> Iterator[Diagnostic]:
    """Actions that have rows on some level, and never apply on any."""
    for number, action in enumerate(benches[0].puzzle.actions):
        found = [each.get(action.name) for bench, each in zip(benches, idle, strict=True)
                 if bench.task.schemas[number].rows]  # fmt: skip
        if found and all(each is not None and each.never == each.whole for each in found):
            message = f"`{action.name}` never applies in a state that can be reached{which}"
            yield Diagnostic(message, action.location, severity="warning", code="W503")


def _idle_choices(benches: list[Workbench], idle: list[dict[str, Idle]]) -> Iterator[str]:
    """For each action, on how many of its values it never applies."""
    for action in benches[0].puzzle.actions:
        found = [(bench.puzzle.level, each[action.name]) for bench, each in zip(benches, idle, strict=True)
                 if action.name in each]  # fmt: skip
        if found:
            counts = ", ".join(f"{never}" + (f" on {level}" if level else "") for level, never in found)
            yield f"{action.name}: choices of parameters with which it never applies: {counts}"


def _no_rows(benches: list[Workbench], which: str) -> Iterator[Diagnostic]:
    """Actions that no level can ever use."""
    idle = [{schema.name for schema in bench.task.schemas if not schema.rows} for bench in benches]
    for action in benches[0].puzzle.actions:
        if action.name in set.intersection(*idle):
            message = f"no level has values with which `{action.name}` could apply{which}"
            yield Diagnostic(message, action.location, severity="warning", code="W503")


def _undefined_sides(benches: list[Workbench]) -> Iterator[Diagnostic]:
    """Conditions `a != b` by which alone an action does not apply where a side is undefined."""
    clock = benches[0].deadline.within(EDGE_SECONDS)
    for number, action in enumerate(benches[0].puzzle.actions):
        for place, part in enumerate(_inequalities(action)):
            bench = next(
                (each for each in benches if clock.left != 0 and _applies_without(each, number, place, clock)), None
            )
            if bench is not None:
                where = f" on {bench.puzzle.level}" if bench.puzzle.level else ""
                message = (f"`{part.words}` is false where a side of it is undefined, as off the board, and nothing "
                           f"else keeps `{action.name}` from applying there{where}")  # fmt: skip
                hint = f"if it shall apply there write `not ({part.words.replace('!=', '==', 1)})`"
                yield Diagnostic(message, part.location, hint, severity="warning", code="W505")


def _inequalities(action: Action) -> list[Condition]:
    """The conjuncts of `when` that are a plain `a != b`."""
    parts = (part for condition in action.when for part in conjuncts(condition))
    return [part for part in parts if isinstance(part.expression, e.Equal) and part.expression.negated]


def _applies_without(bench: Workbench, number: int, place: int, clock: Deadline) -> bool:
    """Has the action instances where its inequality of that place is undefined, all other conditions as they are?"""
    from models.grounding import ground

    puzzle, action = bench.puzzle, bench.puzzle.actions[number]
    part = _inequalities(action)[place]
    assert isinstance(part.expression, e.Equal)
    neither = tuple(replace(part, expression=e.Negation(e.Truth(replace(part.expression, negated=negated))))
                    for negated in (False, True))  # fmt: skip
    others = [each for condition in action.when for each in conjuncts(condition)
              if (each.words, each.location) != (part.words, part.location)]  # fmt: skip
    probe = replace(action, when=(*others, *neither))
    try:
        probed = replace(puzzle, actions=(probe,), interchangeable=(), mirrors=(), fingerprint="")
        task = ground(probed, bench.metrics, clock)
        return bool(task.rows) and _may_apply(task, clock)
    except (PuzzleError, LimitReached):
        return False


def _may_apply(task: Task, clock: Deadline) -> bool:
    """Does CP-SAT find a state in which a row applies, in the time there is? In doubt nothing is said."""
    from encoders.induction import Prover

    prover = Prover(task, (), EDGE_SECONDS)
    return any(clock.left != 0 and prover.applies(place).status == "refuted" for place in task.rows)


def _which(document: Document, some: bool) -> str:
    """Behind a sentence about all levels: which levels these are, if not all, and which data."""
    levels = ["of the levels that were chosen"] if some else []
    drawn = ["with the data that seed 0 draws"] if document.draw else []
    return "".join(f", {words}" for words in (*levels, *drawn))


def _symmetries(bench: Workbench) -> Iterator[tuple[str, Verdict]]:
    """Which types have objects that may be exchanged; a remark says how far, and why searches make no use of it."""
    from models.claims import Verdict

    found = bench.symmetry
    if not found:
        return
    unused = _unused(bench, found)
    for said in bench.task.symmetries:
        prefix = f"symmetry of {said.type} is "
        remark = next((note.removeprefix(prefix) for note in found.notes if note.startswith(prefix)), "")
        if said.type in unused:
            told = remark.removeprefix("used ") or EVERY_EXCHANGE
            yield f"symmetry {said.type}", Verdict("proven", f"{told}; in searches it is {unused[said.type]}", 0)
        elif said.type in found.types:
            yield f"symmetry {said.type}", Verdict("proven", remark or EVERY_EXCHANGE, 0)
        elif remark:
            yield f"symmetry {said.type}", Verdict("unknown", remark, 0)


def _unused(bench: Workbench, symmetry: Symmetry) -> Mapping[str, str]:
    """The types with a proven symmetry that the compiled task cannot use, or not all of it, and why."""
    try:
        return bench.machine(symmetry).unused
    except Unsupported as reason:
        return dict.fromkeys(symmetry.types, f"not used: {reason}")


def _by_claim(verdicts: list[tuple[Puzzle, str, Verdict]], levels: int) -> dict[str, str]:
    """What was found about each claim; with the levels' names where it is not the same for all."""
    groups: dict[tuple[str, str], dict[str, str]] = {}  # (claim, status) -> the reason on each level
    for puzzle, name, verdict in verdicts:
        groups.setdefault((name, verdict.status), {})[puzzle.level] = verdict.reason
    found = {}
    for (name, status), reasons in groups.items():
        level, reason = next(iter(reasons.items()))
        example = f"for example on {level}: " if len(set(reasons.values())) > 1 else ""
        found[name if len(reasons) == levels else f"{name} on {', '.join(reasons)}"] = f"{status}: {example}{reason}"
    return found
