"""The caches of how rates are estimated, and of overfitting: both train many models, with progress."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import once
from pages.parts.cached.scores import dataset, plan
from qcore import DatasetReference, ScoringSettings
from qcore._base.finished_pieces import FinishedPieces
from qcore.studies import estimated_rates as rates
from qcore.studies import overfitting


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _pieces(data: DatasetReference, settings: ScoringSettings) -> FinishedPieces:
    """Where the scores of each draw are kept."""
    return FinishedPieces()


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _finished_rates(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> list[rates.EstimatedRates]:
    """Where the rates are kept: empty until they are there."""
    return []


def estimated_rates(data: DatasetReference, settings: ScoringSettings, n_repeats: int) -> rates.EstimatedRates:
    """The rates that each way of estimating them gives. A control that moves stops the work. Raises InvalidInput."""
    return once(
        _finished_rates(data, settings, n_repeats),
        f"Estimating rates of {settings.classifier}",
        lambda on_progress: rates.estimated_rates(
            plan(data, settings),
            settings.classifier,
            n_repeats=n_repeats,
            seed=settings.seed,
            finished=_pieces(data, settings),
            on_progress=on_progress,
        ),
    )


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
def _finished_errors(data: DatasetReference, settings: ScoringSettings, complexity: str) -> list[pd.DataFrame]:
    """Where the errors are kept: empty until they are there."""
    return []


def errors_by_complexity(data: DatasetReference, settings: ScoringSettings, complexity: str) -> pd.DataFrame:
    """The errors of ever more complex models. A control that moves stops the work. Raises InvalidInput."""
    return once(
        _finished_errors(data, settings, complexity),
        "Training ever more complex models",
        lambda on_progress: overfitting.errors_by_complexity(
            dataset(data),
            settings.positive,
            plan(data, settings),
            complexity,
            seed=settings.seed,
            on_progress=on_progress,
        ),
    )
