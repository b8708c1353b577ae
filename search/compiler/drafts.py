"""Code that was compiled in haste is compiled again, better, once it has been in use for as long as that takes.

Who rents until the rent has reached the price, and buys then, pays at most twice what was needed. Sound since both are
made of the same text; the addresses stay, so that kernels need not know, and what has once been made is never freed
before the draft is. LLVM cannot be interrupted: Ctrl-C waits until the better code is there.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping

from models.outcomes import Deadline
from search.compiler.code import LONG, compile_text
from search.compiler.in_memory import Care, Code

SECONDS_A_BETTER_LINE = 7e-5
KIB_A_BETTER_LINE = 2  # that compiling takes
LONGEST = 100_000  # lines that are compiled again; then the time for it grows faster than they do
LONGEST_GAP = 2.0  # seconds between two calls that count as use: a process may wait for its user in between


def entry(name: str, header: str) -> str:
    """A function that only calls another one, whose address is in a cell."""
    arguments = ", ".join(part.strip() for part in header.split(","))
    return f"""
@{name}_now = global ptr null
define i64 @{name}({header}) {{
  %now = load ptr, ptr @{name}_now
  %found = tail call i64 %now({arguments})
  ret i64 %found
}}"""


class Draft:
    """Functions at addresses that stay, and what they lead to: code made in haste, and better code later.

    `headers` has the parameters of each function. The code stays alive as long as this object.
    """

    def __init__(self, text: str, headers: Mapping[str, str], code: Code, since: float) -> None:
        """`since`: when it came into use, as `time.monotonic` tells it."""
        self._text, self._names = text, list(headers)
        self._cells = {name: f"{name}_now" for name in headers}
        names = [*headers, *self._cells.values()]
        self._entries = compile_text("\n".join(entry(*each) for each in headers.items()), names)
        self._codes: list[Code] = []
        self._price = SECONDS_A_BETTER_LINE * text.count("\n")
        self._room = KIB_A_BETTER_LINE * text.count("\n") / 1024
        self._used, self._last = 0.0, since
        self.addresses = self._entries.addresses
        self._lead_to(code)

    def _lead_to(self, code: Code) -> None:
        self._codes.append(code)
        for name in self._names:
            cell = self._entries.addresses[self._cells[name]]
            ctypes.c_uint64.from_address(cell).value = code.addresses[name]

    def running(self, deadline: Deadline) -> None:
        """To be told now and then by whoever calls the functions, between two calls."""
        now = time.monotonic()
        self._used, self._last = self._used + min(now - self._last, LONGEST_GAP), now
        if len(self._codes) == 1 and self._used >= self._price and self._affordable(deadline):
            self._lead_to(compile_text(self._text, self._names, care=Care.SOME))

    def _affordable(self, deadline: Deadline) -> bool:
        """Is there time and memory for it, and for more? No limit is to strike because of what need not be."""
        left, room = deadline.left, deadline.room
        return (left is None or left > 3 * self._price) and (room is None or room > 3 * self._room)


def draft(text: str, headers: Mapping[str, str], code: Code, since: float) -> Draft | None:
    """None where the code is as good as it gets."""
    return Draft(text, headers, code, since) if LONG <= text.count("\n") < LONGEST else None
