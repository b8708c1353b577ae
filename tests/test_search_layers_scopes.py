"""How many layers a search has to know: what is proven of steps against all steps that the referee finds, and layers by
the proven scope against the referee's distances. Models are drawn with steps that cannot be undone, some of them in few
states only, and with steps that lead nowhere.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sampled import seeds, slow
from stepping import random_steps
from truth import Truth, truth_of

from encoders.induction import Prover as Solver
from models.grounding import ground
from models.loader import load_text
from models.puzzle import Puzzle
from puzzlewright import load
from puzzlewright.solving.workbench import Workbench
from search.proofs.grading import grade, raised_alike
from search.proofs.knowledge import Prover, prove_invariants
from search.proofs.transitions import transitions

pytest.importorskip("numba")

from layering import walked  # noqa: E402


def drawn(seed: int) -> tuple[Puzzle, Truth]:
    puzzle = load_text(random_steps(seed), f"seed {seed}")
    truth = truth_of(puzzle)
    assert truth is not None
    return puzzle, truth


def all_undone(truth: Truth) -> bool:
    ways = {(state, edge.after) for state, edges in enumerate(truth.edges) for edge in edges}
    return all((after, before) in ways for before, after in ways)


def in_layers(truth: Truth) -> bool:
    """Does each step lead to states that are farther from the start?"""
    return all(
        truth.depth[edge.after] > truth.depth[state] for state, edges in enumerate(truth.edges) for edge in edges
    )


def test_what_is_proven_of_steps_is_true() -> None:
    """And often enough proven where it is true, and not where it is not."""
    seen: Counter[tuple[str, bool, bool]] = Counter()
    for seed in range(80):
        puzzle, truth = drawn(seed)
        prover = Prover(task := ground(puzzle))
        prove_invariants(task, prover)
        undone, graded = prover.undone().proven, grade(task, prover.rows) is not None
        asked = seed % 8 == 0 or (seed < 40 and not all_undone(truth))
        by_cpsat = asked and Solver(task).undone().status == "proven"
        assert all_undone(truth) or not (undone or by_cpsat), seed
        assert in_layers(truth) or not graded, seed
        seen["undone", all_undone(truth), undone] += 1
        seen["graded", in_layers(truth), graded] += 1
    assert min(seen[kind, holds, holds] for kind in ("undone", "graded") for holds in (True, False)) >= 6, seen


@pytest.mark.parametrize("seed", seeds(12, 150))
def test_layers_by_the_scope_that_is_proven(seed: int, tmp_path: Path) -> None:
    puzzle, truth = drawn(seed)
    bench = Workbench(puzzle, memory=False)
    machine = bench.machine()
    found = walked(machine, tmp_path / "x", machine.known_layers())
    depths = Counter(truth.depth)
    assert [layer.states for layer in found.layers] == [depths[depth] for depth in range(max(depths) + 2)]
    goals = Counter(truth.depth[goal] for goal in truth.goals)
    assert [layer.goals for layer in found.layers] == [goals[depth] for depth in range(max(depths) + 2)]


@pytest.mark.parametrize(
    ("name", "layers"),
    [("n_puzzle", 2), ("hanoi", 2), ("peg_solitaire", 0), ("sokoban", None), ("water_jugs", None), ("labyrinth", 2),
     ("cyclic_hanoi", None), slow("klotski", 2), slow("rush_hour", 2), slow("ricochet", None), slow("flow", 0)],
)  # fmt: skip
def test_scopes_of_puzzles(name: str, layers: int | None) -> None:
    """Known from their rules: pegs are taken away, tiles and discs go back, a box that is pushed does not."""
    assert Workbench(load(name), memory=False).proofs.known_layers(None) == layers


def test_a_sum_that_some_row_does_not_raise_is_no_grade() -> None:
    """`a` may be raised by 1, or by 2."""
    text = "puzzle: p\ntypes: {n: 0 .. 9}\nstate: {a: n = 0}\nactions:\n" + "".join(
        f"  m{at}{by}: {{when: a == {at}, effect: {{a: {at + by}}}}}\n" for at in range(3) for by in (1, 2)
    )
    rows = transitions(ground(load_text(f"{text}goal: a == 5\n", "steps")))
    (variable,) = {each for row in rows for each in row.after}
    assert not raised_alike(variable, rows)
    assert raised_alike(
        variable, [row for row in rows if row.after[variable].values[0] - row.fixed[variable].values[0] == 2]
    )
