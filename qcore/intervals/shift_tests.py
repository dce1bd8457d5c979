"""Tests of what has changed between labelled instances and a sample: features, scores of each class, labels at a score."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2, mannwhitneyu, norm
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from qcore._base.rounding import TIE
from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.counts import Counts
from qcore.intervals.labelled_sample import LabelledSample

_FOLDS: Final = 5
_MOST_FOR_PRODUCTS: Final = 30
"""With more features than this, squares are taken, but no products."""
_EDGE: Final = 1e-4
_HARDLY_RESTRAINED: Final = 1e6


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
