"""Level files that are not what they seem: each is read right or refused with its place, and nothing crashes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from level_texts import ALL, CARD, CARD_ROWS, DAO, ONE, PUZZLE, SLC, complaint, level_of
from running import run

from models.document import read_document
from models.errors import PuzzleError, render
from models.level_files import FORMATS, LevelFile, level_numbers, with_level
from puzzlewright.files.level_text import LARGEST, level_text


def numbers(text: str, accepts: str) -> list[str]:
    return level_numbers(read_document(PUZZLE.format(accepts=ALL[accepts]), "any.yaml"), LevelFile(text, "levels.txt"))


# -- Sokoban boards that are not whole ---------------------------------------------------------------------------------

OPEN = "an open board: no wall keeps the keeper from leaving it here"


@pytest.mark.parametrize(
    ("board", "wanted"),
    [
        ("#####\n#@$.\n#####", f"2:4 E503 {OPEN}"),  # behind a row's end
        ("#####\n# @$.\n#####", f"2:5 E503 {OPEN}"),
        ("#### \n#@$.#\n#  ##\n# ###", f"4:2 E503 {OPEN}"),  # below
        ("# ###\n# @$.#\n######", f"1:2 E503 {OPEN}"),  # above, where the row is shorter
        ("#####\n @$.#\n#####", f"2:1 E503 {OPEN}"),  # to the left
        ("#####\n#@$.*\n#####", f"2:5 E503 {OPEN}"),  # a box is no wall
        ("#####\n# $.#\n#####", "1:1 E503 no keeper stands on this board"),
        ("#####\n#@$+#\n#####", "2:4 E503 a second keeper"),
        ("######\n#@$$.#\n######", "2:3 E503 2 boxes, and stores for 1"),
        ("######\n#@$*$#\n######", "2:3 E503 3 boxes, and stores for 1"),
        ("######\n#@ $ #\n######", "2:4 E503 1 boxes, and stores for 0"),
    ],
)
def test_boards_that_are_not_whole(board: str, wanted: str) -> None:
    assert complaint(board, "xsb").startswith(wanted)
    beside = f"; good\n{board}\n\n" + "\n".join(ONE)
    assert level_of(beside, "xsb", "2") == {"board": ONE}  # does no harm to another board


@pytest.mark.parametrize(
    ("board", "wanted"),
    [
        ("1#####\n2#@$.#\n3#####", "1:1 E503 is this a number of letters? Other rows have each letter written out"),
        ("1 #####\n2 #@$.#\n3 #####", "1:1 E503 is this a number of letters?"),
        ("######\n#@1 .#\n######", "2:3 E503 is this a number of letters?"),  # a box with a number
        ("#####\n#@$.#\n5#", "3:1 E503 is this a number of letters?"),
        ("5#|#@0-$.#|5#", "1:6 E503 a letter stands here no times"),
        ("5# | #@$.# | 5#", "1:4 E503 are the blanks beside this | floor? | write - for floor, no blanks beside |"),
    ],
)
def test_numbers_that_may_be_something_else(board: str, wanted: str) -> None:
    assert complaint(board, "xsb").startswith(wanted)
    assert level_of("5#\n#@$.#\n5#", "xsb") == level_of(" 5#\n #@$.#\n 5#".replace(" ", ""), "xsb") == {"board": ONE}


def test_boxes_on_stores_that_nobody_reaches() -> None:
    """Corners of a board as on the Sokoban wiki."""
    assert level_of("*###*\n#@$.#\n*###*", "xsb") == {"board": ["*###*", "#@$.#", "*###*"]}


BLANK = "a blank row inside a board | write - for a row of floor, or a comment such as ; 2 between two boards"


@pytest.mark.parametrize(
    ("board", "line"),
    [
        ("#####\n#@  #\n\n# $.#\n#####", 3),
        ("#####\n#   #\n\n#@$.#\n#####", 3),
        ("#####\n#@$.#\n\n#####", 3),
        ("####\n#@ #\n\n\n#$ #\n#. #\n####", 3),
        ("\n\n".join(["#####", "#@$.#", "#####"]), 2),
    ],
)
def test_a_blank_row_is_inside_a_board(board: str, line: int) -> None:
    """Two parts of which neither is a board of its own are one board, whichever of them is asked for."""
    assert complaint(board, "xsb") == f"{line}:1 E503 {BLANK}"
    assert numbers(board, "xsb") == ["1"]
    both = f"{board}\n\n; next\n" + "\n".join(ONE)
    assert level_of(both, "xsb", "2") == level_of(both, "xsb", "next") == {"board": ONE}
    assert numbers(board.replace("\n\n", "\n;\n"), "xsb") != ["1"]  # with text between, they are two


def test_boards_of_their_own_are_not_joined() -> None:
    """Blank lines stand between whole boards, and beside a slip as well."""
    one = "\n".join(ONE)
    slips = [
        "#####\n#@x.#\n#####",
        "#####\n# $.#\n#####",
        "#####\n#@$@#\n#####",
        "####\n#@ #\n#$",
        "#   #\n# $.#\n#   #",
    ]
    for slip in slips:
        for text, good in ((f"{one}\n\n{slip}\n\n{one}", "13"), (f"{slip}\n\n{one}\n\n{slip}", "2")):
            assert numbers(text, "xsb") == ["1", "2", "3"]
            assert all(level_of(text, "xsb", number) == {"board": ONE} for number in good)


def test_a_board_without_a_keeper_does_not_lend_its_boxes() -> None:
    """Dashes join scenery to a board, but nothing with boxes or stores: it is a level, and a wrong one."""
    text = "#####\n# $.#\n#####\n-----\n" + "\n".join(ONE)
    assert complaint(text, "xsb", "1").startswith("1:1 E503 no keeper")
    assert level_of(text, "xsb", "2") == {"board": ONE}
    assert complaint("#####\n#@  #\n-----\n#@$.#\n#####", "xsb").startswith(f"2:2 E503 {OPEN}")
    assert complaint("#####\n#@$.#\n#####\n-\n" + "\n".join(ONE), "xsb") == "6:2 E503 a second keeper"


# -- Rush Hour ---------------------------------------------------------------------------------------------------------


def test_rush_hour_in_rows() -> None:
    text = "# the first\n" + "\n".join(CARD_ROWS) + "\n\n; small\n__BB\n-AAC\noxxC\n"
    assert level_of(text, "rush-hour", "the first") == {"board": CARD_ROWS, "target": "X"}
    assert level_of(text, "rush-hour", "small") == {"board": ["..BB", ".AAC", ".xxC"], "target": "A"}
    assert level_of("002200\n003000\n113004\n503004\n500004\n500000", "rush-hour") == {
        "board": ["..22..", "..3...", "113..4", "5.3..4", "5....4", "5....."],
        "target": "1",
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("AA..\n..BB.\n", "2:1 E503 this row has 5 places, the first one 4"),
        ("AA..\n.|BB\n", "2:2 E503 '|' is no letter of a board"),
        ("A A .\n. B B\n", "1:2 E503 ' ' is no letter of a board"),
        ("AA..\n00BB\n", "2:1 E503 0 is an empty place only where cars are digits"),
        ("aa..\nxxb.\n..b.\n", "2:1 E503 o is an empty place and x a wall: write cars in capitals"),
        ("BB..\n..CC\n", "1:1 E503 it is not told which car is to get out | call it X or A, or name it with --set"),
        ("11..\nAA..\n", "1:1 E503 it is not told which car is to get out"),
        ("#AA.\n.BB.\n", "1:1 E503 is this a row or a comment?"),
        ("XX..\nB..B\n....", "2:4 E503 'B' stands here too, apart from that car or beside it | a car is in one row"),
        ("XX..\nBB..\nB...", "3:1 E503 'B' stands here too"),  # bent
        ("XX..\nBB..\nBB..", "3:1 E503 'B' stands here too"),
        ("XX.B\n...B\nXX.C\n...C", "3:1 E503 'X' stands here too"),  # two boards that touch
        ("XX..\n...B\n....", "2:4 E503 'B' stands at one place only | a car is two places long or longer"),
        (CARD.replace(".", "O"), "1:8 E503 'O' stands here too"),
        ("AA.B\n\nCC.B\n....", "2:1 E503 a blank row inside a board"),
        ("BB..\n\nAA..\n....", "2:1 E503 a blank row inside a board"),
    ],
)
def test_rush_hour_boards_that_are_refused(text: str, wanted: str) -> None:
    assert complaint(text, "rush-hour").startswith(wanted)


def test_the_user_may_name_the_car() -> None:
    text = "BB..\n..CC\n"
    assert level_of(text, "rush-hour", settings={"target": "C"}) == {"board": ["BB..", "..CC"]}
    assert level_of(text, "rush-hour: board") == {"board": ["BB..", "..CC"]}  # a puzzle that takes no target


# -- Klotski and Bloxorz -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("+--+\n|AA|\n|..|\n+--+", "1:1 E503 '+' is no letter of a board"),
        ("ABBC\nABBC\nDEEF\nDGHF", "1:1 E503 there is no empty place on this board"),
        ("SBBS\nSBBS\nS..S", "1:4 E503 'S' stands for blocks that do not touch: each has a letter of its own"),
        ("AAB//..B", "1:4 E503 a row has letters in it"),
        ("\n".join(DAO[:3]) + "\n\n" + "\n".join(DAO[3:]), "4:1 E503 a blank row inside a board"),
        ("0,3,3,0\n1,3,3,1\n\n1,0,0,1", "3:1 E503 a blank row inside a board"),
        ("3,3,2\n3,3,\n0,0,2", "2:4 E503 nothing stands beside this comma | write 0 for an empty place"),
        ("3,3,2\n3,3,2\n0,,2", "3:2 E503 nothing stands beside this comma"),
        (",3,3\n2,3,3\n0,0,2", "1:1 E503 nothing stands beside this comma"),
    ],
)
def test_klotski_boards_that_are_refused(text: str, wanted: str) -> None:
    assert complaint(text, "klotski").startswith(wanted)


def test_kinds_are_whole_blocks(tmp_path: Path) -> None:
    """Digits of another numbering are no kind grid: a 3 is two by two. The first board is one step from its exit."""
    path = tmp_path / "kinds.txt"
    path.write_text("3,3,2\n3,3,2\n0,0,2\n", encoding="utf-8")
    assert run("solve", "klotski", "--level-file", path, "--set", "exit=1,0", "--json").json["cost"] == 1
    for other in ("2112\n2112\n2332\n2442\n4004", "1223\n1223\n4556\n4786\n9..0", "332\n332\n..4"):
        path.write_text(other, encoding="utf-8")
        found = run("solve", "klotski", "--level-file", path, "--set", "exit=1,0", "--json").json
        assert (found["outcome"], found["diagnostics"][0]["code"]) == ("invalid-input", "E412")
        assert "s not in kind" in found["diagnostics"][0]["message"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("111\n1S1\n\n111\n191", "3:1 E503 a blank row inside a board"),
        ("S11\n191\n\n111\n111", "3:1 E503 a blank row inside a board"),
        ("S11\n111", "1:1 E503 there is no hole on this map"),
        ("11 1\n1S19", "1:3 E503 ' ' is no letter of a map"),
    ],
)
def test_bloxorz_maps_that_are_refused(text: str, wanted: str) -> None:
    assert complaint(text, "bloxorz").startswith(wanted)


def test_a_start_is_told_by_the_map_or_by_the_user(tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    path.write_text("1110000000\n1111110000\n1111111110\n0111111111\n0000011911\n0000001110\n", encoding="utf-8")
    found = run("solve", "bloxorz", "--level-file", path, "--json").json
    assert (found["outcome"], found["diagnostics"][0]["message"]) == (
        "invalid-input",
        "it is not told where the block starts",
    )
    assert run("solve", "bloxorz", "--level-file", path, "--set", "start=1,1", "--json").json["cost"] == 7


# -- numbers and tubes -------------------------------------------------------------------------------------------------

THREE = ["1", "2", "3", "4", "0", "5", "7", "8", "6"]
SIZES = {"rows": "3", "cols": "3"}


@pytest.mark.parametrize(
    "text",
    [
        "3\n 1  2  3 \n 4  0  5 \n 7  8  6 \n\n",
        "3\n\n1 2 3\n4 0 5\n7 8 6",
        "3\n1 2 3 4 0 5 7 8 6\n",
        "1 2 3\n4 0 5\n7 8 6",
        "[[1,2,3],[4,0,5],[7,8,6]]",
        "[\n [1, 2, 3],\n [4, 0, 5],\n [7, 8, 6]\n]",
        "1 2 3; 4 _ 5; 7 8 6",
    ],
)
def test_tiles_in_rows(text: str) -> None:
    assert level_of(text, "numbers") == {"board": THREE, **SIZES}
    assert level_of(f"# a\n0 1\n2 3\n; b\n{text}", "numbers", "b") == {"board": THREE, **SIZES}


def test_the_first_row_of_a_board_is_no_board() -> None:
    """The first row of this 4 x 4 board would make a 2 x 2 one."""
    rows = ["0 1 2 3", "5 6 7 4", "9 10 11 8", "13 14 15 12"]
    wanted = {"board": " ".join(rows).split(), "rows": "4", "cols": "4"}
    for text in ("4\n" + "\n".join(rows), "\n".join(rows)):
        assert level_of(text, "numbers") == wanted
        assert complaint(text, "numbers", "2").startswith("E409")
    assert level_of("0 1 2 3 4 5 6 7\n8 9 10 11 12 13 14 15", "numbers")["rows"] == "2"
    both = "2\n0 1\n2 3\n3\n1 2 3\n4 0 5\n7 8 6\n"
    assert level_of(both, "numbers", "2") == {"board": THREE, **SIZES}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3\n1 2 3\n4 0 5\n7 8", "4:1 E503 this row has 2 tiles, not 3"),
        ("3\n1 2 3\n4 0 5\n", "1:1 E503 a board of 3 rows, and 2 are here"),
        ("3\n", "1:1 E503 a board of 3 rows, and 0 are here"),
        ("999999\n1 0", "1:1 E503 a board of 999999 rows, and 1 are here"),
        ("2\n1 2\n2 0", "3:1 E503 the tile 2 stands here again"),
        ("1 2 3\n4 0 5\n7 8", "3:1 E503 this row has 2 tiles, the first one 3"),
        ("1 2 3 4 0 5 7 8 9", "1:17 E503 the tile 9 on a board of 9 | the numbers from 0, which is the gap, each once"),
        ("1 2 _ x", "1:7 E503 the tile 0 stands here again"),
        ("0 1 2\n3 4 5\n\n6 7 8", "3:1 E503 a blank row inside a board"),
        ("1 2 3 4\n5 6 7 8\n9 A B C\nD E F 0", "3:3 E503 'A' is no tile"),  # the first row is no board of 2 x 2
        ("0 1 2 3\n4 5 6 7\n8 9 A B\nC D E F", "3:5 E503 'A' is no tile"),
        ("5 4 6 7\n3 0 1 2\n5 4 6 7\n3 0 1 2", "3:1 E503 the tile 5 stands here again"),  # nor is the last
        (" 0\n2 1", "1:1 E503 a board of one place"),
        ("0", "1:1 E503 a board of one place"),
        ("1\n0", "1:1 E503 a board of one place"),
        ("[[1,2,3,0],[0,1,2,3]]", "1:13 E503 the tile 0 stands here again"),
    ],
)
def test_tiles_that_are_refused(text: str, wanted: str) -> None:
    assert complaint(text, "numbers").startswith(wanted)


def test_which_end_of_a_tube_comes_first() -> None:
    """It is asked for where it matters: not for texts, and not for tubes that are the same ones when turned over."""
    lists = '{"bottles":[["1","2","3","1"],["2","3","1","2"],["3","1","2","3"],[],[]]}'
    asked = "1:1 E503 are the units listed with the bottom or with the top first? | say it with --level-format "
    for text in (lists, lists[11:-1], "- [1, 2]\n- [1, 1]\n- []", "[[red, green], [blue]]"):
        assert complaint(text, "tubes") == f"{asked}tubes:bottom-first or tubes:top-first"
    assert level_of(lists, "tubes", format="tubes:bottom-first")["board"] == ["1231", "2312", "3123", "", ""]
    assert level_of(lists, "tubes", format="tubes:top-first")["board"] == ["1321", "2132", "3213", "", ""]
    assert level_of("122 211 _", "tubes", format="tubes:top-first")["board"] == ["221", "112", ""]
    assert level_of("[[1, 2], [2, 1], []]", "tubes")["board"] == ["12", "21", ""]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[[1, 2, null, null], [2, 1, null, null]]", "1:1 E503 a tube that holds 'null'"),
        ("[[1, 2], [2, 1], [0, 0]]", "1:1 E503 a tube that holds '0'"),
        ('["12", "21", ".."]', "1:1 E503 a tube that holds '.'"),
        ('[["", "1"], ["1", ""]]', "1:1 E503 a tube that holds ''"),
        ("1212\n2121\n_\n", "1:1 E503 a level has several tubes"),
        ("# 12 21", "1:1 E503 is this a tube or a comment? | a line that begins with ; is a comment"),
        ("12 21 # easy", "1:7 E503 is this a tube or a comment?"),
        ("12 21 ; easy", "1:7 E503 is this a tube or a comment?"),
        ("tubes: 12 21", "1:6 E503 ':' is no letter of a tube"),
        ('{"a": [[1, 1]], "b": 2}', "1:1 E503 this is no list of tubes"),
        ('{"a": {"b": [[1, 1]]}}', "1:1 E503 this is no list of tubes"),
        ("- 1123\n- 2231\n\n- 3312\n- ''", "3:1 E503 a blank row inside a board"),
        ("- [red, blue]\n- [red]\n\n- [blue]", "3:1 E503 a blank row inside a board"),
        ("- 12\n- 21\n\n- ''\n- ''", "3:1 E503 a blank row inside a board"),
        ("[[1, 2], [2, 1]", "1:1 E001"),
    ],
)
def test_tubes_that_are_refused(text: str, wanted: str) -> None:
    assert complaint(text, "tubes").startswith(wanted)


# -- bytes -------------------------------------------------------------------------------------------------------------


def test_encodings(tmp_path: Path) -> None:
    """SLC is in the encoding that it declares; a mark tells UTF-16; names in other encodings do no harm."""
    text = SLC.replace('"one"', '"Ünö 😀"').replace("ISO-8859-1", "{}")
    path = tmp_path / "levels.slc"
    for encoding, written in (("ISO-8859-1", None), ("windows-1252", None), ("utf-8", None), ("koi8-r", None),
                              ("UTF-16", "utf-16"), ("UTF-8", "utf-8-sig"), ("us-ascii", None)):  # fmt: skip
        title = "Ünö 😀".encode(encoding, "ignore").decode(encoding)
        path.write_bytes(text.format(encoding).replace("Ünö 😀", title).encode(written or encoding))
        assert level_of(level_text(path.read_bytes(), "a"), "xsb", title.strip()) == {"board": ONE}
    assert run("solve", "sokoban", "--level-file", path, "--level", title.strip(), "--json").json["cost"] == 1
    for wrong, wanted in (
        ("utf-8", '1:43 E503 this file is not in the encoding "utf-8" that it declares'),
        ("rot13", '1:1 E503 the encoding "rot13" that this file declares is not known'),
        ("utf-99", '1:1 E503 the encoding "utf-99" that this file declares is not known'),
    ):
        path.write_bytes(f'<?xml version="1.0" encoding="{wrong}"?><!--\xe9-->'.encode("latin-1"))
        (found,) = run("solve", "sokoban", "--level-file", path, "--json").json["diagnostics"]
        told = f"{found['line']}:{found['column']} {found['code']} {found['message']}"
        assert told.replace("'", '"') == wanted


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    assert level_text("; Andr\xe9\n#".encode("latin-1"), "a") == "; Andr\ufffd\n#"
    assert level_of("; Andr\ufffd\n" + "\n".join(ONE), "xsb") == {"board": ONE}
    hint = "level files are in UTF-8, in UTF-16 with a mark, or in the encoding that XML declares"
    assert complaint("\ufffd1 1\ufffd", "tubes") == f"1:1 E503 the character U+FFFD is no text | {hint}"
    assert complaint("1\0002\0000", "tubes").startswith("1:2 E503 the character U+0000 is no text")
    assert level_of("\n".join(ONE) + "\n\x1a", "xsb") == {"board": ONE}
    path = tmp_path / "large.txt"
    path.write_bytes(b"#" * (LARGEST + 1))
    found = run("levels", "sokoban", "--level-file", path, "--json").json["diagnostics"][0]
    assert (found["code"], found["message"]) == ("E014", "a level file has at most 16 MB")
    assert complaint("\n" * 2_000_001, "xsb").startswith("E014 a level file has at most 2,000,000 ends of lines")
    assert complaint("#" * (1 << 21), "xsb") == "1:1 E503 a line of more than 1,048,576 letters"
    assert complaint(("#" * 1000 + "\n") * 1100, "xsb") == "1:1 E503 a level of more than 1,048,576 letters"
    assert complaint("#" * 60_000 + "\n#@$.#", "xsb").startswith("1:1 E503 a board of 2 rows and 60,000 columns")


# -- anything at all ---------------------------------------------------------------------------------------------------

SEEDS = {
    "xsb": [
        "\n".join(ONE),
        "3(2(#-)-)#|#@$.-----#|10#",
        "XXXXX\nX@*.X\nXXXXX",
        SLC,
        "-----\n#####\n#@$.#\n#####\n; 2\n",
    ],
    "rush-hour": [CARD, "\n".join(CARD_ROWS), "1100\n0020\n0020"],
    "klotski": ["".join(DAO), "\n".join(DAO), "0,3,3\n0,3,3\n1,2,2"],
    "numbers": ["3\n1 2 3\n4 0 5\n7 8 6\n", "1 2 3 0\n0 1 2 3", "[[1,2,3],[4,5,6],[7,8,0]]"],
    "tubes": ['{"a":[["1","2"],["2","2"],[]]}', "12 21 _", '- "12"\n- "21"\n', '[\n "12",\n "21"\n]'],
    "bloxorz": ["1110\n1S19\n\n0111\n1!9S"],
    "puzzlescript": [
        "OBJECTS\n=====\nWall #\nred\n\nBox $\n\nLEGEND\n@ = Box and Wall\n. = Wall or Box\nLEVELS\n\n(one)\n#$@\n##@\n"
    ],
}
MARKUP = ["<L>", "</L>", "<Level>", "<![CDATA[", "&lt;", "&a;", "<!ENTITY a 'b'>", "Comment:\n", "Comment-End:\n"]
BITS = [
    *"#@$.+*-_ \n\r\t|()[]{},;:'\"<>&/!X0A9xS\0\x1a\ufffd\u2028\x85é",
    "\n\n",
    "\r\n",
    "--",
    "9999999(",
    "3\n",
    "- ",
]


def odd_texts(draw: random.Random, seeds: Sequence[str]) -> Iterator[str]:
    """Texts near those of a format, without end."""
    while True:
        text = draw.choice(seeds)
        for _ in range(draw.choice((1, 1, 2, 4, 20))):
            begin = draw.randrange(len(text) + 1)
            end = min(len(text), begin + draw.choice((0, 1, 2, 8)))
            piece = draw.choice((draw.choice((*BITS, *MARKUP)), "", text[begin:end] * 2))
            text = text[:begin] + piece + text[end:]
        yield text[: draw.choice((len(text), draw.randrange(len(text) + 1)))]


@pytest.mark.parametrize("name", FORMATS)
def test_odd_texts_are_levels_or_refused(name: str) -> None:
    """A level of any text has rows of one width, and every error a code, and a place that can be shown."""
    draw = random.Random(name)
    document = read_document(PUZZLE.format(accepts=ALL[name]), "any.yaml")
    texts = odd_texts(draw, SEEDS[name] + (list(map("\n".join, SEEDS.values())) if name == "xsb" else []))
    for text, variant in ((next(texts), draw.choice(("", *FORMATS[name].variants))) for _ in range(400)):
        file = LevelFile(text, "odd.txt", f"{name}:{variant}" if variant else None)
        try:
            for number in level_numbers(document, file)[:3]:
                found, level = with_level(document, file, number, {})
                board = next(found.levels[key].data["board"] for key in found.levels if str(key) == level)
                assert isinstance(board, list) and board
                if name in ("xsb", "rush-hour", "bloxorz", "puzzlescript"):
                    assert len(set(map(len, board))) == 1
                json.dumps(board)
        except PuzzleError as error:
            for diagnostic in error.diagnostics:
                assert (
                    diagnostic.code
                    and diagnostic.location
                    and diagnostic.location.line > 0 < diagnostic.location.column
                )
                assert render(diagnostic, text).startswith("odd.txt:")
