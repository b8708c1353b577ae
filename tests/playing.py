"""A level that is open in a browser, played by keys and by mouse: the page of `play`, or one that was exported.

What is pressed and clicked comes from the plan that `solve` proves shortest and from the places that a move changes;
nothing here knows a puzzle.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from running import run, until

from models.referee import apply
from puzzlewright.play.catalogue import Catalogue

FOUNDING = (  # with the length of a shortest solution, as the levels' sources and hand counts have it
    ("n_puzzle", "easy-8", 3),
    ("klotski", "first", 8),
    ("bloxorz", "stage-1", 7),
    ("water_sort", "two-colours", 7),
    ("vehicles", "n3", 4),
    ("vehicles_in_turn", "n2", 4),
    ("vehicles_one_at_a_time", "n2", 4),
)
LARGER = (
    ("n_puzzle", "seed-8", 22),
    ("klotski", "hua-rong-dao", 116),
    ("bloxorz", "splitter-2", 15),
    ("water_sort", "seed-1", 15),
    ("vehicles", "n4", 5),
    ("vehicles_in_turn", "n3", 10),
    ("vehicles_one_at_a_time", "n3", 7),
    ("sokoban", "little", 9),
    ("hanoi", "five", 31),
    ("rush_hour", "small-moves", 5),
    ("missionaries", "three", 11),
)
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
WAYS = {*STEPS, *(f"hop_{way}" for way in STEPS)}
KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}


BECAME = """([cost, label, first]) => {
  if (document.querySelector('#cost').textContent === cost) return 'moved';
  if ([...document.querySelectorAll('#menu button')].some((each) => each.textContent === label)) return 'menu';
  return first && document.querySelector('.marks .chosen') ? 'chosen' : '';
}"""

MIDDLE = """(place) => {
  const spot = document.querySelector(`#board [data-place="${place}"]`);
  spot?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = spot?.getBoundingClientRect();
  return box?.width && box.height ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


@dataclass
class Play:
    """A level that is open in the page."""

    page: Any

    def cost(self) -> int:
        return int(self.page.inner_text("#cost"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def middle(self, place: list[int]) -> list[float]:
        """Where the place is on the page, once it is seen: what was drawn may just be replaced by what follows."""
        name = ",".join(map(str, place))
        return list(until(lambda: self.page.evaluate(MIDDLE, name)))

    def click(self, place: list[int]) -> None:
        self.page.mouse.click(*self.middle(place))

    def costs(self, cost: int) -> None:
        """Wait until so much is paid."""
        self.page.locator("#cost", has_text=re.compile(f"^{cost}$")).wait_for(timeout=120_000)

    def becomes(self, cost: int, label: str, first: bool = True) -> str:
        """What came of a click: the move ("moved"), a "menu" that offers it, or, at first, a thing that is "chosen"."""
        return str(until(lambda: self.page.evaluate(BECAME, [str(cost), label, first])))

    def tab_to(self, label: str) -> None:
        """Go to the button by keys."""
        for _ in range(40):
            if self.page.evaluate("document.activeElement.textContent") == label:
                return
            self.press("Tab")
        raise AssertionError(f"no way by Tab to {label}")

    def says(self, words: str) -> None:
        self.page.locator("#message", has_text=re.compile(words)).wait_for(state="attached", timeout=120_000)


def overhang(page: Any) -> int:  # noqa: F811
    """Pixels of the page beyond the window's right edge."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def hint(play: Play, degree: str) -> str:
    play.page.click(f'[data-degree="{degree}"]')
    play.page.locator("#hint .badge").wait_for(timeout=120_000)
    words = str(play.page.inner_text("#hint"))
    assert words.startswith("proven")
    return words


def smallest(puzzle: str) -> tuple[str, int]:
    """The level with the shortest solution of more than one move."""
    row = next(row for row in Catalogue().puzzles()["puzzles"] if row["name"] == puzzle)
    known = [(level["name"], (level["known"] or {}).get("optimal", 0)) for level in row["levels"]]
    costs = [(name, next(iter(cost.values())) if isinstance(cost, dict) else cost) for name, cost in known]
    return min(((name, cost) for name, cost in costs if cost > 1), key=lambda each: each[1])


@dataclass(frozen=True)
class Turn:
    """A step of a plan with what the page knows before it."""

    args: dict[str, Any]
    cost: int
    board: dict[str, Any]
    moves: list[Any]  # all that can be made
    move: Any  # the one of them that does what the step does

    @property
    def way(self) -> str | None:
        return next((value for value in self.args.values() if isinstance(value, str) and value in KEYS), None)

    @property
    def joint(self) -> list[str] | None:
        """The way that each element goes, where that is what they do."""
        several = (value for value in self.args.values() if isinstance(value, list))
        return next((each for each in several if all(value in ("stay", *WAYS) for value in each)), None)


@cache
def turns(puzzle: str, level: str) -> list[Turn]:
    """A shortest plan, as `solve --json` tells it."""
    found = json.loads(run("solve", puzzle, "--level", level, "--json").out)
    assert found["outcome"] == "optimal"
    game, told_ = Catalogue().named({"puzzle": puzzle, "level": level}), []
    state = game.start
    for step in found["plan"]:
        shown = json.loads(json.dumps(game.shown(state)))
        state = apply(game.puzzle, state, game.step(step["action"], step["args"]))
        moves = shown["moves"]["moves"]
        move = next((each for each in moves if each["state"] == json.loads(json.dumps(game.plain(state)))), None)
        told_.append(Turn(step["args"], step["cost"], shown["board"], moves, move))
    return told_


# -- plans as keys and clicks ------------------------------------------------------------------------------------------


def by_keys(play: Play, turn: Turn) -> None:
    """The keys of one step."""
    moves, move = turn.moves, turn.move
    if turn.joint:
        for number, way in enumerate(turn.joint):
            if way != "stay":
                play.press(str(number), *[KEYS[way.removeprefix("hop_")]] * (1 + way.startswith("hop_")))
        play.press("Enter")
    elif turn.way:
        rivals = [each for each in moves if turn.way in each["args"].values()]
        play.press("Escape")
        if len(rivals) > 1:
            things = sorted({json.dumps(each["leaves"]) for each in moves if each["leaves"]}, key=json.loads)
            play.press(*["Tab"] * (1 + things.index(json.dumps(move["leaves"]))))
        own = sorted((each for each in rivals if each["leaves"] == move["leaves"]), key=span)
        play.press(KEYS[turn.way] if move == own[0] else f"Shift+{KEYS[turn.way]}")
    elif column := pressed(turn):
        names, own = columns(turn), move["leaves"][0][1]
        paid = play.cost() + turn.cost
        play.press(column)
        became = play.becomes(paid, move["label"])
        if became == "chosen":
            play.press(names[max((col for _, col in move["enters"]), key=lambda col: abs(col - own))])
            became = play.becomes(paid, move["label"], first=False)
        if became == "menu":
            play.tab_to(move["label"])
            play.press("Enter")
    else:
        play.press("m")
        play.tab_to(move["label"])
        play.press("Enter", "b")


def columns(turn: Turn) -> dict[int, str]:
    """What the columns of stacks are called."""
    stacks = turn.board["frame"] not in ("", "cube") and turn.board["cols"] > 1
    return {col: str(value[0]) for _, col, _, _, value in turn.board["spots"]} if stacks else {}


def pressed(turn: Turn) -> str | None:
    """The key of the stack that the move goes from; a longer name, as of a stock, is none."""
    name = columns(turn).get(turn.move["leaves"][0][1], "") if turn.move["leaves"] else ""
    return name if len(name) == 1 else None


def by_mouse(play: Play, turn: Turn) -> None:
    """The clicks of one step."""
    move = turn.move
    if turn.joint:
        places = {glyph: (row, col) for row, col, glyph, *_ in turn.board["spots"]}
        for number, way in enumerate(turn.joint):
            if way != "stay":
                (row, col), far = places[str(number)], 1 + way.startswith("hop_")
                down, across = STEPS[way.removeprefix("hop_")]
                play.click([row, col])
                play.click([row + far * down, col + far * across])
        play.page.click("#go")
    elif move["changed"]:
        own = [value for value in turn.args.values() if value in move["changed"]]  # what the step names
        own += [place for place in move["leaves"] if place not in move["enters"]] or move["leaves"] or move["changed"]
        there = [place for place in move["enters"] if place not in move["leaves"]] or move["enters"] or move["changed"]
        paid = play.cost() + turn.cost
        play.click(own[0])
        became = play.becomes(paid, move["label"])
        if became == "chosen":
            play.click(farthest(there, own[:1]))
            became = play.becomes(paid, move["label"], first=False)
        if became == "menu":
            play.page.click(f"#menu button:text-is({json.dumps(move['label'])})")
    else:
        play.page.click(f"#chips button:text-is({json.dumps(move['label'])})")


def farthest(places: list[list[int]], others: list[list[int]]) -> list[int]:
    return max(places, key=lambda place: min(abs(place[0] - row) + abs(place[1] - col) for row, col in others))


def span(move: Any) -> float:
    """How far the move goes, about."""
    sums = [[sum(place[axis] for place in move[side]) for axis in (0, 1)] for side in ("leaves", "enters")]
    return sum(abs(one - other) for one, other in zip(*sums, strict=True))


def play_all(play: Play, plan: list[Turn], way: Any, paid: int = 0) -> None:
    play.press("b")
    for turn in plan:
        way(play, turn)
        paid += turn.cost
        play.costs(paid)


def solves(play: Play, puzzle: str, level: str, length: int, way: Any) -> None:
    plan = turns(puzzle, level)
    assert len(plan) == length
    play_all(play, plan, way)
    play.page.locator("#won").wait_for()
    assert in_sight(play.page, "#won")
    assert play.page.inner_text("#won-stars") == "★★★"
    assert "Score 100 = 100 × " in play.page.inner_text("#won-text")
    assert play.page.inner_text("#record").startswith("100")
    play.page.reload()
    play.page.locator("#board svg").wait_for()
    assert play.page.inner_text("#record").startswith("100")  # it is kept


def in_sight(page: Any, selector: str) -> bool:
    """Is all of it seen without scrolling?"""
    box = page.locator(selector).bounding_box()
    return bool(box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"])


def swipe(page: Any, from_: list[float], to: list[float]) -> int:
    """A finger goes from here to there; how many elements follow it."""
    session = page.context.new_cdp_session(page)
    touched = [[start + (end - start) * part / 4 for start, end in zip(from_, to, strict=True)] for part in range(5)]
    for kind, (x, y) in zip(("touchStart", *["touchMove"] * 4), touched, strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    held = page.locator("#board .held").count()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return int(held)
