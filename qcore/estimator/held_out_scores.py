"""Scores of labelled instances by models that have not seen them: clones of any scikit-learn classifier, fold by fold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import BaseCrossValidator, StratifiedGroupKFold, StratifiedKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_integer, in_a_line
from qcore.classifiers import class_scores, positive_scores
from qcore.scoring.rate_estimation import HeldOut
from qcore.scoring.training_part import HeldOutScores, TrainingPart, in_order_of_rows

Splitter: TypeAlias = int | BaseCrossValidator | Iterable[HeldOut]
"""A number of stratified folds, a splitter of scikit-learn's, or pairs of rows: those to train on, those to score."""


class Labelled(NamedTuple):
    """Instances, (n, ...), their labels as the user writes them, (n,), and these as numbers of `classes`, (n,)."""

    features: Any
    labels: NDArray[Any]
    numbers: IntArray
    classes: NDArray[Any]


def _has(verb: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "classifier_", self.classifier), verb))


class OnNumbers(ClassifierMixin, BaseEstimator):
    """A classifier that takes classes only as the numbers 0, 1, 2 ..., such as XGBoost's, for labels of any kind."""

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Train a copy of the classifier on the numbers of the labels."""
        self.classes_, numbers = np.unique(y, return_inverse=True)
        self.classifier_ = clone(self.classifier).fit(X, numbers, **params)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.classifier_, name):
                setattr(self, name, getattr(self.classifier_, name))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels, (n,)."""
        return self.classes_[np.asarray(self.classifier_.predict(X), dtype=np.intp)]

    @_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Its probabilities, (n, n_classes)."""
        return self.classifier_.predict_proba(X)

    @_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Its decision values."""
        return self.classifier_.decision_function(X)


def trained_on_labels(unfitted: Any, data: Labelled, params: Mapping[str, Any]) -> Any:
    """A clone of a classifier, trained on all instances; on the numbers of their classes, if it does not take labels."""
    try:
        return clone(unfitted).fit(data.features, data.labels, **params)
    except ValueError:
        if np.array_equal(data.labels, data.numbers):
            raise
    return OnNumbers(unfitted).fit(data.features, data.labels, **params)


@dataclass(frozen=True)
class Instances(TrainingPart):
    """Instances of any kind, such as arrays or texts, divided into folds, and any classifier of scikit-learn's.

    `labels` are as the user writes them, of `classes`; `fit_parameters` go to the classifier's `fit`, cut to the rows.
    """

    classes: NDArray[Any] = field(kw_only=True)
    fit_parameters: Mapping[str, Any] = field(kw_only=True)

    def trained(self, unfitted: Any, rows: IntArray) -> Any:
        """A clone of an unfitted classifier, trained on these rows."""
        cut = _check_method_params(self.features, self.fit_parameters, indices=rows)
        return clone(unfitted).fit(self.instances(rows), _safe_indexing(self.labels, rows), **cut)

    def instances(self, rows: IntArray) -> Any:
        """The instances of these rows."""
        return _safe_indexing(self.features, rows)

    def scores(self, model: Any, features: Any) -> FloatArray:
        """Scores of instances by a fitted model, as `scores_by` gives them."""
        return scores_by(model, features, self.classes)


def scores_by(model: Any, features: Any, classes: NDArray[Any]) -> FloatArray:
    """Scores in [0, 1] by a fitted classifier: for two classes those of the second, (n,), else those of each, (n, n_classes).

    They are its probabilities; if it has none, the logistic of its decision values, for several classes their softmax. A class
    that the model has not seen has the score 0. Raises InvalidInput if it does not give a score for each of its classes.
    """
    for verb in ("predict_proba", "decision_function"):
        if hasattr(model, verb):
            break
    else:
        hint = "Choose one with either, for example VotingClassifier(..., voting='soft')."
        raise InvalidInput("classifier", "have predict_proba or decision_function", type(model).__name__, hint)
    if not hasattr(model, "classes_"):
        hint = "Choose a classifier: a detector of outliers, for example, learns no classes."
        raise InvalidInput("classifier", "have classes_ after fit", type(model).__name__, hint)
    known = np.asarray(model.classes_)
    if len(classes) == len(known) == 2:
        return np.asarray(positive_scores(model, features), dtype=np.float64)
    of_known = np.asarray(class_scores(model, features), dtype=np.float64)
    # Three classes have as many pairs as classes, so the number of values alone does not tell.
    is_of_pairs = verb == "decision_function" and _decides_between_pairs(model)
    if of_known.shape[1] != len(known) or is_of_pairs:
        value = f"{of_known.shape[1]} values for {'pairs of ' if is_of_pairs else ''}{len(known)} classes"
        hint = "Choose one decision value for each class, for example decision_function_shape='ovr'."
        raise InvalidInput("classifier", "give one score for each class", value, hint)
    scores = np.zeros((len(of_known), len(classes)))
    scores[:, np.searchsorted(classes, known)] = of_known
    return scores[:, 1] if len(classes) == 2 else scores


def _decides_between_pairs(model: Any) -> bool:
    """Whether a fitted model, or the one within it, was told to give a decision value for each pair of classes."""
    last = model[-1] if isinstance(model, Pipeline) else model
    return getattr(getattr(last, "best_estimator_", last), "decision_function_shape", "") == "ovo"


def held_out_rows(cv: Splitter, data: Labelled, seed: int, params: Mapping[str, Any]) -> list[HeldOut]:
    """The rows that each model is trained on, and those that it scores. `params`, such as groups, go to the splitter.

    A number stands for as many stratified folds, or fewer where a class has fewer instances; with groups, for folds that keep
    each group together, or fewer where there are fewer groups. Raises InvalidInput for a number below 2, if a class has fewer
    than 2 instances, or is never held out, for a single group, for rows that do not exist or are both trained on and scored, or
    if a model would be trained on instances of a single class.
    """
    folds = _folds(cv, data, seed, params)
    for number, (inside, outside) in enumerate(folds, 1):
        both = np.intersect1d(inside, outside)
        if len(both):
            hint = "Scores of rows that a model was trained on are too good: pass each row once in a pair."
            raise InvalidInput("cv", "not score a row that it trains on", f"{len(both)} such rows in fold {number}", hint)
        classes = np.unique(data.numbers[inside])
        if len(classes) < 2:
            trained_on = f"those of {data.classes.tolist()[classes[0]]!r} alone" if len(classes) else "none"
            hint = "Take StratifiedKFold(5, shuffle=True)."
            if params.get("groups") is not None:
                hint = "All instances of a class are held out together: take more folds or other groups, or leave them out."
            raise InvalidInput(
                "cv", "train each model on instances of two classes or more", f"{trained_on} in fold {number}", hint
            )
    return folds


def _folds(cv: Splitter, data: Labelled, seed: int, params: Mapping[str, Any]) -> list[HeldOut]:
    if not isinstance(cv, int | np.integer):
        folds = _pairs_of_rows(cv, data, params)
        is_held_out = np.zeros(len(data.classes), dtype=bool)
        for _, outside in folds:
            is_held_out[data.numbers[outside]] = True
        if not is_held_out.all():
            lacking = data.classes.tolist()[int(is_held_out.argmin())]
            raise InvalidInput("cv", "hold out instances of every class", f"none of {lacking!r}", "Take StratifiedKFold(5).")
        return folds
    wanted = check_integer("cv", cv, low=2, hint="Choose for example 10.")
    smallest = int(np.bincount(data.numbers).min())
    if smallest < 2:
        few = data.classes.tolist()[int(np.bincount(data.numbers).argmin())]
        hint = "Add instances, leave the class out, or pass a fitted classifier and cv='prefit'."
        raise InvalidInput("each class of y", "have at least 2 instances", f"1 of {few!r}", hint)
    groups = params.get("groups")
    if groups is None:
        kind, most = StratifiedKFold, smallest
    else:
        kind, most = StratifiedGroupKFold, min(smallest, n_groups(groups, len(data.numbers)))
        if most < 2:
            raise InvalidInput("groups", "be at least 2", "1", "Leave them out, or pass pairs of rows as cv.")
    folds = kind(min(wanted, most), shuffle=True, random_state=seed)
    return list(folds.split(data.features, data.labels, **params))


def n_groups(groups: Any, n: int) -> int:
    """The number of distinct groups. Raises InvalidInput unless there is one for each of n instances, all of one kind."""
    try:
        if np.shape(groups) == (n,):
            return len(np.unique(groups))
        value = f"shape {np.shape(groups)}"
    except (TypeError, ValueError) as error:
        value = str(error)
    raise InvalidInput("groups", f"name the group of each of the {n} instances", value, "Write all as text, or all as numbers.")


def _pairs_of_rows(cv: Splitter, data: Labelled, params: Mapping[str, Any]) -> list[HeldOut]:
    """The pairs of a splitter, or those given in its place. Raises InvalidInput for anything but pairs of rows."""
    if isinstance(cv, type):
        raise InvalidInput("cv", "be a splitter, not its class", cv.__name__, f"Write {cv.__name__}().")
    try:
        splitter = check_cv(cv, data.labels, classifier=True)
        pairs = [(inside, outside) for inside, outside in splitter.split(data.features, data.labels, **params)]
    except (TypeError, ValueError) as error:
        rule = "be a number, a splitter that can split these instances, or pairs of rows"
        raise InvalidInput("cv", rule, f"{in_a_line(cv)} ({error})", "Choose for example 10.") from error
    return [(_rows(inside, data), _rows(outside, data)) for inside, outside in pairs]


def _rows(chosen: Any, data: Labelled) -> IntArray:
    """The indices of the chosen rows, which may be given as a boolean mask. Raises InvalidInput for any other value."""
    rows, n = np.asarray(chosen), len(data.numbers)
    if rows.dtype == bool and rows.shape == (n,):
        return np.flatnonzero(rows)
    if rows.size == 0:
        return np.empty(0, dtype=np.intp)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n:
        hint = "Pass two arrays of row numbers, or of True and False, for each fold."
        raise InvalidInput("cv", f"name rows from 0 to {n - 1}", in_a_line(chosen), hint)
    return rows.astype(np.intp)


def parameters_chosen_once(model: Any) -> Any:
    """The unfitted classifier with the parameters that a fitted one has chosen, if it is a search of scikit-learn's.

    Then the models of the folds do not choose anew: tpr and fpr are those of the model in use.
    """
    if isinstance(model, OnNumbers):
        return OnNumbers(parameters_chosen_once(model.classifier_))
    last = model[-1] if isinstance(model, Pipeline) else model
    best = getattr(last, "best_estimator_", None)
    if best is None:
        return clone(model)
    return Pipeline([*clone(model).steps[:-1], (model.steps[-1][0], clone(best))]) if last is not model else clone(best)


def held_out_scores(
    classifier: Any, data: Labelled, folds: Sequence[HeldOut], params: Mapping[str, Any], n_jobs: int | None
) -> HeldOutScores:
    """Scores of all held-out rows, in the order of the rows, each as often as it is held out."""
    rows = np.arange(len(data.numbers))
    part = Instances(data.features, data.labels, rows, folds, "", classifier, classes=data.classes, fit_parameters=params)
    parts = Parallel(n_jobs=n_jobs)(delayed(part.fold_scores)(number) for number in range(len(folds)))
    return in_order_of_rows(parts, [outside for _, outside in folds])
