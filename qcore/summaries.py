"""Losses -> what a person looks at: curves with bands by prevalence, and one line of figures for each method."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from qcore.estimates import Losses
from qcore.sampling import Samples
from qcore.validation import FloatArray

BAND = (0.1, 0.9)
"""Quantiles over the repeats at one prevalence between which a band lies."""


def curves(values: Mapping[str, FloatArray], samples: Samples) -> pd.DataFrame:
    """Mean and band of `values[method]`, (n_samples,), at each prevalence of the samples' grid.

    Returns a tidy table, methods in order: method, target, true (the mean true prevalence of its samples), mean, lower,
    upper. The band runs from the 10th to the 90th percentile over the repeats.
    """
    grid = _by_prevalence(samples)
    stacked = np.stack([value[grid] for value in values.values()])
    lower, upper = np.quantile(stacked, BAND, axis=-1)
    n_methods, n_targets = lower.shape
    return pd.DataFrame(
        {
            "method": np.repeat(list(values), n_targets),
            "target": np.tile(samples.targets[grid[:, 0]], n_methods),
            "true": np.tile(samples.prevalences[grid].mean(axis=-1), n_methods),
            "mean": stacked.mean(axis=-1).ravel(),
            "lower": lower.ravel(),
            "upper": upper.ravel(),
        }
    )


def overview(losses: Losses, *, signed: bool = False) -> pd.DataFrame:
    """One row for each method: mean, median, 90th percentile, worst prevalence with the mean loss there, mean rank.

    The worst prevalence is the true one, the mean of its samples' own, with the largest mean loss. The rank of a method is
    taken among the mean losses at each prevalence (equal ones share their mean rank) and averaged over the prevalences
    (spec section 6). A `signed` loss is ranked, and its worst prevalence found, by its magnitude.
    """
    samples = losses.estimates.samples
    grid = _by_prevalence(samples)
    stacked = np.stack([value[grid] for value in losses.by_method.values()])
    means = stacked.mean(axis=-1)
    magnitudes = np.abs(means) if signed else means
    # Sums in another order differ in the last digits; equal methods must tie all the same.
    ranks = rankdata(np.round(magnitudes, 12), axis=0).mean(axis=1)
    worst = magnitudes.argmax(axis=1)
    everything = stacked.reshape(len(stacked), -1)
    return pd.DataFrame(
        {
            "method": list(losses.by_method),
            "mean": everything.mean(axis=1),
            "median": np.median(everything, axis=1),
            "p90": np.quantile(everything, 0.9, axis=1),
            "worst_prevalence": samples.prevalences[grid].mean(axis=-1)[worst],
            "worst_mean": means[np.arange(len(means)), worst],
            "mean_rank": ranks,
        }
    )


def _by_prevalence(samples: Samples) -> np.ndarray:
    """Positions of the samples, (n_targets, n_repeats): a protocol orders them by prevalence, then repeat."""
    return np.arange(len(samples)).reshape(-1, int(samples.repeats.max()) + 1)
