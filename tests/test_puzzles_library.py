"""The library: every level's known values by search, what the files claim, and their rules written down once more.

What the files call known comes from print, from hand arguments, and from searches that share nothing with this project:
those of `oracles_puzzles` and `oracles_games`, and longer ones for Ricochet, Ma, Klotski, FreeCell, the labyrinth and
pipes.
"""

from __future__ import annotations

import json
import random

import pytest
from oracles_games import GAMES as MORE_GAMES
from oracles_puzzles import GAMES as FIRST_GAMES
from oracles_puzzles import explored
from proving import learn
from puzzle_files import load, sources
from running import run
from sampled import slow

from models.grounding import ground
from models.outcomes import Limits, Outcome
from models.puzzle import Puzzle
from puzzlewright.analysis.claims import Claims
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search.machine import Machine
from search.spaces.machine_space import count_states

GAMES = {**FIRST_GAMES, **MORE_GAMES}
NAMES = (
    *MORE_GAMES,
    *("atomix", "blocks_world", "bridge_torch", "burnt_pancake", "freecell", "frogs_toads", "gravity_blocks"),
    *("ice_maze", "key_maze", "klotski", "knights_exchange", "labyrinth", "ma", "missionaries", "peg_solitaire"),
    *("pipes", "ricochet", "rings", "sixteen", "snake", "topspin", "water_jugs", "wolf_goat_cabbage", "word_tiles"),
    *("block_moves", "card_piles", "cyclic_hanoi", "jealous_husbands", "klondike", "knights_tour", "policeman_thief"),
)
SMALL = 1_000  # states of the levels that are solved and explored by default
TRIED = 1  # of each puzzle
QUICK = {  # of puzzles that take long: the levels that are solved by default
    "atomix": {"peroxide"},
    "flood_it": {"three"},
    "flow": {"loose"},
    "gravity_blocks": {"first"},
    "helltaker": {"key", "shut"},
    "klotski": {"kinds"},
    "lunar_lockout": {"five", "never"},
    "knights_tour": {"three-by-four", "four-by-four", "five"},
    "ma": {"apart", "full"},
    "peg_solitaire": {"triangle-10", "triangle-15", "beside", "lost"},
    "panex": {"one", "two"},
    "ricochet": {"two"},
    "snakebird": {"ladder"},
    "snowman": {"corner", "melted"},
    "sokobond": {"ammonia", "lost"},
    "theseus": {"first", "open"},
    "words": {"flag"},
    "snake": {"first"},
}
LONG = {("ice_maze", "lake"), ("sixteen", "three-by-four"), ("words", "flag")}  # small, and take long
BEYOND = {("peg_solitaire", "central", "moves")}  # published, out of reach
SEPARATED = {("peg_solitaire", "beside"), ("sixteen", "odd")}  # by an invariant, so that nothing is searched
BY_CPSAT = {"atomix", "flood_it"}  # claims that the quick prover leaves open
CLAIMING = {"klotski": "kinds", "ma": "tangle"}  # the level whose claims are proven, where it is not the first
BOTH = {  # levels that CP-SAT proves in seconds, in the first metric
    "atomix": ("water", "steam", "dioxide", "peroxide"),
    "blocks_world": ("sussman", "four", "five", "partly", "six"),
    "bridge_torch": ("classic", "three", "alike", "slow", "five"),
    "burnt_pancake": ("one", "two", "three", "four", "five", "turned", "mixed"),
    "flood_it": ("first", "three", "four", "five"),
    "flow": ("first", "five", "six", "loose"),
    "freecell": ("first", "aces", "three-suits", "red-and-black", "two-cells"),
    "frogs_toads": ("one", "two", "three", "four-and-two", "two-free", "gaps", "one-ahead", "six"),
    "gravity_blocks": ("first",),
    "helltaker": ("first", "key", "two-keys", "long"),
    "ice_maze": ("first", "corner", "cave", "hall", "snow", "lake"),
    "key_maze": ("first", "two-doors", "one-key", "choice", "spiral"),
    "knights_exchange": ("guarini", "quarter", "four-colours", "bay"),
    "labyrinth": ("narrow",),
    "lunar_lockout": ("first", "five", "six"),
    "missionaries": ("one", "two", "three", "four-in-threes", "five-in-threes", "six-in-fours", "twenty-in-fours"),
    "panex": ("one", "two", "centre-two", "centre-three"),
    "peg_solitaire": ("cross", "plus", "fireplace", "triangle-10", "triangle-15"),
    "pipes": ("bend", "ring", "fork", "fork-tight", "across", "gap", "straight"),
    "ricochet": ("straight", "turn", "two"),
    "rings": ("two-colours", "near"),
    "sixteen": ("two-by-two", "swap", "turned-six"),
    "snake": ("first",),
    "snakebird": ("ladder",),
    "snowman": ("first", "corner"),
    "sokobond": ("first", "water", "ammonia", "peroxide"),
    "theseus": ("first", "door", "hall", "yard"),
    "topspin": ("pairs", "five", "six"),
    "block_moves": ("eight", "three", "five", "six"),
    "card_piles": ("two", "three", "four"),
    "cyclic_hanoi": ("two", "next"),
    "jealous_husbands": ("three", "two", "four-in-threes"),
    "klondike": ("first", "two-columns"),
    "knights_tour": ("five", "three-by-four", "closed"),
    "policeman_thief": ("test", "small-family", "at-peace"),
    "water_jugs": ("three-five", "eight", "poisson", "four-nine", "seven-eleven", "one-litre", "thirds"),
    "wolf_goat_cabbage": ("alcuin", "two-seats", "hay", "chain", "cats", "farm"),
    "word_tiles": ("tea", "too", "odd"),
    "words": ("flag", "turn"),
}
RINGS = "rings={upper: [[0, 0], [0, 1], [1, 1], [1, 0]], lower: [[1, 1], [1, 2], [2, 2], [2, 1]]}"


def optima(puzzle: Puzzle) -> dict[str, int]:
    """The known optimum in each metric for which there is one."""
    optimal = puzzle.known.get("optimal", {})
    return optimal if isinstance(optimal, dict) else {puzzle.metrics[0]: optimal}


def states(name: str, level: str) -> int:
    """How many there are, 0 if that is not known."""
    return int(str((sources(name)[level].known or {}).get("states", 0)))


def takes_long(name: str, level: str) -> bool:
    return level not in QUICK.get(name, {level}) or (name, level) in LONG or states(name, level) > SMALL


def levels(name: str, known: str, rest: bool, small: int = SMALL) -> list[str]:
    """The levels for which a value is declared under `known`: a few small ones, or the rest."""
    given = [level for level, source in sources(name).items() if known in (source.known or {})]
    few = [level for level in given if not takes_long(name, level) and states(name, level) <= small][:TRIED]
    return [level for level in given if level not in few] if rest else few


FEW_AND_REST = pytest.mark.parametrize("rest", [False, slow(True)], ids=["few", "rest"])


def claims(puzzle: Puzzle, metric: str) -> set[str]:
    """The heuristics that are claimed to be consistent for this metric; with the first one, the invariants too."""
    first = metric == puzzle.metrics[0]
    words = {f"consistent for {metric}", "consistent"} if first else {f"consistent for {metric}"}
    invariants = puzzle.invariants if first else ()
    return {
        *(f"heuristic {heuristic.name}" for heuristic in puzzle.heuristics if heuristic.claim in words),
        *(f"invariant {invariant.name}" for invariant in invariants),
    }


# -- what the levels say -----------------------------------------------------------------------------------------------


@FEW_AND_REST
@pytest.mark.parametrize("name", NAMES)
def test_search_finds_the_known_optimum(name: str, rest: bool) -> None:
    for level in levels(name, "optimal", rest):
        puzzle = load(name, level)
        for metric, cost in optima(puzzle).items():
            if (name, level, metric) not in BEYOND:
                report = solve(puzzle, Request(metrics=(metric,)))
                assert (report.outcome, report.cost) == (Outcome.OPTIMAL, cost), (level, metric)
                assert report.replay is not None and report.replay.valid and report.replay.costs[metric] == cost, level


@FEW_AND_REST
@pytest.mark.parametrize("name", NAMES)
def test_a_level_without_a_solution_has_none(name: str, rest: bool) -> None:
    for level in levels(name, "solvable", rest):
        report = solve(load(name, level), Request())
        assert report.outcome is Outcome.UNSOLVABLE, level
        assert ("invariant" in report.proven_by) == ((name, level) in SEPARATED), level


@FEW_AND_REST
@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_reachable_states_is_the_known_one(name: str, rest: bool) -> None:
    for level in levels(name, "states", rest, small=100):
        puzzle = load(name, level)
        assert count_states(Machine(ground(puzzle)), Limits()) == puzzle.known["states"], level


@FEW_AND_REST
@pytest.mark.parametrize("name", GAMES)
def test_a_plain_search_by_the_rules_finds_the_known_values(name: str, rest: bool) -> None:
    for level in levels(name, "states", rest, small=300):
        puzzle = load(name, level)
        for metric in puzzle.metrics:
            cost, reached = explored(GAMES[name](puzzle.data, metric))
            if metric in optima(puzzle) or not puzzle.known.get("solvable", True):
                assert cost == optima(puzzle).get(metric), (level, metric)
            if metric == puzzle.metrics[0]:
                assert reached == puzzle.known["states"], level


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_both_paths_prove_the_known_optimum(name: str) -> None:
    for level in BOTH[name]:
        puzzle = load(name, level)
        report = prove(puzzle, Request(metrics=puzzle.metrics[:1]))
        assert (report.outcome, report.proven_by) == (Outcome.OPTIMAL, ("search", "cpsat")), level
        assert report.cost == optima(puzzle)[puzzle.metrics[0]], level


# -- claims ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NAMES if name not in BY_CPSAT])
def test_what_a_file_claims_is_proven(name: str) -> None:
    puzzle = load(name, CLAIMING.get(name))
    for metric in puzzle.metrics:
        if wanted := claims(puzzle, metric):
            knowledge = learn(ground(puzzle, [metric]), cache=False)
            verdicts = {f"heuristic {name}": verdict for name, verdict in knowledge.heuristics.items()}
            verdicts |= {f"invariant {name}": verdict for name, verdict in knowledge.invariants.items()}
            assert all(verdicts[claim].proven for claim in wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_a_file_claims_is_agreed_upon(name: str) -> None:
    """By the quick prover, CP-SAT, and a walk."""
    puzzle = load(name, CLAIMING.get(name))
    for metric in puzzle.metrics:
        if wanted := claims(puzzle, metric):
            findings = {finding.name: finding for finding in Claims(Workbench(puzzle, (metric,))).findings()}
            assert all(findings[claim].verdict.proven for claim in wanted)
            assert not any(finding.disagreement for finding in findings.values())


# -- published values, and boards that are drawn -----------------------------------------------------------------------


@pytest.mark.parametrize(("n", "ways"), [(1, 1), (2, 3), (3, 13), (4, 73), (5, 501), (6, 4051)])
def test_blocks_stand_in_the_published_number_of_ways(n: int, ways: int) -> None:
    """OEIS A000262."""
    puzzle = load("blocks_world", None, f"start=[{'ABCDEF'[:n]}]", f"wanted=[{'ABCDEF'[:n]}]")
    assert count_states(Machine(ground(puzzle)), Limits()) == ways


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (2, 3), (4, 4), (5, 3), (0, 3)])
def test_frogs_and_toads_take_the_published_number_of_moves(m: int, n: int) -> None:
    """Lucas, 1883."""
    assert solve(load("frogs_toads", None, f"row={'F' * m}.{'T' * n}"), Request()).cost == m * n + m + n


def depth(puzzle: Puzzle) -> int:
    """How many steps the farthest states are away from the start."""
    machine = Machine(ground(puzzle))
    layers, seen = [{machine.initial}], {machine.initial}
    while layers[-1]:
        layers.append({after for state in layers[-1] for _, after, _ in machine.successors(state)} - seen)
        seen |= layers[-1]
    return len(layers) - 2  # the first layer is the start, the last is empty


@pytest.mark.parametrize(("n", "flips"), [(1, 1), (2, 4), (3, 6), (4, 8), (5, 10)])
def test_the_worst_stack_of_burnt_pancakes_takes_the_published_number_of_flips(n: int, flips: int) -> None:
    """OEIS A078942; a flip is its own inverse, so the ordered stack is as far from the worst as that from it."""
    start = ",".join(map(str, range(n))) if n > 1 else "[0]"
    assert depth(load("burnt_pancake", None, f"n={n}", f"start={start}", f"burnt=[{','.join('0' * n)}]")) == flips


@pytest.mark.parametrize(("n", "moves"), [(2, 1), (3, 2), (4, 3), (5, 3), slow(6, 4), slow(7, 4), slow(8, 5)])
def test_the_worst_hand_takes_the_published_number_of_block_moves(n: int, moves: int) -> None:
    """OEIS A065603; a move is taken back by a move."""
    assert depth(load("block_moves", None, f"n={n}", f"start={','.join(map(str, range(n)))}")) == moves


PUBLISHED = [  # towers of 1, 2, ... disks; piles
    *(("cyclic_hanoi", f"to=3 disks={n}", moves) for n, moves in enumerate([2, 7, 21, 59, 163], 1)),  # OEIS A005666
    *(("cyclic_hanoi", f"to=2 disks={n}", moves) for n, moves in enumerate([1, 5, 15, 43, 119], 1)),  # A005665
    *(("card_piles", f"piles={n}", moves) for n, moves in enumerate([0, 2, 5, 10, 15], 1)),  # A013927
    *(slow("cyclic_hanoi", f"to={to} disks={n}", moves) for to, n, moves in ((3, 7, 1223), (3, 8, 3343), (2, 6, 327))),
    *(slow("card_piles", f"piles={n}", moves) for n, moves in ((6, 23), (7, 31))),
    *(("block_moves", f"n={n} start={list(range(n))[::-1]}".replace(", ", ","), n // 2 + 1) for n in (3, 4, 6, 7)),
]


@pytest.mark.parametrize(("name", "settings", "moves"), PUBLISHED)
def test_the_published_number_of_moves_is_needed(name: str, settings: str, moves: int) -> None:
    assert solve(load(name, None, *settings.split()), Request()).cost == moves


@pytest.mark.slow
def test_a_knight_has_the_published_number_of_tours() -> None:
    """From the corner of 5 x 5 squares; all 1,728 tours of OEIS A165134 are 304 from each corner, and others."""
    counted = json.loads(run("solve", "knights_tour", "--level", "five", "--count", "--json").out)
    assert counted["optimal_plans"] == 304


def rote(minutes: list[int]) -> int:
    """The least time of all who cross a bridge by twos: the recursion that Guenter Rote proves best, 2002."""
    first, *_, last = minutes = sorted(minutes)
    if len(minutes) <= 3:
        return sum(minutes) if len(minutes) == 3 else last
    return rote(minutes[:-2]) + min(first + 2 * minutes[1] + last, 2 * first + minutes[-2] + last)


@pytest.mark.parametrize("seed", range(6))
def test_a_bridge_takes_the_time_of_the_published_recursion(seed: int) -> None:
    rng = random.Random(seed)
    minutes = [rng.randint(1, 30) for _ in range(2 + seed % 5)]
    people = ", ".join(f"p{number}: {pace}" for number, pace in enumerate(minutes))
    assert solve(load("bridge_torch", None, f"minutes={{{people}}}"), Request()).cost == rote(minutes)


DRAWN = [  # puzzles that draw their boards, with settings that make them small
    ("burnt_pancake", "n=4"),
    ("ice_maze",),
    ("rings", 'wanted=["AB ", "CDE", " FG"]', RINGS),
    ("sixteen", "rows=2"),
    slow(("klondike", "deck=[AS, 2S, 3S, AH, 2H, 3H, AD]", "columns=2")),
    ("topspin", "n=6", "k=3"),
    slow(("topspin", "n=7", "k=5")),
    ("word_tiles", "wanted=[EAT, TE.]"),
]


@pytest.mark.parametrize("drawn", DRAWN, ids=" ".join)
def test_what_is_drawn_is_solved_as_by_a_plain_search(drawn: tuple[str, ...]) -> None:
    name, *settings = drawn
    costs = []
    for seed in range(4):
        puzzle = load(name, "random", *settings, seed=seed)
        costs.append(solve(puzzle, Request()).cost)
        assert costs[-1] == explored(GAMES[name](puzzle.data, puzzle.metrics[0]))[0]
    assert len(set(costs)) > 1


@pytest.mark.parametrize("name", [name for name in NAMES if "random" in sources(name)])
def test_the_random_level_follows_the_seed(name: str) -> None:
    first, again, *others = (load(name, "random", seed=seed).data for seed in (1, 1, 2, 3, 4))
    assert first == again
    assert any(first != other for other in others)


@pytest.mark.parametrize("name", NAMES)
def test_files_raise_no_warnings(name: str) -> None:
    assert not load(name).warnings
