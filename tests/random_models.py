"""Random small puzzles as YAML text, for the differential tests.

A grammar walk with kinds: every expression is drawn for a kind (integer, condition, cell, offset, text, object) from
the names that are in scope, so most texts pass the checker, and every construct of the language has its turn. What
makes a construct interesting is drawn on purpose: places off the board, indices that do not exist, the first or least
of nothing, arithmetic on `none`, two lines that write one place.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

KINDS = ("int", "bool", "cell", "offset", "text", "object")
WITH_MARKS = 7  # of so many seeds one has objects from the map, and the others are as they ever were


def random_puzzle(seed: int) -> str:
    """The YAML text of a random puzzle."""
    return Maker(random.Random(seed), marks=seed % WITH_MARKS == 0).puzzle()


def random_claims(seed: int) -> str:
    """A random puzzle that claims something of anything."""
    maker = Maker(random.Random(seed), marks=seed % WITH_MARKS == 0)
    return maker.puzzle() + maker.invariants()


def with_after(text: str, steps: Sequence[object]) -> str:
    """The random puzzle with a level that starts after these steps, each a line or a mapping."""
    after = f"after: {json.dumps(steps)}"
    if "\nlevels:\n  one: {" in text:
        return text.replace("\nlevels:\n  one: {", f"\nlevels:\n  one: {{{after}, ")
    return f"{text}levels:\n  one: {{{after}}}\n"


def quoted(text: str) -> str:
    """A YAML scalar; the quotes mean nothing in an expression."""
    return "'" + text.replace("'", "''") + "'"


def refusing(text: str) -> str:
    """A condition of `when`, some with words of an author, which change no rule; no number is drawn for it."""
    return f"{{when: {quoted(text)}, otherwise: 'it is {len(text)} long'}}" if len(text) % 4 == 0 else quoted(text)


@dataclass(frozen=True)
class TypeWords:
    """A type: its name or text, the kinds of its values, and how some values are written."""

    name: str
    kinds: tuple[str, ...]
    size: int
    words: dict[str, tuple[str, ...]]  # kind: literal expressions
    grid: str = ""
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class VariableWords:
    name: str
    type: TypeWords
    indices: tuple[TypeWords, ...]


@dataclass(frozen=True)
class FunctionWords:
    """A definition or `let`: its kind and those of its arguments."""

    name: str
    kind: str
    grid: str
    arguments: tuple[TypeWords, ...]


@dataclass(frozen=True)
class Scope:
    """The names at hand, and whether the state may be read."""

    names: tuple[tuple[str, TypeWords], ...] = ()
    arrays: tuple[VariableWords, ...] = ()
    functions: tuple[FunctionWords, ...] = ()
    variables: tuple[VariableWords, ...] = ()
    state: bool = True

    def bind(self, name: str, type_: TypeWords) -> Scope:
        return replace(self, names=(*self.names, (name, type_)))

    def fixed(self) -> Scope:
        return replace(self, state=False, arrays=(), functions=(), variables=())


BOOL = TypeWords("bool", ("bool",), 2, {"bool": ("true", "false")})
DIRECTION = TypeWords("direction", ("offset",), 4, {"offset": ("up", "down", "left", "right")})
INTEGER = TypeWords("", ("int",), 0, {"int": ()})
STABLE = 0.2  # of the phases of `then`
SALT = 82  # with which the models that tests name are as they were


@dataclass
class Maker:
    rng: random.Random
    data: dict[str, str] = field(default_factory=dict)
    written_types: dict[str, str] = field(default_factory=dict)
    types: list[TypeWords] = field(default_factory=list)
    functions: list[FunctionWords] = field(default_factory=list)
    marks: bool = False  # are objects those of the map?
    marked: list[TypeWords] = field(default_factory=list)  # types of objects from the map's letters
    counter: int = 0

    def __post_init__(self) -> None:
        """What the language has learnt later is drawn apart, so that seeds keep telling what they tell."""
        self.later = random.Random(hash(self.rng.getstate()[1]) + SALT)

    @contextmanager
    def drawn_later(self) -> Iterator[None]:
        kept, self.rng = self.rng, self.later
        yield
        self.rng = kept

    # -- chance ----------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def one(self, options: Sequence[Callable[[], str]]) -> str:
        return self.rng.choice(options)()

    # -- data and types --------------------------------------------------------------------------------------------

    def make_data(self) -> None:
        rng = self.rng
        self.data["n"] = str(rng.randint(-2, 3))
        self.data["nums"] = str([rng.randint(-2, 4) for _ in range(rng.randint(1, 4))])
        self.rows, self.cols = rng.choice([(1, 3), (1, 4), (2, 2), (2, 3), (3, 2), (3, 1), (3, 3)])
        letters = ".ab" if self.chance(0.5) else ".ab##"
        rows = ["".join(rng.choice(letters) for _ in range(self.cols)) for _ in range(self.rows)]
        rows[0] = rng.choice(".ab") + rows[0][1:]
        self.board = rows
        self.data["board"] = "[" + ", ".join(f'"{row}"' for row in rows) + "]"
        pairs = [[rng.randint(0, self.rows - 1), rng.randint(0, self.cols - 1)] for _ in range(rng.randint(1, 3))]
        self.data["spots"] = str(pairs)
        self.data["ways"] = "[" + ", ".join(rng.sample(("up", "down", "left", "right"), rng.randint(1, 3))) + "]"
        self.data["flat"] = str([rng.randint(-1, 3) for _ in range(rng.randint(2, self.rows * self.cols))])
        self.keys = rng.sample(("x", "y", "z"), rng.randint(1, 3))
        self.data["kinds"] = "{" + ", ".join(f"{key}: {self.record()}" for key in self.keys) + "}"
        self.data["turns"] = "{" + ", ".join(f"{key}: {self.turn()}" for key in self.keys) + "}"
        self.data["swap"] = "{" + ", ".join(map(": ".join, zip(self.keys, self.shuffled(self.keys), strict=True))) + "}"
        self.data["by_way"] = (
            "{" + ", ".join(f"{w}: {rng.randint(0, 3)}" for w in ("up", "left", "down")[: rng.randint(1, 3)]) + "}"
        )

    def turn(self) -> str:
        """A permutation, or nearly one."""
        places = self.shuffled([0, 1, 2])
        return str(places if self.chance(0.8) else [*places[:2], self.rng.randint(0, 3)])

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        return self.rng.sample(items, len(items))

    def record(self) -> str:
        rng = self.rng
        items = {"weight": str(rng.randint(-1, 3)), "on": rng.choice(["true", "false"])}
        items["to"] = rng.choice(self.keys)
        items["list"] = str(sorted(rng.sample(range(-1, 4), rng.randint(0, 3))))
        items["home"] = str([rng.randint(0, self.rows - 1), rng.randint(0, self.cols - 1)])
        if self.chance(0.15):
            items["only"] = str(rng.randint(0, 2))
        return "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"

    def make_types(self) -> None:
        makers = [self.int_type, self.symbol_type, self.key_type, self.way_type, self.object_type]
        self.types = [self.cell_type(), BOOL, DIRECTION, self.int_type()]
        self.types += [maker() for maker in self.rng.sample(makers, self.rng.randint(1, 3))]
        if self.chance(0.25):
            self.types.append(self.object_type())
        for _ in range(self.rng.randint(0, 2)):
            self.types.append(self.union_type())

    def declare(self, name: str, written: str) -> str:
        self.written_types[name] = written
        return name

    def int_type(self) -> TypeWords:
        low = self.rng.choice([0, 0, -2, -1, 1, 2])
        high = low + self.rng.randint(0 if self.chance(0.1) else 1, 4)
        words = tuple(str(value) for value in range(low, high + 1))
        name = self.declare(self.fresh("num"), f"{low} .. {high}")
        return TypeWords(name, ("int",), high - low + 1, {"int": words}, low=low, high=high)

    def symbol_type(self) -> TypeWords:
        words = tuple(self.fresh("sym") for _ in range(self.rng.randint(1, 3)))
        name = self.declare(self.fresh("kind"), f"[{', '.join(words)}]")
        return TypeWords(name, ("text",), len(words), {"text": words})

    def key_type(self) -> TypeWords:
        if any(type_.name == "key" for type_ in self.types):
            return self.symbol_type()
        return TypeWords(
            self.declare("key", "keys(kinds)"), ("text",), len(self.keys), {"text": tuple(f'"{k}"' for k in self.keys)}
        )

    def way_type(self) -> TypeWords:
        pairs = self.rng.sample(
            [(0, 0), (0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (0, 2), (-1, 1)], self.rng.randint(2, 3)
        )
        words = {self.fresh("way"): pair for pair in pairs}
        name = self.fresh("move")
        self.written_types[name] = "{" + ", ".join(f"{word}: [{r}, {c}]" for word, (r, c) in words.items()) + "}"
        return TypeWords(name, ("offset",), len(words), {"offset": tuple(words)})

    def object_type(self) -> TypeWords:
        size = self.rng.randint(1, 3)
        if (marked := self.marks_type()) is not None:
            return marked
        return TypeWords(self.declare(self.fresh("thing"), f"objects({size})"), ("object",), size, {"object": ()})

    def marks_type(self) -> TypeWords | None:
        """Objects from the map's letters, where some stand there; no number is drawn for it."""
        letters = "".join(self.board)
        some = [word for word in ("a", "b", "ab", "ba", "#b") if 1 <= sum(map(letters.count, word)) <= 3]
        if not some or not self.marks:
            return None
        word = some[len(letters) % len(some)]
        name = self.declare(self.fresh("mark"), f'marks(board, "{word}")')
        self.marked.append(TypeWords(name, ("object",), sum(map(letters.count, word)), {"object": ()}))
        return self.marked[-1]

    def mark(self, s: Scope, d: int) -> str:
        """One of a type of marks: by a name, its place in the type, or the first one with a letter."""
        type_, name = self.rng.choice(self.marked), self.fresh("o")
        options: list[Callable[[], str]] = [lambda n=other: n for other, t in s.names if t.name == type_.name] * 3  # type: ignore[misc]
        options.append(lambda: f"{type_.name}[{self.rng.randint(0, type_.size - 1)}]")
        if d > 0:
            options.append(lambda: f"{type_.name}[{self.integer(s, d - 1)}]")
            options.append(lambda: f'first({name} for {name} in {type_.name} if letter({name}) == "b")')
        return self.one(options)

    def cell_type(self) -> TypeWords:
        everywhere = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        if self.chance(0.45):
            everywhere = [(r, c) for r, c in everywhere if self.board[r][c] != "#"]
            self.declare("cell", 'cells(board, omit="#", plain=".ab")')
        else:
            wrap = self.rng.choice(["", "", ', wrap="vertical"', ', wrap="horizontal"', ', wrap="both"'])
            self.declare("cell", f"grid({self.rows}, {self.cols}{wrap})")
        words = tuple(f"cell({r}, {c})" for r, c in everywhere)
        return TypeWords("cell", ("cell",), len(words), {"cell": words}, "cell")

    def union_type(self) -> TypeWords:
        base = self.rng.choice([t for t in self.types if t.name not in ("bool",) and len(t.kinds) == 1])
        word = self.fresh("none")
        texts = (*base.words.get("text", ()), word)
        name = self.declare(self.fresh("either"), f"{base.name} or {word}")
        kinds = tuple(dict.fromkeys((*base.kinds, "text")))
        return TypeWords(name, kinds, base.size + 1, {**base.words, "text": texts}, base.grid, base.low, base.high)

    def of_kind(self, kind: str) -> list[TypeWords]:
        return [type_ for type_ in self.types if kind in type_.kinds]

    # -- leaves ----------------------------------------------------------------------------------------------------

    def leaves(self, kind: str, s: Scope, d: int) -> list[Callable[[], str]]:
        """Names, variables, functions and literals of a kind."""
        options: list[Callable[[], str]] = [lambda n=name: n for name, t in s.names if kind in t.kinds] * 2  # type: ignore[misc]
        for variable in (*s.variables, *s.arrays):
            if kind in variable.type.kinds:
                options += [lambda v=variable: self.read(v, s, d - 1)] * (6 if variable in s.arrays else 4)  # type: ignore[misc]
        if d > 0:
            for function in s.functions:
                if function.kind == kind:
                    options += [lambda f=function: self.call(f, s, d - 1)] * 3  # type: ignore[misc]
        words = [word for t in self.types for word in t.words.get(kind, ())]
        if words:
            options.append(lambda: self.rng.choice(words))
        return options

    def read(self, variable: VariableWords, s: Scope, d: int) -> str:
        if not variable.indices:
            return variable.name
        return f"{variable.name}[{', '.join(self.index(t, s, d) for t in variable.indices)}]"

    def index(self, type_: TypeWords, s: Scope, d: int) -> str:
        """An index: mostly a name of just that type."""
        same = [name for name, t in s.names if t.name == type_.name]
        if same and self.chance(0.6 if d > 0 else 0.85):
            return self.rng.choice(same)
        kind = self.rng.choice(type_.kinds)
        if type_.words.get(kind) and (d <= 0 or self.chance(0.35)):
            return self.rng.choice(type_.words[kind])
        if d <= -2:
            name = self.fresh("o")
            return f"first({name} for {name} in {type_.name})"
        return self.expression(kind, s, d)

    def call(self, function: FunctionWords, s: Scope, d: int) -> str:
        if not function.arguments:
            return function.name
        arguments = (self.index(t, s, d) if t.name else self.expression(t.kinds[0], s, d) for t in function.arguments)
        return f"{function.name}({', '.join(arguments)})"

    # -- expressions -----------------------------------------------------------------------------------------------

    def expression(self, kind: str, s: Scope, d: int) -> str:
        rules = {"int": self.integer, "bool": self.condition, "cell": self.cell, "offset": self.offset,
                 "text": self.text, "object": self.thing}  # fmt: skip
        return rules[kind](s, d)

    def domain(self, s: Scope, d: int) -> tuple[str, TypeWords]:
        """What a loop runs over (fixed), and the type of its items."""
        f = s.fixed()
        small = [t for t in self.types if t.size <= 9]
        type_ = self.rng.choice(small)
        roll = self.rng.random()
        if roll < 0.55:
            return type_.name, type_
        if roll < 0.65:
            return self.one(
                [
                    lambda: f"range({self.rng.randint(0, 3)})",
                    lambda: f"range({self.integer(f, 0)}, {self.rng.randint(0, 3)})",
                ]
            ), INTEGER
        if roll < 0.72:
            return self.one([lambda: "nums", lambda: f'kinds["{self.rng.choice(self.keys)}"].list']), INTEGER
        if roll < 0.82:
            kind = self.rng.choice([k for k in type_.kinds if k != "bool"] or ["int"])
            return (
                f"[{', '.join(self.expression(kind, f, min(d, 1)) for _ in range(self.rng.randint(1, 3)))}]",
                self.plain_type(kind),
            )
        if roll < 0.86:
            return "ways", self.plain_type("offset")
        return self.ray(s, d), self.plain_type("cell")

    def plain_type(self, kind: str) -> TypeWords:
        return TypeWords("", (kind,), 0, {}, "cell" if kind == "cell" else "")

    def ray(self, s: Scope, d: int) -> str:
        return f"ray({self.cell(s, min(d, 1))}, {self.offset(s, min(d, 1))})"

    def loops(self, s: Scope, d: int) -> tuple[str, Scope]:
        """`for x in T if ...`, once or twice."""
        text = ""
        for _ in range(1 if self.chance(0.8) else 2):
            domain, type_ = self.domain(s, d)
            name = self.fresh("i")
            s = s.bind(name, type_)
            text += f" for {name} in {domain}"
            if self.chance(0.5):
                text += f" if {self.condition(s, d - 1)}"
        return text, s

    def quantified(self, word: str, kind: str, s: Scope, d: int) -> str:
        loops, inner = self.loops(s, d - 1)
        return f"{word}({self.expression(kind, inner, d - 1)}{loops})"

    def first(self, kind: str, s: Scope, d: int) -> str:
        loops, inner = self.loops(s, d - 1)
        names = [name for name, t in inner.names[len(s.names) :] if kind in t.kinds]
        element = self.rng.choice(names) if names and self.chance(0.7) else self.expression(kind, inner, d - 1)
        if self.chance(0.5):
            return f"first({element}{loops})"
        return f"first(({element}{loops}), {self.expression(kind, s, d - 1)})"

    def choice(self, kind: str, s: Scope, d: int) -> str:
        test = self.condition(s, d - 1)
        return f"({self.expression(kind, s, d - 1)} if {test} else {self.expression(kind, s, d - 1)})"

    def mixed(self, s: Scope, d: int) -> str:
        """An integer or something else: in a choice, as the first of such, or read."""
        other = self.rng.choice([kind for kind in ("text", "text", "cell", "object") if self.of_kind(kind)])
        reads = [v for v in s.variables if len(v.type.kinds) > 1 and "int" in v.type.kinds]
        sides = [self.integer(s, d - 1), self.expression(other, s, d - 1)]
        self.rng.shuffle(sides)
        options = [lambda: f"({sides[0]} if {self.condition(s, d - 1)} else {sides[1]})"] * 2
        options += [lambda v=v: self.read(v, s, d - 1) for v in reads]  # type: ignore[misc]
        if d > 1:
            options += [lambda: self.first_mixed(s, d)]
        return self.one(options)

    def first_mixed(self, s: Scope, d: int) -> str:
        loops, inner = self.loops(s, d - 1)
        element = self.mixed(inner, d - 2)
        if self.chance(0.5):
            return f"first({element}{loops})"
        return f"first(({element}{loops}), {self.mixed(s, d - 2)})"

    def integer(self, s: Scope, d: int) -> str:
        options = self.leaves("int", s, d) + [lambda: str(self.rng.randint(-2, 3)), lambda: "n"]
        if d <= 0:
            return self.one(options)
        extreme = lambda: self.rng.choice(["min", "max"])  # noqa: E731
        pair = lambda sign: f"({self.integer(s, d - 1)} {sign} {self.integer(s, d - 1)})"  # noqa: E731
        options += [
            lambda: pair("+"), lambda: pair("-"), lambda: pair("+"), lambda: pair("*"),
            lambda: f"({self.integer(s, d - 1)} {self.rng.choice(['//', '%'])} {self.rng.randint(1, 3)})",
            lambda: f"({pair('+')} {self.rng.choice(['//', '%'])} {self.rng.randint(2, 3)})",
            lambda: f"{extreme()}({self.integer(s, d - 1)}, {self.integer(s, 0)}, {self.integer(s, 0)})",
            lambda: f"abs({self.integer(s, d - 1)})", lambda: f"(-{self.integer(s, d - 1)})",
            lambda: f"{self.rng.choice(['min', 'max'])}({self.integer(s, d - 1)}, {self.integer(s, d - 1)})",
            lambda: f"nums[{self.integer(s, d - 1)}]",
            lambda: f"len({self.rng.choice(['nums', 'board', 'kinds', 'spots'])})",
            lambda: f"({self.cell(s, d - 1)}).{self.rng.choice(['row', 'col'])}",
            lambda: f"({self.offset(s, d - 1)}).{self.rng.choice(['row', 'col'])}",
            lambda: f"{self.rng.choice(['distance', 'steps'])}({self.cell(s, d - 1)}, {self.cell(s, d - 1)})",
            lambda: self.place(s, d), lambda: f"flat[{self.cell(s, d - 1)}]",
            lambda: self.quantified("sum", "int", s, d), lambda: self.quantified("count", "int", s, d),
            lambda: self.quantified(self.rng.choice(["min", "max"]), "int", s, d),
            lambda: self.first("int", s, d), lambda: self.choice("int", s, d),
            lambda: f"{self.record_of(s, d)}.{'only' if self.chance(0.1) else 'weight'}",
            lambda: f"by_way[{self.offset(s, d - 1)}]",
            lambda: self.mixed(s, d), lambda: f"nums[{self.mixed(s, d - 1)}]",
            lambda: f"{self.permutation(s, min(d, 2))}[{self.integer(s, d - 1)}]",
        ]  # fmt: skip
        return self.one(options)

    def permutation(self, s: Scope, d: int) -> str:
        """A list of places."""
        options = [lambda: f"turns[{self.key(s, d)}]", lambda: f"turns.{self.rng.choice(self.keys)}"]
        if d > 0:
            options += [lambda: f"inverse({self.permutation(s, d - 1)})"] * 2
            options += [lambda: f"compose({self.permutation(s, d - 1)}, {self.permutation(s, d - 1)})"]
            options += [
                lambda: f"({self.permutation(s, d - 1)} if {self.condition(s, 0)} else turns[{self.key(s, d)}])"
            ]
        return self.one(options)

    def table(self, s: Scope, d: int) -> str:
        """A table of the keys' own."""
        if d <= 0 or self.chance(0.3):
            return "swap"
        return self.one([lambda: f"inverse({self.table(s, d - 1)})", lambda: f"compose({self.table(s, d - 1)}, swap)"])

    def place(self, s: Scope, d: int) -> str:
        typed = [name for name, t in s.names if t.name]
        reads = [v for v in s.variables if v.type.name != "bool"]
        if reads and (not typed or self.chance(0.6)):
            return f"index({self.read(self.rng.choice(reads), s, d - 1)})"
        return f"index({self.rng.choice(typed)})" if typed else "len(nums)"

    def record_of(self, s: Scope, d: int) -> str:
        key = self.key(s, d)
        return f"kinds[kinds[{key}].to]" if self.chance(0.2) else f"kinds[{key}]"

    def key(self, s: Scope, d: int) -> str:
        keys = [name for name, t in s.names if t.name == "key"] + [f'"{key}"' for key in self.keys]
        reads = [self.read(v, s, d - 1) for v in s.variables if v.type.name == "key"]
        return self.rng.choice(keys + reads * 2)

    def condition(self, s: Scope, d: int) -> str:
        leaves = self.leaves("bool", s, d)
        atoms = [lambda: self.atom(s, d), lambda: self.atom(s, d), lambda: self.one(leaves)]
        if d <= 0:
            return self.one(atoms)
        both = lambda word: f"({self.condition(s, d - 1)} {word} {self.condition(s, d - 1)})"  # noqa: E731
        options = atoms + [
            lambda: self.atom(s, d), lambda: self.atom(s, d), lambda: both("and"), lambda: both("or"),
            lambda: f"(not {self.condition(s, d - 1)})",
            lambda: self.quantified(self.rng.choice(["all", "any"]), "bool", s, d),
            lambda: self.quantified(self.rng.choice(["all", "any"]), "bool", s, d),
            lambda: f"inside({self.expression(self.rng.choice(('cell', 'int', 'text')), s, d - 1)})",
            lambda: f"adjacent({self.cell(s, d - 1)}, {self.cell(s, d - 1)})",
            lambda: self.choice("bool", s, d), lambda: f"{self.record_of(s, d)}.on",
            lambda: f"({self.condition(s, d - 1)}) {self.rng.choice(['==', '!='])} ({self.condition(s, d - 1)})",
        ]  # fmt: skip
        return self.one(options)

    def atom(self, s: Scope, d: int) -> str:
        """A comparison or a membership test."""
        kinds = [t.kinds[0] for _, t in s.names] + [v.type.kinds[0] for v in s.variables] + ["int", "cell"]
        kind = self.rng.choice([k for k in kinds if k != "bool"])
        one = self.expression(kind, s, d - 1)
        roll = self.rng.random()
        if d > 0 and self.chance(0.08):
            return f"({self.mixed(s, d)} {self.rng.choice(['==', '!='])} {self.mixed(s, d - 1)})"
        if d > 0 and self.chance(0.04):
            return f"({self.mixed(s, d)} {self.membership(kind, s, d)})"
        if roll < 0.25:
            return f"({one} {self.membership(kind, s, d)})"
        signs = ["==", "!="] if kind in ("offset", "text", "object") else ["==", "!=", "<", "<=", ">", ">="]
        if roll < 0.35 and kind in ("int", "cell"):
            signs = ["==", "<", "<=", ">", ">="]
            two, three = self.expression(kind, s, d - 1), self.expression(kind, s, d - 1)
            return f"({one} {self.rng.choice(signs)} {two} {self.rng.choice(signs)} {three})"
        if roll < 0.45 and s.variables:
            variable = self.rng.choice(s.variables)
            kind = self.rng.choice(variable.type.kinds)
            if kind != "bool":
                sign = self.rng.choice(["==", "!="])
                return f"({self.read(variable, s, d - 1)} {sign} {self.expression(kind, s, d - 1)})"
        if roll < 0.5:
            cell = self.cell(s, d - 1)
            return f'(board[{cell}] {self.rng.choice(["==", "!="])} "{self.rng.choice(".ab")}")'
        if roll < 0.55 and kind == "cell":
            return f"({one} {self.rng.choice(['==', '!='])} {self.record_of(s, d)}.home)"
        return f"({one} {self.rng.choice(signs)} {self.expression(kind, s, d - 1)})"

    def membership(self, kind: str, s: Scope, d: int) -> str:
        word = self.rng.choice(["in", "not in"])
        options = [lambda: f"[{', '.join(self.expression(kind, s, d - 1) for _ in range(self.rng.randint(1, 3)))}]"]
        types = self.of_kind(kind)
        if types:
            options.append(lambda: self.rng.choice(types).name)
        if kind == "int":
            options += [
                lambda: "nums",
                lambda: f"{self.record_of(s, d)}.list",
                lambda: self.permutation(s, min(d, 2)),
                lambda: f"range({self.integer(s, d - 1)}, {self.integer(s, d - 1)})",
            ]
        if kind == "cell":
            options += [lambda: "spots", lambda: self.ray(s, d - 1), lambda: self.ray(s, d - 1)]
        if kind == "offset":
            options += [lambda: "ways"]
        return f"{word} {self.one(options)}"

    def cell(self, s: Scope, d: int) -> str:
        options = self.leaves("cell", s, d)
        if self.marked:
            options += [lambda: f"origin({self.mark(s, d)})"] * 2
        if d <= 0:
            return self.one(options)
        options += [
            lambda: f"({self.cell(s, d - 1)} {self.rng.choice('+-')} {self.offset(s, d - 1)})",
            lambda: f"({self.cell(s, d - 1)} + {self.offset(s, d - 1)})",
            lambda: f"cell({self.integer(s, d - 1)}, {self.integer(s, d - 1)})",
            lambda: self.first("cell", s, d), lambda: self.choice("cell", s, d),
            lambda: self.quantified(self.rng.choice(["min", "max"]), "cell", s, d),
            lambda: f"{self.rng.choice(['min', 'max'])}({self.cell(s, d - 1)}, {self.cell(s, d - 1)})",
        ]  # fmt: skip
        return self.one(options)

    def offset(self, s: Scope, d: int) -> str:
        options = self.leaves("offset", s, d)
        if d <= 0:
            return self.one(options)
        options += [
            lambda: f"(-{self.offset(s, d - 1)})", lambda: f"({self.integer(s, 0)} * {self.offset(s, d - 1)})",
            lambda: f"({self.offset(s, d - 1)} {self.rng.choice('+-')} {self.offset(s, d - 1)})",
            lambda: self.choice("offset", s, d),
        ]  # fmt: skip
        return self.one(options)

    def text(self, s: Scope, d: int) -> str:
        options = self.leaves("text", s, d) or [lambda: '"a"']
        if self.marked:
            options += [lambda: f"letter({self.mark(s, d)})"] * 2
        if d <= 0:
            return self.one(options)
        options += [
            lambda: self.first("text", s, d),
            lambda: self.choice("text", s, d),
            lambda: f"{self.record_of(s, d)}.to",
            lambda: f"{self.table(s, min(d, 2))}[{self.key(s, d)}]",
        ]
        return self.one(options)

    def thing(self, s: Scope, d: int) -> str:
        options = self.leaves("object", s, d)
        types = [t for t in self.of_kind("object") if len(t.kinds) == 1]
        if types:
            name, type_ = self.fresh("o"), self.rng.choice(types)
            options.append(
                lambda: (
                    f"first({name} for {name} in {type_.name} if {self.condition(s.bind(name, type_), min(d - 1, 1))})"
                )
            )
        if self.marked:
            options.append(lambda: self.mark(s, d))
        return self.one(options or [lambda: "n"])

    # -- state -----------------------------------------------------------------------------------------------------

    def make_state(self) -> tuple[VariableWords, ...]:
        variables: list[VariableWords] = []
        self.starts: dict[str, str] = {}
        for number in range(self.rng.choice((1, 2, 2, 3, 3, 4))):
            type_ = self.rng.choice(self.of_kind("int") if number == 0 and self.chance(0.6) else self.types)
            indices = self.indices()
            name = self.fresh("v")
            names = [self.fresh("j") for _ in indices]
            inner = Scope(names=tuple(zip(names, indices, strict=True)), state=False)
            header = (
                f"{name}[{', '.join(f'{n} in {t.name}' for n, t in zip(names, indices, strict=True))}]"
                if indices
                else name
            )
            self.starts[header] = f"{type_.name} = {self.start(type_, inner)}"
            variables.append(VariableWords(name, type_, indices))
        return tuple(variables)

    def indices(self) -> tuple[TypeWords, ...]:
        small = [t for t in self.types if t.size <= 4]
        if not small or self.chance(0.5):
            return ()
        indices = tuple(self.rng.choice(small) for _ in range(1 if self.chance(0.8) else 2))
        size = 1
        for type_ in indices:
            size *= type_.size
        return indices if size <= 6 else indices[:1]

    def start(self, type_: TypeWords, s: Scope) -> str:
        same = [name for name, t in s.names if t.name == type_.name]
        words = [word for kind in type_.kinds for word in type_.words.get(kind, ())]
        if same and self.chance(0.5):
            return self.rng.choice(same)
        if not words:
            return f"first({self.fresh('o')} for {self.fresh('o')} in {type_.name})".replace(
                f"o{self.counter - 1}", f"o{self.counter}"
            )
        if self.chance(0.75):
            return self.rng.choice(words)
        test = self.condition(s, 1)
        return f"({self.rng.choice(words)} if {test} else {self.rng.choice(words)})"

    def stated(self, variables: Sequence[VariableWords]) -> str:
        """Start values of some variables, as a level states them."""
        known = [v for v in variables if any(v.type.words.get(kind) for kind in v.type.kinds)]
        chosen = self.rng.sample(known, self.rng.randint(0, len(known)))
        items = ", ".join(f"{v.name}: {self.listed(v.type, v.indices)}" for v in chosen)
        return f", state: {{{items}}}"

    def listed(self, type_: TypeWords, indices: tuple[TypeWords, ...]) -> str:
        """A value, or lists of such, one for each index."""
        if indices:
            return f"[{', '.join(self.listed(type_, indices[1:]) for _ in range(indices[0].size))}]"
        kind = self.rng.choice([kind for kind in type_.kinds if type_.words.get(kind)])
        word = self.rng.choice(type_.words[kind])
        return f"[{word[5:-1]}]" if kind == "cell" else word

    # -- definitions -----------------------------------------------------------------------------------------------

    def make_definitions(self, variables: tuple[VariableWords, ...]) -> dict[str, str]:
        made: dict[str, str] = {}
        for _ in range(self.rng.randint(0, 3)):
            s = Scope(variables=variables, functions=tuple(self.functions))
            if self.chance(0.25):
                self.make_recursive(made, s)
            else:
                self.make_function(made, s, self.functions)
        return made

    def make_function(self, made: dict[str, str], s: Scope, into: list[FunctionWords], stem: str = "f") -> None:
        name, kind = self.fresh(stem), self.rng.choice(("int", "int", "bool", "bool", "cell", "offset", "text"))
        types = [self.rng.choice([t for t in self.types if len(t.kinds) == 1]) for _ in range(self.rng.randint(0, 2))]
        arguments, parameters = [], []
        for type_ in types:
            parameter = self.fresh("p")
            if self.chance(0.5) and stem == "f":
                parameters.append(f"{parameter} in {type_.name}")
                arguments.append(type_)
            else:
                parameters.append(parameter)
                type_ = self.plain_type(type_.kinds[0])
                arguments.append(type_)
            s = s.bind(parameter, type_)
        header = f"{name}({', '.join(parameters)})" if parameters else name
        made[header] = self.expression(kind, s, 2)
        into.append(FunctionWords(name, kind, "cell" if kind == "cell" else "", tuple(arguments)))

    def make_recursive(self, made: dict[str, str], s: Scope) -> None:
        types = [t for t in self.types if t.size <= 6]
        group = []
        for _ in range(1 if self.chance(0.7) else 2):
            arguments = tuple(self.rng.choice(types) for _ in range(1 if self.chance(0.85) else 2))
            group.append(
                FunctionWords(self.fresh("r"), "bool", "", arguments if arguments[0].size <= 3 else arguments[:1])
            )
        for function in group:
            parameters = [self.fresh("p") for _ in function.arguments]
            inner = s
            for parameter, type_ in zip(parameters, function.arguments, strict=True):
                inner = inner.bind(parameter, type_)
            pairs = zip(parameters, function.arguments, strict=True)
            header = f"{function.name}({', '.join(f'{p} in {t.name}' for p, t in pairs)})"
            made[header] = f"{self.atom(inner, 1)} or {self.monotone(inner, group, 2)}"
        self.functions += group

    def monotone(self, s: Scope, group: list[FunctionWords], d: int) -> str:
        text = self.plainly_monotone(s, group, d)
        if d <= 0 or self.later.random() > 0.2:
            return text
        with self.drawn_later():
            other, condition = self.plainly_monotone(s, group, 0), self.condition(s, 1)
            return self.rng.choice((f"({text} if {condition} else {other})", f"not ({condition} and not {text})"))

    def plainly_monotone(self, s: Scope, group: list[FunctionWords], d: int) -> str:
        call = lambda: self.call(self.rng.choice(group), s, 1)  # noqa: E731
        if d <= 0:
            return self.one([call, call, lambda: self.condition(s, 1)])
        options = [call, lambda: f"({self.monotone(s, group, d - 1)} and {self.condition(s, 1)})",
                   lambda: f"({self.monotone(s, group, d - 1)} or {self.monotone(s, group, d - 1)})",
                   lambda: self.monotone_loop(s, group, d)]  # fmt: skip
        return self.one(options)

    def monotone_loop(self, s: Scope, group: list[FunctionWords], d: int) -> str:
        loops, inner = self.loops(s, 1)
        kind, element = self.rng.choice(["all", "any", "any"]), self.monotone(inner, group, d - 1)
        if " if " not in loops and self.later.random() < 0.3:
            with self.drawn_later():
                tested = self.plainly_monotone(inner, group, 0)
            loops += f" if {tested}" if kind == "any" else f" if not {tested}"
        return f"{kind}({element}{loops})"

    # -- actions ---------------------------------------------------------------------------------------------------

    def make_action(self, variables: tuple[VariableWords, ...], metrics: tuple[str, ...]) -> list[str]:
        s = Scope(variables=variables, functions=tuple(self.functions))
        params, s = self.parameters(s)
        lines = (
            [f"    params: {{{', '.join(f'{quoted(k) if chr(91) in k else k}: {v}' for k, v in params.items())}}}"]
            if params
            else []
        )
        if any("[" in key for key in params):
            lines = ["    params:", *(f"      {quoted(key)}: {value}" for key, value in params.items())]
        lets: dict[str, str] = {}
        functions: list[FunctionWords] = []
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            self.make_function(lets, replace(s, functions=(*s.functions, *functions)), functions, "w")
        s = replace(s, functions=(*s.functions, *functions, *functions))
        if lets:
            lines += ["    let:", *(f"      {key}: {quoted(value)}" for key, value in lets.items())]
        conditions = [self.condition(s, 2) for _ in range(self.rng.choice((0, 0, 0, 0, 1, 1, 2)))]
        if conditions:
            lines += ["    when:", *(f"      - {refusing(text)}" for text in conditions)]
        if len(conditions) == 2:
            lines.append("    otherwise: it cannot be done")
        lines += ["    effect:", *(f"      {line}" for line in self.phase(variables, s))]
        if self.chance(0.3):
            lines.append("    then:")
            for _ in range(1 if self.chance(0.7) else 2):
                phase = self.rounds(variables, s)
                lines += [f"      {'- ' if number == 0 else '  '}{line}" for number, line in enumerate(phase)]
        return lines + self.costs(s, metrics) + self.label(s)

    def parameters(self, s: Scope) -> tuple[dict[str, str], Scope]:
        made: dict[str, str] = {}
        size = 1
        for _ in range(self.rng.choice((0, 1, 1, 2, 2))):
            type_ = self.rng.choice([t for t in self.types if t.size <= 9])
            small = [t for t in self.types if t.size <= 3]
            if small and type_.size <= 4 and self.chance(0.2):
                index = self.rng.choice(small)
                if size * type_.size**index.size <= 30:
                    name = self.fresh("m")
                    made[f"{name}[{self.fresh('j')} in {index.name}]"] = type_.name
                    s = replace(s, arrays=(*s.arrays, VariableWords(name, type_, (index,))))
                    size *= type_.size**index.size
            elif size * type_.size <= 30:
                name = self.fresh("a")
                made[name] = type_.name
                s = s.bind(name, type_)
                size *= type_.size
        return made, s

    def rounds(self, variables: tuple[VariableWords, ...], s: Scope) -> list[str]:
        """A phase of `then`: once, some times, or for each value of a type."""
        how = self.rng.choice(("", "", "", "repeat", "times", "for"))
        if how == "for":
            type_ = self.rng.choice([*self.types, DIRECTION])
            name = self.fresh("r")
            return [f"for: {name} in {type_.name}", *self.phase(variables, s.bind(name, type_))]
        rounds = [f"{how}: {self.rng.randint(1, 3)}"] if how in ("repeat", "times") else []
        lines = self.phase(variables, s)
        if self.later.random() > STABLE:
            return [*rounds, *lines]
        with self.drawn_later():
            return ["repeat: stable", *(self.settling(variables, s) if self.chance(0.6) else lines)]

    def settling(self, variables: tuple[VariableWords, ...], s: Scope) -> list[str]:
        """A line that comes to rest: a number that falls to the least one, anything else that becomes a word."""
        variable = self.rng.choice(variables)
        target = self.read(variable, s, 0)
        if variable.type.kinds == ("int",):
            return [f"{quoted(target)}: {quoted(f'{target} - 1 if {target} > {variable.type.low}')}"]
        test = f" if {self.condition(s, 2)}" if self.chance(0.5) else ""
        return [f"{quoted(target)}: {quoted(self.value(variable, target, s) + test)}"]

    def phase(self, variables: tuple[VariableWords, ...], s: Scope) -> list[str]:
        """Assignment lines, every target once."""
        lines: dict[str, str] = {}
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3))):
            variable = self.rng.choice(variables)
            inner, loops = s, ""
            if self.chance(0.3):
                for _ in range(1 if self.chance(0.85) else 2):
                    domain, type_ = self.domain(inner, 1)
                    name = self.fresh("i")
                    loops += f" for {name} in {domain}"
                    inner = inner.bind(name, type_)
            target = self.read(variable, inner, 0 if self.chance(0.5) else 1)
            test = f" if {self.condition(inner, 2)}" if self.chance(0.35) else ""
            lines[target] = f"{self.value(variable, target, inner)}{loops}{test}"
        return [f"{quoted(target)}: {quoted(value)}" for target, value in lines.items()]

    def value(self, variable: VariableWords, target: str, s: Scope) -> str:
        """A new value: often one that is sure to be in the type."""
        type_ = variable.type
        if self.chance(0.7):
            if type_.kinds == ("int",):
                return f"({target} + 1 if {target} < {type_.high} else {type_.low})"
            if type_.kinds == ("bool",):
                return f"not {target}"
            same = [name for name, t in s.names if t.name == type_.name]
            words = [word for kind in type_.kinds for word in type_.words.get(kind, ())]
            if type_.kinds == ("cell",) and self.chance(0.5):
                return self.step(target, s)
            if len(type_.kinds) > 1 and "int" in type_.kinds and self.chance(0.4):
                return self.mixed_value(type_, target, s)
            if len(words) > 1 and self.chance(0.6):
                one, other = self.rng.sample(words, 2)
                return f"({one} if {target} == {other} else {other})"
            if words or same:
                return self.rng.choice(same if same and self.chance(0.7) else words or same)
        if type_.kinds == ("cell",) and self.chance(0.5):
            return f"({target} + {self.offset(s, 1)})"
        return self.expression(self.rng.choice(type_.kinds), s, self.rng.choice((0, 1, 2)))

    def mixed_value(self, type_: TypeWords, target: str, s: Scope) -> str:
        """An integer of the type or a word of it."""
        number, word = self.rng.choice(type_.words["int"]), self.rng.choice(type_.words["text"])
        count = f"({target} + 1 if {target} < {type_.high} else {type_.low})"
        name = self.fresh("i")
        return self.one([
            lambda: f"({self.rng.choice([number, count])} if {target} == {word} else {word})",
            lambda: f"({word} if {self.condition(s, 1)} else {number})",
            lambda: f"first(({name} if {name} > {target} else {word}) for {name} in {type_.name})",
            lambda: f"first(({name} for {name} in {type_.name} if {name} > {target}), {word})",
        ])  # fmt: skip

    def step(self, target: str, s: Scope) -> str:
        """A cell beside the target, where there is one."""
        ways = [name for name, t in s.names if t.name == "direction"] or ["up", "down", "left", "right"]
        way = self.rng.choice(ways)
        return f"({target} + {way} if inside({target} + {way}) else {target})"

    def costs(self, s: Scope, metrics: tuple[str, ...]) -> list[str]:
        if not metrics:
            return [f"    cost: {quoted(self.cost(s))}"] if self.chance(0.4) else []
        return ["    cost:", *(f"      {metric}: {quoted(self.cost(s))}" for metric in metrics)]

    def cost(self, s: Scope) -> str:
        return self.one([lambda: str(self.rng.randint(0, 3)), lambda: f"abs({self.integer(s, 2)})",
                         lambda: f"(2 if {self.condition(s, 1)} else 1)", lambda: f"max(0, {self.integer(s, 1)})",
                         lambda: self.quantified("count", "int", s, 1)])  # fmt: skip

    def label(self, s: Scope) -> list[str]:
        return [f"    label: {quoted('do {' + self.integer(s, 1) + '}')}"] if self.chance(0.3) else []

    # -- the file --------------------------------------------------------------------------------------------------

    def alike(self) -> list[str]:
        """Types that are said to be interchangeable, those of `objects` first."""
        things = [t.name for t in self.types if t.kinds == ("object",)]
        others = [name for name in self.written_types if name not in things]
        return [*things, *self.rng.sample(others, self.rng.randint(0 if things else 1, 1))]

    def invariants(self) -> str:
        """Of every kind of value; each mostly changes somewhere."""
        kinds = [self.rng.choice(("int", "int", "bool", "cell", "text")) for _ in range(self.rng.randint(1, 3))]
        lines = [f"  h{i}: {quoted(self.expression(kind, self.scope, 2))}" for i, kind in enumerate(kinds)]
        return "\n".join(["invariants:", *lines]) + "\n"

    def puzzle(self) -> str:
        self.make_data()
        self.make_types()
        variables = self.make_state()
        defined = self.make_definitions(variables)
        metrics = ("first_cost", "second_cost") if self.chance(0.2) else ()
        s = self.scope = Scope(variables=variables, functions=tuple(self.functions))
        lines = ["format: 1", "puzzle: random", "data:", *(f"  {k}: {v}" for k, v in self.data.items()), "types:"]
        lines += [
            f"  {key}: {value if value[0] in '[{' else quoted(value)}" for key, value in self.written_types.items()
        ]
        lines += ["state:", *(f"  {quoted(key)}: {quoted(value)}" for key, value in self.starts.items())]
        if defined:
            lines += ["define:", *(f"  {quoted(key)}: {quoted(value)}" for key, value in defined.items())]
        lines.append("actions:")
        for number in range(self.rng.choice((1, 2, 2, 3))):
            lines += [f"  act{number}:", *self.make_action(variables, metrics)]
        lines.append(f"goal: {quoted(self.condition(s, 2))}")
        if self.chance(0.25):
            lines.append(
                f"always: {quoted(self.condition(s, 2) + (' or ' + self.condition(s, 1) if self.chance(0.5) else ''))}"
            )
        if self.chance(0.2):
            lines.append(f"dead: {quoted(self.condition(s, 2))}")
        if self.chance(0.6):
            lines += ["heuristics:", *(f"  h{i}: {quoted(self.integer(s, 3))}" for i in range(self.rng.randint(1, 2)))]
        if self.chance(0.2):
            lines.append(f"symmetry: {{interchangeable: [{', '.join(self.alike())}]}}")
        if self.chance(0.2):
            level = f"n: {self.rng.randint(-1, 3)}"
            stated = self.stated(variables) if self.chance(0.6) else ""
            lines += ["levels:", f"  one: {{{level}{stated}}}"]
        return "\n".join(lines) + "\n"


# -- boards that are images of themselves ------------------------------------------------------------------------------

MIRRORS = ("vertical", "horizontal", "diagonal")


def random_board(seed: int) -> str:
    """A puzzle on a board that says that its mirrors map it onto itself: true of its rules, or not quite."""
    return Board(random.Random(seed)).puzzle()


@dataclass
class Board:
    """Numbers in cells and a cell that is marked; rules that speak of neighbours only, unless they are `bent`."""

    rng: random.Random

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def mirrored(self, cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """The cells and their images."""
        rows, cols = self.rows - 1, self.cols - 1
        found = {(r, c) for r0, c0 in cells for r in (r0, rows - r0) for c in (c0, cols - c0)}
        return found | {(c, r) for r, c in found} if rows == cols else found

    def some_cells(self, most: int, bent: bool) -> set[tuple[int, int]]:
        cells = {
            (self.rng.randrange(self.rows), self.rng.randrange(self.cols)) for _ in range(self.rng.randint(0, most))
        }
        return cells if bent else self.mirrored(cells)

    def number(self) -> str:
        """An integer about the cell c."""
        return self.rng.choice(
            ["v[c]", "weight(c)", "1", "(distance(at, c) if at != none else 2)"]
            + [f"{each} for e in cell if adjacent(e, c))" for each in ("count(e", "sum(v[e]")]
            + ["max(v[e] for e in cell if distance(e, c) <= 1)"]
        )

    def test(self) -> str:
        """A condition about the cell c, or a bent one."""
        if self.bent and self.chance(0.3):
            return self.rng.choice(
                ["c.row == 0", "c.col > 0", "c in odd", "at in odd", "any(v[e] == 1 for e in odd)", "inside(c + up)"]
                + ["v[first(e for e in cell if e != c)] == 1", "at != none and at < c"]
            )
        return self.rng.choice(
            [f"{self.number()} {self.rng.choice(['==', '!=', '<', '<='])} {self.number()}", "at == c", "at != c"]
            + ["at == none", "at != none and adjacent(at, c)", "c in even", "at in even", "weight(c) == 1"]
            + [f"{self.rng.choice(['any', 'all'])}(v[e] == v[c] for e in cell if adjacent(e, c))"]
            + [
                f"count(e for e in cell if v[e] == 1) {self.rng.choice(['<', '>='])} 2",
                f"v[c] == {self.rng.randint(0, 1)}",
            ]
        )

    def tests(self, most: int) -> str:
        return f" {self.rng.choice(['and', 'or'])} ".join(f"({self.test()})" for _ in range(self.rng.randint(1, most)))

    def phase(self) -> dict[str, str]:
        """Assignment lines."""
        ring = self.rng.choice(
            ["e != c and adjacent(e, c)", "distance(e, c) <= 1", "e != c", "adjacent(e, c) and v[e] != v[c]"]
        )
        top = self.top
        lines = {
            "at": self.rng.choice(["c", "none", "(none if at == c else c)", f"(c if {self.test()} else none)"]),
            "v[c]": self.rng.choice([f"({top} - v[c])", f"(v[c] + 1 if v[c] < {top} else 0)", "weight(c)", "0"]),
            "v[e]": f"{self.rng.choice([f'({top} - v[e])', 'v[c]', '0'])} for e in cell if {ring}",
            "s": self.rng.choice(["not s", "s", f"({self.test()})"]),
        }
        if self.halves:
            del lines["at"]
        names = self.rng.sample([*lines], self.rng.randint(1, 2))
        if "v[c]" in names and "distance" in ring and "v[e]" in names:
            names.remove("v[c]")
        return {name: lines[name] for name in names}

    def walk(self) -> list[str]:
        """The marked cell goes to a neighbour: never to the other half of a board in halves."""
        return ["    params: {c: cell}", "    when: at != none and adjacent(at, c)", "    effect: {at: c}"]

    def action(self) -> list[str]:
        steps = not self.halves and self.chance(0.3)
        lines = ["    params: {c: cell, d: direction}" if steps else "    params: {c: cell}"]
        lines += ["    when:", f"      - {quoted(self.tests(2))}"]
        if steps:
            lines += ["      - at == c and inside(c + d)", "      - not (c in even and c + d in even)"]
            lines += ["    effect:", "      at: c + d"]
        else:
            lines += ["    effect:", *(f"      {key}: {quoted(value)}" for key, value in self.phase().items())]
        if self.chance(0.3):
            lines += ["    then:"]
            for number, (key, value) in enumerate(self.phase().items()):
                lines += [f"      {'- ' if number == 0 else '  '}{key}: {quoted(value)}"]
        return lines + self.costs()

    def costs(self) -> list[str]:
        costs = ["1", "weight(c)", "v[c]", "0", f"(2 if {self.test()} else 1)", "(0 if s else 1)"]
        if self.metrics:
            return ["    cost:", *(f"      {name}: {quoted(self.rng.choice(costs))}" for name in self.metrics)]
        return [] if self.unit else [f"    cost: {quoted(self.rng.choice(costs))}"]

    def puzzle(self) -> str:
        rng, self.halves = self.rng, self.chance(0.35)
        self.rows, self.cols = rng.choice([(1, 5), (1, 7)] if self.halves else [(1, 3), (1, 4), (2, 2), (2, 2), (2, 3)])
        self.bent, self.unit, self.top = self.chance(0.4), self.chance(0.6), rng.choice((1, 1, 2))
        self.metrics = ("one", "two") if not self.unit and self.chance(0.4) else ()
        bent = [self.bent and self.chance(0.5) for _ in range(3)]
        holes = self.some_cells(1, bent[0]) if self.rows * self.cols == 6 else set()
        holes |= {(0, self.cols // 2)} if self.halves else set()
        board = ["".join("#" if (r, c) in holes else "o" for c in range(self.cols)) for r in range(self.rows)]
        cells = [(r, c) for r in range(self.rows) for c in range(self.cols) if board[r][c] == "o"]
        heavy = self.some_cells(2, bent[1])
        weights = [[int((r, c) in heavy) for c in range(self.cols)] for r in range(self.rows)]
        before = [rng.randint(0, self.top) if self.chance(0.4) else 0 for _ in range(self.rows * self.cols)]
        even = [list(cell) for cell in self.some_cells(2, bent[2]) if cell in cells] or [list(cell) for cell in cells]
        at = rng.choice(["none"] * (not self.halves) + [f"cell({', '.join(map(str, rng.choice(cells)))})"] * 2)
        lines = ["puzzle: board", "data:", f"  board: [{', '.join(map(quoted, board))}]", f"  weights: {weights}"]
        lines += [f"  before: {before}", f"  even: {even}", f"  odd: [{list(cells[0])}]"]
        lines += ["types:", '  cell: \'cells(board, omit="#", plain="o")\'', f"  number: 0 .. {self.top}"]
        lines += ["state:", f"  'v[c in cell]': 'number = before[{self.cols} * c.row + c.col]'"]
        lines += [f"  at: cell or none = {at}", "  s: bool = false"]
        lines += ["define:", "  weight(c in cell): weights[c.row][c.col]"]
        lines += ["actions:"]
        if self.halves:
            lines += ["  walk:", *self.walk(), *self.costs()]
        for number in range(rng.randint(1, 3)):
            lines += [f"  act{number}:", *self.action()]
        goals = [f"{rng.choice(['all', 'any'])}({self.tests(2)} for c in cell)", "at in even", "s"]
        goals += [f"all(v[c] == {self.top} for c in cell)", "count(c for c in cell if v[c] == weight(c)) >= 2"]
        chosen = ["at in even", rng.choice(goals)] if self.halves else rng.sample(goals, rng.choice((1, 1, 2)))
        lines += ["goal:", *(f"  - {quoted(goal)}" for goal in chosen)]
        if self.chance(0.2):
            lines += [f"always: {quoted(f'any({self.tests(2)} for c in cell)')}"]
        lines += ["heuristics:", f"  even: {quoted(f'count(c for c in cell if {self.test()}) // 3')}"]
        lines += ["  none_left: '0 if s else 1'", f"  odd: v[cell({cells[0][0]}, {cells[0][1]})] // 2"]
        lines += ["invariants:", f"  here: at == {at}", f"  beyond: at != none and at.col >= {self.cols // 2}"]
        lines += [f"  corner: v[cell({cells[0][0]}, {cells[0][1]})]", "  rest: sum(v[c] for c in cell) % 2"]
        lines += [self.symmetry()]
        return "\n".join(lines) + "\n"

    def symmetry(self) -> str:
        """Mostly all mirrors; sometimes the cells are said to be alike one by one as well."""
        names = MIRRORS if self.chance(0.7) else self.rng.sample(MIRRORS, self.rng.randint(1, 2))
        alike = "interchangeable: [cell], " if self.chance(0.15) else ""
        return f"symmetry: {{{alike}mirror: [{', '.join(names)}]}}"
