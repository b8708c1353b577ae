"""What there is to see of a state: scenes from views and without them, as text, on terminals of every kind."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from puzzle_files import load_file

from models.loader import load_text
from models.puzzle import COLOURS, FRAMES, GROUNDS, Puzzle
from models.referee import start_state, successors
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.palette import GROUNDS as GROUND_COLOURS
from puzzlewright.pictures.palette import HEX, WHEEL, contrast, hex_of, ink, terminal_colours
from puzzlewright.pictures.scene import Scene, Spot, scene
from puzzlewright.pictures.text import Style, draw

ROOT = Path(__file__).parent.parent
PUZZLES = sorted((ROOT / "puzzles").glob("*.yaml"))
POND = """
puzzle: pond
data:
  board: ["#####", "#@.k#", "#.#E#", "#####"]
types:
  cell: cells(board, omit="#", plain=".")
  lit: [bright, dim]
state:
  at: cell = first(c for c in cell if board[c] == "@")
  lamp: lit = dim
actions:
  walk:
    params: {d: direction}
    effect:
      at: at + d
  switch:
    effect:
      lamp: bright if lamp == dim else dim
goal: board[at] == "E"
"""
VIEW = """view:
  board: c in cell
  glyph: ("@" if c == at else board[c])
"""
STACKS = """
puzzle: stacks
types:
  pile: [near, middle, far]
  level: 0 .. 1
state:
  on[p in pile, l in level]: 0 .. 3 = {start}
actions:
  grow:
    params: {{p: pile}}
    effect:
      on[p, 1]: on[p, 0]
goal: on[near, 1] == 3
"""


def first(text: str) -> tuple[Puzzle, Scene]:
    puzzle = load_text(text, "test")
    return puzzle, scene(puzzle, start_state(puzzle))


def library(name: str, level: str | None = None) -> Scene:
    puzzle = load_file(ROOT / "puzzles" / f"{name}.yaml", level)
    return scene(puzzle, start_state(puzzle))


# -- views -------------------------------------------------------------------------------------------------------------


def test_a_view_of_cells_with_defaults() -> None:
    _, found = first(POND + VIEW)
    assert draw(found) == ["", "    @  .  k", "    .     E"]
    assert found.spots[1, 1] == Spot("@", "blue", ground="floor", value=[1, 1])  # the first value, the first colour
    assert found.spots[1, 3] == Spot("k", "amber", ground="floor", value=[1, 3])
    assert found.spots[1, 2] == Spot(".", "", ground="floor", value=[1, 2])
    assert set(found.spots) == {(1, 1), (1, 2), (1, 3), (2, 1), (2, 3)} and (found.rows, found.cols) == (3, 4)


def test_every_key_of_a_board() -> None:
    keys = """  colour: red if glyph == "@" else board[c]
  piece: first(board[e] for e in cell if e == c and board[e] != ".")
  ground: goal if board[c] == "E" else cyan
  size: c.col if board[c] == "k"  else 0 - 1
  outside: wall
  caption: at {at}
"""
    _, found = first(POND + VIEW + keys)
    assert draw(found)[:2] == [" #  #  #  #  #", " #  @  .  k  #"]
    assert found.spots[0, 0] == Spot("#", ground="wall", value=[0, 0])
    assert found.spots[1, 1] == Spot("@", "red", "@", "cyan", 0, [1, 1])
    assert found.spots[1, 3] == Spot("k", "blue", "k", "cyan", 3, [1, 3])
    assert found.spots[2, 3].ground == "goal" and found.spots[1, 2].colour == "" and found.spots[1, 2].piece == ""
    assert found.caption == "at [1, 1]" and found.frame == ""


def test_nothing_stands_in_walls_and_where_the_colour_is_empty() -> None:
    view = """view:
  board: c in cell
  glyph: ("#" if board[c] == "k" else " " if board[c] == "E" else "x")
  colour: '"" if c == at else "red"'
"""
    _, found = first(POND + view)
    assert {place: (spot.glyph, spot.colour, spot.ground) for place, spot in found.spots.items()} == {
        (1, 1): ("x", "", "floor"), (1, 2): ("x", "red", "floor"), (1, 3): ("#", "", "wall"),
        (2, 1): ("x", "red", "floor"), (2, 3): (" ", "", "void")}  # fmt: skip


def test_a_word_of_the_file_goes_before_a_colour() -> None:
    """`red` is a datum here, so the colour has to be written as text."""
    text = POND.replace("data:\n", "data:\n  red: k\n")
    _, found = first(text + VIEW + '  colour: red if c == at else "red"\n')
    assert found.spots[1, 1].colour == "blue" and found.spots[1, 3].colour == "red"


def test_what_is_undefined_is_drawn_by_its_default() -> None:
    keys = "".join(f"  {key}: board[c + up]\n" for key in ("colour", "piece"))
    view = "view:\n  board: c in cell\n  glyph: board[c + left]\n  caption: '{board[at + up]}'\n" + keys
    _, found = first(POND + view)
    assert [found.spots[place].glyph for place in ((1, 1), (1, 2), (2, 3))] == ["?", "@", "?"]
    assert found.caption == "?"
    assert found.spots[1, 1].piece == "" and found.spots[1, 1].colour != ""


def test_colours_do_not_change_from_state_to_state() -> None:
    """Also of values that the start does not show: by a hash that is the same in every run."""
    puzzle, start = first(POND + VIEW + "  colour: lamp\n")
    states = [state for step, state in successors(puzzle, start_state(puzzle)) if step.action == "switch"]
    lit = scene(puzzle, states[0])
    again = load_text(POND + VIEW + "  colour: lamp\n", "test")
    assert {spot.colour for spot in start.spots.values() if spot.colour} == {"blue"}
    assert len(late := {spot.colour for spot in lit.spots.values() if spot.colour}) == 1 and late <= {*WHEEL[1:]}
    assert scene(again, states[0]) == lit


def test_colours_are_all_different_while_there_are_enough() -> None:
    puzzle = load_file(ROOT / "puzzles" / "rush_hour.yaml")
    found = {spot.piece: spot.colour for spot in scene(puzzle, start_state(puzzle)).spots.values() if spot.colour}
    assert len(found) == len(set(found.values())) == 12 and found["X"] == "red"


def test_lines_in_place_of_a_board() -> None:
    _, found = first(POND + "view:\n  lines: ['lamp {lamp}', 'at {at.row}, {{x}} {board[at + up]}']\n")
    assert found == Scene({}, "", ("lamp dim", "at 1, {x} ?"))
    assert draw(found) == ["lamp dim", "at 1, {x} ?"]


# -- stacks ------------------------------------------------------------------------------------------------------------


def test_stacks_stand_side_by_side() -> None:
    view = "view:\n  board: p in pile, l in level\n  glyph: on[p, l]\n  frame: peg\n"
    _, found = first(STACKS.format(start="l + 1") + view)
    assert draw(found) == [" 2  2  2", " 1  1  1"] and found.frame == "peg"
    assert found.spots[0, 0] == Spot("2", "blue", size=2, value=["near", 1])  # level 1 is above, and `peg` makes bars
    assert found.spots[1, 2] == Spot("1", "amber", size=1, value=["far", 0])


def test_one_stack_lies_down_from_the_top() -> None:
    found = library("pancake")
    assert found.frame == "box" and found.cols == 1 and found.rows == 8
    assert [found.spots[row, 0].size for row in range(8)] == [int(found.spots[row, 0].glyph) + 1 for row in range(8)]


# -- without a view ----------------------------------------------------------------------------------------------------


def test_the_first_array_over_cells_is_a_board() -> None:
    text = POND.replace("  lamp: lit = dim", "  lamp: lit = dim\n  wet[c in cell]: 0 .. 9 = c.row")
    _, found = first(text)
    assert draw(found) == ["", "    1  1  1", "    2     2"] and found.spots[2, 3].value == [2, 3]


def test_a_lone_array_is_a_row_or_stacks() -> None:
    _, stacks = first(STACKS.format(start="l"))
    assert draw(stacks) == [" 1  1  1", " 0  0  0"] and stacks.spots[1, 0].value == ["near", 0]
    row = STACKS.format(start="3 - l").replace("p in pile, l in", "l in").replace("[p, ", "[").replace("[near, ", "[")
    _, found = first(row)
    assert draw(found) == [" 3  2"] and found.spots[0, 1].value == 1


def test_else_the_state_is_listed() -> None:
    """An array over words says less as a row than with its words; several variables are no board at all."""
    text = STACKS.format(start="0").replace("p in pile, l in level", "p in pile").replace(", 1]", "]")
    _, found = first(text.replace("[p, 0]", "[p]"))
    assert draw(found) == ["on[near] = 0  on[middle] = 0  on[far] = 0"]
    _, several = first(POND)
    assert draw(several) == ["at = [1, 1]", "lamp = dim"]


# -- looks -------------------------------------------------------------------------------------------------------------

PLACES = """
puzzle: places
data: {board: ["o.#. A"]}
types: {cell: cells(board)}
state: {it: bool = true}
actions: {do: {effect: {it: true}}}
goal: it
view:
  board: c in cell
  glyph: board[c]
  colour: '"" if glyph == "A" else "red"'
  look: 'crate if c.col == 3 else peg'
"""


def test_a_look_is_seen_where_it_can_be() -> None:
    """On a thing; where nothing stands only one that is for such places; never in a wall or in the void."""
    puzzle = load_text(PLACES, "places")
    looks = [spot.look for _, spot in sorted(scene(puzzle, start_state(puzzle)).spots.items())]
    assert looks == ["peg", "peg", "", "", "", "peg"]  # o . # . blank A


def test_what_has_a_name_as_a_target_is_a_goal() -> None:
    named = PLACES + '  target: \'"exit" if c.col < 3 else ""\'\n'
    for more, grounds in (
        ("", ["goal"] * 3),
        ("  ground: '\"cyan\" if c.col == 0 else floor'\n", ["cyan", "floor", "floor"]),
    ):
        seen = scene(load_text(named + more, "places"), {("it", ()): True})
        spots = [seen.spots[0, col] for col in range(4)]
        assert [spot.target for spot in spots] == ["exit"] * 3 + [""]
        assert [spot.ground for spot in spots[:3]] == grounds


# -- the library -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PUZZLES, ids=lambda path: path.stem)
def test_every_library_puzzle_is_seen(path: Path) -> None:
    """Words that every renderer knows, nothing undefined; and the same board after a step."""
    puzzle = load_file(path)
    state = start_state(puzzle)
    after = next((state for _, state in successors(puzzle, state)), state) if path.stem not in SLOW else state
    now, then = scene(puzzle, state), scene(puzzle, after)
    assert now.spots and set(now.spots) == set(then.spots)
    assert now.frame in ("", *FRAMES) and "?" not in now.caption
    for spot in [*now.spots.values(), *then.spots.values()]:
        assert spot.colour in ("", *COLOURS) and spot.ground in (*GROUNDS, *COLOURS) and spot.size >= 0
        assert spot.glyph != "?" and (spot.colour or not spot.piece)
    assert any(spot.colour for spot in [*now.spots.values(), *then.spots.values()])


SLOW = ("vehicles", "rush_hour", "klotski", "ma")  # joint moves, or many conditions for the referee to walk


@pytest.mark.parametrize(
    ("name", "level", "sizes"),
    [
        ("klotski", "hua-rong-dao", {1: 4, 2: 5, 4: 1}),
        ("ma", None, {1: 1, 2: 4, 3: 4}),
        ("rush_hour", None, {2: 11, 3: 1}),
        ("bloxorz", None, {1: 1}),
    ],
)
def test_pieces_of_several_places(name: str, level: str | None, sizes: dict[int, int]) -> None:
    pieces = [spot.piece for spot in library(name, level).spots.values() if spot.piece]
    areas = [pieces.count(piece) for piece in dict.fromkeys(pieces)]
    assert {size: areas.count(size) for size in sorted(set(areas))} == sizes


def test_grounds_of_the_library() -> None:
    sokoban, klotski = library("sokoban"), library("klotski", "hua-rong-dao")
    assert sum(spot.ground == "goal" for spot in sokoban.spots.values()) == 3
    assert sum(spot.ground == "wall" for spot in sokoban.spots.values()) == 28 and len(sokoban.spots) == 49
    assert {place for place, spot in klotski.spots.items() if spot.ground == "goal"} == {(3, 1), (3, 2), (4, 1), (4, 2)}
    assert [spot.glyph for spot in library("bloxorz").spots.values() if spot.ground == "goal"] == ["O"]
    assert [spot.glyph for spot in library("ricochet").spots.values() if spot.ground == "goal"] == ["+"]


def test_hanoi_has_bars() -> None:
    assert {spot.size for spot in library("hanoi").spots.values()} == {0, 1, 2, 3, 4, 5}


# -- colours -----------------------------------------------------------------------------------------------------------


def test_every_word_is_a_colour_that_can_be_written_on() -> None:
    assert set(HEX) == set(COLOURS) and set(GROUND_COLOURS) == set(GROUNDS) - {"void"} and set(WHEEL) <= set(COLOURS)
    assert len(set(WHEEL)) == len(WHEEL)
    for word in (*HEX, *GROUND_COLOURS):
        assert contrast(ink(hex_of(word)), hex_of(word)) >= 4.5


def test_contrast_as_published() -> None:
    """Black on white is 21; #767676 is the lightest grey that white may carry (4.54), #777777 is too light (4.48)."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#ffffff", "#777777") == pytest.approx(4.48, abs=0.01)


def test_terminal_colours() -> None:
    """Cube colours: 16 + 36 r + 6 g + b. #fafafa is nearest to 5, 5, 5, #3b7dd8 to 1, 2, 4 (95, 135, 215)."""
    assert terminal_colours("white") == (231, 16) and terminal_colours("blue")[0] == 16 + 36 + 12 + 4


# -- text --------------------------------------------------------------------------------------------------------------

BEFORE = Scene(
    {(0, 0): Spot("a", "red"), (0, 1): Spot("."), (0, 2): Spot("#", ground="wall"), (1, 2): Spot("é", "blue")}
)
AFTER = Scene({**BEFORE.spots, (0, 0): Spot("."), (0, 1): Spot("a", "red")})


def test_changed_places_stand_in_brackets() -> None:
    assert draw(BEFORE) == [" a  .  #", "       é"]
    assert draw(AFTER, BEFORE) == ["[.][a] #", "       é"]


def test_a_terminal_with_colour() -> None:
    red, wall = terminal_colours("red"), terminal_colours("wall")
    marked, painted = f"\x1b[1;38;5;{red[1]};48;5;{red[0]}m[a]\x1b[0m", f"\x1b[38;5;{wall[1]};48;5;{wall[0]}m # \x1b[0m"
    assert draw(AFTER, BEFORE, Style(colour=True))[0] == f"\x1b[1;33m[.]\x1b[0m{marked}{painted}"


def test_equal_things_side_by_side_are_no_slab() -> None:
    """A gap to the left, a line below; none within a piece, nor between layers in a tube."""
    one, other = Spot("G", "red", "one"), Spot("G", "red", "other")
    scene_ = Scene({(0, 0): one, (0, 1): one, (0, 2): other, (1, 0): other, (1, 1): Spot("H", "blue")})
    paint, blue = ("38;5;{1};48;5;{0}m".format(*terminal_colours(word)) for word in ("red", "blue"))
    above, below = draw(scene_, None, Style(colour=True))
    assert above == f"\x1b[4;{paint} G \x1b[0m\x1b[{paint} G \x1b[0m \x1b[{paint}G \x1b[0m"
    assert below == f"\x1b[{paint} G \x1b[0m\x1b[{blue} H \x1b[0m"
    tubes = Scene({(0, 0): Spot("1", "red"), (0, 1): Spot("1", "red"), (1, 0): Spot("1", "red")}, frame="tube")
    assert draw(tubes, None, Style(colour=True))[0] == f"\x1b[{paint} 1 \x1b[0m \x1b[{paint}1 \x1b[0m"


def test_columns_that_do_not_fit_are_left_out() -> None:
    assert draw(BEFORE, None, Style(columns=9)) == draw(BEFORE)
    assert draw(BEFORE, None, Style(columns=8)) == [" a  .", "", "(1 more column: the terminal is too narrow)"]
    assert draw(BEFORE, None, Style(columns=1)) == [" a", "", "(2 more columns: the terminal is too narrow)"]


def test_wide_letters_keep_the_columns() -> None:
    wide = Scene({(0, 0): Spot("漢"), (0, 1): Spot("a"), (1, 0): Spot("e\u0301"), (1, 1): Spot("b")})
    assert [width(line) for line in draw(wide)] == [7, 7]
    assert draw(wide, None, Style(encoding="ascii")) == [" ?  a", " e  b"]


def test_letters_that_an_encoding_lacks() -> None:
    assert encodable("│─└┘┌┐├┤┬┴┼╵╷╴╶", "ascii") == "|-LJF7E3TW+',<>"
    assert encodable("né → ü… █", "ascii") == "ne > u~ #"
    assert encodable("né → 漢", "latin-1") == "né > ?"
    assert encodable("né → 漢", "utf-8") == "né → 漢"
    assert encodable("a\x1b[2J\x07\x9b", "utf-8") == "a?[2J??"  # a puzzle's texts do not command the terminal
    assert encodable("a\u202eb\u2067c\u2069", "utf-8") == "abc"  # nor turn what stands behind them
    assert encodable("\u05d0\u200f", "utf-8") == "\u05d0\u200f"  # Hebrew, with its mark, stays


# -- the command line --------------------------------------------------------------------------------------------------

HANOI = ("solve", "hanoi", "--set", "disks=2", "--reproducible")
COMMAND = [sys.executable, "-m", "puzzlewright"]


def piped(*words: str, **environment: str) -> str:
    run = subprocess.run(
        [*COMMAND, *words], env={**os.environ, **environment}, cwd=ROOT, capture_output=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.decode(environment.get("PYTHONIOENCODING", "utf-8"))


def on_terminal(*words: str, columns: int = 80, interrupt: str = "", **environment: str) -> str:
    """What a terminal is sent; Ctrl-C is pressed when `interrupt` is on it."""
    own, other = pty.openpty()
    surroundings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40", **environment}
    if "NO_COLOR" not in environment:
        surroundings.pop("NO_COLOR", None)
    process = subprocess.Popen([*COMMAND, *words], env=surroundings, cwd=ROOT, stdout=other, stderr=subprocess.DEVNULL)
    os.close(other)
    sent, limit = b"", time.monotonic() + 300
    while time.monotonic() < limit and select.select([own], [], [], 300)[0]:
        try:
            chunk = os.read(own, 65536)
        except OSError:  # the other end is closed
            break
        sent += chunk
        if interrupt and interrupt.encode() in sent:
            process.send_signal(signal.SIGINT)
            interrupt = ""
    os.close(own)
    assert process.wait(10) == 0
    return sent.decode()


@pytest.mark.slow
def test_a_pipe_gets_no_colours_and_no_film() -> None:
    plain = piped(*HANOI)
    assert "\x1b" not in plain and "1. 1 from 1 to 2\n  [.] .  .\n   2 [1] .\n" in plain
    assert piped(*HANOI, "--animate") == plain


def test_a_speed_is_that_of_a_film() -> None:
    run = subprocess.run([*COMMAND, *HANOI, "--speed", "3"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 2 and "--speed is for --animate" in run.stderr


def test_ascii() -> None:
    words = ("solve", "pipes", "--level", "bend", "--reproducible")
    assert "start: wet: 2 squares\n   │  ┐\n   └  │\n" in piped(*words)
    told = piped(*words, "--ascii")
    assert told.isascii() and "start: wet: 2 squares\n   |  7\n   L  |\n" in told
    assert piped(*words, PYTHONIOENCODING="latin-1") == told


def test_a_terminal_is_coloured_unless_it_says_no() -> None:
    red = "\x1b[38;5;{1};48;5;{0}m".format(*terminal_colours("blue"))
    assert red in on_terminal(*HANOI)
    assert "\x1b" not in on_terminal(*HANOI, NO_COLOR="1")
    assert "\x1b" not in on_terminal(*HANOI, "--animate", TERM="dumb")


def test_a_narrow_terminal_keeps_whole_rows() -> None:
    lines = on_terminal(*HANOI, columns=9, NO_COLOR="1").splitlines()
    start = lines.index("start")
    assert lines[start + 1 : start + 4] == ["   1  .", "   2  .", "  (1 more column: the terminal is too narrow)"]


def test_a_film_ends_with_the_goal() -> None:
    sent = on_terminal(*HANOI, "--animate", "--speed", "60", NO_COLOR="1")
    frames = re.findall(r"(?:start|\d+\. \S+ from \d to \d)", sent)
    assert list(dict.fromkeys(frames)) == ["start", "1. 1 from 1 to 2", "2. 2 from 1 to 3", "3. 1 from 2 to 3"]
    assert "optimal: 3 steps" in sent[sent.index("3. 1 from 2 to 3") :] and "\x1b[?25h" in sent  # the cursor is back


def test_ctrl_c_ends_the_film_and_not_the_answer() -> None:
    sent = on_terminal(*HANOI, "--animate", "--speed", "1", interrupt="1. 1 from 1 to 2")
    assert "2. 2 from 1 to 3" not in sent and "optimal: 3 steps" in sent and "Traceback" not in sent
