"""Exported pages: what is in them, what they work out in Node, and whole solutions in a real browser without a network.

What a page works out is held to the referee, the scenes, their pictures, the compiled successors and `solve`.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures
from crosschecking import load
from exported import Told as Case
from exported import differences, expected, node
from game_texts import HOSTILE
from playing import FOUNDING, KEYS, LARGER, Play, by_keys, by_mouse, hint, play_all, smallest, solves, turns
from random_models import random_puzzle
from random_views import random_view
from running import run
from sampled import slow

from models.errors import PuzzleError
from models.expressions import Expr
from models.loader import load_text
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from puzzlewright.files.library import built_in, find
from puzzlewright.pages.bundling import bundle, modules
from puzzlewright.pages.game_page import FOLDERS, PALETTE, game_page, level_of
from puzzlewright.pages.lifting import NODES
from puzzlewright.solving.request import Request
from search.compiler import wasm as webassembly

SEEDS = [*range(24), 371, 567]  # the last two have several marks of one number
SEEDS_SLOW = range(24, 2000)
SAMPLE = ("bridge_torch", "key_maze")  # of the built-in puzzles
SIZES = {"klotski": 400_000, "n_puzzle": 300_000, "bloxorz": 500_000, "sokoban": 500_000}  # bytes, with all levels
LETS = """
format: 1
puzzle: lets
about: a let that is read after a phase, and lines that may contradict each other
types:
  n: 0 .. 3
state:
  a: n = 0
  b: n = 1
  x[i in n]: n = 0
actions:
  go:
    params: {i: n, j: n}
    let: {total: (a + b + i) % 4}
    when: a + i <= 5
    effect:
      a: total
      x[i]: i
      x[j]: b
    then:
      - b: total
        a: (total + a + 1) % 4
    label: "{total} {i} {j}"
goal: a == 3 and b == 3
"""
FREE = """
format: 1
puzzle: free steps
about: to and fro costs nothing, on costs two
types:
  n: 0 .. 4
state:
  a: n = 0
  b: n = 0
actions:
  swap:
    when: a != b
    effect: {a: b, b: a}
    cost: 0
  on:
    effect: {a: a + 1}
    cost: 2
goal: b == 3
"""
WIDE = """
format: 1
puzzle: wide
types: {i: 0 .. 17, digit: 0 .. 9}
state:
  v[k in i]: digit = k % 10
actions:
  turn:
    params: {k: i}
    when: k < 2 or v[k - 1] > v[k - 2]
    effect:
      v[k]: (v[k] + 1) % 10
goal: v[17] == 9 and v[0] == 1
"""  # 18 digits of four bits: two words
LOOKING = """
format: 1
puzzle: looking
data:
  words: [player, crate, store, wall, light, peg, hole, disk, card, block, tower, car, arrow, gem, key, door, tile,
    knight]
  signs: ["@", "A", "10H", "v", "ß", "o", "B7", ".", "red", "#"]
  hues: [red, grey, "", white, blue]
types:
  cell: grid(9, 18)
state:
  at: cell = cell(0, 0)
actions:
  go: {params: {d: direction}, effect: {at: at + d}}
goal: at == cell(8, 17)
view:
  board: c in cell
  glyph: signs[(c.col + c.row + at.row) % 10]
  colour: hues[(c.col * 3 + c.row + at.col) % 5]
  look: words[(c.col + c.row * 7) % 18]
  piece: c.row // 2 * 100 + (c.col + c.row * 7) % 18 if c.row < 4 else c.col // 2 if c.row < 6 else ""
  ground: goal if c.row % 3 == 1 else wall if c.row == 7 and c.col > 9 else floor if c.row > 2 else teal
  target: '"exit" if c.row % 4 == 0 and c.col % 5 < 2 else "a & b" if c.row == 8 else ""'
"""
LARGE = """
format: 1
puzzle: large
about: what is only told may be larger than what is worked with
data: {far: [0, 9007199254740991, 9007199254740990, 3]}
types:
  n: 0 .. 3
  cell: grid(1, 4, wrap="horizontal")
state:
  x: n = 0
  at: cell = cell(0, 0)
actions:
  go:
    effect: {x: x + 1, at: at + right}
    label: "{far[x] * far[x] * far[x]} {far[x] + far[x + 1]} {-far[x] * far[x]} {far[x] * far[x] // 7}
      {-far[x] * far[x] % 7}"
  back:
    when: x > 0
    effect: {x: x - 1}
    label: "{abs(0 - far[x] * 3)} {max(far[x] * 5, far[x - 1] * 4)} {at + far[x] * right} {inside(far[far[x]])}
      {far[x] * far[x] * up}"
goal: x == 2
view:
  board: c in cell
  glyph: far[x] * far[x] + c.col
  colour: far[x] * 3 == far[c.col] + far[c.col] + far[c.col]
  size: far[x] * 4 if x < 2 else 1
  caption: "{sum(far[k] for k in n)} {far[x] * 4 - far[x] * 4 == 0} {far[x] * 4 > far[x] * 3}
    {count(k for k in n if far[k] * 2 == far[x] * 2)}"
"""
FOLDED = """
format: 1
puzzle: folded
data:
  net: ["  ab    ", "  cd    ", efghijkl, mnopqrst, "  uv    ", "  wx    "]
types:
  cell: cells(net, omit=" ")
state:
  at: cell = cell(0, 2)
actions:
  go: {params: {d: direction}, effect: {at: at + d}}
goal: at == cell(5, 3)
view: {board: s in cell, glyph: 'net[s] if s != at else "<"', piece: '"cc" if s.row < 1 else ""', frame: cube}
"""


CODE = """
@table = private unnamed_addr constant [4 x i64] [i64 7, i64 8, i64 9, i64 10]
@other = private unnamed_addr constant [2 x i64] [i64 1, i64 2]
define i64 @inner(ptr %at, i64 %n) noinline {
  %room = alloca [64 x i64]
  %p = getelementptr i64, ptr %room, i64 %n
  store volatile i64 %n, ptr %p
  %q = getelementptr i64, ptr @table, i64 %n
  %v = load i64, ptr %q
  %w = load volatile i64, ptr @other
  %s = add i64 %v, %w
  ret i64 %s
}
define i64 @plain(ptr %at, i64 %n) {
  store ptr @other, ptr %at
  %v = call i64 @inner(ptr %at, i64 %n)
  ret i64 %v
}
"""


# -- what a page works out ---------------------------------------------------------------------------------------------


def random_cases(seeds: Any) -> list[tuple[int, Case]]:
    found = []
    for seed in seeds:
        try:
            puzzle = load(seed)
            if puzzle is not None:
                found.append((seed, expected(puzzle, Random(seed))))
        except PuzzleError:
            continue  # grounding refuses what the checker cannot see
    return found


def agrees(cases: list[tuple[Any, Case]]) -> None:
    wrong = [(cases[number][0], *rest) for number, *rest in differences([case for _, case in cases])]
    assert wrong == []


def test_every_construct_of_the_language_has_its_place_in_a_page() -> None:
    assert set(NODES) == set(Expr.__subclasses__())


def test_random_models() -> None:
    """The referee's word on every step, and that of `solve` on every hint."""
    cases = random_cases(SEEDS)
    assert len(cases) > len(SEEDS) / 3
    agrees(cases)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SEEDS_SLOW.start, SEEDS_SLOW.stop, 200))
def test_many_random_models(first: int) -> None:
    agrees(random_cases(range(first, min(first + 200, SEEDS_SLOW.stop))))


def view_cases(seeds: Any) -> list[tuple[int, Case]]:
    found = []
    for seed in seeds:
        with suppress(PuzzleError, Unsupported):
            found.append((seed, expected(load_text(random_view(seed), "random"), Random(seed), 4)))
    return found


def test_random_views() -> None:
    """Scenes, pictures and labels of every kind, as the project has them."""
    cases = view_cases(range(16))
    assert len(cases) > 4
    agrees(cases)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(16, 1216, 200))
def test_many_random_views(first: int) -> None:
    agrees(view_cases(range(first, first + 200)))


@pytest.mark.parametrize("text", [LETS, FREE, LARGE, slow(LOOKING), FOLDED])
def test_models_that_show_faults_of_an_evaluator(text: str) -> None:
    puzzle = load_text(text, "text")
    agrees([(puzzle.name, expected(puzzle, Random(3), 12))])


def test_code_that_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row in a function of its own: the same successors, costs, goals, hints, for states of a word and of two."""
    monkeypatch.setattr(webassembly, "PART", 1)
    joined, seen = webassembly._joined, []
    monkeypatch.setattr(webassembly, "_joined", lambda names, words: seen.append(words) or joined(names, words))
    levels = [load_text(text, "text") for text in (FREE, WIDE)]
    agrees([(puzzle.name, expected(puzzle, Random(3), 4, whole=False)) for puzzle in levels])
    assert seen == [1, 2]


@pytest.mark.parametrize("name", [name if name in SAMPLE else slow(name) for name in built_in()])
def test_built_in_puzzles(name: str) -> None:
    agrees([(name, expected(load_text(*find(name), level=smallest(name)[0]), Random(1), 3, whole=False))])


EDGES = [0, 1, 2, 3, 10, 2**31, 2**52 + 1, 2**53 - 2, 2**53 - 1]
WORKED_OUT = """const { minus, modulo, multiplied, plus, quotient } = $module_values;
const told = (...numbers) => numbers.map(String);
console.log(JSON.stringify(given.map(([one, other, third]) => {
  const large = multiplied(one, other);
  const small = [quotient(one, third), modulo(one, third), plus(one, other), minus(one, other)];
  return told(...small, large, plus(large, one), minus(large, large), quotient(large, third), modulo(large, third),
    quotient(large, multiplied(third, third)));
})))"""


def test_whole_numbers_are_worked_out_exactly() -> None:
    """Python's word on all that JavaScript has exactly, and on what becomes larger; nothing is rounded in between."""
    rng = Random(1)
    numbers = [*EDGES, *(rng.randrange(2**53) for _ in range(50))]
    rows = [(sign * one, other, rng.choice(numbers) or 1) for sign in (1, -1) for one in numbers for other in numbers]
    found = node(modules(["values"], FOLDERS) + WORKED_OUT, rows)
    assert found == [[*map(str, worked_out(*row))] for row in rows]


def worked_out(one: int, other: int, third: int) -> Iterator[int]:
    yield from (*divmod(one, third), one + other, one - other, one * other, one * other + one, 0)
    yield from (*divmod(one * other, third), one * other // (third * third))


ALONG = """const { Game } = $module_game;
const lifted = JSON.parse(require("zlib").inflateSync(Buffer.from(given.level.lifted, "base64")).toString());
const game = new Game({ ...given.level, lifted }, given.palette);
let [state, moves] = [game.puzzle.start, 0];
for (; game.planned(state) && moves < 20; moves += 1) state = game.planned(state).way()[0].after;
console.log(JSON.stringify([moves, game.puzzle.isGoal(state)]))"""


def test_a_plan_that_comes_to_a_state_twice_leads_on() -> None:
    """Up to 1, back and on to 3 is a plan of 5 moves, of which 3 are followed."""
    puzzle = load_text(COUNTER, "text")
    plan = [["go", {"d": each}] for each in (1, -1, 1, 1, 1)]
    level = {**level_of(puzzle, "cost", None), "plan": plan, "proven": False}
    assert node(modules(["game"], FOLDERS) + ALONG, {"level": level, "palette": PALETTE}) == [3, True]


COUNTER = """puzzle: counter
types: {n: 0 .. 3, by: -1 .. 1}
state: {a: n = 0}
actions:
  go: {params: {d: by}, effect: {a: a + d}, cost: 1}
goal: a == 3
"""

KEPT = """const { keep, record } = $module_score;
let text = null;
const setItem = (name, value) => {
  if (given.full) throw new Error("full");
  text = value;
};
globalThis.localStorage = { getItem: () => text, setItem };
const result = { score: 90, cost: 4, seconds: 5 };
console.log(JSON.stringify(given.texts.map((each) => {
  text = each;
  const before = record("g");
  const [first, worse] = [keep("g", result), keep("g", { ...result, score: 80 })];
  return [before, first, worse, record("g")];
})))"""


def test_best_results_outlive_a_browser_that_keeps_nothing_or_nonsense() -> None:
    result = {"score": 90, "cost": 4, "seconds": 5}
    odd = [None, "", "x", "5", "[1]", '"text"', '{"g": 5}', '{"g": {"score": "much", "cost": 1, "seconds": 1}}',
           '{"g": {"score": 100}}', '{"g": {"score": 100, "cost": -1, "seconds": 1}}']  # fmt: skip
    script = modules(["score"], FOLDERS) + KEPT
    assert node(script, {"texts": odd, "full": False}) == [[None, True, False, result]] * len(odd)
    assert node(script, {"texts": odd[:1], "full": True}) == [[None, True, False, result]]


# -- what is in a page -------------------------------------------------------------------------------------------------


def read(name: str, level: str) -> Puzzle:
    return load_text(*find(name), level=level)


def page_of(text: str) -> str:
    return game_page([load_text(text, "text")], Request()).html


def data_of(html: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html)
    assert found
    return json.loads(found[1])


def test_a_page_asks_nobody_for_anything() -> None:
    html = page_of(LETS)
    assert "default-src 'none'" in html and "connect-src" not in html
    assert set(re.findall(r'(?:src|href)\s*=\s*"([^"]*)"', html)) == {"data:,", "#board"}
    assert set(re.findall(r"https?://[^\"'\s]*", html)) == {"http://www.w3.org/2000/svg"}  # names, not addresses
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\b", html)


def test_words_of_a_puzzle_are_no_markup() -> None:
    html = page_of(HOSTILE)
    data = data_of(html)
    assert "<script>" in json.dumps(data) or "<img" in json.dumps(data)  # there is something to fear
    assert html.count("<script") == 2 and "<img" not in html
    lifted = zlib.decompress(base64.b64decode(data["levels"][0]["lifted"]))
    assert json.loads(lifted)["places"]


@pytest.mark.parametrize("name", [slow(name) for name in built_in()])
def test_every_puzzle_is_exported(name: str, tmp_path: Path) -> None:
    """All levels; the sizes of four of them are promised."""
    done = run("export", name, "--out", tmp_path / "page.html", "--time-limit", 1)
    assert done.code == 0
    levels = data_of((tmp_path / "page.html").read_text())["levels"]
    assert all(level["machine"] for level in levels)
    assert (tmp_path / "page.html").stat().st_size < SIZES.get(name, 1_000_000)


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_what_a_page_cannot_have_is_refused_by_name(tmp_path: Path) -> None:
    large = LETS.replace("goal: a == 3", "goal: a < 9007199254740992")  # 2^53
    with pytest.raises(Unsupported, match="the number 9007199254740992 is too large for a page"):
        page_of(large)
    with pytest.raises(Unsupported, match="a cost of 9007199254740993 is too large for a page"):
        page_of(COUNTER.replace("cost: 1", "cost: 3002399751580331"))  # 3 of them are 2^53 + 1
    done = run("export", "klotski", "--metric", "steps,moves", "--out", tmp_path / "k.html", "--level", "first")
    assert done.code == 34 and "a page counts one metric" in done.out and not (tmp_path / "k.html").exists()


def test_code_that_a_linker_would_change_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every place of a module, with another number there; the page is made without hints then, and says so."""
    found = list(webassembly.sites(webassembly.object_code(CODE)))
    assert {site.kind for site in found} == {0, 3, 4, 7} and all(site.settled for site in found)
    for site in found:
        monkeypatch.setattr(webassembly, "sites", lambda code, bad=site: [bad._replace(found=bad.found + 1)])
        with pytest.raises(Unsupported, match="leaves something of this machine code to a linker"):
            webassembly.wasm(CODE)
    [note] = game_page([load_text(LETS, "text")], Request()).notes
    assert "no hints of its own: LLVM leaves something of this machine code to a linker" in note


def test_a_place_in_the_code_is_read_as_it_stands() -> None:
    """One more in each byte that a place begins with: then it is not settled, or it is another place."""
    code = bytearray(webassembly.object_code(CODE))
    before = list(webassembly.sites(bytes(code)))
    changed = 0
    for at in range(8, len(code)):
        code[at] ^= 1
        with suppress(Exception):  # not every change leaves an object
            after = list(webassembly.sites(bytes(code)))
            if len(after) == len(before) and [s.wanted for s in after] == [s.wanted for s in before]:
                changed += any(not site.settled for site in after)
        code[at] ^= 1
    assert changed >= len(before)


def test_only_what_is_proven_is_said_to_be() -> None:
    """A plan of greedy search is none; nor is what the file says to be known, which is about its own data only."""
    puzzle = read("n_puzzle", "easy-8")
    proven, likely = (data_of(game_page([puzzle], Request(backend)).html)["levels"][0] for backend in ("bfs", "greedy"))
    assert (proven["proven"], proven["best"]) == (True, {"cost": 3, "proven": True})
    assert (likely["proven"], likely["best"], len(likely["plan"]) >= 3) == (False, {"cost": 3, "proven": False}, True)
    other = game_page([puzzle], Request("greedy"), known=False)
    assert data_of(other.html)["levels"][0]["best"] is None
    assert other.notes == ("level easy-8: no proven optimum within the time; more of it with --time-limit",)
    [lost] = data_of(game_page([read("n_puzzle", "odd-8")], Request()).html)["levels"]
    assert lost["solvable"] is False and lost["plan"] is None


def test_modules_come_once_and_in_order() -> None:
    script = bundle("main", FOLDERS)
    defined = re.findall(r"^const \$module_(\w+) = ", script, re.MULTILINE)
    assert len(defined) == len(set(defined)) and defined[-1] == "main" and "solver" not in defined
    for name, taken in re.findall(r"^const \{([^}]*)\} = \$module_(\w+);", script, re.MULTILINE):
        assert name.strip() and taken in defined


# -- in a browser ------------------------------------------------------------------------------------------------------


@pytest.fixture
def open_page(page: Any, told: Told, tmp_path: Path) -> Iterator[Any]:  # noqa: F811
    """Exports a level and opens its page without a network; at the end nothing was asked of anybody."""
    page.context.set_offline(True)

    def open_(puzzle: Puzzle) -> Play:
        path = tmp_path / "page.html"
        path.write_text(game_page([puzzle], Request()).html)
        page.goto(path.as_uri())
        page.locator("#board svg").wait_for(timeout=120_000)
        return Play(page)

    yield open_
    assert told.requests and all(url.startswith(("file:", "data:")) for url in told.requests)


def test_a_page_is_played_to_its_proven_optimum(open_page: Any) -> None:
    """By keys; undone, restarted; its best kept; then by its own solution."""
    play = open_page(read("n_puzzle", "easy-8"))
    assert play.page.inner_text("#shortest").startswith("3")
    play.press(KEYS[str(turns("n_puzzle", "easy-8")[0].way)])  # at once, without a way to the board
    play.costs(1)
    play.press("u")
    play.costs(0)
    solves(play, "n_puzzle", "easy-8", 3, by_keys)
    assert "A best solution: 3 moves. That none is better is proven." in hint(play, "plan")
    play.page.click("#hint-play")
    play.page.locator("#won").wait_for()
    assert play.page.inner_text("#won-title") == "Solved in the fewest possible 3 moves"


@pytest.mark.slow
@pytest.mark.parametrize("way", [by_keys, by_mouse])
@pytest.mark.parametrize("puzzle, level, length", [*FOUNDING, *LARGER])
def test_levels_of_the_first_puzzles(open_page: Any, puzzle: str, level: str, length: int, way: Any) -> None:
    solves(open_page(read(puzzle, level)), puzzle, level, length, way)


@pytest.mark.slow
@pytest.mark.parametrize("name", built_in())
def test_every_puzzle_by_touch_and_by_hints(open_page: Any, name: str) -> None:
    """By taps to the optimum, which is that of the file; then hint after hint, which is as good."""
    level, cost = smallest(name)
    play, plan = open_page(read(name, level)), turns(name, level)
    assert sum(turn.cost for turn in plan) == cost
    assert re.match(rf"{cost}\s*proven", play.page.inner_text("#shortest"))
    play_all(play, plan, by_mouse)
    play.page.locator("#won").wait_for()
    play.press("r")
    while play.page.locator("#won").is_hidden():
        assert play.cost() < cost
        hint(play, "next")
        play.page.click("#hint-play")
        play.page.locator("#hint").wait_for(state="hidden")
    assert play.cost() == cost


@pytest.mark.slow
@pytest.mark.parametrize("name", built_in())
def test_every_puzzle_by_keys(open_page: Any, name: str) -> None:
    level, _ = smallest(name)
    play = open_page(read(name, level))
    play_all(play, turns(name, level), by_keys)
    play.page.locator("#won").wait_for()


@pytest.mark.slow
def test_hostile_words_are_shown_and_not_run(open_page: Any) -> None:
    play = open_page(load_text(HOSTILE, "text"))
    assert play.page.evaluate("window.hacked === undefined")
    assert "<" in play.page.inner_text("body")


@pytest.mark.slow
def test_a_random_puzzle_is_played(open_page: Any) -> None:
    assert open_page(load_text(random_puzzle(0), "random")).page.locator("#board svg").count() == 1


ODD_NAMES = """puzzle: __proto__
about: "</script><script>window.hacked = 1</script>"
types: {n: 0 .. 3, by: -1 .. 1}
data: {s: 0, aim: 3}
state: {a: n = s}
actions:
  __proto__: {params: {d: by}, effect: {a: a + d}, cost: 2 if d == 1 else 0, label: "<b>{d}</b>"}
goal: a == aim
levels:
  "<img src=x onerror=window.hacked=1>": {}
  __proto__: {s: 1}
  constructor: {s: 2}
  名😀: {s: 3}
  no way: {aim: 7}
"""


@pytest.mark.slow
@pytest.mark.parametrize("script, kept", [
    ("", True),
    ("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })", False),
    ("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }", False),
    ("""localStorage.setItem('puzzlewright:best', '{"x')""", True),
])  # fmt: skip
def test_odd_names_and_browsers(page: Any, told: Told, tmp_path: Path, script: str, kept: bool) -> None:  # noqa: F811
    """By hand: on costs 2, back nothing, so each level is what is left to 3; from 3 nothing is; 7 is out of reach."""
    names = re.findall(r'^  "?([^"\n]+?)"?: \{', ODD_NAMES.partition("levels:")[2], re.MULTILINE)
    made = game_page([load_text(ODD_NAMES, "text", level=name) for name in names], Request())
    (tmp_path / "page.html").write_text(made.html)
    if script:
        page.add_init_script(script)
    page.goto((tmp_path / "page.html").as_uri())
    for name, shortest in zip(names, ("6 proven", "4 proven", "2 proven", "0 proven", "none proven"), strict=True):
        page.select_option("#level", name)
        page.locator("#shortest", has_text=re.compile(shortest.replace(" ", r"\s*"))).wait_for()
    page.select_option("#level", "constructor")
    page.locator("#shortest", has_text="2").wait_for()
    page.locator("#moves button", has_text="<b>1</b>").click()
    page.locator("#won").wait_for()
    page.click("#won-again")
    assert page.inner_text("#record").startswith("100")
    other = page.context.new_page()  # at the same time
    other.goto(page.url)
    assert page.evaluate("window.hacked") is None and page.locator("main b, main img").count() == 0
    other.locator("#record", has_text="100" if kept else "–").wait_for()
