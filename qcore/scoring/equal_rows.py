"""Rows that are equal in all features: they get one score, whichever model of a fold or of the whole has scored them.

Training instances are scored by the models of folds, a sample by the model of the whole training part. Where features have few
values, equal rows would get slightly different scores, and whatever compares the two distributions (bins, thresholds, tests of
fit) would find a difference that is none. So equal rows make one level, whose score is the mean of its held-out scores. A
sample's row that is a training row, too, is then scored by a model that has not seen it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from qcore._base.validation import FloatArray, IntArray

RowKeys = NDArray[np.uint64]  # 64 bits on any machine
"""A number for each row, (n,): equal where rows are equal, and, but for a chance of 2^-64 a pair, only there."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)  # 64 bits
"""An odd number that mixes the bits of keys: 2^64 divided by the golden ratio (Knuth 1998, 6.4)."""
_HALF: Final = np.uint64(32)  # of 64 bits
_FEW: Final = 5
"""With so many instances for each distinct row, features take few values."""
_CHANCE: Final = 3.0
"""Standard errors beyond which more rows of a sample are training rows than chance explains."""
_LEAST_SHARE: Final = 0.05


def row_keys(features: Any) -> RowKeys:
    """The keys of the rows of a table, an array or a sparse matrix, (n, ...): numbers as numbers, anything else as text."""
    if issparse(features):
        return _sparse_keys(csr_array(features))
    table = features if isinstance(features, pd.DataFrame) else pd.DataFrame(_flat(features))
    keys = np.zeros(len(table), dtype=_FACTOR.dtype)
    for _, column in table.items():
        keys = (keys ^ _column_keys(column)) * _FACTOR
        keys ^= keys >> _HALF
    return keys


def _flat(features: Any) -> NDArray[Any]:
    values = np.asarray(features)
    return values.reshape(len(values), -1)


def _column_keys(column: pd.Series) -> RowKeys:
    if not pd.api.types.is_numeric_dtype(column):
        return pd.util.hash_array(column.astype(str).to_numpy(dtype=object))
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    # Whole numbers and others are one kind; adding 0 makes -0 and 0 one value, and all missing values are alike.
    return np.where(np.isnan(values), np.nan, values + 0.0).view(_FACTOR.dtype)


def _sparse_keys(rows: csr_array) -> RowKeys:
    rows.sum_duplicates()
    rows.eliminate_zeros()
    cells = (rows.indices[start:end].tobytes() + rows.data[start:end].tobytes() for start, end in pairwise(rows.indptr))
    return pd.util.hash_array(np.fromiter(cells, dtype=object, count=rows.shape[0]))


def take_few_values(keys: RowKeys) -> bool:
    """Whether the features of these rows take few values: there are five instances or more for each distinct row."""
    return len(pd.unique(keys)) * _FEW <= len(keys)


@dataclass(frozen=True)
class RowLevels:
    """The score of each distinct row of a training part.

    Attributes
    ----------
    keys : (n_levels,), increasing.
    scores : (n_levels,) or (n_levels, n_classes): the mean of the held-out scores of the rows of this key.
    sizes : (n_levels,) number of these rows.
    """

    keys: RowKeys
    scores: FloatArray
    sizes: IntArray

    @classmethod
    def of(cls, keys: RowKeys, scores: FloatArray) -> RowLevels:
        """The levels of held-out scores, (n,) or (n, n_classes), of rows with these keys, (n,)."""
        known, level, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        sums = np.zeros((len(known), *scores.shape[1:]))
        np.add.at(sums, level, scores)
        return cls(known, sums / sizes.reshape(-1, *[1] * (scores.ndim - 1)), sizes)

    def of_rows(self, keys: RowKeys, scores: FloatArray) -> FloatArray:
        """Scores of rows, (m,) or (m, n_classes): those of their levels, and `scores` where a row has none."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[places] == keys
        leveled = scores.copy()
        leveled[known] = self.scores[places[known]]
        return leveled

    def repeated(self, keys: RowKeys) -> int:
        """How many rows of a sample are training rows, too, where chance does not explain it; else 0.

        Chance explains as many as the training rows repeat each other, and three standard errors more. Where features take few
        values, nearly all rows do. Fewer than one row in twenty are not counted.
        """
        n, m = int(self.sizes.sum()), len(keys)
        found = int(np.isin(keys, self.keys).sum())
        expected = float(self.sizes[self.sizes > 1].sum()) / n
        chance = m * expected + _CHANCE * np.sqrt(m * expected * (1.0 - expected))
        return found if found > max(chance, _LEAST_SHARE * m, 1.0) else 0
