"""`--heuristic derived`: what is asked for, found, kept, refused and proven, by the whole program."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import run
from sampled import slow

import puzzlewright as pw
from encoders.cpsat import Solve
from models.loader import load_text
from models.outcomes import LimitReached, Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.analysis.claims import Checked
from puzzlewright.analysis.verifying import check
from puzzlewright.certificates import bundle
from puzzlewright.report import Report
from puzzlewright.solving import by_cpsat, deriving, proving, searching
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import cache
from search.abstractions import derived, images, keeping, moves, tables, tokens, values
from search.abstractions import deriving as deriving_module
from search.abstractions.derived import Table
from search.abstractions.moves import Move, Tokens
from search.abstractions.tables import Workshop

BOARD = "two-by-three"  # 21 steps from its start, says breadth-first search
PIECES = """
puzzle: pieces
types: {place: 0 .. 4, piece: 1 .. 3}
state:
  at[p in piece]: place = 0
actions:
  go:
    params: {p: piece}
    when: at[p] < 4
    effect:
      at[p]: at[p] + 1
    cost: {steps: p}
  back:
    params: {p: piece}
    when: at[p] > 0
    effect:
      at[p]: at[p] - 1
    cost: {steps: 1}
goal: all(at[p] == 4 for p in piece)
"""
THREE = """
puzzle: three
types: {number: 0 .. 3}
state: {a: number = 0, b: number = 0, c: number = 1}
actions:
  one: {effect: {a: (a + 1) % 4}}
  two: {effect: {b: (b + 1) % 4}}
  all: {effect: {a: (a + 2) % 4, c: (c + 1) % 4}}
goal: (a + b + c) % 4 == 0
"""  # of one or two of them nothing is known


def read(text: str) -> Puzzle:
    return load_text(text, "x.yaml")


def sliding() -> Puzzle:
    return pw.load("n_puzzle", BOARD)


def solved(puzzle: Puzzle, backend: str = "astar", heuristic: str = "derived", **limits: float) -> Report:
    return solve(puzzle, Request(backend, (heuristic,), limits=Limits(**limits)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where nothing is kept yet."""
    monkeypatch.setattr(keeping, "cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "backend", ["astar", "idastar", "beam", "bfs", *map(slow, ("rbfs", "wastar", "greedy", "bidirectional"))]
)
def test_all_searches_take_it(backend: str) -> None:
    found, known = solved(sliding(), backend), solved(sliding(), "bfs", "blind")
    promised = backend in ("astar", "idastar", "rbfs", "bidirectional", "bfs")
    assert found.outcome is (Outcome.OPTIMAL if promised else Outcome.SOLVED)
    assert found.solution is not None and known.solution is not None
    assert found.solution.cost >= known.solution.cost and (not promised or found.solution.cost == known.solution.cost)
    informed = backend not in ("bidirectional", "bfs")
    assert any("derived: " in note for note in found.notes) == informed
    assert (f"{backend} uses no heuristic" in found.notes) == (not informed)


def test_figures_and_words() -> None:
    """A table of all five tiles and the gap has 720 entries, and says just how far it is."""
    found = solved(sliding())
    assert found.solution is not None and found.statistics["expanded"] == found.solution.cost
    assert found.statistics["derived_states"] == 720 and found.statistics["derived_tables"] == 1
    assert found.statistics["derived_bytes"] == 6**6
    assert found.statistics["derived_patterns"] == [["0", "1", "2", "3", "4", "5"]]
    assert found.verdicts["heuristic derived"].startswith("proven: ")
    assert "derived: one table of 720 states; each action is paid for in full" in found.notes


def test_with_a_declared_one_beside() -> None:
    found = solved(sliding(), heuristic="derived+manhattan")
    assert found.outcome is Outcome.OPTIMAL and found.about.heuristic == "derived+manhattan"
    assert found.verdicts.keys() >= {"heuristic derived", "heuristic manhattan"}


def test_one_that_is_not_proven_beside_it_is_no_proof() -> None:
    text = PIECES + "heuristics:\n  wild: 100 * at[1]\n"
    found = solved(read(text), heuristic="derived+wild")
    assert found.outcome is Outcome.SOLVED


def test_what_the_file_calls_derived_is_the_files() -> None:
    text = PIECES + "heuristics:\n  derived: 4 - at[1]\n"
    found = solved(read(text))
    assert found.outcome is Outcome.OPTIMAL and "derived_tables" not in found.statistics


def test_names_that_there_are() -> None:
    for name in ("derivd", "derived+none"):
        found = run("solve", "n_puzzle", "--level", BOARD, "--heuristic", name)
        assert found.code == 2 and "blind, manhattan, misplaced, derived" in " ".join(
            found.err.replace("│", " ").split()
        )


def test_where_nothing_is_derived_the_search_goes_on_without() -> None:
    found, known = solved(read(THREE)), solved(read(THREE), heuristic="blind")
    assert found.outcome is Outcome.OPTIMAL and found.solution is not None and known.solution is not None
    assert found.solution.cost == known.solution.cost
    assert any(note.startswith("nothing is derived: ") and note.endswith("without") for note in found.notes)


def test_costs_that_are_no_steps() -> None:
    """Pieces cost 1, 2 and 3 a step: 4 * 6; in the other metric of a puzzle it is that one's cost."""
    found = solved(read(PIECES))
    assert found.outcome is Outcome.OPTIMAL and found.solution is not None and found.solution.cost == 24
    assert found.statistics["expanded"] == 12


def test_a_start_that_is_lost() -> None:
    """Two tiles of the board of 2 x 2 have changed places."""
    odd = pw.load("n_puzzle", "two-by-two", start=[2, 1, 3, 0])
    found = solve(odd, Request("astar", ("derived",), invariants=False))
    assert found.outcome is Outcome.UNSOLVABLE and found.statistics["expanded"] == 0
    assert "the tables say that no goal can be reached from the start" in found.notes


def test_python_walks_through_it() -> None:
    """In all 12 states; with three times another beside it, it falls too much."""
    puzzle = pw.load("n_puzzle", "two-by-two")
    found = pw.check_heuristic(puzzle, "derived")
    assert found.status == "proven" and "12 states" in found.why
    text = PIECES + "heuristics:\n  wild: 100 * (4 - at[1])\n"
    assert pw.check_heuristic(read(text), "derived+wild").status == "refuted"
    assert pw.check_heuristic(read(text), "derived").status == "proven"


# -- symmetry ----------------------------------------------------------------------------------------------------------

HOMES = """
puzzle: homes
types: {piece: objects(2), place: 0 .. 4}
state:
  at[p in piece]: place = 0
  home[p in piece]: place = 4 if p == first(q for q in piece) else 0
actions:
  on:
    params: {p: piece}
    effect:
      at[p]: at[p] + 1
  back:
    params: {p: piece}
    effect:
      at[p]: at[p] - 1
goal: all(at[p] == home[p] for p in piece)
"""
BEADS = """
puzzle: beads
types: {place: 0 .. 4, bead: [gold, red, blue]}
state:
  at[i in place]: bead = [gold, red, blue, blue, blue][i]
actions:
  swap:
    params: {i: place}
    when: i < 4
    effect:
      at[i]: at[i + 1]
      at[i + 1]: at[i]
goal: at[4] == gold
symmetry: {interchangeable: [bead]}
"""


def has_symmetry(found: Report) -> bool:
    return any("count as one" in note for note in found.notes)


def test_with_symmetry() -> None:
    """Pegs of Hanoi are alike but for the last."""
    alone, both = (solve(pw.load("hanoi", "five-pegs"), Request("astar", ("derived",), symmetry=each))
                   for each in (False, True))  # fmt: skip
    for found in (alone, both):
        assert found.outcome is Outcome.OPTIMAL and found.solution is not None and found.solution.cost == 15
    assert has_symmetry(both) and not has_symmetry(alone) and searching.EACH_AS_IT_STANDS in both.notes
    assert both.statistics["expanded"] <= alone.statistics["expanded"]  # type: ignore[operator]


@pytest.mark.parametrize("text", [HOMES, BEADS])
def test_tables_that_do_not_hold_for_images_know_no_symmetry(text: str) -> None:
    """What a piece's home is, and how often a bead is there, is another thing in an image. Both take 4 steps."""
    found, blind = solved(read(text)), solved(read(text), heuristic="blind")
    assert found.outcome is Outcome.OPTIMAL and found.solution is not None and found.solution.cost == 4
    assert found.statistics["derived_tables"] and has_symmetry(blind) and not has_symmetry(found)


# -- horizons ----------------------------------------------------------------------------------------------------------


def test_horizons_begin_where_tables_say_that_plans_do() -> None:
    """The table is exact, and CP-SAT refutes all shorter plans itself."""
    found = solved(sliding(), "cpsat")
    asked: Any = found.statistics["solves"]
    assert found.outcome is Outcome.OPTIMAL and found.solution is not None and found.solution.cost == 21
    assert [(each["horizon"], each["form"], each["status"]) for each in asked] == [
        (21, "exact", "feasible"), (20, "bounded", "infeasible"),
    ]  # fmt: skip
    assert found.proven_by == ("cpsat",) and any("begun with plans of 21 steps" in note for note in found.notes)


def test_horizons_do_not_begin_at_costs() -> None:
    """Pieces cost 1, 2 and 3 a step: 24, which is no number of steps."""
    asked = Request("cpsat", ("derived",))
    assert not by_cpsat.asks_tables(Workbench(read(PIECES)), asked)
    assert by_cpsat.asks_tables(Workbench(sliding()), asked)
    assert not by_cpsat.asks_tables(Workbench(sliding()), Request("cpsat", ("manhattan",)))


def test_horizons_that_begin_too_late_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(by_cpsat, "steps_by_tables", lambda *args: 22)
    found = solved(sliding(), "cpsat")
    assert found.outcome is Outcome.DISAGREEMENT
    assert any(
        note.startswith("CP-SAT, told that none has fewer than 22 steps, calls plans of at most ")
        for note in found.notes
    )


def test_a_start_that_is_lost_has_no_horizons() -> None:
    odd = pw.load("n_puzzle", "two-by-two", start=[2, 1, 3, 0])
    found = solve(odd, Request("cpsat", ("derived",), invariants=False))
    assert found.outcome is Outcome.UNSOLVABLE and found.proven_by == ("search",) and deriving.LOST in found.notes


def test_what_is_ruled_out_where_horizons_begin_later() -> None:
    bench = Workbench(sliding())
    asked = Solve(20, "exact", "infeasible", False, 0, 0, 0, 0, 0.0, 0.0)
    assert by_cpsat._ruled_out(bench, [], 0) == (None, None)
    assert by_cpsat._ruled_out(bench, [], 20) == (19, 20) and by_cpsat._ruled_out(bench, [asked], 20) == (20, 21)
    stopped = by_cpsat._stopped(bench, Request("cpsat"), [asked], 20)
    assert "tables and CP-SAT have ruled out plans of at most 20 steps" in stopped.notes and stopped.lower_bound == 21


def test_nothing_is_said_of_cpsat_where_it_has_ruled_out_nothing() -> None:
    """It was asked nothing, or had no time for an answer, or began later than where tables say that plans do."""
    bench, alone = Workbench(sliding()), "tables say that no plan has fewer than 20 steps"
    begun = "CP-SAT has begun with plans of 20 steps, because tables say that none has fewer"
    asked = Solve(20, "exact", "unknown", False, 0, 0, 0, 0, 0.0, 0.0)
    for told, note in (([], alone), ([asked], begun), ([replace(asked, horizon=21)], alone)):
        stopped = by_cpsat._stopped(bench, Request("cpsat"), told, 20)
        assert stopped.notes == (note,) and stopped.lower_bound == 20
    short = solve(sliding(), Request("cpsat", ("derived",), limits=Limits(max_horizon=2)))
    assert short.outcome is Outcome.HORIZON_EXHAUSTED and short.lower_bound == 21 and not short.proven_by
    assert "tables say that no plan has fewer than 21 steps" in short.notes
    assert not any("CP-SAT has begun" in note for note in short.notes)


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_run_that_is_refused_its_tables_goes_on(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(tables, "BYTES_EACH", 1 << 50)
    found = solved(sliding(), memory_mb=1e6)
    assert found.outcome is Outcome.OPTIMAL and "derived_tables" not in found.statistics
    assert any("not enough memory left for a table" in note for note in found.notes)
    assert solved(sliding()).statistics["derived_tables"] == 1, "without a limit there is room"


@pytest.mark.parametrize(("stop", "outcome"), [
    (LimitReached(Outcome.TIME_LIMIT), Outcome.OPTIMAL),  # its share is used up, not all of the time
    (MemoryError(), Outcome.OPTIMAL),
    (LimitReached(Outcome.MEMORY_LIMIT), Outcome.OPTIMAL),  # the same
    (LimitReached(Outcome.INTERRUPTED), Outcome.INTERRUPTED),
    (KeyboardInterrupt(), Outcome.INTERRUPTED),
])  # fmt: skip
def test_what_ends_the_making_of_tables(
    stop: BaseException, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def end(shop: Workshop) -> None:
        raise stop

    monkeypatch.setattr(Workshop, "look", end)
    found = solved(sliding(), time=100)
    assert found.outcome is outcome
    assert outcome is not Outcome.OPTIMAL or any("not enough" in note for note in found.notes)


def test_tables_have_a_part_of_the_memory(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Of what is left half: so there is as much for the search that goes on without them. Here 100 MB are left."""
    used = 1000.0
    monkeypatch.setattr(Limits, "used_memory_mb", lambda limits: used)
    seen: list[float | None] = []

    def make(shop: Workshop, *args: object) -> None:
        nonlocal used
        seen.append(shop.spare())
        used = 1049.0
        shop.clock().look()
        used = 1051.0
        shop.clock().full.looks = 0  # type: ignore[union-attr]
        shop.clock().look()

    monkeypatch.setattr(Workshop, "table", make)
    found = solved(sliding(), memory_mb=1100)
    assert seen == [50.0] and found.outcome is Outcome.OPTIMAL and "derived_tables" not in found.statistics
    assert f"nothing is derived: {deriving.TOO_LITTLE_MEMORY}; the search goes on without" in found.notes


def test_where_there_is_no_memory_at_all_the_search_has_none_either(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(Limits, "used_memory_mb", lambda limits: 1100.0)
    assert solved(sliding(), memory_mb=1100).outcome is Outcome.MEMORY_LIMIT


def test_a_kind_that_there_is_no_memory_for_is_left_out(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Others are tried, it is said, and what is kept for others is not the less of it."""

    def refuse(patterns: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(values.ValuePatterns, "sums", refuse)
        found = solved(sliding())
    assert found.outcome is Outcome.OPTIMAL and found.statistics["derived_tables"] and not files(folder)
    said = "each action moves one token at most; there was not enough memory for tables of values"
    assert any(note.endswith(said) for note in found.notes)
    assert solved(sliding()).statistics["derived_states"] == 720 and files(folder)


# -- on disk -----------------------------------------------------------------------------------------------------------


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("tables-*.bin"))


def test_tables_are_made_once_for_all_starts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved(sliding())
    (path,) = files(folder)
    written = path.read_bytes()
    monkeypatch.setattr(Workshop, "table", None)
    again = solved(pw.load("n_puzzle", BOARD, start=[1, 2, 3, 4, 0, 5]))
    assert again.solution is not None and again.solution.cost == 1 and again.statistics["derived_tables"] == 1
    assert files(folder) == [path] and path.read_bytes() == written


@pytest.mark.parametrize("place", [200, *map(slow, (0, 40, -1))])  # in a table, or what is said of it
def test_a_file_that_is_damaged_is_made_again(place: int, folder: Path) -> None:
    known = solved(sliding())
    (path,) = files(folder)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="damaged"):
        keeping.read(path)
    assert solved(sliding()).plan == known.plan
    keeping.read(path)


def test_a_file_that_was_cut_off_is_made_again(folder: Path) -> None:
    solved(sliding())
    (path,) = files(folder)
    for length in (0, 100):
        path.write_bytes(path.read_bytes()[:length])
        assert solved(sliding()).outcome is Outcome.OPTIMAL
        keeping.read(path)


def test_what_a_run_that_was_stopped_has_made_is_not_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is there when the looking for mirror images is interrupted, and need not be made again."""
    monkeypatch.setattr(keeping, "LARGE", 100)

    def stop(patterns: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(values.ValuePatterns, "mirrors", stop)
        assert solved(sliding()).outcome is Outcome.INTERRUPTED
    parts = list(folder.glob("tables-*.part"))
    assert parts and not files(folder)
    with monkeypatch.context() as patched:
        patched.setattr(Workshop, "_entries", None)
        assert solved(sliding()).outcome is Outcome.OPTIMAL
    assert files(folder) and not list(folder.glob("tables-*.part"))


def test_a_level_is_known_by_all_that_decides_its_tables(folder: Path) -> None:
    """Another start, other values, another kind of search for tables, or no level at all: nothing is known of these."""
    bench = Workbench(sliding())
    task, reach = bench.task, bench.machine().program.values
    assert keeping.known(task, reach, False) is None
    made = bench.derived(Request("astar", ("derived",))).found
    kept = keeping.known(task, reach, False)
    assert made is not None and kept is not None and (kept.starts, kept.why) == (made.starts, made.why)
    assert [bytes(table.far) for table in kept.tables] == [bytes(table.far) for table in made.tables]
    first, second, *others = task.variables
    elsewhere = (replace(first, start=second.start), replace(second, start=first.start), *others)
    assert keeping.known(replace(task, variables=elsewhere), reach, False) is None
    assert keeping.known(replace(task, fingerprint=""), reach, False) is None
    assert keeping.known(task, [values[:-1] for values in reach], False) is None
    assert keeping.known(task, reach, True) is None


def test_that_nothing_is_derived_is_known_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not where there was no memory for it: with more there may be tables."""
    bench = Workbench(read(THREE))
    notes = [solve(bench.puzzle, Request("astar", ("derived",))).notes for _ in range(2)]
    assert notes[0] == notes[1] and any(note.startswith("nothing is derived: ") for note in notes[0])
    with pytest.raises(Unsupported, match="no pattern of variables says anything"):
        keeping.known(bench.task, bench.machine().program.values, False)

    def refuse(job: object) -> None:
        raise MemoryError

    monkeypatch.setattr(deriving_module, "KINDS", {"values": refuse})
    assert any(note.startswith("nothing is derived: ") for note in solved(sliding()).notes)
    bench = Workbench(sliding())
    assert keeping.known(bench.task, bench.machine().program.values, False) is None


def test_a_file_is_looked_through_once_while_it_looks_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine has started meanwhile: it is looked through again. A byte is another one: so it is, and found out."""
    looked, mapped = [], keeping.mapped

    def watched(path: Path, whole: bool = False) -> Any:
        looked.extend([whole] * (path.suffix == ".bin"))
        return mapped(path, whole)

    monkeypatch.setattr(keeping, "mapped", watched)
    plan = solved(sliding()).plan
    (path,) = files(folder)
    looked.clear()
    time.sleep(2 * cache.TICK / 1e9)
    assert [solved(sliding()).plan for _ in range(3)] == [plan] * 3 and looked == [False, True, True]
    with monkeypatch.context() as patched:
        patched.setattr(cache, "_start_of_the_system", lambda: "another")
        assert solved(sliding()).plan == plan and looked[3:] == [False]
    assert [solved(sliding()).plan for _ in range(2)] == [plan] * 2 and looked[4:] == [False, True]
    data = bytearray(path.read_bytes())
    data[-60] ^= 1
    path.write_bytes(data)
    time.sleep(2 * cache.TICK / 1e9)
    assert solved(sliding()).plan == plan and not any(looked[6:])
    keeping.read(path)


def test_what_was_just_written_looks_like_nothing_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    monkeypatch.setattr(cache, "TICK", 1 << 60)
    path.write_text("")
    assert cache.seen(path) == ""
    monkeypatch.setattr(cache, "TICK", 0)
    monkeypatch.setattr(cache, "_start_of_the_system", lambda: "")
    assert cache.seen(path) == ""


def test_tables_that_are_there_are_read_without_what_makes_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(folder))
    assert solved(sliding()).outcome is Outcome.OPTIMAL
    code = f"""
import sys, puzzlewright as pw
found = pw.solve(pw.load("n_puzzle", {BOARD!r}), backend="astar", heuristic="derived")
print(found.statistics["derived_states"], {{"numpy", "llvmlite", "search.abstractions.deriving"}} & {{*sys.modules}})"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "720 set()\n"


def test_other_rules_have_other_tables(folder: Path) -> None:
    """Another goal, another cost, another guard: each is another file."""
    for old, new in (("", ""), ("== 4 for", "== 3 for"), ("cost: {steps: 1}", "cost: {steps: 2}"), ("> 0", "> 1")):
        assert solved(read(PIECES.replace(old, new) if old else PIECES)).outcome is Outcome.OPTIMAL
    assert len(files(folder)) == 4


def test_the_oldest_files_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved(sliding())
    (first,) = files(folder)
    monkeypatch.setattr(keeping, "MOST_BYTES", first.stat().st_size + 10)
    solved(read(PIECES))
    assert first not in files(folder) and len(files(folder)) == 1


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(keeping, "cache_folder", lambda: tmp_path / "file")
    assert solved(sliding()).outcome is Outcome.OPTIMAL


# -- proven ------------------------------------------------------------------------------------------------------------


def verdict(text: str, *levels: str) -> tuple[Outcome, str, Report]:
    found = check(text, "x.yaml", prove=True, patterns=levels, derived=True)
    return found.outcome, found.verdicts["heuristic derived"], found


SLIDING = (Path(__file__).parent.parent / "puzzles" / "n_puzzle.yaml").read_text()


@pytest.mark.parametrize(("text", "words"), [
    (SLIDING, ("24 entries looked through", "1 mirror image", "proven by CP-SAT")),
    (PIECES, ("15 entries looked through", "proven by CP-SAT")),
])  # fmt: skip
def test_what_is_derived_is_proven(text: str, words: tuple[str, ...]) -> None:
    outcome, said, _ = verdict(text, *["two-by-two"] * (text is SLIDING))
    assert outcome is Outcome.VALID and said.startswith("proven: ") and all(word in said for word in words)


def test_check_takes_it_with_prove_only() -> None:
    for words in (("--heuristic", "derived"), ("--prove", "--heuristic", "blind")):
        assert run("check", "n_puzzle", "--level", BOARD, *words).code == 2
    found = run("check", "n_puzzle", "--level", "two-by-two", "--prove", "--heuristic", "derived", "--json").json
    assert found["verdicts"]["heuristic derived"].startswith("proven: every action has its image")


def test_levels_takes_it() -> None:
    found = run("levels", "n_puzzle", "--level", "two-by-two", "--optima", "--heuristic", "derived", "--json").json
    assert [(row["outcome"], row["optimum"]) for row in found["rows"]] == [("optimal", 6)]
    assert run("levels", "n_puzzle", "--heuristic", "derivd").code == 2


def test_where_nothing_is_derived_there_is_nothing_to_prove() -> None:
    outcome, said, _ = verdict(THREE)
    assert outcome is Outcome.VALID and said.startswith("unknown: nothing is derived")


LINE = """
puzzle: line
types: {place: 0 .. 4, thing: [red, blue, nothing]}
state:
  on[p in place]: thing = (red if p == 0 else blue if p == 4 else nothing)
actions:
  step:
    params: {p: place, q: place}
    when: on[p] != nothing and on[q] == nothing and abs(p - q) == 1
    effect:
      on[p]: nothing
      on[q]: on[p]
goal: (on[1] == red and on[2] == blue) or (on[2] == red and on[3] == blue)
"""


def test_tokens_are_led_home_and_proven() -> None:
    """In the one end they are 1 + 2 from home, in the other 2 + 1."""
    found = solved(read(LINE))
    assert found.outcome is Outcome.OPTIMAL and found.cost == found.statistics["expanded"] == 3
    assert found.statistics["derived_patterns"] == [["red", "blue"]]
    assert any(note.endswith("one token at most; the least of 2 sums, one for each way to end") for note in found.notes)
    outcome, said, _ = verdict(LINE)
    assert outcome is Outcome.VALID and "proven: every action moves one token at most; 8 moves looked through" in said


MODES = (
    LINE.replace("types: {", "types: {number: 0 .. 3, ")
    .replace(
        "actions:",
        """
  mode: number = 1
  other: number = 2
actions:
  turn: {when: mode == 0 and other == 0, effect: {mode: 2}, cost: {steps: 1}}
  back: {when: other > 0, effect: {other: 2 if other == 1 else 1}, cost: {steps: 1}}""",
    )
    .replace(
        "goal: ",
        """
    cost: {steps: 1 + mode}
goal: (other == 0 and on[0] == red) or """,
    )
)


def test_of_what_never_is_no_prover_thinks() -> None:
    """One number is always 1, so that a step costs 2, the other one is 1 or 2, so that there is no such end."""
    assert solved(read(MODES)).cost == 6
    outcome, said, _ = verdict(MODES)
    assert outcome is Outcome.VALID and "proven: every action moves one token at most; 8 moves looked through" in said


def shortened(squares: tuple[int, ...], numbers: dict[int, int], moves: tuple[Move, ...]) -> Tokens:
    return Tokens(squares, numbers, moves[1:])


def dearer(place: tuple[int, int], cost: int, *rest: object) -> Move:
    return Move(place, cost + 1, *rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(("module", "name", "wrong"), [
    (tokens, "homes_of", lambda *_: {0: [0], 1: [4]}),  # they are at home at the start
    (moves, "Tokens", shortened), (moves, "Move", dearer),  # a move is not known; each of them costs more than its row
])  # fmt: skip
def test_tokens_that_are_wrong_are_refuted(
    module: object, name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, wrong)
    outcome, said, _ = verdict(LINE)
    assert outcome is Outcome.DISAGREEMENT and said.startswith("refuted: an action has no image, or a dearer one")


def test_a_row_of_tokens_that_is_wrong_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tokens.table_of

    def table(*args: object) -> Table:
        found = made(*args)  # type: ignore[arg-type]
        found.far.view(np.uint16)[16] += 2
        return found

    monkeypatch.setattr(tokens, "table_of", table)
    outcome, said, _ = verdict(LINE)
    assert outcome is Outcome.REFUTED and "an entry of a table falls by more than a step costs" in said


def spoiled(change: Callable[[Table], None]) -> Callable[..., Table]:
    made = values.ValuePatterns.table

    def table(patterns: values.ValuePatterns, *args: object, **words: object) -> Table:
        found = made(patterns, *args, **words)  # type: ignore[arg-type]
        change(found)
        return found

    return table


def test_a_table_that_is_wrong_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(table: Table) -> None:
        place = int(np.argmax(np.where(table.far < 100, table.far, 0)))
        table.far[place] += 3

    monkeypatch.setattr(values.ValuePatterns, "table", spoiled(change))
    outcome, said, _ = verdict(SLIDING, BOARD)
    assert outcome is Outcome.REFUTED and "an entry of a table falls by more than a step costs" in said


@pytest.mark.parametrize(("name", "wrong"), [
    ("cost", lambda maker, row: images.const(2)),  # every slide of an image costs 2
    ("effects", lambda maker, row: ()),  # none is seen to do anything
])  # fmt: skip
def test_an_image_that_is_wrong_is_refuted_and_drawn(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images._Maker, f"_{name}", wrong)
    outcome, said, found = verdict(SLIDING, BOARD)
    assert outcome is Outcome.DISAGREEMENT and "refuted: an action has no image" in said
    (example,) = found.payload(Checked).counterexamples  # type: ignore[union-attr]
    assert example["board"] and example["board_after"] and example["claim"] == "heuristic derived"


# -- certificates ------------------------------------------------------------------------------------------------------

SQUARE = ("n_puzzle", "--set", "rows=2", "--set", "cols=2", "--no-invariants", "--heuristic", "derived")
ODD = (*SQUARE, "--set", "start=2,1,3,0")


def test_a_certificate_does_not_rest_on_tables(tmp_path: Path) -> None:
    """Of the 24 states 12 can be reached, two steps from each; where there is no certificate that is said too."""
    found = run("prove", *ODD, "--certificate", tmp_path / "c", "--json").json
    assert found["outcome"] == "unsolvable" and found["certificate"].items() >= {"states": 12, "steps": 24}.items()
    assert proving.WITHOUT_TABLES in found["notes"] and proving.BY_TABLES_ALONE not in found["notes"]
    assert bundle.ALONE in (tmp_path / "c" / "README.txt").read_text()
    found = run("prove", *ODD, "--certificate", tmp_path / "d", "--certificate-kind", "invariant", "--json").json
    assert found["outcome"] == "unsolvable" and proving.BY_TABLES_ALONE in found["notes"]


@pytest.mark.slow
def test_a_certificate_finds_out_tables_that_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is lost, says a table; the referee walks to the goal."""
    monkeypatch.setattr(values.ValuePatterns, "table", spoiled(lambda table: table.far.fill(derived.DEAD)))
    monkeypatch.setattr(keeping, "cache_folder", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run("solve", *SQUARE, "--set", "start=1,0,3,2", "--json").json["outcome"] == "unsolvable"
    found = run("prove", *SQUARE, "--set", "start=1,0,3,2", "--certificate", tmp_path / "c", "--json").json
    assert found["outcome"] == "disagreement" and not (tmp_path / "c").exists()
