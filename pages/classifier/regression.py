"""The section on measures of predicted numbers: the worked example of the slides on model evaluation."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.classifier.findings import regression_sentence
from pages.classifier.regression_figure import predictions_figure
from pages.classifier.settings import SETTINGS
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.turns import fragment
from qcore.measures.regression import REGRESSION_MEASURES, SLIDES_ACTUAL, SLIDES_PREDICTED, regression_measures

TEXTS: Final = texts_of("classifier")


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
