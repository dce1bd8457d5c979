"""The page "Data sets": which data sets there are, what is in them, and how to upload one's own."""

from pages.data_sets import computations
from pages.data_sets.chosen_set import finding, go_on, python_source, sections, what_is_left_out
from pages.data_sets.gallery import gallery
from pages.data_sets.upload import upload_zone
from pages.frame.layout import wide_row
from pages.frame.page_frame import first_viewport, page
from pages.frame.training_controls import training_popover
from pages.own_data.fetching import fetch_box
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput

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
    sections(sidebar_choice)
