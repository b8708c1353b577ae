"""What is known about a claim, remembered on disk: a small JSON file for each puzzle, level and data.

The key is the task's fingerprint together with the version of the provers: a changed file is proven anew. The
memory is a convenience: where it cannot be read or written the proofs are simply made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from models.outcomes import Operator
from models.task import State

PROVER = 7  # raise it whenever a prover changes
CUT_SHORT = "not proven in the time that was left"  # says nothing about another run, so it is not remembered
Verdicts = dict[str, "Verdict"]


@dataclass(frozen=True)
class Verdict:
    status: Literal["proven", "refuted", "unknown"]
    reason: str  # how it was proven, or why it was not
    seconds: float
    state: State | None = None  # where the claim fails, by `operator` or, if that is empty, because it is a goal
    operator: Operator = ()

    @property
    def proven(self) -> bool:
        return self.status == "proven"


def lasting(verdicts: Mapping[str, Verdict], given: Mapping[str, Verdict]) -> Verdicts:
    """The verdicts that another run would come to as well; with more time, or more proofs to rest on, it may not."""
    short = any(verdict.reason == CUT_SHORT for verdict in given.values())
    return {name: v for name, v in verdicts.items() if v.status != "unknown" or not (short or v.reason == CUT_SHORT)}


def cache_folder() -> Path:
    override = os.environ.get("PUZZLEWRIGHT_CACHE")
    if override:
        return Path(override)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzlewright"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of the cache, never half of it; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_bytes(data)
    draft.replace(path)


def cache_file(fingerprint: str) -> Path | None:
    """Where the verdicts of a task are kept; None: nowhere (a task without a plain fingerprint)."""
    return cache_folder() / f"verdicts-{PROVER}-{fingerprint}.json" if fingerprint.isalnum() else None


def remembered(fingerprint: str) -> Verdicts:
    """The verdicts on disk, by 'invariant NAME' and 'heuristic NAME'."""
    try:
        path = cache_file(fingerprint)
        data = json.loads(path.read_text("utf-8")) if path else {}
        return {str(key): _read(entry) for key, entry in data.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RuntimeError):
        return {}  # no file, no folder, no home, or not one of ours: proven again


def _read(entry: Mapping[str, Any]) -> Verdict:
    """A verdict whose tuples JSON has made lists."""
    state = None if entry["state"] is None else tuple(entry["state"])
    return Verdict(**{**entry, "state": state, "operator": tuple(entry["operator"])})


def remember(fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
    try:
        path = cache_file(fingerprint)
        if path is None:
            return
        write_whole(path, json.dumps({key: asdict(verdict) for key, verdict in verdicts.items()}).encode())
    except (OSError, ValueError, RuntimeError):
        return  # a read-only or missing home is no reason to stop: the proofs are made again next time
