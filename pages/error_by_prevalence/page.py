"""How wrong is each quantifier, by the true prevalence of the sample?"""

from dataclasses import dataclass

import streamlit as st

from pages import pipeline
from pages.charts.dragged_slider import live_slider
from pages.error_by_prevalence.hero import ErrorView, Looks, hero, table_and_downloads
from pages.error_by_prevalence.settings import PRESETS, SETTINGS
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page
from pages.frame.recording import record
from pages.frame.sampling_controls import fitting_protocol, seed_box, training_prevalence, training_share, type_numbers
from pages.frame.sidebar import SidebarChoice, no_method
from pages.frame.texts import loss_popover, quantifiers_explained
from pages.settings import control
from pages.settings.address import current
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import LOSSES, ArtificialPrevalence, InvalidInput, ScoringSettings
from qcore.losses import Loss, Smoothing


@dataclass(frozen=True)
class SamplingRequest:
    """The choices of the controls: which samples to draw, how to split the data, and how to look at them."""

    protocol: ArtificialPrevalence
    training_share: float
    training_prevalence: float | None
    looks: Looks


def controls() -> SamplingRequest:
    """Draw the controls (seldom used ones behind "More") and return their choices."""
    size_part = st.container(width=212)
    grid, repeats = (current(SETTINGS[key]) for key in ("grid", "repeats"))
    with st.popover(f"{grid} prevalences, {repeats} repeats", key="more"):
        chosen_grid = control.segments(SETTINGS["grid"])
        chosen_repeats = control.number(SETTINGS["repeats"])
        type_numbers(SETTINGS["size"])
        training = training_share()
        prior = training_prevalence()
        seed_box()
        beside, free_axes = control.toggle(SETTINGS["beside"]), control.toggle(SETTINGS["free"])
        looks = Looks(free_axes, str(control.segments(SETTINGS["bands"])), beside)
    size = live_slider(size_part, SETTINGS["size"])
    protocol = ArtificialPrevalence(int(chosen_grid), int(size), int(chosen_repeats))
    return SamplingRequest(protocol, training, prior, looks)


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the controls and everything that they change; moving them redraws nothing else."""
    with first_viewport("error_by_prevalence") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            loss = LOSSES[control.segments(SETTINGS["loss"])]
            smoothing = loss_popover(loss)
            request = controls()
        shown = answer(parts, sidebar_choice, request, loss, smoothing)
    draw_tabs(PAGE, shown=shown, methods=sidebar_choice.methods)


def answer(
    parts: PageParts, sidebar_choice: SidebarChoice, request: SamplingRequest, loss: Loss, smoothing: Smoothing
) -> ErrorView | None:
    """Draw the pictures, or a sentence that says why there are none; returns what is shown, or None."""
    with parts.hero:
        if no_method(sidebar_choice.methods):
            return None
        try:
            settings = ScoringSettings(
                sidebar_choice.positive,
                sidebar_choice.classifier,
                sidebar_choice.seed,
                request.training_share,
                request.training_prevalence,
            )
            protocol = fitting_protocol(request.protocol, pipeline.plan(sidebar_choice.data, settings).pool_counts)
            scores = pipeline.scores(sidebar_choice.data, settings)
            estimates = pipeline.estimates(scores, protocol, sidebar_choice.methods)
        except InvalidInput as error:
            show_invalid_input(error)
            return None
    view = ErrorView(sidebar_choice, settings, protocol, loss, smoothing, request.looks, scores, estimates)
    record("error_by_prevalence", view=view)
    hero(view, parts)
    return view


def draw() -> None:
    """Draw the page."""
    with page() as chosen:
        body(chosen)


PAGE = Page(
    name="error_by_prevalence",
    question="How wrong is each quantifier when the share of positives has moved?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Table", table_and_downloads, needs=("shown",), formerly=("Python",)),
        Tab("How the quantifiers work", quantifiers_explained, needs=("methods",)),
    ),
    charts=("loss_by_prevalence", "estimate_by_prevalence", "losses_by_prevalence"),
)
