"""Corrections with the rates of training: of the count, of the mean score, and of the count of ordered classes.

A correction as a change of scale: the range between the values of both classes in training is stretched to [0, 1].

Source: Barranquero 2013, Figure 3.3, after Bella et al. 2010. Its caption moves 0.4, between 0.3 and 0.9, to 0.23; it is 0.17.

The adjusted count of ordered classes: shares that change unevenly from class to class are penalised.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import TIE, FloatArray, InvalidInput, check_fraction, check_labelled_scores, check_one_sample
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import THRESHOLD, Batch, ClassBatch, positive_share, predicted, shares
from qcore.quantifiers.counting import number_of_classes
from qcore.quantifiers.inspection import Scaling
from qcore.quantifiers.simplex_adjustment import solve_on_simplex


def adjust(count: FloatArray, tpr: float | FloatArray, fpr: float | FloatArray) -> FloatArray:
    """clip((count - fpr) / (tpr - fpr), 0, 1), broadcast; the count unchanged where tpr = fpr.

    Examples
    --------
    >>> adjust(np.array([0.5, 0.1]), tpr=0.8, fpr=0.2).round(3).tolist()
    [0.5, 0.0]

    Source: Forman 2008; Barranquero 2013, eq. 3.1.
    """
    gap = np.asarray(tpr - fpr)
    flat = np.abs(gap) <= TIE
    adjusted = np.asarray((count - fpr) / np.where(flat, 1.0, gap))
    if flat.any():
        adjusted = np.where(flat, count, adjusted)
    return np.clip(adjusted, 0.0, 1.0, out=adjusted)


def expected_count(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    """The share that is counted on average, p tpr + (1 - p) fpr, at a true prevalence p. Shapes broadcast.

    Source: Forman 2008; Barranquero 2013, 3.2.
    """
    p = np.asarray(prevalence, dtype=float)
    return p * np.asarray(tpr) + (1.0 - p) * np.asarray(fpr)


def unbiased_prevalence(tpr: ArrayLike, fpr: ArrayLike) -> FloatArray:
    """p* = fpr / (1 - tpr + fpr), the one prevalence at which counting is right. Shapes broadcast.

    NaN for perfect rates (tpr 1, fpr 0), with which counting is right everywhere.

    Examples
    --------
    >>> float(unbiased_prevalence(tpr=0.8, fpr=0.2).round(3))
    0.5

    Source: Forman 2008; Barranquero 2013, theorem 3.1.
    """
    rate, false_rate = np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float)
    whole = 1.0 - rate + false_rate
    return np.divide(false_rate, whole, out=np.full(np.shape(whole), np.nan), where=whole > TIE)


@dataclass
class AdjustedCount(ScoreQuantifier):
    """AC, or ACC: the count corrected with tpr and fpr at threshold 0.5; for all classes, with the confusion matrix's rates.

    A threshold policy (see base.py): `threshold_` is always 0.5, and the count is always corrected.
    Source: Forman 2008; Barranquero 2013, eq. 3.1; Marufo 2023, 2.3. The weights of BBSE (black box shift estimation, Lipton et
    al. 2018) are these shares over those of training, so that BBSE and AC estimate the same.

    Parameters
    ----------
    rates : (tpr, fpr) from another estimation, for one class against the rest; None to learn them from the training scores.

    Examples
    --------
    >>> fitted = AdjustedCount().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> fitted.predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.5
    >>> known = AdjustedCount(rates=(0.9, 0.2)).fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> known.predict([[0.8, 0.7, 0.2, 0.1], [0.9, 0.1, 0.2, 0.1]]).round(3).tolist()
    [0.429, 0.071]
    """

    takes_counts: ClassVar[bool] = True
    threshold_: ClassVar[float] = THRESHOLD
    corrects_: ClassVar[bool] = True
    rates: tuple[float, float] | None = None

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn tpr and fpr from out-of-fold scores and labels, (n_training,) each. Raises InvalidInput.

        From the scores of all classes, (n_training, n_classes): `rates_[i, j]`, the share of class j predicted as class i.
        """
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        if self.n_classes_ is not None:
            if self.rates is not None:
                hint = "Pass the positive class's scores alone, or leave the rates out."
                raise InvalidInput("rates", "be None for the scores of all classes", repr(self.rates), hint)
            classes = predicted(checked)
            of_each = [shares(classes[np.newaxis, truth == label], self.n_classes_)[0] for label in range(int(truth.max()) + 1)]
            self.rates_ = np.stack(of_each, axis=1)
        elif self.rates is None:
            self.tpr_ = float(positive_share(checked[truth == 1]))
            self.fpr_ = float(positive_share(checked[truth == 0]))
        else:
            if np.shape(self.rates) != (2,):
                raise InvalidInput("rates", "be a pair (tpr, fpr)", repr(self.rates), "Write for example (0.8, 0.1).")
            self.tpr_, self.fpr_ = (check_fraction(name, rate) for name, rate in zip(("tpr", "fpr"), self.rates, strict=True))
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Adjusted count, (..., sample_size) -> (...), or with n_classes as a last axis in both.

        It is the plain count where tpr = fpr. For all classes, if several estimates fit alike, it is the nearest to the count.
        """
        return blockwise(scores, lambda batch: self._adjusted(batch.predicted_share), self.n_classes_)

    def _adjusted(self, count: FloatArray) -> FloatArray:
        return adjust(count, self.tpr_, self.fpr_) if self.n_classes_ is None else solve_on_simplex(self.rates_, count)


@dataclass
class ProbabilisticAdjustedCount(ScoreQuantifier):
    """PACC, or SPA: the mean score, or that of each class, corrected with each class's mean score.

    Source: Bella et al. 2010; Barranquero 2013, eq. 3.4-3.6; Marufo 2023, 2.5.

    Examples
    --------
    >>> fitted = ProbabilisticAdjustedCount().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> fitted.predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.409
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn each class's mean out-of-fold score, from (n_training,) each. Raises InvalidInput.

        From the scores of all classes, (n_training, n_classes): `rates_[i, j]`, class j's mean score for class i.
        """
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        means = [checked[truth == label].mean(axis=0) for label in range(int(truth.max()) + 1)]
        if self.n_classes_ is None:
            self.negative_mean_, self.positive_mean_ = map(float, means)
        else:
            self.rates_ = np.stack(means, axis=1)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Adjusted mean score, (..., sample_size) -> (...), or with n_classes as a last axis in both.

        It is the plain mean where the classes' means are equal. For all classes, if several estimates fit alike, it is the
        nearest to the mean.
        """
        return blockwise(scores, lambda batch: self._adjusted(batch.mean), self.n_classes_)

    def _adjusted(self, mean: FloatArray) -> FloatArray:
        if self.n_classes_ is None:
            return adjust(mean, self.positive_mean_, self.negative_mean_)
        return solve_on_simplex(self.rates_, mean)


def scaled_count(fitted: Any, sample: ArrayLike) -> Scaling:
    """The count of one sample, (sample_size,), between the fpr and the tpr of a fitted threshold policy."""
    scores = check_one_sample("scores", sample)
    count = float(positive_share(scores, fitted.threshold_))
    estimate = float(adjust(np.asarray(count), fitted.tpr_, fitted.fpr_)) if fitted.corrects_ else count
    return Scaling(f"count at {fitted.threshold_:.2f}", count, fitted.fpr_, fitted.tpr_, ("fpr", "tpr"), estimate)


def scaled_mean(fitted: ProbabilisticAdjustedCount, sample: ArrayLike) -> Scaling:
    """The mean score of one sample, (sample_size,), between the mean scores of both classes."""
    scores = check_one_sample("scores", sample)
    mean, low, high = float(scores.mean()), fitted.negative_mean_, fitted.positive_mean_
    return Scaling(
        "mean score", mean, low, high, ("mean of negatives", "mean of positives"), float(adjust(np.asarray(mean), high, low))
    )


@dataclass
class OrderedAdjustedCount(ScoreQuantifier):
    """o-ACC: the adjusted count of ordered classes, with the lowest |count - rates p|^2 + (tau / 2) |T p|^2 on the simplex.

    Row i of T takes twice the share of class i + 1 less those of its neighbours: 0 where shares rise or fall evenly. The
    classes are in the order of their labels. Of two classes it is AC. Source: Bunse et al. 2024.

    Parameters
    ----------
    tau : the weight of an uneven estimate, from 0 (AC) to 1000.
    """

    takes_counts: ClassVar[bool] = True
    tau: float = 0.01

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn rates from out-of-fold scores and labels, as `AdjustedCount.fit`. Raises InvalidInput."""
        tau = check_fraction("tau", self.tau, high=1000.0)
        self.count_ = AdjustedCount().fit(scores, labels)
        self.n_classes_ = self.count_.n_classes_
        if self.n_classes_ is not None and self.n_classes_ > 2:
            self.penalties_ = np.sqrt(tau / 2.0) * second_differences(self.n_classes_)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Adjusted count, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        if self.n_classes_ is None or self.n_classes_ < 3:
            return self.count_.predict(scores)
        return blockwise(scores, lambda batch: self._adjusted(batch.predicted_share), self.n_classes_)

    def _adjusted(self, count: FloatArray) -> FloatArray:
        return solve_on_simplex(self.count_.rates_, count, self.penalties_)


def second_differences(n_classes: int) -> FloatArray:
    """T, (n_classes - 2, n_classes): each row -1, 2, -1 at three neighbouring classes.

    Examples
    --------
    >>> second_differences(4).astype(int).tolist()
    [[-1, 2, -1, 0], [0, -1, 2, -1]]
    """
    return -np.diff(np.eye(n_classes), n=2, axis=0)
