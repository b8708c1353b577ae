"""Expressions as text: Python's grammar through a white list.

The text is parsed by the standard library's `ast` and nothing else: no evaluation, no execution. Nodes outside the
white list are refused here, so the checker meets only what the language has. Offsets become file positions.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from models.errors import Diagnostic, Location, PuzzleError
from models.frozen import frozen
from models.text import Text

LONGEST_EXPRESSION = 4_000
DEEPEST_EXPRESSION = 64
READ = 1 << 12  # expressions that are kept once they are read

_ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod),
    *(ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In),
    *(ast.NotIn, ast.IfExp, ast.Call, ast.keyword, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute),
    *(ast.Subscript, ast.Tuple, ast.List, ast.GeneratorExp, ast.comprehension),
)
_INSTEAD = {
    ast.Div: "write // for whole division",
    ast.Pow: "multiply",
    ast.BitAnd: "write `and`",
    ast.BitOr: "write `or`",
    ast.Invert: "write `not`",
    ast.Is: "write ==",
    ast.IsNot: "write !=",
    ast.ListComp: "write all(...), any(...), count(...), first(...) around `... for x in T` without square brackets",
    ast.Slice: "loop over range(a, b)",
}
_CALLED: dict[type[ast.AST], str] = {  # what people call the nodes that the language does not have
    **{ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"},
    **{ast.LShift: "<<", ast.RShift: ">>", ast.Invert: "~", ast.UAdd: "sign +", ast.Is: "`is`", ast.IsNot: "`is not`"},
    **{ast.NamedExpr: ":=", ast.JoinedStr: "f-text", ast.Lambda: "lambda", ast.Slice: "slice", ast.Starred: "*"},
    **{
        ast.ListComp: "list comprehension",
        ast.SetComp: "set",
        ast.DictComp: "mapping",
        ast.Set: "set",
        ast.Dict: "mapping",
    },
    **{ast.Await: "await", ast.Yield: "yield", ast.YieldFrom: "yield"},
}
_HINTS = (
    (re.compile(r"&&"), "write `and` instead of &&"),
    (re.compile(r"\|\|"), "write `or` instead of ||"),
    (re.compile(r"!(?!=)"), "write `not` instead of !"),
    (re.compile(r"\?"), "write `a if condition else b`"),
    (re.compile(r"(?<![=<>!])=(?!=)"), "write == to compare"),
)


@frozen(eq=True)
class Source:
    """A parsed expression and the text that it came from; `shift` takes the tree's columns to offsets."""

    tree: ast.expr
    text: Text
    shift: int = 0

    def at(self, node: ast.AST) -> Location:
        """Where the node stands in the file."""
        start = getattr(node, "col_offset", 0) + self.shift
        end = getattr(node, "end_col_offset", None)
        length = max(1, (end + self.shift if end is not None else start + 1) - start)
        return self.text.at(min(max(start, 0), max(len(self.text) - 1, 0)), length)

    def inner(self, node: ast.expr) -> Source:
        return Source(node, self.text, self.shift)

    def words(self) -> str:
        """The text of the tree, on one line."""
        segment = self.text[self.tree.col_offset + self.shift : (self.tree.end_col_offset or 0) + self.shift]
        return " ".join(segment.split())


@frozen(eq=True)
class LineSource:
    """An assignment line's right-hand side: VALUE for x in T ... if CONDITION."""

    value: Source
    loops: tuple[LoopSource, ...]
    condition: Source | None


LoopSource: TypeAlias = tuple[Text, Source, tuple[Source, ...]]  # a loop's name, domain, conditions
ParameterSource: TypeAlias = tuple[Text, Source | None]  # a parameter's name, its domain if it has one


def fail(message: str, location: Location | None, hint: str = "", code: str = "E201") -> PuzzleError:
    return PuzzleError(Diagnostic(message, location, hint, code=code))


def parse(text: Text, start: int = 0, end: int | None = None) -> Source:
    """The expression in text[start:end]; PuzzleError with the place where it goes wrong."""
    return _read(text, (text.location, text.style, text.raw), start, end)


@lru_cache(READ)
def _read(text: Text, written: object, start: int, end: int | None) -> Source:
    """Once for all levels of a file. Texts are equal wherever they stand: `written` tells them apart."""
    part = text[start:end]
    blanks = len(part) - len(part.lstrip())
    source = part.strip().replace("\n", " ")
    _check_size(source, text)
    return _parse(source, text, start + blanks)


def parse_hole(text: Text, start: int, end: int) -> Source:
    """The expression in a hole of a text, or VALUE for x in T ... as a generator."""
    part = text[start:end]
    if not top_level(part, r"\bfor\b"):
        return parse(text, start, end)
    blanks = len(part) - len(part.lstrip())
    source = f"({part.strip()})".replace("\n", " ")
    _check_size(source, text)
    return _parse(source, text, start + blanks - 1)


def _check_size(source: str, text: Text) -> None:
    if not source:
        raise fail("an expression is missing here", text.location, code="E201")
    if len(source) > LONGEST_EXPRESSION:
        raise fail(f"this expression is longer than {LONGEST_EXPRESSION:,} characters", text.location, code="E202")
    if max(depths(source), default=0) > DEEPEST_EXPRESSION:
        raise fail(f"brackets are nested more than {DEEPEST_EXPRESSION} deep", text.location, code="E202")


def _parse(source: str, text: Text, shift: int) -> Source:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Python merely warns of an unknown escape
            tree = ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise _syntax_error(error, source, text, shift) from None
    except (ValueError, RecursionError, MemoryError):
        raise fail("this expression cannot be read", text.location, code="E202") from None
    _to_characters(tree, source)
    result = Source(tree, text, shift)
    _check_nodes(result)
    return result


def _to_characters(tree: ast.expr, source: str) -> None:
    """Columns in characters instead of bytes."""
    if source.isascii():
        return
    raw = source.encode()
    for node in ast.walk(tree):
        if hasattr(node, "col_offset"):
            for name in ("col_offset", "end_col_offset"):
                setattr(node, name, len(raw[: getattr(node, name)].decode(errors="replace")))


def _syntax_error(error: SyntaxError, source: str, text: Text, shift: int) -> PuzzleError:
    offset = min(max((error.offset or 1) - 1, 0), len(source))
    hint = next((hint for pattern, hint in _HINTS if pattern.search(_without_texts(source))), "")
    reason = (error.msg or "invalid syntax").split(". Perhaps")[0].split(". Maybe")[0].split("; use")[0]
    place = min(offset + shift, max(len(text) - 1, 0))
    return fail(f"this is not an expression: {reason}", text.at(place), hint)


def _without_texts(source: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'", lambda match: "_" * len(match[0]), source)


def _check_nodes(source: Source) -> None:
    waiting: list[tuple[ast.AST, int, Location]] = [(source.tree, 1, source.at(source.tree))]
    while waiting:
        node, level, outer = waiting.pop()
        if level > DEEPEST_EXPRESSION:
            raise fail(f"this expression is more than {DEEPEST_EXPRESSION} deep", source.text.location, code="E202")
        place = (
            source.at(node) if hasattr(node, "col_offset") else outer
        )  # an operator stands where its expression does
        _check_node(node, source, place)
        waiting += [(child, level + 1, place) for child in reversed(list(ast.iter_child_nodes(node)))]


def _check_node(node: ast.AST, source: Source, place: Location) -> None:
    if not isinstance(node, _ALLOWED):
        hint = _INSTEAD.get(type(node), "")
        raise fail(f"the language has no {_CALLED.get(type(node), type(node).__name__)}", place, hint)
    match node:
        case ast.Constant(value=value) if isinstance(value, bool) or value is None:
            word = str(value).lower()
            raise fail(f"write {word} in small letters", place)
        case ast.Constant(value=value) if not isinstance(value, int | str):
            raise fail(f"{value!r} is no whole number and no text", place)
        case ast.Constant(value=int(value)) if not source.inner(node).words().isdecimal():
            raise fail("write whole numbers in decimal digits", place)
        case ast.Constant(value=int(value)) if value > 2**53:
            raise fail("this number is beyond 2^53", place)
        case ast.Constant(value=str()) if not _is_one_text(source.inner(node).words()):
            raise fail("two texts side by side, or a text with a prefix", place, "separate texts with a comma")
        case ast.comprehension(is_async=1):
            raise fail("the language has no async", place)
        case ast.Call(func=func) if not isinstance(func, ast.Name):
            raise fail("only a function's name can be called", place)
        case ast.Name(id=name) if name.startswith("__"):
            raise fail(f"{name!r} is no name of this language", place, code="E203")
        case ast.Attribute(attr=name) if name.startswith("_"):
            raise fail(f"{name!r} is no key of this language", place, code="E203")


def _is_one_text(words: str) -> bool:
    """Not "a" "b", which Python joins without a word, nor b"a" or a text in three quotes."""
    return re.fullmatch(r'"([^"\\]|\\.)*"|\'([^\'\\]|\\.)*\'', words) is not None


def depths(source: str) -> Iterator[int]:
    """The bracket depth at each character, texts skipped; negative where a bracket closes that never opened."""
    depth = 0
    for character in _without_texts(source):
        depth += (character in "([{") - (character in ")]}")
        yield depth


def top_level(text: str, pattern: str) -> list[int]:
    """Where `pattern` matches outside brackets and texts."""
    level = list(depths(text))
    return [m.start() for m in re.finditer(pattern, _without_texts(text)) if level[m.start()] == 0]


def parse_line(text: Text) -> LineSource:
    """VALUE, then `for x in T ...`, then `if CONDITION` without `else`."""
    if min(depths(text), default=0) < 0:
        raise fail("a bracket closes here that was never opened", text.location)
    loops = top_level(text, r"\bfor\b")
    if loops:
        return _parse_loops(text, loops[0])
    ifs, elses = top_level(text, r"\bif\b"), top_level(text, r"\belse\b")
    if len(ifs) > len(elses):
        return LineSource(parse(text, 0, ifs[-1]), (), parse(text, ifs[-1] + 2))
    return LineSource(parse(text), (), None)


def _parse_loops(text: Text, start: int) -> LineSource:
    _check_size(text[start:].strip(), text)
    rest = "(x " + text[start:].replace("\n", " ") + ")"
    parsed = _parse(rest, text, start - 3)
    if not isinstance(parsed.tree, ast.GeneratorExp):
        raise fail("this is not `VALUE for x in T ... if CONDITION`", text.at(start))
    loops = tuple(loop_of(parsed, generator) for generator in parsed.tree.generators)
    return LineSource(parse(text, 0, start), loops, None)


def loop_of(source: Source, generator: ast.comprehension) -> LoopSource:
    """Name, domain and conditions of one `for`."""
    return (
        name_of(source, generator.target, "a loop has one plain name"),
        source.inner(generator.iter),
        tuple(source.inner(c) for c in generator.ifs),
    )


def name_of(source: Source, node: ast.expr, message: str) -> Text:
    """The name that the node is, with its place; an error with the message where it is none."""
    if not isinstance(node, ast.Name):
        raise fail(message, source.at(node))
    return Text(node.id, source.at(node))


def parse_header(text: Text) -> tuple[str, tuple[ParameterSource, ...]]:
    """name, name(a, b in T) or name[i in T, j in U]: the name and its (parameter, domain) pairs."""
    head = re.match(r"[^\W\d]\w*", text)
    if head and keyword.iskeyword(head[0]):
        raise fail(f"{head[0]!r} is no name: it is a word of Python's", text.at(0, head.end()), code="E303")
    source = parse(text)
    match source.tree:
        case ast.Name(id=name):
            return name, ()
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return name, tuple(_parameter(source, argument) for argument in arguments)
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            items = index.elts if isinstance(index, ast.Tuple) else [index]
            return name, tuple(_parameter(source, item) for item in items)
    raise fail("expected a name, name(a, b) or name[i in T]", text.location)


def _parameter(source: Source, node: ast.expr) -> ParameterSource:
    wanted = "expected a name or `name in type`"
    match node:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[domain]):
            return name_of(source, left, wanted), source.inner(domain)
    return name_of(source, node, wanted), None
