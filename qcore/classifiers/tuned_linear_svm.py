"""A linear SVM that chooses its C by the geometric mean of tpr and tnr."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray
from qcore.classifiers.binary_classifier import BinaryClassifier, two_classes
from qcore.classifiers.parameter_search import n_search_folds, search_folds
from qcore.measures.classification import geometric_mean
from qcore.measures.contingency_table import ContingencyTable

GRID_C: Final = (0.01, 0.1, 1.0, 10.0, 100.0)


class TunedLinearSVM(BinaryClassifier):
    """scikit-learn's LinearSVC with C from GRID_C, by 2 x 5 cross-validation on GM (ties: the lowest C).

    Parameters
    ----------
    C : fixed, or None to choose. With fewer than two instances of a class, there is nothing to choose by: 1.
    random_state : of the folds and of the SVM.

    Attributes
    ----------
    C_ : what is used.
    grid_ : (C, mean GM) of each point of the grid; empty if there was nothing to choose.
    classes_ : the two labels, the positive one last.

    Source: Barranquero 2013, 5.2.4 for the grid search.
    """

    def __init__(self, C: float | None = None, random_state: int | None = None) -> None:
        self.C = C
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput for other than two classes."""
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        self.grid_ = self._mean_gm(features, truth) if self.C is None and n_search_folds(truth) > 1 else []
        self.C_ = self._best() if self.grid_ else 1.0 if self.C is None else self.C
        self.model_ = self._svm(self.C_).fit(features, truth)
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Decision values, (n,): positive from 0 on."""
        check_is_fitted(self)
        return self.model_.decision_function(validate_data(self, X, reset=False, dtype=np.float64))

    def fixed(self) -> TunedLinearSVM:
        """A fresh one with the C that this one uses."""
        return TunedLinearSVM(self.C_, self.random_state)

    def _positive(self, X: ArrayLike) -> np.ndarray:
        return self.decision_function(X) >= 0.0

    def _svm(self, C: float) -> LinearSVC:
        return LinearSVC(C=C, dual="auto", max_iter=20000, random_state=self.random_state)

    def _mean_gm(self, features: FloatArray, truth: IntArray) -> Sequence[tuple[float, float]]:
        values = [
            [self._gm(self._svm(C).fit(features[inside], truth[inside]), features[held], truth[held]) for C in GRID_C]
            for inside, held in search_folds(truth, self.random_state)
        ]
        return list(zip(GRID_C, np.mean(values, axis=0).tolist(), strict=True))

    def _best(self) -> float:
        best = max(mean for _, mean in self.grid_)
        return next(C for C, mean in self.grid_ if mean >= best - TIE)

    @staticmethod
    def _gm(model: LinearSVC, features: FloatArray, truth: IntArray) -> float:
        predicted = model.decision_function(features) >= 0.0
        return float(geometric_mean(ContingencyTable.from_scores(predicted.astype(float), truth)))
