"""Where to start: links to the pages by their questions, and cards for interesting presets."""

from typing import Final

import streamlit as st

from pages.frame.layout import narrow_row, whole_card
from pages.frame.navigation import open_page, streamlit_page
from pages.frame.presets import choose
from pages.settings.page_declaration import PAGES, Preset
from pages.settings.shared import OWN_SAMPLE
from pages.settings.url import url_words
from qcore import QUANTIFIERS

_DOORS: Final = (
    ("learn", "See how it works", "Nine lessons on the app's own pages, alone or with a class: read, predict, then look."),
    (
        "estimate",
        "I have data",
        "From labelled instances and a sample without labels: an estimate, its interval, and whether to trust it.",
    ),
)
"""Page, what the link says, and what waits behind it."""

_QUESTIONS: Final = {
    "error_by_prevalence": f"{len(QUANTIFIERS)} quantifiers on a data set of your choice: which errs least where?",
    "corrections": "Drag a threshold: see what tpr and fpr repair, and when the repair explodes.",
    "classifier": "The classifier behind a quantifier: its ROC curve and its costs. Are its scores probabilities?",
    "test_size": "Is the best quantifier on 500 instances also the best on 10? Heatmaps by sample size and prevalence.",
    "more_than_two_classes": "Three classes on a triangle: where does each quantifier err, and which classes are confused?",
    "compare": "Many data sets, one experiment: which differences are more than chance?",
    "search_space": "What does a measure reward? Turn its surface, and see where classifiers lie on it.",
}
"""Name of a page -> what Home says of it. Home shows the page's own question for a page without an entry."""


def starts() -> list[tuple[str, Preset]]:
    """The cards of Home: page and preset."""
    of_errors, of_measures = PAGES["error_by_prevalence"].presets, PAGES["search_space"].presets[2:]
    return [
        *(("error_by_prevalence", preset) for preset in of_errors),
        ("test_size", PAGES["test_size"].presets[0]),
        ("test_size", PAGES["test_size"].presets[-1]),
        *(("search_space", preset) for preset in of_measures),
    ]


def doors() -> None:
    """Draw two large links: to the lessons, and to the page for the user's own data."""
    for column, (name, title, text) in zip(narrow_row("doors", len(_DOORS)), _DOORS, strict=True):
        with column, whole_card(f"door-{name}"):
            if name == "estimate":
                open_page(name, f"**{title}** →", {"way": OWN_SAMPLE})
            else:
                st.page_link(streamlit_page(name), label=f"**{title}** →")
            st.write(text)


def start_links() -> None:
    """Draw links to the pages of the group "Explore", and a card for each preset to start from."""
    listed = PAGES.of_group("Explore")
    for start in range(0, len(listed), 3):
        for column, one in zip(narrow_row(f"pages-{start}", 3), listed[start : start + 3], strict=False):
            with column, whole_card(f"page-{one.name}"):
                st.page_link(streamlit_page(one.name), label=f"**{one.title}**")
                st.write(_QUESTIONS.get(one.name, one.question))
    st.markdown("Or start from an example:")
    cards = starts()
    for start in range(0, len(cards), 2):
        for number, (column, (page, preset)) in enumerate(zip(st.columns(2), cards[start : start + 2], strict=False)):
            with column, whole_card(f"start-{start + number}"):
                # A button, not a link: a link could not reset settings that this session has changed.
                if st.button(preset.name, key=f"card {preset.name}", on_click=choose, args=(page, preset), type="tertiary"):
                    st.switch_page(streamlit_page(page), query_params=url_words(preset.settings))
                st.write(preset.why)
