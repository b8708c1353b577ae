"""`verify` and `check`: the referee on a plan, the proofs on what a file claims."""

from __future__ import annotations

from models.document import Document, read_document
from models.errors import Diagnostic, PuzzleError
from models.loader import load
from models.outcomes import Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from models.referee import replay
from puzzlewright.report import Report, with_plan


def verify(puzzle: Puzzle, plan: Plan, metric: str = "") -> Report:
    """`valid` or `refuted`, by the referee alone."""
    walked = replay(puzzle, plan)
    metric = metric or puzzle.metrics[0]
    if walked.valid:
        return Report("verify", Outcome.VALID, puzzle.name, puzzle.level, metric=metric, cost=walked.costs[metric],
                      **with_plan(puzzle, plan, walked))  # fmt: skip
    where = f"step {walked.step} fails" if walked.step <= len(walked.states) - 1 or walked.states else "it fails"
    if walked.reason.startswith("the goal"):
        where = f"after {len(plan)} steps"
    return Report("verify", Outcome.REFUTED, puzzle.name, puzzle.level, metric=metric, notes=(f"{where}: {walked.reason}",),
                  **with_plan(puzzle, plan, walked))  # fmt: skip


def check(text: str, source: str, *, prove: bool) -> tuple[Report, list[Puzzle]]:
    """Every level of a file parsed, typed and grounded; with `prove`, what it claims proven as far as can be."""
    document = read_document(text, source)
    puzzles: list[Puzzle] = []
    found: dict[tuple[str, object], Diagnostic] = {}
    for level in _levels(document):
        try:
            puzzles.append(load(document, text, source, level, {}, 0))
        except PuzzleError as error:
            for diagnostic in error.diagnostics:
                found.setdefault((diagnostic.message, diagnostic.location), diagnostic)
    if found:
        raise PuzzleError(found.values())
    verdicts = {name: words for puzzle in puzzles for name, words in _verdicts(puzzle, prove).items()}
    warnings = tuple({(w.message, w.location): w for p in puzzles for w in p.warnings}.values())
    return Report("check", Outcome.VALID, puzzles[0].name, verdicts=verdicts, diagnostics=warnings), puzzles


def _levels(document: Document) -> list[str | None]:
    return [str(level) for level in document.levels] or [None]


def _verdicts(puzzle: Puzzle, prove: bool) -> dict[str, str]:
    from puzzlewright.solving import Workbench

    bench = Workbench(puzzle)
    if not prove:
        return {}
    from search.knowledge import learn

    knowledge = learn(bench.task)
    level = f"{puzzle.level}: " if puzzle.level else ""
    found = {f"{level}invariant {name}": v for name, v in knowledge.invariants.items()}
    found |= {f"{level}heuristic {name}": v for name, v in knowledge.heuristics.items()}
    return {name: f"{verdict.status}: {verdict.reason}" for name, verdict in found.items()}
