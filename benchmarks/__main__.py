"""`python -m benchmarks`: measure, print tables, keep the raw figures where asked."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.levels import Absent
from benchmarks.peers import Peers
from benchmarks.processes import Failed
from benchmarks.report import Record, machine_lines, table
from benchmarks.rivals import FRONT, RIVALS, means
from benchmarks.rows import RATES, ROWS, TITLES, mean_record
from benchmarks.session import ROOT, Row, Session


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    shared = ROOT.parent / "shared"
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", default="*", metavar="NAME,...", help="rows by name, * allowed; see --list")
    parser.add_argument("--list", action="store_true", help="name the rows and end")
    parser.add_argument("--quick", action="store_true", help="a subset, with fewer repetitions: about a minute")
    parser.add_argument("--rounds", type=int, help="repetitions of every row, instead of its own number")
    parser.add_argument("--peers", type=Path, default=shared / "peers", metavar="DIR",
                        help="folder with pddl/ and anchors/ (default: %(default)s)")  # fmt: skip
    parser.add_argument("--data", type=Path, default=shared / "data", metavar="DIR",
                        help="folder with collections of levels (default: %(default)s)")  # fmt: skip
    parser.add_argument("--peers-env", type=Path, default=Path(os.environ.get("PEERS_ENV", sys.prefix)), metavar="DIR",
                        help="virtual environment with the planners' wheels; also $PEERS_ENV")  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures of all runs")
    return parser.parse_args(argv)


def chosen(asked: argparse.Namespace) -> list[Row]:
    patterns = asked.only.split(",")
    named = [row for row in ROWS if any(fnmatch.fnmatch(row.name, pattern) for pattern in patterns)]
    return [row for row in named if row.quick] if asked.quick and asked.only == "*" else named


def keep_bytecode(scratch: Path) -> None:
    """Every Python program, ours and the planners', finds its modules compiled, as it does once it is installed (from
    its second run on, or from the first where PYTHONPYCACHEPREFIX names a folder that has them)."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(scratch / "bytecode"))


def measure(row: Row, session: Session) -> list[Record]:
    """A row whose level is absent, or in which the product fails, is one line that says so."""
    print(f"{row.name} ...", file=sys.stderr, flush=True)
    try:
        return row.records(session)
    except Absent as reason:
        return [{"row": row.name, "note": f"skipped: {reason}"}]
    except Failed as reason:
        return [{"row": row.name, "note": f"failed: {reason}"}]


def main(argv: Sequence[str] | None = None) -> int:
    asked = arguments(argv)
    rows = chosen(asked)
    if asked.list:
        print("\n".join(f"{row.name:32}{row.table:8}{'quick' if row.quick else ''}".rstrip() for row in rows))
        return 0
    if not rows:
        print(f"no row is named {asked.only!r}; see --list", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as scratch:
        keep_bytecode(Path(scratch))
        peers = Peers(asked.peers.resolve(), asked.peers_env.absolute(), Path(scratch))
        session = Session(peers, asked.data.resolve(), asked.quick, asked.rounds)
        machine = machine_lines(peers.versions())
        print("\n".join(machine) + "\n", flush=True)
        for name, title in TITLES.items():
            _print_table(name, title, [row for row in rows if row.table == name], session)
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine, "rows": session.raw}, indent=1) + "\n", "utf-8")
    return 0


def _print_table(name: str, title: str, rows: Sequence[Row], session: Session) -> None:
    records = [record for row in rows for record in measure(row, session)]
    if name == RATES and (mean := mean_record(records)):
        records.append(mean)
    if records:
        print(table(title, records), flush=True)
    whole = [record for record in records if name in (RIVALS, FRONT) and "product" in record]
    if whole and (found := means(whole)):
        print(table("Each planner beside the product (ratio: geometric mean, planner / product)", found), flush=True)


if __name__ == "__main__":
    sys.exit(main())
