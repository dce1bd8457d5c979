"""A figure of counting's and correcting's estimates at each true share, and at today's share, which is dragged."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.style import NEUTRAL, method_style
from pages.charts.traces import Trace, axis, band, diagonal, line, markers, method_line, method_markers

_METHODS: Final = ("CC", "AC")
_LIMITS: Final = (-0.02, 1.02)


def today_figure(curves: pd.DataFrame, values: Sequence[float], index: int) -> DraggedFigure:
    """Mean and band of CC and AC by true share, named beside their lines; `index` of the share that the figure itself shows.

    `curves` of `evaluation.summaries.curves`.
    """
    rows = {method: curves[curves.method == method] for method in _METHODS}
    still = [
        *(band(method, of.true, of.lower, of.upper, opacity=0.14) for method, of in rows.items()),
        diagonal("Truth", width=1.5, showlegend=False, hoverinfo="skip"),
        *(
            method_line(method, of.true, of["mean"], width=3, showlegend=False) | {"mode": "lines", "hoverinfo": "skip"}
            for method, of in rows.items()
        ),
    ]
    means = {method: np.interp(values, of.true, of["mean"]).tolist() for method, of in rows.items()}

    def at(i: int) -> list[Trace]:
        today = values[i]
        return [
            line("today", (today, today), _LIMITS, width=3, opacity=0.5, showlegend=False),
            markers("truth today", [today], [today], size=10, showlegend=False),
            *(
                method_markers(method, [today], [mean[i]], name=f"{method} today", size=14, showlegend=False)
                for method, mean in means.items()
            ),
        ]

    return dragged_figure(
        at,
        values,
        index,
        still=still,
        title="",
        height=430,
        hovermode=False,
        dragmode=False,
        annotations=_labels(curves),
        margin={"l": 68, "r": 24, "t": 16, "b": 56},
        xaxis=axis("true share of 3s", _LIMITS, tickformat=".0%"),
        yaxis=axis("estimated share", _LIMITS, tickformat=".0%"),
    )


def _labels(curves: pd.DataFrame) -> list[dict[str, object]]:
    """Annotations with the name of each line, placed where the lines are far apart."""

    def mean(method: str, share: float) -> float:
        rows = curves[curves.method == method]
        return float(np.interp(share, rows.true, rows["mean"]))

    named = (
        ("Counted", 0.3, mean("CC", 0.3), method_style("CC").colour, "right", 18),
        ("Corrected", 0.32, mean("AC", 0.32), method_style("AC").colour, "left", -20),
        ("Truth", 0.75, 0.75, NEUTRAL, "left", -16),
    )
    return [
        {
            "text": f"<b>{name}</b>",
            "x": x,
            "y": y,
            "xanchor": side,
            "yshift": shift,
            "font": {"color": colour, "size": 15},
            "showarrow": False,
        }
        for name, x, y, colour, side, shift in named
    ]
