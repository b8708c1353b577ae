"""What comes over the wire is checked here, field by field; whatever is wrong is refused with words and a status."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

Body = dict[str, Any]
BAD, FAULT, BUSY = 400, 500, 503
LONGEST = 300  # letters of a name


class BadRequest(Exception):
    """A request that is not done: the status of HTTP, and why in words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


def read_json(data: bytes) -> Body:
    """A JSON object in UTF-8; BadRequest for anything else."""
    try:
        body = json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadRequest(BAD, f"this is not JSON: {_short(error)}") from None
    if not isinstance(body, dict):
        raise BadRequest(BAD, "expected a JSON object")
    return body


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _short(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def write_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def text(body: Body, name: str, default: str | None = None) -> str:
    """A text; the default where it is missing or null."""
    value = body.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadRequest(BAD, f"`{name}` must be a text of at most {LONGEST} letters")
    return value


def long_text(body: Body, name: str, most: int) -> str:
    """A text of many lines, which UTF-8 can write."""
    value = body.get(name)
    if not isinstance(value, str):
        raise BadRequest(BAD, f"`{name}` must be a text")
    if len(value) > most:
        raise BadRequest(BAD, f"the text has more than {most:,} letters, which is too long for this page")
    if re.search("[\ud800-\udfff]", value):
        raise BadRequest(BAD, f"`{name}` has half a letter, which no file can hold")
    return value


def optional_text(body: Body, name: str) -> str | None:
    return None if body.get(name) is None else text(body, name)


def number(body: Body, name: str, default: int, least: int, most: int) -> int:
    """A whole number in the range; the default where it is missing or null."""
    value = body.get(name)
    if value is None:
        return default
    if type(value) is not int or not least <= value <= most:
        raise BadRequest(BAD, f"`{name}` must be a whole number from {least} to {most}")
    return value


def seconds(body: Body, default: float, most: float) -> float:
    """Seconds for some work, at most so many; the default where it is missing or null."""
    value = body.get("seconds")
    if value is None:
        return default
    if type(value) not in (int, float) or not 0 < value <= most:
        raise BadRequest(BAD, f"`seconds` must be a number above 0, at most {most:g}")
    return float(value)


def table(body: Body, name: str) -> Body:
    value = body.get(name)
    if not isinstance(value, dict):
        raise BadRequest(BAD, f"`{name}` must be an object")
    return value


def one_of(body: Body, name: str, known: tuple[str, ...], default: str | None = None) -> str:
    value = text(body, name, default)
    if value not in known:
        raise BadRequest(BAD, f"`{name}` must be one of {', '.join(known)}")
    return value
