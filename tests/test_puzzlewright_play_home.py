"""All puzzles on one page, and links to positions, in a real browser: solved marks, Back, whose moves a link has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures
from exported import node
from game_texts import HOSTILE
from playing import Play, by_keys, play_all, turns
from running import until
from sampled import slow

from models.loader import load_text
from puzzlewright.files.library import built_in, find
from puzzlewright.pages.bundling import modules
from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Catalogue, Chosen
from puzzlewright.play.game import _parameter
from puzzlewright.play.pool import Pool
from puzzlewright.play.server import HOME, Server, own_ports
from puzzlewright.solving.backends import BACKENDS

NAMES = ("hanoi", "klotski", "n_puzzle")
SAMPLE = ("rubik", "vehicles", "water_sort", "bridge_torch", "peg_solitaire", "word_tiles")
EASY = {"puzzle": "n_puzzle", "level": "easy-8"}
ROUND = """
const { written, read } = $module_links;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
console.log(JSON.stringify(given.filter(([actions, moves]) => {
  const text = written(moves, actions);
  return /[^\\w:;,.~%!*'()-]/.test(text) || !same(read(text, actions), moves);
})));
"""
REFUSED = """
const { MOST, written, read } = $module_links;
const params = [{ name: "x", values: [1, "1", [0, 1], "~2"] }, { name: "w", array: ["a", "b"], values: ["up"] }];
const actions = [{ name: "go", params }];
const many = Array(MOST + 1).fill({ action: "go", args: { x: 1, w: ["up", "up"] } });
const kept = read(written(many.slice(1), actions), actions).length;
console.log(JSON.stringify([written(many, actions), kept, ...given.map((text) => read(text, actions))]));
"""


class Few(Catalogue):
    """Three of the built-in puzzles."""

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES


def serving(catalogue: Catalogue, page: str) -> Iterator[Server]:  # noqa: F811
    pool = Pool()
    found = Server(Api(catalogue, pool, tuple(BACKENDS)), page=page)
    Thread(target=found.serve_forever, args=(0.05,), daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()
    pool.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    yield from serving(Few(), HOME)


def opened(page: Any, address: str) -> Play:  # noqa: F811
    page.goto("about:blank")
    page.goto(address)
    page.locator("#board svg").wait_for(timeout=120_000)
    return Play(page)


def address(page: Any, moves: int) -> str:  # noqa: F811
    """The page's, once it has so many moves."""
    assert until(lambda: page.evaluate("location.hash.split('slide:').length - 1") == moves)
    return str(page.evaluate("location.href"))


# -- all puzzles -------------------------------------------------------------------------------------------------------


def test_a_level_that_is_solved_is_marked(page: Any, told: Told, server: Server) -> None:  # noqa: F811
    """From the page of all to a level, to its end, and Back; nothing is asked of anybody else."""
    page.goto(server.url)
    page.locator("#puzzles img[src^='data:image/svg+xml']").first.wait_for()
    cards = page.locator("#puzzles > li")
    assert cards.count() == 3 and page.inner_text("#sum").startswith("3 puzzles · 0 of ")
    page.fill("#find", "slide tiles")
    assert [each.inner_text() for each in cards.locator("visible=true").locator("h2").all()] == ["N-puzzle"]
    card = page.locator("#puzzles > li", has_text="N-puzzle")
    assert "0 of 8 levels solved" in card.inner_text()
    assert card.locator("summary").inner_text() == "10 levels, 2 without a solution"
    card.locator("summary").click()
    card.locator("li a", has_text="Eight tiles, easy").click()
    play = Play(page)
    page.locator("#board svg").wait_for(timeout=120_000)
    play_all(play, turns("n_puzzle", "easy-8"), by_keys)
    page.locator("#won").wait_for()
    page.go_back()
    page.locator("#sum", has_text="· 1 of ").wait_for()
    row = page.locator("#puzzles > li", has_text="N-puzzle")
    if not row.locator("ol li").count():
        row.locator("summary").click()
    assert "✓ ★★★" in row.locator("li.solved").inner_text()
    assert "yours 3, shortest 3" in row.locator("li.solved").inner_text()
    page.select_option("#which", "done")
    assert page.is_visible("#none")
    assert all(url.startswith((server.url, "data:")) for url in told.requests)


def test_the_page_of_all_leads_where_addresses_led_before(page: Any, told: Told, server: Server) -> None:  # noqa: F811
    play = opened(page, f"{server.url}#{urlencode(EASY)}")
    assert play.page.url.startswith(f"{server.url}play#")
    page.click("#home")
    page.locator("#puzzles > li").first.wait_for()
    assert page.url == server.url


def test_words_of_a_puzzle_are_no_markup(page: Any, told: Told) -> None:  # noqa: F811
    """A picture is an image, in which nothing runs."""
    for served in serving(Catalogue(Chosen("<b>&", HOSTILE, "hostile.yaml")), HOME):
        page.goto(served.url)
        page.locator("#puzzles img[src]").wait_for()
        assert "<script>alert(1)</script>" in page.inner_text("h2").lower()
        assert page.locator("#puzzles script, #puzzles b, #puzzles svg, img[src=x]").count() == 0
        page.click("h2 a")
        page.locator("#board svg").wait_for()


def test_a_file_keeps_its_port() -> None:
    """So that the browser finds what it has kept: storage is by the port."""
    first, other = own_ports("/a/b.yaml"), own_ports("/a/c.yaml")
    assert first == own_ports("/a/b.yaml") != other and first[1] == other[1] == 0
    assert all(20_000 <= port < 30_000 for port, _ in (first, other, own_ports("")))


# -- links -------------------------------------------------------------------------------------------------------------


def test_a_link_restores_a_position(page: Any, told: Told, server: Server, chromium: Any) -> None:  # noqa: F811
    """Who made the moves goes on with them; to others they are given, and count for nothing until they are undone."""
    play = opened(page, f"{server.url}play#{urlencode(EASY)}")
    first, second, third = turns("n_puzzle", "easy-8")
    for turn, cost in ((first, 1), (second, 2)):
        by_keys(play, turn)
        play.costs(cost)
    shared, seen = address(page, 2), page.text_content("#board-text")
    page.reload()
    play.costs(2)
    assert page.text_content("#board-text") == seen and page.is_enabled("#undo")
    other = chromium.new_context().new_page()
    theirs = opened(other, shared)
    theirs.costs(2)
    assert other.text_content("#board-text") == seen
    by_keys(theirs, third)
    other.locator("#won", has_text="The first 2 moves came with the link, so there is no score.").wait_for()
    assert other.evaluate("localStorage.getItem('puzzlewright:best')") is None
    theirs.press("r")
    play_all(theirs, [first, second, third], by_keys)
    other.locator("#won", has_text="Score 100").wait_for()
    other.context.close()
    by_keys(play, third)
    page.locator("#won", has_text="Score 100").wait_for()


def test_links_that_are_wrong(page: Any, told: Told, server: Server) -> None:  # noqa: F811
    for moves, cost, words in (
        ("slide:9.9:up", 0, "The moves of this link are none of this level."),
        ("slide:2.0:up;slide:2.0:up", 1, "Of the 2 moves of this link only 1 can be made here."),
        ("%3Cimg%20src=x%20onerror=alert(1)%3E", 0, "The moves of this link are none of this level."),
    ):
        play = opened(page, f"{server.url}play#{urlencode(EASY)}&moves={moves}")
        play.says(words)
        play.costs(cost)


def test_words_of_an_address_are_no_markup(page: Any, server: Server) -> None:  # noqa: F811
    """A level that is none is refused by the server with a status, which the browser tells on its console."""
    page.goto(f"{server.url}play#{urlencode({'puzzle': 'n_puzzle', 'level': '<img src=x onerror=alert(1)>'})}")
    page.locator("#message", has_text="there is no level '<img src=x onerror=alert(1)>'").wait_for()
    assert page.locator("img").count() == 0


@pytest.mark.slow
def test_a_link_is_copied(page: Any, told: Told, server: Server) -> None:  # noqa: F811
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play = opened(page, f"{server.url}play?token=secret#{urlencode(EASY)}")
    by_keys(play, turns("n_puzzle", "easy-8")[0])
    play.costs(1)
    page.click("#link")
    play.says("The link to this position is copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{server.url}play#puzzle=n_puzzle&level=easy-8&moves=slide:") and "secret" not in copied


def drawn_moves(name: str, rng: Random) -> Any:
    """The actions of a puzzle as a page knows them, and moves with any of their values; every value comes once."""
    puzzle = load_text(*find(name))
    actions = [{"name": each.name, "params": [_parameter(parameter) for parameter in each.parameters]}
               for each in puzzle.actions]  # fmt: skip
    most = max((len(each["values"]) for action in actions for each in action["params"]), default=1)
    return actions, [_drawn(action, number, rng) for action in actions for number in range(min(most, 500))]


def _drawn(action: Any, number: int, rng: Random) -> Any:
    def value(parameter: Any) -> Any:
        if parameter["array"] is not None:
            return [rng.choice(parameter["values"]) for _ in parameter["array"]]
        return parameter["values"][number % len(parameter["values"])]

    return {"action": action["name"], "args": {each["name"]: value(each) for each in action["params"]}}


@pytest.mark.parametrize("names", [SAMPLE, slow(tuple(built_in()))])
def test_moves_are_read_as_they_were_written(names: tuple[str, ...]) -> None:
    odd = [
        {"name": "a;b é", "params": [{"name": "x", "array": None, "values": [[0, 1], "0.1", 1, "1", True, "~0", "<&"]}]}
    ]
    cases = [(odd, [_drawn(odd[0], number, Random(0)) for number in range(7)])]
    cases += [drawn_moves(name, Random(1)) for name in names]
    assert all(len(json.dumps(moves)) > 10 for _, moves in cases)
    assert node(modules(["links"], ["puzzlewright.play"]) + ROUND, cases) == []


def test_moves_that_are_none_of_the_level() -> None:
    wrong = ["go", "go:~0", "go:~0:up", "go:~0:up,up,up", "go:1:up,up", "go:~4:up,up", "go:~0:up,down", "stay:~0:up,up",
             "go:~0:up,up;", "%E0%A4%A:~0:up,up", "__proto__:~0:up,up", "go:length:up,up"]  # fmt: skip
    found = node(modules(["links"], ["puzzlewright.play"]) + REFUSED, wrong)
    assert found == [None, 2000, *[None] * len(wrong)]


# -- what is served ----------------------------------------------------------------------------------------------------


def test_what_the_page_of_all_is_told() -> None:
    """Each puzzle with what it counts at first: the metric of its first best result."""
    every, few = Catalogue(), Few()
    rows = {row["name"]: row for row in few.gallery()["puzzles"]}
    assert list(rows) == list(NAMES) and rows["n_puzzle"]["metric"] == "cost"
    assert every.puzzles()["home"] == "/" and "home" not in Catalogue(Chosen("x", HOSTILE, "x.yaml")).puzzles()
    sokoban = next(row for row in every.gallery()["puzzles"] if row["name"] == "sokoban")
    assert sokoban["metric"] == load_text(*find("sokoban")).metrics[0] != "cost"
    assert rows["hanoi"]["levels"][0]["known"]
    seeded = Few(seed=3).gallery()
    assert seeded["seed"] == 3 and not any(level["known"] for row in seeded["puzzles"] for level in row["levels"])
    assert few.picture({"puzzle": "hanoi"})["svg"].startswith("<svg ")
