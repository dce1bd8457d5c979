"""Arguments of an estimator that scikit-learn, joblib and NumPy would refuse in words of their own."""

from collections.abc import Iterator
from numbers import Integral
from typing import Any, Final

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state

from qcore._base.validation import InvalidInput, check_integer
from qcore.quantifiers.base import ScoreQuantifier

_LARGEST: Final = 2**32 - 1
"""The largest seed of a RandomState."""
_MOST_JOBS: Final = 10_000


def checked_random_state(value: object) -> np.random.RandomState:
    """The source of random numbers that `value` stands for, as in scikit-learn, or raise InvalidInput."""
    is_whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_) and 0 <= int(value) <= _LARGEST
    if not (is_whole or value is None or value is np.random or isinstance(value, np.random.RandomState)):
        rule = f"be a whole number from 0 to {_LARGEST}, a RandomState, or None"
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
