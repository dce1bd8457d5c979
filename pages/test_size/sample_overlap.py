"""The section on sample overlap: how often instances are drawn, with a warning if samples share most of the pool."""

from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.sample_overlap_findings import overlap_sentences
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.pipeline.sample_overlap import SampleOverlap
from pages.test_size.sample_overlap_figure import draw_counts_figure, overlap_figure

TEXTS: Final = texts_of("test_size")


def sample_overlap_section(sample_overlap: SampleOverlap) -> None:
    """Draw the section: how often instances are drawn, how many instances samples share, and sentences on both."""
    counts, histogram, overlap = sample_overlap
    st.markdown(TEXTS["sample_overlap"])
    st.markdown("\n".join(f"- {sentence}" for sentence in overlap_sentences(counts, overlap)))
    left, right = wide_row("sample overlap", [1, 1], align="top")
    with left:
        chart(draw_counts_figure(histogram), key="draw_counts", alt="How many instances of the pool are drawn how often.")
    with right:
        chart(overlap_figure(overlap), key="sample_overlap", alt="Share of instances that two samples have in common, by size.")
