"""Path one: one of the classic searches over the compiled task; several heuristics are tried in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from models.errors import Diagnostic, PuzzleError
from models.outcomes import LimitReached, Outcome, SearchResult, Statistics, Unsupported, outcome_of
from models.task import Heuristic as Declared
from puzzlewright.configuration import DERIVED, ConfigurationError, derives
from puzzlewright.report import Report
from puzzlewright.solving.backends import BACKENDS, BUCKETS
from puzzlewright.solving.deriving import LOST, NO_TABLES, PROVEN, with_derived
from puzzlewright.solving.judging import Answer, judged
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine
    from search.proofs.symmetry import Symmetry
    from search.space import Heuristic, Progress

EACH_AS_IT_STANDS = "tables estimate the one state that stands for others, so states may be expanded again"
BEGIN_ANEW = "the search can only begin anew, in an empty folder"
GONE_OVER = "half of the memory was not enough: bfs went over to the backend layers, on the disk"
ASTAR = "astar"
WRITTEN = "bytes_written"  # among the statistics: there were files
TO_FILES = "the memory was not enough: astar went over to the backend buckets, on the disk"
SHARE = 0.85  # of the memory is for A* in memory, where files may follow: they begin anew, and need less
DEAD_LEFT_OUT = "dead states are left out: it is proven that no goal can be reached from them"
_GIVEN_UP = (Outcome.NODE_LIMIT, Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.NOT_FOUND)


class Searched(NamedTuple):
    """What a search answers, its operators spelt out; by which heuristic; what else is to be said."""

    result: SearchResult
    heuristic: str | None
    remarks: list[str]
    figures: Mapping[str, object] = {}  # statistics of what came before the search
    first: int = 0  # the estimate of the start


def run_search(bench: Workbench, request: Request, name: str = "", *notes: str) -> Report:
    """The report on the first heuristic that does not give up; by another backend than the one asked for if named."""
    name, said = name or request.backend, list(notes)
    return report_on(bench, request, name, *_in_turn(bench, request, name, said), said)


def report_on(bench: Workbench, request: Request, name: str, found: Searched, bound: int, notes: list[str]) -> Report:
    """On what a search has come to, with the best bound of all, after these notes."""
    backend, result = BACKENDS[name], found.result
    unused = [f"{name} uses no heuristic"] * bool(request.heuristics and not backend.informed)
    unused += [f"{name} does not use --{each.replace('_', '-')}" for each in request.options
               if each not in backend.options]  # fmt: skip
    proven = ("search",) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    heuristic = found.heuristic if backend.informed else None
    return judged(bench, request, Answer(
        result.outcome, name, heuristic, proven, bench.scale.leading(bound), (*notes, *unused, *found.remarks),
        {**figures_of(result.statistics), **found.figures}, result.operators, result.cost,
        result.contradiction))  # fmt: skip


def _in_turn(bench: Workbench, request: Request, name: str, notes: list[str]) -> tuple[Searched, int]:
    """What the last heuristic that was tried has come to, and the best bound of all."""
    chosen = request.heuristics if BACKENDS[name].informed else ()
    bound = 0
    for number, heuristic in enumerate(chosen or (None,)):
        with bench.within(bench.deadline.share(1 / (max(1, len(chosen)) - number))):
            found = search(bench, request, name, heuristic)
        bound = max(bound, found.result.lower_bound)
        last = not chosen or heuristic == chosen[-1]
        if last or found.result.operators is not None or found.result.outcome not in _GIVEN_UP:
            break
        notes.append(f"{found.heuristic}: gave up ({found.result.outcome})")
    return found, bound


def search(bench: Workbench, request: Request, name: str, heuristic: str | None) -> Searched:
    """As `_searched`; also where a limit or Ctrl-C comes before the search. ConfigurationError: not in that folder."""
    try:
        with on_disk():
            return _searched(bench, request, name, heuristic)
    except (LimitReached, KeyboardInterrupt) as reason:
        return Searched(SearchResult(outcome_of(reason), None, None, 0, Statistics()), heuristic, [])


@contextmanager
def on_disk() -> Iterator[None]:
    """What is wrong with layers is told as of what was given: ConfigurationError of a folder, PuzzleError of files."""
    from search.algorithms.layered import Damaged, Unusable

    try:
        yield
    except Unusable as reason:
        raise ConfigurationError(reason.option, str(reason)) from None
    except Damaged as reason:
        raise PuzzleError(Diagnostic(str(reason), None, BEGIN_ANEW)) from None


def _searched(bench: Workbench, request: Request, name: str, heuristic: str | None) -> Searched:
    from search.algorithms.layered import not_consistent
    from search.registry import ALGORITHMS

    algorithm = ALGORITHMS[name]
    declared = None
    if algorithm.informed:
        declared = bench.declared(heuristic) if heuristic else default_heuristic(bench, algorithm.optimal)
    tables = bench.derived(request) if algorithm.informed and derives(bench.puzzle, heuristic or "") else NO_TABLES
    alone = name == BUCKETS and tables.found is not None  # files need a consistent estimate of states as they are
    symmetry = bench.usable_symmetry(declared, tables.found) if request.symmetry and not alone else None
    alive = request.invariants and bench.leaves_dead_out(symmetry)
    machine = bench.machine(symmetry, alive)
    used = _led_by(bench, machine, declared, algorithm.optimal)
    if tables.found is not None:
        used = with_derived(str(heuristic), machine, tables.found, used, symmetry is not None)
        bench.proofs.told[f"heuristic {DERIVED}"] = PROVEN
        if request.search is None and used.evaluate(machine.initial) >= used.lost:
            lost = SearchResult(Outcome.UNSOLVABLE, None, None, 0, Statistics())
            return Searched(lost, used.name, [*tables.remarks, LOST], tables.figures)
    if name == BUCKETS and not (used.consistent or bench.proofs.solved):
        raise Unsupported(not_consistent(used.name))
    over = name == request.backend == ASTAR and used.consistent and request.search is None
    result = _result(bench, request, name, machine, used, SHARE if over else 1)
    if over and _memory_ended(bench, request, result) and _may_go_over():
        return _over_files(bench, request, heuristic, result)
    remarks = symmetry_notes(bench, symmetry, machine, used.name) if request.symmetry else []
    remarks += [EACH_AS_IT_STANDS] * (symmetry is not None and tables.found is not None)
    if alive:
        remarks.append(DEAD_LEFT_OUT)
    if name == "bfs" and WRITTEN in result.statistics.extra:
        remarks.append(GONE_OVER)
    first = max(0, used.evaluate(machine.initial))
    return Searched(result, used.name, [*tables.remarks, *remarks], tables.figures, first)


def _result(bench: Workbench, request: Request, name: str, machine: Machine, used: Heuristic, share: float
            ) -> SearchResult:  # fmt: skip
    """With a share of the memory that is left; operators spelt out."""
    from search.registry import search_with

    limits = replace(request.limits, time=bench.deadline.left)
    limits = limits if share == 1 else limits.sharing(share)
    options = {**request.options, "seed": request.seed}
    result = (request.search or search_with)(name, machine, used, limits, options, progress_of(bench, request, name))
    if result.operators is None:
        return result
    return replace(result, operators=machine.spelt(cast("tuple[int, ...]", result.operators)))


def _memory_ended(bench: Workbench, request: Request, result: SearchResult) -> bool:
    """Nothing else has: with a plan in hand, the outcome does not say what it was."""
    if result.outcome is not Outcome.UNPROVEN:
        return result.outcome is Outcome.MEMORY_LIMIT
    nodes = request.limits.nodes
    return bench.deadline.left != 0 and (nodes is None or result.statistics.expanded < nodes)


def _may_go_over() -> bool:
    from search.layers.searching import may_write

    return may_write()


def _over_files(bench: Workbench, request: Request, heuristic: str | None, before: SearchResult) -> Searched:
    """What A* over files comes to, with half of the free disk; the plan in hand, and the bound, that there were before
    count as well. The estimate is consistent, so both bounds are proven."""
    from search.layers.searching import half_the_disk

    options = {"disk_limit": half_the_disk(), **request.options}
    with on_disk():
        found = _searched(bench, replace(request, options=options), BUCKETS, heuristic)
    bound = max(found.result.lower_bound, before.lower_bound)
    result = replace(found.result, lower_bound=bound)
    if result.operators is None and before.operators is not None:
        assert result.outcome is not Outcome.UNSOLVABLE, "a plan was found, and files have none"
        outcome = Outcome.OPTIMAL if before.cost == bound else Outcome.UNPROVEN
        result = replace(before, lower_bound=bound, statistics=result.statistics, outcome=outcome)
    return found._replace(result=result, remarks=[*found.remarks, *[TO_FILES] * (WRITTEN in result.statistics.extra)])


def _led_by(bench: Workbench, machine: Machine, declared: Declared | None, optimal: bool) -> Heuristic:
    """The heuristic in machine code, with what is proven of it."""
    from search.space import BLIND

    return BLIND if declared is None else compiled(machine, declared, bench.proofs.proven(declared, ask=optimal))


def compiled(machine: Machine, declared: Declared, proven: bool) -> Heuristic:
    """In machine code; `proven`: it is consistent."""
    from search.space import Estimated, Heuristic

    return Heuristic(declared.name, machine.evaluate(declared.term, 0), proven, proven,
                     machine.estimate(declared.term), parts=Estimated(declared.term))  # fmt: skip


def progress_of(bench: Workbench, request: Request, name: str) -> Progress:
    def tell(statistics: Statistics, bound: int) -> None:
        least = bench.scale.leading(bound)
        if request.watch is not None:
            request.watch(statistics.expanded, least)
        if request.progress is not None:
            doing = statistics.doing or f"{statistics.expanded:,} expanded"
            request.progress(f"{name}: {doing}, every plan costs at least {least}")

    return tell


def default_heuristic(bench: Workbench, optimal: bool) -> Declared | None:
    """The first proven heuristic; a search that promises nothing is also served by an unproven one."""
    found = bench.first_proven()
    if found is None and bench.task.heuristics and not optimal:
        return bench.task.heuristics[0]
    return found


def symmetry_notes(bench: Workbench, used: Symmetry | None, machine: Machine, heuristic: str) -> list[str]:
    """What became of the declared symmetry; `check --prove` tells more."""
    from search.proofs.symmetry import uses

    found = bench.symmetry
    if found is None:
        return []
    if not found.types:
        return list(found.notes)
    if used is None:
        return [f"symmetry is not used: {heuristic} may tell its states apart"]
    return uses(machine.steps, machine.unused)


def figures_of(statistics: Statistics) -> dict[str, object]:
    counted = dict(statistics.__dict__)
    return {**{k: v for k, v in counted.items() if k not in ("extra", "doing")}, **statistics.extra}
