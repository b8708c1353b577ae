"""Cases of a test: some by default, all of them with `--slow`."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def slow(*values: object) -> object:
    """A case for `--slow` only."""
    return pytest.param(*values, marks=pytest.mark.slow)


def seeds(few: int, many: int, *telling: int) -> list[object]:
    """0 .. many - 1; by default the first few, and those that tell of what these are blind to."""
    return [seed if seed < few or seed in telling else slow(seed) for seed in range(many)]


def rotated(rows: Iterable[object], columns: Iterable[object]) -> list[object]:
    """Every pair; by default each column with one row, in turn."""
    given, named = list(rows), list(columns)
    return [
        (row, column) if at % len(given) == place else slow(row, column)
        for at, column in enumerate(named)
        for place, row in enumerate(given)
    ]
