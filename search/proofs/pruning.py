"""Move pruning: pairs of actions that a depth-first walk of all paths need not take one after the other.

Derived from the rows of the task alone (the static form of Taylor and Korf, Pruning duplicate nodes in depth-first
search, 1993; canonical orders of commuting moves are as old as programs for Rubik's cube). `next` after `last` is
pruned where

- it undoes it: both effects together change nothing, wherever both guards hold; or
- the two commute (neither writes what the other reads or writes; guard, `always` as far as the row can break it,
  effects and cost count as read) and `next` comes before `last` in the file, so that one order of the two is kept.

Every state that has a plan keeps a cheapest one without a pruned pair and without a repeated state. Among its
cheapest plans take those with the fewest steps, and of these the first in the order of the row numbers. It repeats no
state, or leaving the cycle out would save steps at no cost; hence no step undoes the one before. And it has no
commuting pair against the order: the second action reads the same before as after the first, so it applies there,
the first one applies after it, and the two leave the same state at the same cost by a plan that comes earlier. So a
search that walks every path, but for repeated states and pruned pairs, proves the same bounds and finds a plan of the
same cost; a bound on f = g + h with an admissible h cuts no cheapest plan off.

The argument needs paths. A table of transpositions forgets the last action by which a state was reached, so the two
must not be combined. Nor does it hold where successors are replaced by others (canonical states of a symmetry),
because there a row number means another action after the replacement. That `always` holds in the start, the loader
sees to; so what a row cannot break holds in every order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from models.task import Task
from models.terms import FALSE, Term, conjuncts, leaves, substitute
from search.proofs.reversal import equal
from search.proofs.transitions import Look, Transition, transitions

Pruning = npt.NDArray[np.bool_]

MOST_ROWS = 4096  # the square of this is the size of the matrix
CANDIDATES = 10_000  # pairs tried as inverses; the check of the path finds the others all the same


def pruning(task: Task, look: Look = lambda: None) -> Pruning | None:
    """allowed[last, next] by row number, all rows counted in the file's order.

    None where nothing is pruned: nothing commutes or undoes, there are choices, or there are too many rows. Where rules
    are long a pair takes long: `look` is asked before each.
    """
    size = len(task.rows)
    if size > MOST_ROWS or any(schema.choices for schema in task.schemas):
        return None
    first = np.cumsum([0, *(len(schema.rows) for schema in task.schemas)]).tolist()
    rows = {first[row.place[0]] + row.place[1]: row for row in transitions(task, look)}
    allowed = conflicts(rows, size) | ~np.tri(size, k=-1, dtype=np.bool_)
    for last, following in inverses(rows, look):
        allowed[last, following] = False
    return None if allowed.all() else allowed


def conflicts(rows: dict[int, Transition], size: int) -> npt.NDArray[np.bool_]:
    """Which two rows do not commute: one writes what the other reads or writes.

    Those that never apply say so too, and those whose effect is not known as a term.
    """
    writers: dict[Term, list[int]] = defaultdict(list)
    users: dict[Term, list[int]] = defaultdict(list)
    for number, row in rows.items():
        for variable in row.after:
            writers[variable].append(number)
        for leaf in row.read.union(leaves(row.cost)):
            users[leaf].append(number)
    found = np.zeros((size, size), dtype=np.bool_)
    found[[number for number in range(size) if number not in rows or not rows[number].exact]] = True
    for variable, numbers in writers.items():
        found[np.ix_(numbers, users[variable])] = True
    return found | found.T


def inverses(rows: dict[int, Transition], look: Look) -> Iterable[tuple[int, int]]:
    """Pairs (last, next) of which the second is proven to undo the first, among the first candidates."""
    groups: dict[frozenset[Term], list[int]] = defaultdict(list)
    known = {number: row for number, row in rows.items() if row.exact}
    for number, row in known.items():
        groups[frozenset(row.after)].append(number)
    left = CANDIDATES
    for last, row in known.items():
        for following in groups[frozenset(row.after)]:
            left -= 1
            if left < 0:
                return
            look()
            if undoes(row, rows[following]):
                yield last, following


def undoes(last: Transition, following: Transition) -> bool:
    """Is every written variable what it was, wherever one row applies after the other?"""
    memo: dict[Term, Term] = {}
    guard = [*last.guard]
    for whole in following.guard:
        guard += conjuncts(substitute(whole, last.after, memo))
    if FALSE in guard:
        return False
    written = dict.fromkeys((*last.after, *following.after))
    return all(equal(substitute(following.after.get(v, v), last.after, memo), v, guard) for v in written)
