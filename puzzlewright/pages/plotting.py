"""The charts and tables of `compare` as files: SVG, PNG, or one page that needs nothing else, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlewright.analysis.comparing import ComparisonTable
from puzzlewright.pages import panels
from puzzlewright.pages.assembling import styles
from puzzlewright.printing.tables import Table, comparison_table, summary_table
from puzzlewright.report import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = {panels.INK: "--ink", panels.SOFT: "--soft", panels.LINES: "--line", panels.GROUND: "--paper"}
_COLOUR = re.compile(f"\\b(fill|stroke): ({'|'.join(_COLOURS)})\\b")
_TAG = re.compile("<[^<>]+>")
SUFFIXES = (".svg", ".png", ".html")
_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}body {{ margin: 0 auto; padding: 1rem; max-width: 90rem; }}
h1 {{ font-size: 1.4rem; }}
figure {{ margin: 0; }}
.charts {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: 1rem 2rem; }}
svg {{ width: 100%; height: auto; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 600; padding: .3rem 0; }}
th, td {{ padding: .15rem .9rem .15rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }}
.number {{ text-align: right; }}
</style>
</head>
<body>
<h1>{title}</h1>
"""  # noqa: E501


def plotted(report: Report, paths: Sequence[Path]) -> Report:
    """The report, its charts in these files; notes on what could not be written."""
    notes = list(report.notes)
    table = report.payload(ComparisonTable)
    for path in paths if table and table.rows else ():
        try:
            path.write_bytes(drawn(report, path.suffix))
        except OSError as error:
            notes.append(f"{path} could not be written: {error.strerror}")
    return replace(report, notes=tuple(notes))


def drawn(report: Report, suffix: str) -> bytes:
    """The charts as a file of this kind holds them; equal rows give equal bytes."""
    if suffix == ".html":
        return comparison_page(report).encode()
    with panels.styled():
        return panels.saved_figure(panels.sheet(report), suffix[1:])


def comparison_page(report: Report) -> str:
    """The whole page."""
    table = report.payload(ComparisonTable)
    assert table is not None
    rows = table.rows
    parts = [_HEAD.format(title=escape(f"Comparison: {panels.title_of(report)}"), style=styles("look"))]
    with panels.styled():
        parts += ["<figure>", _inline(panels.legend_alone(rows), "legend"), '</figure><div class="charts">']
        for panel in (*panels.figure_panels(rows), *panels.pair_panels(rows)):
            parts += ["<figure>", _inline(panels.alone(panel), panel.title), "</figure>"]
    parts.append("</div>")
    if table.summary:
        heading = "Over the seeds that found a plan: least / median / most"
        parts += _table(heading, summary_table(table.summary))
    parts += _table("All runs", comparison_table(rows))
    parts += [f"<p>{escape(note)}</p>" for note in report.notes]
    return "\n".join([*parts, "</body></html>\n"])


def _inline(figure: Figure, title: str) -> str:
    """A figure as an element of a page, without the prologue of a file, in the page's colours."""
    text = _TAG.sub(_in_colours, panels.saved_figure(figure, "svg", title).decode())
    return text[text.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


def _in_colours(tag: re.Match[str]) -> str:
    """The tag with the page's words for the colours of all charts, so that they follow light and dark."""
    return _COLOUR.sub(lambda found: f"{found[1]}: var({_COLOURS[found[2]]})", tag[0])


def _table(caption: str, table: Table) -> Iterator[str]:
    headings, cells = table
    numbers = [all(row[i][:1].isdigit() or row[i] == "-" for row in cells) for i in range(len(headings))]
    kinds = [' class="number"' if number else "" for number in numbers]
    yield f'<div class="scroll"><table><caption>{escape(caption)}</caption>'
    yield (
        "<tr>" + "".join(f"<th{kind}>{escape(name)}</th>" for name, kind in zip(headings, kinds, strict=True)) + "</tr>"
    )
    for row in cells:
        yield (
            "<tr>" + "".join(f"<td{kind}>{escape(each)}</td>" for each, kind in zip(row, kinds, strict=True)) + "</tr>"
        )
    yield "</table></div>"
