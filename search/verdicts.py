"""What is known about claims, remembered on disk: a small JSON file for the rules of a level and the program's text.

An entry names all that its verdict rests on besides (`Claim`), and is found only by who asks for just that. What is
true of a claim given facts stays true for every start at which these facts are shown, so starts share entries; what was
seen by walking from one start names that start. The memory is a convenience: where it cannot be read or written, or the
program has changed, the proofs are simply made again. Who must not believe what others wrote gives it no fingerprint.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from models.outcomes import Operator
from models.task import Invariant, State, Task
from models.terms import value_in

CUT_SHORT = "not proven in the time that was left"  # says nothing about another run, so it is not remembered
PROGRAM = ("models", "search", "encoders", "puzzlewright/opinions.py")  # whose text decides what a verdict is
Verdicts = dict[str, "Verdict"]
DEAD: Literal["dead"] = "dead"  # the claim that no goal can be reached from states in which `Task.dead` holds


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


@dataclass(frozen=True)
class Claim:
    """What a verdict is about; it holds for every start, unless it names one."""

    by: Literal["search", "cpsat", "walk"]
    kind: Literal["heuristic", "invariant", "separates", "dead"]
    name: str  # of an invariant with its value, see `said`
    given: tuple[str, ...] = ()  # the facts that were assumed
    start: State | None = None  # the walk began here

    @property
    def key(self) -> str:
        return json.dumps(list(asdict(self).values()))


@lru_cache(maxsize=1 << 8)
def said(invariant: Invariant, start: State) -> str:
    """An invariant with its value at the start: as a fact, this is all that depends on the start."""
    value = value_in(invariant.term, start) if value_in(invariant.defined, start) else None
    return json.dumps([invariant.name, value])


def about(by: Literal["search", "cpsat", "walk"], declared: Any, start: State, given: tuple[str, ...] = ()) -> Claim:
    """That a heuristic is consistent, or that an invariant keeps the value that it has at the start."""
    if isinstance(declared, Invariant):
        return Claim(by, "invariant", said(declared, start), given)
    return Claim(by, "heuristic", declared.name, given)


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

    def invariants(self, task: Task) -> Verdicts | None:
        """The verdicts of path one on all invariants, each given those proven before; None if one is missing."""
        found: Verdicts = {}
        given: tuple[str, ...] = ()
        for invariant in task.invariants:
            verdict = self.find(about("search", invariant, task.start, given))
            if verdict is None:
                return None
            found[invariant.name] = verdict
            given += (said(invariant, task.start),) * verdict.proven
        return found


def cache_folder() -> Path:
    override = os.environ.get("PUZZLEWRIGHT_CACHE")
    if override:
        return Path(override)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzlewright"


@cache
def program(parts: tuple[str, ...] = PROGRAM) -> str:
    """A digest of the program's own text, so that nothing that another version has kept is believed."""
    root, text = Path(__file__).parent.parent, hashlib.sha256()
    for part in parts:
        path = root / part
        for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            content = each.read_bytes()
            text.update(f"{each.relative_to(root)} {len(content)} ".encode() + content)
    return text.hexdigest()[:16]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of the cache, never half of it; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_bytes(data)
    draft.replace(path)


def cache_file(fingerprint: str) -> Path | None:
    """Where the verdicts of a task are kept; None: nowhere (a task without a plain fingerprint)."""
    return cache_folder() / f"verdicts-{program()}-{fingerprint}.json" if fingerprint.isalnum() else None


def remembered(fingerprint: str) -> Verdicts:
    """The verdicts on disk, by the keys of their claims."""
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
