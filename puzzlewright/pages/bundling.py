"""Modules of JavaScript put together as one script, for pages that ask nobody for anything.

A module is a function that is called once and returns what the module exports. What must be true of our own modules: an
`import` names what it takes, from `./name.js`, and stands at the beginning of a line as `export` does; no two modules
import each other; no text goes on from line to line, so that indentation means nothing. The first folder that has a
file of that name gives it, so that one stands in for another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlewright.pages.assembling import asset

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=((?:async )?function\*?|const|class) (\w+))", re.MULTILINE)
IDLE = re.compile(r"^\s*(//.*\n)?", re.MULTILINE)  # comments on lines of their own, and indentation
LEFT = re.compile(r"^(import|export)\b", re.MULTILINE)


def bundle(entry: str, folders: Sequence[str]) -> str:
    """The module of that name and all that it imports, from packages in which they lie."""
    return f"(() => {{\n{modules([entry], folders)}}})();\n"


def modules(names: Sequence[str], folders: Sequence[str]) -> str:
    """These modules and all that they import, each as a constant `$module_name`."""
    made: dict[str, str] = {}
    for name in names:
        _add(name, folders, made, ())
    return "".join(made.values())


def _add(name: str, folders: Sequence[str], made: dict[str, str], waiting: tuple[str, ...]) -> None:
    if name in made:
        return
    assert name not in waiting, f"{name}.js imports itself by way of others"
    source = _source(name, folders)
    for _, other in IMPORT.findall(source):
        _add(other, folders, made, (*waiting, name))
    made[name] = _as_function(name, source)


def _as_function(name: str, source: str) -> str:
    names = [exported for _, exported in EXPORT.findall(source)]
    body = EXPORT.sub("", IMPORT.sub(_taken, IDLE.sub("", source)))
    assert not LEFT.search(body), f"{name}.js imports or exports in another way"
    return f"const {_called(name)} = (() => {{\n{body}return {{ {', '.join(names)} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    return f"const {{{found[1]}}} = {_called(found[2])};\n"


def _called(name: str) -> str:
    """A name that no module has for anything else."""
    return f"$module_{name}"


def _source(name: str, folders: Sequence[str]) -> str:
    for folder in folders:
        try:
            return asset(folder, f"{name}.js")
        except FileNotFoundError:
            continue
    raise FileNotFoundError(f"{name}.js")
