"""The section on more than two classes: the AUC of each pair, and Hand and Till's mean of them."""

from __future__ import annotations

import streamlit as st

from pages.figures.confusion_matrix import pairs_figure
from pages.findings.classifier import pairs_sentence
from pages.parts import cached, controls
from pages.parts.chart import chart
from pages.parts.classifier.texts import TEXTS
from pages.parts.sidebar import SidebarChoice
from qcore import InvalidInput, ScoringSettings


@st.fragment
def pairwise_auc_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """The heatmap of pairs for a data set of more than two classes, else nothing."""
    classes = cached.dataset(sidebar_choice.data).classes
    if len(classes) == 2:
        return
    st.markdown(TEXTS["pairs"])
    answer = st.container()
    with answer:
        try:
            pairs = cached.pairwise_auc(
                sidebar_choice.data, sidebar_choice.classifier, sidebar_choice.seed, settings.training_share
            )
        except InvalidInput as error:
            controls.show_invalid_input(error)
            return
        st.markdown(pairs_sentence(pairs, classes))
        chart(pairs_figure(pairs, classes), key="pairs", alt="AUC of each pair of classes on the pool.")
