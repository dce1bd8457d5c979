"""The labelled training instances of a classifier: each fold is scored by a model of the others, new instances by one of all.

For any number of classes, with labels 0 to n_classes - 1. Scores are those of class 1 alone, (n,), or of each class,
(n, n_classes), which sum to 1.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray
from qcore.classifiers import CLASSIFIERS, class_scores, make_classifier, positive_scores, with_chosen_parameters
from qcore.datasets import Dataset
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
    of_all_classes : whether each class has a score; else only class 1 has one.
    """

    features: pd.DataFrame
    labels: IntArray
    rows: IntArray
    folds: Sequence[HeldOut]
    classifier: str
    unfitted: Pipeline
    of_all_classes: bool = False

    @classmethod
    def of(
        cls, dataset: Dataset, labels: IntArray, rows: IntArray, folds: Sequence[HeldOut], classifier: str, *, state: int,
        of_all_classes: bool = False,
    ) -> TrainingPart:  # fmt: skip
        """The part for a registered classifier with random state `state`. Raises InvalidInput for an unknown classifier."""
        smallest = min(len(inside) for inside, _ in folds)
        n_classes = len(dataset.classes) if of_all_classes else 2
        unfitted = make_classifier(classifier, dataset.nominal, smallest, state, n_classes=n_classes)
        return cls(dataset.features, labels, rows, folds, classifier, unfitted, of_all_classes)

    def with_folds(self, folds: Sequence[HeldOut]) -> TrainingPart:
        """The same classifier, with the parameters that it has chosen, and other folds."""
        other = copy.copy(self)
        object.__setattr__(other, "folds", folds)
        return other

    @cached_property
    def chosen(self) -> Pipeline:
        """The unfitted classifier, with the parameters that it chooses on the whole training part, if it chooses any."""
        if self.classifier not in CLASSIFIERS:
            return self.unfitted
        return with_chosen_parameters(self.classifier, self.unfitted, *self._data(self.rows))

    def model(self, number: int, *, chooses_anew: bool = False) -> Pipeline:
        """The fitted model that scores fold `number`; the last one is of the whole training part."""
        if number == len(self.folds):
            return clone(self.chosen).fit(*self._data(self.rows))
        unfitted = self.unfitted if chooses_anew else self.chosen
        return clone(unfitted).fit(*self._data(self.rows[self.folds[number][0]]))

    def scores(self, model: Pipeline, features: pd.DataFrame) -> FloatArray:
        """Scores of instances by a fitted model, (n,) or (n, n_classes)."""
        return class_scores(model, features) if self.of_all_classes else positive_scores(model, features)

    def fold_scores(self, number: int, model: Pipeline) -> FloatArray:
        """Scores of the instances of fold `number`."""
        return self.scores(model, self.features.iloc[self.rows[self.folds[number][1]]])

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
        return np.concatenate(parts)[np.argsort(np.concatenate([outside for _, outside in self.folds]))]

    def _data(self, rows: IntArray) -> tuple[pd.DataFrame, IntArray]:
        return self.features.iloc[rows], self.labels[rows]


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
        self.scores: FloatArray = np.empty((len(features), n_classes) if part.of_all_classes else len(features))

    def add(self, fold: int, model: Pipeline) -> None:
        """Score the instances of one fold."""
        if (rows := self._fold_of == fold).any():
            self.scores[rows] = self._part.scores(model, self._features[rows])
