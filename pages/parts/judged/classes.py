"""More than two classes: the AUC of each pair, and Hand and Till's mean of them."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls
from pages.parts.chart import chart
from pages.parts.judged.words import LOOK
from pages.parts.workbench import Workbench
from qcore import InvalidInput, ScoringSettings
from qcore.figures.confusion import pairs_figure
from qcore.findings.classifier import pairs_sentence


@st.fragment
def all_classes(bench: Workbench, settings: ScoringSettings) -> None:
    """The heatmap of pairs for a data set of more than two classes, else nothing."""
    classes = cached.dataset(bench.data).classes
    if len(classes) == 2:
        return
    st.markdown(LOOK["pairs"])
    answer = st.container()
    with answer:
        try:
            pairs = cached.class_pairs(bench.data, bench.classifier, bench.seed, settings.training_share)
        except InvalidInput as refused:
            controls.show_refusal(refused)
            return
        st.markdown(pairs_sentence(pairs, classes))
        chart(pairs_figure(pairs, classes), key="pairs", alt="AUC of each pair of classes on the pool.")
