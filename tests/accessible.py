"""What axe-core finds wrong with a page as people see, read and use it, light and dark, on a desktop and a phone."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

import pytest

SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
SCHEMES = ("light", "dark")
RUN = """async () => (await axe.run({ resultTypes: ['violations'] })).violations.flatMap(({ id, help, nodes }) =>
  nodes.map((node) => [id, help, node.target.join(' '), node.html.slice(0, 300), node.failureSummary].join(': ')))"""


@cache
def source() -> str:
    """The script of axe-core, as the Python package `axe-playwright-python` carries it."""
    try:
        return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        words = "axe-playwright-python is not installed: pip install 'puzzlewright[test]'"
        return str(pytest.fail(words) if os.environ.get("CI") else pytest.skip(words))


def violations(page: Any, every: bool = True) -> list[str]:
    """What is wrong with what the page shows: light and large, dark and small; with `every`, also the other way."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(source())
    kept, looks = page.viewport_size, list(product(SCHEMES, SIZES))
    found = [f"{scheme}, {size['width']} wide: {each}" for scheme, size in (looks if every else looks[::3])
             for each in _seen(page, scheme, size)]  # fmt: skip
    page.set_viewport_size(kept)
    return found


def _seen(page: Any, scheme: str, size: dict[str, int]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size(size)
    return list(page.evaluate(RUN))
