"""Interchangeable objects: states that differ only in which of them is which count as one.

Objects are taken to be alike where exchanging two of them is proven to map the task onto itself (`proofs.exchange`).
Each state is then replaced by one of its orbit, the *canonical* one, as soon as it is generated; a plan is mapped back
by comparing canonical states (Domshlak, Katz and Shleyfman: Enhanced symmetry breaking in cost-optimal planning as
forward search, 2012). That needs a true canonical form, the same for all states of an orbit. It is, since every step of
it is one for a symmetric group, and the steps touch different variables or different values:

- *sorting*: objects that are an index of arrays; their slices are sorted;
- *renaming*: objects that are stored; they are named in the order in which the variables show them.

The cells of a board are hardly ever alike one by one, yet often all at once: the *mirrors* that are declared exchange
them in pairs, upside down, left to right, across the diagonal. They generate a group of at most eight, and the least of
the images of a state is the canonical one.

Where two of these would meet (sorted tubes of renamed colours) the result would depend on the state that one starts
from, so the type that is named first is used and the other one left out. So are objects that are indices and stored as
well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import ClassVar

from models.frozen import frozen
from models.task import Interchangeable, State, Task
from models.terms import Term, conjuncts
from models.values import Cell, show
from search.proofs.exchange import Exchange, ExchangeProver, Moves, exchange, exchange_pairs, swapped

MOST_CLASSES = 8  # objects of one declared class that turn out to differ are sorted into at most so many classes
MOST_TERMS = 2_000_000  # terms times objects of a type: beyond, a proof would take more than a few seconds


@frozen(eq=True)
class Sorting:
    """Blocks of variables, one for each object of a class, alike column by column; canonical: sorted by content."""

    blocks: tuple[tuple[int, ...], ...]
    type: str = field(default="", compare=False)  # whose objects they are
    renamed: ClassVar[tuple[int, ...]] = ()

    @cached_property
    def variables(self) -> tuple[int, ...]:
        return tuple(number for block in self.blocks for number in block)

    def __call__(self, state: State) -> State:
        result = list(state)
        contents = sorted([state[number] for number in block] for block in self.blocks)
        for number, value in zip(self.variables, (value for block in contents for value in block), strict=True):
            result[number] = value
        return tuple(result)


@frozen(eq=True)
class Renaming:
    """Variables that store the objects of a class; canonical: in this order they show first object 0, then 1, ...

    `places[k][j]` is the place of object j in the domain of `variables[k]`.
    """

    variables: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    type: str = field(default="", compare=False)
    blocks: ClassVar[tuple[tuple[int, ...], ...]] = ()

    @property
    def renamed(self) -> tuple[int, ...]:
        return self.variables

    @cached_property
    def _objects(self) -> tuple[dict[int, int], ...]:
        return tuple({place: number for number, place in enumerate(places)} for places in self.places)

    def __call__(self, state: State) -> State:
        result = list(state)
        names: dict[int, int] = {}
        for variable, places, objects in zip(self.variables, self.places, self._objects, strict=True):
            found = objects.get(state[variable])
            if found is not None:
                result[variable] = places[names.setdefault(found, len(names))]
        return tuple(result)


Image = tuple[tuple[int, tuple[int, ...]], ...]  # for each variable: which one it comes from, what becomes of values


@frozen(eq=True)
class Mirroring:
    """A state and its images under a group, itself first; canonical: the least of them (in machine code, as words)."""

    images: tuple[Image, ...]
    type: str = field(default="", compare=False)

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """Those that come from elsewhere, or change, in some image."""
        columns = zip(*self.images, strict=True)
        return tuple(number for number, column in enumerate(columns) if len(set(column)) > 1)

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """In each image the variables that these come from."""
        return tuple(tuple(image[number][0] for number in self.variables) for image in self.images)

    @cached_property
    def renamed(self) -> tuple[int, ...]:
        """The variables of which values change."""
        return tuple(n for n in self.variables if len({table for _, table in (image[n] for image in self.images)}) > 1)

    def __call__(self, state: State) -> State:
        return min(tuple(table[state[number]] for number, table in image) for image in self.images)


CanonicalStep = Sorting | Renaming | Mirroring


@frozen(eq=True)
class Symmetry:
    """Proven exchanges that generate a group, the steps of its canonical form, and what is not used and why."""

    steps: tuple[CanonicalStep, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    types: tuple[str, ...] = ()  # those with objects that may be exchanged
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.steps)

    def canonical(self, state: State) -> State:
        """The same state for all states of an orbit, and one of them."""
        for step in self.steps:
            state = step(state)
        return state


def find_symmetry(task: Task) -> Symmetry:
    """What of the task's declared symmetries (and those of its `objects`) is proven and can be used together."""
    try:
        return _proven_symmetry(ExchangeProver(task)) if task.symmetries else Symmetry()
    except RecursionError:
        return Symmetry(notes=("symmetry is not used: expressions are nested too deeply",))


def _proven_symmetry(prover: ExchangeProver) -> Symmetry:
    steps: list[CanonicalStep] = []
    exchanges: list[Exchange] = []
    types: list[str] = []
    notes: list[str] = []
    for said in prover.task.symmetries:
        obstacle = _obstacle(prover, said, steps)
        classes, reasons = ([], []) if obstacle else _classes(prover, said)
        more = _steps(said, classes)
        exchanges += [each for members in classes for each in _generators(said, members)]
        notes += _notes(said, classes, reasons, obstacle)
        if said.mirrors:
            mirrors, broken = _mirrors(prover, said, [*steps, *more])
            if mirrors:
                more.append(Mirroring(_group(prover.task, [each.state for each in mirrors.values()]), said.type))
            exchanges += mirrors.values()
            notes += _mirror_notes(said, mirrors, broken)
        steps += more
        types += [said.type] * bool(more)
    return Symmetry(tuple(steps), tuple(exchanges), tuple(types), tuple(notes))


def respects(task: Task, symmetry: Symmetry, term: Term) -> bool:
    """Has the term (of a heuristic, say) one value on each orbit? An informed search may use the symmetry only then."""
    prover = ExchangeProver(task)
    try:
        return all(prover.keeps(each, term) for each in symmetry.exchanges)
    except RecursionError:
        return False  # nested too deeply for a proof


def shared_facts(task: Task, symmetry: Symmetry, facts: Iterable[Term]) -> list[Term]:
    """The facts, taken apart, that hold on a whole orbit where they hold in one of its states.

    The start need not be symmetric, so what is true of all states that it leads to may be false of their images. Of the
    facts those are left that every exchange maps onto one another.
    """
    prover = ExchangeProver(task)
    lenses = [prover.lens(each.state) for each in symmetry.exchanges]
    try:
        parts = {prover.plain.form(part): part for fact in facts for part in conjuncts(fact)}
        images = {form: {lens.form(part) for lens in lenses} for form, part in parts.items()}
    except RecursionError:
        return []  # nested too deeply for a proof
    while lost := [form for form in parts if not images[form] <= parts.keys()]:
        for form in lost:
            del parts[form]
    return list(parts.values())


# -- classes -----------------------------------------------------------------------------------------------------------


def _classes(prover: ExchangeProver, said: Interchangeable) -> tuple[list[list[int]], list[str]]:
    """The declared classes cut into those whose neighbours may be exchanged, and what cuts them."""
    found: list[list[int]] = []
    reasons: list[str] = []
    for members in said.classes:
        classes: list[list[int]] = []
        for number in members:
            _join(prover, said, number, classes, reasons)
        found += classes
    return found, reasons


def _join(
    prover: ExchangeProver, said: Interchangeable, number: int, classes: list[list[int]], reasons: list[str]
) -> None:
    """Put an object into the first class with a member that it may be exchanged for, or into a new one."""
    for members in classes[:MOST_CLASSES]:
        tested = exchange(said, members[-1], number)
        broken = "their variables" if tested is None else prover.broken(tested)
        if not broken:
            members.append(number)
            return
        reasons.append(broken)
    classes.append([number])


def _generators(said: Interchangeable, members: Sequence[int]) -> Iterator[Exchange]:
    """The exchanges of neighbours; they generate all permutations of the class."""
    for one, other in zip(members, members[1:], strict=False):
        found = exchange(said, one, other)
        if found is not None:
            yield found


# -- mirrors of a board ------------------------------------------------------------------------------------------------

IMAGE: dict[str, Callable[[Cell, int, int], Cell]] = {  # of a cell, given the last row and column
    "vertical": lambda cell, rows, cols: Cell(rows - cell.row, cell.col),
    "horizontal": lambda cell, rows, cols: Cell(cell.row, cols - cell.col),
    "diagonal": lambda cell, rows, cols: Cell(cell.col, cell.row),
}


def _mirrors(
    prover: ExchangeProver, said: Interchangeable, steps: Iterable[CanonicalStep]
) -> tuple[dict[str, Exchange], dict[str, str]]:
    """(the mirrors that are proven to map the task onto itself, what breaks each of the others)."""
    if prover.terms > MOST_TERMS:
        return {}, dict.fromkeys(said.mirrors, "the size of the task")
    taken = {number for step in steps for number in step.variables}
    found: dict[str, Exchange] = {}
    broken: dict[str, str] = {}
    for name in said.mirrors:
        pairs = _pairs(said, IMAGE[name])
        tested = None if pairs is None else exchange_pairs(said, pairs)
        if tested is None:
            broken[name] = "the form of the board"
        elif not taken.isdisjoint((*tested.state.places, *tested.state.swaps)):
            broken[name] = "a type that is named before it"
        elif why := prover.broken(tested):
            broken[name] = why
        elif pairs:
            found[name] = tested
    return found, broken


def _pairs(said: Interchangeable, image: Callable[[Cell, int, int], Cell]) -> list[tuple[int, int]] | None:
    """The cells that a mirror exchanges; None where it leads off the board."""
    cells = {cell: number for number, cell in enumerate(said.objects)}
    last = [max(cell[axis] for cell in cells) for axis in (0, 1)]
    images = [cells.get(image(cell, *last)) for cell in cells]
    if None in images:
        return None
    return [(one, other) for one, other in enumerate(images) if other is not None and one < other]


def _group(task: Task, generators: Sequence[Moves]) -> tuple[Image, ...]:
    """All that the generators make of a state, itself first."""
    images: list[Image] = [tuple((n, tuple(range(len(v.domain)))) for n, v in enumerate(task.variables))]
    for image in images:  # the list grows meanwhile
        for moves in generators:
            after = _moved(moves, image)
            if after not in images:
                images.append(after)
    return tuple(images)


def _moved(moves: Moves, image: Image) -> Image:
    """The image of an image."""
    result = list(image)
    for number, (source, table) in enumerate(image):
        swap = moves.swaps.get(number)
        result[moves.places.get(number, number)] = source, tuple(swapped(value, swap) for value in table)
    return tuple(result)


# -- the canonical form ------------------------------------------------------------------------------------------------


def _steps(said: Interchangeable, classes: Iterable[Sequence[int]]) -> list[CanonicalStep]:
    return [step for members in classes if (step := _step(said, members)) is not None]


def _step(said: Interchangeable, members: Sequence[int]) -> CanonicalStep | None:
    """The canonical form of one class; None where there is nothing to choose."""
    if len(members) < 2:
        return None
    blocks = tuple(said.state.slices[member] for member in members)
    if blocks[0]:
        return Sorting(blocks, said.type)
    variables = tuple(variable for variable, _ in said.state.stored)
    places = tuple(tuple(places[member] for member in members) for _, places in said.state.stored)
    return Renaming(variables, places, said.type) if variables else None


def _obstacle(prover: ExchangeProver, said: Interchangeable, steps: Iterable[CanonicalStep]) -> str:
    """Why a type cannot be used together with the steps before it, whatever may be proven."""
    more = _steps(said, said.classes)
    if said.state.stored and any(isinstance(step, Sorting) for step in more):
        return "its objects are an index and stored as well"
    if any(_meet(step, other) for step in more for other in steps):
        return "it meets a type that is named before it in the same variables"
    if more and prover.terms * len(said.objects) > MOST_TERMS:
        return "the task is too large for a proof"
    return ""


def _meet(one: CanonicalStep, other: CanonicalStep) -> bool:
    """Do two steps change the same variables, or name the same values of a variable?"""
    common = set(one.variables) & set(other.variables)
    if isinstance(one, Renaming) and isinstance(other, Renaming):
        first, second = (dict(zip(step.variables, step.places, strict=True)) for step in (one, other))
        return any(set(first[variable]) & set(second[variable]) for variable in common)
    return bool(common)


# -- notes -------------------------------------------------------------------------------------------------------------


def _mirror_notes(said: Interchangeable, mirrors: Iterable[str], broken: Mapping[str, str]) -> list[str]:
    """Which mirrors of the board are used, and what breaks the others."""
    used = ", ".join(mirrors)
    why = ", ".join(f"{name} is broken by {what}" for name, what in broken.items())
    if not used:
        return [f"symmetry of {said.type} is not used: {why}"] if why else []
    return [f"symmetry of {said.type} is used as mirrors of the board: {used}" + (f"; {why}" if why else "")]


def uses(steps: Sequence[CanonicalStep], unused: Mapping[str, str]) -> list[str]:
    """What a search does that takes these steps; `unused` are types of which one is left out, with the reason."""
    whole = [step for step in steps if step.type not in unused]
    objects = dict.fromkeys(step.type for step in whole if not isinstance(step, Mirroring))
    boards = dict.fromkeys(step.type for step in whole if isinstance(step, Mirroring))
    told = [f"states that differ only in interchangeable objects count as one: {', '.join(objects)}"] * bool(objects)
    told += [f"states that are mirror images of each other count as one: {', '.join(boards)}"] * bool(boards)
    return told + [f"symmetry of {name} is {why}" for name, why in unused.items()]


def _notes(said: Interchangeable, classes: Sequence[Sequence[int]], reasons: Sequence[str], obstacle: str) -> list[str]:
    if obstacle:
        return [f"symmetry of {said.type} is not used: {obstacle}"]
    if not reasons:
        return []
    why = f"told apart by {' and '.join(dict.fromkeys(reasons))}"
    if all(len(members) == 1 for members in classes):
        return [f"symmetry of {said.type} is not used: its objects are {why}"]
    parts = " | ".join(" ".join(show(said.objects[member]) for member in members) for members in classes)
    return [f"symmetry of {said.type} is used within {parts}, which are {why}"]
