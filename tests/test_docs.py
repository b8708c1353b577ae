"""The documentation under test.

It names every backend, command, outcome, option and error code; its examples load, its links lead somewhere.
"""

from __future__ import annotations

import re
import statistics
from dataclasses import fields
from pathlib import Path

import documented
import pytest
from documented import DOCS, examples, page

from models.document import Document
from models.errors import CODES
from models.grounding import ground
from models.loader import load_text
from models.names import _MAKERS, GIVEN_TYPES
from models.outcomes import EXIT_CODES, Outcome
from puzzlewright import __version__
from puzzlewright.cli import app
from puzzlewright.solving.backends import BACKENDS
from search.registry import ROWS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = ("models", "search", "encoders", "puzzlewright")
PUZZLES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "puzzles").glob("*.yaml"))}
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


def table_row(text: str, first: str) -> list[str]:
    """The cells of the table row that begins with `first` in code quotes."""
    line = next((line for line in text.splitlines() if line.startswith(f"| `{first}` |")), None)
    assert line is not None, f"no table row begins with `{first}`"
    return [cell.strip() for cell in line.strip("|").split("|")]


def anchors(text: str) -> set[str]:
    """The names that a page's headings have as link targets."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_algorithms_are_described_as_they_are(row) -> None:
    yes = {True: "yes", False: "no"}
    needed = {True: "needed", False: "no"}
    cells = table_row(page("docs/algorithms.md"), row.name)
    facts = [yes[fact] for fact in (row.optimal, row.complete, row.informed)]
    assert cells[1:] == [*facts, needed[row.needs_unit_cost], needed[row.needs_inverse], row.summary]
    optimal = table_row(page("README.md"), row.name)[1]
    assert (optimal != "") == row.optimal


@pytest.mark.parametrize("name", BACKENDS)
def test_backends_are_named(name: str) -> None:
    assert f"`{name}`" in page("README.md")
    assert f"`{name}`" in page("docs/algorithms.md")


def test_commands_are_named() -> None:
    assert documented.unnamed_commands(app) == []


@pytest.mark.parametrize("outcome", Outcome)
def test_outcomes_are_named_with_their_exit_codes(outcome: Outcome) -> None:
    rows = [line.split("|") for line in page("docs/algorithms.md").splitlines() if line.startswith("|")]
    row = next(cells for cells in rows if f"`{outcome}`" in cells[1])
    assert re.search(rf"\b{EXIT_CODES[outcome]}\b", row[-2])


def test_options_are_named() -> None:
    assert documented.unnamed_options(app) == []


def test_error_codes_are_named() -> None:
    used = {code for path in SOURCES for code in re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8"))}
    text = page("docs/language.md")
    named = set(re.findall(r"\b[EW]\d{3}\b", text))
    for first, last in re.findall(r"\bE(\d{3})-E(\d{3})\b", text):
        named |= {f"E{number:03}" for number in range(int(first), int(last) + 1)}
    assert (used | set(CODES)) - named == set()
    assert named - used - set(CODES) == set()


def test_keys_and_types_are_named() -> None:
    text = page("docs/language.md")
    assert [each.name for each in fields(Document) if f"`{each.name}`" not in text] == []
    assert [name for name in (*GIVEN_TYPES, *_MAKERS) if f"`{name}" not in text] == []


@pytest.mark.parametrize("text", examples(), ids=lambda text: re.search(r"^puzzle: (\S+)", text, re.MULTILINE)[1])
def test_examples_load(text: str) -> None:
    puzzle = load_text(text, "example.yaml")
    assert not [warning for warning in puzzle.warnings if warning.code != "W501"]
    assert ground(puzzle).schemas


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    broken = []
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = path if not file else (path.parent / file)
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


def test_modules_named_in_the_architecture_exist() -> None:
    named = re.findall(
        r"`((?:models|search|encoders|puzzlewright|tests)/[\w/]+\.py)`",
        page("docs/architecture.md") + page("docs/inside.md"),
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


# -- the page of puzzles -----------------------------------------------------------------------------------------------


def lines_of_model(text: str) -> int:
    """The lines of a puzzle without its levels, blank lines and comments."""
    model, _, _ = text.partition("\nlevels:")
    return sum(1 for line in model.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def test_puzzles_are_listed_with_their_sizes() -> None:
    listed = re.findall(r"^\| `(\w+)` \| [^`|]+ \| (\d+) \|$", page("docs/puzzles.md"), re.MULTILINE)
    assert sorted((name, int(lines)) for name, lines in listed) == [
        (name, lines_of_model(text)) for name, text in PUZZLES.items()
    ]


def test_puzzles_are_short() -> None:
    sizes = [lines_of_model(text) for text in PUZZLES.values()]
    assert statistics.median(sizes) <= 40
    assert max(sizes) <= 80


@pytest.mark.parametrize("name", PUZZLES)
def test_lines_of_puzzles_fit_a_page(name: str) -> None:
    assert max(map(len, PUZZLES[name].splitlines())) <= 120


def test_lines_that_express_a_mechanic_stand_in_the_puzzles() -> None:
    mechanics = re.split(r"^### \d+ ", page("docs/puzzles.md"), flags=re.MULTILINE)[1:]
    assert len(mechanics) == 10
    for mechanic in mechanics:
        quoted = re.findall(r"^\| `(\w+)` \| `(.+)` \| .+ \|$", mechanic, re.MULTILINE)
        assert len(quoted) >= 4
        for name, line in quoted:
            assert line in [text.partition("  #")[0].strip() for text in PUZZLES[name].splitlines()], (name, line)


def test_examples_of_style_are_our_own() -> None:
    """What CONTRIBUTING shows stands in the code, and the release that is cited is the one that is installed."""
    for block in re.findall(r"```python\n(.*?)```", page("CONTRIBUTING.md"), re.DOTALL):
        assert any(block in path.read_text(encoding="utf-8") for path in SOURCES), block
    assert f"\nversion: {__version__}\n" in page("CITATION.cff")
    assert f'\nversion = "{__version__}"\n' in page("pyproject.toml")
