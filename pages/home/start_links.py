"""Where to start: links to the pages by their questions, and cards for interesting presets."""

from typing import Final

import streamlit as st

from pages.frame.layout import narrow_row
from pages.frame.navigation import listed_page, page_file
from pages.frame.presets import choose, presets_of
from pages.settings.url import url_words
from qcore import QUANTIFIERS

_QUESTIONS: Final = {
    "error_by_prevalence": f"{len(QUANTIFIERS)} quantifiers on a data set of your choice: which is right where?",
    "corrections": "Drag a threshold: see what tpr and fpr repair, and when the repair explodes.",
    "classifier": "What a quantifier stands on: ROC curve, costs; are its scores probabilities?",
    "test_size": "Best on 500 instances, worst on 10? Heatmaps by sample size and prevalence.",
    "recommender": "Can the quantifier be chosen for each sample, and does that pay?",
    "search_space": "What does a measure reward? Turn its surface, and see where learners land.",
    "losses": "What does an error cost? Two estimates whose order flips from loss to loss.",
}
"""Name of a page -> its question."""

STARTS: Final = (
    *(("error_by_prevalence", preset) for preset in presets_of("error_by_prevalence")),
    ("test_size", presets_of("test_size")[0]),
    ("recommender", presets_of("recommender")[-1]),
    *(("search_space", preset) for preset in presets_of("search_space")[2:]),
)
"""The cards of Home: page and preset."""


def start_button() -> None:
    """Draw the button that leads to the first page."""
    if st.button("Start: which quantifier errs how much?", type="primary", key="start"):
        st.switch_page(page_file("error_by_prevalence"))


def start_links() -> None:
    """Links to the pages, and a card for each preset to start from."""
    for column, (name, question) in zip(narrow_row("pages", len(_QUESTIONS)), _QUESTIONS.items(), strict=True):
        with column.container(border=True):
            listed = listed_page(name)
            st.page_link(listed.file, label=f"**{listed.title}**")
            st.write(question)
    st.markdown("Or start from a case that shows something:")
    for start in range(0, len(STARTS), 2):
        for column, (page, preset) in zip(st.columns(2), STARTS[start : start + 2], strict=False):
            with column.container(border=True):
                # A button, not a link: a link could not reset settings that this session has changed.
                if st.button(preset.name, key=f"card {preset.name}", on_click=choose, args=(page, preset)):
                    st.switch_page(page_file(page), query_params=url_words(preset.settings))
                st.write(preset.why)
