"""`--slow` runs the tests marked `slow` too. The whole suite is shared out over the cores of the machine."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

BYTECODE = Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """No workers where tests are named, or may print (`-s`); else one more than cores. `-n` overrules it.

    A tenth of the time is spent in waiting for browsers, limits and other processes.
    """
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return (os.cpu_count() or 1) + 1 if whole and config.getoption("capture") != "no" else 0


def pytest_configure(config: pytest.Config) -> None:
    keep_bytecode()
    config.addinivalue_line("markers", "slow: takes long; runs with --slow only")


@pytest.fixture(autouse=True)
def obeys_ctrl_c() -> None:
    """A test, and what it starts, whoever began them: in the background a shell has Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def keep_bytecode() -> None:
    """Where none may lie beside the sources, each process that a test starts would compile all of them once more."""
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cases for `--slow` are not even made without it, but for one where there are no others."""
    if metafunc.config.getoption("--slow"):
        return
    whole, later = metafunc.parametrize, metafunc.definition.get_closest_marker("slow")

    def parametrize(names: Any, cases: Iterable[object], *given: Any, ids: Any = None, **named: Any) -> None:
        cases = list(cases)
        quick = [at for at, case in enumerate(cases) if not (later or is_slow(case))] or [*range(len(cases))][:1]
        ids = ids if ids is None or callable(ids) else [list(ids)[at] for at in quick]
        whole(names, [cases[at] for at in quick], *given, ids=ids, **named)

    metafunc.parametrize = parametrize  # type: ignore[assignment,method-assign]


def is_slow(case: object) -> bool:
    return any(mark.name == "slow" for mark in getattr(case, "marks", ()))


def pytest_collection_finish() -> None:
    """Thousands of tests stay: nobody has to look through them again and again for what is garbage."""
    gc.freeze()
    gc.set_threshold(100_000)  # as the command line does


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
