"""Facts of which just one holds, found for whole predicates, so that they become one variable of many values.

A group has a key, such as a block, and parts, such as `on(block, *)`, `ontable(block)`, `holding(block)`. It is proven
by induction, after Helmert (Concise finite-domain representations for PDDL planning tasks, 2009): at the start at most
one fact of each key holds, and no action makes two hold. An effect that makes a fact true has a *source*: an effect
under the same conditions that makes a fact of the same key false, which the conditions say holds. So the number of
facts that hold does not grow by that effect; and two such effects of one action are not about one key at a time, for
one of the reasons of `_apart`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from models.frozen import frozen
from models.pddl.forms import Form
from models.pddl.world import Literal, Objects, PddlAction, World

MOST_TRIED = 400  # groups that are looked at for one predicate


@frozen(eq=True)
class GroupPart:
    """Facts of a predicate: which arguments are the key, in its order, and which one is free, if any."""

    predicate: str
    key: tuple[int, ...]
    free: int | None

    def key_of(self, arguments: Sequence[str]) -> tuple[str, ...]:
        return tuple(arguments[place] for place in self.key)

    def free_of(self, arguments: Sequence[str]) -> str | None:
        return None if self.free is None else arguments[self.free]


Group = tuple[GroupPart, ...]


@frozen(eq=True)
class Move:
    """A fact of a group goes and, if `gains`, another comes, of the same key."""

    key: tuple[str, ...]
    part: GroupPart
    loses: Literal
    gains: Literal | None


def groups(world: World) -> list[Group]:
    """Proven groups that share no predicate, those that leave the fewest variables first."""
    found = {group: saved(world, group) for name in sorted(world.predicates.keys() - world.static)
             for group in _proven(world, name)}  # fmt: skip
    chosen: list[Group] = []
    for group in sorted(found, key=lambda each: (-found[each], each[0].predicate)):
        taken = {part.predicate for other in chosen for part in other}
        if found[group] > 0 and not taken & {part.predicate for part in group}:
            chosen.append(group)
    return chosen


def keys(world: World, group: Group) -> tuple[Objects, ...]:
    """What each place of the key may be: all that it may be in any part."""
    parts = [[world.predicates[part.predicate][place] for place in part.key] for part in group]
    together = [set().union(*each) for each in zip(*parts, strict=True)]
    return tuple(tuple(name for name in world.objects if name in each) for each in together)


def saved(world: World, group: Group) -> int:
    """By how many there are fewer variables than facts."""
    return sum(size_of(world.predicates[part.predicate]) for part in group) - size_of(keys(world, group))


def size_of(arguments: Sequence[Objects]) -> int:
    """How many facts there are with such arguments."""
    size = 1
    for objects in arguments:
        size *= len(objects)
    return size


def _proven(world: World, name: str) -> Iterator[Group]:
    """Groups that begin with a predicate, made larger until every effect has a source."""
    places = range(len(world.predicates[name]))
    waiting: list[Group] = [
        (GroupPart(name, tuple(p for p in places if p != free), free),) for free in (*places, None)
    ]  # fmt: skip
    seen = set(waiting)
    while waiting and len(seen) < MOST_TRIED:
        group = waiting.pop(0)
        bare = next((bare for action in world.actions for bare in _without_source(group, action)), None)
        if bare is None:
            if _starts(world, group) and all(_keeps(world, group, action) for action in world.actions):
                yield group
            continue
        for larger in _larger(world, group, *bare):
            if larger not in seen:
                seen.add(larger)
                waiting.append(larger)


def _starts(world: World, group: Group) -> bool:
    """Does at most one fact of each key hold at the start?"""
    held = [part.key_of(fact) for part in group for fact in world.start[part.predicate]]
    return len(set(held)) == len(held)


def part_of(group: Group, literal: Literal) -> GroupPart | None:
    return next((part for part in group if part.predicate == literal.predicate), None)


def _without_source(group: Group, action: PddlAction) -> Iterator[tuple[PddlAction, Literal, GroupPart]]:
    """The effects that make a fact of the group true without another that goes."""
    paired = {move.gains for move in moves(group, action)}
    for literal in action.literals:
        part = part_of(group, literal)
        if part is not None and literal.adds and literal not in paired:
            yield action, literal, part


def moves(group: Group, action: PddlAction) -> list[Move]:
    """The facts that certainly go, each with the first of those that come for it."""
    gains = [each for each in action.literals if each.adds and part_of(group, each)]
    found = []
    for loses in action.literals:
        part = part_of(group, loses)
        if part is None or loses.adds or not certain(action, loses):
            continue
        key = part.key_of(loses.arguments)
        gain = next((g for g in gains if g.block == loses.block and _key(group, g) == key), None)
        if gain is not None:
            gains.remove(gain)
        found.append(Move(key, part, loses, gain))
    return found


def _key(group: Group, literal: Literal) -> tuple[str, ...]:
    part = part_of(group, literal)
    assert part is not None
    return part.key_of(literal.arguments)


def certain(action: PddlAction, literal: Literal) -> bool:
    """Does the fact hold wherever the effect happens? Then the action says so, or the effect's own conditions."""
    words = (literal.predicate, *literal.arguments)
    stated = (*action.conditions, *literal.block.conditions)  # a name is one variable: no loop hides another
    return any(isinstance(each, Form) and _is_fact(each, words) for each in stated)


def _is_fact(form: Form, words: Sequence[str]) -> bool:
    return [getattr(each, "text", None) for each in form.items] == list(words)


def _larger(world: World, group: Group, action: PddlAction, literal: Literal, part: GroupPart) -> Iterator[Group]:
    """The group with another predicate, of which a fact goes where this one comes without a source."""
    key = part.key_of(literal.arguments)
    used = {each.predicate for each in group}
    for loses in action.literals:
        if loses.adds or loses.predicate in used or loses.block != literal.block or not certain(action, loses):
            continue
        options = [[place for place, term in enumerate(loses.arguments) if term == wanted] for wanted in key]
        for places in product(*options):
            rest = [place for place in range(len(loses.arguments)) if place not in places]
            if len(set(places)) == len(places) and len(rest) <= 1:
                yield (*group, GroupPart(loses.predicate, places, rest[0] if rest else None))


# -- two at a time -----------------------------------------------------------------------------------------------------


def _keeps(world: World, group: Group, action: PddlAction) -> bool:
    """Does no key come to have two facts by the action?"""
    gaining = [move for move in moves(group, action) if move.gains is not None]
    return all(_once(move) for move in gaining) and all(
        _apart(world, action, one, other) for one, other in combinations(gaining, 2)
    )


def _once(move: Move) -> bool:
    """For one key, does the fact that comes depend on the one that goes alone?"""
    assert move.gains is not None
    loops = {name for name, _ in move.gains.block.loops}
    return loops & set(move.gains.arguments) <= {*move.key, *move.loses.arguments}


def _apart(world: World, action: PddlAction, one: Move, other: Move) -> bool:
    """Are the two never about the same key, both at once?

    Different facts of one key do not hold both before the action, by induction; and keys differ where a place of them
    is two objects, of two types, or two things that a static condition tells apart.
    """
    if one.part != other.part:
        return True
    pairs = list(zip(one.key, other.key, strict=True))
    if one.part.free is not None:
        pairs.append((one.loses.arguments[one.part.free], other.loses.arguments[one.part.free]))
    return any(_differ(world, action, (one, a), (other, b)) for a, b in pairs)


Told = tuple[Move, str]  # a term of a move


def _differ(world: World, action: PddlAction, one: Told, other: Told) -> bool:
    """Are the terms certainly two objects?"""
    a, b = one[1], other[1]
    if set(_values(action, one)).isdisjoint(_values(action, other)):
        return True
    free = {name for move, _ in (one, other) for name, _ in move.loses.block.loops}
    return a not in free and b not in free and _told_apart(world, action, a, b)


def _values(action: PddlAction, told: Told) -> Objects:
    move, term = told
    known = {**action.scope, **dict(move.loses.block.loops)}
    return known.get(term, (term,))


def _told_apart(world: World, action: PddlAction, a: str, b: str) -> bool:
    """Does a condition of the action say that the two differ?"""
    for node in action.conditions:
        if not isinstance(node, Form):
            continue
        words = [getattr(each, "text", "") for each in node.items]
        if node.head == "not" and isinstance(node.items[1], Form):
            inner = [getattr(each, "text", "") for each in node.items[1].items]
            if inner in (["=", a, b], ["=", b, a]):
                return True
        if node.head in world.static and a in words[1:] and b in words[1:]:
            first, second = words[1:].index(a), words[1:].index(b)
            if all(fact[first] != fact[second] for fact in world.start[node.head]):
                return True
    return False
