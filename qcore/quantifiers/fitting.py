"""Quantifiers that are ready to estimate: registered ones by name, and your own."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_several
from qcore.quantifiers.base import Quantifier, QuantifierEntry
from qcore.quantifiers.calibrated import Calibrated
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.inspection import Inspection
from qcore.quantifiers.one_vs_all import fitted, make_for_all_classes

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
    of_all_classes = np.ndim(scores) > 1
    quantifiers = {}
    for name, method in named.items():
        key = _registered_key(method)
        if key is None:
            quantifiers[name] = _fitted(name, method, scores, labels, refit=refit)
        else:
            check_choice("quantifier", key, QUANTIFIERS)
            entry = QUANTIFIERS[key]
            made = make_for_all_classes(entry) if of_all_classes else entry.make()
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
        way_out = "Give a quantifier of your own a name: {'mine': quantifier}."
        raise InvalidInput("methods", "be keys of QUANTIFIERS", repr(own)[:60], way_out)
    return {key: key for key in keys}


def _registered_key(method: object) -> str | None:
    """The key of a method that is given by its key or by its entry; None for the user's own."""
    if isinstance(method, str):
        return method
    return method.key if isinstance(method, QuantifierEntry) else None


def _fitted(name: str, quantifier: Any, scores: ArrayLike, labels: ArrayLike, *, refit: bool) -> Any:
    """The user's own quantifier if it is fitted and shall not be fitted again, else a fitted copy."""
    if hasattr(quantifier, "instance_scores"):
        way_out = "Pass quantifier.to_scores(X, y) as the scores, and the method by its key."
        raise InvalidInput(f"the quantifier {name!r}", "work on scores", f"a {type(quantifier).__name__}, on features", way_out)
    if not is_quantifier(quantifier):
        way_out = "Pass a key of QUANTIFIERS, or an object with fit(scores, labels) and predict(scores)."
        rule = "be an object with the methods fit and predict, of scores: a classifier works on features"
        raise InvalidInput(f"the quantifier {name!r}", rule, repr(quantifier)[:60], way_out)
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
