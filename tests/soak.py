"""Endless random models and mutated library puzzles, all that they claim held against the truth.

`python tests/soak.py --minutes 60 --seed 1 --corpus tests/corpus` goes on until the time is over; the same seed asks
the same. A failure is told with the seed that makes it again, shrunk to a small file, and kept in the corpus folder,
which `test_soak_corpus.py` replays. The exit code is 1 if anything failed. `--first` ends it at the
first failure; to hang is none then, since that may be a machine that is busy.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from asking import HANGS, Case, Failure, case_of, examine  # noqa: E402
from shrinking import fewer, shrunk  # noqa: E402
from wild_library import library_model  # noqa: E402
from wild_models import wild_model  # noqa: E402

CORPUS = ROOT / "tests" / "corpus"
EVERY = 10  # models, of which one is also proven, counted and searched in ways that take long
SHRINKING = 120.0  # seconds for one failure
MEMORY = 8 << 30  # bytes
ALIKE = 3  # failures of a kind that are shrunk
FAILED = "failed: "  # of a kind, among the figures
FIGURES = ("models", "states", "claims checked on all states", "claims refuted", "questions", "warm-cache repeats")


def drawn(seed: int) -> str:
    """Every fourth model is a level of the library, mutated."""
    return library_model(seed) if seed % 4 == 3 else wild_model(seed)


def soak(first: int, until: Callable[[], bool], tell: Callable[[str], None], corpus: Path | None = None,
         figures: Counter[str] | None = None, *, every: int = EVERY, **how: Any) -> Counter[str]:  # fmt: skip
    """One model after the other; the figures, with `failed: KIND` among them. Each `every`-th is asked all."""
    figures = Counter() if figures is None else figures
    seed = first
    while not until():
        text = drawn(seed)
        failures = examine(text, seed, figures, rare=bool(every) and seed % every == 0, **how) or []
        for kind, failure in {failure.kind: failure for failure in reversed(failures)}.items():
            figures[FAILED + kind] += 1
            tell(f"seed {seed}: {failure}")
            if corpus is not None and figures[FAILED + kind] <= ALIKE:
                tell(f"kept as {keep(text, seed, failure, corpus)}")
        seed += 1
        tell(f"\rseed {seed}, {line(figures)}")
    return figures


def keep(text: str, seed: int, failure: Failure, corpus: Path) -> Path:
    """The failure as a small file of the corpus: what was asked, and what is right."""
    order = (*failure.before, failure.question)

    def fails(text: str, order: tuple[str, ...]) -> bool:
        found = examine(text, seed, Counter(), order=order, only=failure.kind)
        return any(each.kind == failure.kind for each in found or ())

    order = fewer(order, lambda names: fails(text, names), SHRINKING / 2)
    small = shrunk(text, lambda smaller: fails(smaller, order), SHRINKING)
    corpus.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "_" for letter in failure.kind)
    path = corpus / f"{name}_{seed}.yaml"
    path.write_text(f"{header(small, seed, order)}{small}", encoding="utf-8")
    return path


def header(text: str, seed: int, order: Sequence[str]) -> str:
    """Comments that `test_soak_corpus.py` reads."""
    case = case_of(text, seed, Counter())
    assert case is not None
    return f"# asked: {'; '.join(order)}\n# right: {right(case, order[0])}\n# seed: {seed}\n"


def right(case: Case, question: str) -> str:
    """The least cost from the start that is asked about, in the metrics that are."""
    start, metrics = question.partition(" from ")[2], question.partition(" for ")[2]
    known = case.others[start] if start else case.known
    best = known.optimum(tuple(metrics.split(",")) if metrics else case.puzzle.metrics[:1])
    return "unsolvable" if best is None else ", ".join(map(str, best))


def failed(figures: Counter[str]) -> dict[str, int]:
    return {name: number for name, number in sorted(figures.items()) if name.startswith(FAILED)}


def line(figures: Counter[str]) -> str:
    failures = [f"{number} {name}" for name, number in failed(figures).items()]
    told = [f"{figures[name]:,} {name}" for name in FIGURES]
    return ", ".join([*told, *(failures or ["no failure"])])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, default=None, help="keep failures there, shrunk")
    parser.add_argument("--first", action="store_true", help="end at the first failure")
    parser.add_argument("--only", action="store_true", help="nothing but the model of the seed")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # beyond, a failure instead of a machine that stands still
    ends = time.monotonic() + 60 * given.minutes
    rounds = iter([False, True])
    figures = Counter[str]()

    def until() -> bool:
        met = given.first and any(figures[name] for name in failed(figures) if name != FAILED + HANGS)
        return met or (next(rounds) if given.only else time.monotonic() >= ends)

    def tell(text: str) -> None:
        sys.stderr.write(text if text.startswith("\r") else f"\n{text}\n")
        sys.stderr.flush()

    soak(given.seed, until, tell, given.corpus and given.corpus.resolve(), figures)
    print(f"\n{line(figures)}")
    return 1 if failed(figures) else 0


if __name__ == "__main__":
    sys.exit(main())
