"""Where in a file a claim stands, by the name that its verdict has: `heuristic far`, `known optimal on first`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from models.document import Document
from models.errors import Location
from models.text import Text

_NAMED = re.compile(r"(\w+)(?: (\w+))?")
_KNOWN = re.compile(r"known (\w+) on (.*)")


def place_of(document: Document, name: str) -> Location | None:
    """None where the file does not state it."""
    if known := _KNOWN.fullmatch(name):
        level = document.levels.get(Text(known[2]))
        return _key(level.known or {}, known[1]) if level else None
    found = _NAMED.match(name)
    places = PLACES.get(found[1]) if found else None
    return next(places(document, found[2] or ""), None) if found and places else None


def _key(table: Mapping[Text, object], name: str) -> Location | None:
    return next((key.location for key in table if re.match(r"\w*", key)[0] == name), None)  # type: ignore[index]


def _named(tables: Callable[[Document], Sequence[Mapping[Text, object]]]
           ) -> Callable[[Document, str], Iterator[Location]]:  # fmt: skip
    """The key of that name in the first of these tables that has it."""

    def places(document: Document, name: str) -> Iterator[Location]:
        for table in tables(document):
            if (place := _key(table, name)) is not None:
                yield place

    return places


def _dead(document: Document, name: str) -> Iterator[Location]:
    yield from (condition.location for condition in document.dead)


def _interchangeable(document: Document, name: str) -> Iterator[Location]:
    for each in document.symmetry.interchangeable:
        words = [each] if isinstance(each, Text) else list(each)
        yield from (word.location for word in words if name in re.findall(r"\w+", word))


PLACES: Mapping[str, Callable[[Document, str], Iterator[Location]]] = {
    "heuristic": _named(lambda document: (document.claims, document.heuristics)),
    "invariant": _named(lambda document: (document.invariants,)),
    "dead": _dead,
    "symmetry": _interchangeable,
}
