"""The section "How many labels do I need" of "Estimate": the width of the interval by the numbers of labels."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.estimate.estimate_view import EstimateView
from pages.estimate.findings import split_sentence
from pages.estimate.intervals_figure import widths_figure
from pages.frame.downloads import csv_button
from pages.frame.texts import texts_of
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput
from qcore.intervals import best_split, expected_width


def labels_needed_section(shown: EstimateView) -> None:
    """Draw how wide the interval would be with more labels, and how to divide them over the classes."""
    st.markdown(texts_of("estimate")["labels"])
    counts, level = shown.estimate.counts, shown.request.level
    rates, now = (float(counts.tpr), float(counts.fpr)), (int(counts.positives), int(counts.negatives))
    share, size = float(counts.estimate), int(counts.sample_size)
    width_of = partial(expected_width, share, rates, level=level)
    try:
        split = best_split(share, rates, *now, sample_size=size, level=level)
        width = float(width_of(*now, sample_size=size))
        labels = np.unique(np.geomspace(10, 10_000, 40).astype(int))
        table = pd.concat(
            pd.DataFrame({"labels": labels, "size": m, "width": width_of(labels, labels, sample_size=m)})
            for m in sorted({100, 1000, 10_000, size})
        )
    except InvalidInput as error:
        show_invalid_input(error)
        return
    st.markdown(f"- {split_sentence(split.positives, split.negatives, split.width, width)}")
    chart(widths_figure(table), key="widths", alt="Width of the interval by number of labelled instances, for sample sizes.")
    csv_button("Widths as CSV", lambda: table, "interval-widths")
