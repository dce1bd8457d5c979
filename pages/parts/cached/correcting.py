"""The corrections at work: a drawn sample, a trend, a broken assumption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.scoring import dataset, fitted, plan
from qcore import ArtificialPrevalence, InvalidInput, NaturalPrevalence, Scores, ScoringSettings, assumption, corrections
from qcore import trend as trends
from qcore.protocols import PrevalencePath

_TREND, _SHIFT, _UNDER_SHIFT = 411, 412, 413
"""Beside the seed: random draws for different ends share no generator."""


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=SETTINGS_KEYS)
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


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=SETTINGS_KEYS)
def trend(
    data: str, settings: ScoringSettings, path: PrevalencePath, methods: tuple[str, ...], _scores: Scores
) -> pd.DataFrame:
    """A sample a day, and what the methods say. Raises InvalidInput."""
    quantifiers = fitted(data, settings, methods, _scores)
    return trends.trend(quantifiers, _scores, path, np.random.default_rng([settings.seed, _TREND]))


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=SETTINGS_KEYS)
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


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=SETTINGS_KEYS)
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
