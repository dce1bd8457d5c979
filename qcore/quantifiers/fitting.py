"""Quantifiers that are ready to estimate: registered ones by name, and your own, of two classes or more.

What a user-defined quantifier is given, and what it returns: scores that it can only read, a share for each sample.

A quantifier of one class against the rest, used for all classes: each against the rest, then divided by the sum.

A quantifier that takes scores for posteriors, on the scores of a classifier that gives no probabilities.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from qcore._base.validation import (
    FloatArray,
    InvalidInput,
    check_choice,
    check_class_scores,
    check_labelled_scores,
    check_several,
)
from qcore.quantifiers.base import Quantifier, QuantifierEntry, ScoreQuantifier, blockwise
from qcore.quantifiers.batch import Batch, ClassBatch
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.inspection import Inspection
from qcore.scoring.sigmoid import ClassSigmoids, Sigmoid

_ROUNDING = 1e-6
"""How far shares may lie outside [0, 1]: the rounding error of sums of 32-bit floats."""
_SUM_ROUNDING = 1e-6
"""How far the sum of shares may differ from 1."""


def is_of_qcore(quantifier: object) -> bool:
    """Whether the quantifier's class is qcore's own, which takes a Batch or ClassBatch; a user-defined one gets arrays."""
    return type(quantifier).__module__.startswith(f"{__package__}.")


def check_estimates(method: str, estimates: object, shape: tuple[int, ...]) -> FloatArray:
    """Return the estimates of a block of samples as floats, (n_samples,) or (n_samples, n_classes).

    Raises InvalidInput unless there is a share in [0, 1] for each sample, or shares of all classes with the sum 1.
    """
    try:
        values = np.asarray(estimates, dtype=np.float64)
    except (TypeError, ValueError) as error:
        rule = f"return numbers of shape {shape} for {shape[0]} samples"
        raise InvalidInput(f"predict of {method!r}", rule, f"a {type(estimates).__name__}", "Return an array.") from error
    if np.ma.is_masked(estimates):
        rule, value = "return estimates without masked values", f"{np.ma.count_masked(estimates)} of them"
        raise InvalidInput(f"predict of {method!r}", rule, value, "Return an estimate for each sample.")
    if values.shape != shape:
        rule = f"return estimates of shape {shape} for {shape[0]} samples"
        hint = "The last axis of the scores is the sample: reduce only over axis -1."
        if len(shape) > 1:
            hint = "If it is of one class against the rest, pass qcore.quantifiers.fitting.OneVsAll(make)."
        raise InvalidInput(f"predict of {method!r}", rule, f"shape {values.shape}", hint)
    if not values.size:
        return values
    if not (values.min() >= -_ROUNDING and values.max() <= 1.0 + _ROUNDING):
        value = f"values from {values.min():.9g} to {values.max():.9g}"
        raise InvalidInput(f"predict of {method!r}", "return shares from 0 to 1", value, "Clip them, and replace NaN.")
    if len(shape) > 1:
        sums = values.sum(axis=-1)
        furthest = float(sums[np.abs(sums - 1.0).argmax()])
        if abs(furthest - 1.0) > _SUM_ROUNDING:
            hint = "Divide them by their sum."
            raise InvalidInput(f"predict of {method!r}", "return shares with the sum 1", f"{furthest:g}", hint)
    return np.clip(values, 0.0, 1.0)


def estimate_of_one_sample(name: str, quantifier: Any, scores: FloatArray) -> Any:
    """The share of the positives in a sample, (m,), or those of all classes, (m, n_classes) -> (n_classes,).

    Raises InvalidInput as `check_estimates`.
    """
    return check_estimates(name, quantifier.predict(only_to_read(scores[np.newaxis])), (1, *scores.shape[1:]))[0]


def only_to_read(values: FloatArray) -> FloatArray:
    """A view that nobody can write into, so that a quantifier does not change what those after it get."""
    view = values.view()
    view.setflags(write=False)
    return view


@dataclass
class OneVsAll(ScoreQuantifier):
    """One quantifier for each class, of that class against the rest; their estimates are divided by their sum.

    Parameters
    ----------
    make : returns a fresh quantifier of one class against the rest.

    If every class is estimated at 0, the training prevalences are returned: the papers leave it open.
    Source: Marufo 2023, 2.
    """

    make: Callable[[], Quantifier]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Fit one quantifier for each class on its column of the scores."""
        checked, truth = check_labelled_scores(check_class_scores("scores", scores), labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        self.quantifiers_ = [fitted(self.make(), checked[:, c], (truth == c).astype(np.intp)) for c in range(checked.shape[1])]
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Estimates that sum to 1, (..., sample_size, n_classes) -> (..., n_classes)."""
        return blockwise(scores, self._answer, len(self.quantifiers_))

    def _answer(self, batch: ClassBatch) -> FloatArray:
        of_classes = [batch.of_class(label) for label in range(len(self.quantifiers_))]
        single = [_answer_of(quantifier, one) for quantifier, one in zip(self.quantifiers_, of_classes, strict=True)]
        estimates = np.stack(single, axis=1)
        total = estimates.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, estimates / np.where(total > 0.0, total, 1.0), self.prevalences_)


def fitted(quantifier: Any, scores: ArrayLike, labels: ArrayLike) -> Any:
    """What `fit` returns; where that is None, as a user-defined quantifier's `fit` may return, the quantifier itself.

    A user-defined quantifier gets copies of the arrays, since it may write into them.
    """
    if is_of_qcore(quantifier):
        return quantifier.fit(scores, labels)
    result = quantifier.fit(np.array(scores), np.array(labels))
    return quantifier if result is None else result


def _answer_of(quantifier: Quantifier, batch: Batch) -> FloatArray:
    """The estimates of a batch. Raises InvalidInput if a user-defined quantifier returns values that are not shares."""
    if is_of_qcore(quantifier):
        return quantifier.predict(batch)
    return check_estimates(type(quantifier).__name__, quantifier.predict(only_to_read(batch.scores)), (len(batch),))


def make_for_all_classes(entry: QuantifierEntry) -> Quantifier:
    """A fresh quantifier of all classes: the entry's own, or one of each class against the rest."""
    return entry.make() if entry.takes_all_classes else OneVsAll(entry.make)


@dataclass
class Calibrated(ScoreQuantifier):
    """A quantifier on posteriors that Platt's sigmoid makes of scores, learnt from the training scores.

    Parameters
    ----------
    quantifier : what estimates from posteriors, such as EMQ().

    Scores of one class against the rest, or of all classes if the quantifier takes them: then each class has a sigmoid of its
    own against the rest, and the posteriors are divided by their sum. Source: Platt 1999; Zadrozny and Elkan 2002.
    """

    quantifier: Quantifier

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the sigmoid from held-out scores, and the quantifier from the posteriors that it makes of them."""
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = None if checked.ndim == 1 else checked.shape[1]
        self.sigmoid_: Any = ClassSigmoids.fit(checked, truth) if self.n_classes_ else Sigmoid.fit(checked, truth)
        self.quantifier_ = fitted(self.quantifier, self.sigmoid_(checked), truth)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Estimates, (..., sample_size) -> (...); of all classes both have n_classes as a last axis."""
        return blockwise(scores, self._answer, self.n_classes_)

    def _answer(self, batch: Any) -> FloatArray:
        posteriors = batch.mapped(self.sigmoid_)
        return self.quantifier_.predict(posteriors if is_of_qcore(self.quantifier_) else only_to_read(posteriors.scores))


Methods = Iterable[str] | Mapping[str, str | Quantifier] | Mapping[str, QuantifierEntry]
"""Keys of QUANTIFIERS, or QUANTIFIERS itself; or a mapping from a name to a key or to a quantifier, such as one of your own."""


def make_quantifiers(
    methods: Methods, scores: ArrayLike, labels: ArrayLike, *, refit: bool = False, posteriors: bool = True
) -> dict[str, Quantifier]:
    """Quantifiers fitted on out-of-fold training scores and labels, by name: of one class against the rest, or of all classes.

    Parameters
    ----------
    methods : keys of QUANTIFIERS, or QUANTIFIERS itself; or a mapping from a name to a key, or to your own quantifier. A copy
        of your own is fitted here, unless it is already fitted, that is, has an attribute whose name ends in `_`.
    refit : fit a copy of your own quantifier in any case.
    posteriors : whether the scores are posteriors. If not, as those of a linear SVM, registered quantifiers that take them for
        posteriors (`reads_posteriors`) get calibrated ones: see `Calibrated`.
    scores, labels : (n_training,) each, labels 0 and 1; or class scores that sum to 1, (n_training, n_classes), and labels from
        0: then the quantifiers give a vector of prevalences.

    Raises
    ------
    InvalidInput
        No method, an unknown key, an object without `fit` and `predict`; scores outside [0, 1], or other labels than above.

    Examples
    --------
    >>> training_scores, labels = [0.9, 0.8, 0.3, 0.4, 0.2, 0.1], [1, 1, 1, 0, 0, 0]
    >>> ac = make_quantifiers(["AC"], training_scores, labels)["AC"]
    >>> ac.predict([[0.7, 0.2, 0.6, 0.1], [0.1, 0.2, 0.3, 0.9]]).round(3).tolist()
    [0.75, 0.375]
    >>> class_scores, labels = np.eye(3)[[0, 0, 1, 1, 2, 2]], [0, 0, 1, 1, 2, 2]
    >>> make_quantifiers(["AC"], class_scores, labels)["AC"].predict(class_scores[[0, 0, 1, 2]]).round(3).tolist()
    [0.75, 0.25, 0.0]
    """
    named = by_name(methods)
    if not named:
        raise InvalidInput("methods", "name at least one quantifier", "none", "Choose for example 'CC' and 'AC'.")
    multiclass = np.ndim(scores) > 1
    quantifiers = {}
    for name, method in named.items():
        key = _registered_key(method)
        if key is None:
            quantifiers[name] = _fitted(name, method, scores, labels, refit=refit)
        else:
            check_choice("quantifier", key, QUANTIFIERS)
            entry = QUANTIFIERS[key]
            made = make_for_all_classes(entry) if multiclass else entry.make()
            quantifiers[name] = (made if posteriors or not entry.reads_posteriors else Calibrated(made)).fit(scores, labels)
    return quantifiers


def inspected(key: str, fitted: Quantifier, sample: FloatArray) -> Inspection | None:
    """How a fitted quantifier of this key estimates one sample, (sample_size,); None if there is nothing to show."""
    inspect = QUANTIFIERS[key].inspect
    if inspect is None:
        return None
    if isinstance(fitted, Calibrated):
        return inspect(fitted.quantifier_, fitted.sigmoid_(sample))
    return inspect(fitted, sample)


def registered_keys(methods: Methods) -> dict[str, str | None]:
    """The key in QUANTIFIERS of each method, by the method's name; None for a user-defined quantifier."""
    return {name: _registered_key(method) for name, method in by_name(methods).items()}


def by_name(methods: Methods) -> Mapping[str, Any]:
    """The methods as a mapping from their names. Raises InvalidInput for an object without a name."""
    if isinstance(methods, Mapping):
        return methods
    keys = check_several("methods", methods)
    own = next((key for key in keys if not isinstance(key, str)), None)
    if own is not None:
        hint = "Give a quantifier of your own a name: {'mine': quantifier}."
        raise InvalidInput("methods", "be keys of QUANTIFIERS", repr(own)[:60], hint)
    return {key: key for key in keys}


def _registered_key(method: object) -> str | None:
    """The key of a method that is given by its key or by its entry; None for the user's own."""
    if isinstance(method, str):
        return method
    return method.key if isinstance(method, QuantifierEntry) else None


def _fitted(name: str, quantifier: Any, scores: ArrayLike, labels: ArrayLike, *, refit: bool) -> Any:
    """The user's own quantifier if it is fitted and must not be fitted again, else a fitted copy."""
    if hasattr(quantifier, "instance_scores"):
        hint = "Pass quantifier.to_scores(X, y) as the scores, and the method by its key."
        raise InvalidInput(f"the quantifier {name!r}", "work on scores", f"a {type(quantifier).__name__}, on features", hint)
    if not is_quantifier(quantifier):
        hint = "Pass a key of QUANTIFIERS, or an object with fit(scores, labels) and predict(scores)."
        rule = "be an object with the methods fit and predict, of scores: a classifier works on features"
        raise InvalidInput(f"the quantifier {name!r}", rule, repr(quantifier)[:60], hint)
    if _is_fitted(quantifier) and not refit:
        return quantifier
    return fitted(deepcopy(quantifier), scores, labels)


def is_quantifier(candidate: object) -> bool:
    """Whether a candidate is an object, not a class, with fit and predict, and not a classifier, which works on features."""
    verbs = (getattr(candidate, verb, None) for verb in ("fit", "predict"))
    if isinstance(candidate, type) or not all(callable(verb) for verb in verbs):
        return False
    # Only scikit-learn's estimators tell whether they are classifiers.
    return not (hasattr(candidate, "__sklearn_tags__") and is_classifier(candidate))


def _is_fitted(quantifier: object) -> bool:
    """Whether a quantifier is fitted: as in scikit-learn, it then has an attribute whose name ends in `_`."""
    return any(name.endswith("_") and not name.startswith("_") for name in getattr(quantifier, "__dict__", {}))
