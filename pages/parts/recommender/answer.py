"""The answer of "Recommender": the verdict in words, errors by size, what it chooses, what decides, downloads."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages.figures.recommender import choices_figure, errors_figure, importance_figure
from pages.findings.recommender import benefit_sentences, choices_sentence, extrapolation_sentence, importance_sentence
from pages.findings.test_size import overlap_warning
from pages.parts import cached
from pages.parts.chart import chart
from pages.parts.downloads import SETUP, csv_button, python_expander
from pages.parts.family_panels import family_panels
from pages.parts.layout import wide_row
from pages.parts.sidebar import SidebarChoice
from qcore import ScoringSettings, SizeGrid
from qcore.recommender.evaluation import choices_by_size, comparison_with_candidates, errors_by_size
from qcore.recommender.mlq import RecommenderResult

_MAX_CANDIDATES = 5
"""With MLQ, TOP and RND these are the eight lines that a chart can hold."""


@dataclass(frozen=True)
class RecommenderView:
    """What is shown: data, how it is scored, the grid of sizes, the candidates."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    grid: SizeGrid
    candidates: tuple[str, ...]


def show(view: RecommenderView) -> None:
    """Draw the whole answer."""
    data, settings = view.sidebar_choice.data, view.settings
    result, importance = cached.recommendation(data, settings, view.grid, view.candidates)
    scores = cached.scores(data, settings)
    st.caption(
        "**MLQ**: the estimate of the candidate that the recommender chooses for a sample. **TOP**: the best candidate for "
        "each sample, which nobody can know. **RND**: one chosen at random."
    )
    against = comparison_with_candidates(result)
    notes = [extrapolation_sentence(result), *scores.notes, *_inner_notes(result)]
    sentences = [*benefit_sentences(result, against), *dict.fromkeys(note for note in notes if note)]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    errors, choices = errors_by_size(result), choices_by_size(result)
    chart(
        errors_figure(errors, family_panels(view.candidates, max_lines=_MAX_CANDIDATES)),
        key="errors_by_size",
        alt="Mean AE by sample size of each candidate, of the recommender MLQ, and of its bounds TOP and RND.",
    )
    st.caption(
        f"Means over {int(errors.n.max()):,} samples of each size from the test half, over all prevalences. Shaded: what there "
        "is to win by choosing. Standard errors take samples as independent; those of a small pool share instances."
    )
    warning = overlap_warning(cached.sample_overlap(data, settings, view.grid, scores).overlap)
    if warning:
        st.warning(warning)
    left, right = wide_row("recommended", [1, 1], align="top")
    with left:
        st.markdown(choices_sentence(choices))
        chart(choices_figure(choices), key="choices", alt="Share of the samples for which each candidate is chosen, by size.")
    with right:
        st.markdown(importance_sentence(importance, len(view.grid.sizes)))
        chart(
            importance_figure(importance), key="importance", alt="Share of recommendations that change with each metafeature."
        )
    _table(against)
    _downloads(view, result, errors, choices)


def _inner_notes(result: RecommenderResult) -> list[str]:
    part = "In the half of the training half that it learns from"
    return [f"{part}: {note[0].lower()}{note[1:]}" for note in result.notes]


def _table(against: pd.DataFrame) -> None:
    with st.expander("MLQ beside each candidate, size by size"):
        number = st.column_config.NumberColumn
        shown = against.assign(size=against["size"].map(lambda size: str(size) if size else "all"))
        st.dataframe(
            shown,
            hide_index=True,
            height="content",
            column_config={
                "candidate": "Candidate",
                "size": "Size",
                "mlq": number("MLQ", format="%.4f", help="Mean AE of MLQ."),
                "single": number("Candidate alone", format="%.4f", help="Mean AE of the candidate."),
                "difference": number("MLQ less candidate", format="%.4f", help="Below 0: MLQ is better."),
                "standard_error": number("Standard error", format="%.4f", help="Of that difference on the same samples."),
            },
        )


def _downloads(view: RecommenderView, result: RecommenderResult, errors: pd.DataFrame, choices: pd.DataFrame) -> None:
    data = view.sidebar_choice.data
    with st.container(horizontal=True):
        csv_button("Errors by size as CSV", lambda: errors, f"{data}-recommender-errors")
        csv_button("Choices by size as CSV", lambda: choices, f"{data}-recommender-choices")
        csv_button("All samples as CSV", result.frame, f"{data}-recommender-samples")
    python_expander(python_source(view))


def python_source(view: RecommenderView) -> str:
    """A script that gives the errors by size with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, SizeGrid, load_dataset, recommend\n"
        "from qcore.recommender.evaluation import errors_by_size\n\n"
        f"settings = {view.settings!r}\n"
        f"grid = {view.grid!r}\n"
        f"result = recommend(load_dataset({view.sidebar_choice.data!r}), settings, grid, candidates={view.candidates!r})\n"
        'print(errors_by_size(result).pivot_table("mean", "size", "name"))\n'
    )
