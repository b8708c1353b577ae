"""Games to be played, and what is asked of them."""

from __future__ import annotations

from typing import Any

from models.interpreter import State
from puzzlewright.play.bench import Benches
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints

LINE = """# From 0 to 4.
#   3 is forbidden, 5 a dead end.
puzzle: line
types: {place: 0 .. 5}
state: {x: place = 0}
actions:
  right: {effect: {x: x + 1}}
  jump: {when: x % 2 == 0, effect: {x: x + 2}, label: "from {x}"}
  fall: {when: x == 1, effect: {x: 5}}
goal: x == 4
always: x != 3
invariants: {there: x >= 0}
levels:
  plain: {known: {optimal: 2}}
"""  # steps to the goal: 0: 2 (jump, jump), 1: 2 (right, jump), 2: 1, 5: never
RIDGE = """
puzzle: ridge
types: {place: 0 .. 7}
state: {x: place = 3}
actions:
  left: {when: 1 <= x and x <= 6, effect: {x: x - 1}}
  right: {when: x <= 5, effect: {x: x + 1}}
  fall: {when: x == 0, effect: {x: 7}}
goal: x == 6
heuristics: {rest: 6 - x if x <= 6 else 6}
view:
  board: p in place
  glyph: '"o" if p == x else "."'
  caption: at {x}
"""  # 7 lies below, and nothing leads up; from 3 layers of 1, 2, 2, 2 and 1 states: 3; 2, 4; 1, 5; 0, 6; 7
ODOMETER = """
puzzle: odometer
types: {wheel: 0 .. 99}
state: {a: wheel = 0, b: wheel = 0, c: wheel = 0}
actions:
  one: {effect: {a: a + 1}}
  two: {when: a == 99, effect: {a: 0, b: b + 1}}
  three: {when: a == 99 and b == 99, effect: {a: 0, b: 0, c: c + 1}}
goal: a == 99 and b == 99 and c == 99
"""
CARTS = """
puzzle: carts
types:
  cell: grid(2, 4)
  cart: [a, b]
state:
  at[c in cart]: cell = first(x for x in cell if x.row == 0 and x.col == index(c))
define:
  other(c): b if c == a else a
actions:
  roll:
    params: {c: cart, d: direction}
    when: inside(at[c] + d) and (at[other(c)] != at[c] + d or inside(at[c] + d + d))
    effect:
      at[c]: at[c] + d
      at[other(c)]: at[other(c)] + d if at[other(c)] == at[c] + d
    label: "{c} {d}"
goal: at[b].row == 1 and at[b].col == 3
view:
  board: x in cell
  glyph: first((c for c in cart if at[c] == x), ".")
"""  # a pushes b to the right, b goes there alone
HOSTILE = """
puzzle: "<script>alert(1)</script>"
about: "<img src=x onerror=alert(1)>"
types:
  cell: grid(1, 2)
state:
  x: cell = cell(0, 0)
actions:
  go:
    effect:
      x: cell(0, 1)
    label: "<b onclick='alert(1)'>{x}</b>&amp;"
goal: x == cell(0, 1)
view:
  board: c in cell
  glyph: '"<script>" if x == c else "]]><svg onload=alert(1)>"'
  caption: "</svg><script>alert({x})</script>"
"""


def game_of(text: str, level: str | None = None, metric: str | None = None) -> Game:
    return Game(GameSource(text, "test.yaml", level, metric=metric))


def at(game: Game, **values: Any) -> State:
    return game.state({**game.plain(game.start), **values})


def hints(game: Game) -> Hints:
    return Hints(game, Benches(game))


def of(told: dict[str, Any]) -> tuple[str, bool]:
    return told["answer"], told["proven"]
