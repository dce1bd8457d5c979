"""The correction with tpr and fpr at every threshold, and how the rates are estimated.

How tpr and fpr are estimated: the rates of each way over repeats, the pool's rates, and the errors of AC with them.

Source: Barranquero 2013, 3.2 and 5.2.6; slides on model evaluation, on validation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import TIE, FloatArray, IntArray, check_choice, check_integer, check_one_sample
from qcore.classifiers import CLASSIFIERS
from qcore.evaluation.estimates import estimate
from qcore.intervals.analytic import adjusted_count_deviations
from qcore.measures.roc import RateCurve, counts_at, rate_curve
from qcore.protocols import ArtificialPrevalence, PrevalencePath, Samples
from qcore.quantifiers.adjustment import adjust, unbiased_prevalence
from qcore.quantifiers.histogram_matching import class_histograms, histogram_table, sample_histogram
from qcore.quantifiers.operating_points import OperatingPoint, policy_points, sweep_bands, threshold_grid
from qcore.scoring import RATE_ESTIMATIONS, Scores, ScoringPlan


@dataclass(frozen=True)
class ThresholdAdjustment:
    """One sample counted and corrected at every threshold that the user may look at.

    Attributes
    ----------
    sample : its scores, (sample_size,); `n_positives` of them belong to positives. It was drawn from a pool of `n_pool`;
        `n_samples` more like it show how far estimates scatter.
    points, bands : the policies' operating points, and the thresholds that Median Sweep uses (see operating_points.py).
    curve : training rates at every score; `rates` at the thresholds to look at; `pool_rates` those of the pool there.
    histograms : histograms of the scores, by class and for the sample.
    corrections, deviations : tables of `corrected_counts` and `deviation_by_threshold`.
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
    corrections: pd.DataFrame
    deviations: pd.DataFrame

    @property
    def prevalence(self) -> float:
        """The sample's true prevalence."""
        return self.n_positives / len(self.sample)

    @property
    def pool_share(self) -> float:
        """The share of the pool that a sample takes."""
        return len(self.sample) / self.n_pool


def adjust_at_thresholds(
    scores: Scores, path: PrevalencePath, threshold: float, *, seed: int, draw: int = 0, n_samples: int = 1000
) -> ThresholdAdjustment:
    """Draw one sample and many like it, and correct their counts at every threshold.

    Parameters
    ----------
    path : one prevalence and the sample size.
    threshold : an additional threshold, besides 0, 0.01, ..., 1 and those of the policies.
    seed, draw : seed and number of the sample's draw; the samples like it depend on the seed only.
    n_samples : number of samples like it.

    Raises
    ------
    InvalidInput
        A value is out of range, or the pool can't give the sample.
    """
    check_integer("draw", draw, low=0)
    training = scores.training_scores, scores.training_labels
    points = policy_points(*training)
    grid = threshold_grid(points, threshold)
    one = path.draw(scores.pool_labels, random_stream(seed, RandomStream.DRAWN_SAMPLE, draw))
    sample = scores.pool_scores[next(one.blocks())[1][0]]
    many = replace(path, repeats=n_samples).draw(scores.pool_labels, random_stream(seed, RandomStream.REPEATED_SAMPLES))
    rates = rate_curve(*training, grid)
    n_positives = int(scores.training_labels.sum())
    counts = n_positives, len(scores.training_labels) - n_positives
    return ThresholdAdjustment(
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
        corrections=corrected_counts(rates, sample),
        deviations=deviation_by_threshold(rates, scores.pool_scores, many, counts),
    )


def score_histograms(scores: FloatArray, labels: IntArray, sample: FloatArray, n_bins: int = 25) -> pd.DataFrame:
    """Share of the training positives, of the training negatives and of a sample in equal bins of [0, 1].

    Returns a table: lower, upper, positives, negatives, sample. A score on an edge belongs to the bin above, 1 to the last.
    """
    negatives, positives = class_histograms(scores, labels, (n_bins,))[n_bins]
    shares = {"positives": positives, "negatives": negatives, "sample": sample_histogram(sample, n_bins)}
    return histogram_table(shares)


def rates_table(tpr: ArrayLike, fpr: ArrayLike) -> pd.DataFrame:
    """Chosen rates, broadcast, with the prevalence at which counting is right: tpr, fpr, p_star."""
    rate, false_rate = np.broadcast_arrays(np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float))
    return pd.DataFrame({"tpr": rate, "fpr": false_rate, "p_star": unbiased_prevalence(rate, false_rate)})


def corrected_counts(rates: RateCurve, sample: ArrayLike) -> pd.DataFrame:
    """The count of one sample at each threshold, and its correction. Source: Barranquero 2013, eq. 3.1 and theorem 3.1.

    Parameters
    ----------
    rates : training tpr and fpr at the thresholds to look at.
    sample : scores, (sample_size,).

    Returns
    -------
    DataFrame with a row for each threshold: threshold, tpr, fpr, gap = tpr - fpr, n_positive (predicted), count (as a share),
    raw = (count - fpr) / gap, NaN where tpr = fpr, estimate (clipped; the count where tpr = fpr) and p_star (see
    `unbiased_prevalence`).
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
            "p_star": unbiased_prevalence(rates.tpr, rates.fpr),
        }
    )


def deviation_by_threshold(
    rates: RateCurve, pool_scores: FloatArray, samples: Samples, training_counts: tuple[int, int]
) -> pd.DataFrame:
    """How far the corrected estimate scatters over many samples of one prevalence, at each threshold.

    Parameters
    ----------
    rates : training tpr and fpr at the thresholds to look at.
    pool_scores : (n_pool,).
    samples : samples with one prevalence, such as those of PrevalencePath((p,), size, repeats).
    training_counts : (positives, negatives) on which the rates were measured.

    Returns
    -------
    DataFrame with a row for each threshold: threshold, inflation = 1 / |tpr - fpr|, measured (standard deviation of the
    unclipped estimates), clipped_deviation (of the clipped ones), bias (mean of the clipped ones less p), clipped (share of
    samples whose estimate was clipped), sampling and total (the delta method without and with the rates' variance),
    unclipped_bias (mean of the unclipped ones less p). NaN where tpr = fpr.
    """
    prevalence = float(samples.prevalences[0])
    counts = _counts(rates.thresholds, pool_scores, samples) / samples.sample_size
    gap = np.where(np.abs(rates.tpr - rates.fpr) <= TIE, np.nan, rates.tpr - rates.fpr)
    raw = (counts - rates.fpr) / gap
    estimates = np.clip(raw, 0.0, 1.0)
    n_positives = int(np.sum(samples.pool_labels == 1))
    delta = adjusted_count_deviations(
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
            "clipped_deviation": estimates.std(axis=0),
            "bias": estimates.mean(axis=0) - prevalence,
            # Rounding can move an estimate of 0 or 1 slightly outside.
            "clipped": np.where(np.isnan(gap), np.nan, np.mean((raw < -TIE) | (raw > 1.0 + TIE), axis=0)),
            "sampling": delta.sampling,
            "total": delta.total,
            "unclipped_bias": raw.mean(axis=0) - prevalence,
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


_N_PREVALENCES, _SAMPLE_SIZE, _N_SAMPLES = 21, 100, 20


@dataclass(frozen=True)
class EstimatedRates:
    """The rates that each way estimates, and the pool's rates to compare them with.

    Attributes
    ----------
    table : estimation, repeat, n_scored (training scores), tpr, fpr, error (share of errors at the training prevalence) and AE
        (mean of AC with these rates); an estimation without randomness has one repeat.
    pool : tpr, fpr, error and AE with the pool's own rates.
    n_pool : (positives, negatives) that the pool's rates are measured on.
    counting_ae : mean AE without a correction, on the same samples.
    sample_size, n_samples : size and number of the samples that AE is a mean over.
    """

    table: pd.DataFrame
    pool: dict[str, float]
    n_pool: tuple[int, int]
    counting_ae: float
    sample_size: int
    n_samples: int

    @property
    def error_on_pool(self) -> float:
        """Share of errors on the pool as it is, which is at the pool's own prevalence."""
        positives, negatives = self.n_pool
        wrong = (1.0 - self.pool["tpr"]) * positives + self.pool["fpr"] * negatives
        return float(wrong / (positives + negatives))


def usable_rate_estimations(classifier: str) -> list[str]:
    """Keys of RATE_ESTIMATIONS that make sense for a classifier: leave-one-out only if it takes no further training,
    parameters chosen anew only if the classifier chooses any. Raises InvalidInput for an unknown classifier.
    """
    check_choice("classifier", classifier, CLASSIFIERS)
    entry = CLASSIFIERS[classifier]
    return [
        key
        for key, estimation in RATE_ESTIMATIONS.items()
        if (entry.leave_one_out or not estimation.leaves_one_out) and (entry.fixed or not estimation.chooses_anew)
    ]


def estimated_rates(
    plan: ScoringPlan,
    classifier: str,
    *,
    n_repeats: int = 10,
    seed: int = 0,
    finished: FinishedPieces | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> EstimatedRates:
    """Estimate the rates of a plan's model in every usable way, each over `n_repeats` draws of its folds.

    Parameters
    ----------
    plan, classifier : what is scored, with the key of its classifier.
    seed : seed of the samples that AE averages: 20 at each of 21 prevalences, of 100 instances or as many as the pool can give.
    finished : stores finished scores; a later call continues from there.
    on_progress : called with the share of the work that is done; may raise to stop.

    Raises InvalidInput for an unknown classifier, no repeats, or a pool that is too small.
    """
    check_integer("repeats", n_repeats, low=1)
    keys = usable_rate_estimations(classifier)
    pieces = FinishedPieces() if finished is None else finished
    repeats = [(key, repeat) for key in keys for repeat in range(n_repeats if RATE_ESTIMATIONS[key].is_random else 1)]
    pool_scores = pieces.get("pool", lambda: plan.part(plan.n_folds))
    scored = []
    for number, (key, repeat) in enumerate(repeats):
        if on_progress:
            on_progress(number / len(repeats))
        scored.append(_training_scores(plan, key, repeat, pool_scores, pieces))
    found = [
        FoundRates(key, repeat, len(one.training_labels), one.rates) for (key, repeat), one in zip(repeats, scored, strict=True)
    ]
    return rates_beside_pool(found, scored[0], seed)


def _training_scores(plan: ScoringPlan, key: str, repeat: int, pool_scores: FloatArray, pieces: FinishedPieces) -> Scores:
    """The scores of one draw. Rates averaged over folds come from the same scores as those of all folds together."""
    estimation = RATE_ESTIMATIONS[key]
    own_plan = plan.with_rate_estimation(key, repeat)
    models = (estimation.held_out, estimation.chooses_anew, estimation.leaves_one_out, repeat)
    parts = pieces.get(models, lambda: [own_plan.part(number) for number in range(own_plan.n_folds)])
    return own_plan.assemble([*parts, pool_scores])


class FoundRates(NamedTuple):
    """tpr and fpr by one way of estimating them: its name, the draw, how many scores they come from, the rates."""

    estimation: str
    repeat: int
    n_scored: int
    rates: tuple[float, float]


def rates_beside_pool(found: Sequence[FoundRates], scores: Scores, seed: int) -> EstimatedRates:
    """What AC errs with rates, and the rates on the pool, of which `scores` hold the scores. Raises InvalidInput."""
    pool_labels, prevalence = scores.pool_labels, scores.training_prevalence
    n_positives, n_negatives = int(pool_labels.sum()), int((1 - pool_labels).sum())
    protocol = ArtificialPrevalence(_N_PREVALENCES, _SAMPLE_SIZE, _N_SAMPLES).at_most(n_positives, n_negatives)
    samples = protocol.draw(pool_labels, random_stream(seed, RandomStream.SAMPLES_FOR_RATES))
    counts = estimate(["CC"], scores, samples).by_method["CC"]
    pool = replace(scores, training_scores=scores.pool_scores, training_labels=pool_labels, folds=None)
    rates = np.array([*(one.rates for one in found), pool.rates])
    tpr, fpr = rates[:, :1], rates[:, 1:]
    error = (1.0 - tpr) * prevalence + fpr * (1.0 - prevalence)
    ae = np.abs(adjust(counts, tpr, fpr) - samples.prevalences).mean(axis=1, keepdims=True)
    values = np.hstack([rates, error, ae])
    columns = ["tpr", "fpr", "error", "AE"]
    table = pd.DataFrame(values[:-1], columns=columns)
    for place, name in enumerate(("estimation", "repeat", "n_scored")):
        table.insert(place, name, [getattr(one, name) for one in found])
    counting = float(np.abs(counts - samples.prevalences).mean())
    pooled = dict(zip(columns, values[-1].tolist(), strict=True))
    return EstimatedRates(table, pooled, (n_positives, n_negatives), counting, protocol.sample_size, len(samples))
