"""The answer of "Test size": sentences, heatmaps, comparisons, sample overlap, downloads."""

from __future__ import annotations

import streamlit as st

from pages.findings.test_size import size_sentences
from pages.parts import cached
from pages.parts.downloads import csv_button, python_expander
from pages.parts.test_size.comparison import difference_section, ranks_section, winners_section
from pages.parts.test_size.heatmaps import heatmaps_section
from pages.parts.test_size.sample_overlap import sample_overlap_section
from pages.parts.test_size.view import TestSizeView
from qcore.evaluation.loss_grid_comparison import ranks_by_size


def show(view: TestSizeView) -> None:
    """Draw all parts, the pictures that are looked at first also first."""
    findings_part = st.container()
    grid = view.losses()
    findings_part.markdown("\n".join(f"- {sentence}" for sentence in [*size_sentences(grid), *view.scores.notes]))
    heatmaps_section(view)
    st.divider()
    winners_section(grid)
    st.divider()
    difference_section(view)
    st.divider()
    ranks_section(grid)
    st.divider()
    sample_overlap_section(cached.sample_overlap(view.sidebar_choice.data, view.settings, view.grid, view.scores))
    _downloads(view)


def _downloads(view: TestSizeView) -> None:
    name = f"{view.sidebar_choice.data}-{view.loss}"
    with st.container(horizontal=True):
        csv_button("Losses as CSV", lambda: view.losses().table(), f"{name}-losses")
        csv_button("Ranks as CSV", lambda: ranks_by_size(view.losses()), f"{name}-ranks")
    python_expander(view.python_source())
