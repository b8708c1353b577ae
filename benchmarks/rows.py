"""All that is compared: a row is a name, the table that it is part of, and what it does."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import proofs, rivals
from benchmarks.contests import Entrant, rate_records, wall_records
from benchmarks.levels import FIFTEEN_SOLVED, Level, korf, levels_of, microban, rush_hour
from benchmarks.peers import BLIND, IPDB, LMCUT, SYMBOLIC, Peers, Sample
from benchmarks.report import Record, at_least, at_most, geometric_mean
from benchmarks.session import Row, Session, measured, new_cache, solved

RATES, THREADS, WALK, WHOLE = "rates", "threads", "ida*", "whole"
CODE, MEMORY, LARGE = "code", "memory", "large"
TITLES = {
    RATES: "Breadth-first search without a heuristic: distinct states per second of search (ratio: product / peer)",
    THREADS: "Breadth-first search by several threads, in turn (the least of all turns; faster: one thread / so many)",
    WALK: "IDA* with Manhattan distance on the 15-puzzle: generated nodes per second of search, in one process",
    WHOLE: "Whole process, from start to end, caches warm (ratios, product / peer: least and median time, peak memory)",
    CODE: "From the task to machine code, milliseconds; each level in a new process with its libraries loaded",
    MEMORY: "Memory of breadth-first search on the 15-puzzle: growth of the resident memory, divided by states",
    LARGE: "Large levels, whole process",
    **rivals.TITLES,
    **proofs.TITLES,
}


# -- the product -------------------------------------------------------------------------------------------------------


def walked(level: Level, *, to_goal: bool = False, symmetry: bool = False, most: int | None = None) -> Sample:
    found, done = measured("walk", level, symmetry=symmetry, to_goal=to_goal, most=most, seconds=0.2)
    return Sample(done.seconds, done.peak_mib, found["states"], found["seconds"], found["first_seconds"],
                  found["generated"], found["steps"])  # fmt: skip


# -- states per second -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates:
    """A puzzle that is walked by the product and by peers."""

    name: str
    level: Callable[[Session], Level]
    options: dict[str, Any]  # of `walked`
    peers: Callable[[Peers], list[Entrant]]
    rounds: int = 5

    def records(self, session: Session) -> list[Record]:
        level = self.level(session)
        product = Entrant("product", lambda: walked(level, **self.options), own=True)
        standings = session.contest(self.name, [product, *self.peers(session.peers)], session.turns(self.rounds, 2))
        return rate_records(self.name, standings)


def beside_c(source: str, options: list[str], arguments: list[str], within: float) -> Callable[[Peers], list[Entrant]]:
    """A C program; the product should be at most `within` times as slow."""

    def entrants(peers: Peers) -> list[Entrant]:
        return [Entrant("C", lambda: peers.c_program(source, options, arguments), at_least(1 / within))]

    return entrants


def beside_planners(*instances: str) -> Callable[[Peers], list[Entrant]]:
    """Fast Downward's blind search, on several models of the same puzzle perhaps."""

    def entrants(peers: Peers) -> list[Entrant]:
        return [_blind(peers, name, ", loose" if name.endswith("-loose") else "") for name in instances]

    return entrants


def _blind(peers: Peers, instance: str, remark: str) -> Entrant:
    return Entrant("FD blind" + remark, lambda: peers.planner("fd", BLIND, instance), at_least(3))


def beside_all_of_eight(peers: Peers) -> list[Entrant]:
    return [
        *beside_c("tiles_bfs.c", [], ["1000000", "30"], 2)(peers),
        _blind(peers, "npuzzle-3x3-31", ""),
        Entrant("spin", lambda: peers.spin("tiles.pml", ["-m400000", "-w20"])),
        Entrant("pyperplan", lambda: peers.pyperplan("npuzzle-3x3-31")),
    ]


def always(level: Level) -> Callable[[Session], Level]:
    return lambda session: level


FIFTEEN_IN_C = beside_c("tiles_bfs.c", ["-DROWS=4", "-DCOLS=4", "-DBITS=25"], ["20000000", "2"], 2)
KLOTSKI, SEED_1 = Level("klotski", "hua-rong-dao"), Level("water_sort", "seed-1")
TO_GOAL = {"to_goal": True}
ALL_RATES = (
    Rates("tiles-8", always(Level("n_puzzle", "hardest-8")), {}, beside_all_of_eight),
    Rates("tiles-15", always(FIFTEEN_SOLVED), {"most": 20_000_000}, FIFTEEN_IN_C, 3),
    Rates("klotski", always(KLOTSKI), {}, beside_c("klotski_bfs.c", [], ["200"], 5)),
    Rates("tiles-15-goal", always(Level("n_puzzle", "seed-15")), TO_GOAL, beside_planners("npuzzle-4x4-19")),
    Rates("klotski-goal", always(KLOTSKI), TO_GOAL, beside_planners("klotski")),
    Rates("rush-hour-40", lambda session: rush_hour(session.data, 40), TO_GOAL, beside_planners("rushhour-40")),
    Rates("hanoi-10", always(Level("hanoi", "ten")), TO_GOAL, beside_planners("hanoi-10")),
    Rates("water-sort", always(SEED_1), TO_GOAL, beside_planners("watersort-1", "watersort-1-loose")),
    Rates("water-sort-symmetric", always(SEED_1), {**TO_GOAL, "symmetry": True}, beside_planners("watersort-1")),
    Rates("sokoban-36", lambda session: microban(session.data, 36), TO_GOAL, beside_planners("sokoban-microban36")),
)
NOT_IN_MEAN = {"water-sort-symmetric"}  # its states are others
QUICK_RATES = {"tiles-8", "klotski", "klotski-goal", "rush-hour-40", "hanoi-10"}


def mean_record(records: list[Record]) -> Record | None:
    """The geometric mean of the ratios to Fast Downward, one for each puzzle."""
    ratios = [
        r["ratio"] for r in records if r.get("program") == "FD blind" and r["ratio"] and r["row"] not in NOT_IN_MEAN
    ]
    mean = geometric_mean(ratios)
    if mean is None:
        return None
    return {"row": "geometric mean", "program": f"FD blind, {len(ratios)} puzzles", "ratio": mean,
            "target": at_least(8).verdict(mean)}  # fmt: skip


# -- threads -----------------------------------------------------------------------------------------------------------

TWELVE_START = ",".join(map(str, [*range(1, 12), 0]))
TWELVE = Level("n_puzzle", "easy-8", {"rows": "3", "cols": "4", "start": TWELVE_START})


def thread_records(name: str, level: Level, most: int) -> Callable[[Session], list[Record]]:
    """`most`: states expanded. One thread, two, and as many as there are processors."""

    def records(session: Session) -> list[Record]:
        threads = sorted({1, 2, os.cpu_count() or 1})
        found, _ = measured("share", level, threads=threads, most=most, rounds=session.turns(3, 1))
        session.keep(name, found)
        walls, busy = found["walls"], found["busy"]
        return [{"row": name, "threads": number, "states": found["states"], "words": found["words"], "wall s": wall,
                 "all CPU s": used, "faster": walls[0] / wall, "CPU, times": used / busy[0]}
                for number, wall, used in zip(threads, walls, busy, strict=True)]  # fmt: skip

    return records


# -- IDA* --------------------------------------------------------------------------------------------------------------

KORF = {12: 45, 42: 42, 55: 41, 79: 42}  # board -> its known optimum
NODES_PER_SECOND = at_least(10)  # millions


def ida_star_records(number: int, transpositions: int, session: Session) -> list[Record]:
    name = f"korf-{number}"
    runs = [measured("deepen", korf(session.data, number), heuristic="manhattan", transpositions=transpositions)
            for _ in range(session.turns(3, 1))]  # fmt: skip
    for found, done in runs:
        session.keep(name, {"transpositions": transpositions, "peak_mib": done.peak_mib, **found})
    best = min((found for found, _ in runs), key=lambda found: float(found["seconds"]))
    rate = best["generated"] / best["seconds"] / 1e6
    return [{
        "row": name,
        "table of states": transpositions,
        "steps": best["steps"],
        "known": KORF[number],
        "expanded": best["expanded"],
        "generated": best["generated"],
        "best s": best["seconds"],
        "M expanded/s": best["expanded"] / best["seconds"] / 1e6,
        "M generated/s": rate,
        "target": NODES_PER_SECOND.verdict(rate),
    }]  # fmt: skip


def korf_records(number: int) -> Callable[[Session], list[Record]]:
    """The textbook's linear memory, and what `solve` does: it remembers states."""
    return lambda session: [record for room in (0, 500_000) for record in ida_star_records(number, room, session)]


# -- whole processes ---------------------------------------------------------------------------------------------------

SEED_8 = Level("n_puzzle", "seed-8")
MANHATTAN = ("--backend", "astar", "--heuristic", "manhattan")


@dataclass(frozen=True)
class Whole:
    """`solve` beside planners with the search of theirs that is named."""

    name: str
    level: Callable[[Session], Level]
    options: tuple[str, ...]
    instance: str
    searches: tuple[tuple[str, str, float | None], ...]  # planner, search, and the target for the ratio
    rounds: int = 5
    other: Level | None = None  # of the same rules, from another start

    def records(self, session: Session) -> list[Record]:
        level, peers = self.level(session), session.peers
        known = () if self.other is None else (self.other,)
        entrants = [
            Entrant("product", lambda: solved(level, *self.options), own=True),
            Entrant("product, new", lambda: self._new(level, peers), own=True),
            *(
                Entrant("product, new start", lambda each=each: self._new(level, peers, each), own=True)  # type: ignore[misc]
                for each in known
            ),
            *(self._planner(peers, *search) for search in self.searches),
        ]
        return wall_records(self.name, session.contest(self.name, entrants, session.turns(self.rounds, 3), True))

    def _new(self, level: Level, peers: Peers, *known: Level) -> Sample:
        """Where nothing but these levels has been solved before."""
        cache = new_cache(peers.scratch)
        for each in known:
            solved(each, *self.options, cache=cache)
        return solved(level, *self.options, cache=cache)

    def _planner(self, peers: Peers, planner: str, search: str, most: float | None) -> Entrant:
        target = None if most is None else at_most(most)
        return Entrant(NAMES[search], lambda: peers.planner(planner, search, self.instance), target)


NAMES = {BLIND: "FD blind", LMCUT: "FD lmcut", IPDB: "FD ipdb", SYMBOLIC: "SymK"}
BLIND_FD, LMCUT_FD, IPDB_FD, SYMK = (("fd", BLIND, None), ("fd", LMCUT, None), ("fd", IPDB, None),
                                     ("symk", SYMBOLIC, None))  # fmt: skip
ALL_WHOLE = (
    Whole(
        "solve-seed-8",
        always(SEED_8),
        MANHATTAN,
        "npuzzle-3x3-22",
        (("fd", LMCUT, 2.5), SYMK),
        10,
        Level("n_puzzle", "hardest-8"),
    ),
    Whole("solve-hardest-8", always(Level("n_puzzle", "hardest-8")), (), "npuzzle-3x3-31", (IPDB_FD, BLIND_FD)),
    Whole("solve-seed-15", always(Level("n_puzzle", "seed-15")), (), "npuzzle-4x4-19", (LMCUT_FD,)),
    Whole("solve-klotski", always(KLOTSKI), (), "klotski", (BLIND_FD, SYMK)),
    Whole("solve-rush-hour-40", lambda s: rush_hour(s.data, 40), (), "rushhour-40", (BLIND_FD,)),
    Whole("solve-hanoi-10", always(Level("hanoi", "ten")), (), "hanoi-10", (BLIND_FD,)),
    Whole("solve-water-sort", always(SEED_1), (), "watersort-1-loose", (BLIND_FD,), 3),
    Whole("solve-sokoban-36", lambda s: microban(s.data, 36), (), "sokoban-microban36", (BLIND_FD, SYMK), 3),
    *(
        Whole(f"solve-korf-{n}", lambda s, n=n: korf(s.data, n), (), f"npuzzle-korf{n}", (IPDB_FD,))  # type: ignore[misc]
        for n in KORF
    ),
)
QUICK_WHOLE = {"solve-seed-8"}


# -- machine code ------------------------------------------------------------------------------------------------------

FOUNDING = ("n_puzzle", "klotski", "bloxorz", "water_sort", "vehicles", "vehicles_in_turn", "vehicles_one_at_a_time")
SECONDS_OF_CODE = at_most(100)  # milliseconds


def code_records(puzzle: str) -> Callable[[Session], list[Record]]:
    def records(session: Session) -> list[Record]:
        levels = list(levels_of(puzzle))
        chosen = levels[:1] if session.quick else levels
        return [record for level in chosen for record in _code_record(session, level)]

    return records


def _code_record(session: Session, level: Level) -> list[Record]:
    name = f"{level.puzzle} {level.level}"
    runs = [measured("generate", level, new_cache(session.peers.scratch))[0] for _ in range(session.turns(3, 1))]
    session.keep(f"code-{name}", runs)
    best = min(runs, key=lambda found: float(found["seconds"]))
    parts = {part: best[part] * 1e3 for part in ("symmetry", "prepare", "print", "llvm")}
    total = best["seconds"] * 1e3
    return [{"row": name, "actions": best["rows"], "words": best["words"], **parts, "code": total,
             "target": SECONDS_OF_CODE.verdict(total)}]  # fmt: skip


# -- memory, large levels ----------------------------------------------------------------------------------------------

BYTES_PER_STATE = at_most(28)


def memory_records(most: int) -> Callable[[Session], list[Record]]:
    def records(session: Session) -> list[Record]:
        found, _ = measured("remember", FIFTEEN_SOLVED, most=most)
        session.keep(f"memory-{most}", found)
        figure = found["bytes_per_state"]
        return [{"row": "15-puzzle", "states": found["states"], "words": found["words"], "before MiB":
                 found["before_mib"], "grown MiB": found["grown_mib"], "bytes/state": figure, "seconds":
                 found["seconds"], "target": BYTES_PER_STATE.verdict(figure)}]  # fmt: skip

    return records


def large_records(name: str, level: Level, *options: str) -> Callable[[Session], list[Record]]:
    def records(session: Session) -> list[Record]:
        solved(level, *options)
        runs = [solved(level, *options) for _ in range(session.turns(2, 1))]
        session.keep(name, [asdict(sample) for sample in runs])
        best = min(runs, key=lambda sample: sample.wall)
        return [{"row": name, "options": " ".join(options), "steps": best.steps, "expanded": best.states,
                 "generated": best.generated, "search s": best.seconds, "process s": best.wall,
                 "peak MiB": best.peak_mib}]  # fmt: skip

    return records


ROWS = (
    *(Row(rates.name, RATES, rates.name in QUICK_RATES, rates.records) for rates in ALL_RATES),
    *(Row(f"korf-{number}", WALK, number == 42, korf_records(number)) for number in KORF),
    *(Row(whole.name, WHOLE, whole.name in QUICK_WHOLE, whole.records) for whole in ALL_WHOLE),
    *(Row(f"code-{puzzle}", CODE, True, code_records(puzzle)) for puzzle in FOUNDING),
    Row("threads-15", THREADS, True, thread_records("threads-15", FIFTEEN_SOLVED, 10_000_000)),
    Row("threads-12", THREADS, False, thread_records("threads-12", TWELVE, 60_000_000)),
    Row("threads-klotski", THREADS, False,
        thread_records("threads-klotski", Level("klotski", "seed-8x8"), 12_000_000)),
    Row("memory-20", MEMORY, True, memory_records(20_000_000)),
    Row("memory-100", MEMORY, False, memory_records(100_000_000)),
    Row("vehicles-n5", LARGE, False,
        large_records("vehicles-n5", Level("vehicles", "n5"), "--backend", "bidirectional")),
    Row("klotski-8x8", LARGE, False, large_records("klotski-8x8", Level("klotski", "seed-8x8"))),
    *rivals.ROWS,
    *proofs.ROWS,
)  # fmt: skip
