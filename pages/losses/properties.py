"""What each loss says of an estimate that is too high or too low, and how to choose one: the tabs of "Losses"."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.charts.small_table import Column, small_table
from pages.frame.downloads import SETUP, csv_button
from pages.frame.texts import loss_text, texts_of
from pages.losses.hero import property_marks
from pages.work.refusals import show_invalid_input
from qcore import LOSSES, InvalidInput
from qcore.losses import PROPERTIES, Smoothing
from qcore.studies.loss_shapes import properties_at


def properties_section(losses: Sequence[str], truth: float, sample_size: int, smoothing: Smoothing) -> None:
    """Draw the table of what each loss says of an estimate that is too high and of one that is too low."""
    if truth in (0.0, 1.0):
        st.markdown(texts_of("losses")["properties_at_the_edge"])
        return
    try:
        _properties(losses, truth, sample_size, smoothing)
    except InvalidInput as error:
        show_invalid_input(error)


def how_to_choose(losses: Sequence[str]) -> None:
    """Draw how to choose a loss, and the formula and meaning of each."""
    st.markdown(texts_of("losses")["choice"])
    with st.expander("Why, and the losses in formulas"):
        st.markdown("\n\n".join([texts_of("losses")["choice, why"], *(loss_text(LOSSES[loss]) for loss in losses)]))


def _properties(losses: Sequence[str], truth: float, sample_size: int, smoothing: Smoothing) -> None:
    smaller = min(truth, 1.0 - truth)
    error = min(0.05, smaller)
    st.markdown(texts_of("losses")["properties"].format(error=f"{100 * error:.2g}%"))
    values = properties_at(losses, smaller, error, sample_size, smoothing)
    if truth > smaller:
        # All losses are the same with the classes exchanged; what is too high for the one is too low for the other.
        values = values.assign(over=values.under, under=values.over)
    rows = [dict(zip(values.columns, row, strict=True)) for row in values.itertuples(index=False)]
    marks = [property_marks(row) for row in rows]
    shown = values.assign(**{name: [mark[name] for mark in marks] for name in ("IMP", "ABS", "REL", "MAX")})
    shown["stated"] = [", ".join(sorted(LOSSES[loss].properties)) or "none" for loss in values.loss]
    columns = (
        Column("loss", "Loss"),
        Column("over", "Too high", ".4g", "Its value for an estimate that is too high by that error, without its sign."),
        Column("under", "Too low", ".4g", "And too low."),
        Column("even", "Same error at 50%", ".4g"),
        Column("largest", "Largest here", ".4g"),
        Column("largest_even", "Largest at 50%", ".4g"),
        *(Column(name, name, help=PROPERTIES[name]) for name in ("IMP", "ABS", "REL", "MAX")),
        Column("stated", "Stated", help="What the sources state for every prevalence; smoothing moves the largest values."),
    )
    small_table(shown, columns, label="Properties of each loss")
    csv_button("Properties as CSV", lambda: pd.DataFrame(shown), "loss-properties")


def python_source(
    losses: Sequence[str], truth: float, pair: tuple[float, float], sample_size: int, smoothing: Smoothing
) -> str:
    """A script that compares two estimates and draws the losses with qcore alone."""
    return (
        f"{SETUP}"
        "import numpy as np\n"
        "from qcore.studies.loss_shapes import preferences, shares_of_largest\n\n"
        f"losses, truth, size, smoothing = {list(losses)!r}, {truth!r}, {sample_size!r}, {smoothing!r}\n"
        f"print(preferences(losses, truth, {pair!r}, size, smoothing))\n"
        "estimates = np.linspace(0, 1, 101)\n"
        "shares = {loss: shares_of_largest(loss, [truth], estimates, size, smoothing)[0] for loss in losses}\n"
        "px.line(shares, labels={'index': 'estimate in %', 'value': 'share of the largest loss'}).show()\n"
    )
