"""Data: what stands under `data`, in a level or behind `--set`, as values; and data drawn by a seed.

A plain scalar is an integer, true, false or text; quotes make text. A datum that `cells(...)`, `letters(...)`,
`marks(...)` or `accepts` names for a map is a text map: its scalars are text however they look, rows separated by
commas are lists of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from models.document import Document
from models.errors import Diagnostic, PuzzleError, did_you_mean
from models.level_files import filled_maps
from models.statics import freeze
from models.syntax import fail
from models.text import Plain, Text
from models.values import Value

WHOLE = re.compile(r"-?(0|[1-9][0-9]*)\Z")


def raw_data(
    document: Document, level: str | None, settings: Mapping[str, Plain]
) -> tuple[dict[str, Value], dict[str, Text]]:
    """(values of the data that are given, names of the data with their places)."""
    given: dict[str, Plain] = {str(name): value for name, value in document.data.items()}
    places = {str(name): name for name in (*document.data, *document.draw)}
    own = document.levels[Text(level)].data if level is not None else {}
    _check_names((name for other in document.levels.values() for name in other.data), places)
    _check_settings(settings, places)
    given |= {str(name): value for name, value in own.items()}
    given |= dict(settings)
    maps = text_maps(document)
    return {name: freeze(as_value(value, name in maps)) for name, value in given.items()}, places


def _check_names(own: Iterable[Text], places: Mapping[str, Text]) -> None:
    wrong = [name for name in own if str(name) not in places]
    if wrong:
        raise PuzzleError(
            Diagnostic(
                f"no datum {name!r} is declared under data", name.location, did_you_mean(name, places), code="E401"
            )
            for name in wrong
        )


def _check_settings(settings: Mapping[str, Plain], places: Mapping[str, Text]) -> None:
    for name in settings:
        if name not in places:
            raise fail(f"--set: there is no datum {name!r}", None, did_you_mean(name, places), "E401")


def text_maps(document: Document) -> set[str]:
    """The data that are text maps, found in the types that read them and under `accepts`."""
    found = filled_maps(document)
    makers = "cells|letters" if _defines(document, "marks") else "cells|letters|marks"
    for source in (*document.types.values(), *document.state.values()):
        if isinstance(source, Text):
            found |= set(re.findall(rf"\b(?:{makers})\(\s*([A-Za-z_]\w*)", source))
    return found


def _defines(document: Document, word: str) -> bool:
    return any(re.split(r"[(\s]", key)[0] == word for key in document.define)


def as_value(plain: Plain, is_map: bool) -> Value:
    """Read YAML as a value of the language."""
    if isinstance(plain, dict):
        return {str(key): as_value(value, is_map) for key, value in plain.items()}
    if isinstance(plain, list):
        return [as_value(item, is_map) for item in plain]
    return _scalar(plain, is_map)


def _scalar(text: Text, is_map: bool) -> Value:
    if text.style == "block":
        return [_scalar(Text(row), True) for row in text.rstrip("\n").split("\n")]
    if is_map:
        return [part.strip() for part in text.split(",")] if "," in text else str(text)
    if text.style == "plain" and WHOLE.match(text):
        if len(text) > 17 or abs(int(text)) > 2**53:
            raise fail("this number is beyond 2^53", text.location, "put it into quotes if it is a text", "E201")
        return int(text)
    if text.style == "plain" and text in ("true", "false"):
        return text == "true"
    return str(text)


def parse_setting(setting: str) -> tuple[str, Plain]:
    """`NAME=VALUE` of the command line: YAML, or values separated by commas."""
    name, equals, value = setting.partition("=")
    if not equals or not name.strip().isidentifier():
        raise fail(f"--set {setting}: write NAME=VALUE", None, code="E402")
    value = value.strip()
    from models.yaml_reader import read_yaml

    if value[:1] not in ("[", "{", '"', "'") and "," in value:
        value = f"[{value}]"
    try:
        tree = read_yaml(f"value: {value}", "")
    except PuzzleError as error:
        told = (Diagnostic(f"--set {setting}: {d.message}", None, d.hint, code=d.code) for d in error.diagnostics)
        raise PuzzleError(told) from None
    if list(tree) != ["value"]:
        raise fail(f"--set {setting}: write NAME=VALUE on one line", None, code="E402")
    return name.strip(), tree[Text("value")]
