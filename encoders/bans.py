"""Pairs of steps that no shortest plan needs one directly after the other, worked out from the rows alone.

`next` need not follow `last` where

- it undoes it, or one row does what the two do together, at no higher cost; or
- the two commute and `next` comes first in the file, so that one order of the two is left (the plan permutations of Fox
  and Long, The detection and exploitation of symmetry in planning problems, 1999).

Of the plans that cost least take those with the fewest steps, and of these the first in the order of the rows: it has
no such pair. So the bans are sound where any best plan will do, and not for checking a given plan or counting plans.
Rows with choices or many phases are left alone.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from encoders.regression import Transition, known, transition
from encoders.statements import Outline, Rows
from models import terms
from models.task import Task
from models.terms import Term, conjuncts, few_leaves, leaves, substitute

MOST_PHASES = 3  # of a row that is composed
MOST_PAIRS = 20_000  # pairs of rows that are composed
MOST_COMMUTE = 0.9  # of all pairs: from there on banning one order is worth its clauses (docs/encodings.md)
MOST_READ = 32  # leaves of all new values of a row that is composed, at most `terms.FEW_LEAVES`
Ban = tuple[Rows, Rows]  # none of the second rows directly after one of the first
Look = Callable[[], None]
Pairs = dict[int, set[int]]  # row -> the rows that need not follow it


def bans(outline: Outline, deadline: float = math.inf) -> list[Ban]:
    """What need not follow what, in few statements; none if `time.perf_counter()` passes `deadline`."""
    try:
        return _bans(outline, lambda: _look(deadline))
    except TimeoutError:
        return []


def _look(deadline: float) -> None:
    if time.perf_counter() > deadline:
        raise TimeoutError


def _bans(outline: Outline, look: Look) -> list[Ban]:
    """`look` is called before each composition, and may raise."""
    task = outline.task
    rows = {place: transition(task, row, look) for place, row in enumerate(outline.rows) if _is_plain(task, row)}
    kinds = defaultdict[frozenset[Term], list[int]](list)
    for place, row in rows.items():
        kinds[frozenset(row.after)].append(place)
    groups = list(kinds.values())
    return _joined(wasted(rows, groups, look), groups) + _joined(out_of_order(rows, look), groups)


def _is_plain(task: Task, row: tuple[int, int]) -> bool:
    """Rows with choices, or with many phases, whose composition is large, are left alone."""
    return not task.schemas[row[0]].choices and len(task.rows[row].phases) <= MOST_PHASES


def wasted(rows: Mapping[int, Transition], groups: Iterable[Sequence[int]], look: Look) -> Pairs:
    """Pairs of rows of a group, which write the same variables, that together do nothing or what one row does alone."""
    pairs: Pairs = {}
    left = MOST_PAIRS
    for group in groups:
        small = [place for place in group if _is_small(rows[place])]
        left -= len(small) ** 2
        if left < 0:
            break
        alone = [rows[place] for place in small]
        for last in small:
            look()
            pairs[last] = {following for following in small if _is_wasted(rows[last], rows[following], alone)}
    return pairs


def _is_small(one: Transition) -> bool:
    """Is there a chance that what the row does twice over is a simple thing?"""
    left = MOST_READ
    for new in one.after.values():
        read = few_leaves(new)
        left -= MOST_READ + 1 if read is None else len(read)
        if left < 0:
            return False
    return True


def _is_wasted(last: Transition, following: Transition, alone: Iterable[Transition]) -> bool:
    """Do two rows, one after the other, do nothing or what one row does alone? Not if they cannot follow each other."""
    left = (last.after.get(v, wanted) for v, wanted in following.known.items())
    if any(
        isinstance(new, terms.Const) and new is not wanted
        for new, wanted in zip(left, following.known.values(), strict=True)
    ):
        return False
    memo: dict[Term, Term] = {}
    guard = dict.fromkeys((*last.guard, *_conditions(following.guard, last.after, memo)))
    if terms.FALSE in guard:
        return False
    fixed = known(guard)
    after = {v: substitute(new, fixed) for v, new in _after(last, following, memo).items()}
    if all(new is substitute(v, fixed) for v, new in after.items()):
        return True
    costs = [one.values[0] + other.values[0] for one, other in zip(last.costs, following.costs, strict=True)]
    holding = guard | dict.fromkeys(_conditions(guard, fixed, {}))
    return any(
        all(cost.values[-1] <= both for cost, both in zip(one.costs, costs, strict=True))
        and all(substitute(one.after[v], fixed) is new for v, new in after.items())
        and all(_follows(part, holding) for part in one.guard)
        for one in alone
    )


def _conditions(guard: Iterable[Term], values: Mapping[Term, Term], memo: dict[Term, Term]) -> Iterator[Term]:
    for whole in guard:
        yield from conjuncts(substitute(whole, values, memo))


def _after(last: Transition, following: Transition, memo: dict[Term, Term]) -> dict[Term, Term]:
    """What two rows leave, one after the other; `memo` is about substituting `last.after`."""
    return {**last.after, **{v: substitute(new, last.after, memo) for v, new in following.after.items()}}


def _follows(part: Term, guard: Iterable[Term]) -> bool:
    """Does a condition certainly hold where all of a guard does?"""
    if part in guard:
        return True
    if not isinstance(part, terms.Member) or len(part.argument.values) > terms.FEW_VALUES:
        return False
    inside = [set(each.members) for each in guard if isinstance(each, terms.Member) and each.argument is part.argument]
    return bool(inside) and set.intersection(*inside) <= set(part.members)


def out_of_order(rows: Mapping[int, Transition], look: Look) -> Pairs:
    """Pairs (last, next) of rows that commute, `next` before `last` in the file; none unless nearly all do."""
    pairs: Pairs = {}
    every = len(rows) * (len(rows) - 1) / 2
    misses, most_misses = 0, every - MOST_COMMUTE * every
    asked = {place: frozenset(leaves(*one.guard, *one.costs)) for place, one in rows.items()}
    read = {place: asked[place].union(leaves(*one.after.values())) for place, one in rows.items()}
    left = MOST_PAIRS
    for last, one in rows.items():
        for following, other in rows.items():
            if following >= last:
                break
            written, overwritten = one.after.keys(), other.after.keys()
            apart = written.isdisjoint(asked[following]) and overwritten.isdisjoint(asked[last])
            if apart and not (written.isdisjoint(read[following] | overwritten) and overwritten.isdisjoint(read[last])):
                look()
                left -= 1
                apart = left >= 0 and _after(one, other, {}) == _after(other, one, {})
            if apart:
                pairs.setdefault(last, set()).add(following)
            else:
                misses += 1
            if misses > most_misses:
                return {}
    return pairs


def _joined(pairs: Pairs, groups: Iterable[Sequence[int]]) -> list[Ban]:
    """The same pairs by fewer statements: whole groups of rows where it can be, and rows that agree together."""
    whole = [frozenset(group) for group in groups if len(group) > 1]
    together: dict[Rows, list[int]] = {}
    for last in sorted(pairs):
        rest = pairs[last]
        for group in whole:
            if group <= rest:
                together.setdefault(tuple(sorted(group)), []).append(last)
                rest = rest - group
        for following in sorted(rest):
            together.setdefault((following,), []).append(last)
    return [(tuple(lasts), followings) for followings, lasts in together.items()]
