"""The tabs on the comparison that is shown: tests, box plots, one method against all others, data set by data set."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SERIES, Figure, figure, run_style
from pages.charts.panels import Panels, wide_and_narrow
from pages.charts.small_table import P_VALUE, Column, small_table
from pages.charts.traces import axis, diagonal, horizontal_mark, line, markers
from pages.compare import computations
from pages.compare.findings import pairs_caution, pivot_sentence, thesis_pivot_sentence
from pages.compare.hero import ComparisonRequest
from pages.compare.settings import ALL, PREVALENCES, SETTINGS, THESIS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from qcore.evaluation.experiment.settings import ALL_CLASSES, COMPARED
from qcore.evaluation.significance import Comparison, against_pivot

_GROUP = 0.08
"""Width of the bars at one prevalence; Plotly would give a single one all of the axis."""

_TOO_LOW = 0.1
"""A panel whose highest bar does not reach this share of the shared axis gets an axis of its own."""

_SMALLEST = 1e-4
"""On a logarithmic axis, smaller losses (such as 0) are drawn at this value."""


def boxes_figure(losses: pd.DataFrame, methods: Sequence[str], loss: str, *, log: bool) -> Figure:
    """A box for each method over data sets and prevalences; outliers are named. Columns data, method, prevalence, loss."""
    traces: list[dict[str, Any]] = []
    for method in methods:
        rows = losses[losses.method == method]
        texts = [_case(data, p) for data, p in zip(rows["data"], rows.prevalence, strict=True)]
        values = np.maximum(rows.loss, _SMALLEST) if log else rows.loss
        traces.append(
            {
                "type": "box",
                "name": method,
                "y": values.tolist(),
                "text": texts,
                "boxpoints": "outliers",
                "boxmean": True,
                "marker": {"color": run_style(method).colour, "size": 4},
                "line": {"width": 1.5},
                "showlegend": False,
                "hovertemplate": f"{method}: %{{y:.3f}}<br>%{{text}}<extra></extra>",
                "hoveron": "points",
            }
        )
    return figure(
        traces,
        title=f"{loss} over data sets and prevalences",
        height=430,
        hovermode="closest",
        margin={"l": 60, "r": 16, "t": 48, "b": 70},
        xaxis=axis("", type="category"),
        yaxis=axis(loss, None, **({"type": "log"} if log else {"rangemode": "tozero"})),
    )


def _case(data: str, prevalence: float) -> str:
    """A data set with the prevalence of its samples; of all classes, a loss is the mean over all prevalences."""
    return data if data.endswith(ALL_CLASSES) else f"{data}, prevalence {prevalence:.0%}"


def pivot_figure(losses: pd.DataFrame, pivot: str, method: str, loss: str) -> Figure:
    """The method's loss over the pivot's, a point for each data set and prevalence. Above the diagonal the pivot is better."""
    table = losses.pivot_table("loss", ["data", "prevalence"], "method", sort=False)
    x, y = table[pivot], table[method]
    texts = [_case(data, p) for data, p in table.index]
    most = float(max(x.max(), y.max())) * 1.05 or 1.0
    hover = f"%{{text}}<br>{pivot} %{{x:.3f}}, {method} %{{y:.3f}}<extra></extra>"
    better = np.where(y > x, SERIES[0], np.where(y < x, SERIES[1], NEUTRAL)).tolist()
    return figure(
        [
            diagonal("equal", showlegend=False) | {"x": [0, most], "y": [0, most]},
            markers(f"{method} beside {pivot}", x, y, colour=better, size=7, text=texts, hover=hover, showlegend=False),
        ],
        title=f"{method} beside {pivot}: above the line {pivot} is better",
        height=430,
        hovermode="closest",
        xaxis=axis(f"{loss} of {pivot}", (-0.02 * most, most)),
        yaxis=axis(f"{loss} of {method}", (-0.02 * most, most)),
    )


def wins_figure(table: pd.DataFrame, pivot: str, method: str) -> Figure:
    """A pivot's wins minus its losses by test prevalence, against one method and, in grey, against the others.

    `table` from `against_pivot`, by prevalence.
    """
    others = [
        line(str(name), rows.prevalence, rows.dwl, width=1, opacity=0.5, hover=f"{name}: %{{y}}", showlegend=False)
        for name, rows in table.groupby("method", sort=False)
        if name != method
    ]
    rows = table[table.method == method]
    colour = run_style(method).colour
    shown = line(method, rows.prevalence, rows.dwl, colour=colour, width=3, hover=f"{method}: %{{y}}", showlegend=False)
    shown |= {"mode": "lines+markers", "marker": {"size": 8, "color": colour}}
    return figure(
        [*others, shown],
        title=f"Wins minus losses of {pivot} against {method} (grey: others)",
        height=430,
        hovermode="closest",
        shapes=[horizontal_mark(0)],
        xaxis=axis("test prevalence", (-0.02, 1.02), tickformat=".0%"),
        yaxis=axis("wins minus losses"),
    )


def by_data_set_figure(losses: pd.DataFrame, methods: Sequence[str], data_sets: Sequence[str], loss: str) -> Panels:
    """The loss of each method at each prevalence as dots, a panel for each data set, in the order of `data_sets`.

    A panel has an axis of its own where its dots would not reach a tenth of the shared one.
    """
    styles = {method: run_style(method) for method in methods}
    panels = {}
    for number, name in enumerate(data_sets):
        rows = losses[losses["data"] == name]
        panels[_in_short(name)] = [
            markers(
                method,
                # Beside each other, so that equal losses are all seen.
                part.prevalence + _GROUP * ((place + 0.5) / len(methods) - 0.5),
                part.loss,
                colour=styles[method].colour,
                symbol=styles[method].symbol,
                size=6,
                hover=f"{method}: %{{y:.3f}}<extra></extra>",
                legendgroup=method,
                showlegend=number == 0,
            )
            for place, method in enumerate(methods)
            for part in [rows[rows.method == method]]
        ]
    shown = losses[losses.method.isin(methods)]
    most = float(shown.loss.max()) * 1.05 or 1.0
    tops = {name: float(shown[shown["data"] == name].loss.max()) * 1.05 for name in data_sets}
    own = {
        _in_short(name): axis(loss, (0.0, top), fixedrange=True) for name, top in tops.items() if 0.0 < top < _TOO_LOW * most
    }
    return wide_and_narrow(
        panels,
        title=f"{loss} by data set and test prevalence",
        xaxis=axis("test prevalence", (-0.06, 1.06), tickformat=".0%", fixedrange=True),
        yaxis=axis(loss, (0.0, most), fixedrange=True),
        margin={"l": 60, "r": 16, "t": 62, "b": 64},
        own=own,
    )


def _in_short(problem: str) -> str:
    """A problem (a data set and its positive class) in short: "spambase 1" for "folder:spambase.csv.gz 1"."""
    return re.sub(r"\.csv(\.gz)?\b", "", problem.removeprefix("folder:"))


TEXTS = texts_of("compare")

_PAIRS = (
    Column("first", "Better"),
    Column("second", "Worse"),
    Column("difference", "Ranks apart", ".2f"),
    Column("nemenyi", "p (Nemenyi)", P_VALUE, "All compared with all."),
    Column("wilcoxon", "p (Wilcoxon)", P_VALUE, "For these two alone, by mean losses; not corrected for many comparisons."),
)
_CONTROL = (
    Column("method", "Method"),
    Column("difference", "Ranks behind", ".2f", "Negative: it ranks before the control."),
    Column("p", "p", P_VALUE),
    Column("bonferroni_dunn", "p (Bonferroni-Dunn)", P_VALUE),
    Column("holm", "p (Holm)", P_VALUE),
    Column("hochberg", "p (Hochberg)", P_VALUE),
    Column("hommel", "p (Hommel)", P_VALUE),
)
_PIVOT = (
    Column("method", "Method"),
    Column("wins", "Pivot wins", "d"),
    Column("losses", "Pivot loses", "d"),
    Column("ties", "Ties", "d"),
    Column("dwl", "Wins - losses", "+d", "Wins minus losses of the pivot: the DWL of the thesis."),
    Column("mdae", "Mean difference", "+.4f", "Of the method's loss to the pivot's; of AE this is the thesis's MDAE."),
)
_BARS = 4


def how_it_works() -> None:
    """Draw how methods are compared."""
    _text("how")


def _text(name: str) -> None:
    st.markdown(TEXTS[name])


def tests_section(request: ComparisonRequest, comparison: Comparison) -> None:
    """Draw the tests of every pair of methods, or of all beside a control."""
    if request.control:
        table = comparison.against(request.control)
        st.markdown(
            f"**All others beside {control.escaped(request.control)}**, by their ranks on {comparison.n_sets} data sets."
        )
        small_table(table, _CONTROL, label=f"Tests beside {request.control}")
        _text("control")
        csv_button("Tests as CSV", lambda: table, "tests-beside-a-control")
        return
    table = comparison.pairs()
    clear = table[table.nemenyi <= request.alpha]
    st.markdown(
        f"**Every pair of methods**: {len(clear)} of {len(table)} pairs differ by Nemenyi's test at {request.alpha:.0%}, which "
        f"corrects for comparing all of them.{pairs_caution(comparison, request.alpha, len(clear))}"
    )
    small_table(table, _PAIRS, label="Tests of each pair of methods", height=420, searches="Find a method")
    csv_button("Tests as CSV", lambda: table, "tests-of-pairs")


def boxes_section(request: ComparisonRequest) -> None:
    """Draw the distribution of each method's losses."""
    _text("boxes")
    log = COMPARED[request.loss].smoothed
    figure = boxes_figure(request.chosen, request.methods, request.loss, log=log)
    chart(figure, key="boxes", alt=f"Distribution of {request.loss} of each method over data sets and prevalences.")


def pivot_section(request: ComparisonRequest) -> None:
    """Draw how often one method beats each other one, and by how much."""
    _text("pivot")
    methods = request.methods
    if len(methods) < 2:
        st.info("This run has only one method: there is no other to compare it with.")
        return
    first, second = narrow_row("pivot", 2)
    with first:
        pivot = control.choice_among(SETTINGS["pivot"], methods, request.best_first[0])
    others = [name for name in methods if name != pivot]
    with second:
        method = control.choice_among(SETTINGS["beside_pivot"], others, "CC" if "CC" in others else others[0])
    table = against_pivot(request.chosen, pivot)
    row = table[table.method == method].iloc[0]
    st.markdown(f"- {control.escaped(pivot_sentence(row, pivot, request.loss))}")
    is_whole = len(methods) == len(request.settings.methods) and request.data == request.prevalence == ALL
    if (request.run, pivot, request.loss) == (THESIS, "PWK-alpha", "AE") and is_whole:
        st.markdown(f"- {control.escaped(thesis_pivot_sentence(table))}")
    left, right = wide_row("pivot charts", [1, 1], align="top")
    with left:
        figure = pivot_figure(request.chosen, pivot, method, request.loss)
        chart(
            figure,
            key="pivot_losses",
            alt=f"Loss of {method} beside that of {pivot}, case by case.",
            on_click=lambda _name, x, y: _choose_case(request.chosen, (pivot, float(x)), (method, float(y))),
        )
    with right:
        split = against_pivot(request.chosen, pivot, by=["prevalence"])
        chart(
            wins_figure(split, pivot, method),
            key="pivot_wins",
            alt=f"Wins minus losses of {pivot} by test prevalence.",
            on_click=lambda _name, x, _y: _choose_prevalence(x),
        )
    st.caption("A click on a case limits the page to its data set; on a line, to a prevalence.")
    small_table(table, _PIVOT, label=f"All methods beside {pivot}")
    csv_button("Wins and losses as CSV", lambda: pd.DataFrame(split), "against-a-pivot")


def _choose_prevalence(x: float) -> None:
    """Limit the page to the clicked test prevalence."""
    word = f"{float(x):.1f}"
    if word in PREVALENCES:
        st.session_state["compared_prevalence"] = word


def _choose_case(losses: pd.DataFrame, first: tuple[str, float], second: tuple[str, float]) -> None:
    """Limit the page to the data set of the clicked point, which is recognised by its two losses."""
    table = losses.pivot_table("loss", ["data", "prevalence"], "method", sort=False)
    apart = (table[first[0]] - first[1]).abs() + (table[second[0]] - second[1]).abs()
    data, _prevalence = table.index[int(apart.to_numpy().argmin())]
    st.session_state["compared_data"] = data


def by_data_set_section(request: ComparisonRequest) -> None:
    """Draw the losses of some methods, data set by data set."""
    _text("data_sets")
    chosen = control.several_among(
        SETTINGS["bar_methods"],
        request.methods,
        max_selections=_BARS,
        placeholder=f"The four with the lowest mean loss over all: {', '.join(request.best_first[:_BARS])}",
    )
    shown = [method for method in request.methods if method in (chosen or request.best_first[:_BARS])]
    rows = request.chosen
    if (several := rows["data"].str.endswith(ALL_CLASSES)).any():
        st.markdown("- Problems of all classes have no single test prevalence: they are left out here.")
        rows = rows[~several]
    if not len(rows):
        return
    names = sorted(dict.fromkeys(rows["data"]), key=_training_prevalences(request).__getitem__)
    st.caption("A name is the data set with its positive class. A click on a dot limits the page to its prevalence.")
    figure = by_data_set_figure(rows[rows.method.isin(shown)], shown, names, request.loss)
    chart(
        figure,
        key="by_data_set",
        alt=f"{request.loss} of some methods by data set and test prevalence.",
        on_click=lambda _name, x, _y: _choose_prevalence(x),
    )


def _training_prevalences(request: ComparisonRequest) -> dict[str, float]:
    """Data set -> its share of positives, as the training parts have it."""
    _, estimates = computations.experiment(request.folder)
    shares = estimates.groupby("data").training_prevalence.mean()
    return {str(name): float(share) for name, share in shares.items()}
