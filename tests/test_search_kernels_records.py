"""Records of kernels: fields by name, the same ones for Python and for numba, and signatures out of annotations."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

pytest.importorskip("numba")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402
from numba import njit, typeof  # noqa: E402

from search.kernels.records import Ledger, numba_type  # noqa: E402


class Walk(Ledger):
    steps: int
    far: int


class Longer(Walk):
    turns: int


class Arrays(NamedTuple):
    words: npt.NDArray[np.uint64]
    walks: npt.NDArray[Walk]
    most: int


class Sizes(NamedTuple):
    rows: int
    cols: int


def walk_on(walk: Any, arrays: Any) -> int:
    walk.steps += 1
    walk.turns -= 3
    arrays.walks[1].far = walk.far * 2
    return int(walk.steps < arrays.most)


def arrays() -> Arrays:
    return Arrays(np.zeros(2, np.uint64), np.zeros(3, Walk.layout), 8)


def test_kernel_and_driver_share_a_ledger() -> None:
    """What one of them writes, the other reads; what neither writes stays."""
    walk, given = Longer(steps=6, far=1 << 40), arrays()
    go_on = njit(numba_type(int)(numba_type(Longer), numba_type(Arrays)))(walk_on)
    assert [go_on(walk, given), (walk.steps, walk.far, walk.turns)] == [1, (7, 1 << 40, -3)]
    walk.far, walk.turns = 5, 4
    assert [go_on(walk, given), (walk.steps, walk.far, walk.turns)] == [0, (8, 5, 1)]
    assert given.walks.tolist() == [(0, 0), (0, 10), (0, 0)]
    assert type(walk.steps) is int


def test_types_of_annotations_are_those_of_values() -> None:
    values: list[tuple[Any, Any]] = [(Longer, Longer()), (Arrays, arrays()), (Sizes, Sizes(1, 2)), (bool, True)]
    values += [(np.uint64, np.uint64(3)), (npt.NDArray[np.bool_], np.zeros(2, np.bool_))]
    for hint, value in values:
        assert numba_type(hint) == typeof(value)


@pytest.mark.parametrize("hint", [str, dict[str, int], Any])
def test_what_is_nothing_for_kernels_is_refused(hint: Any) -> None:
    with pytest.raises(TypeError, match="kernels take no"):
        numba_type(hint)


@pytest.mark.parametrize("name", ["data", "size", "max"])
def test_a_name_that_records_have_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"something else called {name}"):
        type("Hiding", (Ledger,), {"__annotations__": {name: "int"}})
