"""The section "Intervals compared" of "Estimate": each interval of the adjusted count, and of the precise quantifier."""

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.intervals_figure import ends_that_say_something, posterior_figure
from pages.frame.texts import texts_of
from qcore.intervals import POSTERIORS, all_intervals, posterior
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.scoring import SampleScores

_INTERVALS = (
    Column("method", "Interval"),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
    Column("includes", "Takes into account"),
    Column("idea", "How"),
)
_PRECISE = (Column("of", "Share of positives in"), *_INTERVALS[1:3])


def intervals_compared_section(shown: EstimateView) -> None:
    """Draw the tables of intervals, and the density of the share."""
    st.markdown(texts_of("estimate")["compared"])
    counts, level = shown.counts, shown.request.level
    small_table(ends_that_say_something(all_intervals(counts, level)), _INTERVALS, label="Intervals of the adjusted count")
    if shown.scored is not None and len(shown.scored.sample) >= FEWEST_INSTANCES:
        _precise(shown.scored, level, shown.sidebar_choice.seed)
    result = posterior(counts)
    chart(posterior_figure(result, result.interval(level)), key="posterior", alt="Density of the share, given the counts.")


def _precise(scored: SampleScores, level: float, seed: int) -> None:
    method = POSTERIORS["precise quantifier"]
    st.markdown(" ".join([texts_of("estimate")["precise"], method.weakness]))
    result = computations.precise(scored, seed)
    rows = [("its population", *result.interval(level)), ("the sample itself", *result.own_interval(level))]
    table = pd.DataFrame(rows, columns=["of", "low", "high"])
    small_table(table, _PRECISE, label="Intervals of the precise quantifier")
