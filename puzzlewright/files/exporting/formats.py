"""The formats that `export` writes: a table by name, each with the suffixes that stand for it and its function.

A function makes all that is written, before anything is; Unsupported where a level has no such form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from puzzlewright.configuration import ConfigurationError, check_choice
from puzzlewright.files.exporting.wanted import Exported, ExportWanted


def _sas(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.sas import sas

    return sas(wanted)


def _pddl(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.pddl import pddl

    return pddl(wanted)


def _lifted(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.lifting.lifted import lifted_pddl

    return lifted_pddl(wanted)


def _cnf(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.formulas import cnf

    return cnf(wanted)


def _cpsat(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.formulas import cpsat

    return cpsat(wanted)


def _minizinc(wanted: ExportWanted) -> Exported:
    from puzzlewright.files.exporting.minizinc import minizinc

    return minizinc(wanted)


def _dot(wanted: ExportWanted) -> Exported:
    return _graph(wanted, ".dot")


def _graphml(wanted: ExportWanted) -> Exported:
    return _graph(wanted, ".graphml")


def _graph(wanted: ExportWanted, suffix: str) -> Exported:
    from puzzlewright.analysis.exploring import state_graph

    text, states = state_graph(wanted.puzzle, wanted.request, suffix)
    return Exported(text, f"the graph of all {states:,} states")


def _html(wanted: ExportWanted) -> Exported:
    from puzzlewright.pages.game_page import game_page

    page = game_page(wanted.puzzles, wanted.request, wanted.rules, wanted.known)
    levels = "1 level" if page.levels == 1 else f"{page.levels} levels"
    return Exported(page.html, f"a page that plays {levels}, {len(page.html) / 1000:.0f} kB", notes=page.notes)


class Target(NamedTuple):
    """A format that `export` writes."""

    suffixes: tuple[str, ...]  # of files that have it
    write: Callable[[ExportWanted], Exported]
    many: bool = False  # is one file for several levels?


TARGETS: Mapping[str, Target] = {
    "sas": Target((".sas",), _sas),
    "pddl": Target((".pddl",), _pddl),
    "pddl-lifted": Target((), _lifted),
    "cnf": Target((".cnf",), _cnf),
    "cpsat": Target((".textproto", ".pb"), _cpsat),
    "minizinc": Target((".mzn",), _minizinc),
    "dot": Target((".dot",), _dot),
    "graphml": Target((".graphml",), _graphml),
    "html": Target((".html", ".htm"), _html, many=True),
}


def target_of(name: str | None, out: Path) -> str:
    """The name of the format: that one, or what the file's name stands for; ConfigurationError where it is none."""
    if name is not None:
        check_choice("to", name, TARGETS)
        return name
    found = next((name for name, each in TARGETS.items() if out.suffix in each.suffixes), None)
    if found is None:
        known = ", ".join(suffix for each in TARGETS.values() for suffix in each.suffixes)
        raise ConfigurationError("out", f"{out.suffix!r} stands for no format, as {known} do; say which with --to")
    return found
