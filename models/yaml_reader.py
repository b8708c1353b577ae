"""From a file's text to a tree of `Text`, list and dict, without any of YAML's guesses.

Only the parser's *events* are used: they carry exact marks, nothing is typed (`on`, `010`, `12:30` stay text), and
limits, aliases, tags and duplicate keys are caught while the events stream by, before anything is built from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import yaml

from models.errors import Diagnostic, Location, PuzzleError
from models.limits import DEFAULT_LIMITS, FileLimits
from models.text import Plain, Style, Text
from models.yaml_advice import SyntaxProblem, explain
from models.yaml_lint import (
    MAPS,
    TEXTS,
    block_form,
    comment_after,
    cut_blocks,
    cut_value,
    cuts_value,
    empty_rows,
    is_row,
    unbalanced,
)

_STYLES: dict[str | None, Style] = {None: "plain", "'": "quoted", '"': "quoted", "|": "block", ">": "block"}
_PRINTABLE = (range(0x20, 0x7F), range(0xA0, 0x2028), range(0x202A, 0xD800), range(0xE000, 0xFFFE),
              range(0x10000, 0x110000))  # fmt: skip
_MOST = 100  # problems after which reading stops
_RAISE = "a caller may raise FileLimits.{} for a file that it trusts"


def read_yaml(text: str, source: str, limits: FileLimits = DEFAULT_LIMITS) -> dict[Text, Plain]:
    """The root mapping of a file; `source` is the name that messages give it.

    Raises PuzzleError with everything that was found wrong, in the order of the file.
    """
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    _check_text(text, source, limits)
    reader = _Reader(source, text, text.split("\n"), limits)
    reader.problems += cut_blocks(reader.lines, source)
    root = reader.read()
    if reader.problems:
        raise PuzzleError(sorted(reader.problems, key=_place))
    return root


def _check_text(text: str, source: str, limits: FileLimits) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.size:
        message = f"the file has {size} bytes; the limit is {limits.size}"
        raise PuzzleError(Diagnostic(message, Location(source, 1, 1), _RAISE.format("size"), code="E014"))
    bad = min((text.index(letter) for letter in set(text) if not _is_printable(letter)), default=-1)
    if bad >= 0:
        line, column = text.count("\n", 0, bad) + 1, bad - text.rfind("\n", 0, bad)
        message = f"the character U+{ord(text[bad]):04X} is not allowed in a puzzle file"
        raise PuzzleError(Diagnostic(message, Location(source, line, column), code="E021"))


def _is_printable(letter: str) -> bool:
    return letter in "\t\n" or any(ord(letter) in each for each in _PRINTABLE)


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    place = diagnostic.location
    return (place.line, place.column) if place else (0, 0)


def _is_empty(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.style is None and not event.value


class _Stopped(Exception):
    """Reading on makes no sense; the problems so far are in the reader."""


@dataclass
class _Reader:
    source: str
    text: str
    lines: list[str]
    limits: FileLimits
    problems: list[Diagnostic] = field(default_factory=list)
    depth: int = 0
    nodes: int = 0

    def read(self) -> dict[Text, Plain]:
        """The root mapping, or an incomplete one and at least one problem."""
        self.events: Iterator[yaml.Event] = yaml.parse(self.text, Loader=yaml.SafeLoader)  # the pure-Python loader
        try:
            return self.document()
        except yaml.MarkedYAMLError as error:
            self.syntax_error(error)
        except _Stopped:
            pass
        return {}

    def document(self) -> dict[Text, Plain]:
        self.next()  # the stream's start
        if isinstance(self.next(), yaml.StreamEndEvent):
            self.stop("E012", "the file is empty", Location(self.source, 1, 1))
        event = self.next()
        if not isinstance(event, yaml.MappingStartEvent):
            found = (
                "empty" if _is_empty(event) else "a list" if isinstance(event, yaml.SequenceStartEvent) else "a text"
            )
            message = f"a puzzle file is a mapping of 'key: value' lines; this one is {found}"
            self.stop("E012", message, self.location(event.start_mark))
        root = self.mapping(event, "")
        self.next()  # the document's end
        event = self.next()
        if not isinstance(event, yaml.StreamEndEvent):
            self.report(
                "E011", "a second document begins here", self.location(event.start_mark, 3), "one file, one puzzle"
            )
        return root

    def next(self) -> yaml.Event:
        """The next event, counted and checked."""
        event = next(self.events)
        if isinstance(event, yaml.CollectionEndEvent):
            self.depth -= 1
        elif isinstance(event, yaml.NodeEvent):
            self.check(event)
        return event

    def check(self, event: yaml.NodeEvent) -> None:
        self.nodes += 1
        self.depth += isinstance(event, yaml.CollectionStartEvent)
        place = self.location(event.start_mark)
        if self.nodes > self.limits.nodes:
            message = f"the file has more than {self.limits.nodes} keys and values"
            self.stop("E016", message, place, _RAISE.format("nodes"))
        if self.depth > self.limits.depth:
            message = f"lists and mappings are nested more than {self.limits.depth} deep"
            self.stop("E015", message, place, _RAISE.format("depth"))
        self.check_properties(event, place)

    def check_properties(self, event: yaml.NodeEvent, place: Location) -> None:
        hint = "put an expression that begins like this into round brackets, a text into quotes"
        if isinstance(event, yaml.AliasEvent):
            self.stop("E007", f"YAML aliases are not allowed: *{event.anchor}", place, hint)
        if event.anchor is not None:
            self.report("E007", f"YAML anchors are not allowed: &{event.anchor}", place, hint)
        tag = getattr(event, "tag", None)
        if tag is not None:
            advice = "write 'not' instead of '!'; put a text that begins with '!' into quotes"
            self.report("E008", f"YAML tags are not allowed: {tag}", place, advice)

    def node(self, event: yaml.Event, area: str) -> Plain:
        """One value; `area` is the top-level key that it belongs to."""
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event, area)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(event, area)
        assert isinstance(event, yaml.ScalarEvent)
        return self.scalar(event, area)

    def mapping(self, start: yaml.MappingStartEvent, area: str) -> dict[Text, Plain]:
        result: dict[Text, Plain] = {}
        before = len(self.problems)
        cut: bool | None = False
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key = self.key(event, area, result)
            value_event = self.next()
            value = self.node(value_event, area or str(key))
            cut = cut or (start.flow_style and (_is_cut(key) or _is_cut(value)))
            if _is_empty(value_event):
                self.no_value(value_event, f"'{key}' has no value", key.location, area)
            result.setdefault(key, value)
        self.flow_damage(start, cut, area, before)
        return result

    def sequence(self, start: yaml.SequenceStartEvent, area: str) -> list[Plain]:
        result: list[Plain] = []
        before = len(self.problems)
        comments: list[Location] = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            result.append(self.node(event, area))
            if _is_empty(event):
                comments += self.no_item(event, area)
        if comments:
            self.problems.append(empty_rows(comments, "this row"))
        self.flow_damage(start, start.flow_style and any(_is_cut(item) for item in result), area, before)
        return result

    def key(self, event: yaml.Event, area: str, others: dict[Text, Plain]) -> Text:
        """A key that stands for the first time; in its place a made-up one where the file has none."""
        if not isinstance(event, yaml.ScalarEvent):
            self.report("E013", "a key must be a word, not a list or mapping", self.location(event.start_mark))
            self.node(event, area)
            return Text(f"<key {self.nodes}>", self.location(event.start_mark))
        key = self.scalar(event, area)
        if _is_empty(event):
            self.report("E013", "a key is missing in front of this colon", key.location)
        if key == "<<" and key.style == "plain":
            self.report("E009", "YAML merge keys are not allowed: <<", key.location, "write the entries out")
        elif key in others:
            first = next(other for other in others if other == key).location
            message = f"'{key}' stands here again; the first is at line {first.line}, column {first.column}"
            hint = "merge the lines, or rename the loop's name" if "[" in key else "remove or rename one of them"
            self.report("E006", message, key.location, hint)
        return key

    def scalar(self, event: yaml.ScalarEvent, area: str) -> Text:
        start, end = event.start_mark, event.end_mark
        assert start is not None and end is not None
        raw = self.text[start.index : end.index]
        length = max(len(raw.split("\n", 1)[0]), 1)
        text = Text(event.value, self.location(start, length), _STYLES[event.style], raw)
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            hint = "write a letter beyond U+FFFF by itself, or as \\U with eight figures"
            self.report("E021", "half of a surrogate pair is no character", text.location, hint)
        if event.style == ">":
            hint = "write '|' for a map; an expression or a text just goes on in indented lines"
            self.report("E017", "a '>' block joins its rows with blanks", text.location, hint)
        elif event.style is None and text:
            comment = self.comment(event)
            if comment and cuts_value(text, self.slice(comment), area):
                self.problems.append(cut_value(comment))
        return text

    def no_value(self, event: yaml.Event, message: str, place: Location, area: str) -> None:
        comment = self.comment(event)
        if comment and self.is_lost_row(comment, area):
            self.problems.append(empty_rows([comment], "this value"))
        else:
            hint = 'write {} for an empty mapping, [] for an empty list, "" for an empty text'
            self.report("E010", message, place, hint)

    def no_item(self, event: yaml.Event, area: str) -> list[Location]:
        """The comment that swallowed a row; an item that is simply empty is reported at once."""
        comment = self.comment(event)
        if comment and self.is_lost_row(comment, area):
            return [comment]
        after = self.location(event.start_mark)
        dash = replace(after, column=max(after.column - 1, 1))
        self.no_value(event, "this list item has no value", dash, area)
        return []

    def is_lost_row(self, comment: Location, area: str) -> bool:
        text = self.slice(comment)
        return is_row(text) or (area in MAPS and text[1:2] != " ")

    def flow_damage(self, start: yaml.CollectionStartEvent, cut: bool | None, area: str, before: int) -> None:
        """An expression that a comma has cut; what else was found among its pieces is its consequence."""
        if cut and area not in TEXTS:
            del self.problems[before:]
            place = self.location(start.start_mark)
            message = "a comma inside YAML's own brackets cuts this expression into pieces"
            self.report("E005", message, place, block_form(self.lines, place))

    def syntax_error(self, error: yaml.MarkedYAMLError) -> None:
        """The parser's last word; what was found before it in the same line is its consequence."""
        context = self.location(error.context_mark) if error.context_mark else None
        mark = error.problem_mark or error.context_mark
        place = self.location(mark) if mark else Location(self.source, 1, 1)
        found = explain(SyntaxProblem(error.problem or "", error.context or "", place, context, self.lines))
        self.problems[:] = [other for other in self.problems if _place(other)[0] != _place(found)[0]] + [found]

    def comment(self, event: yaml.Event) -> Location | None:
        end = self.location(event.end_mark)
        return comment_after(self.lines, end)

    def slice(self, place: Location) -> str:
        return self.lines[place.line - 1][place.column - 1 :].rstrip()

    def location(self, mark: Any, length: int = 1) -> Location:
        """`mark` is a yaml.Mark; the stubs also allow None, which the pure-Python loader never gives."""
        return Location(self.source, mark.line + 1, mark.column + 1, length)

    def report(self, code: str, message: str, place: Location, hint: str = "") -> None:
        self.problems.append(Diagnostic(message, place, hint, code=code))
        if len(self.problems) >= _MOST:
            raise _Stopped

    def stop(self, code: str, message: str, place: Location, hint: str = "") -> NoReturn:
        self.report(code, message, place, hint)
        raise _Stopped


def _is_cut(value: Plain) -> bool:
    """Whether a plain scalar lacks the partner of a bracket or quote."""
    return isinstance(value, Text) and value.style == "plain" and unbalanced(value)
