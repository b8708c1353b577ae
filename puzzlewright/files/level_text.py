"""The text of a level file from its bytes: by its mark, by what XML declares, else UTF-8.

Names in old collections are in other encodings and say so nowhere; what is no UTF-8 becomes U+FFFD, which a level file
may have anywhere but in the level that is asked for.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from models.errors import Diagnostic, Location, PuzzleError

LARGEST = 1 << 24  # bytes
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_KNOWN = re.compile(r"(utf|us-?ascii|ascii|iso|latin|windows|cp|koi8|mac|big5|gb|euc|shift)[a-z0-9._-]*", re.IGNORECASE)


def level_text(data: bytes, source: str) -> str:
    """The text; PuzzleError where the file is too large, or not in the encoding that it declares."""
    if len(data) > LARGEST:
        message = f"a level file has at most {LARGEST >> 20} MB"
        raise PuzzleError(Diagnostic(message, None, "cut it into several files", code="E014"))
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    declared = _DECLARED.match(data)
    return data.decode("utf-8", "replace") if declared is None else _decoded(data, declared[1].decode(), source)


def _decoded(data: bytes, encoding: str, source: str) -> str:
    place = Location(source, 1, 1)
    try:
        if _KNOWN.fullmatch(encoding):
            with suppress(LookupError):
                return data.decode(encoding)
        message = f"the encoding {encoding!r} that this file declares is not known"
    except UnicodeError as error:
        message = f"this file is not in the encoding {encoding!r} that it declares"
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        place = Location(source, data.count(b"\n", 0, start) + 1, start - data.rfind(b"\n", 0, start))
    raise PuzzleError(Diagnostic(message, place, code="E503"))
