"""Scenes as SVG: outlines against hand-drawn paths and areas, what is on top of what, contrast, nothing that runs."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlewright
from models.puzzle import COLOURS, GROUNDS, HOLLOW, LOOKS
from models.referee import start_state
from puzzlewright.files.library import built_in
from puzzlewright.pictures.board_svg import board_of, elements
from puzzlewright.pictures.cube_svg import FACES, Facelet, facelets, side
from puzzlewright.pictures.looks import EMPTY, LABELS, PAPERS, RAISED, SHAPES, STRETCHED
from puzzlewright.pictures.looks import PAPER as CARD
from puzzlewright.pictures.outline import outline, pieces
from puzzlewright.pictures.palette import contrast, hex_of
from puzzlewright.pictures.scene import Place, Scene, Spot, scene
from puzzlewright.pictures.svg import INK, PAPER, draw, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "rect", "path", "circle", "text"}
ATTRIBUTES = {
    *("viewBox", "width", "height", "role", "class", "data-place", "x", "y", "rx", "cx", "cy", "r", "d", "transform"),
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"),
    *("stroke-linejoin", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"),
    "{http://www.w3.org/XML/1998/namespace}space",
}
UNITS = tuple(range(20)), tuple(range(20))  # lines one apart


def parsed(text: str) -> list[ElementTree.Element]:
    """All elements, in the order in which they are drawn."""
    return list(ElementTree.fromstring(text).iter())


def tags(text: str, tag: str) -> list[ElementTree.Element]:
    return [element for element in parsed(text) if element.tag == NAMESPACE + tag]


def letters(text: str) -> list[str]:
    return [element.text or "" for element in tags(text, "text")]


def library(name: str) -> Scene:
    puzzle = puzzlewright.load(name)
    return scene(puzzle, start_state(puzzle))


# -- outlines ----------------------------------------------------------------------------------------------------------


def corners(path: str) -> list[list[tuple[float, float]]]:
    """The corners of each loop of a path without arcs."""
    loops = (loop.strip("M").split("L") for loop in path.split("Z") if loop)
    return [[(float(x), float(y)) for x, y in (corner.split() for corner in loop)] for loop in loops]


def area(loop: list[tuple[float, float]]) -> float:
    """Gauss's formula: positive where the inside is on the right hand, y growing downward."""
    return sum(x * v - u * y for (x, y), (u, v) in pairwise([*loop, loop[0]])) / 2


def test_a_square() -> None:
    assert sorted(corners(outline([(0, 0)], UNITS))[0]) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert sorted(corners(outline([(1, 2)], ((0, 10, 20, 40), (0, 10, 30)), 1))[0]) == [
        (21, 11), (21, 29), (39, 11), (39, 29)
    ]  # fmt: skip


def test_an_angle_is_rounded_outside_and_inside() -> None:
    path = outline([(0, 0), (1, 0), (1, 1)], ((0, 10, 20), (0, 10, 20)), 1, 3, 2)
    assert path.count("A3 3 0 0 1 ") == 5 and path.count("A2 2 0 0 0 ") == 1
    assert "L9 9A2 2 0 0 0 11 11" in path


def test_a_ring_has_two_loops() -> None:
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert sorted(map(area, corners(outline(ring, UNITS)))) == [-1, 9]


def test_places_that_touch_by_corners_stay_apart() -> None:
    assert [area(loop) for loop in corners(outline([(0, 0), (1, 1)], UNITS))] == [1, 1]
    assert len(pieces({(0, 0): "a", (1, 1): "a"})) == 2


@settings(max_examples=50, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30))
def test_the_area_is_that_of_the_places(places: set[Place]) -> None:
    assert sum(map(area, corners(outline(places, UNITS)))) == len(places)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.sampled_from(["", "a", "b"]), min_size=1))
def test_pieces_are_the_touching_places_of_one_word(words: dict[Place, str]) -> None:
    found = pieces(words)
    assert sorted(place for group in found for place in group) == sorted(words)
    of = {place: number for number, group in enumerate(found) for place in group}
    for row, col in words:
        for beside in [(row + 1, col), (row, col + 1)]:
            if beside in words:
                together = words[row, col] == words[beside] != ""
                assert (of[row, col] == of[beside]) == together


# -- what is drawn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", built_in())
def test_every_library_puzzle_is_plain_svg(name: str) -> None:
    seen = library(name)
    drawn = svg(seen, None, name)
    for element in parsed(drawn):
        assert element.tag.removeprefix(NAMESPACE) in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
    assert len(drawn) < 60_000
    if name not in ("labyrinth", "pipes"):  # whose glyphs are drawn as lines
        assert {spot.glyph for spot in seen.spots.values() if spot.colour and not spot.look} <= set(letters(drawn))


def test_each_place_can_be_hit_on_top_of_everything() -> None:
    drawn = parsed(svg(library("n_puzzle")))
    spots = drawn[-9:]
    assert [spot.get("data-place") for spot in spots] == [f"{row},{col}" for row in range(3) for col in range(3)]
    assert {(spot.get("class"), spot.get("width"), spot.get("height")) for spot in spots} == {("spot", "48", "48")}
    assert (spots[5].get("x"), spots[5].get("y")) == ("96", "48")


def test_a_piece_has_one_outline_and_one_glyph() -> None:
    blocks = [letter for letter in letters(svg(library("klotski"))) if letter != "exit"]
    assert sorted(blocks) == sorted("AABAAEGGGG")  # Hua Rong Dao has ten blocks


def test_an_angled_piece_has_its_glyph_inside() -> None:
    places = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]  # its centre is the empty place 1,1
    drawn = svg(Scene({place: Spot("L", "red", "l") for place in places}))
    [text] = tags(drawn, "text")
    place = int(float(text.get("y", "")) // 48), int(float(text.get("x", "")) // 48)
    assert place in places


def test_a_piece_of_two_glyphs_shows_both() -> None:
    drawn = svg(Scene({(0, 0): Spot("A", "red", "p"), (0, 1): Spot("B", "red", "p")}))
    assert letters(drawn) == ["A", "B"]
    assert len([path for path in tags(drawn, "path") if path.get("fill") == hex_of("red")]) == 1


@pytest.mark.parametrize("colour", COLOURS)
def test_letters_can_be_read(colour: str) -> None:
    for frame, size in [("", 0), ("tube", 0), ("peg", 2), ("box", 0)]:
        drawn = svg(Scene({(0, 0): Spot("A", colour, ground="goal", size=size)}, "said", frame=frame))
        [text] = [element for element in tags(drawn, "text") if element.text == "A"]
        assert any(path.get("fill") == hex_of(colour) for path in tags(drawn, "path"))
        assert contrast(text.get("fill", ""), hex_of(colour)) >= 4.5
    assert contrast(INK, PAPER) >= 4.5


def test_a_goal_is_seen_round_the_thing_on_it() -> None:
    """Its ring is below the thing, and reaches farther out."""
    drawn = parsed(svg(Scene({(0, 0): Spot("A", "red", ground="goal")})))
    rings = [number for number, element in enumerate(drawn) if element.get("stroke-dasharray")]
    things = [number for number, element in enumerate(drawn) if element.get("fill") == hex_of("red")]
    assert things and rings and max(rings) < min(things)
    ring, thing = ([float(each) for each in re.findall(r"[\d.]+", drawn[number].get("d", ""))[:2]]
                   for number in (rings[0], things[0]))  # fmt: skip
    assert min(ring) < min(thing)


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_stays_in_its_place(look: str) -> None:
    """Whatever is not raised; where nothing stands too, and as long as what it fills."""
    for colour, wide in (("red", 1), ("", 1), ("red", 3)):
        spots = {(0, col): Spot("B", colour, "p" * (wide > 1), look=look) for col in range(wide)}
        drawn = [part for part in elements(board_of(Scene(spots)), set()) if "<text" not in part][2:]
        assert bool(drawn) == bool(colour or look in HOLLOW)
        xs, ys = points("".join(drawn))
        assert "$" not in "".join(drawn) and all(0 <= x <= 48 * wide for x in xs)
        assert all(-RAISED.get(look, 0) <= y <= 48 for y in ys)


def points(drawn: str) -> tuple[list[float], list[float]]:
    """The ends of all absolute paths, and of circles round about."""
    xs: list[float] = []
    ys: list[float] = []
    for path in re.findall(r' d="(M[-\d. MLCQZ]+)"', drawn):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", path)]
        xs, ys = xs + numbers[::2], ys + numbers[1::2]
    for circle in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn):
        x, y, radius = map(float, circle)
        xs, ys = [*xs, x - radius, x + radius], [*ys, y - radius, y + radius]
    return xs, ys


def test_looks_have_letters_where_they_have_room_for_them() -> None:
    assert set(SHAPES) == set(LOOKS) and set(EMPTY) == set(HOLLOW) and set(LABELS) < set(LOOKS)
    for look in LOOKS:
        drawn = svg(Scene({(0, 0): Spot("10H", "red", look=look)}))
        assert letters(drawn) == (["10\u2665"] if look == "card" else ["10H"] if look in LABELS else [])
        assert letters(svg(Scene({(0, 0): Spot("@", "red", look=look)}))) == ["@"] * (
            look in LABELS and look not in ("player", "knight")
        )
        several = svg(Scene({(0, 0): Spot("x", "red", "p", look=look), (0, 1): Spot("x", "red", "p", look=look)}))
        shown = (
            2 if look == "disk" else look in LABELS if look in STRETCHED else 1
        )  # disks hang together, others are tiles
        assert letters(several) == ["x"] * shown


def test_letters_of_looks_can_be_read() -> None:
    for look in LABELS:
        for colour in COLOURS:
            [text] = tags(svg(Scene({(0, 0): Spot("A", colour, look=look)})), "text")
            below = {"card": PAPERS.get(colour, CARD), "key": hex_of("floor")}.get(look, hex_of(colour))
            assert contrast(text.get("fill", ""), below) >= 4.5


def test_a_tower_stands_higher_than_a_block() -> None:
    tops = {}
    for look in ("block", "tower"):
        drawn = tags(svg(Scene({(0, 0): Spot("#", "brown", look=look)})), "path")
        tops[look] = min(
            points("".join(f' d="{each.get("d")}"' for each in drawn if each.get("fill") == hex_of("brown")))[1]
        )
    assert tops["tower"] < tops["block"] < 4
    bent = Scene({place: Spot("#", "brown", "p", look="block") for place in ((0, 0), (0, 1), (1, 1))})
    assert letters(svg(bent)) == ["#"]  # no box: a tile as ever


def test_an_arrow_points_as_it_says() -> None:
    tips = {}
    for glyph in (">", "v", "<", "^", "\u2192", "down"):
        path = elements(board_of(Scene({(0, 0): Spot(glyph, "red", look="arrow")})), set())[-1]
        [(x, y)] = [point for point in zip(*points(path), strict=True) if 24 in point]  # its tip
        tips[glyph] = (x > 24) - (x < 24), (y > 24) - (y < 24)
    assert tips == {">": (1, 0), "v": (0, 1), "<": (-1, 0), "^": (0, -1), "\u2192": (1, 0), "down": (0, 1)}


def test_a_car_is_as_long_as_its_places() -> None:
    down = {(row, 0): Spot("A", "red", "a", look="car") for row in range(3)}
    across = {(0, col): Spot("A", "red", "a", look="car") for col in range(3)}
    bodies = [next(part for part in elements(board_of(Scene(spots)), set()) if hex_of("red") in part)
              for spots in (down, across)]  # fmt: skip
    tall, broad = map(points, bodies)
    assert max(tall[1]) - min(tall[1]) > 130 and max(tall[0]) <= 48
    assert sorted(tall[1]) == sorted(broad[0])


def test_targets_have_names_below_what_stands_there() -> None:
    """Once for touching places of one name, and never under a thing."""
    exit_ = {(row, col): Spot(".", ground="goal", target="exit") for row in (0, 1) for col in (0, 1)}
    assert letters(svg(Scene(exit_))) == ["exit"]
    assert letters(svg(Scene(exit_ | {(0, 0): Spot("A", "red", ground="goal", target="exit")}))) == ["exit", "A"]
    assert letters(svg(Scene({(0, 0): Spot("A", "red", ground="goal", target="exit")}))) == ["A"]
    assert letters(svg(Scene({(0, 0): Spot(".", target="A"), (0, 1): Spot(".", target="B")}))) == ["A", "B"]


# -- cubes -------------------------------------------------------------------------------------------------------------

NET = {(row, col): Spot("A", "red", value=[row, col]) for row in range(9) for col in range(12)
       if (row // 3, col // 3) in FACES}  # fmt: skip


def test_faces_of_a_cube_meet_at_their_edges() -> None:
    """As they do when the net is folded by hand: top and front, top and right, front and right; and so on."""
    found = facelets(Scene(NET, frame="cube"))
    grown = {place: corner_points(each) for place, each in found.items()}
    front = [((2, 3), (3, 3)), ((2, 5), (3, 6)), ((0, 5), (3, 8)), ((3, 5), (3, 6))]  # top, in front, right
    back = [((3, 11), (3, 0)), ((6, 3), (5, 2)), ((8, 3), (5, 0)), ((8, 3), (5, 11)), ((8, 5), (5, 9))]
    for one, other in front + back:
        assert len(grown[one] & grown[other]) == 2, (one, other)


def corner_points(each: Facelet) -> set[tuple[int, int]]:
    """Without the gap."""
    x, y = each.middle
    return {(round(x + (a - x) / 0.9), round(y + (b - y) / 0.9)) for a, b in each.corners}


def test_a_cube_is_seen_whole_and_can_be_hit() -> None:
    drawn = svg(Scene(NET, frame="cube"))
    spots = [path for path in tags(drawn, "path") if path.get("class") == "spot"]
    assert len(letters(drawn)) == len(spots) == 54
    assert {spot.get("data-place") for spot in spots} == {f"{row},{col}" for row, col in NET}
    assert "changed" in svg(Scene(NET, frame="cube"), Scene(NET | {(0, 3): Spot("B", "blue")}, frame="cube"))
    assert side(Scene({(0, 0): Spot("A", "red")}, frame="cube")) == 0  # no net: a board as ever


def test_what_changed_is_marked() -> None:
    before = Scene({(0, 0): Spot("A", "red", "a"), (0, 1): Spot("A", "red", "a"), (0, 2): Spot("."), (1, 0): Spot("#")})
    now = Scene({(0, 0): Spot("."), (0, 1): Spot("A", "red", "a"), (0, 2): Spot("A", "red", "a"), (1, 0): Spot("#")})
    marks = [element for element in parsed(svg(now, before)) if element.get("class") == "changed"]
    assert len(marks) == 2  # round the whole piece, and where it left
    assert [bool(mark.get("stroke-dasharray")) for mark in marks] == [False, True]
    assert "changed" not in svg(now) and "changed" not in svg(now, now)


def test_walls_between_places_are_thin() -> None:
    drawn = svg(library("ricochet"))
    sizes = {(spot.get("width"), spot.get("height")) for spot in tags(drawn, "rect") if spot.get("class") == "spot"}
    assert sizes == {("8", "8"), ("8", "48"), ("48", "8"), ("48", "48")}
    plain = svg(library("sokoban"))  # has walls too, but things stand in every line
    assert {spot.get("width") for spot in tags(plain, "rect") if spot.get("class") == "spot"} == {"48"}


def test_bars_are_as_wide_as_their_sizes() -> None:
    spots = {(row, 0): Spot(str(size), "red", size=size) for row, size in enumerate([1, 3, 2])}
    paths = [
        path.get("d", "") for path in tags(svg(Scene(spots, frame="peg")), "path") if path.get("fill") == hex_of("red")
    ]
    widths = [float(re.search(r"h([\d.]+)", path)[1]) for path in paths]  # type: ignore[index]
    assert widths[0] < widths[2] < widths[1]


def test_the_lowest_layer_of_a_tube_follows_the_glass() -> None:
    spots = {
        (row, 0): Spot(glyph, colour) for row, (glyph, colour) in enumerate([(".", ""), ("a", "red"), ("b", "blue")])
    }
    layers = {path.get("fill"): path.get("d", "") for path in tags(svg(Scene(spots, frame="tube")), "path")}
    assert "a0 0 " in layers[hex_of("red")] and "a13.75 13.75 " in layers[hex_of("blue")]


def test_letters_that_draw_boxes_become_pipes() -> None:
    drawn = svg(Scene({(0, 0): Spot("└", "grey")}))
    assert letters(drawn) == []
    [pipe] = [path for path in tags(drawn, "path") if path.get("stroke-width") == "9"]
    assert sorted(re.findall(r"l(\S+ \S+?)(?=M|$)", pipe.get("d", ""))) == ["0 -20.4", "20.4 0"]  # up, right


def test_void_is_not_seen() -> None:
    with_void = Scene({(0, 0): Spot("A", "red"), (0, 1): Spot(" ", ground="void")})
    assert [path.get("d") for path in tags(svg(with_void), "path")] == [
        path.get("d") for path in tags(svg(Scene({(0, 0): Spot("A", "red")})), "path")
    ]


def test_without_a_board_there_are_lines() -> None:
    drawn = svg(Scene({}, "a caption", ("x = 1", "y = 2")))
    assert letters(drawn) == ["x = 1", "y = 2", "a caption"]
    assert letters(svg(Scene({}))) == []


def test_long_captions_are_wrapped_into_the_card() -> None:
    drawing = draw(Scene({(0, 0): Spot("A", "red")}, "word " * 60))
    assert drawing.box[2] < 420
    assert sum('font-size="14"' in element for element in drawing.elements) == 8  # 300 letters, 40 a line


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", "&", '"', "\x00\x1b\ufffe\uffff", "\u202e", "👩‍👩‍👧", "\ud800"]
)
def test_hostile_words_stay_words(words: str) -> None:
    for spots in ({(0, 0): Spot(words, "red", words)}, {}):
        drawn = svg(Scene(spots, words, (words,)), None, words)
        assert {element.tag.removeprefix(NAMESPACE) for element in parsed(drawn)} <= ELEMENTS
        drawn.encode()


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.builds(Spot, st.text(max_size=4), st.sampled_from(["", *COLOURS]), st.sampled_from(["", "a"]),
              st.sampled_from([*GROUNDS, *COLOURS]), st.integers(0, 4), look=st.sampled_from(["", *LOOKS]),
              target=st.text(max_size=4)),
), st.sampled_from(["", "tube", "peg", "box", "cube"]))  # fmt: skip
def test_every_scene_can_be_drawn(spots: dict[Place, Spot], frame: str) -> None:
    seen = Scene(spots, frame=frame)
    drawn = svg(seen, Scene({}, frame=frame))
    shown = facelets(seen) if side(seen) else spots
    assert len([spot for spot in parsed(drawn) if spot.get("class") == "spot"]) == len(shown)
