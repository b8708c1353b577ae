"""`auto`: which search goes on where the first is not soon done, under which limits; no verdict hangs on it."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sampled import slow

import puzzlewright as pw
from models import outcomes
from models.loader import load_text
from models.outcomes import LimitReached, Limits, Outcome, SearchResult, Statistics
from puzzlewright.report import Report
from puzzlewright.solving import choosing, workbench
from puzzlewright.solving.choosing import FEWER, Attempt, Choice, Contest, Look, growth
from puzzlewright.solving.deriving import Tables
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import WRITTEN, Searched, compiled
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import registry
from search.layers import going_over
from search.registry import search_with
from search.space import BLIND, SearchSpace

FIRST = "auto: A*, because a heuristic is proven consistent"
EARLY, PROBE = 20, 30


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other searches are thought of after a few states."""
    monkeypatch.setattr(choosing, "EARLY", EARLY)
    monkeypatch.setattr(choosing, "FRESH", 0.0)  # small puzzles run out of states
    monkeypatch.setattr(choosing, "PROBE", PROBE)


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workbench, "derived", lambda *_: Tables(None, "nobody made any"))


@pytest.fixture
def no_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "ROWS_FOR_TWO_WAYS", 0)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, SearchResult]]:
    """What was searched, one after the other."""
    made: list[tuple[str, SearchResult]] = []
    search = choosing.search

    def noted(bench: Workbench, request: Request, name: str, heuristic: str | None) -> Searched:
        found = search(bench, request, name, heuristic)
        made.append((name, found.result))
        return found

    monkeypatch.setattr(choosing, "search", noted)
    return made


def solved(level: str, **limits: float) -> Report:
    return solve(pw.load("n_puzzle", level), Request(limits=Limits(**limits)))  # type: ignore[arg-type]


def test_what_ends_soon_is_told_as_ever() -> None:
    found = solved("two-by-three")
    assert found.outcome is Outcome.OPTIMAL and found.about.heuristic == "manhattan"
    assert [note for note in found.notes if "auto" in note] == [FIRST]


def test_tables_are_taken_where_they_pay(soon: None) -> None:
    """The table of all six pieces says just how far it is: 21 steps, the farthest that any such board is."""
    found = solved("two-by-three")
    assert found.outcome is Outcome.OPTIMAL and found.about.backend == "astar"
    assert found.about.heuristic == "derived" and found.statistics["expanded"] == found.cost == 21
    assert "auto: tables alone, because manhattan says no more on a walk of 100 steps" in found.notes
    (said,) = [note for note in found.notes if note.startswith("auto: astar with derived, because ")]
    assert "astar with manhattan has proven a cost of at least " in said and said.endswith(" after 30 states")


WAY = """
puzzle: way
types: {place: 0 .. 3}
state: {at: place = 0}
actions:
  go: {when: at < 3, effect: {at: at + 1}}
goal: at == 3
heuristics:
  far: 10 - at
  near: 2 - at if at < 2 else 0
"""


def test_what_says_more_somewhere_stays_beside_the_tables() -> None:
    contest = Contest(Workbench(load_text(WAY, "way.yaml")), Request(), [])
    far, near = (Choice("astar", f"derived+{name}") for name in ("far", "near"))
    assert contest._lighter(far) == far and contest.notes == []
    assert contest._lighter(near) == Choice("astar", "derived")
    assert contest.notes == ["auto: tables alone, because near says no more on a walk of 100 steps"]


def test_tables_are_not_taken_alone_under_a_name_that_the_file_gives_to_something_else() -> None:
    contest = Contest(Workbench(load_text(WAY + "  derived: 100 * at\n", "way.yaml")), Request(), [])
    near = Choice("astar", "derived+near")
    assert contest._lighter(near) == near and contest.notes == []


def test_the_first_choice_goes_on_where_nothing_is_better(
    soon: None, no_tables: None, no_way_back: None, searches: list[tuple[str, SearchResult]]
) -> None:
    found = solved("hardest-8")
    alone = solve(pw.load("n_puzzle", "hardest-8"), Request("astar"))
    assert (found.outcome, found.cost, found.about.heuristic) == (Outcome.OPTIMAL, 31, "manhattan")
    assert found.statistics["expanded"] == alone.statistics["expanded"]
    blind, first = searches  # the first has rested while the other one was tried, and tables were thought of
    assert (blind[0], blind[1].statistics.expanded, first[0]) == ("bfs", EARLY, "astar")
    assert "auto: no tables, because nobody made any" in found.notes
    assert "auto: astar with manhattan goes on, because no other search has proven much more" in found.notes


@pytest.mark.parametrize(
    "nodes", [EARLY - 1, EARLY, EARLY + 1, 2 * EARLY - 1, 2 * EARLY, 2 * EARLY + 1, 2 * PROBE + 20]
)
@pytest.mark.parametrize("small", [250_000, slow(0)])
def test_a_limit_on_states_is_for_all_searches_together(
    nodes: int, small: int, soon: None, no_tables: None, searches: list[tuple[str, SearchResult]],
    monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(registry, "SMALL", small)
    found = solved("hardest-8", nodes=nodes)
    assert found.outcome is Outcome.NODE_LIMIT
    assert sum(result.statistics.expanded for _, result in searches) == nodes
    assert {name for name, _ in searches} == ({"astar", "bfs"} if nodes > EARLY else {"astar"})
    assert found.lower_bound == max(result.lower_bound for _, result in searches)


RESTING = ("astar", "ucs", "bfs", "bidirectional")


@pytest.mark.parametrize(
    ("name", "small"),  # kernels from the beginning, or Python to the end
    [(name, 250_000) for name in RESTING] + [("astar", 0), *(slow(name, 0) for name in RESTING[1:])],
)
def test_a_search_that_has_rested_is_the_same_search(name: str, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is granted some states again and again, while another search is at work with the same machine code."""
    monkeypatch.setattr(registry, "SMALL", small)
    bench = Workbench(pw.load("n_puzzle", "hardest-8"))
    machine, heuristic = bench.machine(), BLIND
    if name == "astar":
        heuristic = compiled(machine, bench.task.heuristics[0], True)
    rests: list[int] = []

    def more(space: SearchSpace) -> Limits:
        rests.append(space.statistics.expanded)
        assert search_with("bfs", machine, limits=Limits(nodes=100)).statistics.expanded == 100
        assert space.limits.nodes is not None
        return replace(space.limits, nodes=space.limits.nodes * 3)

    alone = search_with(name, machine, heuristic)
    rested = search_with(name, machine, heuristic, Limits(nodes=20, more=more))
    assert (rested.operators, rested.lower_bound, rested.statistics) == (
        alone.operators, alone.lower_bound, alone.statistics)  # fmt: skip
    assert rests == [20 * 3**k for k in range(len(rests))] and len(rests) >= 4


def test_a_search_on_the_disk_rests_too(
    soon: None, no_way_back: None, searches: list[tuple[str, SearchResult]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has set a limit on states, so none is to be told of; the tables are thought of while files lie still."""

    def no_memory(space: SearchSpace, *_: object) -> None:
        space.known = lambda: 7
        raise LimitReached(Outcome.MEMORY_LIMIT)

    def tables(contest: Contest) -> bool:
        seen.append(contest.bound)
        assert not any(look.known for look in contest.looks[Choice("bfs")])  # those in memory are gone
        return False

    seen: list[int] = []
    monkeypatch.setattr(registry, "SMALL", 0)
    monkeypatch.setattr(going_over, "in_memory", no_memory)
    monkeypatch.setattr(choosing, "first_choice", lambda *_: (Choice("bfs"), "for once"))
    monkeypatch.setattr(Contest, "_has_tables", tables)
    found = solved("hardest-8")
    assert (found.outcome, found.cost, found.about.backend) == (Outcome.OPTIMAL, 31, "bfs")
    assert [name for name, _ in searches] == ["bfs"] and WRITTEN in found.statistics
    assert seen == [5]  # from an edge 1, 3, 5, 10 and 14 states are known, more than 30; the last ones are not expanded
    assert found.statistics["expanded"] == 181_440 - 2  # those as far as the goal are not expanded


def test_tables_that_take_longer_than_they_should_end_no_search(
    soon: None, no_way_back: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have a part of the time, but who compiles cannot be stopped; the search has the rest of it."""

    clock = SimpleNamespace(late=0.0, monotonic=lambda: time.monotonic() + clock.late)

    def late(*_: object) -> Tables:
        clock.late = 600.0
        return Tables(None, "nobody made any")

    monkeypatch.setattr(outcomes, "time", clock)
    monkeypatch.setattr(workbench, "make_tables", late)
    found = solved("hardest-8", time=1000)
    assert (found.outcome, found.cost) == (Outcome.OPTIMAL, 31)


@pytest.mark.parametrize("name", ["astar", "bfs"])
def test_who_is_granted_no_more_has_had_all(name: str) -> None:
    machine = Workbench(pw.load("n_puzzle", "hardest-8")).machine()
    found = search_with(name, machine, limits=Limits(nodes=20, more=lambda space: replace(space.limits, nodes=20)))
    assert (found.outcome, found.statistics.expanded) == (Outcome.NODE_LIMIT, 20)


@pytest.mark.parametrize("best", ["ucs", "astar", "bidirectional"])
def test_the_best_of_all_goes_on_where_it_rests(
    best: str, soon: None, searches: list[tuple[str, SearchResult]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever that is: each of the three is begun once, and only the best expands more than its share."""
    monkeypatch.setattr(choosing, "first_choice", lambda *_: (Choice("ucs"), "for once"))
    challengers = [Choice("astar", "misplaced"), Choice("bidirectional")]
    monkeypatch.setattr(Contest, "_without_tables", lambda *_: challengers)
    monkeypatch.setattr(Contest, "_with_tables", lambda *_: [])
    monkeypatch.setattr(Contest, "_is_worth_trying", lambda *_: True)
    monkeypatch.setattr(Contest, "_lighter", lambda contest, choice: choice)
    monkeypatch.setattr(Contest, "_best", lambda contest: next(
        each.choice for each in contest.tried if each.choice.algorithm == best))  # fmt: skip
    found = solved("hardest-8")
    assert (found.outcome, found.cost, found.about.backend) == (Outcome.OPTIMAL, 31, best)
    assert sorted(name for name, _ in searches) == ["astar", "bidirectional", "ucs"]
    assert all((result.statistics.expanded == EARLY) == (name != best) for name, result in searches)


def test_who_goes_on_may_be_given_up_when_it_has_had_more(
    soon: None, searches: list[tuple[str, SearchResult]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Breadth-first search goes on at first, then A* does, which has rested around it."""
    monkeypatch.setattr(
        Contest, "_best", lambda contest: Choice("bfs") if contest.early else Choice("astar", "manhattan")
    )
    monkeypatch.setattr(Contest, "_with_tables", lambda *_: [])
    monkeypatch.setattr(Contest, "_is_as_easy_backwards", lambda *_: False)
    found, alone = solved("hardest-8"), solve(pw.load("n_puzzle", "hardest-8"), Request("astar"))
    assert (found.outcome, found.cost, found.about.backend) == (Outcome.OPTIMAL, 31, "astar")
    assert found.statistics["expanded"] == alone.statistics["expanded"]
    (blind, given_up), (name, _) = searches
    assert (blind, given_up.statistics.expanded, name) == ("bfs", PROBE, "astar")


def test_who_interrupts_what_is_done_between_interrupts_the_search_that_rests(
    soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(contest: Contest) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Contest, "_has_tables", interrupted)
    found = solved("hardest-8")
    assert (found.outcome, found.about.backend) == (Outcome.INTERRUPTED, "astar")
    assert found.statistics["expanded"] == PROBE and (found.lower_bound or 0) > 0


def test_less_memory_where_it_runs_out(
    soon: None, no_tables: None, no_way_back: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search that goes on is told that there was no memory; a quarter is left for the next one."""
    search, ask, given = choosing.search, SearchSpace.ask_for_nodes, []

    def asked(space: SearchSpace) -> None:
        ask(space)
        given.extend([space.limits.memory_mb] * (space.limits.nodes is None))

    def short(bench: Workbench, request: Request, name: str, heuristic: str | None) -> Searched:
        given.extend([request.limits.memory_mb] * (name != "bfs"))
        found = search(bench, request, name, heuristic)
        if name != "astar":
            return found
        lost = replace(found.result, outcome=Outcome.MEMORY_LIMIT, operators=None, cost=None, lower_bound=25)
        return found._replace(result=lost)

    monkeypatch.setattr(choosing, "search", short)
    monkeypatch.setattr(SearchSpace, "ask_for_nodes", asked)
    found = solved("hardest-8", memory_mb=1e6)
    assert (found.outcome, found.cost, found.about.backend) == (Outcome.OPTIMAL, 31, "idastar")
    assert given == [1e6, 0.75e6, 1e6]
    assert "auto: IDA* with manhattan, because the memory was not enough for astar with manhattan" in found.notes


@pytest.mark.parametrize(("dearer", "fresh"), [(10.0, 0.0), (1.0, 1.0)])  # hardly ever another search, nearly always
@pytest.mark.parametrize(
    "name",
    [("hanoi", None), ("sokoban", None), ("pancake", "six"), slow(("lights_out", None)), ("water_sort", "two-colours")],
)
def test_verdicts_are_those_of_one_search(
    name: tuple[str, str | None], dearer: float, fresh: float, soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "DEARER", dearer)
    monkeypatch.setattr(choosing, "FRESH", fresh)
    puzzle = pw.load(*name)
    found, alone = solve(puzzle, Request()), solve(puzzle, Request("ucs"))
    assert (found.outcome, found.cost) == (alone.outcome, alone.cost)


def test_a_plan_in_hand_is_kept_where_a_limit_strikes_later() -> None:
    bench = Workbench(pw.load("n_puzzle", "two-by-three"))
    contest = choosing.Contest(bench, Request(), [])
    result = choosing.search(bench, Request(limits=Limits(nodes=0)), "bfs", None).result
    held = Attempt(Choice("ucs"), Searched(replace(result, outcome=Outcome.UNPROVEN, operators=()), None, []), True)
    stopped = Attempt(Choice("bfs"), Searched(replace(result, outcome=Outcome.TIME_LIMIT), None, []), False)
    contest.tried.append(held)
    assert contest._with_plan(stopped) is held
    assert contest._with_plan(stopped._replace(found=held.found)).found is held.found
    interrupted = Attempt(Choice("bfs"), Searched(replace(result, outcome=Outcome.INTERRUPTED), None, []), False)
    told = contest._with_plan(interrupted)
    assert (told.choice, told.found.result.outcome, told.found.result.operators) == (Choice("ucs"), "interrupted", ())


def ended(name: str, outcome: Outcome, cost: int | None, bound: int) -> Attempt:
    operators = None if cost is None else ()
    return Attempt(Choice(name), Searched(SearchResult(outcome, operators, cost, bound, Statistics()), None, []), False)


@pytest.mark.parametrize(
    ("outcome", "cost", "bound", "told"),
    [
        (Outcome.UNPROVEN, 7, 7, Outcome.OPTIMAL),
        (Outcome.UNPROVEN, 7, 6, Outcome.UNPROVEN),
        (Outcome.NODE_LIMIT, None, 7, Outcome.OPTIMAL),
        (Outcome.DISK_LIMIT, None, 6, Outcome.UNPROVEN),
        (Outcome.INTERRUPTED, None, 7, Outcome.INTERRUPTED),
        (Outcome.OPTIMAL, 7, 7, Outcome.OPTIMAL),
    ],
)
def test_a_plan_is_best_where_any_search_has_proven_that_none_costs_less(
    outcome: Outcome, cost: int | None, bound: int, told: Outcome
) -> None:
    """Of all plans in hand the cheapest."""
    contest = Contest(Workbench(pw.load("n_puzzle", "two-by-three")), Request(), [])
    for each in (ended("astar", Outcome.UNPROVEN, 9, 5), ended("ucs", Outcome.UNPROVEN, 7, 4)):
        contest._note(contest._taken(each))
    found = contest._proven(contest._with_plan(contest._taken(ended("bfs", outcome, cost, bound))))
    assert (found.found.result.outcome, found.found.result.cost) == (told, 7)
    assert bool(contest.notes) == (told is Outcome.OPTIMAL is not outcome)


@pytest.mark.parametrize(("bound", "best"), [(12, "ucs"), (14, "astar"), (10, "ucs")])
def test_the_first_choice_goes_on_where_nothing_is_clearly_better(bound: int, best: str) -> None:
    """It has doubled its states for each unit of cost: two more units are four times as many, and four are sixteen."""
    contest = choosing.Contest(Workbench(pw.load("n_puzzle", "two-by-three")), Request(), [])
    for name, proven in (("ucs", 10), ("astar", bound)):
        result = SearchResult(Outcome.NODE_LIMIT, None, None, proven, Statistics(expanded=1024, generated=8192))
        contest.tried.append(Attempt(Choice(name), Searched(result, None, []), True))
    assert contest._best().algorithm == best


def contest_of(*tried: tuple[str, int, int], first: int = 0) -> Contest:
    """After the first round: what searches have proven, after how many states."""
    contest = Contest(Workbench(pw.load("n_puzzle", "two-by-three")), Request(), [], early=True)
    for name, states, proven in tried:
        result = SearchResult(Outcome.NODE_LIMIT, None, None, proven, Statistics(expanded=states, generated=3 * states))
        contest.tried.append(Attempt(Choice(name), Searched(result, None, [], first=first), True))
    return contest


@pytest.mark.parametrize(
    ("astar", "first", "before", "now", "best"),
    [
        (71, 10, 41, 64, "bfs"),  # panex: 107 after 200,000 states, where A* has proven 71 after 50,000
        (34, 12, 18, 23, "astar"),  # klotski: 30
        (71, 25, 35, 47, "astar"),  # sokoban: 70
        (8, 1, 7, 7, "astar"),  # cube: 8
        (87, 10, 41, 64, "astar"),  # as far, but no farther
    ],
)
def test_a_blind_search_goes_on_where_its_states_cost_less(
    astar: int, first: int, before: int, now: int, best: str
) -> None:
    """Bounds that were measured, after 12,500 and 50,000 states; those after 200,000 are told beside them."""
    contest = contest_of(("astar", 50_000, astar), ("bfs", 50_000, now), first=first)
    contest.looks[Choice("bfs")] = [Look(12_500, 37_500, 20_000, before), Look(50_000, 150_000, 80_000, now)]
    assert contest._best().algorithm == best
    assert len(contest.notes) == (best == "bfs")


@pytest.mark.parametrize(
    ("looks", "fewer"),
    [
        ([(12_500, 150_000, 96_842), (50_000, 600_000, 329_832)], True),  # m13: 1,235,520 states
        ([(12_500, 112_500, 63_683), (50_000, 450_000, 236_042)], False),  # cube: 3,674,160
        ([(12_500, 37_500, 25_093), (50_000, 150_000, 99_143)], False),  # the 15-puzzle: 10^13
        ([(50_000, 600_000, 0), (125_000, 1_500_000, 0)], False),  # of a search that does not tell
        ([(50_000, 600_000, 329_832)], False),
    ],
)
def test_a_blind_search_goes_on_where_it_runs_out_of_states(looks: list[tuple[int, int, int]], fewer: bool) -> None:
    contest = contest_of(("astar", 50_000, 9), ("bfs", 50_000, 6))
    contest.looks[Choice("bfs")] = [Look(*each, 6) for each in looks]
    assert contest._best().algorithm == ("bfs" if fewer else "astar")
    assert contest.notes == [f"auto: bfs, because {FEWER}"] * fewer
    contest.early = False
    assert contest._is_worth_trying(Choice("astar", "derived")) is not fewer  # nor are tables made


@pytest.mark.parametrize(("blind", "astar", "worth"), [(7, 8, True), (6, 9, True), (15, 49, False), (5, 8, False)])
def test_layers_from_both_ends_are_tried_where_they_come_farther(blind: int, astar: int, worth: bool) -> None:
    """A search that expands layer b - 1 has b - 1 of them behind it; as many from each end are twice as many."""
    contest = contest_of(("astar", 50_000, astar), ("bfs", 50_000, blind))
    assert contest._is_worth_trying(Choice("bidirectional")) is worth


@pytest.mark.parametrize(
    ("name", "backend"),
    [(("pyraminx", "far"), "bidirectional"), slow(("m13", "three-cycled"), "bfs"), slow(("panex", "five"), "bfs"),
     slow(("cube", "far"), "bidirectional"), slow(("lights_out", "five"), "bidirectional"),
     slow(("klotski", "seed-8x8"), "astar")],
)  # fmt: skip
def test_the_search_that_suits_is_found(name: tuple[str, str], backend: str) -> None:
    """Each is the quickest by itself, but for the board of klotski, where two take as long."""
    found = solve(pw.load(*name), Request())
    assert found.about.backend == backend and found.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE)


def test_what_any_search_has_proven_holds() -> None:
    contest = choosing.Contest(Workbench(pw.load("n_puzzle", "two-by-three")), Request(), [])
    for proven in (7, 9, 8):
        result = SearchResult(Outcome.NODE_LIMIT, None, None, proven, Statistics(expanded=5))
        contest._taken(Attempt(Choice("ucs"), Searched(result, None, []), True))
    assert (contest.bound, contest.spent) == (9, 15)


def test_growth_is_that_of_a_tree() -> None:
    """1,024 states at a cost of 10 double with each unit; above an estimate of 5 they grow by 4."""
    counted = SearchResult(Outcome.NODE_LIMIT, None, None, 10, Statistics(expanded=1024, generated=8192))
    assert growth(Searched(counted, None, [])) == pytest.approx(2)
    assert growth(Searched(counted, None, [], first=5)) == pytest.approx(4)
    assert growth(Searched(counted, None, [], first=10)) == 8
