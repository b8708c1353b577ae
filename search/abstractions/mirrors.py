"""Mirror images of a board: a second place to look in the same tables.

An automorphism moves the places of a board, and may rename values; if it maps the rows onto themselves and the goal
too, a state's image is as far from a goal as the state. That is not believed but shown, by writing every row and the
goal over the image: the terms must be the same again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from models.task import Task
from models.terms import Member, Term, Var, conjuncts, lookup, substitute, var
from search.abstractions.derived import Automorphism, Table
from search.abstractions.images import variable_of
from search.proofs.transitions import Transition

MOST = 7  # automorphisms that are looked for
TRIES = 10_000  # maps of the board that are begun


def mirrored(table: Table, image: Automorphism) -> Table:
    """The same table, read for a state's image."""
    weights = [tuple(0 for _ in each) for each in table.weights]
    for place, target in image.places.items():
        weights[place] = tuple(table.weights[target][image.values[value]] for value in range(len(weights[place])))
    return replace(table, weights=tuple(weights), mirror=image)


def automorphisms(task: Task, rows: Sequence[Transition], board: Sequence[int], groups: Sequence[Sequence[int]]
                  ) -> list[Automorphism]:  # fmt: skip
    """Those that there are besides the one that changes nothing, where the goal says what is in each place."""
    goal = wanted(task)
    if set(goal) != set(board) or len(set(goal.values())) < len(board):
        return []
    found = []
    for places in _maps(rows, board, goal, {value: n for n, group in enumerate(groups) for value in group}):
        renamed = {goal[place]: goal[target] for place, target in places.items()}
        size = len(task.variables[board[0]].domain)
        values = tuple(renamed.get(value, value) for value in range(size))
        made = Automorphism(places, values)
        if sorted(values) == list(range(size)) and keeps(task, rows, made):
            found.append(made)
        if len(found) == MOST:
            break
    return found


def wanted(task: Task) -> dict[int, int]:
    """What the goal wants of variables, if it wants one value of each that it reads; else nothing."""
    found: dict[int, int] = {}
    for part in conjuncts(task.goal):
        if not (isinstance(part, Member) and isinstance(part.argument, Var) and len(part.members) == 1):
            return {}
        found[part.argument.index] = part.members[0]
    return found


def keeps(task: Task, rows: Sequence[Transition], image: Automorphism) -> bool:
    """Are the rows, written over the image, the same rows, and is the goal the same goal?"""
    old = {var(place, len(image.values)): _before(image, place) for place in image.places}
    memo: dict[Term, Term] = {}

    def told(term: Term) -> Term:
        return substitute(term, old, memo)

    def of_image(row: Transition) -> object:
        after = {image.places[variable_of(each)]: lookup_in(told(new), image.values) for each, new in row.after.items()}
        return frozenset(map(told, row.guard)), frozenset(after.items()), told(row.cost)

    def of_itself(row: Transition) -> object:
        return frozenset(row.guard), frozenset((variable_of(o), new) for o, new in row.after.items()), row.cost

    parts = (*conjuncts(task.goal), *conjuncts(task.always))
    return set(map(of_image, rows)) == set(map(of_itself, rows)) and set(map(told, parts)) == set(parts)


def _before(image: Automorphism, place: int) -> Term:
    """The value of a variable, over the state's image."""
    back = {new: old for old, new in enumerate(image.values)}
    return lookup_in(var(image.places[place], len(image.values)), [back[value] for value in range(len(back))])


def lookup_in(term: Term, table: Sequence[int]) -> Term:
    return lookup(term, [table[value] if 0 <= value < len(table) else None for value in term.values])


def _maps(rows: Sequence[Transition], board: Sequence[int], goal: Mapping[int, int], group: Mapping[int, int]
          ) -> Iterator[dict[int, int]]:  # fmt: skip
    """Maps of the board onto itself that keep which places rows write together, but for the one that moves nothing."""
    near: dict[int, set[int]] = {place: set() for place in board}
    for row in rows:
        written = {variable_of(old) for old in row.after}
        for place in written:
            near[place] |= written - {place}
    order = _connected(board, near)
    tries = 0
    stack: list[dict[int, int]] = [{}]
    while stack and tries < TRIES:
        tries += 1
        known = stack.pop()
        if len(known) == len(order):
            if any(place != target for place, target in known.items()):
                yield known
            continue
        place = order[len(known)]
        stack += [
            {**known, place: target}
            for target in reversed(board)
            if target not in known.values()
            and len(near[place]) == len(near[target])
            and group[goal[place]] == group[goal[target]]
            and all((other in near[place]) == (known[other] in near[target]) for other in known)
        ]


def _connected(board: Sequence[int], near: Mapping[int, set[int]]) -> list[int]:
    """The places, neighbours one after the other."""
    order: dict[int, None] = {}
    for first in board:
        waiting = [first]
        while waiting:
            place = waiting.pop(0)
            if place not in order:
                order[place] = None
                waiting += sorted(near[place])
    return list(order)
