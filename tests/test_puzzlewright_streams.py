"""Files and streams that cannot be read or written: told in a line, never a traceback, and nobody's file is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import run
from sampled import slow

from models import installation

ROOT = Path(__file__).parent.parent
LONG = "x" * 300  # more letters than a file system takes in a name
WALK = """
puzzle: walk
types: {place: 0 .. 3}
state: {at: place = 0}
actions: {step: {effect: {at: at + 1}}}
goal: at == 2
"""


def shell(words: str) -> subprocess.CompletedProcess[str]:
    """`puzzlewright` with these words, as a shell runs it."""
    command = f"'{sys.executable}' -m puzzlewright {words}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    return done


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize(
    "words",
    [
        *("solve hanoi", "-h", "list --nope --json"),
        *map(slow, ("list --json", "check hanoi", "check --explain E313", "schema")),
    ],
)
def test_a_full_disk_is_told(words: str) -> None:
    done = shell(f"{words} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.endswith("the output could not be written: No space left on device\n")


@pytest.mark.parametrize(("words", "code"), [("solve hanoi --json >&-", 0), ("solve nowhere 2>&-", 31),
                                             ("schema >&-", 0), ("solve - <&-", 31)])  # fmt: skip
def test_a_closed_stream_is_an_empty_one(words: str, code: int) -> None:
    assert shell(words).returncode == code


def test_a_reader_that_has_gone_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "puzzlewright", "check", "hanoi", "pancake"]
    done = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("solve", LONG), 31),
        (("verify", LONG), 2),
        (("show", "hanoi", "--out", f"{LONG}.svg"), 2),
        (("solve", "hanoi", "--plan-out", f"{LONG}/{LONG}.json"), 2),
        (("prove", "hanoi", "--certificate", LONG), 2),
        (("levels", "hanoi", "--resume", LONG), 2),
        (("show", "--gallery", LONG), 2),
    ],
)
def test_a_name_that_is_too_long(words: tuple[str, ...], code: int) -> None:
    assert run(*words).code == code


def test_a_gallery_needs_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = run("show", "--gallery", tmp_path / "file")
    assert found.code == 2 and "cannot be written: File exists" in found.err and not (tmp_path / "file.md").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "{}", "--plan-out", "{}"),
        ("explore", "{}", "--hardest", "1", "--save", "{}"),
        ("explore", "{}", "--csv", "{}"),
        ("levels", "{}", "--csv", "{}"),
        ("levels", "{}", "--resume", "{}"),
    ],
)
def test_no_file_that_is_read_is_written_over(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "walk.yaml"
    path.write_text(WALK, encoding="utf-8")
    found = run(*(word.format(path) for word in words))
    assert found.code == 2 and "the puzzle or its level is read from it" in found.err
    assert path.read_text(encoding="utf-8") == WALK


def test_nor_a_level_file(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("#####\n#@$.#\n#####\n", encoding="utf-8")
    found = run("show", "sokoban", "--level-file", path, "--out", path)
    assert found.code == 2 and path.read_text(encoding="utf-8").startswith("#####")


def test_asking_whether_a_file_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    assert run("solve", "hanoi", "--level", "nowhere", "--plan-out", tmp_path / "plan.json").code == 31
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seeds", ["1..10001", "1..9" + "9" * 5000])
def test_seeds_have_a_limit(seeds: str) -> None:
    found = run("levels", "hanoi", "--seeds", seeds)
    assert found.code == 2 and "--seeds" in found.err and not found.out


def test_a_table_is_a_line_for_each_row(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(WALK + 'levels: {"a\\nb": {}, "\U0001f427\U0001f427": {}}\n', encoding="utf-8")
    lines = run("levels", path, "--optima").out.splitlines()
    head, first, second = lines[2], lines[4], lines[5]
    assert first.startswith("a?b ") and second.startswith("\U0001f427\U0001f427 ")
    end = head.index("optimum") + len("optimum")
    assert first[:end].endswith(" 2") and second[: end - 2].endswith(" 2")  # two letters of two columns


def test_proposed_levels_of_a_name_of_two_lines(tmp_path: Path) -> None:
    path, saved = tmp_path / "walk.yaml", tmp_path / "levels.yaml"
    path.write_text(WALK.replace("puzzle: walk", 'puzzle: "two\\nlines"'), encoding="utf-8")
    assert run("explore", path, "--hardest", "1", "--save", saved).code == 0
    head, *lines = saved.read_text(encoding="utf-8").splitlines()
    assert head.startswith("# ") and all(line.startswith("  ") for line in lines) and lines


@pytest.mark.parametrize(
    "words",
    ["prove hanoi -l three --certificate made", "levels hanoi -l three", slow("compare hanoi -l three --backends bfs")],
)
def test_a_folder_with_modules_of_the_same_names(words: str, tmp_path: Path) -> None:
    """`python -m` puts the folder before all others; children must not import what stands there either."""
    for name in ("models.py", "search.py", "encoders.py"):
        (tmp_path / name).write_text("raise SystemExit('another one')\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "puzzlewright", *words.split()]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert found.returncode == 0 and "another one" not in found.stdout + found.stderr, found.stderr
    assert (tmp_path / "made" / "proof.lrat").is_file() == ("--certificate" in words)


def test_another_installation_is_not_what_a_process_of_ours_begins(tmp_path: Path) -> None:
    """Whatever comes first on the path of the environment; Python's own modules stay before ours."""
    for name in ("models", "search", "encoders", "puzzlewright"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('another one')\n", encoding="utf-8")
    code = "import search.layers.pool as pool; print(pool.__file__, sys.path[-1], sep='\\n')"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    found = subprocess.run(installation.command(code), env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout.splitlines() == [str(ROOT / "search/layers/pool.py"), str(ROOT)], found.stderr
