"""The rows of `compare` as charts: a panel for each figure, and panels of one figure over another.

Colours are those of Okabe and Ito ("Color Universal Design", 2008), which people of every colour vision tell apart;
series differ by their marks as well. A run that was stopped is drawn hollow: the figure is what it had spent by then.
What such a run does not have, a length or a cost, is a word or a mark beside the axis, never a nought.
"""

from __future__ import annotations

import io
import re
import statistics
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.analysis.comparing import ComparisonTable
from puzzlewright.printing.tables import cell, naming
from puzzlewright.report import Report

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c8c8c", "#f0e442")
MARKS = "osD^vPX<>"  # one more than colours, so that pairs of both repeat late
INK, SOFT, LINES = "#22252b", "#595e66", "#dbd7cc"  # as the pages' `look.css` has them
GROUND = "#ffffff"
WIDTH, LINE, FRAME = 6.8, 0.25, 0.75  # inches: of a panel; of a bar; of what stands round the bars
DPI = 120
MEDIAN: dict[str, Any] = {"markersize": 17, "markeredgewidth": 2.0}
COLUMNS = 6  # of a legend
MOST_LINES = 40  # with one line for each level and series; beyond, a line for each level
LOG_FROM = 25  # largest value over smallest from which an axis is logarithmic
LONGEST_NAME = 32
STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "axes.axisbelow": True,
    "axes.edgecolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "hatch.linewidth": 0.8,
    "svg.fonttype": "none",  # text stays text
}

Row = Mapping[str, Any]


@frozen(eq=True)
class Measure:
    """A figure of the rows: its key, and words for it with the unit."""

    key: str
    words: str
    without: str = "not known"  # in words, a run that does not have it


LENGTH = Measure("length", "nodes to the goal (steps of the plan)", "no plan")
COST = Measure("cost", "cost of the plan", "no plan")
EXPANDED = Measure("expanded", "nodes traversed (states expanded)")
GENERATED = Measure("generated", "nodes generated")
GENERATIONS = Measure("generations", "generations of the genetic search")
SECONDS = Measure("total_seconds", "time (seconds)")
MEMORY = Measure("peak_memory_mb", "peak memory (MB)")
MEASURES = (LENGTH, COST, EXPANDED, GENERATED, GENERATIONS, SECONDS, MEMORY)
PAIRS = ((EXPANDED, SECONDS), (GENERATED, MEMORY))


@frozen(eq=True)
class Panel:
    """A chart: its title, its height in inches, and what draws it into given axes that are perhaps higher."""

    title: str
    height: float
    draw: Callable[[Axes, float], None]


def title_of(report: Report) -> str:
    return f"{report.puzzle}, level {report.level}" if report.level else report.puzzle


# -- what is drawn -----------------------------------------------------------------------------------------------------


class Series:
    """The series of some rows: backend and heuristic, each with a colour and a mark."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.names = list(dict.fromkeys(map(series_of, rows)))
        self.some_stopped = any(map(stopped, rows))
        self.some_repeated = len(rows) > len({naming(row) for row in rows})

    def colour(self, name: str) -> str:
        return PALETTE[self.names.index(name) % len(PALETTE)]

    def mark(self, name: str, hollow: bool = False) -> dict[str, Any]:
        """How a point looks."""
        colour, mark = self.colour(name), MARKS[self.names.index(name) % len(MARKS)]
        look = {"marker": mark, "linestyle": "", "markersize": 6.5, "markerfacecolor": colour}
        if hollow:
            return {**look, "markerfacecolor": GROUND, "markeredgecolor": colour, "markeredgewidth": 1.5}
        return {**look, "markeredgecolor": INK, "markeredgewidth": 0.5, "alpha": 0.85}

    def handles(self) -> list[Artist]:
        """What a legend shows."""
        from matplotlib.lines import Line2D

        found: list[Artist] = [Line2D([], [], label=_words(name), **self.mark(name)) for name in self.names]
        if self.some_stopped:
            hollow = Line2D([], [], marker="o", linestyle="", markersize=6.5, label="stopped without an answer")
            hollow.set(markerfacecolor=GROUND, markeredgecolor=SOFT, markeredgewidth=1.5)
            found.append(hollow)
        if self.some_repeated:
            found.append(Line2D([], [], marker="|", linestyle="", color=INK, **MEDIAN, label="median of the answers"))
        return found


def series_of(row: Row) -> str:
    return " ".join(naming({**row, "level": ""}))


def stopped(row: Row) -> bool:
    """Did the run end without an answer, so that its figures are only what it had spent by then?"""
    return row["length"] is None and row["outcome"] != Outcome.UNSOLVABLE


def figure_panels(rows: Sequence[Row]) -> Iterator[Panel]:
    """Each figure that some row has, a cost only where it is not the length."""
    series = Series(rows)
    for measure in MEASURES:
        known = [row for row in rows if row[measure.key] is not None]
        if known and not (measure is COST and all(row["cost"] == row["length"] for row in rows)):
            yield _figure_panel(measure, known if measure is GENERATIONS else rows, series)


def pair_panels(rows: Sequence[Row]) -> Iterator[Panel]:
    """One figure over another, a point for each row that has both."""
    series = Series(rows)
    for pair in PAIRS:
        known = [row for row in rows if all(row[measure.key] is not None for measure in pair)]
        if len(known) > 1:
            yield _pair_panel(*pair, known, series)


def _figure_panel(measure: Measure, rows: Sequence[Row], series: Series) -> Panel:
    """Bars; points where a series has several values for a level, or where there are too many bars."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["level"], series_of(row)), []).append(row)
    few = len(groups) <= MOST_LINES
    bars = few and all(len(group) == 1 for group in groups.values())
    lines = _lines(list(groups), apart=few)

    height = FRAME + LINE * (1 + max(lines.values()))

    def draw(axes: Axes, given: float) -> None:
        _scale(axes.xaxis, [row[measure.key] for row in rows])
        for (level, name), group in groups.items():
            if bars:
                _draw_bar(axes, lines[level, name], group[0], measure, series.colour(name))
            else:
                _draw_points(axes, lines[level, name], group, measure, series, name)
        if not bars and any(row[measure.key] is None for row in rows):
            axes.text(1.03, 1.0, measure.without, transform=axes.transAxes, ha="center", va="bottom", color=SOFT)
        _name_lines(axes, lines)
        axes.set_ylim(max(lines.values()) + 0.7 + (given - height) / LINE, -0.7)
        axes.set_xlabel(measure.words)
        axes.grid(axis="x", color=LINES, linewidth=0.6)

    return Panel(measure.words, height, draw)


def _lines(groups: Sequence[tuple[str, str]], apart: bool) -> dict[tuple[str, str], float]:
    """How far down each level and series stands: a line of its own, with a gap between levels, or one a level."""
    lines: dict[tuple[str, str], float] = {}
    below = 0.0
    for level in dict.fromkeys(level for level, _ in groups):
        members = [group for group in groups if group[0] == level]
        for number, group in enumerate(members):
            lines[group] = below + (number if apart else 0)
        below += (len(members) + 0.7 * (len(members) > 1)) if apart else 1
    return lines


def _name_lines(axes: Axes, lines: Mapping[tuple[str, str], float]) -> None:
    """Ticks with the levels' names, or with those of the series where there is one level."""
    levels = list(dict.fromkeys(level for level, _ in lines))
    if len(levels) == 1:
        named = {name: [at] for (_, name), at in lines.items()}
    else:
        named = {level: [at for (other, _), at in lines.items() if other == level] for level in levels}
    axes.set_yticks([statistics.mean(places) for places in named.values()], [_words(name) for name in named])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _draw_bar(axes: Axes, at: float, row: Row, measure: Measure, colour: str) -> None:
    """A bar with its value; hatched where the run was stopped; a word where there is no value."""
    value = row[measure.key]
    beside: dict[str, Any] = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
    if value is None:
        axes.annotate(row["outcome"], (axes.get_xlim()[0], at), color=SOFT, style="italic", **beside)
        return
    look: dict[str, Any] = {"facecolor": GROUND, "hatch": "/////"} if stopped(row) else {"facecolor": colour}
    start = axes.get_xlim()[0]
    axes.barh(at, max(value, start) - start, left=start, height=0.78, edgecolor=colour, linewidth=1.0, **look)
    words = f"{_number(value)} ({row['outcome']})" if stopped(row) else _number(value)
    axes.annotate(words, (max(value, start), at), color=INK, **beside)


def _draw_points(axes: Axes, at: float, rows: Sequence[Row], measure: Measure, series: Series, name: str) -> None:
    """A point for each value, hollow where the run was stopped; their median; beside the axis those without a value."""
    for row in rows:
        if row[measure.key] is None:
            place: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "clip_on": False}
            axes.plot([1.03], [at], **place, **series.mark(name, hollow=True))
        else:
            least = axes.get_xlim()[0]
            axes.plot([max(least, row[measure.key])], [at], **series.mark(name, stopped(row)))
    values = [row[measure.key] for row in rows if not stopped(row) and row[measure.key] is not None]
    if len(values) > 1:
        axes.plot([statistics.median(values)], [at], marker="|", color=INK, **MEDIAN)


def _pair_panel(across: Measure, up: Measure, rows: Sequence[Row], series: Series) -> Panel:
    def draw(axes: Axes, given: float) -> None:
        _scale(axes.xaxis, [row[across.key] for row in rows], room=0.06)
        _scale(axes.yaxis, [row[up.key] for row in rows], room=0.06)
        for row in rows:
            name = series_of(row)
            axes.plot([row[across.key]], [row[up.key]], **series.mark(name, stopped(row)))
        axes.set_xlabel(across.words)
        axes.set_ylabel(up.words)
        axes.grid(color=LINES, linewidth=0.6)

    return Panel(f"{up.words} over {across.words}", 3.4, draw)


def _scale(axis: Any, values: Sequence[float | None], room: float = 0.3) -> None:
    """Limits round the values: from 0, or logarithmic where they lie far apart; `room` is for words, a share."""
    known = [value for value in values if value is not None]
    above = [value for value in known if value > 0]
    set_limits = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    if above and max(above) >= LOG_FROM * min(above):
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        low = min(above) / 1.6
        set_limits(low, max(above) * (max(above) / low) ** room)
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        axis.set_major_locator(LogLocator(numticks=5))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
        axis.set_minor_formatter(NullFormatter())
    else:
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        set_limits(0, (max(known, default=1) or 1) * (1 + room))
        axis.set_major_locator(MaxNLocator(6, integer=all(isinstance(value, int) for value in known)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))


def _number(value: float) -> str:
    """With commas, and three figures where there is a fraction."""
    if value == int(value) or value >= 100:
        return cell(round(value))
    return f"{value:.3g}"


def _words(name: str) -> str:
    """A name as it may stand in a chart: without control characters, not too long."""
    clean = re.sub(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", name)
    return clean if len(clean) <= LONGEST_NAME else clean[: LONGEST_NAME - 1] + "…"


# -- figures -----------------------------------------------------------------------------------------------------------


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib in our style; letters that its font does not have are no reason to complain."""
    import matplotlib

    with matplotlib.rc_context({**matplotlib.rcParamsDefault, "backend": "agg", **STYLE}), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def sheet(report: Report) -> Figure:
    """All panels on one sheet, two columns, with one legend."""
    from matplotlib.figure import Figure

    table = report.payload(ComparisonTable)
    rows = table.rows if table else ()
    couples = [*_couples(list(figure_panels(rows))), *_couples(list(pair_panels(rows)))]
    heights = [max(panel.height for panel in couple) for couple in couples]
    figure = Figure(figsize=(2 * WIDTH, sum(heights) + 1.0), layout="constrained")
    grid = figure.add_gridspec(len(couples), 2, height_ratios=heights)
    for row, couple in enumerate(couples):
        for column, panel in enumerate(couple):
            panel.draw(figure.add_subplot(grid[row, column]), heights[row])
    figure.suptitle(_words(title_of(report)), fontsize=13, color=INK)
    _add_legend(figure, rows, "outside lower center")
    return figure


def _couples(panels: Sequence[Panel]) -> list[Sequence[Panel]]:
    return [panels[i : i + 2] for i in range(0, len(panels), 2)]


def alone(panel: Panel) -> Figure:
    """One panel as a figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, panel.height), layout="constrained")
    panel.draw(figure.add_subplot(), panel.height)
    return figure


def legend_alone(rows: Sequence[Row]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2 * WIDTH, 0.3 + 0.22 * -(-len(Series(rows).handles()) // COLUMNS)))
    _add_legend(figure, rows, "center left")
    return figure


def _add_legend(figure: Figure, rows: Sequence[Row], place: str) -> None:
    handles = Series(rows).handles()
    where: Any = place
    figure.legend(handles=handles, loc=where, ncols=min(COLUMNS, len(handles)), frameon=False)


def saved_figure(figure: Figure, kind: str, salt: str = "") -> bytes:
    """The bytes of an SVG or PNG, without dates or versions; figures of one page have different salts."""
    import matplotlib

    stream = io.BytesIO()
    nothing = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    with matplotlib.rc_context({"svg.hashsalt": f"puzzlewright {salt}"}):  # equal charts have equal names in them
        figure.savefig(stream, format=kind, dpi=DPI, metadata=nothing[kind], facecolor=GROUND)
    return stream.getvalue()
