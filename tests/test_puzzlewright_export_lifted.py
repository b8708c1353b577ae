"""Lifted PDDL is the puzzle: read again it has the same states, steps and costs, and known optima."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import running
from crosschecking import load
from pddl_oracle import Oracle
from sampled import seeds, slow

from models import referee
from models.document import read_document
from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Limits, Unsupported
from models.pddl.forms import joined
from models.plan import Step
from models.puzzle import Puzzle
from models.values import Value, exact
from puzzlewright.analysis.planners import PLANNERS
from puzzlewright.files.exporting.lifting.lifted import lifted_pddl
from puzzlewright.files.exporting.lifting.vocabulary import Vocabulary, word_of
from puzzlewright.files.exporting.wanted import ExportWanted
from puzzlewright.files.library import built_in
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

MOST_STATES = 8
LONGEST = 5_000  # letters of a domain that is walked through by trying all that there is
LEVELS, SECONDS = 3, 60
PUZZLES = (  # those with levels that blind search is through with in seconds
    *("blocks_world", "bridge_torch", "burnt_pancake", "card_piles", "cyclic_hanoi", "flow", "frogs_toads", "hanoi"),
    *("ice_maze", "klotski", "knights_exchange", "missionaries", "n_puzzle", "panex", "peg_solitaire", "sokoban"),
    *("policeman_thief", "snowman", "topspin", "vehicles_in_turn", "wolf_goat_cabbage", "word_tiles"),
)


def texts(puzzle: Puzzle) -> tuple[str, str]:
    """Domain and problem."""
    made = lifted_pddl(ExportWanted((puzzle,), Request(limits=Limits(SECONDS))))
    assert isinstance(made.content, str) and isinstance(beside := made.beside["-problem.pddl"], str)
    return made.content, beside


def read_again(domain: str, problem: str) -> Puzzle:
    return load_text(joined({"d.pddl": domain, "p.pddl": problem}), "p.pddl")


def key(state: Any) -> tuple[object, ...]:
    return tuple(map(exact, state.values()))


def compared(puzzle: Puzzle, other: Puzzle) -> int:
    """Both walked side by side by the referee: how many states were seen. Arguments are the first ones of the other."""
    start = referee.start_state(puzzle), referee.start_state(other)
    partner, waiting = {key(start[0]): key(start[1])}, deque([start])
    for _ in range(MOST_STATES):
        if not waiting:
            break
        ours, theirs = waiting.popleft()
        assert referee.is_goal(puzzle, ours) == referee.is_goal(other, theirs)
        there = list(referee.successors(other, theirs))
        here = list(referee.successors(puzzle, ours))
        assert Counter(word_of(step.action) for step, _ in here) == Counter(step.action for step, _ in there)
        for step, after in here:
            (same, reached) = next((other, to) for other, to in there if stands_for(other, step, puzzle))
            assert referee.costs(other, theirs, same)["cost"] == referee.costs(puzzle, ours, step)[puzzle.metrics[0]]
            if key(after) not in partner:
                waiting.append((after, reached))
            assert partner.setdefault(key(after), key(reached)) == key(reached)
    assert len(set(partner.values())) == len(partner)
    return len(partner)


def stands_for(theirs: Step, ours: Step, puzzle: Puzzle) -> bool:
    words = [word for _, word in theirs.arguments]
    wanted = [worded(value, puzzle) for _, value in ours.arguments]
    return theirs.action == word_of(ours.action) and all(map(re.fullmatch, wanted, words))


def worded(value: Value, puzzle: Puzzle) -> str:
    """What the object of a value is called, but for a number behind it."""
    return re.escape(Vocabulary(puzzle)._word(value)) + "(-[0-9]+)?"


def without_what_pddl_has_not(puzzle: Puzzle) -> Puzzle | None:
    """Only the first phase of the actions that have no array for a parameter; None where there is no such action."""
    actions = tuple(
        replace(action, phases=tuple(replace(phase, repeat=None, stable=False) for phase in action.phases[:1]))
        for action in puzzle.actions
        if not any(parameter.indices for parameter in action.parameters)
    )
    return replace(puzzle, actions=actions, always=(), fingerprint="") if actions else None


@pytest.mark.parametrize("seed", seeds(20, 300))  # of 317 a formula takes minutes by the referee
def test_random_puzzles(seed: int) -> None:
    whole = load(seed)
    puzzle = whole and without_what_pddl_has_not(whole)
    with suppress(PuzzleError, Unsupported):
        if puzzle is not None:
            domain, problem = texts(puzzle)
            if len(domain) < LONGEST:
                compared(puzzle, read_again(domain, problem))


# -- optima that are known ---------------------------------------------------------------------------------------------

KNOWN = {  # (cost, state, actions as lines, goal)
    # off the end there is no step: three of them, each costs 2
    "up": (6, "at: place = 0", ["up:", "  cost: 2", "  effect: {at: at + 1}"], "at == 3"),
    "never down": (None, "at: place = 1", ["up:", "  effect: {at: at + 1}"], "at == 0"),
    # both lines read the old state
    "swap": (1, "pair[p in place]: place = p", ["swap:", "  effect:", "    pair[1]: pair[2]", "    pair[2]: pair[1]"],
             "pair[1] == 2 and pair[2] == 1"),
    # both lines write on[0], so the only step does not apply
    "clash": (None, "on[p in place]: side = near\n  at: place = 0",
              ["set:", "  params: {p: 0 .. 0}", "  effect:", "    on[p]: far", "    on[at]: near"], "on[0] == far"),
    # a step costs what stands there: 1 + 2 + 3
    "price": (6, "at: place = 0", ["up:", "  cost: at + 1", "  effect: {at: at + 1}"], "at == 3"),
    "count": (3, "on[p in place]: side = near", ["turn:", "  params: {p: place}", "  effect:", "    on[p]: far"],
              "count(p for p in place if on[p] == far) >= 3"),
    # what turns is the first one that is near: 3 is the fourth
    "first": (4, "on[p in place]: side = near",
              ["turn:", "  effect:", "    on[first(p for p in place if on[p] == near)]: far"], "on[3] == far"),
    # in the range from 1 to 2 it is far: from 0 by 1, 1 and 1
    "range": (
        3,
        "at: place = 0\n  was: side = near",
        ["go:", "  effect:", "    at: at + 1", "    was: (far if at in range(1, 3) else near)"],
        "at == 3 and was == far",
    ),
    # there is no first that is far, so that it is not 1 is false
    "undefined": (
        0,
        "on[p in place]: side = near",
        ["turn:", "  params: {p: place}", "  effect:", "    on[p]: far"],
        "(first(p for p in place if on[p] == far) != 1) != (on[0] == near)",
    ),
    # 1 comes first, though it is there twice
    "twice": (
        2,
        "on[p in place]: side = near",
        ["turn:", "  effect:", "    on[first(p for p in [1, 2, 1, 3] if on[p] == near)]: far"],
        "on[2] == far",
    ),
    # the last one turned is the least that is far: 3, 2, 1
    "least": (3, "on[p in place]: side = near",
              ["turn:", "  params: {p: place}", "  when: all(on[q] == far for q in place if q > p)", "  effect:",
               "    on[p]: far"], "min(p for p in place if on[p] == far) == 1"),
    "many": (1, "lit[p in place]: bool = false",
             ["press:", "  params: {k: place}", "  effect:", "    lit[p]: not lit[p] for p in place if p <= k"],
             "all(lit[p] == (p < 3) for p in place)"),
    # far is 3: all of them cannot go up, so near goes alone, which costs 5
    "partial": (5, "at[s in side]: place = 3 if s == far else 2",
                ["all:", "  effect:", "    at[s]: at[s] + 1 for s in side", "one:", "  params: {s: side}", "  cost: 5",
                 "  effect:", "    at[s]: at[s] + 1"], "at[near] == 3"),
    # two loops that meet at 0: not both of them may happen
    "rounds": (None, "at[p in place]: place = p",
               ["fold:", "  effect:", "    at[p // 2]: at[p] for p in place"], "at[1] == 3"),
}  # fmt: skip
TYPES = "types:\n  place: 0 .. 3\n  side: [near, far]\n"


def puzzle_of(state: str, actions: list[str], goal: str, more: str = "") -> Puzzle:
    lines = "".join(f"  {line}\n" for line in actions)
    text = f"puzzle: known\n{TYPES}state:\n  {state}\nactions:\n{lines}goal: {goal}\n{more}"
    return load_text(text, "known.yaml")


@pytest.mark.parametrize("name", KNOWN)
def test_known_optima_by_the_definition_of_pddl_alone(name: str) -> None:
    cost, *words = KNOWN[name]
    files = texts(puzzle_of(*words))
    assert Oracle(*files).optimum() == cost
    found = solve(read_again(*files), Request())
    assert (found.outcome, found.cost) == (("unsolvable", None) if cost is None else ("optimal", cost))


def test_what_must_hold_always_holds_after_the_last_step_too() -> None:
    """By steps of 1 or 2 from 0 to 3: without 1 and 2 there is none, without 1 there is."""
    words = ("at: place = 0", ["go:", "  params: {k: 1 .. 2}", "  effect: {at: at + k}"], "at == 3")
    for always, cost in (("at not in [1, 2]", None), ("at != 1", 2), ("at != 3", None)):
        assert Oracle(*texts(puzzle_of(*words, f"always: {always}\n"))).optimum() == cost


def test_the_sliding_puzzle_reads_as_one_would_write_it() -> None:
    domain, problem = texts(load_text(built_in()["n_puzzle"].read_text(), "n_puzzle"))
    assert "(:action slide\n  :parameters (?c - cell ?d - direction ?sum - cell ?at - tile)" in domain
    assert "(sum c0-0 right c0-1)" in problem and "(sum c0-2 right" not in problem


# -- files -------------------------------------------------------------------------------------------------------------


def test_both_files_are_written(tmp_path: Path) -> None:
    words = ("export", "hanoi", "--set", "disks=3", "--to", "pddl-lifted", "--out", tmp_path / "h-domain.pddl")
    assert running.run(*words).code == 0
    found = running.run("solve", tmp_path / "h-domain.pddl", tmp_path / "h-problem.pddl", "--json").json
    assert (found["outcome"], found["cost"]) == ("optimal", 7)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("bloxorz", "several phases"), ("vehicles", "array"), ("pipes", "uses itself"), ("key_maze", "add up")],
)
def test_what_has_no_words_in_pddl_is_named(name: str, reason: str, tmp_path: Path) -> None:
    done = running.run("export", name, "--to", "pddl-lifted", "--out", tmp_path / "x.pddl", "--json").json
    assert done["outcome"] == "unsupported" and reason in done["notes"][0] and not list(tmp_path.iterdir())


# -- others ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*map(slow, PUZZLES)])
def test_fast_downward_finds_our_optimum(name: str, tmp_path: Path) -> None:
    """By its own translator, and so does our reader."""
    program = PLANNERS["fast-downward"].program()
    if program is None:
        pytest.skip("no fast-downward: pip install up-fast-downward, or PEERS_ENV, PEER_FD")
    text = built_in()[name].read_text(encoding="utf-8")
    for level in list(read_document(text, name).levels)[:LEVELS]:
        puzzle = load_text(text, name, str(level))
        files = texts(puzzle)
        ours = solve(puzzle, Request(limits=Limits(SECONDS)))
        again = solve(read_again(*files), Request(limits=Limits(SECONDS)))
        if again.outcome == "optimal":
            assert again.cost == ours.cost, level
        told = asked(program, files, tmp_path)
        if told is not None:
            assert f"Plan cost: {ours.cost}\n" in told, level


def asked(program: list[str], files: tuple[str, str], folder: Path) -> str | None:
    """What the planner says; None where it takes too long."""
    for file, content in zip(("d.pddl", "p.pddl"), files, strict=True):
        (folder / file).write_text(content)
    words = [*program, "--overall-time-limit", str(SECONDS), "d.pddl", "p.pddl", "--search", "astar(blind())"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=dict(os.environ), check=False)
    return done.stdout if "Plan cost" in done.stdout else None
