"""Wrong files: each gives clear, located errors, quickly, and never a traceback."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from models.data import parse_setting
from models.errors import CODES, Diagnostic, PuzzleError, render
from models.grounding import ground
from models.loader import load_text
from models.names import SOME_DIRECTIONS
from models.puzzle import LOOKS
from puzzlewright.cli import app

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((Path(__file__).parent / "data" / "format_1").glob("*.yaml"))
GOAL = "goal: all(home(p) for p in place) and lamp"
BASE = f"""format: 1
puzzle: tiny
data:
  size: 3
  board: ["..#", "..."]
  row: [1, 2, 0]
types:
  place: 0 .. size - 1
  cell: cells(board, omit="#")
  colour: [red, green]
state:
  at[p in place]: place = row[p]
  here: cell = [0, 0]
  lamp: bool = false
  mood: colour or none = none
define:
  home(p): at[p] == p
  twice(n): n + n
actions:
  swap:
    params: {{p: place, q: place}}
    when: p < q
    effect:
      at[p]: at[q]
      at[q]: at[p]
  walk:
    params: {{d: direction}}
    effect:
      here: here + d
      lamp: true
      mood: red
{GOAL}
heuristics:
  wrong: count(p for p in place if at[p] != p)
"""


def edited(edits: Mapping[str, str]) -> str:
    """The puzzle above, which is right, with a few places changed."""
    text = BASE
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new, 1)
    return text


def chain(first: str, step: str, count: int) -> str:
    """`a0: first`, then `a1`, ... each written with the one before it as X."""
    later = (f"  a{i}: {step.replace('X', f'a{i - 1}')}\n" for i in range(1, count + 1))
    return f"define:\n  a0: {first}\n" + "".join(later)


def problems(text: str, level: str | None = None, settings: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
    """What is wrong with a text; it must be found quickly and be printable."""
    began = time.process_time()
    with pytest.raises(PuzzleError) as caught:
        ground(load_text(text, "f.yaml", level, dict(map(parse_setting, settings))))
    assert time.process_time() - began < 10
    for diagnostic in caught.value.diagnostics:
        assert "Traceback" not in render(diagnostic, text)
    return caught.value.diagnostics


def found(text: str) -> list[tuple[str, str]]:
    """(`line:column CODE message`, hint) of every problem."""
    return [(f"{place(d)} {d.code} {d.message}", d.hint) for d in problems(text)]


def place(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.location.line}:{diagnostic.location.column}" if diagnostic.location else "-"


# -- one mistake each --------------------------------------------------------------------------------------------------

# A goal, the column and words of the only error, its hint.
GOALS = [
    ("__import__('os')", "7 E203 '__import__' is no name of this language", ""),
    ("lamp.__class__", "7 E203 '__class__' is no key of this language", ""),
    ("(1).__class__ == 1", "7 E203 '__class__' is no key of this language", ""),
    ("row.append", "7 E302 a list has no .append", ""),
    ("f'{1}'", "7 E201 the language has no f-text", ""),
    ("(x := 1) == 1", "8 E201 the language has no :=", ""),
    ("row[0:1]", "11 E201 the language has no slice", "loop over range(a, b)"),
    ("at[0] = 0", "13 E201 this is not an expression: invalid syntax", "write == to compare"),
    ("lamp && lamp", "13 E201 this is not an expression: invalid syntax", "write `and` instead of &&"),
    ("(!lamp)", "8 E201 this is not an expression: invalid syntax", "write `not` instead of !"),
    ("lamp == True", "15 E201 write true in small letters", ""),
    ("mood == None", "15 E201 write none in small letters", ""),
    ("lamp || lamp", "13 E201 this is not an expression: invalid syntax", "write `or` instead of ||"),
    ("1 / 2 == 0", "7 E201 the language has no /", "write // for whole division"),
    ("2 ** 3 == 8", "7 E201 the language has no **", "multiply"),
    (
        "([x for x in place])",
        "8 E201 the language has no list comprehension",
        "write all(...), any(...), count(...), first(...) around `... for x in T` without square brackets",
    ),
    ("({1} == 1)", "8 E201 the language has no set", ""),
    ("1.5 == 1", "7 E201 1.5 is no whole number and no text", ""),
    ("1 == 10 ** 9", "12 E201 the language has no **", "multiply"),
    ("at[0] == 99999999999999999999", "16 E201 this number is beyond 2^53", ""),
    ("lamp is true", "7 E201 the language has no `is`", "write =="),
    ("~lamp", "7 E201 the language has no ~", "write `not`"),
    ("at[0] & 1 == 1", "7 E201 the language has no &", "write `and`"),
    ("('a' 'b' == 'c')", "8 E201 two texts side by side, or a text with a prefix", "separate texts with a comma"),
    ("b'x' == 'x'", "7 E201 b'x' is no whole number and no text", ""),
    ("...", "7 E201 Ellipsis is no whole number and no text", ""),
    ("await x", "7 E201 the language has no await", ""),
    ("yield", "7 E201 this is not an expression: invalid syntax", ""),
    ("(*row == 1)", "8 E201 this is not an expression: cannot use starred expression here", ""),
    ("all(*row)", "11 E201 the language has no *", ""),
    ("sum(at)", "7 E305 sum takes `... for x in T`", "for example sum(c for c in cell if ...)"),
    ("sum(x for x, y in place)", "17 E201 a loop has one plain name", ""),
    ("all(home(p) async for p in place)", "10 E201 the language has no async", ""),
    ("abs(at[0], 1) == 0", "7 E305 abs takes 1 argument, found 2", ""),
    ("distance(here) == 0", "7 E305 distance takes 2 arguments, found 1", ""),
    ("home(1, 2)", "7 E305 `home` takes 1 argument, found 2", "write home(p)"),
    ("home == 1", "7 E305 `home` takes 1 argument, found 0", "write home(p)"),
    ("at == 0", "7 E306 `at` has 1 index, found 0", "write at[place]"),
    ("here[0] == 0", "7 E306 `here` has no indices, found 1", "write here"),
    ("at[0, 1] == 0", "7 E306 `at` has 1 index, found 2", "write at[place]"),
    ("place == 1", "7 E306 `place` is a type, not a value", "loop over it: ... for x in place"),
    ("cell(1) == here", "7 E305 cell takes a row and a column", ""),
    ("all(at[p] == 0 for at in place)", "26 E303 the name 'at' already means something else", "no name hides another"),
    (
        "all(at[p] == 0 for row in place)",
        "26 E303 the name 'row' already means something else",
        "no name hides another",
    ),
    ("all(p == 0 for up in place)", "22 E303 'up' is a direction already", "no name hides another"),
    (
        "all(p == 0 for p in range(at[0]))",
        "27 E304 a loop is fixed: it cannot depend on the state",
        "loop over more and put what reads the state into `if`",
    ),
    ("at[0] // 0 == 1", "16 E310 a divisor is positive; this one is 0", ""),
    ("at[0] // at[1] == 0", "16 E310 a divisor is fixed: it cannot depend on the state", ""),
    ("at[0] % -1 == 0", "15 E310 a divisor is positive; this one is -1", ""),
    ("mood == blue", "15 E313 unknown name 'blue'", 'text that only data contain is quoted: "blue"'),
    ("lamp == 1", "7 E302 a condition is compared with an integer", "different kinds never compare"),
    ("1 == 1 != 2", "7 E311 only == < <= > >= chain", "join comparisons with `and`"),
    ("here.x == 1", "7 E302 a value of `cell` has no .x", ""),
    ("up == red", "7 E302 an offset is compared with text", "different kinds never compare"),
    ("up", "7 E302 expected a condition, found an offset", ""),
    ("1 + red == 2", "7 E302 + does not go with an integer and text", ""),
    ("here + here == here", "14 E302 what is added to a cell: expected an offset, found a value of `cell`", ""),
    ("-red == red", "8 E302 -: expected an offset, found text", ""),
    ("not at[0]", "11 E302 expected a condition, found a value of `place`", "compare it, for example with > 0"),
    ("here * 2 == here", "7 E302 * does not go with a value of `cell` and an integer", ""),
    (
        "lamp if at[0] else lamp",
        "15 E302 expected a condition, found a value of `place`",
        "compare it, for example with > 0",
    ),
    ("at[0] if lamp == 1", "7 E201 this is not an expression: expected 'else' after 'if' expression", ""),
    ("()", "7 E301 this cannot stand here", "write a list as [a, b], a cell as TYPE(row, col)"),
    ("(", "7 E201 this is not an expression: '(' was never closed", ""),
    (")", "7 E201 this is not an expression: unmatched ')'", ""),
    ("at[0", "9 E201 this is not an expression: '[' was never closed", ""),
    ("at[0]] == 1", "12 E201 this is not an expression: unmatched ']'", ""),
    ("and", "7 E201 this is not an expression: invalid syntax", ""),
    ("lamp lamp", "12 E201 this is not an expression: invalid syntax", ""),
    ("lamp == 0x10", "15 E201 write whole numbers in decimal digits", ""),
    ("1_000 == at[0]", "7 E201 write whole numbers in decimal digits", ""),
    (
        "010 == at[0]",
        "7 E201 this is not an expression: leading zeros in decimal integer literals are not permitted",
        "",
    ),
    ("print(1)", "7 E313 unknown function 'print'", ""),
    ("at[0].real == 1", "7 E302 a value of `place` has no .real", ""),
    ("inside(lamp, 1)", "7 E305 inside takes 1 argument, found 2", ""),
    ("range(1) == 1", "7 E304 range(...) is something to loop over or look into, not a value", ""),
    ("x in [1, 2]", "7 E313 unknown name 'x'", 'text that only data contain is quoted: "x"'),
    (
        "at[0] in 3",
        "16 E304 an integer is nothing to loop over or to look into",
        "a type, range(n), [a, b], a data list, a text or a ray",
    ),
    ("lamp in [true, 1]", "7 E302 a condition is compared with an integer", "different kinds never compare"),
    ("index(3) == 1", "13 E302 index takes a value of a type", ""),
    ("min() == 1", "7 E305 min takes `... for x in T`", "for example min(c for c in cell if ...)"),
    ("max(red, 1) == 1", "7 E302 max cannot order text, an integer", ""),
    ("count(place) == 1", "7 E305 count takes `... for x in T`", "for example count(c for c in cell if ...)"),
    ("ray(here, up)", "7 E304 ray(...) is something to loop over or look into, not a value", ""),
    ("all(x == here for x in ray(1, up))", "34 E302 a ray starts at a cell", ""),
    ("steps(here, 1) == 1", "19 E312 1 is no value of `cell`", "allowed here: [0, 0], [0, 1], [1, 0], [1, 1], [1, 2]"),
    ("colour == red", "7 E306 `colour` is a type, not a value", "loop over it: ... for x in colour"),
    ("lamp(1)", "7 E313 `lamp` is no function", "indices stand in square brackets: lamp[...]"),
    ("at(0) == 1", "7 E313 `at` is no function", "indices stand in square brackets: at[...]"),
    ("row(0) == 1", "7 E313 `row` is no function", "indices stand in square brackets: row[...]"),
    ("home[0]", "7 E305 `home` takes 1 argument, found 0", "write home(p)"),
    (
        "twice(lamp) == 1",
        "13 E302 + does not go with a condition and a condition",
        "`twice` is used at line 32, column 7",
    ),
    ("twice(red) == 1", "13 E302 + does not go with text and text", "`twice` is used at line 32, column 7"),
]

EDITS: dict[str, tuple[dict[str, str], list[tuple[str, str]]]] = {
    "bad-start-type": (
        {"row: [1, 2, 0]": "row: [1, 2, 9]"},
        [("12:3 E413 the start value of at[2] is 9, which is no value of `place`", "")],
    ),
    "always-broken": ({"goal:": "always: lamp\ngoal:"}, [("32:9 E412 the start breaks `always`: lamp", "")]),
    "require-broken": (
        {"goal:": "require:\n  - size == 4\n  - at[0] == 0\ngoal:"},
        [("33:5 E412 the data break `require`: size == 4 (3 against 4)", "")],
    ),
    "unknown-type": ({"here: cell": "here: cel"}, [("13:9 E405 unknown type 'cel'", "did you mean 'cell'?")]),
    "unknown-index-type": (
        {"at[p in place]": "at[p in plcae]"},
        [("12:11 E405 unknown type 'plcae'", "did you mean 'place'?")],
    ),
    "self-type": ({"place: 0 .. size - 1": "place: place"}, [("8:3 E405 the type `place` is defined by itself", "")]),
    "mutual-types": (
        {"place: 0 .. size - 1": "place: other\n  other: place"},
        [
            ("8:3 E405 the type `place` is defined by itself", ""),
            ("9:3 E405 the type `other` is defined by itself", ""),
        ],
    ),
    "self-def": (
        {"home(p): at[p] == p": "home(p): home(p) and at[p] == p"},
        [("17:12 E309 `home` uses itself", "only a Boolean definition with typed parameters may: home(x in T): ...")],
    ),
    "not-monotone": (
        {"home(p): at[p] == p": "home(p in place): not home(p)"},
        [
            (
                "17:25 E309 `home` uses itself under something else than and, or, all, any",
                "under `not` and elsewhere, use definitions that do not use `home` in turn",
            )
        ],
    ),
    "recursion-by-the-back-door": (  # far, not near, is what stands wrong, and within far
        {
            "home(p): at[p] == p": "home(p in place): near(p) or far(p)\n  near(p in place): mid(p) or home(p)\n"
            "  mid(p in place): near(p) or at[p] == p\n  far(p in place): at[p] > 0 and not mid(p)"
        },
        [
            (
                "20:38 E309 `far` uses `mid`, which uses it, under something else than and, or, all, any",
                "under `not` and elsewhere, use definitions that do not use `far` in turn",
            )
        ],
    ),
    "recursion-by-number": (
        {"home(p): at[p] == p": "home(p in place): (1 if p == 0 else home(0))", GOAL: "goal: home(0)"},
        [("17:39 E309 `home` uses itself", "only a Boolean definition with typed parameters may: home(x in T): ...")],
    ),
    "recursion-without-a-type": (
        {"home(p): at[p] == p": "home(p): at[p] == p or away(p)\n  away(p in place): home(p)"},
        [("17:26 E309 `home` uses itself", "only a Boolean definition with typed parameters may: home(x in T): ...")],
    ),
    "mutual-nonbool-used": (
        {"home(p): at[p] == p": "home(p): at[p] == p\n  aa: bb + 1\n  bb: aa + 1", GOAL: "goal: aa == 1"},
        [("18:7 E309 `aa` uses itself", "only a Boolean definition with typed parameters may: aa(x in T): ...")],
    ),
    "recursive-non-bool": (
        {"home(p): at[p] == p": "home(p in place): home(p) + 1", GOAL: "goal: home(0) == 1"},
        [("17:21 E302 + does not go with a condition and an integer", "`home` is used at line 32, column 7")],
    ),
    "hide-param": (
        {"{p: place, q: place}": "{at: place, q: place}"},
        [("21:14 E303 the name 'at' already means something else", "no name hides another")],
    ),
    "hide-let": (
        {"    when: p < q": "    let: {lamp: p}\n    when: p < q"},
        [("22:11 E303 the name 'lamp' already means something else", "no name hides another")],
    ),
    "hide-let2": (
        {"    when: p < q": "    let: {p: q}\n    when: p < q"},
        [("22:11 E303 the name 'p' already means something else", "no name hides another")],
    ),
    "hide-data/type": (
        {"colour: [red, green]": "size: [red, green]"},
        [
            (
                "10:3 E303 'size' stands here as a type, but line 4, column 3 has it as a datum already",
                "no name hides another",
            )
        ],
    ),
    "hide-state/data": (
        {"lamp: bool": "row: bool"},
        [
            (
                "14:3 E303 'row' stands here as a state variable, but line 6, column 3 has it as a datum already",
                "no name hides another",
            )
        ],
    ),
    "hide-def": (
        {"twice(n)": "lamp(n)"},
        [
            (
                "14:3 E303 'lamp' stands here as a state variable, but line "
                "18, column 3 has it as a definition already",
                "no name hides another",
            )
        ],
    ),
    "hide-def2": (
        {"twice(n)": "size(n)"},
        [
            (
                "18:3 E303 'size' stands here as a definition, but line 4, column 3 has it as a datum already",
                "no name hides another",
            )
        ],
    ),
    "hide-def-param": (
        {"twice(n): n + n": "twice(size): size + size"},
        [("18:9 E303 the name 'size' already means something else", "no name hides another")],
    ),
    "hide-def-param-state": (
        {"twice(n): n + n": "twice(lamp): lamp"},
        [("18:9 E303 the name 'lamp' already means something else", "no name hides another")],
    ),
    "hide-symbol": (
        {"[red, green]": "[red, lamp]"},
        [("10:17 E303 the name 'lamp' already means something else", "no name hides another")],
    ),
    "hide-symbol2": (
        {"[red, green]": "[red, size]"},
        [("10:17 E303 the name 'size' already means something else", "no name hides another")],
    ),
    "hide-symbol-fn": (
        {"[red, green]": "[red, count]"},
        [("10:17 E406 'count' already means something in the language", "")],
    ),
    "hide-symbol-dir": (
        {"[red, green]": "[red, up]"},
        [("10:17 E303 'up' is a direction already", SOME_DIRECTIONS)],
    ),
    "hide-keyword": ({"lamp: bool": "if: bool"}, [("14:3 E303 'if' is no name: it is a word of Python's", "")]),
    "state-fn": ({"lamp: bool": "sum: bool"}, [("14:3 E303 'sum' already means something in the language", "")]),
    "data-keyword": (
        {"size: 3": "true: 3\n  size: 3"},
        [("4:3 E303 'true' already means something in the language", "")],
    ),
    "data-fn": ({"size: 3": "sum: 3\n  size: 3"}, [("4:3 E303 'sum' already means something in the language", "")]),
    "data-nonid": (
        {"size: 3": "my size: 3\n  size: 3"},
        [("4:3 E303 'my size' is no name: letters, digits and _ only, a letter first", "")],
    ),
    "type-nonid": (
        {"colour: [": "my colour: ["},
        [("10:3 E303 'my colour' is no name: letters, digits and _ only, a letter first", "")],
    ),
    "type-bool": ({"colour: [": "bool: ["}, [("10:3 E303 'bool' already means something in the language", "")]),
    "type-dir": ({"colour: [": "up: ["}, [("10:3 E303 'up' is a direction already", "")]),
    "symbol-kw": ({"[red, green]": "[red, true]"}, [("10:17 E406 'true' already means something in the language", "")]),
    "symbol-num": (
        {"[red, green]": "[red, 1]"},
        [("10:17 E406 '1' is no name: letters, digits and _ only, a letter first", "")],
    ),
    "symbol-nums": (
        {"[red, green]": "[1, 3]"},
        [
            (
                "10:12 E406 '1' is no name: letters, digits and _ only, a letter first",
                "just these integers are values([1, 3]), all from 1 to 3 are 1 .. 3",
            )
        ],
    ),
    "symbol-range": (
        {"[red, green]": "[0, -1, 1]"},
        [
            (
                "10:12 E406 '0' is no name: letters, digits and _ only, a letter first",
                "the integers from -1 to 1 are -1 .. 1",
            )
        ],
    ),
    "symbol-texts": (
        {"[red, green]": '["1", "3"]'},
        [("10:12 E406 '1' is no name: letters, digits and _ only, a letter first", "")],
    ),
    "symbol-dup": ({"[red, green]": "[red, red]"}, [("10:12 E303 a symbol stands here twice", "")]),
    "assign-datum": (
        {"lamp: true": "size: 2"},
        [("30:7 E308 `size` is no state variable", "only state variables change")],
    ),
    "assign-unknown": (
        {"lamp: true": "lmap: true"},
        [("30:7 E308 `lmap` is no state variable", "did you mean 'lamp'?")],
    ),
    "assign-param": ({"lamp: true": "d: up"}, [("30:7 E308 `d` is no state variable", "only state variables change")]),
    "assign-expr": ({"lamp: true": "at[0] + 1: 2"}, [("30:7 E308 an assignment's target is a state variable", "")]),
    "assign-call": ({"lamp: true": "home(1): 2"}, [("30:7 E308 an assignment's target is a state variable", "")]),
    "assign-kind": (
        {"lamp: true": "lamp: 3"},
        [("30:13 E302 the value of `lamp`: expected a condition, found an integer", "")],
    ),
    "assign-range": ({"lamp: true": "at[0]: 7"}, [("30:14 E312 7 is no value of `place`", "place runs from 0 to 2")]),
    "assign-conflict": (
        {"      at[p]: at[q]": "      at[p]: 0\n      at[p + 0]: 1"},
        [("25:7 E417 at[0] is always assigned two different values at once", "the other one: at[p]: 0")],
    ),
    "assign-clash": (
        {"lamp: true": "lamp: true\n      at[0]: 1\n      at[0 + 0]: 2"},
        [("32:7 E417 at[0] is always assigned two different values at once", "the other one: at[0]: 1")],
    ),
    "unequal": (
        {'["..#", "..."]': '["..#", ".."]'},
        [
            (
                "9:9 E408 cells takes a text map, found rows of 2, 3 letters",
                "all rows of a text map are equally wide; fill them up with the letter for void",
            )
        ],
    ),
    "short-row": ({"row: [1, 2, 0]": "row: []"}, [("12:3 E413 the start value of at[0] is undefined", "")]),
    "cost-missing": (
        {"    params: {d: direction}": "    params: {d: direction}\n    cost: {moves: 1}"},
        [("20:3 E410 `swap` does not name the costs moves", "")],
    ),
    "cost-other": (
        {
            "    params: {d: direction}": "    params: {d: direction}\n    cost: {moves: 1}",
            "    when: p < q": "    cost: {pushes: 1}",
        },
        [("26:3 E410 every action names the same costs: pushes", "")],
    ),
    "cost-neg": ({"    when: p < q": "    cost: p - 2"}, [("20:3 E416 the cost of `swap` may be negative", "")]),
    "cost-neg2": ({"    when: p < q": "    cost: at[p] - 2"}, [("20:3 E416 the cost of `swap` may be negative", "")]),
    "cost-text": ({"    when: p < q": "    cost: red"}, [("22:11 E302 expected an integer, found text", "")]),
    "divisor": ({GOAL: "goal: at[0] // (size - 3) == 0"}, [("32:17 E310 a divisor is positive; this one is 0", "")]),
    "loop-state": (
        {"lamp: true": "lamp: true for x in range(at[0])"},
        [
            (
                "30:27 E304 a loop is fixed: it cannot depend on the state",
                "loop over more and put what reads the state into `if`",
            )
        ],
    ),
    "huge-grid": (
        {'cells(board, omit="#")': "grid(100000, 100000)"},
        [("9:9 E418 10,000,000,000 values of `cell`; at most 65,536 are possible", "")],
    ),
    "huge-range": (
        {"0 .. size - 1": "0 .. 1000000000"},
        [("8:10 E418 1,000,000,001 values of `place`; at most 65,536 are possible", "")],
    ),
    "objects": (
        {"[red, green]": "objects(1000000000)"},
        [("10:11 E418 1,000,000,000 values of `colour`; at most 65,536 are possible", "")],
    ),
    "objects-neg": ({"[red, green]": "objects(-3)"}, [("10:11 E302 objects takes a number of objects", "")]),
    "objects-text": ({"[red, green]": 'objects("x")'}, [("10:11 E302 objects takes a number of objects", "")]),
    "permutation": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: permutation(1000000000)\ntypes:"},
        [("7:8 E418 1,000,000,000 values to draw; at most 65,536 are possible", "")],
    ),
    "perm-neg": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: permutation(-1)\ntypes:"},
        [("7:8 E404 there is nothing to draw from", "")],
    ),
    "shuffle-range": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: shuffle(range(1000000000))\ntypes:"},
        [("7:16 E418 1,000,000,000 values to loop over; at most 65,536 are possible", "")],
    ),
    "draw-bad": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: shufle(range(3))\ntypes:"},
        [("7:8 E404 expected permutation(n), shuffle(list) or pick(list)", "")],
    ),
    "draw-state": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: shuffle(lamp)\ntypes:"},
        [("7:16 E307 `lamp` is state: it cannot be read here", "")],
    ),
    "draw-self": (
        {"  row: [1, 2, 0]\n": "", "types:": "draw:\n  row: shuffle(row)\ntypes:"},
        [("7:8 E404 the datum `row` is defined by itself", "")],
    ),
    "loop-range": (
        {GOAL: "goal: all(p >= 0 for p in range(1000000000))"},
        [("32:27 E418 1,000,000,000 values to loop over; at most 65,536 are possible", "")],
    ),
    "start-range": (
        {"lamp: bool = false": "lamp: bool = any(p < 0 for p in range(1000000000))"},
        [("14:35 E418 1,000,000,000 values to loop over; at most 65,536 are possible", "")],
    ),
    "state-product": (
        {
            "lamp: bool = false": "lamp: bool = false\n  big[i in v, j in v, k in v]: bool = false",
            "colour:": "v: 0 .. 999\n  colour:",
        },
        [("16:3 E418 1,000,000,000 variables `big`; at most 65,536 are possible", "")],
    ),
    "mult": (
        {GOAL: "goal: at[0] * 1000000 * 1000000 * 1000000 == 1"},
        [("32:7 E414 this could leave the range of ±2^53", "")],
    ),
    "mult-data": (
        {"size: 3": "size: 3\n  big: 99999999999999999999", GOAL: "goal: at[0] == big"},
        [("5:8 E201 this number is beyond 2^53", "put it into quotes if it is a text")],
    ),
    "repeat": (
        {"      mood: red": "      mood: red\n    then:\n      - repeat: 1000000000\n        lamp: not lamp"},
        [("33:17 E418 1,000,000,000 rounds of a phase; at most 200 are possible", "")],
    ),
    "repeat-neg": (
        {"      mood: red": "      mood: red\n    then:\n      - repeat: -1\n        lamp: not lamp"},
        [("33:17 E421 a phase is repeated at least once, not -1 times", "")],
    ),
    "repeat-state": (
        {"      mood: red": "      mood: red\n    then:\n      - repeat: at[0]\n        lamp: not lamp"},
        [("33:17 E307 `at` is state: it cannot be read here", "")],
    ),
    "claims": (
        {"heuristics:": "claims: {wrng: consistent, wrong: good}\nheuristics:"},
        [
            ("33:10 E411 there is no heuristic 'wrng'", "did you mean 'wrong'?"),
            ("33:35 E411 'good' is no claim", "admissible, consistent, or consistent for METRIC"),
        ],
    ),
    "heuristic-bool": (
        {"count(p for p in place if at[p] != p)": "lamp"},
        [("34:10 E302 a heuristic is an integer, found a condition", "")],
    ),
    "symmetry": (
        {"heuristics:": "symmetry: {interchangeable: [plac]}\nheuristics:"},
        [("33:30 E405 unknown type 'plac'", "did you mean 'place'?")],
    ),
    "mirror": (
        {"heuristics:": "symmetry: {mirror: [sideways]}\nheuristics:"},
        [("33:21 E422 'sideways' is no name of a mirror", "allowed here: vertical, horizontal, diagonal")],
    ),
    "view-bad": (
        {"heuristics:": "view:\n  board: c in cel\n  glyph: 1\nheuristics:"},
        [("34:15 E313 unknown name 'cel'", "did you mean 'cell'?")],
    ),
    "view-one": (
        {"heuristics:": "view:\n  board: c in cell\nheuristics:"},
        [("34:10 E102 'view' draws a board, but has no 'glyph'", "glyph: EXPRESSION says what stands in each place")],
    ),
    "view-no-board": (
        {"heuristics:": "view:\n  colour: red\nheuristics:"},
        [
            (
                "34:11 E102 'view' has a 'colour', but no 'board'",
                "board: c in cell names the places, or t in tube, l in level (across, up)",
            )
        ],
    ),
    "view-both": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  lines: [lamp]\nheuristics:"},
        [
            (
                "36:11 E423 'view' has a board, and 'lines' are what is shown without one",
                "one line of text fits into 'caption'",
            )
        ],
    ),
    "view-three": (
        {"heuristics:": "view:\n  board: p in place, q in place, r in place\n  glyph: 1\nheuristics:"},
        [("34:34 E423 a board has one name or two", "across, up: t in tube, l in level")],
    ),
    "view-colour": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  colour: lamp and ambre\nheuristics:"},
        [("36:20 E313 unknown name 'ambre'", "did you mean 'amber'?")],
    ),
    "view-glyph-word": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: amber\nheuristics:"},
        [("35:10 E313 unknown name 'amber'", 'text that only data contain is quoted: "amber"')],
    ),
    "view-ground": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  ground: '\"gaol\" if lamp else floor'\nheuristics:"},
        [("36:12 E422 'gaol' is no name of a ground", "did you mean 'goal'?")],
    ),
    "view-look": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  look: '\"plyer\" if lamp else crate'\nheuristics:"},
        [("36:10 E422 'plyer' is no name of a look", "did you mean 'player'?")],
    ),
    "view-ground-int": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  ground: glyph\nheuristics:"},
        [("36:11 E302 expected a ground, found an integer", "a ground is floor, wall, goal, void or a colour")],
    ),
    "view-size": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  size: lamp\nheuristics:"},
        [("36:9 E302 expected an integer, found a condition", "")],
    ),
    "view-frame": (
        {"heuristics:": "view:\n  board: p in place\n  glyph: 1\n  frame: tub\nheuristics:"},
        [("36:10 E422 'tub' is no name of a frame", "did you mean 'tube'?")],
    ),
    "view-frame-cells": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  frame: tube\nheuristics:"},
        [
            (
                "36:10 E423 a frame is drawn round stacks, and a board of cells has none",
                "board: t in tube, l in level (across, up), or p in place (one stack, the first on top)",
            )
        ],
    ),
    "view-frame-cube": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  frame: cube\nheuristics:"},
        [
            (
                "36:10 E423 no net of a cube that folds",
                "a board of cells, 3 n rows and 4 n columns: the top above the second of four faces, the bottom below",
            )
        ],
    ),
    "view-look-tube": (
        {"heuristics:": "view:\n  board: p in place\n  glyph: 1\n  look: crate\n  frame: tube\nheuristics:"},
        [("36:9 E423 no look is seen in the frame 'tube'", "leave out 'look' or 'frame'")],
    ),
    "view-look-name": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: 1\n  look: c\nheuristics:"},
        [
            (
                "36:9 E302 expected a look, found a value of `cell`",
                f"a look is {', '.join(LOOKS)} or '', in quotes where the file has such a name",
            )
        ],
    ),
    "view-target": (
        {"heuristics:": "view:\n  target: a\n  lines: ['{lamp}']\nheuristics:"},
        [
            (
                "34:11 E102 'view' has a 'target', but no 'board'",
                "board: c in cell names the places, or t in tube, l in level (across, up)",
            )
        ],
    ),
    "view-outside": (
        {"heuristics:": "view:\n  board: p in place\n  glyph: 1\n  outside: wall\nheuristics:"},
        [("36:12 E423 only a board of cells has something outside", "board: c in cell draws places as they lie")],
    ),
    "view-several": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: nope\n  colour: nay\n  caption: '{{no}'\nheuristics:"},
        [
            ("37:17 E201 this brace has no partner", "{EXPRESSION} is a hole; a brace itself is written twice"),
            ("35:10 E313 unknown name 'nope'", "did you mean 'none'?"),
            ("36:11 E313 unknown name 'nay'", 'text that only data contain is quoted: "nay"'),
        ],
    ),
    "view-lines": (
        {"heuristics:": "view:\n  lines: ['{lamp}', '{lump}']\nheuristics:"},
        [("34:23 E313 unknown name 'lump'", "did you mean 'lamp'?")],
    ),
    "view-state": (
        {"heuristics:": "view:\n  board: c in cell\n  glyph: at[c]\nheuristics:"},
        [("35:13 E302 an index of `at`: expected a value of `place`, found a value of `cell`", "")],
    ),
    "label": (
        {"    when: p < q": '    label: "{p} {nope}"\n    when: p < q'},
        [("22:18 E313 unknown name 'nope'", "did you mean 'none'?")],
    ),
    "label-brace": (
        {"    when: p < q": '    label: "{p} {"\n    when: p < q'},
        [("22:17 E201 this brace has no partner", "{EXPRESSION} is a hole; a brace itself is written twice")],
    ),
    "label-empty": (
        {"    when: p < q": '    label: "{}"\n    when: p < q'},
        [("22:12 E201 an expression is missing here", "")],
    ),
    "levels": (
        {"heuristics:": "levels:\n  a: {siz: 3}\n  b: {known: {optmal: 3}}\nheuristics:"},
        [("35:15 E101 unknown key 'optmal' in 'known'", "did you mean 'optimal'?")],
    ),
    "accepts": (
        {"heuristics:": "accepts: {xsb: bord}\nheuristics:"},
        [("33:16 E422 'bord' is no name of a datum", "did you mean 'board'?")],
    ),
    "accepts-fmt": (
        {"heuristics:": "accepts: {xyz: board}\nheuristics:"},
        [
            (
                "33:11 E422 'xyz' is no name of a level file's format",
                "allowed here: xsb, rush-hour, klotski, numbers, tubes, bloxorz, puzzlescript",
            )
        ],
    ),
    "effect-not-id": ({"lamp: true": '"a b": true'}, [("30:10 E201 this is not an expression: invalid syntax", "")]),
    "many": (
        {
            "lamp: true": "lmap: true\n      at[0]: x\n      mood: 1",
            GOAL: "goal:\n  - at[0]\n  - nope\n  - lamp =",
            "count(p for p in place if at[p] != p)": "lamp",
        },
        [("33:7 E006 'mood' stands here again; the first is at line 32, column 7", "remove or rename one of them")],
    ),
    "header": (
        {"lamp: bool = false": "lamp(x): bool = false"},
        [("14:3 E201 a variable's indices stand in square brackets", "lamp[i in TYPE]")],
    ),
    "header2": ({"lamp: bool = false": "lamp[x]: bool = false"}, [("14:8 E201 expected x in TYPE", "")]),
    "header3": (
        {"lamp: bool = false": "lamp: bool"},
        [("14:9 E201 expected TYPE = START", "every variable has a type and a start value")],
    ),
    "header5": (
        {"lamp: bool = false": "lamp: bool ="},
        [("14:9 E201 expected TYPE = START", "every variable has a type and a start value")],
    ),
    "header6": (
        {"lamp: bool = false": "lamp + 1: bool = false"},
        [("14:3 E303 'lamp + 1' is no name: letters, digits and _ only, a letter first", "")],
    ),
    "header-dup": (
        {"lamp: bool = false": "lamp: bool = false\n  lamp[p in place]: bool = false"},
        [
            (
                "15:3 E303 'lamp' stands here as a state variable, but line 14, "
                "column 3 has it as a state variable already",
                "no name hides another",
            )
        ],
    ),
    "def-dup": (
        {"twice(n): n + n": "twice(n): n + n\n  twice(m): m"},
        [
            (
                "19:3 E303 'twice' stands here as a definition, but line 18, column 3 has it as a definition already",
                "no name hides another",
            )
        ],
    ),
    "def-args-dup": ({"twice(n): n + n": "twice(n, n): n + n"}, [("18:12 E303 `twice` has two arguments 'n'", "")]),
    "param-dup": (
        {"{p: place, q: place}": "{p: place, 'p[x in place]': place}"},
        [("21:24 E303 the name 'p' already means something else", "no name hides another")],
    ),
    "start-state": (
        {"lamp: bool = false": "lamp: bool = lamp"},
        [("14:16 E307 `lamp` is state: it cannot be read here", "")],
    ),
    "grid-args": ({'cells(board, omit="#")': "grid(3)"}, [("9:9 E305 grid takes 2 arguments", "")]),
    "grid-opt": (
        {'cells(board, omit="#")': 'grid(3, 3, wrp="both")'},
        [("9:24 E305 unknown option 'wrp'", "did you mean 'wrap'?")],
    ),
    "grid-wrap": (
        {'cells(board, omit="#")': 'grid(3, 3, wrap="bth")'},
        [("9:9 E305 wrap='bth'", 'wrap is "vertical", "horizontal" or "both"')],
    ),
    "grid-text": (
        {'cells(board, omit="#")': 'grid("a", 3)'},
        [("9:9 E302 grid takes a number of rows and a number of columns", "")],
    ),
    "cells-text": (
        {'cells(board, omit="#")': "cells(size)"},
        [
            ("8:15 E302 - does not go with text and an integer", ""),
            (
                "9:9 E408 cells takes a text map, found no rows",
                "all rows of a text map are equally wide; fill them up with the letter for void",
            ),
        ],
    ),
    "cells-row": (
        {'cells(board, omit="#")': "cells(row)"},
        [("12:27 E302 the start value: expected a value of `place`, found text", "")],
    ),
    "keys-int": ({"[red, green]": "keys(size)"}, [("10:11 E302 keys takes a table or a list", "")]),
    "range-types": (
        {"0 .. size - 1": "0 .. red"},
        [("8:15 E313 unknown name 'red'", 'text that only data contain is quoted: "red"')],
    ),
    "range-bool": ({"0 .. size - 1": "0 .. true"}, [("8:15 E302 expected an integer", "")]),
    "union-same": (
        {"colour or none": "colour or red"},
        [("15:9 E407 a value belongs to two parts of this union", "rename the new symbol")],
    ),
    "union-datum": ({"colour or none": "colour or size"}, [("15:19 E405 `size` is no type", "")]),
    "offset-type": (
        {"[red, green]": "{a: [1, 0], b: 3}"},
        [("10:23 E406 `b` needs [rows, columns], as in leap: [-2, 1]", "")],
    ),
    "offset-type-dup": (
        {"[red, green]": "{a: [1, 0], b: [1, 0]}"},
        [("10:3 E406 two words of `colour` are the same way", "")],
    ),
    "empty-type": (
        {"[red, green]": "[]"},
        [("31:13 E313 unknown name 'red'", 'text that only data contain is quoted: "red"')],
    ),
    "nested-list-type": (
        {"[red, green]": "[[red], green]"},
        [("10:13 E103 item 1 of 'colour' must be a text, not a list", "")],
    ),
    "mapping-data": (
        {"size: 3": "size: 3\n  t: {a: {k: 1}, b: {k: 2}}", GOAL: "goal: t.a.kk == 1"},
        [("33:7 E314 there is no element kk", "did you mean 'k'?")],
    ),
    "mapping-data2": (
        {"size: 3": "size: 3\n  t: {a: {k: 1}, b: {k: 2}}", GOAL: "goal: t.c == 1"},
        [("33:7 E314 there is no element c", "allowed here: a, b")],
    ),
}


def test_the_puzzle_that_all_these_come_from_is_right() -> None:
    assert ground(load_text(BASE, "f.yaml")).puzzle == "tiny"


@pytest.mark.parametrize(("goal", "error", "hint"), GOALS, ids=[goal for goal, _, _ in GOALS])
def test_a_wrong_expression(goal: str, error: str, hint: str) -> None:
    line = 18 if goal.startswith("twice") else 32  # what goes wrong inside a definition is shown there
    assert found(edited({GOAL: f"goal: {goal}"})) == [(f"{line}:{error}", hint)]


@pytest.mark.parametrize("name", EDITS)
def test_a_wrong_file(name: str) -> None:
    edits, errors = EDITS[name]
    assert found(edited(edits)) == errors


# -- long, deep, endless -----------------------------------------------------------------------------------------------

LONG = "32:7 E202 this expression is longer than 4,000 characters"
DEEP = "32:7 E202 this expression is more than 64 deep"
ENDLESS = {
    "5,000 characters": ({GOAL: "goal: " + " and ".join(["lamp"] * 600)}, LONG),
    "100 deep brackets": ({GOAL: "goal: " + "(" * 100 + "lamp" + ")" * 100}, " E202 brackets are nested"),
    "100 deep nots": ({GOAL: "goal: " + "not " * 100 + "lamp"}, DEEP),
    "a sum of 300": ({GOAL: "goal: " + "+".join(["1"] * 300) + " == 300"}, DEEP),
    "a doubling constant": ({"define:\n": chain("1", "X + X", 60), GOAL: "goal: a40 == 1"}, " E418 "),
    "a doubling value": ({"define:\n": chain("at[0]", "X + X", 40), GOAL: "goal: a40 == 1"}, " E418 "),
    "a doubling condition": ({"define:\n": chain("lamp", "X and not X", 40), GOAL: "goal: a40"}, " E418 "),
    "a doubling start": ({"define:\n": chain("1", "X + X", 40), "bool = false": "bool = a40 == 1"}, " E418 "),
    "a long chain": ({"define:\n": chain("at[0]", "X + 1", 300), GOAL: "goal: a300 == 1"}, " E202 definitions "),
    "nine million rounds": (
        {GOAL: "goal: count(p for p in range(3000) for q in range(3000)) == 9"},
        "32:40 E418 9,000,000 rounds of this loop; at most 1,000,000 are possible",
    ),
    "a million ground actions": (
        {"{p: place, q: place}": "{p: v, q: v}", "p < q": "p != q", "  colour:": "  v: 0 .. 999\n  colour:",
         "      at[p]: at[q]\n      at[q]: at[p]": "      lamp: true"},
        "21:3 E415 `swap` has more than 100,000 ground actions",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_never_end_is_refused(name: str) -> None:
    edits, words = ENDLESS[name]
    errors = found(edited(edits))
    assert len(errors) == 1 and words in errors[0][0], errors


def test_ten_thousand_deep_lists() -> None:
    (problem,) = problems("puzzle: p\ndata:\n  x: " + "[" * 10_000 + "]" * 10_000 + "\n")
    assert (place(problem), problem.code) == ("3:68", "E015")


def test_an_alias_bomb() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{y}: &{y} [*{x}, *{x}]\n" for x, y in zip("abcdefgh", "bcdefghi", strict=True))
    codes = {problem.code for problem in problems(bomb)}
    assert codes == {"E007"}


def test_a_swallowed_map_row() -> None:
    swallowed = edited({'board: ["..#", "..."]': "board: |\n      ..#\n    ###\n    ..."})
    problem, *_ = problems(swallowed)
    assert (place(problem), problem.code) == ("7:5", "E018") and "quoted" in problem.hint


# -- levels, --set, several at once ------------------------------------------------------------------------------------


def test_levels_and_settings() -> None:
    text = edited({"heuristics:": "levels:\n  one: {}\n  two: {siz: 3}\nheuristics:"})
    assert found(text) == [("35:9 E401 no datum 'siz' is declared under data", "did you mean 'size'?")]
    (problem,) = problems(text.replace("siz:", "size:"), level="tow")
    assert (problem.code, problem.hint) == ("E409", "did you mean 'two'?")
    (problem,) = problems(BASE, settings=["siz=4"])
    assert (problem.code, problem.hint) == ("E401", "did you mean 'size'?")
    for setting in ("row=[1, 2", "row", "=1", "row=1: 2\nb: 3", "row="):
        (problem,) = problems(BASE, settings=[setting])
        assert problem.location is None and problem.message.startswith(f"--set {setting}: ")


def test_all_problems_of_a_stage_are_told_at_once() -> None:
    edits = {"lamp: true": "lmap: true\n      at[0]: x", GOAL: "goal:\n  - at[0]\n  - nope\n  - lamp =",
             "count(p for p in place if at[p] != p)": "lamp"}  # fmt: skip
    places = [place(problem) for problem in problems(edited(edits))]
    assert places == ["30:7", "31:14", "34:5", "35:5", "36:10", "38:10"]


# -- the codes ---------------------------------------------------------------------------------------------------------


def test_every_code_in_the_source_has_its_row() -> None:
    used = set()
    for folder in ("models", "puzzlewright", "search", "encoders"):
        for path in (ROOT / folder).rglob("*.py"):
            text = re.sub(r"^CODES.*?^}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
            used |= set(re.findall(r'"([EW]\d{3})"', text))
    assert used == set(CODES)


def test_every_code_is_explained_in_sentences() -> None:
    assert all(len(words) > 40 and words[0].isupper() and words.endswith(".") for words in CODES.values())


# -- through the command line ------------------------------------------------------------------------------------------

SAMPLE = ["gaol: lamp", "goal: lmap", "goal: at[9] == 0", "goal: __import__('os')", "goal: 0 .. 1"]


@pytest.mark.parametrize("goal", SAMPLE)
@pytest.mark.parametrize("command", ["solve", "prove", "check"])
def test_exit_code_31_and_no_traceback(goal: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(edited({GOAL: goal}), encoding="utf-8")
    result = CliRunner().invoke(app, [command, str(path)])
    assert result.exit_code == 31
    assert "error[E" in result.stderr and f"{path}:32:" in result.stderr and "Traceback" not in result.output


# -- mutations ---------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|[^\w\s]|\s+")
_WORDS = re.findall(
    r"\S+",
    """0 1 -1 [ ] ( ) { } : , = == + - * // % < > . .. ' " # | & ! ? @ true none up cell at bool lambda and or not in if
    else for any sum first min len index inside range grid keys values objects [0,0] {} é 99999999999999999999""",
) + ["\n", "\t", "  ", "- ", "\x00", "\u2028"]


def mutated(text: str, rng: random.Random) -> str:
    """A line or a token dropped, doubled, exchanged or replaced, a few times."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        by_line = rng.random() < 0.3
        parts = text.split("\n") if by_line else _TOKEN.findall(text)
        i = rng.randrange(len(parts))
        other = rng.choice(parts) if by_line or rng.random() < 0.5 else rng.choice(_WORDS)
        parts[i : i + 1] = rng.choice([[], [parts[i], parts[i]], [other], [parts[i], other]])
        text = ("\n" if by_line else "").join(parts)
    return text


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_give_puzzle_errors_only(seed: int) -> None:
    rng = random.Random(seed)
    small = [path for path in EXAMPLES if path.stem in ("bridge", "labyrinth", "n_puzzle", "vehicles", "water_sort")]
    for _ in range(60):
        text = mutated(rng.choice(small).read_text(encoding="utf-8"), rng)
        try:
            ground(load_text(text, "f.yaml"))
        except PuzzleError as error:
            assert all(render(diagnostic, text) for diagnostic in error.diagnostics)


# -- warnings ----------------------------------------------------------------------------------------------------------

LETTERS = """puzzle: letters
data:
  pool: [1, 2, 3]
  spare: 4
  signs: {wall: "#", air: "."}
  marks: [A]
  board: ["A#", ".B"]
draw: {chosen: pick(pool)}
types: {cell: cells(board)}
state:
  n: 0 .. 9 = chosen
  at: "cell = [0, 0]"
actions:
  more: {when: "board[at] == signs.wall or board[at] in marks", effect: {n: n + 1}}
goal: n == 5
levels:
  drawn: {}
  given: {chosen: 2}
"""


@pytest.mark.parametrize("level", ["drawn", "given"])
def test_what_only_draw_reads_and_what_tables_name_is_no_slip(level: str) -> None:
    warnings = [(warning.code, warning.message) for warning in load_text(LETTERS, "letters.yaml", level).warnings]
    assert sorted(warnings) == [
        ("W501", "the datum 'spare' is never used"),
        ("W502", "on the map 'board', nothing says what 'B' means"),
    ]


MENTIONED = """puzzle: mentioned
data:
  paint: [red, green]
  board: ["AB", "BA"]
  other: ["AB", "AB"]
  goal: ["CD", "EF"]
  hint: 3
  spare: 4
types:
  colour: [red, green]
  letter: [C, D]
  unused: [blue, yellow]
  p: 0 .. 1
  cell: cells(board)
  place: cells(goal)
  way: {leap: [0, 1]}
define:
  g: hint + 1
  f(q): g + q
  again(q): again(q - 1) + spare if q > 0 else 0
state:
  x: p = 0
  at: "cell = [0, 0]"
  to: "place = [0, 0]"
actions:
  turn:
    let:
      w(r): spare + r
    when: paint[x] == green
    effect:
      x: 1 - x
  go:
    when: board[at] == other[at + leap] and goal[to] != C
    effect:
      at: at + leap
goal: x == 1 and goal[to] == "F"
"""


def test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips() -> None:
    """Words of a type use it; a definition that nothing uses still uses others; of `goal` only E is never told."""
    warnings = [(warning.code, warning.message) for warning in load_text(MENTIONED, "mentioned.yaml").warnings]
    assert sorted(warnings) == [
        ("W501", "the definition 'again(q)' is never used"),
        ("W501", "the definition 'f(q)' is never used"),
        ("W501", "the type 'unused' is never used"),
        ("W502", "on the map 'goal', nothing says what 'E' means"),
    ]


def test_what_the_hint_for_integers_says_is_a_type() -> None:
    text = BASE.replace("[red, green]", "values([3, -1, 3])").replace("mood: red", "mood: -1")
    assert load_text(text, "tiny.yaml").types["colour"].values == (3, -1)
