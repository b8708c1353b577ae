"""Entry points: `puzzlewright ...`, `solve ...`, `python -m puzzlewright ...`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO, cast

HOME = Path(__file__).resolve().parents[1]
if __name__ == "__main__" and Path(sys.path[0] or ".").resolve() == Path.cwd() != HOME:
    del sys.path[0]  # put there by `python -m`: the folder may have a `models.py` of its own

from models.outcomes import Outcome  # noqa: E402


def main() -> None:
    """The whole command line; streams that a shell has closed, or that take no more, are no reason to fail unsaid."""
    sys.stdin, sys.stdout, sys.stderr = opened(sys.stdin, "r"), opened(sys.stdout, "w"), opened(sys.stderr, "w")
    try:
        code = _run()
    except OSError as error:
        code = _unwritten(error)
    sys.exit(code)


def _run() -> int | None:
    """The exit code. With --json a usage error is one JSON object too."""
    gc.set_threshold(100_000)  # what is made at the start, and terms, live to the end
    try:
        from puzzlewright.cli import app
        from puzzlewright.printing.desk import Abort, UsageError
    except KeyboardInterrupt:
        return Outcome.INTERRUPTED.exit_code
    try:
        code: int | None = app(prog_name="puzzlewright", standalone_mode=False)
    except UsageError as error:
        return _usage_error(error)
    except Abort:
        return Outcome.INTERRUPTED.exit_code
    return code


def opened(stream: TextIO | None, mode: str) -> TextIO:
    """The stream; where a shell has closed it (`>&-`), one that holds nothing and keeps nothing."""
    return stream or cast(TextIO, open(os.devnull, mode, encoding="utf-8"))


def _unwritten(error: OSError) -> int:
    """A standard stream takes no more, of a full disk for instance: say so, and try no more."""
    with suppress(OSError):
        print(f"the output could not be written: {error.strerror}", file=sys.stderr)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    return 1


def _usage_error(error: Exception) -> int:
    error.show()  # type: ignore[attr-defined]
    if "--json" in sys.argv:
        from models.errors import Diagnostic
        from puzzlewright.printing.reports import json_text, write
        from puzzlewright.report import Report, as_json

        command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
        message = error.format_message()  # type: ignore[attr-defined]
        write(json_text(as_json(Report(command, Outcome.USAGE_ERROR, diagnostics=(Diagnostic(message, None),)))))
        sys.stdout.flush()
    return Outcome.USAGE_ERROR.exit_code


def solve_main() -> None:
    """`solve ...` is `puzzlewright solve ...`."""
    sys.argv.insert(1, "solve")
    main()


if __name__ == "__main__":
    main()
