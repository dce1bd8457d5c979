"""The section "How many do I need" of "Estimate": labels for a narrow interval, and instances to see a change."""

import contextlib
import itertools
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import SERIES, Figure, figure
from pages.charts.traces import axis, line
from pages.estimate.findings import split_sentence
from pages.estimate.intervals_figure import widths_figure
from pages.estimate.settings import POWERS, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import typed_percentage
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.intervals import Counts, DifferencePlan, LabelledSample, best_split, expected_width, plan_difference

_CHANGES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0, 20.0)
"""Changes in points for which the picture shows the number of instances or labels."""


@dataclass(frozen=True)
class Start:
    """From what a change is planned: the share, the size of a sample, (tpr, fpr), and the level of the test.

    `inside`: whether labels are those of the samples themselves; `own`: whether the samples' own shares are then wanted.
    """

    share: float
    size: int
    rates: tuple[float, float]
    level: float
    inside: bool = False
    own: bool = False

    @classmethod
    def of_counts(cls, counts: Counts, level: float, start: tuple[float, int]) -> Self:
        """From labels elsewhere; `start`: the share and the size."""
        # Samples that one test has counted have its rates in common.
        tpr, fpr = (float(np.ravel(rate)[0]) for rate in (counts.tpr, counts.fpr))
        return cls(*start, (tpr, fpr), level)

    @classmethod
    def of_labels(cls, sample: LabelledSample, level: float, start: tuple[float, int], *, own: bool) -> Self:
        """From labels of the samples themselves; `start`: the share and the size."""
        tpr, fpr = (float(rate) for rate in sample.rates)
        return cls(*start, (tpr, fpr), level, inside=True, own=own)

    def plan(self, change: float, power: float) -> DifferencePlan:
        """What it takes to see a change, as the command's --plan says it. Raises InvalidInput."""
        how: dict[str, Any] = {"power": power, "level": self.level, "sample_size": self.size, "own": self.own}
        return plan_difference(self.share, change, self.rates, **how)

    def needed(self, change: float, power: float) -> int | None:
        """How many instances, or labels inside, each sample needs; None where none are enough. Raises InvalidInput."""
        plan = self.plan(change, power)
        return plan.labels_inside if self.inside else plan.instances


def needed_section(start: Start, counts: Counts | None) -> None:
    """Draw what it takes to see a change, and how wide the interval of one share would be with more labels."""
    st.markdown("**To see a change from one sample to the next**")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=200):
            points = control.fraction(SETTINGS["planned_points"])
        power = typed_percentage(control.segments(SETTINGS["planned_power"]))
    try:
        draw_sentences(start.plan(points / 100.0, power).sentences())
    except InvalidInput as error:
        show_invalid_input(error)
    _draw_needed(start)
    if counts is not None:
        _for_a_narrow_interval(counts, start.level)


def _draw_needed(start: Start) -> None:
    """Draw how many are needed for each of several changes, at each power, as far as they can be seen at all."""
    rows = []
    for power, points in itertools.product(map(typed_percentage, POWERS), _CHANGES):
        # So large a change may not be possible.
        with contextlib.suppress(InvalidInput):
            rows.append((points, power, start.needed(points / 100.0, power)))
    table = pd.DataFrame(rows, columns=["points", "power", "needed"]).dropna()
    if len(table):
        what = "labels in each sample" if start.inside else "instances in each sample"
        chart(needed_figure(table, what), key="needed", alt=f"Number of {what} by the change that you want to see.")
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
    # A rate of 0 or 1 among a few labels has no variance by the formula: more labels would seem to be of no use.
    (se, _), (sp, _) = counts.smoothed_rates
    rates, now = (float(se), 1.0 - float(sp)), (int(counts.positives), int(counts.negatives))
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
