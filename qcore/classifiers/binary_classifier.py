"""The base class of classifiers for two classes, and how they choose their parameters.

The cross-validation by which classifiers choose their parameters. Source: Barranquero 2013, 5.2.4.

The thesis says "2 x 5", which is 5 folds, twice; its source (Dietterich 1998) proposes 5 x 2, which is 2 folds, five times.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold
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
            "the labels",
            "be of two classes",
            f"{len(classes)} ({', '.join(map(str, classes[:5]))})",
            "Take one class as positive and all others together as negative.",
        )
    return classes, truth


class Search(NamedTuple):
    """A repeated stratified cross-validation."""

    n_repeats: int
    n_folds: int


SEARCHES: Final[Mapping[str, Search]] = {"2 x 5": Search(2, 5), "5 x 2": Search(5, 2)}
DEFAULT_SEARCH = "2 x 5"


def n_search_folds(truth: IntArray, search: str = DEFAULT_SEARCH) -> int:
    """Number of folds for labels 0 and 1, (n,); fewer if a class has fewer instances. With 1 fold, there is no search."""
    return min(SEARCHES[search].n_folds, int(np.bincount(truth).min()))


def search_folds(
    truth: IntArray, random_state: int | None, search: str = DEFAULT_SEARCH
) -> Iterator[tuple[IntArray, IntArray]]:
    """(training rows, held-out rows) of each fold, one repeat after the other."""
    folds = RepeatedStratifiedKFold(
        n_splits=n_search_folds(truth, search), n_repeats=SEARCHES[search].n_repeats, random_state=random_state
    )
    return folds.split(truth, truth)
