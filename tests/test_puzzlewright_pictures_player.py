"""The page that plays a plan, in a real browser: buttons, keys, slider, links, hostile names, phones, no requests."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures

import puzzlewright
from puzzlewright.pages.assembling import island
from puzzlewright.pictures.film import Film
from puzzlewright.pictures.player import player
from puzzlewright.pictures.scene import Scene, Spot

HOSTILE = '</script><script>document.title="run"</script><img src=x onerror=alert(1)>&amp;\u2028\u202e'


def small() -> Film:
    """A thing that goes right, four times."""
    scenes = [Scene({(0, col): Spot("A", "red") if col == at else Spot(".") for col in range(5)}, f"at {at}")
              for at in range(5)]  # fmt: skip
    return Film("walk", tuple(f"right from {at}" for at in range(4)), tuple(scenes))


@pytest.fixture
def walk(page: Any, told: Told, tmp_path: Path) -> Any:  # noqa: F811
    path = tmp_path / "walk.html"
    path.write_text(player(small(), "A walk.", "4 steps", speed=8), encoding="utf-8")
    page.goto(path.as_uri())
    return page


def step(page: Any) -> str:  # noqa: F811
    return str(page.inner_text("#step"))


def arrives(page: Any, words: str) -> None:  # noqa: F811
    """Wait for the step whose words begin so."""
    page.locator("#step", has_text=re.compile(f"^{words}")).wait_for()


def test_buttons_and_keys_lead_through_the_plan(walk: Any, told: Told) -> None:  # noqa: F811
    assert step(walk) == "start, 4 steps to go · at 0"
    assert walk.is_disabled("#back") and walk.is_disabled("#first")
    walk.click("#forth")
    assert step(walk) == "step 1 of 4: right from 0 · at 1"
    walk.keyboard.press("ArrowRight")
    assert step(walk) == "step 2 of 4: right from 1 · at 2"
    walk.keyboard.press("End")
    assert step(walk) == "step 4 of 4: right from 3 · at 4"
    assert walk.is_disabled("#forth") and walk.is_disabled("#last")
    walk.keyboard.press("ArrowLeft")
    assert step(walk).startswith("step 3 ")
    walk.click("#first")
    assert step(walk).startswith("start")
    walk.click("#last")
    walk.keyboard.press("Home")
    assert step(walk).startswith("start")
    walk.get_by_role("button", name="right from 1").click()
    assert step(walk).startswith("step 2 ")
    assert walk.get_attribute("[aria-current]", "aria-current") == "step"
    assert len(told.requests) == 1  # the file itself


def test_the_board_is_the_one_of_the_step(walk: Any) -> None:
    walk.keyboard.press("End")
    assert walk.text_content("#text") == " .  .  . [.][A]"
    x = walk.evaluate("document.querySelector('#board text').getAttribute('x')")
    assert float(x) == 4.5 * 48
    assert walk.locator("#board .changed").count() == 2


def test_the_slider_and_links(walk: Any) -> None:
    walk.focus("#slider")
    walk.keyboard.press("ArrowRight")
    assert step(walk).startswith("step 1 ")  # once, not by the page and by the slider
    walk.evaluate("const s = document.getElementById('slider'); s.value = 3; s.dispatchEvent(new Event('input'))")
    assert step(walk).startswith("step 3 ")
    assert walk.get_attribute("#slider", "aria-valuetext") == "step 3 of 4: right from 2 · at 3"
    assert walk.url.endswith("#3")
    walk.reload()
    assert step(walk).startswith("step 3 ")
    walk.evaluate("location.hash = '#99'")
    arrives(walk, "step 4 ")
    walk.evaluate("location.hash = '#<img>'")
    arrives(walk, "start")


@pytest.mark.slow
def test_it_plays_pauses_and_stops_at_the_end(walk: Any) -> None:
    assert walk.input_value("#speed") == "8"
    walk.keyboard.press("-")
    assert walk.input_value("#speed") == "4"
    walk.keyboard.press("+")
    walk.keyboard.press("+")  # there is no faster one
    assert walk.input_value("#speed") == "8"
    walk.keyboard.press(" ")
    assert walk.get_attribute("#play", "aria-label") == "pause"
    assert walk.get_attribute("#step", "aria-live") == "off"
    arrives(walk, "step 4 ")
    walk.wait_for_selector("#play[aria-label=play]")
    assert walk.get_attribute("#step", "aria-live") == "polite"
    assert walk.url.endswith("#4")
    walk.click("#play")  # from the start again
    assert step(walk).startswith("start")
    walk.keyboard.press("ArrowRight")  # a step pauses
    assert walk.get_attribute("#play", "aria-label") == "play"
    assert step(walk).startswith(("step 1 ", "step 2 "))


@pytest.mark.slow
def test_it_does_not_play_by_itself(walk: Any) -> None:
    walk.wait_for_timeout(400)
    assert step(walk).startswith("start")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(chromium: Any, tmp_path: Path, scheme: str) -> None:  # noqa: F811
    path = tmp_path / "walk.html"
    long = Film("walk" * 30, ("right" * 30,) * 4, small().scenes)
    path.write_text(player(long, "A walk." * 20, "4 steps"), encoding="utf-8")
    context = chromium.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme, reduced_motion="reduce")
    seen = context.new_page()
    seen.goto(path.as_uri())
    assert seen.evaluate("document.documentElement.scrollWidth") == 360
    assert (
        seen.evaluate("Math.min(...[...document.querySelectorAll('.controls button')].map(b => b.offsetWidth))") >= 44
    )
    assert seen.evaluate("getComputedStyle(document.querySelector('.controls button')).transitionDuration") == "0s"
    context.close()


def test_hostile_words_are_shown_and_not_run(page: Any, told: Told, tmp_path: Path) -> None:  # noqa: F811
    scenes = tuple(Scene({(0, 0): Spot(HOSTILE, "red", HOSTILE, value=HOSTILE)}, HOSTILE) for _ in range(2))
    made = player(Film(HOSTILE, (HOSTILE,), scenes), HOSTILE, HOSTILE)
    path = tmp_path / "hostile.html"
    path.write_text(made, encoding="utf-8")
    page.goto(path.as_uri())
    page.keyboard.press("ArrowRight")
    assert page.title() != "run"
    assert page.locator("script").count() == 2  # the data and the page's own
    assert page.locator("img").count() == 0
    assert "<img src=x onerror=alert(1)>" in step(page)
    assert "<img src=x onerror=alert(1)>" in page.text_content("#board text >> nth=0")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("h1")
    assert len(told.requests) == 1


def test_in_a_notebook_it_plays_in_a_frame_without_an_address(page: Any, told: Told, tmp_path: Path) -> None:  # noqa: F811
    puzzle = puzzlewright.load("vehicles", "n2")
    shown = puzzlewright.player(puzzle, puzzlewright.solve(puzzle))._repr_mimebundle_()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><title>notebook</title>{shown['text/html']}", encoding="utf-8")
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("#last").click()
    assert frame.locator("#step").inner_text().startswith("step 2 of 2: ")


# -- without a browser -------------------------------------------------------------------------------------------------


def test_an_island_is_json_that_no_element_ends() -> None:
    text = island({"name": HOSTILE})
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == {"name": HOSTILE}


def test_the_policy_allows_nothing_but_the_page_itself() -> None:
    made = player(small(), "", "")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1] and "http" not in policy[1]
    assert re.findall(r'(?:src|href)="[^"]*"', made) == []


@pytest.mark.slow
def test_a_long_plan_makes_a_small_page() -> None:
    puzzle = puzzlewright.load("klotski")
    shown = puzzlewright.player(puzzle, puzzlewright.solve(puzzle))
    assert shown.text.startswith("klotski: 116 steps")
    assert len(shown.html.encode()) < 600_000
