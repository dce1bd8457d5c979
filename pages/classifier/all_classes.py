"""The section on more than two classes: pairs of classes, averages, and what each kind of error costs."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.classifier import computations
from pages.classifier.findings import class_costs_sentence, pairs_sentence
from pages.classifier.roc_and_confusion_figures import class_counts_figure, pairs_figure
from pages.classifier.settings import SETTINGS, SLIDES_EXAMPLE
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.number_text import typed_costs
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.base import FloatArray
from qcore.measures.classification import SLIDES_CLASSES, SLIDES_COSTS, SLIDES_COUNTS, averaged_measures

TEXTS = texts_of("classifier")


@fragment
def all_classes_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; a data set with two classes shows only the slides' example."""
    st.markdown(TEXTS["all_classes"])
    classes = pipeline.dataset(sidebar_choice.data).classes
    left, right = narrow_row("all classes", 2)
    with left:
        looked = control.segments(SETTINGS["of_classes"])
    slides = looked == SLIDES_EXAMPLE
    shown = SLIDES_CLASSES if slides else classes
    with right:
        text = control.typed_text(
            SETTINGS["class_costs"],
            placeholder=_spelt(SLIDES_COSTS) if slides else "1 for each error",
            help=f"Rows separated by /, in the order {control.escaped(', '.join(shown))}; a negative cost is a gain.",
        )
    with st.container():
        try:
            costs = _costs(text, len(shown), slides=slides)
            if slides:
                _table_and_averages(np.array(SLIDES_COUNTS, dtype=float), shown, costs, "slides")
            elif len(classes) == 2:
                st.info(f"{control.escaped(sidebar_choice.data_name)} has only two classes: the other sections cover both.")
            else:
                _this_data_set(sidebar_choice, settings, costs)
        except InvalidInput as error:
            show_invalid_input(error)


def _spelt(costs: Sequence[Sequence[float]]) -> str:
    return " / ".join(" ".join(f"{cost:g}" for cost in row) for row in costs)


def _costs(text: str, n_classes: int, *, slides: bool) -> FloatArray:
    """The typed costs; if nothing is typed, the slides' costs, or 1 for each error."""
    if text.strip():
        return np.array(typed_costs(text, n_classes))
    return np.array(SLIDES_COSTS, dtype=float) if slides else 1.0 - np.eye(n_classes)


def _this_data_set(sidebar_choice: SidebarChoice, settings: ScoringSettings, costs: FloatArray) -> None:
    classes = pipeline.dataset(sidebar_choice.data).classes
    of_all = ScoringSettings(None, sidebar_choice.classifier, sidebar_choice.seed, settings.training_share)
    result = computations.all_classes(pipeline.scores(sidebar_choice.data, of_all))
    st.markdown(f"- {pairs_sentence(result.pairs, [escaped(name) for name in classes])}")
    left, right = wide_row("pairs", [1, 1], align="top")
    with left:
        chart(pairs_figure(result.pairs, classes), key="pairs", alt="AUC of each pair of classes on the pool.")
    with right:
        figure = class_counts_figure(result.counts, classes, "What is taken for what, on the pool?")
        chart(figure, key="class_counts", alt="Counts of the pool by predicted and by actual class.")
    _averages(result.counts.astype(float), costs, sidebar_choice.data_name)


def _table_and_averages(counts: FloatArray, classes: tuple[str, ...], costs: FloatArray, name: str) -> None:
    figure = class_counts_figure(counts, classes, "What is taken for what?")
    chart(figure, key="class_counts", alt="Counts of the slides' example by predicted and by actual class.")
    _averages(counts, costs, name)


def _averages(counts: FloatArray, costs: FloatArray, name: str) -> None:
    st.markdown(f"- {class_costs_sentence(counts, costs)}")
    means = averaged_measures(counts)
    columns = (
        Column("measure", "Measure"),
        Column("one_vs_all", "One against all", ".3f", "Mean over the classes, each against all others."),
        Column("weighted", "Weighted", ".3f", "The same, with each class weighted by its frequency."),
        Column("one_vs_one", "One against one", ".3f", "Mean over the pairs of classes, in both directions."),
    )
    small_table(means, columns, label="Measures averaged over the classes")
    csv_button("Averages as CSV", lambda: means, f"{name}-all-classes")
