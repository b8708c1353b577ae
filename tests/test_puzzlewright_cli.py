"""The command line as a user meets it: outcomes, exit codes, one JSON object, plan files, Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import METRICS, run, start
from sampled import slow

from encoders import horizons
from models.loader import load_text
from models.outcomes import EXIT_CODES, Deadline, Limits, Outcome
from puzzlewright.printing import desk
from puzzlewright.solving.judging import Answer, judged
from puzzlewright.solving.proving import rising
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

ROOT = Path(__file__).parent.parent
EASY = ("n_puzzle", "--level", "easy-8")
TURNS = ("vehicles_in_turn", "--level", "n3")  # 10 steps


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    return path


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No progress is told, however long a busy machine takes: what is left on stderr is what the answer puts there."""
    monkeypatch.setattr(desk.Ticker, "__call__", lambda self, text: None)


# -- outcomes ----------------------------------------------------------------------------------------------------------

TINY = ("--generations", "1", "--population", "2", "--length", "2")
OUTCOMES: dict[str, tuple[str, ...]] = {
    "optimal": ("solve", *EASY),
    "solved": ("solve", *EASY, "--backend", "greedy"),
    "unproven": ("prove", *EASY, "--backend", "greedy"),
    "unsolvable": ("solve", "n_puzzle", "--level", "odd-8"),
    "not-found": ("solve", "n_puzzle", "--backend", "genetic", *TINY),
    "horizon-exhausted": ("solve", "n_puzzle", "--backend", "bfs", "--max-horizon", "3"),
    "memory-limit": ("solve", "n_puzzle", "--backend", "bfs", "--memory-limit", "1"),
    "time-limit": ("solve", "n_puzzle", "--level", "seed-15", "--backend", "ids", "--time-limit", "0.3"),
    "node-limit": ("solve", "n_puzzle", "--backend", "bfs", "--node-limit", "50"),
    "invalid-input": ("solve", "n_puzzle", "--set", "start=1,1,2"),
    "unsupported": ("solve", *EASY, "--backend", "greedy", "--max-horizon", "3"),
    "valid": ("check", "n_puzzle"),
    "usage-error": ("solve", *EASY, "--backend", "bsf"),
}


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_in_text_and_json(outcome: str) -> None:
    plain, machine = run(*OUTCOMES[outcome]), run(*OUTCOMES[outcome], "--json")
    assert plain.code == machine.code == EXIT_CODES[Outcome(outcome)]
    assert machine.json["outcome"] == outcome
    if outcome in ("invalid-input", "usage-error"):
        assert machine.json["diagnostics"] and plain.err and not plain.out
    else:
        assert f"\n{outcome}: " in f"\n{plain.out}" and not plain.err
    if outcome != "usage-error":
        assert not machine.err


def test_an_optimal_answer_in_full() -> None:
    found = run("solve", *EASY, "--json", "--seed", "7").json
    assert (found["puzzle"], found["level"], found["backend"], found["heuristic"]) == (
        *("n-puzzle", "easy-8", "astar", "manhattan"),
    )
    assert (found["cost"], found["length"], found["lower_bound"], found["metric"]) == (3, 3, 3, "cost")
    assert found["proven_by"] == ["search"] and found["seed"] == 7 and found["schema_version"] == 1
    assert found["plan"][0] == {"action": "slide", "args": {"c": [1, 1], "d": "left"}, "label": "4 left", "cost": 1}
    assert found["statistics"].keys() >= {"expanded", "generated", "reopened", "max_frontier", "max_depth"}
    assert found["statistics"].keys() >= {"load_seconds", "search_seconds", "total_seconds", "peak_memory_mb"}
    assert found["verdicts"]["heuristic manhattan"].startswith("proven: consistent")


def test_the_limits_report_the_proven_bound() -> None:
    found = run(*OUTCOMES["node-limit"], "--json").json
    assert found["plan"] is None and found["length"] is None and found["lower_bound"] >= 4
    assert found["statistics"]["expanded"] == 50


def test_heuristics_are_tried_in_turn() -> None:
    given = ("solve", "n_puzzle", "--node-limit", "300", "--heuristic")
    found = run(*given, "blind,misplaced,manhattan", "--json").json
    assert (found["outcome"], found["heuristic"]) == ("optimal", "manhattan")
    assert [note for note in found["notes"] if "gave up" in note] == [
        *("blind: gave up (node-limit)", "misplaced: gave up (node-limit)"),
    ]
    found = run(*given, "misplaced,blind", "--json").json
    assert found["outcome"] == "node-limit" and found["lower_bound"] > 10, "the best bound, not the last one"


def test_a_time_limit_holds() -> None:
    for backend in ("ids", "cpsat"):
        began = time.process_time()
        found = run("solve", "n_puzzle", "--level", "hardest-8", "--backend", backend, "--time-limit", "1", "--json")
        assert found.code in (0, 23) and time.process_time() - began < 8


def test_prove_by_both() -> None:
    found = run("prove", *EASY, "--json").json
    assert (found["command"], found["outcome"], found["proven_by"]) == ("prove", "optimal", ["search", "cpsat"])
    assert "search and CP-SAT proved that no plan costs less" in run("prove", *EASY, "-q").out


@pytest.mark.usefixtures("unhurried")
def test_prove_tells_every_horizon() -> None:
    told = run("prove", *TURNS).err.splitlines()
    words = [line.split(" (")[0] for line in told if line.startswith("CP-SAT")]
    assert words[0] == "CP-SAT: accepts the plan of 10 steps"
    assert words[-2:] == ["CP-SAT: no plan of at most 9 steps",
                          "CP-SAT, asked in another way: no plan of at most 9 steps"]  # fmt: skip
    assert run("prove", *TURNS, "-q").err == ""


def test_horizons_halve_what_is_left() -> None:
    assert rising(0, 8) == [4, 6, 7, 8]
    assert rising(7, 8) == [8]
    assert rising(1 << 40, 8) == [8]
    assert rising(0, 0) == [0]
    assert rising(0, -1) == []


def test_a_disagreement_is_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    refused = replace(horizons.Answer("infeasible", None, None, None))
    monkeypatch.setattr(horizons.Session, "exact", lambda *given: refused)
    found = run("prove", *EASY, "--json").json
    assert (found["outcome"], found["proven_by"]) == ("disagreement", [])
    assert sorted(path.name for path in tmp_path.glob("*/*")) == ["cpsat-model.txt", "search.json"]


@pytest.mark.parametrize("arguments", [("prove",), ("solve", "--backend", "cpsat")])
def test_a_contradiction_of_the_second_opinion_is_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """CP-SAT, asked again about at most one step less, is made to answer with the best plan itself."""
    monkeypatch.chdir(tmp_path)
    asked = horizons.Session._encoded

    def longer(self: Any, horizon: int, form: Any, below: Any, **how: Any) -> Any:
        again = how.get("frame") == "touched"
        return asked(self, horizon + again, form, below, **how)

    monkeypatch.setattr(horizons.Session, "_encoded", longer)
    found = run(*arguments, *TURNS, "--json")
    assert (found.code, found.json["outcome"], found.json["proven_by"]) == (40, "disagreement", [])
    assert {path.name for path in tmp_path.glob("*/*")} == {"search.json", "cpsat.json", "cpsat-model.txt"}
    saved = json.loads(next(tmp_path.glob("*/cpsat.json")).read_text())
    assert (saved["length"], saved["outcome"]) == (10, "solved")


def test_without_a_second_opinion_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    late = horizons.Answer("unknown", None, None, None)
    monkeypatch.setattr(horizons.Session, "second_opinion", lambda *given: late)
    found = run("prove", *TURNS, "--json")
    assert (found.code, found.json["outcome"], found.json["proven_by"]) == (4, "unproven", ["search"])
    assert "by CP-SAT alone every plan has at least 10 steps" in found.json["notes"]
    alone = run("solve", *TURNS, "--backend", "cpsat", "--json")
    assert (alone.code, alone.json["outcome"], alone.json["length"]) == (4, "unproven", 10)


def test_a_bug_is_reported_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> None:
        raise RuntimeError("ouch")

    monkeypatch.setattr("puzzlewright.solving.solve.solve", broken)
    assert "RuntimeError: ouch" in run("solve", *EASY, "--json").json["notes"][0]
    assert run("solve", *EASY).code == 1


# -- metrics, --set, standard input ------------------------------------------------------------------------------------


def test_metrics(walk: Path) -> None:
    by_time, by_effort = run("solve", walk, "--json").json, run("solve", walk, "--metric", "effort", "--json").json
    assert (by_time["metric"], by_time["cost"], by_time["costs"]) == ("time", 4, {"time": 4, "effort": 6})
    assert (by_effort["metric"], by_effort["cost"], by_effort["length"]) == ("effort", 3, 3)
    assert by_effort["plan"][0]["costs"] == {"time": 3, "effort": 1}
    both = run("solve", walk, "--metric", "effort,time")
    assert "optimal: 3 steps, cost 3 effort" in both.out and "9 time, 3 effort" in both.out
    wrong = run("solve", walk, "--metric", "tme")
    assert wrong.code == 2 and "did you mean 'time'?" in wrong.err
    fewest = run("solve", walk, "--backend", "bfs", "--metric", "effort", "--json").json
    assert (fewest["outcome"], fewest["length"], fewest["cost"]) == ("solved", 2, 6), (
        "fewest steps are not least effort"
    )


def test_the_forms_of_set() -> None:
    for form in ("1,2,3,4,5,6,7,0,8", "[1, 2, 3, 4, 5, 6, 7, 0, 8]", " [1,2,3,4,5,6,7,0,8] "):
        assert run("solve", "n_puzzle", "--set", f"start={form}", "--json").json["length"] == 1
    for wrong, words in (("start", "NAME=VALUE"), ("strat=1", "did you mean 'start'?"), ("start=[1", "not closed")):
        found = run("solve", "n_puzzle", "--set", wrong)
        assert found.code == 31 and words in found.err and "n_puzzle.yaml" not in found.err


def test_unsolvable_at_once() -> None:
    found = run("solve", "n_puzzle", "--set", "start=2,1,3,4,5,6,7,8,0", "--json").json
    assert (found["outcome"], found["proven_by"]) == ("unsolvable", ["invariant"])
    assert found["verdicts"]["invariant parity"].startswith("proven") and "expanded" not in found["statistics"]


def test_standard_input(walk: Path) -> None:
    out, err = start("solve", "-", "--json").communicate(walk.read_bytes())
    assert json.loads(out)["cost"] == 4 and not err
    out, err = start("solve", "-").communicate(b"puzzle: \xff")
    assert b"standard input is not UTF-8 text" in err
    out, err = start("solve", "-").communicate(METRICS.replace("goal: at", "goal: ta").encode())
    assert b"<stdin>:8:7: error[E313]: unknown name 'ta'" in err and b"goal: ta == 3" in err


# -- plans -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["easy.plan", "easy.json"])
def test_plans_are_written_and_verified(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    run("solve", *EASY, "--plan-out", path)
    found = run("verify", *EASY[:1], path, *EASY[1:], "--json").json
    assert (found["outcome"], found["cost"], found["length"]) == ("valid", 3, 3)
    assert "failure" not in found
    assert "valid: 3 steps lead to the goal" in run("verify", *EASY[:1], path, *EASY[1:], "-q").out


def test_a_damaged_plan_names_step_condition_values_and_board(tmp_path: Path) -> None:
    path = tmp_path / "damaged.plan"
    path.write_text("(slide 1,1 left)\n(slide 2,2 left)\n(slide 2,1 up)\n; cost = 3 (unit cost)\n", encoding="utf-8")
    found = run("verify", *EASY[:1], path, *EASY[1:], "-q")
    assert found.code == 5
    assert "step 2 of 3 fails: `when` fails: at[c] != 0 and at[c + d] == 0 (5 against 0)" in found.out
    assert "  [4][.] 6\n" in found.out and "2. 8 left: cannot be done here" in found.out
    machine = run("verify", *EASY[:1], path, *EASY[1:], "--json").json
    assert machine["outcome"] == "refuted" and machine["failure"]["step"] == 2 and len(machine["plan"]) == 3


def test_a_plan_that_stops_early(tmp_path: Path) -> None:
    path = tmp_path / "short.plan"
    path.write_text("(slide 1,1 left)\n(slide 2,1 up)\n", encoding="utf-8")
    found = run("verify", *EASY[:1], path, *EASY[1:])
    assert found.code == 5 and "after 2 steps the goal is not reached: " in found.out and "0 against 8" in found.out


def test_what_is_no_plan(tmp_path: Path) -> None:
    path = tmp_path / "no.plan"
    for text, words in (("(slid 1,1 up)", "'slide'"), ("slide", "(action arg ...)"), ("(slide 1,1)", "2 parameters"),
                        ("{", "not JSON"), ('{"plan": 3}', "no plan here"), ("(slide 7,7 up)", "no value of `cell`"),
                        ('[{"action": "slide", "args": {"c": [0, 0]}}]', "has the parameters c, d")):  # fmt: skip
        path.write_text(text, encoding="utf-8")
        found = run("verify", "n_puzzle", path)
        assert found.code == 31 and words in found.err, (text, found.err)
    missing = run("verify", "n_puzzle", tmp_path / "none.plan")
    assert missing.code == 31 and "there is no file" in missing.err and "built-in" not in missing.err


def test_where_a_plan_cannot_be_written(tmp_path: Path) -> None:
    found = run("solve", *EASY, "--plan-out", tmp_path / "no" / "x.plan", "--json")
    assert found.code == 2 and "cannot be written" in found.json["diagnostics"][0]["message"]


# -- check, compare, list ----------------------------------------------------------------------------------------------


def test_check_says_what_is_proven() -> None:
    found = run("check", "pancake", "--prove")
    assert found.code == 0 and "gap: proven (consistent" in found.out and "9 levels" in found.out
    assert run("check", "hanoi", "--level", "three", "--prove", "--json").json["verdicts"]


def test_check_a_claim_that_is_false(walk: Path) -> None:
    walk.write_text(METRICS.strip() + "\nclaims: {far: consistent}\n", encoding="utf-8")
    found = run("check", walk, "--prove", "--json").json
    assert (found["outcome"], found["exit_code"]) == ("refuted", 5)
    assert run("check", walk).code == 0


def test_check_several_files_is_one_object(walk: Path) -> None:
    wrong = walk.with_name("wrong.yaml")
    wrong.write_text(METRICS.replace("goal:", "gaol:"), encoding="utf-8")
    found = run("check", walk, wrong, "--json").json
    assert found["outcome"] == "invalid-input"
    assert [row["outcome"] for row in found["rows"]] == ["valid", "invalid-input"]
    plain = run("check", walk, wrong)
    assert plain.code == 31 and "valid: walk is in order" in plain.out and "did you mean 'goal'?" in plain.err


def test_check_warns(walk: Path) -> None:
    text = METRICS.replace("  leap: {when: at <= 1", "  leap: {when: at <= 1 and 1 == 2").replace(
        "types: {", "types: {x: bool, "
    )
    walk.write_text(text, encoding="utf-8")
    found = run("check", walk)
    assert found.code == 0 and "warning[W503]" in found.err and "warning[W501]: the type 'x' is never used" in found.err


def test_explain() -> None:
    found = run("check", "--explain", "E313")
    assert found.code == 0 and found.out.startswith("E313: A name that nothing declares.")
    assert run("check", "--explain", "E999").code == run("check").code == 2


def test_compare() -> None:
    given = ("compare", *EASY, "--backends", "bfs,astar", "--heuristics", "manhattan,blind")
    found = run(*given, "--json").json
    assert found["outcome"] == "valid" and [(row["backend"], row["heuristic"]) for row in found["rows"]] == [
        *(("bfs", None), ("astar", "manhattan"), ("astar", "blind")),
    ]
    assert all(row["outcome"] == "optimal" and row["cost"] == 3 and row["peak_memory_mb"] > 0 for row in found["rows"])
    assert run("compare", *EASY, "--heuristics", "nope").code == 2
    assert run("compare", *EASY, "--backends", "nope").code == 2


def test_compare_prints_one_table() -> None:
    lines = run("compare", *EASY, "--backends", "bfs,ucs", "--node-limit", "2").out.splitlines()
    assert lines[0] == "n-puzzle, level easy-8" and lines[2].split()[:4] == [
        "backend",
        "heuristic",
        "outcome",
        "length",
    ]
    assert len(lines) == 6 and lines[4].split()[:4] == ["bfs", "-", "node-limit", "-"]


def test_list() -> None:
    names = {row["puzzle"] for row in run("list", "--json").json["rows"]}
    assert names >= {"n_puzzle", "bloxorz", "klotski", "water_sort", "vehicles"}
    plain = run("list").out
    assert "n_puzzle\n" in plain and "seed-8 (22)" in plain and max(map(len, plain.splitlines())) <= 120


# -- usage -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", "solve", "prove", "verify", "check", "compare", "list"])
def test_help(command: str) -> None:
    found = run(*[command] * bool(command), "--help")
    assert found.code == 0 and found.out.startswith("Usage: puzzlewright") and not found.err
    assert command != "" or "Exit codes:" in found.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", *EASY, "--nope"), "No such option: --nope"),
        (("solve",), "Missing argument 'FILE'."),
        (("solve", *EASY, "--node-limit", "x"), "--node-limit"),
        (("solve", *EASY, "--heuristic", "manhatan"), "did you mean 'manhattan'?"),
        (("solve", *EASY, "--backend", "beam", "--width", "0"), "width"),
        (("prove", *EASY, "--backend", "cpsat"), "'cpsat' is none of"),
        (("solv", "n_puzzle"), "solv"),
    ],
)
def test_usage_errors(words: tuple[str, ...], message: str) -> None:
    plain, machine = run(*words), run(*words, "--json")
    assert plain.code == 2 and message in plain.err and not plain.out
    assert machine.json["outcome"] == "usage-error" and message in machine.json["diagnostics"][0]["message"]


def test_what_is_not_there() -> None:
    found = run("solve", "n_puzle")
    assert found.code == 31 and "did you mean 'n_puzzle'?" in found.err
    assert "did you mean 'easy-8'?" in run("solve", "n_puzzle", "--level", "easy-9").err


# -- what a person sees ------------------------------------------------------------------------------------------------


def test_the_board_after_every_step() -> None:
    text = run("solve", *EASY).out
    assert text.startswith("n-puzzle, level easy-8: Slide numbered tiles")
    assert "\nstart\n   1  2  3\n   .  4  6\n   7  5  8\n\n1. 4 left\n   1  2  3\n  [4][.] 6\n   7  5  8\n" in text
    assert "\noptimal: 3 steps, cost 3; search proved that no plan costs less\n" in text
    assert "\x1b" not in text and "astar with the heuristic manhattan" in text
    assert "start" not in run("solve", *EASY, "-q").out


def test_reproducible_json_is_the_same_twice() -> None:
    given = ("solve", "n_puzzle", "--level", "random", "--seed", "3", "--reproducible", "--json")
    assert run(*given).out == run(*given).out
    assert "_seconds" not in run(*given).out


# -- processes ---------------------------------------------------------------------------------------------------------


def test_module_and_console_script_agree() -> None:
    words = (*EASY, "--reproducible", "--json")
    as_module = start("solve", *words).communicate()[0]
    code = "import sys; from puzzlewright.__main__ import solve_main; sys.argv[0] = 'solve'; solve_main()"
    assert start(*words, module=("-c", code)).communicate()[0] == as_module


def test_a_narrow_encoding_and_no_colour(walk: Path) -> None:
    walk.write_text(METRICS.replace("puzzle: walk", "puzzle: wälk\nabout: ä → b"), encoding="utf-8")
    narrow = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    out, err = start("solve", str(walk), env=narrow).communicate()
    assert out.startswith(b"walk: a > b") and not err  # look-alikes
    out, err = start("solve", str(walk), "--json", env=narrow).communicate()
    assert json.loads(out)["puzzle"] == "wälk"


def test_a_reader_that_goes_away() -> None:
    process = start("solve", "n_puzzle", "--level", "hardest-8")
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"n-puzzle")
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(300) == 0


@pytest.mark.parametrize(
    ("backend", "bound", "number"),
    [
        slow("ids", 6, signal.SIGINT),
        slow("ids", 6, signal.SIGTERM),
        slow("cpsat", 7, signal.SIGINT),
        ("cpsat", 7, signal.SIGTERM),
    ],
)
def test_ctrl_c_or_a_polite_kill_prints_the_bound_so_far(backend: str, bound: int, number: signal.Signals) -> None:
    far = "--set", "rows=4", "--set", "cols=4", "--set", "start=15,14,8,12,10,11,13,9,2,6,5,1,3,7,4,0"
    process = start("solve", "n_puzzle", *(far if backend == "ids" else ("--level", "hardest-8")), "-b", backend,
                    "--json", "-v")  # fmt: skip
    assert process.stderr is not None and process.stdout is not None
    told = (re.search(rb"(?:at least|horizon) (\d+)", line) for line in iter(process.stderr.readline, b""))
    assert any(found and int(found[1]) >= bound for found in told), "it has come so far"
    process.send_signal(number)
    found = json.loads(process.stdout.read())
    assert process.wait(300) == 130
    assert (found["outcome"], found["puzzle"], found["plan"]) == ("interrupted", "n-puzzle", None)
    assert found["lower_bound"] >= bound


# -- what a newcomer met -----------------------------------------------------------------------------------------------

COUNTER = "puzzle: counter\nstate: {n: 0 .. 2000 = 0}\nactions: {up: {effect: {n: n + 1}}}\ngoal: n == 2000\n"


def test_the_referee_stops_at_the_time_limit_too() -> None:
    bench = Workbench(load_text(COUNTER, "counter.yaml"))
    request = Request(limits=Limits(time=1))
    plan = [(0, 0)] * 2000
    in_time = judged(bench, request, Answer(Outcome.SOLVED, operators=plan, cost=2000))
    assert (in_time.outcome, in_time.cost) == (Outcome.SOLVED, 2000)
    bench.deadline = Deadline(time.monotonic() - 2)
    late = judged(bench, request, Answer(Outcome.SOLVED, operators=plan, cost=2000))
    assert (late.outcome, late.plan, late.cost) == (Outcome.TIME_LIMIT, None, None)
    assert "2,000 steps" in late.notes[-1]


def test_what_is_unsolvable_has_no_bound() -> None:
    found = run("solve", "klotski", "--level", "jam", "--json").json
    assert (found["outcome"], found["lower_bound"]) == ("unsolvable", None)


def test_an_option_that_the_backend_does_not_use_is_named() -> None:
    found = run("solve", "n_puzzle", "--level", "easy-8", "-b", "bfs", "--width", "10", "--json").json
    assert found["notes"] == ["bfs does not use --width"]
    assert run("solve", "n_puzzle", "--level", "easy-8", "-b", "beam", "--width", "10", "--json").json["notes"] == []


def test_prove_counts_both_solvers_in_its_time() -> None:
    seconds = run("prove", "n_puzzle", "--level", "easy-8", "--json").json["statistics"]
    assert seconds["total_seconds"] >= seconds["cpsat_seconds"] + seconds["search_seconds"]
