"""The tab "Intervals": all intervals of an estimate beside each other, their coverage, and rules in use."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SERIES, Figure, figure, numbered_style
from pages.charts.small_table import SHARE, Column, small_table
from pages.charts.traces import axis, horizontal_mark, line, markers, styled_line, vertical_mark
from pages.estimate import computations
from pages.estimate.estimate_view import EstimateView
from pages.estimate.intervals_figure import ends_that_say_something, posterior_figure
from pages.estimate.settings import SETTINGS, SHOWN_OF_COVERAGE
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.address import apply_settings, current
from pages.settings.number_text import enumerated
from pages.settings.setting import Value
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Counts, InvalidInput
from qcore.intervals import DEFAULT_INTERVAL, INTERVALS, POSTERIORS, all_intervals, posterior
from qcore.intervals.analytic import Interval
from qcore.intervals.coverage import misses
from qcore.intervals.few_labels import FEWEST_INSTANCES
from qcore.scoring import SampleScores
from qcore.studies.interval_coverage import ELSEWHERE, OF_SAMPLE, CoverageSettings

_INTERVALS = (
    Column("method", "Interval"),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
    Column("includes", "Takes into account"),
)
_PRECISE = (Column("of", "Share of positives in"), *_INTERVALS[1:3])


def intervals_compared_section(shown: EstimateView) -> None:
    """Draw the tables of intervals, and the density of the share."""
    st.markdown(texts_of("estimate")["compared"])
    counts, level = shown.estimate.counts, shown.request.level
    table = ends_that_say_something(all_intervals(counts, level))
    small_table(table, _INTERVALS, label="Intervals of the adjusted count")
    with st.expander("How each interval is made"):
        st.markdown("\n".join(f"- **{row.method}**: {row.idea}" for row in table.itertuples()))
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


_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_TITLES = {"prevalence": "true prevalence", "size": "sample size"}


def hundred_figure(table: pd.DataFrame, kind: str, truth: float, most: float) -> Figure:
    """A hundred intervals of a kind, coloured if they miss the truth: columns low, high, missed; the axis ends at `most`."""
    traces = []
    for name, missed, colour in (("hold the truth", False, NEUTRAL), ("miss it", True, SERIES[1])):
        rows = table[table.missed == missed]
        x: list[float | None] = [part for number in rows.index for part in (number, number, None)]
        y: list[float | None] = [part for ends in zip(rows.low, rows.high, strict=True) for part in (*ends, None)]
        traces.append(line(f"{len(rows)} {name}", x, y, colour=colour, width=4))
    return figure(
        traces,
        title=f"A hundred samples, {kind}",
        height=300,
        hovermode=False,
        xaxis=axis("sample", (-1, 100)),
        yaxis=axis("share of positives", (-0.01, min(1.0, most + 0.02)), tickformat=".0%"),
        shapes=[
            {
                "type": "line",
                "x0": -1,
                "x1": 100,
                "y0": truth,
                "y1": truth,
                "line": {"dash": "dot", "width": 3, "color": SERIES[0]},
            }
        ],
    )


def coverage_figure(table: pd.DataFrame, along: str, shown: str, mark: float) -> Figure:
    """A line for each kind of interval over prevalence or size; `shown`: coverage (with a line at 95%) or width."""
    of_coverage = shown == "coverage"
    drawn, hover = (table, "%{y:.1%}") if of_coverage else (_in_points(table), "%{y:.1f}")
    lines = [
        styled_line(str(key), numbered_style(list(INTERVALS).index(str(key))), rows[along], rows[shown], hover=hover)
        for key, rows in drawn.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"{'How many hold the truth' if of_coverage else 'How wide they are'}, by {_TITLES[along]}",
        height=300,
        shapes=[vertical_mark(mark), *([horizontal_mark(0.95)] if of_coverage else [])],
        xaxis=axis(_TITLES[along], None, **({"type": "log", "tickvals": _SIZES} if along == "size" else {"tickformat": ".0%"})),
        yaxis=axis(
            "intervals that hold the truth" if of_coverage else "mean width, in points",
            **(
                {"range": (min(0.78, float(table.coverage.min()) - 0.03), 1.01), "tickformat": ".0%"}
                if of_coverage
                else {"rangemode": "tozero"}
            ),
        ),
    )


TEXTS = texts_of("estimate")

_COVERAGE = (
    Column("method", "Interval"),
    Column("coverage", "Hold the truth", ".1%"),
    Column("width", "Mean width, in points", ".1f"),
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
    small_table(_in_points(table), _COVERAGE, label="Coverage over 2,000 samples")
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
        st.button("Simulate with the numbers of the sample", on_click=apply_settings, args=(values,))


def _hundred(ends: Interval, kind: str, prevalence: float, most: float, key: str) -> None:
    missed = np.logical_or(*misses(ends, prevalence))
    rows = pd.DataFrame({"low": ends.low, "high": ends.high, "missed": missed})
    alt = f"A hundred intervals by {kind}, those that miss the truth in colour."
    chart(hundred_figure(rows, kind, prevalence, most), key=key, alt=alt)


_HEIGHT = 420


def rules_coverage_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the share of its intervals that hold the truth, with a line at 95%."""
    low = min(0.78, float(table.coverage.min()) - 0.03)
    xaxis = axis("intervals that hold the truth", (low, 1.01), tickformat=".0%")
    return _dots(table, "coverage", "How many hold the truth?", xaxis, shapes=[vertical_mark(0.95)])


def rules_width_figure(table: pd.DataFrame) -> Figure:
    """A mark for each rule at the mean width of its intervals."""
    most = 1.08 * float(table.width.max())
    return _dots(_in_points(table), "width", "How wide are they?", axis("mean width, in points", (0.0, 100.0 * most)))


def _in_points(table: pd.DataFrame) -> pd.DataFrame:
    """The table with widths in points of percent."""
    return table.assign(width=100.0 * table.width)


def _dots(table: pd.DataFrame, column: str, title: str, xaxis: dict[str, Any], **more: Any) -> Figure:
    """A trace for each kind of labels, the rules from top to bottom."""
    colours = dict(zip(table.labels.unique(), (SERIES[0], SERIES[1], NEUTRAL), strict=False))
    symbols = dict(zip(colours, ("circle", "square", "diamond"), strict=False))
    traces = [
        markers(
            f"labels: {labels}",
            rows[column],
            rows.rule,
            colour=colours[labels],
            symbol=symbols[labels],
            size=12,
            hover="%{y}: %{x:.1%}",
        )
        for labels, rows in table.groupby("labels", sort=False)
    ]
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
                f"With labels {labels}, **{best.rule}** is the shortest rule that holds the truth often enough. Its intervals "
                f"are {100.0 * best.width:.1f} points wide on average; {best.coverage:.1%} of them hold the truth."
            )
    broken = table[table.coverage < _TOO_SHORT].sort_values("coverage")
    if len(broken):
        listed = enumerated([f"{row.rule} ({row.coverage:.0%})" for row in broken.itertuples()])
        sentences.append(f"Too short: {listed}.")
    return sentences


_COLUMNS = (
    Column("rule", "Rule"),
    Column("labels", "Labels"),
    Column("coverage", "Hold the truth", ".1%"),
    Column("width", "Mean width, in points", ".1f"),
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
    draw_sentences(rules_sentences(table))
    left, right = wide_row("rules", [1, 1], align="top")
    with left:
        chart(rules_coverage_figure(table), key="rules_coverage", alt="How many intervals of each rule hold the truth.")
    with right:
        chart(rules_width_figure(table), key="rules_width", alt="Mean width of the intervals of each rule.")
    with st.expander("The rules as a table"):
        small_table(_in_points(table), _COLUMNS, label="Rules by which intervals are given")
