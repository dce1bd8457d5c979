"""The section "Threshold" of "Corrections": what the charts say at the threshold."""

from typing import Final

import streamlit as st

from pages.charts.threshold_control import follow_threshold, threshold_text
from pages.corrections.findings import (
    correction_cost_sentences,
    overlap_note,
    rates_sentences,
    scores_sentences,
    theorem_sentences,
)
from pages.corrections.settings import SETTINGS
from pages.corrections.theorem_at_chosen_rates import chosen_rates_chart
from pages.corrections.threshold_curves_figure import cost_figure
from pages.frame.texts import texts_of
from pages.frame.withheld import text_on_policies
from pages.settings import control
from qcore.studies.threshold_adjustment import ThresholdAdjustment

TEXTS: Final = texts_of("corrections")


def threshold_section(adjustment: ThresholdAdjustment) -> None:
    """Draw each chart's sentence, the full chart of the cost, and the theorem with chosen rates."""
    size = len(adjustment.sample)
    texts = {
        "scores": scores_sentences(adjustment.corrections, adjustment.n_positives, size),
        "rates": rates_sentences(adjustment.corrections, adjustment.points, adjustment.bands),
        "theorem": theorem_sentences(adjustment.corrections, adjustment.prevalence),
        "cost": correction_cost_sentences(
            adjustment.deviations, adjustment.prevalence, adjustment.n_samples, adjustment.pool_share
        ),
    }
    markers = text_on_policies(TEXTS["markers"])
    for name, sentences in texts.items():
        st.markdown(TEXTS[name].replace("{markers}", markers))
        threshold_text(name, adjustment.rates.thresholds, sentences)
    doubtful = bool(overlap_note(adjustment.pool_share))
    dragged = cost_figure(adjustment.deviations, adjustment.points, adjustment.rates.nearest(0.5), doubtful=doubtful)
    alt = "Scatter of the corrected estimate by threshold, 1 / (tpr - fpr), and the share of samples clipped."
    follow_threshold(dragged, key="cost_in_full", alt=alt, drags=True)
    if control.toggle(SETTINGS["textbook"]):
        st.markdown(TEXTS["chosen_rates"])
        chosen_rates_chart()
