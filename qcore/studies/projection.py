"""A data set in two dimensions: its first two principal components."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from qcore.datasets import Dataset
from qcore.datasets.preparation import MISSING_VALUE

N_SHOWN = 2000
"""Instances that are shown: more would cover each other."""


def projection(dataset: Dataset, seed: int) -> tuple[pd.DataFrame, float]:
    """Standardised features on their first two principal components, of up to N_SHOWN instances drawn at random.

    Returns a table (first, second, label), and the share of the variance that both explain. With one feature, second is 0.
    """
    shown = dataset.subset(np.sort(np.random.default_rng(seed).permutation(len(dataset.labels))[:N_SHOWN]))
    features = StandardScaler().fit_transform(shown.numeric_features())
    n_components = min(2, features.shape[1])
    components = PCA(n_components, svd_solver="full").fit(features)
    placed = np.zeros((len(features), 2))
    placed[:, :n_components] = components.transform(features)
    table = pd.DataFrame(placed, columns=["first", "second"])
    return table.assign(label=shown.labels), float(components.explained_variance_ratio_.sum())


def feature_table(dataset: Dataset) -> pd.DataFrame:
    """A row for each feature: its name, kind, number of missing values, least, mean and largest value, or its values."""
    rows = []
    for name in dataset.features.columns:
        column = dataset.features[name]
        if name in dataset.nominal:
            values = column.value_counts()
            shown = ", ".join(str(value) for value in values.index[:5]) + (" ..." if len(values) > 5 else "")
            rows.append((name, "nominal", int(values.get(MISSING_VALUE, 0)), np.nan, np.nan, np.nan, shown))
        else:
            rows.append((name, "numeric", int(column.isna().sum()), column.min(), column.mean(), column.max(), ""))
    return pd.DataFrame(rows, columns=["feature", "kind", "missing", "least", "mean", "largest", "values"])
