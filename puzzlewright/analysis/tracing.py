"""A recorded search: every node that it makes, expands or reopens, as an event in the puzzle's own words.

`search.recording` watches the search; here its events become dictionaries, one JSON line each, told as they happen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from models.decoding import state_of, step_of
from models.frozen import frozen
from models.interpreter import State as Lifted
from models.metrics import apart
from models.outcomes import Limits, Outcome, SearchResult
from models.plan import step_json
from models.puzzle import Puzzle
from models.referee import Write, as_printed, label, start_state
from puzzlewright.analysis.exploring import plain_state
from puzzlewright.report import SCHEMA_VERSION, About, Payload, Report, as_json
from puzzlewright.solving.backends import BACKENDS
from puzzlewright.solving.request import Request, Search
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine
    from search.recording import Event, RecordedNode
    from search.space import Heuristic, Progress

Told = dict[str, Any]  # an event as JSON holds it
Tell = Callable[[Told], None]
Draw = Callable[[Lifted], Any]

NODES = 2000  # states expanded, by default
SUFFIXES = (".jsonl", ".html")


def obstacle(backend: str) -> str:
    """Why a backend has no trace; empty where it has one."""
    why = BACKENDS[backend].untraced
    return why and f"{backend} has no trace: {why}"


def trace(puzzle: Puzzle, request: Request, tell: Tell, draw: Draw | None = None, bench: Workbench | None = None,
          led: Callable[[Search], Search] = lambda search: search, write: Write = as_printed) -> Report:  # fmt: skip
    """Search as `solve` does, without kernels, telling each event as it happens; the report's `trace` has the layers.

    With `draw` every event that makes a node has the picture of its state as `board`. `led` may put another heuristic
    in place of the one that the search is given; `write` has values in labels.
    """
    if note := obstacle(request.backend):
        return Report("trace", Outcome.UNSUPPORTED, About.of(puzzle, backend=request.backend), notes=(note,))
    tracer = Tracer(puzzle, tell, draw, write)
    report = solve(puzzle, replace(request, invariants=False, search=led(tracer.search)), bench)
    return replace(report, command="trace").having(tracer.layers.traced())


class Tracer:
    """Runs a search and words its events."""

    def __init__(self, puzzle: Puzzle, tell: Tell, draw: Draw | None = None, write: Write = as_printed) -> None:
        self.puzzle, self.tell, self.draw, self.write = puzzle, tell, draw, write
        self.drawn: dict[Any, Any] = {}  # the pictures of states
        self.layers = Layers()
        self.order = 0
        self.bound: int | None = None

    def search(self, name: str, machine: Machine, heuristic: Heuristic, limits: Limits, options: Mapping[str, object],
               progress: Progress) -> SearchResult:  # fmt: skip
        """In place of `search.registry.search_with`."""
        from search.recording import record
        from search.registry import ALGORITHMS

        algorithm = ALGORITHMS[name]
        self.machine, self.informed, self.by_depth = machine, algorithm.informed, algorithm.f == "depth"
        self.weights = algorithm.weights(algorithm.settings(options))
        self.tell({
            "event": "search",
            "schema_version": SCHEMA_VERSION,
            "puzzle": self.puzzle.name,
            "level": self.puzzle.level,
            "backend": name,
            "heuristic": heuristic.name if self.informed else None,
            "metric": machine.task.metric,
            "f": self._formula(),
            "canonical": bool(machine.steps),
        })  # fmt: skip
        return record(name, cast(Any, machine), heuristic, limits, options, self.observe, progress)

    def _formula(self) -> str | None:
        """f in words."""
        if self.by_depth:
            return "depth"
        if self.weights is None:
            return None
        terms = zip(self.weights, "gh", strict=True)
        return " + ".join(name if factor == 1 else f"{factor} * {name}" for factor, name in terms if factor)

    # -- events --------------------------------------------------------------------------------------------------------

    def observe(self, event: Event) -> None:
        node = event.node
        told: Told = {"event": event.kind, "order": self.order}
        self.order += 1
        if event.kind == "iteration":
            self.bound = event.bound
            told["bound"] = event.bound if self.by_depth else self._priced(event.bound)
        if node is not None:
            told |= {"node": None if event.kind == "prune" else node.number, **self._figures(node)}
        if node is not None and event.kind in ("start", "generate", "prune"):
            told |= self._made(node)
        if event.path:
            told["path"] = [each.number for each in event.path]
        self.layers.count(event)
        self.tell(told)

    def _figures(self, node: RecordedNode) -> Told:
        return {"depth": node.depth, "g": self._priced(node.g), "h": self._priced(node.h) if self.informed else None,
                "f": node.depth if self.by_depth else self._priced_f(node)}  # fmt: skip

    def _f(self, node: RecordedNode) -> int | Fraction | None:
        return None if self.weights is None else self.weights[0] * node.g + self.weights[1] * node.h

    def _priced(self, number: int | None) -> Any:
        """A number; with several metrics a list of numbers, in the order of the metrics."""
        return None if number is None else _figures(apart(self.machine.task.weights, number))

    def _priced_f(self, node: RecordedNode) -> Any:
        """In each metric by itself, since what an estimate is weighed with may make it larger than a digit."""
        if self.weights is None:
            return None
        of_g, of_h = (apart(self.machine.task.weights, number) for number in (node.g, node.h))
        return _figures([self.weights[0] * g + self.weights[1] * h for g, h in zip(of_g, of_h, strict=True)])

    def _made(self, node: RecordedNode) -> Told:
        """How the node came to be. Backwards its step leads from it to its parent."""
        told: Told = {"parent": None, "step": None, "same_as": node.same_as}
        if node.parent is not None:
            told |= {"parent": node.parent.number, "step": self._step(node)}
        if node.backward:
            told["backward"] = True
        if self._cut(node):
            told["cut"] = True
        if node.parent is None:
            told["state"] = plain_state(self.puzzle, self._lifted(node))
        if self.draw is not None:
            if node.state not in self.drawn:
                self.drawn[node.state] = self.draw(self._lifted(node))
            told["board"] = self.drawn[node.state]
        return told

    def _cut(self, node: RecordedNode) -> bool:
        """Is its f beyond the bound of the iteration?"""
        f = node.depth if self.by_depth else self._f(node)
        return self.bound is not None and f is not None and f > self.bound

    def _step(self, node: RecordedNode) -> Told:
        before = node if node.backward else node.parent
        assert before is not None and node.operator is not None
        step = step_of(self.machine.task, self.machine.operator(node.operator))
        words = label(self.puzzle, self._lifted(before), step, self.write)
        return {**step_json(step, self.puzzle.words), "label": words, "cost": self._priced(node.cost)}

    def _lifted(self, node: RecordedNode) -> Lifted:
        """The node's state in the puzzle's own values; what plays no part is as at the start."""
        numbers = self.machine.layout.unpack(node.state)
        return {**start_state(self.puzzle), **state_of(self.puzzle, self.machine.task, numbers)}


def _figures(costs: Sequence[int | Fraction]) -> Any:
    figures = [_plain(cost) for cost in costs]
    return figures if len(figures) > 1 else figures[0]


def _plain(figure: int | Fraction) -> int | float:
    return int(figure) if figure.denominator == 1 else float(figure)


Rows = list[list[int]]  # of depth, generated, expanded, frontier


@frozen(eq=True)
class Traced(Payload):
    """The layers of a recorded search, and what else belongs into its object."""

    layers: Rows | None = None  # None: nothing was recorded
    backward_layers: Rows | None = None  # of a search backwards
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        backward = {} if self.backward_layers is None else {"backward_layers": self.backward_layers}
        layers = {} if self.layers is None else {"layers": self.layers}
        return {**self.more, **layers, **backward}


class Layers:
    """For each depth: nodes generated, expansions, and states that were met there and never expanded, the frontier."""

    def __init__(self) -> None:
        self.generated: dict[tuple[bool, int], int] = {}
        self.expanded: dict[tuple[bool, int], int] = {}
        self.open: dict[int, tuple[bool, int]] = {}  # the first node of a state -> where it lies

    def count(self, event: Event) -> None:
        node = event.node
        if event.kind == "iteration":
            self.open.clear()
        if node is None or event.kind not in ("start", "generate", "expand"):
            return
        place = (node.backward, node.depth)
        counted = self.expanded if event.kind == "expand" else self.generated
        counted[place] = counted.get(place, 0) + (event.kind != "start")
        if event.kind == "expand":
            self.open.pop(node.number if node.same_as is None else node.same_as, None)
        elif node.same_as is None:
            self.open[node.number] = place

    def traced(self) -> Traced:
        """All layers."""
        backward = self._rows(True) if any(side for side, _ in self.generated) else None
        return Traced(self._rows(False), backward)

    def _rows(self, backward: bool) -> list[list[int]]:
        waiting = list(self.open.values())
        depths = sorted(depth for side, depth in self.generated if side is backward)
        places = ((backward, depth) for depth in depths)
        return [
            [place[1], self.generated[place], self.expanded.get(place, 0), waiting.count(place)] for place in places
        ]


# -- streams -----------------------------------------------------------------------------------------------------------


class Lines:
    """A stream of JSON lines. A disk that is full ends the writing, not the search; `failure` says why."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.failure = stream, ""

    def __call__(self, told: Mapping[str, Any]) -> None:
        self._try(lambda: self.stream.write(json.dumps(told) + "\n"))

    def close(self) -> None:
        self._try(self.stream.close)

    def _try(self, work: Callable[[], object]) -> None:
        if self.failure:
            return
        try:
            work()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.failure = error.strerror or str(error)


def last_line(report: Report) -> Told:
    """The end of a stream: the object of `--json`."""
    return {"event": "end", **as_json(report)}


def trace_to_file(puzzle: Puzzle, request: Request, path: Path, finish: Callable[[Report], Report]) -> Report:
    """The trace as JSON lines in a file, complete whatever ends the search; `finish` is what becomes of the report."""
    lines = Lines(path.open("w", encoding="utf-8"))
    try:
        report = finish(trace(puzzle, request, lines))
        lines(last_line(report))
    finally:
        lines.close()
    note = f"{path} could not be written: {lines.failure}" if lines.failure else f"the trace is in {path}"
    return report.noting(note)
