"""What is known about claims, remembered on disk: a small JSON file for the rules of a level and the program's text.

An entry is found only by who asks for just its claim (`models.claims`). The memory is a convenience: where it cannot be
read or written, or the program has changed, the proofs are simply made again. Who must not believe what others wrote
gives it no fingerprint.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Literal, TypedDict

from models.claims import CUT_SHORT, Claim, Verdict, Verdicts
from search.cache import cache_folder, program, write_whole

# whose text decides what a verdict is
PROGRAM = ("models", "search", "encoders", "puzzlewright/solving", "puzzlewright/analysis/claims.py")

MOST = 500  # claims of one task that are kept, the newest: its levels may have any number of starts


class Entry(TypedDict):
    """A verdict as JSON has it."""

    status: Literal["proven", "refuted", "unknown"]
    reason: str
    seconds: float
    state: list[int] | None
    operator: list[int]


class Memory:
    """The verdicts on the claims of a task; without a fingerprint nothing is remembered."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint

    @cached_property
    def _known(self) -> Verdicts:
        return remembered(self.fingerprint)

    def find(self, claim: Claim) -> Verdict | None:
        return self._known.get(claim.key)

    def keep(self, claim: Claim, verdict: Verdict) -> Verdict:
        """Not one that was cut short: another run may come to another one."""
        if verdict.reason != CUT_SHORT:
            self._known[claim.key] = verdict
            remember(self.fingerprint, {**remembered(self.fingerprint), claim.key: verdict})
        return verdict

    def recall(self, claim: Claim, make: Callable[[], Verdict]) -> Verdict:
        """What is remembered, else what is made now."""
        return self.find(claim) or self.keep(claim, make())


def cache_file(fingerprint: str) -> Path | None:
    """Where the verdicts of a task are kept; None: nowhere (a task without a plain fingerprint)."""
    return cache_folder() / f"verdicts-{program(PROGRAM)}-{fingerprint}.json" if fingerprint.isalnum() else None


def remembered(fingerprint: str) -> Verdicts:
    """The verdicts on disk, by the keys of their claims."""
    try:
        path = cache_file(fingerprint)
        data = json.loads(path.read_text("utf-8")) if path else {}
        return {str(key): _read(entry) for key, entry in data.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RuntimeError):
        return {}  # no file, no folder, no home, or not one of ours: proven again


def _read(entry: Entry) -> Verdict:
    """A verdict whose tuples JSON has made lists."""
    state = entry["state"]
    return Verdict(entry["status"], entry["reason"], entry["seconds"], None if state is None else tuple(state),
                   tuple(entry["operator"]))  # fmt: skip


def remember(fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
    try:
        path = cache_file(fingerprint)
        if path is None:
            return
        newest = islice(verdicts.items(), max(0, len(verdicts) - MOST), None)
        write_whole(path, json.dumps({key: asdict(verdict) for key, verdict in newest}).encode())
    except (OSError, ValueError, RuntimeError):
        return  # a read-only or missing home is no reason to stop: the proofs are made again next time
