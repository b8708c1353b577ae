"""The command line: parse, call, print. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.outcomes import Limits, Outcome
from puzzlewright.desk import (
    Desk,
    check_certificate,
    check_choice,
    check_plan_form,
    check_plan_out,
    check_suffix,
    check_writable,
    heuristic_names,
    metric_names,
    obey_ctrl_c,
)

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.certifying import CertificateWanted
    from puzzlewright.counting import Wanted
    from puzzlewright.report import Report

app = typer.Typer(
    help="State a puzzle in YAML; get a plan that is proven shortest.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help needs no third of a second for importing what draws boxes
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 the answer holds, 2 usage, 4 unproven, 5 refuted, 11 unsolvable, 12 not found, 13 horizon, "
    "22/23/24 memory/time/node limit, 31 invalid input, 34 unsupported, 40 disagreement, 130 interrupted.",
)

BACKENDS = ("auto", "bfs", "dfs", "ids", "ucs", "greedy", "astar", "wastar", "idastar", "rbfs", "bidirectional", "beam",
            "genetic", "cpsat")  # fmt: skip

File = Annotated[str, typer.Argument(metavar="FILE", help="a puzzle file, - for standard input, or a built-in puzzle")]
Level = Annotated[
    str | None, typer.Option("--level", "-l", help="a level of the file, or of --level-file; the first by default")
]
LevelFile = Annotated[
    Path | None, typer.Option("--level-file", metavar="FILE", help="take the level from a file of the puzzle's world")
]
LevelFormat = Annotated[
    str | None, typer.Option("--level-format", metavar="NAME", help="how the level file is written, where unclear")
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
        wanted = _wanted_plans(count, all_, max_plans, up_to)
        check_plan_out(plan_out)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        check_plan_form(plan_out, puzzle)
        request = desk.request(
            puzzle, backend, heuristic, metric, limits, not no_invariants, not no_symmetry, seed, tuning
        )
        found = run_backend(puzzle, request) if wanted is None else solve_and_count(puzzle, request, wanted)
        return desk.with_plan(puzzle, found, plan_out)

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
    plan_out: PlanOut = None,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Search finds a best plan; CP-SAT accepts it and refutes every shorter one."""

    def run(desk: Desk) -> Report:
        from puzzlewright.proving import prove as cross_check

        check_choice("--backend", backend, tuple(name for name in BACKENDS if name != "cpsat"))
        check_plan_out(plan_out)
        check_certificate(certificate)
        if certificate is not None and level_file is not None:
            raise typer.BadParameter("--certificate holds one puzzle file: write the level of --level-file into it")
        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        check_plan_form(plan_out, puzzle)
        wanted = None if certificate is None else _certificate(certificate, desk, puzzle, set_, seed)
        limits = Limits(time_limit, node_limit, memory_limit)
        request = desk.request(puzzle, backend, heuristic, metric, limits, not no_invariants, not no_symmetry, seed, {})
        return desk.with_plan(puzzle, cross_check(puzzle, request, count, wanted), plan_out)

    Desk(json_, quiet, verbose, reproducible).run("prove", run)


def _certificate(folder: Path, desk: Desk, puzzle: Puzzle, set_: list[str] | None, seed: int) -> CertificateWanted:
    from puzzlewright.bundle import Source
    from puzzlewright.certifying import CertificateWanted

    text = desk.texts[puzzle.source]
    return CertificateWanted(folder, Source(text, puzzle.level or None, tuple(set_ or ()), seed))


@app.command()
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="as for solve; or alone, the folder of a certificate")],
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="a plan file: JSON, .plan or .lurd")] = None,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    metric: Metric = None,
    time_limit: Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds, for a certificate")] = None,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Replay a plan by the referee alone; say which step fails, and why. Or check a certificate again."""

    def run(desk: Desk) -> Report:
        if plan is None:
            given = (level, level_file, level_format, set_, metric, seed or None)
            return _verify_bundle(desk, file, time_limit, given)
        from puzzlewright.library import read_text
        from puzzlewright.planfiles import read_plan
        from puzzlewright.verifying import verify as judge

        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        text = desk.texts[plan] = read_text(plan)
        metrics = metric_names(puzzle, metric)
        report = judge(puzzle, read_plan(plan, text, puzzle), metrics[0] if metrics else "")
        return desk.with_plan(puzzle, report, None)

    Desk(json_, quiet).run("verify", run)


def _verify_bundle(desk: Desk, file: str, time_limit: float | None, given: tuple[object, ...]) -> Report:
    from puzzlewright.verifying_bundles import verify_bundle

    folder = Path(file)
    if not folder.is_dir():
        raise typer.BadParameter("Missing argument 'PLAN': only the folder of a certificate goes without one")
    if any(value is not None for value in given):
        raise typer.BadParameter("a certificate says itself which level, data, metric and seed it is about")
    puzzle, report = verify_bundle(folder, time_limit)
    return report if puzzle is None else desk.with_plan(puzzle, report, None)


@app.command()
def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="puzzle files")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="prove what the file claims")] = False,
    explain: Annotated[str | None, typer.Option("--explain", metavar="CODE", help="explain an error's code")] = None,
    json_: Json = False,
) -> None:
    """Parse, check types and names of every level; with --prove, the claims too."""
    if explain is not None:
        _explain(explain)
    if not files:
        raise typer.BadParameter("name a file, or --explain CODE")
    obey_ctrl_c()
    desk = Desk(json_)
    reports = [desk.attempt("check", lambda desk, file=file: _check(desk, file, prove)) for file in files]  # type: ignore[misc]
    worst = max(reports, key=lambda report: report.outcome.exit_code)
    if not json_:
        for report in reports:
            desk.show(report)
    elif len(reports) == 1:
        desk.show(worst)
    else:
        from puzzlewright.report import as_json

        desk.show(replace(worst, puzzle="", diagnostics=(), verdicts={}, rows=tuple(map(as_json, reports))))
    raise typer.Exit(worst.outcome.exit_code)


def _check(desk: Desk, file: str, prove: bool) -> Report:
    from puzzlewright.verifying import check as check_text

    return check_text(*desk.read(file), prove=prove)


def _explain(code: str) -> None:
    from models.errors import CODES

    check_choice("--explain", code, tuple(CODES))
    print(f"{code}: {CODES[code]}")
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
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    metric: Metric = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for each row")] = 60,
    node_limit: NodeLimit = None,
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """One table over backends: length, cost, expanded, generated, seconds, peak memory."""

    def run(desk: Desk) -> Report:
        from puzzlewright.comparing import compare as run_rows

        names = backends.split(",")
        for name in names:
            check_choice("--backends", name, BACKENDS)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        passed = [f"--time-limit={time_limit}", f"--seed={seed}", *(f"--set={setting}" for setting in set_ or ())]
        passed += [f"--level={puzzle.level}"] * bool(puzzle.level) + [f"--node-limit={node_limit}"] * (
            node_limit is not None
        )
        passed += [f"--metric={metric}"] * (metric is not None)
        if level_file is not None:
            passed += [f"--level-file={level_file}"]
            passed += [f"--level-format={level_format}"] * (level_format is not None)
        crossed = heuristic_names(puzzle, "--heuristics", heuristics)
        metric_names(puzzle, metric)
        return run_rows(puzzle, desk.texts[puzzle.source], names, crossed, passed, time_limit)

    Desk(json_).run("compare", run)


@app.command()
def levels(
    file: File,
    level: Annotated[
        list[str] | None, typer.Option("--level", "-l", metavar="NAME", help="only these; * is any text (repeatable)")
    ] = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for each level")] = 60,
    node_limit: Annotated[
        int, typer.Option("--node-limit", min=0, help="states of a level, beyond which they are not counted")
    ] = 1_000_000,
    race: Annotated[bool, typer.Option("--race", help="which search is the quickest")] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="levels at a time; by default one a core")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write a line for each level")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="keep finished levels there, and do not redo them")
    ] = None,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """All levels: optimum, states, difficulty figures, and whether what the file says is known holds."""

    def run(desk: Desk) -> Report:
        from puzzlewright.level_rows import Wanted
        from puzzlewright.levels import Batch, Journal, levels_of, measure
        from puzzlewright.printing import print_report

        check_writable("--csv", csv)
        check_writable("--resume", resume)
        try:
            journal = Journal(resume)
        except (OSError, ValueError):
            raise typer.BadParameter(f"--resume: {resume} holds something else than rows of `levels`") from None
        progress = None if quiet else desk.progress
        collection = desk.level_file(level_file, level_format)
        chosen = levels_of(*desk.read(file), level or (), set_ or (), seed, progress, collection)
        wanted = Wanted(time_limit, node_limit, race, seed, known=not set_)
        batch = Batch(wanted, jobs or os.cpu_count() or 1, csv, journal)
        report = measure(chosen, batch, progress)
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
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="A,B", help="named costs that make a distance, or steps")
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: NodeLimit = None,
    no_symmetry: NoSymmetry = False,
    seed: Seed = 0,
    show: Annotated[int, typer.Option("--show", min=0, help="hardest starts to draw")] = 3,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="write a line for each layer")] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", metavar="FILE", help="write a small space as .graphml or .dot")
    ] = None,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """The whole state space: layers, goals, best plans, dead ends, hardest starts."""
    limits = Limits(time_limit, node_limit, memory_limit)

    def run(desk: Desk) -> Report:
        from puzzlewright.exploring import STEPS, Wanted
        from puzzlewright.exploring import explore as walk
        from puzzlewright.graphfiles import SUFFIXES

        check_writable("--csv", csv)
        check_writable("--graph", graph)
        check_suffix("--graph", graph, SUFFIXES)
        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        in_steps = metric == STEPS and STEPS not in puzzle.metrics
        request = desk.request(
            puzzle, "auto", None, None if in_steps else metric, limits, False, not no_symmetry, seed, {}
        )
        return desk.with_exploration(puzzle, walk(puzzle, request, Wanted(in_steps, show, csv, graph)))

    Desk(json_, quiet, verbose, reproducible).run("explore", run)


@app.command("explain")
def explain_(
    file: File,
    level: Level = None,
    level_file: LevelFile = None,
    level_format: LevelFormat = None,
    set_: Sets = None,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0, help="seconds for everything")] = 60,
    memory_limit: MemoryLimit = None,
    node_limit: Annotated[int | None, typer.Option("--node-limit", min=0, help="states to look at")] = None,
    no_invariants: NoInvariants = False,
    no_symmetry: NoSymmetry = False,
    seed: Seed = 0,
    reproducible: Reproducible = False,
    json_: Json = False,
    verbose: Verbose = False,
) -> None:
    """Why there is no plan: what can never be, what blocks it, what would help."""

    def run(desk: Desk) -> Report:
        from puzzlewright.explaining import explain

        puzzle = desk.load(file, level, set_, seed, level_file, level_format)
        limits = Limits(time_limit, node_limit, memory_limit)
        request = desk.request(puzzle, "auto", None, None, limits, not no_invariants, not no_symmetry, seed, {})
        return desk.with_exploration(puzzle, explain(puzzle, request, desk.texts[puzzle.source]))

    Desk(json_, False, verbose, reproducible).run("explain", run)


@app.command("list")
def list_(json_: Json = False) -> None:
    """The built-in puzzles and their levels."""

    def run(desk: Desk) -> Report:
        from puzzlewright.listing import listing

        return listing()

    Desk(json_).run("list", run)
