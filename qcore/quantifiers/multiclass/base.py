"""The contract of a quantifier for any number of classes, and the block of samples that it answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_class_labels, check_class_scores
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.batch import Batch


class MulticlassQuantifier(Protocol):
    """Estimate the prevalence of every class from class scores. Parameters are dataclass fields; what is learnt ends in `_`."""

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn from out-of-fold scores that sum to 1, (n_training, n_classes), and labels from 0, (n_training,)."""
        ...

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Prevalence vectors, (..., n_classes), of samples of class scores, (..., sample_size, n_classes)."""
        ...


class ClassBatch:
    """Checked class scores of samples, (n_samples, sample_size, n_classes), with what several quantifiers need of them."""

    def __init__(self, scores: FloatArray) -> None:
        self.scores = scores
        self._of_class: dict[int, Batch] = {}

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def predicted(self) -> IntArray:
        """The class with the highest score, (n_samples, sample_size)."""
        return predicted(self.scores)

    @cached_property
    def mean(self) -> FloatArray:
        """Mean score of each class, (n_samples, n_classes)."""
        return self.scores.mean(axis=1)

    def of_class(self, label: int) -> Batch:
        """The scores of one class against all others."""
        if label not in self._of_class:
            self._of_class[label] = Batch(np.ascontiguousarray(self.scores[:, :, label]))
        return self._of_class[label]


def predicted(scores: FloatArray) -> IntArray:
    """The class with the highest score, (..., n_classes) -> (...); ties go to the last, so that 0.5 is positive for two."""
    return scores.shape[-1] - 1 - scores[..., ::-1].argmax(axis=-1)


def shares(classes: IntArray, n_classes: int) -> FloatArray:
    """Share of each class, (n_samples, sample_size) -> (n_samples, n_classes)."""
    flat = classes + n_classes * np.arange(len(classes))[:, np.newaxis]
    counts = np.bincount(flat.ravel(), minlength=n_classes * len(classes)).reshape(-1, n_classes)
    return counts / classes.shape[1]


def class_training_data(scores: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Checked (scores, labels) for `fit`. Raises InvalidInput."""
    checked, truth = check_class_scores("scores", scores), check_class_labels("labels", labels)
    if checked.shape != (len(truth), int(truth.max()) + 1):
        raise InvalidInput(
            "scores",
            f"have a row for each label and a column for each class, shape ({len(truth)}, {int(truth.max()) + 1})",
            f"shape {checked.shape}",
            "Check that labels and scores are of the same instances and classes.",
        )
    return checked, truth


def classwise(scores: ArrayLike | ClassBatch, n_classes: int, estimate: Callable[[ClassBatch], FloatArray]) -> FloatArray:
    """`estimate` of samples block by block: (..., sample_size, n_classes) -> (..., n_classes). Raises InvalidInput."""
    checked = scores.scores if isinstance(scores, ClassBatch) else check_class_scores("scores", scores)
    if checked.shape[-1] != n_classes:
        raise InvalidInput(
            "scores", f"have the {n_classes} classes of training", str(checked.shape[-1]), "Check the last axis."
        )
    if isinstance(scores, ClassBatch):
        with one_thread():
            return estimate(scores)
    rows = checked.reshape(-1, *checked.shape[-2:])
    estimates = np.empty((len(rows), n_classes))
    step = class_samples_per_block(rows.shape[1], n_classes)
    with one_thread():
        for start in range(0, len(rows), step):
            estimates[start : start + step] = estimate(ClassBatch(rows[start : start + step]))
    return estimates.reshape(*checked.shape[:-2], n_classes)


def class_samples_per_block(sample_size: int, n_classes: int) -> int:
    """How many samples of this size make a block: their class scores, and a matrix over the classes for each, must fit."""
    return samples_per_block(n_classes * max(sample_size, n_classes))
