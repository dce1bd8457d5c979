"""Linear SVMs that choose their C by the geometric mean of tpr and tnr, and LIBSVM's linear SVM."""

import warnings
from collections.abc import Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.validation import TIE, FloatArray, IntArray, check_choice, check_integer
from qcore.classifiers.binary_classifier import (
    DEFAULT_SEARCH,
    SEARCHES,
    BinaryClassifier,
    n_search_folds,
    search_folds,
    two_classes,
)
from qcore.measures.classification import geometric_mean
from qcore.measures.measure import ContingencyTable

GRID_C = (0.01, 0.1, 1.0, 10.0, 100.0)


Program = Literal["LIBLINEAR", "LIBSVM"]
PROGRAMS = ("LIBLINEAR", "LIBSVM")


class HingeLossSVM(SVC):
    """LIBSVM's linear SVM: the hinge loss, and an intercept that is not penalised.

    It ends after `max_iter` iterations without a warning: with features of very different scales and a large C it can take
    millions to converge. Source: Chang and Lin 2011.
    """

    def __init__(self, C: float = 1.0, max_iter: int = 20_000) -> None:
        super().__init__(kernel="linear", C=C, max_iter=max_iter)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit on features (n, n_features) and labels (n,)."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            super().fit(X, y, sample_weight)
        return self


class TunedLinearSVM(BinaryClassifier):
    """A linear SVM with C from GRID_C, by cross-validation on GM (ties: the lowest C).

    Parameters
    ----------
    C : a fixed value, or None to choose one. With fewer than two instances of a class no choice is possible, and C is 1.
    random_state : seed of the folds and of the SVM.
    program : "LIBLINEAR", scikit-learn's LinearSVC (squared hinge loss, intercept penalised), or "LIBSVM", as `HingeLossSVM`.
    max_iter : iterations after which a fit ends.
    search : the cross-validation by which C is chosen, a key of SEARCHES.

    Attributes
    ----------
    C_ : the value of C that is used.
    grid_ : (C, mean GM) of each point of the grid; empty if there was nothing to choose.
    classes_ : the two labels, the positive one last.

    Source: Barranquero 2013, 5.2.4 for the grid search, 5.2.3 for LIBSVM.

    Examples
    --------
    >>> TunedLinearSVM(C=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[0.5], [2.5]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        C: float | None = None,
        random_state: int | None = None,
        program: Program = "LIBLINEAR",
        max_iter: int = 20_000,
        search: str = DEFAULT_SEARCH,
    ) -> None:
        self.C = C
        self.random_state = random_state
        self.program = program
        self.max_iter = max_iter
        self.search = search

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,). Raises InvalidInput unless there are two classes."""
        check_choice("program", self.program, PROGRAMS)
        check_choice("search", self.search, SEARCHES)
        check_integer("max_iter", self.max_iter, low=1)
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        searches = self.C is None and n_search_folds(truth, self.search) > 1
        self.grid_ = self._mean_gm(features, truth) if searches else []
        self.C_ = self._best() if self.grid_ else 1.0 if self.C is None else self.C
        self.model_ = self._svm(self.C_).fit(features, truth)
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Decision values, (n,): at least 0 where an instance is predicted positive."""
        check_is_fitted(self)
        return self.model_.decision_function(validate_data(self, X, reset=False, dtype=np.float64))

    def fixed(self) -> "TunedLinearSVM":
        """An unfitted copy with the C that this classifier uses."""
        return TunedLinearSVM(self.C_, self.random_state, self.program, self.max_iter, self.search)

    def _positive(self, X: ArrayLike) -> np.ndarray:
        return self.decision_function(X) >= 0.0

    def _svm(self, C: float) -> LinearSVC | HingeLossSVM:
        if self.program == "LIBSVM":
            return HingeLossSVM(C, self.max_iter)
        return LinearSVC(C=C, dual="auto", max_iter=self.max_iter, random_state=self.random_state)

    def _mean_gm(self, features: FloatArray, truth: IntArray) -> Sequence[tuple[float, float]]:
        folds = list(search_folds(truth, self.random_state, self.search))
        search = GridSearchCV(self._svm(GRID_C[0]), {"C": GRID_C}, scoring=_gm, cv=folds, refit=False).fit(features, truth)
        return list(zip(GRID_C, search.cv_results_["mean_test_score"].tolist(), strict=True))

    def _best(self) -> float:
        best = max(mean for _, mean in self.grid_)
        return next(C for C, mean in self.grid_ if mean >= best - TIE)


def _gm(model: LinearSVC | HingeLossSVM, features: FloatArray, truth: IntArray) -> float:
    """The score of a point of the grid on a held-out fold."""
    predicted = model.decision_function(features) >= 0.0
    return float(geometric_mean(ContingencyTable.from_scores(predicted.astype(float), truth)))
