"""What hints say, held against the truth: `SENTENCES` has them all, each with what must be true for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reasons import UNKNOWN, pattern
from truth import Truth

Told = dict[str, Any]
Found = dict[str, str | None]
PIECES = {
    "AMOUNT": r"(?:a cost of )?(?P<amount>\d+)(?: \w+)?",
    "PAID": r"(?:, (?:a cost of )?(?P<amount>\d+)(?: \w+)?)?",
    "MOVES": r"(?P<moves>\d+) moves?",
    "LEAST": "(?P<least>at least )?",
    "SHORT": r"(?:(?:[\d.e-]+ seconds? (?:was|were)|[\d,]+ MB of memory were) not enough|no search here is able)",
    "label": ".*?",
}


class Way:
    """What is true of a position, and of the one before the last move."""

    def __init__(self, truth: Truth, metric: str, before: tuple[Truth, int] | None = None) -> None:
        self.truth, self.metrics = truth, (metric,)
        self.left = self._least(truth)  # the cost of a best way; None: there is none
        self.old, paid = (self._least(before[0]), before[1]) if before else (None, 0)
        self.lost = None if self.left is None or self.old is None else paid + self.left - self.old

    def _least(self, truth: Truth) -> int | None:
        best = truth.optimum(self.metrics)
        return None if best is None else best[0]

    def begins(self, told: Told) -> bool:
        """Does a way of the cost that is told begin with the move that is told?"""
        rest = self.truth.to_goal(self.metrics)
        edges = [edge for edge in self.truth.edges[0] if edge.step.action == told["move"]["action"]]
        ways = [edge.price(self.metrics)[0] + left[0] for edge in edges if (left := rest[edge.after]) is not None]
        return min(ways, default=told["cost"] + 1) <= told["cost"]


Test = Callable[[Way, Told, Found], bool]


def _amount(told: Told, found: Found) -> bool:
    return found["amount"] is None or int(found["amount"]) == told["cost"]


def _wrong(way: Way, told: Told, found: Found) -> bool:
    more = int(found["amount"] or 0)
    if way.lost is None or told["extra"] != more or more == 0:
        return False
    return way.lost >= more if found["least"] else way.lost == more


def _open(way: Way, told: Told, found: Found) -> bool:
    return not told["proven"]


def _best(way: Way, told: Told, found: Found) -> bool:
    return told["proven"] and way.left == told["cost"] and _amount(told, found) and way.begins(told)


def _some(way: Way, told: Told, found: Found) -> bool:
    return way.left is not None and way.left <= told["cost"] and _amount(told, found) and way.begins(told)


def _paid(told: Told, found: Found) -> bool:
    whole = sum(step["cost"] for step in told["plan"])
    return int(found["moves"] or 0) == len(told["plan"]) and whole == told["cost"]


SENTENCES: list[tuple[str, Test]] = [
    ("This position is solved already.", lambda way, told, found: 0 in way.truth.goals),
    ("Yes, it can still be solved from here.", lambda way, told, found: way.left is not None),
    ("No, it cannot be solved from here; that is proven.", lambda way, told, found: way.left is None),
    ("Not known: {SHORT} to tell.", _open),
    ("Not known: {SHORT} to find a way.", _open),
    ("A way was found, but it has more than {most} moves, which is too long to tell.",
     lambda way, told, found: way.left is not None),
    ("It could not be solved before that move either.", lambda way, told, found: way.old is None),
    ("After that move it can no longer be solved. Take it back.",
     lambda way, told, found: way.left is None and way.old is not None),
    ("It cannot be solved from here; whether it could before is not known.",
     lambda way, told, found: way.left is None),
    ("That move is on a best way.", lambda way, told, found: way.lost == 0),
    ("That move costs {LEAST}{AMOUNT} more than the best way.", _wrong),
    ("Can't tell: {SHORT} to compare both positions.", _open),
    ("{label}: a best move, {AMOUNT} to the goal; that is proven.", _best),
    ("{label}: a quick search suggests it ({AMOUNT} to the goal); a better one may exist.", _some),
    ("A best solution: {MOVES}{PAID}. That none is better is proven.",
     lambda way, told, found: _best(way, told, found) and _paid(told, found)),
    ("A solution: {MOVES}{PAID}. A better one may exist.",
     lambda way, told, found: _some(way, told, found) and _paid(told, found)),
]  # fmt: skip


def wrong(way: Way, told: Told) -> str:
    """Empty where an answer is true."""
    for sentence, test in SENTENCES:
        found = pattern(sentence, PIECES).fullmatch(told["says"])
        if found:
            return "" if test(way, told, found.groupdict()) else f"this is false: {told['says']}"
    return f"{UNKNOWN}: {told['says']}"
