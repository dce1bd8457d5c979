"""Data set + classifier + seed -> Scores: out-of-fold training scores and pool scores, both with labels.

A ScoringPlan fixes the split and the folds, and scores each fold by itself, so that a page can show progress, stop between
folds and keep what is done. `score_dataset` does all of it at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import Pipeline

from qcore._base.validation import FloatArray, IntArray, InvalidInput
from qcore.classifiers import make_classifier, positive_scores, with_chosen_parameters
from qcore.datasets import Dataset, check_dataset
from qcore.scoring.scores import Scores, ScoringSettings

N_FOLDS: Final = 10


class ScoringPlan:
    """The split of a data set into training part and pool, and of the training part into folds.

    Parameters
    ----------
    dataset, settings : what to score, and how.

    Raises
    ------
    InvalidInput
        The positive class is unknown, or a class has fewer than 2 training instances or none in the pool.

    Examples
    --------
    >>> from qcore import ScoringSettings, load_dataset
    >>> plan = ScoringPlan(load_dataset("iris"), ScoringSettings("setosa"))
    >>> len(plan.training_rows), len(plan.pool_rows), plan.pool_counts
    (75, 75, (25, 50))
    """

    def __init__(self, dataset: Dataset, settings: ScoringSettings) -> None:
        self._dataset = dataset
        self._settings = settings
        self._remark = ""
        self._labels = dataset.binary_labels(settings.positive)
        rng = np.random.default_rng(settings.seed)
        split_state, fold_state, self._model_state = (int(state) for state in rng.integers(2**31 - 1, size=3))
        training, self._pool = self._split(split_state)
        self._training = self._undersample(training, rng)
        self._check_classes()
        self.n_folds = min(N_FOLDS, *np.bincount(self._labels[self._training], minlength=2).tolist())
        folds = StratifiedKFold(self.n_folds, shuffle=True, random_state=fold_state)
        self._folds = list(folds.split(self._training, self._labels[self._training]))

    @property
    def n_parts(self) -> int:
        """Number of pieces of work: one for each fold and one for the pool."""
        return self.n_folds + 1

    @property
    def pool_counts(self) -> tuple[int, int]:
        """Numbers of positives and of negatives in the pool, known before anything is fitted."""
        n_positives = int(self._labels[self._pool].sum())
        return n_positives, len(self._pool) - n_positives

    @property
    def training_rows(self) -> IntArray:
        """Rows of the data set that make the training part, (n_training,), in the order of the training scores."""
        return self._training

    @property
    def pool_rows(self) -> IntArray:
        """Rows of the data set that make the pool, (n_pool,), in the order of the pool's scores."""
        return self._pool

    def part(self, number: int) -> FloatArray:
        """Scores of the held-out instances of fold `number` by the model of the others; the last part is the pool's."""
        model = self.model(number)
        self._remark = getattr(model[-1], "remark_", "")
        scored = self._pool if number == self.n_folds else self._training[self._folds[number][1]]
        return positive_scores(model, self._dataset.features.iloc[scored])

    def scores(self) -> Scores:
        """The scores: all parts, computed one after the other."""
        return self.assemble([self.part(number) for number in range(self.n_parts)])

    def assemble(self, parts: Sequence[FloatArray]) -> Scores:
        """Scores from all parts in order."""
        training_scores = np.empty(len(self._training))
        for (_, outside), part in zip(self._folds, parts, strict=False):
            training_scores[outside] = part
        return Scores(training_scores, self._labels[self._training], parts[-1], self._labels[self._pool], self._notes())

    def _split(self, state: int) -> tuple[IntArray, IntArray]:
        fewest = int(np.bincount(self._labels, minlength=2).min())
        if fewest < 3:
            raise InvalidInput(
                f"each class of {self._dataset.name}",
                "have at least 3 instances (2 for training, 1 for the pool)",
                f"{fewest} with {self._settings.positive!r} as positive class",
                "Choose another positive class.",
            )
        everything = np.arange(len(self._labels))
        share = self._settings.training_share
        n_training = int(share * len(everything))
        if not 4 <= n_training <= len(everything) - 2:
            raise InvalidInput(
                "training share",
                f"leave at least 4 of the {len(everything)} instances for training and 2 for the pool",
                f"{share:g}, which trains on {n_training}",
                "Choose for example 0.5.",
            )
        training, pool = train_test_split(everything, train_size=share, random_state=state, stratify=self._labels)
        return np.sort(training), np.sort(pool)

    def _undersample(self, training: IntArray, rng: np.random.Generator) -> IntArray:
        """Drop instances of one class until the requested prevalence is met; keep as many as possible."""
        prevalence = self._settings.training_prevalence
        if prevalence is None:
            return training
        positives, negatives = training[self._labels[training] == 1], training[self._labels[training] == 0]
        total = min(len(positives) / prevalence, len(negatives) / (1.0 - prevalence))
        kept = [
            rng.choice(members, size=min(len(members), int(np.rint(total * share))), replace=False)
            for members, share in ((positives, prevalence), (negatives, 1.0 - prevalence))
        ]
        return np.sort(np.concatenate(kept))

    def _check_classes(self) -> None:
        more = "Give the training part a larger share, or a training prevalence that keeps more of that class."
        parts = (("training", self._training, 2, more), ("pool", self._pool, 1, "Give the training part a smaller share."))
        for part, members, minimum, way_out in parts:
            counts = np.bincount(self._labels[members], minlength=2)
            for count, side in zip(counts, ("negative", "positive"), strict=True):
                if count < minimum:
                    raise InvalidInput(
                        f"the {side} class", f"have at least {minimum} {part} instances", str(int(count)), way_out
                    )

    @cached_property
    def _classifier(self) -> Pipeline:
        """Unfitted; a classifier that chooses its parameters has those that it chooses on the whole training part."""
        key = self._settings.classifier
        smallest = len(self._training) - max(len(outside) for _, outside in self._folds)
        classifier = make_classifier(key, self._dataset.nominal, smallest, self._model_state)
        return with_chosen_parameters(key, classifier, *self._data(self._training))

    def model(self, number: int) -> Pipeline:
        """The fitted model of part `number`: of all folds but that one; the last one is of the whole training part."""
        training = self._training if number == self.n_folds else self._training[self._folds[number][0]]
        return clone(self._classifier).fit(*self._data(training))

    def _data(self, rows: IntArray) -> tuple[pd.DataFrame, IntArray]:
        return self._dataset.features.iloc[rows], self._labels[rows]

    def _notes(self) -> tuple[str, ...]:
        remark = (self._remark,) if self._remark else ()
        if self.n_folds == N_FOLDS:
            return remark
        return (
            *remark,
            f"The smaller class has {self.n_folds} training instances, so cross-validation uses {self.n_folds} folds "
            f"instead of {N_FOLDS}; its tpr and fpr are rough.",
        )


def score_dataset(dataset: Dataset, settings: ScoringSettings | None = None) -> Scores:
    """Split, cross-validate and score in one call.

    `settings` defaults to the data set's own positive class, logistic regression and seed 0. Raises InvalidInput as
    ScoringPlan.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> scores = score_dataset(load_dataset("wdbc"))
    >>> scores.pool_scores.shape, [round(rate, 2) for rate in scores.rates]
    ((285,), [0.93, 0.01])
    """
    check_dataset(dataset)
    return ScoringPlan(dataset, settings or ScoringSettings(dataset.default_positive)).scores()
