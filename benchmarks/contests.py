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
    """A program; `target` is for the ratio of the product to it."""

    who: str
    run: Callable[[], Sample]
    target: Target | None = None


@dataclass
class Standing:
    """An entrant and its samples so far; `excuse` says why there are no more."""

    entrant: Entrant
    samples: list[Sample]
    excuse: str = ""


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
        standing.excuse = f"skipped: {reason}"
    except Failed as reason:
        standing.excuse = f"failed: {reason}"
    if standing.excuse:
        print(f"  {standing.entrant.who} {standing.excuse}", file=sys.stderr, flush=True)


# -- figures of all runs of one entrant --------------------------------------------------------------------------------


def rate(samples: Sequence[Sample]) -> float | None:
    """Distinct states a second in the best run."""
    rates = [sample.states / sample.seconds for sample in samples if sample.states and sample.seconds]
    return max(rates, default=None)


def walls(samples: Sequence[Sample]) -> tuple[float, float] | None:
    """The least and the median seconds of the whole process."""
    seconds = [sample.wall for sample in samples]
    return (min(seconds), median(seconds)) if seconds else None


# -- tables ------------------------------------------------------------------------------------------------------------


def rate_records(name: str, standings: Sequence[Standing]) -> list[Record]:
    """The first standing is the product's; the ratios are of rates."""
    ours = rate(standings[0].samples)
    return [_rate_record(name, standing, ours if place else None) for place, standing in enumerate(standings)]


def _rate_record(name: str, standing: Standing, ours: float | None) -> Record:
    samples, theirs = standing.samples, rate(standing.samples)
    last = samples[-1] if samples else None
    ratio = ours / theirs if ours and theirs else None
    return {
        "row": name,
        "program": standing.entrant.who,
        "states": last and last.states,
        "best s": min((s.seconds for s in samples if s.seconds), default=None),
        "first s": last and last.first,
        "M states/s": theirs and theirs / 1e6,
        "peak MiB": max((s.peak_mib for s in samples), default=None),
        "ratio": ratio,
        "target": standing.entrant.target and standing.entrant.target.verdict(ratio),
        "note": standing.excuse,
    }


def wall_records(name: str, standings: Sequence[Standing]) -> list[Record]:
    """The first standing is the product's; the ratios are of the least and of the median times."""
    ours = walls(standings[0].samples)
    return [_wall_record(name, standing, ours if place else None) for place, standing in enumerate(standings)]


def _wall_record(name: str, standing: Standing, ours: tuple[float, float] | None) -> Record:
    samples, theirs = standing.samples, walls(standing.samples)
    ratios = (ours[0] / theirs[0], ours[1] / theirs[1]) if ours and theirs else (None, None)
    return {
        "row": name,
        "program": standing.entrant.who,
        "steps": samples[-1].steps if samples else None,
        "runs": len(samples),
        "min s": theirs and theirs[0],
        "median s": theirs and theirs[1],
        "peak MiB": max((s.peak_mib for s in samples), default=None),
        "ratio min": ratios[0],
        "ratio median": ratios[1],
        "target": standing.entrant.target and standing.entrant.target.verdict(ratios[1]),
        "note": standing.excuse,
    }
