"""Code made in haste is made again once that pays; it does the same, at the same addresses."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import pytest
from puzzle_files import load  # type: ignore[import-not-found]

from models.frozen import frozen
from models.grounding import ground
from models.outcomes import ENDLESS, Deadline
from search import registry
from search.compiler import code, drafts
from search.compiler.drafts import Draft, entry
from search.compiler.in_memory import Care, Code
from search.machine import Machine
from search.registry import search_with

CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
HEADERS = {"f": "i64 %x, i64 %y"}


@frozen(eq=True)
class Left(Deadline):
    """So many seconds and MB, always."""

    seconds: float | None = None
    megabytes: float | None = None

    @property
    def left(self) -> float | None:
        return self.seconds

    @property
    def room(self) -> float | None:
        return self.megabytes


def text(constant: int) -> str:
    return f"define i64 @f({HEADERS['f']}) {{\n  %a = mul i64 %x, {constant}\n  %b = add i64 %a, %y\n  ret i64 %b\n}}\n"


def made(price: float, monkeypatch: pytest.MonkeyPatch) -> Draft:
    """Code that multiplies by 3, and better code that multiplies by 5, so that it is seen which of them runs."""
    monkeypatch.setattr(drafts, "SECONDS_A_BETTER_LINE", price)
    return Draft(text(5), HEADERS, code.compile_text(text(3), ["f"]), time.monotonic())


def test_an_entry_leads_to_the_better_code_when_its_time_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = made(0.0, monkeypatch)
    address = draft.addresses["f"]
    assert CALL(address)(10, 4) == 34
    draft.running(ENDLESS)
    assert draft.addresses["f"] == address and CALL(address)(10, 4) == 54


def test_code_that_has_not_run_for_long_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = made(1000.0, monkeypatch)
    draft.running(ENDLESS)
    draft.running(ENDLESS)
    assert CALL(draft.addresses["f"])(10, 4) == 34


@pytest.mark.parametrize(
    ("left", "result"),
    [
        (Left(seconds=14.9), 34),
        (Left(seconds=15.1), 54),
        (Left(megabytes=14.9), 34),
        (Left(megabytes=15.1), 54),
        (Left(seconds=15.1, megabytes=-3.0), 34),
    ],
)
def test_code_stays_where_little_is_left(left: Deadline, result: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line costs a second and a megabyte; five lines, and three times as much has to be left."""
    monkeypatch.setattr(drafts, "KIB_A_BETTER_LINE", 1024)
    draft = made(1.0, monkeypatch)
    draft._used = 1e9
    draft.running(left)
    assert CALL(draft.addresses["f"])(10, 4) == result


def test_a_rest_of_the_process_is_no_use_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for its user for an hour, twice; five lines at a second each."""
    draft = made(1.0, monkeypatch)
    for result in (34, 34, 54):
        draft._last -= 3600.0
        draft.running(ENDLESS)
        assert CALL(draft.addresses["f"])(10, 4) == result


def test_it_is_made_again_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = made(0.0, monkeypatch)
    draft.running(ENDLESS)
    monkeypatch.setattr(drafts, "compile_text", None)  # nobody calls it any more
    draft.running(ENDLESS)
    assert CALL(draft.addresses["f"])(10, 4) == 54


def test_an_entry_passes_all_its_arguments_on() -> None:
    header = "ptr %states, i64 %n, ptr %out"
    assert "call i64 %now(ptr %states, i64 %n, ptr %out)" in entry("goal", header)


@pytest.mark.parametrize(
    ("name", "level", "backend", "codes"),
    [
        ("n_puzzle", "easy-8", "bfs", 1),
        ("water_sort", "two-colours", "bfs", 1),
        ("n_puzzle", "easy-8", "bidirectional", 2),
    ],
)
def test_searches_do_the_same(name: str, level: str, backend: str, codes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text counts as long, kernels begin at once, and better code is made at their first rest."""
    task, made = ground(load(name, level)), []
    plain = search_with(backend, Machine(task))
    monkeypatch.setattr(code, "LONG", 0)
    monkeypatch.setattr(drafts, "LONG", 0)
    monkeypatch.setattr(drafts, "SECONDS_A_BETTER_LINE", 0.0)
    monkeypatch.setattr(registry, "SMALL", 0)

    def compile_text(*arguments: Any, **options: Any) -> Code:
        made.append(options)
        return code.compile_text(*arguments, **options)

    monkeypatch.setattr(drafts, "compile_text", compile_text)
    again = search_with(backend, Machine(task))
    assert (again.outcome, again.operators, again.lower_bound) == (plain.outcome, plain.operators, plain.lower_bound)
    assert again.statistics.expanded == plain.statistics.expanded and made.count({"care": Care.SOME}) == codes
