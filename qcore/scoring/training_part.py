"""The labelled training instances of a classifier, scored by folds.

For any number of classes, with labels 0 to n_classes - 1. Scores are only those of class 1, (n,), or of each class,
(n, n_classes), which sum to 1.

Rows that are equal in all features: they get one score, whichever model of a fold or of the whole has scored them.

Training instances are scored by the models of folds, a sample by the model of the whole training part. Where features have few
values, equal rows would get slightly different scores, and whatever compares the two distributions (bins, thresholds, tests of
fit) would find a difference that is not there. So equal rows make one level, whose score is the mean of its held-out scores. A
sample's row that is a training row, too, is then scored by a model that has not seen it.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.classifiers import (
    CLASSIFIERS,
    class_scores,
    make_classifier,
    make_text_classifier,
    positive_scores,
    with_chosen_parameters,
)
from qcore.datasets import Dataset
from qcore.datasets.user_tables import TEXT_CLASSIFIER
from qcore.scoring.rate_estimation import HeldOut


@dataclass(frozen=True)
class TrainingPart:
    """Labelled instances, how they are divided into folds, and the classifier that is trained on them.

    Attributes
    ----------
    features, labels : features and labels of all instances, (n, n_features) and (n,).
    rows : rows of the training part, (n_training,).
    folds : positions in the training part: what a model is trained on, and what it scores.
    classifier : key of CLASSIFIERS; for a user's own classifier, any name.
    unfitted : the classifier's pipeline, before it has chosen any parameters.
    multiclass : whether each class has a score; else only class 1 has one.
    """

    features: pd.DataFrame
    labels: IntArray
    rows: IntArray
    folds: Sequence[HeldOut]
    classifier: str
    unfitted: Pipeline
    multiclass: bool = False

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        labels: IntArray,
        rows: IntArray,
        folds: Sequence[HeldOut],
        classifier: str,
        *,
        state: int,
        multiclass: bool = False,
    ) -> "TrainingPart":
        """The part for a registered classifier with random state `state`, or for that of texts.

        Raises InvalidInput for an unknown classifier.
        """
        if dataset.text:
            unfitted = make_text_classifier(dataset.text, state)
            return cls(dataset.features, labels, rows, folds, TEXT_CLASSIFIER, unfitted, multiclass)
        smallest = min(len(inside) for inside, _ in folds)
        n_classes = len(dataset.classes) if multiclass else 2
        unfitted = make_classifier(classifier, dataset.nominal, smallest, state, n_classes=n_classes)
        return cls(dataset.features, labels, rows, folds, classifier, unfitted, multiclass)

    def with_folds(self, folds: Sequence[HeldOut]) -> "TrainingPart":
        """The same classifier, with the parameters that it has chosen, and other folds."""
        other = copy.copy(self)
        object.__setattr__(other, "folds", folds)
        return other

    @cached_property
    def chosen(self) -> Pipeline:
        """The unfitted classifier, with the parameters that it chooses on the whole training part, if it chooses any."""
        if self.classifier not in CLASSIFIERS:
            return self.unfitted
        return with_chosen_parameters(self.classifier, self.unfitted, self.instances(self.rows), self.labels[self.rows])

    def model(self, number: int, *, chooses_anew: bool = False) -> Pipeline:
        """The fitted model that scores fold `number`; the last one is of the whole training part."""
        if number == len(self.folds):
            return self.trained(self.chosen, self.rows)
        return self.trained(self.unfitted if chooses_anew else self.chosen, self.rows[self.folds[number][0]])

    def trained(self, unfitted: Any, rows: IntArray) -> Any:
        """A clone of an unfitted classifier, trained on these rows."""
        try:
            return clone(unfitted).fit(self.instances(rows), self.labels[rows])
        except ValueError as error:
            if "empty vocabulary" not in str(error):
                raise
            hint = "Choose the column with the sentences."
            raise InvalidInput("the texts", "hold words", "none", hint) from error

    def instances(self, rows: IntArray) -> Any:
        """The features of these rows."""
        return self.features.iloc[rows]

    def scores(self, model: Any, features: Any) -> FloatArray:
        """Scores of instances by a fitted model, (n,) or (n, n_classes)."""
        return class_scores(model, features) if self.multiclass else positive_scores(model, features)

    def fold_scores(self, number: int, model: Any = None) -> FloatArray:
        """Scores of the instances of fold `number`, by its model, which is trained if it is not given."""
        return self.scores(self.model(number) if model is None else model, self.instances(self.rows[self.folds[number][1]]))

    def out_of_fold(
        self,
        on_progress: Callable[[float], None] | None = None,
        on_model: Callable[[int, Pipeline], None] | None = None,
    ) -> FloatArray:
        """Scores of the training part in its order, each by a model of the other folds.

        `on_progress` is called after each fold with the share of the work that is done; the model of all is still to come.
        `on_model` is called with the number of each fold and its model.
        """
        parts = []
        for number in range(len(self.folds)):
            model = self.model(number)
            parts.append(self.fold_scores(number, model))
            if on_model:
                on_model(number, model)
            if on_progress:
                on_progress((number + 1) / (len(self.folds) + 1))
        return in_order_of_rows(parts, [outside for _, outside in self.folds]).scores


class HeldOutScores(NamedTuple):
    """Scores by models that have not seen the rows: (n,) or (n, n_classes), the rows, (n,), and the fold of each, (n,)."""

    scores: FloatArray
    rows: IntArray
    folds: IntArray


def in_order_of_rows(parts: Sequence[FloatArray], held_out: Sequence[IntArray]) -> HeldOutScores:
    """The scores of the rows that each fold holds out, in the order of the rows, each as often as it is held out."""
    rows = np.concatenate(held_out)
    order = np.argsort(rows, kind="stable")
    folds = np.repeat(np.arange(len(held_out)), [len(outside) for outside in held_out])
    return HeldOutScores(np.concatenate(parts)[order], rows[order], folds[order])


class ScoredByFolds:
    """Instances outside a training part, scored as its instances are: each by the model of one fold, drawn at random.

    Parameters
    ----------
    part : the training part whose models score them.
    features : of the instances, (m, n_features).
    seed : seed of the draw of folds.

    `scores` are complete, (m,) or (m, n_classes), when `add` was called with each fold's model.
    """

    def __init__(self, part: TrainingPart, features: pd.DataFrame, seed: int) -> None:
        self._part, self._features = part, features
        self._fold_of = random_stream(seed, RandomStream.FOLDS_OF_SAMPLE).integers(len(part.folds), size=len(features))
        n_classes = len(np.unique(part.labels))
        self.scores: FloatArray = np.empty((len(features), n_classes) if part.multiclass else len(features))

    def add(self, fold: int, model: Pipeline) -> None:
        """Score the instances of one fold."""
        if (rows := self._fold_of == fold).any():
            self.scores[rows] = self._part.scores(model, self._features[rows])


RowKeys = NDArray[np.uint64]  # 64 bits on any machine
"""A number for each row, (n,): equal where rows are equal, and, but for a chance of 2^-64 a pair, only there."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 64 bits
"""An odd number that mixes the bits of keys: 2^64 divided by the golden ratio (Knuth 1998, 6.4)."""
_HALF = np.uint64(32)  # of 64 bits
_FEW = 5
"""With this many instances for each distinct row, features take few values."""
_CHANCE = 3.0
"""Standard errors beyond which more rows of a sample are training rows than chance explains."""
_LEAST_SHARE = 0.05


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
    def of(cls, keys: RowKeys, scores: FloatArray) -> "RowLevels":
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
