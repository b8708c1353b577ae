"""A small state space as a graph for other programs: GraphML (yEd, Gephi, networkx) or DOT (Graphviz)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from models.decoding import steps_of
from models.frozen import frozen
from models.referee import label
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw

if TYPE_CHECKING:
    from puzzlewright.analysis.exploration import Exploration

MOST_STATES = 20_000  # programs that draw graphs give up long before
SUFFIXES = (".graphml", ".dot")


@frozen(eq=True)
class Node:
    """A state; `distance` is the cost to the nearest goal, None for a dead end."""

    number: int
    text: str
    layer: int
    goal: bool
    distance: int | None
    dead: bool  # as the file says


@frozen(eq=True)
class Edge:
    source: int
    target: int
    text: str
    cost: int


def graph_text(found: Exploration, suffix: str) -> str:
    """The whole space in the format that the suffix names."""
    lines = _dot(found) if suffix == ".dot" else _graphml(found)
    return "\n".join(lines) + "\n"


def nodes(found: Exploration) -> Iterator[Node]:
    number = 0
    for layer, size in enumerate(found.survey.layers):
        for _ in range(size):
            goal = bool(found.space.goals[number])
            dead = bool(found.is_dead and found.is_dead(number))
            yield Node(number, _drawn(found, number), layer, goal, _distance(found, number), dead)
            number += 1


def _drawn(found: Exploration, number: int) -> str:
    now = scene(found.bench.puzzle, found.lifted(number))
    return "\n".join([*[now.caption] * bool(now.caption), *draw(now)])


def _distance(found: Exploration, number: int) -> int | None:
    price = found.priced(found.survey.goal_distance(number))
    return None if price is None else int(price["cost"])


def edges(found: Exploration) -> Iterator[Edge]:
    """Every transition with the words of its action, in the order of the search."""
    from search.machine import CompiledTask

    bench, space = found.bench, found.space
    compiled = CompiledTask(bench.task, bench.machine())
    numbers = {space.state(number): number for number in range(space.size)}
    for state, number in numbers.items():
        lifted = found.lifted(number)
        for operator, successor, price in compiled.successors(state):
            cost = 1 if found.in_steps else bench.scale.leading(price)
            for step in steps_of(bench.task, operator):
                yield Edge(number, numbers[successor], label(bench.puzzle, lifted, step), cost)


# -- GraphML -----------------------------------------------------------------------------------------------------------

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="layer" for="node" attr.name="layer" attr.type="int"/>
<key id="goal" for="node" attr.name="goal" attr.type="boolean"/>
<key id="distance" for="node" attr.name="distance" attr.type="long"/>
<key id="dead" for="node" attr.name="dead" attr.type="boolean"/>
<key id="action" for="edge" attr.name="label" attr.type="string"/>
<key id="cost" for="edge" attr.name="cost" attr.type="long"/>
<graph edgedefault="directed">"""


def _graphml(found: Exploration) -> Iterator[str]:
    yield _HEAD
    for node in nodes(found):
        data = {"label": node.text, "layer": node.layer, "goal": str(node.goal).lower(), "distance": node.distance}
        data |= {"dead": "true"} if node.dead else {}
        yield f'<node id="s{node.number}">{_data(data)}</node>'
    for edge in edges(found):
        data = {"action": edge.text, "cost": edge.cost}
        yield f'<edge source="s{edge.source}" target="s{edge.target}">{_data(data)}</edge>'
    yield "</graph>\n</graphml>"


def _data(values: dict[str, object]) -> str:
    return "".join(f'<data key="{key}">{_xml(str(value))}</data>' for key, value in values.items() if value is not None)


def _xml(text: str) -> str:
    """XML knows no control characters, not even escaped ones."""
    return escape(re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text))


# -- DOT ---------------------------------------------------------------------------------------------------------------


def _dot(found: Exploration) -> Iterator[str]:
    """Goals have a double line, dead ends a dashed one, the start is bold; where `dead` holds it is grey."""
    yield f"digraph {_quoted(found.bench.puzzle.name)} {{"
    yield 'node [shape=box, fontname="monospace"];'
    for node in nodes(found):
        styles = ["bold"] * (node.number == 0) + ["dashed"] * (node.distance is None and found.survey.complete)
        styles += ["filled"] * node.dead
        marks = f', style="{",".join(styles)}"' * bool(styles) + ", peripheries=2" * node.goal
        marks += ", fillcolor=lightgrey" * node.dead
        yield f"s{node.number} [label={_quoted(node.text)}{marks}];"
    for edge in edges(found):
        yield f"s{edge.source} -> s{edge.target} [label={_quoted(edge.text)}];"
    yield "}"


def _quoted(text: str) -> str:
    """A string of DOT; its backslashes are doubled, and a line that ends in \\l stands to the left."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + (plain.replace("\n", "\\l") + "\\l" if "\n" in plain else plain) + '"'
