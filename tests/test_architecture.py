"""Who may import what: every file is read with `ast` and held to one table.

The two paths share data and nothing that executes, so that a mistake in one cannot hide in the other; the libraries
that are slow to load have one owner each.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

FOLDERS = {  # folder -> the folders that it may import
    "models": {"models"},
    "search": {"search", "models"},
    "encoders": {"encoders", "models"},
    "puzzlewright": {"puzzlewright", "search", "encoders", "models"},
}
OWNERS = {  # library -> the folders and files that may import it
    "yaml": {"models/yaml_reader.py", "models/yaml_lint.py", "models/yaml_advice.py"},
    "pydantic": {"models/document_errors.py", "models/forms.py"},
    "pydantic_core": {"models/document_errors.py", "models/forms.py", "models/text.py"},
    "numpy": {"search"},
    "llvmlite": {"search/compiler/jit.py", "search/compiler/wasm.py", "search/kernels/emitted.py"},
    "numba": {"search/kernels/compiling.py", "search/kernels/emitted.py"},
    "ortools": {"encoders"},
    "typer": {
        "puzzlewright/cli.py",
        "puzzlewright/printing/desk.py",
        "puzzlewright/options.py",
        "puzzlewright/commands",
    },
    "rich": {"puzzlewright"},
    "matplotlib": {"puzzlewright/pages/panels.py", "puzzlewright/pages/plotting.py"},
    "resvg_py": {"puzzlewright/pictures/raster.py"},
    "PIL": {"puzzlewright/pictures/raster.py"},
    "networkx": {"puzzlewright/python/walking.py"},
    "ray": {"search/layers/cluster.py"},
    "unified_planning": {"puzzlewright/python/unified.py"},
}
LAZY = {  # only inside a function
    ("models/forms.py", "pydantic"),
    ("models/forms.py", "pydantic_core"),
    ("models/text.py", "pydantic_core"),
    ("puzzlewright/pages/panels.py", "matplotlib"),
    ("puzzlewright/pages/plotting.py", "matplotlib"),
    ("puzzlewright/python/walking.py", "networkx"),
    ("search/layers/cluster.py", "ray"),
    ("puzzlewright/python/unified.py", "unified_planning"),
}
WAIST = {
    "models.claims",
    "models.metrics",
    "models.frozen",
    "models.installation",
    "models.task",
    "models.shapes",
    "models.terms",
    "models.outcomes",
    "models.resident",
    "models.values",
}  # all that search and encoders see of models
TYPES = {"State", "Place", "HIDDEN", "HiddenRead"}  # of models.interpreter: data, free for all but the other evaluator
EVALUATORS = {  # module -> who may import it
    "models.interpreter": {
        "models.referee",
        "models.loader",
        "models.names",
        "models.checker",  # constant parts of the file, before there is a Puzzle
        "puzzlewright.pictures.scene",
        "puzzlewright.files.exporting.lifting.fixed",  # tables of what reads no state
        "puzzlewright.analysis.claims",  # judges counterexamples
        "puzzlewright.certificates.invariant_certificates",  # asks for values at the start
    },
    "models.unrolling": {"models.grounding"},
    "models.execution": set(),  # the definition of a task: for tests and readers
}
SHARED = {"place_name", "start_state"}  # all that grounding takes from the referee: names and the start
APART = {  # module -> what it must not reach, by however many imports
    "models.referee": {"models.unrolling", "models.grounding", "models.terms", "models.task", "search", "encoders"},
    "models.interpreter": {"models.unrolling", "models.grounding", "models.terms", "models.task", "search", "encoders"},
    "models.unrolling": {"models.interpreter", "models.referee", "search", "encoders"},
    "puzzlewright.certificates.recheck": {
        "models",
        "search",
        "encoders",
        "puzzlewright.certificates.bundle",
        "puzzlewright.report",
    },
    "models.execution": {
        "models.interpreter",
        "models.referee",
        "models.unrolling",
        "models.grounding",
        "models.shapes",
        "search",
        "encoders",
    },
    "search": {"models.interpreter", "models.referee", "models.unrolling", "models.grounding", "encoders"},
    "encoders": {
        "models.interpreter",
        "models.referee",
        "models.unrolling",
        "models.grounding",
        "models.metrics",  # metrics stay apart in formulas, so that a fault in their weights is noticed
        "search",
    },
}


class Import(NamedTuple):
    """One imported module, with the names taken from it (none for `import module`)."""

    module: str
    names: tuple[str, ...]
    line: int
    top: bool  # at the top level, that is: paid for by everyone who imports the file
    types: bool  # under `if TYPE_CHECKING`, that is: never executed


def imports(source: str) -> list[Import]:
    return list(_imports(tree_of(source), top=True, types=False))


def _imports(node: ast.AST, top: bool, types: bool) -> Iterator[Import]:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                yield Import(alias.name, (), node.lineno, top, types)
        case ast.ImportFrom(module=module, names=aliases, level=level):
            names = tuple(alias.name for alias in aliases)
            yield Import("." * level + (module or ""), names, node.lineno, top, types)
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            for inner in node.body:
                yield from _imports(inner, top, True)
            for inner in node.orelse:
                yield from _imports(inner, top, types)
        case _:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for child in statements_in(node):
                yield from _imports(child, top and not inside, types)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Those right below it, and what else holds statements: in an expression there is no import."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, ast.stmt | ast.ExceptHandler | ast.match_case))


@cache
def tree_of(source: str) -> ast.Module:
    return ast.parse(source)


def problems(path: str, source: str) -> list[str]:
    """What the file imports against the table."""
    found = [(each, complaint) for each in imports(source) for complaint in _complaints(path, each)]
    return [f"{path}:{each.line}: {each.module}: {complaint}" for each, complaint in found] + _dynamic(path, source)


def _complaints(path: str, found: Import) -> Iterator[str]:
    folder, package = path.split("/")[0], found.module.split(".")[0]
    if found.module.startswith("."):
        yield "imports are absolute"
    elif package in FOLDERS:
        if folder in FOLDERS and package not in FOLDERS[folder]:
            yield f"{folder} may import {', '.join(sorted(FOLDERS[folder]))}"
        yield from _independence(path, found)
    elif package not in sys.stdlib_module_names:
        yield from _ownership(path, package, found.top and not found.types)
    if any(part.startswith("test_") for part in (*found.module.split("."), *found.names)):
        yield "what is shared lives in a helper module, never in a test module"
    kernels = found.module.startswith("search.kernels") or "kernels" in found.names
    if (
        kernels
        and found.top
        and folder in FOLDERS
        and not found.types
        and not path.startswith(("search/kernels/", "search/layers/"))
    ):
        yield "only inside a function, because it loads NumPy"
    if package == "encoders" and found.top and folder == "puzzlewright" and not found.types:
        yield "only inside a function, because it loads OR-Tools"


def _ownership(path: str, package: str, top: bool) -> Iterator[str]:
    folder = path.split("/")[0]
    if folder in FOLDERS and not OWNERS.get(package, set()) & {folder, path, path.rpartition("/")[0]}:
        yield f"belongs to {', '.join(sorted(OWNERS.get(package, {'nobody'})))}"
    elif top and ((path, package) in LAZY or (package == "ortools" and folder != "encoders")):
        yield "only inside a function"


def _independence(path: str, found: Import) -> Iterator[str]:
    folder, importer = path.split("/")[0], module_of(path)
    if folder not in FOLDERS:
        return
    for module, names in modules_in(found):
        if folder in ("search", "encoders") and module.startswith("models") and module not in WAIST:
            yield f"{folder} sees {', '.join(sorted(WAIST))} only"
        if importer == "models.grounding" and module == "models.referee" and not (names and names <= SHARED):
            yield f"grounding shares {', '.join(sorted(SHARED))} with the referee, nothing more"
        if module in EVALUATORS and importer not in EVALUATORS[module]:
            evaluator = importer in EVALUATORS["models.unrolling"] or importer in EVALUATORS
            if evaluator or module != "models.interpreter" or not (names and names <= TYPES):
                yield f"only {', '.join(sorted(EVALUATORS[module])) or 'tests'} may evaluate with {module}"


def _dynamic(path: str, source: str) -> list[str]:
    """Imports that this test would not see."""
    hiding = ("import_module", "__import__")
    if path.split("/")[0] not in FOLDERS or not any(word in source for word in hiding):
        return []
    called = [node.func for node in ast.walk(tree_of(source)) if isinstance(node, ast.Call)]
    names = [(f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", ""), f.lineno) for f in called]
    return [f"{path}:{line}: {name} hides an import" for name, line in names if name in hiding]


def modules_in(found: Import) -> list[tuple[str, set[str]]]:
    """The project's modules that an import names, with what is taken from each: `from models import terms` is one."""
    inner = [f"{found.module}.{name}" for name in found.names if is_module(f"{found.module}.{name}")]
    others = {name for name in found.names if not is_module(f"{found.module}.{name}")}
    return [(module, set()) for module in inner] + ([(found.module, others)] if others or not inner else [])


def is_module(name: str) -> bool:
    place = ROOT / name.replace(".", "/")
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def files() -> list[str]:
    """Every Python file of the project; environments, caches and what is built are not part of it."""
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
    ours = (path for path in paths if not path.parts[0].startswith((".", "venv", "build", "dist")))
    return sorted(path.as_posix() for path in ours)


@cache
def graph(types: bool = False) -> dict[str, set[str]]:
    """Module -> the project's modules that it imports when executed, at the top level or later; or for types too."""
    paths = [path for path in files() if path.split("/")[0] in FOLDERS]
    return {
        module_of(path): {
            module
            for found in imports((ROOT / path).read_text())
            if (types or not found.types) and found.module.split(".")[0] in FOLDERS
            for module, _ in modules_in(found)
        }
        for path in paths
    }


def reach(starts: Collection[str], arrows: dict[str, set[str]]) -> set[str]:
    seen, todo = set(starts), list(starts)
    while todo:
        new = arrows.get(todo.pop(), set()) - seen
        seen |= new
        todo.extend(new)
    return seen


def within(module: str, places: Collection[str]) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places)


# --- the project -----------------------------------------------------------------------------------------------------


def test_imports() -> None:
    assert [(path, problem) for path in files() for problem in problems(path, (ROOT / path).read_text())] == []


def test_every_folder_is_seen() -> None:
    assert set(FOLDERS) <= {path.split("/")[0] for path in files()}


def test_what_all_wings_of_search_share_is_little() -> None:
    assert len(list((ROOT / "search").glob("*.py"))) <= 12


def test_the_application_has_few_rooms() -> None:
    """Files and packages, data not counted."""
    rooms = [
        path for path in (ROOT / "puzzlewright").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    assert len(rooms) <= 16


def test_functions_are_short() -> None:
    """Kernels are loops that numba cannot call out of."""
    for path in files():
        if path.split("/")[0] in FOLDERS and "/kernels/" not in path:
            functions = [
                node for node in ast.walk(tree_of((ROOT / path).read_text())) if isinstance(node, ast.FunctionDef)
            ]
            assert [each.name for each in functions if (each.end_lineno or 0) - each.lineno >= 40] == [], path


@pytest.mark.parametrize("package", FOLDERS)
def test_no_two_classes_of_a_package_have_one_name(package: str) -> None:
    paths = [path for path in files() if path.startswith(f"{package}/")]
    nodes = (node for path in paths for node in ast.walk(ast.parse((ROOT / path).read_text())))
    times = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert [name for name, count in times.items() if count > 1] == []


def test_no_module_imports_itself_in_a_circle() -> None:
    """Not even for types, or inside of functions."""
    arrows = graph(types=True)
    assert [module for module in arrows if module in reach(arrows[module], arrows)] == []


@pytest.mark.slow
@pytest.mark.parametrize("module", [module_of(path) for path in files() if path.split("/")[0] in FOLDERS])
def test_any_module_may_be_imported_first(module: str) -> None:
    """A package's own code may import what is on its way to one of the package's modules."""
    if not module.endswith("__main__"):
        subprocess.run([sys.executable, "-c", f"import {module}"], cwd=ROOT, check=True, timeout=300)


@pytest.mark.parametrize("place", APART)
def test_evaluators_share_no_code(place: str) -> None:
    arrows = graph()
    starts = [module for module in arrows if within(module, [place])]
    assert starts
    assert [module for module in sorted(reach(starts, arrows)) if within(module, APART[place])] == []


def test_the_command_line_loads_nothing_slow() -> None:
    slow = (
        "pydantic",
        "pydantic_core",
        "yaml",
        "numpy",
        "numba",
        "llvmlite",
        "ortools",
        "rich",
        "encoders",
    )
    code = f"import sys, puzzlewright.cli; print([name for name in {slow} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_reading_a_command_line_of_texts_loads_no_pydantic() -> None:
    code = """
import sys, atexit
from puzzlewright.__main__ import main
found = lambda: [name for name in sys.modules if "pydantic" in name or name.startswith("puzzlewright.commands.")]
atexit.register(lambda: print(found()))
sys.argv = ["puzzlewright", "solve", "nowhere.yaml", "--level", "first"]
main()
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip()) == (31, "['puzzlewright.commands.solve']")


# --- the test itself -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("models/loader.py", "import yaml"),
        ("models/loader.py", "def f():\n    from yaml import nodes"),
        ("models/text.py", "from pydantic_core import core_schema"),
        ("models/text.py", "import pydantic"),
        ("models/values.py", "import numpy as np"),
        ("models/values.py", "import search.space"),
        ("models/task.py", "if True:\n    from encoders import cpsat"),
        ("models/task.py", "from . import terms"),
        ("models/task.py", "import importlib\nimportlib.import_module('numpy')"),
        ("models/task.py", "import networkx"),
        ("models/unrolling.py", "from models.interpreter import State"),
        ("models/grounding.py", "from models import interpreter"),
        ("models/grounding.py", "from models.referee import replay"),
        ("models/grounding.py", "from models import referee"),
        ("models/interpreter.py", "from models.unrolling import Unroller"),
        ("models/decoding.py", "from models.interpreter import State, evaluate"),
        ("search/space.py", "from encoders.cpsat import solve"),
        ("search/space.py", "from models.puzzle import Puzzle"),
        ("search/space.py", "import ortools"),
        ("search/space.py", "import numba"),
        ("search/machine.py", "from models.execution import successors"),
        ("puzzlewright/solving.py", "from models.execution import successors"),
        ("search/space.py", "from search.kernels.driver import room_for"),
        ("search/compiler/codegen.py", "def f():\n    from llvmlite import ir"),
        ("encoders/cpsat.py", "import search"),
        ("encoders/cpsat.py", "from models import interpreter"),
        ("encoders/cpsat.py", "import numpy"),
        ("puzzlewright/solving/workbench.py", "import typer"),
        ("puzzlewright/solving/workbench.py", "from encoders.horizons import solve_by_horizon"),
        ("puzzlewright/solving/workbench.py", "from ortools.sat.python import cp_model"),
        ("puzzlewright/solving/workbench.py", "from models.unrolling import Unroller"),
        ("tests/test_x.py", "from ortools.sat.python import cp_model"),
        ("tests/test_x.py", "from test_y import run"),
        ("tests/helping.py", "import tests.test_y"),
        ("benchmarks/rows.py", "from tests import test_y"),
    ],
)
def test_violations_are_found(path: str, source: str) -> None:
    assert problems(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("models/yaml_reader.py", "import yaml"),
        ("models/text.py", "def f():\n    from pydantic_core import core_schema"),
        ("models/decoding.py", "from models.interpreter import Place"),
        ("search/compiler/term_tables.py", "import re\nimport numpy.typing as npt\nfrom models import terms"),
        ("puzzlewright/solving/workbench.py", "def f():\n    from encoders.horizons import solve_by_horizon"),
        ("puzzlewright/solving/workbench.py", "if TYPE_CHECKING:\n    from encoders.horizons import CpsatResult"),
        ("tests/test_x.py", "import pytest\nfrom models import interpreter"),
    ],
)
def test_what_is_allowed_is_not_found(path: str, source: str) -> None:
    assert problems(path, source) == []
