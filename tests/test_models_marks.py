"""Objects from a map's letters, values by their place in a type, and values joined in texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from crosschecking import check
from running import run

from models.errors import PuzzleError
from models.interpreter import evaluate, scope
from models.loader import load_text
from models.parts import conjuncts
from models.plan import Step, step_json
from models.puzzle import Puzzle
from models.referee import is_goal, label, start_state
from models.steps import step_line, step_of_json, step_of_line
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

MAP = """
puzzle: map
data:
  board: ["#######", "#H..O.#", "#.o.h.#", "#..O..#", "#######"]
  weights: {{H: 3, h: 1, O: 0, o: 0}}
types:
  cell: cells(board, omit="#", plain=".")
  piece: marks(board, "oOHh")
  box: marks(board, "Oo")
  edge: marks(board, "#")
  none_such: marks(board, "x")
  either: box or none
  number: 0 .. 6
state:
  at[p in piece]: cell = origin(p)
  held: either = none
  n: number = 2
define:
  by(l): first(p for p in piece if letter(p) == l)
actions:
  forth:
    params: {{p: piece, d: direction}}
    when: letter(p) == "o" and d.row == 0
    effect:
      at[p]: at[p] + d
      held: first((b for b in box if origin(b) == at[p]), none)
goal: {goal}
"""


def in_map(goal: str) -> Puzzle:
    return load_text(MAP.format(goal=goal), "map.yaml")


BY_HAND = (
    # reading order, whatever the order of the letters: H O o h O
    "count(p for p in piece) == 5 and letter(piece[0]) == 'H' and letter(piece[1]) == 'O' and letter(piece[4]) == 'O'",
    "origin(piece[0]) == cell(1, 1) and origin(piece[1]) == [1, 4] and origin(piece[2]) == [2, 2]",
    "index(by('h')) == 3 and index(by('O')) == 1 and piece[3] == by('h') and piece[0] < piece[1]",
    "sum(weights[letter(p)] for p in piece) == 4 and weights[letter(piece[0])] == 3",
    "all(board[origin(p)] == letter(p) and letter(p) in 'HhOo' for p in piece)",
    "distance(origin(piece[0]), origin(piece[4])) == 4 and origin(piece[3]).col == 4",
    "origin(piece[2]) + up == [1, 2] and not inside(origin(piece[0]) + up) and steps(origin(piece[2]), [2, 4]) == 2",
    # a mark on a place that is no cell has no origin, but a letter
    "count(x for x in edge) == 20 and not any(inside(origin(x)) for x in edge) and letter(edge[19]) == '#'",
    "count(x for x in none_such) == 0 and not any(origin(x) == at[p] for x in none_such for p in piece)",
    # types of one map are types of their own, and a union has the marks of its parts
    "count(b for b in box) == 3 and letter(box[1]) == 'o' and not inside(letter(held)) and held == none",
    "origin(either[0]) == [1, 4] and letter(either[1]) == 'o' and not inside(origin(either[3])) and either[3] == none",
    # places count from 0; beyond the ends there is nothing
    "piece[n] == by('o') and not inside(piece[n + 3]) and not inside(piece[n - 3]) and not (piece[n + 3] != piece[0])",
    "all(piece[index(p)] == p for p in piece) and direction[0] == up and number[6] == 6 and cell[0] == [1, 1]",
    "not bool[0] and bool[1] and inside(piece[(0 if n == 2 else true)]) and not inside(piece[(true if n == 2 else 0)])",
)


def test_values_counted_by_hand() -> None:
    puzzle = in_map(json.dumps(list(BY_HAND)))
    at = scope(start_state(puzzle))
    for condition in puzzle.goal:
        for part in conjuncts(condition):
            assert evaluate(part.expression, at) is True, part.words
    assert is_goal(puzzle, start_state(puzzle)) and check(puzzle) is not None


# -- what plans call them ----------------------------------------------------------------------------------------------

NAMES = """
puzzle: names
data:
  board: {board}
types:
  mark: marks(board, {letters})
  kind: 1 .. 3
  either: kind or mark or H
state:
  on[m in mark]: bool = false
  last: either = H
actions:
  press:
    params: {{m: mark}}
    when: not on[m]
    effect:
      on[m]: true
      last: m
    label: "{{m}} is {{letter(m)}}, on are {{x for x in mark if on[x] or x == m}}"
  all:
    params:
      some[m in mark]: bool
    effect:
      on[m]: some[m] for m in mark
    label: "{{index(m) + 1 for m in mark if some[m]}}; {{x for x in range(0)}}"
goal: all(on[m] for m in mark)
levels:
  one: {level}
"""


def named(board: str, letters: str, level: str = "{}") -> Puzzle:
    return load_text(NAMES.format(board=board, letters=letters, level=level), "names.yaml")


@pytest.mark.parametrize(
    ("board", "letters", "words"),
    [
        ('["H.O", "oOH"]', '"HOo"', ["H1", "O1", "o", "O2", "H2"]),
        ('["1.2", "11a"]', '"12a"', ["1.1", "2", "1.2", "1.3", "a"]),  # 11 could be the letter 1 twice, or once
        ('["aa,b,aa", ".,c d,b"]', '["aa", "b", "c d"]', ["aa1", "b1", "aa2", "c d", "b2"]),
        ('["a,a1,a"]', '["a", "a1"]', ["1", "2", "3"]),  # a1 would be two of them: all count like other objects
        ('["|(|", "\\";H"]', """ '|(";' """, ["|1", "(", "|2", '"', ";"]),
    ],
)
def test_words_are_short_and_plans_are_read_back(board: str, letters: str, words: list[str]) -> None:
    puzzle = named(board, letters)
    marks = puzzle.types["mark"].values
    for mark, word in zip(marks, words, strict=True):
        step = Step("press", (("m", mark),))
        assert label(puzzle, start_state(puzzle), step) == f"{word} is {mark.letter}, on are {word}"
        assert step_of_line(step_line(step, puzzle), puzzle, puzzle.actions[0].location) == step
        args = json.loads(json.dumps(step_json(step, puzzle.words)))
        assert args["args"]["m"] == (int(word) if word.isdigit() and mark.word == "" else word)
        assert step_of_json(args, 1, puzzle, puzzle.actions[0].location) == step
    assert {puzzle.place_names["on", (mark,)] for mark in marks} == {f"on[{word}]" for word in words}


def test_a_word_that_another_value_has_gives_way() -> None:
    """In a union with the numbers 1 to 3 and the word H, the marks 1 and H are told apart from them."""
    puzzle = named('["1H", "2b"]', '"12Hb"')
    either = puzzle.types["either"]
    assert [either.written[value] for value in either.values] == [
        *("1", "2", "3"), "mark 1", "mark 2", "mark 3", "b", '"H"',
    ]  # fmt: skip
    assert list(either.plain.values()) == [1, 2, 3, "1", "mark 2", "2", "b", "H"]


def test_several_values_in_a_hole() -> None:
    puzzle = named('["HOo"]', '"HOo"')
    assert label(puzzle, start_state(puzzle), Step("all", (("some", (True, False, True)),))) == "1, 3; "
    assert label(puzzle, start_state(puzzle), Step("all", (("some", (False, False, False)),))) == "; "


# -- levels, other paths -----------------------------------------------------------------------------------------------


def test_levels_replace_the_map_and_name_its_marks(tmp_path: Path) -> None:
    level = '{board: ["O.", "OH"], state: {on: {O1: true, O2: false, H: false}, last: O1}, after: [press H]}'
    puzzle = named('["H.O", "oOH"]', '"HOo"', level)
    assert [value for (name, _), value in start_state(puzzle).items() if name == "on"] == [True, False, True]
    listed = named('["H.O", "oOH"]', '"HOo"', '{board: ["O.", "OH"], state: {on: [true, false, true], last: H}}')
    assert start_state(listed)["last", ()] == "H"  # the word of the union, not the mark
    path = tmp_path / "names.yaml"
    path.write_text(NAMES.format(board='["H.O", "oOH"]', letters='"HOo"', level="{}"))
    done = run("solve", str(path), "--set", "board=O.,OO", "--json", "--plan-out", str(tmp_path / "p.plan"))
    assert done.json["cost"] == 1 and run("verify", str(path), str(tmp_path / "p.plan")).code == 31  # another map
    assert run("verify", str(path), str(tmp_path / "p.plan"), "--set", "board=O.,OO").code == 0


def test_a_level_without_such_letters_has_no_objects() -> None:
    puzzle = named('["H"]', '"HOo"', '{board: [".."]}')
    assert puzzle.types["mark"].values == () and is_goal(puzzle, start_state(puzzle)) and check(puzzle) is not None
    nothing = Step("all", (("some", ()),))
    assert step_line(nothing, puzzle) == "(all |)"
    assert step_of_line("(all |)", puzzle, puzzle.actions[0].location) == nothing


PUSH = """
puzzle: push
data:
  board: ["#####", "#.@.#", "#$.$#", "#...#", "#####"]
types:
  cell: cells(board, omit="#", plain=".")
  box: marks(board, "$%")
  player: marks(board, "@")
state:
  at[b in box]: cell = origin(b)
  me: cell = origin(player[0])
actions:
  walk:
    params: {d: direction}
    when: not any(at[b] == me + d for b in box)
    effect:
      me: me + d
  push:
    params: {b: box, d: direction}
    when: at[b] == me + d and not any(at[o] == me + 2 * d for o in box)
    effect:
      me: me + d
      at[b]: at[b] + d
    label: "{letter(b)} {d}"
goal: GOAL
levels:
  alike: {}
  apart: {board: ["#####", "#.@.#", "#$.%#", "#...#", "#####"]}
"""
ANY = "any(at[b].row == 3 for b in box)"  # one step to the side, and one push down
SECOND = "at[box[1]].row == 3"  # the second one, which tells it from the first
ORIGIN = "any(at[b].row == 3 and origin(b).col == 1 for b in box)"


@pytest.mark.parametrize(
    ("level", "goal", "alike"),
    [("alike", ANY, True), ("apart", ANY, False), ("alike", SECOND, False), ("alike", ORIGIN, False)],
)
def test_marks_of_one_letter_are_alike_where_no_rule_tells_them_apart(level: str, goal: str, alike: bool) -> None:
    puzzle = load_text(PUSH.replace("GOAL", goal), "push.yaml", level)
    symmetry = "symmetry: {interchangeable: [{box: letter}]}"
    said = load_text(PUSH.replace("GOAL", f"{goal}\n{symmetry}"), "push.yaml", level)
    ((box, classes),) = said.interchangeable
    assert classes == ((box.values,) if level == "alike" else tuple((mark,) for mark in box.values))
    by_search, by_cpsat = solve(puzzle, Request("bfs")), solve(puzzle, Request("cpsat"))
    assert (by_search.outcome, by_search.cost, by_cpsat.outcome, by_cpsat.cost) == ("optimal", 2, "optimal", 2)
    assert alike == any(note.endswith("interchangeable objects count as one: box") for note in by_search.notes)


# -- what is refused, and a file's own names ---------------------------------------------------------------------------


def problem(text: str) -> str:
    with pytest.raises(PuzzleError) as caught:
        load_text(text, "f.yaml")
    found = caught.value.diagnostics[0]
    assert found.location is not None
    return f"{found.location.line}:{found.location.column} {found.code} {found.message}; {found.hint}"


def test_what_is_refused() -> None:
    """Each with its place and a way out."""
    push, types = PUSH.replace("GOAL", ANY), 'box: marks(board, "$%")'

    def box(written: str) -> str:
        return problem(push.replace(types, f"box: {written}"))

    letters = 'marks(board, "HhOo"), or a list of texts where a letter is a longer word'
    assert box("marks(board, 3)") == f"7:21 E302 marks takes letters as a text; {letters}"
    assert box("marks(board, [3])") == f"7:21 E302 marks takes letters as a text; {letters}"
    assert box("marks(board)") == "7:8 E305 marks takes 2 arguments; "
    assert box('marks("abc", "a")').startswith("7:8 E408 marks takes a text map, found no rows; ")
    assert box('marks(["ab", "a"], "a")').startswith("7:8 E408 marks takes a text map, found rows of 1, 2 letters; ")
    assert box('marks(board, "$", omit="%")') == "7:31 E305 unknown option 'omit'; allowed here: on"
    assert box('marks(board, "$", on="cel")') == "7:8 E405 unknown type 'cel'; did you mean 'cell'?"
    assert box('mark(board, "$")') == "7:8 E405 this is no type; did you mean 'marks'?"

    def goal(written: str) -> str:
        way_out = 'objects of a map are a type: piece: marks(board, "ab")'
        return problem(PUSH.replace("GOAL", written)).replace(way_out, "-")

    assert goal("letter(me) == 'a'") == "25:7 E302 expected a mark on a map, found a value of `cell`; -"
    assert goal("origin(me + up) == me") == "25:7 E302 expected a mark on a map, found a value of `cell`; -"
    assert goal("origin([0, 1]) == me") == "25:7 E302 expected a mark on a map, found a list; -"
    assert goal("origin(box) == me") == "25:14 E306 `box` is a type, not a value; loop over it: ... for x in box"
    assert goal("origin(box[0], 1) == me") == "25:7 E305 origin takes 1 argument, found 2; "
    assert goal("origin(box[2]) == me") == "25:18 E314 `box` has no place 2; its places run from 0 to 1"
    assert goal("me == cell[0, 1]") == "25:13 E306 `cell` has one index, a place, found 2; write cell[number]"
    assert goal("me == cell[up]") == "25:18 E302 expected an integer, found an offset; "


def test_the_places_of_a_map_are_those_of_one_type() -> None:
    """The cells of that map; else those of the only board as large; else the one that is named."""
    two = PUSH.replace("GOAL", "me == origin(box[0]) and ANY").replace("ANY", ANY)
    two = two.replace("types:", 'types:\n  spot: cells(board, omit="$")')
    told = "the places of `board` may be those of spot or cell; "
    hint = 'marks(board, "...", on="cell") says so, if `cell` is a type of cells as large as the map'
    assert problem(two) == f"11:24 E302 {told}{hint}"
    other = two.replace("cells(board", "cells(other").replace("data:", "data:\n  other: [ab]")
    assert "no type of cells" in problem(other)
    named = two.replace('"$%")', '"$%", on="cell")').replace('"@")', '"@", on="cell")')
    assert load_text(named, "f.yaml").types["box"].values
    undefined = two.replace('"$%")', '"$%", on="spot")').replace('"@")', '"@", on="cell")')
    assert "expected a value of `cell`, found a value of `spot`" in problem(undefined)
    grid = PUSH.replace("GOAL", ANY).replace('cells(board, omit="#", plain=".")', 'grid(5, 5, wrap="both")')
    assert start_state(load_text(grid, "f.yaml"))["me", ()] == (1, 2)


def test_a_definition_by_the_name_of_the_maker_stays_what_it_is() -> None:
    """Such a file has no marks; its data are what they were."""
    text = """
puzzle: own
data: {nums: [1, 2], board: ["ab"]}
types:
  number: 0 .. marks(nums)
  other: 0 .. marks(nums) or none
state: {n: number = 0, m: other = none}
define:
  marks(a): a[1] + 1
actions:
  more: {effect: {n: n + 1}}
goal: n == 3
"""
    report = solve(load_text(text, "own.yaml"), Request("bfs"))
    assert (report.outcome, report.cost) == ("optimal", 3)
    assert problem(text.replace("0 .. marks(nums) or none", 'marks(board, "a") or none')).startswith("6:10 E405")
    mine = text.replace("marks(nums)", "3").replace("  marks(a): a[1] + 1", "  unused: 1").replace("other:", "marks:")
    assert load_text(mine.replace("m: other", "m: marks").replace("0 .. 3 or none", 'marks(board, "a") or none'), "f")


# -- warnings ----------------------------------------------------------------------------------------------------------


def warned(text: str) -> list[str]:
    return [f"{w.code} {w.message}; {w.hint}" for w in load_text(text, "f.yaml").warnings]


def test_letters_that_no_map_has_or_nothing_explains() -> None:
    text = PUSH.replace("GOAL", ANY)
    assert warned(text) == []
    assert warned(text.replace('"$%"', '"$%S"')) == ["W508 no map 'board' has the letter 'S'; "]
    assert warned(text.replace('"$%"', '"$"')) == []  # % stands on another level only, where it is a strange letter
    strange = "W502 on the map 'board', nothing says what '%' means; "
    assert [w for w in warned(text.replace('"$%"', '"$"').replace("  alike: {}\n", ""))] == [strange]
    filled = text.replace('"$%"', '"$%S"') + "accepts: {xsb: board}\n"
    assert warned(filled) == []  # of other files nothing is known


def test_reasons_name_marks_by_their_words(tmp_path: Path) -> None:
    path = tmp_path / "push.yaml"
    path.write_text(PUSH.replace("GOAL", "at[box[1]].col == 1"))
    done = run("explain", str(path), "--level", "apart")
    told = "the goal needs `at[%] in [[1, 1], [2, 1], [3, 1]]`, but at[%] is [2, 3] at the start"
    assert told in " ".join(done.out.split())
