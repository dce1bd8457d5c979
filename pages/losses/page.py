"""The page "Losses": what does a loss say of an estimate, which properties does it have, which estimate does it prefer?"""

import streamlit as st

from pages.charts.drag_bar import drag_bar
from pages.frame.page_frame import first_viewport
from pages.losses.hero import controls, hero
from pages.losses.sections import python_source, sections
from pages.losses.settings import SETTINGS
from pages.settings import control
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
    sections(losses, typed, size, smoothing)


control.check_url()
control.show_notices()
body()
