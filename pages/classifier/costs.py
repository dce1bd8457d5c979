"""The section on costs: what errors cost, for this classifier or for the slides' three classifiers, which have no threshold."""

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.classifier.findings import cost_sentences
from pages.classifier.roc_and_confusion_figures import classifiers_figure
from pages.classifier.settings import COSTS, SETTINGS, SLIDES
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.page_frame import draw_sentences
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.address import current
from pages.settings.control import escaped
from pages.settings.number_text import capitalised, percentage, threshold_text
from qcore import InvalidInput
from qcore.measures.roc import SLIDES_CLASSIFIERS, Skew, convex_hull, cost_table, slides_points
from qcore.studies.classifier_evaluation import ClassifierEvaluation

TEXTS = texts_of("classifier")


def _skew(false_positive: float, false_negative: float, prevalence: float) -> tuple[Skew, str]:
    """Returns (costs and class ratio, ""), or for unusable costs (equal costs, a sentence that says so)."""
    try:
        return Skew(false_positive, false_negative, prevalence), ""
    except InvalidInput as error:
        text = f"{capitalised(str(error))} Until then, both errors cost the same."
        return Skew(1.0, 1.0, prevalence), text


def current_skew() -> Skew:
    """The costs and the class ratio that are set in the section on costs, whether it is open or not."""
    return _skew(*(float(str(current(COSTS[key]))) for key in ("fp_cost", "fn_cost", "ratio")))[0]


def costs_section(sidebar_choice: SidebarChoice, evaluation: ClassifierEvaluation) -> None:
    """Draw the controls of costs and class ratio, and what is cheapest: for this classifier, or among the slides' three."""
    left, middle, right, fourth = narrow_row("costs", 4)
    with left:
        evaluated = control.segments(SETTINGS["classifier_evaluation"])
    with middle:
        false_positive = control.cost_input(SETTINGS["fp_cost"])
    with right:
        false_negative = control.cost_input(SETTINGS["fn_cost"])
    with fourth:
        ratio = control.slider(SETTINGS["ratio"])
    skew, refusal = _skew(float(false_positive), float(false_negative), float(ratio))
    if refusal:
        st.warning(refusal)
    slides = evaluated == SLIDES
    table = cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew) if slides else evaluation.costs(skew)
    st.markdown(TEXTS["slides" if slides else "costs"])
    draw_sentences(cost_sentences(table, skew))
    if not slides:
        share = percentage(float(evaluation.labels.mean()))
        data = escaped(sidebar_choice.data_name)
        st.caption(f"In {data}, {share} of what is evaluated is positive.")
    if slides:
        figure = classifiers_figure(table, convex_hull(slides_points()), skew)
        chart(figure, key="slides", alt="Three classifiers as points in ROC space, with hull and line of equal cost.")
    _cost_table(table.assign(threshold=[threshold_text(t) for t in table.threshold]), thresholds=not slides)
    csv_button("Costs as CSV", lambda: table, f"{'slides' if slides else sidebar_choice.data_name}-costs")


def _cost_table(costs: pd.DataFrame, *, thresholds: bool) -> None:
    columns = (
        Column("name", "Operating point" if thresholds else "Classifier"),
        *([Column("threshold", "Threshold")] if thresholds else []),
        Column("tpr", "tpr", ".3f"),
        Column("fpr", "fpr", ".4f"),
        *([] if thresholds else [Column("auc", "AUC", ".2%", "(tpr + 1 - fpr) / 2: without a threshold, the macro accuracy.")]),
        Column("error", "Error", ".2%", "Share of wrong predictions at this class ratio."),
        Column("m", "M", ".3f", "fnr + slope · fpr, where fnr = 1 - tpr"),
        Column("cost", "Cost per instance", ".4g", "Cost of a false negative · share of positives · M"),
        Column("cheapest", "Cheapest"),
    )
    small_table(costs, columns, label="Costs")
