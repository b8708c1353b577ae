"""The words of one level: data (drawn ones too), types, definitions, symbols, each worked out when first asked for."""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from models import expressions as e
from models.checker import Checker, DefinitionSource, Locals
from models.data import WHOLE
from models.document import Document
from models.errors import Location, did_you_mean
from models.interpreter import UNDEFINED, bindings, evaluate, scope
from models.limits import MOST_VALUES, check_limit
from models.naming import no_name
from models.puzzle import StateVariable
from models.statics import distinct
from models.syntax import Source, fail, loop_of, parse, top_level
from models.text import Plain, Text
from models.values import (
    DIRECTIONS8,
    GIVEN_TYPES,
    Cell,
    Grid,
    Offset,
    Record,
    Sheet,
    Thing,
    Type,
    Value,
    offset_type,
    union,
)

_FIXED = Locals(state=False)
SOME_DIRECTIONS = "a type of some directions has their offsets, as in {up: [-1, 0], down: [1, 0]}"


@dataclass(eq=False)
class LevelNames:
    """Implements `models.checker.Names` for one level of a document."""

    document: Document
    data: dict[str, Value]
    seed: int
    variables: dict[str, StateVariable] = field(default_factory=dict)
    definitions: dict[str, DefinitionSource] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    symbols: dict[str, Value] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.checker = Checker(self)

    # -- the checker's questions -----------------------------------------------------------------------------------

    def datum(self, name: str) -> Value | None:
        if name not in self.data and Text(name) in self.document.draw:
            self.data[name] = self._draw(name, self._key_as_written(self.document.draw, name))
        return self.data.get(name)

    def _enter(self, name: str, place: Location, what: str, code: str) -> None:
        if name in self.open:
            raise fail(f"{what} `{name}` is defined by itself", place, code=code)
        self.open.add(name)

    def type(self, name: str) -> Type | None:
        if name in GIVEN_TYPES:
            return GIVEN_TYPES[name]
        if name not in self.types and Text(name) in self.document.types:
            self.types[name] = self._declared(name)
        return self.types.get(name)

    def type_from(self, source: Source) -> Type:
        """The type that an expression's place names, as in `c in cell`."""
        text = Text(source.words(), source.at(source.tree))
        return self.read_type(text, source.words())

    def symbol(self, name: str) -> Value | None:
        return self.symbols.get(name, DIRECTIONS8.get(name))

    def known(self) -> Iterable[str]:
        types = (str(name) for name in self.document.types)
        draws = (str(name) for name in self.document.draw)
        return [*self.data, *draws, *types, *GIVEN_TYPES, *self.variables, *self.definitions, *self.symbols]

    # -- constants -------------------------------------------------------------------------------------------------

    def value(self, source: Source) -> Value:
        """The value of an expression that reads data only."""
        typed = self.checker.expression(source, _FIXED)
        value = evaluate(typed.expression, scope({}))
        if value is UNDEFINED:
            raise fail("this has no value", source.at(source.tree), code="E403")
        return value

    def integer(self, source: Source) -> int:
        value = self.value(source)
        if not isinstance(value, int) or isinstance(value, bool):
            raise fail("expected an integer", source.at(source.tree), code="E302")
        return value

    @staticmethod
    def _key_as_written(table: dict[Text, Text], name: str) -> Text:
        return table[Text(name)]

    def _draw(self, name: str, text: Text) -> Value:
        """A datum drawn by the seed: permutation(n), shuffle(list), pick(list) or pick(... for x in T if ...)."""
        source = parse(text)
        generator = random.Random(f"{self.seed}/{name}")
        self._enter(name, source.at(source.tree), "the datum", "E404")
        items = self._drawn_from(source)
        self.open.discard(name)
        if not items:
            raise fail("there is nothing to draw from", source.at(source.tree), code="E404")
        if cast(ast.Name, cast(ast.Call, source.tree).func).id == "pick":
            return _raw(generator.choice(items))
        generator.shuffle(items)
        return tuple(_raw(item) for item in items)

    def _drawn_from(self, source: Source) -> list[Value]:
        match source.tree:
            case ast.Call(func=ast.Name(id="permutation"), args=[size]):
                count = self.integer(source.inner(size))
                check_limit(count, MOST_VALUES, "values to draw", source.at(source.tree))
                return list(range(count))
            case ast.Call(func=ast.Name(id="shuffle" | "pick"), args=[argument]):
                return self._candidates(source.inner(argument))
        raise fail("expected permutation(n), shuffle(list) or pick(list)", source.at(source.tree), code="E404")

    def _candidates(self, source: Source) -> list[Value]:
        if isinstance(source.tree, ast.GeneratorExp):
            parts = (loop_of(source, part) for part in source.tree.generators)
            loops, names = self.checker.loops(parts, _FIXED)
            element = self.checker.expression(source.inner(source.tree.elt), names).expression
            return [evaluate(element, at) for at in bindings(tuple(loops), scope({}))]
        collection = self.checker.collection(source, _FIXED).expression
        loop = e.Loop("item", collection, None)
        return [at.locals["item"] for at in bindings((loop,), scope({}))]

    # -- types -----------------------------------------------------------------------------------------------------

    def _declared(self, name: str) -> Type:
        key = next(key for key in self.document.types if key == name)
        self._enter(name, key.location, "the type", "E405")
        written = self.document.types[key]
        made = self._from_mapping(key, written) if isinstance(written, dict) else self.read_type(written, name)
        self.open.discard(name)
        return replace(made, name=name)

    def _from_mapping(self, key: Text, written: dict[Text, Plain]) -> Type:
        words: dict[str, Offset] = {}
        for word, pair in written.items():
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or not all(re.fullmatch(r"-?\d+", str(part)) for part in pair)
            ):
                raise fail(f"`{word}` needs [rows, columns], as in leap: [-2, 1]", word.location, code="E406")
            words[str(word)] = Offset(int(str(pair[0])), int(str(pair[1])))
            self._add_symbol(str(word), words[str(word)], word)
        if len(set(words.values())) < len(words):
            raise fail(f"two words of `{key}` are the same way", key.location, code="E406")
        return offset_type(str(key), words)

    def _add_symbol(self, word: str, value: Value, place: Text) -> None:
        if word in DIRECTIONS8 or word in self.symbols:
            if self.symbols.get(word, DIRECTIONS8.get(word)) == value:
                return
            if word in DIRECTIONS8:
                raise fail(f"{word!r} is a direction already", place.location, SOME_DIRECTIONS, "E303")
            raise fail(f"{word!r} already means another way", place.location, "no name hides another", "E303")
        if wrong := no_name(word):
            raise fail(wrong, place.location, code="E406")
        if word in {*self.known(), *self.document.state, *map(str, self.document.data)}:
            raise fail(
                f"the name {word!r} already means something else", place.location, "no name hides another", "E303"
            )
        self.symbols[word] = value

    def read_type(self, written: Text | list[Text], name: str) -> Type:
        """A type as written: symbols in a list, a range, a call, a union."""
        if isinstance(written, list):
            return self._symbols(written, name)
        if written.startswith("[") and written.endswith("]"):
            items = [Text(word.strip(), written.location) for word in written[1:-1].split(",")]
            return self._symbols(items, name)
        cuts = [-2, *top_level(written, r"\bor\b"), len(written)]
        alternatives = [(start + 2, end) for start, end in zip(cuts, cuts[1:], strict=False)]
        if len(alternatives) == 1:
            return self._single(written, 0, len(written), name, False)
        return self._union(
            [self._single(written, start, end, name, True) for start, end in alternatives], written, name
        )

    def _symbols(self, words: list[Text], name: str) -> Type:
        if words and all(word.style == "plain" and WHOLE.match(word) for word in words):
            raise fail(no_name(words[0]), words[0].location, _integers(words), "E406")
        for word in words:
            self._add_symbol(str(word), str(word), word)
        if len(set(words)) < len(words):
            raise fail("a symbol stands here twice", words[0].location, code="E303")
        return Type(name, tuple(str(word) for word in words))

    def _union(self, parts: list[Type], written: Text, name: str) -> Type:
        made = union(name, parts)
        if len(made.values) < sum(len(part.values) for part in parts):
            raise fail("a value belongs to two parts of this union", written.location, "rename the new symbol", "E407")
        return made

    def _single(self, written: Text, start: int, end: int, name: str, new_words: bool) -> Type:
        dots = [cut for cut in top_level(written, r"\.\.") if start <= cut < end]
        if dots:
            low = self.integer(parse(written, start, dots[0]))
            high = self.integer(parse(written, dots[0] + 2, end))
            check_limit(high - low + 1, MOST_VALUES, f"values of `{name}`", written.at(start, end - start))
            return Type(name, tuple(range(low, high + 1)))
        source = parse(written, start, end)
        match source.tree:
            case ast.Name(id=word):
                return self._word(source, word, new_words, name)
            case ast.Call(func=ast.Name(id=word)) if word in _MAKERS and not self._own(word):
                return _MAKERS[word](self, source, name)
        hint = did_you_mean(source.words().split("(")[0], [*self.types, *_MAKERS])
        raise fail(
            "this is no type",
            source.at(source.tree),
            hint or "LOW .. HIGH, [red, green], grid(rows, cols), ...",
            "E405",
        )

    def _own(self, word: str) -> bool:
        """Has the file a definition by the name of a maker that came later?"""
        return word == "marks" and word in self.definitions

    def _word(self, source: Source, word: str, new_words: bool, name: str) -> Type:
        self.checker.used.add(word)
        found = self.type(word)
        if found is not None:
            return found
        if not new_words:
            known = [*GIVEN_TYPES, *(str(key) for key in self.document.types)]
            raise fail(f"unknown type {word!r}", source.at(source.tree), did_you_mean(word, known), "E405")
        if self.datum(word) is not None or word in self.definitions:
            raise fail(f"`{word}` is no type", source.at(source.tree), code="E405")
        self._add_symbol(word, word, Text(word, source.at(source.tree)))
        return Type(name, (word,))

    # -- the makers ------------------------------------------------------------------------------------------------

    def arguments(self, source: Source, positional: int, **named: str) -> tuple[list[Value], dict[str, str]]:
        """The values of a type's arguments; named ones are quoted texts with defaults."""
        call = cast(ast.Call, source.tree)
        if len(call.args) != positional:
            raise fail(f"{source.words().split('(')[0]} takes {positional} arguments", source.at(call), code="E305")
        options = dict(named)
        for keyword in call.keywords:
            if keyword.arg not in named:
                hint = did_you_mean(str(keyword.arg), named)
                raise fail(f"unknown option {keyword.arg!r}", source.at(keyword.value), hint, "E305")
            options[keyword.arg] = str(self.value(source.inner(keyword.value)))
        return [self.value(source.inner(argument)) for argument in call.args], options

    def _objects(self, source: Source, name: str) -> Type:
        (count,), _ = self.arguments(source, 1)
        if type(count) is not int or count < 0:
            raise fail("objects takes a number of objects", source.at(source.tree), code="E302")
        check_limit(count, MOST_VALUES, f"values of `{name}`", source.at(source.tree))
        return Type(name, tuple(Thing(name, number) for number in range(1, count + 1)))

    def _keys(self, source: Source, name: str) -> Type:
        (table,), _ = self.arguments(source, 1)
        if isinstance(table, Record):
            return Type(name, tuple(table))
        if isinstance(table, str | tuple):
            return Type(name, tuple(range(len(table))))
        raise fail("keys takes a table or a list", source.at(source.tree), code="E302")

    def _letters(self, source: Source, name: str) -> Type:
        (texts,), options = self.arguments(source, 1, omit="")
        letters = dict.fromkeys(letter for letter in _flatten(texts) if letter not in options["omit"])
        return Type(name, tuple(letters))

    def _values(self, source: Source, name: str) -> Type:
        (values,), _ = self.arguments(source, 1)
        found = distinct(_leaves(values))
        if len(set(found)) < len(found):  # for Python these are equal
            message, hint = "no type has both 1 and true, or 0 and false", "give one of them a word, in quotes"
            raise fail(message, source.at(source.tree), hint, "E407")
        return Type(name, found)

    def _grid(self, source: Source, name: str) -> Type:
        (rows, cols), options = self.arguments(source, 2, wrap="")
        if not all(type(size) is int and size >= 0 for size in (rows, cols)):
            raise fail("grid takes a number of rows and a number of columns", source.at(source.tree), code="E302")
        check_limit(rows * cols, MOST_VALUES, f"values of `{name}`", source.at(source.tree))
        if options["wrap"] not in ("", "vertical", "horizontal", "both"):
            raise fail(
                f"wrap={options['wrap']!r}",
                source.at(source.tree),
                'wrap is "vertical", "horizontal" or "both"',
                "E305",
            )
        cells = tuple(Cell(row, col) for row in range(rows) for col in range(cols))
        wraps = (options["wrap"] in ("vertical", "both"), options["wrap"] in ("horizontal", "both"))
        return Type(name, cells, Grid(name, rows, cols, frozenset(cells), *wraps))

    def _cells(self, source: Source, name: str) -> Type:
        (board,), options = self.arguments(source, 1, omit="", plain="")
        letters = _letters_by_cell(board, source)
        cells = tuple(cell for cell, letter in letters.items() if letter not in options["omit"])
        return Type(name, cells, Grid(name, *_size(letters), frozenset(cells)))

    # -- marks on a map --------------------------------------------------------------------------------------------

    def _marks(self, source: Source, name: str) -> Type:
        """An object for each place of a map that has one of the letters, in reading order."""
        (board, wanted), options = self.arguments(source, 2, on="")
        letters = _letters_by_cell(board, source)
        written = cast(ast.Call, source.tree)
        if not isinstance(wanted, str | tuple) or not all(isinstance(letter, str) for letter in wanted):
            hint = 'marks(board, "HhOo"), or a list of texts where a letter is a longer word'
            raise fail("marks takes letters as a text", source.at(written.args[1]), hint, "E302")
        if options["on"] and options["on"] not in self.document.types:
            hint = did_you_mean(options["on"], self.document.types)
            raise fail(f"unknown type {options['on']!r}", source.at(written), hint, "E405")
        found = [(cell, letter) for cell, letter in letters.items() if letter in tuple(wanted)]
        check_limit(len(found), MOST_VALUES, f"values of `{name}`", source.at(source.tree))
        words = _words_of_marks([letter for _, letter in found])
        marks = (Thing(name, number, word, letter, cell)
                 for number, (word, (cell, letter)) in enumerate(zip(words, found, strict=True), 1))  # fmt: skip
        words_of_map = source.inner(written.args[0]).words()
        sheet = Sheet(words_of_map, tuple(wanted), *_size(letters), options["on"])
        return Type(name, tuple(marks), sheets=(sheet,))

    def boards(self, sheet: Sheet) -> list[Type]:
        """The types of cells that the places of a map may be: the named one; those made of it; grids of its size."""
        if sheet.on:
            return [found for found in [self.type(sheet.on)] if found is not None and found.grid is not None]
        made = {str(key): told for key, written in self.document.types.items() if (told := _places_of(written))}
        own = [key for key, map_ in made.items() if map_ == sheet.words]
        types = [self.type(key) for key in own or made]
        return [t for t in types if t and t.grid and (t.grid.rows, t.grid.cols) == (sheet.rows, sheet.cols)]


def _integers(words: list[Text]) -> str:
    """A hint: how a type of these integers is written. A list has new words, and a number is none."""
    numbers = sorted({int(word) for word in words})
    whole = f"{numbers[0]} .. {numbers[-1]}"
    if len(numbers) > numbers[-1] - numbers[0]:
        return f"the integers from {numbers[0]} to {numbers[-1]} are {whole}"
    return f"just these integers are values([{', '.join(words)}]), all from {numbers[0]} to {numbers[-1]} are {whole}"


def _letters_by_cell(board: Value, source: Source) -> dict[Cell, str]:
    """The letter at each place of a text map, row by row."""
    rows = board if isinstance(board, tuple) else ()
    widths = {len(row) for row in rows if isinstance(row, str | tuple)}
    if len(widths) != 1 or not all(isinstance(row, str | tuple) for row in rows):
        found = f"rows of {', '.join(map(str, sorted(widths)))} letters" if rows else "no rows"
        hint = "all rows of a text map are equally wide; fill them up with the letter for void"
        maker = source.words().split("(")[0]
        raise fail(f"{maker} takes a text map, found {found}", source.at(source.tree), hint, "E408")
    return {Cell(row, col): letter for row, letters in enumerate(rows) for col, letter in enumerate(letters)}


def _size(letters: Iterable[Cell]) -> tuple[int, int]:
    last = max(letters, default=Cell(-1, -1))
    return last.row + 1, last.col + 1


def _words_of_marks(letters: Sequence[str]) -> list[str]:
    """What plans call marks: by their letter, with a number where it stands several times; no two are alike.

    Longer words as letters could make two alike: then marks have no words, and count like other objects.
    """
    times, seen = Counter(letters), Counter[str]()
    words = []
    for letter in letters:
        seen[letter] += 1
        number = f"{'.' if letter[-1:].isdigit() else ''}{seen[letter]}"
        words.append(letter if times[letter] == 1 else letter + number)
    return words if len(set(words)) == len(words) else [""] * len(words)


def _places_of(written: Text | list[Text] | dict[Text, Plain]) -> str:
    """Of a type that is written as the places of a board: what they are made of; '' for another type."""
    if not isinstance(written, Text) or not re.match(r"(cells|grid)\(", written) or top_level(written, r"\bor\b|\.\."):
        return ""
    source = parse(written)
    return source.inner(source.tree.args[0]).words() if isinstance(source.tree, ast.Call) and source.tree.args else ""


def _raw(value: Value) -> Value:
    """A drawn value as data: a cell as [row, col]."""
    return tuple(value) if isinstance(value, Cell) else value


def _flatten(texts: Value) -> Iterable[str]:
    if isinstance(texts, Record):
        texts = tuple(texts.values())
    for text in texts:
        yield from _flatten(text) if isinstance(text, tuple) or len(text) > 1 else (text,)


def _leaves(value: Value) -> Iterable[Value]:
    if isinstance(value, Record):
        value = tuple(value.values())
    for item in value if isinstance(value, tuple) else (value,):
        yield from _leaves(item) if isinstance(item, tuple | Record) else (item,)


_MAKERS = {
    "objects": LevelNames._objects,
    "keys": LevelNames._keys,
    "letters": LevelNames._letters,
    "values": LevelNames._values,
    "grid": LevelNames._grid,
    "cells": LevelNames._cells,
    "marks": LevelNames._marks,
}
