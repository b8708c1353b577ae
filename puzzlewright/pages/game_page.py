"""A puzzle as one page that plays it: HTML, style, script and levels in one file, which asks nobody for anything.

The page is that of `play`; in place of the server stand an evaluator of the lifted puzzle, which makes every move, and
the puzzle's own machine code, which finds hints. What comes from the puzzle is escaped text, JSON in an island, or
deflated JSON in base64; it reaches the page as text content or inside the tool's own SVG. The page's policy allows this
script and this style, by their digests, and no request.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any
from zlib import compress

from models.outcomes import LimitReached, Outcome, Unsupported
from models.plan import step_json
from models.puzzle import COLOURS, HOLLOW, LOOKS, Puzzle
from models.task import Task
from puzzlewright.pages.assembling import asset, digest, island, styles
from puzzlewright.pages.bundling import bundle
from puzzlewright.pages.lifting import MOST, Lift
from puzzlewright.pictures import looks
from puzzlewright.pictures.palette import GROUNDS, HEX, WHEEL
from puzzlewright.play.game import known_optimum
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from puzzlewright.report import Report

FOLDERS = ("puzzlewright.pages.game", "puzzlewright.play")  # of modules: the page's own stand in for those of `play`
PALETTE = {
    "colours": COLOURS, "wheel": WHEEL, "hex": {**HEX, **GROUNDS},
    "looks": {"words": LOOKS, "hollow": HOLLOW, "shapes": looks.SHAPES, "empty": looks.EMPTY, "labels": looks.LABELS,
              "side": looks.SIDE, "stretched": looks.STRETCHED, "beside": looks.BESIDE, "figures": looks.FIGURES,
              "ways": looks.WAYS, "suits": looks.SUITS, "ink": looks.CARD_INK, "inks": looks.CARD_INKS,
              "paper": looks.PAPER, "papers": looks.PAPERS},
}  # fmt: skip
SECONDS = 10.0  # for each level, by default
READING = 60.0  # seconds for grounding a level, besides
LONGEST = 2000  # steps of a plan that a page has
TOO_LATE = "there was no time to make it ready"
MOST_BRANCHING = 1 << 18  # successors of one state that a page has room for
LINKS, TITLE = '<link rel="stylesheet"', "<title>Puzzlewright</title>"  # what the page of `play` has in another way
Told = dict[str, Any]


@dataclass(frozen=True)
class GamePage:
    """The page, and what is to be said of its levels."""

    html: str
    levels: int
    notes: tuple[str, ...]
    row: Told  # what a page of many puzzles tells of it


def game_page(puzzles: Sequence[Puzzle], request: Request, rules: str = "", known: bool = True,
              home: str = "") -> GamePage:  # fmt: skip
    """The page of these levels of one puzzle. Unsupported: what it cannot have, by its name.

    `rules` are shown as they are; `known`: what the file says of its levels is about these. A plan is looked for under
    the request's limits, for each level anew. `home`: the file of the page that shows all puzzles, beside it.
    """
    metric = _metric(puzzles[0], request)
    made = [_level(puzzle, metric, request, known) for puzzle in puzzles]
    abouts = Counter(puzzle.about for puzzle in puzzles)
    own = {about for about, levels in abouts.items() if levels == 1 < len(puzzles)}  # the others are the file's
    levels = [{**told, "about": puzzle.about if puzzle.about in own else ""}
              for puzzle, (told, _) in zip(puzzles, made, strict=True)]  # fmt: skip
    page = {"name": f"{puzzles[0].name}-{_fingerprint(made)}", "title": puzzles[0].title,
            "about": puzzles[0].about, "rules": rules, "palette": PALETTE, "levels": levels,
            **({"home": home} if home else {})}  # fmt: skip
    return GamePage(_html(page), len(made), tuple(note for _, note in made if note), _row(page))


def _row(page: Told) -> Told:
    told = ("name", "title", "about", "best")
    levels = [{**{name: level[name] for name in told}, "known": {"solvable": level["solvable"]}}
              for level in page["levels"]]  # fmt: skip
    alone = {} if levels[0]["name"] else {"alone": levels[0]}
    return {"name": page["name"], "title": page["title"], "about": page["about"], "metric": page["levels"][0]["metric"],
            "levels": [] if alone else levels, **alone}  # fmt: skip


def _metric(puzzle: Puzzle, request: Request) -> str:
    """What the page counts."""
    metrics = request.metrics or puzzle.metrics[:1]
    if len(metrics) > 1:
        raise Unsupported("a page counts one metric: give --metric one name")
    return metrics[0]


def _fingerprint(made: Sequence[tuple[Told, str]]) -> str:
    """Tells the best results of this puzzle from those of another one of the same name."""
    return sha256("".join(told["lifted"] for told, _ in made).encode()).hexdigest()[:8]


# -- one level ---------------------------------------------------------------------------------------------------------


def _level(puzzle: Puzzle, metric: str, request: Request, known: bool) -> tuple[Told, str]:
    """All that the page has of the level, and what is to be said of it."""
    report, task = _solved(puzzle, _wanted(request, metric))
    level = level_of(puzzle, metric, task)
    solvable = False if report is not None and report.outcome is Outcome.UNSOLVABLE else None
    told = {**level, "solvable": solvable, **_plan(report), **_best(puzzle, report, metric, known)}
    return told, _note(puzzle, report, level["why"])


def level_of(puzzle: Puzzle, metric: str, task: Task | None) -> Told:
    """The level's rules and its machine code; without a task, no code."""
    lift = Lift()
    rules = lift.puzzle(puzzle)
    machine, why = (None, TOO_LATE) if task is None else _machine(lift, puzzle, task)
    rules |= lift.tables()  # with the values that only the machine code has
    packed = _packed(json.dumps(rules, separators=(",", ":")).encode())
    return {"name": puzzle.level, "title": puzzle.level_title, "metric": metric,
            "unit": task is not None and task.unit_cost, "lifted": packed, "machine": machine, "why": why}  # fmt: skip


def _wanted(request: Request, metric: str) -> Request:
    limits = request.limits
    return replace(request, metrics=(metric,), limits=replace(limits, time=limits.time or SECONDS))


def _solved(puzzle: Puzzle, request: Request) -> tuple[Report | None, Task | None]:
    """What `solve` finds, and the task; None where there is no time for it."""
    limits = request.limits
    try:
        bench = Workbench(puzzle, request.metrics, replace(limits, time=READING + (limits.time or 0)).deadline())
    except LimitReached:
        return None, None
    report = solve(puzzle, request, bench)
    if report.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    if report.outcome is Outcome.DISAGREEMENT:
        raise AssertionError("; ".join(report.notes))
    if (report.cost or 0) > MOST:
        raise Unsupported(f"a cost of {report.cost} is too large for a page, which counts to {MOST}")
    return report, bench.task


def _plan(report: Report | None) -> Told:
    """The plan, which the page follows where it has no table of distances."""
    if report is None or report.solution is None or len(report.solution.plan) > LONGEST:
        return {"plan": None, "proven": False}
    steps = [step_json(step, report.solution.words) for step in report.solution.plan]
    return {"plan": [[step["action"], step["args"]] for step in steps], "proven": report.outcome is Outcome.OPTIMAL}


def _best(puzzle: Puzzle, report: Report | None, metric: str, known: bool) -> Told:
    """The least cost: proven, else as the file has it, else nothing."""
    if report is not None and report.outcome is Outcome.OPTIMAL:
        return {"best": {"cost": report.cost, "proven": True}}
    cost = known_optimum(puzzle, metric) if known else None
    return {"best": None if cost is None or cost > MOST else {"cost": cost, "proven": False}}


def _note(puzzle: Puzzle, report: Report | None, why: str) -> str:
    """What a player of this level will miss."""
    name = f"level {puzzle.level}" if puzzle.level else "the page"
    if why:
        return f"{name} has no hints of its own: {why}"
    if report is None or report.outcome not in (Outcome.OPTIMAL, Outcome.UNSOLVABLE):
        return f"{name}: no proven optimum within the time; more of it with --time-limit"
    return ""


# -- its machine code --------------------------------------------------------------------------------------------------


def _machine(lift: Lift, puzzle: Puzzle, task: Task) -> tuple[Told | None, str]:
    """The machine code with the layout of its states; None and in words why there is none."""
    from search.compiler.wasm import compiled

    try:
        program, made = compiled(task, MOST_BRANCHING)
    except Unsupported as reason:
        return None, str(reason)
    places = {name: number for number, name in enumerate(puzzle.place_names.values())}
    fields = [
        [places[variable.name], field.word, field.shift, [lift.value(variable.domain[code]) for code in field.values]]
        for variable, field in zip(task.variables, program.layout.fields, strict=True)
    ]
    return {"code": _packed(made.code), "end": made.end, "words": program.layout.words,
            "branching": program.branching, "unit": task.unit_cost, "fields": fields}, ""  # fmt: skip


# -- the file ----------------------------------------------------------------------------------------------------------


def _packed(content: bytes) -> str:
    """Deflated, in letters that mean nothing in HTML."""
    return b64encode(compress(content, 9)).decode()


def _html(page: Told) -> str:
    return standalone("page.html", ("look", "play"), bundle("main", FOLDERS), page, page["title"])


def standalone(template: str, sheets: Sequence[str], script: str, data: Told, title: str) -> str:
    """A page of `play` with all that it needs in one file; it may run this script, and asks nobody for anything."""
    style = styles(*sheets)
    policy = (
        f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)} 'wasm-unsafe-eval'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<style>{style}</style>\n<script type="application/json" id="data">{island(data)}</script>\n'
        f'<script type="module">{script}</script>\n'
    )
    text = asset("puzzlewright.play", template).replace(TITLE, f"<title>{escape(title)}</title>")
    start, end = text.index(LINKS), text.index("</head>")
    return text[:start] + head + text[end:]
