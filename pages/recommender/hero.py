"""The main view of "Recommender": the verdict, and errors by size."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.panels import family_panels
from pages.charts.sample_overlap_findings import overlap_warning
from pages.frame.downloads import SETUP, loading
from pages.frame.page_frame import PageParts, headline
from pages.frame.sidebar import SidebarChoice
from pages.recommender import computations
from pages.recommender.figure import errors_figure
from pages.recommender.findings import benefit_headline, benefit_sentences, extrapolation_sentence
from qcore import ScoringSettings, SizeGrid
from qcore.recommender.evaluation import comparison_with_candidates, errors_by_size
from qcore.recommender.mlq import RecommenderResult

_MAX_CANDIDATES = 5
"""Largest number of lines of candidates: with MLQ, TOP and RND they are the eight lines that fit into a chart."""


@dataclass(frozen=True)
class RecommenderView:
    """The choices of the page: data, how data are scored, the grid of sizes, the candidates."""

    sidebar_choice: SidebarChoice
    settings: ScoringSettings
    grid: SizeGrid
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class RecommenderAnswer:
    """What the page computes: the recommender's result, the importance of metafeatures, and MLQ beside each candidate."""

    view: RecommenderView
    result: RecommenderResult
    importance: pd.DataFrame
    against: pd.DataFrame


def hero(view: RecommenderView, parts: PageParts) -> RecommenderAnswer:
    """Draw the errors by size, the verdict above and notes below; returns the result. Raises InvalidInput."""
    data, settings = view.sidebar_choice.data, view.settings
    result, importance = computations.recommendation(data, settings, view.grid, view.candidates)
    scores = pipeline.scores(data, settings)
    against = comparison_with_candidates(result)
    errors = errors_by_size(result)
    chart(
        errors_figure(errors, family_panels(view.candidates, max_lines=_MAX_CANDIDATES)),
        key="errors_by_size",
        alt="Mean AE by sample size of each candidate, of the recommender MLQ, and of its bounds TOP and RND.",
    )
    parts.downloads.source = python_source(view)
    parts.downloads.csv("Errors as CSV", lambda: errors, f"{view.sidebar_choice.data_name}-recommender")
    with parts.headline:
        headline(benefit_headline(result, against))
    with parts.notes:
        st.caption(
            "**MLQ**: the estimate of the candidate that the recommender chooses for a sample. **TOP**: the best candidate for "
            "each sample, which nobody can know. **RND**: one chosen at random. "
            f"Means over {int(errors.n.max()):,} samples of each size from the test half, over all prevalences. Shaded: what "
            "there is to win by choosing. Standard errors take samples as independent; those of a small pool share instances."
        )
        warning = overlap_warning(pipeline.sample_overlap(scores, view.grid).overlap)
        if warning:
            st.warning(warning)
        notes = [extrapolation_sentence(result), *scores.notes, *_inner_notes(result)]
        sentences = [*benefit_sentences(result, against), *dict.fromkeys(note for note in notes if note)]
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    return RecommenderAnswer(view, result, importance, against)


def _inner_notes(result: RecommenderResult) -> list[str]:
    part = "In the half of the training half that it learns from"
    return [f"{part}: {note[0].lower()}{note[1:]}" for note in result.notes]


def python_source(view: RecommenderView) -> str:
    """A script that gives the errors by size with qcore alone."""
    return (
        f"{SETUP}"
        "from qcore import ScoringSettings, SizeGrid, load_dataset, read_dataset, read_scores, recommend\n"
        "from qcore.recommender.evaluation import errors_by_size\n\n"
        f"settings = {view.settings!r}\n"
        f"grid = {view.grid!r}\n"
        f"result = recommend({loading(view.sidebar_choice.data)}, settings, grid, candidates={view.candidates!r})\n"
        "errors = errors_by_size(result)\n"
        'print(errors.pivot_table("mean", "size", "name"))\n'
        'px.line(errors, x="size", y="mean", color="name", markers=True).show()\n'
    )
