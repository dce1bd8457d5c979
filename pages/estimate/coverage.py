"""Coverage of intervals: the section and its figure."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import Figure
from pages.charts.small_table import Column, small_table
from pages.charts.style import NEUTRAL, PALETTE, figure, numbered_style
from pages.charts.traces import axis, horizontal_mark, line, styled_line, vertical_mark
from pages.estimate import computations
from pages.estimate.settings import SETTINGS, SHOWN_OF_COVERAGE
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.address import apply_settings, current
from pages.settings.setting import Value
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Counts, InvalidInput
from qcore.intervals import DEFAULT_INTERVAL, INTERVALS
from qcore.intervals.analytic import Interval
from qcore.intervals.catalog import misses
from qcore.studies.interval_coverage import CoverageSettings

_SIZES: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_TITLES: Final = {"prevalence": "true prevalence", "size": "sample size"}


def hundred_figure(table: pd.DataFrame, kind: str, truth: float, most: float) -> Figure:
    """A hundred intervals of a kind, coloured if they miss the truth: columns low, high, missed; the axis ends at `most`."""
    traces = []
    for name, missed, colour in (("hold the truth", False, NEUTRAL), ("miss it", True, PALETTE[1])):
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
                "line": {"dash": "dot", "width": 3, "color": PALETTE[0]},
            }
        ],
    )


def coverage_figure(table: pd.DataFrame, along: str, shown: str, mark: float) -> Figure:
    """A line for each kind of interval over prevalence or size; `shown`: coverage (with a line at 95%) or width."""
    lines = [
        styled_line(str(key), numbered_style(list(INTERVALS).index(str(key))), rows[along], rows[shown], hover="%{y:.1%}")
        for key, rows in table.groupby("method", sort=False)
    ]
    of_coverage = shown == "coverage"
    return figure(
        lines,
        title=f"{'How many hold the truth' if of_coverage else 'How wide they are'}, by {_TITLES[along]}",
        height=300,
        shapes=[vertical_mark(mark), *([horizontal_mark(0.95)] if of_coverage else [])],
        xaxis=axis(_TITLES[along], None, **({"type": "log", "tickvals": _SIZES} if along == "size" else {"tickformat": ".0%"})),
        yaxis=axis(
            "intervals that hold the truth" if of_coverage else "mean width", tickformat=".0%",
            **({"range": (min(0.78, float(table.coverage.min()) - 0.03), 1.01)} if of_coverage else {"rangemode": "tozero"}),
        ),
    )  # fmt: skip


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
        st.button("Simulate with the numbers of the sample", on_click=apply_settings, args=(values,))


def _hundred(ends: Interval, kind: str, prevalence: float, most: float, key: str) -> None:
    missed = np.logical_or(*misses(ends, prevalence))
    rows = pd.DataFrame({"low": ends.low, "high": ends.high, "missed": missed})
    alt = f"A hundred intervals by {kind}, those that miss the truth in colour."
    chart(hundred_figure(rows, kind, prevalence, most), key=key, alt=alt)
