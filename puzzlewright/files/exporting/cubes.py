"""Conditions and terms taken apart into cubes: for each variable the values that it may have.

A cube stands for the states that have one of the values that it names in each variable. `split` decides all that is
asked of a state by looking at one variable after the other (Shannon's expansion, over blocks of values that every
reader treats alike), so the cubes that come out share no state, and together they are all states of the first cube in
which the guard holds. What constructors of `models.terms` fold is decided without looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from models.frozen import frozen
from models.terms import (
    FALSE,
    Choice,
    Const,
    Lookup,
    Member,
    Not,
    Select,
    Term,
    Var,
    children,
    choice,
    conjuncts,
    const,
    leaves,
    lookup,
    substitute,
    var,
)

Leaf = Var | Choice
Key = tuple[str, int]  # of a leaf
Cube = Mapping[Key, tuple[int, ...]]  # of each leaf that counts the values that it may have, ascending


class TooMany(Exception):
    """There are more cubes than are wanted."""


@frozen(eq=True)
class CubeCase:
    """A cube, and in all its states the same value of each term that was asked for; None: as it was before."""

    cube: Cube
    values: tuple[int | None, ...]


@frozen(eq=True)
class _Node:
    """What is still to be decided; leaves of the terms count the values that the cube has."""

    cube: Cube
    guard: tuple[Term, ...]
    asked: tuple[Term, ...]
    before: tuple[Term | None, ...]  # what a term may stay to be, besides a number


def key_of(leaf: Leaf) -> Key:
    return ("var" if isinstance(leaf, Var) else "choice"), leaf.index


def _leaf(key: Key, size: int) -> Term:
    return (var if key[0] == "var" else choice)(key[1], size)


def split(guard: Sequence[Term], asked: Sequence[Term], before: Sequence[Term | None], cube: Cube, most: int,
          look: Callable[[], None] = lambda: None) -> list[CubeCase]:  # fmt: skip
    """The cases in which the guard holds and all terms have one value, or are `before`.

    Leaves of the terms have all their values; of those in the cube only these are looked at. TooMany beyond `most`
    cases, decisions that lead nowhere counted too; what `look` raises ends the work.
    """
    every = {leaf: key_of(leaf) for leaf in leaves(*guard, *asked, *filter(None, before))}
    whole = {key: tuple(leaf.values) for leaf, key in every.items()}
    few: dict[Term, Term] = {leaf: narrowed(leaf, cube[key]) for leaf, key in every.items() if key in cube}
    stack = [_over(_Node({**whole, **cube}, tuple(guard), tuple(asked), tuple(before)), few)]
    found: list[CubeCase] = []
    met = 0
    while stack:
        look()
        met += 1
        if met > most:
            raise TooMany
        node = _absorbed(stack.pop())
        if node is None:
            continue
        undecided = [term for term, old in zip(node.asked, node.before, strict=True) if _open(term, old)]
        if not node.guard and not undecided:
            found.append(CubeCase(node.cube, tuple(map(_value, node.asked, node.before))))
            continue
        key, blocks = _question(node, undecided)
        stack += [_restricted(node, {key: block}) for block in reversed(blocks)]
    return found


def narrowed(leaf: Term, places: Sequence[int]) -> Term:
    """The leaf where it has only these values: one of that many values, looked up."""
    assert isinstance(leaf, Var | Choice)
    return const(places[0]) if len(places) == 1 else lookup(_leaf(key_of(leaf), len(places)), places)


def _open(term: Term, old: Term | None) -> bool:
    return not isinstance(term, Const) and term is not old


def _value(term: Term, old: Term | None) -> int | None:
    return None if term is old and not isinstance(term, Const) else term.values[0]


def _over(node: _Node, names: Mapping[Term, Term]) -> _Node:
    memo: dict[Term, Term] = {}

    def new(term: Term) -> Term:
        return substitute(term, names, memo)

    guard = tuple(dict.fromkeys(part for whole in node.guard for part in conjuncts(new(whole))))
    before = tuple(None if old is None else new(old) for old in node.before)
    return _Node(node.cube, guard, tuple(map(new, node.asked)), before)


def _restricted(node: _Node, blocks: Mapping[Key, Sequence[int]]) -> _Node:
    """The node where leaves have only so many of the places that are left of them."""
    names = {}
    cube = dict(node.cube)
    for key, places in blocks.items():
        names[_leaf(key, len(cube[key]))] = narrowed(_leaf(key, len(cube[key])), places)
        cube[key] = tuple(cube[key][place] for place in places)
    return _over(_Node(cube, node.guard, node.asked, node.before), names)


def _absorbed(node: _Node) -> _Node | None:
    """The node after all its tests of single leaves; None where the guard fails."""
    while True:
        if FALSE in node.guard:
            return None
        blocks: dict[Key, set[int]] = {}
        for part in node.guard:
            if (test := _test(part)) is not None:
                key, places = test
                blocks[key] = blocks.get(key, places) & places
        if not all(blocks.values()):
            return None
        if not blocks:
            return node
        node = _restricted(node, {key: sorted(places) for key, places in blocks.items()})


def _test(part: Term) -> tuple[Key, set[int]] | None:
    """The one leaf that a condition tests, and the places with which it holds."""
    match part:
        case Var() | Choice():
            return key_of(part), {1}
        case Not(argument=Var() | Choice() as leaf):
            return key_of(leaf), {0}
        case Member(argument=Var() | Choice() as leaf, members=members):
            return key_of(leaf), set(members)
    return None


def _question(node: _Node, undecided: Sequence[Term]) -> tuple[Key, list[list[int]]]:
    """The leaf to look at next, of the term that reads the fewest, and its blocks."""
    terms = node.guard or undecided
    candidates = min((leaves(term) for term in terms), key=len)
    blocks = {key_of(leaf): _blocks(leaf, terms) for leaf in candidates}
    key = min(blocks, key=lambda each: len(blocks[each]))
    return key, blocks[key]


def _blocks(leaf: Leaf, terms: Sequence[Term]) -> list[list[int]]:
    """The places of a leaf, those together that every reader treats alike."""
    marks: dict[int, list[object]] = {place: [] for place in leaf.values}
    for reader in _readers(leaf, terms):
        match reader:
            case Member(members=members):
                marks = {place: [*mark, place in members] for place, mark in marks.items()}
            case Lookup(table=parts) | Select(branches=parts):
                marks = {place: [*mark, parts[number]] for number, (place, mark) in enumerate(marks.items())}
            case Not():
                pass
            case _:
                pass
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, mark in marks.items():
        groups.setdefault(tuple(mark), []).append(place)
    return list(groups.values()) if len(groups) > 1 else [[place] for place in leaf.values]


def _readers(leaf: Leaf, terms: Sequence[Term]) -> Iterator[Term | None]:
    """The terms that have the leaf as a part; None where it is asked for itself."""
    seen = set[Term]()
    stack = list(terms)
    if leaf in stack:
        yield None
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        parts = children(term)
        if leaf in parts:
            yield None if isinstance(term, Select) and leaf in term.branches else term
        stack += parts
