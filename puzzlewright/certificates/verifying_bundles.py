"""`verify DIR`: a certificate checked again, from nothing but its own files.

Its manifest is believed only where it says what the puzzle is read from: level, settings, seed, metric. All else
follows from the puzzle and the plan; it is made anew and has to be the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from models.data import parse_setting
from models.errors import Diagnostic, PuzzleError
from models.loader import load_text
from models.outcomes import LimitReached, Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.analysis.verifying import verify
from puzzlewright.certificates import bundle, recheck
from puzzlewright.certificates.bundle import (
    FORMAT,
    FORMAT_VERSION,
    FORMULA,
    INVARIANT,
    LISTED,
    LRAT,
    MANIFEST,
    PLAN,
    PROOF,
    PUZZLE,
    Source,
)
from puzzlewright.certificates.recheck import Refused
from puzzlewright.files.library import read_text
from puzzlewright.files.planfiles import read_plan
from puzzlewright.report import About, Report
from puzzlewright.solving.request import Progress
from puzzlewright.solving.workbench import Workbench
from search.cache import program

TOO_DEEP = "something in it is nested too deeply to be checked here"


class OtherVersion(Exception):
    """A file is not as this version makes it, but it was another version that made it."""


def verify_bundle(
    folder: Path, time_limit: float | None = None, progress: Progress | None = None
) -> tuple[Puzzle | None, Report]:
    """(the puzzle where it could be read; `valid` or not, with what was established step by step).

    PuzzleError where a file is missing or cannot be read.
    """
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    examination = Examination(folder, deadline, progress)
    outcome, why = Outcome.VALID, ""
    try:
        examination.run()
    except (Refused, Unsupported) as reason:
        outcome, why = Outcome.REFUTED, str(reason)
    except OtherVersion as reason:
        outcome, why = Outcome.UNPROVEN, str(reason)
    except RecursionError:
        outcome, why = Outcome.UNPROVEN, TOO_DEEP
    except (TimeoutError, LimitReached):
        outcome = Outcome.TIME_LIMIT
    except KeyboardInterrupt:
        outcome = Outcome.INTERRUPTED
    except OSError as error:
        raise _unreadable(error.filename or folder, error.strerror or str(error)) from None
    notes = (*examination.established, *[why] * bool(why))
    return examination.puzzle, replace(examination.report, outcome=outcome, notes=notes)


class Examination:
    """The steps of the check, each of which adds to what is `established`."""

    def __init__(self, folder: Path, deadline: float | None, progress: Progress | None = None) -> None:
        self.folder, self.deadline, self.progress = folder, deadline, progress
        self.established: list[str] = []
        self.files: tuple[str, ...] = ()
        self.puzzle: Puzzle | None = None
        self.report = Report("verify", Outcome.VALID, payloads=(bundle.CheckedAgain({"directory": str(folder)}),))

    def run(self) -> None:
        """Refused, Unsupported or OtherVersion where the certificate does not hold."""
        self._find((MANIFEST,))
        told = _manifest(self.folder / MANIFEST)
        kind, planned = told.get("kind", LRAT), told["costs"] is not None
        self.files = bundle.files_of(kind, planned, len(told["invariants"]) if kind == INVARIANT else 0)
        self._find(self.files)
        names = recheck.check_digests(self.folder)
        self.established.append(f"digests: {len(names)} files are those that {MANIFEST} tells of")
        source = Source(self.text(PUZZLE), told["level"], tuple(told["settings"]), told["seed"])
        puzzle, metrics = self._load(source, told)
        if planned:
            self._replay(puzzle, metrics, told)
        if kind == LRAT:
            self._check_proof()
            self._compare(bundle.bench_of(puzzle, metrics, self.deadline), source, told)
            return
        if kind == INVARIANT:
            from puzzlewright.certificates.invariant_certificates import examine
        else:
            from puzzlewright.certificates.state_certificates import examine
        examine(self, puzzle, metrics, source, told)

    def _find(self, names: Iterable[str]) -> None:
        for name in names:
            if not (self.folder / name).is_file():
                raise _unreadable(self.folder / name, "a certificate has such a file")

    def text(self, name: str) -> str:
        return read_text(str(self.folder / name))

    def _load(self, source: Source, told: Mapping[str, Any]) -> tuple[Puzzle, tuple[str, ...]]:
        """The puzzle and the metrics that are asked for; nothing comes from the disk cache."""
        metrics = tuple(told["metric"].split(","))
        settings = dict(map(parse_setting, source.settings))
        puzzle = load_text(source.text, str(self.folder / PUZZLE), source.level, settings, source.seed)
        if unknown := [metric for metric in metrics if metric not in puzzle.metrics]:
            raise Refused(f"{MANIFEST}: the puzzle has no metric {', '.join(unknown)}")
        self.puzzle = puzzle
        self.report = replace(self.report, about=About.of(puzzle, told["metric"]))
        return puzzle, metrics

    def _replay(self, puzzle: Puzzle, metrics: tuple[str, ...], told: Mapping[str, Any]) -> None:
        """The referee on the plan."""
        plan = read_plan(str(self.folder / PLAN), self.text(PLAN), puzzle)
        judged = verify(puzzle, plan, metrics[0])
        self.report = replace(judged, payloads=self.report.payloads)
        if judged.outcome is not Outcome.VALID or judged.replay is None:
            raise Refused(f"{PLAN}: {judged.notes[0]}")
        found = {"length": len(plan), "costs": {metric: judged.replay.costs[metric] for metric in metrics}}
        for key, value in found.items():
            if told.get(key) != value:
                raise Refused(f"{MANIFEST}: {key} is {_short(told.get(key))}, but the plan's is {_short(value)}")
        steps = f"{len(plan)} step" + "s" * (len(plan) != 1)
        self.established.append(f"plan: the referee replays its {steps} and reaches the goal, cost {judged.cost}")

    def _compare(self, bench: Workbench, source: Source, told: Mapping[str, Any]) -> None:
        """What follows from puzzle and plan, made anew."""
        from encoders.certified import something_cheaper

        assert self.report.plan is not None and self.report.replay is not None
        plan, costs = self.report.plan, self.report.replay.costs
        certified = something_cheaper(bench.task, bench.scale.costs(costs), self.deadline)
        stated = bundle.statement(bench, source, certified, plan, costs)
        self.same(stated, bundle.texts(bench, source, certified, plan, costs), told)
        clauses = f"{len(certified.form.clauses):,} clauses"
        self.established.append(f"formula: {FORMULA}, encoded anew from the puzzle, is the same ({clauses})")

    def same(self, stated: Mapping[str, Any], texts: Mapping[str, str], told: Mapping[str, Any]) -> None:
        """Refused, or OtherVersion, where the manifest or a file is not as it is made anew, or there is more."""
        said = {key: value for key, value in told.items() if key not in ("versions", "sha256")}
        for key in {**stated, **said}:
            if key not in said or key not in stated or not _same(said[key], stated[key]):
                raise self._differs(f"{MANIFEST}, {key}", told)
        for name, text in texts.items():
            if place := _difference(self.text(name), text):
                raise self._differs(f"{name}, line {place}", told)
        if more := sorted(told["sha256"].keys() - {*self.files}):
            raise self._differs(more[0], told)

    @property
    def costs(self) -> dict[str, int]:
        """Those of the plan; none without one."""
        return {} if self.report.replay is None else self.report.replay.costs

    def tell(self, established: str, figures: Mapping[str, Any]) -> None:
        self.established.append(established)
        known = self.report.payload(bundle.CheckedAgain)
        self.report = self.report.having(bundle.CheckedAgain({**(known.figures if known else {}), **figures}))

    def _differs(self, where: str, told: Mapping[str, Any]) -> Exception:
        given = PUZZLE if self.report.plan is None else f"{PUZZLE} and {PLAN}"
        differs = f"{where}: this is not what follows from {given}"
        made_by = told["versions"].get("program")
        if made_by == program(bundle.MADE_BY):
            return Refused(differs)
        version = f"{told['versions'].get('puzzlewright')} ({made_by})"
        return OtherVersion(f"{differs} here; another version of puzzlewright has made it, {version}, which may tell")

    def _check_proof(self) -> None:
        found = recheck.check(self.folder / FORMULA, self.folder / PROOF, self.deadline)
        figures = {"clauses": found.clauses, "proof_lines": found.lines}
        self.tell(f"proof: {found.lines:,} lines derive the empty clause; the formula has no model", figures)


def _manifest(path: Path) -> dict[str, Any]:
    """The manifest, with the right types where it is believed."""
    try:
        told = json.loads(read_text(str(path)), object_pairs_hook=_once)
        right = type(told) is dict and _is_right(told)
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise _unreadable(path, f"it is no manifest of format {FORMAT} {FORMAT_VERSION}")
    return dict(told)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON that says nothing twice: of two values, who reads it might take either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _is_right(told: dict[str, Any]) -> bool:
    """Is it a manifest whose plan suits its kind?"""
    kind, planned = told.get("kind", LRAT), told["costs"] is not None
    kinds = [type(told[key]) for key in ("format_version", "seed", "metric", "settings", "versions", "sha256")]
    suits = {LRAT: planned, LISTED: True, INVARIANT: not planned and type(told.get("invariants")) is list}
    right = kinds == [int, int, str, list, dict, dict] and isinstance(told["level"], str | None) and suits[kind]
    settings = all(isinstance(each, str) for each in told["settings"])
    return right and settings and (told["format"], told["format_version"]) == (FORMAT, FORMAT_VERSION)


def _same(one: Any, other: Any) -> bool:
    """Is it the same JSON? 1, 1.0 and true are different."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _difference(found: str, made: str) -> int:
    """The first line in which two texts differ; 0 if none."""
    if found == made:
        return 0
    pairs = zip_longest(found.splitlines(), made.splitlines())
    return next((number for number, (left, right) in enumerate(pairs, 1) if left != right), 1)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def _unreadable(path: str | Path, why: str) -> PuzzleError:
    return PuzzleError(Diagnostic(f"{path} cannot be read: {why}", None, code="E502"))
