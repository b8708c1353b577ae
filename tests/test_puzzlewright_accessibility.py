"""Every page as axe-core sees it, in its main states: nothing is wrong with it, light and dark, desktop and phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accessible import SIZES, violations
from browser import chromium, page  # noqa: F401 - fixtures
from edited import PENGUIN, Workshop, served, workshop
from playing import Play, hint, smallest, turns
from running import run

from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Catalogue
from puzzlewright.play.pool import Pool
from puzzlewright.play.server import HOME, Server
from puzzlewright.solving.backends import BACKENDS


def fine(page: Any, every: bool = True) -> None:  # noqa: F811
    assert violations(page, every) == []


def made(page: Any, folder: Path, *words: str) -> Any:  # noqa: F811
    """The page that a command writes, opened."""
    path = folder / "page.html"
    done = run(*words, path)
    assert path.exists(), done.out
    page.goto(path.as_uri())
    return page


# -- by default: two looks at each of a few pages ----------------------------------------------------------------------


def test_a_fault_is_found(page: Any) -> None:  # noqa: F811
    """Of each kind that is asked for: contrast, labels, and in the dark alone."""
    page.set_content(
        '<!DOCTYPE html><html lang="en"><title>x</title><style>@media (prefers-color-scheme: dark) { p { color: #222 }'
        "body { background: #000 } }</style><main><h1>x</h1><p>some words</p><button></button></main></html>"
    )
    found = violations(page, every=False)
    assert sorted(re.findall(r"^(light|dark), \d+ wide: ([\w-]+)", "\n".join(found), re.MULTILINE)) == [
        ("dark", "button-name"), ("dark", "color-contrast"), ("light", "button-name"),
    ]  # fmt: skip


@pytest.mark.parametrize("words", [
    ("export", "n_puzzle", "--level", "easy-8", "--out"),
    ("trace", "n_puzzle", "--level", "easy-8", "--backend", "bfs", "--out"),
    ("show", "hanoi", "--level", "three", "--out"),
], ids=lambda words: words[0])  # fmt: skip
def test_pages_that_are_written(page: Any, tmp_path: Path, words: tuple[str, ...]) -> None:  # noqa: F811
    fine(made(page, tmp_path, *words), every=False)


def test_the_page_of_edit(page: Any, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "mine.yaml"
    file.write_text(PENGUIN, encoding="utf-8")
    with workshop(file) as server:  # noqa: F811
        Workshop(page, server).says("proven shortest")
        fine(page, every=False)


# -- the pages of `play` and of an export, in their states -------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(Api(Catalogue(), Pool(), tuple(BACKENDS))) as found:
        yield found


@pytest.fixture(params=["play", "export"])
def open_level(request: Any, page: Any, server: Server, tmp_path: Path) -> Any:  # noqa: F811
    """Opens a level in the page of `play`, and in one that was exported."""

    def open_(puzzle: str, level: str) -> Play:
        if request.param == "play":
            page.goto("about:blank")
            page.goto(f"{server.url}#puzzle={puzzle}&level={level}")
        else:
            made(page, tmp_path, "export", puzzle, "--level", level, "--out")
        page.locator("#board svg").wait_for()
        return Play(page)

    return open_


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", [
    "klotski", "water_sort", "vehicles", "jealous_husbands", "wolf_goat_cabbage", "words", "m13", "rubik", "klondike",
])  # fmt: skip
def test_a_game_at_its_start(open_level: Any, puzzle: str) -> None:
    fine(open_level(puzzle, smallest(puzzle)[0]).page)


@pytest.mark.slow
def test_a_game_in_its_states(open_level: Any) -> None:
    """Help, a refusal, all hints, everything unfolded, a goal reached."""
    play = open_level("n_puzzle", "easy-8")
    play.press("?")
    fine(play.page)
    play.press("Escape", "b", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    play.page.locator("#message.bad").wait_for()
    fine(play.page)
    play.press("r")
    for degree in ("solvable", "next", "plan"):
        hint(play, degree)
        fine(play.page)
    play.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine(play.page)
    play.page.click("#hint-play")
    play.page.locator("#won").wait_for()
    fine(play.page)


@pytest.mark.slow
def test_a_game_with_something_taken_and_a_menu(open_level: Any) -> None:
    play = open_level("hanoi", "three")
    play.click([2, 0])
    play.says("Choose where to")
    fine(play.page)
    play = open_level("rush_hour", "small-moves")
    moves = turns("rush_hour", "small-moves")[0].moves
    place = next(move["leaves"][0] for move in moves
                 if len([each for each in moves if each["leaves"] == move["leaves"]]) > 1)  # fmt: skip
    play.click(place)
    play.press("Enter")
    play.page.locator("#menu").wait_for()
    fine(play.page)


@pytest.mark.slow
def test_the_solver_and_the_editor(page: Any, server: Server) -> None:  # noqa: F811
    page.goto(f"{server.url}#puzzle=n_puzzle&level=easy-8")
    page.locator("#board svg").wait_for()
    for mode, work, found in (
        ("solve", "#run", "#outcome"),
        ("solve", "#grow", ".layer"),
        ("edit", "#edit-check", "#edit-answer p:not(.busy)"),
    ):
        page.click(f"#mode-{mode}")
        fine(page)
        page.click(work)
        page.locator(found).first.wait_for()
        fine(page)
    page.click("#mode-solve")
    page.select_option("#backend", "astar")
    page.select_option("#beside", "bfs")  # on one clock
    page.click("#grow")
    page.locator(".race .growth").nth(1).wait_for()
    page.keyboard.press("End")
    page.locator(".nodes circle").first.wait_for()
    fine(page)


@pytest.mark.slow
def test_the_map_of_all_states(page: Any, server: Server) -> None:  # noqa: F811
    page.goto(f"{server.url}#puzzle=wolf_goat_cabbage&level=alcuin")
    page.locator("#board svg, #board.lines").first.wait_for()
    page.click("#mode-map")
    page.locator("#map-panel circle").first.wait_for()
    fine(page)


@pytest.mark.slow
def test_all_puzzles_on_one_page(page: Any, tmp_path: Path) -> None:  # noqa: F811
    """As `play` shows them, unfolded too, and as the page of a site."""
    with served(Api(Catalogue(), Pool(), tuple(BACKENDS)), HOME) as found:
        page.goto(found.url)
        page.locator("#puzzles img[src^='data:image/svg+xml']").first.wait_for()
        fine(page)
        page.evaluate("for (const each of [...document.querySelectorAll('details')].slice(0, 3)) each.open = true")
        page.locator("#puzzles li li").first.wait_for()
        fine(page)
        page.fill("#find", "no such puzzle")
        page.locator("#none").wait_for()
        fine(page)
    (tmp_path / "mine.yaml").write_text(PENGUIN, encoding="utf-8")
    run("site", tmp_path / "www", tmp_path / "mine.yaml")
    page.goto((tmp_path / "www" / "index.html").as_uri())
    page.locator("#puzzles > li").first.wait_for()
    fine(page)


# -- the page of `edit` ------------------------------------------------------------------------------------------------


@pytest.fixture
def writing(page: Any, tmp_path: Path) -> Iterator[Workshop]:  # noqa: F811
    file = tmp_path / "mine.yaml"
    with workshop(file) as server:  # noqa: F811
        found = Workshop(page, server)
        found.file = file  # type: ignore[attr-defined]
        yield found


@pytest.mark.slow
def test_a_text_that_is_written(writing: Any) -> None:
    """A new file; what is offered; a mistake; searching; changed elsewhere; both texts."""
    page = writing.page  # noqa: F811
    fine(page)
    page.click("#begin")
    writing.says("proven shortest")
    writing.add("\nalw")
    page.locator(".cm-tooltip-autocomplete").wait_for()
    fine(page)
    page.keyboard.press("Escape")
    page.locator("#problems li").first.wait_for()
    page.keyboard.press("Control+f")
    page.locator(".cm-search").wait_for()
    fine(page)
    writing.file.write_text("puzzle: other\n", encoding="utf-8")
    page.locator("#notice", has_text="changed elsewhere").wait_for()
    fine(page)
    page.click("#show-both")
    fine(page)


@pytest.mark.slow
def test_a_level_that_is_painted(writing: Any) -> None:
    page = writing.page  # noqa: F811
    writing.file.write_text(MAZE, encoding="utf-8")
    writing.says("proven shortest")
    page.locator("#claims .refuted").wait_for()
    fine(page)
    page.set_viewport_size(SIZES[1])
    page.click("#see-board")
    fine(page)
    page.click("#paint-open")
    fine(page)
    page.click('#palette [data-letter="\\"#\\""]')
    page.click('#canvas [data-at="1,2"]')
    writing.says("unsolvable")
    fine(page)


MAZE = """puzzle: maze
data: {board: ["#######", "#@...E#", "#######"]}
types: {cell: 'cells(board, omit="#", plain=".")'}
state: {at: 'cell = first(c for c in cell if board[c] == "@")'}
actions:
  walk: {params: {d: direction}, effect: {at: at + d}}
goal: board[at] == "E"
heuristics: {far: 9}
claims: {far: admissible}
view: {board: c in cell, glyph: '("@" if c == at else "E" if board[c] == "E" else ".")'}
levels:
  first: {}
  other: {about: another}
"""


# -- pages that are written, in their states ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    ("trace", "n_puzzle", "--level", "easy-8", "--backend", "idastar", "--out"),
    ("show", "klotski", "--level", "first", "--out"),
    ("compare", "sokoban", "--level", "little", "--seeds", "1..3", "--plot"),
], ids=lambda words: words[0])  # fmt: skip
def test_written_pages_in_their_states(page: Any, tmp_path: Path, words: tuple[str, ...]) -> None:  # noqa: F811
    made(page, tmp_path, *words)
    fine(page)
    page.keyboard.press("End")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine(page)
    if words[0] == "trace":
        page.locator("#tree").focus()
        page.keyboard.press("ArrowUp")
        page.locator("#details h2").wait_for()
        fine(page)


@pytest.mark.slow
def test_a_trace_of_layers_alone(page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr("puzzlewright.pages.trace_page.MOST_DRAWN", 23)
    fine(made(page, tmp_path, "trace", "n_puzzle", "--level", "easy-8", "--backend", "bfs", "--out"))
