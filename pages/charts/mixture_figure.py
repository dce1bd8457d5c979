"""The scores of a sample beside the mixture of both classes that fits them best."""

from typing import Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEGATIVES, POSITIVES, figure, tinted
from pages.charts.traces import UNIT, axis, bars, histogram_line

_HEIGHT: Final = 420


def stacked_mixture_figure(table: pd.DataFrame, title: str, height: int = _HEIGHT) -> Figure:
    """A mixture, its two parts stacked, under the sample's histogram: columns lower, upper, positives, negatives, sample."""
    middles = (table.lower + table.upper) / 2
    parts = [
        # Pale, so that the sample's line is seen, with an outline that has contrast with the page.
        bars(f"{name} in the mixture", middles, table[name], colour="", hover="%{y:.1%}")
        | {"marker": {"color": tinted(colour, 0.55), "line": {"color": colour, "width": 1}}}
        for name, colour in (("negatives", NEGATIVES), ("positives", POSITIVES))
    ]
    return figure(
        [*parts, histogram_line("this sample", [0.0, *table.upper.tolist()], table["sample"].tolist())],
        title=title,
        height=height,
        barmode="stack",
        bargap=0,
        xaxis=axis("score", UNIT),
        yaxis=axis("share of the sample", tickformat=".0%", rangemode="tozero"),
    )
