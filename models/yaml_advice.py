"""YAML's syntax errors in a puzzle author's words.

The parser says what it expected; authors need to hear what they did: a tab, an unquoted colon, an expression that
begins with a bracket. Each rule looks at the error and the raw lines and answers with a diagnostic or None; the
first answer of `RULES` wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from models.errors import Diagnostic, Location
from models.frozen import frozen
from models.yaml_lint import block_form, closing

_BRACKETS = "put an expression into round brackets, (...), and a text into quotes"
_FLOW_EXPRESSION = re.compile(r"[\w)\]]\[|\(|\s(?:if|for|and|or|in)\s|[=<>]")
_LONGEST = 4000  # characters of a line that are examined
_PARTNER = {"[": "]", "{": "}"}
_HASH_ENTRY = re.compile(r"[\[,]\s*#")


def explain(error: SyntaxProblem) -> Diagnostic:
    """What is wrong, in the words of the first rule that knows the error."""
    return next(answer for rule in RULES if (answer := rule(error)) is not None)


@frozen(eq=True)
class SyntaxProblem:
    """What the YAML parser reports: `since` is where the construct began that it could not finish."""

    problem: str
    context: str
    at: Location
    since: Location | None
    lines: list[str]

    def line(self, place: Location | None = None) -> str:
        """The raw line of a place, by default of the error itself."""
        number = (place or self.at).line
        return self.lines[number - 1] if number <= len(self.lines) else ""

    @property
    def in_flow(self) -> bool:
        return self.context.startswith("while parsing a flow")


def _tab(error: SyntaxProblem) -> Diagnostic | None:
    line = error.line()
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" not in indent and "'\\t'" not in error.problem:
        return None
    column = indent.index("\t") + 1 if "\t" in indent else error.at.column
    return Diagnostic("tabs are not allowed", replace(error.at, column=column), "indent with spaces", code="E002")


def _open_quote(error: SyntaxProblem) -> Diagnostic | None:
    if "quoted scalar" not in error.context or "unexpected end" not in error.problem:
        return None
    return Diagnostic("this quote is never closed", error.since, code="E001")


def _text_after_value(error: SyntaxProblem) -> Diagnostic | None:
    """`[a, b] == x`, `"G" in y`, `{at[c]} {d}`: for YAML the value ends with the matching sign."""
    if error.in_flow:
        return None
    places = (error.at, error.since) if error.since else (error.at,)
    for place in places:
        line = error.line(place)[:_LONGEST]
        values = islice(re.finditer(r":\s+", line), 20)
        starts = [len(line) - len(line.lstrip(" -")), *(value.end() for value in values)]
        for start in starts:
            rest = _rest_after(line, start)
            if rest is not None:
                sign = line[start]
                message = (
                    f"a value that begins with {sign} ends with {_PARTNER.get(sign, sign)}; this text is left over"
                )
                spot = replace(place, column=rest + 1, length=len(line.rstrip()) - rest)
                return Diagnostic(message, spot, _BRACKETS, code="E003")
    return None


def _rest_after(line: str, start: int) -> int | None:
    """Where text goes on behind the quote or bracket that begins at `start`."""
    if line[start : start + 1] not in ("'", '"', "[", "{"):
        return None
    end = closing(line, start)
    if end is None:
        return None
    rest = line[end + 1 :].lstrip()
    return len(line) - len(rest) if rest and rest[0] not in ",:#]})" else None


def _second_colon(error: SyntaxProblem) -> Diagnostic | None:
    if not error.problem.startswith("mapping values are not allowed"):
        return None
    if re.search(r":\s", error.line()[: error.at.column - 1]):
        message = "a colon followed by a blank begins a second value in this line"
        return Diagnostic(message, error.at, "put the whole value into YAML quotes", code="E004")
    message = "a key begins here, but the line above already has a value"
    return Diagnostic(message, error.at, "check the indentation; a text with a colon needs quotes", code="E001")


def _flow(error: SyntaxProblem) -> Diagnostic | None:
    if not error.in_flow or error.since is None:
        return None
    rest = error.line(error.since)[error.since.column - 1 :]
    if hash_entry := _HASH_ENTRY.search(rest):
        place = replace(error.since, column=error.since.column + hash_entry.end() - 1)
        message = "this entry begins with '#', so YAML reads the rest of the line as a comment"
        return Diagnostic(message, place, 'put every row of a map into quotes: "#..#"', code="E019")
    if _FLOW_EXPRESSION.search(rest):
        message = f"YAML's {rest[0]} cuts this expression into pieces"
        return Diagnostic(message, error.since, block_form(error.lines, error.since), code="E005")
    sign, what = ("]", "list") if rest[:1] == "[" else ("}", "mapping")
    place = error.at if error.at.line == error.since.line else error.since
    message = f"expected ',' or '{sign}': a comma is missing, or this {what} is not closed"
    return Diagnostic(message, place, code="E001")


def _reserved_sign(error: SyntaxProblem) -> Diagnostic | None:
    sign = re.match(r"found character (['\"])(.)\1 that cannot start any token", error.problem)
    if sign is None:
        return None
    return Diagnostic(f"a value cannot begin with {sign[2]}", error.at, _BRACKETS, code="E001")


def _anchor_sign(error: SyntaxProblem) -> Diagnostic | None:
    kind = re.match("while scanning an (alias|anchor)", error.context)
    if kind is None:
        return None
    sign = "*" if kind[1] == "alias" else "&"
    message = f"a value cannot begin with {sign}, which marks a YAML {kind[1]}"
    return Diagnostic(message, error.since or error.at, _BRACKETS, code="E007")


def _dash(error: SyntaxProblem) -> Diagnostic | None:
    if not error.problem.startswith("sequence entries are not allowed"):
        return None
    hint = "put an expression that begins with '- ' into round brackets; a list begins on the next line"
    return Diagnostic("'- ' begins a list item, which cannot stand here", error.at, hint, code="E001")


def _block_header(error: SyntaxProblem) -> Diagnostic | None:
    if not error.context.startswith("while scanning a block scalar"):
        return None
    message = "a value that begins with | or > begins a block of lines; no text may follow the sign"
    return Diagnostic(message, error.since or error.at, _BRACKETS, code="E001")


def _no_colon(error: SyntaxProblem) -> Diagnostic | None:
    left_over = error.problem.endswith("but found '<scalar>'")
    if "could not find expected ':'" not in error.problem and not left_over:
        return None
    place = error.at if left_over else error.since or error.at
    place = replace(place, length=len(error.line(place).rstrip()) - place.column + 1)
    above = next((line for line in reversed(error.lines[: place.line - 1]) if line.strip()), "")
    if re.search(r"(^|\s)#", above):
        hint = "no comment may stand between the lines of an expression"
    else:
        hint = "a value that goes on in the next line is indented deeper than its key"
    return Diagnostic("expected 'key: value' here", place, hint, code="E001")


def _indentation(error: SyntaxProblem) -> Diagnostic | None:
    sign = re.search(r"expected <block end>, but found '([\]})])'", error.problem)
    if sign:
        return Diagnostic(f"this '{sign[1]}' closes nothing", error.at, code="E001")
    if "expected <block end>" not in error.problem:
        return None
    message = "this line does not fit the indentation of the lines above"
    return Diagnostic(message, error.at, "keys of one mapping, and items of one list, begin in one column", code="E001")


def _no_value(error: SyntaxProblem) -> Diagnostic | None:
    sign = re.search(r"expected the node content, but found '(.+)'", error.problem)
    return Diagnostic(f"a value is missing in front of this '{sign[1]}'", error.at, code="E001") if sign else None


def _escape(error: SyntaxProblem) -> Diagnostic | None:
    if "escape" not in error.problem:
        return None
    return Diagnostic(
        'in "double quotes" a backslash begins a YAML escape, and this is none',
        error.at,
        "write the text in 'single quotes', or double the backslash",
        code="E001",
    )


def _anything(error: SyntaxProblem) -> Diagnostic:
    context = f" ({error.context})" if error.context else ""
    return Diagnostic(f"not valid YAML: {error.problem}{context}", error.at, code="E001")


RULES: tuple[Callable[[SyntaxProblem], Diagnostic | None], ...] = (
    _tab,
    _open_quote,
    _text_after_value,
    _second_colon,
    _flow,
    _reserved_sign,
    _anchor_sign,
    _dash,
    _block_header,
    _no_colon,
    _indentation,
    _no_value,
    _escape,
    _anything,
)
