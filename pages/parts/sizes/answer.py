"""The answer of "Test size": sentences, heatmaps, comparisons, sampling honesty, downloads."""

from __future__ import annotations

import streamlit as st

from pages.parts import cached
from pages.parts.share import csv_button
from pages.parts.sizes.comparison import ranks, two_compared, who_wins
from pages.parts.sizes.heatmaps import heatmaps
from pages.parts.sizes.reuse import sampling_honesty
from pages.parts.sizes.view import SizeView
from qcore.findings.size_effects import size_sentences
from qcore.size_effects import ranks_by_size


def show(view: SizeView) -> None:
    """Draw all parts, the pictures that are looked at first also first."""
    words = st.container()
    cells = view.cells()
    words.markdown("\n".join(f"- {sentence}" for sentence in [*size_sentences(cells), *view.scores.notes]))
    heatmaps(view)
    st.divider()
    who_wins(cells)
    st.divider()
    two_compared(view)
    st.divider()
    ranks(cells)
    st.divider()
    sampling_honesty(view.scores, *cached.draws(view.bench.data, view.settings, view.grid, view.scores))
    _take_away(view)


def _take_away(view: SizeView) -> None:
    name = f"{view.bench.data}-{view.loss}"
    with st.container(horizontal=True):
        csv_button("Cells as CSV", lambda: view.cells().table(), f"{name}-cells")
        csv_button("Ranks as CSV", lambda: ranks_by_size(view.cells()), f"{name}-ranks")
    with st.expander("The Python behind this picture"):
        st.code(view.python_source(), language="python", wrap_lines=True)
