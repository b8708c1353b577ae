"""The command line: parse, call, print. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from models.outcomes import Limits, Outcome

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.report import Report
    from puzzlewright.solving import Request

app = typer.Typer(
    help="State a puzzle in YAML; get a plan that is proven shortest.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 the answer holds, 2 usage, 4 unproven, 5 refuted, 11 unsolvable, 12 not found, 13 horizon, "
    "22/23/24 memory/time/node limit, 31 invalid input, 34 unsupported, 40 disagreement, 130 interrupted.",
)

BACKENDS = ("auto", "bfs", "dfs", "ids", "ucs", "greedy", "astar", "wastar", "idastar", "rbfs", "bidirectional", "beam",
            "genetic", "cpsat")  # fmt: skip

File = Annotated[str, typer.Argument(metavar="FILE", help="a puzzle file, - for standard input, or a built-in puzzle")]
Level = Annotated[str | None, typer.Option("--level", "-l", help="a level of the file; the first by default")]
Sets = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="replace a datum (repeatable)")]
Heuristics = Annotated[str | None, typer.Option("--heuristic", metavar="A,B,...", help="declared ones, or blind; tried in turn")]
Metric = Annotated[str | None, typer.Option("--metric", metavar="A,B", help="named costs to minimise, in that order")]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", min=0, help="seconds")]
MemoryLimit = Annotated[float | None, typer.Option("--memory-limit", min=0, help="peak memory of the process, MB")]
NodeLimit = Annotated[int | None, typer.Option("--node-limit", min=0, help="states expanded")]
MaxHorizon = Annotated[int | None, typer.Option("--max-horizon", min=0, help="steps of a plan")]
Seed = Annotated[int, typer.Option("--seed", help="for drawn data and random searches")]
Reproducible = Annotated[bool, typer.Option("--reproducible", help="leave out what differs from run to run (times, memory)")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no boards, no progress")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="more on standard error")]
PlanOut = Annotated[Path | None, typer.Option("--plan-out", help="write the plan: .plan lines, else JSON")]
NoInvariants = Annotated[bool, typer.Option("--no-invariants", help="search even where an invariant decides")]


# -- commands ----------------------------------------------------------------------------------------------------------


@app.command()
def solve(
    file: File,
    level: Level = None,
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
    population: Annotated[int | None, typer.Option(help="genetic: individuals per generation")] = None,
    generations: Annotated[int | None, typer.Option(help="genetic: most generations")] = None,
    length: Annotated[int | None, typer.Option(help="genetic: genes of an individual")] = None,
    mutation_rate: Annotated[float | None, typer.Option(help="genetic: probability that a gene is drawn anew")] = None,
    selection: Annotated[str | None, typer.Option(help="genetic: tournament or roulette")] = None,
    no_invariants: NoInvariants = False,
    plan_out: PlanOut = None,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """A plan with the board drawn step by step, its length, and how it was proven."""
    tuning = {"weight": weight, "width": width, "population": population, "generations": generations, "length": length,
              "mutation_rate": mutation_rate, "selection": selection}  # fmt: skip
    limits = Limits(time_limit, node_limit, memory_limit, max_horizon)

    def run(desk: Desk) -> Report:
        from puzzlewright.solving import solve as run_backend

        _check_choice("--backend", backend, BACKENDS)
        puzzle = desk.load(file, level, set_, seed)
        request = desk.request(puzzle, backend, heuristic, metric, limits, not no_invariants, seed, tuning)
        return desk.finish(puzzle, run_backend(puzzle, request), plan_out)

    Desk(json_, quiet, verbose, reproducible).run("solve", run)


@app.command()
def prove(
    file: File,
    level: Level = None,
    backend: Annotated[str, typer.Option("--backend", "-b", help="the search of path one")] = "auto",
    heuristic: Heuristics = None,
    set_: Sets = None,
    metric: Metric = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: NodeLimit = None,
    seed: Seed = 0,
    no_invariants: NoInvariants = False,
    plan_out: PlanOut = None,
    reproducible: Reproducible = False,
    json_: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Search finds a best plan; CP-SAT accepts it and refutes every shorter one."""

    def run(desk: Desk) -> Report:
        from puzzlewright.proving import prove as cross_check

        _check_choice("--backend", backend, tuple(name for name in BACKENDS if name != "cpsat"))
        puzzle = desk.load(file, level, set_, seed)
        limits = Limits(time_limit, node_limit, memory_limit)
        request = desk.request(puzzle, backend, heuristic, metric, limits, not no_invariants, seed, {})
        return desk.finish(puzzle, cross_check(puzzle, request), plan_out)

    Desk(json_, quiet, verbose, reproducible).run("prove", run)


@app.command()
def verify(
    file: File,
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="a plan file: JSON or .plan")],
    level: Level = None,
    set_: Sets = None,
    metric: Metric = None,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Replay a plan by the referee alone; say which step fails, and why."""

    def run(desk: Desk) -> Report:
        from puzzlewright.planfiles import read_plan
        from puzzlewright.verifying import verify as judge

        puzzle = desk.load(file, level, set_, seed)
        desk.text, desk.source = read_text(plan), plan
        metrics = _metrics(puzzle, metric)
        report = judge(puzzle, read_plan(plan, desk.text, puzzle), metrics[0] if metrics else "")
        return desk.finish(puzzle, report, None)

    Desk(json_, quiet).run("verify", run)


@app.command()
def check(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE...", help="puzzle files")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="prove what the file claims")] = False,
    explain: Annotated[str | None, typer.Option("--explain", metavar="CODE", help="explain an error's code")] = None,
    json_: Json = False,
) -> None:
    """Parse, check types and names of every level; with --prove, the claims too."""
    if explain is not None:
        _explain(explain)
    if not files:
        raise typer.BadParameter("name a file, or --explain CODE")
    codes = [Desk(json_).run("check", _checking(file, prove), leave=False) for file in files]
    raise typer.Exit(max(codes))


@app.command()
def compare(
    file: File,
    backends: Annotated[str, typer.Option("--backends", metavar="A,B,...", help="backends, one row each")] = "bfs,astar,cpsat",
    heuristics: Annotated[str | None, typer.Option("--heuristics", metavar="A,B,...", help="crossed with informed backends")] = None,
    level: Level = None,
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
            _check_choice("--backends", name, BACKENDS)
        puzzle = desk.load(file, level, set_, seed)
        passed = [f"--time-limit={time_limit}", f"--seed={seed}", *(f"--set={setting}" for setting in set_ or ())]
        passed += [f"--level={puzzle.level}"] * bool(puzzle.level) + [f"--node-limit={node_limit}"] * (node_limit is not None)
        passed += [f"--metric={metric}"] * (metric is not None)
        report = run_rows(puzzle, file, desk.text, names, heuristics.split(",") if heuristics else [], passed, time_limit)
        return desk.finish(puzzle, report, None)

    Desk(json_).run("compare", run)


@app.command("list")
def list_(json_: Json = False) -> None:
    """The built-in puzzles and their levels."""

    def run(desk: Desk) -> Report:
        from puzzlewright.listing import listing

        return listing(desk.as_json)

    Desk(json_).run("list", run)


# -- what the commands share -------------------------------------------------------------------------------------------


class Desk:
    """One command's run: loads, shows progress, prints the report once, leaves with its exit code."""

    def __init__(self, as_json: bool, quiet: bool = False, verbose: bool = False, reproducible: bool = False) -> None:
        self.as_json, self.quiet, self.verbose, self.reproducible = as_json, quiet, verbose, reproducible
        self.text = self.source = ""
        self.load_seconds = 0.0
        self.progress = Ticker(sys.stderr.isatty())

    def run(self, command: str, work: Callable[[Desk], Report], leave: bool = True) -> int:
        """Do the work; whatever goes wrong becomes one report and one exit code."""
        from models.errors import PuzzleError
        from puzzlewright.report import Report

        _obey_ctrl_c()
        try:
            report = work(self)
        except PuzzleError as error:
            report = self._show(Report(command, Outcome.INVALID_INPUT, diagnostics=error.diagnostics))
        except typer.BadParameter:
            raise
        except KeyboardInterrupt:
            report = self._show(Report(command, Outcome.INTERRUPTED))
        except BrokenPipeError:
            os._exit(0)
        except Exception as error:
            if os.environ.get("PUZZLEWRIGHT_DEBUG"):
                raise
            note = f"{type(error).__name__}: {error} (PUZZLEWRIGHT_DEBUG=1 shows where)"
            report = self._show(Report(command, Outcome.INTERNAL_ERROR, notes=(note,)))
        if leave:
            raise typer.Exit(report.outcome.exit_code)
        return report.outcome.exit_code

    def load(self, file: str, level: str | None, settings: list[str] | None, seed: int) -> Puzzle:
        started = time.perf_counter()
        from models.data import parse_setting
        from models.loader import load_text
        from puzzlewright.library import find

        self.text, self.source = find(file)
        values = dict(parse_setting(setting) for setting in settings or ())
        puzzle = load_text(self.text, self.source, level, values, seed)
        self.load_seconds = time.perf_counter() - started
        return puzzle

    def request(self, puzzle: Puzzle, backend: str, heuristic: str | None, metric: str | None, limits: Limits,
                invariants: bool, seed: int, tuning: dict[str, Any]) -> Request:  # fmt: skip
        from puzzlewright.solving import Request

        options = {name: value for name, value in tuning.items() if value is not None}
        _check_options(options)
        heuristics = tuple(heuristic.split(",")) if heuristic else ()
        known = ("blind", *(declared.name for declared in puzzle.heuristics))
        for name in heuristics:
            _check_choice("--heuristic", name, known)
        progress = None if self.quiet else self.progress
        return Request(backend, heuristics, _metrics(puzzle, metric), limits, invariants, seed, options, progress,
                       self.load_seconds)  # fmt: skip

    def finish(self, puzzle: Puzzle, report: Report, plan_out: Path | None) -> Report:
        """Print the report; write the plan where that was asked for."""
        from puzzlewright import printing
        from puzzlewright.planfiles import write_plan

        self.progress.clear()
        report = self._without_times(report)
        if plan_out is not None and report.plan is not None:
            write_plan(plan_out, report)
        if not self.as_json and report.rows is None:
            printing.write(printing.title(puzzle))
            printing.write()
            if report.plan is not None and not self.quiet:
                printing.print_plan(puzzle, report)
        return self._show(report)

    def _without_times(self, report: Report) -> Report:
        from dataclasses import replace

        if not self.reproducible:
            return report
        kept = {k: v for k, v in report.statistics.items() if not k.endswith(("_seconds", "_mb")) and k != "solves"}
        return replace(report, statistics=kept)

    def _show(self, report: Report) -> Report:
        from puzzlewright import printing
        from puzzlewright.report import as_json

        self.progress.clear()
        if self.as_json:
            printing.write(json.dumps(as_json(report), ensure_ascii=False))
        elif report.outcome is Outcome.INVALID_INPUT:
            printing.print_diagnostics(report, self.text or None)
        else:
            if not self.quiet:
                printing.print_diagnostics(report, self.text or None)
            if report.rows is None:
                printing.print_summary(report)
        return report


class Ticker:
    """Progress on stderr: one line that is overwritten on a terminal, one in ten seconds elsewhere."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.shown = terminal, ""
        self.next = time.monotonic() + (0.5 if terminal else 10)

    def __call__(self, text: str) -> None:
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + (0.2 if self.terminal else 10)
        end = "" if self.terminal else "\n"
        start = "\r" if self.terminal else ""
        print(start + text.ljust(len(self.shown)), end=end, file=sys.stderr, flush=True)
        self.shown = text

    def clear(self) -> None:
        if self.terminal and self.shown:
            print("\r" + " " * len(self.shown) + "\r", end="", file=sys.stderr, flush=True)
        self.shown = ""


def _obey_ctrl_c() -> None:
    """The first Ctrl-C interrupts the work, the second ends the process at once."""

    def second(number: int, frame: Any) -> None:
        os._exit(130)

    def first(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, second)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, first)


def _check_choice(option: str, value: str, known: tuple[str, ...]) -> None:
    from models.errors import did_you_mean

    if value not in known:
        hint = did_you_mean(value, known)
        raise typer.BadParameter(f"{option}: {value!r} is none of {', '.join(known)}" + (f"; {hint}" if hint else ""))


def _check_options(options: dict[str, Any]) -> None:
    from search.options import Options

    try:
        Options(**options)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _metrics(puzzle: Puzzle, metric: str | None) -> tuple[str, ...]:
    names = tuple(metric.split(",")) if metric else ()
    for name in names:
        _check_choice("--metric", name, puzzle.metrics)
    return names


def _checking(file: str, prove: bool) -> Callable[[Desk], Report]:
    def run(desk: Desk) -> Report:
        from puzzlewright.library import find
        from puzzlewright.verifying import check as check_text

        desk.text, desk.source = find(file)
        report, puzzles = check_text(desk.text, desk.source, prove=prove)
        if not desk.as_json:
            levels = f", {len(puzzles)} levels" if len(puzzles) > 1 else ""
            print(f"{desk.source}: {puzzles[0].name}{levels}")
        return desk._show(report)

    return run


def _explain(code: str) -> None:
    from models.errors import CODES, did_you_mean

    if code not in CODES:
        raise typer.BadParameter(f"there is no code {code!r}; {did_you_mean(code, CODES)}")
    print(f"{code}: {CODES[code]}")
    raise typer.Exit(0)


def read_text(path: str) -> str:
    from puzzlewright.library import read

    return sys.stdin.read() if path == "-" else read(Path(path), path)
