"""A sample that is predicted as a whole, and of which some instances, drawn at random, are labelled: its counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_one_shape, check_part, whole_numbers

_PAIRS = (
    ("predicted_positives", "sample_size"),
    ("checked_positives", "predicted_positives"),
    ("true_positives", "checked_positives"),
    ("false_negatives", "checked_negatives"),
)


@dataclass(frozen=True)
class LabelledSample:
    """Counts of one sample, or of many: each is a whole number or an array, and all broadcast to one shape (...).

    Labels are drawn at random from the sample, or at random from each of its two predicted classes. Nothing is assumed of how
    prevalence or classes have changed since the classifier was trained.

    Attributes
    ----------
    predicted_positives, sample_size : x of m instances of the sample are predicted positive.
    checked_positives, true_positives : how many of the predicted positives are labelled, and how many of these are positive.
    checked_negatives, false_negatives : how many of the predicted negatives are labelled, and how many of these are positive.

    Raises
    ------
    InvalidInput
        A count is not a whole number, is negative or larger than its total, or nothing is labelled.

    Examples
    --------
    >>> sample = LabelledSample(310, 1000, 31, 24, 69, 6)
    >>> sample.estimate.round(3).item(), sample.n_labels.item()
    (0.3, 100)
    """

    predicted_positives: int | IntArray
    sample_size: int | IntArray
    checked_positives: int | IntArray
    true_positives: int | IntArray
    checked_negatives: int | IntArray
    false_negatives: int | IntArray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        check_one_shape("counts", *vars(self).values())
        rest = np.asarray(self.sample_size) - np.asarray(self.predicted_positives)
        totals = [(part, getattr(self, whole), whole) for part, whole in _PAIRS]
        totals.append(("checked_negatives", rest, "the predicted negatives"))
        for part, most, whole in totals:
            check_part(part, getattr(self, part), whole, most)
        if (self.n_labels < 1).any():
            raise InvalidInput("labels", "be at least 1", "0", "Label some instances of the sample, drawn at random.")

    @classmethod
    def from_labels(cls, predictions: ArrayLike, labels: ArrayLike) -> LabelledSample:
        """The counts of predictions, (m,) of 0 and 1, and labels, (m,) of 0, 1 and NaN for unlabelled instances.

        Raises InvalidInput for other values, for lengths that differ, or without any label.
        """
        try:
            taken, truth = np.asarray(predictions, dtype=np.float64), np.asarray(labels, dtype=np.float64)
        except (TypeError, ValueError) as error:
            way_out = "1 is the positive class; read_labelled_columns reads a table with names of classes."
            raise InvalidInput("predictions and labels", "be 0 or 1", "other values", way_out) from error
        if taken.shape != truth.shape or taken.ndim != 1:
            shapes = f"{truth.shape} beside {taken.shape}"
            raise InvalidInput("labels", "have as many entries as predictions", shapes, "Pass NaN for unlabelled instances.")
        known = ~np.isnan(truth)
        for name, values in (("predictions", taken), ("labels", truth[known])):
            if not np.isin(values, (0.0, 1.0)).all():
                raise InvalidInput(name, "be 0 or 1", str(values[~np.isin(values, (0.0, 1.0))][0]), "1 is the positive class.")
        positive = taken == 1
        checked, missed = truth[known & positive], truth[known & ~positive]
        return cls(int(positive.sum()), len(taken), len(checked), int(checked.sum()), len(missed), int(missed.sum()))

    @cached_property
    def n_labels(self) -> IntArray:
        """Number of labels."""
        return np.asarray(self.checked_positives) + np.asarray(self.checked_negatives)

    @cached_property
    def weights(self) -> FloatArray:
        """Share of each predicted class in the sample, negatives first, (2, ...)."""
        taken = np.asarray(self.predicted_positives) / np.asarray(self.sample_size)
        return np.stack(np.broadcast_arrays(1.0 - taken, taken))

    @cached_property
    def predicted(self) -> IntArray:
        """Number of instances of each predicted class, negatives first, (2, ...)."""
        taken = np.asarray(self.predicted_positives)
        return np.stack(np.broadcast_arrays(np.asarray(self.sample_size) - taken, taken))

    @cached_property
    def checked(self) -> IntArray:
        """Number of labels in each predicted class, negatives first, (2, ...)."""
        return np.stack(np.broadcast_arrays(np.asarray(self.checked_negatives), np.asarray(self.checked_positives)))

    @cached_property
    def positives(self) -> IntArray:
        """Number of labelled positives in each predicted class, negatives first, (2, ...)."""
        return np.stack(np.broadcast_arrays(np.asarray(self.false_negatives), np.asarray(self.true_positives)))

    @cached_property
    def shares(self) -> FloatArray:
        """Share of positives among the labels of each predicted class, negatives first, (2, ...); 1/2 without a label."""
        return np.where(self.checked > 0, self.positives / np.maximum(self.checked, 1), 0.5)

    @cached_property
    def estimate(self) -> FloatArray:
        """Share of positives, (...): those of the labels in each predicted class, weighted by its size (Tenenbein 1970)."""
        return (self.weights * self.shares).sum(axis=0)

    @cached_property
    def rates(self) -> tuple[FloatArray, FloatArray]:
        """(tpr, fpr) of the classifier on this very sample, (...) each; NaN where the sample seems to have no such class."""
        taken, p = self.weights[1], self.estimate
        with np.errstate(invalid="ignore", divide="ignore"):
            return taken * self.shares[1] / p, taken * (1.0 - self.shares[1]) / (1.0 - p)

    @cached_property
    def agreement(self) -> FloatArray:
        """Share of the sample's instances that are predicted right, as the labels show, (...)."""
        return self.weights[1] * self.shares[1] + self.weights[0] * (1.0 - self.shares[0])
