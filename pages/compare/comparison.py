"""The tabs on the comparison that is shown: tests, box plots, one method against all others, data set by data set."""

from typing import Final

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import P_VALUE, Column, small_table
from pages.compare import computations
from pages.compare.controls import ComparisonRequest
from pages.compare.experiment_losses_figure import boxes_figure, by_data_set_figure, pivot_figure, wins_figure
from pages.compare.findings import pairs_caution, pivot_sentence
from pages.compare.settings import PREVALENCES, SETTINGS
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from qcore import LOSSES
from qcore.evaluation.significance import Comparison, against_pivot

TEXTS: Final = texts_of("compare")

_PAIRS = (
    Column("first", "Better"),
    Column("second", "Worse"),
    Column("difference", "Ranks apart", ".2f"),
    Column("nemenyi", "p (Nemenyi)", P_VALUE, "All compared with all."),
    Column("wilcoxon", "p (Wilcoxon)", P_VALUE, "Of these two alone, by mean losses: not corrected for comparing many."),
)
_CONTROL = (
    Column("method", "Method"),
    Column("difference", "Ranks behind", ".2f", "Negative: it ranks before the control."),
    Column("p", "p", P_VALUE),
    Column("bonferroni_dunn", "p (Bonferroni-Dunn)", P_VALUE),
    Column("holm", "p (Holm)", P_VALUE),
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
    small_table(table, _PAIRS, label="Tests of each two methods", height=420, searches="Find a method")
    csv_button("Tests as CSV", lambda: table, "tests-of-pairs")


def boxes_section(request: ComparisonRequest) -> None:
    """Draw the distribution of each method's losses."""
    _text("boxes")
    log = LOSSES[request.loss].smoothed
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
    left, right = wide_row("pivot charts", [1, 1], align="top")
    with left:
        figure = pivot_figure(request.chosen, pivot, method, request.loss)
        chart(
            figure, key="pivot_losses", alt=f"Loss of {method} beside that of {pivot}, case by case.",
            on_click=lambda _name, x, y: _choose_case(request.chosen, (pivot, float(x)), (method, float(y))),
        )  # fmt: skip
    with right:
        split = against_pivot(request.chosen, pivot, by=["prevalence"])
        chart(
            wins_figure(split, pivot, method), key="pivot_wins", alt=f"Wins minus losses of {pivot} by test prevalence.",
            on_click=lambda _name, x, _y: _choose_prevalence(x),
        )  # fmt: skip
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
        SETTINGS["bar_methods"], request.methods, max_selections=_BARS,
        placeholder=f"The four with the lowest mean loss over all: {', '.join(request.best_first[:_BARS])}",
    )  # fmt: skip
    shown = [method for method in request.methods if method in (chosen or request.best_first[:_BARS])]
    rows = request.chosen
    names = sorted(dict.fromkeys(rows["data"]), key=_training_prevalences(request).__getitem__)
    order = "the bars of a group stand in the order of the legend"
    st.caption(f"A name is the data set with its positive class; {order}. A click on a bar limits the page to its prevalence.")
    figure = by_data_set_figure(rows[rows.method.isin(shown)], shown, names, request.loss)
    chart(
        figure, key="by_data_set", alt=f"{request.loss} of some methods by data set and test prevalence.",
        on_click=lambda _name, x, _y: _choose_prevalence(x),
    )  # fmt: skip


def _training_prevalences(request: ComparisonRequest) -> dict[str, float]:
    """Data set -> its share of positives, as the training parts have it."""
    _, estimates = computations.experiment(request.folder)
    return {str(name): float(share) for name, share in estimates.groupby("data").training_prevalence.mean().items()}
