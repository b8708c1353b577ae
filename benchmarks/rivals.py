"""`auto` beside planners on levels that were fixed before anything was measured: all have the same seconds.

The levels are those of the peers' folder, and a larger one of each of twelve puzzles. Nobody is told which search
suits: each configuration of a planner is an entrant, and so is `puzzlewright solve` as it is. Who has no plan that
is proven best within the limit is counted with all of it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.contests import Entrant, Standing, middling, quotient
from benchmarks.levels import Absent, Level, bloxorz, cars, collection, entry, korf, microban, rush_hour
from benchmarks.peers import BLIND, IPDB, LMCUT, MERGE, SYMBOLIC, Sample
from benchmarks.processes import Failed
from benchmarks.report import Record, at_least, geometric_mean
from benchmarks.session import Row, Session, asked, new_cache, solved

RIVALS = "rivals"
FRONT = "front"
TITLES = {
    RIVALS: "`auto` and planners, whole processes, seconds (ratio: the best of the others / product)",
    FRONT: "`solve DOMAIN PROBLEM` and planners, whole processes, seconds (ratio: the best of the others / product)",
}
SECONDS = 60.0  # of one run
FIRST = "never seen"  # the product where nothing about the level was kept but compiled kernels
PLANNERS = {
    "FD blind": ("fd", BLIND),
    "FD lmcut": ("fd", LMCUT),
    "FD ipdb": ("fd", IPDB),
    "FD m&s": ("fd", MERGE),
    "SymK": ("symk", SYMBOLIC),
}
TWICE = at_least(2.0)
Pddl = tuple[str, str]  # domain and problem


@dataclass(frozen=True)
class Rival:
    """A level here, and what planners read of it: an instance of the peers' folder by its name, or made by `write`."""

    name: str
    level: Callable[[Session], Level]
    optimum: int
    write: Callable[[Session], Pddl] | None = None


def generator(session: Session, name: str) -> ModuleType:
    """A module of the peers' folder that writes PDDL of one puzzle."""
    folder = session.peers.folder / "gen"
    if not (folder / f"{name}.py").is_file():
        raise Absent(f"there is no gen/{name}.py in {session.peers.folder} (--peers)")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(name)


# -- puzzles for which the peers' folder has no generator --------------------------------------------------------------


def pddl(name: str, requirements: str, domain: Sequence[str], objects: str, start: Sequence[str], goal: str) -> Pddl:
    head = f"(define (domain {name})\n(:requirements {requirements})\n"
    return head + "\n".join(domain) + ")\n", (
        f"(define (problem one) (:domain {name})\n(:objects {objects})\n(:init {' '.join(start)})\n(:goal {goal}))\n"
    )


def action(name: str, parameters: str, condition: str, effect: str) -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition (and {condition}) :effect (and {effect}))"


def blocks(start: Sequence[str], wanted: Sequence[str]) -> Pddl:
    """A block from wherever it stands to a clear block or to the table, in one move."""

    def standing(towers: Sequence[str]) -> list[str]:
        return [f"(on {block} {under})" for tower in towers for under, block in pairwise(("table", *tower))]

    moves = (
        action("onto", "?b ?x - block ?y - place", "(on ?b ?y) (clear ?b) (clear ?x) (not (= ?b ?x)) (not (= ?x ?y))",
               "(not (on ?b ?y)) (on ?b ?x) (clear ?y) (not (clear ?x))"),
        action("down", "?b ?y - block", "(on ?b ?y) (clear ?b)", "(not (on ?b ?y)) (on ?b table) (clear ?y)"),
    )  # fmt: skip
    domain = ("(:types place - object block - place)", "(:constants table - place)",
              "(:predicates (on ?b - block ?x - place) (clear ?x - place))", *moves)  # fmt: skip
    clear = [f"(clear {tower[-1]})" for tower in start]
    return pddl("blocks", ":strips :typing :equality :negative-preconditions", domain,
                f"{' '.join(''.join(start))} - block", [*standing(start), *clear],
                f"(and {' '.join(standing(wanted))})")  # fmt: skip


def topspin(start: Sequence[int], k: int) -> Pddl:
    """All discs change their places at once; the ring may come to stand in any turn."""
    n = len(start)

    def change(moved: Mapping[int, int]) -> str:
        return " ".join(f"(forall (?d - disc) (when (at ?d p{a}) (and (not (at ?d p{a})) (at ?d p{b}))))"
                        for a, b in moved.items() if a != b)  # fmt: skip

    moves = (
        action("left", "", "", change({at: (at - 1) % n for at in range(n)})),
        action("right", "", "", change({at: (at + 1) % n for at in range(n)})),
        action("spin", "", "", change({at: k - 1 - at for at in range(k)})),
    )
    places, discs = (" ".join(f"{letter}{at}" for at in range(n)) for letter in "pd")
    domain = ("(:types disc place)", f"(:constants {places} - place)",
              "(:predicates (at ?d - disc ?p - place))", *moves)  # fmt: skip
    ends = (" ".join(f"(at d{(at + turn) % n} p{at})" for at in range(n)) for turn in range(n))
    return pddl("topspin", ":strips :typing :conditional-effects :disjunctive-preconditions", domain,
                f"{discs} - disc", [f"(at d{disc} p{at})" for at, disc in enumerate(start)],
                f"(or {' '.join(f'(and {end})' for end in ends)})")  # fmt: skip


def freecell(columns: int, cells: int, pack: Sequence[str], ranks: str = "A234567890JQK") -> Pddl:
    """One card at a time: onto the next higher of the other colour, to an empty column, to a cell, or home."""

    def fits(x: str, y: str) -> bool:
        return ranks.index(y[0]) == ranks.index(x[0]) + 1 and (x[1] in "HD") != (y[1] in "HD")

    def before(x: str, y: str) -> bool:
        return ranks.index(y[0]) == ranks.index(x[0]) + 1 and x[1] == y[1]

    lifted, lost = "(under ?x ?z) (clear ?x)", "(not (under ?x ?z)) (clear ?z)"
    drawn, left = "(held ?x) (free ?a) (next ?a ?b)", "(not (held ?x)) (not (free ?a)) (free ?b)"
    kept = "?x - card ?a ?b - count"
    moves = (
        action("onto", "?x ?y - card ?z - object", f"{lifted} (clear ?y) (fits ?x ?y) (laid ?y)",
               f"{lost} (under ?x ?y) (not (clear ?y))"),
        action("onto-from-cell", f"{kept} ?y - card", f"{drawn} (clear ?y) (fits ?x ?y) (laid ?y)",
               f"{left} (under ?x ?y) (clear ?x) (laid ?x) (not (clear ?y))"),
        action("column", "?x - card ?t - column ?z - object", f"{lifted} (clear ?t)",
               f"{lost} (under ?x ?t) (not (clear ?t))"),
        action("column-from-cell", f"{kept} ?t - column", f"{drawn} (clear ?t)",
               f"{left} (under ?x ?t) (clear ?x) (laid ?x) (not (clear ?t))"),
        action("cell", "?x - card ?z - object ?a ?b - count", f"{lifted} (free ?a) (next ?b ?a)",
               f"{lost} (held ?x) (not (clear ?x)) (not (laid ?x)) (not (free ?a)) (free ?b)"),
        action("home", "?x - card ?p - base ?z - object", f"{lifted} (home ?p) (before ?p ?x)",
               f"{lost} (home ?x) (not (clear ?x)) (not (laid ?x))"),
        action("home-from-cell", f"{kept} ?p - base", f"{drawn} (home ?p) (before ?p ?x)", f"{left} (home ?x)"),
    )  # fmt: skip
    domain = (
        "(:types column count base - object card - base)",
        "(:predicates (under ?x - card ?z - object) (clear ?z - object) (held ?x - card) (home ?p - base) "
        "(fits ?x ?y - card) (before ?p - base ?x - card) (laid ?x - card) (free ?a - count) (next ?a ?b - count))",
        *moves,
    )
    name = {card: f"c{card.lower()}" for card in pack}
    tops = {at % columns: card for at, card in enumerate(pack)}
    start = [f"(free n{cells})", *(f"(next n{at} n{at + 1})" for at in range(cells)), "(home base)"]
    start += [f"(under {name[card]} {name[pack[at - columns]] if at >= columns else f't{at}'})"
              for at, card in enumerate(pack)]  # fmt: skip
    start += [f"(laid {each})" for each in name.values()]
    start += [f"(clear {name[tops[at]] if at in tops else f't{at}'})" for at in range(columns)]
    start += [f"(fits {name[x]} {name[y]})" for x in pack for y in pack if fits(x, y)]
    start += [f"(before {name[x]} {name[y]})" for x in pack for y in pack if before(x, y)]
    start += [f"(before base {name[x]})" for x in pack if not any(before(y, x) for y in pack)]
    things = (f"{' '.join(name.values())} - card", f"{' '.join(f't{at}' for at in range(columns))} - column",
              f"{' '.join(f'n{at}' for at in range(cells + 1))} - count", "base - base")  # fmt: skip
    return pddl("freecell", ":strips :typing", domain, " ".join(things), start,
                f"(and {' '.join(f'(home {each})' for each in name.values())})")  # fmt: skip


# -- the levels --------------------------------------------------------------------------------------------------------

TOPSPIN_12 = (5, 10, 7, 2, 6, 4, 0, 3, 1, 8, 9, 11)
PANCAKE_12 = (7, 4, 9, 11, 6, 8, 3, 5, 1, 2, 0, 10)
PANCAKE_9 = (0, 1, 4, 7, 2, 5, 8, 3, 6)
BLOCKS_12 = (("AGIJ", "EHK", "FCDB", "L"), ("DGBEIF", "KL", "CJH", "A"))
FREECELL_24 = tuple(
    "2D 2C 3C 4S 5C 3H AS 6H 5S 2H 2S 3S AD 4H 5H 4D 6S AH AC 5D 4C 6C 6D 3D".split()  # noqa: SIM905
)
KLOTSKI_158 = "層層設防2"


def named(puzzle: str, level: str | None = None, **settings: object) -> Callable[[Session], Level]:
    return lambda session: Level(puzzle, level, {name: _said(value) for name, value in settings.items()})


def _said(value: object) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)


def built(name: str, *given: Any) -> Callable[[Session], Pddl]:
    """By the peers' generator of that name."""
    return lambda session: _pair(generator(session, name).build(*given))


def _pair(made: Sequence[str]) -> Pddl:
    domain, problem = made
    return domain, problem


def pieces(session: Session) -> Sequence[str]:
    layouts = collection(session.data, "klotski_hrd_classic.json")["layouts"]
    rows: list[str] = next(each["rows"] for each in layouts if each["name"] == KLOTSKI_158)
    return [row.replace("@", ".") for row in rows]


def klotski(session: Session) -> Level:
    return Level("klotski", settings={"board": _said(pieces(session)), "target": "A"})


def klotski_pddl(session: Session) -> Pddl:
    goal = {"A": [(3, 1), (3, 2), (4, 1), (4, 2)]}
    return _pair(generator(session, "sliding").build(pieces(session), goal))


def crowded(session: Session) -> Mapping[str, Any]:
    """The rush hour board that needs most moves of all."""
    boards = collection(session.data, "rush_hour.json")["boards"]
    found: Mapping[str, Any] = next(each for each in boards if each["set"] == "fogleman" and each["moves"] == 60)
    return found


def tubes(session: Session) -> list[str]:
    levels = collection(session.data, "water_sort.json")["levels"]
    found: list[str] = next(each["tubes"] for each in levels if each["id"] == "level20")
    return found


def water_sort(session: Session) -> Level:
    quoted = ", ".join(f'"{tube}"' for tube in tubes(session))
    return Level("water_sort", settings={"tubes": f"[{quoted}]"})


def freecell_24(session: Session) -> Level:
    cards = _said(FREECELL_24)
    return Level("freecell", settings={"deck": cards, "pack": cards, "columns": "5", "cells": "2"})


def korf_pddl(session: Session) -> Pddl:
    start = entry(session.data, "korf_15puzzle_100.json", "instances", 1)["start"]
    return _pair(generator(session, "npuzzle").build(4, 4, start, list(range(16))))


def bloxorz_pddl(session: Session) -> Pddl:
    made = generator(session, "bloxorz")
    return _pair(made.build(made.load(str(session.data / "bloxorz_levels.yaml"), 32)))


def sokoban_pddl(session: Session) -> Pddl:
    rows = entry(session.data, "sokoban_microban.json", "levels", 59)["rows"]
    return _pair(generator(session, "sokoban").build(rows))


def rush_hour_pddl(session: Session) -> Pddl:
    found = crowded(session)
    return _pair(generator(session, "rushhour").build(found["board"], found["target"]))


def tubes_pddl(session: Session) -> Pddl:
    return _pair(generator(session, "watersort").build([list(tube) for tube in tubes(session)], loose=True))


GIVEN = (  # the peers' folder has them
    Rival("npuzzle-3x3-22", named("n_puzzle", "seed-8"), 22),
    Rival("npuzzle-3x3-31", named("n_puzzle", "hardest-8"), 31),
    Rival("npuzzle-4x4-19", named("n_puzzle", "seed-15"), 19),
    Rival("npuzzle-korf12", lambda s: korf(s.data, 12), 45),
    Rival("npuzzle-korf42", lambda s: korf(s.data, 42), 42),
    Rival("npuzzle-korf55", lambda s: korf(s.data, 55), 41),
    Rival("npuzzle-korf79", lambda s: korf(s.data, 79), 42),
    Rival("klotski", named("klotski", "hua-rong-dao"), 116),
    Rival("klotski-named", named("klotski", "hua-rong-dao"), 116),
    Rival("rushhour-1", lambda s: rush_hour(s.data, 1), 16),
    Rival("rushhour-15", lambda s: rush_hour(s.data, 15), 32),
    Rival("rushhour-40", lambda s: rush_hour(s.data, 40), 81),
    Rival("watersort-1", named("water_sort", "seed-1"), 15),
    Rival("watersort-1-loose", named("water_sort", "seed-1"), 15),
    Rival("sokoban-microban1", lambda s: microban(s.data, 1), 33),
    Rival("sokoban-microban2", lambda s: microban(s.data, 2), 16),
    Rival("sokoban-microban36", lambda s: microban(s.data, 36), 156),
    Rival("bloxorz-1", lambda s: bloxorz(s.data, 1), 7),
    Rival("bloxorz-2", lambda s: bloxorz(s.data, 2), 17),
    Rival("bloxorz-8", lambda s: bloxorz(s.data, 8), 10),
    Rival("bloxorz-33", lambda s: bloxorz(s.data, 33), 65),
    Rival("hanoi-10", named("hanoi", "ten"), 1023),
    Rival("pancake-9", named("pancake", n=9, start=PANCAKE_9), 10),
    Rival("pancake-9-strips", named("pancake", n=9, start=PANCAKE_9), 10),
    Rival("vehicles-3", named("vehicles_one_at_a_time", "n3"), 7),
)
LARGER = (
    Rival("npuzzle-korf1", lambda s: korf(s.data, 1), 57, korf_pddl),
    Rival("klotski-158", klotski, 158, klotski_pddl),
    Rival("rushhour-103", lambda s: cars(crowded(s)), 103, rush_hour_pddl),
    Rival("watersort-22", water_sort, 22, tubes_pddl),
    Rival("sokoban-microban59", lambda s: microban(s.data, 59), 178, sokoban_pddl),
    Rival("bloxorz-32", lambda s: bloxorz(s.data, 32), 129, bloxorz_pddl),
    Rival("hanoi4-11", named("hanoi", disks=11, pegs=4), 65, built("hanoi", 11, 4)),
    Rival("pancake-12", named("pancake", n=12, start=PANCAKE_12), 12,
          built("pancake", [each + 1 for each in PANCAKE_12])),
    Rival("topspin-12", named("topspin", n=12, k=4, start=TOPSPIN_12), 30, lambda s: topspin(TOPSPIN_12, 4)),
    Rival("blocks-12", named("blocks_world", start=BLOCKS_12[0], wanted=BLOCKS_12[1]), 13,
          lambda s: blocks(*BLOCKS_12)),
    Rival("freecell-24", freecell_24, 37, lambda s: freecell(5, 2, FREECELL_24)),
    Rival("vehicles-4", named("vehicles_one_at_a_time", "n4"), 14, built("vehicles", 4)),
)  # fmt: skip


# -- the contest -------------------------------------------------------------------------------------------------------


def records(rival: Rival, ours: Callable[[Rival, Session, Path], Sample]) -> Callable[[Session], list[Record]]:
    def measured(session: Session) -> list[Record]:
        cache = new_cache(session.peers.scratch)
        entrants = [Entrant("product", lambda: ours(rival, session, cache), own=True), *planners(rival, session)]
        first = session.contest(rival.name, [replace(entrants[0], who=FIRST)], 1)
        standings = first + session.contest(rival.name, entrants, session.turns(1, 1))
        seconds = {standing.entrant.who: taken(standing) for standing in standings if not standing.absent}
        best = min((seconds[who] for who in PLANNERS if who in seconds), default=None)
        told = {who: each if each < SECONDS else None for who, each in seconds.items()}
        return [{"row": rival.name, "optimum": rival.optimum, **told, "ratio": quotient(best, seconds["product"])}]

    return measured


def product(rival: Rival, session: Session, cache: Path) -> Sample:
    return checked(rival, solved(rival.level(session), cache=cache, limit=SECONDS))


def reader(rival: Rival, session: Session, cache: Path) -> Sample:
    """The product, given what the planners are given."""
    domain, problem = session.peers.instance(rival.name)
    return checked(rival, asked([str(domain), str(problem)], cache=cache, limit=SECONDS))


def planners(rival: Rival, session: Session) -> list[Entrant]:
    if rival.write is not None:
        folder = session.peers.scratch / "pddl"
        folder.mkdir(exist_ok=True)
        for what, text in zip(("domain", "problem"), rival.write(session), strict=True):
            (folder / f"{rival.name}-{what}.pddl").write_text(text, encoding="ascii")
    peers = session.peers if rival.write is None else replace(session.peers, folder=session.peers.scratch)

    def entrant(who: str, planner: str, search: str) -> Entrant:
        return Entrant(who, lambda: checked(rival, peers.planner(planner, search, rival.name, SECONDS)))

    return [entrant(who, *asked) for who, asked in PLANNERS.items()]


def checked(rival: Rival, found: Sample) -> Sample:
    """Failed where a plan does not cost what is known: one of the two models would be wrong."""
    if found.cost != rival.optimum:
        raise Failed(f"a plan of cost {found.cost} instead of {rival.optimum}")
    return found


def taken(standing: Standing) -> float:
    return min(middling(standing.samples) or SECONDS, SECONDS)


def means(found: Sequence[Record]) -> list[Record]:
    """For each planner: levels solved beside ours, and the geometric mean of its seconds over ours."""
    return [{"row": who, "levels": len(found), "solved": sum(row[who] is not None for row in found),
             "by the product": sum(row["product"] is not None for row in found),
             "mean ratio": (mean := against(found, who, "product")), "target": TWICE.verdict(mean),
             "never seen": against(found, who, FIRST)}
            for who in PLANNERS if all(who in row for row in found)]  # fmt: skip


def against(found: Sequence[Record], planner: str, ours: str) -> float | None:
    return geometric_mean([(row[planner] or SECONDS) / (row[ours] or SECONDS) for row in found])


ROWS = (
    *(Row(f"auto-{rival.name}", RIVALS, False, records(rival, product)) for rival in (*GIVEN, *LARGER)),
    *(Row(f"pddl-{rival.name}", FRONT, False, records(rival, reader)) for rival in GIVEN),
)
