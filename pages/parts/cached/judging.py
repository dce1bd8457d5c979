"""The classifier judged: calibration, costs, all pairs of classes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from pages.parts.cached.scoring import dataset
from qcore import ArtificialPrevalence, Scores, ScoringSettings, calibration, calibration_effects, score_classes
from qcore.judgement import Judgement, judge
from qcore.operating import pairwise_auc
from qcore.validation import FloatArray


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=SETTINGS_KEYS)
def calibrated(data: str, settings: ScoringSettings, method: str, _scores: Scores) -> Scores:
    """The scores, calibrated."""
    return calibration.calibrate(_scores, method)


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=SETTINGS_KEYS)
def calibrated_errors(
    data: str, settings: ScoringSettings, method: str, protocol: ArtificialPrevalence, _scores: Scores
) -> pd.DataFrame:
    """Mean AE of the quantifiers that calibration can change, on scores calibrated by `method`. Raises InvalidInput."""
    return calibration_effects.mean_errors(calibrated(data, settings, method, _scores), protocol, settings.seed)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def judgement(data: str, settings: ScoringSettings, part: str, threshold: float, _scores: Scores) -> Judgement:
    """The classifier judged on its training part or pool. Raises InvalidInput."""
    return judge(_scores, part, threshold)


@st.cache_resource(show_spinner=False, max_entries=50)
def _class_pairs(data: str, classifier: str, seed: int, share: float) -> list[FloatArray]:
    """A shelf for the AUC of pairs of classes: empty until it is there."""
    return []


def class_pairs(data: str, classifier: str, seed: int, share: float) -> FloatArray:
    """AUC of each pair of classes on the pool, by a classifier trained on all of them, with progress. Raises InvalidInput."""
    shelf = _class_pairs(data, classifier, seed, share)
    with progress() as show:

        def told(done: float) -> None:
            show(done, f"Training on all classes: {done:.0%} done")

        if not shelf:
            found = score_classes(dataset(data), classifier, seed=seed, training_share=share, on_progress=told)
            shelf.append(pairwise_auc(found.pool_scores, found.pool_labels))
    return shelf[0]
