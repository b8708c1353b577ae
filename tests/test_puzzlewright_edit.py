"""What the workshop's server rests on: saving over just the text that was begun with, and answers at their places."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from edited import PENGUIN, revision
from exported import node
from hypothesis import example, given
from hypothesis import strategies as st
from running import run
from sampled import slow

from models.checker import FUNCTIONS, YIELDING
from models.document import read_document
from models.errors import PuzzleError
from models.names import _MAKERS, GIVEN_TYPES
from models.puzzle import COLOURS, FRAMES, GROUNDS, LOOKS
from puzzlewright.files import on_disk, written_into
from puzzlewright.files.library import find, replaced
from puzzlewright.files.on_disk import NONE, OnDisk, digest, with_ends
from puzzlewright.files.schema import schema
from puzzlewright.pages.bundling import modules
from puzzlewright.play import worker
from puzzlewright.play.catalogue import Chosen
from puzzlewright.play.edit import painting
from puzzlewright.play.edit.api import EditApi
from puzzlewright.play.edit.drafts import KEPT_TEXTS, Drafts
from puzzlewright.play.edit.words import WORDS
from puzzlewright.play.game import GameSource
from puzzlewright.play.pool import Pool
from puzzlewright.play.wire import BadRequest, write_json

CLAIMS = """puzzle: claims
types: {place: 0 .. 3}
state: {x: place = 0}
actions:
  go: {effect: {x: x + 1}}
goal: x == 2
heuristics:
  near: 2 - x if x < 2 else 0
  far: 3
claims: {near: admissible, far: admissible}
invariants:
  still: x
dead: x == 1
levels:
  plain: {known: {optimal: 3}}
"""  # two steps: far is too much, x moves, x == 1 is no dead end, and 2 is the optimum


# -- the file ----------------------------------------------------------------------------------------------------------


def test_a_file_is_saved_over_what_was_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"one\n")
    disk = OnDisk(path)
    read = disk.read()
    saved = disk.save("two\n", read.digest)
    assert saved == disk.read() and path.read_bytes() == b"two\n"
    assert disk.save("three\n", read.digest) is None and path.read_bytes() == b"two\n"
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_so_it_is_on_a_disk_without_second_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(source: Path, target: Path) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(on_disk.os, "link", refused)
    test_a_file_is_saved_over_what_was_read_alone(tmp_path)


def test_a_new_file_is_made_where_none_has_come_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = OnDisk(tmp_path / "a.yaml")
    assert disk.read().digest == NONE
    assert disk.save("mine", NONE) and disk.path.read_text() == "mine"
    monkeypatch.setattr(OnDisk, "_bytes", lambda disk: None)  # as if it came just then
    assert disk.save("again", NONE) is None and disk.path.read_text() == "mine"


@pytest.mark.parametrize("in_place", [True, False])
def test_what_is_written_at_that_very_moment_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    """Just before the second name is made by a file that takes the place, just after it into the file itself."""
    path = tmp_path / "a.yaml"
    path.write_text("one")
    disk, base, link = OnDisk(path), OnDisk(path).read().digest, os.link

    def interrupted(source: Path, target: Path) -> None:
        if in_place:
            link(source, target)
            path.write_text("theirs")
        else:
            (tmp_path / "theirs").write_text("theirs")
            (tmp_path / "theirs").replace(path)
            link(source, target)

    monkeypatch.setattr(on_disk.os, "link", interrupted)
    assert disk.save("mine", base) is None and path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_links_rights_and_marks_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "a.yaml", tmp_path / "link.yaml"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    path.chmod(0o640)
    link.symlink_to(path)
    disk = OnDisk(link)
    assert disk.save("one\nnew\ntwo\n", disk.read().digest)
    assert path.read_bytes() == b"\xef\xbb\xbfone\r\nnew\r\ntwo\r\n"
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("design", [False, True])
def test_a_file_keeps_its_other_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, design: bool) -> None:
    """Saved by `edit` or by `design --save`: a shorter text, and one that does not get to the disk whole."""

    def full(file: int) -> None:
        monkeypatch.setattr(written_into.os, "fsync", lambda file: None)
        raise OSError("the disk is full")

    one, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    one.write_text("one two three\n")
    os.link(one, other)

    def save(text: str) -> None:
        if design:
            replaced(one, text)
        else:
            assert (disk := OnDisk(one)).save(text, disk.read().digest)

    save("four\n")
    assert other.read_text() == one.read_text() == "four\n" and one.samefile(other)
    monkeypatch.setattr(written_into.os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        save("five six\n")
    assert other.read_text() == one.read_text() == "four\n" and one.samefile(other)
    assert OnDisk(one).save("mine", digest(b"of another text")) is None and other.read_text() == "four\n"
    assert sorted(os.listdir(tmp_path)) == ["a.yaml", "b.yaml"]


@pytest.mark.parametrize("old", [None, b"one\r\n", b"\xef\xbb\xbfone\r\n"])
def test_a_text_that_begins_with_a_mark_is_read_as_it_was_saved(tmp_path: Path, old: bytes | None) -> None:
    if old is not None:
        (tmp_path / "a.yaml").write_bytes(old)
    disk = OnDisk(tmp_path / "a.yaml")
    assert disk.save("\ufeffone\n", disk.read().digest)
    assert disk.read().text == "\ufeffone" + ("\n" if old is None else "\r\n")


def test_what_is_read_only_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though another file could take its place; whoever tests this may be allowed everything."""
    path = tmp_path / "a.yaml"
    path.write_text("one")
    path.chmod(0o444)
    disk = OnDisk(path)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError, match="read-only"):
        disk.save("two", disk.read().digest)
    assert path.read_text() == "one" and os.listdir(tmp_path) == ["a.yaml"]


def test_the_owner_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, given = tmp_path / "a.yaml", []
    path.write_text("one")
    monkeypatch.setattr(os, "chown", lambda file, user, group: given.append((Path(file).name, user, group)))
    assert OnDisk(path).save("two", OnDisk(path).read().digest)
    assert given == [(f".a.yaml.{os.getpid()}.new", path.stat().st_uid, path.stat().st_gid)]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff")
    for path in (tmp_path / "a.yaml", tmp_path):
        with pytest.raises(PuzzleError):
            OnDisk(path).read()


ENDS = st.lists(st.tuples(st.sampled_from(["a", "b", ""]), st.sampled_from(["\n", "\r\n", "\r"])), max_size=6)


@given(ENDS, ENDS, st.sampled_from(["", "c"]))
@example([("a", "\n"), ("a", "\r")], [("a", "\n"), ("a", "\n"), ("", "\n")], "")
def test_lines_keep_their_ends(old: list[tuple[str, str]], new: list[tuple[str, str]], tail: str) -> None:
    before = "".join(map("".join, old)) + tail
    after = "".join(f"{line}\n" for line, _ in new) + tail
    assert _plain(with_ends(before, after)) == after
    assert with_ends(before, _plain(before)) == before
    assert with_ends("a\nb\r\nc\n", "a\nb\nnew\nc\n") == "a\nb\r\nnew\nc\n"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


# -- what is said of a text --------------------------------------------------------------------------------------------


class Here(Pool):
    """Work that is done at once."""

    def run(self, job: Any, seconds: float, gone: Any) -> tuple[int, bytes]:
        status, told = worker.reply(write_json(job))
        return status, write_json(told)


@pytest.fixture
def api(tmp_path: Path) -> EditApi:
    made = EditApi(Drafts(Chosen("draft", "", "a.yaml")), Here(), ("auto",), OnDisk(tmp_path / "a.yaml"))
    made.readers = made.pool
    return made


def ask(work: Any, **body: Any) -> dict[str, Any]:
    status, answer = work(body, lambda: False)
    assert status == 200
    return dict(json.loads(answer))


def test_the_reader_is_heard_with_places_and_hints(api: EditApi) -> None:
    told = ask(api.look, text=PENGUIN + "always: pinguin != cell(1, 1)\n")
    assert told["diagnostics"] == [{
        "message": "unknown name 'pinguin'", "hint": "did you mean 'penguin'?", "severity": "error", "code": "E313",
        "line": 16, "column": 9, "length": 7}]  # fmt: skip
    assert told["ready"] is False
    assert [(each["name"], each["kind"], each["line"]) for each in told["names"]] == [
        ("cell", "type", 4), ("penguin", "variable", 7), ("walk", "action", 10)]  # fmt: skip


def test_no_text_is_too_odd(api: EditApi) -> None:
    for text in ("", "\t", "puzzle", "a: [", "- 1", "\u2028", "puzzle: x\nlevels: {a: {}}\n" * 2):
        told = ask(api.look, text=text)
        assert told["diagnostics"] and not told["ready"] and told["revision"] == revision(text)
    for bad in (None, 3, "\ud800", "x" * (1 << 22)):
        with pytest.raises(BadRequest):
            api.look({"text": bad}, lambda: False)


def test_answers_name_their_text(api: EditApi) -> None:
    told = ask(api.look, text=PENGUIN, level="no such level")
    assert told["ready"] and told["level"] is None and told["revision"] == revision(PENGUIN)
    game = {"puzzle": "draft", "revision": told["revision"], "level": None}
    start = api.game(game)["state"]
    proof = ask(api.hint, game=game, state=start, degree="plan", seconds=20)
    assert (proof["proven"], proof["cost"], proof["revision"]) == (True, 5, revision(PENGUIN))
    for number in range(2 * KEPT_TEXTS):  # of another page's
        api.catalogue.hold(str(number))
        if number % 9 == 0:
            api.game(game)
    for number in range(KEPT_TEXTS):
        api.catalogue.hold(str(number))
    with pytest.raises(BadRequest, match="not known here any more"):
        api.game(game)


ODD = [None, True, -1, 1e9, "", "x", "\udc00", [], [[]], {}, {"revision": "x"}, {"board": [["#"]]}, {"board": 1}]


@pytest.mark.parametrize(
    "path", ["look", "figures", "hint", "save", "game", "moves", slow("paint"), slow("check"), slow("design")]
)
def test_no_question_gets_a_fault(api: EditApi, path: str) -> None:
    """Each field by itself is odd, all others are right."""
    revision = ask(api.look, text=CORRIDOR)["revision"]
    game = {"puzzle": "draft", "revision": revision, "level": "first"}
    right = {"text": CORRIDOR, "revision": revision, "level": "first", "maps": {"board": [list("#@E#")]}, "name": "a",
             "base": "x", "game": game, "state": api.game(game)["state"], "degree": "next", "seconds": 1,
             "want": "length", "optimal": 1}  # fmt: skip
    work = api.posts[f"/api/{path}"]
    for name in right:
        for value in ODD if name not in ("want", "seconds") else [None, "x", {}]:
            body = {**right, name: value}
            if path == "design" and (name in ("text", "maps", "name", "base", "game", "state", "degree", "optimal")):
                continue
            try:
                status, _ = work(body, lambda: False)
            except BadRequest as reason:
                status = reason.status
            assert status in (200, 400, 404), (name, value)


def test_claims_are_told_at_their_places(api: EditApi) -> None:
    told = ask(api.check, revision=ask(api.look, text=CLAIMS)["revision"])
    found = {each["name"]: (each["status"], each["line"], each.get("column")) for each in told["claims"]}
    assert found["heuristic near"] == ("proven", 10, 10) and found["heuristic far"] == ("refuted", 10, 28)
    assert found["invariant still"] == ("refuted", 12, 3) and found["dead"] == ("refuted", 13, 7)
    assert found["known optimal on plain"] == ("refuted", 15, 19)


CORRIDOR = """puzzle: corridor
data:
  board: ["#####", "#@.E#"]
types:
  cell: cells(board, omit="#", plain=".")
state:
  at: cell = first(c for c in cell if board[c] == "@")
actions:
  walk: {params: {d: direction}, effect: {at: at + d}}
goal: board[at] == "E"
levels:
  first:  {}   # kept as it is
  begun: {after: [walk right]}
  wide: {board: ["#@..E#x", "#######"]}
"""


def test_a_painted_level_is_one_more_of_the_text(api: EditApi) -> None:
    told = ask(api.look, text=CORRIDOR)
    (board,) = told["maps"]
    assert board["rows"] == [list("#####"), list("#@.E#")] and board["letters"] == list("#@.Ex")
    assert ask(api.look, text=CORRIDOR, level="begun")["maps"] == []  # it states where it starts
    longer = [list("######"), list("#@..E#"), list("######")]
    painted = ask(api.paint, text=CORRIDOR, level="first", maps={"board": longer}, name="longer", optimal=3)
    line = '  longer: {board: ["######", "#@..E#", "######"], known: {optimal: 3}}\n'
    assert painted["text"] == CORRIDOR + line and painted["level"] == "longer"
    again = ask(api.paint, text=painted["text"], level="longer", maps={"board": longer}, name="longer")
    assert again["level"] == "longer-2"


@pytest.mark.parametrize("puzzle, rows, ragged", [
    ("water_sort", [*map(list, ("1445", "5324", "4513", "3512", "1232")), [], []], True),  # stacks
    ("frogs_toads", [list("FFF.TTT")], False),  # a text
    ("n_puzzle", [[1, 8, 7, 3, 0, 5, 4, 6, 2]], False),  # drawn
    ("policeman_thief", None, False),  # words, which are no stacks of letters
    ("wolf_goat_cabbage", None, False),
    ("rubik", None, False),
])  # fmt: skip
def test_what_is_a_map(puzzle: str, rows: Any, ragged: bool) -> None:
    """Whatever is a map is written as it is, and read again; of what is none, it is said why."""
    text, name = find(puzzle)
    document, source = read_document(text, name), GameSource(text, name)
    maps, why = painting.maps_of(document, source.read()), painting.unpainted(document, source.read())
    assert [each["rows"] for each in maps] == ([] if rows is None else [rows]) and bool(why) == (rows is None)
    if maps:
        told = painting.painted(source, {maps[0]["name"]: rows}, "same", {})
        again = GameSource(told["text"], name, "same").read()
        assert maps[0]["ragged"] == ragged and again.data == source.read().data


def test_nothing_that_is_painted_is_left_out(api: EditApi) -> None:
    told = ask(api.paint, text=CORRIDOR.replace("board", "map"), level="first", maps={"board": [list("#@E#")]})
    assert told["text"] is None and "the level has no map 'board' any more" in told["says"]


def test_what_is_painted_may_be_no_level(api: EditApi) -> None:
    ask(api.look, text=CORRIDOR)
    told = ask(api.paint, text=CORRIDOR, level="first", maps={"board": [list("#.E#")]})
    assert told["text"] is None and "start" in told["says"]
    for maps in ({"board": []}, {"board": [[]]}, {"board": "x"}, {"board": [[None]]}, {"board": [["x"] * 50] * 51}):
        with pytest.raises(BadRequest, match="rows of letters"):
            api.paint({"text": CORRIDOR, "level": "first", "maps": maps}, lambda: False)
    with pytest.raises(BadRequest, match="letters, digits"):
        api.paint({"text": CORRIDOR, "maps": {}, "name": "a: b"}, lambda: False)


def test_the_figures_of_a_small_space(api: EditApi) -> None:
    """Three squares in a row: one way; a level without the goal in reach has none, and all its states are dead ends."""
    text = CORRIDOR + '  apart: {board: ["#@.#E"]}\n'
    about = {"revision": ask(api.look, text=text)["revision"]}
    found = [ask(api.figures, level=level, **about) for level in ("first", "apart")]
    assert [(each["states"], each["plans"], each["dead_ends"]) for each in found] == [(3, 1, 0), (2, 0, 2)]


def test_figures_are_those_of_a_whole_space(api: EditApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painting, "STATES", 1)
    found = ask(api.figures, revision=ask(api.look, text=CORRIDOR)["revision"])
    assert (found["states"], found["plans"], found["dead_ends"]) == (None, None, None)


@pytest.mark.slow
def test_a_harder_level_is_harder(api: EditApi) -> None:
    """In what time there is; 2 steps are the shortest of the first one."""
    about = {"revision": ask(api.look, text=CORRIDOR)["revision"], "level": "first"}
    told = ask(api.design, want="length", seconds=10, random=1, **about)
    assert told["maps"] is not None or told["says"] == "no such level was found in this time"
    if told["maps"]:
        maps = {each["name"]: each["rows"] for each in told["maps"]}
        painted = ask(api.paint, text=CORRIDOR, level="first", maps=maps)
        game = {"puzzle": "draft", "revision": ask(api.look, text=painted["text"])["revision"], "level": "painted"}
        proof = ask(api.hint, game=game, state=api.game(game)["state"], degree="plan", seconds=20)
        assert proof["proven"] and proof["cost"] > 2


def test_a_page_saves_over_what_it_has_read_alone(api: EditApi) -> None:
    first = json.loads(api.file()[1])
    assert (first["text"], first["digest"]) == ("", NONE)
    mine = api.save({"text": "mine", "base": ""})
    assert mine["saved"] and json.loads(api.version()[1])["version"] == mine["digest"]
    late = api.save({"text": "late", "base": "another"})
    assert (late["saved"], late["text"], late["digest"]) == (False, "mine", mine["digest"])
    api.disk.path.unlink()
    api.disk.path.mkdir()
    with pytest.raises(BadRequest, match="cannot be read"):
        api.save({"text": "mine", "base": mine["digest"]})


def test_all_words_of_the_language_are_explained() -> None:
    assert {*FUNCTIONS, *YIELDING, *_MAKERS, *GIVEN_TYPES} <= WORDS.keys()


@pytest.mark.parametrize(
    "file, says",
    [
        ("klotski", "begin with a copy: `puzzlewright new klotski.yaml --like klotski`"),
        ("a.txt", ".yaml"),
        ("no/a.yaml", "there is no folder 'no'"),
    ],
)
def test_what_is_not_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, says: str) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("edit", file)
    assert done.code == 2 and says in " ".join(done.err.split())


# -- what is offered ---------------------------------------------------------------------------------------------------

OFFERED = """
const { completions } = $module_names;
const lines = given.text.split("\\n").map((text) => ({ text }));
lines.reduce((from, line, index) => Object.assign(line, { from, number: index + 1 }).from + line.text.length + 1, 0);
const last = lines.at(-1);
const doc = { line: (number) => lines[number - 1], lineAt: () => last };
const found = completions({ pos: last.from + last.text.length, explicit: false, state: { doc } }, given);
console.log(JSON.stringify((found?.options ?? []).map(({ label }) => label)));
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("look: pla", LOOKS),
        ("ground: g", (*GROUNDS, *COLOURS)),
        ("frame: p", FRAMES),
        ("glyph: g", ()),
        ("size: s", ()),
    ],
)
def test_the_words_of_a_view_are_offered(line: str, words: tuple[str, ...]) -> None:
    told = {"text": f"puzzle: p\nview:\n  board: c in cell\n  {line}", "schema": schema(), "words": {}, "names": []}
    assert node(modules(["names"], ("puzzlewright.play.edit",)) + OFFERED, told) == list(words)
