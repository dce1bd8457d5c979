"""The section "How many do I need" of "Estimate": labels for a narrow interval, and instances to see a change."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.style import SERIES, figure
from pages.charts.traces import axis, line
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import split_sentence
from pages.estimate.intervals_figure import widths_figure
from pages.estimate.settings import POWERS, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.number_text import percentage, typed_percentage
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.base import TIE
from qcore.intervals import (
    Counts,
    LabelledSampleEstimate,
    best_split,
    expected_width,
    labels_for_difference,
    sample_size_for_difference,
)

_CHANGES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0, 20.0)
"""Changes in points for which the picture shows the number of instances or labels."""


def needed_section(shown: EstimateView | None, labelled: LabelledSampleEstimate | None) -> None:
    """Draw how many instances or labels show a change, and how wide the interval of one share would be with more labels."""
    if shown is not None:
        counts, level = shown.estimate.counts, shown.request.level
        _to_see_a_change(float(counts.estimate), counts, level)
        _for_a_narrow_interval(counts, level)
    elif labelled is not None:
        _labels_to_see_a_change(labelled)


def _change_controls() -> tuple[float, float]:
    """Draw the controls of the change and the power; returns both as fractions."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=200):
            points = control.fraction(SETTINGS["planned_points"])
        power = control.segments(SETTINGS["planned_power"])
    return points / 100.0, typed_percentage(power)


def _signed(share: float, change: float) -> float:
    """The change, downwards where the share has no room for a rise."""
    return change if share + change <= 1.0 + TIE else -change


def _to_see_a_change(share: float, counts: Counts, level: float) -> None:
    st.markdown("**To see a change from one sample to the next**")
    change, power = _change_controls()
    rates = float(counts.tpr), float(counts.fpr)

    def needed(by: float, with_power: float) -> int:
        return sample_size_for_difference(share, _signed(share, by), rates, power=with_power, level=level)

    try:
        st.markdown(
            f"- To see a change of **{change * 100:g} points** from {percentage(share)} with {power:.0%} power, each of the "
            f"two samples needs **{needed(change, power):,} instances**. More labels hardly help: whether anything changed is "
            "tested on the predictions."
        )
        _draw_needed(needed, "instances in each sample")
    except InvalidInput as error:
        show_invalid_input(error)


def _labels_to_see_a_change(labelled: LabelledSampleEstimate) -> None:
    st.markdown("**To see a change from one sample to the next, by labels inside both**")
    change, power = _change_controls()
    share, size = float(labelled.table.estimate.iloc[0]), int(labelled.sample.sample_size)
    tpr, fpr = (float(rate) for rate in labelled.sample.rates)

    def needed(by: float, with_power: float) -> int:
        return labels_for_difference(
            share, _signed(share, by), (tpr, fpr), size, power=with_power, level=labelled.level, own=labelled.own
        )

    try:
        st.markdown(
            f"- To see a change of **{change * 100:g} points** from {percentage(share)} with {power:.0%} power, label "
            f"**{needed(change, power):,} of {size:,} instances** of each of the two samples, drawn at random."
        )
    except InvalidInput as error:
        show_invalid_input(error)
    _draw_needed(needed, "labels in each sample")


def _draw_needed(needed: Callable[[float, float], int], what: str) -> None:
    """Draw how many are needed for each of several changes, at each power, as far as they can be seen at all."""
    rows = []
    for power in map(typed_percentage, POWERS):
        for points in _CHANGES:
            try:
                rows.append((points, power, needed(points / 100.0, power)))
            except InvalidInput:
                # So small a change is not to be seen, or so large a one not possible.
                continue
    if rows:
        table = pd.DataFrame(rows, columns=["points", "power", "needed"])
        chart(needed_figure(table, what), key="needed", alt=f"Number of {what} by the change that is to be seen.")
        csv_button("Numbers as CSV", lambda: table, "needed-to-see-a-change")


def needed_figure(table: pd.DataFrame, what: str) -> Figure:
    """How many are needed by the change in points, a line for each power: columns points, power, needed."""
    lines = [
        line(f"{power:.0%} power", rows.points, rows.needed, colour=SERIES[i], width=3, hover="%{y:,}")
        for i, (power, rows) in enumerate(table.groupby("power", sort=True))
    ]
    return figure(
        lines,
        title="How many show a change?",
        height=360,
        xaxis=axis("change, in points", type="log", tickvals=list(_CHANGES), ticktext=[f"{points:g}" for points in _CHANGES]),
        yaxis=axis(what, type="log", dtick=1),
    )


def _for_a_narrow_interval(counts: Counts, level: float) -> None:
    """Draw how wide the interval would be with more labels, and how to divide them over the classes."""
    st.markdown(texts_of("estimate")["labels"])
    rates, now = (float(counts.tpr), float(counts.fpr)), (int(counts.positives), int(counts.negatives))
    share, size = float(counts.estimate), int(counts.sample_size)
    width_of = partial(expected_width, share, rates, level=level)
    try:
        split = best_split(share, rates, *now, sample_size=size, level=level)
        width = float(width_of(*now, sample_size=size))
        labels = np.unique(np.geomspace(10, 10_000, 40).astype(int))
        table = pd.concat(
            pd.DataFrame({"labels": labels, "size": m, "width": width_of(labels, labels, sample_size=m)})
            for m in sorted({100, 1000, 10_000, size})
        )
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {split_sentence(split.positives, split.negatives, split.width, width)}")
    chart(widths_figure(table), key="widths", alt="Width of the interval by number of labelled instances, for sample sizes.")
    csv_button("Widths as CSV", lambda: table, "interval-widths")
