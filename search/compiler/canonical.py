"""The canonical form of a packed state as machine code: blocks sorted, stored objects renamed (`proofs.symmetry`).

Blocks become words and are sorted by a network of comparisons without branches; its size is that of insertion sort,
which is optimal up to four blocks and good enough for the dozen that puzzles have (Knuth, volume 3, 5.3.4). Names are
given in a register that holds one entry for each object. The images of a state are looked up, some bits at a time; the
least one is that of the least number.
"""

from __future__ import annotations

from collections.abc import Sequence

from search.compiler.codegen import over_states
from search.compiler.emitter import Emitter, Output, signed
from search.compiler.layout import WORD, Field, Layout
from search.compiler.scopes import Usage
from search.compiler.tabulation import ConstantPool
from search.proofs.symmetry import CanonicalStep, Image, Mirroring, Renaming, Sorting

CANONICAL_EXPAND = f"""
define i64 @expand(ptr %states, i64 %n, {Output.HEADER}) {{
  %found = call i64 @plain(ptr %states, i64 %n, ptr %out, ptr %actions, ptr %parents, ptr %costs)
  call void @canonical(ptr %out, i64 %found)
  ret i64 %found
}}"""


PIECE = 8  # bits of a word whose image is one look-up; wider fields have one to themselves
WIDEST = 12  # bits of a field
MOST_WORDS = 8  # of a state that is mirrored


def obstacle(layout: Layout, step: CanonicalStep) -> str:
    """Why the step cannot be printed, "" if it can: blocks and names fit into a word, mirrored states into a few."""
    match step:
        case Mirroring():
            return _no_mirror(layout, step)
        case Sorting():
            return _no_sorting(layout, step)
        case Renaming():
            return _no_renaming(layout, step)


def _no_mirror(layout: Layout, step: Mirroring) -> str:
    if layout.words > MOST_WORDS:
        return f"a state has more than {MOST_WORDS * WORD} bits"
    if any(field.width > WIDEST for field in layout.fields):
        return f"a variable has more than {1 << WIDEST:,} values"
    return "" if all(_mirrored(layout, image) for image in step.images) else "images have values that states have not"


def _no_sorting(layout: Layout, step: Sorting) -> str:
    columns = zip(*([layout.fields[v].values for v in block] for block in step.blocks), strict=True)
    if any(len(set(column)) > 1 for column in columns):
        return "its objects have different values"
    wide = sum(layout.fields[v].width for v in step.blocks[0]) > WORD
    return f"one of its objects takes more than {WORD} bits of the state" if wide else ""


def _no_renaming(layout: Layout, step: Renaming) -> str:
    if not all(set(p) <= set(layout.fields[v].values) for v, p in zip(step.variables, step.places, strict=True)):
        return "not every variable may have all its objects"
    objects = len(step.places[0])
    return f"{objects} objects are too many to be named anew" if objects * _name_bits(objects) > WORD else ""


def _name_bits(objects: int) -> int:
    return max(1, (objects - 1).bit_length())


def write_canonical(layout: Layout, pool: ConstantPool, steps: Sequence[CanonicalStep]) -> str:
    """canonical(states, n): replaces each state by its canonical form."""
    emitter = Emitter(layout, pool, Usage())
    for step in steps:
        match step:
            case Sorting():
                _sort(emitter, step)
            case Renaming():
                _rename(emitter, step)
            case Mirroring():
                _mirror(emitter, step)
    for k, word in enumerate(emitter.words):
        place = emitter.value(f"add i64 {emitter.value(f'mul i64 %s, {layout.words}')}, {k}")
        pointer = emitter.value(f"getelementptr i64, ptr %states, i64 {place}")
        emitter.line(f"  store i64 {word}, ptr {pointer}")
    return over_states("void @canonical", "", emitter, after=["  ret void"])


def _put(emitter: Emitter, field: Field, code: str) -> None:
    """The field's code in the word at hand."""
    hole = ~field.mask & (1 << WORD) - 1
    kept = emitter.value(f"and i64 {emitter.words[field.word]}, {signed(hole)}")
    moved = emitter.value(f"shl i64 {code}, {field.shift}") if field.shift else code
    emitter.words[field.word] = emitter.value(f"or i64 {kept}, {moved}")


def _sort(emitter: Emitter, step: Sorting) -> None:
    blocks = [[emitter.layout.fields[v] for v in block if emitter.layout.fields[v].width] for block in step.blocks]
    keys = [_side_by_side(emitter, block) for block in blocks]
    for last in range(1, len(keys)):
        for k in range(last, 0, -1):
            smaller = emitter.value(f"icmp ult i64 {keys[k]}, {keys[k - 1]}")
            low = emitter.choose(smaller, keys[k], keys[k - 1])
            keys[k] = emitter.choose(smaller, keys[k - 1], keys[k])
            keys[k - 1] = low
    for block, key in zip(blocks, keys, strict=True):
        moved = 0
        for field in block:
            part = emitter.value(f"lshr i64 {key}, {moved}") if moved else key
            _put(emitter, field, emitter.value(f"and i64 {part}, {(1 << field.width) - 1}"))
            moved += field.width


def _side_by_side(emitter: Emitter, block: Sequence[Field]) -> str:
    """The block's fields side by side."""
    key, moved = "0", 0
    for field in block:
        code = emitter.bits(field)
        part = emitter.value(f"shl i64 {code}, {moved}") if moved else code
        key = emitter.value(f"or i64 {key}, {part}")
        moved += field.width
    return key


def _rename(emitter: Emitter, step: Renaming) -> None:
    """In the variables' order: an object met first gets the next name, one met before the name it has."""
    width = _name_bits(len(step.places[0]))
    names, seen, following = "0", "0", "0"
    for variable, places in zip(step.variables, step.places, strict=True):
        field = emitter.layout.fields[variable]
        if not field.width:
            continue
        code = emitter.bits(field)
        number = {field.codes[place]: k for k, place in enumerate(places)}
        size = 1 << field.width
        is_object = emitter.value(f"trunc i64 {emitter.fetched([int(c in number) for c in range(size)], code)} to i1")
        object_ = emitter.fetched([number.get(c, 0) for c in range(size)], code)
        slot = emitter.value(f"mul i64 {object_}, {width}")
        bit = emitter.value(f"shl i64 1, {object_}")
        met = emitter.value(f"icmp ne i64 {emitter.value(f'and i64 {seen}, {bit}')}, 0")
        old = emitter.value(f"and i64 {emitter.value(f'lshr i64 {names}, {slot}')}, {(1 << width) - 1}")
        name = emitter.choose(met, old, following)
        fresh = emitter.value(f"select i1 {met}, i1 false, i1 {is_object}")
        added = emitter.value(f"or i64 {names}, {emitter.value(f'shl i64 {following}, {slot}')}")
        names = emitter.choose(fresh, added, names)
        seen = emitter.choose(fresh, emitter.value(f"or i64 {seen}, {bit}"), seen)
        following = emitter.value(f"add i64 {following}, {emitter.value(f'zext i1 {fresh} to i64')}")
        renamed = emitter.fetched([field.codes[place] for place in places], name)
        _put(emitter, field, emitter.choose(is_object, renamed, code))


def _mirrored(layout: Layout, image: Image) -> bool:
    """Have all values that come to a variable a code there?"""
    return all(
        {table[value] for value in layout.fields[source].values} <= set(layout.fields[number].values)
        for number, (source, table) in enumerate(image)
    )


def _mirror(emitter: Emitter, step: Mirroring) -> None:
    """The least of all images, as one number."""
    pieces = _pieces(emitter.layout.fields)
    indices = [_bits(emitter, piece) for piece in pieces]
    least = list(emitter.words)
    for image in step.images[1:]:
        words = _image(emitter, pieces, indices, image)
        smaller = _below(emitter, words, least)
        least = [emitter.choose(smaller, new, old) for new, old in zip(words, least, strict=True)]
    emitter.words[:] = least


def _pieces(fields: Sequence[Field]) -> list[list[int]]:
    """The numbers of the fields that have bits, neighbours together as far as one look-up goes."""
    pieces: list[list[int]] = []
    places = {number: (field.word, field.shift) for number, field in enumerate(fields) if field.width}
    for number in sorted(places, key=places.__getitem__):
        field, first = fields[number], fields[pieces[-1][0]] if pieces else None
        if first is None or first.word != field.word or field.shift + field.width - first.shift > PIECE:
            pieces.append([])
        pieces[-1].append(number)
    return pieces


def _image(emitter: Emitter, pieces: Sequence[Sequence[int]], indices: Sequence[str], image: Image) -> list[str]:
    """The words of an image."""
    fields = emitter.layout.fields
    targets = {source: (fields[number], table) for number, (source, table) in enumerate(image)}
    words = ["0"] * emitter.layout.words
    for piece, index in zip(pieces, indices, strict=True):
        moved = [(fields[number], *targets[number]) for number in piece]
        for word in sorted({new.word for _, new, _ in moved}):
            found = emitter.fetched(_images(moved, word), index)
            words[word] = emitter.value(f"or i64 {words[word]}, {found}")
    return words


def _below(emitter: Emitter, words: Sequence[str], others: Sequence[str]) -> str:
    """Is the one state less than the other? The last word decides, the one before it where these are equal, ..."""
    found = ""
    for word, other in zip(words, others, strict=True):
        smaller = emitter.value(f"icmp ult i64 {word}, {other}")
        if found:
            same = emitter.value(f"icmp eq i64 {word}, {other}")
            smaller = emitter.value(f"select i1 {same}, i1 {found}, i1 {smaller}")
        found = smaller
    return found


def _bits(emitter: Emitter, piece: Sequence[int]) -> str:
    """The bits of neighbouring fields, from the first one on."""
    first, last = (emitter.layout.fields[number] for number in (piece[0], piece[-1]))
    word, width = emitter.words[first.word], last.shift + last.width - first.shift
    moved = emitter.value(f"lshr i64 {word}, {first.shift}") if first.shift else word
    return emitter.value(f"and i64 {moved}, {(1 << width) - 1}")


def _images(piece: Sequence[tuple[Field, Field, Sequence[int]]], word: int) -> list[int]:
    """For all bits of neighbouring fields what becomes of them in a word; `piece`: field, new field, new values."""
    first, last = piece[0][0], piece[-1][0]
    entries = [0] * (1 << last.shift + last.width - first.shift)
    for bits in range(len(entries)):
        for old, new, table in piece:
            code = bits >> old.shift - first.shift & (1 << old.width) - 1
            if code < len(old.values) and new.word == word:
                entries[bits] |= new.codes[table[old.values[code]]] << new.shift
    return [signed(entry) for entry in entries]
