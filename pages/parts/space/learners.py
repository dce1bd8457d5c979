"""Which learners to look at, and how they count."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts import cached, controls
from pages.parts.chart import chart
from pages.parts.settings import LEARNERS, MOST_LEARNERS, SEARCH_SPACE
from pages.parts.share import csv_button, tell_link
from pages.parts.workbench import Workbench
from qcore import CLASSIFIERS, LOSSES, NAMED_QUANTIFIERS, QUANTIFIERS, ArtificialPrevalence, InvalidInput, ScoringSettings
from qcore.figures.learners import learners_figure
from qcore.findings.search_space import learners_sentences
from qcore.learners import AS_NAMED, correction_of
from qcore.summaries import curves, overview


def learners_control(bench: Workbench) -> tuple[str, ...]:
    """Draw the control; the classifiers that are looked at, in registry order: the chosen ones and the sidebar's own."""
    chosen: list[str] = st.multiselect(
        "Learners beside the sidebar's classifier",
        list(CLASSIFIERS),
        default=list(LEARNERS),
        max_selections=MOST_LEARNERS,
        key="learners",
        bind="query-params",
        help="Each is trained on the training part, and lands on the surface where its out-of-fold rates put it. "
        f"Those that the papers name: {', '.join(f'{pair.key} ({pair.classifier})' for pair in NAMED_QUANTIFIERS.values())}.",
    )
    return tuple(key for key in CLASSIFIERS if key in {*chosen, bench.classifier})


@st.fragment
def learners_as_quantifiers(bench: Workbench, settings: ScoringSettings, learners: tuple[str, ...]) -> None:
    """AE by prevalence of each learner with a correction."""
    correction = controls.choice(
        "with", "Correction", [AS_NAMED, *QUANTIFIERS],
        help="As named: AC for the neighbours, CC for those that learn to count and for all others.",
    )  # fmt: skip
    tell_link(SEARCH_SPACE, "learners")
    answer = st.container()
    with answer:
        try:
            _answer(bench, settings, learners, correction)
        except InvalidInput as refused:
            controls.show_refusal(refused)


def _answer(bench: Workbench, settings: ScoringSettings, learners: tuple[str, ...], correction: str) -> None:
    protocol = fitting_protocol(cached.plan(bench.data, settings).pool_counts)
    scores = {key: cached.scores(bench.data, replace(settings, classifier=key)) for key in learners}
    found = cached.learner_estimates(bench.data, settings, protocol, learners, correction, scores)
    losses = found.losses("AE")
    names = {key: f"{key} + {correction_of(key, correction)}" for key in learners}
    table = overview(losses)
    notes = [f"{key}: {note}" for key, found_scores in scores.items() for note in found_scores.notes]
    st.markdown("\n".join(f"- {sentence}" for sentence in [*learners_sentences(table, names), *notes]))
    training = scores[learners[0]].training_prevalence
    figure = learners_figure(curves(losses.by_method, found.samples), LOSSES["AE"], names, training)
    chart(figure, key="learners_chart", alt="Mean AE of each learner with its correction, by true prevalence.")
    st.caption(
        f"Means over {protocol.repeats} samples of {protocol.sample_size} at each prevalence, the same for all. Dotted line: "
        "the training prevalence. AE is |estimate - truth|."
    )
    shown = table.assign(method=[names[key] for key in table["method"]])
    with st.expander("Means as a table"):
        number = st.column_config.NumberColumn
        st.dataframe(
            shown[["method", "mean", "median", "worst_prevalence", "worst_mean"]], hide_index=True, height="content",
            column_config={
                "method": "Learner and correction", "mean": number("Mean AE", format="%.4f"),
                "median": number("Median", format="%.4f"), "worst_prevalence": number("Worst prevalence", format="%.2f"),
                "worst_mean": number("Mean there", format="%.4f"),
            },
        )  # fmt: skip
    csv_button("Learners as CSV", lambda: shown, f"{bench.data}-learners")


def fitting_protocol(pool_counts: tuple[int, int]) -> ArtificialPrevalence:
    """100 samples of up to 100 instances at each of 21 prevalences. Raises InvalidInput where no size works."""
    whole = ArtificialPrevalence(21, 100, 100)
    protocol = replace(whole, sample_size=max(1, min(100, whole.largest_sample_size(*pool_counts))))
    protocol.check_pool(*pool_counts)
    return protocol
