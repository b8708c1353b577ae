"""Kernels: records with fields by name for Python and for numba, signatures out of annotations, code kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("numba")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402
from numba import typeof  # noqa: E402

from search.kernels import keeping, loading  # noqa: E402
from search.kernels.compiling import numba_type  # noqa: E402
from search.kernels.loading import kernel  # noqa: E402
from search.kernels.records import Ledger  # noqa: E402


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


def walk_on(walk: Longer, arrays: Arrays, word: np.uint64, turned: bool) -> bool:
    walk.steps += 1
    walk.turns -= 3
    arrays.words[1 if turned else 0] = word
    arrays.walks[1].far = walk.far * 2
    return walk.steps < arrays.most


def arrays() -> Arrays:
    return Arrays(np.zeros(2, np.uint64), np.zeros(3, Walk.layout), 8)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernels of these tests are kept for one test only."""
    monkeypatch.setattr(keeping, "folder", lambda: tmp_path)
    return tmp_path / "test_search_kernels_records.walk_on.object"


def test_kernel_and_driver_share_a_ledger() -> None:
    """What one of them writes, the other reads; what neither writes stays."""
    walk, given = Longer(steps=6, far=1 << 40), arrays()
    go_on = kernel(walk_on)
    most = (1 << 64) - 1
    assert [go_on(walk, given, np.uint64(most), False), (walk.steps, walk.far, walk.turns)] == [1, (7, 1 << 40, -3)]
    walk.far, walk.turns = 5, 4
    assert [go_on(walk, given, np.uint64(7), True), (walk.steps, walk.far, walk.turns)] == [0, (8, 5, 1)]
    assert given.walks.tolist() == [(0, 0), (0, 10), (0, 0)] and given.words.tolist() == [most, 7]
    assert type(walk.steps) is int


def test_code_is_kept_and_damage_is_no_harm(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is, cut short, with one bit changed, and where somebody else's file stands."""
    changes: list[Callable[[bytes], bytes]] = [
        lambda code: code,
        lambda code: code[:-9],
        lambda code: code[:200] + bytes([code[200] ^ 4]) + code[201:],
        lambda code: b"x",
    ]
    kernel(walk_on)(Longer(), arrays(), np.uint64(1), True)
    for change in changes:
        kept.write_bytes(change(kept.read_bytes()))
        given, walk = arrays(), Longer(steps=6)
        assert kernel(walk_on)(walk, given, np.uint64(1), True) == 1 and walk.steps == 7
    monkeypatch.setattr(loading, "_made", None)
    assert kernel(walk_on)(Longer(steps=6), arrays(), np.uint64(1), True) == 1


def test_what_is_not_as_annotated_never_reaches_machine_code() -> None:
    go_on, given, walk, word = kernel(walk_on), arrays(), Longer(), np.uint64(1)
    signed_words = given._replace(words=np.zeros(2, np.int64))
    apart = given._replace(words=np.zeros(4, np.uint64)[::2])
    square = given._replace(words=np.zeros((2, 2), np.uint64))
    for wrong in (signed_words, apart, square, tuple(given), given._replace(walks=np.zeros(3, Longer.layout))):
        with pytest.raises(TypeError):
            go_on(walk, wrong, word, False)
    for record in (Walk(), np.zeros(2, Longer.layout)[1], None):
        with pytest.raises(TypeError):
            go_on(record, given, word, False)
    for number, flag in ((-1, False), (1 << 64, False), (1, 2)):
        with pytest.raises(OverflowError):
            go_on(walk, given, number, flag)
    with pytest.raises(OverflowError):
        go_on(walk, given._replace(most=1 << 63), word, False)
    with pytest.raises(ValueError):
        go_on(walk, given, word)
    assert (walk.steps, given.words.tolist()) == (0, [0, 0])


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
