"""The drawn sample and the charts that follow the threshold while it is dragged."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts import cached, controls
from pages.parts.at_work.words import LOOK
from pages.parts.chart import Followed, chart
from pages.parts.dragged import dragged
from pages.parts.layout import narrow_row, wide_row
from pages.parts.settings import DRAW_RANGE, SIZE_RANGE
from pages.parts.shift_controls import fitting
from pages.parts.threshold import follow_threshold
from pages.parts.workbench import Workbench
from qcore import Scores, ScoringSettings
from qcore.corrections import AtWork
from qcore.figures.theorem import textbook_figure, theorem_figure
from qcore.figures.thresholds import cost_figure, rates_figure, scores_figure
from qcore.findings.corrections import (
    cost_sentences,
    rates_sentences,
    scores_sentences,
    theorem_sentence,
    theorem_sentences,
)
from qcore.protocols import PrevalencePath

_RATES = [step / 100 for step in range(101)]


@dataclass(frozen=True)
class Asked:
    """Which sample a person asked for."""

    prevalence: float
    size: int
    draw: int


def sample_controls() -> Asked:
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
    return Asked(float(prevalence), int(size), int(draw))


def drawn_sample(bench: Workbench, settings: ScoringSettings, scores: Scores, asked: Asked, threshold: float) -> AtWork:
    """The sample, or the largest that the pool can give, and what the corrections do with it. Raises InvalidInput."""
    path = fitting(PrevalencePath((asked.prevalence,), asked.size), cached.plan(bench.data, settings).pool_counts)
    return cached.at_work(bench.data, settings, path, threshold, draw=asked.draw, scored=scores)


def _next_draw() -> None:
    st.session_state["draw"] = (st.session_state["draw"] + 1) % (DRAW_RANGE[1] + 1)


def linked_charts(work: AtWork) -> None:
    """Charts 1 to 4."""
    # Always as at 0.5: then a figure stays the same while the threshold moves, and the browser need not draw it anew.
    place = work.place(0.5)
    thresholds = work.rates.thresholds.tolist()
    size = len(work.sample)
    left, right = wide_row("scores and rates", [1, 1], align="top")
    with left:
        following = scores_figure(work.histograms, thresholds, place)
        said = scores_sentences(work.table, work.n_positives, size)
        alt = "Histograms of the training scores of positives and negatives and of the drawn sample, with the threshold."
        st.markdown(LOOK["scores"])
        follow_threshold(following, said, key="scores", alt=alt, drags=True)
    with right:
        following = rates_figure(work.curve, work.points, work.bands, work.rates, place)
        said = rates_sentences(work.table, work.points, work.bands)
        alt = "fpr falls and 1 - tpr rises with the threshold; markers show where AC, X, Max and T50 stand."
        st.markdown(LOOK["rates"])
        follow_threshold(following, said, key="rates", alt=alt, drags=True)
    left, right = wide_row("theorem and cost", [1, 1], align="top")
    with left:
        # The toggle stands below what it changes.
        words = st.container()
        free = st.toggle("Choose tpr and fpr freely (the textbook picture)", key="textbook", bind="query-params")
        with words:
            st.markdown(LOOK["textbook" if free else "theorem"])
            if free:
                _textbook()
            else:
                following = theorem_figure(work.table, work.pool_rates, work.prevalence, place)
                alt = "Expected count by true prevalence against the diagonal, and the sample's count corrected back to it."
                said = theorem_sentences(work.table, work.prevalence)
                follow_threshold(following, said, key="correction", alt=alt)
    with right:
        following = cost_figure(work.spread, work.points, place)
        alt = "Scatter of the corrected estimate by threshold, 1 / (tpr - fpr), and the share of samples clipped."
        said = cost_sentences(work.spread, work.prevalence, work.n_samples, work.pool_share)
        st.markdown(LOOK["cost"])
        follow_threshold(following, said, key="cost", alt=alt, drags=True)


def _textbook() -> None:
    """The theorem with rates of one's own: each bar moves the picture at once, the other rate as it is."""
    rates = {key: _rate(key) for key in ("tpr", "fpr")}
    tpr, fpr = rates["tpr"], rates["fpr"]
    follows = []
    for key, pairs in (("tpr", [(value, fpr) for value in _RATES]), ("fpr", [(tpr, value) for value in _RATES])):
        place = round(100 * rates[key])
        following = textbook_figure(pairs, _RATES, place)
        follows.append(Followed(key, following, place, [theorem_sentence(*pair) for pair in pairs]))
    chart(following.figure, key="correction", alt="Expected count by true prevalence with the chosen rates.", follows=follows)


def _rate(key: str) -> float:
    kept = f"{key} kept"
    if key not in st.session_state and kept in st.session_state:
        # Streamlit forgets what a control said while it was away.
        st.session_state[key] = st.session_state[kept]
    bar, typed = st.columns([3, 1], vertical_alignment="center")
    with typed:
        value = controls.box(key, f"{key}, typed", 0.0, 1.0, 0.01)
    st.session_state[kept] = value = round(float(value), 2)
    with bar:
        dragged(key, key, _RATES, value)
    return value
