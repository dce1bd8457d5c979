"""Data sets, the classifier's scores on them, and the quantifiers fitted to these."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import uploads
from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from qcore import Dataset, DatasetReference, Scores, ScoringPlan, ScoringSettings, load_dataset, make_quantifiers
from qcore._base.validation import FloatArray
from qcore.quantifiers import Quantifier


@st.cache_resource(show_spinner=False, max_entries=30)
def _dataset(data: DatasetReference) -> Dataset:
    return load_dataset(data)


def dataset(data: DatasetReference) -> Dataset:
    """The data set; an upload is found in the session that it belongs to, and nowhere else. Raises InvalidInput."""
    return uploads.load(data) if data.source == uploads.SOURCE else _dataset(data)


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=SETTINGS_KEYS)
def plan(data: DatasetReference, settings: ScoringSettings) -> ScoringPlan:
    """Split and folds. Raises InvalidInput."""
    return ScoringPlan(dataset(data), settings)


@st.cache_resource(show_spinner=False, max_entries=2000, hash_funcs=SETTINGS_KEYS)
def _part(data: DatasetReference, settings: ScoringSettings, number: int) -> FloatArray:
    return plan(data, settings).part(number)


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=SETTINGS_KEYS)
def _finished(data: DatasetReference, settings: ScoringSettings) -> list[Scores]:
    """Where the scores of these settings are kept: empty until all parts are there."""
    return []


def finished_scores(data: DatasetReference, settings: ScoringSettings) -> Scores | None:
    """The scores, if they are there already."""
    return next(iter(_finished(data, settings)), None)


def scores(data: DatasetReference, settings: ScoringSettings) -> Scores:
    """Scores of training part and pool, fold by fold: with progress, and stopped between folds when a control moves."""
    with progress() as show:
        finished = _finished(data, settings)
        if not finished:
            work, parts = plan(data, settings), []
            for number in range(work.n_parts):
                show(number / work.n_parts, f"Training {settings.classifier}: {number} of {work.n_parts} done")
                parts.append(_part(data, settings, number))
            finished.append(work.assemble(parts))
    return finished[0]


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=SETTINGS_KEYS)
def _quantifier(data: DatasetReference, settings: ScoringSettings, method: str, _scores: Scores) -> Quantifier:
    return make_quantifiers([method], _scores.training_scores, _scores.training_labels)[method]


def fitted(data: DatasetReference, settings: ScoringSettings, methods: Sequence[str], scored: Scores) -> dict[str, Quantifier]:
    """The methods, fitted to what `scores(data, settings)` gave."""
    return {method: _quantifier(data, settings, method, scored) for method in methods}
