"""The workshop's page in a real browser: a puzzle typed until it is proven, mistakes marked, nothing lost."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures
from edited import PENGUIN, Workshop, revision, served, workshop
from game_texts import HOSTILE, LINE
from puzzle_files import PUZZLES
from running import until

from puzzlewright.files.on_disk import OnDisk
from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Catalogue, Chosen
from puzzlewright.play.pool import Pool
from puzzlewright.play.server import Server
from puzzlewright.solving.backends import BACKENDS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.yaml"


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    with workshop(file) as found:
        yield found


Opening = Callable[..., Workshop]


@pytest.fixture
def opened(file: Path, server: Server, page: Any) -> Opening:  # noqa: F811
    """The page of a text, once there is this verdict."""

    def opening(text: str = PENGUIN, verdict: str = "proven") -> Workshop:
        file.write_text(text, encoding="utf-8")
        here = Workshop(page, server)
        here.says(verdict)
        return here

    return opening


def test_a_mistake_is_marked_with_its_hint_and_goes(
    opened: Opening,
    file: Path,
    server: Server,
    page: Any,  # noqa: F811
    told: Told,  # noqa: F811
) -> None:
    """Of a board of 3 by 4 the corners are 2 + 3 steps apart; the answer names the very text."""
    here = opened(PENGUIN, "proven shortest: 5 moves")
    here.add("always: pinguin != cell(1, 1)")
    page.locator("#problems", has_text="unknown name 'pinguin'").wait_for()
    assert "line 16: " in page.inner_text("#problems") and "did you mean 'penguin'?" in page.inner_text("#problems")
    assert page.locator("#writing .cm-lintRange-error").all_inner_texts() == ["pinguin"]
    here.says("^1 mistake$")
    page.keyboard.press("Home")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    page.keyboard.type("e")
    assert here.says("proven shortest: 5 moves") == revision(here.text())
    assert page.locator("#writing .cm-lintRange-error").count() == 0
    assert here.text() == PENGUIN + "always: penguin != cell(1, 1)"
    here.save()
    assert file.read_text(encoding="utf-8") == here.text()
    assert all(url.startswith((server.url, "data:")) for url in told.requests)


@pytest.mark.slow
def test_a_puzzle_is_typed_until_it_is_proven(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    here = Workshop(page, server)
    page.click("#begin")
    here.says("proven shortest")
    assert page.locator("#notice").is_hidden() and here.text().startswith("#")
    here.focus()
    page.keyboard.press("Control+z")
    here.type(PENGUIN)
    about = here.says("proven shortest: 5 moves")
    assert here.text() == PENGUIN.rstrip("\n") and about == revision(here.text())
    here.save()
    assert file.read_text(encoding="utf-8") == here.text() and page.locator("#unsaved").is_hidden()
    page.click("#show-plan")
    page.locator("#message", has_text="Solved in 5 moves").wait_for()


@pytest.mark.slow
def test_a_mistake_is_marked_within_a_second(opened: Opening, page: Any) -> None:  # noqa: F811
    """In one try of five, as other work may hold the machine up."""
    here = opened()
    here.focus()
    times: list[float] = []
    while len(times) < 5 and not any(each < 1 for each in times):
        page.keyboard.press("Control+End")
        began = time.monotonic()
        page.keyboard.type("x")
        page.locator("#writing .cm-lintRange-error").wait_for()
        times.append(time.monotonic() - began)
        page.keyboard.press("Backspace")
        here.says("proven")
    assert min(times) < 1


# -- nothing is lost ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_others_write_is_loaded_where_nothing_is_unsaved(opened: Opening, file: Path, page: Any) -> None:  # noqa: F811
    here = opened(PENGUIN, "proven shortest: 5 moves")
    file.write_text(PENGUIN.replace("cell(2, 3)", "cell(1, 1)"), encoding="utf-8")
    here.says("proven shortest: 2 moves")
    assert "cell(1, 1)" in here.text() and "changed elsewhere" in page.inner_text("#notice")
    here.focus()
    page.keyboard.press("Control+z")
    assert here.says("proven shortest: 5 moves") == revision(here.text()) == revision(PENGUIN)


@pytest.fixture
def torn(opened: Opening, file: Path, page: Any) -> Workshop:  # noqa: F811
    """Somebody writes into the file while there are changes here that are not saved."""
    here = opened()
    here.add("about: mine")
    file.write_text(PENGUIN + "about: theirs\n", encoding="utf-8")
    page.locator("#notice", has_text="changed elsewhere").wait_for()
    assert "about: mine" in here.text() and "theirs" in file.read_text(encoding="utf-8")
    return here


@pytest.mark.slow
@pytest.mark.parametrize("choice, here_says, file_says", [
    ("#load-theirs", "about: theirs", "about: theirs"),
    ("#keep-mine", "about: mine", "about: mine"),
])  # fmt: skip
def test_one_of_two_texts_is_chosen(torn: Workshop, file: Path, choice: str, here_says: str, file_says: str) -> None:
    torn.page.click(choice)
    torn.page.wait_for_selector("#notice", state="hidden")
    assert here_says in torn.text()
    assert until(lambda: file_says in file.read_text(encoding="utf-8"))
    assert torn.page.locator("#unsaved").is_hidden()


@pytest.mark.slow
def test_nothing_is_overwritten_by_saving(torn: Workshop, file: Path) -> None:
    torn.page.keyboard.press("Control+s")
    torn.page.locator("#notice", has_text="yours was not saved").wait_for()
    assert file.read_text(encoding="utf-8") == PENGUIN + "about: theirs\n" and "about: mine" in torn.text()


@pytest.mark.slow
def test_both_texts_are_seen_and_joined(torn: Workshop, file: Path) -> None:
    page = torn.page  # noqa: F811
    page.click("#show-both")
    sides = page.locator("#both-texts .cm-content")
    assert "about: theirs" in sides.nth(0).inner_text() and "about: mine" in sides.nth(1).inner_text()
    sides.nth(1).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" and theirs")
    page.click("#both-use")
    torn.says("proven")
    assert "about: mine and theirs" in torn.text()
    torn.save()
    assert "about: mine and theirs" in file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_unsaved_text_outlives_the_page(opened: Opening, file: Path, page: Any) -> None:  # noqa: F811
    here = opened()
    here.add("about: mine")
    page.reload()
    page.locator("#notice", has_text="is here again").wait_for()
    assert here.text() == PENGUIN + "about: mine" and page.locator("#unsaved").is_visible()
    file.write_text("puzzle: other\n", encoding="utf-8")
    page.reload()
    page.locator("#notice", has_text="another text than the file has now").wait_for()
    assert here.text() == PENGUIN + "about: mine"
    page.click("#load-theirs")
    here.says("mistake")
    assert here.text() == "puzzle: other\n"


@pytest.mark.slow
def test_what_was_never_seen_is_not_overwritten(opened: Opening, file: Path, server: Server, page: Any) -> None:  # noqa: F811
    """A text that was kept, and a file that others have changed since: saving asks, after every start of the page."""
    here = opened()
    here.add("about: mine")
    page.locator("#unsaved").wait_for()
    page.goto("about:blank")
    file.write_text(PENGUIN + "about: theirs\n", encoding="utf-8")
    for _ in range(2):
        page.goto(server.url)
        page.locator("#notice", has_text="another text than the file has now").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#notice", has_text="yours was not saved").wait_for()
        assert "about: theirs" in file.read_text(encoding="utf-8") and "about: mine" in here.text()
    page.click("#keep-mine")
    assert until(lambda: "about: mine" in file.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_file_that_is_gone_is_still_here(opened: Opening, file: Path, page: Any) -> None:  # noqa: F811
    """Its text stays, also when the page is opened anew; saving makes it again; what comes in its place is loaded."""
    here = opened()
    file.unlink()
    page.locator("#notice", has_text="not there any more").wait_for()
    assert here.text() == PENGUIN and page.locator("#unsaved").is_visible()
    page.reload()
    page.locator("#notice", has_text="is here again").wait_for()
    assert here.text() == PENGUIN
    here.says("proven")
    here.save()
    assert file.read_text(encoding="utf-8") == PENGUIN
    file.unlink()
    page.locator("#notice", has_text="not there any more").wait_for()
    file.write_text(PENGUIN.replace("cell(2, 3)", "cell(1, 1)"), encoding="utf-8")
    here.says("proven shortest: 2 moves")


@pytest.mark.slow
def test_saving_twice_at_once_is_no_conflict(opened: Opening, file: Path, page: Any) -> None:  # noqa: F811
    here = opened()
    here.add("about: mine")
    page.evaluate("for (const each of [1, 2, 3]) document.getElementById('save').click()")
    assert until(lambda: "about: mine" in file.read_text(encoding="utf-8"))
    page.locator("#unsaved").wait_for(state="hidden")
    page.wait_for_timeout(500)  # for what might be said too late
    assert page.locator("#notice").is_hidden()


@pytest.mark.slow
def test_what_was_not_saved_is_said_until_it_is(
    opened: Opening,
    file: Path,
    page: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A read-only file: the page goes on looking at the file, and the words stay."""
    here = opened()
    here.add("about: mine")
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: False)
        page.keyboard.press("Control+s")
        page.locator("#notice", has_text="cannot be written: it is read-only. What you write is kept").wait_for()
        for _ in range(2):  # when the second answer is there, the first one has been seen
            with page.expect_response("**/api/version"):
                pass
        assert page.locator("#notice").is_visible() and page.locator("#unsaved").is_visible()
    here.save()
    page.locator("#notice").wait_for(state="hidden")
    assert file.read_text(encoding="utf-8") == here.text()


@pytest.mark.slow
def test_two_pages_keep_what_each_has(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    """One that is closed without a change takes nothing away; what both have left is offered, the newer one first."""
    file.write_text(PENGUIN, encoding="utf-8")
    texts = ("about: first", "about: second")
    pages = [page, page.context.new_page(), page.context.new_page()]
    for each, words in zip(pages, texts, strict=False):
        here = Workshop(each, server)
        here.says("proven")
        here.add(words)
        each.wait_for_timeout(600)  # until it is kept
    Workshop(pages[2], server).says("proven")
    for each in pages:
        each.close(run_before_unload=True)
    here = Workshop(page.context.new_page(), server)
    here.page.locator("#notice", has_text="is here again").wait_for()
    assert here.text() == PENGUIN + texts[1]
    for words in (texts[0], texts[1], texts[0]):
        here.page.click("#notice .other")
        assert until(lambda words=words: here.text() == PENGUIN + words)
    here.page.close(run_before_unload=True)
    again = Workshop(page.context.new_page(), server)
    assert until(lambda: again.text() == PENGUIN + texts[0]) and again.page.locator("#notice .other").count() == 1


@pytest.mark.slow
def test_what_cannot_be_kept_is_not_said_to_be(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    file.write_text(PENGUIN, encoding="utf-8")
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    here = Workshop(page, server)
    here.says("proven")
    page.route("**/api/*", lambda route: route.abort())
    page.locator("#notice", has_text="The server does not answer").wait_for()
    assert "kept in this browser" in page.inner_text("#notice")  # there is nothing to be kept
    here.add("about: mine")
    assert until(lambda: "kept in this browser" not in page.inner_text("#notice"))
    page.unroute("**/api/*")
    page.locator("#notice").wait_for(state="hidden")


@pytest.mark.slow
@pytest.mark.parametrize("start, end", [("\ufeff", "\r\n"), ("", "\r"), ("", "\n")])
def test_odd_files_are_saved_as_they_are(file: Path, server: Server, page: Any, start: str, end: str) -> None:  # noqa: F811
    """A mark, ends of lines, tabs, letters of all planes and lines that only others take for several."""
    odd = f"{start}# \t \u2028 \x85 \x0b 名前 😀 \u0301\ufeff{end}{PENGUIN.replace(chr(10), end)}# no end"
    file.write_bytes(odd.encode())
    here = Workshop(page, server)
    here.says(".")
    assert page.locator("#unsaved").is_hidden()
    here.add(" at all")
    here.save()
    assert file.read_bytes() == f"{odd} at all".encode()


# -- the text is shown, and answers are about it -----------------------------------------------------------------------


@pytest.mark.slow
def test_hostile_words_are_shown_and_not_run(
    opened: Opening,
    file: Path,
    server: Server,
    page: Any,  # noqa: F811
    told: Told,  # noqa: F811
) -> None:
    wrong = HOSTILE + "levels:\n  \"<img src=x onerror=alert(1)>\": {}\nalways: '<b>'\n"
    here = opened(wrong, "mistake")
    page.locator("#levels button", has_text="<img src=x").wait_for()
    file.write_text(HOSTILE, encoding="utf-8")
    here.says("proven shortest: 1 move")
    assert page.inner_text("#caption").startswith("</svg><script>alert(")
    assert page.locator("main img, main script, main [onclick], main [onload], main b").count() == 0
    assert all(url.startswith((server.url, "data:")) for url in told.requests)


@pytest.mark.slow
def test_claims_are_told_at_their_places(opened: Opening, page: Any) -> None:  # noqa: F811
    """From x = 0 two steps of 1 lead to 2; `far` says 3."""
    here = opened(CLAIMING, "proven shortest: 2 moves")
    page.locator("#problems", has_text="claim refuted: heuristic far").wait_for()
    assert page.locator("#writing .cm-lintRange-error").all_inner_texts() == ["far"]
    page.locator("#claims .refuted").wait_for()
    page.locator("#chips button", has_text="go").click()  # a puzzle without a board
    page.locator("#cost", has_text="1 move").wait_for()
    page.locator("#levels button", has_text="stuck").click()
    here.says("unsolvable")


CLAIMING = """puzzle: claiming
data: {step: 1}
types: {place: 0 .. 3}
state: {x: place = 0}
actions:
  go: {effect: {x: x + step}}
goal: x == 2
heuristics: {near: 2 - x if x < 2 else 0, far: 3}
claims: {near: admissible, far: admissible}
levels:
  plain: {}
  stuck: {step: 3}
"""


@pytest.mark.slow
def test_late_answers_are_dropped_and_their_work_ends(opened: Opening, server: Server, page: Any) -> None:  # noqa: F811
    """A proof that would take long, of a text that is no more: its process ends, and nothing of it is shown."""
    here = opened(LONG, "proving")
    pool = server.api.pool
    busy = until(lambda: [worker for worker in list(pool.all) if worker not in pool.idle])
    here.focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(PENGUIN)
    assert here.says("proven shortest: 5 moves") == revision(PENGUIN)
    assert until(lambda: any(worker.process.poll() is not None for worker in busy))


LONG = f"""{(PUZZLES / "n_puzzle.yaml").read_text(encoding="utf-8").partition("levels:")[0]}levels:
  large: {{rows: 5, cols: 5, start: {[*range(24, 1, -1), 1, 0]}}}
"""  # 24 tiles backwards: no search is through with them in seconds


@pytest.mark.slow
def test_names_are_offered_and_explained(opened: Opening, page: Any) -> None:  # noqa: F811
    here = opened()
    here.add("alw")
    page.locator(".cm-tooltip-autocomplete", has_text="always").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("peng")
    page.locator(".cm-tooltip-autocomplete", has_text="penguin").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type(" != cell(1, 1)")
    here.says("proven shortest: 5 moves")
    assert here.text() == PENGUIN + "always: penguin != cell(1, 1)"
    page.locator("#writing .cm-line", has_text="penguin: penguin + d").locator("span").last.hover()
    page.locator("#writing .cm-line", has_text="goal: penguin").locator("span", has_text="penguin").hover()
    page.locator(".cm-meaning", has_text="variable, line 7").wait_for()


# -- play --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_played_file_is_loaded_anew_once_it_can_be_read(file: Path, page: Any) -> None:  # noqa: F811
    file.write_text(LINE, encoding="utf-8")
    catalogue = Catalogue(Chosen("mine", "", str(file)), disk=OnDisk(file))
    with served(Api(catalogue, Pool(), tuple(BACKENDS))) as server:  # noqa: F811
        page.goto(server.url)
        page.locator("#title", has_text="Line").wait_for()
        file.write_text(LINE.replace("goal:", "gaol:"), encoding="utf-8")
        page.locator("#message", has_text="The file has changed, and cannot be read").wait_for()
        file.write_text(LINE.replace("puzzle: line", "puzzle: other"), encoding="utf-8")
        page.locator("#title", has_text="Other").wait_for()


# -- painting ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_level_is_painted_and_its_optimum_changes(opened: Opening, file: Path, page: Any) -> None:  # noqa: F811
    """A corridor of 4 steps: a wall in it leaves no way, a shorter one 2; the file's own lines stay as they are."""
    here = opened(CORRIDOR, "proven shortest: 4 moves")
    page.click("#paint-open")
    page.click('#palette [data-letter="\\"#\\""]')
    page.click('#canvas [data-at="1,2"]')
    here.says("unsolvable")
    page.click("#paint-undo")
    here.says("proven shortest: 4 moves")
    page.locator("#figures-line", has_text="1 best plan · 0 dead ends · 5 states").wait_for()
    page.click('#palette [data-letter="\\"E\\""]')
    page.locator('#canvas [data-at="1,3"]').click()
    here.says("proven shortest: 2 moves")
    page.fill("#paint-name", "short")
    here.says("proven shortest: 2 moves")
    page.click("#paint-save")
    level = '  short: {board: ["#######", "#@.E.E#", "#######"], known: {optimal: 2}}\n'
    assert until(lambda: page.locator("#paint").is_hidden())
    assert here.says("proven shortest: 2 moves") == revision(here.text())
    here.focus()
    here.save()
    assert file.read_text(encoding="utf-8") == CORRIDOR.replace("# the end", f"{level}# the end")


CORRIDOR = """# A corridor.
puzzle: corridor   # and no more
data:
  board: ["#######", "#@...E#", "#######"]
types:
  cell: cells(board, omit="#", plain=".")
state:
  at: cell = first(c for c in cell if board[c] == "@")
actions:
  walk: {params: {d: direction}, effect: {at: at + d}}
goal: board[at] == "E"
view:
  board: c in cell
  glyph: ("@" if c == at else "E" if board[c] == "E" else ".")
levels:
  first:   {}
# the end
"""


@pytest.fixture
def phone(chromium: Any) -> Iterator[Any]:  # noqa: F811
    """A page on a screen that is touched."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(120_000)
    yield context.new_page()
    context.close()


def drag(page: Any, *squares: str) -> None:  # noqa: F811
    """A finger goes over these squares of the canvas."""
    boxes = [page.locator(f'#canvas [data-at="{square}"]').bounding_box() for square in squares]
    points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in boxes]
    session = page.context.new_cdp_session(page)
    for number, point in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def letter(page: Any, name: str) -> Any:  # noqa: F811
    return page.locator(f"#palette [data-letter='{json.dumps(name)}']")


def canvas(page: Any) -> list[str]:  # noqa: F811
    rows = page.locator("#canvas [role=row]").all()
    return ["".join(row.locator("[role=gridcell]:not(.absent)").all_text_contents()) for row in rows]


@pytest.mark.slow
def test_a_level_is_painted_by_touch(file: Path, server: Server, phone: Any) -> None:
    """A tap on a letter and on a square; a finger over several, which is one stroke, and the page stays."""
    file.write_text(CORRIDOR, encoding="utf-8")
    here = Workshop(phone, server)
    here.says("proven shortest: 4 moves")
    phone.tap("#see-board")
    phone.tap("#paint-open")
    letter(phone, "E").tap()
    phone.locator('#canvas [data-at="1,3"]').tap()
    here.says("proven shortest: 2 moves")
    letter(phone, "#").tap()
    before = phone.locator("#canvas").bounding_box()
    drag(phone, "1,3", "1,4", "1,5")
    assert phone.locator("#canvas").bounding_box() == before
    assert canvas(phone) == ["#######", "#@.####", "#######"]
    here.says("unsolvable")
    phone.tap("#paint-undo")
    assert canvas(phone) == ["#######", "#@.E.E#", "#######"]
    here.says("proven shortest: 2 moves")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.tap("#paint-save")
    assert until(lambda: 'painted: {board: ["#######", "#@.E.E#", "#######"]' in here.text())


TUBES = """puzzle: tubes
about: The first ball of a stack goes on another stack, until each has balls of one colour.
data: {tubes: ["ab", "ba", ""]}
types: {tube: 0 .. 2, place: 0 .. 2, ball: [a, b, none]}
state:
  at[t in tube, p in place]: ball = tubes[t][p] if p < len(tubes[t]) else none
define:
  top(t): count(p for p in place if at[t, p] != none)
actions:
  pour:
    params: {s: tube, t: tube}
    when: s != t and top(s) > 0 and top(t) < 3
    effect: {'at[t, top(t)]': 'at[s, top(s) - 1]', 'at[s, top(s) - 1]': none}
goal: all(at[t, p] == none or at[t, p] == at[t, 0] for t in tube for p in place)
levels:
  first: {}
"""


@pytest.mark.slow
def test_stacks_are_painted(opened: Opening, page: Any) -> None:  # noqa: F811
    """A row is filled up to where it is painted, and ends where it is cut; by keys too. By hand: the upper b goes to
    the empty stack, the upper a to the other a, 2 moves; of `a` and `ba` the upper a goes, 1 move."""
    here = opened(TUBES, "proven shortest: 2 moves")
    page.click("#paint-open")
    assert canvas(page) == ["ab", "ba", ""] and page.locator("[data-resize='0,1']").is_hidden()
    letter(page, None).click()
    page.click('#canvas [data-at="0,1"]')
    assert canvas(page) == ["a", "ba", ""]
    here.says("proven shortest: 1 move")
    letter(page, "b").click()
    page.click('#canvas [data-at="2,2"]')
    assert canvas(page) == ["a", "ba", "bbb"]
    page.locator('#canvas [data-at="1,1"]').focus()
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("a")
    assert canvas(page) == ["a", "a", "bbb"]
    here.says("solved at the start")
    page.click("#paint-undo")
    assert canvas(page) == ["a", "b", "bbb"]
    page.click('[data-resize="-1,0"]')
    assert canvas(page) == ["a", "b"]
    page.click('[data-resize="1,0"]')
    assert canvas(page) == ["a", "b", ""]
    page.click("#paint-undo")
    page.click("#paint-undo")
    page.fill("#paint-name", "mine")
    here.says("solved at the start")
    page.click("#paint-save")
    assert until(lambda: "mine: {tubes: [a, b, bbb]}" in here.text())


@pytest.mark.slow
def test_why_a_level_is_not_painted_is_said(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    file.write_text(PENGUIN, encoding="utf-8")
    here = Workshop(page, server)
    page.locator("#paint-why", has_text="The data of this level are no map that could be painted.").wait_for()
    assert page.locator("#paint-open").is_hidden()
    here.says("proven")
    file.write_text(CORRIDOR + "  begun: {after: [walk right]}\n", encoding="utf-8")
    page.locator("#paint-open").wait_for()
    assert page.inner_text("#paint-why") == ""
    page.locator("#levels button", has_text="begun").click()
    page.locator("#paint-why", has_text="This level says by `after:` where it starts").wait_for()


@pytest.mark.slow
def test_complaints_are_about_the_text_that_is_there(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    """Also while a level is painted, when complaints are about that level: of an older text none is left."""
    file.write_text(CORRIDOR + "heuristics: {far: 9}\nclaims: {far: admissible}\n", encoding="utf-8")
    here = Workshop(page, server)
    page.locator("#problems", has_text="claim refuted: heuristic far").wait_for()
    page.click("#paint-open")
    assert page.locator("#problems li").count() == 1
    here.add("# more")
    page.locator("#problems").wait_for(state="hidden")
    here.says("proven shortest: 4 moves")
    assert page.locator("#problems li").count() == 0 and page.locator("#writing .cm-lintRange-error").count() == 0
    page.click("#paint-close")
    page.locator("#problems", has_text="claim refuted: heuristic far").wait_for()


@pytest.mark.slow
def test_what_is_painted_is_not_lost(file: Path, server: Server, page: Any) -> None:  # noqa: F811
    """It is there again after another level was looked at; what is typed while it is saved stays; a press is enough."""
    file.write_text(CORRIDOR + '  second: {board: ["@E"]}\n', encoding="utf-8")
    here = Workshop(page, server)
    here.says("proven shortest: 4 moves")
    page.click("#paint-open")
    letter(page, "E").click()
    page.click('#canvas [data-at="1,3"]')
    here.says("proven shortest: 2 moves")
    page.locator("#levels button", has_text="second").click()
    here.says("proven shortest: 1 move")
    page.locator("#levels button", has_text="first").click()
    here.says("proven shortest: 4 moves")
    page.click("#paint-open")
    assert canvas(page) == ["#######", "#@.E.E#", "#######"]
    here.says("proven shortest: 2 moves")
    page.click("#paint-undo")
    here.says("proven shortest: 4 moves")
    page.click("#paint-close")
    here.says("proven shortest: 4 moves")
    page.locator('#levels [aria-pressed="true"]', has_text="first").wait_for()
    page.click("#paint-open")
    assert canvas(page) == ["#######", "#@...E#", "#######"]
    letter(page, "E").click()
    page.click('#canvas [data-at="1,2"]')
    page.evaluate("document.getElementById('paint-save').disabled = false")
    page.evaluate("document.getElementById('paint-save').click()")  # at once, before the pause is over
    here.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# ")
    assert until(lambda: "painted: " in here.text())
    here.says("proven shortest: 1 move")
    assert here.text().startswith("# # A corridor.") and '["#######", "#@E..E#", "#######"]' in here.text()
