"""A page of `edit` that is typed into, for tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from puzzlewright.files.on_disk import OnDisk, digest
from puzzlewright.play.api import Api
from puzzlewright.play.catalogue import Chosen
from puzzlewright.play.edit.api import EditApi
from puzzlewright.play.edit.drafts import MOST_BYTES, Drafts
from puzzlewright.play.pool import Pool
from puzzlewright.play.server import EDIT, PLAY, Server
from puzzlewright.solving.backends import BACKENDS

PENGUIN = re.search(
    r"```yaml\n(puzzle: penguin\n.*?)```",
    (Path(__file__).parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[1]  # type: ignore[index]


@contextmanager
def workshop(path: Path) -> Iterator[Server]:
    """Serves the file to be written."""
    disk = OnDisk(path)
    drafts = Drafts(Chosen("draft", "", str(disk.path)))
    with served(EditApi(drafts, Pool(), tuple(BACKENDS), disk), EDIT) as server:
        yield server


@contextmanager
def served(api: Api, page: str = PLAY) -> Iterator[Server]:
    server = Server(api, page=page, most_bytes=MOST_BYTES)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        for pool in api.pools:
            pool.close()


class Workshop:
    """The page, as its user sees it."""

    def __init__(self, page: Any, server: Server) -> None:
        self.page = page
        page.goto(server.url)
        self.says("")

    def says(self, words: str) -> str:
        """Wait until the verdict has these words; the text that it is about."""
        verdict = self.page.locator("#verdict", has_text=re.compile(words)).and_(
            self.page.locator("#verdict:not(:empty)")
        )
        verdict.wait_for(state="attached", timeout=120_000)  # on a phone it is on the other side, perhaps
        return str(verdict.get_attribute("data-revision"))

    def type(self, text: str) -> None:
        """Type the text, line by line, as somebody does who lets the editor indent."""
        before: str | None = None
        for line in text.splitlines():
            if before is not None:
                self.page.keyboard.press("Enter")
                self._indent(line, before)
            self.page.keyboard.type(line.strip())
            before = line or before

    def _indent(self, line: str, before: str) -> None:
        if not line:
            return
        offered = _indented(before) + 2 * before.endswith(":")
        for _ in range((_indented(line) - offered) // 2):
            self.page.keyboard.press("Tab")
        for _ in range((offered - _indented(line)) // 2):
            self.page.keyboard.press("Backspace")

    def focus(self) -> None:
        self.page.locator("#writing .cm-content").click()

    def add(self, words: str) -> None:
        """Type them at the end of the text."""
        self.focus()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(words)

    def text(self) -> str:
        return "\n".join(self.page.locator("#writing .cm-line").all_text_contents())

    def save(self) -> None:
        self.page.keyboard.press("Control+s")
        self.page.locator("#save", has_text="Saved").wait_for()


def _indented(line: str) -> int:
    return len(line) - len(line.lstrip())


def revision(text: str) -> str:
    return digest(text.encode())
