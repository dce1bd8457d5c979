"""The tab "From the slides": costs of errors, validation and overfitting, more than two classes, measures of numbers."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.estimated_rates import (
    error_estimates_sentence,
    estimated_rates_figure,
    overfitting_sentence,
    rate_estimation_list,
)
from pages.charts.figure import NEGATIVES, NEUTRAL, POSITIVES, Figure, Style, figure
from pages.charts.small_table import Column, small_table
from pages.charts.traces import axis, line, markers, styled_line
from pages.classifier import computations
from pages.classifier.findings import class_costs_sentence, cost_sentences, pairs_sentence, regression_sentence
from pages.classifier.roc_and_confusion_figures import class_counts_figure, classifiers_figure, pairs_figure
from pages.classifier.settings import COSTS, SETTINGS, SLIDES, SLIDES_EXAMPLE
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sidebar import SidebarChoice, nothing_to_train
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.address import current
from pages.settings.number_text import capitalised, percentage, threshold_text, typed_costs
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.base import FloatArray
from qcore.measures.classification import SLIDES_CLASSES, SLIDES_COSTS, SLIDES_COUNTS, averaged_measures
from qcore.measures.regression import (
    REGRESSION_MEASURES,
    SLIDES_ACTUAL,
    SLIDES_PREDICTED,
    ShiftCurve,
    asymmetric_loss,
    regression_measures,
    shift_curve,
)
from qcore.measures.roc import SLIDES_CLASSIFIERS, Skew, convex_hull, cost_table, slides_points
from qcore.studies.classifier_evaluation import ClassifierEvaluation
from qcore.studies.threshold_adjustment import usable_rate_estimations

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
        data = control.escaped(sidebar_choice.data_name)
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


_PART_STYLES = {
    "training": Style(POSITIVES, "dot", "circle"),
    "out of fold": Style(NEGATIVES, "dash", "square"),
    "pool": Style(NEUTRAL, "solid", "diamond"),
}
_PART_NAMES = {"training": "on its training data", "out of fold": "out of fold", "pool": "on the pool"}


def overfitting_figure(table: pd.DataFrame, complexity: str) -> Figure:
    """A line for each part; the table of `errors_by_complexity`, the simplest model on the left."""
    values = [str(value) for value in dict.fromkeys(table.value)]
    lines = [
        styled_line(_PART_NAMES[part], style, values, table[table.part == part].error, hover="%{y:.1%}", width=2.5)
        for part, style in _PART_STYLES.items()
    ]
    return figure(
        lines,
        title="More complex, better?",
        height=420,
        xaxis={**axis(f"{complexity}: more complex to the right"), "type": "category", "categoryarray": values},
        yaxis={**axis("share of errors"), "rangemode": "tozero", "tickformat": ".0%"},
    )


_REPEATS = 5
_ASKED = "models of the validation that the user has asked for"


@fragment
def validation_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the section; its computations train a hundred models or more, which is why they are asked for."""
    st.markdown(TEXTS["validation"])
    if nothing_to_train(sidebar_choice):
        return
    complexity = control.segments(SETTINGS["complexity"])
    with st.container():
        asked = (str(sidebar_choice.data), settings, complexity)
        if st.session_state.get(_ASKED) != asked:
            st.button("Train the models", key="validate", on_click=st.session_state.update, args=({_ASKED: asked},))
            st.caption("A hundred models or more: some 20 seconds.")
            return
        try:
            _validation_answer(sidebar_choice, settings, complexity)
        except InvalidInput as error:
            show_invalid_input(error)


def _validation_answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, complexity: str) -> None:
    errors = computations.errors_by_complexity(sidebar_choice.data, settings, complexity)
    rates = pipeline.estimated_rates(sidebar_choice.data, settings, _REPEATS)
    st.markdown(f"- {overfitting_sentence(errors, complexity)}\n- {error_estimates_sentence(rates)}")
    left, right = wide_row("validation", [1, 1], align="top")
    with left:
        figure = overfitting_figure(errors, complexity)
        chart(figure, key="overfitting", alt="Share of errors by complexity of the model on training data, folds and pool.")
    with right:
        title = f"How good is the {settings.classifier}?"
        rates_figure = estimated_rates_figure(rates, ("error",), title)
        chart(rates_figure, key="error_estimates", alt="The classifier's share of errors as each way estimates it.")
    st.caption(
        f"Circles: {_REPEATS} repeats; bars: their means; grey line: the error on the pool; all at the training prevalence."
    )
    rate_estimation_list(usable_rate_estimations(settings.classifier))
    csv_button("Errors by complexity as CSV", lambda: errors, f"{sidebar_choice.data_name}-overfitting")


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
            placeholder=_costs_as_text(SLIDES_COSTS) if slides else "1 for each error",
            help=f"Rows separated by /, in the order {control.escaped(', '.join(shown))}; a negative cost is a gain.",
        )
    with st.container():
        try:
            costs = _class_costs(text, len(shown), slides=slides)
            if slides:
                _classes_of_slides(np.array(SLIDES_COUNTS, dtype=float), shown, costs, "slides")
            elif len(classes) == 2:
                st.info(f"{control.escaped(sidebar_choice.data_name)} has only two classes: the other sections cover both.")
            else:
                _classes_of_data_set(sidebar_choice, settings, costs)
        except InvalidInput as error:
            show_invalid_input(error)


def _costs_as_text(costs: Sequence[Sequence[float]]) -> str:
    return " / ".join(" ".join(f"{cost:g}" for cost in row) for row in costs)


def _class_costs(text: str, n_classes: int, *, slides: bool) -> FloatArray:
    """The typed costs; if nothing is typed, the slides' costs, or 1 for each error."""
    if text.strip():
        return np.array(typed_costs(text, n_classes))
    return np.array(SLIDES_COSTS, dtype=float) if slides else 1.0 - np.eye(n_classes)


def _classes_of_data_set(sidebar_choice: SidebarChoice, settings: ScoringSettings, costs: FloatArray) -> None:
    classes = pipeline.dataset(sidebar_choice.data).classes
    of_all = ScoringSettings(None, sidebar_choice.classifier, sidebar_choice.seed, settings.training_share)
    result = computations.all_classes(pipeline.scores(sidebar_choice.data, of_all))
    st.markdown(f"- {pairs_sentence(result.pairs, [control.escaped(name) for name in classes])}")
    left, right = wide_row("pairs", [1, 1], align="top")
    with left:
        chart(pairs_figure(result.pairs, classes), key="pairs", alt="AUC of each pair of classes on the pool.")
    with right:
        figure = class_counts_figure(result.counts, classes, "What is taken for what, on the pool?")
        chart(figure, key="class_counts", alt="Counts of the pool by predicted and by actual class.")
    _averaged(result.counts.astype(float), costs, sidebar_choice.data_name)


def _classes_of_slides(counts: FloatArray, classes: tuple[str, ...], costs: FloatArray, name: str) -> None:
    figure = class_counts_figure(counts, classes, "What is taken for what?")
    chart(figure, key="class_counts", alt="Counts of the slides' example by predicted and by actual class.")
    _averaged(counts, costs, name)


def _averaged(counts: FloatArray, costs: FloatArray, name: str) -> None:
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


def predictions_figure(predicted: Sequence[float], actual: Sequence[float], alpha: float) -> Figure:
    """Predictions over the truth, below and above the diagonal; the size of a marker grows with its asymmetric loss."""
    losses = asymmetric_loss(predicted, actual, alpha)
    ends = (min(*predicted, *actual) - 10.0, max(*predicted, *actual) + 10.0)
    sides = (("below the truth", POSITIVES, -1.0), ("above the truth", NEGATIVES, 1.0))
    traces = [line("exact", ends, ends, width=1.5)]
    for name, colour, sign in sides:
        rows = [i for i in range(len(actual)) if sign * (predicted[i] - actual[i]) > 0]
        sizes = [6.0 + 5.0 * float(losses[i]) ** 0.5 for i in rows]
        trace = markers(
            name,
            [actual[i] for i in rows],
            [predicted[i] for i in rows],
            colour=colour,
            size=sizes,
            opacity=0.75,
            hover="predicted %{y}, actual %{x}: loss %{customdata:.1f}<extra></extra>",
            customdata=[float(losses[i]) for i in rows],
        )
        traces.append(trace)
    return figure(
        traces,
        title="How far off, and in which direction?",
        height=420,
        hovermode="closest",
        xaxis=axis("actual", ends),
        yaxis=axis("predicted", ends),
    )


def shift_figure(curve: ShiftCurve, alpha: float) -> Figure:
    """Underestimation over overestimation as all predictions are shifted; the model as it is, and the best shift for alpha."""
    hover = "shift %{customdata:+.0f}: over %{x:.0f}, under %{y:.0f}<extra></extra>"
    path = line("by shift", curve.over, curve.under, colour=POSITIVES, width=2, hover=hover)
    best = curve.best(alpha)
    marks = [
        markers("as it is", [np.interp(0.0, curve.shift, curve.over)], [np.interp(0.0, curve.shift, curve.under)], size=11),
        markers(
            f"best for alpha {alpha:.2f}", [curve.over[best]], [curve.under[best]], colour=NEGATIVES, size=11, symbol="star"
        ),
    ]
    reach = 1.05 * float(max(curve.over.max(), -curve.under.min()))
    return figure(
        [path | {"customdata": curve.shift.tolist()}, *marks],
        title=f"ROC for numbers: shift all predictions (area {curve.area:,.0f})",
        height=420,
        hovermode="closest",
        xaxis=axis("overestimated in all", (-0.02 * reach, reach)),
        yaxis=axis("underestimated in all", (-reach, 0.02 * reach)),
    )


def shift_sentence(curve: ShiftCurve, alpha: float) -> str:
    """By how much the mean loss of the slides' example falls if all predictions are shifted, and what no shift removes."""
    shift = float(curve.shift[curve.best(alpha)])
    before, after = (float(asymmetric_loss(np.add(SLIDES_PREDICTED, by), SLIDES_ACTUAL, alpha).mean()) for by in (0.0, shift))
    gain = f"Every prediction shifted by {shift:+.0f}, the mean loss falls from {before:.2f} to {after:.2f}."
    if after > before - 1e-9:
        gain = f"No shift of all predictions makes the mean loss smaller than {before:.2f}."
    left = "what no shift removes (Hernández-Orallo 2013)"
    return f"{gain} The area over the curve is n²/2 times the variance of the errors: {left}."


@fragment
def regression_section() -> None:
    """Draw the section on predicted numbers."""
    st.markdown(TEXTS["regression"])
    alpha = control.slider(SETTINGS["alpha"])
    st.markdown(f"- {regression_sentence(float(alpha), SLIDES_PREDICTED, SLIDES_ACTUAL)}")
    left, right = wide_row("regression", [2, 3], align="top")
    with left:
        figure = predictions_figure(SLIDES_PREDICTED, SLIDES_ACTUAL, float(alpha))
        chart(figure, key="predictions", alt="Predicted by actual price; larger markers cost more.")
    with right:
        curve = shift_curve(SLIDES_PREDICTED, SLIDES_ACTUAL)
        alt = "Underestimation over overestimation in all, as every prediction is shifted by the same number."
        chart(shift_figure(curve, float(alpha)), key="shift_curve", alt=alt)
    st.markdown(f"- {shift_sentence(curve, float(alpha))}")
    _measures_of_numbers()
    st.caption(
        "From the lecture slides Model evaluation (without author or year). They state an MAE of 6, but the ten absolute "
        "errors of their table add up to 70, an MAE of 7."
    )


def _measures_of_numbers() -> None:
    table = regression_measures(SLIDES_PREDICTED, SLIDES_ACTUAL)
    ideas = [REGRESSION_MEASURES[key].idea for key in table.key]
    columns = (Column("name", "Measure"), Column("value", "Value", ".3f"), Column("idea", "What it says"))
    small_table(table.assign(idea=ideas), columns, label="Measures of numbers")
