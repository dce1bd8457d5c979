"""EMQ for any number of classes: the prevalences that make the sample's class scores most likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore.multiclass.base import ClassBatch, class_training_data, classwise
from qcore.multiclass.simplex import least_on_simplex
from qcore.validation import FloatArray, check_class_scores, check_integer

_GAP = 1e-9
_MOST_STEPS = 100
_MOST_HALVINGS = 40
_PULL = 1e-9
_ROUNDING = 1e-15


@dataclass
class MulticlassEMQ:
    """EMQ: class scores as posteriors of the training prevalences, adjusted to the sample by EM (Saerens et al. 2002).

    Parameters
    ----------
    steps : None for the fixed point; a number stops the iteration after so many steps.

    The fixed point is the maximum of a concave log likelihood on the simplex, found by Newton's method (a quadratic programme
    at each step) until the likelihood is within 1e-9 of its largest value.
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
        """Scores adjusted to each sample's estimate, same shape; where the adjustment is 0/0 an instance's scores stay."""
        checked = check_class_scores("scores", scores)
        raised = checked * (self.predict(checked) / self.prevalences_)[..., np.newaxis, :]
        total = raised.sum(axis=-1, keepdims=True)
        return np.divide(raised, total, out=checked.copy(), where=total > 0.0)

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
    found = _em_step(ratios, start)
    going = np.arange(len(found))
    for _ in range(_MOST_STEPS):
        here, among = found[going], ratios[going]
        pull = among / _likelihoods(among, here)[:, :, np.newaxis]
        gradient = pull.mean(axis=1)
        # No prevalences can have a log likelihood higher than here by more than max(gradient) - 1 (Jensen).
        open_ = gradient.max(axis=1) > 1.0 + _GAP
        if not open_.any():
            break
        going, here, among, pull, gradient = going[open_], here[open_], among[open_], pull[open_], gradient[open_]
        hessian = np.swapaxes(pull, 1, 2) @ pull / pull.shape[1] + _PULL * np.eye(here.shape[1])
        target = least_on_simplex(hessian, gradient + np.einsum("nij,nj->ni", hessian, here))
        found[going] = _line_search(among, here, target)
    return found


def _line_search(ratios: FloatArray, here: FloatArray, target: FloatArray) -> FloatArray:
    """The first of the steps 1, 1/2, 1/4, ... towards the target that raises the likelihood; an EM step if none does."""
    best = _em_step(ratios, here)
    least = np.log(_likelihoods(ratios, best)).mean(axis=1)
    waiting = np.arange(len(here))
    step = 1.0
    for _ in range(_MOST_HALVINGS):
        tried = here[waiting] + step * (target[waiting] - here[waiting])
        better = np.log(_likelihoods(ratios[waiting], tried)).mean(axis=1) > least[waiting] - _ROUNDING
        best[waiting[better]] = tried[better]
        waiting = waiting[~better]
        if not len(waiting):
            break
        step /= 2.0
    return best
