"""`site`: what is in the folder, what is left alone, and the site in a real browser, from the disk and from a host."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser import Told, chromium, page, told  # noqa: F401 - fixtures
from game_texts import HOSTILE, LINE
from playing import Play
from running import run, start, until

from models.errors import PuzzleError
from puzzlewright.files.own_folder import OwnFolder
from puzzlewright.pages.site import file_names, pages_wanted

LARGE = """
puzzle: large
types: {n: 0 .. 3}
state: {a: n = 0}
actions: {on: {effect: {a: a + 1}}}
goal: a < 9007199254740992
"""  # 2^53: a page has no such number


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of three files, one of which has no page."""
    home = tmp_path_factory.mktemp("site")
    for name, text in (("line", LINE), ("hostile", HOSTILE), ("large", LARGE)):
        (home / f"{name}.yaml").write_text(text)
    done = run("site", home / "www", *(home / f"{name}.yaml" for name in ("line", "hostile", "large")), "--json")
    assert done.code == 34 and done.json["outcome"] == "unsupported"
    assert done.json["site"] == {
        "folder": str(home / "www"), "home": "index.html", "pages": ["line.html", "hostile.html"], "levels": 2,
        "bytes": sum(path.stat().st_size for path in (home / "www").glob("*.html")),
    }  # fmt: skip
    assert [note for note in done.json["notes"] if note.startswith("large: the number 9007199254740992 is too large")]
    return home / "www"


def test_what_is_in_the_folder(made: Path) -> None:
    assert sorted(path.name for path in made.iterdir()) == ["hostile.html", "index.html", "line.html", "site.json"]
    for path in made.glob("*.html"):
        html = path.read_text()
        assert "default-src 'none'" in html and html.count("<script") == 2 and "<img" not in html
        assert set(re.findall(r'(?:src|href)\s*=\s*"([^"]*)"', html)) <= {"data:,", "#board", "#puzzles"}
        assert set(re.findall(r"https?://[^\"'\\\s]*", html)) <= {"http://www.w3.org/2000/svg"}  # a name
        assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\b", html)


# -- in a browser ------------------------------------------------------------------------------------------------------


@pytest.fixture
def host(made: Path) -> Iterator[str]:
    """The address of the site on a host that knows nothing of it."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(made)))
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def solved_and_marked(page: Any, told: Told, home: str, own: str) -> None:  # noqa: F811
    """From the page of all to a level, a link to its middle, its end, and back: marked; all asked for is its own."""
    page.goto(home)
    page.locator("#sum", has_text="2 puzzles · 0 of 2 levels solved").wait_for()
    page.locator("img[src^='data:image/svg+xml']").first.wait_for()
    page.click("h2 a:text-is('Line')")
    page.click("#moves button:text-is('from 0')")
    Play(page).costs(1)
    page.click("#moves button:text-is('from 2')")
    page.locator("#won", has_text="Score 100").wait_for()
    page.click("#home")
    page.locator("#sum", has_text="1 of 2 levels solved").wait_for()
    page.locator("summary").click()
    assert "yours 2, shortest 2" in page.inner_text("li.solved")
    page.click("li.solved a")
    page.locator("#record", has_text="100").wait_for()
    address = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(f"{address}&moves=jump")
    Play(page).costs(1)
    assert all(url.startswith((own, "data:", "about:")) for url in told.requests)


def test_on_a_host(page: Any, told: Told, host: str) -> None:  # noqa: F811
    solved_and_marked(page, told, host, host)


def test_from_the_disk(page: Any, told: Told, made: Path) -> None:  # noqa: F811
    page.context.set_offline(True)
    solved_and_marked(page, told, (made / "index.html").as_uri(), made.as_uri())


def test_hostile_words_are_shown_and_not_run(page: Any, told: Told, made: Path) -> None:  # noqa: F811
    page.goto((made / "index.html").as_uri())
    page.locator("#puzzles img[src]").nth(1).wait_for()
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#puzzles")
    assert page.locator("#puzzles script, #puzzles svg, img[src=x]").count() == 0
    page.locator("h2 a", has_text="alert").click()
    page.locator("#board svg").wait_for()
    assert page.locator("#stage script, img").count() == 0


# -- whose folder it is ------------------------------------------------------------------------------------------------


def site(folder: Path, *words: str) -> Any:
    return run("site", folder, folder.parent / "line.yaml", *words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "line.yaml").write_text(LINE)
    (tmp_path / "www").mkdir()
    return tmp_path / "www"


def test_a_folder_of_somebody_else_is_left_alone(folder: Path) -> None:
    (folder / "thesis.txt").write_text("mine")
    done = site(folder)
    assert done.code == 2 and "it holds other files (thesis.txt)" in " ".join(done.err.split())
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    assert site(folder, "--overwrite").code == 0
    assert (folder / "thesis.txt").read_text() == "mine" and (folder / "line.html").exists()


def test_what_begins_with_a_dot_is_nobodys_concern(folder: Path) -> None:
    (folder / ".git").mkdir()
    assert site(folder).code == 0 and (folder / ".git").is_dir()


def test_it_is_made_again_and_what_is_changed_there_stays(folder: Path) -> None:
    assert site(folder).code == 0
    first = (folder / "line.html").read_bytes()
    assert site(folder).code == 0 and (folder / "line.html").read_bytes() == first
    (folder / "notes.txt").write_text("mine")
    (folder / "index.html").write_text("mine")
    done = site(folder)
    assert done.code == 2 and "index.html there is not as `site` has written it" in " ".join(done.err.split())
    assert (folder / "index.html").read_text() == "mine"
    assert site(folder, "--overwrite").code == 0 and (folder / "index.html").read_text() != "mine"
    assert (folder / "notes.txt").read_text() == "mine"


def test_pages_of_before_are_taken_away_unless_they_were_changed(folder: Path) -> None:
    own = OwnFolder(folder, "site")
    for name in ("old.html", "changed.html"):
        own.write(name, "old")
    own.finish()
    (folder / "changed.html").write_text("mine")
    listed = json.loads((folder / "site.json").read_text())
    outside = folder.parent / "outside.html"
    outside.write_text("old")
    listed["files"]["../outside.html"] = listed["files"]["old.html"]  # a list of somebody who wishes us ill
    (folder / "site.json").write_text(json.dumps(listed))
    assert site(folder).code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["changed.html", "index.html", "line.html", "site.json"]
    assert outside.exists()


def test_a_file_that_appears_meanwhile_is_not_replaced(folder: Path) -> None:
    own = OwnFolder(folder, "site")
    (folder / "line.html").write_text("mine")
    with pytest.raises(FileExistsError, match="is not ours"):
        own.write("line.html", "ours")
    assert [path.read_text() for path in folder.iterdir()] == ["mine"]


def test_what_was_written_before_a_crash_is_ours(folder: Path) -> None:
    own = OwnFolder(folder, "site")
    own.write("line.html", "half of a run")
    again = OwnFolder(folder, "site")
    assert again.obstacle == "" and again.others(["line.html"]) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"made_by": "puzzlewright site", "files": []}', '{"made_by": "x", "files": {}}']
)
def test_a_list_that_is_none_of_ours(folder: Path, text: str) -> None:
    (folder / "site.json").write_text(text)
    assert site(folder).code == 2


# -- which pages -------------------------------------------------------------------------------------------------------


def test_levels_that_are_wanted() -> None:
    texts = [("line", LINE, "line.yaml"), ("hostile", HOSTILE, "hostile.yaml")]
    assert [(each.name, each.levels) for each in pages_wanted(texts, (), 1)] == [
        ("line", ("plain",)),
        ("hostile", ("",)),
    ]
    assert [each.name for each in pages_wanted(texts, ("pl*",), 1)] == ["line"]
    with pytest.raises(PuzzleError, match="no level matches 'none'"):
        pages_wanted(texts, ("plain", "none"), 1)


def test_names_of_pages() -> None:
    names = ["index", "A b", "a-b", "../x", "é", "", "A_b"]
    assert file_names(names) == ["index-2", "a-b", "a-b-2", "x", "puzzle", "puzzle-2", "a_b"]


def test_what_is_wrong_is_told(folder: Path) -> None:
    (folder.parent / "wrong.yaml").write_text(LINE.replace("goal: x == 4", "goal: x == y"))
    done = site(folder, str(folder.parent / "wrong.yaml"))
    assert done.code == 31 and re.search(r"note +wrong: .*E\d\d\d", done.out)
    assert (folder / "line.html").exists() and not (folder / "wrong.html").exists()
    assert run("site", folder / "no" / "folder", folder.parent / "line.yaml").code == 2
    assert run("site", folder.parent / "line.yaml", folder.parent / "line.yaml").code == 2


# -- processes of its own ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_built_in_puzzles_by_two_processes_at_a_time(tmp_path: Path) -> None:
    words = ("hanoi", "n_puzzle", "klotski", "--levels", "three,easy-8,first", "--jobs", "2", "--json")
    with start("site", str(tmp_path / "www"), *words) as process:
        out, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    assert json.loads(out)["site"]["pages"] == ["hanoi.html", "n_puzzle.html", "klotski.html"]


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_finished(folder: Path) -> None:
    with start("site", str(folder), "hanoi", "klotski", "--jobs", "1") as process:
        assert until(lambda: (folder / "hanoi.html").exists(), 600)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=600)
    assert process.returncode == 130 and b"1 of 2 pages are finished; the page of all is not" in out
    assert sorted(path.name for path in folder.iterdir()) == ["hanoi.html", "site.json"]
    assert site(folder).code == 0 and not (folder / "hanoi.html").exists()
