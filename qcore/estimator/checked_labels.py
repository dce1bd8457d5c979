"""Instances with their labels, checked as far as the classifier does not do it."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import check_array, column_or_1d, indexable
from sklearn.utils.multiclass import check_classification_targets

from qcore._base.validation import InvalidInput
from qcore.estimator.held_out_scores import Labelled


def labelled(X: Any, y: Any) -> Labelled:
    """Instances and labels, checked as far as the classifier does not do it. Raises InvalidInput, and ValueError."""
    if y is None:
        raise ValueError("QuantifierCV requires y to be passed, but the target y is None.")
    _check_none_missing(y)
    labels = column_or_1d(check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True)
    features, _ = indexable(X, labels)
    if labels.dtype == object:
        labels = _of_one_kind(labels)
    check_classification_targets(labels)
    classes, numbers = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        way_out = "Add instances of another class."
        raise InvalidInput("y", "hold two classes or more", f"one class, {classes.tolist()[:1]}", way_out)
    return Labelled(features, labels, numbers.astype(np.intp), classes)


def _check_none_missing(y: Any) -> None:
    """Raise InvalidInput, which is a ValueError, for a missing label."""
    missing = np.atleast_1d(pd.isna(y))
    if missing.ndim == 1 and missing.any():
        at = int(missing.argmax())
        value = f"{(y.iloc[at] if isinstance(y, pd.Series) else np.asarray(y, dtype=object)[at])!r} in row {at + 1}"
        # The estimator's contract wants the word NaN.
        raise InvalidInput("y", "name the class of each instance, without NaN", value, "Leave it out.")


def _of_one_kind(labels: np.ndarray) -> np.ndarray:
    """Labels in an array of objects, as numbers if all are. Raises InvalidInput for names beside numbers."""
    named = next((one for one in labels.tolist() if isinstance(one, str)), None)
    other = next((one for one in labels.tolist() if not isinstance(one, str)), None)
    if named is None:
        return np.array(labels.tolist())
    if other is not None:
        raise InvalidInput("y", "hold labels of one kind", f"{other!r} beside {named!r}", "Write all of them as text.")
    return labels
