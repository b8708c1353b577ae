"""Level files: what each format means, where its errors point, and published levels solved to their known optimum."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from level_texts import ALL, CARD, CARD_ROWS, DAO, ONE, PUZZLE, SLC, built_in, complaint, level_of
from running import Run, run

from models.errors import PuzzleError
from models.level_files import LevelFile
from models.loader import load_text

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


# -- xsb ---------------------------------------------------------------------------------------------------------------

COLLECTION = """\
; A collection
; of three

####
#@$.#
#####
Title: one
Author: me

; second
  ####
###  #
#.$@ #
######

Third level
-#####
_#*_+##
 # $- #
 ######
"""


def test_boards_titles_and_what_lies_outside_the_walls() -> None:
    assert level_of(COLLECTION, "xsb") == {"board": ONE}
    assert level_of(COLLECTION, "xsb", "one") == {"board": ONE}
    assert level_of(COLLECTION, "xsb", "2") == level_of(COLLECTION, "xsb", "second")
    assert level_of(COLLECTION, "xsb", "second") == {"board": ["######", "###  #", "#.$@ #", "######"]}
    third = {"board": ["#######", "##* +##", "## $  #", "#######"]}
    assert level_of(COLLECTION, "xsb", "3") == level_of(COLLECTION, "xsb", "Third level") == third


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings(ending: str) -> None:
    text = COLLECTION.replace("\n", ending)
    assert [level_of(text, "xsb", number) for number in "123"] == [level_of(COLLECTION, "xsb", n) for n in "123"]


def test_repeated_letters() -> None:
    assert level_of("5#|#@$.#|5#", "xsb") == {"board": ONE}
    assert level_of("#1\n5#|\n#@$.#|5#", "xsb", "1") == {"board": ONE}
    assert level_of("7#|#.2-$@#|7#", "xsb") == {"board": ["#######", "#.  $@#", "#######"]}
    assert complaint("5#|#@$.#|5000#", "xsb") == "1:10 E503 at most 1000 letters of a kind"
    assert complaint("5#|#@$.#3|5#", "xsb") == "1:9 E503 a number stands before a letter"


def test_floor_that_is_walled_in_but_empty_is_wall() -> None:
    """No keeper gets there, whatever the rules."""
    assert level_of("#######\n#@$.# #\n#######", "xsb") == {"board": ["#######", "#@$.###", "#######"]}


def test_rows_of_floor_and_separators() -> None:
    """A line of dashes stands between boards; a row of floor is one dash, or dashes beside scenery."""
    two = "-----\n#####\n#@$.#\n#####\n-----\n######\n#.$ @#\n######\n"
    assert [level_of(two, "xsb", number) for number in "12"] == [
        {"board": ONE},
        {"board": ["######", "#.$ @#", "######"]},
    ]
    assert level_of(two.replace("-----", "*****"), "xsb", "2") == level_of(two, "xsb", "2")
    for row in ("-", "------"):
        steam = f" ## #\n  #\n{row}\n######\n#@$.##\n######"
        assert level_of(steam, "xsb") == {"board": ["######"] * 4 + ["#@$.##", "######"]}
        assert complaint(steam, "xsb", "2").startswith("E409")
    assert level_of("\n".join(["---------", "--#####--", "--#@$.#--", "--#####--", "---------"]), "xsb") == {
        "board": ["#######", "###@$.#", "#######"]
    }


def test_titles_between_boards_without_blank_lines() -> None:
    text = "; 1\n#####\n#@$.#\n#####\n; 2\n######\n#.$ @#\n######\n"
    assert level_of(text, "xsb", "1") == {"board": ONE}
    assert level_of(text, "xsb", "2") == {"board": ["######", "#.$ @#", "######"]}
    named = text.replace("; 1", "; first").replace("; 2", "; second")
    assert level_of(named, "xsb", "second") == level_of(text, "xsb", "2")


def test_boards_in_comments_are_none() -> None:
    comment = "Comment:\n#####\n#@ $.#\n#####\n\nComment-End:\n"
    assert level_of(f"; ######\n; #@ $.#\n; ######\n\n{comment}\n" + "\n".join(ONE), "xsb") == {"board": ONE}
    assert level_of("Comment: a board\n" + "\n".join(ONE), "xsb", "Comment: a board") == {"board": ONE}
    assert complaint("Comment:\n" + "\n".join(ONE), "xsb") == (
        "1:1 E503 this comment never ends | a line Comment-End: ends it"
    )


def test_blanks_and_tabs_before_all_rows() -> None:
    for indent in ("\t", " \t "):
        assert level_of("".join(f"{indent}{row}\t\n" for row in ONE), "xsb") == {"board": ONE}
    assert complaint("    #####\n\t#@$.#\n    #####", "xsb") == (
        "2:1 E503 it is not known how wide a tab is | write blanks, or - for floor"
    )


def test_run_lengths_in_brackets() -> None:
    nested = {"board": ["#########", "#@  $.$.#", "#########"]}
    assert level_of("3(2(#)#)|#@2(-)2($.)#|9(#)", "xsb") == level_of("9#|#@-(-)2(1($1.))#|3(3#)|", "xsb") == nested
    for text, wanted in {
        "3(2(#-)-)#|#@$.-----#|10#": "1:1 E503 an open board: no wall keeps the keeper from leaving it here",
        "2(5#|#@$.#|5#": "1:1 E503 this bracket is never closed",
        "5#)|#@$.#|5#": "1:3 E503 this bracket closes nothing",
        "5#|#@$.#|5(#3)": "1:13 E503 a number stands before a letter",
        "9999999(9999999#)|#@$.#": "1:1 E503 at most 1000 letters of a kind",
        "9(9(9(9(9(#)))))": "1:1 E503 a row of more than 10,000 letters",
        "(" * 30 + "#" + ")" * 30: "1:20 E503 a row of more than 10,000 letters, or brackets more than 20 deep",
    }.items():
        assert complaint(text, "xsb").startswith(wanted), text


def test_the_letters_of_pusher() -> None:
    text = "Maze: 7\nSize X: 7\n\n  XXXXX\n XX@*.X\n X& * .\n XXXXXXX\n"
    assert complaint(text, "xsb") == (
        "6:7 E503 an open board: no wall keeps the keeper from leaving it here | "
        "write # where walls are; only a blank beyond them is outside"
    )
    text = "***********\nMaze: 7\nSize X: 7\n\n  XXXXX\n XX@*.XX\n X& * .X\n XXXXXXX\n\n***********\n"
    wanted = {"board": ["########", "###@$.##", "##* $ .#", "########"]}
    assert level_of(text, "xsb", "7") == level_of(text, "xsb") == wanted
    assert complaint("XXXXX\nX@$.X\nXXXXX", "xsb").startswith(
        "2:3 E503 '$' is no letter of a Sokoban board | on a board"
    )


def test_slc() -> None:
    assert level_of(SLC, "xsb") == level_of(SLC, "xsb", "one") == {"board": ONE}
    two = {"board": ["######"] * 3 + ["#.$ @#", "######"]}
    assert level_of(SLC, "xsb", "2") == level_of(SLC.replace("\n", "\r\n"), "xsb", "two") == two
    assert level_of("".join(SLC.split("\n")[1:]), "xsb", "two") == two  # in one line, without a declaration
    assert complaint(SLC, "xsb", "none").startswith("18:5 E503 a level without rows | levels of an SLC file are")


def test_slc_that_is_wrong_says_where() -> None:
    for old, new, wanted in [
        ("#@$.#", "#@x.#", "8:12 E503 'x' is no letter of a Sokoban board"),
        ("<L>#####</L>\n      <L>#@$.#", "<L>#@$.#", "6:5 E503 a level of 2 rows, and its Height is '3'"),
        (
            'Height="3">\n      <L>#####</L>\n      <L>#@$.#',
            ">\n<L>#@$.#",
            "7:5 E503 an open board: no wall keeps the keeper",
        ),
        ("<L>#####</L>\n      <L>#@$.#", "##### <L>#@$.#", "7:1 E503 text of a level outside of <L>"),
        ("#@$.#", "#<b/>.#", "8:11 E503 <b> inside <L>"),
        ("#@$.#", "#\n.#", "8:10 E503 a row of several lines"),
        ("#@$.#", "#&box;.#", "8:11 E503 the entity &box; is not known"),
        ("</L>", "", "8:7 E503 <L> inside <L>"),
        ("</SokobanLevels>", "", "21:1 E503 this is not XML: no element found"),
        ('"SokobanLev.dtd"', '"a" [<!ENTITY b "#">]', "2:48 E503 entities of its own are not read"),
        ('"SokobanLev.dtd"', '"a" [<!ENTITY b SYSTEM "/etc/hosts">]', "2:67 E503 entities of its own are not read"),
    ]:
        assert complaint(SLC.replace(old, new), "xsb").startswith(wanted), new
    assert complaint("<SokobanLevels>" + "<a>" * 30, "xsb").startswith("1:73 E503 <a> inside <a>")


def test_titles_below_boards() -> None:
    text = "#####\n#@$.#\n#####\n\nTitle: a\n\n#####\n#.$@#\n#####\n\nTitle: b\n"
    assert level_of(text, "xsb", "a") == {"board": ONE}
    assert level_of(text, "xsb", "b") == {"board": ["#####", "#.$@#", "#####"]}


def test_letters_that_a_board_does_not_have() -> None:
    message = "'x' is no letter of a Sokoban board"
    hint = "# wall, @ keeper, $ box, . store, + keeper and * box on a store, blank, - or _ floor"
    assert complaint("\n#####\n#@x.#\n#####", "xsb") == f"3:3 E503 {message} | {hint}"
    assert complaint("#####\n#@$.#\n##x##", "xsb") == f"3:3 E503 {message} | {hint}"
    assert complaint("#####\n#@$.# x\n#####", "xsb").startswith("2:7 E503")
    assert complaint("-#####-\n-#@$.#-\n-#####-\n-#$x.#-\n-#####-", "xsb") == f"4:4 E503 {message} | {hint}"
    assert complaint("5#|\n#@$.#|\n5#|\n#-x.#|\n5#", "xsb") == f"4:3 E503 {message} | {hint}"
    assert complaint("# Level x #\n" + "\n".join(ONE), "xsb") == f"1:3 E503 {message.replace('x', 'L')} | {hint}"
    assert complaint("#####\n#@$.#\n#.$@x", "xsb").startswith("3:5 E503")
    two = "#####\n#@x.#\n#####\n\n" + "\n".join(ONE)
    assert level_of(two, "xsb", "2") == {"board": ONE}  # the slip in the other level does no harm


# -- boards of letters -------------------------------------------------------------------------------------------------


def test_rush_hour() -> None:
    assert level_of(CARD, "rush-hour") == {"board": CARD_ROWS, "target": "X"}
    text = f"; first\n{CARD}\n# second\n60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\n"
    second = ["IBBx..", "I..LDD", "JAAL..", "J.KEEM", "FFK..M", "GGHHHM"]
    assert level_of(text, "rush-hour", "first") == {"board": CARD_ROWS, "target": "X"}
    assert level_of(text, "rush-hour", "second") == level_of(text, "rush-hour", "2") == {"board": second, "target": "A"}
    assert level_of(CARD, "rush-hour: board") == {"board": CARD_ROWS}
    assert complaint(CARD[1:], "rush-hour") == "1:1 E503 a board is one field of 36 letters; here are 0"
    assert (
        complaint(f"\n 9 {CARD[:-1]}? 3", "rush-hour") == "2:39 E503 '?' is no letter of a board | o or . empty, x wall"
    )


@pytest.mark.parametrize(
    "text",
    ["HAAIHAAIJBBKJNOKP@@Q", "HAAI/HAAI/JBBK/JNOK/P__Q", "\n".join(DAO), "; classic\nHAAIHAAIJBBKJNOKP..Q 116"],
)
def test_klotski(text: str) -> None:
    assert level_of(text, "klotski") == {"board": DAO, "target": "A"}


def test_klotski_of_other_sizes() -> None:
    text = "; one\n#AA./#AAB\n; two\nBB.C/BBAA\n\n; three\nAAB\nAAB\n..C"
    assert level_of(text, "klotski", "one") == {"board": ["#AA.", "#AAB"], "target": "A"}
    assert level_of(text, "klotski", "two") == {"board": ["BB.C", "BBAA"], "target": "B"}
    assert level_of(text, "klotski", "3") == {"board": ["AAB", "AAB", "..C"], "target": "A"}
    assert level_of("AACC/AACC/....", "klotski") == {"board": ["AACC", "AACC", "...."]}  # which of the two, it says not
    assert level_of("3,3,2\n3,3,2\n0,0,2", "klotski") == {"board": ["3,3,2", "3,3,2", "0,0,2"]}
    assert complaint("AAB\nAA", "klotski") == "2:1 E503 this row has 2 places, the first one 3"
    assert complaint("AAB\nA A", "klotski") == "2:2 E503 a row has no blanks in it | write . for an empty place"
    assert complaint("AABB", "klotski").startswith("1:1 E503 a board in one line has 5 * 4 letters | write / between")


def test_bloxorz() -> None:
    text = "; a\n1110\n1S19\n\n0111\n19\n\n;c\n##.\n.G!"
    assert level_of(text, "bloxorz", "a") == {"board": ["1110", "1119"], "start": ["1", "1"]}
    assert level_of(text, "bloxorz", "2") == {"board": ["0111", "1900"]}
    assert level_of(text, "bloxorz", "c") == {"board": ["110", "09!"]}
    assert complaint("111\n1k9", "bloxorz").startswith("2:2 E503 'k' is no letter of a map | 0 void, 1 floor")
    assert complaint("S11\n1S9", "bloxorz") == "2:2 E503 the block starts at one place only"


# -- numbers and tubes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1, 2, 3, 0", "1 2;3 _", "[1,2,3,x]", "01 2 3 0"])
def test_numbers(text: str) -> None:
    assert level_of(text, "numbers") == {"board": ["1", "2", "3", "0"], "rows": "2", "cols": "2"}


def test_numbers_of_other_sizes() -> None:
    four, six = "1 2 3 0", "; six\n1 2 3 4 5 0"
    assert level_of(four, "numbers", settings={"rows": "1", "cols": "4"}) == {"board": ["1", "2", "3", "0"]}
    assert level_of(six, "numbers", "six", settings={"rows": "2", "cols": "3"}) == {
        "board": ["1", "2", "3", "4", "5", "0"]
    }
    hint = "say its size with --set, such as --set rows=2 --set cols=3"
    assert complaint(six, "numbers") == f"2:1 E503 6 tiles make no square board | {hint}"
    assert complaint("1 2 -3 0", "numbers") == "1:5 E503 '-3' is no tile | a number; 0, _ or x for the gap"


@pytest.mark.parametrize(
    "text",
    [
        '["1212", "2121", ""]',
        "1212, 2121, _",
        '"1212"  "2121" ""',
        '[\n  "1212",\n  "2121",\n  ""\n]',
        '- "1212"\n- 2121\n- ""',
        "; x\n[[1, 2, 1, 2], [2, 1, 2, 1], []]",
    ],
)
def test_tubes(text: str) -> None:
    wanted = {"board": ["1212", "2121", ""]}
    assert level_of(text, "tubes") == wanted
    assert level_of(f"; last\n{text}\n\n; this\nab ba _ _", "tubes", "this") == {"board": ["ab", "ba", "", ""]}


def test_tubes_of_words_and_tubes_that_are_none() -> None:
    assert level_of("[[red, blue], [blue, red], []]", "tubes") == {"board": [["red", "blue"], ["blue", "red"], ""]}
    assert complaint("[a, {b: c}]", "tubes") == "1:1 E503 a tube is a text, or a list of words"
    assert complaint("ab ba\n[ab, ba, *x]", "tubes", "2").startswith("2:10 E007")
    assert complaint("ab ba\n[ab, ba", "tubes", "2").startswith("2:")


# -- which format, which level -----------------------------------------------------------------------------------------


def test_the_format_is_found_by_suffix_by_content_or_by_name() -> None:
    both = f"{ALL['rush-hour']}, {ALL['numbers']}"
    assert level_of(CARD, both)["target"] == "X"
    assert level_of("1 2 3 0", both)["rows"] == "2"
    either = f"{ALL['klotski']}, {ALL['bloxorz']}"
    assert complaint("111\n119", either) == (
        "E503 levels.txt may be any of klotski, bloxorz | say which with --level-format"
    )
    assert level_of("111\nS19", either, format="bloxorz")["start"] == ["1", "0"]
    named = f"{ALL['klotski']}, {ALL['xsb']}"
    assert level_of("###\n#@#\n###", named, source="a.XSB") == {"board": ["###", "#@#", "###"]}
    assert complaint("1", named, format="numbers").startswith("E503 the puzzle 'any' accepts no level files of the")


def test_the_level_is_found_or_the_nearest_is_named() -> None:
    text = "; alpha\n1 2 3 0\n; beta\n0 1 2 3\n; beta\n1 0 2 3"
    assert level_of(text, "numbers", "2")["board"] == ["0", "1", "2", "3"]
    assert complaint(text, "numbers", "alhpa") == "E409 there is no level 'alhpa' in levels.txt | did you mean 'alpha'?"
    assert complaint(text, "numbers", "beta") == "E409 2 levels of levels.txt are called 'beta' | say its number: 2, 3"
    none = "E409 there is no level '{}' in levels.txt | the levels of this file are 1 to 3"
    assert [complaint(text, "numbers", level) for level in ("0", "4")] == [none.format(0), none.format(4)]
    assert complaint("; nothing", "numbers") == "1:1 E503 there is no level of the format 'numbers' here"
    assert complaint("", "xsb") == "1:1 E503 there is no level of the format 'xsb' here"


def test_a_puzzle_says_what_it_accepts() -> None:
    text = PUZZLE.replace("accepts: {{{accepts}}}", "").format()
    with pytest.raises(PuzzleError, match="accepts no level files"):
        load_text(text, "any.yaml", level_file=LevelFile("1 2 3 0", "levels.txt"))
    for accepts, code in [("xsb: {bord: board}", "E422"), ("xsb: {board: bord}", "E422"), ("xsb: [board]", "E103")]:
        with pytest.raises(PuzzleError) as caught:
            load_text(PUZZLE.format(accepts=accepts), "any.yaml")
        assert [found.code for found in caught.value.diagnostics] == [code]


def test_a_level_has_nothing_of_the_levels_of_the_puzzle_file() -> None:
    """Data of the first level, such as its start, stay there; --set wins over both."""
    puzzle = built_in("bloxorz", "S119")
    assert (puzzle.level, puzzle.known, puzzle.data["start"]) == ("1", {}, (0, 0))
    assert built_in("rush_hour", CARD, reach="5").data["reach"] == 5


# -- through the command line ------------------------------------------------------------------------------------------


@pytest.fixture
def solved(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The JSON of `solve` on a level of a text."""

    def answer(puzzle: str, text: str, *words: str) -> dict[str, Any]:
        path = tmp_path / "levels.txt"
        path.write_text(text, encoding="utf-8")
        return run("solve", puzzle, "--json", f"--level-file={path}", *words).json

    return answer


@pytest.mark.slow
def test_levels_are_solved_from_their_files(solved: Callable[..., dict[str, Any]]) -> None:
    """Optima that are known for these levels from the puzzle files, and two that are counted by hand."""
    cases = [
        ("sokoban", COLLECTION, "one", (1, "1")),  # one push
        ("n_puzzle", "1 2 3 0 4 6 7 5 8", None, (3, "1")),
        ("n_puzzle", "1 2 0 3\n1 0 3 2\n0 3 2 1", "2", (1, "2")),  # the 2 goes up
        ("n_puzzle", "1 2 0 3\n1 0 3 2\n0 3 2 1", "3", (6, "3")),
        ("water_sort", "122 211 _", "1", (3, "1")),
        ("klotski", "ABBC/DBBE/F..G", "1", (8, "1")),
        ("rush_hour", CARD, None, (16, "1")),
        ("bloxorz", "1110000000\n1S11110000\n1111111110\n0111111111\n0000011911\n0000001110", None, (7, "1")),
    ]
    extra = {"water_sort": ["--set=capacity=3"], "klotski": ["--set=exit=1,2"]}
    for puzzle, text, level, wanted in cases:
        chosen = [] if level is None else ["--level", level]
        found = solved(puzzle, text, *chosen, *extra.get(puzzle, []))
        assert (found["outcome"], found["cost"], found["level"]) == ("optimal", *wanted), puzzle


def test_errors_of_level_files_are_shown_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.xsb"
    path.write_text("#####\n#@x.#\n#####\n", encoding="utf-8")
    found = run("solve", "sokoban", f"--level-file={path}")
    assert found.code == 31
    assert f"{path}:2:3: error[E503]" in found.err and "2 | #@x.#" in found.err
    assert run("solve", "sokoban", f"--level-file={path}9").code == 31
    assert run("solve", "sokoban", "--level-format=xsb").code == 2
    assert run("solve", "sokoban", f"--level-file={path}", "--level-format=xbs").code == 2
    assert run("prove", "sokoban", f"--level-file={path}", f"--certificate={tmp_path / 'new'}").code == 2
    assert run("solve", "hanoi", f"--level-file={path}", "--json").json["diagnostics"][0]["code"] == "E503"


def test_other_commands_read_level_files(tmp_path: Path) -> None:
    path = tmp_path / "old.sok"
    path.write_bytes(
        b"Author: Andr\xe9\n\n######\n#@ $.#\n######\n\n####\n#@$#\n#.##\n####\n"
    )  # the second: a dead end
    level = ("sokoban", f"--level-file={path}", "--json", "--level")
    assert run("prove", *level, "1").json["cost"] == 2
    assert run("explore", *level, "1").json["outcome"] == "valid"
    assert run("explain", *level, "2").json["outcome"] == "unsolvable"
    rows = run("compare", *level, "1", "--backends=ucs,astar").json["rows"]
    assert [(row["outcome"], row["cost"]) for row in rows] == [("optimal", 2), ("optimal", 2)]


# -- LURD --------------------------------------------------------------------------------------------------------------


def verified(path: Path, lurd: str, *words: str) -> Run:
    path.write_text(lurd, encoding="utf-8")
    return run("verify", "sokoban", path, "--json", *words)


def test_plans_in_lurd(tmp_path: Path) -> None:
    """A board with one best plan: one walk to the right, one push on."""
    levels, plan = tmp_path / "a.xsb", tmp_path / "a.lurd"
    levels.write_text("######\n#@ $.#\n######\n", encoding="utf-8")
    level = f"--level-file={levels}"
    assert run("solve", "sokoban", level, f"--plan-out={plan}", "-q").code == 0
    assert plan.read_text() == "rR\n"
    assert verified(plan, "rR", level).code == 0
    assert verified(plan, "; two steps\n r\nR ; done\n", level).code == 0
    assert "the goal is not reached" in verified(plan, "r", level).json["notes"][0]
    for refused, step, keeper in (("rr", 2, [1, 2]), ("R", 1, [1, 1]), ("rRR", 3, [1, 3]), ("u", 1, [1, 1])):
        found = verified(plan, refused, level).json
        assert (found["outcome"], found["notes"][0].split(" of ")[0]) == ("refuted", f"step {step}")
        assert found["plan"][-1]["args"]["c"] == keeper  # the step is refused for what is around him
    for refused, step in (("rrRR", 2), ("; a\nrRR\nrl ; b\nL", 3)):  # counted in the whole plan
        found = verified(plan, refused, level).json
        letters = sum(letter in "lrLR" for letter in re.sub(";.*", "", refused))
        assert found["notes"][0].startswith(f"step {step} of {letters} fails: ") and found["length"] == letters
    assert verified(plan, "rrx", level).json["diagnostics"][0]["message"] == "'x' is none of l, u, r, d, L, U, R, D"
    found = verified(plan, "rR\nx", level).json
    assert found["outcome"] == "invalid-input"
    assert [found["diagnostics"][0][key] for key in ("code", "line", "column")] == ["E501", 2, 1]
    for letters in ("rR\fx", "rR\x85x"):  # none of them ends a line
        found = verified(plan, letters, level).json
        assert [found["diagnostics"][0][key] for key in ("line", "column")] == [1, 4]


def test_lurd_is_for_pushing_puzzles(tmp_path: Path) -> None:
    assert run("solve", "n_puzzle", f"--plan-out={tmp_path / 'a.lurd'}").code == 2
    (tmp_path / "a.lurd").write_text("r", encoding="utf-8")
    assert run("verify", "n_puzzle", tmp_path / "a.lurd").code == 31


# -- published levels --------------------------------------------------------------------------------------------------


def published(name: str) -> Any:
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"there is no {name} in {SHARED}")
    return json.loads(path.read_text(encoding="utf-8"))


def test_microban(solved: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    levels = published("sokoban_microban.json")["levels"]
    text = "".join(f"; {level['n']}\n\n" + "\n".join(level["rows"]) + "\n\n" for level in levels)
    for level in levels:
        board = level_of(text, "xsb", str(level["n"]))["board"]
        assert len(board) == len(level["rows"]) and {len(row) for row in board} == {max(map(len, level["rows"]))}
        for letter in "@+$*.":
            assert "".join(board).count(letter) == "".join(level["rows"]).count(letter)
    for number in (2, 44):
        found = solved("sokoban", text, f"--level={number}", f"--plan-out={tmp_path / 'plan.lurd'}")
        assert (found["outcome"], found["cost"]) == ("optimal", levels[number - 1]["min_moves"])
        plan = (tmp_path / "plan.lurd").read_text().strip()
        assert len(plan) == levels[number - 1]["min_moves"]
        assert run("verify", "sokoban", tmp_path / "plan.lurd", f"--level-file={tmp_path / 'levels.txt'}",
                   f"--level={number}").code == 0  # fmt: skip


@pytest.mark.slow
def test_published_rush_hour_boards(solved: Callable[..., dict[str, Any]]) -> None:
    boards = published("rush_hour.json")["boards"]
    text = "\n".join(f"{board['moves']} {board['board'].replace('.', 'o')} {board['states']}" for board in boards)
    for number, board in enumerate(boards, 1):
        found = level_of(text, "rush-hour", str(number))
        assert ("".join(found["board"]), found["target"]) == (board["board"], board["target"])
    number = next(n for n, board in enumerate(boards, 1) if board["target"] == "A")
    found = solved("rush_hour", text, f"--level={number}", "--set=reach=5")
    assert (found["outcome"], found["cost"]) == ("optimal", boards[number - 1]["moves"])


def test_published_klotski_boards() -> None:
    layouts = published("klotski_hrd_classic.json")["layouts"]
    solvable = [layout for layout in layouts if "rows" in layout]
    text = "\n".join("".join(layout["rows"]) for layout in solvable)
    for number, layout in enumerate(solvable, 1):
        rows = [row.replace("@", ".") for row in layout["rows"]]
        assert level_of(text, "klotski", str(number)) == {"board": rows, "target": "A"}
    with (SHARED / "klotski_hrd_all.csv").open(encoding="utf-8") as lines:
        boards = [row["board"] for row in csv.DictReader(line for line in lines if not line.startswith("#"))]
    assert "".join(level_of("\n".join(boards), "klotski", "526")["board"]) == boards[525].replace("@", ".")


@pytest.mark.slow
def test_published_tiles_tubes_and_maps(solved: Callable[..., dict[str, Any]]) -> None:
    korf = [instance["start"] for instance in published("korf_15puzzle_100.json")["instances"]]
    text = "\n".join(" ".join(map(str, start)) for start in korf)
    assert built_in("n_puzzle", text, "100").data["start"] == tuple(korf[99])
    assert (built_in("n_puzzle", text, "100").data["rows"], len(korf)) == (4, 100)
    tubes = published("water_sort.json")["levels"]
    text = "\n".join(f"; {level['id']}\n{json.dumps(level['tubes'])}" for level in tubes)
    level = next(level for level in tubes if level["id"] == "level20")
    assert built_in("water_sort", text, "level20").data["tubes"] == tuple(level["tubes"])
    found = solved("water_sort", text, "--level=level20")
    assert (found["outcome"], found["cost"]) == ("optimal", 22)


def test_published_bloxorz_maps(solved: Callable[..., dict[str, Any]]) -> None:
    yaml = pytest.importorskip("yaml")
    path = SHARED / "bloxorz_levels.yaml"
    if not path.is_file():
        pytest.skip(f"the published stages are not in {SHARED}")
    stages = yaml.safe_load(path.read_text(encoding="utf-8"))["levels"]
    plain = [stage for stage in stages if not {"bridges", "switches", "splitters"} & set(stage)]
    assert [stage["id"] for stage in plain] == [1, 3, 4, 6, 13]
    text = "\n".join(f"; stage {stage['id']}\n" + "\n".join(stage["rows"]) + "\n" for stage in plain)
    for stage in plain:
        found = solved("bloxorz", text, f"--level=stage {stage['id']}")
        assert (found["outcome"], found["cost"]) == ("optimal", stage["optimal_moves"])
