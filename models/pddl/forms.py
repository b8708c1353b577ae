"""The brackets of PDDL: nested lists of words, each of which knows its place.

PDDL is read here and not by a library, since none of those looked at (pddl, unified-planning, tarski) says where in the
file something stands; pddl 0.5 also takes `()` for a condition that never holds, and lets unknown predicates pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from models.errors import Diagnostic, Location, PuzzleError
from models.frozen import frozen

TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")
WHOLE = re.compile(r"([+-]?\d{1,40})(\.0*)?", re.ASCII)
FILE = ";#file "  # begins a line after which the text is that of a file: a domain and its problem are read as one text
DEEPEST = 100  # lists inside of each other


@frozen(eq=True)
class Word:
    text: str
    place: Location


@frozen(eq=True)
class Form:
    """A list in brackets; its place is that of the opening one."""

    items: tuple[Word | Form, ...]
    place: Location

    @property
    def head(self) -> str:
        """Its first word; empty where it begins with none."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""

    @property
    def rest(self) -> tuple[Word | Form, ...]:
        return self.items[1:]


Node = Word | Form


def wrong(message: str, node: Node | Location, hint: str = "", code: str = "E601") -> PuzzleError:
    return PuzzleError(Diagnostic(message, node if isinstance(node, Location) else node.place, hint, code=code))


def unsupported(what: str, node: Node | Location) -> PuzzleError:
    return wrong(f"{what} is not supported", node, "docs/exchange.md lists what of PDDL is", "E602")


def is_pddl(text: str) -> bool:
    """Does the text begin as PDDL does? No puzzle in YAML does."""
    first = next((found[0] for found in TOKEN.finditer(text) if not found[0].startswith(";")), "")
    return first == "(" and re.match(r"\s*define\b", text[_first_bracket(text) + 1 :], re.IGNORECASE) is not None


def domain_name(text: str) -> str:
    """As far as it is plain to see."""
    found = re.search(r"\(\s*domain\s+([\w-]+)", text, re.IGNORECASE)
    return found[1].lower() if found else "pddl"


def _first_bracket(text: str) -> int:
    return next(found.start() for found in TOKEN.finditer(text) if found[0] == "(")


def whole(text: str) -> int | None:
    """The number, every digit of it; None where the word is no whole number."""
    found = WHOLE.fullmatch(text)
    return int(found[1]) if found else None


def joined(files: dict[str, str]) -> str:
    """Several files as one text, in which each place still knows its file."""
    return "".join(f"{FILE}{name}\n{text.rstrip()}\n" for name, text in files.items())


def forms(text: str, source: str) -> list[Form]:
    """The outermost lists."""
    found: list[Form] = []
    stack: list[tuple[list[Node], Location]] = []
    for word, place in _words(text, source):
        if word == "(":
            stack.append(([], place))
            if len(stack) > DEEPEST:
                raise wrong("the brackets are nested too deeply", place)
        elif not stack:
            raise wrong(f"{word!r} stands outside of all brackets", place)
        elif word == ")":
            items, opened = stack.pop()
            form = Form(tuple(items), opened)
            (stack[-1][0] if stack else found).append(form)
        else:
            stack[-1][0].append(Word(word, place))
    if stack:
        raise wrong("this bracket is not closed", stack[-1][1])
    return found


def _words(text: str, source: str) -> Iterator[tuple[str, Location]]:
    """Words in small letters, since PDDL does not tell letters apart, with their places."""
    number = 0
    for line in text.split("\n"):
        number += 1
        if line.startswith(FILE):
            source, number = line.removeprefix(FILE).strip(), 0
            continue
        for found in TOKEN.finditer(line):
            if not found[0].startswith(";"):
                yield found[0].lower(), Location(source, number, found.start() + 1, len(found[0]))
