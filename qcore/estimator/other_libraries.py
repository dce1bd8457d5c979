"""Quantifiers of other libraries, such as QuaPy's and mlquantify's, on given scores: beside qcore's in reports and experiments.

Using qcore in those libraries needs nothing: a QuantifierCV has the `fit`, `predict` and `classes_` that their protocols need.
"""

from copy import deepcopy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from qcore._base.validation import FloatArray, check_class_scores, check_labelled_scores, check_scores
from qcore.quantifiers.batch import THRESHOLD


class GivenProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier whose features are the probabilities of the classes, (n, n_classes): nothing is trained.

    Pass it to a quantifier of another library that needs a classifier. With two classes the second is predicted from 0.5 on,
    with more the one with the highest probability.

    Examples
    --------
    >>> GivenProbabilities().fit([[0.5, 0.5], [0.9, 0.1]], [1, 0]).predict([[0.5, 0.5], [0.9, 0.1]]).tolist()
    [1, 0]
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: object = None) -> Self:  # noqa: ARG002
        """Learn the classes, one for each column."""
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """The features themselves."""
        return np.asarray(X, dtype=np.float64)

    def predict(self, X: ArrayLike) -> Any:
        """Labels, (n,)."""
        scores = self.predict_proba(X)
        chosen = (scores[:, 1] >= THRESHOLD).astype(np.intp) if scores.shape[1] == 2 else scores.argmax(axis=1)
        return self.classes_[chosen]


class OnScores(BaseEstimator):
    """A quantifier of another library, with `fit(X, y)` and `predict(X)`, as a quantifier on scores.

    It gets a score for each class as features, so its classifier should be GivenProbabilities; whatever folds it makes of the
    training scores, these remain the given out-of-fold scores.

    Parameters
    ----------
    quantifier : an object with fit(X, y) and predict(X), which gives the shares of all classes, (n_classes,), or a mapping from
        a class to its share; a copy of it is fitted.

    With QuaPy (0.2)::

        from quapy.method.aggregative import ACC
        acc = OnScores(ACC(GivenProbabilities()))
        evaluation_report(scores, {"AC": "AC", "QuaPy's ACC": acc}, ArtificialPrevalence())

    Examples
    --------
    >>> class Theirs:
    ...     def fit(self, X, y):
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return X.mean(axis=0)
    >>> OnScores(Theirs()).fit([0.9, 0.2], [1, 0]).predict([[0.75, 0.25], [0.5, 0.0]]).tolist()
    [0.5, 0.25]
    """

    def __init__(self, quantifier: Any) -> None:
        self.quantifier = quantifier

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Fit a copy on scores of one class against the rest, (n,), and labels 0 and 1; or of all classes and labels from 0."""
        checked, truth = check_labelled_scores(scores, labels)
        self.multiclass_ = checked.ndim == 2
        features = checked if self.multiclass_ else _both(checked)
        self.quantifier_ = deepcopy(self.quantifier)
        self.quantifier_.fit(features, truth)
        return self

    def predict(self, scores: ArrayLike) -> FloatArray:
        """Estimates of samples, one after the other: (..., m) -> (...), or with n_classes as a last axis in both."""
        if self.multiclass_:
            samples = check_class_scores("scores", scores)
            return _each(samples, 2, lambda sample: _shares(self.quantifier_.predict(sample)), (samples.shape[-1],))
        return _each(check_scores("scores", scores), 1, lambda sample: _shares(self.quantifier_.predict(_both(sample)))[1], ())


def _both(scores: FloatArray) -> FloatArray:
    return np.stack([1.0 - scores, scores], axis=-1)


def _shares(answer: Any) -> FloatArray:
    """The shares of the classes in their order, from a vector or from a mapping."""
    shares = [answer[label] for label in sorted(answer)] if hasattr(answer, "keys") else answer
    return np.asarray(shares, dtype=np.float64)


def _each(samples: FloatArray, axes: int, estimate: Any, shape: tuple[int, ...]) -> FloatArray:
    """The estimates of samples that have the last `axes` axes, one after the other."""
    before = samples.shape[:-axes]
    single = samples.reshape(-1, *samples.shape[-axes:])
    return np.array([estimate(sample) for sample in single], dtype=np.float64).reshape((*before, *shape))
