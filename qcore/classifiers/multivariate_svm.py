"""The multivariate SVM: a linear classifier that minimises a loss of the whole contingency table (Joachims 2005)."""

import warnings
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.validation import FloatArray, check_choice, check_integer, check_positive
from qcore.classifiers.binary_classifier import BinaryClassifier, two_classes
from qcore.classifiers.cutting_planes import CuttingPlane, OnPlane, minimise
from qcore.classifiers.most_violated_constraint import MostViolatedTable
from qcore.losses import UNSIGNED_LOSSES
from qcore.measures.catalog import MEASURES
from qcore.measures.measure import Measure, MeasureOnCounts
from qcore.measures.parametric import Q_BETA, ParametricMeasure
from qcore.measures.prevalence_scores import one_minus
from qcore.measures.q_measure import check_beta

_COUNT_LOSSES: Final = {
    # A measure is cut off at 0, a loss need not be: KLD is minimised however large it is.
    key: Measure(key=key, of=one_minus(key, clipped=False), idea="", formula="", source="", is_balance=True)
    for key in UNSIGNED_LOSSES
}
"""Losses of the count itself, as 1 minus the loss."""

SVM_LOSSES: Final = (Q_BETA, *MEASURES, *_COUNT_LOSSES)
"""Names of the losses that a multivariate SVM can minimise."""


class MultivariateSVM(BinaryClassifier):
    """Minimise 1/2 |w|^2 + C S max over all tables of (loss - scores of the table's errors / S), by cutting planes.

    S is the number of training instances.
    The scale is that of the hinge-loss SVM: with loss "error" both have the same objective. In Barranquero 2013, eq. 6.6, this
    is w / (2 S) and C / (4 S). A constant feature stands for the intercept, and is penalised as the others are.

    Parameters
    ----------
    loss : what to minimise. A key of MEASURES or "Q_beta" stands for 1 minus that measure ("error" for the error itself); a
        key of LOSSES, but "bias", for that loss of the count, such as "KLD"; or a ParametricMeasure, for 1 minus it.
    beta : parameter of Q_beta and F_beta, from 0 to inf.
    C : weight of the loss, above 0.
    tolerance : limit for the duality gap divided by C S, in units of the loss, above 0.
    most_planes : number of cutting planes after which it stops and warns.
    on_plane : called after each plane with the number of planes and the gap; to stop, it returns True or raises.

    Attributes
    ----------
    coef_, intercept_ : (n_features,) and a number; the sign of the decision value predicts, 0 is positive.
    classes_ : the two labels, the positive one last.
    objective_, duality_gap_ : their values at the end; the gap is divided by C S, as for `tolerance`.
    n_iter_ : number of cutting planes.
    converged_ : whether the gap is within tolerance.
    trivial_ : whether no hyperplane is better than all weights 0 by more than the tolerance, as when rare positives lie among
        the negatives. Then the hyperplane is, among those that were tried, the one whose predictions have the lowest loss.
    remark_ : a sentence if the search did not converge or the result is trivial, else empty.

    Source: Joachims 2005; Barranquero 2013, section 6.3, Algorithms 2 and 3.
    """

    def __init__(
        self,
        loss: str | ParametricMeasure = Q_BETA,
        beta: float = 2.0,
        *,
        C: float = 1.0,
        tolerance: float = 1e-3,
        most_planes: int = 10_000,
        on_plane: OnPlane | None = None,
    ) -> None:
        self.loss = loss
        self.beta = beta
        self.C = C
        self.tolerance = tolerance
        self.most_planes = most_planes
        self.on_plane = on_plane

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput for other than two classes or bad parameters.

        Warns with ConvergenceWarning when it stops before the gap is within tolerance.
        """
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        extended = np.hstack([features, np.ones((len(features), 1))])
        counts = int(truth.sum()), len(truth) - int(truth.sum())
        score = score_on_counts(self.loss, self.beta, *counts)
        constraint = _Constraint(extended[truth == 1], extended[truth == 0], score)
        weight = check_positive("C", self.C) * len(features)
        minimum = minimise(
            constraint,
            extended.shape[1],
            weight,
            tolerance=check_positive("tolerance", self.tolerance),
            most_planes=check_integer("most_planes", self.most_planes, low=1),
            on_plane=self.on_plane,
        )
        self.coef_, self.intercept_ = minimum.weights[:-1], float(minimum.weights[-1])
        self.objective_, self.duality_gap_ = minimum.objective, minimum.gap / weight
        self.n_iter_, self.converged_, self.trivial_ = minimum.n_planes, minimum.converged, minimum.trivial
        self.remark_ = self._remark()
        if not minimum.converged:
            warnings.warn(self.remark_, ConvergenceWarning, stacklevel=2)
        return self

    def _remark(self) -> str:
        if not self.converged_:
            return (
                f"The multivariate SVM stopped after {self.n_iter_} planes with a duality gap of {self.duality_gap_:.2g}, "
                f"above its tolerance {self.tolerance:g}."
            )
        if not self.trivial_:
            return ""
        return (
            "Under this loss no hyperplane has a lower objective than all weights 0, which separate nothing. Of those it "
            "tried, the multivariate SVM takes the hyperplane whose predictions have the lowest loss; it may not be good."
        )

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """The decision value of each instance, (n,): at least 0 where it is predicted positive."""
        check_is_fitted(self)
        values: FloatArray = validate_data(self, X, reset=False, dtype=np.float64) @ self.coef_ + self.intercept_
        return values

    def _positive(self, X: ArrayLike) -> np.ndarray:
        return self.decision_function(X) >= 0


def score_on_counts(loss: str | ParametricMeasure, beta: float, positives: int, negatives: int) -> MeasureOnCounts:
    """1 minus a loss of SVM_LOSSES, or a ParametricMeasure, on the tables with these numbers of positives and negatives.

    Raises InvalidInput for an unknown loss, a negative beta or an empty class.
    """
    if isinstance(loss, ParametricMeasure):
        return loss.on_counts(positives, negatives)
    check_choice("loss", loss, SVM_LOSSES)
    if loss == Q_BETA:
        return ParametricMeasure(Q_BETA, beta).on_counts(positives, negatives)
    measure = _COUNT_LOSSES.get(loss) or MEASURES[loss]
    return measure.on_counts(positives, negatives, check_beta(beta))


class _Constraint:
    """The cutting plane of the most violated table at given weights. Source: Barranquero 2013, eq. 6.7."""

    def __init__(self, positives: FloatArray, negatives: FloatArray, score: MeasureOnCounts) -> None:
        self._positives, self._negatives, self._score = positives, negatives, score
        self._most_violated_table = MostViolatedTable(score, len(positives), len(negatives))
        self._size = len(positives) + len(negatives)

    def __call__(self, weights: FloatArray) -> CuttingPlane:
        positive_values, negative_values = self._positives @ weights, self._negatives @ weights
        # The errors that cost least: the positives with the lowest values and the negatives with the highest.
        lowest, highest = np.argsort(positive_values, kind="stable"), np.argsort(-negative_values, kind="stable")
        parts = (_cumulative(-positive_values[lowest]) / self._size, _cumulative(negative_values[highest]) / self._size)
        worst = self._most_violated_table(*parts)
        slope = self._positives[lowest[: worst.fn]].sum(axis=0) - self._negatives[highest[: worst.fp]].sum(axis=0)
        predicted_fn, predicted_fp = np.array([(positive_values < 0).sum()]), np.array([(negative_values >= 0).sum()])
        predicted_loss = float(1.0 - self._score.at(predicted_fp, predicted_fn)[0])
        largest_value = float(max(np.abs(positive_values).max(), np.abs(negative_values).max()))
        return CuttingPlane(slope / self._size, worst.loss, predicted_loss, largest_value)


def _cumulative(values: FloatArray) -> FloatArray:
    """The sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])
