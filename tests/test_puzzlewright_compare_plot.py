"""`compare` over levels and seeds, its summary, and its charts: what they show, and that they show it as it is."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from running import run

from models.outcomes import Outcome
from puzzlewright.analysis.comparing import Comparison, ComparisonTable, completed, contradict, summaries
from puzzlewright.pages import panels
from puzzlewright.pages.panels import EXPANDED, LENGTH, PALETTE, alone, figure_panels, styled
from puzzlewright.pages.plotting import SUFFIXES, drawn
from puzzlewright.printing import tables
from puzzlewright.printing.reports import fitted
from puzzlewright.printing.tables import comparison_table, summary_table
from puzzlewright.report import About, Report

WALK = """
puzzle: walk
data: {far: 2}
types: {place: 0 .. 40}
state: {at: place = 0}
actions:
  step: {when: at < 40, effect: {at: at + 1}}
  jump: {when: at <= 35, effect: {at: at + 5}}
goal: at == far
heuristics:
  left: abs(far - at) // 5
levels: {near: {far: 2}, "far off": {far: 12}}
"""


def row(backend: str, level: str = "", seed: int = 0, outcome: str = "optimal", **figures: Any) -> dict[str, Any]:
    keys = ("length", "cost", "expanded", "generated", "generations", "total_seconds", "peak_memory_mb")
    known = dict.fromkeys(keys) | {"length": 22, "cost": 22, "expanded": 226, "generated": 603, "total_seconds": 0.3,
                                   "peak_memory_mb": 110.0}  # fmt: skip
    named = {"level": level, "backend": backend, "heuristic": None, "seed": seed, "outcome": outcome, "notes": []}
    return named | known | figures


STOPPED: dict[str, Any] = {"outcome": "node-limit", "length": None, "cost": None, "expanded": 5000}
ROWS = (row("bfs", expanded=68882), row("astar"), row("dfs", **STOPPED))


LENGTHS = [
    {**each, "expanded": None, "generated": None, "total_seconds": None, "peak_memory_mb": None} for each in ROWS
]


def reported(*rows: dict[str, Any], level: str = "", summary: Any = None) -> Report:
    table = ComparisonTable(rows, summary)
    return Report("compare", Outcome.VALID, About("walk", level, "cost"), payloads=(table,))


# -- rows over levels and seeds ----------------------------------------------------------------------------------------


def test_levels_seeds_and_charts_in_one_run(tmp_path: Path) -> None:
    file = tmp_path / "walk.yaml"
    file.write_text(WALK, encoding="utf-8")
    chart, page = tmp_path / "walk.svg", tmp_path / "walk.html"
    asked = ("--backends", "genetic", "--levels", "all", "--seeds", "3..4", "--plot", chart, "--plot", page)
    done = run("compare", file, *asked, "--json")
    found = json.loads(done.out)
    assert done.code == 0 and [(each["level"], each["seed"]) for each in found["rows"]] == [
        *(("near", 3), ("near", 4), ("far off", 3), ("far off", 4)),
    ]
    assert [(each["level"], each["runs"], each["solved"]) for each in found["summary"]] == [
        *(("near", 2, 2), ("far off", 2, 2)),
    ]
    assert all(each["generations"] and each["length"] >= 2 for each in found["rows"])
    assert b"far off" in page.read_bytes() and "far off" in "".join(ET.fromstring(chart.read_bytes()).itertext())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--plot", "x.pdf"), ".svg or .png or .html"),
        (("--plot", "/nowhere/x.svg"), "there is no folder"),
        (("--level", "easy-8", "--levels", "all"), "give one of them"),
        (("--seeds", "5..2"), "no range"),
    ],
)
def test_usage(words: tuple[str, ...], message: str) -> None:
    found = run("compare", "n_puzzle", *words)
    assert found.code == 2 and message in found.err and not found.out


def test_a_level_that_is_not_there() -> None:
    found = run("compare", "n_puzzle", "--levels", "easy-8,easy-9")
    assert found.code == 31 and "no level matches 'easy-9'" in found.err


def test_seeds_where_they_matter() -> None:
    def asked(drawn: bool) -> list[tuple[str, int]]:
        comparison = Comparison("walk", "", {"near": drawn}, ["bfs", "genetic"], [], range(1, 4), "cost", 1, [])
        return [(each["backend"], each["seed"]) for each in comparison.rows()]

    assert asked(False) == [("bfs", 1), ("genetic", 1), ("genetic", 2), ("genetic", 3)]
    assert len(asked(True)) == 6


def test_rows_that_exclude_each_other() -> None:
    fixed, drawn = {"": False}, {"": True}
    unsolvable = row("bfs", outcome="unsolvable", length=None, cost=None)
    assert not contradict([row("bfs"), row("astar"), row("dfs", outcome="solved", cost=40)], fixed)
    assert contradict([row("bfs"), row("astar", cost=21)], fixed)
    assert contradict([row("bfs"), row("beam", outcome="solved", cost=21)], fixed)
    assert contradict([unsolvable, row("beam", outcome="solved")], fixed)
    stopped = {"outcome": "time-limit", "length": None, "cost": None}
    assert not contradict([row("bfs", cost=21), row("astar", lower_bound=21, **stopped)], fixed)
    assert contradict([row("bfs", cost=21), row("astar", lower_bound=22, **stopped)], fixed)
    assert not contradict([row("bfs", seed=1), row("bfs", seed=2, cost=21)], drawn)
    assert contradict([row("bfs", seed=1), row("bfs", seed=2, cost=21)], fixed)
    assert not contradict([row("bfs", level="a"), row("bfs", level="b", cost=21)], {"a": False, "b": False})


def test_a_row_without_a_heuristic_is_counted_to_its_backend() -> None:
    early: dict[str, Any] = {"outcome": "unsolvable", "length": None, "cost": None}
    rows = completed([row("astar", heuristic="left"), row("astar", "b", **early), row("bfs", "b", **early)])
    assert [each["heuristic"] for each in rows] == ["left", "left", None]
    rows = completed([row("astar", heuristic="left"), row("astar", heuristic="right"), row("astar", "b", **early)])
    assert rows[2]["heuristic"] is None  # of which of them is not known


@pytest.mark.parametrize("most", [10**6, 2_249_567, 10**9])
def test_labels_of_a_logarithmic_axis_stand_apart(most: int) -> None:
    with styled():
        rows = [row("bfs", "two-by-three", expanded=7), row("dfs", "row", expanded=most)]
        panel = next(panel for panel in figure_panels(rows) if panel.title == EXPANDED.words)
        figure = alone(panel)
        figure.canvas.draw()
        (axes,) = figure.axes
        low, high = axes.get_xlim()
        places = zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        shown = [label.get_window_extent() for at, label in places if low <= at <= high]
    assert len(shown) > 2 and all(a.x1 < b.x0 for a, b in pairwise(shown))


def test_a_summary_is_over_the_runs_that_found_a_plan() -> None:
    rows = [row("genetic", seed=n, outcome="solved", length=n, generations=10 * n) for n in (1, 2, 6)]
    (found,) = summaries([*rows, row("genetic", seed=9, generations=200, **STOPPED)])
    assert (found["runs"], found["solved"], found["solved_share"]) == (4, 3, 0.75)
    assert found["generations"] == {"min": 10, "median": 20, "max": 60}
    headings, cells = summary_table([found])
    line = dict(zip(headings, cells[0], strict=True))
    assert (line["solved"], line["length"], line["generations"], line["cost"]) == (
        "3/4",
        "1 / 2 / 6",
        "10 / 20 / 60",
        "22",
    )


def test_columns_that_tell_nothing_are_left_out() -> None:
    headings, _ = comparison_table(ROWS)
    assert headings[0] == "backend" and not {"level", "seed", "generations"} & set(headings)
    headings, _ = comparison_table([row("genetic", "a", 1, generations=3), row("genetic", "b", 2)])
    assert {"level", "seed", "generations"} <= set(headings)


# -- charts ------------------------------------------------------------------------------------------------------------


def axes_of(words: str, *rows: dict[str, Any]) -> Any:
    """The axes of the panel of that title, drawn."""
    with styled():
        panel = next(panel for panel in figure_panels(rows) if panel.title == words)
        axes = Figure().add_subplot()
        panel.draw(axes, panel.height)
    return axes


def bars(axes: Any) -> list[Any]:
    return [patch for container in axes.containers for patch in container]


def words(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_a_narrow_terminal_breaks_no_table_and_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A paragraph for each row, in whose lines a name keeps its figure; what is told goes on below its like."""
    table = ["backend", "expanded", "memory MB"], [["bfs", "1,234", "104.90"], ["cpsat", "-", "7.00"]]
    for wide, lines in (
        (None, ["backend  expanded  memory MB", "-------  --------  ---------", "bfs         1,234     104.90",
                "cpsat           -       7.00"]),
        (27, ["bfs", "  expanded 1,234,", "  memory MB 104.90", "cpsat", "  memory MB 7.00"]),
    ):  # fmt: skip
        monkeypatch.setattr(tables, "terminal_width", lambda wide=wide: wide)
        assert list(tables.lines(*table)) == lines
    told = "  statistics   expanded 23,624, generated 76,799"
    assert fitted(told, 40) == ["  statistics   expanded 23,624,", "               generated 76,799"]
    assert fitted(told, 80) == [told] and fitted("a level without-end", 20) == ["a level without-end"]


def test_a_bar_is_as_long_as_its_value() -> None:
    axes = axes_of(LENGTH.words, row("bfs", length=10), row("dfs", length=30))
    assert [(bar.get_x(), bar.get_width()) for bar in bars(axes)] == [(0, 10), (0, 30)]
    assert axes.get_xscale() == "linear" and words(axes) == ["10", "30"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bfs", "dfs"]


def test_values_far_apart_have_a_logarithmic_axis() -> None:
    axes = axes_of(EXPANDED.words, *ROWS)
    assert axes.get_xscale() == "log"
    assert [round(bar.get_x() + bar.get_width()) for bar in bars(axes)] == [68882, 226, 5000]


def test_a_run_without_a_plan_has_no_length_and_a_hollow_bar() -> None:
    lengths, effort = axes_of(LENGTH.words, *ROWS), axes_of(EXPANDED.words, *ROWS)
    assert len(bars(lengths)) == 2 and words(lengths)[-1] == "node-limit"
    full, hollow = bars(effort)[0], bars(effort)[2]
    assert (full.get_hatch(), to_hex(full.get_facecolor())) == (None, PALETTE[0])
    assert (bool(hollow.get_hatch()), to_hex(hollow.get_facecolor())) == (True, "#ffffff")
    assert words(effort)[-1] == "5,000 (node-limit)"


def test_unsolvable_is_an_answer() -> None:
    rows = [row("bfs", outcome="unsolvable", length=None, cost=None), row("dfs")]
    assert not bars(axes_of(EXPANDED.words, *rows))[0].get_hatch()
    assert words(axes_of(LENGTH.words, *rows))[0] == "unsolvable"


def test_seeds_are_points_with_a_median() -> None:
    rows = [row("genetic", seed=n, length=n) for n in (10, 20, 60)]
    axes = axes_of(LENGTH.words, *rows, row("genetic", seed=9, **STOPPED))
    points = [line for line in axes.lines if line.get_marker() != "|"]
    assert [line.get_xdata()[0] for line in points[:3]] == [10, 20, 60] and not bars(axes)
    assert to_hex(points[3].get_markerfacecolor()) == "#ffffff" and points[3].get_xdata()[0] > 1  # beside the axis
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "|"] == [20]
    assert "no plan" in words(axes)


def test_many_levels_share_a_line_each() -> None:
    rows = [row(backend, f"level {n}") for n in range(30) for backend in ("bfs", "astar")]
    axes = axes_of(LENGTH.words, *rows)
    assert len(axes.get_yticks()) == 30 and len(axes.lines) == 60 and not bars(axes)


def test_a_cost_that_is_the_length_has_no_panel() -> None:
    titles = [panel.title for panel in figure_panels(ROWS)]
    assert "cost of the plan" not in titles and len(titles) == 5  # length, expanded, generated, time, memory
    assert "cost of the plan" in [panel.title for panel in figure_panels([row("bfs", cost=7)])]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_rows_are_equal_files(suffix: str) -> None:
    first, second = drawn(reported(*LENGTHS), suffix), drawn(reported(*LENGTHS), suffix)
    assert first == second
    assert not re.search(rb"<dc:date>|Matplotlib v", first)


def test_names_are_text_and_nothing_else() -> None:
    hostile = [{**LENGTHS[0], "level": level} for level in ("$x^{ <script>alert(1)</script> & \x07", "名前")]
    with_summary = reported(*hostile, summary=summaries(hostile))
    svg = drawn(with_summary, ".svg").decode()
    page = drawn(with_summary, ".html").decode()
    assert "$x^{ <script>" in "".join(ET.fromstring(svg).itertext()) and "<script" not in page
    assert "&lt;script&gt;" in page and "名前" in svg
    assert not re.search(r"(src|href)=\"(?!#)", page)


def test_charts_in_a_page_follow_light_and_dark() -> None:
    """Whatever is not a series is drawn in the page's own colours; a name that reads like a colour stays a name."""
    level = f"fill: {panels.INK}"
    page = drawn(reported(*({**LENGTHS[0], "level": name} for name in (level, "other"))), ".html").decode()
    charts = "".join(re.findall("<svg.*?</svg>", page, re.DOTALL))
    common = (panels.INK, panels.SOFT, panels.LINES, panels.GROUND)
    assert not re.findall(rf"<[^>]*(?:{'|'.join(common)})", charts) and "fill: var(--ink)" in charts
    assert level in charts and "prefers-color-scheme: dark" in page


def test_a_png_is_large_enough_to_read() -> None:
    wide, high = struct.unpack(">II", drawn(reported(*ROWS), ".png")[16:24])
    assert wide > 1500 and high > 800
