"""Eight classical domains in PDDL, with problems of any size and the cost of their cheapest plans.

The costs are known: Lucas for the tower, counting for the others, published for Sokoban and the tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

Files = tuple[str, str]
Case = tuple[Files, int]


def problem(domain: str, objects: str, init: Sequence[str], goal: Sequence[str], metric: str = "") -> str:
    facts, wanted = "\n   ".join(init), " ".join(goal)
    return (f"(define (problem one) (:domain {domain})\n (:objects {objects})\n"
            f" (:init {facts})\n (:goal (and {wanted})){metric})\n")  # fmt: skip


def grid(rows: int, cols: int, name: str) -> list[str]:
    """Facts (name cell cell) of neighbours."""
    cells = list(product(range(rows), range(cols)))
    return [f"({name} c{r}-{c} c{p}-{q})" for r, c in cells for p, q in cells if abs(r - p) + abs(c - q) == 1]


def names(rows: int, cols: int) -> str:
    return " ".join(f"c{r}-{c}" for r, c in product(range(rows), range(cols)))


HANOI = """(define (domain hanoi) (:requirements :strips)
 (:predicates (clear ?x) (on ?x ?y) (smaller ?x ?y) (disk ?x))
 (:action move :parameters (?disc ?from ?to)
  :precondition (and (disk ?disc) (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
  :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
"""


def hanoi(disks: int) -> Case:
    """Lucas, 1883: 2^n - 1."""
    tower = [f"d{n}" for n in range(1, disks + 1)]
    init = [f"(on {small} {large})" for small, large in zip(tower, [*tower[1:], "p1"], strict=True)]
    init += ["(clear d1)", "(clear p2)", "(clear p3)", *(f"(disk {d})" for d in tower)]
    init += [f"(smaller p{p} {d})" for p in (1, 2, 3) for d in tower]
    init += [f"(smaller {large} {small})" for i, small in enumerate(tower) for large in tower[i + 1 :]]
    goal = [f"(on {small} {large})" for small, large in zip(tower, [*tower[1:], "p3"], strict=True)]
    return (HANOI, problem("hanoi", f"{' '.join(tower)} p1 p2 p3", init, goal)), 2**disks - 1


GRIPPER = """(define (domain gripper) (:requirements :strips :typing)
 (:types room ball gripper)
 (:constants left right - gripper)
 (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) (free ?g - gripper) (carry ?o - ball ?g - gripper))
 (:action move :parameters (?from ?to - room)
  :precondition (and (at-robby ?from) (not (= ?from ?to))) :effect (and (at-robby ?to) (not (at-robby ?from))))
 (:action pick :parameters (?obj - ball ?room - room ?gripper - gripper)
  :precondition (and (at ?obj ?room) (at-robby ?room) (free ?gripper))
  :effect (and (carry ?obj ?gripper) (not (at ?obj ?room)) (not (free ?gripper))))
 (:action drop :parameters (?obj - ball ?room - room ?gripper - gripper)
  :precondition (and (carry ?obj ?gripper) (at-robby ?room))
  :effect (and (at ?obj ?room) (free ?gripper) (not (carry ?obj ?gripper)))))
"""


def gripper(balls: int) -> Case:
    """Each ball is picked and dropped, and the robot goes there with two of them, and back but for the last time."""
    named = [f"ball{n}" for n in range(balls)]
    init = ["(at-robby rooma)", "(free left)", "(free right)", *(f"(at {ball} rooma)" for ball in named)]
    goal = [f"(at {ball} roomb)" for ball in named]
    trips = (balls + 1) // 2
    return (
        GRIPPER,
        problem("gripper", f"rooma roomb - room {' '.join(named)} - ball", init, goal),
    ), 2 * balls + 2 * trips - 1


FERRY = """(define (domain ferry) (:requirements :strips :typing :equality)
 (:types car location)
 (:predicates (not-eq ?x ?y - location) (at-ferry ?l - location)
  (at ?c - car ?l - location) (empty-ferry) (on ?c - car))
 (:action sail :parameters (?from ?to - location) :precondition (and (not-eq ?from ?to) (at-ferry ?from))
  :effect (and (at-ferry ?to) (not (at-ferry ?from))))
 (:action board :parameters (?car - car ?loc - location)
  :precondition (and (at ?car ?loc) (at-ferry ?loc) (empty-ferry))
  :effect (and (on ?car) (not (at ?car ?loc)) (not (empty-ferry))))
 (:action debark :parameters (?car - car ?loc - location) :precondition (and (on ?car) (at-ferry ?loc))
  :effect (and (at ?car ?loc) (empty-ferry) (not (on ?car)))))
"""


def ferry(cars: int) -> Case:
    """Board, sail, debark, and back but for the last time."""
    named = [f"car{n}" for n in range(cars)]
    init = ["(not-eq l0 l1)", "(not-eq l1 l0)", "(at-ferry l0)", "(empty-ferry)", *(f"(at {car} l0)" for car in named)]
    goal = [f"(at {car} l1)" for car in named]
    return (FERRY, problem("ferry", f"l0 l1 - location {' '.join(named)} - car", init, goal)), 4 * cars - 1


VISIT_ALL = """(define (domain grid-visit-all) (:requirements :typing)
 (:types place - object)
 (:predicates (connected ?x ?y - place) (at-robot ?x - place) (visited ?x - place))
 (:action move :parameters (?curpos ?nextpos - place)
  :precondition (and (at-robot ?curpos) (connected ?curpos ?nextpos))
  :effect (and (at-robot ?nextpos) (not (at-robot ?curpos)) (visited ?nextpos))))
"""


def visit_all(rows: int, cols: int) -> Case:
    """From a corner there is a way through all places that meets none twice."""
    init = ["(at-robot c0-0)", "(visited c0-0)", *grid(rows, cols, "connected")]
    goal = ["(forall (?p - place) (visited ?p))"]
    return (VISIT_ALL, problem("grid-visit-all", f"{names(rows, cols)} - place", init, goal)), rows * cols - 1


BLOCKS = """(define (domain blocks) (:requirements :strips)
 (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
 (:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
  :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
 (:action put-down :parameters (?x) :precondition (holding ?x)
  :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
 (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
  :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
 (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
  :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""


def blocks(height: int) -> Case:
    """A tower turned upside down: each block but one is grasped and let go, and so is the one below, once."""
    tower = [f"b{n}" for n in range(height)]  # from above
    init = ["(handempty)", "(clear b0)", f"(ontable {tower[-1]})"]
    init += [f"(on {above} {below})" for above, below in zip(tower, tower[1:], strict=False)]
    goal = [f"(on {below} {above})" for above, below in zip(tower, tower[1:], strict=False)]
    return (BLOCKS, problem("blocks", " ".join(tower), init, goal)), 2 * height


PEGS = """(define (domain pegs) (:requirements :typing)
 (:types location)
 (:predicates (in-line ?x ?y ?z - location) (occupied ?l - location) (free ?l - location))
 (:action jump :parameters (?from ?over ?to - location)
  :precondition (and (in-line ?from ?over ?to) (occupied ?from) (occupied ?over) (free ?to))
  :effect (and (not (occupied ?from)) (not (occupied ?over)) (not (free ?to))
   (free ?from) (free ?over) (occupied ?to))))
"""


def pegs() -> Case:
    """The Latin cross, six pegs, to one in the middle: each jump takes one away (on 7 x 7 places without corners)."""
    cells = {(r, c) for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4}
    lines = [[(r + n * dr, c + n * dc) for n in range(3)]
             for r, c in sorted(cells) for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))]  # fmt: skip
    lines = [line for line in lines if set(line) <= cells]
    cross = {(1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (4, 3)}

    def name(cell: tuple[int, int]) -> str:
        return f"c{cell[0]}-{cell[1]}"

    init = [f"(in-line {' '.join(map(name, line))})" for line in lines]
    init += [f"({'occupied' if cell in cross else 'free'} {name(cell)})" for cell in sorted(cells)]
    goal = ["(occupied c3-3)", *(f"(free {name(cell)})" for cell in sorted(cells - {(3, 3)}))]
    return (PEGS, problem("pegs", f"{' '.join(map(name, sorted(cells)))} - location", init, goal)), len(cross) - 1


SOKOBAN = """(define (domain sokoban) (:requirements :typing :action-costs)
 (:types thing location direction - object player stone - thing)
 (:predicates (clear ?l - location) (at ?t - thing ?l - location) (at-goal ?s - stone)
  (is-goal ?l - location) (move-dir ?from ?to - location ?dir - direction))
 (:functions (total-cost) - number)
 (:action move :parameters (?p - player ?from ?to - location ?dir - direction)
  :precondition (and (at ?p ?from) (clear ?to) (move-dir ?from ?to ?dir))
  :effect (and (not (at ?p ?from)) (not (clear ?to)) (at ?p ?to) (clear ?from)))
 (:action push :parameters (?p - player ?s - stone ?ppos ?from ?to - location ?dir - direction)
  :precondition (and (at ?p ?ppos) (at ?s ?from) (clear ?to) (move-dir ?ppos ?from ?dir) (move-dir ?from ?to ?dir))
  :effect (and (not (at ?p ?ppos)) (not (at ?s ?from)) (not (clear ?to)) (at ?p ?from) (at ?s ?to) (clear ?ppos)
   (not (at-goal ?s)) (when (is-goal ?to) (at-goal ?s)) (increase (total-cost) 1))))
"""
ROOM = ["####", "# .#", "#  ###", "#*@  #", "#  $ #", "#  ###", "####"]  # Skinner's Microban, level 1


def sokoban() -> Case:
    """Pushes are what costs; 8 are known to be least (33 moves)."""
    cells = {(r, c): letter for r, row in enumerate(ROOM) for c, letter in enumerate(row) if letter != "#"}
    ways = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    init = ["(= (total-cost) 0)"]
    stones = 0
    for (r, c), letter in cells.items():
        here = f"c{r}-{c}"
        init += [f"(is-goal {here})"] * (letter in ".*") + [f"(clear {here})"] * (letter in " .")
        init += [f"(at man {here})"] * (letter == "@")
        if letter in "$*":
            stones += 1
            init += [f"(at stone{stones} {here})", *[f"(at-goal stone{stones})"] * (letter == "*")]
        there = [(f"c{r + dr}-{c + dc}", way) for way, (dr, dc) in ways.items() if (r + dr, c + dc) in cells]
        init += [f"(move-dir {here} {cell} {way})" for cell, way in there]
    places = " ".join(f"c{r}-{c}" for r, c in cells)
    objects = f"man - player stone1 stone2 - stone up down left right - direction {places} - location"
    goal = ["(at-goal stone1)", "(at-goal stone2)"]
    return (SOKOBAN, problem("sokoban", objects, init, goal, "\n (:metric minimize (total-cost))")), 8


TILES = """(define (domain tiles) (:requirements :strips :typing)
 (:types tile cell)
 (:predicates (at ?t - tile ?c - cell) (blank ?c - cell) (beside ?a ?b - cell))
 (:action slide :parameters (?t - tile ?a ?b - cell) :precondition (and (at ?t ?a) (blank ?b) (beside ?a ?b))
  :effect (and (at ?t ?b) (not (at ?t ?a)) (blank ?a) (not (blank ?b)))))
"""


def tiles() -> Case:
    """One of the two hardest of the 8-puzzle: 31 moves (Reinefeld, 1993)."""
    start = [8, 6, 7, 2, 5, 4, 3, 0, 1]
    places = [f"c{r}-{c}" for r, c in product(range(3), range(3))]
    init = [f"(at t{tile} {place})" if tile else f"(blank {place})" for tile, place in zip(start, places, strict=True)]
    goal = [f"(at t{tile} {place})" for tile, place in zip(range(1, 9), places, strict=False)]
    objects = f"{' '.join(f't{n}' for n in range(1, 9))} - tile {names(3, 3)} - cell"
    return (TILES, problem("tiles", objects, [*init, *grid(3, 3, "beside")], goal)), 31


CLASSICS: dict[str, Callable[[], Case]] = {
    "hanoi": lambda: hanoi(5),
    "gripper": lambda: gripper(4),
    "ferry": lambda: ferry(4),
    "visit-all": lambda: visit_all(3, 4),
    "blocks": lambda: blocks(5),
    "pegs": pegs,
    "sokoban": sokoban,
    "tiles": tiles,
}
SMALL: dict[str, Callable[[], Case]] = {
    "hanoi": lambda: hanoi(2),
    "gripper": lambda: gripper(3),
    "ferry": lambda: ferry(2),
    "visit-all": lambda: visit_all(2, 2),
    "blocks": lambda: blocks(3),
}
