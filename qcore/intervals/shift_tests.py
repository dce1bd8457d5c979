"""Tests of what has changed between labelled instances and a sample, and the change that they would detect.

The smallest change that each test of a shift detects with a power of 80%: what a test that is not significant excludes.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2, mannwhitneyu, ncx2, norm
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from qcore._base.threads import one_thread
from qcore._base.validation import TIE, FloatArray, IntArray
from qcore.intervals.counts import Counts
from qcore.intervals.goodness_of_fit import GoodnessOfFit, nearest_mixture
from qcore.intervals.labelled_sample import LabelledSample

_FOLDS = 5
_MOST_FOR_PRODUCTS = 30
"""With more features than this, squares are taken, but no products."""
_EDGE = 1e-4
_HARDLY_RESTRAINED = 1e6


def features_differ(here: FloatArray, there: FloatArray, *, rng: np.random.Generator) -> float:
    """The p-value of whether a model tells instances `there`, (m, n_features), from those `here`, (n, n_features).

    Ridge logistic regression on features, squares and products, out of fold; then Wilcoxon's test of its scores.
    """
    both, group = np.vstack([here, there]), np.repeat([0, 1], [len(here), len(there)])
    columns = StandardScaler().fit_transform(both)
    if both.shape[1] <= _MOST_FOR_PRODUCTS:
        columns = PolynomialFeatures(2, include_bias=False).fit_transform(columns)
    else:
        columns = np.hstack([columns, columns**2])
    columns = StandardScaler().fit_transform(columns)
    folds = StratifiedKFold(min(_FOLDS, len(here), len(there)), shuffle=True, random_state=int(rng.integers(2**31)))
    scores = np.empty(len(both))
    with one_thread():
        for known, held_out in folds.split(columns, group):
            model = LogisticRegression(C=1.0, solver="newton-cholesky").fit(columns[known], group[known])
            scores[held_out] = model.decision_function(columns[held_out])
    return float(mannwhitneyu(scores[group == 1], scores[group == 0], alternative="greater").pvalue)


def comparison_seconds(n_instances: int, n_features: int) -> float:
    """Rough seconds of two calls of `features_differ`."""
    products = n_features <= _MOST_FOR_PRODUCTS
    columns = (n_features + 1) * (n_features + 2) // 2 if products else 2 * n_features
    return 0.2 + 6e-9 * n_instances * columns**2


def thinned(labels: IntArray, prevalence: float, *, rng: np.random.Generator) -> IntArray:
    """Rows of a largest random subset of the labelled instances with this share of positives, without replacement."""
    rows = [np.flatnonzero(labels == value) for value in (0, 1)]
    total = min(len(rows[0]) / max(1.0 - prevalence, TIE), len(rows[1]) / max(prevalence, TIE))
    sizes = [round(total * (1.0 - prevalence)), round(total * prevalence)]
    return np.sort(np.concatenate([rng.choice(one, min(n, len(one)), False) for one, n in zip(rows, sizes, strict=True)]))


def labels_at_scores_differ(scores: tuple[FloatArray, FloatArray], labels: tuple[IntArray, IntArray]) -> float:
    """The p-value of whether P(y | score) differs between labelled instances and labels of the sample: 2 degrees of freedom.

    Likelihood ratio of logistic regressions of the label on the logit of the score, with and without the group and its product.
    """
    clipped = [np.clip(one, _EDGE, 1.0 - _EDGE) for one in scores]
    logits = np.concatenate([np.log(one / (1.0 - one)) for one in clipped])
    truth, group = np.concatenate(labels), np.repeat([0.0, 1.0], [len(one) for one in labels])
    plain = logits[:, np.newaxis]
    gain = _log_likelihood(np.column_stack([logits, group, group * logits]), truth) - _log_likelihood(plain, truth)
    return float(chi2.sf(max(2.0 * gain, 0.0), 2))


def _log_likelihood(columns: FloatArray, truth: IntArray) -> float:
    if len(np.unique(truth)) < 2:
        return 0.0
    model = LogisticRegression(C=_HARDLY_RESTRAINED, solver="newton-cholesky", max_iter=200).fit(columns, truth)
    signed = np.where(truth == 1, 1.0, -1.0) * model.decision_function(columns)
    return float(-np.logaddexp(0.0, -signed).sum())


def scores_of_classes_differ(scores: tuple[FloatArray, FloatArray], labels: tuple[IntArray, IntArray]) -> float:
    """The p-value of whether P(score | y) differs: Wilcoxon's test for each class, times the number of classes (Bonferroni)."""
    values = []
    for value in (0, 1):
        here, there = (one[truth == value] for one, truth in zip(scores, labels, strict=True))
        if len(here) and len(there):
            values.append(float(mannwhitneyu(here, there).pvalue))
    return min(1.0, len(values) * min(values)) if values else 1.0


def correction_against_labels(counts: Counts, sample: LabelledSample) -> tuple[float, float] | None:
    """(corrected count less the share by the sample's own labels, its standard deviation); None without a correction."""
    checked = sample.checked
    if not bool(counts.corrects) or (np.asarray(checked) == 0).any():
        return None
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    p, m = float(counts.estimate), float(counts.sample_size)
    shares = (sample.positives + 1.0) / (checked + 2.0)
    direct = float(sample.estimate)
    left = 1.0 - float(sample.n_labels) / float(sample.sample_size)
    of_labels = left * float((sample.weights**2 * shares * (1.0 - shares) / checked).sum())
    own = (p * tpr * (1.0 - tpr) + (1.0 - p) * fpr * (1.0 - fpr)) / m
    of_positives = p**2 * tpr * (1.0 - tpr) / float(counts.positives)
    of_negatives = (1.0 - p) ** 2 * fpr * (1.0 - fpr) / float(counts.negatives)
    deviation = float(np.sqrt(of_labels + (own + of_positives + of_negatives) / (tpr - fpr) ** 2))
    return float(counts.unclipped) - direct, max(deviation, TIE)


def p_value_of_difference(difference: float, standard_error: float) -> float:
    """The two-sided normal p-value of the difference between the corrected count and the share by the sample's labels."""
    return float(2.0 * norm.sf(abs(difference) / standard_error))


def labelled_sample_of(scores: ArrayLike, labels: ArrayLike) -> LabelledSample:
    """The counts of a sample with scores, (m,), and labels 0 and 1, (m,), NaN where there is none."""
    return LabelledSample.from_labels((np.asarray(scores) >= 0.5).astype(np.float64), np.asarray(labels, dtype=np.float64))


POWER = 0.8
"""The power, the probability that a test rejects, at which a change is called visible."""

_PARTS = np.array([0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0])
_SIMULATIONS = 300
WOULD_SEE: Final[dict[str, Callable[[float], str]]] = {
    "mixture": lambda part: f"{part:.0%} of the sample with scores half-way between the classes",
    "features": lambda pairs: f"a model that tells the two apart in {pairs:.0%} of pairs",
    "features, same share": lambda pairs: f"a model that tells the two apart in {pairs:.0%} of pairs",
    "labels at a score": lambda share: f"{share:.0%} or {1.0 - share:.0%} positive at a score where half were",
    "scores of a class": lambda pairs: (
        f"scores of a class above its labelled ones in {pairs:.0%} or {1.0 - pairs:.0%} of pairs"
    ),
    "correction": lambda points: f"a corrected count off by {100.0 * points:.0f} percentage points",
}
"""Each test -> what it would see, in words, at a size in its own unit."""


def visible_part(fit: GoodnessOfFit, sizes: tuple[int, int, int], level: float, *, rng: np.random.Generator) -> float:
    """The share of a sample with scores half-way between the classes that the mixture test sees at `POWER`; by simulation.

    `sizes` are those of the sample, of the labelled positives and of the negatives; 1 where no share is seen that often.
    """
    middles = [int(np.searchsorted(np.cumsum(shares), 0.5)) for shares in (fit.positives, fit.negatives)]
    new = np.zeros(len(fit.mixture))
    new[sum(middles) // 2] = 1.0
    shares = (1.0 - _PARTS[:, np.newaxis]) * fit.mixture + _PARTS[:, np.newaxis] * new
    n_sample, n_positives, n_negatives = sizes

    def distances(sample: FloatArray, simulations: int) -> FloatArray:
        redrawn = (
            rng.multinomial(n_sample, sample, (simulations, *sample.shape[:-1])) / n_sample,
            rng.multinomial(n_positives, fit.positives, (simulations, *sample.shape[:-1])) / n_positives,
            rng.multinomial(n_negatives, fit.negatives, (simulations, *sample.shape[:-1])) / n_negatives,
        )
        return nearest_mixture(*redrawn)[1]

    critical = np.quantile(distances(fit.mixture, 3 * _SIMULATIONS), 1.0 - level)
    seen = np.maximum.accumulate((distances(shares, _SIMULATIONS) >= critical).mean(axis=0))
    return 1.0 if seen[-1] < POWER else float(np.interp(POWER, np.append(level, seen), np.append(0.0, _PARTS)))


def visible_pairs(sizes: tuple[int, int], level: float, *, two_sided: bool = True) -> float:
    """The share of pairs with the first group above the second that Wilcoxon's test detects with `POWER`; at most 1.

    It uses the variance that the statistic has if the groups do not differ.
    """
    first, second = sizes
    needed = norm.isf(level / 2.0 if two_sided else level) + norm.ppf(POWER)
    return float(min(1.0, 0.5 + needed * np.sqrt((first + second + 1.0) / (12.0 * first * second))))


def visible_labels(scores: FloatArray, n_training: int, level: float) -> float:
    """The share of positives, at a score where it was half, that the likelihood ratio test of labels detects with `POWER`.

    All logits of P(y | score) move alike; `scores`, (n,), are those of the labelled instances of the sample, as probabilities.
    """
    critical = chi2.isf(level, 2)
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if ncx2.sf(critical, 2, middle) < POWER else (low, middle)
    information = float((scores * (1.0 - scores)).sum()) * n_training / (n_training + len(scores))
    return float(1.0 / (1.0 + np.exp(-np.sqrt(high / max(information, 1e-9)))))


def visible_difference(deviation: float, level: float) -> float:
    """The difference of two shares that a normal test with this standard deviation sees at `POWER`; at most 1."""
    return float(min(1.0, deviation * (norm.isf(level / 2.0) + norm.ppf(POWER))))


def class_sizes(training: IntArray, labels: IntArray) -> list[tuple[int, int]]:
    """Labelled instances of each class in training and in the sample, of classes that are in both."""
    sizes = [(int((training == value).sum()), int((labels == value).sum())) for value in (0, 1)]
    return [pair for pair in sizes if min(pair) > 0]
