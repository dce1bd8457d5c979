"""The counts behind an adjusted count.

Rates the wrong way round: a tpr below the fpr, and what it may come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_fraction,
    check_one_shape,
    check_part,
    check_scores,
    check_training_data,
    whole_numbers,
)


@dataclass(frozen=True)
class Counts:
    """Counts of one sample, or of many: each is a whole number or an array, and all broadcast to one shape (...).

    Attributes
    ----------
    predicted_positives, sample_size : x of m instances of the sample are predicted positive.
    true_positives, positives : tp of the n_pos labelled positives are predicted positive.
    false_positives, negatives : fp of the n_neg labelled negatives are predicted positive.

    Raises
    ------
    InvalidInput
        A count is not a whole number, is negative or larger than its total, or a total is 0.

    Examples
    --------
    >>> counts = Counts(210, 1000, 85, 100, 12, 100)
    >>> counts.estimate.round(3).item(), counts.tpr.item(), counts.fpr.item()
    (0.123, 0.85, 0.12)
    """

    predicted_positives: int | IntArray
    sample_size: int | IntArray
    true_positives: int | IntArray
    positives: int | IntArray
    false_positives: int | IntArray
    negatives: int | IntArray

    def __post_init__(self) -> None:
        pairs = (
            ("predicted_positives", "sample_size"),
            ("true_positives", "positives"),
            ("false_positives", "negatives"),
        )
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        check_one_shape("counts", *vars(self).values())
        for part, whole in pairs:
            total = vars(self)[whole]
            if (total < 1).any():
                raise InvalidInput(whole, "be at least 1", str(int(total.min())), "Count at least one instance.")
            check_part(part, vars(self)[part], whole, total)

    @classmethod
    def from_scores(cls, sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, threshold: float = 0.5) -> Counts:
        """The counts at a threshold: of a sample of scores, (..., m), and of validation scores and labels, (n,) each.

        Raises InvalidInput for a score or a threshold outside [0, 1], and unless the labels are 0 and 1, both present.
        """
        training, truth = check_training_data(scores, labels)
        check_fraction("threshold", threshold, hint="Choose for example 0.5.")
        predicted, positive, in_sample = training >= threshold, truth == 1, check_scores("sample", sample) >= threshold
        of_positives, of_negatives = predicted[positive], predicted[~positive]
        return cls(
            in_sample.sum(axis=-1),
            in_sample.shape[-1],
            of_positives.sum(),
            len(of_positives),
            of_negatives.sum(),
            len(of_negatives),
        )

    @cached_property
    def count(self) -> FloatArray:
        """Share of the sample that is predicted positive."""
        return np.asarray(self.predicted_positives) / np.asarray(self.sample_size)

    @cached_property
    def tpr(self) -> FloatArray:
        """True positive rate, the sensitivity."""
        return np.asarray(self.true_positives) / np.asarray(self.positives)

    @cached_property
    def fpr(self) -> FloatArray:
        """False positive rate, 1 minus the specificity."""
        return np.asarray(self.false_positives) / np.asarray(self.negatives)

    @cached_property
    def smoothed_rates(self) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
        """(sensitivity, its variance) and (specificity, its variance), with a success and a failure added to each class."""
        right = self.true_positives, np.asarray(self.negatives) - np.asarray(self.false_positives)
        sizes = (np.asarray(self.positives) + 2.0, np.asarray(self.negatives) + 2.0)
        se, sp = ((np.asarray(count) + 1.0) / n for count, n in zip(right, sizes, strict=True))
        return (se, se * (1.0 - se) / sizes[0]), (sp, sp * (1.0 - sp) / sizes[1])

    @cached_property
    def unclipped(self) -> FloatArray:
        """(count - fpr) / (tpr - fpr) without clipping (Rogan and Gladen 1978); NaN where tpr is not above fpr."""
        gap = self.tpr - self.fpr
        return (self.count - self.fpr) / np.where(gap > TIE, gap, np.nan)

    @cached_property
    def estimate(self) -> FloatArray:
        """The estimate in [0, 1]; the count itself where tpr is not above fpr, so that nothing can be corrected."""
        return np.where(np.isnan(self.unclipped), self.count, np.clip(self.unclipped, 0.0, 1.0))

    @cached_property
    def corrects(self) -> np.ndarray:
        """Where tpr is above fpr, so that a count says something about the prevalence."""
        return ~np.isnan(self.unclipped)


_BY_CHANCE = 2.0
"""Standard errors by which a tpr may lie below an fpr by chance."""


def reversed_rates(counts: Counts) -> str:
    """A sentence where the tpr is below the fpr, which no classifier of use has; else empty. Of one sample, or of many alike.

    Examples
    --------
    >>> reversed_rates(Counts(45, 100, 30, 100, 60, 100))[:53]
    'tpr (0.30) is below fpr (0.60), the wrong way round: '
    """
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    if tpr >= fpr:
        return ""
    (se, of_se), (sp, of_sp) = counts.smoothed_rates
    by_chance = 1.0 - se - sp < _BY_CHANCE * np.sqrt(of_se + of_sp)
    maybe = " (perhaps by chance)" if by_chance else ""
    return (
        f"tpr ({tpr:.2f}) is below fpr ({fpr:.2f}), the wrong way round{maybe}: true and false positives or the classes may be "
        "swapped, or the scores be those of the other class."
    )
