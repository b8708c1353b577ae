"""Search kernels: numba functions of fixed signatures, compiled once per machine and kept on disk.

A kernel is independent of the puzzle: it calls the puzzle's machine code by its address. It neither raises nor
allocates; its driver makes the arrays, grows them when the kernel asks for room, and looks at clock, memory and Ctrl-C
between two calls. Importing this package takes long, so only a search that has outgrown Python does it.

Numba's own key for a compiled function is the file it stands in; functions of other files that are compiled into it are
not seen. So the compiled kernels of one text of the whole package have a folder of their own.
"""

import atexit
import hashlib
import shutil
import tempfile
from pathlib import Path

from numba import config

from search.cache import cache_folder


def _compiled_kernels() -> Path:
    """A folder that can be written; where the user's caches cannot, one that only this process knows."""
    here = Path(__file__).parent
    text = b"".join(path.read_bytes() for path in sorted(here.glob("*.py")))
    folder = cache_folder() / f"kernels-{hashlib.sha256(text).hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        alone = tempfile.mkdtemp(prefix="puzzlewright-kernels-")
        atexit.register(shutil.rmtree, alone, ignore_errors=True)
        return Path(alone)


if not getattr(config, "CACHE_DIR", ""):
    config.CACHE_DIR = str(_compiled_kernels())  # type: ignore[attr-defined]
