"""Where to go on from Home: the pages by their questions, and cases that show something."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.parts.cases import PAGE_PRESETS, PRESETS
from pages.parts.layout import narrow_row
from pages.parts.presets import choose
from pages.parts.settings import url_words
from qcore import QUANTIFIERS

_ERROR_PAGE: Final = "pages/error_by_prevalence.py"
_QUESTIONS: Final = (
    (_ERROR_PAGE, "Error by prevalence", f"{len(QUANTIFIERS)} quantifiers on a data set of your choice: which is right where?"),
    ("pages/corrections.py", "Corrections", "Drag a threshold: see what tpr and fpr repair, and when the repair explodes."),
    (
        "pages/classifier.py",
        "Classifier",
        "What a quantifier stands on: ROC curve, costs; are its scores probabilities?",
    ),
    ("pages/test_size.py", "Test size", "Best on 500 instances, worst on 10? Heatmaps by sample size and prevalence."),
    ("pages/recommender.py", "Recommender", "Can the quantifier be chosen for each sample, and does that pay?"),
    ("pages/search_space.py", "Search space", "What does a measure reward? Turn its surface, and see where learners land."),
)


CASES: Final = (
    *((_ERROR_PAGE, preset) for preset in PRESETS),
    ("pages/test_size.py", PAGE_PRESETS["test_size"][0]),
    ("pages/recommender.py", PAGE_PRESETS["recommender"][-1]),
    *(("pages/search_space.py", preset) for preset in PAGE_PRESETS["search_space"][2:]),
)
"""What Home offers to start from: page and preset."""


def ways_on() -> None:
    """Links to the pages, and a card for each case."""
    for column, (page, name, question) in zip(narrow_row("pages", len(_QUESTIONS)), _QUESTIONS, strict=True):
        with column.container(border=True):
            st.page_link(page, label=f"**{name}**")
            st.write(question)
    st.markdown("Or start from a case that shows something:")
    for start in range(0, len(CASES), 2):
        for column, (page, preset) in zip(st.columns(2), CASES[start : start + 2], strict=False):
            with column.container(border=True):
                # A button, not a link: a link could not put back what this session has set otherwise.
                if st.button(preset.name, key=f"card {preset.name}", on_click=choose, args=(preset,)):
                    st.switch_page(page, query_params=url_words(preset.settings))
                st.write(preset.why)
