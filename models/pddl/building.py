"""A `Puzzle` by value from a world of PDDL.

A predicate that no action changes is data: tables from the first arguments to what the next one may be, so that
grounding joins over them. Facts of which just one holds (`groups`) are one variable; any other fact is a Boolean one.
Names stay as they are, so a step in a plan file is `(action object ...)`, the form of planning competitions.

Where an action makes a fact false and true at once it is true (PDDL 2.1). So an assignment of false has the condition
that no effect of the action makes this fact true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import product

from models import expressions as e
from models.frozen import frozen
from models.limits import MOST_VARIABLES, check_limit
from models.pddl.forms import Form, Node, Word, forms, unsupported, whole
from models.pddl.groups import Group, GroupPart, groups, keys, moves, part_of, size_of
from models.pddl.world import OBJECT, TOTAL, Literal, Objects, PddlAction, World, world_of
from models.puzzle import Action, Condition, Joined, Line, Parameter, Puzzle, PuzzlePhase, StateVariable, Template, View
from models.titles import in_words
from models.values import BOOL, Record, Type

COST = "cost"
NONE = "(none)"  # of the facts of a group; no name has brackets
MOST_SEEN = 5_000  # facts of a predicate that a picture looks through
Row = tuple[str, ...]


def pddl_puzzle(text: str, source: str) -> Puzzle:
    """The puzzle in a text that holds a domain and a problem; PuzzleError where they are wrong, or not supported."""
    world = world_of(forms(text, source))
    return _PddlBuilder(world).puzzle(source, sha256(text.encode()).hexdigest())


@frozen()
class _Place:
    """Where facts of a predicate are: a Boolean for each, or the variable of a group."""

    name: str
    indices: tuple[Type, ...]
    part: GroupPart | None = None
    type: Type = BOOL
    words: Mapping[str, str] | None = None  # of a group's fact, by its free argument, where that is not its own word

    def read(self, terms: Sequence[e.Expr]) -> e.Expr:
        """Does the fact hold?"""
        if self.part is None:
            return e.Truth(e.Read(self.name, tuple(terms)))
        key = tuple(terms[place] for place in self.part.key)
        return e.Equal(e.Read(self.name, key), self.value(terms), False)

    def target(self, terms: Sequence[e.Expr]) -> tuple[e.Expr, ...]:
        return tuple(terms) if self.part is None else tuple(terms[place] for place in self.part.key)

    def value(self, terms: Sequence[e.Expr]) -> e.Expr:
        """What the variable is where the fact holds."""
        if self.part is None:
            return e.Constant(True)
        free = None if self.part.free is None else terms[self.part.free]
        if self.words is None:
            assert free is not None
            return free
        return e.Constant(self.words[""]) if free is None else e.Mapped(free, dict(self.words))


class _PddlBuilder:
    def __init__(self, world: World) -> None:
        self.world = world
        self.named: dict[Objects, Type] = {}
        self.variables: list[StateVariable] = []
        self.places: dict[str, _Place] = {}
        self.tables: dict[tuple[str, tuple[int, ...], int], Mapping[Row, object]] = {}
        for group in groups(world):
            self._group(group)
        for name in sorted(world.predicates.keys() - world.static - self.places.keys()):
            self._booleans(name)

    def puzzle(self, source: str, fingerprint: str) -> Puzzle:
        world = self.world
        return Puzzle(
            name=world.name,
            level=world.problem,
            about=f"PDDL, the problem {world.problem} of the domain {world.name}",
            source=source,
            data={},
            known={},
            types={type_.name: type_ for type_ in self.named.values()},
            variables=tuple(self.variables),
            actions=tuple(map(self._action, world.actions)),
            goal=tuple(self._condition(node, {}) for node in world.goal),
            always=(),
            require=(),
            dead=(),
            heuristics=(),
            invariants=(),
            view=View(lines=tuple(self._seen(name) for name in self.places)),
            metrics=(COST,),
            interchangeable=(),
            mirrors=(),
            seed=0,
            fingerprint=fingerprint,
            title=in_words(world.name),
            level_title=in_words(world.problem),
        )

    # -- types and variables -------------------------------------------------------------------------------------------

    def _type(self, objects: Objects) -> Type:
        """The type that has just these objects, called as one of the file's, if that is one."""
        if objects not in self.named:
            names = [OBJECT, *self.world.parents]
            fitting = next((name for name in names if self.world.of_types({name}) == objects), None)
            self.named[objects] = Type(fitting or " or ".join(objects) or NONE, objects)
        return self.named[objects]

    def _group(self, group: Group) -> None:
        """The variables of a group: one for each key."""
        world = self.world
        indices = tuple(map(self._type, keys(world, group)))
        name = " or ".join(part.predicate for part in group)
        held = {part.key_of(fact): (part, fact) for part in group for fact in world.start[part.predicate]}
        complete = len(held) == size_of([index.values for index in indices]) and not self._loses(group)
        single = len(group) == 1 and complete and group[0].free is not None
        words = {part: None if single else self._words(part) for part in group}
        facts = [word for part in group for word in self._facts(part, words[part])]
        type_ = self._type(tuple(facts)) if single else Type(name, tuple(facts) + (NONE,) * (not complete))
        for part in group:
            self.places[part.predicate] = _Place(name, indices, part, type_, words[part])
        start = {key: self._fact_word(part, words[part], fact) for key, (part, fact) in held.items()}
        self._add(name, indices, type_, start, NONE)

    def _words(self, part: GroupPart) -> dict[str, str]:
        if part.free is None:
            return {"": part.predicate}
        return {name: f"{part.predicate} {name}" for name in self.world.predicates[part.predicate][part.free]}

    def _facts(self, part: GroupPart, words: Mapping[str, str] | None) -> Iterable[str]:
        if words is not None:
            return words.values()
        assert part.free is not None
        return self.world.predicates[part.predicate][part.free]

    def _fact_word(self, part: GroupPart, words: Mapping[str, str] | None, fact: Row) -> str:
        free = part.free_of(fact) or ""
        return free if words is None else words[free]

    def _loses(self, group: Group) -> bool:
        """May a fact of the group go without another that comes?"""
        return any(
            not literal.adds and part_of(group, literal) is not None and literal not in paired
            for action in self.world.actions
            for paired in [{move.loses for move in moves(group, action) if move.gains is not None}]
            for literal in action.literals
        )

    def _booleans(self, name: str) -> None:
        indices = tuple(map(self._type, self.world.predicates[name]))
        self.places[name] = _Place(name, indices)
        self._add(name, indices, BOOL, {fact: True for fact in self.world.start[name]}, False)

    def _add(
        self, name: str, indices: tuple[Type, ...], type_: Type, start: Mapping[Row, object], other: object
    ) -> None:
        size = size_of([index.values for index in indices])
        check_limit(size, MOST_VARIABLES, f"facts of `{name}`", self.world.location)
        names = tuple(f"#{number}" for number in range(len(indices)))

        def table(left: tuple[Type, ...], before: Row) -> object:
            if not left:
                return start.get(before, other)
            return tuple(table(left[1:], (*before, value)) for value in left[0].values)

        expression: e.Expr = e.Constant(table(indices, ()))
        for each, index in zip(names, indices, strict=True):
            expression = e.Element(expression, e.Mapped(e.Local(each), index.place))
        place = self.world.location
        self.variables.append(StateVariable(name, tuple(zip(names, indices, strict=True)), type_, expression, place))

    def _seen(self, name: str) -> Template:
        """A line of the facts that hold."""
        arguments = self.world.predicates[name]
        variables = [(f"?{number}", objects) for number, objects in enumerate(arguments)]
        terms = [self._term(each) for each, _ in variables]
        holds = self.places[name].read(terms)
        if not variables:
            return f"{name}: ", holds
        if size_of(arguments) > MOST_SEEN:
            return (f"{name}: too many to look through",)
        words = {row: " ".join(row) for row in product(*arguments)}
        loops = _loops(variables)
        last = replace(loops[-1], condition=holds)
        return f"{name}: ", Joined(_looked_up(words, terms), (*loops[:-1], last))

    # -- actions -------------------------------------------------------------------------------------------------------

    def _action(self, action: PddlAction) -> Action:
        scope = action.scope
        parameters = tuple(Parameter(name[1:], self._type(objects)) for name, objects in action.parameters)
        when = [self._condition(node, scope) for node in action.conditions]
        lines = tuple(line for literal in action.literals for line in self._lines(action, literal))
        label = (action.name, *(part for each in parameters for part in (" ", e.Local(each.name))))
        return Action(action.name, parameters, tuple(when), (PuzzlePhase(lines),), {COST: self._cost(action)}, label,
                      action.form.place)  # fmt: skip

    def _cost(self, action: PddlAction) -> e.Expr:
        if not self.world.priced:
            return e.Constant(1)
        if len(action.costs) > 1:
            raise unsupported("a second cost of an action", action.costs[1])
        return self._number(action.costs[0], action) if action.costs else e.Constant(0)

    def _number(self, node: Node, action: PddlAction) -> e.Expr:
        """A number as it stands, or a table of what the problem says."""
        if isinstance(node, Word):
            return e.Constant(_cost_of(node.text, node))
        if node.head == TOTAL or node.head not in self.world.functions:
            raise unsupported("an expression as a cost", node)
        terms = [each.text for each in node.rest if isinstance(each, Word)]
        if len(terms) != self.world.functions[node.head] or len(terms) != len(node.rest):
            raise unsupported("such an expression as a cost", node)
        rows = {key[1:]: value for key, value in self.world.values.items() if key[0] == node.head}
        if any(value < 0 for value in rows.values()):
            raise unsupported("a cost below 0", node)
        return _looked_up(rows, [self._term(term) for term in terms])

    # -- effects -------------------------------------------------------------------------------------------------------

    def _lines(self, action: PddlAction, literal: Literal) -> list[Line]:
        place = self.places[literal.predicate]
        if not literal.adds and place.part is not None and self._has_successor(action, literal, place):
            return []
        terms = list(map(self._term, literal.arguments))
        conditions = [self._formula(node) for node in literal.block.conditions]
        if literal.adds:
            value = place.value(terms)
        else:
            value = e.Constant(False) if place.part is None else e.Constant(NONE)
            conditions += [place.read(terms)] * (place.part is not None)
            conditions += [e.Negation(each) for each in self._made_true(action, literal)]
        condition, loops = _all(conditions) if conditions else None, _loops(literal.block.loops)
        words = shown(literal.form)
        return [Line(place.name, place.target(terms), value, loops, condition, words, literal.form.place)]

    def _has_successor(self, action: PddlAction, literal: Literal, place: _Place) -> bool:
        """Is another fact assigned to the same variable wherever this one goes?"""
        group = self._group_of(place)
        return any(move.loses == literal and move.gains is not None for move in moves(group, action))

    def _group_of(self, place: _Place) -> Group:
        return tuple(each.part for each in self.places.values() if each.name == place.name and each.part is not None)

    def _made_true(self, action: PddlAction, literal: Literal) -> list[e.Expr]:
        """Where other effects of the action make the fact true, or another fact of its variable."""
        place = self.places[literal.predicate]
        here = place.target(list(map(self._term, literal.arguments)))
        others = (each for each in action.literals if each.adds and self.places[each.predicate].name == place.name)
        return [self._about(other, here) for other in others]

    def _about(self, other: Literal, here: Sequence[e.Expr]) -> e.Expr:
        """Where the effect happens to the variable with these indices; its loops have names of their own."""
        names = {name: f"{name}'" for name, _ in other.block.loops}
        terms = [self._term(names.get(each, each)) for each in other.arguments]
        there = self.places[other.predicate].target(terms)
        same = [e.Equal(a, b, False) for a, b in zip(here, there, strict=True)]
        whole = _all([*same, *(self._formula(node, names) for node in other.block.conditions)])
        loops = _loops([(names[name], objects) for name, objects in other.block.loops])
        return e.Quantifier("any", whole, loops, None, None) if loops else whole

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _condition(self, node: Node, scope: Mapping[str, Objects]) -> Condition:
        return Condition(self._formula(node), shown(node), node.place)

    def _formula(self, node: Node, names: Mapping[str, str] | None = None) -> e.Expr:
        """The condition, with other names of variables if given."""
        assert isinstance(node, Form)
        names = names or {}
        match node.head:
            case "" | "and":
                return _all([self._formula(each, names) for each in node.rest])
            case "or":
                parts = tuple(self._formula(each, names) for each in node.rest)
                return e.Disjunction(parts) if parts else e.Constant(False)
            case "not":
                return e.Negation(self._formula(node.items[1], names))
            case "imply":
                return e.Disjunction(
                    (e.Negation(self._formula(node.items[1], names)), self._formula(node.items[2], names))
                )
            case "forall" | "exists":
                return self._quantified(node, names)
            case "=":
                left, right = (self._term(_text(each, names)) for each in node.rest)
                return e.Equal(left, right, False)
        terms = [self._term(_text(each, names)) for each in node.rest]
        if node.head in self.world.static:
            return self._static(node.head, terms)
        return self.places[node.head].read(terms)

    def _quantified(self, node: Form, names: Mapping[str, str]) -> e.Expr:
        variables = self.world.loops_of(node)
        inner = {name: new for name, new in names.items() if name not in dict(variables)}
        loops = _loops(variables)
        kind = "all" if node.head == "forall" else "any"
        return e.Quantifier(kind, self._formula(node.items[2], inner), loops, None, None)  # type: ignore[arg-type]

    def _term(self, text: str) -> e.Expr:
        return e.Local(_plain(text)) if text.startswith("?") else e.Constant(text)

    def _static(self, name: str, terms: Sequence[e.Expr]) -> e.Expr:
        """The facts as tables: each argument is one of what those before it leave."""
        facts = self.world.start[name]
        if not terms:
            return e.Constant(bool(facts))
        parts = [self._among(name, place, terms) for place in range(len(terms))]
        if len(terms) == 2:  # the other way round too, for joins that know the second first
            parts.append(e.Contains(terms[0], self._following(name, [1], terms, 0), False))
        return e.Conjunction(tuple(parts)) if len(parts) > 1 else parts[0]

    def _among(self, name: str, place: int, terms: Sequence[e.Expr]) -> e.Expr:
        return e.Contains(terms[place], self._following(name, list(range(place)), terms, place), False)

    def _following(self, name: str, before: list[int], terms: Sequence[e.Expr], wanted: int) -> e.Expr:
        """What argument `wanted` may be, where those `before` are these terms."""
        key = name, tuple(before), wanted
        if key not in self.tables:
            rows: dict[Row, list[str]] = {}
            for fact in sorted(self.world.start[name]):
                rows.setdefault(tuple(fact[i] for i in before), []).append(fact[wanted])
            self.tables[key] = {row: tuple(dict.fromkeys(values)) for row, values in rows.items()}
        return _looked_up(self.tables[key], [terms[i] for i in before], ())


def _looked_up(rows: Mapping[Row, object], terms: Sequence[e.Expr], nothing: object = None) -> e.Expr:
    """rows[terms], undefined where there is none; without terms `nothing` where there is none."""
    if not terms:
        return e.Constant(rows.get((), nothing))
    found: e.Expr = e.Constant(_nested(rows))
    for term in terms:
        found = e.Element(found, term)
    return found


def _nested(rows: Mapping[Row, object]) -> Record:
    made = Record()
    for row, value in rows.items():
        inner = made
        for name in row[:-1]:
            inner = inner.setdefault(name, Record())
        inner[row[-1]] = value
    return made


def _cost_of(text: str, node: Node) -> int:
    number = whole(text)
    if number is None or number < 0:
        raise unsupported(f"the cost {text!r}, which is no whole number from 0 on,", node)
    return number


def _text(node: Node, names: Mapping[str, str]) -> str:
    assert isinstance(node, Word)
    return names.get(node.text, node.text)


def _plain(name: str) -> str:
    return name.removeprefix("?")


def shown(node: Node) -> str:
    """The text again."""
    return node.text if isinstance(node, Word) else f"({' '.join(map(shown, node.items))})"


def _loops(variables: Iterable[tuple[str, Objects]]) -> tuple[e.Loop, ...]:
    return tuple(e.Loop(_plain(name), e.Constant(objects), None) for name, objects in variables)


def _all(parts: Sequence[e.Expr]) -> e.Expr:
    return parts[0] if len(parts) == 1 else e.Conjunction(tuple(parts)) if parts else e.Constant(True)
