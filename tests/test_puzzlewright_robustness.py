"""Puzzles at the edge - no variables, one state, hundreds of variables, a million joint moves - under every backend,
by Python and by kernels: the right outcome, and never a traceback or a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run
from sampled import rotated, slow

from puzzlewright.solving.backends import BACKENDS
from search import registry
from search.registry import ALGORITHMS
from search.space import Run as Algorithm

NOTHING = """
puzzle: nothing
data: {n: 1}
state: {}
actions:
  wait: {when: n == 1, effect: {}}
goal: n == 2
"""
ONE_STATE = """
puzzle: one state
types: {only: 3 .. 3}
state: {x: only = 3}
actions:
  wait: {effect: {x: x}, cost: 0}
goal: x == 4
"""
STILL = """
puzzle: still
types: {place: 0 .. 3}
state: {x: place = 1}
actions: {}
goal: x == 2
"""
NEVER = """
puzzle: never
types: {place: 0 .. 3}
state: {x: place = 1, y: place = 0}
actions:
  go: {when: x == 2, effect: {x: 0}}
  no: {params: {a: place}, when: a > 7, effect: {x: a}}
  out: {effect: {x: x + 9}}
goal: x == 2
"""
THERE = """
puzzle: there
types: {place: 0 .. 3}
state: {x: place = 1}
actions:
  go: {effect: {x: (x + 1) % 4}}
goal: x == 1
heuristics: {far: "2"}
"""
MANY = """
puzzle: many
types: {i: 0 .. 299}
state:
  on[k in i]: bool = false
actions:
  flip:
    params: {k: i}
    when: k == 0 or on[k - 1] or k % 100 == 99
    effect:
      on[k]: not on[k]
goal: on[0] and on[199] and on[299]
heuristics: {missing: "(0 if on[0] else 1) + (0 if on[199] else 1) + (0 if on[299] else 1)"}
"""
MANY_WIDE = """
puzzle: many wide
types: {i: 0 .. 119, digit: 0 .. 5}
state:
  v[k in i]: digit = k % 6
actions:
  turn:
    params: {k: i}
    when: k >= 118 or v[k] == v[k + 2]
    effect:
      v[k]: (v[k] + 1 if v[k] < 5 else 0)
  copy:
    params: {k: i}
    when: k > 0 and k % 50 == 0
    effect:
      v[k]: v[k - 1]
goal: v[119] == 1 and v[50] == 1
heuristics: {missing: "(0 if v[119] == 1 else 1) + (0 if v[50] == 1 else 1)"}
"""
JOINT = """
puzzle: joint
types: {i: 0 .. 19}
state:
  v[k in i]: bool = false
actions:
  all:
    params:
      m[k in i]: bool
    effect:
      v[k]: m[k] for k in i
goal: all(v[k] for k in i)
"""
TESTED = JOINT.replace("    effect", "    when: count(k for k in i if m[k]) <= 2\n    effect").replace(
    "m[k] for", "v[k] != m[k] for"
).replace("all(v[k] for k in i)", "count(k for k in i if v[k]) == 3")  # fmt: skip
DEAR = """
puzzle: dear
types: {place: 0 .. 30}
state: {x: place = 0}
actions:
  go: {when: x < 30, effect: {x: x + 1}, cost: {a: 4194303, b: 31 - x, c: 0}}
  leap: {when: x < 29, effect: {x: x + 2}, cost: {a: 4194303, b: 3, c: 2}}
goal: x == 30
"""

ITS_GOAL = ONE_STATE.replace("4", "3")
SMALL_PUZZLES = {"nothing": (NOTHING, None), "one state": (ONE_STATE, None), "its goal": (ITS_GOAL, 0),
                 "still": (STILL, None), "never": (NEVER, None), "there": (THERE, 0)}  # fmt: skip
LARGE_PUZZLES = {"many": (MANY, 3), "many wide": (MANY_WIDE, 3), "tested": (TESTED.replace("0 .. 19", "0 .. 11"), 2)}
LARGEST = {"tested of a million": (TESTED, 2)}
OPTIMAL = [name for name, row in ALGORITHMS.items() if row.optimal] + ["cpsat", "auto", "anytime"]


def solved(tmp_path: Path, text: str, backend: str, *words: str) -> tuple[str, int | None, int]:
    path = tmp_path / "puzzle.yaml"
    path.write_text(text)
    found = run("solve", path, "--backend", backend, "--json", "--quiet", *words)
    assert not found.err or "error" in found.err
    made = found.json
    return made["outcome"], made["cost"], made["lower_bound"]


@pytest.fixture(params=["python", "kernels"])
def handing_over(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "kernels":
        monkeypatch.setattr(registry, "SMALL", -1)


def test_ctrl_c_while_a_kernel_is_loaded_keeps_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 1 + 4 + 12 + 36 + 108 boards lie within 4 steps, which have fewer than 3,000 successors."""

    def pressed() -> Algorithm:
        raise KeyboardInterrupt

    monkeypatch.setattr(registry, "SMALL", 3000)
    monkeypatch.setitem(registry.ALGORITHMS, "bfs", registry.ALGORITHMS["bfs"]._replace(kernel=pressed))
    found = run("solve", "n_puzzle", "--level", "hardest-8", "--backend", "bfs", "--json", "--quiet").json
    assert found["outcome"] == "interrupted"
    assert 5 <= found["lower_bound"] <= 31


@pytest.mark.parametrize("backend", BACKENDS)
def test_small(backend: str, tmp_path: Path, handing_over: None) -> None:
    for name, (text, best) in SMALL_PUZZLES.items():
        outcome, cost, bound = solved(tmp_path, text, backend, "--generations", "3")
        assert cost == best, name
        if best is None:
            assert outcome == ("not-found" if backend in ("beam", "genetic") else "unsolvable"), name
        else:
            assert (outcome, bound) == ("optimal" if backend in OPTIMAL else "solved", 0), name


@pytest.mark.parametrize(
    ("name", "backend"),
    [*rotated(LARGE_PUZZLES, BACKENDS), *(slow(name, backend) for name in LARGEST for backend in BACKENDS)],
)
@pytest.mark.parametrize("handing_over", [pytest.param("python", marks=pytest.mark.slow), "kernels"], indirect=True)
def test_large(name: str, backend: str, tmp_path: Path, handing_over: None) -> None:
    """Within 1,000 expansions, or a limit strikes; genetic breeds for a moment only."""
    text, best = (LARGE_PUZZLES | LARGEST)[name]
    outcome, cost, bound = solved(tmp_path, text, backend, "--node-limit", "1000", "--generations", "3")
    assert cost is None or cost >= best
    assert bound is None or bound <= best
    if backend in ("bfs", "ucs", "astar", "auto", "cpsat"):
        assert (outcome, cost) == ("optimal", best)
    elif backend == "bidirectional" and outcome == "unsupported":
        assert cost is None
    elif cost is None:
        assert outcome in ("node-limit", "not-found")
    else:
        assert outcome in ("optimal", "solved", "unproven") and (outcome != "optimal" or cost == best)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_million_joint_moves(backend: str, tmp_path: Path) -> None:
    outcome, cost, _ = solved(tmp_path, JOINT, backend, "--node-limit", "3", "--generations", "1", "--population", "2")
    if backend in ("bfs", "ucs", "astar", "auto", "cpsat"):
        assert (outcome, cost) == ("optimal", 1)
    else:
        assert outcome in ("optimal", "solved", "unproven", "unsupported", "node-limit", "not-found")


def test_costs_of_one_metric_are_small(tmp_path: Path) -> None:
    assert solved(tmp_path, DEAR, "ucs", "--metric", "a") == ("optimal", 15 * 4194303, 15 * 4194303)
    assert solved(tmp_path, DEAR, "ucs", "--metric", "b") == ("optimal", 45, 45)


@pytest.mark.parametrize(("metrics", "backend"), rotated(["a,b", "a,b,c"], BACKENDS))
def test_costs_that_fill_a_word_and_more(metrics: str, backend: str, tmp_path: Path, handing_over: None) -> None:
    """The weights are no larger than paths in this model need."""
    python = registry.SMALL > 0
    outcome, cost, bound = solved(tmp_path, DEAR, backend, "--metric", metrics, "--generations", "3")
    assert outcome in ("optimal", "solved", "unproven", "not-found", "unsupported")
    assert outcome != "optimal" or cost == 15 * 4194303
    assert cost is None or cost >= 15 * 4194303
    assert bound is None or bound <= 15 * 4194303
    if python and backend in ("ucs", "astar", "auto"):
        assert outcome == "optimal"


BAG = """
puzzle: bag
types:
  cell: grid(1, 2)
  place: cell or red
state:
  filled[p in place]: bool = false
actions:
  fill:
    params:
      p: place
    when: not filled[p]
    effect:
      filled[p]: true
goal: filled[red]
"""


def test_an_array_over_cells_and_a_symbol_is_drawn_as_text(tmp_path: Path) -> None:
    """Without a view a board is drawn where all indices are cells; here one is a word."""
    puzzle = tmp_path / "bag.yaml"
    puzzle.write_text(BAG, encoding="utf-8")
    found = run("solve", puzzle)
    assert found.code == 0 and "filled[red] = true" in found.out
