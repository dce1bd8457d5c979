"""Figures on whether intervals hold the truth: a hundred intervals; coverage and width by prevalence or sample size."""

from typing import Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, figure, numbered_style
from pages.charts.traces import axis, horizontal_mark, line, styled_line, vertical_mark
from qcore.intervals import INTERVALS

_SIZES: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_TITLES: Final = {"prevalence": "true prevalence", "size": "sample size"}


def hundred_figure(table: pd.DataFrame, kind: str, truth: float, most: float) -> Figure:
    """A hundred intervals of a kind, coloured if they miss the truth: columns low, high, missed; the axis ends at `most`."""
    traces = []
    for name, missed, colour in (("hold the truth", False, NEUTRAL), ("miss it", True, PALETTE[1])):
        rows = table[table.missed == missed]
        x: list[float | None] = [part for number in rows.index for part in (number, number, None)]
        y: list[float | None] = [part for ends in zip(rows.low, rows.high, strict=True) for part in (*ends, None)]
        traces.append(line(f"{len(rows)} {name}", x, y, colour=colour, width=4))
    return figure(
        traces,
        title=f"A hundred samples, {kind}",
        height=300,
        hovermode=False,
        xaxis=axis("sample", (-1, 100)),
        yaxis=axis("share of positives", (-0.01, min(1.0, most + 0.02)), tickformat=".0%"),
        shapes=[
            {
                "type": "line",
                "x0": -1,
                "x1": 100,
                "y0": truth,
                "y1": truth,
                "line": {"dash": "dot", "width": 3, "color": PALETTE[0]},
            }
        ],
    )


def coverage_figure(table: pd.DataFrame, along: str, shown: str, mark: float) -> Figure:
    """A line for each kind of interval over prevalence or size; `shown`: coverage (with a line at 95%) or width."""
    lines = [
        styled_line(str(key), numbered_style(list(INTERVALS).index(str(key))), rows[along], rows[shown], hover="%{y:.1%}")
        for key, rows in table.groupby("method", sort=False)
    ]
    of_coverage = shown == "coverage"
    return figure(
        lines,
        title=f"{'How many hold the truth' if of_coverage else 'How wide they are'}, by {_TITLES[along]}",
        height=300,
        shapes=[vertical_mark(mark), *([horizontal_mark(0.95)] if of_coverage else [])],
        xaxis=axis(_TITLES[along], None, **({"type": "log", "tickvals": _SIZES} if along == "size" else {"tickformat": ".0%"})),
        yaxis=axis(
            "intervals that hold the truth" if of_coverage else "mean width", tickformat=".0%",
            **({"range": (min(0.78, float(table.coverage.min()) - 0.03), 1.01)} if of_coverage else {"rangemode": "tozero"}),
        ),
    )  # fmt: skip
