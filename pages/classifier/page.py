"""How good is the classifier: as a ranker, at a threshold, for a cost, as a source of probabilities?"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.charts.threshold_control import follow_threshold, moving_threshold_text, threshold_bar, threshold_box
from pages.classifier.calibration import calibration_section
from pages.classifier.findings import classifier_headlines, confusion_sentences, roc_sentences
from pages.classifier.from_the_slides import (
    all_classes_section,
    costs_section,
    current_skew,
    regression_section,
    validation_section,
)
from pages.classifier.posteriors import accuracy_figure, posteriors_section
from pages.classifier.roc_and_confusion_figures import confusion_figure, measures_figure, roc_figure
from pages.classifier.settings import OUT_OF_FOLD, PRESETS, SETTINGS
from pages.frame.downloads import SETUP, scoring
from pages.frame.layout import pinned, wide_row
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page
from pages.frame.recording import POLICY_MARKS, is_withheld, record
from pages.frame.sampling_controls import training_popover
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings, Skew
from qcore.studies.classifier_evaluation import ClassifierEvaluation

TEXTS = texts_of("classifier")


def hero(evaluation: ClassifierEvaluation, skew: Skew, threshold: float, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """The bar, the three charts side by side, and the finding at the threshold."""
    parts.downloads.csv("Measures as CSV", evaluation.measures, "measures-by-threshold")
    points = {} if is_withheld(POLICY_MARKS) else evaluation.points
    threshold_bar(bar_part, evaluation.rates.thresholds, threshold, points)
    index = evaluation.rates.nearest(0.5)
    with parts.hero:
        left, middle, right = wide_row("trio roc", [1, 1, 1], align="top")
        with left:
            alt = "ROC curve with its convex hull, operating points and the line of equal cost."
            follow_threshold(roc_figure(evaluation, points, skew, index), key="roc", alt=alt)
        with middle:
            alt = "Counts of true and false positives and negatives at the threshold."
            follow_threshold(confusion_figure(evaluation, index), key="confusion", alt=alt)
        with right:
            alt = "Accuracy at the threshold by the share of positives, beside always answering the larger class."
            follow_threshold(accuracy_figure(evaluation, index), key="accuracy", alt=alt)
    with parts.headline:
        moving_threshold_text("found", evaluation.rates.thresholds, classifier_headlines(evaluation), headline=True)


def threshold_section(evaluation: ClassifierEvaluation) -> None:
    """Draw the section with the charts in words and the measures at the threshold."""
    measures, thresholds = evaluation.measures(), evaluation.rates.thresholds
    left, right = wide_row("roc and confusion in words", [1, 1], align="top")
    with left:
        st.markdown(TEXTS["roc"])
        moving_threshold_text("roc", thresholds, roc_sentences(evaluation))
    with right:
        st.markdown(TEXTS["confusion"])
        moving_threshold_text("confusion", thresholds, confusion_sentences(evaluation, measures))
    figure = measures_figure(measures, evaluation.rates.nearest(0.5))
    follow_threshold(figure, key="measures", alt="Measures at the threshold, from 0 to 1.")
    st.markdown(TEXTS["accuracy"])
    with st.expander("What the measures are"):
        st.markdown(TEXTS["measures"])


def python_source(sidebar_choice: SidebarChoice, settings: ScoringSettings, part: str, threshold: float) -> str:
    """A script that evaluates the classifier at every threshold with qcore alone; `part` is "training" or "pool"."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, load_dataset, read_dataset, read_scores, read_texts, score_dataset\n"
        "from qcore.studies.classifier_evaluation import evaluate_classifier\n\n"
        f"{scoring(sidebar_choice.data, settings)}"
        f"evaluation = evaluate_classifier(scores, {part!r}, {threshold!r})\n"
        "print(evaluation.auc)\n"
        "measures = evaluation.measures()\n"
        f"print(measures[measures.threshold.sub({threshold!r}).abs() < 1e-9].T)\n"
        'px.line(x=evaluation.curve.fpr, y=evaluation.curve.tpr, labels={"x": "fpr", "y": "tpr"}).show()\n'
    )


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw the charts that follow the threshold and the sections, or the sentence that says why there are none."""
    evaluation = None
    with first_viewport("classifier") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            part = control.segments(SETTINGS["on"])
            settings = training_popover(sidebar_choice)
        with parts.hero:
            threshold, bar_part = threshold_box(pinned("bar"))
        try:
            with parts.hero:
                scores = pipeline.scores(sidebar_choice.data, settings)
                of = "training" if part == OUT_OF_FOLD else "pool"
                evaluation = pipeline.classifier_evaluation(scores, of, threshold)
            record("classifier", evaluation=evaluation)
            parts.downloads.source = python_source(sidebar_choice, settings, of, threshold)
            hero(evaluation, current_skew(), threshold, parts, bar_part)
        except InvalidInput as error:
            with parts.hero:
                show_invalid_input(error)
    draw_tabs(PAGE, sidebar_choice=sidebar_choice, settings=settings, evaluation=evaluation)


def draw() -> None:
    """Draw the page."""
    with page(quantifiers=False) as chosen:
        body(chosen)


PAGE = Page(
    name="classifier",
    question="How well does it rank, what does it do at a threshold?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("At the threshold", threshold_section, needs=("evaluation",)),
        Tab("Calibration", calibration_section, needs=("sidebar_choice", "settings")),
        Tab("Posteriors", posteriors_section, needs=("sidebar_choice", "settings")),
        Tab(
            "From the slides",
            key="from_the_slides",
            parts=(
                Tab("Costs", costs_section, needs=("sidebar_choice", "evaluation")),
                Tab("Validation", validation_section, needs=("sidebar_choice", "settings")),
                Tab("More than two classes", all_classes_section, needs=("sidebar_choice", "settings")),
                Tab("Measures of numbers", regression_section),
            ),
        ),
    ),
    charts=(
        "roc",
        "confusion",
        "effects",
        "measures",
        "reliability",
        "posterior_measures",
        "posterior_reliability",
        "posterior_share",
        "accuracy",
        "overfitting",
        "error_estimates",
        "decisions",
        "class_counts",
        "pairs",
        "slides",
        "predictions",
        "shift_curve",
    ),
)
