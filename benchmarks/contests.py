"""One puzzle, several programs: they take turns (A B A B), so that what disturbs one disturbs all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.levels import Absent
from benchmarks.peers import Sample
from benchmarks.processes import Failed
from benchmarks.report import Record, Target


@dataclass(frozen=True)
class Entrant:
    """A program; `target` is for the ratio of the product to it. `own`: it is the product itself."""

    who: str
    run: Callable[[], Sample]
    target: Target | None = None
    own: bool = False


@dataclass
class Standing:
    """An entrant and its samples so far; `excuse` says why there are no more."""

    entrant: Entrant
    samples: list[Sample]
    excuse: str = ""
    absent: bool = False  # the program is not here: nothing is known of it


def compete(entrants: Iterable[Entrant], rounds: int, warm: bool = False) -> list[Standing]:
    """All entrants in turn, `rounds` times; one that is absent or fails is out. `warm`: after a turn that is not kept,
    which leaves behind bytecode and proven verdicts."""
    standings = [Standing(entrant, []) for entrant in entrants]
    for _ in range(rounds + warm):
        for standing in standings:
            if not standing.excuse:
                _take_turn(standing)
    for standing in standings:
        del standing.samples[:warm]
    return standings


def _take_turn(standing: Standing) -> None:
    try:
        standing.samples.append(standing.entrant.run())
    except Absent as reason:
        standing.excuse, standing.absent = f"skipped: {reason}", True
    except Failed as reason:
        standing.excuse = f"failed: {reason}"
    if standing.excuse:
        print(f"  {standing.entrant.who} {standing.excuse}", file=sys.stderr, flush=True)


# -- figures of all runs of one entrant; None if there are none -------------------------------------------------------


def rate(samples: Sequence[Sample]) -> float | None:
    """Distinct states a second in the best run."""
    return max((sample.states / sample.seconds for sample in samples if sample.states and sample.seconds), default=None)


def fastest(samples: Sequence[Sample]) -> float | None:
    """Seconds of the whole process."""
    return min((sample.wall for sample in samples), default=None)


def middling(samples: Sequence[Sample]) -> float | None:
    """The median of these."""
    return median(sample.wall for sample in samples) if samples else None


def peak(samples: Sequence[Sample]) -> float | None:
    return max((sample.peak_mib for sample in samples), default=None)


def quotient(a: float | None, b: float | None) -> float | None:
    return a / b if a and b else None


# -- tables ------------------------------------------------------------------------------------------------------------


def rate_records(name: str, standings: Sequence[Standing]) -> list[Record]:
    """The first standing is the product's; the ratios are of rates."""
    ours = standings[0].samples
    return [_rate_record(name, standing, () if standing.entrant.own else ours) for standing in standings]


def _rate_record(name: str, standing: Standing, ours: Sequence[Sample]) -> Record:
    samples, target = standing.samples, standing.entrant.target
    theirs = rate(samples)
    ratio = quotient(rate(ours), theirs)
    return {
        "row": name,
        "program": standing.entrant.who,
        "states": samples[-1].states if samples else None,
        "best s": min((sample.seconds for sample in samples if sample.seconds), default=None),
        "first s": min((sample.first for sample in samples if sample.first), default=None),
        "M states/s": theirs and theirs / 1e6,
        "peak MiB": peak(samples),
        "ratio": ratio,
        "target": target and target.verdict(ratio),
        "note": standing.excuse,
    }


def wall_records(name: str, standings: Sequence[Standing]) -> list[Record]:
    """The first standing is the product's; the ratios are of the least and the median times, and of the peaks."""
    ours = standings[0].samples
    return [_wall_record(name, standing, () if standing.entrant.own else ours) for standing in standings]


def _wall_record(name: str, standing: Standing, ours: Sequence[Sample]) -> Record:
    samples, target = standing.samples, standing.entrant.target
    ratio = quotient(middling(ours), middling(samples))
    return {
        "row": name,
        "program": standing.entrant.who,
        "steps": samples[-1].steps if samples else None,
        "runs": len(samples),
        "min s": fastest(samples),
        "median s": middling(samples),
        "peak MiB": peak(samples),
        "ratio min": quotient(fastest(ours), fastest(samples)),
        "median": ratio,
        "peak": quotient(peak(ours), peak(samples)),
        "target": target and target.verdict(ratio),
        "note": standing.excuse,
    }
