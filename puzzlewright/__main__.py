"""Entry points: `puzzlewright ...`, `solve ...`, `python -m puzzlewright ...`."""

from __future__ import annotations

import json
import sys

from models.outcomes import Outcome


def main() -> None:
    """The whole command line. With --json a usage error is one JSON object too."""
    from puzzlewright.cli import app

    try:
        app(prog_name="puzzlewright")
    except SystemExit as leaving:
        if leaving.code == Outcome.USAGE_ERROR.exit_code and "--json" in sys.argv:
            print(json.dumps({"schema_version": 1, "outcome": "usage-error", "exit_code": 2, "diagnostics": []}))
        raise


def solve_main() -> None:
    """`solve ...` is `puzzlewright solve ...`."""
    sys.argv.insert(1, "solve")
    main()


if __name__ == "__main__":
    main()
