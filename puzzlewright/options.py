"""The options of the command line, each declared once, in groups: what a user says, and what is made of it.

A field is an option, and its default is what it means not to say it. A group has the one method that makes something of
its fields. `puzzlewright/commands/` takes whole groups; a command says which options of a group it has not.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields
from functools import cache
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Optional, get_args, get_type_hints

import typer
from typer.models import OptionInfo

from models.frozen import frozen
from models.outcomes import Limits
from puzzlewright.printing.desk import Desk, check_choice, in_ascii, listed
from puzzlewright.solving.backends import BACKENDS
from search.options import Declared
from search.registry import ALGORITHMS, ROWS, options_of

if TYPE_CHECKING:
    from models.level_files import LevelFile
    from models.puzzle import Puzzle
    from puzzlewright.solving.request import Request

MOST_SEEDS = 10_000  # of --seeds: a puzzle is read for each
PLANS, FILES = "Plans", "Files"  # sections of `--help`, besides those of the groups
PRINTED = ("quiet", "verbose", "reproducible", "ascii_")  # of a command that searches or draws


@frozen()
class Group:
    """Options that belong together: each field is declared as a parameter of Typer's."""

    section: ClassVar[str]  # of `--help`

    @classmethod
    @cache
    def options(cls) -> dict[str, Parameter]:
        """The fields by their names."""
        kinds = get_type_hints(cls, include_extras=True)
        return {each.name: parameter(each.name, kinds[each.name], each.default, cls.section) for each in fields(cls)}

    @property
    def given(self) -> dict[str, object]:
        """What was said: the fields that are not as they are by default."""
        values = {each: getattr(self, each.name) for each in fields(self)}
        return {each.name: value for each, value in values.items() if value not in (each.default, [])}

    def words(self) -> list[str]:
        """What was said as words of a command line, for a process of our own."""
        options = self.options()
        return [word for name, value in self.given.items() for word in _words(options[name], value)]


def parameter(name: str, declared: object, default: object, section: str | None = None) -> Parameter:
    """A parameter as Typer takes it, with its names and its default where they are called so."""
    kind, info = get_args(declared)  # of Annotated
    info = copy(info)
    if isinstance(info, OptionInfo):
        written = [str(each) for each in (info.default, *(info.param_decls or ())) if each is not ...]
        info.param_decls = written or [f"--{name.replace('_', '-')}"]
    info.default = ... if default is Parameter.empty else default
    info.rich_help_panel = info.rich_help_panel or section
    return Parameter(name, Parameter.KEYWORD_ONLY, default=info, annotation=kind)


def _words(option: Parameter, value: object) -> Iterator[str]:
    name = option.default.param_decls[0]
    if value is True:
        yield name
    else:
        yield from (f"{name}={each}" for each in (value if isinstance(value, list) else [value]))


# -- which puzzle ------------------------------------------------------------------------------------------------------

Problem = Annotated[
    str | None, typer.Argument(metavar="PROBLEM", help="where FILE is a domain in PDDL: a problem of it")
]
File = Annotated[str, typer.Argument(metavar="FILE", help="a puzzle file, - for standard input, or a built-in puzzle")]


@frozen()
class LevelFileOptions(Group):
    """A file of the puzzle's world that a level is taken from."""

    section = "Puzzle"

    level_file: Annotated[
        Path | None,
        typer.Option("--level-file", metavar="FILE", help="take the level from a file of the puzzle's world"),
    ] = None
    level_format: Annotated[
        str | None, typer.Option("--level-format", metavar="NAME", help="how the level file is written, where unclear")
    ] = None

    def collection(self, desk: Desk) -> LevelFile | None:
        """The levels of the file; None without one."""
        if self.level_file is None and self.level_format is None:
            return None
        if self.level_file is None:
            raise typer.BadParameter("--level-format is for --level-file")
        from models.level_files import FORMATS, VARIANTS, LevelFile
        from puzzlewright.files.library import read_levels

        if self.level_format is not None:
            check_choice("--level-format", self.level_format, (*FORMATS, *VARIANTS))
        text = desk.texts[str(self.level_file)] = read_levels(self.level_file)
        return LevelFile(text, str(self.level_file), self.level_format)


@frozen()
class DataOptions(LevelFileOptions):
    """What a level is filled with."""

    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="replace a datum (repeatable)")
    ] = None
    scramble: Annotated[
        int | None,
        typer.Option(
            "--scramble", metavar="N", min=0, max=1_000_000, help="start after N random steps, drawn by --seed"
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", help="for drawn data and random searches")] = 0

    @property
    def settings(self) -> tuple[str, ...]:
        return tuple(self.set_ or ())

    def scrambled(self, puzzle: Puzzle, seed: int) -> Puzzle:
        """The puzzle after the random steps that were asked for."""
        if self.scramble is None:
            return puzzle
        from puzzlewright.analysis.scrambling import scrambled

        return scrambled(puzzle, self.scramble, seed)[0]


@frozen()
class OneLevel(Group):
    """A level by its name."""

    level: Annotated[
        str | None, typer.Option("--level", "-l", help="a level of the file, or of --level-file; the first by default")
    ] = None


@frozen()
class SomeLevels(Group):
    """Levels by their names, or by patterns of names."""

    level: Annotated[
        list[str] | None, typer.Option("--level", "-l", metavar="NAME", help="only these; * is any text (repeatable)")
    ] = None

    @property
    def patterns(self) -> tuple[str, ...]:
        return tuple(self.level or ())


@frozen()
class SeveralLevels(Group):
    """Levels that make rows of a table, or parts of a file."""

    section = "Puzzle"

    levels: Annotated[
        str | None, typer.Option("--levels", metavar="A,B,...", help="several levels, * is any text; or all")
    ] = None

    @property
    def patterns(self) -> tuple[str, ...]:
        return () if self.levels == "all" else listed(self.levels)

    def level_names(self, text: str, source: str, collection: LevelFile | None) -> list[str | None]:
        """The levels of `--levels`; None for a file without levels."""
        from models.document import read_document
        from puzzlewright.analysis.batch import chosen

        return [name or None for name in chosen(read_document(text, source), self.patterns, collection)]


@frozen()
class PuzzleOptions(DataOptions, OneLevel):
    """Which level of the file, and with which data."""

    def puzzle(self, desk: Desk, file: str, problem: str | None = None) -> Puzzle:
        started = time.perf_counter()
        from puzzlewright.files.disk_cache import read_puzzle

        levels = self.collection(desk)
        puzzle = read_puzzle(*desk.read(file, problem), self.level, self.settings, self.seed, levels)
        if self.scramble is not None:
            from puzzlewright.analysis.scrambling import scrambled

            puzzle, desk.scramble = scrambled(puzzle, self.scramble, self.seed)
        desk.load_seconds = time.perf_counter() - started
        return puzzle


@frozen()
class LevelsOptions(DataOptions, SomeLevels):
    """Which levels of the file, and with which data."""


@frozen()
class SeedsOptions(Group):
    """Several seeds instead of one."""

    section = "Puzzle"

    seeds: Annotated[str | None, typer.Option("--seeds", metavar="A..B", help="a row for each seed")] = None

    def range(self, seed: int) -> range:
        """The seeds of `--seeds A..B`, else the one seed."""
        if self.seeds is None:
            return range(seed, seed + 1)
        first, _, last = self.seeds.partition("..")
        if not (re.fullmatch(r"\d{1,30}\.\.\d{1,30}", self.seeds) and int(first) <= int(last)):
            raise typer.BadParameter(f"--seeds: {self.seeds!r} is no range; write A..B, such as 1..20")
        if int(last) - int(first) >= MOST_SEEDS:
            raise typer.BadParameter(f"--seeds: {self.seeds} are more than {MOST_SEEDS:,} seeds")
        if seed:
            raise typer.BadParameter("--seed is for one seed, --seeds for several: give one of them")
        return range(int(first), int(last) + 1)


# -- which search ------------------------------------------------------------------------------------------------------


@frozen()
class HeuristicOptions(Group):
    """What leads a search."""

    section = "Search"

    heuristic: Annotated[
        str | None,
        typer.Option("--heuristic", metavar="A,B,...", help="declared ones, blind, derived, derived+A; tried in turn"),
    ] = None


@frozen()
class SearchOptions(HeuristicOptions):
    """Who searches, led by what, for the least of what, and what it may use."""

    backend: Annotated[str, typer.Option("--backend", "-b", help=" ".join(BACKENDS))] = "auto"
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="A,B", help="named costs to minimise, in that order")
    ] = None
    no_invariants: Annotated[bool, typer.Option("--no-invariants", help="search even where an invariant decides")] = (
        False
    )
    no_symmetry: Annotated[
        bool, typer.Option("--no-symmetry", help="tell interchangeable objects apart in the search")
    ] = False

    def request(
        self, desk: Desk, puzzle: Puzzle, limits: Limits, seed: int, tuning: Mapping[str, object] | None = None
    ) -> Request:
        from puzzlewright.solving.request import Request

        request = Request(
            backend=self.backend,
            heuristics=listed(self.heuristic),
            metrics=listed(self.metric),
            limits=limits,
            invariants=not self.no_invariants,
            symmetry=not self.no_symmetry,
            seed=seed,
            options=dict(tuning or {}),
            progress=desk.tell,
            milestone=desk.tell and desk.tell.line,
            load_seconds=desk.load_seconds,
        )
        request.check(puzzle)
        return request


class TuningOptions(Group):
    """Options of single searches, as the rows of `search.registry` declare them."""

    section = "Single searches"

    def __init__(self, **said: object) -> None:
        object.__setattr__(self, "said", said)

    @classmethod
    @cache
    def options(cls) -> dict[str, Parameter]:
        """The options by their names, each said to be of the searches that read it."""
        return {name: parameter(name, _tuned(declared, readers), None, cls.section)
                for name, (declared, readers) in options_of().items()}  # fmt: skip

    @property
    def given(self) -> dict[str, object]:
        return {name: value for name, value in vars(self)["said"].items() if value is not None}


class DiskOptions(TuningOptions):
    """Those of the search whose layers are on the disk."""

    section = "On the disk"

    @classmethod
    @cache
    def options(cls) -> dict[str, Parameter]:
        own = [each.name for each in ALGORITHMS["layers"].options.declared()]
        return {name: option for name, option in TuningOptions.options().items() if name in own}


def _tuned(declared: Declared, readers: Sequence[str]) -> object:
    who = "all searches" if len(readers) == len(ROWS) else ", ".join(readers)
    option = typer.Option(help=f"{who}: {declared.setting.words}")
    return Annotated[Optional[declared.kind], option]  # noqa: UP045 - the kind is a value


@frozen()
class LimitOptions(Group):
    """Where the work ends undone."""

    section = "Limits"

    time_limit: Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds")] = None
    memory_limit: Annotated[
        float | None, typer.Option("--memory-limit", min=0, help="peak memory of the process, MB")
    ] = None
    node_limit: Annotated[int | None, typer.Option("--node-limit", min=0, help="states expanded")] = None
    max_horizon: Annotated[int | None, typer.Option("--max-horizon", min=0, help="steps of a plan")] = None

    def limits(self) -> Limits:
        return Limits(self.time_limit, self.node_limit, self.memory_limit, self.max_horizon)

    def seconds(self) -> float:
        """Of a command that always has a time limit."""
        assert self.time_limit is not None
        return self.time_limit

    def nodes(self) -> int:
        """Of a command that always has a limit of nodes."""
        assert self.node_limit is not None
        return self.node_limit


# -- what comes out ----------------------------------------------------------------------------------------------------

Count = Annotated[bool, typer.Option("--count", help="how many best plans there are", rich_help_panel=PLANS)]
PlanOut = Annotated[
    Path | None,
    typer.Option("--plan-out", help="write the plan: .plan lines, .lurd, else JSON", rich_help_panel=FILES),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="print the address, and open nothing")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="a file", rich_help_panel=FILES)]
Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="write a line for each row", rich_help_panel=FILES)
]
Speed = Annotated[float | None, typer.Option("--speed", min=0.1, max=60, help="steps a second")]


@frozen()
class OutputOptions(Group):
    """How the answer is told."""

    section = "Options"

    ascii_: Annotated[
        bool, typer.Option("--ascii", callback=in_ascii, help="boards and words in ASCII letters only")
    ] = False
    reproducible: Annotated[
        bool, typer.Option("--reproducible", help="leave out what differs from run to run (times, memory)")
    ] = False
    json_: Annotated[bool, typer.Option("--json", help="one JSON object on standard output")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no boards, no progress")] = False
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="more on standard error")] = False

    def desk(self) -> Desk:
        return Desk(self.json_, self.quiet, self.verbose, self.reproducible)
