"""Features as numbers: nominal columns one-hot, the others standardised, missing numbers set to the median."""

from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from qcore._base.validation import FloatArray


class FeatureEncoder(TransformerMixin, BaseEstimator):
    """Encode features exactly like scikit-learn's column transformer with an encoder, an imputer and a scaler, but faster.

    It passes plain arrays between the steps and skips the imputer if no value is missing. A small data set is encoded in a
    tenth of the time; for a fast classifier, encoding is most of the training time.

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
        """Fit, and return the encoded table, (n, n_columns)."""
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
        """The encoded table, (n, n_columns); a nominal value that `fit` has not seen has no indicator."""
        numbers = self._numbers(features)
        if not self.was_complete_:
            numbers = self.imputer_.transform(numbers)
        elif np.isnan(numbers).any():
            numbers = np.where(np.isnan(numbers), self.medians_, numbers)
        standardised = [self.scaler_.transform(numbers)] if numbers.shape[1] else []
        return np.hstack([*self._indicators(features), *standardised])

    def _numbers(self, features: pd.DataFrame) -> FloatArray:
        others = features.drop(columns=list(self.nominal)) if self.nominal else features
        # The table's own memory order is kept, since the rounding of sums along columns depends on it.
        return others.to_numpy(dtype=np.float64)

    def _indicators(self, features: pd.DataFrame) -> list[FloatArray]:
        """The indicators 0 and 1 of each nominal column's values, (n, n_values) for each column."""
        columns = zip(self.nominal, self.values_, strict=True)
        return [(values.get_indexer(features[name])[:, np.newaxis] == np.arange(len(values))) * 1.0 for name, values in columns]
