"""Choosing the quantifier for each sample: a recommender beside its candidates, and what there is to win by choosing."""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.panels import family_panels
from pages.charts.sample_overlap_findings import overlap_warning
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import SETUP, csv_button, loading
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.current import current
from pages.test_size import computations
from pages.test_size.recommender_figure import choices_figure, errors_figure, importance_figure
from pages.test_size.recommender_findings import (
    benefit_headline,
    benefit_sentences,
    choices_sentence,
    extrapolation_sentence,
    importance_sentence,
)
from pages.test_size.settings import SETTINGS
from pages.test_size.view import TestSizeView
from pages.work.refusals import show_invalid_input
from qcore import QUANTIFIERS, InvalidInput
from qcore.recommender.evaluation import choices_by_size, comparison_with_candidates, errors_by_size
from qcore.recommender.metatable import check_candidates
from qcore.recommender.mlq import RecommenderResult

_MAX_CANDIDATES: Final = 5
"""Largest number of lines of candidates: with MLQ, TOP and RND they are the eight lines that fit into a chart."""
_AGAINST: Final = (
    Column("candidate", "Candidate"),
    Column("size", "Size"),
    Column("mlq", "MLQ", ".4f", "Mean AE of MLQ."),
    Column("single", "Candidate alone", ".4f", "Mean AE of the candidate."),
    Column("difference", "MLQ less candidate", ".4f", "Below 0: MLQ is better."),
    Column("standard_error", "Standard error", ".4f", "Of that difference on the same samples."),
)


def recommender_section(view: TestSizeView) -> None:
    """Draw the choice of candidates and the errors by size with the verdict, or a sentence that says why there are none."""
    candidates = _candidates()
    with st.container():
        try:
            check_candidates(candidates)
            result, importance = computations.recommendation(view.scores, view.grid, candidates)
        except InvalidInput as error:
            show_invalid_input(error)
            return
    against = comparison_with_candidates(result)
    errors = errors_by_size(result)
    with st.container(key="section-headline"):
        st.markdown(f"**{benefit_headline(result, against)}**")
    chart(
        errors_figure(errors, family_panels(candidates, max_lines=_MAX_CANDIDATES)),
        key="errors_by_size",
        alt="Mean AE by sample size of each candidate, of the recommender MLQ, and of its bounds TOP and RND.",
    )
    with st.container(key="section-notes"):
        _notes(view, result, against, int(errors.n.max()))
    _choices(view, result, importance)
    _beside_candidates(view, result, against)
    with st.expander("How the recommender works"):
        st.markdown(texts_of("test_size")["recommender"])
    with st.expander("Python"):
        st.code(python_source(view, candidates), language="python")


def _candidates() -> tuple[str, ...]:
    """Draw the candidates in a popover named after them; returns them in the order of the registry."""
    known = current(SETTINGS["candidates"])
    count = len(known) if isinstance(known, list) else 0
    with st.popover(f"Candidates: {', '.join(known[:3]) if isinstance(known, list) else ''}{' ...' if count > 3 else ''}"):
        chosen = control.several(SETTINGS["candidates"])
    return tuple(method for method in QUANTIFIERS if method in chosen)


def _notes(view: TestSizeView, result: RecommenderResult, against: pd.DataFrame, n: int) -> None:
    st.caption(
        "**MLQ**: the estimate of the candidate that the recommender chooses for a sample. **TOP**: the best candidate for "
        "each sample, which nobody can know. **RND**: one chosen at random. "
        f"Means over {n:,} samples of each size from the test half, over all prevalences. Shaded: what "
        "there is to win by choosing. Standard errors take samples as independent; those of a small pool share instances."
    )
    warning = overlap_warning(pipeline.sample_overlap(view.scores, view.grid).overlap)
    if warning:
        st.warning(warning)
    notes = [extrapolation_sentence(result), *view.scores.notes, *_inner_notes(result)]
    sentences = [*benefit_sentences(result, against), *dict.fromkeys(note for note in notes if note)]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def _choices(view: TestSizeView, result: RecommenderResult, importance: pd.DataFrame) -> None:
    choices = choices_by_size(result)
    left, right = wide_row("recommended", [1, 1], align="top")
    with left:
        st.markdown(choices_sentence(choices))
        chart(choices_figure(choices), key="choices", alt="Share of the samples for which each candidate is chosen, by size.")
    with right:
        st.markdown(importance_sentence(importance, len(view.grid.sizes)))
        figure = importance_figure(importance)
        chart(figure, key="importance", alt="Share of recommendations that change with each metafeature.")


def _beside_candidates(view: TestSizeView, result: RecommenderResult, against: pd.DataFrame) -> None:
    shown = against.assign(size=against["size"].map(lambda size: str(size) if size else "all"))
    small_table(shown, _AGAINST, label="MLQ beside each candidate")
    data = view.sidebar_choice.data_name
    with st.container(horizontal=True):
        csv_button("Errors by size as CSV", lambda: errors_by_size(result), f"{data}-recommender-errors")
        csv_button("Choices by size as CSV", lambda: choices_by_size(result), f"{data}-recommender-choices")
        csv_button("All samples as CSV", result.frame, f"{data}-recommender-samples")


def _inner_notes(result: RecommenderResult) -> list[str]:
    part = "In the half of the training half that it learns from"
    return [f"{part}: {note[0].lower()}{note[1:]}" for note in result.notes]


def python_source(view: TestSizeView, candidates: Sequence[str]) -> str:
    """A script that gives the errors by size with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, SizeGrid, load_dataset, read_dataset, read_scores, recommend\n"
        "from qcore.recommender.evaluation import errors_by_size\n\n"
        f"settings = {view.settings!r}\n"
        f"grid = {view.grid!r}\n"
        f"result = recommend({loading(view.sidebar_choice.data)}, settings, grid, candidates={tuple(candidates)!r})\n"
        "errors = errors_by_size(result)\n"
        'print(errors.pivot_table("mean", "size", "name"))\n'
        'px.line(errors, x="size", y="mean", color="name", markers=True).show()\n'
    )
