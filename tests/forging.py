"""What a forger may do to a certificate, who knows of the digests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from puzzlewright.certificates import recheck

EASY = ("n_puzzle", "--level", "easy-8")


def digest_again(folder: Path) -> None:
    """What a forger does who knows of the digests."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["sha256"] = {name: recheck.digest(folder / name) for name in manifest["sha256"]}
    path.write_text(json.dumps(manifest))


def edit(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        before = (folder / name).read_text()
        after = change(before)
        assert after != before
        (folder / name).write_text(after)

    return apply


def first_literal(text: str, line: int, place: int) -> str:
    """The text with one number of one line negated."""
    lines = text.splitlines(keepends=True)
    words = lines[line].split()
    words[place] = str(-int(words[place]))
    lines[line] = " ".join(words) + "\n"
    return "".join(lines)


def without_last_hint(text: str) -> str:
    return text.rstrip("0\n").rstrip().rpartition(" ")[0] + " 0\n"


def without_last_line(text: str) -> str:
    return text[: text.rindex("\n", 0, -1) + 1]


def without_last_step(text: str) -> str:
    return json.dumps({"plan": json.loads(text)["plan"][:-1]})


def last_derived(text: str) -> str:
    """The literal of the last unit clause that the empty one is derived from, negated."""
    lines = text.splitlines()
    named = set(lines[-1].split()[2:])
    number = max(i for i, line in enumerate(lines) if line.split()[0] in named and line.split()[2] == "0")
    return first_literal(text, number, 1)


Damage = tuple[str, Callable[[str], str], str]  # the file, what is done to its text, how the refusal begins (a pattern)


def swap(name: str, old: str, new: str, reason: str) -> Damage:
    return name, lambda text: text.replace(old, new, 1), reason
