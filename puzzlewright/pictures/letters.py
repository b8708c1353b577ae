"""Letters as a terminal sees them: how wide they are, and what stands in for those that it cannot show."""

from __future__ import annotations

import unicodedata

_ALIKE = {
    **{"|": "│┃║", "-": "─━═–—−", "+": "┼╋╬", "L": "└┗╚╰", "J": "┘┛╝╯", "F": "┌┏╔╭", "7": "┐┓╗╮"},
    **{"E": "├┣╠", "3": "┤┫╣", "T": "┬┳╦", "W": "┴┻╩", "'": "╵╹‘’", ",": "╷╻"},
    **{"<": "╴╸←⇐", ">": "╶╺→⇒", "^": "↑⇑", "v": "↓⇓", ".": "·•", "*": "●◉★", "o": "○◯☆□▫", "#": "■█▓▒░▪"},
    **{"x": "×", "/": "÷", "~": "…", '"': "“”„"},
}
"""One letter for one, and another for each piece of a pipe: all that a board of them says must be left."""
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}  # bidirectional classes, Unicode annex 9
_PLAIN = {letter: plain for plain, letters in _ALIKE.items() for letter in letters}


def width(text: str) -> int:
    """The columns that it takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):  # marks above and below letters, joiners
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def encodable(text: str, encoding: str) -> str:
    """One line in letters that the encoding holds; for others what looks like them, else a question mark.

    So for control characters too: a puzzle's texts do not command the terminal. What turns the direction of all that
    follows is left out.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_encodable(letter, encoding) for letter in text)


def _encodable(letter: str, encoding: str) -> str:
    if unicodedata.category(letter) == "Cc":
        return "?"
    if unicodedata.bidirectional(letter) in _TURNS:
        return ""
    base = unicodedata.normalize("NFKD", letter)[0]  # é without its accent
    for candidate in (letter, _PLAIN.get(letter, ""), base):
        if candidate and candidate.encode(encoding, "ignore"):
            return candidate
    return "" if _columns(letter) == 0 else "?"
