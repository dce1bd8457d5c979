"""EMQ for any number of classes: the prevalences that make the sample's class scores most likely."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_class_scores, check_integer
from qcore.quantifiers.multiclass.base import ClassBatch, class_training_data, classwise
from qcore.quantifiers.multiclass.simplex_minimisation import minimise_on_simplex

_GAP = 1e-9
_MAX_STEPS = 100
_MAX_HALVINGS = 40
_DAMPING = 1e-9
_ROUNDING = 1e-15


@dataclass
class MulticlassEMQ:
    """EMQ: class scores as posteriors of the training prevalences, adjusted to the sample by expectation maximisation.

    Parameters
    ----------
    steps : None for the fixed point; a number stops the iteration after that many steps.

    The fixed point is the maximum of a concave log likelihood on the simplex, found by Newton's method (a quadratic programme
    at each step) until the likelihood is within 1e-9 of its largest value. Source: Saerens et al. 2002.
    """

    steps: int | None = None

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalences; the scores are checked."""
        if self.steps is not None:
            check_integer("steps", self.steps, low=1, way_out="Choose for example 5, or None for the fixed point.")
        _, truth = class_training_data(scores, labels)
        self.prevalences_ = np.bincount(truth) / len(truth)
        return self

    def predict(self, scores: ArrayLike | ClassBatch) -> FloatArray:
        """Most likely prevalences, (..., sample_size, n_classes) -> (..., n_classes)."""
        return classwise(scores, len(self.prevalences_), self._answer)

    def posteriors(self, scores: ArrayLike) -> FloatArray:
        """Scores adjusted to each sample's estimate, same shape; where the adjustment is 0/0 an instance keeps its scores."""
        checked = check_class_scores("scores", scores)
        adjusted = checked * (self.predict(checked) / self.prevalences_)[..., np.newaxis, :]
        total = adjusted.sum(axis=-1, keepdims=True)
        return np.divide(adjusted, total, out=checked.copy(), where=total > 0.0)

    def _answer(self, batch: ClassBatch) -> FloatArray:
        ratios = batch.scores / self.prevalences_
        start = np.tile(self.prevalences_, (len(batch), 1))
        if self.steps is None:
            return _fixed_points(ratios, start)
        for _ in range(self.steps):
            start = _em_step(ratios, start)
        return start


def _likelihoods(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    """Likelihood of each instance up to a constant, (n, sample_size)."""
    return np.maximum((ratios @ prevalences[:, :, np.newaxis])[:, :, 0], 1e-100)


def _em_step(ratios: FloatArray, prevalences: FloatArray) -> FloatArray:
    stepped = prevalences * (ratios / _likelihoods(ratios, prevalences)[:, :, np.newaxis]).mean(axis=1)
    return stepped / stepped.sum(axis=1, keepdims=True)


def _fixed_points(ratios: FloatArray, start: FloatArray) -> FloatArray:
    estimates = _em_step(ratios, start)
    active = np.arange(len(estimates))
    for _ in range(_MAX_STEPS):
        current, subset = estimates[active], ratios[active]
        weights = subset / _likelihoods(subset, current)[:, :, np.newaxis]
        gradient = weights.mean(axis=1)
        # No prevalences can have a log likelihood higher than the current one by more than max(gradient) - 1 (Jensen).
        open_ = gradient.max(axis=1) > 1.0 + _GAP
        if not open_.any():
            break
        active, current, subset, weights, gradient = (part[open_] for part in (active, current, subset, weights, gradient))
        hessian = np.swapaxes(weights, 1, 2) @ weights / weights.shape[1] + _DAMPING * np.eye(current.shape[1])
        target = minimise_on_simplex(hessian, gradient + np.einsum("nij,nj->ni", hessian, current))
        estimates[active] = _line_search(subset, current, target)
    return estimates


def _line_search(ratios: FloatArray, current: FloatArray, target: FloatArray) -> FloatArray:
    """The first of the steps 1, 1/2, 1/4, ... towards the target that raises the likelihood; an EM step if none does."""
    best = _em_step(ratios, current)
    required = np.log(_likelihoods(ratios, best)).mean(axis=1)
    waiting = np.arange(len(current))
    step = 1.0
    for _ in range(_MAX_HALVINGS):
        tried = current[waiting] + step * (target[waiting] - current[waiting])
        better = np.log(_likelihoods(ratios[waiting], tried)).mean(axis=1) > required[waiting] - _ROUNDING
        best[waiting[better]] = tried[better]
        waiting = waiting[~better]
        if not len(waiting):
            break
        step /= 2.0
    return best
