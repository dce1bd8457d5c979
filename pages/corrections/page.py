"""What do the corrections with tpr and fpr do, when do they explode, and which threshold does a policy pick?"""

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.charts.dragged_slider import live_slider
from pages.charts.threshold_control import follow_threshold, moving_threshold_text, threshold_bar, threshold_box
from pages.corrections import computations
from pages.corrections.dataset_shift import dataset_shift_section
from pages.corrections.estimated_rates import estimated_rates_section
from pages.corrections.findings import correction_headlines, overlap_note
from pages.corrections.method_inspection import method_inspection_section
from pages.corrections.settings import DRAW_RANGE, PRESETS, SETTINGS
from pages.corrections.threshold import cost_figure, rates_figure, scores_figure, theorem_figure, threshold_section
from pages.corrections.trend import trend_section
from pages.frame.downloads import SETUP, scoring
from pages.frame.layout import pinned, wide_row
from pages.frame.page_frame import PageParts, draw_tabs, first_viewport, page
from pages.frame.recording import POLICY_MARKS, is_withheld, record
from pages.frame.sampling_controls import fitting_protocol, training_popover
from pages.frame.sidebar import SidebarChoice
from pages.frame.texts import quantifiers_explained
from pages.settings.address import current
from pages.settings.page_declaration import Page, Tab
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, PrevalencePath, Scores, ScoringSettings
from qcore.quantifiers import POLICIES
from qcore.studies.threshold_adjustment import ThresholdAdjustment


def hero(adjustment: ThresholdAdjustment, threshold: float, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """The bar, the charts two by two, and the finding at the threshold."""
    parts.downloads.csv("Corrections as CSV", lambda: adjustment.corrections, "corrections-by-threshold")
    points = {} if is_withheld(POLICY_MARKS) else adjustment.points
    threshold_bar(bar_part, adjustment.rates.thresholds, threshold, points)
    # Always as at 0.5: then a figure stays the same while the threshold moves, and the browser need not draw it anew.
    index = adjustment.rates.nearest(0.5)
    with parts.hero:
        left, right = wide_row("scores and rates", [1, 1], align="top")
        with left:
            dragged = scores_figure(adjustment.histograms, adjustment.rates.thresholds.tolist(), index)
            alt = "Histograms of the training scores of positives and negatives and of the drawn sample, with the threshold."
            follow_threshold(dragged, key="scores", alt=alt, drags=True)
        with right:
            dragged = rates_figure(adjustment.curve, points, adjustment.bands, adjustment.rates, index)
            stand = f"; markers show where {', '.join(points)} stand" if points else ""
            alt = f"fpr falls and 1 - tpr rises with the threshold{stand}."
            follow_threshold(dragged, key="rates", alt=alt, drags=True)
        left, right = wide_row("theorem and cost", [1, 1], align="top")
        with left:
            dragged = theorem_figure(adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, index)
            alt = "Expected count by true prevalence against the diagonal, and the sample's count corrected back to it."
            follow_threshold(dragged, key="correction", alt=alt)
        with right:
            overlap = overlap_note(adjustment.pool_share)
            dragged = cost_figure(adjustment.deviations, points, index, small=True, doubtful=bool(overlap))
            alt = "Scatter of the corrected estimate by threshold, measured and by the delta method."
            follow_threshold(dragged, key="cost", alt=alt, drags=True)
            if overlap:
                st.caption(overlap)
    with parts.headline:
        sentences = correction_headlines(adjustment.corrections, adjustment.prevalence)
        moving_threshold_text("corrected", adjustment.rates.thresholds, sentences, headline=True)


@dataclass(frozen=True)
class SampleRequest:
    """The choices of the controls: which sample to draw."""

    prevalence: float
    size: int
    draw: int


def controls(sidebar_choice: SidebarChoice) -> tuple[SampleRequest, ScoringSettings]:
    """Draw the controls of the sample and of the training part, and return their choices."""
    prevalence_part, size_part = (st.container(width=220) for _ in range(2))
    st.button("Another draw", on_click=_next_draw)
    settings = training_popover(sidebar_choice, *(SETTINGS[key] for key in ("p", "size", "draw")))
    prevalence, size = live_slider(prevalence_part, SETTINGS["p"]), live_slider(size_part, SETTINGS["size"])
    return SampleRequest(prevalence, int(size), int(str(current(SETTINGS["draw"])))), settings


def _next_draw() -> None:
    st.session_state["draw"] = (st.session_state["draw"] + 1) % (DRAW_RANGE[1] + 1)


def drawn_sample(scores: Scores, request: SampleRequest, threshold: float) -> ThresholdAdjustment:
    """The sample, or the largest that the pool can give, corrected at every threshold. Raises InvalidInput."""
    path = fitting_protocol(PrevalencePath((request.prevalence,), request.size), scores.pool_counts)
    return computations.threshold_adjustment(scores, path, threshold, request.draw)


def python_source(sidebar_choice: SidebarChoice, settings: ScoringSettings, request: SampleRequest, threshold: float) -> str:
    """A script that corrects the drawn sample at every threshold with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import PrevalencePath, ScoringSettings, load_dataset, read_dataset, read_scores, read_texts\n"
        "from qcore import score_dataset\n"
        "from qcore.studies.threshold_adjustment import adjust_at_thresholds\n\n"
        f"{scoring(sidebar_choice.data, settings)}"
        f"path = PrevalencePath(({request.prevalence!r},), {request.size!r})\n"
        f"result = adjust_at_thresholds(scores, path, {threshold!r}, seed=settings.seed, draw={request.draw!r})\n"
        f"corrections = result.corrections\n"
        f"print(corrections[corrections.threshold.sub({threshold!r}).abs() < 1e-9])\n"
        'px.line(corrections, x="threshold", y=["tpr", "fpr", "count", "estimate"]).show()\n'
        'px.line(result.deviations, x="threshold", y=["measured", "sampling", "total"]).show()\n'
    )


@fragment
def body(sidebar_choice: SidebarChoice) -> None:
    """Draw four charts of one drawn sample under the bar of the threshold, and the sections; or say why there are none."""
    scores = adjustment = None
    with first_viewport("corrections") as parts:
        with parts.bar.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            request, settings = controls(sidebar_choice)
        with parts.hero:
            threshold, bar_part = threshold_box(pinned("bar"))
        try:
            with parts.hero:
                scores = pipeline.scores(sidebar_choice.data, settings)
                adjustment = drawn_sample(scores, request, threshold)
            record("corrections", adjustment=adjustment)
            parts.downloads.source = python_source(
                sidebar_choice, settings, replace(request, size=len(adjustment.sample)), threshold
            )
            hero(adjustment, threshold, parts, bar_part)
        except InvalidInput as error:
            with parts.hero:
                show_invalid_input(error)
    draw_tabs(PAGE, sidebar_choice=sidebar_choice, settings=settings, scores=scores, adjustment=adjustment)


def draw() -> None:
    """Draw the page."""
    with page(quantifiers=False) as chosen:
        body(chosen)


def _policies() -> None:
    quantifiers_explained(POLICIES)


PAGE = Page(
    name="corrections",
    question="What does the correction do, and when does it explode?",
    draw=draw,
    group="Explore",
    settings=SETTINGS,
    presets=PRESETS,
    tabs=(
        Tab("Threshold", threshold_section, needs=("adjustment",)),
        Tab("Inside a method", method_inspection_section, needs=("scores", "adjustment")),
        Tab("Over time", trend_section, needs=("sidebar_choice", "settings")),
        Tab("When it breaks", dataset_shift_section, needs=("sidebar_choice", "settings")),
        Tab("How rates are estimated", estimated_rates_section, needs=("sidebar_choice", "settings")),
        Tab("How the policies work", _policies),
    ),
    charts=(
        "scores",
        "rates",
        "correction",
        "cost",
        "cost_in_full",
        "chosen_rates",
        "method_inspection",
        "matched_mixture",
        "trend_by_day",
        "degradation",
        "errors_under_shift",
        "shifted_rates",
        "estimated_rates_chart",
    ),
    main_picture="correction",
)
