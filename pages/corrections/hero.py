"""The four charts of a drawn sample's correction, under the bar of the threshold, which they follow while it is dragged."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts.threshold_control import follow_threshold, moving_threshold_text, threshold_bar
from pages.corrections.findings import correction_headlines, overlap_note
from pages.corrections.threshold import cost_figure, rates_figure, scores_figure, theorem_figure
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts
from pages.frame.texts import texts_of
from pages.frame.withheld import POLICIES, is_withheld
from qcore.studies.threshold_adjustment import ThresholdAdjustment

TEXTS = texts_of("corrections")


def hero(adjustment: ThresholdAdjustment, threshold: float, parts: PageParts, bar_part: DeltaGenerator) -> None:
    """The bar, the charts two by two, and the finding at the threshold."""
    parts.downloads.csv("Corrections as CSV", lambda: adjustment.corrections, "corrections-by-threshold")
    points = {} if is_withheld(POLICIES) else adjustment.points
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
