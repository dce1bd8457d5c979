"""Are scores probabilities? Reliability diagrams, and what calibration does to quantifiers."""

from collections.abc import Mapping

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import Style, figure, numbered_style
from pages.charts.traces import UNIT, Trace, axis, diagonal, method_markers, styled_line
from qcore.scoring.calibration import CALIBRATIONS


def _style(calibration: str) -> Style:
    return numbered_style(list(CALIBRATIONS).index(calibration), ("circle", "square", "diamond", "cross"))


def _name(calibration: str) -> str:
    return "uncalibrated" if calibration == "none" else calibration


def reliability_figure(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Share of positives by mean score, a line for each calibration; tables of `reliability`.

    The size of a marker grows with the number of instances in its bin.
    """
    lines = [reliability_line(_name(key), _style(key), table) for key, table in tables.items()]
    return figure(
        [diagonal("a probability"), *lines],
        title="Does a score of 0.7 mean 70%?",
        height=480,
        hovermode="closest",
        xaxis=axis("mean score in the bin", UNIT),
        yaxis=axis("share of positives in the bin", UNIT),
    )


def reliability_line(name: str, style: Style, table: pd.DataFrame) -> Trace:
    """Share of positives by mean score, of a table of `reliability`; a marker grows with the instances in its bin."""
    hover = "mean score %{x:.2f}, positives %{y:.2f}, %{customdata:,} instances"
    trace = styled_line(name, style, table.score, table.share, hover=hover, customdata=table.n.tolist())
    sizes = (5.0 + 13.0 * (table.n / table.n.sum()) ** 0.5).tolist()
    return trace | {"marker": {**trace["marker"], "size": sizes}}


def effects_figure(errors: Mapping[str, pd.DataFrame]) -> Figure:
    """Mean AE of each quantifier for each calibration, side by side; tables of `mean_errors`."""
    names = [_name(key) for key in errors]
    methods = next(iter(errors.values())).method.tolist()
    lines = [
        method_markers(
            method,
            names,
            [float(table.set_index("method").AE[method]) for table in errors.values()],
            size=13,
            hover="%{y:.4f}",
        )
        for method in methods
    ]
    return figure(
        lines,
        title="What does calibration do to quantifiers?",
        height=480,
        xaxis={"type": "category"},
        yaxis=axis("AE (mean)", rangemode="tozero"),
    )
