"""The sections of "Estimate", as tabs below the picture."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.estimate import computations
from pages.estimate.all_classes import all_classes_section
from pages.estimate.coverage import coverage_section
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import split_sentence
from pages.estimate.intervals_figure import ends_that_say_something, groups_figure, posterior_figure, widths_figure
from pages.estimate.rules import rules_section
from pages.estimate.settings import LABELLED_PART, SECTIONS, SETTINGS, WATCHED
from pages.estimate.trust import trust_section
from pages.estimate.which_method import which_method
from pages.estimate.which_shift import which_shift_section
from pages.frame.downloads import csv_button
from pages.frame.page_frame import if_there, tabs
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings.control import escaped
from pages.settings.current import current
from pages.settings.number_text import counted, listed
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.datasets.preparation import n_values
from qcore.intervals import POSTERIORS, all_intervals, best_split, estimate_groups, expected_width, posterior
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.scoring import SampleScores
from qcore.watching.batches import groups_in_time

TEXTS: Final = texts_of("estimate")

_INTERVALS = (
    Column("method", "Interval"),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
    Column("includes", "Takes into account"),
    Column("idea", "How"),
)
_PRECISE = (Column("of", "Share of positives in"), *_INTERVALS[1:3])
_MOST_GROUPS = 60
_GROUPS = (
    Column("group", "Group"),
    Column("size", "Instances", ",d"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
)


def sections(sidebar_choice: SidebarChoice, shown: EstimateView | None) -> None:
    """Draw the tabs below the picture; without a sample, the tabs on it say that there is nothing to show."""
    elsewhere = current(SETTINGS["way"]) in (LABELLED_PART, WATCHED)

    def of_sample(draw: Callable[[EstimateView], None]) -> Callable[[], None]:
        return _labels_elsewhere if elsewhere else if_there(shown, draw)

    counts = None if shown is None else shown.counts
    drawn = (
        lambda: trust_section(None if elsewhere else shown),
        of_sample(which_shift_section),
        of_sample(which_method),
        of_sample(_compared),
        of_sample(all_classes_section),
        of_sample(_labels),
        of_sample(_groups),
        lambda: coverage_section(sidebar_choice.seed, counts),
        lambda: rules_section(sidebar_choice.seed, counts),
        lambda: _text("how"),
    )
    tabs("estimate", dict(zip(SECTIONS, drawn, strict=True)))


def _labels_elsewhere() -> None:
    st.info(TEXTS["labels elsewhere"])


def _text(name: str) -> None:
    st.markdown(TEXTS[name])


def _compared(shown: EstimateView) -> None:
    st.markdown(TEXTS["compared"])
    counts, level = shown.counts, shown.request.level
    small_table(ends_that_say_something(all_intervals(counts, level)), _INTERVALS, label="Intervals of the adjusted count")
    if shown.scored is not None and len(shown.scored.sample) >= FEWEST_INSTANCES:
        _precise(shown.scored, level, shown.sidebar_choice.seed)
    result = posterior(counts)
    chart(posterior_figure(result, result.interval(level)), key="posterior", alt="Density of the share, given the counts.")


def _precise(scored: SampleScores, level: float, seed: int) -> None:
    method = POSTERIORS["precise quantifier"]
    st.markdown(" ".join([TEXTS["precise"], method.weakness]))
    result = computations.precise(scored, seed)
    rows = [("its population", *result.interval(level)), ("the sample itself", *result.own_interval(level))]
    table = pd.DataFrame(rows, columns=["of", "low", "high"])
    small_table(table, _PRECISE, label="Intervals of the precise quantifier")


def _labels(shown: EstimateView) -> None:
    st.markdown(TEXTS["labels"])
    counts, level = shown.counts, shown.request.level
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


def _groups(shown: EstimateView) -> None:
    st.markdown(TEXTS["groups"])
    own, scored = shown.request.own, shown.scored
    if own is None or scored is None:
        st.info("This tab needs a table of your own: choose *my sample* at *What is estimated?* above.")
        return
    columns = [name for name in own.frame.columns if 1 < n_values(own.frame[name]) <= _MOST_GROUPS]
    if not columns:
        st.info(f"No column of {own.name} has 2 to {_MOST_GROUPS} values.")
        return
    known = {str(name) for name in pipeline.dataset(shown.sidebar_choice.data).features.columns}
    # Columns that are not features come first: the user has added them to tell samples apart.
    columns.sort(key=lambda name: str(name) in known)
    index = None if str(columns[0]) in known else 0
    column = st.selectbox(
        "One estimate for each value of", columns, index=index, key=f"group {own.digest}", placeholder="Which?"
    )
    if column is None:
        st.caption(
            "All these columns are features of the classifier; a column that tells samples apart, such as a month, is not."
        )
        return
    if str(column) in known:
        st.warning(
            f"{escaped(str(column))} is a feature of the classifier: in its groups tpr and fpr are not those measured, so "
            "that neither the estimates nor their intervals hold."
        )
    groups = groups_in_time(own.frame[column], str(column))
    if n_without := int(groups.isna().sum()):
        rows = counted(n_without, "row")
        st.caption(f"{rows} without a value of {escaped(str(column))}: in no group, but in the estimate of all.")
    table = estimate_groups(scored.sample, groups, scored.training_scores, scored.training_labels, level=shown.request.level)
    chart(groups_figure(table, str(column)), key="groups", alt=f"Estimate and interval for each value of {column}.")
    small = table[table["size"] < FEWEST_INSTANCES]
    if len(small):
        names = listed([escaped(name) for name in small.group], most=10, first=9)
        st.caption(f"Fewer than {FEWEST_INSTANCES} instances: {names}. Little is known of them.")
    small_table(table, _GROUPS, label="Estimates by group")
    csv_button("Groups as CSV", lambda: table, "estimates-by-group")
