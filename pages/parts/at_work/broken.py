"""Covariate and concept shift on purpose: what happens to the rates and to the methods."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached, controls
from pages.parts.at_work.words import LOOK
from pages.parts.chart import chart
from pages.parts.layout import narrow_row, wide_row
from pages.parts.settings import AS_THEY_COME, CORRECTIONS, EVERY_PREVALENCE, SCORE
from pages.parts.share import csv_button, tell_link
from pages.parts.workbench import Workbench, no_method
from qcore import InvalidInput, Scores, ScoringSettings
from qcore.assumption import SHIFT_KINDS, Break, rates_before_and_after, samples_under_shift
from qcore.figures.assumption import degradation_figure, errors_figure, shifted_rates_figure
from qcore.findings.assumption import degradation_sentences, rates_sentence

_STRENGTHS = tuple(step / 5 for step in range(-5, 6))


@st.fragment
def broken(bench: Workbench, settings: ScoringSettings) -> None:
    """The controls of the shift, and the charts or the one sentence that says why there are none."""
    st.markdown(LOOK["assumption"])
    left, middle, right = narrow_row("assumption", 3)
    with left:
        kind = controls.segments("kind", "What changes", list(SHIFT_KINDS))
        st.caption(SHIFT_KINDS[kind].idea)
    with middle:
        strength = float(controls.slider("strength", "Strength", -1.0, 1.0, 0.05, help="0: the assumption holds."))
        along = _along(bench) if kind == "covariate shift" else None
    with right:
        drawn = controls.segments(
            "drawn", "Samples", [AS_THEY_COME, EVERY_PREVALENCE],
            help="As they come: uniformly from the changed pool. At every prevalence: prior shift on top of the other.",
        )  # fmt: skip
    tell_link(CORRECTIONS, "assumption")
    answer = st.container()
    with answer:
        if no_method(bench):
            return
        try:
            scores = cached.scores(bench.data, settings)
            _answer(bench, settings, scores, Break(kind, strength, along), drawn)
        except InvalidInput as refused:
            controls.show_refusal(refused)


def _along(bench: Workbench) -> str | None:
    """The feature that covariate shift goes along, None for the scores."""
    options = [SCORE, *map(str, cached.dataset(bench.data).features.columns)]
    asked = st.query_params.get("along", st.session_state.get("along"))
    if st.session_state.get("along") not in (None, *options):
        # A feature of the data set that was chosen before.
        st.session_state["along"] = SCORE
    if asked is not None and asked not in options and "along" not in st.session_state:
        controls.note(
            f"The link's shift goes along {controls.quoted([asked])}, which {bench.data} has not: the score is taken."
        )
    chosen = st.selectbox(
        "Along", options, key="along", bind="query-params",
        help="The pool keeps instances by their value of this feature, or by the classifier's own score.",
    )  # fmt: skip
    return None if chosen == SCORE else str(chosen)


def _answer(bench: Workbench, settings: ScoringSettings, scores: Scores, how: Break, drawn: str) -> None:
    pools = cached.shifted_pools(bench.data, settings, how, _STRENGTHS, scores)
    protocol, strengths = samples_under_shift(pools, how.strength, natural=drawn == AS_THEY_COME)
    table = cached.degradation(
        bench.data, settings, how, tuple(strengths), protocol, methods=bench.methods, _pools=pools, _scores=scores
    )
    shifted = pools[how.strength]
    rates = rates_before_and_after(scores, shifted)
    sentences = [rates_sentence(rates, 0.5), *degradation_sentences(table, how.strength)]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    left, right = wide_row("assumption charts", [1, 1], align="top")
    with left:
        chart(shifted_rates_figure(rates), key="shifted_rates", alt="tpr and fpr by threshold in training and in the pool.")
    with right:
        chart(
            errors_figure(table, how.strength),
            key="errors_under_shift",
            alt="Mean error of each quantifier.",
        )
    chart(degradation_figure(table, how.strength), key="degradation", alt="Mean AE of each quantifier by strength of shift.")
    now = table[table.strength == how.strength].iloc[0]
    st.caption(
        f"{now.n_samples} samples of {protocol.sample_size} at each of {len(strengths)} strengths; their mean true prevalence "
        f"is {now.true:.2f} at this one. Bars: 10th to 90th percentile of the error. AE is |estimate - truth|."
    )
    csv_button("Errors as CSV", lambda: table, f"{bench.data}-shift")
