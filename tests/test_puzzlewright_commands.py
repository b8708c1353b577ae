"""The rooms of the command line: one module and one line for each command, one declaration for each option."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import documented
import pytest
import running
from typer import Typer
from typer.main import get_command

from puzzlewright import __version__, cli
from puzzlewright.commands import command
from puzzlewright.commands.explore import StartsOptions
from puzzlewright.options import LimitOptions, OutputOptions, PuzzleOptions, SearchOptions, TuningOptions
from puzzlewright.printing.desk import Desk

ROOT = Path(__file__).parent.parent
ROOMS = sorted(path for path in (ROOT / "puzzlewright/commands").glob("*.py") if path.stem != "__init__")
COMMANDS = documented.commands(cli.app)
TWICE = {
    "--save",
    "--port",
    "--jobs",
}  # a file, or into the puzzle's own; any, or one for the file; of levels, of pages
OTHER_NAMES = {"--from", "--seconds"}  # `--level` and `--time-limit` to `design`
ELSEWHERE = {"--length", "--metric", "--jobs", "--resume"}  # in `explore` and `levels` these mean something else
HOP = '''
from typing import Annotated
import typer
from puzzlewright.commands import command
from puzzlewright.printing.desk import Desk
from puzzlewright.options import File, LimitOptions, PuzzleOptions

@command("max_horizon")
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    limits: LimitOptions,
    far: Annotated[int, typer.Option("--hops-at-once", help="how far")] = 3,
) -> "Report":
    """Hop about."""
    print(file, level.level, level.seed, limits, far, desk.as_json, desk.quiet)
    raise typer.Exit(0)
'''


@pytest.fixture
def hopping() -> Typer:
    """The command line with one more command."""
    module = ModuleType("puzzlewright.commands.hop")
    exec(compile(HOP, "hop.py", "exec"), module.__dict__)
    return cli.gathered({**cli.COMMANDS, "hop": lambda: module})


def said_by(app: Typer, words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert not get_command(app).main(words.split(), prog_name="puzzlewright", standalone_mode=False)
    return capsys.readouterr().out


# -- rooms -------------------------------------------------------------------------------------------------------------


def test_every_command_has_its_room_and_its_line() -> None:
    assert sorted(cli.COMMANDS) == [path.stem for path in ROOMS]
    assert all(load().__name__ == f"puzzlewright.commands.{name}" for name, load in cli.COMMANDS.items())
    assert list(COMMANDS) == list(cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_shows_every_option_in_one_section(name: str) -> None:
    text = running.run(name, "--help").out
    sections = dict(re.findall(r"^([A-Z][a-z ]+):\n((?:  .*\n)+)", text, re.MULTILINE))
    assert list(sections)[-1] == "Options" and "-h, --help" in sections["Options"]
    for option in documented.options(COMMANDS[name]):
        shown = re.compile(rf"^  (-\w, )?(--[\w-]+, )*{option}\b(?!-)", re.MULTILINE)
        assert [bool(shown.search(section)) for section in sections.values()].count(True) == 1, option


def test_the_version_is_in_help() -> None:
    assert "--version" in running.run("--help").out
    assert running.run("--version").out == f"puzzlewright {__version__}\n"


def test_a_new_command_is_found_unasked(hopping: Typer, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(r"^  hop +Hop about\.$", said_by(hopping, "--help", capsys), re.MULTILINE)
    text = said_by(hopping, "hop --help", capsys)
    assert "--hops-at-once" in text and "--scramble" in text and "--max-horizon" not in text
    assert documented.unnamed_commands(hopping) == ["hop"]
    assert documented.unnamed_options(hopping) == ["--hops-at-once"]
    said = said_by(hopping, "hop x.yaml -l two --seed 7 --node-limit 5 --hops-at-once 4 -q", capsys)
    assert said.split("\n")[0] == f"x.yaml two 7 {LimitOptions(node_limit=5)} 4 False True"


def test_a_command_cannot_be_without_what_its_groups_have_not() -> None:
    def run(desk: Desk, limits: LimitOptions) -> None: ...

    with pytest.raises(AssertionError, match="has no no_such"):
        command("no_such")(run)


def test_groups_of_a_command_share_no_name() -> None:
    def run(desk: Desk, search: SearchOptions, starts: StartsOptions, tuning: TuningOptions) -> None: ...

    with pytest.raises(AssertionError, match="name length"):
        command()(run)


# -- options -----------------------------------------------------------------------------------------------------------


def declared(path: Path) -> Iterator[str]:
    """The long names of the options that a file declares."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind):
                yield from _names(kind, name)
            case ast.arg(arg=name, annotation=ast.expr() as kind):
                yield from _names(kind, name)
            case ast.Assign(targets=[ast.Name(id=alias)], value=kind) if alias[0].isupper():
                yield from _names(kind, "an alias says its option's name")


def _names(kind: ast.expr, field: str) -> Iterator[str]:
    for call in ast.walk(kind):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "typer.Option":
            names = [each.value for each in call.args if isinstance(each, ast.Constant)]
            yield from [name for name in names if name.startswith("--")] or [f"--{field.replace('_', '-')}"]


def test_options_are_declared_once() -> None:
    common = Counter(declared(ROOT / "puzzlewright/options.py"))
    common += Counter(f"--{name.replace('_', '-')}" for name in TuningOptions.options())
    own = Counter(name for path in ROOMS for name in declared(path))
    assert {name for name, times in own.items() if times > 1} == TWICE
    assert own.keys() & common.keys() == ELSEWHERE
    assert {name for name, times in common.items() if times > 1} == {"--level"}, "one, or patterns for some"
    every = {name for each in COMMANDS.values() for name in documented.options(each)}
    assert common.keys() | own.keys() | OTHER_NAMES == every, "all declarations are seen"


def test_nothing_said_is_no_words() -> None:
    groups = (PuzzleOptions, SearchOptions, TuningOptions, LimitOptions, OutputOptions)
    assert [group().words() for group in groups] == [[]] * len(groups)


def test_what_was_said_as_words() -> None:
    level = PuzzleOptions(level="a b", set_=["n=1", "m=[2, 3]"], scramble=0, level_file=Path("x y.xsb"))
    assert sorted(level.words()) == [
        *("--level-file=x y.xsb", "--level=a b", "--scramble=0", "--set=m=[2, 3]", "--set=n=1"),
    ]
    assert SearchOptions(metric="time", no_symmetry=True).words() == ["--metric=time", "--no-symmetry"]
    assert TuningOptions(mutation_rate=0.5).words() == ["--mutation-rate=0.5"]
    assert LimitOptions(time_limit=0).given == {"time_limit": 0}


def test_words_are_read_as_they_were_said(hopping: Typer, capsys: pytest.CaptureFixture[str]) -> None:
    """What a child process is told is what its parent was told."""
    limits, level = LimitOptions(time_limit=0.5, node_limit=0), PuzzleOptions(level="-x", set_=["a=b"], seed=9)
    call = ["hop", "f", *limits.words(), *level.words(), *OutputOptions(json_=True, quiet=True).words()]
    assert not get_command(hopping).main(call, prog_name="puzzlewright", standalone_mode=False)
    assert capsys.readouterr().out.split("\n")[0] == f"f -x 9 {limits} 3 True True"
