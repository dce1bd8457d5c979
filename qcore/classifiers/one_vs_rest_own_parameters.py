"""Each class against all others, with an estimator of its own for each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from qcore._base.validation import FloatArray


def _has_probabilities(model: OneVsRestOwnParameters) -> bool:
    return all(hasattr(one, "predict_proba") for one in model.estimators)


class OneVsRestOwnParameters(ClassifierMixin, BaseEstimator):
    """Like scikit-learn's OneVsRestClassifier, but the estimator of each class may have its own parameters.

    Parameters
    ----------
    estimators : one binary classifier for each class, in the order of the classes.
    """

    def __init__(self, estimators: Sequence[BaseEstimator]) -> None:
        self.estimators = estimators

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,) of as many classes as there are estimators."""
        labels = np.asarray(y)
        self.classes_ = np.unique(labels)
        self.estimators_ = [
            clone(one).fit(X, (labels == label).astype(np.intp))
            for one, label in zip(self.estimators, self.classes_, strict=True)
        ]
        return self

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Each estimator's probability of its class, (n, n_classes); they need not sum to 1."""
        check_is_fitted(self)
        return np.stack([one.predict_proba(X)[:, 1] for one in self.estimators_], axis=1)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Each estimator's decision value for its class, (n, n_classes)."""
        check_is_fitted(self)
        return np.stack([one.decision_function(X) for one in self.estimators_], axis=1)
