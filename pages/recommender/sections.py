"""The sections of "Recommender", as tabs below the errors."""

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.frame.downloads import csv_button
from pages.frame.layout import wide_row
from pages.frame.texts import texts_of
from pages.recommender.figure import choices_figure, importance_figure
from pages.recommender.findings import choices_sentence, importance_sentence
from pages.recommender.hero import RecommenderAnswer
from qcore.recommender.evaluation import choices_by_size, errors_by_size


def choices_section(answer: RecommenderAnswer) -> None:
    """Draw which candidate is chosen at which size, and which metafeatures matter."""
    choices = choices_by_size(answer.result)
    left, right = wide_row("recommended", [1, 1], align="top")
    with left:
        st.markdown(choices_sentence(choices))
        chart(choices_figure(choices), key="choices", alt="Share of the samples for which each candidate is chosen, by size.")
    with right:
        st.markdown(importance_sentence(answer.importance, len(answer.view.grid.sizes)))
        figure = importance_figure(answer.importance)
        chart(figure, key="importance", alt="Share of recommendations that change with each metafeature.")


def beside_candidates(answer: RecommenderAnswer) -> None:
    """Draw the recommender's error beside that of each candidate."""
    _table(answer.against)
    data = answer.view.sidebar_choice.data_name
    with st.container(horizontal=True):
        csv_button("Errors by size as CSV", lambda: errors_by_size(answer.result), f"{data}-recommender-errors")
        csv_button("Choices by size as CSV", lambda: choices_by_size(answer.result), f"{data}-recommender-choices")
        csv_button("All samples as CSV", answer.result.frame, f"{data}-recommender-samples")


def _table(against: pd.DataFrame) -> None:
    shown = against.assign(size=against["size"].map(lambda size: str(size) if size else "all"))
    columns = (
        Column("candidate", "Candidate"),
        Column("size", "Size"),
        Column("mlq", "MLQ", ".4f", "Mean AE of MLQ."),
        Column("single", "Candidate alone", ".4f", "Mean AE of the candidate."),
        Column("difference", "MLQ less candidate", ".4f", "Below 0: MLQ is better."),
        Column("standard_error", "Standard error", ".4f", "Of that difference on the same samples."),
    )
    small_table(shown, columns, label="MLQ beside each candidate")


def how_it_works() -> None:
    """Draw how the recommender works."""
    st.markdown(texts_of("recommender")["recommender"])
