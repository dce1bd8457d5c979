"""Measures of numbers: the tab and its figure."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.small_table import Column, small_table
from pages.charts.style import NEGATIVES, POSITIVES, figure
from pages.charts.traces import axis, line, markers
from pages.classifier.findings import regression_sentence
from pages.classifier.settings import SETTINGS
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.turns import fragment
from qcore.measures.regression import (
    REGRESSION_MEASURES,
    SLIDES_ACTUAL,
    SLIDES_PREDICTED,
    ShiftCurve,
    asymmetric_loss,
    regression_measures,
    shift_curve,
)


def predictions_figure(predicted: Sequence[float], actual: Sequence[float], alpha: float) -> Figure:
    """Predictions over the truth, below and above the diagonal; the size of a marker grows with its asymmetric loss."""
    losses = asymmetric_loss(predicted, actual, alpha)
    ends = (min(*predicted, *actual) - 10.0, max(*predicted, *actual) + 10.0)
    sides = (("below the truth", POSITIVES, -1.0), ("above the truth", NEGATIVES, 1.0))
    traces = [line("exact", ends, ends, width=1.5)]
    for name, colour, sign in sides:
        rows = [i for i in range(len(actual)) if sign * (predicted[i] - actual[i]) > 0]
        sizes = [6.0 + 5.0 * float(losses[i]) ** 0.5 for i in rows]
        trace = markers(
            name,
            [actual[i] for i in rows],
            [predicted[i] for i in rows],
            colour=colour,
            size=sizes,
            opacity=0.75,
            hover="predicted %{y}, actual %{x}: loss %{customdata:.1f}<extra></extra>",
            customdata=[float(losses[i]) for i in rows],
        )
        traces.append(trace)
    return figure(
        traces,
        title="How far off, and in which direction?",
        height=420,
        hovermode="closest",
        xaxis=axis("actual", ends),
        yaxis=axis("predicted", ends),
    )


def shift_figure(curve: ShiftCurve, alpha: float) -> Figure:
    """Underestimation over overestimation as all predictions are shifted; the model as it is, and the best shift for alpha."""
    hover = "shift %{customdata:+.0f}: over %{x:.0f}, under %{y:.0f}<extra></extra>"
    path = line("by shift", curve.over, curve.under, colour=POSITIVES, width=2, hover=hover)
    best = curve.best(alpha)
    marks = [
        markers("as it is", [np.interp(0.0, curve.shift, curve.over)], [np.interp(0.0, curve.shift, curve.under)], size=11),
        markers(
            f"best for alpha {alpha:.2f}", [curve.over[best]], [curve.under[best]], colour=NEGATIVES, size=11, symbol="star"
        ),
    ]
    reach = 1.05 * float(max(curve.over.max(), -curve.under.min()))
    return figure(
        [path | {"customdata": curve.shift.tolist()}, *marks],
        title=f"ROC for numbers: shift all predictions (area {curve.area:,.0f})",
        height=420,
        hovermode="closest",
        xaxis=axis("overestimated in all", (-0.02 * reach, reach)),
        yaxis=axis("underestimated in all", (-reach, 0.02 * reach)),
    )


def shift_sentence(curve: ShiftCurve, alpha: float) -> str:
    """By how much the mean loss of the slides' example falls if all predictions are shifted, and what no shift removes."""
    shift = float(curve.shift[curve.best(alpha)])
    before, after = (float(asymmetric_loss(np.add(SLIDES_PREDICTED, by), SLIDES_ACTUAL, alpha).mean()) for by in (0.0, shift))
    gain = f"Every prediction shifted by {shift:+.0f}, the mean loss falls from {before:.2f} to {after:.2f}."
    if after > before - 1e-9:
        gain = f"No shift of all predictions makes the mean loss smaller than {before:.2f}."
    left = "what no shift removes (Hernández-Orallo 2013)"
    return f"{gain} The area over the curve is n²/2 times the variance of the errors: {left}."


TEXTS = texts_of("classifier")


@fragment
def regression_section() -> None:
    """Draw the section on predicted numbers."""
    st.markdown(TEXTS["regression"])
    alpha = control.slider(SETTINGS["alpha"])
    st.markdown(f"- {regression_sentence(float(alpha), SLIDES_PREDICTED, SLIDES_ACTUAL)}")
    left, right = wide_row("regression", [2, 3], align="top")
    with left:
        figure = predictions_figure(SLIDES_PREDICTED, SLIDES_ACTUAL, float(alpha))
        chart(figure, key="predictions", alt="Predicted by actual price; larger markers cost more.")
    with right:
        curve = shift_curve(SLIDES_PREDICTED, SLIDES_ACTUAL)
        alt = "Underestimation over overestimation in all, as every prediction is shifted by the same number."
        chart(shift_figure(curve, float(alpha)), key="shift_curve", alt=alt)
    st.markdown(f"- {shift_sentence(curve, float(alpha))}")
    _measures()
    st.caption(
        "From the lecture slides Model evaluation (without author or year). They state an MAE of 6, but the ten absolute "
        "errors of their table add up to 70, an MAE of 7."
    )


def _measures() -> None:
    table = regression_measures(SLIDES_PREDICTED, SLIDES_ACTUAL)
    ideas = [REGRESSION_MEASURES[key].idea for key in table.key]
    columns = (Column("name", "Measure"), Column("value", "Value", ".3f"), Column("idea", "What it says"))
    small_table(table.assign(idea=ideas), columns, label="Measures of numbers")
