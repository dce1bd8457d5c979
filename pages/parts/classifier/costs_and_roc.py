"""ROC curve, costs and confusion matrix, which follow the threshold while it is dragged."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages.figures.confusion_matrix import confusion_figure, measures_figure
from pages.figures.roc import classifiers_figure, roc_figure
from pages.findings.classifier import confusion_sentences, cost_sentences, roc_sentences
from pages.findings.number_text import capitalised, threshold_text
from pages.parts import controls
from pages.parts.chart import chart
from pages.parts.classifier.settings import LARGEST_COST, OUT_OF_FOLD, POOL, SLIDES, THIS_CLASSIFIER
from pages.parts.classifier.texts import TEXTS
from pages.parts.downloads import csv_button
from pages.parts.layout import narrow_row, wide_row
from pages.parts.sidebar import SidebarChoice
from pages.parts.threshold_control import follow_threshold
from qcore import InvalidInput
from qcore.measures.costs import SLIDES_CLASSIFIERS, Skew, cost_table, slides_points
from qcore.measures.roc import convex_hull
from qcore.studies.classifier_evaluation import ClassifierEvaluation


@dataclass(frozen=True)
class EvaluationRequest:
    """What to evaluate, and for which costs and class ratio."""

    part: str
    slides: bool
    costs: tuple[float, float]
    prevalence: float


def evaluation_controls() -> EvaluationRequest:
    """Draw the controls of what is evaluated, of the costs and of the class ratio, and return what they say."""
    left, right = narrow_row("evaluated", 2)
    with left:
        judged = controls.segments(
            "judged", "Judge", [THIS_CLASSIFIER, SLIDES],
            help="The slides on model evaluation compare three classifiers that have no threshold, on 100,000 instances.",
        )  # fmt: skip
    with right:
        on = controls.segments(
            "on", "On", [OUT_OF_FOLD, POOL],
            help="The training part, by models that have not seen the instance judged; or the pool, which no model has seen.",
        )  # fmt: skip
    left, middle, right = narrow_row("costs", 3)
    with left:
        false_positive = controls.money("fp_cost", "Cost of a false positive", LARGEST_COST)
    with middle:
        false_negative = controls.money("fn_cost", "Cost of a false negative", LARGEST_COST)
    with right:
        ratio = controls.slider(
            "ratio", "Share of positives at work", 0.0, 1.0, 0.005, digits=3,
            help="The class ratio where the classifier is used; training had another, perhaps.",
        )  # fmt: skip
    part = "training" if on == OUT_OF_FOLD else "pool"
    return EvaluationRequest(part, judged == SLIDES, (float(false_positive), float(false_negative)), float(ratio))


def costs_and_roc(sidebar_choice: SidebarChoice, evaluation: ClassifierEvaluation, request: EvaluationRequest) -> None:
    """The ROC curve beside the costs; unusable costs are explained and replaced by equal ones."""
    left, right = wide_row("roc", [3, 2], align="top")
    slides = request.slides
    with right:
        st.markdown(TEXTS["costs"])
        try:
            skew = Skew(*request.costs, request.prevalence)
        except InvalidInput as error:
            st.warning(f"{capitalised(str(error))} Until then both errors are taken to cost the same.")
            skew = Skew(1.0, 1.0, request.prevalence)
        table = cost_table(list(SLIDES_CLASSIFIERS), slides_points(), skew) if slides else evaluation.costs(skew)
        st.markdown("\n".join(f"- {sentence}" for sentence in cost_sentences(table, skew)))
    with left:
        st.markdown(TEXTS["slides" if slides else "roc"])
        if slides:
            figure = classifiers_figure(table, convex_hull(slides_points()), skew)
            chart(figure, key="roc", alt="Three classifiers as points in ROC space, with hull and line of equal cost.")
        else:
            alt = "ROC curve with its convex hull, operating points and the line of equal cost."
            dragged = roc_figure(evaluation, skew, evaluation.rates.nearest(0.5))
            follow_threshold(dragged, roc_sentences(evaluation), key="roc", alt=alt)
    _cost_table(table.assign(threshold=[threshold_text(t) for t in table.threshold]), thresholds=not slides)
    csv_button("Costs as CSV", lambda: table, f"{'slides' if slides else sidebar_choice.data}-costs")


def _cost_table(table: pd.DataFrame, *, thresholds: bool) -> None:
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_order=["name", *(["threshold"] if thresholds else []), "tpr", "fpr", "error", "m", "cost", "cheapest"],
        column_config={
            "name": st.column_config.TextColumn("Operating point" if thresholds else "Classifier", pinned=True, width="medium"),
            "threshold": "Threshold",
            "tpr": number("tpr", format="%.3f"),
            "fpr": number("fpr", format="%.4f"),
            "error": number("Error", format="percent", help="Share of wrong predictions at this class ratio."),
            "m": number("M", format="%.3f", help="fnr + slope · fpr, where fnr = 1 - tpr"),
            "cost": number("Cost per unit", format="%.4g", help="Cost of a false negative · share of positives · M"),
            "cheapest": st.column_config.CheckboxColumn("Cheapest"),
        },
    )


def confusion(evaluation: ClassifierEvaluation) -> None:
    """The confusion matrix beside its measures."""
    st.markdown(TEXTS["confusion"])
    left, right = wide_row("confusion", [3, 2], align="bottom")
    measures = evaluation.measures()
    index = evaluation.rates.nearest(0.5)
    with left:
        alt = "Counts of true and false positives and negatives at the threshold."
        sentences = confusion_sentences(evaluation, measures)
        follow_threshold(confusion_figure(evaluation, index), sentences, key="confusion", alt=alt)
    with right:
        follow_threshold(measures_figure(measures, index), [], key="measures", alt="Measures at the threshold, from 0 to 1.")
