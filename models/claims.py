"""What may be claimed of a task, and what was found of it: the data that provers, CP-SAT and walks have in common.

A claim names all that its verdict rests on, so that a verdict is of use to just those who ask for the same. What is
true of a claim given facts stays true for every start at which these facts are shown, so starts share verdicts; what
was seen by walking from one start names that start.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from typing import Literal

from models.frozen import frozen
from models.outcomes import Operator
from models.task import Heuristic, Invariant, State
from models.terms import value_in

CUT_SHORT = "not proven in the time that was left"  # says nothing about another run, so it is not remembered
DEAD: Literal["dead"] = "dead"  # the claim that no goal can be reached from states in which `Task.dead` holds
UNDONE: Literal["undone"] = "undone"  # the claim that every step can be undone by a step
By = Literal["search", "cpsat", "walk"]
Verdicts = dict[str, "Verdict"]


@frozen(eq=True)
class Verdict:
    status: Literal["proven", "refuted", "unknown"]
    reason: str  # how it was proven, or why it was not
    seconds: float
    state: State | None = None  # where the claim fails, by `operator` or, if that is empty, because it is a goal
    operator: Operator = ()

    def __str__(self) -> str:
        return f"{self.status}: {self.reason}"

    @property
    def proven(self) -> bool:
        return self.status == "proven"


@frozen(eq=True)
class Claim:
    """What a verdict is about; it holds for every start, unless it names one."""

    by: By
    kind: Literal["heuristic", "invariant", "separates", "dead", "undone"]
    name: str  # of an invariant with its value, see `said`
    given: tuple[str, ...] = ()  # the facts that were assumed
    start: State | None = None  # the walk began here

    @property
    def key(self) -> str:
        return json.dumps(list(asdict(self).values()))


@lru_cache(maxsize=1 << 8)
def said(invariant: Invariant, start: State) -> str:
    """An invariant with its value at the start: as a fact, this is all that depends on the start."""
    value = value_in(invariant.term, start) if value_in(invariant.defined, start) else None
    return json.dumps([invariant.name, value])


def about(by: By, declared: Heuristic | Invariant, start: State, given: tuple[str, ...] = ()) -> Claim:
    """That a heuristic is consistent, or that an invariant keeps the value that it has at the start."""
    if isinstance(declared, Invariant):
        return Claim(by, "invariant", said(declared, start), given)
    return Claim(by, "heuristic", declared.name, given)
