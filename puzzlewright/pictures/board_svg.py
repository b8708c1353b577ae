"""A board as SVG elements: grounds, frames, goal rings, things, marks and letters, from below to above.

The shape of a thing is one path, whether it is a piece over many places, a bar, or a layer in a tube; what is changed
has the same path once more as a line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Mapping, Set
from dataclasses import replace
from functools import cache, cached_property
from html import escape
from itertools import accumulate
from math import ceil, floor

from models.frozen import frozen
from puzzlewright.pictures import looks
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.outline import Lines, beside, number, outline, pieces
from puzzlewright.pictures.palette import channels, hex_of, ink
from puzzlewright.pictures.scene import Place, Scene, Spot

UNIT = 48  # pixels of a place; wider where its words or bars need it
BALLS = ("o", "\u25cb", "\u25cf", "\u25ef")  # glyphs of things that are round
WIDEST = 260.0
THIN = 8  # of what lies between places
REACH = 0.425  # of a pipe's arm, in places: to the edge of its tile
ROUND = 'stroke-linecap="round"'
Box = tuple[float, float, float, float]  # left, top, width, height
FONT = "DejaVu Sans, Verdana, sans-serif"
BOARD, GOAL, WOOD, GLASS, TRAY = "#d5ccba", "#1d6b33", "#b8a382", "#7d8b99", "#efeadf"
MORTAR = "#7b8590"  # between bricks
MARK, LEFT = "#101317", "#767c86"  # round what came or changed, and where something went away
_ARMS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}


@frozen(eq=True)
class Board:
    """A scene's spots with the sizes that they are drawn in."""

    spots: dict[Place, Spot]
    frame: str
    lines: Lines
    letters: float  # their size
    largest: int  # of the sizes of bars; 0 without bars
    between: bool  # do walls lie between the places?

    @property
    def width(self) -> float:
        return self.lines[0][-1]

    @property
    def height(self) -> float:
        return self.lines[1][-1]

    @property
    def head(self) -> int:
        """The room that the frame takes above the places."""
        return 10 if self.frame in ("tube", "peg") else 0

    @property
    def foot(self) -> int:
        """The room that the frame takes below them."""
        return 14 if self.frame == "peg" else 6 if self.frame else 0

    @cached_property
    def groups(self) -> list[list[Place]]:
        """The places of each thing; layers and bars are things by themselves."""
        alone = self.frame == "tube"
        things = ((place, spot) for place, spot in self.spots.items() if spot.colour)
        return pieces({place: "" if alone or spot.size else spot.piece for place, spot in things})

    def box(self, place: Place) -> Box:
        """The place in pixels."""
        (row, col), (xs, ys) = place, self.lines
        return xs[col], ys[row], xs[col + 1] - xs[col], ys[row + 1] - ys[row]

    def middle(self, row: float, col: float) -> tuple[float, float]:
        """x and y of the middle of a place, or of the point between places."""
        (left, top, *_), (x, y, wide, high) = self.box((floor(row), floor(col))), self.box((ceil(row), ceil(col)))
        return (left + x + wide) / 2, (top + y + high) / 2

    @cached_property
    def columns(self) -> dict[int, tuple[int, int]]:
        """Of each column the first and the last row that is not void."""
        rows: dict[int, list[int]] = {}
        for (row, col), spot in sorted(self.spots.items()):
            if spot.ground != "void" or spot.colour:
                rows.setdefault(col, []).append(row)
        return {col: (found[0], found[-1]) for col, found in rows.items()}


def board_of(scene: Scene) -> Board:
    largest = max(spot.size for spot in scene.spots.values())
    longest = max(1, *(width(spot.glyph) for spot in scene.spots.values()))
    high = 32 if largest else UNIT
    wide = min(WIDEST, 32 + 18 * largest) if largest else max(UNIT, min(WIDEST, 10 + 0.72 * 13 * longest))
    between = _latticed(scene.spots)
    spots = _joined(scene.spots) if between else scene.spots
    letters = min(0.46 * high, (wide - 10) / (0.72 * longest))
    frame = "" if scene.frame == "cube" else scene.frame  # no net: `cube_svg` draws those
    return Board(spots, frame, _lines(scene, wide, high, between), letters, largest, between)


def _latticed(spots: Mapping[Place, Spot]) -> bool:
    """Does every other line of places hold nothing but walls, so that these lie between the places?"""
    others = {spot.ground for place, spot in spots.items() if not (place[0] % 2 and place[1] % 2)}
    return len(spots) > 1 and "wall" in others and others <= {"wall", "void"}


def _joined(spots: Mapping[Place, Spot]) -> dict[Place, Spot]:
    """Walls that lie between places meet at the posts."""
    walls = {place for place, spot in spots.items() if spot.ground == "wall"}
    posts = {post for wall in walls for post in beside(wall) if post in spots and post[0] % 2 == 0 == post[1] % 2}
    return {place: replace(spot, ground="wall") if place in posts else spot for place, spot in spots.items()}


def _lines(scene: Scene, wide: float, high: float, between: bool) -> Lines:
    rows = (THIN if between and row % 2 == 0 else high for row in range(scene.rows))
    cols = (THIN if between and col % 2 == 0 else wide for col in range(scene.cols))
    return tuple(accumulate(cols, initial=0)), tuple(accumulate(rows, initial=0))


def elements(board: Board, changed: Set[Place]) -> list[str]:
    """All there is to see, with marks for what changed."""
    return [
        *_grounds(board),
        *_frames(board),
        *_rings(board),
        *_hollows(board),
        *_targets(board),
        *(_looking(board, group) or _thing(board, group) for group in board.groups),
        *(_glass(board, col) for col in board.columns if board.frame == "tube"),
        *_marks(board, changed),
        *(label for group in board.groups for label in _labels(board, group)),
    ]


def spot_elements(board: Board) -> list[str]:
    """A transparent rectangle for each place, which a page can hit."""
    return [
        f'<rect class="spot" data-place="{row},{col}" x="{x}" y="{y}" width="{wide}" height="{high}" fill-opacity="0"/>'
        for row, col in sorted(board.spots)
        for x, y, wide, high in [map(number, board.box((row, col)))]
    ]


def words(text: str) -> str:
    """Text as XML can hold it: no markup, and no letters that XML forbids."""
    return escape(encodable(text, "utf-8").translate({0xFFFE: "?", 0xFFFF: "?"}))


# -- grounds and frames ------------------------------------------------------------------------------------------------


def _grounds(board: Board) -> Iterator[str]:
    """Tiles on a common base; walls join, and stacks have no floor."""
    places: dict[str, list[Place]] = {}
    for place, spot in sorted(board.spots.items()):
        places.setdefault(spot.ground, []).append(place)
    void = places.pop("void", [])
    if board.frame:
        places.pop("floor", None)
    elif places:
        everything = [place for group in places.values() for place in group] + void * board.between
        yield f'<path d="{outline(everything, board.lines, -4, 9, 1)}" fill="{BOARD}"/>'
    walls = places.pop("wall", [])
    for ground, group in places.items():
        yield f'<path d="{"".join(_tile(board, place) for place in group)}" fill="{hex_of(ground)}"/>'
    if walls:
        yield f'<path d="{outline(walls, board.lines, 0.75, 3 if board.between else 6, 3)}" fill="{hex_of("wall")}"/>'
        if not board.between:
            yield _line("".join(_bricks(board, place, walls) for place in walls), MORTAR, 1.5, 'stroke-opacity="0.55"')


def _tile(board: Board, place: Place) -> str:
    x, y, wide, high = board.box(place)
    return f"M{number(x + 0.75)} {number(y + 0.75)}h{number(wide - 1.5)}v{number(high - 1.5)}h{number(1.5 - wide)}z"


def _bricks(board: Board, place: Place, walls: Container[Place]) -> str:
    """The lines between three rows of bricks, of which the second is shifted; one to the wall above."""
    x, y, wide, high = board.box(place)
    third, row, col = high / 3, *place
    rows = "".join(f"M{number(x + 2)} {number(y + third * line)}h{number(wide - 4)}" for line in (1, 2))
    above = f"M{number(x + 2)} {number(y)}h{number(wide - 4)}" * ((row - 1, col) in walls)
    beside = f"M{number(x)} {number(y + third)}v{number(third)}" * ((row, col - 1) in walls)
    middle = f"M{number(x + wide / 2)} {number(y + 2)}v{number(third - 2)}m0 {number(third)}v{number(third - 2)}"
    return rows + above + beside + middle


def _hollows(board: Board) -> Iterator[str]:
    """Looks of places where nothing stands, in shades of the ground; a name on it goes before."""
    for place, spot in sorted(board.spots.items()):
        if spot.look in looks.EMPTY and spot.ground != "void" and not spot.colour and not spot.target:
            shade = _darker(hex_of(spot.ground))
            yield _shaped(board, [place], looks.EMPTY[spot.look], shade, _darker(shade))


def _targets(board: Board) -> Iterator[str]:
    """Names on the ground, once for touching places of one name, wherever nothing stands on them."""
    named = {place: spot.target for place, spot in board.spots.items() if spot.target and not spot.colour}
    for group in pieces(named):
        first, middle = group[0], _middle(group)
        ground, name = board.spots[first].ground, named[first]
        _, _, wide, _ = _room(board, group if _whole(board, group) else [first])
        size = min(0.32 * board.box(first)[3], (wide - 8) / (0.72 * max(1, width(name))))
        colour = GOAL if ground == "goal" or ground == "void" else ink(hex_of(ground))
        yield lettering(*board.middle(*middle), size, name, colour)


def _frames(board: Board) -> Iterator[str]:
    """What stands behind the things of stacks."""
    for col in board.columns if board.frame else ():
        left, top, wide, high = _column(board, col)
        if board.frame == "peg":
            yield _rect(left + wide / 2 - 4, top - 6, 8, high + 8, 4, WOOD)
        elif board.frame == "box":
            base = f"M{number(left + 4)} {number(top + high + 3)}h{number(wide - 8)}"
            yield _rect(left + 1.5, top, wide - 3, high + 2, 8, TRAY) + _line(base, WOOD, 4, ROUND)
        else:
            yield f'<path d="{_tube(left + 6, top - 6, wide - 12, high + 6, 15)}" fill="#f1f5f7"/>'
    if board.frame == "peg":
        yield _rect(4, board.height + 1, board.width - 8, 9, 4.5, WOOD)


def _column(board: Board, col: int) -> Box:
    first, last = board.columns[col]
    left, top, wide, _ = board.box((first, col))
    return left, top, wide, board.lines[1][last + 1] - top


def _glass(board: Board, col: int) -> str:
    """The wall of a tube, before its layers, with a gleam."""
    left, top, wide, high = _column(board, col)
    gleam = f"M{number(left + 13)} {number(top + 6)}v{number(high - 24)}"
    glass = _line(_tube(left + 6, top - 6, wide - 12, high + 6, 15), GLASS, 2.5, ROUND)
    return _line(gleam, "#ffffff", 3, 'stroke-opacity="0.5" ' + ROUND) + glass


def _tube(left: float, top: float, wide: float, high: float, radius: float) -> str:
    """From the upper left round the bottom to the upper right, open above."""
    arc = f"a{number(radius)} {number(radius)} 0 0 0 {number(radius)} "
    return (
        f"M{number(left)} {number(top)}v{number(high - radius)}{arc}{number(radius)}h{number(wide - 2 * radius)}"
        f"{arc}{number(-radius)}V{number(top)}"
    )


# -- things ------------------------------------------------------------------------------------------------------------


def _looking(board: Board, group: list[Place]) -> str:
    """A thing that has a look of its own; "" where it is a tile."""
    if not _looks(board, group):
        return ""
    spot = board.spots[group[0]]
    colour, parts = hex_of(spot.colour), looks.SHAPES[spot.look]
    if len(group) > 1 and spot.look not in looks.STRETCHED:
        beads = "".join(_shaped(board, [place], parts, colour, _darker(colour)) for place in group)
        return f'<path d="{outline(group, board.lines, 17, 6, 3)}" fill="{_darker(colour)}"/>{beads}'
    return _shaped(board, group, parts, colour, _darker(colour))


def _looks(board: Board, group: list[Place]) -> bool:
    """Has the thing a look that fits? Bars and layers have none; a look that stretches fills a rectangle of places,
    disks hang together, others stand on one place."""
    spot = board.spots[group[0]]
    if not spot.look or spot.size or board.frame == "tube" or spot.look not in looks.SHAPES:
        return False
    if spot.look not in looks.STRETCHED:
        return len(group) == 1 or spot.look == "disk"
    return _whole(board, group)


def _whole(board: Board, group: list[Place]) -> bool:
    """Are the places a rectangle?"""
    _, _, wide, high = _room(board, group)
    return wide * high == sum(board.box(place)[2] * board.box(place)[3] for place in group)


def _shaped(board: Board, group: list[Place], parts: tuple[looks.Part, ...], colour: str, dark: str) -> str:
    """The shape in the room of the group, or in the square in the middle of it."""
    spot, (left, top, wide, high) = board.spots[group[0]], _room(board, group)
    scale = min(board.box(group[0])[2:]) / looks.SIDE
    if spot.look not in looks.STRETCHED and spot.look != "card":
        side = scale * looks.SIDE
        left, top, wide, high = left + (wide - side) / 2, top + (high - side) / 2, side, side
    paper = looks.PAPERS.get(spot.colour, looks.PAPER)
    return looks.shape(parts, (left, top, wide, high), scale, _turns(spot, wide, high), (colour, dark, paper))


def _turns(spot: Spot, wide: float, high: float) -> int:
    """By how many quarters the shape is turned: a car along its places, an arrow as it says."""
    return looks.WAYS.get(spot.glyph, 0) if spot.look == "arrow" else int(spot.look == "car" and high > wide)


def _room(board: Board, group: list[Place]) -> Box:
    """The least box round the places."""
    boxes = [board.box(place) for place in group]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return left, top, max(box[0] + box[2] for box in boxes) - left, max(box[1] + box[3] for box in boxes) - top


def _thing(board: Board, group: list[Place]) -> str:
    """A piece with a darker edge below, or a layer of a liquid."""
    colour, path = hex_of(board.spots[group[0]].colour), _shape(board, group)
    if board.frame == "tube":
        return f'<path d="{path}" fill="{colour}"/>{_surface(board, group[0])}'
    dark = _darker(colour)
    drawn = f'<path d="{path}" fill="{dark}" transform="translate(0 2)"/>'
    return f'{drawn}<path d="{path}" fill="{colour}" stroke="{dark}"/>{_gleam(board, group[0])}'


def _surface(board: Board, place: Place) -> str:
    """The gleam on the uppermost layer of a liquid."""
    above = board.spots.get((place[0] - 1, place[1]))
    if above is not None and above.colour:
        return ""
    left, top, wide, _ = board.box(place)
    return _line(f"M{number(left + 11)} {number(top + 2.5)}h{number(wide - 22)}", "#ffffff", 3,
                 f'stroke-opacity="0.45" {ROUND}')  # fmt: skip


def _gleam(board: Board, place: Place) -> str:
    """Of a bar."""
    if not board.spots[place].size:
        return ""
    left, top, wide, _ = board.box(place)
    inset = 13 + (wide - 12) * 0.4 * (1 - board.spots[place].size / board.largest)
    return _line(f"M{number(left + inset)} {number(top + 7)}h{number(wide - 2 * inset)}", "#ffffff", 2,
                 f'stroke-opacity="0.4" {ROUND}')  # fmt: skip


def _shape(board: Board, group: list[Place]) -> str:
    """The path of a thing."""
    first, size = group[0], board.spots[group[0]].size
    left, top, wide, high = board.box(first)
    if board.frame == "tube":
        lowest = first[0] == board.columns[first[1]][1]
        return _tube(left + 7.25, top, wide - 14.5, high - 1.25 * lowest, 13.75 * lowest) + "z"
    if size:
        inset = 5 + (wide - 12) * 0.4 * (1 - size / board.largest)
        return _bar(left + inset, top + 2.5, wide - 2 * inset, high - 6)
    if len(group) == 1 and board.spots[first].glyph in BALLS:
        return _ball(left + wide / 2, top + high / 2, min(wide, high) / 2 - 4.5)
    return outline(group, board.lines, 3.5, 9, 5)


def _ball(x: float, y: float, radius: float) -> str:
    arc = f"a{number(radius)} {number(radius)} 0 0 1 "
    return f"M{number(x - radius)} {number(y)}{arc}{number(2 * radius)} 0{arc}{number(-2 * radius)} 0z"


def _bar(x: float, y: float, wide: float, high: float) -> str:
    arc = "a8 8 0 0 1 "
    return (
        f"M{number(x + 8)} {number(y)}h{number(wide - 16)}{arc}8 8v{number(high - 16)}{arc}-8 8"
        f"h{number(16 - wide)}{arc}-8 -8v{number(16 - high)}{arc}8 -8z"
    )


def _rings(board: Board) -> Iterator[str]:
    """Goals: a dashed line of two colours, so far out that it is seen round a tile too, and never on its letters."""
    goals = {place: "goal" for place, spot in board.spots.items() if spot.ground == "goal"}
    for group in pieces(goals):
        path = outline(group, board.lines, 2.25, 5, 5)
        yield _line(path, "#ffffff", 4, 'stroke-opacity="0.85"') + _line(path, GOAL, 2.25, 'stroke-dasharray="6 4"')


def _marks(board: Board, changed: Set[Place]) -> Iterator[str]:
    """A strong line round what came or changed, dots where something went away."""
    for group in board.groups:
        if not changed.isdisjoint(group):
            yield _line(_shape(board, group), MARK, 2.5, 'class="changed"')
    for place in sorted(changed):
        spot = board.spots[place]
        if not spot.colour and spot.ground not in ("wall", "void"):
            path = outline([place], board.lines, 8, 5, 5)
            yield _line(path, LEFT, 2, f'class="changed" stroke-dasharray="0.1 5" {ROUND}')


# -- letters -----------------------------------------------------------------------------------------------------------


def _labels(board: Board, group: list[Place]) -> Iterator[str]:
    """The glyph once if it is the same all over the thing, else in each place."""
    spots = [board.spots[place] for place in group]
    if _looks(board, group):
        yield from _look_labels(board, group)
        return
    colour, alike = ink(hex_of(spots[0].colour)), len({spot.glyph for spot in spots}) == 1
    for place, spot in zip([_middle(group)] if alike else group, spots, strict=False):
        x, y = board.middle(*place)
        if reach := arms(spot.glyph):
            _, _, wide, high = board.box(group[0])
            yield _pipe(x, y, [(dx * wide * REACH, dy * high * REACH) for dx, dy in reach], colour)
        else:
            yield lettering(x, y, board.letters, spot.glyph, colour)


def _look_labels(board: Board, group: list[Place]) -> Iterator[str]:
    """The letters of a look in the room that it has for them: once where one shape fills all places."""
    look, stretched = board.spots[group[0]].look, board.spots[group[0]].look in looks.STRETCHED
    for place in group[:1] if stretched else group:
        if looks.lettered(look, board.spots[place].glyph):
            yield _look_label(board, group if stretched else [place])


def _look_label(board: Board, group: list[Place]) -> str:
    """The glyph about the middle of its look's room, no larger than the board's letters."""
    spot, (x, y) = board.spots[group[0]], board.middle(*_middle(group))
    across, down, wide, high = looks.LABELS[spot.look]
    half, scale = looks.SIDE / 2, min(board.box(group[0])[2:]) / looks.SIDE
    whole = _room(board, group)[2] if spot.look in (*looks.STRETCHED, "card") else 2 * half * scale
    glyph = looks.card_words(spot.glyph) if spot.look == "card" else spot.glyph
    size = min(board.letters, scale * high, (whole - scale * (2 * half - wide)) / (0.72 * max(1, width(glyph))))
    return lettering(x + scale * (across - half), y + scale * (down - half), size, glyph, _look_ink(spot))


def _look_ink(spot: Spot) -> str:
    if spot.look == "card":
        return looks.CARD_INKS.get(spot.colour, looks.CARD_INK)
    return ink(hex_of(spot.ground if spot.look in looks.BESIDE and spot.ground != "void" else spot.colour))


def _middle(group: list[Place]) -> tuple[float, float]:
    """The centre of a piece if the piece is there, else the middle of its place that is nearest."""
    (top, bottom), (left, right) = ((min(numbers), max(numbers)) for numbers in zip(*group, strict=True))
    row, col = (top + bottom) / 2, (left + right) / 2
    if {(y, x) for y in (floor(row), ceil(row)) for x in (floor(col), ceil(col))} <= set(group):
        return row, col
    return min(group, key=lambda place: (place[0] - row) ** 2 + (place[1] - col) ** 2)


def lettering(x: float, y: float, size: float, glyph: str, colour: str) -> str:
    """Centred."""
    return (
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}" font-family="{FONT}" font-size="{number(size)}" '
        f'font-weight="bold" text-anchor="middle" fill="{colour}">{words(glyph)}</text>'
    )


@cache
def arms(glyph: str) -> tuple[tuple[int, int], ...]:
    """Where a letter that draws boxes reaches to, as (x, y) directions."""
    name = unicodedata.name(glyph, "") if len(glyph) == 1 else ""
    parts = name.replace("VERTICAL", "UP DOWN").replace("HORIZONTAL", "LEFT RIGHT").split()
    return tuple(_ARMS[part] for part in parts if part in _ARMS) if parts[:2] == ["BOX", "DRAWINGS"] else ()


def _pipe(x: float, y: float, arms: list[tuple[float, float]], colour: str) -> str:
    """Lines from the middle of a place to the sides that its letter reaches to."""
    paths = (f"M{number(x)} {number(y)}l{number(dx)} {number(dy)}" for dx, dy in arms)
    return _line("".join(paths), colour, 9) + f'<circle cx="{number(x)}" cy="{number(y)}" r="4.5" fill="{colour}"/>'


# -- elements ----------------------------------------------------------------------------------------------------------


def _line(path: str, colour: str, wide: float, more: str = "") -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(wide)}"{" " * bool(more)}{more}/>'


def _rect(x: float, y: float, wide: float, high: float, radius: float, colour: str) -> str:
    place = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="{number(radius)}"'
    return f'<rect {place} fill="{colour}"/>'


@cache
def _darker(colour: str) -> str:
    return "#" + "".join(f"{round(channel * 0.68):02x}" for channel in channels(colour))
