"""The sections of "Test size", as tabs below the winners."""

import streamlit as st

from pages import pipeline
from pages.frame.downloads import csv_button
from pages.frame.explanations import quantifiers_explained
from pages.frame.page_frame import if_there, tabs
from pages.frame.sidebar import SidebarChoice
from pages.test_size.comparison import difference_section, ranks_section
from pages.test_size.heatmaps import heatmaps_section
from pages.test_size.sample_overlap import sample_overlap_section
from pages.test_size.settings import SECTIONS
from pages.test_size.two_data_sets import two_data_sets_section
from pages.test_size.view import TestSizeView
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.evaluation.loss_grid import ranks_by_size


def sections(sidebar_choice: SidebarChoice, view: TestSizeView | None) -> None:
    """Draw the tabs below the picture; without losses, the tabs on them say that there is nothing to show."""
    drawn = (
        if_there(view, heatmaps_section),
        if_there(view, difference_section),
        if_there(view, two_data_sets_section),
        if_there(view, _ranks),
        if_there(view, _overlap),
        lambda: quantifiers_explained(sidebar_choice.methods),
    )
    tabs("test_size", dict(zip(SECTIONS, drawn, strict=True)))


def _ranks(view: TestSizeView) -> None:
    try:
        ranks_section(view.losses())
    except InvalidInput as error:
        show_invalid_input(error)
        return
    name = f"{view.sidebar_choice.data_name}-{view.loss}"
    with st.container(horizontal=True):
        csv_button("Losses as CSV", lambda: view.losses().table(), f"{name}-losses")
        csv_button("Ranks as CSV", lambda: ranks_by_size(view.losses()), f"{name}-ranks")


def _overlap(view: TestSizeView) -> None:
    sample_overlap_section(pipeline.sample_overlap(view.scores, view.grid))
