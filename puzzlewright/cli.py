"""The command line: parse, call, print. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.outcomes import Limits, Outcome
from puzzlewright.configuration import BACKENDS
from puzzlewright.desk import (
    Desk,
    check_certificate,
    check_choice,
    check_plan_form,
    check_suffix,
    check_writable,
    heuristic_names,
    in_ascii,
    metric_names,
    obey_ctrl_c,
    put,
    seed_range,
    until_closed,
)

if TYPE_CHECKING:
    from models.level_files import LevelFile as LevelCollection
    from models.puzzle import Puzzle
    from puzzlewright.batch import Level as LevelToMeasure
    from puzzlewright.certifying import CertificateWanted
    from puzzlewright.counting import Wanted
    from puzzlewright.play.catalogue import Chosen
    from puzzlewright.report import Report
    from puzzlewright.solving import Request

app = typer.Typer(
    help="State a puzzle in YAML; get a plan that is proven shortest.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help needs no third of a second for importing what draws boxes
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 the answer holds, 2 usage, 4 unproven, 5 refuted, 11 unsolvable, 12 not found, 13 horizon, "
    "22/23/24 memory/time/node limit, 31 invalid input, 34 unsupported, 40 disagreement, 130 interrupted.",
)

File = Annotated[str, typer.Argument(metavar="FILE", help="a puzzle file, - for standard input, or a built-in puzzle")]
Level = Annotated[
    str | None, typer.Option("--level", "-l", help="a level of the file, or of --level-file; the first by default")
]
SomeLevels = Annotated[
    list[str] | None, typer.Option("--level", "-l", metavar="NAME", help="only these; * is any text (repeatable)")
]
LevelFile = Annotated[
    Path | None, typer.Option("--level-file", metavar="FILE", help="take the level from a file of the puzzle's world")
]
LevelFormat = Annotated[
    str | None, typer.Option("--level-format", metavar="NAME", help="how the level file is written, where unclear")
]
Scrambled = Annotated[
    int | None,
    typer.Option("--scramble", metavar="N", min=0, max=1_000_000, help="start after N random steps, drawn by --seed"),
]
Sets = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="replace a datum (repeatable)")]
Heuristics = Annotated[
    str | None, typer.Option("--heuristic", metavar="A,B,...", help="declared ones, or blind; tried in turn")
]
Metric = Annotated[str | None, typer.Option("--metric", metavar="A,B", help="named costs to minimise, in that order")]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds")]
MemoryLimit = Annotated[float | None, typer.Option("--memory-limit", min=0, help="peak memory of the process, MB")]
NodeLimit = Annotated[int | None, typer.Option("--node-limit", min=0, help="states expanded")]
MaxHorizon = Annotated[int | None, typer.Option("--max-horizon", min=0, help="steps of a plan")]
Seed = Annotated[int, typer.Option("--seed", help="for drawn data and random searches")]
Reproducible = Annotated[
    bool, typer.Option("--reproducible", help="leave out what differs from run to run (times, memory)")
]
Ascii = Annotated[bool, typer.Option("--ascii", callback=in_ascii, help="boards and words in ASCII letters only")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no boards, no progress")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="more on standard error")]
PlanOut = Annotated[Path | None, typer.Option("--plan-out", help="write the plan: .plan lines, .lurd, else JSON")]
NoSymmetry = Annotated[bool, typer.Option("--no-symmetry", help="tell interchangeable objects apart in the search")]
Count = Annotated[bool, typer.Option("--count", help="how many best plans there are")]
NoInvariants = Annotated[bool, typer.Option("--no-invariants", help="search even where an invariant decides")]


# -- commands ----------------------------------------------------------------------------------------------------------


@app.command()
def solve(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    backend: Annotated[str, typer.Option("--backend", "-b", help=" ".join(BACKENDS))] = "auto",
    heuristic: Heuristics = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Metric = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: NodeLimit = None,
    max_horizon: MaxHorizon = None,
    seed: Seed = 0,
    weight: Annotated[float | None, typer.Option(help="wastar: f = g + weight * h")] = None,
    width: Annotated[int | None, typer.Option(help="beam: states kept per layer")] = None,
    transpositions: Annotated[
        int | None, typer.Option(help="ids, idastar, rbfs: states remembered; 0: linear memory")
    ] = None,
    population: Annotated[int | None, typer.Option(help="genetic: individuals per generation")] = None,
    generations: Annotated[int | None, typer.Option(help="genetic: most generations")] = None,
    length: Annotated[int | None, typer.Option(help="genetic: genes of an individual")] = None,
    mutation_rate: Annotated[float | None, typer.Option(help="genetic: probability that a gene is drawn anew")] = None,
    selection: Annotated[str | None, typer.Option(help="genetic: tournament or roulette")] = None,
    no_invariants: NoInvariants = False,
    no_symmetry: NoSymmetry = False,
    count: Count = False,
    all_: Annotated[bool, typer.Option("--all", help="list all best plans")] = False,
    max_plans: Annotated[int | None, typer.Option("--max-plans", min=1, help="with --all: at most so many")] = None,
    up_to: Annotated[
        str | None, typer.Option("--up-to", metavar="A,B", help="count as one: reordering, symmetry, or both")
    ] = None,
    plan_out: PlanOut = None,
    animate: Annotated[bool, typer.Option("--animate", help="play the plan in the terminal, if this is one")] = False,
    speed: Annotated[float | None, typer.Option(min=0.1, max=60, help="with --animate: steps a second, else 2")] = None,
    ascii_: Ascii = False,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """A plan with the board drawn step by step, its length, and how it was proven."""
    tuning = {"weight": weight, "width": width, "transpositions": transpositions, "population": population,
              "generations": generations, "length": length, "mutation_rate": mutation_rate,
              "selection": selection}  # fmt: skip
    limits = Limits(time_limit, node_limit, memory_limit, max_horizon)

    def run(desk: Desk) -> Report:
        from puzzlewright.counting import solve_and_count
        from puzzlewright.solving import solve as run_backend

        check_choice("--backend", backend, BACKENDS)
        if speed is not None and not animate:
            raise typer.BadParameter("--speed is for --animate")
        wanted = _wanted_plans(count, all_, max_plans, up_to)
        check_writable("--plan-out", plan_out, file, level_file)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        check_plan_form(plan_out, puzzle)
        request = desk.request(
            puzzle, backend, heuristic, metric, limits, not no_invariants, not no_symmetry, seed, tuning
        )
        found = run_backend(puzzle, request) if wanted is None else solve_and_count(puzzle, request, wanted)
        return desk.with_plan(puzzle, found, plan_out, (speed or 2) if animate else None)

    Desk(json_, quiet, verbose, reproducible).run("solve", run)


def _wanted_plans(count: bool, list_all: bool, most: int | None, up_to: str | None) -> Wanted | None:
    """What was asked for of all best plans; None if nothing was."""
    from puzzlewright.counting import LISTED, UP_TO, Wanted

    if most is not None and not list_all:
        raise typer.BadParameter("--max-plans is for --all")
    names = tuple(dict.fromkeys(up_to.split(","))) if up_to else ()
    for name in names:
        check_choice("--up-to", name, UP_TO)
    if not (count or list_all or names):
        return None
    return Wanted((LISTED if most is None else most) if list_all else None, names)


@app.command()
def prove(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    backend: Annotated[str, typer.Option("--backend", "-b", help="the search of path one")] = "auto",
    heuristic: Heuristics = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Metric = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: NodeLimit = None,
    seed: Seed = 0,
    no_invariants: NoInvariants = False,
    no_symmetry: NoSymmetry = False,
    count: Count = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="DIR", help="write a proof that anyone can check again")
    ] = None,
    certificate_kind: Annotated[
        str, typer.Option("--certificate-kind", metavar="KIND", help="lrat, states or invariant; else what suits")
    ] = "",
    plan_out: PlanOut = None,
    reproducible: Reproducible = False,
    ascii_: Ascii = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Search finds a best plan; CP-SAT accepts it and refutes every shorter one."""

    def run(desk: Desk) -> Report:
        from puzzlewright.proving import prove as cross_check

        check_choice("--backend", backend, tuple(name for name in BACKENDS if name != "cpsat"))
        check_writable("--plan-out", plan_out, file, level_file)
        check_certificate(certificate, certificate_kind)
        if certificate is not None and level_file is not None:
            raise typer.BadParameter("--certificate holds one puzzle file: write the level of --level-file into it")
        if certificate is not None and scramble is not None:
            raise typer.BadParameter("--certificate holds a level as it is written: give its start under `state`")
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        check_plan_form(plan_out, puzzle)
        check_plan_form(certificate and certificate / "plan.json", puzzle, "--certificate")
        limits = Limits(time_limit, node_limit, memory_limit)
        request = desk.request(puzzle, backend, heuristic, metric, limits, not no_invariants, not no_symmetry, seed, {})
        wanted = None if certificate is None else _certificate(certificate, certificate_kind, desk, puzzle, set_,
                                                               request)  # fmt: skip
        return desk.with_plan(puzzle, cross_check(puzzle, request, count, wanted), plan_out)

    Desk(json_, quiet, verbose, reproducible).run("prove", run)


def _certificate(folder: Path, kind: str, desk: Desk, puzzle: Puzzle, set_: list[str] | None,
                 request: Request) -> CertificateWanted:  # fmt: skip
    from puzzlewright.bundle import Source
    from puzzlewright.certifying import CertificateWanted

    text = desk.texts[puzzle.source]
    source = Source(text, puzzle.level or None, tuple(set_ or ()), request.seed)
    return CertificateWanted(folder, source, kind, request.symmetry, request.progress)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="as for solve; or alone, the folder of a certificate")],
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="a plan file: JSON, .plan or .lurd")] = None,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Metric = None,
    time_limit: Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds, for a certificate")] = None,
    seed: Seed = 0,
    ascii_: Ascii = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Replay a plan by the referee alone; say which step fails, and why. Or check a certificate again."""

    def run(desk: Desk) -> Report:
        if plan is None:
            given = (level, level_file, level_format, set_, scramble, metric, seed or None)
            return _verify_bundle(desk, file, time_limit, given)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        return desk.with_plan(puzzle, _judged(desk, puzzle, plan, metric), None)

    Desk(json_, quiet).run("verify", run)


def _judged(desk: Desk, puzzle: Puzzle, plan: str, metric: str | None = None) -> Report:
    """What the referee says of a plan file."""
    from puzzlewright.library import read_text
    from puzzlewright.planfiles import read_plan
    from puzzlewright.verifying import verify

    text = desk.texts[plan] = read_text(plan)
    metrics = metric_names(puzzle, metric)
    return verify(puzzle, read_plan(plan, text, puzzle), metrics[0] if metrics else "")


def _verify_bundle(desk: Desk, file: str, time_limit: float | None, given: tuple[object, ...]) -> Report:
    from puzzlewright.verifying_bundles import verify_bundle

    folder = Path(file)
    if not os.path.isdir(file):
        raise typer.BadParameter("Missing argument 'PLAN': only the folder of a certificate goes without one")
    if any(value is not None for value in given):
        raise typer.BadParameter("a certificate says itself which level, data, metric and seed it is about")
    puzzle, report = verify_bundle(folder, time_limit, None if desk.quiet else desk.progress)
    return report if puzzle is None else desk.with_plan(puzzle, report, None)


@app.command()
def show(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="as for solve")] = None,
    plan: Annotated[
        str | None, typer.Argument(metavar="PLAN", help="a plan file; where one is needed, else solve")
    ] = None,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="a .svg, .png, .gif, .html or .txt")
    ] = None,
    step: Annotated[
        int | None, typer.Option("--step", metavar="N", help="after N steps of a plan; -1 is the last step")
    ] = None,
    all_steps: Annotated[bool, typer.Option("--all-steps", help="every step, in a picture on one sheet")] = False,
    scale: Annotated[float | None, typer.Option(min=0.1, max=20, help="of pixels: .png 2, .gif 1 by default")] = None,
    speed: Annotated[float, typer.Option(min=0.1, max=50, help=".gif, .html: steps a second")] = 2,
    gallery: Annotated[
        Path | None, typer.Option("--gallery", metavar="DIR", help="a picture of every built-in puzzle, and their page")
    ] = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for finding a plan")] = 60,
    reproducible: Reproducible = False,
    ascii_: Ascii = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """The start, or a plan, as text, a picture, a film, or one page that plays it."""

    def run(desk: Desk) -> Report:
        from puzzlewright.showing import MOVING, SUFFIXES, Wanted, of_start

        if gallery is not None:
            return _gallery(gallery, file)
        if file is None:
            raise typer.BadParameter("Missing argument 'FILE'")
        if step is not None and all_steps:
            raise typer.BadParameter("--step is one step, --all-steps all: give one of them")
        check_suffix("--out", out, SUFFIXES)
        check_writable("--out", out, file, level_file)
        if step is not None and out is not None and out.suffix in MOVING:
            raise typer.BadParameter(f"--step is for one picture; a {out.suffix} has all steps")
        wanted = Wanted(step, all_steps, out, scale, speed)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        if plan is not None:
            report = _judged(desk, puzzle, plan)
        elif wanted.needs_plan:
            from puzzlewright.solving import solve as find_plan

            limits = Limits(time_limit)
            report = find_plan(puzzle, desk.request(puzzle, "auto", None, None, limits, True, True, seed, {}))
        else:
            report = of_start(puzzle)
        return desk.with_pictures(puzzle, report, wanted)

    Desk(json_, quiet, False, reproducible).run("show", run)


def _gallery(folder: Path, file: str | None) -> Report:
    from puzzlewright.gallery import gallery

    if file is not None:
        raise typer.BadParameter("--gallery shows the built-in puzzles, not a file")
    check_writable("--gallery", Path(f"{folder}.md"))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"--gallery: {folder} cannot be written: {error.strerror}") from None
    return gallery(folder)


@app.command()
def play(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="as for solve; without one, all built-in puzzles")
    ] = None,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    seed: Annotated[int, typer.Option("--seed", help="for drawn data")] = 0,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="else a free one")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="print the address, and open nothing")] = False,
) -> None:
    """The puzzle in a browser: play it, take hints, watch the solver. Ctrl-C ends it."""

    def run(desk: Desk) -> Report:
        from puzzlewright.play.api import Api
        from puzzlewright.play.catalogue import Catalogue
        from puzzlewright.play.pool import Pool
        from puzzlewright.play.server import Server, serve

        chosen = None if file is None else _played(desk, file, level, level_file, level_format, set_, seed)
        if file is None and (level, level_file, level_format, set_) != (None, None, None, None):
            raise typer.BadParameter("Missing argument 'FILE': options of a level are for one puzzle")
        api = Api(Catalogue(chosen, level, seed), Pool(), BACKENDS)
        try:
            server = Server(api, port)
        except OSError as error:
            raise typer.BadParameter(f"--port: {port} cannot be used: {error.strerror}") from None
        serve(server, not no_browser)
        raise typer.Exit(0)

    Desk(False).run("play", run)


def _played(desk: Desk, file: str, level: str | None, level_file: Path | None, level_format: str | None,
            settings: list[str] | None, seed: int) -> Chosen:  # fmt: skip
    """The file to be played; PuzzleError where the level to begin with is wrong."""
    from puzzlewright.disk_cache import read_puzzle
    from puzzlewright.play.catalogue import Chosen

    collection = desk.level_file(level_file, level_format)
    text, source = desk.read(file)
    chosen = Chosen(Path(source).stem, text, source, tuple(settings or ()), collection)
    read_puzzle(text, source, level, chosen.settings, seed, collection)
    return chosen


@app.command()
def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="puzzle files")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="prove what the file claims")] = False,
    explain: Annotated[str | None, typer.Option("--explain", metavar="CODE", help="explain an error's code")] = None,
    level: SomeLevels = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    time_limit: Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds for each file")] = None,
    ascii_: Ascii = False,
    json_: Json = False,
) -> None:
    """Parse, check types and names of every level; with --prove, the claims too."""
    if explain is not None:
        _explain(explain)
    if not files:
        raise typer.BadParameter("name a file, or --explain CODE")
    obey_ctrl_c()
    desk = Desk(json_)
    levels = partial(desk.level_file, level_file, level_format)
    work = partial(_check, prove=prove, patterns=level or (), levels=levels, limits=Limits(time_limit))
    reports = [desk.attempt("check", partial(work, file)) for file in files]
    worst = max(reports, key=lambda report: report.outcome.exit_code)
    if json_ and len(reports) > 1:
        from puzzlewright.report import as_json

        reports = [replace(worst, puzzle="", diagnostics=(), verdicts={}, rows=tuple(map(as_json, reports)))]
    with until_closed():
        for report in reports:
            desk.show(report)
    raise typer.Exit(worst.outcome.exit_code)


def _check(file: str, desk: Desk, prove: bool, patterns: Sequence[str], limits: Limits,
           levels: Callable[[], LevelCollection | None]) -> Report:  # fmt: skip
    from puzzlewright.verifying import check as check_text

    text, source = desk.read(file)
    return check_text(text, source, prove=prove, patterns=patterns, level_file=levels(), deadline=limits.deadline())


def _explain(code: str) -> None:
    from models.errors import CODES

    check_choice("--explain", code, tuple(CODES))
    with until_closed():
        print(f"{code}: {CODES[code]}", flush=True)
    raise typer.Exit(0)


@app.command()
def compare(
    file: File,
    backends: Annotated[
        str, typer.Option("--backends", metavar="A,B,...", help="backends, one row each")
    ] = "bfs,astar,cpsat",
    heuristics: Annotated[
        str | None, typer.Option("--heuristics", metavar="A,B,...", help="crossed with informed backends")
    ] = None,
    level: Level = None,
    levels: Annotated[
        str | None, typer.Option("--levels", metavar="A,B,...", help="several levels, * is any text; or all")
    ] = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Metric = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for each row")] = 60,
    node_limit: NodeLimit = None,
    seed: Seed = 0,
    seeds: Annotated[
        str | None, typer.Option("--seeds", metavar="A..B", help="a row for each seed, where it makes a difference")
    ] = None,
    plot: Annotated[
        list[Path] | None, typer.Option("--plot", metavar="FILE", help="charts: .svg, .png or .html (repeatable)")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """One table over backends: length, cost, expanded, generated, seconds, peak memory."""

    def run(desk: Desk) -> Report:
        from puzzlewright.comparing import Comparison, differ
        from puzzlewright.comparing import compare as run_rows
        from puzzlewright.disk_cache import read_puzzle
        from puzzlewright.plotting import SUFFIXES, plotted

        names = backends.split(",")
        for name in names:
            check_choice("--backends", name, BACKENDS)
        for path in plot or ():
            check_suffix("--plot", path, SUFFIXES)
            check_writable("--plot", path, file, level_file)
        if level is not None and levels is not None:
            raise typer.BadParameter("--level is for one level, --levels for several: give one of them")
        every = seed_range(seed, seeds)
        text, source = desk.read(file)
        collection = desk.level_file(level_file, level_format)
        wanted = [level] if levels is None else _level_names(text, source, levels, collection)
        puzzles = {name: [read_puzzle(text, source, name, set_ or (), number, collection) for number in every]
                   for name in wanted}  # fmt: skip
        puzzle = next(iter(puzzles.values()))[0]
        crossed = heuristic_names(puzzle, "--heuristics", heuristics)
        minimised = ",".join(metric_names(puzzle, metric)) or puzzle.metrics[0]
        given = {"node-limit": node_limit, "metric": metric, "scramble": scramble, "level-file": level_file,
                 "level-format": level_format}  # fmt: skip
        passed = [f"--set={setting}" for setting in set_ or ()]
        passed += [f"--{name}={value}" for name, value in given.items() if value is not None]
        drawn = {same[0].level: scramble is not None or differ(same) for same in puzzles.values()}
        comparison = Comparison(puzzle.name, text, drawn, names, crossed, every, minimised, time_limit, passed)
        return plotted(run_rows(comparison, None if quiet else desk.progress), plot or ())

    Desk(json_, quiet, verbose).run("compare", run)


def _level_names(text: str, source: str, levels: str, collection: LevelCollection | None) -> list[str | None]:
    """The levels of `--levels`; None for a file without levels."""
    from models.document import read_document
    from puzzlewright.batch import chosen

    patterns = () if levels == "all" else levels.split(",")
    return [name or None for name in chosen(read_document(text, source), patterns, collection)]


@app.command()
def trace(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    backend: Annotated[str, typer.Option("--backend", "-b", help="one of the searches, but for genetic")] = "auto",
    heuristic: Annotated[str | None, typer.Option("--heuristic", help="a declared one, or blind")] = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Metric = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: Annotated[int, typer.Option("--node-limit", min=0, help="states expanded")] = 2000,
    max_horizon: MaxHorizon = None,
    weight: Annotated[float | None, typer.Option(help="wastar: f = g + weight * h")] = None,
    width: Annotated[int | None, typer.Option(help="beam: states kept per layer")] = None,
    transpositions: Annotated[
        int | None, typer.Option(help="ids, idastar, rbfs: states remembered; 0: linear memory")
    ] = None,
    no_symmetry: NoSymmetry = False,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="a file of JSON lines (.jsonl), or a page (.html)")
    ] = None,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """The search itself, recorded: every node generated, expanded or reopened, as JSON lines or as a page."""
    tuning = {"weight": weight, "width": width, "transpositions": transpositions}
    limits = Limits(time_limit, node_limit, memory_limit, max_horizon)

    def run(desk: Desk) -> Report:
        from puzzlewright.tracing import SUFFIXES

        check_choice("--backend", backend, BACKENDS)
        check_suffix("--out", out, SUFFIXES)
        check_writable("--out", out, file, level_file)
        if heuristic is not None and "," in heuristic:
            raise typer.BadParameter("--heuristic: a trace is of one search, with one heuristic")
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        request = desk.request(puzzle, backend, heuristic, metric, limits, False, not no_symmetry, seed, tuning)
        return desk.with_trace(puzzle, request, out)

    Desk(json_, quiet, verbose, reproducible).run("trace", run)


@app.command()
def levels(
    file: File,
    level: SomeLevels = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", metavar="A,B", help="named costs to minimise, in that order (repeatable); else each"),
    ] = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for each level")] = 60,
    node_limit: Annotated[
        int, typer.Option("--node-limit", min=0, help="states of a level, beyond which they are not counted")
    ] = 1_000_000,
    optima: Annotated[bool, typer.Option("--optima", help="the optima only: neither states nor plans counted")] = False,
    race: Annotated[bool, typer.Option("--race", help="which search is the quickest")] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="levels at a time; by default one a core")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write a line for each level")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="keep finished levels there, and do not redo them")
    ] = None,
    seed: Seed = 0,
    seeds: Annotated[
        str | None, typer.Option("--seeds", metavar="A..B", help="a row for each seed, where it draws something else")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """All levels: optimum, states, difficulty figures, and whether what the file says is known holds."""

    def run(desk: Desk) -> Report:
        from puzzlewright.batch import Batch, Journal, levels_of, measure
        from puzzlewright.level_rows import Wanted
        from puzzlewright.printing import print_report
        from puzzlewright.scrambling import drawn_levels

        check_writable("--csv", csv, file, level_file)
        check_writable("--resume", resume, file, level_file)
        try:
            journal = Journal(resume)
        except (OSError, ValueError):
            raise typer.BadParameter(f"--resume: {resume} holds something else than rows of `levels`") from None
        progress = None if quiet else desk.progress
        collection = desk.level_file(level_file, level_format)
        text, source = desk.read(file)

        def read(number: int) -> list[LevelToMeasure]:
            return levels_of(text, source, level or (), set_ or (), number, progress, collection)

        chosen = drawn_levels(read, seed_range(seed, seeds), scramble)
        orders = tuple(metric_names(chosen[0].load(), names) for names in metric or ())
        wanted = Wanted(time_limit, node_limit, race, seed, not set_, orders, optima)
        batch = Batch(wanted, jobs or os.cpu_count() or 1, csv, journal)
        report = measure(chosen, batch, progress)
        if scramble is not None:
            report = replace(report, notes=(*report.notes, f"the starts are scrambled by {scramble} random steps"))
        if report.outcome is Outcome.INVALID_INPUT and not json_:  # one level is wrong; the others have their rows
            desk.progress.clear()
            print_report(report)
        return report

    Desk(json_, quiet, verbose).run("levels", run)


@app.command()
def explore(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="A,B", help="named costs that make a distance, or steps")
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: NodeLimit = None,
    no_symmetry: NoSymmetry = False,
    seed: Seed = 0,
    show: Annotated[int, typer.Option("--show", min=0, help="hardest starts to draw")] = 3,
    hardest: Annotated[
        int | None, typer.Option("--hardest", metavar="K", min=1, help="propose K levels, the hardest, far apart")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", metavar="L", min=1, help="of the proposed levels, else the largest")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="write the proposed levels")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write a line for each layer")] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", metavar="FILE", help="write a small space as .graphml or .dot")
    ] = None,
    reproducible: Reproducible = False,
    ascii_: Ascii = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """The whole state space: layers, goals, best plans, dead ends, hardest starts."""
    limits = Limits(time_limit, node_limit, memory_limit)

    def run(desk: Desk) -> Report:
        from puzzlewright.exploration import STEPS
        from puzzlewright.exploring import Wanted
        from puzzlewright.exploring import explore as walk
        from puzzlewright.graphfiles import SUFFIXES

        check_writable("--csv", csv, file, level_file)
        check_writable("--graph", graph, file, level_file)
        check_suffix("--graph", graph, SUFFIXES)
        check_writable("--save", save, file, level_file)
        if hardest is None and (length is not None or save is not None):
            raise typer.BadParameter("--length and --save are for --hardest")
        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        in_steps = metric == STEPS and STEPS not in puzzle.metrics
        request = desk.request(
            puzzle, "auto", None, None if in_steps else metric, limits, False, not no_symmetry, seed, {}
        )
        wanted = Wanted(in_steps, 0 if hardest else show, csv, graph, hardest or 0, length, save,
                        desk.texts[puzzle.source])  # fmt: skip
        return desk.with_exploration(puzzle, walk(puzzle, request, wanted))

    Desk(json_, quiet, verbose, reproducible).run("explore", run)


@app.command("explain")
def explain_(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    scramble: Scrambled = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for everything")] = 60,
    memory_limit: MemoryLimit = None,
    node_limit: Annotated[int | None, typer.Option("--node-limit", min=0, help="states to look at")] = None,
    no_invariants: NoInvariants = False,
    no_symmetry: NoSymmetry = False,
    seed: Seed = 0,
    reproducible: Reproducible = False,
    ascii_: Ascii = False,
    json_: Json = False,
    verbose: Verbose = False,
) -> None:
    """Why there is no plan: what can never be, what blocks it, what would help."""

    def run(desk: Desk) -> Report:
        from puzzlewright.explaining import explain

        puzzle = desk.load(file, level, set_, seed, level_file, level_format, scramble)
        limits = Limits(time_limit, node_limit, memory_limit)
        request = desk.request(puzzle, "auto", None, None, limits, not no_invariants, not no_symmetry, seed, {})
        return desk.with_exploration(puzzle, explain(puzzle, request, desk.texts[puzzle.source]))

    Desk(json_, False, verbose, reproducible).run("explain", run)


@app.command()
def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="the file to write, or - for standard output")],
    like: Annotated[str | None, typer.Option("--like", metavar="NAME", help="a copy of a built-in puzzle")] = None,
    json_: Json = False,
) -> None:
    """A puzzle file to begin with, which solves at once. An existing file is never overwritten."""

    def run(desk: Desk) -> Report:
        from puzzlewright.library import built_in
        from puzzlewright.starting import begin, starter

        name = like and like.replace("-", "_")
        if name is not None:
            check_choice("--like", name, tuple(built_in()))
        if file == "-":
            if json_:
                raise typer.BadParameter("--json and - both want standard output")
            put(starter(name))
        path = Path(file)
        check_suffix("FILE", path, (".yaml", ".yml"))
        try:
            return begin(path, starter(name))
        except FileExistsError:
            raise typer.BadParameter(f"{path} exists already; `new` overwrites nothing") from None
        except OSError as error:
            raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from None

    Desk(json_).run("new", run)


@app.command("schema")
def schema_(json_: Annotated[bool, typer.Option("--json", help="the same in one line")] = False) -> None:
    """The JSON Schema of puzzle files, for editors."""
    import json

    from puzzlewright.schema import schema

    put(json.dumps(schema(), indent=None if json_ else 2) + "\n")


@app.command("list")
def list_(json_: Json = False) -> None:
    """The built-in puzzles and their levels."""

    def run(desk: Desk) -> Report:
        from puzzlewright.listing import listing

        return listing()

    Desk(json_).run("list", run)
