"""The reader: what it keeps, what it refuses, and that every complaint points at the right character."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from models.document import Document, LevelSource, PhaseSource, read_document
from models.document_errors import adapter
from models.errors import CODES, Diagnostic, Location, PuzzleError, did_you_mean, nearest, render
from models.limits import FileLimits
from models.loader import load_text
from models.text import Plain, Text
from models.yaml_reader import read_yaml

EXAMPLES = Path(__file__).parent / "data" / "format_1"
BASE = "puzzle: p\nstate: {a: bool = false}\ngoal: a\nactions:\n  go:\n    effect: {a: true}\n"


def problems(text: str, limits: FileLimits | None = None) -> list[Diagnostic]:
    with pytest.raises(PuzzleError) as caught:
        read_yaml(text, "f.yaml", limits or FileLimits())
    return list(caught.value.diagnostics)


def document_problems(text: str) -> list[tuple[str, int, int, str]]:
    with pytest.raises(PuzzleError) as caught:
        read_document(text, "f.yaml")
    return [(d.code, *place(d), d.message) for d in caught.value.diagnostics]


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.location is not None and diagnostic.location.source == "f.yaml"
    return diagnostic.location.line, diagnostic.location.column


def spots(text: str) -> list[tuple[str, int, int]]:
    return [(d.code, *place(d)) for d in problems(text)]


def where(value: Plain, offset: int, length: int = 1) -> tuple[int, int, int]:
    assert isinstance(value, Text)
    found = value.at(offset, length)
    return found.line, found.column, found.length


# --- what the reader keeps ---


def test_scalars_stay_what_the_author_wrote() -> None:
    words = ["on", "no", "12:30", "010", "1e5", "2024-01-01", "~", "null", "0x1F", "1_000", "yes", "-0"]
    tree = read_yaml("a:\n" + "".join(f"  - {word}\n" for word in words), "f.yaml")
    assert tree["a"] == words  # type: ignore[index]
    assert all(isinstance(item, Text) and item.style == "plain" for item in tree["a"])  # type: ignore[index]


def test_keys_and_values_know_their_place() -> None:
    tree = read_yaml('a: 1\nbox[p + d]: {x: [y, "z"]}\n', "f.yaml")
    first, second = tree
    assert (first.location, second.location) == (Location("f.yaml", 1, 1), Location("f.yaml", 2, 1, 10))
    inner = tree[second]
    assert isinstance(inner, dict)
    y, z = next(iter(inner.values()))
    assert isinstance(y, Text) and isinstance(z, Text)
    assert (y.location, y.style) == (Location("f.yaml", 2, 18), "plain")
    assert (z.location, z.style) == (Location("f.yaml", 2, 21, 3), "quoted")


def test_empty_collections_and_quoted_empty_text_are_values() -> None:
    assert read_yaml('a: {}\nb: []\nc: ""\n', "f.yaml") == {"a": {}, "b": [], "c": ""}


def test_line_ends_and_byte_order_mark() -> None:
    tree = read_yaml("\ufeffa: 1\r\nb: two\r", "f.yaml")
    assert tree == {"a": "1", "b": "two"}
    assert [key.location.line for key in tree] == [1, 2]


def test_ordinary_comments_are_legal() -> None:
    text = (
        "# top\ndata:  # constants\n  board: |\n    ####\n    #  #\n  # the rest\n  rows: 3  # three of 3\n"
        '  map:\n    - ..  # words\n    - "#.# #"  # a row\n  # -----------\n  x: {}  # letter: open?\nlevels: {}\n'
    )
    assert read_yaml(text, "f.yaml")["data"]["board"] == "####\n#  #\n"  # type: ignore[index,call-overload]


# --- Text ---


def test_text_at_in_one_line() -> None:
    value = read_yaml("goal: all(x)\n", "f.yaml")["goal"]  # type: ignore[index]
    assert where(value, 4, 1) == (1, 11, 1)
    assert where(value, 0, 6) == (1, 7, 6)
    assert where(value, 6) == (1, 13, 1), "the end of the text has a place too"


def test_text_at_in_a_plain_text_of_several_lines() -> None:
    value = read_yaml("goal: all(x\n  for x in t)\n\n    and y\n", "f.yaml")["goal"]  # type: ignore[index]
    assert value == "all(x for x in t)\nand y"
    for word, line, column in [("all", 1, 7), ("for", 2, 3), ("in", 2, 9), ("and", 4, 5), ("y", 4, 9)]:
        assert where(value, str(value).index(word)) == (line, column, 1)
    assert where(value, 4, 10) == (1, 11, 1), "clipped to the line on which it begins"


def test_text_at_in_quoted_texts() -> None:
    text = "a: 'it''s x'\nb: \"\\t\\x41\\u0042 y\"\nc: \"one \\\n  two\n  three\"\nd: 'p\n\n\n  q'\n"
    tree = dict(zip("abcd", read_yaml(text, "f.yaml").values(), strict=True))
    assert tree == {"a": "it's x", "b": "\tAB y", "c": "one two three", "d": "p\n\nq"}
    assert where(tree["a"], 5) == (1, 11, 1)
    assert where(tree["a"], 2, 1) == (1, 7, 2), "a doubled quote is two characters wide"
    assert [where(tree["b"], i)[1] for i in range(5)] == [5, 7, 11, 17, 18]
    assert where(tree["c"], 4) == (4, 3, 1)
    assert where(tree["c"], 8) == (5, 3, 1)
    assert where(tree["d"], 3) == (9, 3, 1)


def test_text_at_in_blocks() -> None:
    text = "data:\n  a: |  # map\n    ##\n\n     #x\n  b: |2-\n       y\n    z\n"
    data = read_yaml(text, "f.yaml")["data"]  # type: ignore[index]
    a, b = data.values()  # type: ignore[union-attr]
    assert isinstance(a, Text) and isinstance(b, Text)
    assert (a, b) == ("##\n\n #x\n", "   y\nz")
    assert a.style == "block" and a.location == Location("f.yaml", 2, 6, 8)
    assert where(a, 1) == (3, 6, 1)
    assert where(a, 6) == (5, 7, 1)
    assert where(b, 3) == (7, 8, 1)
    assert where(b, 5) == (8, 5, 1)


def test_every_character_of_a_value_is_found_in_the_file() -> None:
    text = "a: x\n   yy\nb: 'p ''q'\nc: |\n  one\n   two\nd: \"r s\"\n"
    lines = text.split("\n")
    for value in read_yaml(text, "f.yaml").values():
        for offset, character in enumerate(str(value)):
            line, column, _ = where(value, offset)
            if character.strip():
                assert lines[line - 1][column - 1] == character


def test_text_behaves_like_str() -> None:
    text = read_yaml("goal: 'a b'\n", "f.yaml")["goal"]  # type: ignore[index]
    assert text == "a b" and hash(text) == hash("a b")
    again = pickle.loads(pickle.dumps(text))
    assert again == text and again.location == text.location and again.at(2) == Location("f.yaml", 1, 10)
    assert Text("xyz").at(1).column == 2


# --- what YAML's grammar refuses ---


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message", "hint"),
    [
        ("a:\n\tb: 1\n", "E002", 2, 1, "tabs are not allowed", "spaces"),
        ("a: 1\n \tb: 1\n", "E002", 2, 2, "tabs are not allowed", "spaces"),
        ("a: b\tc\n", "E002", 1, 5, "tabs are not allowed", "spaces"),
        ("when: [1, 2] == x\n", "E003", 1, 14, "begins with [ ends with ]", "round brackets"),
        ('when: "G" in y\n', "E003", 1, 11, 'begins with "', "round brackets"),
        ("when: [a] * b\n", "E003", 1, 11, "left over", "round brackets"),
        ("label: {a} {b}\n", "E003", 1, 12, "begins with { ends with }", "a text into quotes"),
        ("a: b: c\n", "E004", 1, 5, "colon", "quotes"),
        ("a: 1\n  b: 2\n", "E001", 2, 4, "already has a value", "indentation"),
        ("a:\n  b: 1\n c: 2\n", "E001", 3, 2, "indentation", "one column"),
        ('a: "abc\nb: 1\n', "E001", 1, 4, "never closed", ""),
        ("a: [1, 2\nb: 1\n", "E001", 1, 4, "list is not closed", ""),
        ("a: {x: 1}}\n", "E001", 1, 10, "'}' closes nothing", ""),
        ("a: @x\n", "E001", 1, 4, "cannot begin with @", "round brackets"),
        ("a: - 1\n", "E001", 1, 4, "list item", "round brackets"),
        ("a: ]\n", "E001", 1, 4, "a value is missing in front of this ']'", ""),
        ("a: | foo\n", "E001", 1, 4, "block of lines", "quotes"),
        ("goal:\n  all(x\n  # why\n  for y)\n", "E001", 4, 3, "expected 'key: value'", "no comment"),
        ('a: "\\q"\n', "E001", 1, 6, "backslash", "single quotes"),
        ("a: && b\n", "E007", 1, 4, "cannot begin with &", "round brackets"),
        ("a: \x07b\n", "E021", 1, 4, "U+0007", ""),
        ("a: [####, #..#]\nb: 1\n", "E019", 1, 5, "begins with '#'", "quotes"),
    ],
)
def test_syntax_errors_in_the_authors_words(
    text: str, code: str, line: int, column: int, message: str, hint: str
) -> None:
    (found,) = problems(text)
    assert (found.code, *place(found)) == (code, line, column)
    assert message in found.message and hint in found.hint


def test_flow_style_damage_shows_the_block_form() -> None:
    (cut,) = problems("actions:\n  go:\n    let: {n: min(a, b), m: 2}\n")
    assert (cut.code, *place(cut)) == ("E005", 3, 10)
    assert cut.hint.split("\n")[1:] == ["let:", "  n: min(a, b)", "  m: 2"]
    (index,) = problems("effect: {x: at[c], y: 1}\n")
    assert (index.code, *place(index)) == ("E005", 1, 9)
    assert index.hint.split("\n")[1:] == ["effect:", "  x: at[c]", "  y: 1"]
    (listed,) = problems("goal: [max(a, b) > 1, c]\n")
    assert listed.hint.split("\n")[1:] == ["goal:", "  - max(a, b) > 1", "  - c"]


# --- what the language refuses ---


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "E006", 3, 1, "'a' stands here again; the first is at line 1, column 1"),
        ("a: {b: 1, b: 2}\n", "E006", 1, 11, "the first is at line 1, column 5"),
        ("a: &x 1\n", "E007", 1, 4, "anchors are not allowed: &x"),
        ("a: *x\n", "E007", 1, 4, "aliases are not allowed: *x"),
        ("a: !x and y\n", "E008", 1, 4, "tags are not allowed: !x"),
        ("a: !!int 3\n", "E008", 1, 4, "tags are not allowed"),
        ("<<: {a: 1}\n", "E009", 1, 1, "merge keys are not allowed"),
        ("a: 1\nb:\n", "E010", 2, 1, "'b' has no value"),
        ("a:\n  - x\n  -\n", "E010", 3, 3, "list item has no value"),
        ("a: {b, c: 1}\n", "E010", 1, 5, "'b' has no value"),
        ("a: x\n---\nb: y\n", "E011", 2, 1, "second document"),
        ("", "E012", 1, 1, "the file is empty"),
        ("# only a comment\n", "E012", 1, 1, "the file is empty"),
        ("- a\n", "E012", 1, 1, "this one is a list"),
        ("hello\n", "E012", 1, 1, "this one is a text"),
        ("? [a]\n: b\n", "E013", 1, 3, "a key must be a word"),
        ("?\n: b\n", "E013", 1, 2, "a key is missing"),
        ("a: >\n  x\n  y\n", "E017", 1, 4, "joins its rows"),
    ],
)
def test_refused_yaml(text: str, code: str, line: int, column: int, message: str) -> None:
    (found,) = problems(text)
    assert (found.code, *place(found)) == (code, line, column)
    assert message in found.message


def test_several_problems_at_once_in_the_order_of_the_file() -> None:
    text = "a: 1\na: 2\nb: &x 3\nc:\nd: >\n  e\n"
    assert spots(text) == [("E006", 2, 1), ("E007", 3, 4), ("E010", 4, 1), ("E017", 5, 4)]


def test_earlier_problems_survive_a_syntax_error() -> None:
    assert spots("a: 1\na: 2\nb: [x] == y\n") == [("E006", 2, 1), ("E003", 3, 8)]


def test_depth_is_capped_before_anything_is_built() -> None:
    for text in ("a: " + "[" * 10_000, "a: " + "{b: " * 10_000, "".join(" " * i + "a:\n" for i in range(1000))):
        began = time.process_time()
        (found,) = problems(text)
        assert found.code == "E015" and "more than 64 deep" in found.message
        assert time.process_time() - began < 5


def test_the_other_limits() -> None:
    (nodes,) = problems("a: [1, 2, 3]\n", FileLimits(nodes=4))
    assert (nodes.code, *place(nodes)) == ("E016", 1, 8) and "more than 4 keys and values" in nodes.message
    (size,) = problems("a: 1\n", FileLimits(size=4))
    assert size.code == "E014" and "5 bytes; the limit is 4" in size.message
    (depth,) = problems("a: [[1]]\n", FileLimits(depth=2))
    assert (depth.code, *place(depth)) == ("E015", 1, 5)


def test_alias_bomb_stops_at_the_first_alias() -> None:
    rows = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    found = problems("\n".join(rows) + "\n")
    assert [(d.code, *place(d)) for d in found] == [("E007", 1, 5), ("E007", 2, 5), ("E007", 2, 10)]
    assert found[-1].message == "YAML aliases are not allowed: *a0"


# --- what YAML swallows ---


def test_rows_that_became_comments_in_a_list() -> None:
    (found,) = problems('data:\n  board:\n    - ####\n    - #S.#\n    - "####"\n')
    assert (found.code, *place(found)) == ("E019", 3, 7)
    assert "2 rows" in found.message and "quotes" in found.hint
    assert spots("data:\n  board: ####\n") == [("E019", 2, 10)]


def test_a_block_cut_short() -> None:
    text = "data:\n  board: |\n      ##\n    ####\n    #.@#\n  rows: 3\n"
    (found,) = problems(text)
    assert (found.code, *place(found)) == ("E018", 4, 5)
    assert "2 rows from here on are comments" in found.message
    assert spots("levels:\n  a:\n    board: |\n      #####\n    #S..#\n    known: {}\n") == [("E018", 5, 5)]
    assert spots("data:\n  board: |\n###\n#.#\n") == [("E018", 3, 1)]


def test_a_value_cut_by_a_comment() -> None:
    assert spots("data:\n  board:\n    - ..# #..\n    - ok # words\n") == [("E020", 3, 11)]
    assert spots("levels:\n  a:\n    board: .. #S#\n") == [("E020", 3, 15)]
    assert spots("levels:\n  a: {n: 3}  # 3 rows\n  b:\n    rows: 2 # 2\n    b: x  # ##\n") == [("E020", 5, 11)]
    assert spots('types:\n  cell: cells(b, omit=" #")\n') == [("E020", 2, 25)]


# --- the document ---


@pytest.mark.parametrize(
    ("name", "actions", "levels"),
    [
        ("bridge", 1, 2),
        ("cube", 1, 2),
        ("freecell", 4, 0),
        ("klotski", 1, 2),
        ("labyrinth", 2, 0),
        ("n_puzzle", 1, 3),
        ("ricochet", 1, 0),
        ("snakebird", 1, 0),
        ("vehicles", 1, 3),
        ("water_sort", 1, 1),
    ],
)
def test_design_examples(name: str, actions: int, levels: int) -> None:
    document = read_document((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"), name)
    assert (len(document.actions), len(document.levels)) == (actions, levels)


def test_shapes() -> None:
    text = BASE + (
        "    when: a\n    then:\n      repeat: 3\n      a: false\n"
        "levels:\n  one: {}\n  two: {data: 1, known: {optimal: {moves: 3}}, about: x}\nalways: [a, b]\n"
    )
    document = read_document(text, "f.yaml")
    assert document.goal == ("a",) and [each.when for each in document.always] == ["a", "b"] and document.require == ()
    (go,) = document.actions.values()
    assert [each.when for each in go.when] == ["a"] and go.params == {} and go.cost is None
    assert go.then == (PhaseSource(repeat=Text("3"), effect={Text("a"): Text("false")}),)
    one, two = document.levels.values()
    assert one == LevelSource()
    assert (two.data, two.known, two.about) == ({"data": "1"}, {"optimal": {"moves": "3"}}, "x")


def test_leaves_keep_their_places() -> None:
    document = read_document(BASE, "f.yaml")
    (key, value), *_ = document.state.items()
    assert isinstance(key, Text) and key.location == Location("f.yaml", 2, 9)
    assert isinstance(value, Text) and value.at(7, 5) == Location("f.yaml", 2, 19, 5)
    assert document.goal[0].location == Location("f.yaml", 3, 7)


def test_unknown_keys_with_a_suggestion() -> None:
    with pytest.raises(PuzzleError) as caught:
        read_document(BASE + "    whem: x\ngoals: y\nview: {bord: c}\nlevels: {a: {known: {optimum: 3}}}\n", "f.yaml")
    found = [(d.code, *place(d), d.message, d.hint) for d in caught.value.diagnostics]
    assert found == [
        ("E101", 7, 5, "unknown key 'whem' in 'go'", "did you mean 'when'?"),
        ("E101", 8, 1, "unknown key 'goals'", "did you mean 'goal'?"),
        ("E101", 9, 8, "unknown key 'bord' in 'view'", "did you mean 'board'?"),
        ("E101", 10, 22, "unknown key 'optimum' in 'known'", "did you mean 'optimal'?"),
    ]


def test_missing_keys() -> None:
    assert document_problems("puzzle: p\nstate: {}\nactions:\n  go: {when: x}\n") == [
        ("E102", 1, 1, "the file has no 'goal'"),
        ("E102", 4, 3, "'go' has no 'effect'"),
    ]


def test_values_of_the_wrong_kind_give_one_message_a_place() -> None:
    text = BASE + (
        "    params: {x: {a: b}, y: [a, [b]]}\n    then:\n      - repeat: [3]\n        a: 1\n      - repeat: 2\n"
        "      - b: [c]\n    cost: [1]\nlevels:\n  a: x\nalways: [a, {b: c}]\ndead: []\ndefine: f\n"
    )
    assert document_problems(text) == [
        ("E103", 7, 14, "'x' must be a text or a list, not a mapping"),
        ("E103", 7, 33, "item 2 of 'y' must be a text, not a list"),
        ("E103", 9, 9, "'repeat' must be a text, not a list"),
        ("E105", 11, 9, "a phase needs at least one assignment line"),
        ("E103", 12, 9, "'b' must be a text, not a list"),
        ("E103", 13, 5, "'cost' must be a text or a mapping, not a list"),
        ("E103", 15, 6, "'a' must be a mapping, not a text"),
        ("E102", 16, 14, "item 2 of 'always' has no 'when'"),
        ("E101", 16, 14, "unknown key 'b' in item 2 of 'always'"),
        ("E105", 17, 1, "this list is empty"),
        ("E103", 18, 9, "'define' must be a mapping, not a text"),
    ]


def test_format_number() -> None:
    assert read_document("format: 1\n" + BASE, "f.yaml").format == "1"
    newer = "this file is written in format 2; this version reads format 1"
    assert document_problems("format: 2\nnovelty: x\n" + BASE) == [("E104", 1, 9, newer)]
    assert document_problems("format: one\n" + BASE) == [("E104", 1, 9, "'one' is no format")]


def test_json_schema_for_editors() -> None:
    schema = adapter(Document).json_schema()
    assert schema["additionalProperties"] is False
    assert {"type": "array", "items": {"type": ["string", "number", "boolean"]}} in schema["properties"]["goal"][
        "anyOf"
    ]


# --- diagnostics ---


def test_render() -> None:
    text = "format: 1\n\tgoals: x\n"
    shown = render(Diagnostic("unknown key", Location("f.yaml", 2, 2, 5), "try\nthis", code="E101"), text)
    assert shown.split("\n") == [
        "f.yaml:2:2: error[E101]: unknown key",
        "  2 |  goals: x",
        "    |  ^^^^^",
        "  help: try",
        "        this",
    ]
    assert render(Diagnostic("m", None, severity="warning"), text) == "warning: m"
    assert render(Diagnostic("m", Location("f", 9, 1)), text) == "f:9:1: error: m"


def test_render_shows_a_window_of_a_long_line() -> None:
    line = "a: " + "x" * 300 + "!" + "y" * 300
    message, excerpt, caret = render(Diagnostic("m", Location("f", 1, 304)), line).split("\n")
    assert message == "f:1:304: error: m"
    assert len(excerpt) < 120 and excerpt[caret.index("^")] == "!"


def test_render_with_wide_characters_and_control_characters() -> None:
    _, excerpt, caret = render(Diagnostic("m", Location("f", 1, 6)), "a: 漢\x1bx").split("\n")
    assert excerpt == "  1 | a: 漢?x" and caret.index("^") == len("  1 | a: ") + 3


def test_suggestions() -> None:
    assert nearest("goals", ["goal", "state"]) == "goal" and nearest("xyz", ["goal"]) is None
    assert did_you_mean("goals", ["goal", "state"]) == "did you mean 'goal'?"
    assert did_you_mean("xyz", ["goal", "state"]) == "allowed here: goal, state"
    assert did_you_mean("xyz", [f"name{i}" for i in range(40)]) == ""


def test_errors_carry_and_print_their_diagnostics() -> None:
    one = Diagnostic("m", Location("f", 1, 2), code="E001")
    error = PuzzleError(one)
    assert error.diagnostics == (one,) and str(error) == "f:1:2: error[E001]: m"
    assert pickle.loads(pickle.dumps(PuzzleError([one, one]))).diagnostics == (one, one)
    assert all(len(text) > 40 for text in CODES.values())


def test_a_good_file_needs_no_pydantic() -> None:
    code = f"import sys, models.loader; models.loader.load_text({BASE!r}, ''); sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1]).returncode == 0


def test_equal_expressions_are_told_at_their_own_places() -> None:
    with pytest.raises(PuzzleError) as caught:
        load_text(BASE + "invariants:\n  one: lost > 0\n  other:   lost > 0\n", "f.yaml")
    assert [place(each) for each in caught.value.diagnostics] == [(8, 8), (9, 12)]
