"""Percentile bootstrap of the sample and of the training scores together: of an adjusted count, and of any quantifier."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray, check_class_scores, check_integer, check_scores
from qcore.intervals.analytic import Interval, clipped
from qcore.intervals.counts import Counts
from qcore.quantifiers import make_quantifiers
from qcore.quantifiers.fitting import Methods

_REPLICATES = 1000
_SAME = 1e-9
_FITS = 100
_LARGEST_BLOCK = 4_000_000
"""Number of scores that are gathered at once."""


def bootstrap(counts: Counts, level: float = 0.95, *, rng: np.random.Generator | None = None) -> Interval:
    """Percentiles of the adjusted count when the sample, the labelled positives and the labelled negatives are redrawn.

    `rng` is the random generator; by default it has seed 0, so that equal counts have equal intervals.
    """
    estimates = _redrawn_counts(counts, rng or np.random.default_rng(0))
    low, high = np.quantile(estimates, ((1.0 - level) / 2.0, (1.0 + level) / 2.0), axis=0)
    return clipped(low, high, counts)


def _redrawn_counts(counts: Counts, rng: np.random.Generator) -> FloatArray:
    shape = (_REPLICATES, *counts.unclipped.shape)
    count, tpr, fpr = (
        rng.binomial(total, share, shape) / np.asarray(total)
        for total, share in (
            (counts.sample_size, counts.count), (counts.positives, counts.tpr), (counts.negatives, counts.fpr),
        )
    )  # fmt: skip
    gap = tpr - fpr
    corrected = (count - fpr) / np.where(gap > TIE, gap, 1.0)
    return np.where(gap > TIE, np.clip(corrected, 0.0, 1.0), count)


def double_bootstrap(
    methods: Methods,
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator,
    replicates: int = _REPLICATES,
) -> dict[str, FloatArray]:
    """Estimates of quantifiers when the sample and the training scores are redrawn, for each method.

    Of one class against the rest (replicates,); of all classes (replicates, n_classes).

    Quantifiers are fitted anew on 100 draws of the training scores, class by class, to include the scatter of tpr, fpr and
    distributions; each fit estimates its share of the redrawn samples.

    Parameters
    ----------
    methods : as in `make_quantifiers`.
    sample : (m,) or (m, n_classes), scores of the sample.
    scores, labels : (n,) or (n, n_classes), and (n,): out-of-fold training scores, and labels 0 and 1 or from 0.
    rng : random generator of all draws.
    replicates : at least 100.

    Raises
    ------
    InvalidInput
        An unknown method, scores outside [0, 1], or too few replicates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 50)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.2), 0.0, 1.0)
    >>> drawn = double_bootstrap(["AC"], scores[30:80], scores, labels, rng=rng)["AC"]
    >>> drawn.shape, round(float(np.median(drawn)), 1)
    ((1000,), 0.4)
    """
    check = check_scores if np.ndim(scores) == 1 else check_class_scores
    checked, training, truth = check("sample", sample), check("scores", scores), np.asarray(labels)
    parts: list[dict[str, FloatArray]] = []
    for rows, n_samples in redrawn_training(truth, replicates, rng):
        fitted = make_quantifiers(methods, training[rows], truth[rows])
        parts.append(_answers(fitted, checked, n_samples, rng))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def redrawn_training(labels: IntArray, replicates: int, rng: np.random.Generator) -> Iterator[tuple[IntArray, int]]:
    """(redrawn rows of the training scores, class by class; number of samples to estimate with them), 100 times.

    Raises InvalidInput for fewer than 100 replicates.
    """
    check_integer("replicates", replicates, low=_FITS)
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    for n_samples in np.diff(np.linspace(0, replicates, _FITS + 1).astype(int)):
        yield np.concatenate([rng.choice(one, len(one)) for one in members]), int(n_samples)


def _answers(fitted: Mapping, sample: FloatArray, n_samples: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    block = max(1, _LARGEST_BLOCK // sample.size)
    sizes: Sequence[int] = [min(block, n_samples - start) for start in range(0, n_samples, block)]
    drawn = [sample[rng.integers(len(sample), size=(size, len(sample)))] for size in sizes]
    return {name: np.concatenate([quantifier.predict(one) for one in drawn]) for name, quantifier in fitted.items()}


def percentiles(estimates: FloatArray, level: float, sample_size: int) -> FloatArray:
    """The percentile interval of bootstrap estimates, (replicates, ...) -> (2, ...).

    If nearly all estimates are 0 (or 1), its end is that of Clopper and Pearson for none (or all) of `sample_size` instances:
    a sample without any instance of a class does not prove that the class is absent.
    """
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(estimates, (tail, 1.0 - tail), axis=0)
    least = tail ** (1.0 / sample_size)
    return np.stack([np.where(low >= 1.0 - _SAME, least, low), np.where(high <= _SAME, 1.0 - least, high)])
