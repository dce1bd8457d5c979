"""Instances to show: where all lie in two dimensions, and which stand for a sample."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import IntArray, check_integer
from qcore.datasets import Dataset
from qcore.datasets.preparation import MISSING_VALUE
from qcore.quantifiers.batch import THRESHOLD
from qcore.scoring.scores import Scores

N_SHOWN = 2000
"""Instances that are shown: more would cover each other."""
_LONGEST = 60
"""Characters of a text that is shown."""


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
        elif name == dataset.text:
            missing = int((column == "").sum())
            rows.append((name, "text", missing, np.nan, np.nan, np.nan, f"{column.iloc[0][:_LONGEST]} ..."))
        else:
            rows.append((name, "numeric", int(column.isna().sum()), column.min(), column.mean(), column.max(), ""))
    return pd.DataFrame(rows, columns=["feature", "kind", "missing", "least", "mean", "largest", "values"])


@dataclass(frozen=True)
class Tiles:
    """Instances of a pool for each place of a grid of tiles.

    Attributes
    ----------
    positives, negatives : for each place, the row of the pool shown there while the place is positive, or negative, (n,).
    counted_positives, counted_negatives : whether that instance is predicted positive, (n,) of 0 and 1.
    order : places in the order in which they become positive as the share of positives grows, (n,).
    """

    positives: IntArray
    negatives: IntArray
    counted_positives: IntArray
    counted_negatives: IntArray
    order: IntArray


def tiles(scores: Scores, seed: int, n_tiles: int = 100) -> Tiles:
    """Tiles of the pool, drawn at random; instances of a class that has fewer than `n_tiles` appear more than once.

    Raises InvalidInput for no tiles.
    """
    check_integer("n_tiles", n_tiles, low=1)
    rng = random_stream(seed, RandomStream.TILES)
    rows = [np.resize(rng.permutation(np.flatnonzero(scores.pool_labels == label)), n_tiles) for label in (1, 0)]
    counted = [(scores.pool_scores[one] >= THRESHOLD).astype(np.intp) for one in rows]
    return Tiles(rows[0], rows[1], counted[0], counted[1], rng.permutation(n_tiles))
