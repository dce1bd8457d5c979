"""The only caches. Each holds one step, keyed by the settings that determine it, so that a change redoes no other step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from qcore import (
    ArtificialPrevalence,
    Dataset,
    Estimates,
    Scores,
    ScoringPlan,
    ScoringSettings,
    estimate,
    load_dataset,
    make_quantifiers,
)
from qcore.quantifiers import Quantifier
from qcore.sampling import Samples
from qcore.validation import FloatArray

_PATIENCE = 0.3
"""Seconds after which a person is shown progress."""

_SETTINGS_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {ScoringSettings: repr, ArtificialPrevalence: repr}


@st.cache_resource(show_spinner=False, max_entries=50)
def dataset(key: str) -> Dataset:
    """The data set registered as `key`."""
    return load_dataset(key)


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=_SETTINGS_KEYS)
def plan(data: str, settings: ScoringSettings) -> ScoringPlan:
    """Split and folds. Raises InvalidInput."""
    return ScoringPlan(dataset(data), settings)


@st.cache_resource(show_spinner=False, max_entries=2000, hash_funcs=_SETTINGS_KEYS)
def _part(data: str, settings: ScoringSettings, number: int) -> FloatArray:
    return plan(data, settings).part(number)


@st.cache_resource(show_spinner=False, max_entries=100, hash_funcs=_SETTINGS_KEYS)
def _finished(data: str, settings: ScoringSettings) -> list[Scores]:
    """A shelf for the scores of these settings: empty until all parts are there."""
    return []


def scores(data: str, settings: ScoringSettings) -> Scores:
    """Scores of training part and pool, fold by fold: with progress, and stopped between folds when a control moves."""
    started = time.perf_counter()
    # There with and without progress, so that what follows keeps its place in the page.
    place = st.empty()
    done = _finished(data, settings)
    if done:
        return done[0]
    work = plan(data, settings)
    parts = []
    for number in range(work.n_parts):
        if time.perf_counter() - started > _PATIENCE:
            place.progress(number / work.n_parts, f"Training the classifier: {number} of {work.n_parts} done")
        parts.append(_part(data, settings, number))
    place.empty()
    done.append(work.assemble(parts))
    return done[0]


@st.cache_resource(show_spinner=False, max_entries=4, hash_funcs=_SETTINGS_KEYS)
def _samples(data: str, settings: ScoringSettings, protocol: ArtificialPrevalence, _scores: Scores) -> Samples:
    return protocol.draw(_scores.pool_labels, np.random.default_rng(settings.seed))


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=_SETTINGS_KEYS)
def _quantifier(data: str, settings: ScoringSettings, method: str, _scores: Scores) -> Quantifier:
    return make_quantifiers([method], _scores.training_scores, _scores.training_labels)[method]


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=_SETTINGS_KEYS)
def _estimates(data: str, settings: ScoringSettings, protocol: ArtificialPrevalence) -> dict[str, FloatArray]:
    """A shelf for the estimates of each method on these samples: empty until they are there."""
    return {}


def estimates(
    data: str, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str], scored: Scores
) -> Estimates:
    """Estimates of the methods on the protocol's samples; a method more computes that one.

    A control of the sidebar that moves stops the work between two blocks; the page's own controls wait for its end, since
    Streamlit queues what a fragment asks for. `scored` is what `scores(data, settings)` gave: data and settings are its key.
    """
    started = time.perf_counter()
    place = st.empty()
    drawn = _samples(data, settings, protocol, scored)
    done = _estimates(data, settings, protocol)

    def progress(share: float) -> None:
        if time.perf_counter() - started > _PATIENCE:
            place.progress(share, f"Estimating: {share:.0%} of {len(drawn):,} samples done")

    missing = {method: _quantifier(data, settings, method, scored) for method in methods if method not in done}
    if missing:
        for method, values in estimate(missing, scored.pool_scores, drawn, progress).by_method.items():
            values.setflags(write=False)
            done[method] = values
    place.empty()
    return Estimates(drawn, {method: done[method] for method in methods})
