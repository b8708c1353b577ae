"""Machine code: put into memory without LLVM, kept on disk by what it is made of, and the program's digest."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

import puzzlewright as pw
from models.outcomes import ENDLESS, LimitReached, Outcome
from puzzlewright.solving.workbench import Workbench
from search import cache, machine, registry
from search.compiler import code, jit
from search.compiler.code import compile_text, loaded
from search.compiler.in_memory import Care, Code, InMemory
from search.kernels import keeping
from search.kernels.keeping import ObjectCode
from search.layers import going_over
from search.registry import search_with

TEXT = """
@more = global i64 7
@table = internal constant [4 x i64] [i64 1, i64 10, i64 100, i64 1000]
define i64 @f(i64 %x) {
  %at = getelementptr [4 x i64], ptr @table, i64 0, i64 %x
  %found = load i64, ptr %at
  %more = load i64, ptr @more
  %sum = add i64 %found, %more
  ret i64 %sum
}
define i64 @g(i64 %x) {
  %y = add i64 %x, 1
  %z = call i64 @f(i64 %y)
  ret i64 %z
}"""
NAMES = ["f", "g", "more"]
CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "code"


def values(made: Code) -> list[int]:
    """Before and after what both functions add is another number."""
    found = [CALL(made.addresses[name])(x) for name, x in (("f", 0), ("f", 3), ("g", 1))]
    ctypes.c_int64.from_address(made.addresses["more"]).value = -2
    return [*found, CALL(made.addresses["f"])(2)]


@pytest.mark.parametrize("care", Care)
def test_code_does_the_same_with_llvm_and_without(care: Care) -> None:
    made = jit.object_of(TEXT, ENDLESS, care)
    assert isinstance(loaded(NAMES, made).engine, InMemory)
    assert values(loaded(NAMES, made)) == values(jit.linked(NAMES, made)) == [8, 1007, 107, 98]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can be forked")
def test_a_fork_writes_to_memory_of_its_own() -> None:
    """What code writes, and where a machine writes successors: else one process reads the other's."""
    made, room = loaded(NAMES, jit.object_of(TEXT, ENDLESS, Care.FULL)), machine._buffer(ctypes.c_uint64, 1)
    if not (child := os.fork()):
        room[0] = values(made)[0]
        os._exit(0)
    os.waitpid(child, 0)
    assert room[0] == 0 and ctypes.c_int64.from_address(made.addresses["more"]).value == 7


def test_what_the_library_of_c_has_is_found() -> None:
    """LLVM calls it for a loop that writes zeros."""
    text = """
declare ptr @memset(ptr, i32, i64)
define i64 @f(i64 %x) {
  %room = alloca i64
  store i64 %x, ptr %room
  %same = call ptr @memset(ptr %room, i32 1, i64 2)
  %found = load i64, ptr %room
  ret i64 %found
}"""
    made = compile_text(text, ["f"])
    assert isinstance(made.engine, InMemory) and CALL(made.addresses["f"])(0x12345678) == 0x12340101


def test_what_needs_more_is_left_to_llvm() -> None:
    text = """
declare i32 @getpid()
define i64 @f(i64 %x) {
  %number = call i32 @getpid()
  %long = zext i32 %number to i64
  %sum = add i64 %long, %x
  ret i64 %sum
}"""
    made = compile_text(text, ["f"])
    assert not isinstance(made.engine, InMemory) and CALL(made.addresses["f"])(5) == os.getpid() + 5


@pytest.mark.parametrize(("at", "byte"), [(0, 0), (4, 1), (16, 2), (18, 183)])  # no ELF, 32 bits, a program, ARM
def test_code_of_another_kind_is_refused(at: int, byte: int) -> None:
    made = bytearray(jit.object_of(TEXT, ENDLESS, Care.NONE))
    made[at] = byte
    with pytest.raises(ValueError, match="another kind"):
        InMemory(bytes(made))


def test_another_way_to_refer_is_refused() -> None:
    """R_X86_64_PC32 (2) in place of R_X86_64_64 (1), where the table's address belongs."""
    made = jit.object_of(TEXT, ENDLESS, Care.NONE)
    found = InMemory(made)
    first = next(each for each in found._sections if each.kind == 4 and each.info in found._at).offset
    with pytest.raises(ValueError, match="in another way"):
        InMemory(made[: first + 8] + b"\x02" + made[first + 9 :])


# -- on disk -----------------------------------------------------------------------------------------------------------


def test_code_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = values(compile_text(TEXT, NAMES, keeps=True))
    with monkeypatch.context() as patched:
        patched.setattr(jit, "object_of", None)
        assert values(compile_text(TEXT, NAMES, keeps=True)) == made
    (file,) = folder.iterdir()
    for damaged in (b"", file.read_bytes()[:-1], file.read_bytes()[:-9] + bytes(9)):
        file.write_bytes(damaged)
        assert values(compile_text(TEXT, NAMES, keeps=True)) == made


def test_all_that_decides_code_is_in_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_text(TEXT, NAMES)
    assert not folder.exists()
    compile_text(TEXT, NAMES, keeps=True)
    other = compile_text(TEXT.replace("i64 7", "i64 5"), NAMES, keeps=True)
    assert CALL(other.addresses["f"])(0) == 6
    compile_text(TEXT, NAMES, care=Care.NONE, keeps=True)
    monkeypatch.setattr(code, "processor", lambda: "another")
    compile_text(TEXT, NAMES, keeps=True)
    monkeypatch.setattr(code, "installed", lambda name: "another")
    compile_text(TEXT, NAMES, keeps=True)
    assert len(list(folder.iterdir())) == 5


def test_the_oldest_code_makes_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_text(TEXT, NAMES, keeps=True)
    (first,) = folder.iterdir()
    os.utime(first, (0, 0))
    monkeypatch.setattr(code, "MOST_BYTES", first.stat().st_size + 10)
    compile_text(TEXT + "\n", NAMES, keeps=True)
    assert not first.exists() and len(list(folder.iterdir())) == 1


def test_who_must_not_believe_keeps_no_code(folder: Path) -> None:
    puzzle = pw.load("n_puzzle", "easy-8")
    for remembers in (False, True):
        made = Workbench(puzzle, memory=remembers).machine()
        assert made.successors(made.initial) and folder.exists() == remembers


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError

    for name in ("PUZZLEWRIGHT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert values(compile_text(TEXT, NAMES, keeps=True)) == [8, 1007, 107, 98]
    assert len(cache.program.__wrapped__(("search/cache.py",))) == 16
    assert pw.solve(pw.load("n_puzzle", "two-by-three"), heuristic="derived").cost == 21


def test_where_nothing_can_be_written_searches_are_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are not kept, and no search goes over to the disk."""

    def none() -> str:
        raise FileNotFoundError("no usable folder")

    def no_memory(*_: object) -> None:
        raise LimitReached(Outcome.MEMORY_LIMIT)

    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", os.path.join(os.devnull, "x"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", none)
    folder = keeping.folder.__wrapped__()
    monkeypatch.setattr(keeping, "folder", lambda: folder)
    assert keeping.kept("x") is None and not keeping.any_kept()
    assert keeping.keep("x", made := ObjectCode("x", b"code")) is made
    monkeypatch.setattr(going_over, "in_memory", no_memory)
    monkeypatch.setattr(registry, "SMALL", 0)
    found = search_with("bfs", Workbench(pw.load("n_puzzle", "seed-8")).machine())
    assert found.outcome is Outcome.MEMORY_LIMIT


def test_where_linux_tells_no_processor_llvm_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "PROCESSOR", tmp_path / "none")
    assert code.processor.__wrapped__() == jit.processor()


def test_folders_of_the_path_that_nobody_may_read_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python does so when it imports. What is no folder, or is gone, is no more than that."""
    shut, listed = tmp_path / "shut", os.listdir
    (tmp_path / "open" / "Some_Thing-1.2.dist-info").mkdir(parents=True)

    def guarded(folder: str) -> list[str]:
        if folder == str(shut):
            raise PermissionError(folder)
        return listed(folder)

    shut.mkdir()
    monkeypatch.setattr(os, "listdir", guarded)
    monkeypatch.setattr(sys, "path", ["", str(shut), str(tmp_path / "gone"), __file__, str(tmp_path / "open")])
    assert cache.installed.__wrapped__("some-thing") == "1.2"
    assert cache.installed.__wrapped__("other") == "not installed"


# -- the program's digest ----------------------------------------------------------------------------------------------


def test_the_digest_of_a_program_is_worked_out_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another text of the same length is another program, and so is one in another file."""
    one, two = tmp_path / "parts" / "one.py", tmp_path / "parts" / "in" / "two.py"
    two.parent.mkdir(parents=True)
    one.write_text("1")
    two.write_text("2")

    def digest() -> str:
        time.sleep(1.5 * cache.TICK / 1e9)
        cache._texts.cache_clear()
        return cache.program.__wrapped__((str(tmp_path / "parts"),))

    first = digest()
    with monkeypatch.context() as patched:
        patched.setattr(cache, "_digest", None)
        assert digest() == first
    one.write_text("3")
    second = digest()
    one.write_text("1")
    one.rename(one.with_name("six.py"))
    assert len({first, second, digest()}) == 3
