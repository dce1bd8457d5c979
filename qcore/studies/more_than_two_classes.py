"""Quantifiers on more than two classes.

One sample of several classes, drawn from a pool: a given share of one class, the others as they are in the pool.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_fraction, check_integer
from qcore.evaluation.estimates import Estimates, estimate
from qcore.evaluation.significance import level_with_best, standard_error, strata_of
from qcore.losses import Smoothing
from qcore.protocols import (
    PROTOCOLS,
    NaturalPrevalence,
    SamplingProtocol,
    SimplexPrevalence,
    UniformPrevalence,
    largest_grid,
    n_prevalences,
)
from qcore.protocols.pool import counts_of_prevalences, pool_classes, samples_with
from qcore.quantifiers import QUANTIFIERS, make_quantifiers
from qcore.quantifiers.fitting import Calibrated, OneVsAll
from qcore.scoring.scores import Scores

_SAMPLES = 1000
_FINEST = 21


def simplex_protocol(key: str, pool_labels: np.ndarray, sample_size: int) -> SamplingProtocol:
    """A protocol for any number of classes with about 1,000 samples of `sample_size`, or as large as possible.

    Raises InvalidInput for an unknown protocol.
    """
    check_choice("protocol", key, SIMPLEX_PROTOCOLS)
    sizes = pool_classes(pool_labels)[1]
    return _MAKERS[key](sizes, sample_size) if key in _MAKERS else PROTOCOLS[key].make(min(sample_size, int(sizes.min())))


def _on_grid(sizes: IntArray, sample_size: int) -> SamplingProtocol:
    grid = min(_FINEST, largest_grid(max(_SAMPLES // 4, len(sizes)), len(sizes)))
    return SimplexPrevalence(grid, min(sample_size, int(sizes.min())), max(1, _SAMPLES // n_prevalences(grid, len(sizes))))


_MAKERS: Final[Mapping[str, Callable[[IntArray, int], SamplingProtocol]]] = {
    "APP on the simplex": _on_grid,
    "UPP": lambda sizes, sample_size: UniformPrevalence(_SAMPLES, min(sample_size, int(sizes.min()))),
    "NPP": lambda sizes, sample_size: NaturalPrevalence(_SAMPLES, min(sample_size, int(sizes.sum()))),
}
"""Protocol -> how it is made from the numbers of instances of the pool's classes, (n_classes,), and the sample size.

Another protocol has as many samples as it has by default.
"""
SIMPLEX_PROTOCOLS = tuple(key for key, entry in PROTOCOLS.items() if entry.takes_all_classes)
MATRIX_METHODS = tuple(key for key, entry in QUANTIFIERS.items() if entry.takes_all_classes and entry.adjusts)
"""Quantifiers that invert a matrix of rates."""


@dataclass(frozen=True)
class MulticlassErrors:
    """Estimates of samples of several classes, and their losses.

    Attributes
    ----------
    classes : names, (n_classes,).
    estimates : of all methods.
    loss : key of the loss; `losses` are its values by method, (n_samples,).
    """

    classes: tuple[str, ...]
    estimates: Estimates
    loss: str
    losses: dict[str, FloatArray]

    def by_method(self) -> pd.DataFrame:
        """Mean loss of each method, best first: method, mean, standard_error, level.

        `level`: whether, on the same samples, it errs more than the best by at most two standard errors of the difference.
        """
        losses, strata = np.stack(list(self.losses.values())), strata_of(self.estimates.samples)
        columns = {"mean": losses.mean(axis=1), "standard_error": standard_error(losses, strata)}
        table = pd.DataFrame({"method": list(self.losses), **columns, "level": level_with_best(losses, strata)})
        return table.sort_values("mean", kind="stable", ignore_index=True)

    def on_simplex(self, method: str) -> pd.DataFrame:
        """Mean loss of a method at each prevalence vector that samples have: a column for each class, and loss."""
        vectors, group = self._vectors
        means = np.bincount(group, self.losses[method]) / np.bincount(group)
        return pd.DataFrame(vectors, columns=list(self.classes)).assign(loss=means)

    @property
    def largest_on_simplex(self) -> float:
        """The largest value of `on_simplex`, over all methods."""
        _, group = self._vectors
        return max(float((np.bincount(group, values) / np.bincount(group)).max()) for values in self.losses.values())

    @cached_property
    def _vectors(self) -> tuple[FloatArray, IntArray]:
        """(the prevalence vectors of `on_simplex`, in the order in which they first appear; which of them each sample has)."""
        own = np.asarray(self.estimates.samples.prevalences).round(6)
        vectors, first, group = np.unique(own, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return vectors[order], np.argsort(order)[group.ravel()]

    def by_class(self, method: str) -> pd.DataFrame:
        """Each sample and class: class, true, estimate."""
        true, estimate = self.estimates.samples.prevalences, self.estimates.by_method[method]
        return pd.DataFrame(
            {"class": np.repeat(self.classes, len(true)), "true": true.T.ravel(), "estimate": estimate.T.ravel()}
        )

    def class_errors(self) -> pd.DataFrame:
        """Mean absolute error of each method on each class: method, class, error."""
        true = self.estimates.samples.prevalences
        rows = [
            (method, name, error)
            for method, estimate in self.estimates.by_method.items()
            for name, error in zip(self.classes, np.abs(estimate - true).mean(axis=0), strict=True)
        ]
        return pd.DataFrame(rows, columns=["method", "class", "error"])


def multiclass_errors(
    scores: Scores,
    methods: Sequence[str],
    protocol: SamplingProtocol,
    *,
    loss: str = "AE",
    seed: int = 0,
    smoothing: Smoothing = "additive",
) -> MulticlassErrors:
    """Losses of quantifiers on samples of three classes or more.

    Raises
    ------
    InvalidInput
        Two classes, an unknown method, or a pool too small.

    Examples
    --------
    >>> from qcore import ScoringSettings, load_dataset, score_dataset
    >>> scores = score_dataset(load_dataset("wine"), ScoringSettings(None, "Gaussian naive Bayes"))
    >>> protocol = simplex_protocol("UPP", scores.pool_labels, 20)
    >>> multiclass_errors(scores, ["BL", "AC"], protocol).by_method().method.tolist()
    ['AC', 'BL']
    """
    if len(scores.classes) < 3:
        raise InvalidInput("classes", "be three or more", f"{len(scores.classes)}", "For two use evaluation_report.")
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(seed))
    estimates = estimate(list(methods), scores, samples)
    return MulticlassErrors(scores.classes, estimates, loss, dict(estimates.losses(loss, smoothing).by_method))


def native_and_one_vs_all(errors: MulticlassErrors, scores: Scores, smoothing: Smoothing = "additive") -> pd.DataFrame:
    """Mean loss of each method that has both forms, on the same samples: method, native, one_vs_all, difference.

    `difference` is one_vs_all less native, with the `standard_error` of that difference.
    """
    keys = [method for method in errors.losses if method in QUANTIFIERS and QUANTIFIERS[method].takes_all_classes]
    both = {key: OneVsAll(QUANTIFIERS[key].make) for key in keys}
    if not keys:
        return pd.DataFrame(columns=["method", "native", "one_vs_all", "difference", "standard_error"])
    result = estimate(both, scores, errors.estimates.samples).losses(errors.loss, smoothing).by_method
    rows, strata = [], strata_of(errors.estimates.samples)
    for key in keys:
        apart = result[key] - errors.losses[key]
        rows.append((key, errors.losses[key].mean(), result[key].mean(), apart.mean(), float(standard_error(apart, strata))))
    return pd.DataFrame(rows, columns=["method", "native", "one_vs_all", "difference", "standard_error"])


class AdjustmentMatrix(NamedTuple):
    """The matrix that AC or PACC inverts, and its condition: `rates[i, j]` is what an instance of class j adds to class i."""

    rates: FloatArray
    condition: float


def adjustment_matrix(scores: Scores, method: str) -> AdjustmentMatrix:
    """The class-by-class matrix of AC or PACC, out of fold. Source: Marufo 2023, 2.3 and 2.5.

    Raises InvalidInput for another method.

    Examples
    --------
    >>> from qcore import ScoringSettings, load_dataset, score_dataset
    >>> settings = ScoringSettings(None, "Gaussian naive Bayes")
    >>> result = adjustment_matrix(score_dataset(load_dataset("iris"), settings), "AC")
    >>> result.rates.shape, result.condition < 2
    ((3, 3), True)
    """
    check_choice("method", method, MATRIX_METHODS)
    training = scores.training_scores, scores.training_labels
    fitted = make_quantifiers([method], *training, posteriors=scores.posteriors)[method]
    inner: Any = fitted.quantifier_ if isinstance(fitted, Calibrated) else fitted
    rates: FloatArray = inner.rates_
    return AdjustmentMatrix(rates, float(np.linalg.cond(rates)))


def draw_multiclass_sample(
    pool_labels: IntArray, label: int, share: float, size: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Rows of the pool, (m,), and their prevalences, (n_classes,): m is `size`, or the largest that the pool can give.

    Raises
    ------
    InvalidInput
        A value is out of range, or the pool has no instance of a class.

    Examples
    --------
    >>> rows, shares = draw_multiclass_sample(np.repeat([0, 1, 2], 50), 2, 0.5, 40, np.random.default_rng(0))
    >>> len(rows), shares.tolist()
    (40, [0.25, 0.25, 0.5])
    """
    labels, sizes = pool_classes(pool_labels)
    check_fraction("share", share)
    check_integer("size", size, low=1)
    if sizes.min() < 1 or label >= len(sizes):
        raise InvalidInput("pool", "have instances of each class", f"{sizes.tolist()}", "Give the pool a larger share.")
    others = np.where(np.arange(len(sizes)) == label, 0.0, sizes)
    prevalences = (1.0 - share) * others / others.sum()
    prevalences[label] = share
    with np.errstate(divide="ignore", over="ignore"):
        largest = int(np.floor((sizes / prevalences).min()))
    targets = prevalences[np.newaxis]
    counts = next(
        counts
        for m in range(min(size, largest), 0, -1)
        for counts in [counts_of_prevalences(targets, m)]
        if (counts[0] <= sizes).all()
    )
    ((_, rows),) = samples_with(counts, targets, labels, rng).blocks()
    return rows[0], counts[0] / counts[0].sum()
