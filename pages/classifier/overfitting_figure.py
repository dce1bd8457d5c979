"""The error of ever more complex models on their training data, out of fold and on the pool."""

from typing import Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEGATIVES, NEUTRAL, POSITIVES, Style, figure
from pages.charts.traces import axis, styled_line

_STYLES: Final = {
    "training": Style(POSITIVES, "dot", "circle"),
    "out of fold": Style(NEGATIVES, "dash", "square"),
    "pool": Style(NEUTRAL, "solid", "diamond"),
}
_NAMES: Final = {"training": "on its training data", "out of fold": "out of fold", "pool": "on the pool"}


def overfitting_figure(table: pd.DataFrame, complexity: str) -> Figure:
    """A line for each part; the table of `errors_by_complexity`, the simplest model on the left."""
    values = [str(value) for value in dict.fromkeys(table.value)]
    lines = [
        styled_line(_NAMES[part], style, values, table[table.part == part].error, hover="%{y:.1%}", width=2.5)
        for part, style in _STYLES.items()
    ]
    return figure(
        lines,
        title="More complex, better?",
        height=420,
        xaxis={**axis(f"{complexity}: more complex to the right"), "type": "category", "categoryarray": values},
        yaxis={**axis("share of errors"), "rangemode": "tozero", "tickformat": ".0%"},
    )
