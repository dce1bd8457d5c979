"""Puts the columns of a sample's scores in the order of the training scores' columns, if both are data frames."""

import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import InvalidInput


def in_order_of(scores: ArrayLike, sample: ArrayLike) -> ArrayLike:
    """The sample with its columns in the order of those of `scores`, if both are data frames with the same column names.

    Without a common name, or if one of them is not a data frame, the sample is returned as it is. Raises InvalidInput if only
    some of the names are the same.

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
        # The columns are not named after the classes; they may be numbered.
        return sample
    if len(shared) < len(scores.columns) or len(shared) < len(sample.columns):
        has = ", ".join(map(str, sample.columns))
        raise InvalidInput("sample", f"have the columns {', '.join(map(str, scores.columns))}", has, "Rename them.")
    return sample[scores.columns]
