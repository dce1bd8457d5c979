"""Estimates of drawn samples: of one size, and the part that samples of many sizes share with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from pages.parts.cached.keys import SETTINGS_KEYS
from pages.parts.cached.progress import progress
from pages.parts.cached.scores import fitted
from qcore import ArtificialPrevalence, DatasetReference, Estimates, Scores, ScoringSettings, estimate
from qcore._base.validation import FloatArray
from qcore.protocols import Samples
from qcore.quantifiers import Quantifier


@st.cache_resource(show_spinner=False, max_entries=4, hash_funcs=SETTINGS_KEYS)
def _samples(data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, _scores: Scores) -> Samples:
    return protocol.draw(_scores.pool_labels, np.random.default_rng(settings.seed))


@st.cache_resource(show_spinner=False, max_entries=40, hash_funcs=SETTINGS_KEYS)
def _finished(data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence) -> dict[str, FloatArray]:
    """Where the estimates of each method on these samples are kept: empty until they are there."""
    return {}


def estimates(
    data: DatasetReference, settings: ScoringSettings, protocol: ArtificialPrevalence, methods: Sequence[str], scored: Scores
) -> Estimates:
    """Estimates of the methods on the protocol's samples; one more method computes only that one.

    A control of the sidebar that moves stops the work between two blocks; the page's controls wait for its end, since Streamlit
    queues what a fragment asks for. `scored` is what `scores(data, settings)` gave: data and settings are its key.
    """
    samples = _samples(data, settings, protocol, scored)
    finished = _finished(data, settings, protocol)
    missing = missing_quantifiers(data, settings, methods, finished, scored)
    with progress() as show:

        def on_progress(share: float) -> None:
            show(share, f"Estimating: {share:.0%} of {len(samples):,} samples done")

        finished |= missing_estimates(missing, scored, samples, on_progress)
    return Estimates(samples, {method: finished[method] for method in methods})


def missing_quantifiers(
    data: DatasetReference,
    settings: ScoringSettings,
    methods: Sequence[str],
    finished: Mapping[str, FloatArray],
    scored: Scores,
) -> dict[str, Quantifier]:
    """The fitted quantifiers whose estimates are not there yet."""
    return fitted(data, settings, [method for method in methods if method not in finished], scored)


def missing_estimates(
    missing: Mapping[str, Quantifier], scored: Scores, samples: Samples, on_progress: Callable[[float], None]
) -> dict[str, FloatArray]:
    """The estimates of the missing quantifiers, read-only since sessions share them."""
    if not missing:
        return {}
    by_method = dict(estimate(missing, scored, samples, on_progress).by_method)
    for values in by_method.values():
        values.setflags(write=False)
    return by_method
