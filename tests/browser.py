"""A real browser for tests: Debian's Chromium, driven by Playwright. Import the fixtures that a test names.

Without them a test is skipped, and says what is missing; where `CI` is set it fails.
"""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")  # fmt: skip


@dataclass
class Told:
    """What a page said and asked for."""

    errors: list[str] = field(default_factory=list)  # of its scripts, and what it wrote to the console
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    yield _browser()


@cache
def _browser() -> Any:
    """One for all the modules that import the fixtures."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        _without("there is no chromium: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("playwright is not installed: pip install 'puzzlewright[test]'")
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS))


@cache
def _profile() -> tuple[Any, Any]:
    """One for all tests, as a new one takes longer than most pages do, and a page of it that takes orders."""
    context = _browser().new_context(viewport={"width": 1100, "height": 850})
    context.set_default_timeout(120_000)  # milliseconds: the machine may be busy
    return context, context.new_cdp_session(context.new_page())


@contextmanager
def fresh() -> Iterator[Any]:
    """A page of a profile that knows nothing of what was before."""
    context, orders = _profile()
    old = context.pages
    yield context.new_page()
    for each in context.pages:
        if each not in old:
            each.close()
    orders.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    context.clear_cookies()
    context.clear_permissions()
    context.set_offline(False)


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    with fresh() as found:
        yield found


@pytest.fixture
def told(page: Any) -> Iterator[Told]:
    """What the page says and asks for, from now on; errors fail the test at its end."""
    heard = Told()
    page.on(
        "console", lambda message: heard.errors.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: heard.errors.append(str(error)))
    page.on("request", lambda request: heard.requests.append(request.url))
    yield heard
    assert heard.errors == []


def _without(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
