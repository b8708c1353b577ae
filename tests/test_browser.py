"""The profile that tests of pages share, one after the other: nothing of one test is there in the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser import chromium, fresh  # noqa: F401 - a fixture

HOST = "http://127.0.0.1:9/"
PAGE = "<!DOCTYPE html><title>x</title>"
KEEP = "localStorage.setItem('mine', 'here'); sessionStorage.setItem('mine', 'here'); document.cookie = 'mine=here'"
KEPT = "[localStorage.length, sessionStorage.length, document.cookie, navigator.onLine]"


def opened(page: Any, address: str) -> Any:
    page.route(f"{HOST}*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.goto(address)
    return page


def test_what_a_test_leaves_is_not_there_in_the_next(chromium: Any, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "x.html"
    path.write_text(PAGE, encoding="utf-8")
    for address in (HOST, path.as_uri()):
        with fresh() as page:
            assert opened(page, address).evaluate(KEPT) == [0, 0, "", True]
            page.evaluate(KEEP)
            page.reload()
            assert page.evaluate(KEPT)[:2] == [1, 1]
            page.context.set_offline(True)
            page.set_viewport_size({"width": 300, "height": 300})
            page.add_init_script("window.mine = 'here'")
            page.context.new_page()
            pages = len(page.context.pages)
        with fresh() as page:
            assert opened(page, address).evaluate(KEPT) == [0, 0, "", True]
            assert page.evaluate("[window.mine, innerWidth]") == [None, 1100]
            assert len(page.context.pages) == pages - 1
