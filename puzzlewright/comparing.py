"""One table over backends. Each row runs in a process of its own, because a process's peak memory never falls."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.outcomes import Outcome
from models.puzzle import Puzzle
from puzzlewright.report import Report

GRACE = 15.0  # seconds that a child may take beyond its time limit before it is ended


def compare(puzzle: Puzzle, text: str, backends: Sequence[str], heuristics: Sequence[str],
            passed: Sequence[str], time_limit: float) -> Report:  # fmt: skip
    """A report with one row for each backend, crossed with the heuristics where it is informed."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "puzzle.yaml"
        source.write_text(text, encoding="utf-8")
        rows, stopped = [], False
        try:
            for backend, heuristic in _combinations(backends, heuristics):
                rows.append(_row(source, backend, heuristic, passed, time_limit))
        except KeyboardInterrupt:
            stopped = True
    words = {row["outcome"] for row in rows}
    costs = {row["cost"] for row in rows if row["outcome"] == Outcome.OPTIMAL}
    bad = len(costs) > 1 or Outcome.DISAGREEMENT in words
    outcome = Outcome.DISAGREEMENT if bad else Outcome.INTERRUPTED if stopped else Outcome.VALID
    return Report("compare", outcome, puzzle.name, puzzle.level, metric=puzzle.metrics[0], rows=tuple(rows))


def _combinations(backends: Sequence[str], heuristics: Sequence[str]) -> list[tuple[str, str | None]]:
    from search.registry import ALGORITHMS

    found: list[tuple[str, str | None]] = []
    for backend in backends:
        informed = backend in ALGORITHMS and ALGORITHMS[backend].informed
        found.extend((backend, heuristic) for heuristic in (heuristics if informed and heuristics else [None]))
    return found


def _row(source: Path, backend: str, heuristic: str | None, passed: Sequence[str], time_limit: float) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        "puzzlewright",
        "solve",
        str(source),
        "--json",
        "-q",
        f"--backend={backend}",
        *passed,
    ]
    command += [f"--heuristic={heuristic}"] if heuristic else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=time_limit + GRACE, check=False)
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        answer = {"outcome": str(Outcome.TIME_LIMIT), "backend": backend, "heuristic": heuristic}
    except json.JSONDecodeError:
        answer = {"outcome": str(Outcome.INTERNAL_ERROR), "backend": backend, "heuristic": heuristic}
    statistics = answer.get("statistics", {})
    kept = ("expanded", "generated", "search_seconds", "total_seconds", "peak_memory_mb", "generations", "conflicts")
    row = {key: answer.get(key) for key in ("outcome", "length", "cost", "lower_bound", "notes")}
    return {"backend": backend, "heuristic": answer.get("heuristic"), **row, **{k: statistics.get(k) for k in kept}}
