"""How well instances are classified by prevalence, before and after their scores are adjusted."""

from typing import Any, Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, Style, figure
from pages.charts.traces import axis, styled_line, vertical_mark
from qcore.studies.posteriors import ADJUSTMENTS

_STYLES: Final = (Style(PALETTE[0], "dash", "circle"), Style(PALETTE[1], "solid", "square"), Style(NEUTRAL, "dot", "diamond"))
_TITLES: Final = {"accuracy": "accuracy", "F1": "F1", "cost": "cost per instance"}


def decisions_figure(table: pd.DataFrame, measure: str, training_prevalence: float) -> Figure:
    """A line for each way of adjusting; the table of `decisions_by_prevalence`, `measure` one of its last three columns."""
    lines = [
        styled_line(f"scores {name}" if name == "as they are" else f"adjusted {name}", style, rows.true, rows[measure],
                    hover="%{y:.3f}", width=2.5)
        for name, style in zip(ADJUSTMENTS, _STYLES, strict=True)
        for rows in [table[table.adjusted == name]]
    ]  # fmt: skip
    percent: dict[str, Any] = {} if measure == "cost" else {"tickformat": ".1~%"}
    return figure(
        lines,
        title=f"Does knowing how many help to know which? {_TITLES[measure].capitalize()}",
        height=360,
        shapes=[vertical_mark(training_prevalence)],
        xaxis=axis("true prevalence of the sample", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis(_TITLES[measure], **percent),
    )
