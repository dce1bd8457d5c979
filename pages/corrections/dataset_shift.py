"""The section on dataset shift: what covariate and concept shift do to the rates and to the methods."""

from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.shift_verdict import shift_verdict
from pages.corrections import computations
from pages.corrections.dataset_shift_figure import degradation_figure, errors_figure, shifted_rates_figure
from pages.corrections.dataset_shift_findings import degradation_sentences, rates_sentence
from pages.corrections.settings import AS_THEY_COME, SCORE, SETTINGS
from pages.frame.computed import record_too
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row, wide_row
from pages.frame.sidebar import SidebarChoice, chosen_quantifiers, no_method
from pages.frame.texts import texts_of
from pages.settings import control
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, Scores, ScoringSettings
from qcore.studies.dataset_shift import SHIFT_KINDS, DatasetShift, rates_before_and_after, samples_under_shift

TEXTS: Final = texts_of("corrections")

_STRENGTHS = tuple(step / 5 for step in range(-5, 6))


@fragment
def dataset_shift_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the controls of the shift, and the charts or a sentence that says why there are none."""
    st.markdown(TEXTS["dataset_shift"])
    kind = control.segments(SETTINGS["kind"])
    st.caption(SHIFT_KINDS[kind].idea)
    left, right = narrow_row("dataset shift", 2)
    with left:
        strength = float(control.slider(SETTINGS["strength"]))
        along = _along(sidebar_choice) if SHIFT_KINDS[kind].goes_along else None
    with right:
        drawn = control.segments(SETTINGS["drawn"])
        sidebar_choice = replace(sidebar_choice, methods=chosen_quantifiers())
    answer = st.container()
    by_strength, tests = wide_row("dataset shift by strength", [1, 1], align="top")
    with tests:
        st.markdown(TEXTS["which shift"])
        with st.container(width=320):
            n_labels = int(control.slider(SETTINGS["shown_labels"]))
    if no_method(sidebar_choice.methods):
        return
    try:
        shift = DatasetShift(kind, strength, along)
        scores = pipeline.scores(sidebar_choice.data, settings)
        with answer:
            _answer(sidebar_choice, scores, shift, drawn, by_strength)
        with tests:
            shift_verdict(computations.shift_of_shifted(scores, shift, n_labels), folded=True)
    except InvalidInput as error:
        with answer:
            show_invalid_input(error)


def _along(sidebar_choice: SidebarChoice) -> str | None:
    """Draw the choice of the feature along which covariate shift acts; returns it, or None for the scores."""
    options = [SCORE]
    if not sidebar_choice.scores_given:
        options += map(str, pipeline.dataset(sidebar_choice.data).features.columns)
    requested = st.query_params.get("along", st.session_state.get("along"))
    if st.session_state.get("along") not in (None, *options):
        # The state may hold a feature of the previous data set.
        st.session_state["along"] = SCORE
    if requested is not None and requested not in options and "along" not in st.session_state:
        control.note(
            f"The link's shift goes along {control.quoted([requested])}, which {control.escaped(sidebar_choice.data_name)} "
            "does not have: the score is used instead."
        )
    chosen = control.choice(SETTINGS["along"], options)
    return None if chosen == SCORE else str(chosen)


def _answer(
    sidebar_choice: SidebarChoice, scores: Scores, shift: DatasetShift, drawn: str, by_strength: DeltaGenerator
) -> None:
    pools = computations.shifted_pools(scores, shift, _STRENGTHS)
    protocol, strengths = samples_under_shift(pools, shift.strength, natural=drawn == AS_THEY_COME)
    table = computations.errors_under_shift(
        scores, {strength: pools[strength] for strength in strengths}, protocol, sidebar_choice.methods
    )
    record_too("corrections", errors_under_shift=table)
    shifted = pools[shift.strength]
    rates = rates_before_and_after(scores, shifted)
    sentences = [rates_sentence(rates, 0.5), *degradation_sentences(table, shift.strength)]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    left, right = wide_row("dataset shift charts", [1, 1], align="top")
    with left:
        chart(shifted_rates_figure(rates), key="shifted_rates", alt="tpr and fpr by threshold in training and in the pool.")
    with right:
        chart(
            errors_figure(table, shift.strength),
            key="errors_under_shift",
            alt="Mean error of each quantifier.",
        )
    with by_strength:
        chart(
            degradation_figure(table, shift.strength), key="degradation", alt="Mean AE of each quantifier by strength of shift."
        )
        now = table[table.strength == shift.strength].iloc[0]
        st.caption(
            f"{now.n_samples} samples of {protocol.sample_size} at each of {len(strengths)} strengths; their mean true "
            f"prevalence is {now.true:.2f} at this one. Bars: 10th to 90th percentile of the error. AE is |estimate - truth|."
        )
        csv_button("Errors as CSV", lambda: table, f"{sidebar_choice.data_name}-shift")
