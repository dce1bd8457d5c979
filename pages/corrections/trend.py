"""The section on a trend: a prevalence that follows a path, and the chosen quantifiers' estimates day by day."""

from dataclasses import replace
from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.family_panels import family_panels
from pages.corrections import computations
from pages.corrections.settings import SETTINGS, TYPED_PATH
from pages.corrections.trend_figure import trend_figure
from pages.corrections.trend_findings import trend_sentences, watched_sentence
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.navigation import open_page
from pages.frame.sidebar import SidebarChoice, chosen_quantifiers, no_method
from pages.frame.texts import texts_of
from pages.frame.training_controls import fitting_protocol
from pages.settings import control
from pages.settings.setting import Value
from pages.settings.shared import SHARE_OVER_TIME
from pages.settings.typed_text import typed_prevalences
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, ScoringSettings
from qcore.protocols import PrevalencePath
from qcore.studies.trend import DAYS, PATHS, path_prevalences, training_share
from qcore.watching import Batches, WatchedShare, as_typed

TEXTS: Final = texts_of("corrections")


@fragment
def trend_section(sidebar_choice: SidebarChoice, settings: ScoringSettings) -> None:
    """Draw the controls of the path, and the chart or a sentence that says why there is none."""
    st.markdown(TEXTS["trend"])
    left, middle, right = narrow_row("trend", 3)
    with left:
        path = control.choice(SETTINGS["path"])
        if path in PATHS:
            st.caption(PATHS[path].idea.capitalize())
    with middle:
        n_instances = len(pipeline.dataset(sidebar_choice.data).labels)
        most = int(training_share(n_instances, n_instances) * n_instances)
        trained = control.segments(
            SETTINGS["trained"], format_func=lambda size: f"{size:,}" if size <= most else f"{size:,} (here {most:,})"
        )
    with right:
        size = control.slider(SETTINGS["day"])
        sidebar_choice = replace(sidebar_choice, methods=chosen_quantifiers())
    text = ""
    if path == TYPED_PATH:
        text = control.typed_text(SETTINGS["typed"])
    answer = st.container()
    with answer:
        try:
            prevalences = typed_prevalences(text) if path == TYPED_PATH else path_prevalences(path)
            _answer(sidebar_choice, settings, PrevalencePath(prevalences, int(size)), int(trained))
        except InvalidInput as error:
            show_invalid_input(error)


def _answer(sidebar_choice: SidebarChoice, settings: ScoringSettings, path: PrevalencePath, trained: int) -> None:
    if no_method(sidebar_choice.methods):
        return
    n_instances = len(pipeline.dataset(sidebar_choice.data).labels)
    trend_settings = replace(settings, training_share=training_share(n_instances, trained))
    path = fitting_protocol(path, pipeline.plan(sidebar_choice.data, trend_settings).pool_counts, key="day")
    scores = pipeline.scores(sidebar_choice.data, trend_settings)
    table = computations.trend(scores, path, sidebar_choice.methods)
    st.markdown(" ".join(trend_sentences(table)))
    figure = trend_figure(table, family_panels(sidebar_choice.methods))
    chart(figure, key="trend_by_day", alt=f"True prevalence over {DAYS} days and each quantifier's estimate of it.")
    n_trained = len(scores.training_labels)
    name = control.escaped(sidebar_choice.data_name)
    short = "" if n_trained >= trained else f" That is what {name} and its training prevalence allow instead of {trained:,}."
    st.caption(
        f"Trained on {n_trained:,} instances with a prevalence of {scores.training_prevalence:.2f}.{short} One sample of "
        f"{path.sample_size} a day."
    )
    _watched(computations.watched(scores, path))
    csv_button("Trend as CSV", lambda: table, f"{sidebar_choice.data_name}-trend")


def _watched(result: WatchedShare) -> None:
    """Draw whether somebody who looks every day would have seen a move, and a button that opens these counts on "Estimate"."""
    st.markdown(" ".join([TEXTS["watched"], watched_sentence(result)]))
    table = result.table
    typed = as_typed(Batches(table.batch.to_numpy(), table.positives.to_numpy(), table["size"].to_numpy()))
    settings: dict[str, Value] = {"way": SHARE_OVER_TIME, "typed_batches": typed, "baseline": result.baseline}
    open_page("estimate", "Watch these counts", settings)
