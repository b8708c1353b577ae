"""What a process does for the workshop: each work with what it needs of the job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlewright.play.edit.painting import designed, figures, painted
from puzzlewright.play.edit.reading import check_text, look
from puzzlewright.play.game import Game, GameSource

Told = dict[str, Any]
Ready = Callable[[GameSource], Game]  # a level that can be played
Work = Callable[[GameSource, Mapping[str, Any], Ready], Told]

WORKS: Mapping[str, Work] = {
    "look": lambda source, job, ready: look(source, ready),
    "check": lambda source, job, ready: check_text(source, job["seconds"]),
    "paint": lambda source, job, ready: painted(source, job["maps"], job["name"], job["known"]),
    "figures": lambda source, job, ready: figures(ready(source)),
    "design": lambda source, job, ready: designed(source, job["want"], job["seconds"], job["random"]),
}
