"""Estimates of all classes: the tab and its figure."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, Figure, figure, method_style
from pages.charts.small_table import SHARE, Column, small_table
from pages.charts.ternary import regions_figure
from pages.charts.traces import axis, line, markers
from pages.estimate import computations
from pages.estimate.downloads import all_classes_source
from pages.estimate.estimate_view import EstimateView
from pages.estimate.settings import COUNTS, OWN
from pages.frame.downloads import csv_button, python_code
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings.control import escaped
from pages.settings.number_text import percentages
from pages.work.refusals import show_invalid_input
from qcore import QUANTIFIERS, InvalidInput, ScoringSettings

_ROOM = 0.7


def class_estimates_figure(table: pd.DataFrame, truth: pd.Series | None) -> Figure:
    """Each method's estimate of each class as a diamond on its interval: columns as in `AllClassesEstimate.with_posterior`.

    The bar is the interval of the class by itself, the thin line the joint one. `truth`: true share of each class, in the
    order of the classes, drawn as ticks.
    """
    classes, methods = list(dict.fromkeys(table["class"])), list(dict.fromkeys(table["method"]))
    traces = []
    for number, method in enumerate(methods):
        rows = table[table.method == method]
        shift = _ROOM * ((number + 0.5) / len(methods) - 0.5)
        y = [classes.index(name) + shift for name in rows["class"]]
        bars_y = [part for one in y for part in (one, one, None)]
        colour = method_style(method).colour if method in QUANTIFIERS else NEUTRAL
        for kind, low, high, width in (("joint", rows.joint_low, rows.joint_high, 1.5), ("interval", rows.low, rows.high, 4)):
            bars_x = [part for ends in zip(low, high, strict=True) for part in (*ends, None)]
            bars = line(f"{method} {kind}", bars_x, bars_y, colour=colour, width=width, showlegend=False, legendgroup=method)
            traces.append(bars)
        texts = ["{}, {} to {}".format(*percentages(row.estimate, row.low, row.high)) for row in rows.itertuples()]
        # Diamonds for all: a method's own mark would be lost on its bar.
        more = {"text": texts, "hover": f"{method}: %{{text}}", "legendgroup": method}
        traces.append(markers(method, rows.estimate, y, colour=colour, symbol="diamond", size=11, **more))
    if truth is not None:
        edge = {"width": 2, "color": NEUTRAL}
        ticks = markers("truth", truth, range(len(truth)), symbol="line-ns", size=34, edge=edge, hover="truth: %{x:.1%}")
        traces.insert(0, ticks)
    most = min(1.01, 0.03 + max(float(table.joint_high.max()), float(truth.max()) if truth is not None else 0.0))
    return figure(
        traces,
        title="The share of each class",
        height=max(320, 150 + (14 * len(methods) + 12) * len(classes)),
        hovermode="closest",
        xaxis=axis("share of the sample", (-0.01, most), tickformat=".0%"),
        yaxis=axis("", (len(classes) - 0.4, -0.6), tickvals=list(range(len(classes))), ticktext=classes),
    )


TEXTS = texts_of("estimate")

_COLUMNS = (
    Column("method", "Quantifier"),
    Column("class", "Class"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE, "Of the interval of this class by itself."),
    Column("high", "To", SHARE),
    Column("joint_low", "All at once from", SHARE, "So wide that the intervals of all classes hold their shares at once."),
    Column("joint_high", "to", SHARE),
)
_MOST_ROWS = 24


def all_classes_section(shown: EstimateView) -> None:
    """Draw the section on the shares of all classes."""
    st.markdown(TEXTS["all_classes"])
    with st.expander("How the intervals are made"):
        st.markdown(TEXTS["all classes, how"])
    if shown.request.way == COUNTS:
        st.info("Counts are of two classes: positive and negative.")
        return
    classes = pipeline.dataset(shown.sidebar_choice.data).classes
    if len(classes) < 3:
        st.info(f"{escaped(shown.sidebar_choice.data_name)} has only two classes: the picture above shows both.")
        return
    if shown.request.weights:
        st.caption(f"The weights of {escaped(shown.request.weights)} are not used here: each row counts once.")
    try:
        result = _sample_of_all_classes(shown)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    if result is None:
        return
    table, truth = result.estimate.table, result.truth
    regions = result.estimate.regions
    with_posterior = result.estimate.with_posterior
    figure = class_estimates_figure(with_posterior, None if truth is None else pd.Series(truth, index=classes))
    if len(classes) == 3:
        estimates = {str(method): rows.estimate.to_numpy() for method, rows in table.groupby("method", sort=False)}
        outlines = {method: region.outline() for method, region in regions.items()}
        left, right = wide_row("classes", [1, 1], align="top")
        with left:
            chart(
                regions_figure(estimates, outlines, classes, truth),
                key="regions",
                alt="A triangle with a class at each corner: estimates, and the region that each is sure of.",
            )
        with right:
            chart(figure, key="class_estimates", alt="Estimate and interval of each class.")
    else:
        chart(figure, key="class_estimates", alt="Estimate and interval of each class.")
    for caution in result.estimate.cautions:
        st.warning(escaped(caution))
    if len(with_posterior) <= _MOST_ROWS:
        small_table(with_posterior, _COLUMNS, label="Estimates of all classes")
    csv_button("All classes as CSV", lambda: with_posterior, "estimates-of-all-classes")
    with st.expander("Python"):
        python_code(all_classes_source(shown.sidebar_choice, shown.request), height=220)


def _sample_of_all_classes(shown: EstimateView) -> computations.AllClassesSample | None:
    choice, request = shown.sidebar_choice, shown.request
    methods, level = choice.methods, request.level
    if request.way == OWN:
        own, settings = request.own, ScoringSettings(None, choice.classifier, choice.seed)
        return None if own is None else computations.all_classes_of_own(choice.data, settings, own, methods, level)
    if request.settings.training_prevalence is not None:
        st.caption(
            "The chosen training prevalence is not used here, since it is for two classes: the training part keeps its "
            "classes as found."
        )
    settings = ScoringSettings(None, choice.classifier, choice.seed, request.settings.training_share)
    sample = (request.share, request.size, request.draw)
    scores = pipeline.scores(choice.data, settings)
    return computations.all_classes_of_drawn(scores, choice.positive, sample, methods, level)
