"""`solve` and `prove` for Python programs: functions as heuristics, events, stopping, exceptions, what is refused."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import sleep

import pytest
from running import run

import puzzlewright as pw
from encoders import cpsat
from encoders.induction import Prover
from models.loader import load_text
from puzzlewright.python import estimating
from puzzlewright.solving.backends import BACKENDS
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench
from search import registry

SEARCHES = [name for name in BACKENDS if name not in ("auto", "cpsat")]
INFORMED = [row.name for row in registry.ROWS if row.informed]
STUCK = """
format: 1
puzzle: stuck
state:
  at: 0 .. 9 = 0
  colour: 0 .. 3 = 0
actions:
  up: {when: at < 8, effect: {at: at + 1}}
  down: {when: at > 0, effect: {at: at - 1}}
goal: at == 9
"""


@pytest.fixture(scope="module")
def tiles() -> pw.Puzzle:
    return pw.load("n_puzzle", "seed-8")


@pytest.fixture(scope="module")
def easy() -> pw.Puzzle:
    return pw.load("n_puzzle", "easy-8")


def manhattan(s: pw.State) -> int:
    return sum(abs(c.row - (t - 1) // 3) + abs(c.col - (t - 1) % 3) for c, t in s["at"].items() if t)


def triple(s: pw.State) -> int:
    return 3 * manhattan(s)


def nothing(s: pw.State) -> int:
    return 0


# -- functions as heuristics -------------------------------------------------------------------------------------------


def test_the_figures_of_the_listing(tiles: pw.Puzzle) -> None:
    found = [pw.solve(tiles, "astar", heuristic=h) for h in ("manhattan", manhattan, triple)]
    assert [(r.outcome, r.cost, r.expanded) for r in found] == [
        ("optimal", 22, 226),
        ("solved", 22, 226),
        ("solved", 32, 72),
    ]
    assert [r.heuristic for r in found] == ["manhattan", "manhattan", "triple"]
    assert found[2].notes == ("triple is a Python function, of which nothing is proven",)


@pytest.mark.parametrize("backend", INFORMED)
def test_a_function_leads_a_search_as_the_declared_heuristic_does(easy: pw.Puzzle, backend: str) -> None:
    options = {"generations": 5, "population": 20} if backend == "genetic" else {}
    declared, function = (pw.solve(easy, backend, heuristic=h, **options) for h in ("manhattan", manhattan))
    assert function.statistics.keys() == declared.statistics.keys()
    counted = ("expanded", "generated", "evaluated", "reopened")
    assert [function.statistics[name] for name in counted] == [declared.statistics[name] for name in counted]
    assert function.cost == declared.cost and function.plan == declared.plan
    assert function.outcome != "optimal" and function.lower_bound == 0


def test_a_function_is_not_believed_whatever_it_is_called(tiles: pw.Puzzle) -> None:
    def proven_consistent(s: pw.State) -> int:
        return manhattan(s)

    proven_consistent.__name__ = "manhattan"
    proven_consistent.admissible = proven_consistent.consistent = True  # type: ignore[attr-defined]
    report = pw.solve(tiles, heuristic=proven_consistent)
    assert (report.outcome, report.lower_bound, report.proven_by) == ("solved", 0, ())
    assert report.backend == "astar"


def test_blind_searches_prove_what_they_always_did(easy: pw.Puzzle) -> None:
    """They ask no function, and say so."""
    asked = []
    report = pw.solve(easy, "bfs", heuristic=lambda s: asked.append(s) or 0)
    assert report.outcome == "optimal" and not asked and "bfs uses no heuristic" in report.notes


def test_a_large_search_keeps_its_function(tiles: pw.Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels know nothing of Python: a search that has outgrown it would go on blind."""
    monkeypatch.setattr(registry, "SMALL", 100)
    report = pw.solve(tiles, "astar", heuristic=manhattan)
    assert (report.cost, report.expanded) == (22, 226)


def test_functions_see_variables_on_which_nothing_depends() -> None:
    puzzle = load_text(STUCK, "stuck.yaml")
    seen = []
    pw.solve(puzzle, "greedy", heuristic=lambda s: seen.append(s) or 9 - s["at"])
    assert {frozenset(s) for s in seen} == {frozenset(("at", "colour"))}
    assert {s["at"] for s in seen} == set(range(9))


@pytest.mark.parametrize("backend", [name for name in INFORMED if registry.ALGORITHMS[name].complete])
@pytest.mark.parametrize("seed", range(3))
def test_no_plan_is_said_only_where_there_is_none(backend: str, seed: int) -> None:
    """Whatever the function answers, and were it another number each time: huge ones too."""
    draw = random.Random(seed)
    asked = Counter()

    def erratic(s: pw.State) -> int:
        asked[s] += 1
        return draw.choice([0, 1, 5, 10**30])

    assert pw.solve(load_text(STUCK, "stuck.yaml"), backend, heuristic=erratic).outcome == "unsolvable"
    assert set(asked.values()) == {1}
    solvable = load_text(STUCK.replace("at < 8", "at < 9"), "x.yaml")
    report = pw.solve(solvable, backend, heuristic=erratic)
    assert (report.outcome, report.cost) == ("solved", 9)


@pytest.mark.parametrize("backend", ["idastar", "rbfs"])
def test_values_that_were_not_kept_prove_nothing(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "MOST_REMEMBERED", 3)
    report = pw.solve(load_text(STUCK, "stuck.yaml"), backend, heuristic=nothing)
    assert report.outcome == "not-found" and estimating.FORGETFUL in report.notes


@pytest.mark.parametrize(("value", "error", "words"), [
    (1.5, TypeError, "gives 1.5 for State.*, which is no whole number"),
    (math.inf, TypeError, "gives inf"),
    (None, TypeError, "gives None"),
    (-1, ValueError, "gives -1 for State.*: an estimate is 0 or more"),
])  # fmt: skip
def test_estimates_are_whole_numbers(easy: pw.Puzzle, value: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        pw.solve(easy, "astar", heuristic=lambda s: value)  # type: ignore[arg-type, return-value]
    assert raised.value.report.outcome == "interrupted"  # type: ignore[attr-defined]


# -- exceptions --------------------------------------------------------------------------------------------------------


class Mine(Exception):
    """Of the caller."""


@pytest.mark.parametrize("backend", INFORMED)
def test_what_a_function_raises_comes_through_with_what_is_known(tiles: pw.Puzzle, backend: str) -> None:
    def h(s: pw.State) -> int:
        if manhattan(s) < 8:
            raise Mine("enough")
        return manhattan(s)

    with pytest.raises(Mine, match="enough") as raised:
        pw.solve(tiles, backend, heuristic=h)
    report = raised.value.report  # type: ignore[attr-defined]
    assert (report.outcome, report.backend, report.heuristic) == ("interrupted", backend, "h")
    assert report.expanded > 0


@pytest.mark.parametrize("backend", ["bfs", "astar", "cpsat"])
def test_what_a_listener_raises_comes_through(tiles: pw.Puzzle, backend: str) -> None:
    def tell(event: pw.Event) -> None:
        if event.lower_bound >= 17:
            raise StopIteration

    with pytest.raises(StopIteration) as raised:
        pw.solve(tiles, backend, on_event=tell)
    assert raised.value.report.lower_bound >= 17  # type: ignore[attr-defined]
    assert raised.value.report.outcome == "interrupted"  # type: ignore[attr-defined]


def test_an_exception_in_a_context_manager_stays_itself(tiles: pw.Puzzle) -> None:
    @contextmanager
    def around():  # type: ignore[no-untyped-def]
        yield

    with pytest.raises(pw.IllegalMove), around():
        pw.Space(tiles).after(pw.Space(tiles).start, pw.Step("slide", ()))


def test_ctrl_c_in_a_function_returns_the_report(tiles: pw.Puzzle) -> None:
    def h(s: pw.State) -> int:
        raise KeyboardInterrupt

    assert pw.solve(tiles, "astar", heuristic=h).outcome == "interrupted"


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("backend", "small"), [("bfs", 250_000), ("bfs", 1000), ("astar", 250_000), ("ids", 1000),
                                                ("idastar", 250_000), ("cpsat", 0)])  # fmt: skip
def test_events_tell_bounds_and_the_plan(
    tiles: pw.Puzzle, backend: str, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bound is better than the one before, none is beyond the optimum, which the literature has as 22."""
    monkeypatch.setattr(registry, "SMALL", small)
    monkeypatch.setattr(registry, "KEPT", small)
    events: list[pw.Event] = []
    report = pw.solve(tiles, backend, on_event=events.append)
    bounds = [event.lower_bound for event in events if event.kind == "bound"]
    assert bounds == sorted(set(bounds)) and bounds[-1] == 22
    if (backend, small) == ("bfs", 250_000):  # one more with every layer; a kernel is back for some of them
        assert bounds == list(range(1, 23))
    assert all(event.cost is None for event in events[:-1])
    assert events[-1] == ("plan", 22, 22, report.expanded or 0)
    assert {event.kind for event in events} <= {"bound", "plan", "progress"}


def test_a_search_without_bounds_tells_its_plan(tiles: pw.Puzzle) -> None:
    events: list[pw.Event] = []
    report = pw.solve(tiles, "greedy", on_event=events.append)
    assert events[-1] == ("plan", 16, report.cost, report.expanded)  # Manhattan's 16 is proven at the start


def test_events_of_a_proof(easy: pw.Puzzle) -> None:
    events: list[pw.Event] = []
    report = pw.prove(easy, on_event=events.append)
    assert report.outcome == "optimal" and events[-1].kind == "plan" and events[-1].cost == report.cost


def test_events_as_an_iterator(tiles: pw.Puzzle) -> None:
    told: list[pw.Event] = []
    report = pw.solve(tiles, "astar", on_event=told.append)
    search = pw.follow(tiles, "astar")
    assert list(search) == told and list(search) == []
    assert (search.report.plan, search.report.expanded) == (report.plan, report.expanded)


def test_an_iterator_that_is_left_ends_its_search() -> None:
    """Of a board whose 10^13 states hold no goal."""
    endless = pw.load("n_puzzle", "odd-15")
    with pw.follow(endless, "bfs", invariants=False) as search:
        assert next(event for event in search if event.lower_bound > 3).kind == "bound"
    assert search.report.outcome == "interrupted" and search.report.lower_bound > 3
    with pytest.raises(Mine), pw.follow(endless, "ids", invariants=False) as search:
        raise Mine
    assert search.report.outcome == "interrupted"


def test_an_iterator_raises_what_its_search_has_raised(tiles: pw.Puzzle) -> None:
    with pytest.raises(ZeroDivisionError):
        list(pw.follow(tiles, "astar", heuristic=lambda s: 1 // 0))
    with pytest.raises(pw.ConfigurationError, match="did you mean 'bfs'"):
        pw.follow(tiles, "bsf").report  # noqa: B018
    with pytest.raises(pw.ConfigurationError, match="stop: the iterator over the events has that itself"):
        pw.follow(tiles, "bfs", stop=Flag())


# -- stopping ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["auto", "cpsat", *SEARCHES])
def test_a_flag_that_is_set_ends_the_work_at_once(backend: str) -> None:
    stop = Flag()
    stop.set()
    report = pw.solve(pw.load("n_puzzle", "hardest-8"), backend, stop=stop)
    assert report.outcome == "interrupted" and not report.expanded


@pytest.mark.parametrize("small", [250_000, 1000])
def test_a_flag_ends_a_search_with_what_is_known(tiles: pw.Puzzle, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SMALL", small)
    monkeypatch.setattr(registry, "KEPT", small)
    stop = Flag()
    report = pw.solve(tiles, "bfs", stop=stop, on_event=lambda event: stop.set() if event.lower_bound == 15 else None)
    assert (report.outcome, report.plan) == ("interrupted", None) and 15 <= report.lower_bound < 22


def test_a_proof_is_stopped(tiles: pw.Puzzle) -> None:
    stop = Flag()
    report = pw.prove(tiles, stop=stop, on_event=lambda event: stop.set() if event.lower_bound > 16 else None)
    assert report.outcome == "interrupted"


def test_a_proof_is_stopped_while_cpsat_works(tiles: pw.Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan is known by then; nobody has pressed Ctrl-C, so nobody says so."""
    stop = Flag()
    ask = cpsat.solve

    def asked(*args, **options):  # type: ignore[no-untyped-def]
        stop.set()
        return ask(*args, **options)

    monkeypatch.setattr(cpsat, "solve", asked)
    monkeypatch.setattr(cpsat.cp_model.CpSolver, "solve", lambda self, *args: sleep(2))
    monkeypatch.setattr(cpsat, "_stop", lambda solver, done: None)
    report = pw.prove(tiles, stop=stop)
    assert (report.outcome, report.cost) == ("interrupted", 22)
    assert "stopped while CP-SAT checked the plan" in report.notes


def test_a_claim_that_cpsat_proves_is_stopped(tiles: pw.Puzzle) -> None:
    task = Workbench(tiles).task
    with pytest.raises(KeyboardInterrupt):
        Prover(task, (), 20, lambda: True).heuristic(task.heuristics[0].term)


def test_searches_in_threads(tiles: pw.Puzzle) -> None:
    """There is no global state: each has its own task, code and counts."""
    found: dict[str, pw.Report] = {}

    def work(backend: str) -> None:
        found[backend] = pw.solve(tiles, backend)

    threads = [Thread(target=work, args=(name,)) for name in ("bfs", "astar", "idastar", "cpsat")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {name: (r.outcome, r.cost) for name, r in found.items()} == dict.fromkeys(found, ("optimal", 22))
    assert (found["bfs"].expanded, found["astar"].expanded) == (68882, 226)


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_limit_on_memory_counts_its_own_run(easy: pw.Puzzle) -> None:
    """Python and its libraries have taken more than this before the run begins."""
    assert pw.solve(easy, "astar", memory_limit=50).outcome == "optimal"
    assert run("solve", "n_puzzle", "--level", "easy-8", "--backend", "bfs", "--memory-limit", "1").code == 22


def test_limits_by_their_names(tiles: pw.Puzzle) -> None:
    assert pw.solve(tiles, "bfs", node_limit=10).expanded == 10
    assert pw.solve(tiles, "bfs", time_limit=0).outcome == "time-limit"
    assert pw.solve(tiles, "bfs", max_horizon=3).outcome == "horizon-exhausted"
    assert pw.solve(tiles, "bfs", limits=pw.Limits(nodes=10)).expanded == 10
    assert pw.solve(tiles, "bfs", time_limit=math.inf).outcome == "optimal"


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "words"), [
    ({"backend": "bsf"}, "backend: 'bsf' is none of auto, bfs, .*; did you mean 'bfs'"),
    ({"backend": None}, "backend: None is none of auto"),
    ({"lenght": 3}, "option: 'lenght' is none of .*length.*; did you mean 'length'"),
    ({"options": {"lenght": 3}}, "option: 'lenght' is none of .*transpositions, .*; did you mean 'length'"),
    ({"options": [3]}, "options: .3. is no dictionary"),
    ({"timelimit": 3}, "option: 'timelimit' .* did you mean 'time_limit'"),
    ({"heuristic": "manhatten"}, "heuristic: 'manhatten' is none of blind, manhattan, .*; did you mean 'manhattan'"),
    ({"heuristics": "manhatten"}, "heuristic: 'manhatten' is none of"),
    ({"heuristic": "blind", "heuristics": ("blind",)}, "heuristics: heuristic is given as well"),
    ({"heuristic": 3}, "heuristic: 3 is neither a name nor a function"),
    ({"metric": "cots"}, "metric: 'cots' is none of cost; did you mean 'cost'"),
    ({"time_limit": -1}, "time_limit: -1 is not 0 or more"),
    ({"time_limit": math.nan}, "time_limit: nan is not 0 or more"),
    ({"time_limit": "1"}, "time_limit: '1' is no number"),
    ({"node_limit": 1.5}, "node_limit: 1.5 is no whole number"),
    ({"node_limit": True}, "node_limit: True is no whole number"),
    ({"memory_limit": -3}, "memory_limit: -3 is not 0 or more"),
    ({"max_horizon": "x"}, "max_horizon: 'x' is no whole number"),
    ({"limits": 3}, "limits: 3 is no Limits"),
    ({"width": 0}, "width must be positive and finite"),
    ({"width": 2.5}, "width must be a whole number"),
    ({"selection": "rulette"}, "selection must be tournament or roulette"),
    ({"seed": "x"}, "seed: 'x' is no whole number"),
    ({"on_event": 3}, "on_event: 3 is no function"),
    ({"metric": 3}, "metric: 3 is no name and no list of names"),
    ({"stop": 3}, "stop: 3 is no threading.Event"),
])  # fmt: skip
def test_what_there_is_not_is_refused_with_what_there_is(easy: pw.Puzzle, asked: dict[str, object], words: str) -> None:
    with pytest.raises(pw.ConfigurationError, match=words) as raised:
        pw.solve(easy, **asked)  # type: ignore[arg-type]
    assert isinstance(raised.value, ValueError)


def test_a_name_is_no_puzzle() -> None:
    for use in (pw.solve, pw.prove, pw.Space, pw.trace, lambda puzzle: pw.check_heuristic(puzzle, "blind")):
        with pytest.raises(pw.ConfigurationError, match="puzzle: 'n_puzzle' is none: puzzlewright.load reads one"):
            use("n_puzzle")  # type: ignore[operator]


def test_the_names_that_were_always_taken(easy: pw.Puzzle) -> None:
    one = pw.solve(easy, "beam", heuristics=("manhattan",), metrics=("cost",), options={"width": 50}, invariants=False)
    assert pw.solve(easy, "beam", heuristic="manhattan", metric="cost", width=50).plan == one.plan
    assert pw.solve(easy, "astar", heuristics="misplaced,manhattan").heuristic == "misplaced"


@pytest.mark.parametrize(("words", "said"), [
    (("--backend", "bsf"), "--backend: 'bsf' is none of auto, bfs, .*; did you mean 'bfs'?"),
    (("--heuristic", "x"), "--heuristic: 'x' is none of blind, manhattan, misplaced"),
    (("--metric", "cots"), "--metric: 'cots' is none of cost; did you mean 'cost'?"),
    (("--backend", "beam", "--width", "0"), "width must be positive and finite"),
    (("--time-limit", "nan"), "'--time-limit'"),
])  # fmt: skip
def test_the_command_line_refuses_the_same(words: tuple[str, ...], said: str) -> None:
    found = run("solve", "n_puzzle", *words)
    assert found.code == 2 and re.search(said, found.err)


def test_a_request_checks_itself() -> None:
    with pytest.raises(pw.ConfigurationError, match="backend"):
        Request("bsf")
    assert Request(heuristics="a,b").heuristics == ("a", "b")  # type: ignore[arg-type]


def test_a_proof_rests_on_no_function(easy: pw.Puzzle, tmp_path: Path) -> None:
    with pytest.raises(pw.ConfigurationError, match="a proof rests on no Python function"):
        pw.prove(easy, heuristic=manhattan)  # type: ignore[arg-type]
    with pytest.raises(pw.ConfigurationError, match="cpsat proves what a search finds"):
        pw.prove(easy, backend="cpsat")
    with pytest.raises(pw.ConfigurationError, match="certificate: it holds a level as it is written"):
        pw.prove(pw.load("n_puzzle", scramble=4), certificate=tmp_path / "proof")
    with pytest.raises(pw.ConfigurationError, match="certificate: .* cannot be written: there is no folder"):
        pw.prove(easy, certificate=tmp_path / "no" / "proof")


def test_a_certificate_is_written_and_verified(tmp_path: Path) -> None:
    """Of data given by Python too: they are part of it."""
    puzzle = pw.load("hanoi", data={"disks": 2})
    folder = tmp_path / "proof"
    report = pw.prove(puzzle, certificate=folder)
    assert (report.outcome, report.cost) == ("optimal", 3)  # 2^2 - 1
    assert pw.verify(folder).outcome == "valid"
    (folder / "plan.json").write_text("[]")
    assert pw.verify(str(folder)).outcome != "valid"
