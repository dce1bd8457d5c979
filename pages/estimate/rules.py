"""Interval rules in use: the section, its figure, its sentences."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.small_table import Column, small_table
from pages.charts.style import NEUTRAL, PALETTE, figure
from pages.charts.traces import axis, markers, vertical_mark
from pages.estimate import computations
from pages.estimate.coverage import simulated_settings
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings.number_text import enumerated
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Counts, InvalidInput
from qcore.studies.interval_coverage import ELSEWHERE, OF_SAMPLE

_HEIGHT = 420


def rules_coverage_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the share of its intervals that hold the truth, with a line at 95%."""
    low = min(0.78, float(table.coverage.min()) - 0.03)
    xaxis = axis("intervals that hold the truth", (low, 1.01), tickformat=".0%")
    return _dots(table, "coverage", "How many hold the truth?", xaxis, shapes=[vertical_mark(0.95)])


def rules_width_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the mean width of its intervals."""
    most = 1.08 * float(table.width.max())
    return _dots(table, "width", "How wide are they?", axis("mean width", (0.0, most), tickformat=".0%"))


def _dots(table: pd.DataFrame, column: str, title: str, xaxis: dict[str, Any], **more: Any) -> Figure:
    """A trace for each kind of labels, the rules from top to bottom."""
    colours = dict(zip(table.labels.unique(), (PALETTE[0], PALETTE[1], NEUTRAL), strict=False))
    symbols = dict(zip(colours, ("circle", "square", "diamond"), strict=False))
    traces = [
        markers(f"labels: {labels}", rows[column], rows.rule, colour=colours[labels], symbol=symbols[labels], size=12,
                hover="%{y}: %{x:.1%}")
        for labels, rows in table.groupby("labels", sort=False)
    ]  # fmt: skip
    names = {"type": "category", "categoryorder": "array", "categoryarray": table.rule.tolist()[::-1]}
    return figure(
        traces, title=title, height=_HEIGHT, hovermode="closest", xaxis=xaxis, yaxis={**names, "title": {"text": ""}}, **more
    )


_HOLDS = 0.945
"""The least coverage of a rule that is recommended; with a lower limit, rules would be recommended for being too short."""
_TOO_SHORT = 0.935
"""A rule with less coverage is called too short: of 2,000 intervals at 95%, so few hold the truth once in a thousand times."""


def rules_sentences(table: pd.DataFrame) -> list[str]:
    """The shortest rule that holds the truth often enough with labels of each kind, and the rules that do not."""
    sentences = []
    for labels in (OF_SAMPLE, ELSEWHERE):
        kept = table[(table.labels == labels) & (table.coverage >= _HOLDS)]
        if len(kept):
            best = kept.iloc[int(kept.width.argmin())]
            sentences.append(
                f"With labels {labels}, **{best.rule}** is the shortest rule that holds the truth often enough: its intervals "
                f"are {best.width:.1%} wide on average, and {best.coverage:.1%} of them hold the truth."
            )
    broken = table[table.coverage < _TOO_SHORT].sort_values("coverage")
    if len(broken):
        listed = enumerated([f"{row.rule} ({row.coverage:.0%})" for row in broken.itertuples()])
        sentences.append(f"Too short: {listed}.")
    return sentences


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
