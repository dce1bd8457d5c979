"""The page "Losses": what does a loss say of an estimate, which properties does it have, which estimate does it prefer?"""

import streamlit as st

from pages.charts.dragged_slider import drag_bar
from pages.frame.page_frame import draw_tabs, first_viewport
from pages.losses.hero import controls, hero
from pages.losses.properties import how_to_choose, properties_section, python_source
from pages.losses.settings import PRESETS, SETTINGS
from pages.settings import control
from pages.settings.page_declaration import Page, Tab
from pages.work.turns import fragment

TRUTHS = [step / 50 for step in range(51)]


@fragment
def body() -> None:
    """Draw the losses at a dragged true prevalence, the comparison of two estimates, and the sections."""
    with first_viewport("losses") as parts:
        with parts.bar:
            typed = control.hidden_number_box(SETTINGS["true_p"])
            truths = sorted({*TRUTHS, typed})
            drag_bar("true_p", "True prevalence", truths, typed, percent=True)
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                pair, losses, size, smoothing = controls()
        parts.downloads.source = python_source(losses, typed, pair, size, smoothing)
        hero(parts, losses, truths, truths.index(typed), pair, size=size, smoothing=smoothing)
    draw_tabs(PAGE, losses=losses, truth=typed, sample_size=size, smoothing=smoothing)


def draw() -> None:
    """Draw the page."""
    control.check_url()
    control.show_notices()
    body()


PAGE = Page(
    name="losses",
    question="What does a loss say of an estimate?",
    draw=draw,
    group=None,
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Properties", properties_section, needs=("losses", "truth", "sample_size", "smoothing"), formerly=("Python",)),
        Tab("How to choose", how_to_choose, needs=("losses",), formerly=("The losses",)),
    ),
    charts=("shapes", "preferences"),
)
