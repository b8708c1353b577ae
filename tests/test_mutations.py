"""Every registered fault is noticed by the tests that it names; the table of them in the documentation is the registry.

The default tests only see to it that the registry still fits the code; with `--slow` every fault is made and tried.
"""

from __future__ import annotations

from pathlib import Path

import pytest
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
    mutated,
    run,
    table,
    tried,
)

PAGE = ROOT / "docs" / "testing.md"
HEADING = "## Tests of the tests"


def named(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_fault_is_one_change_of_a_text_that_still_compiles(fault: Fault) -> None:
    compile(mutated(fault), fault.file, "exec")
    for selection in fault.tests:
        file, _, function = selection.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


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


def test_a_text_that_is_there_twice_is_no_place_for_a_fault(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text("a = 1\nb = 1\n")
    with pytest.raises(AssertionError, match="2 times"):
        mutated(Fault("", "twice.py", "= 1", "= 2", ()), tmp_path)


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
