"""The correction with tpr and fpr at every threshold: of one sample, and its spread over many."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore.operating import OperatingPoint, policy_points, sweep_bands
from qcore.protocols import PrevalencePath
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.counting import THRESHOLD as THRESHOLD
from qcore.quantifiers.matching import class_histograms, sample_histogram
from qcore.quantifiers.rate_curve import RateCurve, counts_at, rate_curve
from qcore.rounding import TIE
from qcore.sampling import Samples
from qcore.scores import Scores
from qcore.uncertainty import adjusted_count_spread
from qcore.validation import FloatArray, IntArray, check_fraction, check_integer, check_one_sample

_STEPS = 100
_ONE_SAMPLE, _MANY_SAMPLES = 401, 402
"""Beside the seed: random draws for different ends share no generator."""


@dataclass(frozen=True)
class AtWork:
    """What the corrections do with one sample, at every threshold that a person may look at.

    Attributes
    ----------
    sample : its scores, (sample_size,); `n_positives` of them belong to positives. It was drawn from a pool of `n_pool`;
        `n_samples` more like it make the spread.
    points, bands : where policies stand, and what Median Sweep uses (see operating.py).
    curve : training rates at every score; `rates` at the thresholds to look at; `pool_rates` those of the pool there.
    histograms : of the scores, by class and of the sample.
    table, spread : of `corrections` and `spread_by_threshold`.
    """

    sample: FloatArray
    n_positives: int
    n_pool: int
    n_samples: int
    points: dict[str, OperatingPoint]
    bands: list[tuple[float, float]]
    curve: RateCurve
    rates: RateCurve
    pool_rates: RateCurve
    histograms: pd.DataFrame
    table: pd.DataFrame
    spread: pd.DataFrame

    @property
    def prevalence(self) -> float:
        """The sample's true prevalence."""
        return self.n_positives / len(self.sample)

    @property
    def pool_share(self) -> float:
        """The share of the pool that a sample takes."""
        return len(self.sample) / self.n_pool

    def place(self, threshold: float) -> int:
        """The row of the tables that belongs to a threshold, or the nearest."""
        return int(np.abs(self.rates.thresholds - threshold).argmin())


def at_work(
    scores: Scores, path: PrevalencePath, threshold: float, *, seed: int, draw: int = 0, n_samples: int = 1000
) -> AtWork:
    """Draw one sample, and many like it, and correct them at every threshold.

    Parameters
    ----------
    path : one prevalence and the sample size.
    threshold : one to look at, beside 0, 0.01, ..., 1 and those of the policies.
    seed, draw : of the sample; the many depend on the seed alone.
    n_samples : number of the many.

    Raises
    ------
    InvalidInput
        A value is out of range, or the pool can't give the sample.
    """
    check_integer("draw", draw, low=0)
    training = scores.training_scores, scores.training_labels
    points = policy_points(*training)
    grid = threshold_grid(points, threshold)
    one = path.draw(scores.pool_labels, np.random.default_rng([seed, _ONE_SAMPLE, draw]))
    sample = scores.pool_scores[next(one.blocks())[1][0]]
    many = replace(path, repeats=n_samples).draw(scores.pool_labels, np.random.default_rng([seed, _MANY_SAMPLES]))
    rates = rate_curve(*training, grid)
    n_positives = int(scores.training_labels.sum())
    counts = n_positives, len(scores.training_labels) - n_positives
    return AtWork(
        sample=sample,
        n_positives=int(one.positives[0]),
        n_pool=len(scores.pool_scores),
        n_samples=n_samples,
        points=points,
        bands=sweep_bands(*training),
        curve=rate_curve(*training),
        rates=rates,
        pool_rates=rate_curve(scores.pool_scores, scores.pool_labels, grid),
        histograms=score_histograms(*training, sample),
        table=corrections(rates, sample),
        spread=spread_by_threshold(rates, scores.pool_scores, many, counts),
    )


def score_histograms(scores: FloatArray, labels: IntArray, sample: FloatArray, n_bins: int = 25) -> pd.DataFrame:
    """Share of the training positives, of the training negatives and of a sample in equal bins of [0, 1].

    Returns a table: lower, upper, positives, negatives, sample. A score on an edge belongs to the bin above, 1 to the last.
    """
    edges = np.arange(n_bins + 1) / n_bins
    negatives, positives = class_histograms(scores, labels, (n_bins,))[n_bins]
    shares = {"positives": positives, "negatives": negatives, "sample": sample_histogram(sample, n_bins)}
    return pd.DataFrame({"lower": edges[:-1], "upper": edges[1:], **shares})


def threshold_grid(points: dict[str, OperatingPoint], asked: float) -> FloatArray:
    """The thresholds from 0 to 1 by 0.01, those of the policies, and the one `asked` for, increasing."""
    check_fraction("the threshold", asked, way_out="Choose for example 0.5.")
    return np.unique([*(np.arange(_STEPS + 1) / _STEPS), *(point.threshold for point in points.values()), asked])


def crossing(tpr: ArrayLike, fpr: ArrayLike) -> FloatArray:
    """p* = fpr / (1 - tpr + fpr), the one prevalence that counting gets right (B theorem 3.1).

    NaN for perfect rates (tpr 1, fpr 0), with which counting is right everywhere. Shapes broadcast.
    """
    found, false = np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float)
    whole = 1.0 - found + false
    return np.divide(false, whole, out=np.full(np.shape(whole), np.nan), where=whole > TIE)


def corrections(rates: RateCurve, sample: ArrayLike) -> pd.DataFrame:
    """The count of one sample at each threshold, and what the correction makes of it (B eq. 3.1).

    Parameters
    ----------
    rates : training tpr and fpr at the thresholds to look at.
    sample : scores, (sample_size,).

    Returns
    -------
    DataFrame with a row for each threshold: threshold, tpr, fpr, gap = tpr - fpr, n_positive (predicted), count (as a share),
    raw = (count - fpr) / gap, NaN where tpr = fpr, estimate (clipped; the count where tpr = fpr) and crossing = p*.
    """
    scores = check_one_sample("sample", sample)
    n_positive = counts_at(scores, rates.thresholds)
    count = n_positive / len(scores)
    gap = rates.tpr - rates.fpr
    flat = np.abs(gap) <= TIE
    return pd.DataFrame(
        {
            "threshold": rates.thresholds,
            "tpr": rates.tpr,
            "fpr": rates.fpr,
            "gap": gap,
            "n_positive": n_positive,
            "count": count,
            "raw": np.where(flat, np.nan, (count - rates.fpr) / np.where(flat, 1.0, gap)),
            "estimate": adjust(count, rates.tpr, rates.fpr),
            "crossing": crossing(rates.tpr, rates.fpr),
        }
    )


def spread_by_threshold(
    rates: RateCurve, pool_scores: FloatArray, samples: Samples, training_counts: tuple[int, int]
) -> pd.DataFrame:
    """How far the corrected estimate scatters over many samples of one prevalence, at each threshold.

    Parameters
    ----------
    rates : training tpr and fpr at the thresholds to look at.
    pool_scores : (n_pool,).
    samples : of one prevalence, such as PrevalencePath((p,), size, repeats) draws.
    training_counts : (positives, negatives) on which the rates were measured.

    Returns
    -------
    DataFrame with a row for each threshold: threshold, inflation = 1 / |tpr - fpr|, measured (standard deviation of the
    unclipped estimates), kept (of the clipped ones), bias (mean of the clipped ones less p), clipped (share of samples whose
    estimate had to be), sampling and total (the delta method without and with the rates' variance). NaN where tpr = fpr.
    """
    prevalence = float(samples.prevalences[0])
    counts = _counts(rates.thresholds, pool_scores, samples) / samples.sample_size
    gap = np.where(np.abs(rates.tpr - rates.fpr) <= TIE, np.nan, rates.tpr - rates.fpr)
    raw = (counts - rates.fpr) / gap
    estimates = np.clip(raw, 0.0, 1.0)
    n_positives = int(np.sum(samples.pool_labels == 1))
    delta = adjusted_count_spread(
        prevalence,
        rates.tpr,
        rates.fpr,
        sample_size=samples.sample_size,
        training_counts=training_counts,
        pool_counts=(n_positives, len(samples.pool_labels) - n_positives),
    )
    return pd.DataFrame(
        {
            "threshold": rates.thresholds,
            "inflation": 1.0 / np.abs(gap),
            "measured": raw.std(axis=0),
            "kept": estimates.std(axis=0),
            "bias": estimates.mean(axis=0) - prevalence,
            # Rounding can carry an estimate of 0 or 1 a hair outside.
            "clipped": np.where(np.isnan(gap), np.nan, np.mean((raw < -TIE) | (raw > 1.0 + TIE), axis=0)),
            "sampling": delta.sampling,
            "total": delta.total,
        }
    )


def _counts(thresholds: FloatArray, pool_scores: FloatArray, samples: Samples) -> FloatArray:
    """Number of each sample's scores at or above each threshold, (n_samples, n_thresholds), thresholds increasing."""
    n_bins = len(thresholds) + 1
    bins = np.searchsorted(thresholds, pool_scores, side="right")
    counts = np.empty((len(samples), len(thresholds)))
    for block, index in samples.blocks():
        rows = np.arange(len(index))[:, np.newaxis] * n_bins
        table = np.bincount((bins[index] + rows).ravel(), minlength=len(index) * n_bins).reshape(-1, n_bins)
        counts[block] = table[:, :0:-1].cumsum(axis=1)[:, ::-1]
    return counts
