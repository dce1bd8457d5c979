"""Arguments of an estimator that scikit-learn, joblib and NumPy would refuse in words of their own."""

from numbers import Integral
from typing import Any, Final

import numpy as np
from sklearn.utils import check_random_state

from qcore._base.validation import InvalidInput, check_integer

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
    way_out = "Choose None for one after the other, or -1 for as many as there are processors."
    check_integer("n_jobs", value, low=-_MOST_JOBS, high=_MOST_JOBS, way_out=way_out)
    if value == 0:
        raise InvalidInput("n_jobs", "not be 0", repr(value), way_out)
