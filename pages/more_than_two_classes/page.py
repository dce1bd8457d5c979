"""How well are the shares of three classes or more estimated, and where?"""

import streamlit as st

from pages import pipeline
from pages.frame.page_frame import PageParts, first_viewport, page
from pages.frame.sidebar import SidebarChoice, no_method
from pages.more_than_two_classes.hero import ClassesView, controls, hero, view
from pages.more_than_two_classes.sections import sections
from pages.own_data import uploads
from pages.settings import control
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
            st.info(
                f"{name} has two classes: the other pages are about those. With more are {known}: choose one in the sidebar."
            )
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
    sections(shown)


with page(positive_class=False) as chosen:
    body(chosen)
