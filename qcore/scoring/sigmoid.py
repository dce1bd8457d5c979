"""Platt's sigmoid: scores of a classifier that gives no probabilities, turned into posteriors of the training prevalence.

It is learnt from held-out training scores, so it is that of instances which a model has not seen.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from qcore._base.validation import FloatArray, IntArray

_STEPS = 100
_NEGLIGIBLE = 1e-9
_LEAST_SLOPE = 1e-3
_RIDGE = 1e-9
"""Keeps the system of equations solvable where all scores are the same."""


@dataclass(frozen=True, eq=False)
class Sigmoid:
    """Curves s -> expit(intercept + slope logit(s)) through the log odds of scores: one, or one for each of many training sets.

    Attributes
    ----------
    intercept, slope : (...), of each curve.
    least : scores are taken to be at least this, and at most one minus this: those of 0 and 1 have no finite log odds.
    """

    intercept: FloatArray
    slope: FloatArray
    least: float

    @classmethod
    def fit(
        cls, scores: FloatArray, labels: IntArray, start: "Sigmoid | None" = None, counts: IntArray | None = None
    ) -> "Sigmoid":
        """The most likely curves for scores, (..., n), and labels 0 and 1, (n,), by Newton's method.

        As Platt does, labels count as (n_pos + 1) / (n_pos + 2) and 1 / (n_neg + 2), so that separated classes have finite
        curves. `start` is a curve near the result, `counts`, (n,), how often each score occurs.

        Source: Platt 1999; Lin et al. 2007 for Newton's method.
        """
        numbers = np.ones(len(labels)) if counts is None else counts
        n_positives, n = int(numbers[labels == 1].sum()), int(numbers.sum())
        wanted = np.where(labels == 1, (n_positives + 1.0) / (n_positives + 2.0), 1.0 / (n - n_positives + 2.0))
        least = _least(scores, n) if start is None else start.least
        odds = logit(np.clip(scores, least, 1.0 - least))
        intercept, slope = (np.full(scores.shape[:-1], value) for value in ((0.0, 1.0) if start is None else start._of_one))
        for _ in range(_STEPS):
            curve = expit(intercept[..., np.newaxis] + slope[..., np.newaxis] * odds)
            error, weight = numbers * (wanted - curve), numbers * curve * (1.0 - curve)
            weighted = weight * odds
            a, b, c = weight.sum(-1) + _RIDGE, weighted.sum(-1), (weighted * odds).sum(-1) + _RIDGE
            first, second = error.sum(-1), (error * odds).sum(-1)
            determinant = a * c - b * b
            steps = (c * first - b * second) / determinant, (a * second - b * first) / determinant
            # Far from the maximum a whole step can overshoot.
            largest = np.maximum(np.abs(steps[0]), np.abs(steps[1]))
            share = np.minimum(1.0, 2.0 / np.maximum(largest, _NEGLIGIBLE))
            intercept, slope = intercept + share * steps[0], slope + share * steps[1]
            if largest.max() < _NEGLIGIBLE:
                break
        return cls(intercept, slope, least)

    def of(self, curves: IntArray) -> "Sigmoid":
        """The curves of these numbers, (k,), of many."""
        return Sigmoid(self.intercept[curves], self.slope[curves], self.least)

    @property
    def _of_one(self) -> tuple[float, float]:
        return float(self.intercept), float(self.slope)

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Posteriors of scores, (..., m) -> (..., m)."""
        odds = logit(np.clip(scores, self.least, 1.0 - self.least))
        return expit(self.intercept[..., np.newaxis] + self.slope[..., np.newaxis] * odds)

    def scattered(self, scores: FloatArray, centre: "Sigmoid") -> FloatArray:
        """Posteriors to which `centre` gives the value that this curve gives to the scores: (..., m) -> (..., m).

        So the chance of the training instances moves posteriors, which are the scores themselves where the curves are the same.
        """
        odds = logit(np.clip(scores, self.least, 1.0 - self.least))
        scale = max(float(centre.slope), _LEAST_SLOPE)
        shift, stretch = (self.intercept - centre.intercept) / scale, self.slope / scale
        return expit(shift[..., np.newaxis] + stretch[..., np.newaxis] * odds)


@dataclass(frozen=True, eq=False)
class ClassSigmoids:
    """A sigmoid for each class against the rest; the posteriors of all classes are divided by their sum."""

    of_class: tuple[Sigmoid, ...]

    @classmethod
    def fit(cls, scores: FloatArray, labels: IntArray) -> "ClassSigmoids":
        """The sigmoids of scores of all classes, (n, n_classes), with labels from 0, (n,). Source: Zadrozny and Elkan 2002."""
        return cls(tuple(Sigmoid.fit(of_one, (labels == c).astype(np.intp)) for c, of_one in enumerate(scores.T)))

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Posteriors of scores, (..., n_classes) -> (..., n_classes)."""
        posteriors = np.stack([one(scores[..., c]) for c, one in enumerate(self.of_class)], axis=-1)
        return posteriors / posteriors.sum(axis=-1, keepdims=True)


def _least(scores: FloatArray, n: int) -> float:
    """A score of 0 or 1 counts as half an instance, or as the score that is nearest to it if that is nearer."""
    inside = scores[(scores > 0.0) & (scores < 1.0)]
    nearest = float(min(inside.min(), 1.0 - inside.max())) if inside.size else 0.5
    return max(min(0.5 / n, nearest), float(np.finfo(np.float64).eps))
