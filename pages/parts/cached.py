"""The only caches. Each holds one step, keyed by the settings that determine it, so that a change redoes no other step."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from qcore import (
    ArtificialPrevalence,
    Dataset,
    Estimates,
    InvalidInput,
    NaturalPrevalence,
    Scores,
    ScoringPlan,
    ScoringSettings,
    assumption,
    calibration,
    calibration_effects,
    corrections,
    estimate,
    load_dataset,
    make_quantifiers,
    score_classes,
)
from qcore import trend as trends
from qcore.judgement import Judgement, judge
from qcore.operating import pairwise_auc
from qcore.protocols import PrevalencePath
from qcore.quantifiers import Quantifier
from qcore.sampling import Samples
from qcore.validation import FloatArray

_PATIENCE = 0.3
"""Seconds after which a person is shown progress."""

_TREND, _SHIFT, _UNDER_SHIFT = 411, 412, 413
"""Beside the seed: random draws for different ends share no generator."""

_SETTINGS_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    ScoringSettings: repr,
    ArtificialPrevalence: repr,
    NaturalPrevalence: repr,
    PrevalencePath: repr,
    assumption.Break: repr,
}


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

    missing = fitted(data, settings, [method for method in methods if method not in done], scored)
    if missing:
        for method, values in estimate(missing, scored.pool_scores, drawn, progress).by_method.items():
            values.setflags(write=False)
            done[method] = values
    place.empty()
    return Estimates(drawn, {method: done[method] for method in methods})


def fitted(data: str, settings: ScoringSettings, methods: Sequence[str], scored: Scores) -> dict[str, Quantifier]:
    """The methods, fitted to what `scores(data, settings)` gave."""
    return {method: _quantifier(data, settings, method, scored) for method in methods}


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=_SETTINGS_KEYS)
def _at_work(
    data: str, settings: ScoringSettings, path: PrevalencePath, threshold: float, draw: int, _scores: Scores
) -> corrections.AtWork:
    return corrections.at_work(_scores, path, threshold, seed=settings.seed, draw=draw)


def at_work(
    data: str, settings: ScoringSettings, path: PrevalencePath, threshold: float, *, draw: int, scored: Scores
) -> corrections.AtWork:
    """One drawn sample, and its correction at every threshold. Raises InvalidInput."""
    # Thresholds by 0.01 are looked at anyway: dragging to one makes nothing new.
    asked = corrections.THRESHOLD if round(threshold, 2) == threshold else threshold
    return _at_work(data, settings, path, asked, draw, scored)


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=_SETTINGS_KEYS)
def trend(
    data: str, settings: ScoringSettings, path: PrevalencePath, methods: tuple[str, ...], _scores: Scores
) -> pd.DataFrame:
    """A sample a day, and what the methods say. Raises InvalidInput."""
    quantifiers = fitted(data, settings, methods, _scores)
    return trends.trend(quantifiers, _scores, path, np.random.default_rng([settings.seed, _TREND]))


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=_SETTINGS_KEYS)
def shifted_scores(data: str, settings: ScoringSettings, how: assumption.Break, _scores: Scores) -> Scores:
    """Scores whose pool is under shift. Raises InvalidInput."""
    rows = plan(data, settings).pool_rows
    covariate = _scores.pool_scores if how.along is None else dataset(data).features[how.along].to_numpy()[rows]
    return assumption.shifted(_scores, how, covariate, np.random.default_rng([settings.seed, _SHIFT]))


def shifted_pools(
    data: str, settings: ScoringSettings, how: assumption.Break, strengths: Sequence[float], scored: Scores
) -> dict[float, Scores]:
    """Scores with the pool at each strength; of those but 0 and the asked one only those that keep both classes.

    Raises InvalidInput where 0 or the asked one does not.
    """
    pools = {}
    for strength in sorted({0.0, how.strength, *strengths}):
        try:
            pools[strength] = shifted_scores(data, settings, replace(how, strength=strength), scored)
        except InvalidInput:
            if strength in (0.0, how.strength):
                raise
    return pools


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=_SETTINGS_KEYS)
def degradation(
    data: str,
    settings: ScoringSettings,
    how: assumption.Break,
    strengths: tuple[float, ...],
    protocol: ArtificialPrevalence | NaturalPrevalence,
    *,
    methods: tuple[str, ...],
    _pools: Mapping[float, Scores],
    _scores: Scores,
) -> pd.DataFrame:
    """How the methods fare under the shift at each of the strengths; `_pools` of `shifted_pools`. Raises InvalidInput."""
    pools = {strength: _pools[strength] for strength in strengths}
    return assumption.degradation(fitted(data, settings, methods, _scores), pools, protocol, (settings.seed, _UNDER_SHIFT))


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=_SETTINGS_KEYS)
def calibrated(data: str, settings: ScoringSettings, method: str, _scores: Scores) -> Scores:
    """The scores, calibrated."""
    return calibration.calibrate(_scores, method)


@st.cache_resource(show_spinner=False, max_entries=50, hash_funcs=_SETTINGS_KEYS)
def calibrated_errors(
    data: str, settings: ScoringSettings, method: str, protocol: ArtificialPrevalence, _scores: Scores
) -> pd.DataFrame:
    """Mean AE of the quantifiers that calibration can change, on scores calibrated by `method`. Raises InvalidInput."""
    return calibration_effects.mean_errors(calibrated(data, settings, method, _scores), protocol, settings.seed)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=_SETTINGS_KEYS)
def judgement(data: str, settings: ScoringSettings, part: str, threshold: float, _scores: Scores) -> Judgement:
    """The classifier judged on its training part or pool. Raises InvalidInput."""
    return judge(_scores, part, threshold)


@st.cache_resource(show_spinner=False, max_entries=50)
def _class_pairs(data: str, classifier: str, seed: int, share: float) -> list[FloatArray]:
    """A shelf for the AUC of pairs of classes: empty until it is there."""
    return []


def class_pairs(data: str, classifier: str, seed: int, share: float) -> FloatArray:
    """AUC of each pair of classes on the pool, by a classifier trained on all of them, with progress. Raises InvalidInput."""
    started = time.perf_counter()
    place = st.empty()
    shelf = _class_pairs(data, classifier, seed, share)

    def progress(done: float) -> None:
        if time.perf_counter() - started > _PATIENCE:
            place.progress(done, f"Training on all classes: {done:.0%} done")

    if not shelf:
        found = score_classes(dataset(data), classifier, seed=seed, training_share=share, on_progress=progress)
        shelf.append(pairwise_auc(found.pool_scores, found.pool_labels))
    place.empty()
    return shelf[0]
