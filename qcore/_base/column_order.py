"""Scores of a sample in the order of the columns of the training scores, where both have names."""

import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import InvalidInput


def in_order_of(scores: ArrayLike, sample: ArrayLike) -> ArrayLike:
    """The sample with its columns in the order of those of the scores, if both are data frames; else as it is.

    Raises InvalidInput for other columns.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.8], "b": [0.2]})
    >>> in_order_of(scores, pd.DataFrame({"b": [0.7], "a": [0.3]})).columns.tolist()
    ['a', 'b']
    """
    if not (isinstance(scores, pd.DataFrame) and isinstance(sample, pd.DataFrame)):
        return sample
    if set(scores.columns) != set(sample.columns):
        result = ", ".join(map(str, sample.columns))
        raise InvalidInput("sample", f"have the columns {', '.join(map(str, scores.columns))}", result, "Rename them.")
    return sample[scores.columns]
