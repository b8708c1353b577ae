"""The other programs: where they are, how they are called, and what their output says.

Planners come from their wheels, C programs and Promela models from a folder; whatever is not there is `Absent`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.levels import Absent
from benchmarks.processes import Failed, run

LIMIT = 300.0  # seconds of one run
MEMORY = "6G"  # of a planner
BLIND, LMCUT, IPDB = "astar(blind())", "astar(lmcut())", "astar(ipdb(max_time=20))"
SYMBOLIC = "sym_bd()"
MERGE = (  # merge-and-shrink as its documentation proposes it; the main loop is capped, as iPDB's choice is
    "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
    "label_reduction=exact(before_shrinking=true,before_merging=false),max_states=50k,threshold_before_merge=1,"
    "main_loop_max_time=30))"
)
WHEELS = {  # of a planner: its wheel, and where its driver is inside the installed package
    "fd": ("up-fast-downward", "up_fast_downward/downward/fast-downward.py"),
    "symk": ("up-symk", "up_symk/symk/fast-downward.py"),
}


@dataclass(frozen=True)
class Sample:
    """What one run came to; None is what the program does not tell."""

    wall: float
    peak_mib: float
    states: int | None = None  # distinct ones
    seconds: float | None = None  # of the search alone, the best if it was repeated
    first: float | None = None  # of the first repetition
    generated: int | None = None
    steps: int | None = None
    cost: int | None = None  # of the plan


@dataclass(frozen=True)
class Proved(Sample):
    """A proof of optimality by CP-SAT: everything shorter is refuted, then a plan is found; `seconds` are both."""

    refuting: float = 0.0  # seconds of building and solving
    finding: float = 0.0
    conflicts: int = 0  # of both
    before: float = 0.0  # seconds for what both share


@dataclass(frozen=True)
class Peers:
    """`folder` holds pddl/ and anchors/; `environment` is the virtual environment with the planners."""

    folder: Path
    environment: Path
    scratch: Path

    # -- where they are ------------------------------------------------------------------------------------------------

    def driver(self, name: str) -> Path:
        """Of Fast Downward or SymK; `PEER_FD` and `PEER_SYMK` name others."""
        wheel, inside = WHEELS[name]
        variable = f"PEER_{name.upper()}"
        named = os.environ.get(variable)
        places = [Path(named)] if named else sorted(self.environment.glob(f"lib/python*/site-packages/{inside}"))
        for place in places:
            if place.is_file():
                return place.resolve()
        raise Absent(f"no {wheel} in {self.environment} (--peers-env, {variable})")

    @property
    def python(self) -> str:
        """That runs the planners' drivers."""
        own = self.environment / "bin" / "python"
        return str(own) if own.exists() else sys.executable

    def program(self, variable: str, *names: str) -> str:
        """A command by a variable of the environment, from the virtual environment, or on the path."""
        named = os.environ.get(variable)
        places = [named] if named else [str(self.environment / "bin" / names[0]), *names]
        found = next(filter(None, map(shutil.which, places)), None)
        if found is None:
            raise Absent(f"no {' or '.join(names)} (PATH, {variable})")
        return found

    @cached_property
    def compiler(self) -> str:
        return self.program("CC", "cc", "gcc", "clang")

    def file(self, name: str) -> Path:
        path = (self.folder / name).resolve()
        if not path.is_file():
            raise Absent(f"there is no {name} in {self.folder} (--peers)")
        return path

    def versions(self) -> list[str]:
        """One line for each peer: its version, or why it is not there."""
        return [_version(ask) for ask in (self._cc_version, self._fd_version, self._symk_version,
                                          self._pyperplan_version, self._spin_version)]  # fmt: skip

    def _cc_version(self) -> str:
        return run([self.compiler, "--version"], LIMIT).text.splitlines()[0]

    def _fd_version(self) -> str:
        return run([self.python, self.driver("fd"), "--version"], LIMIT).text

    def _symk_version(self) -> str:
        return "SymK: " + run([self.python, self.driver("symk"), "--version"], LIMIT).text

    def _pyperplan_version(self) -> str:
        return "pyperplan at " + self.program("PEER_PYPERPLAN", "pyperplan")

    def _spin_version(self) -> str:
        return run([self.program("SPIN", "spin"), "-V"], LIMIT).text.strip()

    # -- one run -------------------------------------------------------------------------------------------------------

    def planner(self, name: str, search: str, instance: str, limit: float = LIMIT) -> Sample:
        """Fast Downward or SymK, the whole process."""
        driver = self.driver(name)
        domain, problem = self.instance(instance)
        with tempfile.TemporaryDirectory(dir=self.scratch) as work:
            memory = ("--overall-memory-limit", MEMORY)
            done = run([self.python, driver, *memory, domain, problem, "--search", search], limit, Path(work))
        return planner_sample(done.text, done.seconds, done.peak_mib)

    def pyperplan(self, instance: str) -> Sample:
        """Its breadth-first search; it writes the plan beside the problem."""
        program = self.program("PEER_PYPERPLAN", "pyperplan")
        domain, problem = self.instance(instance)
        with tempfile.TemporaryDirectory(dir=self.scratch) as work:
            copies = [shutil.copy(domain, work), shutil.copy(problem, work)]
            done = run([program, "-s", "bfs", *copies], LIMIT, Path(work))
        return pyperplan_sample(done.text, done.seconds, done.peak_mib)

    def instance(self, name: str) -> tuple[Path, Path]:
        return self.file(f"pddl/{name}-domain.pddl"), self.file(f"pddl/{name}-problem.pddl")

    def c_program(self, source: str, options: Sequence[str], arguments: Sequence[str]) -> Sample:
        """A search written in C for one puzzle; compiled once."""
        text = self.file(f"anchors/{source}")
        binary = self.scratch / re.sub(r"\W", "_", "".join([source, *options]))
        if not binary.exists():
            run([self.compiler, "-O3", "-march=native", *options, text, "-o", binary], LIMIT)
        done = run([binary, *arguments], LIMIT)
        return c_sample(done.text, done.seconds, done.peak_mib)

    def spin(self, source: str, arguments: Sequence[str]) -> Sample:
        """SPIN's verifier of a Promela model, depth first through the whole space; generated and compiled once."""
        spin = self.program("SPIN", "spin")
        model, work = self.file(f"anchors/{source}"), self.scratch / f"spin-{source}"
        if not (work / "pan").exists():
            work.mkdir(exist_ok=True)
            run([spin, "-a", model], LIMIT, work)
            run([self.compiler, "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], LIMIT, work)
        done = run([work / "pan", *arguments], LIMIT, work)
        return spin_sample(done.text, done.seconds, done.peak_mib)

    def by_hand(self, arguments: Sequence[str]) -> Proved:
        """A CP-SAT model that somebody wrote by hand for one puzzle; it needs OR-Tools, ours."""
        done = run([sys.executable, self.file("anchors/cpsat_anchor.py"), *arguments], LIMIT)
        return by_hand_sample(done.text, done.seconds, done.peak_mib)


def _version(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (Absent, Failed) as reason:
        return f"skipped: {reason}"


# -- what their output says --------------------------------------------------------------------------------------------


def number(pattern: str, text: str) -> float | None:
    found: list[str] = re.findall(pattern, text)
    return float(found[-1]) if found else None


def count(pattern: str, text: str) -> int | None:
    found = number(pattern, text)
    return None if found is None else int(found)


def planner_sample(text: str, wall: float, peak_mib: float) -> Sample:
    """Of Fast Downward and SymK; distinct states are those that were evaluated. SymK counts none."""
    steps = count(r"Plan length: (\d+) step", text)
    if steps is None:
        raise Failed("no plan in its output")
    return Sample(wall, peak_mib, count(r"\bEvaluated (\d+) state", text), number(r"\bSearch time: ([\d.e+-]+)s", text),
                  generated=count(r"\bGenerated (\d+) state", text), steps=steps,
                  cost=count(r"Plan cost: (\d+)", text))  # fmt: skip


def pyperplan_sample(text: str, wall: float, peak_mib: float) -> Sample:
    """It tells expanded states; in a whole space these are all."""
    steps = count(r"Plan length: (\d+)", text)
    if steps is None:
        raise Failed("no plan in its output")
    return Sample(wall, peak_mib, count(r"(\d+) Nodes expanded", text), number(r"Search time: ([\d.e+-]+)", text),
                  steps=steps)  # fmt: skip


def c_sample(text: str, wall: float, peak_mib: float) -> Sample:
    return Sample(wall, peak_mib, count(r"\bstates (\d+)", text), number(r"\bbest ([\d.]+) s", text),
                  generated=count(r"\bgenerated (\d+)", text))  # fmt: skip


def spin_sample(text: str, wall: float, peak_mib: float) -> Sample:
    """Its clock ticks a hundred times a second, and it prints no time for the shortest runs."""
    states = number(r"([\d.e+]+) states, stored", text)
    seconds = number(r"elapsed time ([\d.]+) seconds", text)
    return Sample(wall, peak_mib, None if states is None else int(states), seconds or None)


def by_hand_sample(text: str, wall: float, peak_mib: float) -> Proved:
    """Of the hand-written CP-SAT models: a line for each question, then the total."""
    asked = re.findall(r": (\w+) build ([\d.]+) s solve ([\d.]+) s conflicts (\d+)", text)
    total = number(r"as expected; total ([\d.]+) s", text)
    if total is None or [status for status, *_ in asked] != ["INFEASIBLE", "OPTIMAL"]:
        raise Failed("no proof in its output")
    refuting, finding = (float(build) + float(solve) for _, build, solve, _ in asked)
    return Proved(wall, peak_mib, seconds=total, refuting=refuting, finding=finding,
                  conflicts=sum(int(conflicts) for *_, conflicts in asked))  # fmt: skip
