"""The drawn sample, and the charts of its correction that follow the threshold while it is dragged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from pages.figures.forman_theorem import chosen_rates_figure, theorem_figure
from pages.figures.threshold_curves import cost_figure, rates_figure, scores_figure
from pages.findings.corrections import (
    correction_cost_sentences,
    rates_sentences,
    scores_sentences,
    theorem_sentence,
    theorem_sentences,
)
from pages.parts import cached, controls
from pages.parts.chart import DraggedValue, chart
from pages.parts.corrections.settings import DRAW_RANGE
from pages.parts.corrections.texts import TEXTS
from pages.parts.drag_bar import drag_bar
from pages.parts.layout import narrow_row, wide_row
from pages.parts.sampling_controls import fitting_protocol
from pages.parts.settings.shared import SIZE_RANGE
from pages.parts.sidebar import SidebarChoice
from pages.parts.threshold_control import follow_threshold
from qcore import PrevalencePath, Scores, ScoringSettings
from qcore.studies.threshold_adjustment import ThresholdAdjustment, rates_table

_RATES = [step / 100 for step in range(101)]


@dataclass(frozen=True)
class SampleRequest:
    """Which sample to draw."""

    prevalence: float
    size: int
    draw: int


def sample_controls() -> SampleRequest:
    """Draw the controls of the sample and return what they say."""
    left, middle, right = narrow_row("sample", 3)
    with left:
        prevalence = controls.slider(
            "p", "Prevalence of the sample", 0.0, 1.0, 0.01, help="True share of positives in the sample that is drawn."
        )
    with middle:
        size = controls.slider("size", "Sample size", *SIZE_RANGE, 1, help="Instances drawn without replacement from the pool.")
    with right:
        number, again = st.columns([1, 1], vertical_alignment="bottom")
        with number:
            draw = controls.number("draw", "Draw", *DRAW_RANGE, help="Each number is another sample of that kind.")
        again.button("Another draw", on_click=_next_draw, width="stretch")
    return SampleRequest(float(prevalence), int(size), int(draw))


def _next_draw() -> None:
    st.session_state["draw"] = (st.session_state["draw"] + 1) % (DRAW_RANGE[1] + 1)


def drawn_sample(
    sidebar_choice: SidebarChoice, settings: ScoringSettings, scores: Scores, request: SampleRequest, threshold: float
) -> ThresholdAdjustment:
    """The sample, or the largest that the pool can give, corrected at every threshold. Raises InvalidInput."""
    data = sidebar_choice.data
    path = fitting_protocol(PrevalencePath((request.prevalence,), request.size), cached.plan(data, settings).pool_counts)
    return cached.threshold_adjustment(data, settings, path, threshold, draw=request.draw, scored=scores)


def threshold_charts(adjustment: ThresholdAdjustment) -> None:
    """Charts 1 to 4."""
    # Always as at 0.5: then a figure stays the same while the threshold moves, and the browser need not draw it anew.
    index = adjustment.rates.nearest(0.5)
    left, right = wide_row("scores and rates", [1, 1], align="top")
    with left:
        dragged = scores_figure(adjustment.histograms, adjustment.rates.thresholds.tolist(), index)
        sentences = scores_sentences(adjustment.corrections, adjustment.n_positives, len(adjustment.sample))
        alt = "Histograms of the training scores of positives and negatives and of the drawn sample, with the threshold."
        st.markdown(TEXTS["scores"])
        follow_threshold(dragged, sentences, key="scores", alt=alt, drags=True)
    with right:
        dragged = rates_figure(adjustment.curve, adjustment.points, adjustment.bands, adjustment.rates, index)
        sentences = rates_sentences(adjustment.corrections, adjustment.points, adjustment.bands)
        alt = f"fpr falls and 1 - tpr rises with the threshold; markers show where {', '.join(adjustment.points)} stand."
        st.markdown(TEXTS["rates"])
        follow_threshold(dragged, sentences, key="rates", alt=alt, drags=True)
    left, right = wide_row("theorem and cost", [1, 1], align="top")
    with left:
        _theorem_chart(adjustment, index)
    with right:
        dragged = cost_figure(adjustment.deviations, adjustment.points, index)
        alt = "Scatter of the corrected estimate by threshold, 1 / (tpr - fpr), and the share of samples clipped."
        sentences = correction_cost_sentences(
            adjustment.deviations, adjustment.prevalence, adjustment.n_samples, adjustment.pool_share
        )
        st.markdown(TEXTS["cost"])
        follow_threshold(dragged, sentences, key="cost", alt=alt, drags=True)


def _theorem_chart(adjustment: ThresholdAdjustment, index: int) -> None:
    # The toggle is below what it changes.
    chart_part = st.container()
    free = st.toggle("Choose tpr and fpr freely (the textbook picture)", key="textbook", bind="query-params")
    with chart_part:
        st.markdown(TEXTS["chosen_rates" if free else "theorem"])
        if free:
            _chosen_rates_chart()
            return
        dragged = theorem_figure(adjustment.corrections, adjustment.pool_rates, adjustment.prevalence, index)
        alt = "Expected count by true prevalence against the diagonal, and the sample's count corrected back to it."
        sentences = theorem_sentences(adjustment.corrections, adjustment.prevalence)
        follow_threshold(dragged, sentences, key="correction", alt=alt)


def _chosen_rates_chart() -> None:
    """The theorem with chosen rates: each bar moves the picture at once, the other rate stays."""
    rates = {key: _chosen_rate(key) for key in ("tpr", "fpr")}
    follows = []
    for key in rates:
        table = rates_table(**{name: np.array(_RATES) if name == key else rate for name, rate in rates.items()})
        index = round(100 * rates[key])
        dragged = chosen_rates_figure(table, _RATES, index)
        sentences = [theorem_sentence(*row) for row in table[["tpr", "fpr", "p_star"]].itertuples(index=False)]
        follows.append(DraggedValue(key, dragged, index, sentences))
    chart(dragged.figure, key="correction", alt="Expected count by true prevalence with the chosen rates.", follows=follows)


def _chosen_rate(key: str) -> float:
    kept = f"{key} kept"
    if key not in st.session_state and kept in st.session_state:
        # Streamlit forgets the value of a control while it is not drawn.
        st.session_state[key] = st.session_state[kept]
    bar, typed = st.columns([3, 1], vertical_alignment="center")
    with typed:
        value = controls.box(key, f"{key}, typed", 0.0, 1.0, 0.01)
    st.session_state[kept] = value = round(float(value), 2)
    with bar:
        drag_bar(key, key, _RATES, value)
    return value
