"""Scores of all classes of a data set, which several pages share."""

from __future__ import annotations

import streamlit as st

from pages.parts.cached.progress import once
from pages.parts.cached.scores import dataset
from qcore import DatasetReference, score_classes
from qcore.scoring import MulticlassScores


@st.cache_resource(show_spinner=False, max_entries=30)
def _class_scores(data: DatasetReference, classifier: str, seed: int, share: float) -> list[MulticlassScores]:
    """Where the scores are kept: empty until they are there."""
    return []


def class_scores(data: DatasetReference, classifier: str, seed: int, share: float) -> MulticlassScores:
    """A classifier trained on all classes of the training part, with progress. Raises InvalidInput."""
    return once(
        _class_scores(data, classifier, seed, share), "Training on all classes",
        lambda show: score_classes(dataset(data), classifier, seed=seed, training_share=share, on_progress=show),
    )  # fmt: skip
