"""Changes of a program on its syntax tree: what code of which function is replaced by what, wherever it stands.

A *place* is the dotted name of a function, class or constant, of which as much of the end is given as no other has:
`judge`, `Machine.successors`, or `registry.judge` where there are several. What is replaced there is an expression, or
some statements in a row. They are found by their syntax trees: lines, brackets, comments and blanks do not matter. A
statement with the body `...` stands for its first line only; what hangs on it stays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("models", "search", "encoders", "puzzlewright")
HANGS_ON = ("body", "orelse")  # a statement
Nodes = Sequence[ast.AST]


class Spot(NamedTuple):
    """Nodes and where they stand: the value of a field, or a part of it where that is a list."""

    nodes: Nodes
    parent: ast.AST
    field: str
    part: slice | None

    def put(self, nodes: Nodes) -> None:
        if self.part is None:
            setattr(self.parent, self.field, *nodes)
        else:
            getattr(self.parent, self.field)[self.part] = nodes


def changed(place: str, old: str, new: str, root: Path, whole: bool = True) -> ast.Module:
    """The module of the place with the change; the old code must stand there just once. Not `whole`: of the module
    only the function, class or constant that has the place in it."""
    name, path = whereabouts(place, root)
    text = path.read_text(encoding="utf-8") if whole else tops(path)[name.partition(".")[0]]
    module = ast.parse(text)
    before, after = code(old, new)
    found = [spot for own, node in named(module.body) if own == name for spot in spots(before, node)]
    assert len(found) == 1, f"{place} has {len(found)} times: {old}"
    (spot,) = found
    rest = iter([there for one, there in zip(before, spot.nodes, strict=True) if is_first_line(one)])
    spot.put([with_rest(each, next(rest)) if is_first_line(each) else each for each in after])
    return module


# -- places ------------------------------------------------------------------------------------------------------------


def whereabouts(place: str, root: Path) -> tuple[str, Path]:
    """The name in its file, and the file."""
    last = place.rpartition(".")[2]
    found = [(own, path) for full, own, path in index(root).get(last, []) if f".{full}".endswith(f".{place}")]
    assert len(found) == 1, f"{place} stands in {len(found)} places: {', '.join(str(path) for _, path in found)}"
    return found[0]


@cache
def index(root: Path) -> dict[str, list[tuple[str, str, Path]]]:
    """Last part of a name -> (dotted name, name in its file, file)."""
    made: dict[str, list[tuple[str, str, Path]]] = {}
    for path in (path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for own, _ in named(ast.parse(path.read_text(encoding="utf-8")).body):
            made.setdefault(own.rpartition(".")[2], []).append((f"{module}.{own}", own, path))
    return made


def named(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name):
                yield name, node
            case ast.ClassDef(name=name, body=inner):
                yield name, node
                yield from ((f"{name}.{own}", each) for own, each in named(inner))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node


@cache
def tops(path: Path) -> dict[str, str]:
    """The text of all statements of a module that make a name."""
    text = path.read_text(encoding="utf-8")
    lines, made = text.splitlines(keepends=True), dict[str, str]()
    for node in ast.parse(text).body:
        for name in {own.partition(".")[0] for own, _ in named([node])}:
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            made[name] = made.get(name, "") + "".join(lines[first - 1 : node.end_lineno])
    return made


# -- code --------------------------------------------------------------------------------------------------------------


def code(old: str, new: str) -> tuple[Nodes, Nodes]:
    """Two expressions, or else statements, and nothing for what goes without replacement."""
    before, after = ast.parse(old).body, ast.parse(new).body
    match before, after:
        case [ast.Expr(value=first)], [ast.Expr(value=second)]:
            return [first], [second]
    return before, after


def spots(wanted: Nodes, within: ast.AST) -> Iterator[Spot]:
    for parent in ast.walk(within):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                parts = [slice(at, at + len(wanted)) for at in range(len(value) - len(wanted) + 1)]
                yield from (Spot(value[part], parent, field, part) for part in parts if alike(wanted, value[part]))
            elif alike(wanted, [value]):
                yield Spot([value], parent, field, None)


def alike(wanted: Nodes, there: Nodes) -> bool:
    return all(map(stands_for, wanted, there))


def stands_for(wanted: ast.AST, there: object) -> bool:
    if type(there) is not type(wanted) or not isinstance(there, ast.AST):
        return False
    return ast.dump(wanted) == ast.dump(with_rest(there, wanted) if is_first_line(wanted) else there)


def is_first_line(node: ast.AST) -> bool:
    match getattr(node, "body", None):
        case [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


def with_rest(first: ast.AST, other: ast.AST) -> ast.AST:
    """The first line of a statement, with what hangs on another."""
    rest = {field: getattr(other, field) for field in HANGS_ON if field in first._fields}
    return ast.copy_location(type(first)(**{**dict(ast.iter_fields(first)), **rest}), first)
