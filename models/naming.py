"""One name has one meaning: what a file declares, checked before anything is looked up."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator

from models.checker import FUNCTIONS
from models.document import Document
from models.errors import Diagnostic
from models.text import Text
from models.values import DIRECTIONS8, GIVEN_TYPES

RESERVED = {*FUNCTIONS, *GIVEN_TYPES, *DIRECTIONS8, "true", "false"} - {"cell"}


def misnamed(document: Document) -> Iterator[Diagnostic]:
    """Names that are no names, or that mean two things."""
    first: dict[str, tuple[str, Text]] = {}
    for what, name in _declared(document):
        wrong = no_name(name)
        if wrong:
            yield Diagnostic(wrong, name.location, code="E303")
        elif name in first:
            other, place = first[name]
            line = f"line {place.location.line}, column {place.location.column}"
            message = f"{name!r} stands here as {what}, but {line} has it as {other} already"
            yield Diagnostic(message, name.location, "no name hides another", code="E303")
        first.setdefault(name, (what, name))


def no_name(word: str) -> str:
    """Why a word cannot be declared as a name; '' if it can."""
    if not word.isidentifier() or word.startswith("__"):
        return f"{word!r} is no name: letters, digits and _ only, a letter first"
    if keyword.iskeyword(word):
        return f"{word!r} is no name: it is a word of Python's"
    if word in DIRECTIONS8:
        return f"{word!r} is a direction already"
    return f"{word!r} already means something in the language" if word in RESERVED else ""


def _declared(document: Document) -> Iterator[tuple[str, Text]]:
    """(what it is, name with its place) of everything that has a name of its own in expressions."""
    yield from (("a datum", name) for name in document.data)
    yield from (("a drawn datum", name) for name in document.draw)
    yield from (("a type", name) for name in document.types)
    yield from (("a definition", head) for head in _heads(document.define))
    yield from (("a state variable", head) for head in _heads(document.state))


def _heads(keys: Iterable[Text]) -> Iterator[Text]:
    """The names in front of the arguments or indices; a key that cannot be read is reported by who needs it."""
    for key in keys:
        head = key.split("(")[0].split("[")[0].strip()
        yield Text(head, key.at(0, len(head)))
