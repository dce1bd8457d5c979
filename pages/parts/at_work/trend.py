"""A prevalence that follows a path, and what the chosen quantifiers say day by day."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts import cached, controls
from pages.parts.at_work.words import LOOK
from pages.parts.chart import chart
from pages.parts.layout import narrow_row
from pages.parts.results import family_panels
from pages.parts.settings import CORRECTIONS, SETTINGS, SIZE_RANGE, TRAINING_SIZES, TYPED
from pages.parts.share import csv_button, tell_link
from pages.parts.shift_controls import fitting
from pages.parts.workbench import Workbench, no_method
from qcore import InvalidInput, ScoringSettings
from qcore.figures.trend import trend_figure
from qcore.findings.trend import trend_sentences
from qcore.protocols import PrevalencePath
from qcore.trend import DAYS, PATHS, path_prevalences, training_share, typed_prevalences


@st.fragment
def trend(bench: Workbench, settings: ScoringSettings) -> None:
    """The controls of the path, and the chart or the one sentence that says why there is none."""
    st.markdown(LOOK["trend"])
    left, middle, right = narrow_row("trend", 3)
    with left:
        path = controls.choice("path", "Path", [*PATHS, TYPED], help="How the share of positives moves over the days.")
        if path in PATHS:
            st.caption(PATHS[path].idea.capitalize())
    with middle:
        n_instances = len(cached.dataset(bench.data).labels)
        most = int(training_share(n_instances, n_instances) * n_instances)
        trained = controls.segments(
            "trained", "Training instances", TRAINING_SIZES,
            format_func=lambda size: f"{size:,}" if size <= most else f"{size:,} (here {most:,})",
            help="Or as many as the data set can spare: the pool keeps 3 in 10.",
        )  # fmt: skip
    with right:
        size = controls.slider("day", "Instances a day", *SIZE_RANGE, 1, help="Size of each day's sample.")
    text = ""
    if path == TYPED:
        text = st.text_input(
            "Prevalences, from 0 to 1; straight lines between them fill the days", str(SETTINGS["typed"].default), key="typed",
            bind="query-params", max_chars=200,
        )  # fmt: skip
    tell_link(CORRECTIONS, "trend")
    answer = st.container()
    with answer:
        try:
            prevalences = typed_prevalences(text) if path == TYPED else path_prevalences(path)
            _answer(bench, settings, PrevalencePath(prevalences, int(size)), int(trained))
        except InvalidInput as refused:
            controls.show_refusal(refused)


def _answer(bench: Workbench, settings: ScoringSettings, path: PrevalencePath, trained: int) -> None:
    if no_method(bench):
        return
    n_instances = len(cached.dataset(bench.data).labels)
    own = replace(settings, training_share=training_share(n_instances, trained))
    path = fitting(path, cached.plan(bench.data, own).pool_counts, key="day")
    scores = cached.scores(bench.data, own)
    table = cached.trend(bench.data, own, path, bench.methods, scores)
    st.markdown(" ".join(trend_sentences(table)))
    figure = trend_figure(table, family_panels(bench.methods))
    chart(figure, key="trend_by_day", alt=f"True prevalence over {DAYS} days and each quantifier's estimate of it.")
    n_trained = len(scores.training_labels)
    short = (
        "" if n_trained >= trained else f" That is what {bench.data} and its training prevalence allow instead of {trained:,}."
    )
    st.caption(
        f"Trained on {n_trained:,} instances with a prevalence of {scores.training_prevalence:.2f}.{short} One sample of "
        f"{path.sample_size} a day."
    )
    csv_button("Trend as CSV", lambda: table, f"{bench.data}-trend")
