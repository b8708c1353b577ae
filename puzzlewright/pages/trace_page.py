"""A recorded search as one page that needs nothing else: a tree that grows along the order of events, and its layers.

The data stand in the page as JSON. Whatever comes from the puzzle reaches the page as text or inside a picture, never
as markup, and the page's own policy forbids every request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from models.interpreter import State as Lifted
from models.puzzle import Puzzle
from puzzlewright.analysis.tracing import Told, Traced, trace
from puzzlewright.files.library import saved
from puzzlewright.pages.assembling import asset, digest, filled, island, styles
from puzzlewright.pages.bundling import bundle
from puzzlewright.pictures import svg, text
from puzzlewright.pictures.board_svg import words
from puzzlewright.pictures.scene import scene
from puzzlewright.printing.reports import headline
from puzzlewright.report import Report
from puzzlewright.solving.request import Request

MOST_DRAWN = 6000  # nodes; of more only the layers are shown
NODE = ("parent", "depth", "g", "h", "f", "same_as", "cut", "backward", "board")  # of a node's row in the page


class Recorder:
    """Keeps what the page draws, as long as it is not too much."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.about: Told = {}
        self.made = 0  # nodes
        self.nodes: list[list[Any]] = []
        self.events: list[list[Any]] = []  # kind, number of the node or the bound
        self.path: list[int] = []
        self._boards: dict[tuple[svg.Drawing, tuple[str, ...]], int] = {}
        self._elements: dict[str, int] = {}

    @property
    def drawn(self) -> bool:
        return self.made <= MOST_DRAWN

    def draw(self, state: Lifted) -> int | None:
        """The number of the state's board."""
        if not self.drawn:
            return None
        now = scene(self.puzzle, state)
        return self._boards.setdefault((svg.draw(now), tuple(text.draw(now))), len(self._boards))

    def tell(self, told: Told) -> None:
        kind = told["event"]
        if kind == "search":
            self.about = told
            return
        self.made += kind in ("start", "generate")
        if not self.drawn:
            self.nodes, self.events, self.path = [], [], []
            self._boards.clear()
            return
        if kind in ("start", "generate"):
            step = told["step"] or {}
            self.nodes.append([*(told.get(key) for key in NODE), step.get("label"), step.get("cost")])
        if kind != "prune":
            self.events.append([kind, told.get("node", told.get("bound"))])
        self.path = told.get("path", self.path)

    def data(self) -> dict[str, Any]:
        """What the page's script reads. Boards have most elements in common, so each element stands there once."""
        boards = [[drawing.box, [self._number(element) for element in drawing.elements], "\n".join(lines)]
                  for drawing, lines in self._boards]  # fmt: skip
        told = {"f": self.about["f"], "informed": self.about["heuristic"] is not None,
                "metric": self.about["metric"].split(",")}  # fmt: skip
        return {**told, "nodes": self.nodes, "events": self.events, "path": self.path, "boards": boards,
                "elements": list(self._elements)}  # fmt: skip

    def _number(self, element: str) -> int:
        return self._elements.setdefault(element, len(self._elements))


def trace_to_page(puzzle: Puzzle, request: Request, path: Path, finish: Callable[[Report], Report]) -> Report:
    """The trace as a page, whatever ends the search; `finish` is what becomes of the report."""
    recorder = Recorder(puzzle)
    report = finish(trace(puzzle, request, recorder.tell, recorder.draw))
    notes = saved(path, page(puzzle, report, recorder)) or (f"the trace is in {path}",)
    if not recorder.drawn:
        notes = (*notes, too_large(recorder))
    return report.noting(*notes)


def too_large(recorder: Recorder) -> str:
    return f"{recorder.made:,} nodes are more than {MOST_DRAWN:,}: the page has their layers, not the tree"


def page(puzzle: Puzzle, report: Report, recorder: Recorder) -> str:
    """The whole page."""
    about, shown = recorder.about, recorder.drawn and bool(recorder.nodes)
    algorithm = " ".join(filter(None, (about.get("backend", report.backend), about.get("heuristic"))))
    facts = [f"{report.outcome}: {headline(report)}", *_counts(report)]
    facts += [] if recorder.drawn else [too_large(recorder)]
    script = bundle("trace_page", ("puzzlewright.pages", "puzzlewright.play")) if shown else ""
    parts = {
        "TITLE": words(f"{algorithm} on {puzzle.heading}"),
        "SUBTITLE": words(puzzle.heading + (f": {puzzle.about}" if puzzle.about else "")),
        "FACTS": "".join(f"<li>{words(fact)}</li>" for fact in facts),
        "LAYERS": "".join(_layers(report.payload(Traced))),
        "HIDDEN": "" if shown else "hidden",
        "STYLE": styles("look", "search") + asset("puzzlewright.pages", "trace_page.css"),
        "POLICY": digest(script),
        "SCRIPT": script,
        "DATA": island(recorder.data() if shown else {}),
    }
    return filled(asset("puzzlewright.pages", "trace_page.html"), parts)


def _counts(report: Report) -> Iterator[str]:
    names = ("expanded", "generated", "reopened", "max_frontier", "max_depth")
    found = {name: report.statistics.get(name) for name in names}
    if any(found.values()):
        yield ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in found.items() if value)


def _layers(traced: Traced | None) -> Iterator[str]:
    """A table for each direction, with a bar for what was generated."""
    if traced is None:
        return
    side_of = ("forwards" if traced.backward_layers is not None else "", "backwards")
    for side, rows in zip(side_of, (traced.layers or [], traced.backward_layers or []), strict=True):
        if rows:
            most = max(max(row[1] for row in rows), 1)
            yield f"<table><caption>Nodes by depth{', ' * bool(side)}{side}</caption>"
            yield "<thead><tr><th>depth<th>generated<th>expanded<th>frontier<td></tr></thead><tbody>"
            for row in rows:
                cells = "".join(f"<td>{value:,}</td>" for value in row)
                yield f'<tr>{cells}<td class="bar"><div style="width:{row[1] / most:.1%}"></div></td></tr>'
            yield "</tbody></table>"
