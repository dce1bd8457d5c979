"""Can the repeats be trusted? The tab and its figures."""

import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEGATIVES, NEUTRAL, POSITIVES, Figure, Style, figure
from pages.charts.sample_overlap_findings import overlap_sentences
from pages.charts.traces import Trace, axis, bars, horizontal_mark, styled_line
from pages.frame.layout import wide_row
from pages.frame.texts import draw_sentences, texts_of
from pages.test_size.computations import TestSizeView
from qcore.studies.sample_size import MOSTLY_SHARED

_HEIGHT = 340


def draw_counts_figure(histogram: pd.DataFrame) -> Figure:
    """How often the pool's instances are drawn over all samples, by class; the table of `draw_histogram`."""
    return figure(
        [_class_bars(name, colour, histogram) for name, colour in (("negatives", NEGATIVES), ("positives", POSITIVES))],
        title="How often is an instance drawn?",
        height=_HEIGHT,
        hovermode="closest",
        barmode="overlay",
        bargap=0.05,
        xaxis=axis("times drawn, over all samples", rangemode="tozero"),
        yaxis=axis("instances of the pool"),
    )


def _class_bars(name: str, colour: str, histogram: pd.DataFrame) -> Trace:
    width = int((histogram.last - histogram["first"]).iloc[0]) + 1
    ranges = [
        f"{first}" if first == last else f"{first} to {last}"
        for first, last in zip(histogram["first"].tolist(), histogram["last"].tolist(), strict=True)
    ]
    middles = (histogram["first"] + histogram["last"]) / 2.0
    hover = f"%{{y}} {name} drawn %{{customdata}} times<extra></extra>"
    more = {"width": width * 0.95, "opacity": 0.75, "customdata": ranges}
    return bars(name, middles, histogram[name], colour=colour, hover=hover, **more)


def overlap_figure(overlap: pd.DataFrame) -> Figure:
    """The share of instances that two samples of the same size and prevalence have in common; of `sample_overlap`."""
    sizes = [str(size) for size in overlap["size"]]
    lines = [
        styled_line(name, Style(NEUTRAL, dash, "circle"), sizes, values, size=6, hover="%{y:.2f}")
        for name, values, dash in (
            ("on average over the prevalences", overlap.shared, "solid"),
            ("at the worst prevalence", overlap.most_shared, "dash"),
        )
    ]
    return figure(
        lines,
        title="How much do two samples share?",
        height=_HEIGHT,
        shapes=[horizontal_mark(MOSTLY_SHARED)],
        xaxis=axis("sample size", type="category"),
        yaxis=axis("share of instances in common", (-0.02, 1.02)),
    )


TEXTS = texts_of("test_size")


def sample_overlap_section(view: TestSizeView) -> None:
    """Draw the section: how often instances are drawn, how many instances samples share, and sentences on both."""
    counts, histogram, overlap = pipeline.sample_overlap(view.scores, view.grid)
    st.markdown(TEXTS["sample_overlap"])
    draw_sentences(overlap_sentences(counts, overlap))
    left, right = wide_row("sample overlap", [1, 1], align="top")
    with left:
        chart(draw_counts_figure(histogram), key="draw_counts", alt="How many instances of the pool are drawn how often.")
    with right:
        chart(overlap_figure(overlap), key="sample_overlap", alt="Share of instances that two samples have in common, by size.")
