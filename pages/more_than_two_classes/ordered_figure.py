"""Figures of a share that an estimate has moved to another of five ordered classes, and of what losses say of it."""

from typing import Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, figure, numbered_style
from pages.charts.traces import axis, bars, styled_line, vertical_mark
from qcore.studies.ordered_classes import COMPARED, MovedShare

_HEIGHT: Final = 340


def moved_share_figure(result: MovedShare, distance: int) -> Figure:
    """True and estimated shares side by side."""
    names = [f"class {number}" for number in range(1, len(result.true) + 1)]
    shown = (("truth", result.true, NEUTRAL), ("estimate", result.estimated, PALETTE[1]))
    return figure(
        [bars(name, names, shares.tolist(), colour=colour, hover="%{y:.0%}") for name, shares, colour in shown],
        title=f"15 in 100 are taken for class {1 + distance}, not 1",
        height=_HEIGHT,
        barmode="group",
        xaxis={"type": "category"},
        yaxis=axis("share", (0.0, 0.55), tickformat=".0%"),
    )


def moved_losses_figure(losses: pd.DataFrame, distance: int) -> Figure:
    """Each loss by how far the share has moved, with a mark at the shown distance."""
    lines = [
        styled_line(key, numbered_style(number), rows.distance, rows.value, hover="%{y:.3f}", width=2.5, size=9)
        for number, key in enumerate(COMPARED)
        for rows in [losses[losses.loss == key]]
    ]
    return figure(
        lines,
        title="What do losses say of it?",
        height=_HEIGHT,
        shapes=[vertical_mark(distance)],
        xaxis=axis("classes that the share has moved", (0.8, 4.2), dtick=1),
        yaxis=axis("loss", rangemode="tozero"),
    )
