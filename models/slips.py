"""Warnings about what is declared and seems to be forgotten: names that nothing uses, letters that nothing explains.

A warning is told only where it is certain: a name that is merely mentioned, in a definition that nothing uses or in a
draw that a level replaces, is used; so is a type whose words are. A map that is compared with anything but words, lists
and data may mean what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from models.data import as_value, text_maps
from models.document import Document
from models.errors import Diagnostic
from models.level_files import filled_data
from models.names import LevelNames
from models.text import Text
from models.values import Record, Type, Value

_BRACKETS = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def slips(document: Document, names: LevelNames, places: Mapping[str, Text]) -> list[Diagnostic]:
    """All of them on one level, after it was checked; `places` are those of the data."""
    return [*_unused(document, names), *_strange_letters(document, names, places), *_absent_letters(document, names)]


# -- names -------------------------------------------------------------------------------------------------------------


def _unused(document: Document, names: LevelNames) -> Iterator[Diagnostic]:
    filled = (datum for name, entry in document.accepts.items() for datum in filled_data(name, entry).values())
    used = names.checker.used.union(map(str, filled))
    unchecked = list(_unchecked(document))
    data = [(name, str(name)) for name in (*document.data, *document.draw)]
    definitions = [(key, re.split(r"[(\s]", key)[0]) for key in document.define]
    types = [(name, str(name)) for name in document.types]
    for what, declared in (("datum", data), ("type", types), ("definition", definitions)):
        for key, name in declared:
            mentioned = used.union(*(words for owner, words in unchecked if owner != name))
            own = _words_of(names.types[name], names) if what == "type" else set()
            if mentioned.isdisjoint({name, *own}):
                message = f"the {what} {str(key)!r} is never used"
                yield Diagnostic(message, key.location, severity="warning", code="W501")


def _unchecked(document: Document) -> Iterator[tuple[str, set[str]]]:
    """The words of what is perhaps looked at on another level only, or by nobody: whose they are, and all of them."""
    for key, body in document.define.items():
        yield re.split(r"[(\s]", key)[0], set(re.findall(r"\w+", f"{key.partition('(')[2]} {body}"))
    lets = (body for action in document.actions.values() for body in action.let.values())
    for text in (*document.draw.values(), *lets):
        yield "", set(re.findall(r"\w+", text))


def _words_of(type_: Type, names: LevelNames) -> set[str]:
    """The symbols and ways that a type brings."""
    return names.symbols.keys() & {*type_.names.values(), *(v for v in type_.values if isinstance(v, str))}


# -- letters -----------------------------------------------------------------------------------------------------------


def _strange_letters(document: Document, names: LevelNames, places: Mapping[str, Text]) -> Iterator[Diagnostic]:
    """Letters of a text map that no quoted text, no other datum, no symbol and no `letters(...)` accounts for."""
    parts = {name: part for name, part in vars(document).items() if name not in ("data", "levels", "about", "puzzle")}
    texts = list(_texts(parts))
    quoted = {letter for text in texts for part in _QUOTED.findall(text) for letter in part[1:-1]}
    maps = text_maps(document)
    others = {name: value for name, value in names.data.items() if name not in maps}
    known = quoted.union(names.symbols, *map(_words, others.values()))
    rules = list(_texts([part for name, part in parts.items() if name != "view"]))
    makers = "cells|len" if "marks" in names.definitions else r"cells|len|marks(?=\([^,]*,\s*[\"'])"
    for name in maps:
        strange = sorted({letter for row in _rows(names.data.get(name)) for letter in row} - known)
        if strange and all(_only_compared(name, text, {*others, *names.symbols}, makers) for text in rules):
            message = f"on the map {name!r}, nothing says what {', '.join(map(repr, strange))} means"
            yield Diagnostic(message, places[name].location, severity="warning", code="W502")


def _only_compared(name: str, text: str, known: Iterable[str], makers: str) -> bool:
    """Does a text name a map only for its places, or to compare its letters with words, lists and these names?"""
    told = "|".join([r"[\"'\[(]", *(rf"{re.escape(word)}\b" for word in known)])
    tested = rf"\b{name}\b(?:{_BRACKETS})+\s*(?:[=!]=|in|not\s+in)\s*(?:{told})"
    plain = rf"\b(?:{makers})\(\s*{name}\b|{tested}"
    return len(re.findall(rf"\b{name}\b", _QUOTED.sub('""', text))) == len(re.findall(plain, _QUOTED.sub('""', text)))


def _absent_letters(document: Document, names: LevelNames) -> Iterator[Diagnostic]:
    """Letters of `marks(...)` that no map of the file has; of a map that other files may fill nothing is known."""
    tables = [document.data, *(level.data for level in document.levels.values())]
    filled = {datum for name, entry in document.accepts.items() for datum in filled_data(name, entry).values()}
    for key in document.types:
        for sheet in names.types[key].sheets if key in names.types else ():
            if sheet.words in filled or Text(sheet.words) not in document.data:
                continue
            maps = [as_value(table[Text(sheet.words)], True) for table in tables if Text(sheet.words) in table]
            seen = {letter for rows in (*maps, names.data[sheet.words]) for row in rows for letter in row}
            for letter in dict.fromkeys(sheet.letters):
                if letter not in seen:
                    other = letter.swapcase()
                    message = f"no map {sheet.words!r} has the letter {letter!r}"
                    hint = f"it has {other!r}" if other in seen else ""
                    yield Diagnostic(message, key.location, hint, severity="warning", code="W508")


def _texts(value: Any) -> Iterator[str]:
    """Every text of nested mappings and lists, keys included."""
    if is_dataclass(value):
        yield from _texts(vars(value))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _words(value: Value) -> Iterator[str]:
    """The texts in a value, keys of tables included, and the letters of rows that are equally long, as in a map."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Record):
        yield from value
        for item in value.values():
            yield from _words(item)
    elif isinstance(value, tuple):
        if all(isinstance(row, str) for row in value) and len(set(map(len, value))) == 1:
            yield from "".join(value)
        for item in value:
            yield from _words(item)


def _rows(value: Value) -> Sequence[Value]:
    return value if isinstance(value, tuple) else ()
