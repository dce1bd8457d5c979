"""Intervals for a sample that is labelled in part: of counts, and of scores.

Prediction-powered inference on scores: a sample that is scored as a whole and labelled in part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import norm

from qcore._base.registry import Entry, registry
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_level, check_one_sample
from qcore.intervals.analytic import Interval, interval_row
from qcore.intervals.labelled_sample import LabelledSample

_FEWEST_FOR_NORMAL = 10
"""With fewer labels of a class, 95% intervals of PPI++ cover 91 to 92% (`python -m benchmarks.coverage_by_situation`)."""


class EstimateWithInterval(NamedTuple):
    """Estimates and ends of their intervals, (...) each, in [0, 1]."""

    estimate: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True)
class LabelledSampleMethod(Entry):
    """A way to estimate a share from a sample that is predicted as a whole and labelled in part.

    Attributes
    ----------
    interval : (sample, level, own) -> estimate and ends; `own` is whether the share of the sample itself is wanted, else
        that of the population that it was drawn from.
    normal : whether the interval is a normal approximation, which is too short where labels of a class are few.
    """

    interval: Callable[[LabelledSample, float, bool], EstimateWithInterval]
    normal: bool = False


def wilson(found: ArrayLike, total: ArrayLike, level: float) -> Interval:
    """Ends of the interval of a share, given `found` of `total`, (...); 0 and 1 where the total is 0. Source: Wilson 1927."""
    x, n = np.asarray(found, dtype=np.float64), np.asarray(total, dtype=np.float64)
    z2, safe = norm.ppf(0.5 + level / 2.0) ** 2, np.maximum(n, 1.0)
    middle = (x + z2 / 2.0) / (safe + z2)
    half = np.sqrt(z2) / (safe + z2) * np.sqrt(x * (safe - x) / safe + z2 / 4.0)
    # Rounding must not move an end past the share itself: of none or all, that is 0 or 1.
    low = np.where((n > 0) & (x > 0), np.clip(middle - half, 0.0, 1.0), 0.0)
    return Interval(low, np.where((n > 0) & (x < n), np.clip(middle + half, 0.0, 1.0), 1.0))


def labels_alone(sample: LabelledSample, level: float = 0.95, own: bool = True) -> EstimateWithInterval:
    """The share of positives among the labels, with Wilson's interval; the predictions are not used.

    For the sample's own share both arms are shorter by sqrt(1 - n/N), since n of its N instances are known.
    """
    found, n = sample.positives.sum(axis=0), sample.n_labels
    share, ends = found / n, wilson(found, n, level)
    scale = np.sqrt(1.0 - n / np.asarray(sample.sample_size)) if own else np.ones(np.shape(n))
    return EstimateWithInterval(share, share - scale * (share - ends.low), share + scale * (ends.high - share))


def double_sampling(sample: LabelledSample, level: float = 0.95, own: bool = True) -> EstimateWithInterval:
    """The labels' share of positives in each predicted class, weighted by its size (Tenenbein 1970), with an interval.

    Wilson's intervals of both classes are combined by MOVER (Zou and Donner 2008). For the sample's own share only the
    unlabelled instances of each predicted class are uncertain; for the population's, the sizes of the predicted classes
    scatter, too.
    """
    down, up = double_sampling_arms(sample, sample.positives, sample.checked, level, own=own)
    estimate = sample.estimate
    return EstimateWithInterval(estimate, np.clip(estimate - down, 0.0, 1.0), np.clip(estimate + up, 0.0, 1.0))


def double_sampling_arms(
    sample: LabelledSample, positives: FloatArray | IntArray, checked: FloatArray | IntArray, level: float, *, own: bool
) -> tuple[FloatArray, FloatArray]:
    """How far `double_sampling`'s interval reaches below and above the estimate, (...).

    `positives` of `checked` labels in each predicted class, (2, ...), with the sample's shares; they need not be whole.
    """
    z = norm.ppf(0.5 + level / 2.0)
    weights, shares, total = sample.weights, sample.shares, np.asarray(sample.sample_size)
    ends = wilson(positives, checked, level)
    unknown = 1.0 - checked / np.maximum(sample.predicted, 1) if own else np.ones_like(weights)
    spread = 0.0 if own else z**2 * (shares[1] - shares[0]) ** 2 * weights[0] * weights[1] / total
    down, up = (
        np.sqrt((unknown * (weights * arm) ** 2).sum(axis=0) + spread) for arm in (shares - ends.low, ends.high - shares)
    )
    return down, up


def prediction_powered(sample: LabelledSample, level: float = 0.95, own: bool = True) -> EstimateWithInterval:  # noqa: ARG001
    """The count on the unlabelled part, plus the mean error on the labelled one. Source: Angelopoulos et al. 2023."""
    return _powered(sample, np.ones(np.shape(sample.n_labels)), level)


def tuned_prediction_powered(sample: LabelledSample, level: float = 0.95, own: bool = True) -> EstimateWithInterval:  # noqa: ARG001
    """As `prediction_powered`, with the weight of the predictions that scatters least. Source: Angelopoulos et al. 2024."""
    n, total = sample.n_labels, np.asarray(sample.sample_size)
    taken = sample.checked[1] / n
    covariance = sample.positives[1] / n - taken * sample.positives.sum(axis=0) / n
    of_all = np.asarray(sample.predicted_positives) / total
    variance = of_all * (1.0 - of_all) * total / np.maximum(total - 1, 1)
    rest = (total - n) / total
    weight = np.clip(np.where(variance > 0, covariance * rest / np.where(variance > 0, variance, 1.0), 0.0), 0.0, 1.0)
    return _powered(sample, weight, level)


def _powered(sample: LabelledSample, weight: FloatArray, level: float) -> EstimateWithInterval:
    """mean_L(y) + weight (mean_U(g) - mean_L(g)) with its normal interval; g is the prediction, 0 or 1.

    Where all instances are labelled, predictions have no weight.
    """
    n, total = sample.n_labels, np.asarray(sample.sample_size)
    left = np.maximum(total - n, 1)
    weight = np.where(total > n, weight, 0.0)
    in_rest = (np.asarray(sample.predicted_positives) - sample.checked[1]) / left
    truth, taken, both = sample.positives.sum(axis=0) / n, sample.checked[1] / n, sample.positives[1] / n
    estimate = truth + weight * (in_rest - taken)
    error = truth - weight * taken
    second_moment = truth - 2.0 * weight * both + weight**2 * taken
    variance = weight**2 * in_rest * (1.0 - in_rest) / left + np.maximum(second_moment - error**2, 0.0) / n
    half = norm.ppf(0.5 + level / 2.0) * np.sqrt(variance)
    ends = (np.clip(value, 0.0, 1.0) for value in (estimate, estimate - half, estimate + half))
    return EstimateWithInterval(*ends)


LABELLED_SAMPLE_INTERVALS = registry(
    LabelledSampleMethod(
        key="double sampling",
        idea="The share of positives among the labels of each predicted class, weighted by how often that class is predicted; "
        "the interval holds the truth as often as it says.",
        source="Tenenbein 1970; Zou and Donner 2008; Wilson 1927",
        interval=double_sampling,
    ),
    LabelledSampleMethod(
        key="labels alone",
        idea="The share among the labels; the classifier is not used.",
        source="Wilson 1927",
        interval=labels_alone,
    ),
    LabelledSampleMethod(
        key="PPI++",
        idea="Labels and predictions, weighted so that the estimate scatters least; too short where positives are rare.",
        source="Angelopoulos et al. 2024",
        interval=tuned_prediction_powered,
        normal=True,
    ),
    LabelledSampleMethod(
        key="PPI",
        idea="The share of predicted positives in the unlabelled part, corrected by the mean error on the labelled part; "
        "with a weak classifier, the interval is wider than that of labels alone.",
        source="Angelopoulos et al. 2023",
        interval=prediction_powered,
        normal=True,
    ),
)
DEFAULT_LABELLED_SAMPLE_INTERVAL = "double sampling"


def labelled_sample_intervals(sample: LabelledSample, level: float = 0.95, *, own: bool = True) -> pd.DataFrame:
    """Every method's estimate of one sample: method, estimate, low, high, interval, too_short, idea.

    `interval` is the method, or says why there is none, with 0 and 1 as ends: PPI++ finds no scatter in labels that are alike.
    `too_short` is a reason for that or empty; `idea` begins with it. Raises InvalidInput for an invalid level.

    Examples
    --------
    >>> table = labelled_sample_intervals(LabelledSample(310, 1000, 31, 24, 69, 6), own=False)
    >>> table.loc[0, ["estimate", "low", "high"]].astype(float).round(3).tolist()
    [0.3, 0.235, 0.374]
    """
    check_level(level)
    rows = []
    for key, entry in LABELLED_SAMPLE_INTERVALS.items():
        estimate, low, high = (float(value) for value in entry.interval(sample, level, own))
        too_short = why_normal_is_too_short(sample) if entry.normal else ""
        # Where all instances are labelled, the sample's own share is known.
        row = interval_row(key, entry.idea, (low, high), too_short, known=not entry.normal)
        rows.append({"method": key, "estimate": estimate, **row})
    return pd.DataFrame(rows)


def why_normal_is_too_short(sample: LabelledSample) -> str:
    """Why a normal approximation is too short for the labels of one sample, as far as they show it; else empty."""
    n, positives = int(sample.n_labels), int(sample.positives.sum())
    if positives in (0, n):
        return f"all {n:,} labels are {'positive' if positives else 'negative'}, so that it sees no error in them"
    if int(sample.true_positives) == int(sample.checked_positives) and not int(sample.false_negatives):
        return "no label contradicts its prediction, and it takes that as certain"
    fewest, name = min((positives, "positive"), (n - positives, "negative"))
    return f"only {fewest} of {n:,} labels {'is' if fewest == 1 else 'are'} {name}" if fewest < _FEWEST_FOR_NORMAL else ""


def prediction_powered_scores(
    scores: ArrayLike, labels: ArrayLike, level: float = 0.95, *, tuned: bool = True
) -> EstimateWithInterval:
    """The population's share of positives, from scores of all instances and labels of some, drawn at random.

    mean_L(y) + weight (mean_U(s) - mean_L(s)), with its normal interval. With 0 and 1 as scores it equals "PPI++" and "PPI" of
    LABELLED_SAMPLE_INTERVALS.

    Parameters
    ----------
    scores : (m,), in [0, 1].
    labels : (m,), 0, 1, or NaN for unlabelled instances.
    tuned : whether the scores have the weight that makes the estimate scatter least (PPI++), or 1 (PPI).

    Raises
    ------
    InvalidInput
        A score outside [0, 1], an invalid label, or not a single label.

    Source: Angelopoulos et al. 2023; Angelopoulos et al. 2024.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(1000) < 0.3
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0.0, 1.0)
    >>> labels = np.where(np.arange(1000) < 100, truth, np.nan)
    >>> [float(round(value, 2)) for value in prediction_powered_scores(scores, labels)]
    [0.28, 0.22, 0.34]
    """
    check_level(level)
    values, truth = check_one_sample("scores", scores), _numbers_or_nan(labels)
    if truth.shape != values.shape:
        raise InvalidInput("labels", "have as many entries as scores", str(truth.shape), "Pass NaN for unlabelled instances.")
    known = ~np.isnan(truth)
    y, g, rest = truth[known], values[known], values[~known]
    if not len(y) or not np.isin(y, (0.0, 1.0)).all():
        raise InvalidInput("labels", "be 0, 1 or NaN, at least one of them 0 or 1", str(y[:3]), "Label some instances.")
    z = norm.ppf(0.5 + level / 2.0)
    if not len(rest):
        half = z * np.sqrt(y.var() / len(y))
        return EstimateWithInterval(*(np.clip(value, 0.0, 1.0) for value in (y.mean(), y.mean() - half, y.mean() + half)))
    weight = 1.0
    if tuned:
        variance = float(values.var(ddof=1))
        covariance = float(np.mean((y - y.mean()) * (g - g.mean())))
        weight = float(np.clip(covariance / ((1.0 + len(y) / len(rest)) * variance), 0.0, 1.0)) if variance > 0 else 0.0
    estimate = y.mean() + weight * (rest.mean() - g.mean())
    half = z * np.sqrt(weight**2 * rest.var() / len(rest) + (y - weight * g).var() / len(y))
    return EstimateWithInterval(*(np.clip(value, 0.0, 1.0) for value in (estimate, estimate - half, estimate + half)))


def _numbers_or_nan(labels: ArrayLike) -> FloatArray:
    """Labels as numbers, with NaN for None and pandas.NA, (m,). Raises InvalidInput for words."""
    given = np.asarray(labels)
    if given.dtype == object:
        given = np.where(pd.isna(given), np.nan, given)
    try:
        return given.astype(np.float64)
    except (TypeError, ValueError) as error:
        word = next(repr(one) for one in given.ravel().tolist() if isinstance(one, str))
        raise InvalidInput(
            "labels", "be 0, 1 or NaN, at least one of them 0 or 1", word, "Write 1 for the positive class."
        ) from error
