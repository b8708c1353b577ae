"""Pages in one file: a template, style, script and data put together, which ask nobody for anything.

What comes from a puzzle stands in a page as escaped text or as JSON in an island, never as markup.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files

_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}  # in a script element


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template, with what stands between two %% replaced by the part of that name."""
    pieces = template.split("%%")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def island(data: object) -> str:
    """JSON in ASCII that can stand in a script element."""
    return json.dumps(data, separators=(",", ":")).translate(_UNSAFE)


def digest(text: str) -> str:
    """What a page's policy allows: this very script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def asset(package: str, name: str) -> str:
    """A file that lies beside the modules."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def styles(*names: str) -> str:
    """Style sheets that pages have in common with `play`, one after the other."""
    return "".join(asset("puzzlewright.play", f"{name}.css") for name in names)
