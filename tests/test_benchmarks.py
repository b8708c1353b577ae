"""The benchmark command without any peer, and what it reads out of other programs' output. No seconds are judged."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import code, proofs
from benchmarks.contests import Entrant, compete, rate_records, wall_records
from benchmarks.levels import FIFTEEN_SOLVED, Absent, Level, bloxorz, korf, levels_of, microban, rush_hour, turned
from benchmarks.peers import (
    Peers,
    Proved,
    Sample,
    by_hand_sample,
    c_sample,
    planner_sample,
    pyperplan_sample,
    spin_sample,
)
from benchmarks.processes import Failed, run
from benchmarks.report import at_least, at_most, cell, geometric_mean, table
from benchmarks.rows import ROWS, mean_record

ROOT = Path(__file__).parent.parent
NOWHERE = Path("/nonexistent")


def command(*options: str) -> subprocess.CompletedProcess[str]:
    away = [f"--peers={NOWHERE}", f"--data={NOWHERE}", f"--peers-env={NOWHERE}"]
    return subprocess.run([sys.executable, "-m", "benchmarks", *away, *options], cwd=ROOT, text=True,
                          capture_output=True, timeout=600)  # fmt: skip


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_measures_the_product_where_no_peer_is_present(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    kept = tmp_path / "figures.json"
    done = command("--quick", "--only=tiles-8,rush-hour-40,korf-12", "--rounds=1", f"--json={kept}")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.startswith("machine ") for line in lines)
    assert any(line.split()[:3] == ["tiles-8", "product", "181,440"] for line in lines)
    for peer in ("C", "FD blind", "pyperplan"):
        assert any(line.startswith("tiles-8") and f" {peer} " in line and "skipped: " in line for line in lines), peer
    for row in ("rush-hour-40", "korf-12"):
        assert any(line.startswith(row) and "skipped: there is no" in line and "--data" in line for line in lines)
    product = json.loads(kept.read_text())["rows"]["tiles-8"][0]
    assert product["program"] == "product" and product["runs"][0]["generated"] == 483_840


def test_the_command_lists_its_rows_and_refuses_names_that_are_none() -> None:
    listed = command("--list")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [row.name for row in ROWS]
    assert command("--only=tiles-9").returncode == 2


def test_names_of_rows_differ() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


# --- levels -----------------------------------------------------------------------------------------------------------


def test_a_board_is_turned_so_that_the_gap_is_last_in_the_goal() -> None:
    assert turned(list(range(16))) == [*range(1, 16), 0]
    board = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
    assert sorted(turned(board)) == sorted(board)
    assert sum(away(tile, at, tile) for at, tile in enumerate(board)) == sum(
        away(tile, at, tile - 1) for at, tile in enumerate(turned(board))
    )


def away(tile: int, at: int, home: int) -> int:
    return (abs(at // 4 - home // 4) + abs(at % 4 - home % 4)) if tile else 0


def test_levels_of_collections_are_data_for_the_puzzles(tmp_path: Path) -> None:
    from puzzlewright import load

    cars = {"set": "classic40", "n": 3, "board": "." * 12 + "AA...." + "." * 18, "target": "A"}
    boxes = {"n": 5, "rows": ["####", "#  ###", "#@$.##", "######"]}
    tiles = {"n": 7, "start": [1, 0, *range(2, 16)]}
    write(tmp_path / "rush_hour.json", boards=[{**cars, "set": "other", "board": ""}, cars])
    write(tmp_path / "sokoban_microban.json", levels=[boxes])
    write(tmp_path / "korf_15puzzle_100.json", instances=[tiles])
    for level in (rush_hour(tmp_path, 3), microban(tmp_path, 5), korf(tmp_path, 7), FIFTEEN_SOLVED):
        settings: dict[str, Any] = dict(level.settings)
        assert load(level.puzzle, level.level, **settings).variables
    with pytest.raises(Absent, match="korf_15puzzle_100"):
        korf(NOWHERE, 7)


@pytest.mark.parametrize(("number", "moves"), [(2, 17), (8, 10)])  # one with switches, one with a splitter
def test_published_stages_have_their_published_optima(number: int, moves: int) -> None:
    data = ROOT.parent / "shared" / "data"
    if not (data / "bloxorz_levels.yaml").is_file():
        pytest.skip(f"the published stages are not in {data}")
    from puzzlewright import load, solve

    settings: dict[str, Any] = dict(bloxorz(data, number).settings)
    assert solve(load("bloxorz", **settings)).cost == moves


def write(path: Path, **content: object) -> None:
    path.write_text(json.dumps(content))


def test_a_level_as_the_command_line_wants_it() -> None:
    level = Level("n_puzzle", "seed-8", {"rows": "3", "cols": "3"})
    assert level.arguments == ["n_puzzle", "--level", "seed-8", "--set=rows=3", "--set=cols=3"]
    assert Level("vehicles", "n5") in list(levels_of("vehicles"))


# --- peers ------------------------------------------------------------------------------------------------------------

FAST_DOWNWARD = """\
[t=0.000441s, 9844 KB] Initializing blind search heuristic...
[t=0.001532s, 9976 KB] New best heuristic value for blind: 1
[t=0.034264s, 11620 KB] Plan length: 116 step(s).
[t=0.034264s, 11620 KB] Plan cost: 116
[t=0.034264s, 11620 KB] Expanded 23903 state(s).
[t=0.034264s, 11620 KB] Reopened 0 state(s).
[t=0.034264s, 11620 KB] Evaluated 23981 state(s).
[t=0.034264s, 11620 KB] Generated 77658 state(s).
[t=0.034264s, 11620 KB] Expanded until last jump: 23896 state(s).
[t=0.034264s, 11620 KB] Evaluated until last jump: 23975 state(s).
[t=0.034264s, 11620 KB] Search time: 0.032343s
[t=0.034264s, 11620 KB] Total time: 0.034264s
Solution found.
"""
C = """\
3x3 parent=1 noback=0 huge=0 bits=19: states 181440 expanded 181440 generated 483840 depth 31
  best 0.0080 s, mean 0.0140 s of 20 | best: 22.59 M states/s, 60.24 M generated/s | 35.1 bytes/state | peak 7 MiB
"""
SPIN = """\
State-vector 20 byte, depth reached 114931, errors: 0
   181441 states, stored
   483842 transitions (= stored+matched)
   38.127	total actual memory usage
pan: elapsed time 0.09 seconds
pan: rate 2016011.1 states/second
"""
PYPERPLAN = """\
2026-01-01 12:00:00,000 INFO     Search start: x
2026-01-01 12:00:03,400 INFO     Goal reached. Start extraction of solution.
2026-01-01 12:00:03,400 INFO     181440 Nodes expanded
2026-01-01 12:00:03,401 INFO     Search time: 3.4
2026-01-01 12:00:03,402 INFO     Plan length: 31
"""


BY_HAND = """\
tiles T=21 idle suffix: INFEASIBLE build 0.030 s solve 0.040 s conflicts 255 booleans 1515 constraints 7090
tiles T=22: OPTIMAL build 0.020 s solve 0.070 s conflicts 45 booleans 1600 constraints 7400
  plan: 4 3 0
  as expected; total 0.160 s
"""


def test_what_models_written_by_hand_print() -> None:
    sample = by_hand_sample(BY_HAND, 1, 2)
    assert (sample.seconds, sample.conflicts) == (0.16, 300)
    assert (sample.refuting, sample.finding) == pytest.approx((0.07, 0.09))
    for wrong in (BY_HAND.replace("as expected", "NOT AS EXPECTED"), BY_HAND.replace("INFEASIBLE", "UNKNOWN"), ""):
        with pytest.raises(Failed):
            by_hand_sample(wrong, 1, 2)


def test_what_programs_print() -> None:
    assert planner_sample(FAST_DOWNWARD, 1, 2) == Sample(1, 2, 23981, 0.032343, generated=77658, steps=116, cost=116)
    assert c_sample(C, 1, 2) == Sample(1, 2, 181440, 0.008, generated=483840)
    assert spin_sample(SPIN, 1, 2) == Sample(1, 2, 181441, 0.09)
    assert pyperplan_sample(PYPERPLAN, 1, 2) == Sample(1, 2, 181440, 3.4, steps=31)
    with pytest.raises(Failed):
        planner_sample("Search stopped without finding a solution.", 1, 2)


def test_drivers_are_found_inside_their_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PEER_FD", raising=False)
    peers = Peers(NOWHERE, tmp_path, tmp_path)
    with pytest.raises(Absent, match="up-fast-downward"):
        peers.driver("fd")
    inside = tmp_path / "lib/python3.11/site-packages/up_fast_downward/downward/fast-downward.py"
    inside.parent.mkdir(parents=True)
    inside.touch()
    assert peers.driver("fd") == inside.resolve()
    monkeypatch.setenv("PEER_FD", str(tmp_path / "other.py"))
    with pytest.raises(Absent, match="PEER_FD"):
        peers.driver("fd")


def test_a_program_in_c_is_compiled_once_and_read(tmp_path: Path) -> None:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    (tmp_path / "anchors").mkdir()
    source = tmp_path / "anchors" / "some.c"
    text = '#include <stdio.h>\nint main(void) { printf("states %d generated 9\\n best 0.5 s\\n", SIZE); return 0; }\n'
    source.write_text(text)
    peers = Peers(tmp_path, NOWHERE, tmp_path)
    for _ in range(2):
        sample = peers.c_program("some.c", ["-DSIZE=7"], [])
        assert (sample.states, sample.seconds, sample.generated) == (7, 0.5, 9)


# --- processes, contests, tables --------------------------------------------------------------------------------------


def test_a_process_that_fails_or_takes_too_long_says_so() -> None:
    assert run([sys.executable, "-c", "print(6 * 7)"], 60).text == "42\n"
    with pytest.raises(Failed, match="exit code 3: sorry"):
        run([sys.executable, "-c", "import sys; print('sorry', file=sys.stderr); sys.exit(3)"], 60)
    with pytest.raises(Failed, match="not done after"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], 0.2)
    unproven = [sys.executable, "-c", "import sys; print('a plan'); sys.exit(4)"]
    assert run(unproven, 60, good=(0, 4)).text == "a plan\n"


def test_entrants_take_turns_until_they_fail() -> None:
    turns: list[str] = []

    def take(who: str, fails_at: int) -> Sample:
        turns.append(who)
        if turns.count(who) == fails_at:
            raise Failed("tired")
        return Sample(wall=len(turns), peak_mib=1, states=1000 * len(turns), seconds=1)

    def never() -> Sample:
        raise Absent("nobody")

    entrants = [
        Entrant("a", lambda: take("a", 9), own=True),
        Entrant("b", lambda: take("b", 2), at_least(2)),
        Entrant("c", never),
    ]
    standings = compete(entrants, 3)
    assert turns == list("ababa")
    assert [standing.excuse for standing in standings] == ["", "failed: tired", "skipped: nobody"]
    a, b, c = rate_records("row", standings)
    assert (a["M states/s"], a["ratio"], b["ratio"], b["target"], c["ratio"]) == (0.005, None, 2.5, ">= 2 met", None)
    a, b, c = wall_records("row", standings)
    assert (a["min s"], a["median s"], b["ratio min"], b["median"], c["min s"]) == (1, 3, 0.5, 1.5, None)
    assert (a["peak"], b["peak"]) == (None, 1)


def test_a_turn_to_warm_up_is_not_kept() -> None:
    seconds = iter([9.0, 1.0, 2.0])
    (standing,) = compete([Entrant("a", lambda: Sample(wall=next(seconds), peak_mib=1))], 2, warm=True)
    assert [sample.wall for sample in standing.samples] == [1.0, 2.0]


def test_targets_and_means() -> None:
    assert [at_least(3).verdict(x) for x in (3.0, 2.9, None)] == [">= 3 met", ">= 3 missed", ">= 3"]
    assert [at_most(2.5).verdict(x) for x in (2.5, 2.6)] == ["<= 2.5 met", "<= 2.5 missed"]
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4) and geometric_mean([]) is None
    records = [{"row": name, "program": "FD blind", "ratio": 5.0} for name in ("a", "b", "water-sort-symmetric")]
    mean = mean_record([*records, {"row": "a", "program": "C", "ratio": 0.5}])
    assert mean is not None and mean["ratio"] == pytest.approx(5) and mean["program"] == "FD blind, 2 puzzles"


def test_tables_are_plain_text_without_empty_columns() -> None:
    records = [{"row": "a", "states": 1234567, "note": None}, {"row": "bcd", "states": None, "s": 0.01234, "note": ""}]
    lines = table("Title", records).splitlines()
    assert lines == [
        "Title",
        "",
        "row     states       s",
        "---  ---------  ------",
        "a    1,234,567",
        "bcd             0.0123",
    ]
    assert [cell(value) for value in (1234.5, 12.345, 12.0, 0.5, "x")] == ["1,234", "12.3", "12.0", "0.500", "x"]


# --- proofs by CP-SAT -------------------------------------------------------------------------------------------------


def test_every_turn_has_a_seed_of_its_own_and_medians_are_told() -> None:
    seconds, seeds = [3.0, 1.0, 2.0], list[int]()

    def take(seed: int) -> Proved:
        seeds.append(seed)
        return Proved(9, 1, seconds=seconds[seed], refuting=seconds[seed] / 2, finding=0.25, conflicts=10 * seed)

    (standing,) = compete([Entrant("a", proofs.seeded(take))], 3)
    told = proofs.middling(standing)
    assert seeds == [0, 1, 2]
    assert (told["total s"], told["refute s"], told["find s"], told["conflicts"]) == (2.0, 1.0, 0.25, 10)


def test_a_proof_by_one_path_alone_misses_the_target() -> None:
    counted = {"search_seconds": 0.5, "cpsat_seconds": 61.0, "conflicts": 7}
    answer = {"length": 3, "outcome": "optimal", "proven_by": ["search", "cpsat"], "statistics": counted}
    assert proofs.prove_record("a", answer, 62.0)["target"] == "<= 60 missed"
    quick = {**answer, "statistics": {**counted, "cpsat_seconds": 59.0}}
    assert proofs.prove_record("a", quick, 62.0)["target"] == "<= 60 met"
    alone = proofs.prove_record("a", {**quick, "outcome": "unproven", "proven_by": ["search"]}, 62.0)
    assert (alone["target"], alone["note"]) == ("<= 60 missed", "unproven")


def test_both_questions_of_a_proof_are_decided() -> None:
    pytest.importorskip("ortools")
    from benchmarks.product import decide

    found = decide(Level("hanoi", "three"), optimum=7, seed=0)
    assert found["seconds"] == pytest.approx(found["shared"] + found["refuting"] + found["finding"])
    with pytest.raises(SystemExit, match="7 steps are feasible"):
        decide(Level("hanoi", "three"), optimum=8, seed=0)


# --- variants of the encoding -----------------------------------------------------------------------------------------


def variants() -> list[Any]:
    pytest.importorskip("ortools")
    from benchmarks.variants import AS_IT_IS, ONE_HOT, TABLES

    return [AS_IT_IS, ONE_HOT, *(variant for table in TABLES.values() for variant in table)]


@pytest.mark.parametrize(("puzzle", "level", "optimum"), [("hanoi", "three", 7), ("lights_out", "three", 5),
                                                          ("rush_hour", "small", 10)])  # fmt: skip
def test_all_variants_of_the_encoding_agree_on_an_optimum(puzzle: str, level: str, optimum: int) -> None:
    every = variants()
    from benchmarks.encodings import Bench, built_in

    bench = Bench(built_in(puzzle, level, optimum), limit=20, seed=0)
    asked = {variant.name: bench.ask(variant) for variant in every}
    runs = [run for each in asked.values() for run in (each.unsat, each.sat) if run is not None]
    assert {run.verdict for run in runs} == {"right"}
    assert len(runs) > len(every)  # most of them change something
    longer = Bench(built_in(puzzle, level, optimum + 1), limit=20, seed=0)
    assert longer.usual.unsat is not None and longer.usual.unsat.verdict == "wrong"


def test_names_of_variants_differ() -> None:
    every = variants()
    assert len({variant.name for variant in every}) == len(every)


def test_a_plan_is_found_by_minimising_its_length() -> None:
    variants()
    from benchmarks.encodings import built_in
    from benchmarks.variants import Subject, minimised

    subject = Subject(built_in("hanoi", "three", 7).open())
    assert minimised(subject, 7, 20, 0) == "right"
    assert minimised(subject, 8, 20, 0) == "wrong"


def test_counters_keep_the_solutions_of_a_group() -> None:
    variants()
    from benchmarks.variants import with_counters
    from encoders import cpsat
    from encoders.formula import Formula

    formula = Formula()
    group = list(formula.one_hot(range(9)).values())
    written = with_counters(formula)
    assert not written.groups and written.variables > formula.variables
    found: set[tuple[bool, ...]] = set()
    assert cpsat.every_solution(written, lambda values: found.add(tuple(values[each] for each in group)))
    assert found == {tuple(place == each for place in range(9)) for each in range(9)}


@pytest.mark.slow
def test_optima_of_the_levels_are_known() -> None:
    variants()
    from benchmarks.encodings import CASES, POURING
    from puzzlewright.solving.request import Request
    from puzzlewright.solving.solve import solve

    for case in CASES:
        puzzle = case.open().puzzle
        known = puzzle.known["optimal"]
        assert (known[puzzle.metrics[0]] if isinstance(known, dict) else known) == case.optimum, case.name
    assert solve(POURING.open().puzzle, Request()).cost == POURING.optimum


def test_cells_of_medians_and_verdicts() -> None:
    variants()
    from benchmarks.encodings import OPEN, Run, told

    runs = [Run("right", seconds, 1, 1, 1) for seconds in (0.5, 9.0, 1.0)]
    assert (told(runs), told([*runs, OPEN]), told([None, None])) == ("1.00", "open", "=")
    assert told([*runs, OPEN, Run("wrong", 0.1, 1, 1, 1)]) == "wrong"


def test_the_command_for_encodings_refuses_levels_that_are_none() -> None:
    variants()
    from benchmarks.encodings import main

    assert main(["--only=nothing"]) == 2


def test_what_code_costs_is_told_for_the_dearest_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert code.main(["--only", "wolf_*"]) == 0
    said = capsys.readouterr().out
    assert said.count("wolf_goat_cabbage") == 1 and said.endswith("above 5 s: none\n")
    assert code.main(["--only", "woolf"]) == 2
