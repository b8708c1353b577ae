"""`show`: which states it shows and in what files; pixels, films, notebooks and the gallery."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from running import Run, run

import puzzlewright
from models.outcomes import Unsupported
from puzzlewright.files.library import built_in
from puzzlewright.pictures.palette import HEX, channels
from puzzlewright.pictures.raster import gif, png
from puzzlewright.pictures.scene import Scene, Spot
from puzzlewright.pictures.svg import document, draw

ROOT = Path(__file__).parent.parent
N2 = ("vehicles", "--level", "n2")  # two vehicles change places in 2 steps
STUCK = ("frogs_toads", "--level", "stuck")  # has no plan


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "n2.json"
    assert run("solve", *N2, "--plan-out", path).code == 0
    return path


def picture(*spots: Spot) -> tuple[str, tuple[float, float]]:
    """A row of places as SVG, and its size."""
    drawing = draw(Scene({(0, col): spot for col, spot in enumerate(spots)}))
    return document(drawing.elements, drawing.box), drawing.box[2:]


def pixels(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


# -- pixels ------------------------------------------------------------------------------------------------------------


def test_a_picture_has_the_colours_of_the_palette() -> None:
    svg, size = picture(Spot("I", "red"), Spot(" ", ground="void"))
    assert size == (136, 88)  # two places of 48, one high, with 20 all round
    image = pixels(png(svg, size, 3)).convert("RGBA")
    assert image.size == (3 * 136, 3 * 88)
    assert image.getpixel((3 * (20 + 12), 3 * (20 + 12))) == (*channels(HEX["red"]), 255)
    assert image.getpixel((3 * (20 + 72), 3 * (20 + 24))) == (255, 253, 248, 255)  # the card where nothing is
    assert image.getpixel((0, 0))[3] == 0  # its corners are round


def test_letters_are_drawn_without_fonts_of_the_system() -> None:
    """The glyph's ink appears, and differs between two letters."""
    first, second = (pixels(png(*picture(Spot(letter, "yellow")), 1)).convert("RGB") for letter in "AB")
    inked = [
        sum(image.getpixel((x, y)) == (0, 0, 0) for x in range(88) for y in range(88)) for image in (first, second)
    ]
    assert min(inked) > 30
    assert first.tobytes() != second.tobytes()


def test_a_film_stands_still_at_both_ends() -> None:
    frames = [picture(*(Spot("A", "red") if col == at else Spot(".") for col in range(4))) for at in range(4)]
    made = pixels(gif([svg for svg, _ in frames], frames[0][1], 0.5))
    assert (made.n_frames, made.size, made.info["loop"]) == (4, (232, 88), 0)  # type: ignore[attr-defined]
    durations = []
    for number in range(4):
        made.seek(number)
        durations.append(made.info["duration"])
        at = made.convert("RGB").getpixel((20 + 48 * number + 12, 20 + 12))
        assert max(abs(x - y) for x, y in zip(at, channels(HEX["red"]), strict=True)) < 12  # type: ignore[arg-type]
    assert durations == [1000, 500, 500, 2000]


def test_what_is_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(Unsupported, match="1360000 x 880000 pixels is too large"):
        png(*picture(Spot("A", "red"), Spot(".")), 10_000)
    svg, size = picture(Spot("A", "red"))
    with pytest.raises(Unsupported, match="a film of 100000 frames of 88 x 88 pixels is too large"):
        gif([svg] * 100_000, size, 0.5)


# -- show --------------------------------------------------------------------------------------------------------------


def test_without_a_plan_the_start_is_printed() -> None:
    shown = run("show", *N2)
    assert shown.code == 0
    assert "start\n   0  1\n   .  .\n" in shown.out
    assert shown.out.endswith("valid: the start of vehicles\n")


def test_a_plan_is_printed_whole_or_one_step(plan: Path) -> None:
    whole = run("show", *N2, plan)
    assert [number for number in ("start", "1. ", "2. ") if f"\n{number}" in whole.out] == ["start", "1. ", "2. "]
    last = run("show", *N2, plan, "--step", "-1")
    assert "\n2. " in last.out and "\n1. " not in last.out
    assert "   1  0" in last.out or "[1][0]" in last.out
    assert "the plan has the steps 0 to 2, not 3" in run("show", *N2, plan, "--step", "3").err
    bad, told = plan.with_name("bad.plan"), json.loads(plan.read_text(encoding="utf-8"))
    bad.write_text(json.dumps({**told, "plan": [told["plan"][0], *told["plan"]]}), encoding="utf-8")
    assert "of the plan only the steps 0 to 1 can be done, not 3" in run("show", *N2, bad, "--step", "3").err


@pytest.mark.parametrize(
    ("options", "head"),
    [((), "start"), (("--step", "1"), "1. "), (("--step", "-1"), "2. "), (("--step", "0"), "start")],
)
def test_a_picture_is_of_one_step(options: tuple[str, ...], head: str, tmp_path: Path) -> None:
    """Where a plan is needed and none is given, one is found."""
    path = tmp_path / "picture.svg"
    assert run("show", *N2, *options, "--out", path).code == 0
    title = ElementTree.parse(path).find("{http://www.w3.org/2000/svg}title")
    assert title is not None and title.text is not None
    assert title.text.startswith(f"Vehicles · Two vehicles: {head}")


def test_a_given_plan_is_shown_at_its_end(plan: Path, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    shown = run("show", *N2, plan, "--out", path, "--json").json
    assert shown["outcome"] == "valid" and shown["command"] == "show" and shown["length"] == 2
    assert shown["notes"][-1].startswith(f"step 2: {path}, ")
    assert "Two vehicles: 2. " in path.read_text()


def test_a_sheet_has_all_steps(plan: Path, tmp_path: Path) -> None:
    path = tmp_path / "sheet.svg"
    assert run("show", *N2, plan, "--all-steps", "-o", path).code == 0
    frames = ElementTree.parse(path).findall("{http://www.w3.org/2000/svg}g")
    heads = [frame[0].text for frame in frames]
    assert [re.match(r"start|\d+", head or "")[0] for head in heads] == ["start", "1", "2"]  # type: ignore[index]
    assert len({frame.get("transform") for frame in frames}) == 3


def test_films_pages_and_texts(plan: Path, tmp_path: Path) -> None:
    run("show", *N2, plan, "--out", tmp_path / "film.gif", "--speed", "4", "--scale", "2")
    film = Image.open(tmp_path / "film.gif")
    assert (film.n_frames, film.info["duration"]) == (3, 1000)  # type: ignore[attr-defined]
    run("show", *N2, "--out", tmp_path / "page.html")
    assert "2 steps, cost 2; search proved" in (tmp_path / "page.html").read_text()
    run("show", *N2, plan, "--out", tmp_path / "plan.txt")
    assert (tmp_path / "plan.txt").read_text().startswith("start\n   0  1\n   .  .\n\n1. ")
    run("show", *N2, "--out", tmp_path / "start.png")
    assert Image.open(tmp_path / "start.png").size == (2 * 136, 2 * 136)


def test_a_failing_plan_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "bad.plan"
    path.write_text("(step down|down)\n(step down|down)\n")
    shown = run("show", *N2, path, "--out", tmp_path / "bad.svg")
    assert shown.code == 5
    assert "step 2 of 2 fails" in shown.out
    assert "Two vehicles: 1. " in (tmp_path / "bad.svg").read_text()


def test_without_a_plan_no_film_is_written(tmp_path: Path) -> None:
    shown = run("show", *STUCK, "--out", tmp_path / "film.gif")
    assert shown.code == 11
    assert "without a plan there is nothing to show" in shown.out
    assert not (tmp_path / "film.gif").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "Missing argument 'FILE'"),
        (("n_puzzle", "--out", "x.jpg"), "the name must end in"),
        (("n_puzzle", "--out", "nowhere/x.svg"), "there is no folder nowhere"),
        (("n_puzzle", "--step", "1", "--all-steps"), "give one of them"),
        (("n_puzzle", "--step", "1", "--out", "x.gif"), "a .gif has all steps"),
        (("n_puzzle", "--gallery", "x"), "--gallery shows the built-in puzzles"),
    ],
)
def test_wrong_usage_is_named(words: tuple[str, ...], complaint: str) -> None:
    shown: Run = run("show", *words)
    assert shown.code == 2 and complaint in shown.err


# -- notebooks ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved() -> tuple[Any, Any]:
    puzzle = puzzlewright.load("vehicles", "n2")
    return puzzle, puzzlewright.solve(puzzle)


def test_a_report_shows_its_plan(solved: tuple[Any, Any]) -> None:
    bundle = solved[1]._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "image/png", "text/plain"}
    assert len(ElementTree.fromstring(bundle["image/svg+xml"]).findall("{http://www.w3.org/2000/svg}g")) == 3
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["text/plain"].startswith("start\n   0  1\n")
    assert bundle["text/plain"].endswith("optimal: 2 steps, cost 2; search proved that no plan costs less")
    assert "image/png" not in solved[1]._repr_mimebundle_(exclude={"image/png"})


def test_a_report_without_a_plan_shows_its_words() -> None:
    report = puzzlewright.solve(puzzlewright.load("frogs_toads", "stuck"))
    assert report._repr_mimebundle_() == {"text/plain": "unsolvable: there is no plan of any length, proven by search"}


def test_a_puzzle_and_a_step_are_shown(solved: tuple[Any, Any]) -> None:
    puzzle, report = solved
    assert str(puzzlewright.picture(puzzle)) == "start\n   0  1\n   .  .\n"
    assert "Two vehicles: 1. " in puzzlewright.picture(puzzle, report, 1).svg
    assert puzzlewright.picture(puzzle, report, -1).svg == puzzlewright.picture(puzzle, report, 2).svg
    with pytest.raises(ValueError, match="the plan has the steps 0 to 2, not 3"):
        puzzlewright.picture(puzzle, report, 3)


def test_a_page_in_a_notebook_stands_in_a_frame(solved: tuple[Any, Any]) -> None:
    made = puzzlewright.player(*solved)._repr_mimebundle_()
    [frame] = ElementTree.fromstring(f"<div>{made['text/html']}</div>")
    assert (frame.tag, frame.get("sandbox")) == ("iframe", "allow-scripts")
    assert (frame.get("srcdoc") or "").startswith("<!DOCTYPE html>")


# -- the gallery -------------------------------------------------------------------------------------------------------


def test_the_gallery_is_complete_and_current(tmp_path: Path) -> None:
    """`puzzlewright show --gallery docs/gallery` makes it anew."""
    assert run("show", "--gallery", tmp_path / "gallery", "--json").json["outcome"] == "valid"
    made, kept = (
        {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob("gallery*/*")}
        | {name: (root / name).read_bytes() for name in ("gallery.md", "gallery.svg")}
        for root in (tmp_path, ROOT / "docs")
    )
    drawn = {f"gallery/{name}.svg" for name in (*built_in(), "looks")}
    assert set(made) == drawn | {"gallery.md", "gallery.svg"} == set(kept)
    assert [name for name in made if made[name] != kept[name]] == []
    assert len(kept.pop("gallery.svg")) < 200_000
    assert max(map(len, kept.values())) < 60_000 and sum(map(len, kept.values())) < 1_500_000
    assert b'<img src="gallery/hanoi.svg" alt="hanoi at its start"' in kept["gallery.md"]
