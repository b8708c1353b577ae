"""Entry points: `puzzlewright ...`, `solve ...`, `python -m puzzlewright ...`."""

from __future__ import annotations

import gc
import sys

from models.outcomes import Outcome


def main() -> None:
    """The whole command line. With --json a usage error is one JSON object too."""
    gc.set_threshold(100_000)  # what is made at the start, and terms, live to the end
    try:
        from puzzlewright.cli import app
        from puzzlewright.desk import Abort, UsageError
    except KeyboardInterrupt:
        sys.exit(Outcome.INTERRUPTED.exit_code)
    try:
        code = app(prog_name="puzzlewright", standalone_mode=False)
    except UsageError as error:
        sys.exit(_usage_error(error))
    except Abort:
        sys.exit(Outcome.INTERRUPTED.exit_code)
    sys.exit(code)


def _usage_error(error: Exception) -> int:
    error.show()  # type: ignore[attr-defined]
    if "--json" in sys.argv:
        from models.errors import Diagnostic
        from puzzlewright.printing import json_text, write
        from puzzlewright.report import Report, as_json

        command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
        message = error.format_message()  # type: ignore[attr-defined]
        write(json_text(as_json(Report(command, Outcome.USAGE_ERROR, diagnostics=(Diagnostic(message, None),)))))
    return Outcome.USAGE_ERROR.exit_code


def solve_main() -> None:
    """`solve ...` is `puzzlewright solve ...`."""
    sys.argv.insert(1, "solve")
    main()


if __name__ == "__main__":
    main()
