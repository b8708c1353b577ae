"""PDDL comes as two files: the domain, and a problem of it, which is named beside it or lies beside it."""

from __future__ import annotations

import re
from pathlib import Path

from models.errors import Diagnostic, PuzzleError
from models.pddl.forms import is_pddl, joined
from puzzlewright.files.library import find, read_text

KIND = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\b", re.IGNORECASE)


def found(name: str) -> tuple[str, str]:
    """As `library.find`, of PDDL both files as one."""
    text, source = find(name)
    return as_one(with_partner(text, source, None)), source


def with_partner(text: str, source: str, problem: str | None) -> dict[str, str]:
    """The texts of all files that the puzzle is in, by their names; most are in one."""
    if not is_pddl(text):
        if problem is not None:
            raise PuzzleError(Diagnostic(f"{source} is no PDDL, so it has no other file", None, code="E601"))
        return {source: text}
    if problem is not None:
        return {source: text, problem: read_text(problem)}
    domain = None if kinds(text) != {"problem"} else beside(source)
    return {source: text} if domain is None else {str(domain): read_text(str(domain)), source: text}


def kinds(text: str) -> set[str]:
    """Which of the two a text has."""
    return {found.lower() for found in KIND.findall(re.sub(";.*", "", text))}


def beside(problem: str) -> Path | None:
    """The domain of a problem: NAME-domain.pddl beside NAME-problem.pddl, or else domain.pddl."""
    path = Path(problem)
    candidates = [path.with_name(path.name.replace("problem", "domain")), path.with_name("domain.pddl")]
    return next((each for each in candidates if each != path and each.is_file()), None)


def as_one(texts: dict[str, str]) -> str:
    """One text for all: what is in one file as it is."""
    return next(iter(texts.values())) if len(texts) == 1 else joined(texts)
