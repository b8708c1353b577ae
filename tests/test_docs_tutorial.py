"""The tutorial under test: its file is put together and its commands are run, as the page tells its reader to do.

The page's two rules are all that is known here: a block of YAML holds sections that replace those of their names or
come at the end, and one with `puzzle` begins a file of that name; in what a command prints, `...` is some of a line,
and alone any number of lines.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import run

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VERBS = {"solve", "check", "levels", "explain", "explore", "compare", "prove", "new"}


def sections(text: str) -> dict[str, str]:
    """The top-level keys of a file, each with all its lines."""
    parts = re.split(r"^(?=\w)", text, flags=re.MULTILINE)
    return {part.partition(":")[0]: part.rstrip() + "\n" for part in parts if part.strip()}


def commands(block: str) -> Iterator[tuple[str, str]]:
    """(command, output shown) for each line with a `$`."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def steps() -> Iterator[tuple[str, str, str]]:
    """(command, output shown, output printed) in the order of the page, each command run in the working folder."""
    file: dict[str, str] = {}
    path = Path()
    code = 0
    for kind, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        assert kind in ("yaml", "console")
        if kind == "yaml":
            new = sections(block)
            if "puzzle" in new:
                file, path = {}, Path(new["puzzle"].split()[1]).with_suffix(".yaml")
            file |= new
            path.write_text("\n".join(file.values()), encoding="utf-8")
            continue
        for command, shown in commands(block):
            if command == "echo $?":
                yield command, shown, str(code)
            else:
                done = run(*shlex.split(command.removeprefix("puzzlewright ")))
                code = done.code
                yield command, shown, done.err + done.out


def matches(shown: str, printed: str) -> bool:
    """Is that what was printed? Blanks at the ends of lines and blank lines around it all do not count."""
    pattern = ""
    for line in lines_of(shown):
        inside = ".*".join(map(re.escape, line.split("...")))
        pattern += r"(?:.*\n)*" if line == "..." else inside + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines_of(printed))) is not None


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def lies(shown: str) -> Iterator[str]:
    """What is shown with one line altered, one digit altered, or one line left out."""
    lines = lines_of(shown)
    for number, line in enumerate(lines):
        before, after = lines[:number], lines[number + 1 :]
        digit = re.search(r"\d", line)
        altered = [line + " lie"] * (line != "...")
        altered += [line[: digit.start()] + str(9 - int(digit[0])) + line[digit.end() :]] if digit else []
        for other in altered:
            yield "\n".join([*before, other, *after])
        if line.strip(".") and "..." not in (before[-1:] + after[:1]):
            yield "\n".join([*before, *after])


def test_every_command_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run_ = set()
    for command, shown, printed in steps():
        assert matches(shown, printed), f"$ {command}\n{printed}"
        for lie in lies(shown):
            assert not matches(lie, printed), lie
        run_.add(command.removeprefix("puzzlewright ").split()[0])
    assert run_ >= VERBS


def test_what_is_left_out_is_all_that_may_differ() -> None:
    assert matches("a ... d\n...\ne\n", "a b c d\n\nx\ny\ne\n\n")
    assert matches("...\ne", "e") and matches("", "\n")
    for shown, printed in [
        ("a ... d", "a b c"),
        ("a\n...", "b\na"),
        ("", "a"),
        ("a", ""),
        ("a.c", "abc"),
        ("a", "a\nb"),
    ]:
        assert not matches(shown, printed)


def test_sections_are_replaced_or_come_at_the_end() -> None:
    file = sections("a: 1\n\nb:\n  c: 2\n") | sections("d: 3\na:\n  - 4\n")
    assert "".join(file.values()) == "a:\n  - 4\nb:\n  c: 2\nd: 3\n"
