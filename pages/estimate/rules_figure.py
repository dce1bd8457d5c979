"""Coverage and width of intervals by different rules for giving them."""

from typing import Any

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, figure
from pages.charts.traces import axis, markers, vertical_mark

_HEIGHT = 420


def rules_coverage_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the share of its intervals that hold the truth, with a line at 95%."""
    low = min(0.78, float(table.coverage.min()) - 0.03)
    xaxis = axis("intervals that hold the truth", (low, 1.01), tickformat=".0%")
    return _dots(table, "coverage", "How many hold the truth?", xaxis, shapes=[vertical_mark(0.95)])


def rules_width_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the mean width of its intervals."""
    most = 1.08 * float(table.width.max())
    return _dots(table, "width", "How wide are they?", axis("mean width", (0.0, most), tickformat=".0%"))


def _dots(table: pd.DataFrame, column: str, title: str, xaxis: dict[str, Any], **more: Any) -> Figure:
    """A trace for each kind of labels, the rules from top to bottom."""
    colours = dict(zip(table.labels.unique(), (PALETTE[0], PALETTE[1], NEUTRAL), strict=False))
    symbols = dict(zip(colours, ("circle", "square", "diamond"), strict=False))
    traces = [
        markers(f"labels: {labels}", rows[column], rows.rule, colour=colours[labels], symbol=symbols[labels], size=12,
                hover="%{y}: %{x:.1%}")
        for labels, rows in table.groupby("labels", sort=False)
    ]  # fmt: skip
    names = {"type": "category", "categoryorder": "array", "categoryarray": table.rule.tolist()[::-1]}
    return figure(
        traces, title=title, height=_HEIGHT, hovermode="closest", xaxis=xaxis, yaxis={**names, "title": {"text": ""}}, **more
    )
