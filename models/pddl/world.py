"""What a domain and a problem declare: types, objects, predicates, actions taken apart, the start, what is static.

Requirements are not looked at: what a file uses is what it needs. Names, arities, and whether a name is an object, a
variable or nothing, are checked here, so that what comes behind finds only what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from models.errors import Location, did_you_mean
from models.frozen import frozen
from models.pddl.forms import Form, Node, Word, unsupported, whole, wrong

OBJECT = "object"
TOTAL = "total-cost"
Objects = tuple[str, ...]
Scope = Mapping[str, Objects]  # the objects that each variable may be


@frozen(eq=True)
class EffectBlock:
    """Where effects happen: for all values of the variables, if all conditions hold."""

    loops: tuple[tuple[str, Objects], ...] = ()
    conditions: tuple[Node, ...] = ()


@frozen(eq=True)
class Literal:
    """A fact that an effect makes true, or false."""

    adds: bool
    predicate: str
    arguments: tuple[str, ...]  # objects, and variables with their question marks
    block: EffectBlock
    form: Form


@frozen(eq=True)
class PddlAction:
    name: str
    parameters: tuple[tuple[str, Objects], ...]
    conditions: tuple[Node, ...]
    literals: tuple[Literal, ...]
    costs: tuple[Node, ...]  # what is added to the total cost
    form: Form

    @property
    def scope(self) -> dict[str, Objects]:
        return dict(self.parameters)


@dataclass
class World:
    """Domain and problem together."""

    name: str
    problem: str
    location: Location
    parents: dict[str, set[str]] = field(default_factory=dict)  # of each type
    objects: dict[str, set[str]] = field(default_factory=dict)  # each with its types, in the order of the files
    predicates: dict[str, tuple[Objects, ...]] = field(default_factory=dict)  # what each argument may be
    functions: dict[str, int] = field(default_factory=dict)  # their arities
    values: dict[tuple[str, ...], int] = field(default_factory=dict)  # of functions
    start: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)  # the facts of each predicate
    actions: list[PddlAction] = field(default_factory=list)
    goal: tuple[Node, ...] = ()
    priced: bool = False  # is the total cost what is minimised?

    @cached_property
    def static(self) -> set[str]:
        """The predicates that no action changes."""
        changed = {literal.predicate for action in self.actions for literal in action.literals}
        return self.predicates.keys() - changed

    def of_types(self, names: Iterable[str]) -> Objects:
        """The objects that have one of the types."""
        wanted = set(names)
        return tuple(name for name, types in self.objects.items() if self.ancestors(types) & wanted)

    def loops_of(self, node: Form) -> list[tuple[str, Objects]]:
        """The variables of a quantifier that was checked."""
        return [(word.text, self.of_types(types or {OBJECT})) for word, types in _typed(_list(node, 1).items)]

    def ancestors(self, types: Iterable[str]) -> set[str]:
        found, waiting = {OBJECT}, list(types)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.parents.get(name, ())
        return found


def world_of(top: Sequence[Form]) -> World:
    """The world of a domain and a problem, in either order; PuzzleError where they are none."""
    found: dict[str, Form] = {}
    for form in top:
        kind = _list(form, 1).head if form.head == "define" else ""
        if kind not in ("domain", "problem"):
            raise wrong("expected (define (domain ...) ...) or (define (problem ...) ...)", form)
        if kind in found:
            raise wrong(f"there is a second {kind}", form)
        found[kind] = form
    for kind in ("domain", "problem"):
        if kind not in found:
            raise wrong(f"there is no {kind}", top[-1], "give both files: solve DOMAIN PROBLEM")
    return _WorldReader(found["domain"], found["problem"]).world


# -- sections ----------------------------------------------------------------------------------------------------------

DOMAIN = ("types", "constants", "predicates", "functions", "action")
PROBLEM = ("objects", "init", "goal", "metric")
IGNORED = (":requirements", ":domain")


class _WorldReader:
    def __init__(self, domain: Form, problem: Form) -> None:
        self.world = World(_name(domain), _name(problem), domain.place)
        self.known: dict[str, list[set[str]]] = {}  # what each argument of a predicate may be
        sections = [*self._sections(domain, DOMAIN), *self._sections(problem, PROBLEM)]
        self._domain_of(problem)
        for wanted, read in self._readers().items():
            for section in sections:
                if section.head == wanted:
                    read(section)

    def _readers(self) -> dict[str, Callable[[Form], None]]:
        """What reads each section, in an order in which all names are known before they are used."""
        return {":types": self._types, ":constants": self._objects, ":objects": self._objects,
                ":predicates": self._predicates, ":functions": self._functions, ":action": self._action,
                ":init": self._init, ":goal": self._goal, ":metric": self._metric}  # fmt: skip

    def _sections(self, whole: Form, known: Sequence[str]) -> Iterator[Form]:
        for section in whole.items[2:]:
            if not isinstance(section, Form) or not section.head.startswith(":"):
                raise wrong("expected a section, such as (:predicates ...)", section)
            if section.head[1:] in known:
                yield section
            elif section.head not in IGNORED:
                raise unsupported(f"the section {section.head}", section)

    def _domain_of(self, problem: Form) -> None:
        for section in problem.items[2:]:
            if isinstance(section, Form) and section.head == ":domain":
                said = section.rest[0].text if section.rest and isinstance(section.rest[0], Word) else ""
                if said != self.world.name:
                    raise wrong(f"the problem is of the domain {said!r}, this is {self.world.name!r}", section)

    # -- declarations ------------------------------------------------------------------------------------------------

    def _types(self, section: Form) -> None:
        for word, parents in _typed(section.rest):
            self.world.parents.setdefault(word.text, set()).update(parents)
        for name in {p for parents in list(self.world.parents.values()) for p in parents}:
            self.world.parents.setdefault(name, set())

    def _objects(self, section: Form) -> None:
        for word, types in _typed(section.rest):
            self._check_types(types, word)
            self.world.objects.setdefault(word.text, set()).update(types)

    def _check_types(self, types: Iterable[str], node: Node) -> None:
        for name in types:
            if name != OBJECT and name not in self.world.parents:
                raise wrong(f"there is no type {name!r}", node, did_you_mean(name, self.world.parents))

    def _predicates(self, section: Form) -> None:
        for form in section.rest:
            if not isinstance(form, Form) or not form.head:
                raise wrong("expected a predicate, such as (at ?x - thing)", form)
            if form.head in self.world.predicates:
                raise wrong(f"the predicate {form.head!r} is declared twice", form)
            declared = list(self._variables(form.rest))
            self.world.predicates[form.head] = tuple(objects for _, objects in declared)
            self.world.start[form.head] = set()

    def _variables(self, nodes: Sequence[Node]) -> Iterator[tuple[str, Objects]]:
        """Typed variables, and what they may be."""
        for word, types in _typed(nodes):
            if not word.text.startswith("?"):
                raise wrong(f"expected a variable, found {word.text!r}", word)
            self._check_types(types, word)
            yield word.text, self.world.of_types(types or {OBJECT})

    def _functions(self, section: Form) -> None:
        for node in section.rest:
            if isinstance(node, Form) and node.head:
                self.world.functions[node.head] = len([w for w, _ in _typed(node.rest)])

    # -- actions -----------------------------------------------------------------------------------------------------

    def _action(self, section: Form) -> None:
        if len(section.items) < 2 or not isinstance(section.items[1], Word):
            raise wrong("an action has a name", section)
        name, parts = section.items[1].text, _pairs(section.items[2:])
        if any(action.name == name for action in self.world.actions):
            raise wrong(f"there are two actions {name!r}", section)
        for key, node in parts.items():
            if key not in (":parameters", ":precondition", ":effect"):
                raise unsupported(f"{key} of an action", node)
        given = parts.get(":parameters")
        declared = list(self._variables(given.items if isinstance(given, Form) else ()))
        names = [variable for variable, _ in declared]
        if len(set(names)) < len(names):
            raise wrong(f"a parameter of {name!r} is declared twice", given or section)
        scope = dict(declared)
        before, effect = parts.get(":precondition"), parts.get(":effect")
        conditions = _conjuncts(before) if before is not None else ()
        for each in conditions:
            self._check(each, scope)
        literals, costs = list[Literal](), list[Node]()
        if effect is not None:
            self._effect(effect, scope, EffectBlock(), literals, costs)
        made = PddlAction(name, tuple(declared), conditions, tuple(literals), tuple(costs), section)
        self.world.actions.append(made)

    def _effect(self, node: Node, scope: Scope, block: EffectBlock, literals: list[Literal], costs: list[Node]) -> None:
        if not isinstance(node, Form):
            raise wrong("expected an effect in brackets", node)
        match node.head:
            case "" if node.items:
                raise wrong("expected an effect", node)
            case "and" | "":
                for each in node.rest:
                    self._effect(each, scope, block, literals, costs)
            case "forall":
                _has(node, 2)
                loops = tuple(self._variables(_list(node, 1).items))
                if len({*scope, *dict(loops)}) < len(scope) + len(loops):
                    raise unsupported("an effect's variable that hides another of its name", node)
                inner = replace(block, loops=block.loops + loops)
                self._effect(_part(node, 2), {**scope, **dict(loops)}, inner, literals, costs)
            case "when":
                _has(node, 2)
                conditions = _conjuncts(_part(node, 1))
                for each in conditions:
                    self._check(each, scope)
                inner = replace(block, conditions=block.conditions + conditions)
                self._effect(_part(node, 2), scope, inner, literals, costs)
            case "increase":
                _has(node, 2)
                if not (isinstance(_part(node, 1), Form) and _list(node, 1).head == TOTAL):
                    raise unsupported(f"a number that changes other than {TOTAL}", node)
                if block != EffectBlock():
                    raise unsupported("a cost under a condition", node)
                costs.append(_part(node, 2))
            case "assign" | "decrease" | "scale-up" | "scale-down":
                raise unsupported("a number that changes", node)
            case "not":
                _has(node, 1)
                literals.append(self._literal(_list(node, 1), False, scope, block))
            case "oneof" | "probabilistic":
                raise unsupported("an effect that is not certain", node)
            case _:
                literals.append(self._literal(node, True, scope, block))

    def _literal(self, form: Form, adds: bool, scope: Scope, block: EffectBlock) -> Literal:
        return Literal(adds, form.head, self._fact(form, scope), block, form)

    def _fact(self, form: Form, scope: Scope) -> tuple[str, ...]:
        """The arguments of a fact, once all of them, and the predicate, are known."""
        name, arity = form.head, len(form.rest)
        if name not in self.world.predicates:
            raise wrong(f"there is no predicate {name!r}", form, did_you_mean(name, self.world.predicates))
        if arity != len(self.world.predicates[name]):
            raise wrong(f"{name!r} has {len(self.world.predicates[name])} arguments, not {arity}", form)
        found = tuple(self._term(each, scope) for each in form.rest)
        self._widen(name, [scope.get(term, (term,)) for term in found])
        return found

    def _widen(self, name: str, asked: Sequence[Objects]) -> None:
        """An argument may be whatever is written there: files say too little of types."""
        known = self.known.setdefault(name, list(map(set, self.world.predicates[name])))
        if any(not each.issuperset(objects) for objects, each in zip(asked, known, strict=True)):
            for objects, each in zip(asked, known, strict=True):
                each.update(objects)
            self.world.predicates[name] = tuple(tuple(o for o in self.world.objects if o in each) for each in known)

    def _term(self, node: Node, scope: Scope) -> str:
        if not isinstance(node, Word):
            raise unsupported("an expression where an object is expected", node)
        if node.text.startswith("?") and node.text not in scope:
            raise wrong(f"there is no variable {node.text}", node, did_you_mean(node.text, list(scope)))
        if not node.text.startswith("?") and node.text not in self.world.objects:
            raise wrong(f"there is no object {node.text!r}", node, did_you_mean(node.text, self.world.objects))
        return node.text

    # -- conditions --------------------------------------------------------------------------------------------------

    def _check(self, node: Node, scope: Scope) -> None:
        """Is it a condition, all whose names are known?"""
        if not isinstance(node, Form):
            raise wrong("expected a condition in brackets", node)
        match node.head:
            case "":
                if node.items:
                    raise wrong("expected a condition", node)
            case "and" | "or":
                for each in node.rest:
                    self._check(each, scope)
            case "not" | "imply":
                _has(node, 1 if node.head == "not" else 2)
                for each in node.rest:
                    self._check(each, scope)
            case "forall" | "exists":
                _has(node, 2)
                loops = dict(self._variables(_list(node, 1).items))
                self._check(_part(node, 2), {**scope, **loops})
            case "=":
                if any(isinstance(each, Form) for each in node.rest):
                    raise unsupported("a comparison of numbers", node)
                _has(node, 2)
                for each in node.rest:
                    self._term(each, scope)
            case "<" | ">" | "<=" | ">=":
                raise unsupported("a comparison of numbers", node)
            case "preference":
                raise unsupported("a preference", node)
            case _:
                self._fact(node, scope)

    # -- the problem -------------------------------------------------------------------------------------------------

    def _init(self, section: Form) -> None:
        for node in section.rest:
            if not isinstance(node, Form):
                raise wrong("expected a fact in brackets", node)
            if node.head == "=":
                self._number(node)
            elif node.head == "not":
                self._fact(_list(node, 1), {})
            else:
                fact = self._fact(node, {})
                self.world.start[node.head].add(fact)

    def _number(self, node: Form) -> None:
        """The value of a function at the start."""
        of, value = _list(node, 1), _part(node, 2)
        text = value.text if isinstance(value, Word) else ""
        if of.head not in self.world.functions:
            raise wrong(f"there is no function {of.head!r}", of, did_you_mean(of.head, self.world.functions))
        number = whole(text)
        if number is None:
            raise unsupported(f"the value {text!r}, which is no whole number,", node)
        if of.head == TOTAL and number:
            raise unsupported(f"a {TOTAL} that is not 0 at the start", node)
        self.world.values[of.head, *(self._term(each, {}) for each in of.rest)] = number

    def _goal(self, section: Form) -> None:
        self.world.goal = _conjuncts(_part(section, 1))
        for each in self.world.goal:
            self._check(each, {})

    def _metric(self, section: Form) -> None:
        what = _part(section, 2)
        if not (isinstance(what, Form) and what.head == TOTAL and _word(section, 1) == "minimize"):
            raise unsupported(f"a metric other than to minimize ({TOTAL})", section)
        self.world.priced = True


# -- parts of forms ----------------------------------------------------------------------------------------------------


def _name(form: Form) -> str:
    head = form.items[1]
    assert isinstance(head, Form)
    return _word(head, 1)


def _word(form: Form, at: int) -> str:
    part = _part(form, at)
    if not isinstance(part, Word):
        raise wrong("expected a name", part)
    return part.text


def _part(form: Form, at: int) -> Node:
    if at >= len(form.items):
        raise wrong(f"something is missing in ({form.head} ...)", form)
    return form.items[at]


def _has(form: Form, number: int) -> None:
    """Has the form so many parts behind its head?"""
    if len(form.rest) != number:
        raise wrong(f"({form.head} ...) has {number} part{'s' * (number > 1)}, not {len(form.rest)}", form)


def _list(form: Form, at: int) -> Form:
    part = _part(form, at)
    if not isinstance(part, Form):
        raise wrong("expected a list in brackets", part)
    return part


def _pairs(nodes: Sequence[Node]) -> dict[str, Node]:
    """:key value :key value"""
    found: dict[str, Node] = {}
    for key, value in zip(nodes[::2], nodes[1::2], strict=False):
        if not isinstance(key, Word) or key.text in found:
            raise wrong("expected :parameters, :precondition or :effect, each once", key)
        found[key.text] = value
    if len(nodes) % 2:
        raise wrong("something is missing behind this", nodes[-1])
    return found


def _typed(nodes: Sequence[Node]) -> Iterator[tuple[Word, set[str]]]:
    """a b - type c: words with the types that they have."""
    waiting: list[Word] = []
    rest = list(nodes)
    while rest:
        node = rest.pop(0)
        if not isinstance(node, Word):
            raise wrong("expected a name", node)
        if node.text != "-":
            waiting.append(node)
            continue
        if not rest:
            raise wrong("a type is missing behind this", node)
        types = _types(rest.pop(0))
        yield from ((word, types) for word in waiting)
        waiting = []
    yield from ((word, set()) for word in waiting)


def _types(node: Node) -> set[str]:
    if isinstance(node, Word):
        return {node.text}
    if node.head != "either":
        raise wrong("expected a type", node)
    return {each.text for each in node.rest if isinstance(each, Word)}


def _conjuncts(node: Node) -> tuple[Node, ...]:
    """The parts of a condition that all have to hold; `()` is none."""
    if isinstance(node, Form) and (not node.items or node.head == "and"):
        return tuple(part for each in node.rest for part in _conjuncts(each))
    return (node,)
