"""Features as numbers: nominal columns one-hot, the others standardised, with the median for what is missing."""

from __future__ import annotations

from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from qcore._base.validation import FloatArray


class FeatureEncoder(TransformerMixin, BaseEstimator):
    """What scikit-learn's column transformer does with an encoder, an imputer and a scaler, and gives to the last digit.

    It hands plain arrays from one to the next and leaves out the imputer where nothing is missing. The columns of a small
    data set are encoded in a tenth of the time, which is most of what a fast classifier takes to train.

    Parameters
    ----------
    nominal : names of the nominal columns; their indicators come first, the other columns follow in their order.
    """

    def __init__(self, nominal: tuple[str, ...] = ()) -> None:
        self.nominal = nominal

    def fit(self, features: pd.DataFrame, labels: object = None) -> Self:
        """Learn values, medians, means and deviations of a table, (n, n_features)."""
        self.fit_transform(features, labels)
        return self

    def fit_transform(self, features: pd.DataFrame, labels: object = None) -> FloatArray:  # noqa: ARG002
        """`fit`, and the encoded table, (n, n_columns)."""
        numbers = self._numbers(features)
        self.imputer_ = SimpleImputer(strategy="median", keep_empty_features=True)
        self.scaler_ = StandardScaler()
        self.was_complete_ = not np.isnan(numbers).any()
        self.medians_ = np.median(numbers, axis=0)
        filled = numbers if self.was_complete_ else self.imputer_.fit_transform(numbers)
        self.values_ = [pd.Index(np.unique(features[name].to_numpy(dtype=object).astype(str))) for name in self.nominal]
        standardised = [self.scaler_.fit_transform(filled)] if numbers.shape[1] else []
        return np.hstack([*self._indicators(features), *standardised])

    def transform(self, features: pd.DataFrame) -> FloatArray:
        """The table encoded, (n, n_columns); of a nominal column, a value that was not there has no indicator."""
        numbers = self._numbers(features)
        if not self.was_complete_:
            numbers = self.imputer_.transform(numbers)
        elif np.isnan(numbers).any():
            numbers = np.where(np.isnan(numbers), self.medians_, numbers)
        standardised = [self.scaler_.transform(numbers)] if numbers.shape[1] else []
        return np.hstack([*self._indicators(features), *standardised])

    def _numbers(self, features: pd.DataFrame) -> FloatArray:
        others = features.drop(columns=list(self.nominal)) if self.nominal else features
        # In the table's own memory order, in which sums along columns are rounded.
        return others.to_numpy(dtype=np.float64)

    def _indicators(self, features: pd.DataFrame) -> list[FloatArray]:
        """0 and 1, (n, n_values) for each nominal column."""
        columns = zip(self.nominal, self.values_, strict=True)
        return [(values.get_indexer(features[name])[:, np.newaxis] == np.arange(len(values))) * 1.0 for name, values in columns]
