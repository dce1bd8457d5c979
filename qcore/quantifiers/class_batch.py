"""A block of samples of class scores, with what several quantifiers need of them, each computed once."""

from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray
from qcore.protocols.samples import samples_per_block
from qcore.quantifiers.batch import Batch


class ClassBatch:
    """Checked class scores of samples, (n_samples, sample_size, n_classes), with what several quantifiers need of them."""

    def __init__(self, scores: FloatArray) -> None:
        self.scores = scores
        self._of_class: dict[int, Batch] = {}

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def predicted_share(self) -> FloatArray:
        """Share predicted for each class, (n_samples, n_classes)."""
        return shares(predicted(self.scores), self.scores.shape[2])

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


def class_samples_per_block(sample_size: int, n_classes: int) -> int:
    """How many samples of this size make a block: their class scores, and a matrix over the classes for each, must fit."""
    return samples_per_block(n_classes * max(sample_size, n_classes))
