"""What all rows share: the peers, the data, the figures that are kept, and the product in processes of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.contests import Entrant, Standing, compete
from benchmarks.levels import Level
from benchmarks.peers import Peers, Sample
from benchmarks.processes import Failed, Finished, run
from benchmarks.report import Record

ROOT = Path(__file__).parent.parent
LIMIT = 900.0  # seconds of one process of the product


@dataclass
class Session:
    """What the rows share, and what they leave behind."""

    peers: Peers
    data: Path
    quick: bool
    rounds: int | None = None  # instead of a row's own
    raw: dict[str, Any] = field(default_factory=dict)  # row -> figures of all runs

    def turns(self, usual: int, quick: int) -> int:
        return self.rounds or (quick if self.quick else usual)

    def keep(self, name: str, figures: Any) -> None:
        self.raw.setdefault(name, []).append(figures)

    def contest(self, name: str, entrants: list[Entrant], rounds: int, warm: bool = False) -> list[Standing]:
        standings = compete(entrants, rounds, warm)
        for standing in standings:
            self.keep(name, {"program": standing.entrant.who, "excuse": standing.excuse,
                             "runs": [asdict(sample) for sample in standing.samples]})  # fmt: skip
        return standings


@dataclass(frozen=True)
class Row:
    name: str
    table: str
    quick: bool  # part of a quick run
    records: Callable[[Session], list[Record]]


# -- the product -------------------------------------------------------------------------------------------------------


def measured(name: str, level: Level, cache: Path | None = None, **asked: Any) -> tuple[dict[str, Any], Finished]:
    """A measurement of `benchmarks.product` in a process of its own."""
    asked["level"] = asdict(level)
    command = [sys.executable, "-m", "benchmarks.product", name, json.dumps(asked)]
    done = run(command, LIMIT, ROOT, caching(cache))
    return json.loads(done.text), done


def caching(cache: Path | None) -> dict[str, str]:
    return {} if cache is None else {"PUZZLEWRIGHT_CACHE": str(cache)}


def new_cache(scratch: Path) -> Path:
    """A cache that knows no puzzle; but the kernels, which are compiled once a machine, are there."""
    from search.cache import cache_folder

    folder = Path(tempfile.mkdtemp(prefix="cache-", dir=scratch))
    for kernels in cache_folder().glob("kernels-*"):
        (folder / kernels.name).symlink_to(kernels.resolve())
    return folder


def solved(level: Level, *options: str, cache: Path | None = None, limit: float = LIMIT) -> Sample:
    return asked(level.arguments, *options, cache=cache, limit=limit)


def asked(of: Sequence[str], *options: str, cache: Path | None = None, limit: float = LIMIT) -> Sample:
    """`puzzlewright solve` as a user calls it, of a level or of files."""
    command = [sys.executable, "-m", "puzzlewright", "solve", *of, *options, "--json"]
    done = run(command, limit, ROOT, caching(cache))
    answer = json.loads(done.text)
    if answer["outcome"] != "optimal":
        raise Failed(f"outcome {answer['outcome']}")
    counted = answer["statistics"]
    return Sample(done.seconds, done.peak_mib, counted["expanded"], counted["search_seconds"], None,
                  counted["generated"], answer["length"], answer["cost"])  # fmt: skip
