"""Run lengths: `3#` is `###`, and `3(2(#-)-)#` is what its brackets say. Nothing is built that is too long."""

from __future__ import annotations

import re

from models.level_files.blocks import FileLine, bad

MOST_REPEATED = 1000  # of one letter or bracket, by a number before it
WIDEST = 10_000  # places of a row
DEEPEST = 20  # brackets in brackets


def unrolled(row: FileLine) -> str:
    """The letters that a row of letters, numbers and brackets stands for."""
    open_ = [("", 1, 0)]  # for each bracket its letters so far, how often they stand there, and its column
    for match in re.finditer(r"([0-9]*)(\D?)", row.text):
        letters, times, column = open_[-1]
        number, letter = match[1], match[2]
        if number and letter in ("", ")"):
            bad(row, "a number stands before a letter", match.start(), len(number))
        if letter == "(":
            open_.append(("", _times(row, match), match.start()))
        elif letter == ")" and len(open_) == 1:
            bad(row, "this bracket closes nothing", match.start())
        elif letter == ")":
            open_.pop()
            outer, *_ = open_[-1]
            open_[-1] = (outer + _repeated(row, letters, times, column), *open_[-1][1:])
        else:
            open_[-1] = (letters + _repeated(row, letter, _times(row, match), match.start()), times, column)
        if len(open_) > DEEPEST or len(open_[-1][0]) > WIDEST:
            bad(row, f"a row of more than {WIDEST:,} letters, or brackets more than {DEEPEST} deep", match.start())
    if len(open_) > 1:
        bad(row, "this bracket is never closed", open_[-1][2])
    return open_[0][0]


def _times(row: FileLine, match: re.Match[str]) -> int:
    number = match[1]
    if len(number) > 4 or int(number or 1) > MOST_REPEATED:
        bad(row, f"at most {MOST_REPEATED} letters of a kind", match.start(), len(number))
    if number and not int(number):
        bad(row, "a letter stands here no times", match.start(), len(number))
    return int(number or 1)


def _repeated(row: FileLine, letters: str, times: int, column: int) -> str:
    if len(letters) * times > WIDEST:
        bad(row, f"a row of more than {WIDEST:,} letters", column)
    return letters * times
