"""What share of a sample is positive, how sure is that, and does the assumption hold?"""

import streamlit as st

from pages.estimate.answer_of_files import answer_of_files
from pages.estimate.controls import EstimateRequest, controls
from pages.estimate.estimate_view import EstimateView
from pages.estimate.hero import hero, view, waiting
from pages.estimate.labelled_part import labelled_part
from pages.estimate.over_time import over_time
from pages.estimate.sections import sections
from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, SETTINGS, WATCHED
from pages.frame.computed import record
from pages.frame.page_frame import PageParts, first_viewport, page
from pages.frame.sidebar import SidebarChoice, no_method
from pages.own_data.data_box import forget_missing_table
from pages.settings.current import current
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput


def answer(sidebar_choice: SidebarChoice, parts: PageParts) -> EstimateView | None:
    """Draw the estimate, or a sentence that says why there is none; returns what is shown, or None."""
    with parts.bar:
        try:
            request: EstimateRequest = controls(sidebar_choice)
        except InvalidInput as error:
            show_invalid_input(error)
            return None
    if request.way in (LABELLED_PART, WATCHED):
        with parts.hero:
            try:
                if request.way == WATCHED:
                    over_time(request.level, sidebar_choice.seed, parts)
                else:
                    record("estimate", labelled=labelled_part(request.level, parts))
            except InvalidInput as error:
                show_invalid_input(error)
        return None
    with parts.hero:
        if request.way != COUNTS and no_method(sidebar_choice.methods):
            return None
        try:
            shown = view(sidebar_choice, request)
        except InvalidInput as error:
            show_invalid_input(error)
            return None
    if shown is None:
        waiting(parts, request.missing)
    else:
        record("estimate", view=shown)
        hero(shown, parts)
    return shown


def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the estimate, its controls, and the sections."""
    with first_viewport("estimate") as parts, answer_of_files(parts, sidebar_choice.data) as (own_parts, below):
        shown = answer(sidebar_choice, own_parts)
    with below:
        sections(sidebar_choice, shown)


drawn_sample = fragment(body)

if current(SETTINGS["way"]) in (COUNTS, LABELLED_PART, WATCHED):
    forget_missing_table()
with page() as chosen:
    # A file that is uploaded may change the sidebar; the size of a drawn sample does not.
    if current(SETTINGS["way"]) == DRAWN:
        drawn_sample(chosen)
    else:
        # A fragment has a container of its own. Without one here, elements of the former way would show in the new header for
        # a moment.
        with st.container():
            body(chosen)
