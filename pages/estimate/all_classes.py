"""The section "All classes" of "Estimate": the shares of more than two classes, with intervals and a region."""

from typing import Final

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.small_table import SHARE, Column, small_table
from pages.charts.ternary import regions_figure
from pages.estimate import all_classes_computations
from pages.estimate.class_estimates_figure import class_estimates_figure
from pages.estimate.estimate_view import EstimateView
from pages.estimate.settings import COUNTS, OWN
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings.control import escaped
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput, ScoringSettings

TEXTS: Final = texts_of("estimate")

_COLUMNS: Final = (
    Column("method", "Quantifier"),
    Column("class", "Class"),
    Column("estimate", "Estimate", SHARE),
    Column("low", "From", SHARE),
    Column("high", "To", SHARE),
)
_MOST_ROWS: Final = 24


def all_classes_section(shown: EstimateView) -> None:
    """Draw the section on the shares of all classes."""
    st.markdown(TEXTS["all_classes"])
    if shown.request.way == COUNTS:
        st.info("Counts are of two classes: positive and negative.")
        return
    classes = pipeline.dataset(shown.sidebar_choice.data).classes
    if len(classes) < 3:
        st.info(f"{escaped(shown.sidebar_choice.data_name)} has only two classes: the picture above shows both.")
        return
    try:
        result = _sample_of_all_classes(shown)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    if result is None:
        return
    table, truth = result.estimate.table, result.truth
    regions = result.estimate.regions
    with_posterior = pd.concat([table, result.estimate.posterior_rows(shown.request.level)], ignore_index=True)
    figure = class_estimates_figure(with_posterior, None if truth is None else pd.Series(truth, index=classes))
    if len(classes) == 3:
        estimates = {str(method): rows.estimate.to_numpy() for method, rows in table.groupby("method", sort=False)}
        outlines = {method: region.outline() for method, region in regions.items()}
        left, right = wide_row("classes", [1, 1], align="top")
        with left:
            chart(
                regions_figure(estimates, outlines, classes, truth), key="regions",
                alt="A triangle with a class at each corner: estimates, and the region that each is sure of.",
            )  # fmt: skip
        with right:
            chart(figure, key="class_estimates", alt="Estimate and interval of each class.")
    else:
        chart(figure, key="class_estimates", alt="Estimate and interval of each class.")
    for caution in result.estimate.cautions:
        st.warning(escaped(caution))
    if len(with_posterior) <= _MOST_ROWS:
        small_table(with_posterior, _COLUMNS, label="Estimates of all classes")
    csv_button("All classes as CSV", lambda: with_posterior, "estimates-of-all-classes")


def _sample_of_all_classes(shown: EstimateView) -> all_classes_computations.AllClassesSample | None:
    choice, request = shown.sidebar_choice, shown.request
    methods, level = choice.methods, request.level
    if request.way == OWN:
        own, settings = request.own, ScoringSettings(None, choice.classifier, choice.seed)
        return None if own is None else all_classes_computations.own_sample(choice.data, settings, own, methods, level)
    if request.settings.training_prevalence is not None:
        st.caption(
            "The chosen training prevalence is not used here, since it is for two classes: the training part keeps its "
            "classes as found."
        )
    settings = ScoringSettings(None, choice.classifier, choice.seed, request.settings.training_share)
    sample = (request.share, request.size, request.draw)
    scores = pipeline.scores(choice.data, settings)
    return all_classes_computations.drawn_sample(scores, choice.positive, sample, methods, level)
