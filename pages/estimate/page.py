"""What share of a sample is positive, how sure is that, and does the assumption hold?"""

import contextlib
from typing import NamedTuple

import streamlit as st

from pages import pipeline
from pages.estimate.all_classes import all_classes_section
from pages.estimate.answer_of_files import answer_of_files
from pages.estimate.controls import EstimateRequest, controls
from pages.estimate.estimate_view import EstimateView
from pages.estimate.hero import hero, refused, two_samples, view, waiting
from pages.estimate.intervals import coverage_section, intervals_compared_section, rules_section
from pages.estimate.labelled_part import labelled_part
from pages.estimate.labels_needed import Start, needed_section
from pages.estimate.over_time import over_time
from pages.estimate.own_files import has_files
from pages.estimate.settings import COUNTS, DRAWN, LABELLED_PART, OWN, PRESETS, SETTINGS, WATCHED
from pages.estimate.trust import trust_section, which_method, which_shift_section
from pages.estimate.what_do_you_have import what_do_you_have
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page, page_without_sidebar
from pages.frame.recording import record
from pages.frame.sidebar import SidebarChoice, no_method
from pages.frame.texts import texts_of
from pages.own_data.data_box import forget_missing_table
from pages.settings.address import current
from pages.settings.page_declaration import Page, Tab
from pages.work.turns import fragment
from qcore import InvalidInput


class Answer(NamedTuple):
    """What is shown of one sample, if there is one, and from what a change is planned, None where nothing is estimated."""

    view: EstimateView | None = None
    start: Start | None = None


def answer(sidebar_choice: SidebarChoice, parts: PageParts) -> Answer:
    """Draw the estimate, or a sentence that says why there is none; returns what is shown."""
    try:
        with parts.bar:
            request: EstimateRequest = controls(sidebar_choice)
        with parts.hero:
            return _answer(sidebar_choice, request, parts)
    except InvalidInput as error:
        refused(error, parts)
        return Answer()


def _answer(sidebar_choice: SidebarChoice, request: EstimateRequest, parts: PageParts) -> Answer:
    if request.way == WATCHED:
        over_time(request.level, sidebar_choice.seed, parts)
        return Answer()
    if request.way == LABELLED_PART:
        return Answer(start=labelled_part(request.level, parts))
    if request.counts is not None and request.counts.count.ndim:
        return Answer(start=two_samples(request.counts, request, parts))
    if (request.way == DRAWN or request.own is not None) and no_method(sidebar_choice.methods):
        return Answer()
    shown = view(sidebar_choice, request)
    if shown is None:
        waiting(parts, request.missing)
        return Answer()
    record("estimate", view=shown)
    return Answer(shown, hero(shown, parts))


def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the estimate, its controls, and the sections."""
    with first_viewport("estimate") as parts, answer_of_files(parts, sidebar_choice.data) as (own_parts, below):
        shown, start = answer(sidebar_choice, own_parts)
    with below:
        counts = None if shown is None else shown.estimate.counts
        values = {"shown": shown, "start": start, "counts": counts, "seed": sidebar_choice.seed}
        draw_tabs(PAGE, **values, plans=start is not None, **_applies(sidebar_choice, shown))


def _applies(sidebar_choice: SidebarChoice, shown: EstimateView | None) -> dict[str, bool]:
    """Which kinds of sections apply: those on a sample that is counted, on its scores, and on several classes."""
    way = current(SETTINGS["way"])
    has_scores = way == DRAWN or (way == OWN and shown is not None)
    n_classes = len(pipeline.dataset(sidebar_choice.data).classes) if has_scores else 2
    return {
        "counts_sample": has_scores or (way == COUNTS and shown is not None),
        "has_scores": has_scores,
        "several_classes": n_classes > 2,
    }


def _frame() -> contextlib.AbstractContextManager[SidebarChoice]:
    """The frame of the page, with a sidebar only where data are classified: counts and labels need none."""
    way = current(SETTINGS["way"])
    if way == DRAWN or (way == OWN and has_files()):
        return page()
    return page_without_sidebar()


drawn_sample = fragment(body)


def draw() -> None:
    """Draw the page: the question what there is to count, or the way that was chosen."""
    way = current(SETTINGS["way"])
    if way in (COUNTS, LABELLED_PART, WATCHED):
        forget_missing_table()
    with _frame() as chosen:
        # A file that is uploaded may change the sidebar; the size of a drawn sample does not.
        if not way:
            with st.container():
                what_do_you_have()
        elif way == DRAWN:
            drawn_sample(chosen)
        else:
            # A fragment has a container of its own. Without one here, elements of the former way would show in the new header
            # for a moment.
            with st.container():
                body(chosen)


def _how_it_works() -> None:
    for paragraph in texts_of("estimate")["how"].split("\n\n"):
        _, title, text = paragraph.split("**", 2)
        with st.expander(title):
            st.markdown(f"**{title}**{text}")


PAGE = Page(
    name="estimate",
    question="What share of my sample is positive, and how sure is that?",
    draw=draw,
    group="Use",
    settings=SETTINGS,
    presets=PRESETS,
    implied={"way": DRAWN},
    tabs=(
        Tab("Can it be trusted", trust_section, may_use=("shown",), shown_if="counts_sample", formerly=("By group",)),
        Tab("Which shift", which_shift_section, needs=("shown",), shown_if="has_scores"),
        Tab("Which method", which_method, needs=("shown",), shown_if="has_scores"),
        Tab("All classes", all_classes_section, needs=("shown",), shown_if="several_classes"),
        Tab(
            "How many do I need",
            needed_section,
            needs=("start",),
            may_use=("counts",),
            shown_if="plans",
            formerly=("How many labels do I need",),
        ),
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
        "needed",
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
