"""Scores of a sample in the order of the columns of the training scores, where both have names."""

import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import InvalidInput


def in_order_of(scores: ArrayLike, sample: ArrayLike) -> ArrayLike:
    """The sample with its columns in the order of those of the scores, if both are data frames of such names; else as it is.

    Raises InvalidInput if only some of the names are the same.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.8], "b": [0.2]})
    >>> in_order_of(scores, pd.DataFrame({"b": [0.7], "a": [0.3]})).columns.tolist()
    ['a', 'b']
    """
    if not (isinstance(scores, pd.DataFrame) and isinstance(sample, pd.DataFrame)):
        return sample
    shared = set(scores.columns) & set(sample.columns)
    if not shared or not (scores.columns.is_unique and sample.columns.is_unique):
        # Names of something else, such as numbers.
        return sample
    if len(shared) < len(scores.columns) or len(shared) < len(sample.columns):
        has = ", ".join(map(str, sample.columns))
        raise InvalidInput("sample", f"have the columns {', '.join(map(str, scores.columns))}", has, "Rename them.")
    return sample[scores.columns]
