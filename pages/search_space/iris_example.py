"""The section on the iris example: two quantifiers that are perfect on the irises and contradict each other."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.search_space.findings import iris_example_sentences
from pages.search_space.iris_example_figure import expected_count_figure, hypotheses_figure
from qcore import ParametricMeasure
from qcore.studies.iris_example import IrisExample

TEXTS: Final = texts_of("search_space")

_MEASURES = (
    ParametricMeasure("NAS"), ParametricMeasure("Q_beta", 2.0), ParametricMeasure("Q_beta", 1.0), ParametricMeasure("recall"),
)  # fmt: skip


def iris_example_section(example: IrisExample) -> None:
    """Draw the lines of both quantifiers, their values, and their expected counts."""
    st.markdown(TEXTS["iris_example"])
    st.markdown("\n".join(f"- {sentence}" for sentence in iris_example_sentences(example, _MEASURES)))
    left, right = wide_row("iris example", [1, 1], align="top")
    with left:
        chart(hypotheses_figure(example), key="hypotheses", alt="Irises by petal length and width, with the lines w1 and w2.")
    with right:
        chart(
            expected_count_figure(example), key="expected_count", alt="What w1 and w2 count, by the true prevalence of class 3."
        )
