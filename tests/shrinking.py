"""Smaller files that fail in the same way: delta debugging (Zeller and Hildebrandt 2002) on YAML and on expressions.

A file is a tree of YAML nodes. A step drops an entry, an item or a part of an expression, or makes a number smaller;
it is kept if the file still fails. Large steps come first; it ends where no step is left, or the time is over.
"""

from __future__ import annotations

import ast
import copy
import re
import time
from collections.abc import Callable, Iterator

import yaml

Fails = Callable[[str], bool]
WIDE = 10**9  # no line is folded


def shrunk(text: str, fails: Fails, seconds: float) -> str:
    """The smallest text found that still fails."""
    ends = time.monotonic() + seconds
    best, again = text, True
    while again and time.monotonic() < ends:
        again = False
        for smaller in steps(best):
            if time.monotonic() >= ends:
                break
            if fails(smaller):
                best, again = smaller, True
                break
    return best


def fewer(names: tuple[str, ...], fails: Callable[[tuple[str, ...]], bool], seconds: float) -> tuple[str, ...]:
    """As few of these as still fail, the last one among them: it alone, a pair, then what is left without others."""
    ends = time.monotonic() + seconds
    last = names[-1:]
    for short in (last, *((name, *last) for name in dict.fromkeys(names[:-1]))):
        if time.monotonic() < ends and fails(short):
            return short
    size = len(names) // 2
    while size and time.monotonic() < ends:
        for first in range(0, len(names) - 1, size):
            short = (*names[:first], *names[min(first + size, len(names) - 1) :])
            if len(short) < len(names) and fails(short):
                names = short
                break
        else:
            size //= 2
    return names


def steps(text: str) -> Iterator[str]:
    """Every text that is one step smaller, those that lose most first."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    found = [*_without(root), *_simpler(root)]
    texts = dict.fromkeys(yaml.serialize(each, width=WIDE, allow_unicode=True) for each in found)
    whole = yaml.serialize(root, width=WIDE, allow_unicode=True)
    yield from sorted((each for each in texts if len(each) < len(whole)), key=len)


def places(node: yaml.Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], yaml.Node]]:
    """Every node with the way to it; an entry of a mapping counts as its value."""
    yield path, node
    if isinstance(node, yaml.MappingNode | yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from places(item[1] if isinstance(item, tuple) else item, (*path, number))


def reword(node: yaml.Node, value: str) -> None:
    """Another text for a scalar, with the type that YAML sees in it, so that none is written."""
    node.value = value
    node.tag = yaml.SafeLoader("").resolve(yaml.ScalarNode, value, (node.style is None, node.style is not None))


def _at(root: yaml.Node, path: tuple[int, ...]) -> yaml.Node:
    for number in path:
        item = root.value[number]
        root = item[1] if isinstance(item, tuple) else item
    return root


def _without(root: yaml.Node) -> Iterator[yaml.Node]:
    """The tree without one entry or item."""
    for path, node in places(root):
        if isinstance(node, yaml.MappingNode | yaml.SequenceNode):
            for number in range(len(node.value)):
                made = copy.deepcopy(root)
                del _at(made, path).value[number]
                yield made


def _simpler(root: yaml.Node) -> Iterator[yaml.Node]:
    """The tree with one simpler scalar."""
    for path, node in places(root):
        if isinstance(node, yaml.ScalarNode):
            for value in dict.fromkeys((*_numbers(node.value), *_expressions(node.value))):
                made = copy.deepcopy(root)
                reword(_at(made, path), value)
                yield made


def _numbers(text: str) -> Iterator[str]:
    """With one number nearer to 0."""
    for match in re.finditer(r"(?<![\w.])\d+(?!\w)", text):
        number = int(match[0])
        for less in (0, 1, number // 2, number - 1):
            if 0 <= less < number:
                yield text[: match.start()] + str(less) + text[match.end() :]


def _expressions(text: str) -> Iterator[str]:
    """With one part in place of what it is a part of."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    for number, node in enumerate(nodes):
        for part in ast.walk(node):
            if isinstance(part, ast.expr) and part is not node and not isinstance(part, ast.Name):
                yield ast.unparse(_replaced(copy.deepcopy(tree), number, copy.deepcopy(part)))
    for number, node in enumerate(nodes):
        if isinstance(node, ast.BoolOp) and len(node.values) > 2:
            for gone in range(len(node.values)):
                kept = [value for place, value in enumerate(node.values) if place != gone]
                yield ast.unparse(_replaced(copy.deepcopy(tree), number, ast.BoolOp(node.op, kept)))


def _replaced(tree: ast.Expression, number: int, part: ast.expr) -> ast.Expression:
    """The tree with another part in place of its expression of that number."""
    old = [node for node in ast.walk(tree) if isinstance(node, ast.expr)][number]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return part if node is old else self.generic_visit(node)

    changed = Change().visit(tree)
    assert isinstance(changed, ast.Expression)
    return changed
