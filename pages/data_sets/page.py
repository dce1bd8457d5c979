"""The page "Data sets": which data sets there are, what is in them, and how to upload your own."""

from pages.data_sets import computations
from pages.data_sets.chosen_set import (
    features_section,
    finding,
    go_on,
    of_the_papers,
    picture_section,
    python_source,
    what_is_left_out,
)
from pages.data_sets.gallery import gallery, upload_zone
from pages.frame.layout import wide_row
from pages.frame.page_frame import draw_tabs, first_viewport, page
from pages.frame.sampling_controls import training_popover
from pages.own_data.fetching import fetch_box
from pages.settings.page_declaration import Page, Tab
from pages.settings.shared import SIDEBAR_WITHOUT_QUANTIFIERS, TRAINING
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.base import registry

SETTINGS = registry(*SIDEBAR_WITHOUT_QUANTIFIERS.values(), *TRAINING.values())


def draw() -> None:
    """Draw the gallery, the upload, what the chosen data set is, and where to use it."""
    with page(quantifiers=False) as sidebar_choice:
        with first_viewport("data_sets") as parts:
            with parts.hero:
                left, right = wide_row("gallery", [7, 4], align="top")
                with left:
                    gallery()
                with right:
                    upload_zone()
                    fetch_box()
            with parts.bar:
                settings = training_popover(sidebar_choice)
            parts.downloads.source = python_source(sidebar_choice)
            features = computations.feature_table(sidebar_choice.data)
            parts.downloads.csv("Features as CSV", lambda: features, "features")
            try:
                finding(sidebar_choice, settings, parts)
            except InvalidInput as error:
                with parts.notes:
                    show_invalid_input(error)
            with parts.notes:
                what_is_left_out(sidebar_choice.data)
                go_on(sidebar_choice.data)
        draw_tabs(PAGE, sidebar_choice=sidebar_choice)


PAGE = Page(
    name="data_sets",
    question="What is here, and how do I bring my own table?",
    draw=draw,
    group="Use",
    settings=SETTINGS,
    tabs=(
        Tab("Picture", picture_section, needs=("sidebar_choice",)),
        Tab("Features and source", features_section, needs=("sidebar_choice",), formerly=("Features", "Where it comes from")),
        Tab("Data sets of the papers", of_the_papers),
    ),
    charts=("projection",),
    has_file=False,
)
