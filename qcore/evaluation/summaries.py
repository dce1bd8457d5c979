"""Losses -> summaries: curves with bands by true prevalence, and one row of numbers for each method."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from qcore._base.validation import FloatArray, IntArray
from qcore.evaluation.clear_difference import level_with_best, strata_of
from qcore.evaluation.estimates import Losses
from qcore.protocols.samples import Samples

BAND = (0.1, 0.9)
"""Quantiles over the repeats at one prevalence between which a band lies."""


def curves(values: Mapping[str, FloatArray], samples: Samples) -> pd.DataFrame:
    """Mean and band of `values[method]`, (n_samples,), at each true prevalence that the samples have.

    Returns a tidy table, methods in order: method, true, mean, lower, upper. The band runs from the 10th to the 90th
    percentile over the samples with that prevalence; a small size rounds neighbouring prevalences of the grid to the same one.
    """
    order, starts = _by_prevalence(samples)
    stacked = np.stack([value[order] for value in values.values()])
    lower, upper = _group_bands(stacked, starts)
    return pd.DataFrame(
        {
            "method": np.repeat(list(values), len(starts)),
            "true": np.tile(samples.prevalences[order][starts], len(values)),
            "mean": _group_means(stacked, starts).ravel(),
            "lower": lower.ravel(),
            "upper": upper.ravel(),
        }
    )


def overview(losses: Losses, *, signed: bool = False) -> pd.DataFrame:
    """One row for each method: mean, median, 90th percentile, worst prevalence with the mean loss there, mean rank, level.

    A method is level with the best if their mean difference, sample by sample, is within two standard errors
    (`level_with_best`).
    The worst prevalence is the true one with the largest mean loss. The rank of a method is taken among the mean losses at
    each true prevalence (ties share their mean rank) and averaged over the prevalences. A `signed` loss is ranked, and its
    worst prevalence found, by its magnitude. Source: Barranquero 2013, 4.2.4.
    """
    samples = losses.estimates.samples
    order, starts = _by_prevalence(samples)
    stacked = np.stack([value[order] for value in losses.by_method.values()])
    means = _group_means(stacked, starts)
    magnitudes = np.abs(means) if signed else means
    # Sums in another order differ in the last digits; equal methods must tie nevertheless.
    ranks = rankdata(np.round(magnitudes, 12), axis=0).mean(axis=1)
    worst = magnitudes.argmax(axis=1)
    return pd.DataFrame(
        {
            "method": list(losses.by_method),
            "mean": stacked.mean(axis=1),
            "median": np.median(stacked, axis=1),
            "p90": np.quantile(stacked, 0.9, axis=1),
            "worst_prevalence": samples.prevalences[order][starts][worst],
            "worst_mean": means[np.arange(len(means)), worst],
            "mean_rank": ranks,
            "level": level_with_best(np.stack(list(losses.by_method.values())), strata_of(samples)),
        }
    )


def samples_per_prevalence(samples: Samples) -> tuple[int, int]:
    """(least, most) samples that share a true prevalence; each point of `curves` is a mean over such samples."""
    counts = np.unique(samples.positives, return_counts=True)[1]
    return int(counts.min()), int(counts.max())


def _by_prevalence(samples: Samples) -> tuple[IntArray, IntArray]:
    """(order of the samples by true prevalence, start of each prevalence's run in that order)."""
    order = np.argsort(samples.positives, kind="stable")
    return order, np.unique(samples.positives[order], return_index=True)[1]


def _group_bands(stacked: FloatArray, starts: IntArray) -> FloatArray:
    """Quantiles BAND of the runs: (n_methods, n_samples) -> (2, n_methods, n_runs)."""
    runs = np.split(stacked, starts[1:], axis=1)
    if len({run.shape[1] for run in runs}) == 1:
        # Nearly always, all runs have the same length: one call for all.
        return np.quantile(np.stack(runs, axis=1), BAND, axis=2)
    return np.stack([np.quantile(run, BAND, axis=1) for run in runs], axis=2)


def _group_means(stacked: FloatArray, starts: IntArray) -> FloatArray:
    """Means over the runs: (n_methods, n_samples) -> (n_methods, n_runs)."""
    sizes = np.diff(np.append(starts, stacked.shape[1]))
    return np.add.reduceat(stacked, starts, axis=1) / sizes


def means_at(table: pd.DataFrame, prevalence: float) -> dict[str, float]:
    """Method -> mean at a true prevalence, interpolated linearly in the table of `curves`."""
    methods = table.groupby("method", sort=False)
    return {str(method): float(np.interp(prevalence, rows.true, rows["mean"])) for method, rows in methods}
