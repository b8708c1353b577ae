"""`solve` and `prove` for programs: with Python functions as heuristics, events while they work, a way to stop them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, ParamSpec, TypeVar

from models.outcomes import Limits
from models.puzzle import Puzzle
from puzzlewright.configuration import ConfigurationError, check_choice, checked
from puzzlewright.python.estimating import Estimate, name_of, solve_led, value_of
from puzzlewright.python.loading import LoadedPuzzle
from puzzlewright.python.notebooks import SeenReport, seen
from puzzlewright.python.state import State
from puzzlewright.report import Report
from puzzlewright.solving.backends import CPSAT
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve as run
from search.registry import options_of

if TYPE_CHECKING:
    from puzzlewright.certificates.certifying import CertificateWanted

P = ParamSpec("P")
T = TypeVar("T")
LIMITS = {"time_limit": "time", "node_limit": "nodes", "memory_limit": "memory_mb", "max_horizon": "max_horizon"}
FIELDS = ("heuristics", "metrics", "limits", "invariants", "options")  # of a request, by their own names
INNER = ("progress", "milestone", "watch", "better", "load_seconds", "search")  # taken as well, and not advertised


class Event(NamedTuple):
    """How far the work has come: a better lower `bound` on the cost, a `plan` with its cost, or just `progress`.

    Bound and cost are in the first metric; `expanded` is of the search at work, which begins anew when it grows large.
    """

    kind: Literal["bound", "plan", "progress"]
    lower_bound: int
    cost: int | None
    expanded: int


Listener = Callable[[Event], None]


class Guarded(Generic[P, T]):
    """A caller's function: what it raises ends the work as Ctrl-C does, and is raised again where the work is over."""

    def __init__(self, function: Callable[P, T], name: str = "") -> None:
        self.function, self.failures = function, list[Exception]()
        self.__name__ = name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return self.function(*args, **kwargs)
        except Exception as failure:
            self.failures.append(failure)
            raise KeyboardInterrupt from None

    def reraise(self, report: Report) -> None:
        """The exception itself; what is known all the same is its `report`."""
        for failure in self.failures[:1]:
            with suppress(AttributeError, TypeError):
                failure.report = report  # type: ignore[attr-defined]
            raise failure


def guarded(function: Estimate) -> Guarded[[State], int]:
    """A heuristic that is asked in a search."""
    return Guarded(partial(value_of, function), name_of(function))


class Watcher:
    """Makes events of what the work tells."""

    def __init__(self, listener: Callable[[Event], None]) -> None:
        self.listener, self.bound = listener, 0
        self.cost: int | None = None  # of the last plan

    def watch(self, expanded: int, bound: int) -> None:
        better = bound > self.bound
        self.bound = max(bound, self.bound)
        self.listener(Event("bound" if better else "progress", self.bound, None, expanded))

    def better(self, cost: int, bound: int, expanded: int) -> None:
        self.bound, self.cost = max(bound, self.bound), cost
        self.listener(Event("plan", self.bound, cost, expanded))

    def end(self, report: Report) -> None:
        expanded = report.expanded or 0
        if (report.lower_bound or 0) > self.bound:
            self.watch(expanded, report.lower_bound or 0)
        if report.cost is not None and report.cost != self.cost:
            self.listener(Event("plan", self.bound, report.cost, expanded))


def solve(
    puzzle: Puzzle,
    backend: str = "auto",
    *,
    heuristic: str | Estimate | None = None,
    metric: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    symmetry: bool = True,
    seed: int = 0,
    on_event: Listener | None = None,
    stop: Flag | None = None,
    **more: object,
) -> SeenReport:
    """Run one backend; a limit, Ctrl-C or `stop` ends it with what is known. ConfigurationError where it is none.

    `heuristic` is a declared one, several in turn ("a,b"), or a function from a State to a whole number, which is never
    believed. More words: `memory_limit` (MB, of this run), `max_horizon`, the options of the algorithms (`weight`,
    `width`, ...), and the fields of `puzzlewright.solving.Request`. What `heuristic` or `on_event` raise comes through;
    its attribute `report` holds what is known.
    """
    asked = {"time_limit": time_limit, "node_limit": node_limit, "on_event": on_event, **more}
    request = _request(backend, heuristic, metric, symmetry, seed, stop, asked)
    function = guarded(heuristic) if callable(heuristic) else None
    listener = None if on_event is None else Guarded(on_event)

    def work(asked: Request) -> Report:
        return run(puzzle, asked) if function is None else solve_led(puzzle, asked, function)

    report = _watched(work, request, listener)
    if function is not None:
        function.reraise(seen(puzzle, report))
    if listener is not None:
        listener.reraise(seen(puzzle, report))
    return seen(puzzle, report)


def prove(
    puzzle: Puzzle,
    *,
    certificate: str | PathLike[str] | None = None,
    certificate_kind: str = "",
    count: bool = False,
    backend: str = "auto",
    heuristic: str | None = None,
    metric: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    symmetry: bool = True,
    seed: int = 0,
    on_event: Listener | None = None,
    stop: Flag | None = None,
    **more: object,
) -> SeenReport:
    """Search and CP-SAT together; with `certificate`, the folder for a proof that `verify` checks again."""
    from puzzlewright.solving.proving import prove as cross_check

    if callable(heuristic):
        raise ConfigurationError("heuristic", "a proof rests on no Python function: name a declared heuristic")
    if backend == CPSAT:
        raise ConfigurationError("backend", "cpsat proves what a search finds: name a search")
    asked = {"time_limit": time_limit, "node_limit": node_limit, "on_event": on_event, **more}
    request = _request(backend, heuristic, metric, symmetry, seed, stop, asked)
    wanted = _certificate(puzzle, certificate, certificate_kind, request)
    listener = None if on_event is None else Guarded(on_event)
    report = _watched(lambda asked: cross_check(puzzle, asked, count, wanted), request, listener)
    if (stop is not None and stop.is_set()) or (listener is not None and listener.failures):
        report = replace(report, notes=tuple(note.replace("stopped by Ctrl-C", "stopped") for note in report.notes))
    if listener is not None:
        listener.reraise(seen(puzzle, report))
    return seen(puzzle, report)


def verify(folder: str | PathLike[str], *, time_limit: float | None = None) -> Report:
    """Check a certificate again, from nothing but its own files."""
    from puzzlewright.certificates.verifying_bundles import verify_bundle

    puzzle, report = verify_bundle(Path(folder), time_limit)
    return report if puzzle is None else seen(puzzle, report)


def _watched(work: Callable[[Request], Report], request: Request, listener: Guarded[[Event], None] | None) -> Report:
    """The work, told of as it goes on and at its end."""
    if listener is None:
        return work(request)
    watcher = Watcher(listener)
    report = work(replace(request, watch=watcher.watch, better=watcher.better))
    if not listener.failures:
        with suppress(KeyboardInterrupt):  # a failure, which is kept
            watcher.end(report)
    return report


# -- words to a request ------------------------------------------------------------------------------------------------


def _request(backend: str, heuristic: object, metric: str | None, symmetry: bool, seed: int, stop: Flag | None,
             asked: dict[str, object]) -> Request:  # fmt: skip
    """The request that keyword arguments stand for."""
    _check_kinds(heuristic, stop, asked.pop("on_event"))
    _check_words(asked, {"heuristics": heuristic, "metrics": metric})
    made = {name: asked[name] for name in (*FIELDS, *INNER) if name in asked}
    if isinstance(heuristic, str):
        made["heuristics"] = heuristic
    if metric is not None:
        made["metrics"] = metric
    made["options"] = _options(asked)
    made["limits"] = _limits(asked, stop)
    return Request(backend, symmetry=symmetry, seed=seed, **made)  # type: ignore[arg-type]


def _check_kinds(heuristic: object, stop: Flag | None, listener: object) -> None:
    if heuristic is not None and not isinstance(heuristic, str) and not callable(heuristic):
        raise ConfigurationError("heuristic", f"{heuristic!r} is neither a name nor a function")
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise ConfigurationError("stop", f"{stop!r} is no threading.Event")
    if listener is not None and not callable(listener):
        raise ConfigurationError("on_event", f"{listener!r} is no function")


def _check_words(asked: dict[str, object], single: dict[str, object]) -> None:
    """Is there all that is asked for, and nothing asked twice?"""
    for name in asked.keys() - INNER:
        check_choice("option", name, (*options_of(), *LIMITS, *FIELDS))
    for name, other in single.items():
        if name in asked and other is not None:
            raise ConfigurationError(name, f"{name.removesuffix('s')} is given as well")


def _options(asked: dict[str, object]) -> dict[str, object]:
    whole = asked.get("options") or {}
    if not isinstance(whole, dict):
        raise ConfigurationError("options", f"{whole!r} is no dictionary")
    return whole | {name: asked[name] for name in options_of() if asked.get(name) is not None}


def _limits(asked: dict[str, object], stop: Flag | None) -> Limits:
    """Of this run: memory that the process has taken before does not count."""
    limits = asked.get("limits", Limits())
    if not isinstance(limits, Limits):
        raise ConfigurationError("limits", f"{limits!r} is no Limits")
    given = {LIMITS[name]: asked[name] for name in LIMITS if asked.get(name) is not None}
    limits = checked(replace(limits, **given))  # type: ignore[arg-type]
    if limits.memory_mb is not None and limits.memory_before is None:
        from search.space import resident_memory_mb

        limits = replace(limits, memory_before=resident_memory_mb())
    return limits if stop is None else replace(limits, stop=stop.is_set)


def _certificate(puzzle: Puzzle, folder: str | PathLike[str] | None, kind: str,
                 request: Request) -> CertificateWanted | None:  # fmt: skip
    if folder is None:
        return None
    from puzzlewright.certificates.bundle import KINDS
    from puzzlewright.certificates.certifying import CertificateWanted, obstacle

    if kind:
        check_choice("certificate_kind", kind, KINDS)
    if not isinstance(puzzle, LoadedPuzzle) or puzzle.origin is None:
        why = "it holds a level as it is written in one puzzle file: load the puzzle without level_file and scramble"
        raise ConfigurationError("certificate", why)
    if why := obstacle(Path(folder)):
        raise ConfigurationError("certificate", f"{folder} cannot be written: {why}")
    return CertificateWanted(Path(folder), puzzle.origin, kind, request.symmetry)
