"""The two conflicting perfect quantifiers of Figure 6.1."""

from __future__ import annotations

import streamlit as st

from pages.parts.chart import chart
from pages.parts.layout import wide_row
from pages.parts.space.words import LOOK
from qcore.conflict import Conflict
from qcore.figures.conflict import counted_figure, hypotheses_figure
from qcore.findings.search_space import conflict_sentences
from qcore.table_measures import Measured

_MEASURES = (Measured("NAS"), Measured("Q_beta", 2.0), Measured("Q_beta", 1.0), Measured("recall"))


def two_perfect_quantifiers(conflict: Conflict) -> None:
    """Their lines, what they are worth, and what they count."""
    st.markdown(LOOK["conflict"])
    st.markdown("\n".join(f"- {sentence}" for sentence in conflict_sentences(conflict, _MEASURES)))
    left, right = wide_row("conflict", [1, 1], align="top")
    with left:
        chart(hypotheses_figure(conflict), key="hypotheses", alt="Irises by petal length and width, with the lines w1 and w2.")
    with right:
        chart(counted_figure(conflict), key="counted", alt="What w1 and w2 count, by the true prevalence of class 3.")
