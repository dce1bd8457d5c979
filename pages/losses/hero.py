"""The main view of "Losses": the losses around a true prevalence, two estimates beside each other, and what that says."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.dragged_slider import dragged_text
from pages.charts.figure import NEUTRAL, SERIES, Style, numbered_style
from pages.charts.traces import Trace, axis, line, markers
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts
from pages.frame.recording import record
from pages.losses.settings import SETTINGS
from pages.settings import control
from pages.settings.number_text import exact_percentage
from pages.settings.shared import SMOOTHING_NAMES
from qcore.base import FloatArray
from qcore.losses import LOSSES, Smoothing
from qcore.studies.loss_shapes import preferences, shares_of_largest, without_equals

_LIMITS = (-0.02, 1.02)
FIRST_COLOUR, SECOND_COLOUR = SERIES[0], SERIES[6]
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
        line(f"estimate {name}", [value, value], _LIMITS, colour=colour, width=2, dash="dash", showlegend=False)
        | {"mode": "lines+text", "text": ["", f" <b>{name}</b> "], "textposition": _side(value)}
        for name, value, colour in (("A", pair[0], FIRST_COLOUR), ("B", pair[1], SECOND_COLOUR))
    ]

    def at(i: int) -> list[Trace]:
        drawn = [
            line(
                ", ".join(losses),
                x,
                values[i].round(4),
                colour=loss_style(losses[0]).colour,
                dash=loss_style(losses[0]).dash,
                width=2.5,
                hover="%{y:.0%} of its largest",
            )
            for losses, values in curves.items()
        ]
        return [*drawn, *marks, line("truth", [truths[i]] * 2, _LIMITS, width=4, opacity=0.5, showlegend=False)]

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


def _side(estimate: float) -> str:
    """On which side of its line an estimate is named, so that its name is inside the frame."""
    return "bottom right" if estimate < 0.5 else "bottom left"


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
            markers(
                "preference",
                shares,
                losses,
                colour=colours,
                size=15,
                symbol="diamond",
                showlegend=False,
                hover="%{y}: %{customdata[0]:.4g} for A, %{customdata[1]:.4g} for B<extra></extra>",
                customdata=[[round(a, 6), round(b, 6)] for a, b in pairs],
            )
        ]

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


_ALIKE = 1.01
"""Values with a ratio up to this count as equal, because smoothing can change a value by a hundredth."""


def preference_headlines(table: pd.DataFrame, pair: tuple[float, float]) -> list[str]:
    """Which losses prefer which of the two estimates, at each true prevalence of the table of `preferences`."""
    preferred: dict[float, list[tuple[str, str]]] = {}
    for truth, loss, prefers in zip(table["true"].tolist(), table["loss"].tolist(), table["prefers"].tolist(), strict=True):
        preferred.setdefault(truth, []).append((loss, prefers))
    return [_headline(at_truth, truth, pair) for truth, at_truth in preferred.items()]


def _headline(preferred: list[tuple[str, str]], truth: float, pair: tuple[float, float]) -> str:
    a, b, level = ([loss for loss, prefers in preferred if prefers == side] for side in ("first", "second", "neither"))
    first, second = (f"{name} ({exact_percentage(value)})" for name, value in zip("AB", pair, strict=True))
    both = "both" if a or b else f"{first} and {second}"
    verdicts = ((a, "prefer", first), (b, "prefer", second), (level, "find", f"{both} equally good"))
    parts = [
        f"all these losses {verb} {what}"
        if len(losses) == len(preferred) > 1
        else f"{', '.join(losses)} {verb}{'s' if len(losses) == 1 else ''} {what}"
        for losses, verb, what in verdicts
        if losses
    ]
    return f"If the truth is {exact_percentage(truth)}, {'; '.join(parts)}."


def property_marks(row: dict[str, float]) -> dict[str, bool]:
    """Property -> whether it holds at this true prevalence, by the numbers in a row of `properties_at`."""

    def same(one: str, other: str) -> bool:
        return max(row[one], row[other]) <= _ALIKE * min(row[one], row[other])

    return {
        "MAX": same("largest", "largest_even"),
        "IMP": same("over", "under"),
        "REL": row["over"] > _ALIKE * row["even"] and same("over", "under"),
        "ABS": same("over", "even") and same("over", "under"),
    }


ESTIMATES = [step / 100 for step in range(101)]


def controls() -> tuple[tuple[float, float], list[str], int, Smoothing]:
    """Draw the controls; returns (both estimates, losses, sample size, smoothing)."""
    with st.container(width=130):
        first = float(control.fraction(SETTINGS["first_estimate"]))
    with st.container(width=130):
        second = float(control.fraction(SETTINGS["second_estimate"]))
    with st.popover("Losses", key="shown_losses_menu"):
        chosen = control.several(SETTINGS["shown_losses"])
        if not chosen:
            st.caption("None is chosen: AE is shown.")
    with st.popover("Sample size and smoothing", key="smoothing_menu"):
        size = int(control.slider(SETTINGS["size"], help="It sets how KLD, RAE and similar losses are smoothed."))
        smoothing = SMOOTHING_NAMES[control.segments(SETTINGS["smoothing"])]
    losses = [loss for loss in LOSSES if loss in chosen] or ["AE"]
    return (first, second), losses, size, smoothing


def hero(
    parts: PageParts,
    losses: list[str],
    truths: list[float],
    index: int,
    pair: tuple[float, float],
    *,
    size: int,
    smoothing: Smoothing,
) -> None:
    """Draw both charts, and the finding above them."""
    shares = {loss: shares_of_largest(loss, truths, ESTIMATES, size, smoothing) for loss in losses}
    table = preferences(losses, truths, pair, size, smoothing)
    record("losses", preferences=table, shares=shares, truths=truths)
    with parts.hero:
        left, right = wide_row("losses", [3, 2], align="top")
        with left:
            dragged = shapes_figure(without_equals(shares), ESTIMATES, truths, pair, index)
            follows = [DraggedValue("true_p", dragged, index, [])]
            chart(
                dragged.figure,
                key="shapes",
                alt="Each loss over the estimate.",
                follows=follows,
                drags="true_p",
                sentence_height=0,
            )
        with right:
            dragged = preferences_figure(table, truths, index)
            follows = [DraggedValue("true_p", dragged, index, [])]
            chart(
                dragged.figure,
                key="preferences",
                alt="Which of two estimates each loss prefers.",
                follows=follows,
                sentence_height=0,
            )
    with parts.headline:
        dragged_text("preferred", "true_p", truths, preference_headlines(table, pair), truths[index], headline=True)
