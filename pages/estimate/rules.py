"""The section "Rules in use" of "Estimate": rules for intervals that tools use, beside ours, on the same simulated samples."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.estimate import computations
from pages.estimate.coverage import simulated_settings
from pages.estimate.rules_figure import rules_coverage_figure, rules_width_figure
from pages.estimate.rules_findings import rules_sentences
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Counts, InvalidInput

TEXTS: Final = texts_of("estimate")

_COLUMNS: Final = (
    Column("rule", "Rule"),
    Column("labels", "Labels"),
    Column("coverage", "Hold the truth", ".1%"),
    Column("width", "Mean width", ".1%"),
    Column("idea", "How"),
)


@fragment
def rules_section(seed: int, counts: Counts | None) -> None:
    """Draw the controls, coverage and width of each rule, or a sentence that says why there are none."""
    st.markdown(TEXTS["rules"])
    settings = simulated_settings(counts)
    try:
        table = computations.rules(settings, seed)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown("\n".join(f"- {sentence}" for sentence in rules_sentences(table)))
    left, right = wide_row("rules", [1, 1], align="top")
    with left:
        chart(rules_coverage_figure(table), key="rules_coverage", alt="How many intervals of each rule hold the truth.")
    with right:
        chart(rules_width_figure(table), key="rules_width", alt="Mean width of the intervals of each rule.")
    with st.expander("The rules as a table"):
        small_table(table, _COLUMNS, label="Rules by which intervals are given")
