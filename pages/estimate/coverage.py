"""The section "Coverage" of "Estimate": how many simulated intervals hold the truth."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.estimate import computations
from pages.estimate.coverage_figure import coverage_figure, hundred_figure
from pages.estimate.settings import SETTINGS, SHOWN_OF_COVERAGE
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.address import give
from pages.settings.current import current
from pages.settings.setting import Value
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Counts, InvalidInput
from qcore.intervals import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.analytic import Interval
from qcore.intervals.coverage import misses
from qcore.studies.interval_coverage import CoverageSettings

TEXTS: Final = texts_of("estimate")

_COVERAGE = (
    Column("method", "Interval"),
    Column("coverage", "Hold the truth", ".1%"),
    Column("width", "Mean width", ".1%"),
    Column("below", "Lie below it", ".1%"),
    Column("above", "Lie above it", ".1%"),
)


@fragment
def coverage_section(seed: int, counts: Counts | None) -> None:
    """Draw a hundred simulated intervals of two kinds, and how many of thousands hold the truth; `counts` as below."""
    st.markdown(TEXTS["coverage"])
    settings = simulated_settings(counts)
    try:
        table, hundred = computations.simulated_coverage(settings, seed)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    other = control.choice(SETTINGS["other_interval"])
    most = max(float(hundred[key].high.max()) for key in (DEFAULT_INTERVAL, other))
    columns = wide_row("hundred", [1, 1], align="top")
    for column, kind, key in zip(columns, (DEFAULT_INTERVAL, other), ("hundred_default", "hundred_other"), strict=True):
        with column:
            _hundred(hundred[kind], kind, settings.prevalence, most, key)
            st.caption(f"**{kind}**: {INTERVALS[kind].idea}")
    small_table(table, _COVERAGE, label="Coverage over 2,000 samples")
    shown = control.segments(SETTINGS["coverage_shown"])
    left, right = wide_row("coverage curves", [1, 1], align="top")
    curves = (
        (left, "coverage_by_prevalence", "prevalence", settings.prevalence),
        (right, "coverage_by_size", "size", settings.size),
    )
    for column, key, along, mark in curves:
        with column:
            result = computations.coverage_along(along, settings, seed)
            figure = coverage_figure(result, along, SHOWN_OF_COVERAGE[shown], mark)
            chart(figure, key=key, alt=f"{shown} of each interval by {along}.")


def simulated_settings(counts: Counts | None) -> CoverageSettings:
    """Draw the controls of the simulation and return their choices; `counts` of the sample above, None if there is none."""
    if counts is not None and counts.corrects:
        _offer_those_of(counts)
    first, second, third = narrow_row("coverage", 3)
    with first:
        prevalence = float(control.slider(SETTINGS["simulated_share"]))
        size = int(control.slider(SETTINGS["simulated_size"]))
    with second:
        tpr = float(control.slider(SETTINGS["true_rate"]))
        fpr = float(control.slider(SETTINGS["false_rate"]))
    with third:
        labels = int(control.slider(SETTINGS["simulated_labels"]))
    return CoverageSettings(prevalence, (tpr, fpr), labels, size)


def _offer_those_of(counts: Counts) -> None:
    """Say that the simulation has other numbers than the sample above, and offer to take those, as far as the bars go."""
    labels = min(int(counts.positives), int(counts.negatives))
    values: dict[str, Value | None] = {
        "simulated_share": round(float(counts.estimate), 2),
        "true_rate": round(float(counts.tpr), 2),
        "false_rate": round(float(counts.fpr), 2),
        "simulated_labels": int(np.clip(round(labels, -1), 10, 2000)),
        "simulated_size": int(np.clip(round(int(counts.sample_size), -1), 10, 10_000)),
    }
    if any(current(SETTINGS[key]) != value for key, value in values.items()):
        st.caption("These are not the numbers of the sample above.")
        st.button("Simulate with the numbers of the sample", on_click=give, args=(values,))


def _hundred(ends: Interval, kind: str, prevalence: float, most: float, key: str) -> None:
    missed = np.logical_or(*misses(ends, prevalence))
    rows = pd.DataFrame({"low": ends.low, "high": ends.high, "missed": missed})
    alt = f"A hundred intervals by {kind}, those that miss the truth in colour."
    chart(hundred_figure(rows, kind, prevalence, most), key=key, alt=alt)
