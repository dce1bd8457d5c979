"""The sections of "Losses", as tabs below the picture."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.findings.losses import property_marks
from pages.parts import controls
from pages.parts.downloads import SETUP, csv_button, python_code
from pages.parts.explanations import loss_text
from pages.parts.frame import sections
from pages.parts.losses.settings import LOSS_SECTIONS
from pages.parts.losses.texts import CHOICE_TEXT, PROPERTIES_TEXT
from qcore import LOSSES, InvalidInput
from qcore.losses import Smoothing
from qcore.studies.loss_shapes import properties_at


def losses_sections(
    losses: Sequence[str], truth: float, pair: tuple[float, float], sample_size: int, smoothing: Smoothing
) -> None:
    """The tabs."""

    def properties() -> None:
        try:
            _properties(losses, min(truth, 1.0 - truth), sample_size, smoothing)
        except InvalidInput as error:
            controls.show_invalid_input(error)

    drawn = (
        properties,
        lambda: _markdown("\n\n".join(loss_text(LOSSES[loss]) for loss in losses)),
        lambda: _markdown(CHOICE_TEXT),
        lambda: python_code(_python_source(losses, truth, pair, sample_size, smoothing)),
    )
    sections("losses", dict(zip(LOSS_SECTIONS, drawn, strict=True)))


def _markdown(text: str) -> None:
    st.markdown(text)


def _properties(losses: Sequence[str], truth: float, sample_size: int, smoothing: Smoothing) -> None:
    error = min(0.05, truth)
    st.markdown(PROPERTIES_TEXT.format(error=error))
    table = properties_at(losses, truth, error, sample_size, smoothing)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.itertuples(index=False)]
    marks = [property_marks(row) for row in rows]
    shown = table.assign(**{name: [mark[name] for mark in marks] for name in ("IMP", "ABS", "REL", "MAX")})
    shown["stated"] = [", ".join(sorted(LOSSES[loss].properties)) or "none" for loss in table.loss]
    number, check = st.column_config.NumberColumn, st.column_config.CheckboxColumn
    st.dataframe(
        shown,
        hide_index=True,
        height="content",
        column_config={
            "loss": st.column_config.TextColumn("Loss", pinned=True),
            "over": number("Too high", format="%.4g", help="Its value for an estimate that is too high by that error."),
            "under": number("Too low", format="%.4g", help="And too low."),
            "even": number("Same error at 50%", format="%.4g"),
            "largest": number("Largest here", format="%.4g"),
            "largest_even": number("Largest at 50%", format="%.4g"),
            **{name: check(name, help="What these numbers say.") for name in ("IMP", "ABS", "REL", "MAX")},
            "stated": st.column_config.TextColumn("Proved", help="What holds at every prevalence."),
        },
    )
    csv_button("Properties as CSV", lambda: pd.DataFrame(shown), "loss-properties")


def _python_source(
    losses: Sequence[str], truth: float, pair: tuple[float, float], sample_size: int, smoothing: Smoothing
) -> str:
    return (
        f"{SETUP}"
        "from qcore.studies.loss_shapes import preferences\n\n"
        f"print(preferences({list(losses)!r}, {truth!r}, {pair!r}, {sample_size!r}, {smoothing!r}))\n"
    )
