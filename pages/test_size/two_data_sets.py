"""The section with the winners on two data sets side by side."""

from dataclasses import replace
from typing import Final

import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.frame.layout import wide_row
from pages.frame.size_grid_controls import left_out_sentence
from pages.frame.texts import texts_of
from pages.own_data import uploads
from pages.settings import control
from pages.settings.control import escaped
from pages.test_size import computations
from pages.test_size.comparison import MOST_PREVALENCES, winners_figure
from pages.test_size.findings import agreement_sentence
from pages.test_size.settings import SETTINGS
from pages.test_size.view import TestSizeView
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.evaluation.loss_grid import LossGrid, winners

TEXTS: Final = texts_of("test_size")


def two_data_sets_section(view: TestSizeView) -> None:
    """Draw the winners on the page's data set beside those on a second one, and how often they agree."""
    st.markdown(TEXTS["two_data_sets"])
    if view.sidebar_choice.scores_given:
        st.info("These are the scores of a classifier of your own, which this section cannot train on another data set.")
        return
    words = [word for word in uploads.words_with_features() if word != str(view.sidebar_choice.data)]
    default = str(SETTINGS["beside_data"].default)
    word = control.choice_among(SETTINGS["beside_data"], words, default if default in words else words[0])
    sentence_part = st.container()
    parts = wide_row("two data sets", [1, 1], align="top")
    try:
        second, left_out = _second(view, word)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    names = view.sidebar_choice.data_name, uploads.shown_name(word)
    here, beside = view.losses().thinned(MOST_PREVALENCES), second.thinned(MOST_PREVALENCES)
    for part, grid, name, key in zip(parts, (here, beside), names, ("winners_here", "winners_beside"), strict=True):
        with part:
            figure = winners_figure(grid, winners(grid), title=f"{name}: lowest {grid.measure}")
            chart(figure, key=key, alt=f"The best quantifier on {name} by sample size and true prevalence.")
    sentence_part.markdown(escaped(agreement_sentence(here, beside, names)))
    if left_out:
        sentence_part.caption(f"On {escaped(names[1])}: {left_out}")


def _second(view: TestSizeView, word: str) -> tuple[LossGrid, str]:
    """Returns (losses on the second data set, a sentence on sizes that it can't give). Raises InvalidInput."""
    data = uploads.reference(word)
    settings = replace(view.settings, positive=pipeline.dataset(data).default_positive)
    pool_counts = pipeline.plan(data, settings).pool_counts
    sizes = view.grid.fitting_sizes(*pool_counts)
    scores = pipeline.scores(data, settings)
    estimates = computations.size_estimates(scores, view.grid.of(sizes.kept), view.sidebar_choice.methods)
    return computations.loss_grid(estimates, view.loss, view.smoothing), left_out_sentence(sizes, pool_counts)
