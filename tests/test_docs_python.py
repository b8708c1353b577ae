"""docs/python.md and the lecture are run as they stand."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

import puzzlewright as pw

ROOT = Path(__file__).parent.parent
PAGE, LECTURE = ROOT / "docs" / "python.md", ROOT / "docs" / "search-lecture.ipynb"


def examples(page: Path) -> str:
    """The blocks of Python in the page, each in its line, with nothing around them."""
    found, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        fence = line.startswith("```")
        found.append(line if inside and not fence else "")
        inside = line.startswith("```python") if fence else inside
    return "\n".join(found)


def test_the_page_runs() -> None:
    pytest.importorskip("networkx", reason="networkx is not installed: pip install -e '.[test]'")
    test = doctest.DocTestParser().get_doctest(examples(PAGE), {}, "python.md", str(PAGE), 0)
    assert len(test.examples) > 40
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert result.failed == 0, "".join(told)


def test_every_name_is_told_of() -> None:
    text = PAGE.read_text(encoding="utf-8")
    types = {"Limits", "Outcome", "Puzzle", "Report", "State", "Unsupported", "picture", "player", "Move", "Event"}
    assert [name for name in pw.__all__ if name not in types and not re.search(rf"\b{name}\b", text)] == []


# -- the lecture -------------------------------------------------------------------------------------------------------


def test_the_lecture_is_kept_without_results() -> None:
    cells = json.loads(LECTURE.read_text(encoding="utf-8"))["cells"]
    codes = [cell for cell in cells if cell["cell_type"] == "code"]
    assert codes and all(not cell["outputs"] and cell["execution_count"] is None for cell in codes)
    assert LECTURE.stat().st_size < 20_000


@pytest.mark.slow
def test_the_lecture_runs() -> None:
    """Every cell in a kernel, and the figures that the texts speak of."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: pip install -e '.[test]'")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install -e '.[test]'")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install -e '.[test]'")
    notebook = nbformat.read(LECTURE, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    text = "".join(output.get("text", "") for output in outputs)
    for told in ("breadth first: 22 steps, 68,882 expanded, valid: True", "manhattan: cost 22,    226 expanded",
                 "h falls from 48 to 45 by a step of cost 1", "in 12 states", "lower_bound=22, cost=22"):  # fmt: skip
        assert told in text
    shown = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html", "text/plain"} <= shown
    assert any("<iframe" in output.get("data", {}).get("text/html", "") for output in outputs)


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("solved 22 226\n")
