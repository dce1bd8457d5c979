"""How often instances are drawn, and a warning where samples share most of the pool."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.chart import chart
from pages.parts.layout import wide_row
from pages.parts.sizes.words import LOOK
from qcore import Scores
from qcore.figures.reuse import draws_figure, sharing_figure
from qcore.findings.size_effects import reuse_sentences, sharing_warning
from qcore.validation import IntArray


def sampling_honesty(scores: Scores, draws: IntArray, sharing: pd.DataFrame) -> None:
    """The two pictures, the warning if there is reason for one, and the sentences."""
    st.markdown(LOOK["reuse"])
    warning = sharing_warning(sharing)
    if warning:
        st.warning(warning)
    st.markdown("\n".join(f"- {sentence}" for sentence in reuse_sentences(draws, sharing)))
    left, right = wide_row("reuse", [1, 1], align="top")
    with left:
        chart(draws_figure(draws, scores.pool_labels), key="draws", alt="How many instances of the pool are drawn how often.")
    with right:
        chart(sharing_figure(sharing), key="sharing", alt="Share of instances that two samples have in common, by size.")
