"""Effect and frame axioms of one variable over one phase.

Frame axioms are explanatory (Haas, The case for domain-specific frame axioms, 1987): a value comes or goes only by a
firing effect, or a variable that no firing effect touches keeps its value, whichever is shorter.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from encoders.formula import FALSE, Formula, ValueLiterals

Frame = Literal["mixed", "touched", "by value"]


class Firing(NamedTuple):
    literal: int  # the effect fires
    cases: ValueLiterals  # the value that it assigns


def link(formula: Formula, old: ValueLiterals, new: ValueLiterals, firings: list[Firing], frame: Frame) -> None:
    """`new` is what the firing effects assign and, without any, `old`."""
    clause = formula.clause
    for fires, cases in firings:
        for value, literal in cases.items():
            clause((~fires, ~literal, new.get(value, FALSE)))
        if len(cases) > 1:
            for value, literal in new.items():
                clause((~fires, ~literal, cases.get(value, FALSE)))
    values = sorted(old.keys() | new.keys())
    if frame == "by value" or frame == "mixed" and _is_shorter_by_value(values, firings):
        for value in values:
            setters = [fires for fires, cases in firings if value in cases]
            others = [fires for fires, cases in firings if cases.keys() != {value}]
            clause((~old.get(value, FALSE), new.get(value, FALSE), *others))
            clause((~new.get(value, FALSE), old.get(value, FALSE), *setters))
        return
    touched = formula.any_of([fires for fires, _ in firings])
    for value in values:
        clause((touched, ~old.get(value, FALSE), new.get(value, FALSE)))
        clause((touched, ~new.get(value, FALSE), old.get(value, FALSE)))


def _is_shorter_by_value(values: list[int], firings: list[Firing]) -> bool:
    """Not where many effects or copies make a literal for "touched" much shorter."""
    assigned = Counter(value for _, cases in firings for value in cases)
    always = Counter(next(iter(cases)) for _, cases in firings if len(cases) == 1)
    by_value = sum(assigned[value] + len(firings) - always[value] + 4 for value in values)
    touched = 3 * len(firings) + 6 * len(values)
    return 2 * by_value <= 3 * touched
