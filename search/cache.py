"""Where what was worked out before is kept on disk: the user's own cache folder, trusted as Python trusts its own."""

import os
from pathlib import Path


def cache_folder() -> Path:
    override = os.environ.get("PUZZLEWRIGHT_CACHE")
    if override:
        return Path(override)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzlewright"
