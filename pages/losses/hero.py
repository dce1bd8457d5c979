"""The main view of "Losses": the losses over the estimate, two estimates compared, and the controls."""

from typing import Final

import streamlit as st

from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_text import dragged_text
from pages.frame.computed import record
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts
from pages.losses.figure import preferences_figure, shapes_figure
from pages.losses.findings import preference_headlines
from pages.losses.settings import SETTINGS
from pages.settings import control
from pages.settings.shared import SMOOTHING_NAMES
from qcore import LOSSES
from qcore.losses import Smoothing
from qcore.studies.loss_shapes import preferences, shares_of_largest, without_equals

ESTIMATES: Final = [step / 100 for step in range(101)]


def controls() -> tuple[tuple[float, float], list[str], int, Smoothing]:
    """Draw the controls; returns (both estimates, losses, sample size, smoothing)."""
    with st.container(width=130):
        first = float(control.fraction(SETTINGS["first_estimate"]))
    with st.container(width=130):
        second = float(control.fraction(SETTINGS["second_estimate"]))
    with st.popover("Losses", key="shown_losses_menu"):
        chosen = control.several(SETTINGS["shown_losses"])
        if not chosen:
            st.caption("None is chosen: AE is shown.")
    with st.popover("Sample size and smoothing", key="smoothing_menu"):
        size = int(control.slider(SETTINGS["size"], help="By which KLD, RAE and their kin are smoothed."))
        smoothing = SMOOTHING_NAMES[control.segments(SETTINGS["smoothing"])]
    losses = [loss for loss in LOSSES if loss in chosen] or ["AE"]
    return (first, second), losses, size, smoothing


def hero(
    parts: PageParts,
    losses: list[str],
    truths: list[float],
    index: int,
    pair: tuple[float, float],
    *,
    size: int,
    smoothing: Smoothing,
) -> None:
    """Draw both charts, and the finding above them."""
    shares = {loss: shares_of_largest(loss, truths, ESTIMATES, size, smoothing) for loss in losses}
    table = preferences(losses, truths, pair, size, smoothing)
    record("losses", preferences=table, shares=shares, truths=truths)
    with parts.hero:
        left, right = wide_row("losses", [3, 2], align="top")
        with left:
            dragged = shapes_figure(without_equals(shares), ESTIMATES, truths, pair, index)
            follows = [DraggedValue("true_p", dragged, index, [])]
            chart(dragged.figure, key="shapes", alt="Each loss over the estimate.", follows=follows, drags="true_p",
                  sentence_height=0)  # fmt: skip
        with right:
            dragged = preferences_figure(table, truths, index)
            follows = [DraggedValue("true_p", dragged, index, [])]
            chart(dragged.figure, key="preferences", alt="Which of two estimates each loss prefers.", follows=follows,
                  sentence_height=0)  # fmt: skip
    with parts.headline:
        dragged_text("preferred", "true_p", truths, preference_headlines(table, pair), truths[index], headline=True)
