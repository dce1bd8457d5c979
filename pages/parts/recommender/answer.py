"""The answer of "Recommender": the verdict in words, errors by size, what it chooses, what decides, downloads."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages.parts import cached
from pages.parts.chart import chart
from pages.parts.layout import wide_row
from pages.parts.results import family_panels
from pages.parts.share import csv_button
from pages.parts.workbench import Workbench
from qcore import ScoringSettings, SizeGrid
from qcore.figures.recommendation import choices_figure, deciding_figure, errors_figure
from qcore.findings.recommendation import choices_sentence, deciding_sentence, extrapolation_sentence, worth_sentences
from qcore.findings.size_effects import sharing_warning
from qcore.recommendation import Recommended
from qcore.recommendation_effects import against_singles, choices_by_size, errors_by_size

_MOST_CANDIDATES = 5
"""With MLQ, TOP and RND these are the eight lines that a chart can hold."""


@dataclass(frozen=True)
class RecommenderView:
    """What the person asked to see."""

    bench: Workbench
    settings: ScoringSettings
    grid: SizeGrid
    candidates: tuple[str, ...]


def show(view: RecommenderView) -> None:
    """Draw the whole answer."""
    data, settings = view.bench.data, view.settings
    found, deciding = cached.recommended(data, settings, view.grid, view.candidates)
    scores = cached.scores(data, settings)
    st.caption(
        "**MLQ**: the estimate of the candidate that the recommender chooses for a sample. **TOP**: the best candidate for "
        "each sample, which nobody can know. **RND**: one chosen at random."
    )
    against = against_singles(found)
    notes = [extrapolation_sentence(found), *scores.notes, *cached.inner_notes(data, settings)]
    sentences = [*worth_sentences(found, against), *dict.fromkeys(note for note in notes if note)]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    errors, choices = errors_by_size(found), choices_by_size(found)
    chart(
        errors_figure(errors, family_panels(view.candidates, most=_MOST_CANDIDATES)),
        key="recommended_errors",
        alt="Mean AE by sample size of each candidate, of the recommender MLQ, and of its bounds TOP and RND.",
    )
    st.caption(
        f"Means over {int(errors.n.max()):,} samples of each size from the test half, over all prevalences. Shaded: what there "
        "is to win by choosing. Standard errors take samples as independent; those of a small pool share instances."
    )
    warning = sharing_warning(cached.draws(data, settings, view.grid, scores)[1])
    if warning:
        st.warning(warning)
    left, right = wide_row("recommended", [1, 1], align="top")
    with left:
        st.markdown(choices_sentence(choices))
        chart(choices_figure(choices), key="choices", alt="Share of the samples for which each candidate is chosen, by size.")
    with right:
        st.markdown(deciding_sentence(deciding, len(view.grid.sizes)))
        chart(deciding_figure(deciding), key="deciding", alt="Share of recommendations that change with each metafeature.")
    _table(against)
    _take_away(view, found, errors, choices)


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


def _take_away(view: RecommenderView, found: Recommended, errors: pd.DataFrame, choices: pd.DataFrame) -> None:
    data = view.bench.data
    with st.container(horizontal=True):
        csv_button("Errors by size as CSV", lambda: errors, f"{data}-recommender-errors")
        csv_button("Choices by size as CSV", lambda: choices, f"{data}-recommender-choices")
        csv_button("All samples as CSV", found.frame, f"{data}-recommender-samples")
    with st.expander("The Python behind this picture"):
        st.code(python_source(view), language="python", wrap_lines=True)


def python_source(view: RecommenderView) -> str:
    """A script that gives the errors by size with qcore alone."""
    return (
        "# In the app's folder, once: pip install -e .\n"
        "from qcore import ScoringSettings, SizeGrid, load_dataset, recommend\n"
        "from qcore.recommendation_effects import errors_by_size\n\n"
        f"settings = {view.settings!r}\n"
        f"grid = {view.grid!r}\n"
        f"found = recommend(load_dataset({view.bench.data!r}), settings, grid, candidates={view.candidates!r})\n"
        'print(errors_by_size(found).pivot_table("mean", "size", "name"))\n'
    )
