"""How well are the shares of three classes or more estimated, and where?"""

import streamlit as st

from pages import pipeline
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page
from pages.frame.sidebar import SidebarChoice, no_method
from pages.more_than_two_classes.class_by_class import at_once_or_not, class_by_class, how_it_works
from pages.more_than_two_classes.hero import ClassesView, controls, hero, view
from pages.more_than_two_classes.ordered import ordered_section
from pages.more_than_two_classes.settings import PRESETS, SETTINGS
from pages.own_data import uploads
from pages.settings import control
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import DATASETS, InvalidInput


def answer(sidebar_choice: SidebarChoice, parts: PageParts) -> ClassesView | None:
    """Draw the pictures, or a sentence that says why there are none; returns what is shown, or None."""
    with parts.hero:
        if no_method(sidebar_choice.methods):
            return None
        if len(pipeline.dataset(sidebar_choice.data).classes) < 3:
            known = ", ".join(key for key in DATASETS if len(pipeline.dataset(uploads.reference(key)).classes) > 2)
            name = control.escaped(sidebar_choice.data_name)
            st.info(f"{name} has two classes: the other pages cover those. {known} have more: choose one in the sidebar.")
            return None
    with parts.bar:
        request = controls(sidebar_choice)
    with parts.hero:
        try:
            shown = view(sidebar_choice, request)
        except InvalidInput as error:
            show_invalid_input(error)
            return None
    hero(shown, parts)
    return shown


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the controls and everything that they change; moving them redraws nothing else."""
    with first_viewport("more_than_two_classes") as parts:
        shown = answer(sidebar_choice, parts)
    draw_tabs(PAGE, shown=shown)


def draw() -> None:
    """Draw the page."""
    with page(positive_class=False) as chosen:
        body(chosen)


PAGE = Page(
    name="more_than_two_classes",
    question="How well are the shares of three classes or more estimated, and where?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Class by class", class_by_class, needs=("shown",), formerly=("Estimates against truth", "Errors by class")),
        Tab("All at once or one against all", at_once_or_not, needs=("shown",)),
        Tab("Ordered classes", ordered_section, may_use=("shown",)),
        Tab("How it works", how_it_works, may_use=("shown",), formerly=("The matrix that is inverted",)),
    ),
    charts=(
        "simplex",
        "methods",
        "truth",
        "inverted_matrix",
        "native",
        "errors_by_class",
        "class_errors",
        "moved_share",
        "moved_losses",
    ),
)
