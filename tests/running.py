"""A command in this process, which is much faster than one of its own."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import pytest

from puzzlewright.__main__ import main

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Run:
    """What it left behind."""

    code: int
    out: str
    err: str


def run(*words: object) -> Run:
    out, err, old = io.StringIO(), io.StringIO(), (sys.argv, [signal.getsignal(each) for each in SIGNALS])
    sys.argv = ["puzzlewright", *map(str, words)]
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
            main()
    finally:
        sys.argv = old[0]
        for each, handler in zip(SIGNALS, old[1], strict=True):
            signal.signal(each, handler)
    return Run(int(left.value.code or 0), out.getvalue(), err.getvalue())
