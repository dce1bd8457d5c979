"""The base class of classifiers for two classes; the last class is positive."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from qcore._base.validation import IntArray, InvalidInput


class BinaryClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier of two classes; `classes_` are the labels, the positive one last."""

    classes_: np.ndarray

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The label of each instance, (n,)."""
        check_is_fitted(self)
        return self.classes_[np.asarray(self._positive(X), dtype=np.intp)]

    def _positive(self, X: ArrayLike) -> np.ndarray:
        """Whether each instance is predicted positive, (n,): by default, whether its probability is at least 0.5."""
        return self.predict_proba(X)[:, 1] >= 0.5

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def two_classes(labels: ArrayLike) -> tuple[np.ndarray, IntArray]:
    """(the two labels, sorted; 1 for each instance of the last label, else 0). Raises InvalidInput unless there are two."""
    check_classification_targets(labels)
    classes, truth = np.unique(np.asarray(labels), return_inverse=True)
    if len(classes) != 2:
        raise InvalidInput(
            "the labels", "be of two classes", f"{len(classes)} ({', '.join(map(str, classes[:5]))})",
            "Take one class as positive and all others together as negative.",
        )  # fmt: skip
    return classes, truth
