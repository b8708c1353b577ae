"""`verify` and `check`: the referee on a plan, the proofs on what a file claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from models.document import read_document
from models.errors import Diagnostic, PuzzleError
from models.loader import load
from models.outcomes import Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from models.referee import Replay, replay
from puzzlewright.report import Report, with_plan
from puzzlewright.solving import Workbench

if TYPE_CHECKING:
    from search.verdicts import Verdict


def verify(puzzle: Puzzle, plan: Plan, metric: str = "") -> Report:
    """`valid` or `refuted`, by the referee alone."""
    walked = replay(puzzle, plan)
    metric = metric or puzzle.metrics[0]
    fields = {"metric": metric, **with_plan(puzzle, plan, walked)}
    if walked.valid:
        return Report("verify", Outcome.VALID, puzzle.name, puzzle.level, cost=walked.costs[metric], **fields)
    return Report("verify", Outcome.REFUTED, puzzle.name, puzzle.level, notes=(_failure(walked, plan),), **fields)


def _failure(walked: Replay, plan: Plan) -> str:
    if len(walked.states) <= len(plan):
        return f"step {walked.step} of {len(plan)} fails: {walked.reason}"
    return f"after {len(plan)} steps {walked.reason}"


def check(text: str, source: str, *, prove: bool) -> Report:
    """Every level of a file parsed, typed and grounded; with `prove`, what it claims proven as far as can be."""
    document = read_document(text, source)
    found: dict[tuple[str, object], Diagnostic] = {}
    benches: list[Workbench] = []
    for level in map(str, document.levels) if document.levels else (None,):
        try:
            benches.append(Workbench(load(document, text, source, level, {}, 0)))
        except PuzzleError as error:
            for diagnostic in error.diagnostics:
                found.setdefault((diagnostic.message, diagnostic.location), diagnostic)
    if found:
        raise PuzzleError(found.values())
    puzzles = [bench.puzzle for bench in benches]
    warnings = {(w.message, w.location): w for puzzle in puzzles for w in puzzle.warnings}
    diagnostics = (*warnings.values(), *_idle_actions(benches))
    levels = f"{len(benches)} level" + "s" * (len(benches) != 1)
    if not prove:
        return Report("check", Outcome.VALID, puzzles[0].name, notes=(levels,), diagnostics=diagnostics)
    verdicts = [(bench.puzzle, name, verdict) for bench in benches for name, verdict in _verdicts(bench)]
    claimed = {f"heuristic {h.name}" for h in puzzles[0].heuristics if h.claim}
    claimed |= {f"invariant {invariant.name}" for invariant in puzzles[0].invariants}
    open_claims = any(name in claimed and not verdict.proven for _, name, verdict in verdicts)
    outcome = Outcome.UNPROVEN if open_claims else Outcome.VALID
    return Report("check", outcome, puzzles[0].name, verdicts=_by_claim(verdicts, len(benches)), notes=(levels,),
                  diagnostics=diagnostics)  # fmt: skip


def _idle_actions(benches: list[Workbench]) -> Iterator[Diagnostic]:
    """Actions that no level can ever use."""
    idle = [{schema.name for schema in bench.task.schemas if not schema.rows} for bench in benches]
    for action in benches[0].puzzle.actions:
        if action.name in set.intersection(*idle):
            message = f"no level has values with which `{action.name}` could apply"
            yield Diagnostic(message, action.location, severity="warning", code="W503")


def _verdicts(bench: Workbench) -> Iterator[tuple[str, Verdict]]:
    from search.knowledge import learn

    knowledge = learn(bench.task)
    yield from ((f"invariant {name}", verdict) for name, verdict in knowledge.invariants.items())
    yield from ((f"heuristic {name}", verdict) for name, verdict in knowledge.heuristics.items())
    yield from _symmetries(bench)


def _symmetries(bench: Workbench) -> Iterator[tuple[str, Verdict]]:
    """Which types have objects that may be exchanged; a remark says how far."""
    from search.verdicts import Verdict

    found = bench.symmetry
    for said in bench.task.symmetries if found else ():
        prefix = f"symmetry of {said.type} is "
        remark = next((note.removeprefix(prefix) for note in found.notes if note.startswith(prefix)), "")
        if said.type in found.types:
            yield f"symmetry {said.type}", Verdict("proven", remark or "every exchange maps the level onto itself", 0)
        elif remark:
            yield f"symmetry {said.type}", Verdict("unknown", remark, 0)


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
