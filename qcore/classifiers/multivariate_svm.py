"""The multivariate SVM: a linear classifier that minimises a loss of the whole contingency table (B 6.3, Joachims 2005)."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore.classifiers.binary import BinaryClassifier, two_classes
from qcore.classifiers.cutting_planes import OnPlane, Plane, minimise
from qcore.classifiers.most_violated import most_violated
from qcore.classifiers.table_losses import TABLE_LOSSES
from qcore.qmeasure import check_beta
from qcore.table_measures import Measured, OnTables
from qcore.validation import FloatArray, IntArray, check_choice, check_integer, check_positive


class MultivariateSVM(BinaryClassifier):
    """Minimise 1/2 |w|^2 + C S max over all tables of (loss - what the table's errors score, over S), by cutting planes.

    The scale is that of the hinge-loss SVM: with loss "error" both have one objective. In B eq. 6.6 this is w / (2 S) and
    C / (4 S). A constant feature stands for the intercept, and is penalised as the others are.

    Parameters
    ----------
    loss : key of TABLE_LOSSES, or a Measured, for 1 minus it.
    beta : of Q_beta and F_beta: 0 to inf.
    C : weight of the loss, above 0.
    tolerance : of the duality gap over C S, in units of the loss, above 0.
    most_planes : after which it stops and warns.
    on_plane : told after each plane how many there are and the gap; to stop, it returns True or raises.

    Attributes
    ----------
    coef_, intercept_ : (n_features,) and a number; their sign predicts, 0 is positive.
    classes_ : the two labels, the positive one last.
    objective_, duality_gap_ : at the end, the gap as a share of C S, as `tolerance` is.
    n_iter_ : planes that it took.
    converged_ : whether the gap is within tolerance.
    trivial_ : whether no hyperplane is better than none (all weights 0) by more than the tolerance, as where rare positives lie
        among the negatives. The one is then taken, of all that were looked at, whose predictions have the least loss.
    remark_ : a sentence where it did not converge or is trivial, else empty.

    Source: Joachims 2005; Barranquero 2013, section 6.3, Algorithms 2 and 3.
    """

    def __init__(
        self,
        loss: str | Measured = "Q",
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
        whole = np.hstack([features, np.ones((len(features), 1))])
        constraint = _Constraint(whole[truth == 1], whole[truth == 0], self._score(truth))
        weight = check_positive("C", self.C) * len(features)
        found = minimise(
            constraint,
            whole.shape[1],
            weight,
            tolerance=check_positive("tolerance", self.tolerance),
            most_planes=check_integer("most_planes", self.most_planes, low=1),
            on_plane=self.on_plane,
        )
        self.coef_, self.intercept_ = found.weights[:-1], float(found.weights[-1])
        self.objective_, self.duality_gap_ = found.objective, found.gap / weight
        self.n_iter_, self.converged_, self.trivial_ = found.n_planes, found.converged, found.trivial
        self.remark_ = self._remark()
        if not found.converged:
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
            "Under this loss no hyperplane is better than none by its margin, so the multivariate SVM takes the one, of those "
            "that it looked at, whose predictions lose least; do not expect much of it."
        )

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """What `coef_` and `intercept_` give: (n,), positive from 0 on."""
        check_is_fitted(self)
        values: FloatArray = validate_data(self, X, reset=False, dtype=np.float64) @ self.coef_ + self.intercept_
        return values

    def _positive(self, X: ArrayLike) -> np.ndarray:
        return self.decision_function(X) >= 0

    def _score(self, truth: IntArray) -> OnTables:
        n_positives = int(truth.sum())
        counts = n_positives, len(truth) - n_positives
        if isinstance(self.loss, Measured):
            return self.loss.on(*counts)
        check_choice("loss", self.loss, TABLE_LOSSES)
        return TABLE_LOSSES[self.loss].on(*counts, check_beta(self.beta))


class _Constraint:
    """The plane of the most violated table at given weights (B eq. 6.7)."""

    def __init__(self, positives: FloatArray, negatives: FloatArray, score: OnTables) -> None:
        self._positives, self._negatives, self._score = positives, negatives, score
        self._size = len(positives) + len(negatives)

    def __call__(self, weights: FloatArray) -> Plane:
        positive_values, negative_values = self._positives @ weights, self._negatives @ weights
        # The positives with the lowest values and the negatives with the highest are the first to be taken for the other.
        lowest, highest = np.argsort(positive_values, kind="stable"), np.argsort(-negative_values, kind="stable")
        parts = (_running(-positive_values[lowest]) / self._size, _running(negative_values[highest]) / self._size)
        worst = most_violated(self._score, *parts)
        slope = self._positives[lowest[: worst.fn]].sum(axis=0) - self._negatives[highest[: worst.fp]].sum(axis=0)
        own_fn, own_fp = np.array([(positive_values < 0).sum()]), np.array([(negative_values >= 0).sum()])
        own_loss = float(1.0 - self._score.at(own_fp, own_fn)[0])
        reach = float(max(np.abs(positive_values).max(), np.abs(negative_values).max()))
        return Plane(slope / self._size, worst.loss, own_loss, reach)


def _running(values: FloatArray) -> FloatArray:
    """The sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])
