"""Path two: proofs beside hand-written CP-SAT models, and `prove` as a whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.contests import Entrant, Standing, quotient
from benchmarks.levels import Level, bloxorz, levels_of, microban, rush_hour
from benchmarks.peers import Peers, Proved
from benchmarks.processes import Failed, run
from benchmarks.report import Record, at_most
from benchmarks.session import ROOT, Row, Session, measured, new_cache

PROOFS, PROVE = "proofs", "prove"
TITLES = {
    PROOFS: "Proofs of optimality by CP-SAT, one worker: seconds of building and solving, medians of seeds (ratio: "
    "product / by hand)",
    PROVE: "`prove`, the whole process: seconds of search and of CP-SAT",
}

# -- beside models written by hand -------------------------------------------------------------------------------------

RATIO = at_most(2)
SEEDS = 3


@dataclass(frozen=True)
class ByHand:
    """A level whose optimum is known, and the arguments of its model."""

    name: str
    level: Callable[[Path], Level]  # from the folder of collections
    optimum: int
    model: Callable[[Level], tuple[str, ...]]

    def records(self, session: Session) -> list[Record]:
        level, cache = self.level(session.data), new_cache(session.peers.scratch)
        first, _ = measured("decide", level, cache, optimum=self.optimum, seed=0)
        session.keep(self.name, first)
        entrants = [
            Entrant("product", seeded(lambda seed: self._product(level, cache, seed)), own=True),
            Entrant("by hand", seeded(lambda seed: self._by_hand(level, session.peers, seed)), RATIO),
        ]
        ours, theirs = map(middling, session.contest(self.name, entrants, session.turns(SEEDS, 1)))
        ratio = quotient(ours["total s"], theirs["total s"])
        ours |= {"knowledge s": first["knowledge"]}
        theirs |= {"ratio": ratio, "target": RATIO.verdict(ratio)}
        return [{"row": self.name, **ours}, {"row": self.name, **theirs}]

    def _product(self, level: Level, cache: Path, seed: int) -> Proved:
        found, done = measured("decide", level, cache, optimum=self.optimum, seed=seed)
        return Proved(done.seconds, done.peak_mib, seconds=found["seconds"], refuting=found["refuting"],
                      finding=found["finding"], conflicts=found["conflicts"], before=found["shared"])  # fmt: skip

    def _by_hand(self, level: Level, peers: Peers, seed: int) -> Proved:
        return peers.by_hand([*self.model(level), f"--optimum={self.optimum}", "--no-undo", f"--seed={seed}"])


def seeded(ask: Callable[[int], Proved]) -> Callable[[], Proved]:
    """Every turn has the next seed."""
    seeds = count()
    return lambda: ask(next(seeds))


def middling(standing: Standing) -> dict[str, Any]:
    """Medians of all seeds, each figure for itself."""
    samples = [sample for sample in standing.samples if isinstance(sample, Proved)]

    def of(figures: Iterable[float]) -> float | None:
        return median(values) if (values := list(figures)) else None

    return {
        "program": standing.entrant.who,
        "seeds": len(samples),
        "conflicts": of(sample.conflicts for sample in samples),
        "shared s": of(sample.before for sample in samples if sample.before),
        "refute s": of(sample.refuting for sample in samples),
        "find s": of(sample.finding for sample in samples),
        "total s": of(sample.seconds for sample in samples if sample.seconds),
        "knowledge s": None,
        "ratio": None,
        "target": None,
        "note": standing.excuse,
    }


def tiles(name: str, optimum: int, start: str) -> ByHand:
    """A board of eight tiles, a level of its own."""
    return ByHand(f"proof-{name}", lambda data: Level("n_puzzle", name), optimum, lambda _: ("tiles", "3", "3", start))


ALL_BY_HAND = (
    tiles("seed-8", 22, "1,8,7,3,0,5,4,6,2"),
    tiles("hardest-8", 31, "8,6,7,2,5,4,3,0,1"),
    ByHand("proof-rush-hour-1", lambda data: rush_hour(data, 1), 16,
           lambda level: ("rushhour", "".join(json.loads(level.settings["board"])))),
    ByHand("proof-water-sort", lambda data: Level("water_sort", "seed-1"), 15,
           lambda _: ("watersort", "1,4,4,5/5,3,2,4/4,5,1,3/3,5,1,2/1,2,3,2//")),
)  # fmt: skip

# -- search and CP-SAT together ----------------------------------------------------------------------------------------

SECONDS = at_most(60)  # for each of the two
PATIENCE = 150.0  # seconds of one level
PATIENCE_FOR = {"klotski pennant": 300.0, "klotski seed-8x8": 300.0}
ENDINGS = (0, 4, 22, 24)  # exit codes: proven, unproven, out of memory, out of time
Named = tuple[str, Level]


@dataclass(frozen=True)
class Proving:
    """`prove` on the levels of one puzzle."""

    name: str
    levels: Callable[[Path], Iterable[Named]]

    def records(self, session: Session) -> list[Record]:
        return [self._record(session, *named) for named in self.levels(session.data)]

    def _record(self, session: Session, name: str, level: Level) -> Record:
        try:
            answer, process = proven(level, PATIENCE_FOR.get(name, PATIENCE))
        except Failed as reason:
            return {"level": name, "note": f"failed: {reason}"}
        session.keep(self.name, {"level": name, "process_seconds": process, **answer})
        print(f"  {name}: {answer['outcome']}, {process:.1f} s", file=sys.stderr, flush=True)
        return prove_record(name, answer, process)


def proven(level: Level, patience: float) -> tuple[dict[str, Any], float]:
    """What `puzzlewright prove` says, and the seconds of the whole process."""
    options = (f"--time-limit={patience:g}", "--json")
    command = [sys.executable, "-m", "puzzlewright", "prove", *level.arguments, *options]
    done = run(command, 2 * patience, ROOT, good=ENDINGS)
    answer: dict[str, Any] = json.loads(done.text)
    return answer, done.seconds


def prove_record(name: str, answer: Mapping[str, Any], process: float) -> Record:
    """A path that was not done is over the target."""
    counted = answer["statistics"]
    by_both = answer["proven_by"] == ["search", "cpsat"]
    slower = max(counted["search_seconds"], counted.get("cpsat_seconds", 0.0)) if by_both else inf
    return {
        "level": name,
        "steps": answer["length"],
        "search s": counted["search_seconds"],
        "CP-SAT s": counted.get("cpsat_seconds"),
        "conflicts": counted.get("conflicts"),
        "process s": process,
        "target": SECONDS.verdict(slower),
        "note": "" if by_both else answer["outcome"],
    }


def built_in(puzzle: str, *levels: str) -> Callable[[Path], Iterable[Named]]:
    return lambda data: [(f"{puzzle} {level}", Level(puzzle, level)) for level in levels]


def published(name: str, make: Callable[[Path, int], Level], *numbers: int) -> Callable[[Path], Iterable[Named]]:
    return lambda data: [(f"{name} {number}", make(data, number)) for number in numbers]


ALL_PROVING = (
    Proving("prove-n_puzzle", built_in("n_puzzle", "seed-8", "hardest-8", "seed-15")),
    Proving("prove-klotski", built_in("klotski", "first", "open", "kinds", "wall", "elbow", "little", "hook", "seed-6",
                                      "pennant", "seed-8x8")),
    Proving("prove-bloxorz", lambda data: [(f"bloxorz {level.level}", level) for level in levels_of("bloxorz")]),
    Proving("prove-bloxorz-stages", published("Bloxorz", bloxorz, 1, 2, 3, 8)),  # those of at most 20 moves
    Proving("prove-water_sort", built_in("water_sort", "seed-1", "seed-2", "two-colours", "three-colours",
                                         "three-units", "one-spare")),
    Proving("prove-vehicles", built_in("vehicles", "n2", "n3", "n4", "n5")),
    Proving("prove-vehicles_in_turn", built_in("vehicles_in_turn", "n2", "n3", "n4")),
    Proving("prove-vehicles_one_at_a_time", built_in("vehicles_one_at_a_time", "n2", "n3", "n4")),
    Proving("prove-rush_hour", published("Rush Hour", partial(rush_hour, reach=5), 1, 2, 4, 5, 6, 20)),  # 8 to 10
    Proving("prove-hanoi", lambda data: [("hanoi, 4 disks", Level("hanoi", "five", {"disks": "4"}))]),
    Proving("prove-pancake", built_in("pancake", "six", "seven")),
    Proving("prove-lights_out", built_in("lights_out", "five")),
    Proving("prove-sokoban", published("Microban", microban, 2)),
)  # fmt: skip

ROWS = (
    *(Row(each.name, PROOFS, each.name == "proof-seed-8", each.records) for each in ALL_BY_HAND),
    *(Row(each.name, PROVE, False, each.records) for each in ALL_PROVING),
)
