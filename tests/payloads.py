"""What a report has besides a plan, as tests ask for it."""

from __future__ import annotations

from typing import Any

from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.report import Reason, Reasons, Report


def figures_of(report: Report) -> dict[str, Any]:
    """The figures of a state space, as JSON has them."""
    found = report.payload(SpaceFigures)
    assert found is not None
    figures: dict[str, Any] = found.as_json()["exploration"]
    return figures


def reasons_of(report: Report) -> tuple[Reason, ...]:
    found = report.payload(Reasons)
    return () if found is None else found.reasons
