"""Measures of numbers: the tab and its figure."""

from collections.abc import Sequence

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
from qcore.measures.regression import REGRESSION_MEASURES, SLIDES_ACTUAL, SLIDES_PREDICTED, asymmetric_loss, regression_measures


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
