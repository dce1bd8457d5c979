"""A share that follows a path over days: the tab, its figure, its sentences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import Figure, figure
from pages.charts.panels import family_panels, small_multiples
from pages.charts.traces import UNIT, axis, line, method_line
from pages.corrections import computations
from pages.corrections.settings import SETTINGS, TYPED_PATH
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.navigation import open_page
from pages.frame.sampling_controls import fitting_protocol
from pages.frame.sidebar import SidebarChoice, chosen_quantifiers, no_method
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.number_text import digits, formatted, typed_prevalences
from pages.settings.setting import Value
from pages.settings.shared import SHARE_OVER_TIME
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import InvalidInput, PrevalencePath, ScoringSettings
from qcore.studies.trend import DAYS, PATHS, path_prevalences, training_share
from qcore.watching import Batches, WatchedShare, as_typed


def trend_figure(table: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None) -> Figure:
    """Each method's estimate day by day over the true prevalence; the table of `studies.trend.trend`.

    `panels`: title -> methods, to divide the lines among small multiples.
    """
    days = sorted(set(table.day.tolist()))
    truth = line("truth", days, table.true.tolist()[: len(days)], width=5, hover="%{y:.2f}", opacity=0.6)
    lines = {
        str(method): method_line(str(method), rows.day, rows.estimate, size=6, hover="%{y:.3f}")
        for method, rows in table.groupby("method", sort=False)
    }
    xaxis, yaxis = axis("day", (0.5, days[-1] + 0.5)), axis("prevalence", UNIT, tickformat=".0%")
    title = "Which method follows the trend?"
    if panels:
        shared = {
            name: [{**truth, "name": f"truth {i}", "showlegend": False}, *(lines[method] for method in methods)]
            for i, (name, methods) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=xaxis, yaxis=yaxis)
    return figure([truth, *lines.values()], title=title, xaxis=xaxis, yaxis=yaxis)


def trend_sentences(table: pd.DataFrame) -> list[str]:
    """Which method is nearest and which furthest off over the days, and how counting errs; of `studies.trend.trend`."""
    errors = (table.estimate - table.true).abs().groupby(table.method, sort=False).mean().sort_values(kind="stable")
    days = table.day.nunique()
    names, values = errors.index.tolist(), errors.tolist()
    if len(names) == 1:
        sentences = [f"Over {days} days **{names[0]}** is off by {digits(values[0])} on average (AE, |estimate - truth|)."]
    else:
        sentences = [
            f"Over {days} days **{names[0]}** stays nearest to the truth: mean AE (|estimate - truth|) {digits(values[0])}.",
            f"**{names[-1]}** is furthest off: {digits(values[-1])}.",
        ]
    if len(names) > 1 and digits(values[0]) == digits(values[-1]):
        sentences = [
            f"Over {days} days all methods are equally near to the truth: mean AE (|estimate - truth|) {digits(values[0])}."
        ]
    counts = table[table.method == "CC"]
    if len(counts):
        error = counts.estimate - counts.true
        middle = counts.true.median()
        low, high = error[counts.true <= middle].mean(), error[counts.true > middle].mean()
        if not (math.isnan(low) or math.isnan(high)):
            flat = "flattens the trend" if low > high else "does not flatten the trend here"
            sentences.append(
                f"**CC** errs by {formatted(low, '+.2f')} on the days with fewer positives and by {formatted(high, '+.2f')} on "
                f"those with more. Counting {flat}."
            )
    return sentences


def watched_sentence(result: WatchedShare) -> str:
    """Whether and when the counts of the days show a move to one who looks every day."""
    days = f"An interval that holds at every look, with the first {result.baseline} days as a baseline, shows"
    if result.moved_at is None:
        return f"{days} no move on any day."
    return f"{days} a move on **day {result.moved_at}**."


TEXTS = texts_of("corrections")


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
    draw_sentences(trend_sentences(table))
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
