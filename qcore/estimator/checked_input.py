"""Arguments, instances and labels of an estimator, checked as far as scikit-learn and the classifier do not do it."""

from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionDtype
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array, check_random_state, column_or_1d, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples

from qcore._base.validation import IntArray, InvalidInput, check_integer, in_a_line
from qcore.estimator.held_out_scores import Labelled
from qcore.quantifiers.base import ScoreQuantifier

_LARGEST = 2**32 - 1
"""The largest seed of a RandomState."""
_MOST_JOBS = 10_000


def checked_random_state(value: object) -> np.random.RandomState:
    """The source of random numbers that `value` stands for, as in scikit-learn, or raise InvalidInput.

    scikit-learn takes no Generator of NumPy's: what it draws next is the seed.
    """
    if isinstance(value, np.random.Generator):
        return np.random.RandomState(int(value.integers(_LARGEST, endpoint=True)))
    is_whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_) and 0 <= int(value) <= _LARGEST
    if not (is_whole or value is None or value is np.random or isinstance(value, np.random.RandomState)):
        rule = f"be a whole number from 0 to {_LARGEST}, a Generator, a RandomState, or None"
        raise InvalidInput("random_state", rule, repr(value)[:60], "Choose for example 0.")
    return check_random_state(value)


def check_n_jobs(value: Any) -> None:
    """Raise InvalidInput unless `value` is a number of jobs as joblib takes it, or None."""
    if value is None:
        return
    hint = "Choose None for one after the other, or -1 for as many as there are processors."
    check_integer("n_jobs", value, low=-_MOST_JOBS, high=_MOST_JOBS, hint=hint)
    if value == 0:
        raise InvalidInput("n_jobs", "not be 0", repr(value), hint)


def check_classifier(candidate: Any) -> None:
    """Raise InvalidInput for what has no parameters to copy, such as a class or a quantifier's key, and for a quantifier."""
    hint = 'Write for example QuantifierCV(LogisticRegression(), "AC").'
    if not isinstance(candidate, type) and hasattr(candidate, "fit") and not hasattr(candidate, "get_params"):
        value, way_out = f"{type(candidate).__name__}, without these", "Derive its class from sklearn.base.BaseEstimator."
        raise InvalidInput("classifier", "have get_params and set_params, by which it is copied", value, way_out)
    if isinstance(candidate, type) or not hasattr(candidate, "get_params"):
        raise InvalidInput("classifier", "be a classifier of scikit-learn's kind", repr(candidate), hint)
    for part in _wrapped(candidate):
        if is_on_features(part):
            kind = type(part).__name__
            raise InvalidInput("classifier", "classify", f"a {kind}, which counts", f"Pass the classifier of that {kind}.")
        if isinstance(part, ScoreQuantifier):
            raise InvalidInput("classifier", "classify", f"the quantifier {type(part).__name__}", hint)


def is_on_features(candidate: object) -> bool:
    """Whether a candidate is a quantifier on features, such as a QuantifierCV, and so neither a classifier nor on scores."""
    return hasattr(candidate, "instance_scores") and not isinstance(candidate, type)


def _wrapped(candidate: Any) -> Iterator[Any]:
    """A candidate, and what it wraps: the end of a pipeline, the estimator of a search."""
    while candidate is not None:
        # A frozen estimator has the attributes of the one that it wraps.
        if not isinstance(candidate, FrozenEstimator):
            yield candidate
        is_pipeline = isinstance(candidate, Pipeline) and len(candidate.steps) > 0
        candidate = candidate.steps[-1][1] if is_pipeline else getattr(candidate, "estimator", None)


def labelled(X: Any, y: Any) -> Labelled:
    """Instances and labels, checked as far as the classifier does not do it. Raises InvalidInput, and ValueError for None."""
    if y is None:
        raise ValueError("QuantifierCV requires y to be passed, but the target y is None.")
    _check_none_missing(y)
    try:
        labels = column_or_1d(check_array(_of_numpy(y), ensure_2d=False, dtype=None, input_name="y"), warn=True)
        if labels.dtype.kind == "S":
            raise TypeError("bytes, not text")
        if labels.dtype == object:
            labels = _of_one_kind(labels)
        check_classification_targets(labels)
    except InvalidInput:
        raise
    except (TypeError, ValueError) as error:
        rule, hint = "hold the class of each instance of X, as text, whole numbers or True and False", "Pass one column."
        reason = " ".join(str(error).split())[:120]
        raise InvalidInput("y", rule, f"an object of type {type(y).__name__} ({reason})", hint) from error
    classes, numbers = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        hint = "Add instances of another class."
        raise InvalidInput("y", "hold two classes or more", f"one class, {classes.tolist()[:1]}", hint)
    n = n_instances(X)
    if n != len(labels):
        value, hint = f"{n:,} beside {len(labels):,} labels", "Pass instances and labels of the same rows."
        raise InvalidInput("X", "have an instance for each label of y", value, hint)
    return Labelled(indexable(X)[0], labels, numbers.astype(np.intp), classes)


def n_instances(X: Any) -> int:
    """How many instances X holds. Raises InvalidInput for what has none, such as the name of a file."""
    # A text has a length, and so has a dictionary of columns; a sparse matrix may be a dictionary, too, but has a shape.
    is_other = X is None or isinstance(X, str | bytes | type) or (isinstance(X, Mapping | Set) and not hasattr(X, "shape"))
    if not is_other:
        with suppress(TypeError):
            return int(_num_samples(X))
    hint = "Pass for example a DataFrame, or an array of shape (n, n_features)."
    raise InvalidInput("X", "be a table, an array or a list of instances", in_a_line(X)[:60], hint)


def check_sorted_order(y: Any, classes: np.ndarray) -> None:
    """Raise InvalidInput for ordered categories in another order than the classes have here, which are sorted."""
    kind = getattr(y, "dtype", None)
    if not isinstance(kind, pd.CategoricalDtype) or not kind.ordered:
        return
    order = [name for name in kind.categories.tolist() if name in set(classes.tolist())]
    if order != classes.tolist():
        value = f"the order {', '.join(map(str, order[:5]))}"
        raise InvalidInput("y", "have its classes in sorted order, which o-ACC relies on", value, "Pass y.cat.codes.")


def _check_none_missing(y: Any) -> None:
    """Raise InvalidInput, which is a ValueError, for a missing label."""
    if np.ma.is_masked(y):
        value = f"{np.ma.count_masked(y):,} of them"
        raise InvalidInput("y", "hold no masked labels", value, "Leave these instances out, of X, too.")
    missing = np.atleast_1d(pd.isna(_of_numpy(y) if _is_of_strings(y) else y))
    if missing.ndim == 1 and missing.any():
        at = int(missing.argmax())
        value = f"{(y.iloc[at] if isinstance(y, pd.Series) else np.asarray(y, dtype=object)[at])!r} in row {at + 1}"
        # The estimator's contract wants the word NaN.
        raise InvalidInput("y", "name the class of each instance, without NaN", value, "Leave the row out.")


def _is_of_strings(y: Any) -> bool:
    """Whether labels are of NumPy's StringDType, which scikit-learn does not know."""
    return isinstance(getattr(y, "dtype", None), np.dtypes.StringDType)


def _of_numpy(y: Any) -> Any:
    """Labels as NumPy and scikit-learn keep them, where they are of another kind; those of pandas would become floats."""
    if _is_of_strings(y):
        return np.asarray(y).astype(object)
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        return np.asarray(_of_numpy(y.iloc[:, 0]))[:, np.newaxis]
    kind = getattr(y, "dtype", None)
    if isinstance(kind, pd.CategoricalDtype):
        return np.asarray(y, dtype=bool) if kind.categories.dtype.kind == "b" else y
    if isinstance(kind, ExtensionDtype) and kind.kind in "biu":
        return np.asarray(y, dtype=getattr(kind, "numpy_dtype", object))
    return y


def _of_one_kind(labels: np.ndarray) -> np.ndarray:
    """Labels in an array of objects, as numbers if all are. Raises InvalidInput for names beside numbers."""
    named = next((one for one in labels.tolist() if isinstance(one, str)), None)
    other = next((one for one in labels.tolist() if not isinstance(one, str)), None)
    if named is None:
        return np.array(labels.tolist())
    if other is not None:
        raise InvalidInput("y", "hold labels of one kind", f"{other!r} beside {named!r}", "Write all of them as text.")
    return labels


def numbers_of_known_classes(y: Any, classes: np.ndarray, n: int) -> IntArray:
    """The number of each label's class, (n,). Raises InvalidInput for labels of other classes, or not one per instance."""
    if y is not None:
        _check_none_missing(y)
    labels = np.asarray(_of_numpy(y))
    if labels.shape == (n, 1):
        labels = labels[:, 0]
    if labels.shape != (n,):
        value = "None" if y is None else f"shape {labels.shape}"
        raise InvalidInput("y", f"hold a label for each of the {n} instances", value, "Pass the instances' labels.")
    known = classes.tolist()
    unknown = next((one for one in dict.fromkeys(labels.tolist()) if one not in known), None)
    if unknown is not None:
        hint = f"Write labels as in training: {', '.join(map(repr, known[:5]))}."
        raise InvalidInput("y", "hold only classes that the estimator knows", repr(unknown), hint)
    return np.searchsorted(classes, labels)
