"""A function of many values that is called once for each distinct one: a column has few classes in many rows."""

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import pandas as pd

_OF_ONE_KIND: Final = frozenset(("string", "integer", "floating", "boolean", "categorical"))
"""What pandas calls values that are equal only where they are also written alike: 1 and True are equal, too."""


def at_distinct(values: np.ndarray | pd.Series | Iterable[object], function: Callable[[object], str]) -> np.ndarray:
    """The words that a function makes of values, as an object array, (n,).

    Examples
    --------
    >>> at_distinct(np.array(["b", "a", "b"], dtype=object), str.upper).tolist()
    ['B', 'A', 'B']
    """
    if isinstance(values, np.ndarray | pd.Series) and pd.api.types.infer_dtype(values, skipna=False) in _OF_ONE_KIND:
        codes, distinct = pd.factorize(values, use_na_sentinel=False)
        return np.array([function(value) for value in distinct], dtype=object)[codes]
    return np.array([function(value) for value in values], dtype=object)


def over_distinct(values: pd.Series, function: Callable[[pd.Series], pd.Series]) -> pd.Series:
    """An elementwise function of a column, computed for its distinct values alone, (n,), with the column's index.

    Examples
    --------
    >>> over_distinct(pd.Series(["b ", "a", "b "]), lambda words: words.str.strip()).tolist()
    ['b', 'a', 'b']
    """
    codes, distinct = pd.factorize(values, use_na_sentinel=False)
    return function(pd.Series(distinct)).take(codes).set_axis(values.index)
