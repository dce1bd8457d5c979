"""What share of a sample is positive, how sure is that, and does the assumption hold?"""

import streamlit as st

from pages import pipeline
from pages.estimate.all_classes import all_classes_section
from pages.estimate.answer_of_files import answer_of_files
from pages.estimate.controls import EstimateRequest, controls
from pages.estimate.estimate_view import EstimateView
from pages.estimate.groups import groups_section
from pages.estimate.hero import hero, view, waiting
from pages.estimate.intervals import coverage_section, intervals_compared_section, rules_section
from pages.estimate.labelled_part import labelled_part
from pages.estimate.labels_needed import labels_needed_section
from pages.estimate.over_time import over_time
from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, PRESETS, SETTINGS, WATCHED
from pages.estimate.trust import trust_section
from pages.estimate.which_method import which_method
from pages.estimate.which_shift import which_shift_section
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page
from pages.frame.recording import record
from pages.frame.sidebar import SidebarChoice, no_method
from pages.frame.texts import texts_of
from pages.own_data.data_box import forget_missing_table
from pages.settings.address import current
from pages.settings.page_declaration import Page, Tab
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
        counts = None if shown is None else shown.estimate.counts
        draw_tabs(PAGE, shown=shown, seed=sidebar_choice.seed, counts=counts, **_applies(sidebar_choice, shown))


def _applies(sidebar_choice: SidebarChoice, shown: EstimateView | None) -> dict[str, bool]:
    """Which kinds of sections apply: those on the share in a sample, on one of the user's own, and on several classes."""
    counts_sample = current(SETTINGS["way"]) not in (LABELLED_PART, WATCHED)
    has_own_table = shown is not None and shown.request.own is not None
    n_classes = 2 if current(SETTINGS["way"]) == COUNTS else len(pipeline.dataset(sidebar_choice.data).classes)
    return {"counts_sample": counts_sample, "own_table": has_own_table, "several_classes": counts_sample and n_classes > 2}


drawn_sample = fragment(body)


def draw() -> None:
    """Draw the page."""
    if current(SETTINGS["way"]) in (COUNTS, LABELLED_PART, WATCHED):
        forget_missing_table()
    with page() as chosen:
        # A file that is uploaded may change the sidebar; the size of a drawn sample does not.
        if current(SETTINGS["way"]) == DRAWN:
            drawn_sample(chosen)
        else:
            # A fragment has a container of its own. Without one here, elements of the former way would show in the new header
            # for a moment.
            with st.container():
                body(chosen)


def _how_it_works() -> None:
    st.markdown(texts_of("estimate")["how"])


PAGE = Page(
    name="estimate",
    question="What share of my sample is positive, and how sure is that?",
    draw=draw,
    group="Use",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Can it be trusted", trust_section, may_use=("shown",)),
        Tab("Which shift", which_shift_section, needs=("shown",), shown_if="counts_sample"),
        Tab("Which method", which_method, needs=("shown",), shown_if="counts_sample"),
        Tab("All classes", all_classes_section, needs=("shown",), shown_if="several_classes"),
        Tab("How many labels do I need", labels_needed_section, needs=("shown",), shown_if="counts_sample"),
        Tab("By group", groups_section, needs=("shown",), shown_if="own_table"),
        Tab(
            "Intervals",
            key="of_intervals",
            parts=(
                Tab("Intervals compared", intervals_compared_section, needs=("shown",), shown_if="counts_sample"),
                Tab("Coverage", coverage_section, needs=("seed",), may_use=("counts",)),
                Tab("Rules in use", rules_section, needs=("seed",), may_use=("counts",)),
            ),
        ),
        Tab("How it works", _how_it_works),
    ),
    charts=(
        "intervals",
        "mixture",
        "over_time",
        "regions",
        "class_estimates",
        "posterior",
        "widths",
        "groups",
        "differences",
        "hundred_default",
        "hundred_other",
        "coverage_by_prevalence",
        "coverage_by_size",
        "rules_coverage",
        "rules_width",
    ),
)
