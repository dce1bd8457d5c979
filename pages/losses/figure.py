"""Losses over the estimate at a true prevalence that is dragged, and which of two estimates each loss prefers."""

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.style import NEGATIVES, NEUTRAL, POSITIVES, Style, numbered_style
from pages.charts.traces import Trace, axis, line, markers
from qcore.base import FloatArray
from qcore.losses import LOSSES

_LIMITS: Final = (-0.02, 1.02)
FIRST_COLOUR: Final = POSITIVES
SECOND_COLOUR: Final = NEGATIVES
"""The colours of the two compared estimates."""


def loss_style(loss: str) -> Style:
    """The style of a registered loss: by its position in the registry."""
    return numbered_style(list(LOSSES).index(loss))


def shapes_figure(
    curves: Mapping[tuple[str, ...], FloatArray],
    estimates: Sequence[float],
    truths: Sequence[float],
    pair: tuple[float, float],
    index: int,
) -> DraggedFigure:
    """Each loss over the estimate, as a share of its largest value there; `curves`: losses -> (n_truths, n_estimates).

    Losses whose curves are the same have one line, which is named after all of them.

    `index` of the true prevalence that the figure shows; `pair`: the two estimates that are compared.
    """
    x = list(estimates)
    marks = [
        line(f"estimate {name}", [value, value], _LIMITS, colour=colour, width=2, dash="dash")
        for name, value, colour in (("A", pair[0], FIRST_COLOUR), ("B", pair[1], SECOND_COLOUR))
    ]

    def at(i: int) -> list[Trace]:
        drawn = [
            line(", ".join(losses), x, values[i].round(4), colour=loss_style(losses[0]).colour,
                 dash=loss_style(losses[0]).dash, width=2.5, hover="%{y:.0%} of its largest")
            for losses, values in curves.items()
        ]  # fmt: skip
        return [*drawn, *marks, line("truth", [truths[i]] * 2, _LIMITS, width=4, opacity=0.5)]

    return dragged_figure(
        at,
        truths,
        index,
        title="What does an estimate cost?",
        height=430,
        dragmode=False,
        xaxis=axis("estimated prevalence", _LIMITS, tickformat=".0%"),
        yaxis=axis("share of the largest loss there", _LIMITS, tickformat=".0%"),
    )


def preferences_figure(table: pd.DataFrame, truths: Sequence[float], index: int) -> DraggedFigure:
    """For each loss, the share of estimate B in the sum of both losses: the smaller loss is preferred.

    `table` from `preferences`, at each of `truths`; `index`: index of the truth that the figure shows.
    """
    columns = {name: table[name].tolist() for name in ("loss", "first", "second", "prefers")}
    n_losses = len(columns["loss"]) // len(truths)
    losses = columns["loss"][:n_losses][::-1]

    def at(i: int) -> list[Trace]:
        first, second, prefers = (
            columns[name][i * n_losses : (i + 1) * n_losses][::-1] for name in ("first", "second", "prefers")
        )
        pairs = list(zip(first, second, strict=True))
        shares = [round(b / (a + b), 4) if a + b > 0.0 else 0.5 for a, b in pairs]
        colours = [{"first": FIRST_COLOUR, "second": SECOND_COLOUR, "neither": NEUTRAL}[side] for side in prefers]
        return [
            markers("preference", shares, losses, colour=colours, size=15, symbol="diamond", showlegend=False,
                    hover="%{y}: %{customdata[0]:.4g} for A, %{customdata[1]:.4g} for B<extra></extra>",
                    customdata=[[round(a, 6), round(b, 6)] for a, b in pairs])
        ]  # fmt: skip

    return dragged_figure(
        at,
        truths,
        index,
        title="Which estimate is better, A or B?",
        height=430,
        margin={"l": 60, "r": 48, "t": 48, "b": 64},
        hovermode="closest",
        dragmode=False,
        xaxis=axis("", (-0.03, 1.03), tickvals=[0, 0.5, 1], ticktext=["B is better", "equal", "A is better"]),
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": losses, "range": (-0.6, len(losses) - 0.4)},
        shapes=[{"type": "line", "x0": 0.5, "x1": 0.5, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": NEUTRAL}}],
    )
