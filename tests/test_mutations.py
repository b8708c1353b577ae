"""Every registered fault is noticed by the tests that it names; the table of them in the documentation is the registry.

The default tests only see to it that the registry still fits the code; with `--slow` every fault is made and tried.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from mutating import changed, whereabouts
from mutations import (
    FAILED,
    FAULTS,
    PASSED,
    ROOT,
    SOAKED,
    WITH,
    Fault,
    chosen,
    copy_project,
    file_of,
    run,
    table,
    tried,
)

PAGE = ROOT / "docs" / "testing.md"
HEADING = "## Tests of the tests"


def named(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


def test_a_fault_is_one_change_of_code_that_still_compiles() -> None:
    assert [(fault.name, why) for fault in FAULTS for why in misfits(fault)] == []


def misfits(fault: Fault) -> Iterator[str]:
    try:
        compile(changed(fault.place, fault.old, fault.new, ROOT, whole=False), fault.place, "exec")
    except (AssertionError, SyntaxError, ValueError) as why:
        yield str(why)
    for selection in fault.tests:
        file, _, function = selection.partition("::")
        if f"def {function}(" not in source(ROOT / file):
            yield f"there is no {selection}"


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_a_module_means_the_same_when_it_is_written_from_its_tree() -> None:
    for path in sorted({file_of(fault) for fault in FAULTS})[::8]:  # some, since the syntax is the same everywhere
        module = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.dump(ast.parse(ast.unparse(module))) == ast.dump(module), path


def test_faults_have_names_of_their_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_the_page_lists_the_faults() -> None:
    assert listed(PAGE.read_text(encoding="utf-8").partition(HEADING)[2]) == table().splitlines()


def listed(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def test_the_page_lists_what_the_soak_has_found() -> None:
    rows = listed(PAGE.read_text(encoding="utf-8").partition(HEADING)[0])
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[2:]] == [*SOAKED]


def test_what_the_soak_looks_for_are_faults() -> None:
    assert [each.name for each in chosen(FAULTS, [])] == [each.name for each in FAULTS]
    assert {*SOAKED, *WITH.values()} <= {each.name for each in FAULTS} and len({*SOAKED}) == len(SOAKED)
    assert WITH.keys() <= {*SOAKED}


# -- places and code ---------------------------------------------------------------------------------------------------

MODULE = """
LIMIT = 3
def work(rows):
    for row in rows:  # one by one
        if (row.size
                > LIMIT):
            row.end()
            row.end(); print(row)
    return sum(row.size for row in rows)
class Table:
    def work(self):
        return 1 + 1 + 2
"""
BLOCK = MODULE[MODULE.index("if (row") : MODULE.index("    return sum")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("models", "search"):
        (tmp_path / name).mkdir()
    (tmp_path / "models" / "tables.py").write_text(MODULE)
    (tmp_path / "search" / "others.py").write_text("def work(): pass\n")
    return tmp_path


@pytest.mark.parametrize(
    ("place", "old", "new", "there", "then"),
    [
        ("LIMIT", "3", "4", "LIMIT = 3", "LIMIT = 4"),
        (
            "tables.work",
            "row.size > LIMIT",
            "row.size >= LIMIT",
            "(row.size\n                > LIMIT)",
            "row.size >= LIMIT",
        ),
        ("tables.work", "for row in rows: ...", "for row in rows[1:]: ...", "in rows:", "in rows[1:]:"),
        ("tables.work", "if row.size > LIMIT: ...", "print(row)", BLOCK, "print(row)\n"),
        ("tables.work", "row.end()\nrow.end()", "", "row.end()\n            row.end();", ""),
        ("tables.work", "row.end()\nprint(row)", "print(row)", "row.end(); print", "print"),
        ("Table.work", "1 + 1 + 2", "1 - 1", "1 + 1 + 2", "1 - 1"),
    ],
)
def test_code_is_found_however_it_is_written(
    place: str, old: str, new: str, there: str, then: str, project: Path
) -> None:
    assert MODULE.count(there) == 1
    assert ast.unparse(changed(place, old, new, project)) == ast.unparse(ast.parse(MODULE.replace(there, then)))


@pytest.mark.parametrize("old", ["1", "row.end()", "rows.size"])
def test_code_that_stands_there_twice_or_not_at_all_is_no_place_for_a_fault(old: str, project: Path) -> None:
    with pytest.raises(AssertionError, match="[02] times"):
        changed("Table.work" if old == "1" else "tables.work", old, "None", project)


@pytest.mark.parametrize("place", ["work", "Table.play", "able.work"])
def test_a_name_that_says_no_place_or_several(place: str, project: Path) -> None:
    with pytest.raises(AssertionError, match=f"^{place} stands in [03] places"):
        whereabouts(place, project)


# -- the faults are made -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_a_fault_the_same_tests_pass(tmp_path: Path) -> None:
    copy_project(tmp_path)
    done = run(tmp_path, tuple(dict.fromkeys(selection for fault in FAULTS for selection in fault.tests)))
    assert done.returncode == PASSED, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_fault_is_caught(fault: Fault, tmp_path: Path) -> None:
    done = tried(fault, tmp_path)
    assert done.returncode == FAILED, done.stdout + done.stderr
