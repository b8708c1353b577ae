"""Planners of other people as referees: run as processes on what `export` writes, their plans judged by our referee.

Nothing of them is believed: a plan is replayed by the puzzle as it is written, and its cost counted there. That no plan
is cheaper is their own word, which is why it stands in a row of its own.
"""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.errors import PuzzleError
from models.frozen import frozen
from models.outcomes import LimitReached, Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from models.referee import replay
from puzzlewright.configuration import ConfigurationError
from puzzlewright.files.exporting.pddl import action_names, is_priced, pddl_texts
from puzzlewright.files.exporting.planning import Planning, planning_of
from puzzlewright.files.exporting.sas import sas_text
from puzzlewright.files.planfiles import read_plan
from puzzlewright.solving.workbench import Workbench

ENVIRONMENT = "PEERS_ENV"  # a virtual environment that has planners, besides our own
PLAN = "found.s"  # how the names of plan files begin


@frozen(eq=True)
class Planner:
    """Where a planner is, and how it is asked for a cheapest plan."""

    wheel: str
    driver: str  # its program inside of the environment's packages
    variable: str  # of the environment, which names another program
    asked: tuple[str, ...]  # words behind the name of the file
    conditional: bool = True  # may effects have conditions?
    strips: bool = False  # does it read grounded PDDL without costs, in place of SAS+?

    def program(self) -> list[str] | None:
        """How the planner is started; None where it is not installed."""
        named = os.environ.get(self.variable)
        found = next((path for path in ([Path(named)] if named else self._places()) if path.is_file()), None)
        if found is None:
            return None
        return [_python(found), str(found)] if found.suffix == ".py" else [str(found)]

    def _places(self) -> list[Path]:
        """In our own environment, then in that of `PEERS_ENV`."""
        package = importlib.util.find_spec(self.driver.partition("/")[0])
        ours = [Path(place).parent / self.driver for place in (package and package.submodule_search_locations) or ()]
        theirs = os.environ.get(ENVIRONMENT)
        return [*ours, *(Path(theirs).glob(f"lib/python*/site-packages/{self.driver}") if theirs else ())]


def _python(driver: Path) -> str:
    """Of the environment that the driver is in."""
    own = next((each / "bin/python" for each in driver.parents if (each / "bin/python").exists()), None)
    return str(own or sys.executable)


FD = ("up-fast-downward", "up_fast_downward/downward/fast-downward.py", "PEER_FD")
SYMK = ("up-symk", "up_symk/symk/fast-downward.py", "PEER_SYMK")
PYPERPLAN = ("pyperplan", "pyperplan/__main__.py", "PEER_PYPERPLAN")
PLANNERS: Mapping[str, Planner] = {
    "fast-downward": Planner(*FD, ("--search", "astar(blind())")),
    "fast-downward-lmcut": Planner(*FD, ("--search", "astar(lmcut())"), conditional=False),
    "symk": Planner(*SYMK, ("--search", "sym_bd()")),
    "pyperplan": Planner(*PYPERPLAN, ("-s", "bfs"), conditional=False, strips=True),
}


def check_installed(name: str) -> None:
    """ConfigurationError where the planner is not here, with what makes it be."""
    planner = PLANNERS[name]
    if planner.program() is None:
        how = f"pip install {planner.wheel}; or {planner.variable} names its program, {ENVIRONMENT} an environment"
        raise ConfigurationError("with", f"{name} is not installed: {how}")


def planner_row(name: str, puzzle: Puzzle, metrics: Sequence[str], seconds: float) -> dict[str, Any]:
    """What the planner makes of the puzzle in so many seconds, as a row of `compare`."""
    started = time.perf_counter()
    try:
        bench = Workbench(puzzle, metrics, Limits(seconds).deadline())
        made = planning_of(bench)
        _check(PLANNERS[name], made)
        row = _asked(PLANNERS[name], made, bench)
    except Unsupported as reason:
        row = {"outcome": str(Outcome.UNSUPPORTED), "notes": [str(reason)]}
    except LimitReached as reason:
        row = {"outcome": str(reason.outcome)}
    return {**row, "total_seconds": round(time.perf_counter() - started, 4)}


def _check(planner: Planner, made: Planning) -> None:
    """Unsupported where the planner cannot be asked."""
    if not planner.conditional and any(each.conditions for action in made.actions for each in action.effects):
        raise Unsupported("it needs effects without conditions")
    if planner.strips and is_priced(made):
        raise Unsupported("it needs steps that cost 1, and one goal")


def _asked(planner: Planner, made: Planning, bench: Workbench) -> dict[str, Any]:
    program = planner.program()
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        words = [*program, *(_as_strips if planner.strips else _as_sas)(planner, made, Path(folder))]
        code, told = _run(words, Path(folder), bench.deadline.left)
        plans = sorted(Path(folder).glob(f"{PLAN}*"))
        plan = plans[0].read_text(encoding="utf-8") if plans else None
    figures = _figures(told)
    price = figures.pop("price")
    if plan is None:
        return {**figures, **_without_plan(code, told)}
    return {**figures, **_judged(_renamed(plan, made) if planner.strips else plan, price, bench)}


def _as_sas(planner: Planner, made: Planning, folder: Path) -> Sequence[str]:
    """The task written, and the words that ask for its plan."""
    (folder / "task.sas").write_text(sas_text(made), encoding="utf-8")
    return "--plan-file", PLAN, "task.sas", *planner.asked


def _as_strips(planner: Planner, made: Planning, folder: Path) -> Sequence[str]:
    """The same in PDDL; the plan will lie beside the problem."""
    domain, problem = pddl_texts(made, "puzzle")
    (folder / "domain.pddl").write_text(domain, encoding="utf-8")
    (folder / "found").write_text(problem, encoding="utf-8")
    return *planner.asked, "domain.pddl", "found"


def _renamed(plan: str, made: Planning) -> str:
    """The plan with the steps' own words."""
    words = dict(zip(action_names(made), made.actions, strict=True))
    return "".join(f"({words[line.strip().strip('()')].name})\n" for line in plan.splitlines() if line.strip())


def _run(words: Sequence[str], folder: Path, seconds: float | None) -> tuple[int | None, str]:
    """The exit code, None if its time was up, and all that was printed; nothing that it started is left behind."""
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   start_new_session=True)  # fmt: skip
        try:
            code: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process)
    return code, (folder / "log").read_text(encoding="utf-8", errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _figures(told: str) -> dict[str, Any]:
    """What planners print of their work; None is what they do not tell."""
    memory, seconds = _number(r"Peak memory: (\d+) KB", told), _number(r"Search time: ([\d.e+-]+)", told)
    return {
        "price": _whole(r"Plan cost: (\d+)", told),
        "expanded": _whole(r"\bExpanded (\d+) state|(\d+) Nodes expanded", told),
        "generated": _whole(r"\bGenerated (\d+) state", told),
        "search_seconds": seconds,
        "peak_memory_mb": None if memory is None else round(memory / 1024, 1),
    }


def _number(pattern: str, text: str) -> float | None:
    """The last one that is met; one of the pattern's groups has it."""
    found = list(re.finditer(pattern, text))
    return float(next(filter(None, found[-1].groups()))) if found else None


def _whole(pattern: str, text: str) -> int | None:
    found = _number(pattern, text)
    return None if found is None else int(found)


EXHAUSTED = "Completely explored state space -- no solution!"
ENDS = {11: Outcome.UNSOLVABLE, 22: Outcome.MEMORY_LIMIT, 23: Outcome.TIME_LIMIT, None: Outcome.TIME_LIMIT}


def _without_plan(code: int | None, told: str) -> dict[str, Any]:
    """How it ended: its exit codes are those of Fast Downward's driver."""
    if EXHAUSTED in told:
        return {"outcome": str(Outcome.UNSOLVABLE)}
    if code in ENDS:
        return {"outcome": str(ENDS[code])}
    last = [line for line in told.splitlines() if line.strip()][-1:]
    return {"outcome": str(Outcome.NOT_FOUND), "notes": [f"exit code {code}: {''.join(last)}"]}


def _judged(text: str, price: int | None, bench: Workbench) -> dict[str, Any]:
    """The referee's word on the plan; what he refuses, or counts otherwise, is a contradiction."""
    try:
        plan = read_plan("a planner's .plan", text, bench.puzzle)
    except PuzzleError as error:
        return {"outcome": str(Outcome.DISAGREEMENT), "notes": [error.diagnostics[0].message]}
    walked = replay(bench.puzzle, plan)
    if not walked.valid:
        note = f"the referee refuses step {walked.step} of its plan: {walked.reason}"
        return {"outcome": str(Outcome.DISAGREEMENT), "notes": [note]}
    counted = bench.scale.combined(walked.costs)
    told: dict[str, Any] = {
        "length": len(plan),
        "cost": walked.costs[bench.metrics[0]],
        "lower_bound": None,
        "notes": [],
    }
    if price is not None and counted != price:
        note = f"the referee counts a cost of {counted}, the planner {price}"
        return {**told, "outcome": str(Outcome.DISAGREEMENT), "notes": [note]}
    return {**told, "outcome": str(Outcome.OPTIMAL)}
