"""A command in this process, which is much faster than one of its own; `start` where the process is the point."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from models.outcomes import EXIT_CODES, Outcome
from puzzlewright.__main__ import main
from puzzlewright.analysis import children, level_rows
from puzzlewright.pages import site_page

ROOT = Path(__file__).parent.parent
SIGNALS = (signal.SIGINT, signal.SIGTERM)
FIELDS = {
    *("schema_version", "command", "puzzle", "level", "backend", "heuristic", "outcome", "exit_code", "proven_by"),
    *("metric", "cost", "length", "lower_bound", "plan", "statistics", "verdicts", "notes", "diagnostics", "versions"),
    "seed",
}
METRICS = """
puzzle: walk
types: {place: 0 .. 3}
state: {at: place = 0, tired: bool = false}
actions:
  step: {when: at < 3, effect: {at: at + 1, tired: true}, cost: {time: 3, effort: 1}}
  leap: {when: at <= 1, effect: {at: at + 2}, cost: {time: 1, effort: 5}}
goal: at == 3
heuristics: {far: 3 * (3 - at)}
"""


@dataclass(frozen=True)
class Run:
    """What it left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The only thing on standard output."""
        assert self.out.count("\n") == 1, self.out
        made = json.loads(self.out)
        assert made.keys() >= FIELDS and made["exit_code"] == self.code == EXIT_CODES[Outcome(made["outcome"])]
        return dict(made)


def until(found: Callable[[], Any], seconds: float = 120) -> Any:
    """What it gives once it gives something; at last, whatever it gives."""
    ends = time.monotonic() + seconds
    while not (answer := found()) and time.monotonic() < ends:
        time.sleep(0.02)
    return answer


def run(*words: object) -> Run:
    """The command; processes of ours that it starts are calls in this one too."""
    with patch.object(subprocess, "Popen", _process):
        done = _called(main, words)
    assert "Traceback" not in done.err
    return done


def start(*words: str, module: Sequence[str] = ("-m", "puzzlewright"), **options: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([sys.executable, *module, *words], env=environment, **pipes)


# -- processes that are calls ------------------------------------------------------------------------------------------

MAINS: Mapping[str, Callable[[], None]] = {
    "puzzlewright": main,
    "puzzlewright.analysis.level_rows": level_rows.main,
    "puzzlewright.pages.site_page": site_page.main,
}
PROCESS = subprocess.Popen


class _Call:
    """A process that was over as soon as it began."""

    def __init__(self, done: Run) -> None:
        self.args, self.returncode, self.told = (), done.code, (done.out, done.err)

    def communicate(self, *_given: object, **_named: object) -> tuple[str, str]:
        return self.told

    def poll(self) -> int:
        return self.returncode

    def wait(self) -> int:
        return self.returncode

    def kill(self) -> None:
        pass

    def __enter__(self) -> _Call:
        return self

    def __exit__(self, *_failure: object) -> None:
        pass


def _process(command: Sequence[str], **given: Any) -> Any:
    """As `subprocess.Popen`, but our own modules with a place in `MAINS` are called."""
    module = next((name for name in MAINS if command[:4] == children.command(name)), None)
    if module is None:
        return PROCESS(command, **given)
    done = _called(MAINS[module], command[4:], given.get("stdin"))
    if given["stdout"] != subprocess.PIPE:
        given["stdout"].write(done.out.encode())
    return _Call(done)


def _called(begin: Callable[[], None], words: Sequence[object], stdin: Any = None) -> Run:
    """What is told by a main function that is called with these words."""
    out, err = io.StringIO(), io.StringIO()
    old = sys.argv, sys.stdin, [signal.getsignal(each) for each in SIGNALS]
    sys.argv, sys.stdin = ["puzzlewright", *map(str, words)], sys.stdin if stdin is None else io.TextIOWrapper(stdin)
    code: str | int | None = 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            begin()
    except SystemExit as left:
        code = left.code
    finally:
        sys.argv, sys.stdin, handlers = old
        for each, handler in zip(SIGNALS, handlers, strict=True):
            signal.signal(each, handler)
    return Run(int(code or 0), out.getvalue(), err.getvalue())
