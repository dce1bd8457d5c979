"""The caches of the page "More than two classes": errors on samples of all classes, both ways, the matrices."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from qcore import DatasetReference
from qcore.losses import Smoothing
from qcore.scoring import MulticlassScores
from qcore.studies.more_than_two_classes import (
    AdjustmentMatrix,
    MulticlassErrors,
    adjustment_matrix,
    multiclass_errors,
    native_and_one_vs_all,
    simplex_protocol,
)

ScoresKey = tuple[DatasetReference, str, int, float]
"""What determines scores of all classes: data set, classifier, seed, training share."""


@st.cache_resource(show_spinner="Estimating all classes", max_entries=50)
def class_errors(
    key: ScoresKey, methods: tuple[str, ...], sampling: tuple[str, int], loss: tuple[str, Smoothing], _scores: MulticlassScores
) -> MulticlassErrors:
    """Errors on samples of a protocol and of a size. Raises InvalidInput."""
    protocol = simplex_protocol(sampling[0], _scores.pool_labels, sampling[1])
    return multiclass_errors(_scores, methods, protocol, loss=loss[0], smoothing=loss[1], seed=key[2])


@st.cache_resource(show_spinner="Estimating each class against all others", max_entries=50)
def both_ways(
    key: ScoresKey, methods: tuple[str, ...], sampling: tuple[str, int], loss: tuple[str, Smoothing], _scores: MulticlassScores
) -> pd.DataFrame:
    """Native methods beside one against all. Raises InvalidInput."""
    return native_and_one_vs_all(class_errors(key, methods, sampling, loss, _scores), _scores, loss[1])


@st.cache_resource(show_spinner=False, max_entries=50)
def matrix(key: ScoresKey, method: str, _scores: MulticlassScores) -> AdjustmentMatrix:
    """The matrix that AC or PACC inverts."""
    return adjustment_matrix(_scores, method)
