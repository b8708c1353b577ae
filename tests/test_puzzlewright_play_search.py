"""Searches and states in the page of `play`, in a real browser: a tree that is looked at, two searches on one clock, a
chart, the map. All figures are counted by hand, on the ridge of `game_texts` above all: bfs expands 3; 2, 4; 1, 5, and
makes the goal of 5; A* expands 3, 4 and 5."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures
from edited import served
from game_texts import RIDGE
from playing import Play, by_keys, overhang, turns
from running import until

from puzzlewright.pages import panels
from puzzlewright.pages.assembling import styles
from puzzlewright.pictures.palette import contrast
from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Catalogue, Chosen
from puzzlewright.play.pool import Pool
from puzzlewright.play.server import Server
from puzzlewright.solving.backends import BACKENDS
from search.registry import ALGORITHMS

TRACED = sorted(ALGORITHMS.keys() - {"genetic"})
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def ridge() -> Iterator[Server]:
    with served(Api(Catalogue(Chosen("ridge", RIDGE, "ridge.yaml")), Pool(), tuple(BACKENDS))) as server:
        yield server


@pytest.fixture(scope="module")
def library() -> Iterator[Server]:
    with served(Api(Catalogue(), Pool(), tuple(BACKENDS))) as server:
        yield server


@pytest.fixture
def still(page: Any, told: Told, ridge: Server) -> Play:  # noqa: F811
    """The ridge, in a browser that moves nothing by itself."""
    page.emulate_media(reduced_motion="reduce")
    return opened(page, ridge.url)


def opened(page: Any, url: str) -> Play:  # noqa: F811
    page.goto(url)
    page.locator("#board svg").wait_for()
    return Play(page)


def mapped(play: Play, says: str) -> None:
    """The map is there, and these words above it."""
    play.page.click("#mode-map")
    play.page.locator("#map-says", has_text=says).wait_for()


def grow(play: Play, backend: str, beside: str = "") -> None:
    """Record a search, perhaps beside another one."""
    play.page.click("#mode-solve")
    play.page.select_option("#backend", backend)
    play.page.select_option("#beside", beside)
    play.page.click("#grow")
    play.page.locator(".race").first.wait_for()
    play.press("End")


def seen(play: Play, caption: str) -> None:
    """The state that is on the board."""
    play.page.locator("#caption", has_text=re.compile(f"^{caption}$")).wait_for()


def node(play: Play, number: int, side: int = 0) -> Any:
    return play.page.locator(".nodes >> visible=true").nth(side).locator(f'circle[data-node="{number}"]')


def layers(play: Play, side: int = 0) -> list[str]:
    return [
        row.replace("\n", ": ") for row in play.page.locator(".growth").nth(side).locator(".layer").all_inner_texts()
    ]


def steps(page: Any) -> int:  # noqa: F811
    """Of the way on the map."""
    return str(page.locator("#map-panel .way").get_attribute("points")).count(" ")


# -- a tree ------------------------------------------------------------------------------------------------------------


def test_a_node_of_the_tree_is_looked_at(still: Play) -> None:
    """By pointer, by tap and by keys; the eleven nodes of bfs are made in the order of their numbers."""
    page = still.page  # noqa: F811
    grow(still, "bfs")
    assert layers(still) == ["0: 1 + 0", "1: 2 + 0", "2: 2 + 0", "3: 0 + 2"]
    assert page.locator(".nodes circle").count() == 11 and page.locator(".nodes line:not(.path)").count() == 10
    assert page.locator(".nodes line.path").count() == 3
    seen(still, "at 6")
    node(still, 3).hover()
    seen(still, "at 1")
    assert page.text_content("#board-text").startswith(". o . .")
    assert page.inner_text(".growth .facts").startswith(
        "node 3: depth 2, g 2, from node 1, step left, its cost 1, status expanded"
    )
    page.mouse.move(5, 5)
    seen(still, "at 6")
    node(still, 5).click()  # 3 again, out of 4
    seen(still, "at 3")
    page.mouse.move(5, 5)
    assert "same state node 0, met before" in page.inner_text(".growth .facts")
    for key, caption in (("ArrowUp", "at 4"), ("ArrowLeft", "at 2"), ("ArrowDown", "at 1"), ("Escape", "at 6")):
        still.press(key)
        seen(still, caption)
    page.locator(".film input").focus()
    still.press("Home")
    seen(still, "at 3")
    assert page.locator(".nodes circle:not(.later)").count() == 1 and layers(still) == ["0: 0 + 1"]
    page.click("#mode-play")
    assert page.text_content("#board-text").startswith(". . . o")


def test_two_searches_on_one_clock(still: Play) -> None:
    """After two expansions each; then the end is told. On the chart each goal lies where its search has ended."""
    page = still.page  # noqa: F811
    grow(still, "bfs", "astar")
    verdict = "astar with rest was first: it has found the goal after 3 expansions, bfs after 5 expansions."
    assert page.inner_text(".verdict") == f"{verdict} Both plans cost 3."
    rows = [row.split("\t") for row in page.locator(".race table tr").all_inner_texts()]
    assert rows[0] == ["", "bfs", "astar with rest"] and ["cost", "3", "3"] in rows and ["expanded", "5", "3"] in rows
    assert page.locator(".chart .goal").count() == 2
    assert page.locator(".chart").get_attribute("aria-label") == (
        "depth over states expanded. bfs reaches the goal after 5, at 3. "
        "astar with rest reaches the goal after 3, at 3."
    )
    names = page.locator(".chart .name").all_text_contents()
    assert names == ["states expanded", "depth"]
    assert page.locator(".chart .s0.series").get_attribute("points").count(",") == 5
    page.select_option("figure select", "waiting")
    assert "bfs reaches the goal after 5, at 2." in page.locator(".chart").get_attribute("aria-label")
    still.press("Tab")
    page.locator(".film input").focus()
    still.press("Home", "ArrowRight", "ArrowRight")
    assert (
        page.inner_text(".race .step")
        == "After 2 expansions: bfs is at depth 2, 2 wait; astar with rest is at depth 2, 2 wait."
    )
    assert layers(still, 0) == ["0: 1 + 0", "1: 1 + 1", "2: 0 + 1"]
    assert layers(still, 1) == ["0: 1 + 0", "1: 1 + 1", "2: 0 + 1"]
    assert page.locator(".verdict").is_hidden()
    node(still, 4, side=1).hover()  # what A* has made of 4
    seen(still, "at 5")
    assert "all at once" in page.inner_text(".film select")


def test_a_search_without_a_trace_leaves_the_other(still: Play) -> None:
    page = still.page  # noqa: F811
    page.click("#mode-solve")
    page.select_option("#backend", "genetic")
    page.select_option("#beside", "bfs")
    page.click("#grow")
    page.locator(".race .step").wait_for()
    assert "genetic has no trace" in page.inner_text("#solved")
    assert page.locator(".growth").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("backend", TRACED)
def test_layers_are_those_of_the_search(still: Play, backend: str) -> None:
    """As the program itself has counted them, there and back."""
    still.page.click("#mode-solve")
    still.page.select_option("#backend", backend)
    with still.page.expect_response("**/api/trace") as answer:
        still.page.click("#grow")
    still.page.locator(".growth").wait_for()
    still.press("End")
    found = answer.value.json()
    rows = [*((f"←{row[0]}", row) for row in reversed(found.get("backward_layers", []))),
            *((str(row[0]), row) for row in found["layers"])]  # fmt: skip
    assert layers(still) == [f"{name}: {expanded} + {waits}" for name, (_, _, expanded, waits) in rows]
    assert still.page.locator(".chart .goal").count() == (found["cost"] is not None)


# -- the map -----------------------------------------------------------------------------------------------------------


def test_the_map_has_all_states_and_the_way_of_the_player(still: Play) -> None:
    """8 states in 5 layers; seven lines, one of which is an arrow; the player goes to 4 and 5 while it is seen."""
    page = still.page  # noqa: F811
    page.click("#mode-map")
    page.locator(".nodes circle").first.wait_for()
    says = "8 states can be reached, in 5 layers by their least number of moves from the start: 1 goal, 1 dead end."
    assert page.inner_text("#map-says") == says
    assert page.locator(".nodes circle").count() == 8 and page.locator(".nodes line").count() == 7
    assert page.locator(".nodes line[marker-end]").count() == 1
    assert page.locator(".nodes .goal").get_attribute("data-node") == "6"
    assert page.locator(".nodes .dead").get_attribute("data-node") == "7"
    assert page.locator(".nodes .now").get_attribute("data-node") == "0"
    for from_, to, number in ((3, 4, 2), (4, 5, 4), (5, 4, 2), (4, 5, 4)):
        still.click([0, from_])
        still.click([0, to])
        seen(still, f"at {to}")
        assert page.locator(".nodes .now").get_attribute("data-node") == str(number)
    node(still, 7).hover()
    seen(still, "at 7")
    assert page.inner_text("#map-panel .facts") == (
        "State 7: 4 moves from the start; a dead end: no goal can be reached from here."
    )
    page.mouse.move(5, 5)
    seen(still, "at 5")
    still.press("u")
    seen(still, "at 4")
    assert page.locator(".nodes .now").get_attribute("data-node") == "2" and steps(page) == 3


@pytest.mark.slow
def test_another_start_has_another_map(still: Play) -> None:
    """Edited to 7, from where nothing leads anywhere; then the level anew, with the map open."""
    page = still.page  # noqa: F811
    mapped(still, "8 states")
    page.click("#mode-edit")
    page.select_option(".values select", label="7")
    still.says("^Changed")
    page.click("#edit-play")
    mapped(still, "1 state can be reached, in 1 layer")
    assert page.locator("#map-panel .nodes circle").count() == 1
    assert page.locator("#map-panel .nodes .dead").count() == 1


@pytest.mark.slow
def test_the_map_of_a_large_level_is_refused_and_a_small_one_comes_back(page: Any, told: Told, library: Server) -> None:  # noqa: F811
    play = opened(page, f"{library.url}#puzzle=n_puzzle&level=easy-8")
    mapped(play, "There is no map: more than 3,000 states are no graph to draw.")
    assert page.locator("#map-panel .nodes").is_hidden()
    page.select_option("#level", "two-by-two")
    page.locator("#map-says", has_text="12 states").wait_for()
    assert page.locator("#map-panel .nodes circle").count() == 12
    page.focus("#board")
    play.press("ArrowUp")
    assert until(lambda: steps(page) == 1)


@pytest.mark.slow
def test_a_map_without_lines_has_the_way_and_goes_by_keys(page: Any, told: Told, library: Server) -> None:  # noqa: F811
    """Three vehicles that move at once: 9 * 8 * 7 places for them, and 18,888 moves."""
    play = opened(page, f"{library.url}#puzzle=vehicles&level=n3")
    mapped(play, "504 states")
    assert "The 18,888 moves between them are too many to draw." in page.inner_text("#map-says")
    assert page.locator("#map-panel .nodes line").count() == 0
    by_keys(play, turns("vehicles", "n3")[0])
    assert until(lambda: steps(page) == 1)
    page.focus("#map-panel .nodes")
    play.press("ArrowDown")
    assert "2 moves from the start" in page.inner_text("#map-panel .facts")


@pytest.mark.slow
def test_a_phone_has_the_board_and_the_nodes_in_sight(page: Any, told: Told, library: Server) -> None:  # noqa: F811
    page.set_viewport_size(PHONE)
    page.emulate_media(reduced_motion="reduce")
    play = opened(page, f"{library.url}#puzzle=hanoi&level=three")
    grow(play, "bfs", "dfs")
    for mode in ("solve", "map"):
        page.click(f"#mode-{mode}")
        page.locator(f"#{mode}-panel .nodes circle >> visible=true").first.wait_for()
        assert overhang(page) == 0
        page.locator(f"#{mode}-panel .nodes").first.evaluate("each => each.scrollIntoView({ block: 'end' })")
        board, nodes = (page.locator(each).first.bounding_box() for each in ("#board", f"#{mode}-panel .nodes"))
        assert board["y"] >= 0 and board["y"] + board["height"] <= nodes["y"] + 1
        assert nodes["y"] + nodes["height"] <= PHONE["height"] + 1


# -- colours -----------------------------------------------------------------------------------------------------------


def tokens() -> list[dict[str, str]]:
    """The colours of all pages, light and dark."""
    light, dark = re.findall(r":root \{(.*?)\}", styles("look"), re.DOTALL)
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", each)) for each in (light, dark)]
    return [found[0], found[0] | found[1]]


def test_the_colours_of_all_pages_can_be_told_apart() -> None:
    """Words with a contrast of 4.5 on every ground, what is drawn of nodes and charts with 3."""
    for colours in tokens():
        grounds = [colours[name] for name in ("paper", "raised", "tint")]
        assert all(contrast(colours[name], each) >= 4.5 for name in ("ink", "soft", "bad", "good") for each in grounds)
        assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
        drawn = ("accent", "soft", "way", "pick", "good", "bad")
        assert all(contrast(colours[name], colours["raised"]) >= 3 for name in drawn)


def test_charts_have_the_colours_of_pages() -> None:
    light, _ = tokens()
    assert [light[name] for name in ("ink", "soft", "line")] == [panels.INK, panels.SOFT, panels.LINES]
