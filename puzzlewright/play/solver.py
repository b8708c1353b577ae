"""Solver mode: one search with its plan in pictures and its figures, or the same search recorded."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import replace

from models.frozen import frozen
from models.interpreter import State
from models.outcomes import Limits
from puzzlewright.play.bench import MEMORY, Benches
from puzzlewright.play.board import from_one
from puzzlewright.play.game import Game, drawn
from puzzlewright.report import Report, explained_by
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

MOST_FRAMES = 400
Told = dict[str, object]


@frozen(eq=True)
class SearchAsked:
    """Which search, and what it may use."""

    backend: str
    heuristics: tuple[str, ...]
    seconds: float
    nodes: int | None
    seed: int = 0

    def request(self) -> Request:
        return Request(self.backend, self.heuristics, limits=Limits(self.seconds, self.nodes, MEMORY), seed=self.seed)


def run(game: Game, benches: Benches, state: State, asked: SearchAsked) -> Told:
    """What `solve` answers from that state, with a picture after every step."""
    bench = benches.at(state)
    report = explained_by(solve(bench.puzzle, asked.request(), bench))
    return {**_figures(game, report), **_film(game, report)}


def record(benches: Benches, state: State, asked: SearchAsked) -> Told:
    """The events of the search, and its layers; no invariant answers before it.

    As the `board` of a node stand the values of its state, in the order of the variables: a page asks for the pictures
    of those that are looked at, as drawing all of them would take longer than the search.
    """
    from puzzlewright.analysis.tracing import Traced, trace

    bench, plain = benches.at(state), benches.game.plain
    events: list[Told] = []
    report = trace(bench.puzzle, asked.request(), events.append, lambda made: list(plain(made).values()), bench,
                   write=from_one)  # fmt: skip
    traced = report.payload(Traced)
    if traced is None:
        return {"outcome": str(report.outcome), "says": report.notes[0], "events": [], "layers": []}
    figures = _figures(benches.game, explained_by(replace(report, command="solve")))
    return {**figures, "events": events, **traced.as_json()}


def _figures(game: Game, report: Report) -> Told:
    from puzzlewright.printing.reports import headline, print_report

    lines = io.StringIO()
    with redirect_stdout(lines):
        print_report(report)
    return {
        "outcome": str(report.outcome),
        "says": headline(report),
        "backend": report.backend,
        "heuristic": report.heuristic,
        "proven_by": list(report.proven_by),
        "metric": report.metric,
        "cost": report.cost,
        "length": None if report.plan is None else len(report.plan),
        "lower_bound": report.lower_bound,
        "plan": None if report.solution is None else game.plan(report.solution, report.metric),
        "statistics": {name: figure for name, figure in report.statistics.items() if name != "solves"},
        "notes": list(report.notes),
        "report": lines.getvalue().splitlines(),
    }


def _film(game: Game, report: Report) -> Told:
    """A picture of each state, the first ones of a long plan."""
    scenes = [game.seen(state) for state in report.walked[: MOST_FRAMES + 1]]
    frames = [drawn(now, before) for now, before in zip(scenes, [None, *scenes], strict=False)]
    return {"frames": frames, "captions": [each.caption for each in scenes],
            "complete": len(frames) == len(report.walked)}  # fmt: skip
