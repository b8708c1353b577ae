"""What once was answered wrongly, asked again; and a short soak.

Each file of `corpus/` begins with comments: `# asked:` the questions, one after the other in one cache, and `# right:`
the least cost that the first of them is about, worked out by hand or by Dijkstra's algorithm over the referee's states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import case_of, examine
from soak import CORPUS, line, right, soak

FILES = sorted(CORPUS.glob("*.yaml"))
FIRST_SEED = 0
MODELS, MODELS_SLOW = 6, 400
PATIENCE = 240.0  # seconds: the machine may be busy


def comments(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(text[2:].split(": ", 1) for text in lines if text.startswith(("# asked: ", "# right: ", "# seed: ")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_the_corpus(path: Path) -> None:
    """Its right value is still right, and every question is answered so that it agrees with the truth."""
    text, told = path.read_text(encoding="utf-8"), comments(path)
    order, seed = told["asked"].split("; "), int(told.get("seed", 0))
    case = case_of(text, seed, Counter())
    assert case is not None and case.questions.keys() >= set(order)
    assert right(case, order[0]) == told["right"]
    assert not [str(each) for each in examine(text, seed, Counter(), order=order, patient=PATIENCE) or ()]


def slice_of(models: int, rare: bool) -> None:
    """Some models of the soak, without any failure."""
    told: list[str] = []
    how = {"every": 7, "starts": 2} if rare else {"every": 0, "starts": 1, "share": 0.25, "most": 60}
    figures = soak(FIRST_SEED, limited(models), told.append, patient=PATIENCE, **how)
    failed = [text for text in told if not text.startswith("\r")]
    assert not failed, "\n".join(failed)
    assert figures["models"] > models / 2 and figures["claims checked on all states"] > models / 4, line(figures)
    assert figures["warm-cache repeats"] > models / 2


def limited(models: int) -> Callable[[], bool]:
    left = iter([False] * models)
    return lambda: next(left, True)


def test_a_short_soak() -> None:
    slice_of(MODELS, rare=False)


@pytest.mark.slow
def test_a_longer_soak() -> None:
    slice_of(MODELS_SLOW, rare=True)
