"""Frozen classes against Python's own dataclasses: what is written late is what would have been written at once."""

from __future__ import annotations

import copy
import inspect
import itertools
import pickle
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest

from models import frozen as writing
from models.frozen import frozen

FIELDS: dict[str, Any] = {
    "plain": None,
    "aside": field(default=0, compare=False),
    "usual": 3,
    "fresh": field(default_factory=list),
}
CHOICES = [names for size in range(5) for names in itertools.combinations(FIELDS, size)]


def declared(names: tuple[str, ...], after: bool = False) -> type:
    body: dict[str, Any] = {name: copy.copy(FIELDS[name]) for name in names if FIELDS[name] is not None}
    if after:
        body["__post_init__"] = lambda self: seen.append(self)
    return type("Kind", (), {**body, "__annotations__": dict.fromkeys(names, "object"), "__module__": __name__})


seen: list[object] = []


@pytest.mark.parametrize("kw_only", [False, True])
@pytest.mark.parametrize("names", CHOICES, ids="-".join)
def test_objects_are_those_of_a_dataclass(names: tuple[str, ...], kw_only: bool) -> None:
    ours: Any = frozen(eq=True, kw_only=kw_only)(declared(names))
    theirs: Any = dataclass(eq=True, unsafe_hash=True, kw_only=kw_only)(declared(names))
    arguments = [dict(zip(names, values, strict=True)) for values in itertools.product((1, 2), repeat=len(names))]
    some = [(ours(**each), theirs(**each)) for each in arguments]
    assert [repr(mine) for mine, _ in some] == [repr(other) for _, other in some]
    assert [vars(mine) for mine, _ in some] == [vars(other) for _, other in some]
    for (a, x), (b, y) in itertools.product(some, repeat=2):
        assert (a == b) == (x == y) and (hash(a) == hash(b)) == (hash(x) == hash(y)) and a != x
    few = {name: 1 for name in names if name == "plain"}
    one, other = ours(**few), ours(**few)
    assert vars(one) == vars(theirs(**few)) and [each.name for each in fields(one)] == list(names)
    assert not names or "fresh" not in names or one.fresh is not other.fresh
    assert replace(one, **few) == one and ours.__match_args__ == theirs.__match_args__
    parameters = [(each.name, each.kind) for each in inspect.signature(ours).parameters.values()]
    assert parameters == [(each.name, each.kind) for each in inspect.signature(theirs).parameters.values()]
    if "plain" in names:
        with pytest.raises(TypeError, match="missing 1 required .* argument: 'plain'"):
            ours()


def test_what_follows_is_called() -> None:
    ours: Any = frozen()(declared(("plain",), after=True))
    seen.clear()
    made = [ours(1), ours(2)]
    assert seen == made and made[0] != ours(1), "identity counts"


@frozen(eq=True, slots=True)
class Pair:
    left: int
    right: int = 0


@frozen(eq=True)
class Named(Pair):
    name: str = ""


class Sub(Named):
    """A class that nobody decorates."""


@pytest.mark.parametrize("made", [Pair(1), Named(1, 2, "x"), Sub(1, name="y")], ids=repr)
def test_slots_heirs_and_copies(made: Pair) -> None:
    assert pickle.loads(pickle.dumps(made)) == copy.copy(made) == made and made.left == 1
    assert not hasattr(Pair(1), "__dict__") and Pair(1) != Named(1) and Named(1) != Sub(1)


def test_own_methods_stay() -> None:
    @frozen(eq=True)
    class Told:
        it: int

        def __repr__(self) -> str:
            return "told"

    assert repr(Told(1)) == "told" and Told(1) == Told(1)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, RecursionError, MemoryError])
def test_what_comes_between_is_no_answer(monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]) -> None:
    """Python takes objects for unequal whose `__eq__` cannot be looked up, and says nothing."""

    def interrupted(kind: type) -> str:
        raise raised

    for name in ("_eq_text", "_hash_text"):
        monkeypatch.setattr(writing, name, interrupted)
    kind: Any = frozen(eq=True)(declared(("plain",)))
    one, other = kind(1), kind(1)
    for attempt in (lambda: one == other, lambda: hash(one), lambda: one in {other: 0}, lambda: [one].index(other)):
        with pytest.raises(raised):
            attempt()
