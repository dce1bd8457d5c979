"""EMQ: the prevalence that makes the sample's scores most likely, and the posteriors adjusted to it."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import (
    FloatArray,
    check_class_scores,
    check_integer,
    check_labelled_scores,
    check_one_sample,
    check_scores,
)
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import Batch, ClassBatch
from qcore.quantifiers.counting import number_of_classes
from qcore.quantifiers.inspection import Trajectory
from qcore.quantifiers.likelihood_maximisation import em_step, likelihood_poles, most_likely_prevalences, most_likely_weights

_SHOWN_STEPS = 30


@dataclass
class EMQ(ScoreQuantifier):
    """EMQ, or SLD: scores as posteriors of the training prevalence p0, adjusted to the sample by expectation maximisation.

    Parameters
    ----------
    steps : None for the fixed point; a number stops the iteration after that many steps.

    The fixed point is the maximum of the concave log likelihood mean log(p s / p0 + (1 - p)(1 - s) / (1 - p0)), found to 1e-9
    by Newton's method. It is 0 or 1 if the likelihood still rises there, and p0 if it is flat (each score equals p0).
    Of several classes it is the maximum of the likelihood on the simplex.

    Source: Saerens et al. 2002; Maletzke et al. 2020 for the setting of 5 steps.

    Examples
    --------
    >>> EMQ().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0]).predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.362
    """

    takes_counts: ClassVar[bool] = True
    steps: int | None = None

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalence, or those of all classes; the scores are checked."""
        if self.steps is not None:
            check_integer("steps", self.steps, low=1, hint="Choose for example 5, or None for the fixed point.")
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        self.prevalence_: Any = float(truth.mean()) if self.n_classes_ is None else np.bincount(truth) / len(truth)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Most likely prevalence, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        return blockwise(scores, self._of_class_batch if self.n_classes_ else self._of_batch, self.n_classes_)

    def posteriors(self, scores: ArrayLike) -> FloatArray:
        """Scores adjusted to each sample's estimate, as in `predict` -> the same shape (Saerens et al. 2002, eq. 2.4).

        Where the adjustment is 0/0 (a score of 1 in a sample whose estimate is 0, or of 0 where it is 1) the score stays.
        """
        if self.n_classes_ is None:
            checked = check_scores("scores", scores)
            return adjusted_posteriors(checked, self.prevalence_, self.predict(checked)[..., np.newaxis])
        checked = check_class_scores("scores", scores)
        adjusted = checked * (self.predict(checked) / self.prevalence_)[..., np.newaxis, :]
        total = adjusted.sum(axis=-1, keepdims=True)
        return np.divide(adjusted, total, out=checked.copy(), where=total > 0.0)

    def trajectory(self, scores: ArrayLike, n_steps: int = 50) -> Trajectory:
        """The first `n_steps` steps of the iteration for one sample, (sample_size,), and the estimate of `predict`.

        Only for the scores of one class against the rest.
        """
        check_integer("n_steps", n_steps, low=0, hint="Choose for example 50.")
        checked = check_one_sample("scores", scores)
        visited = [self.prevalence_]
        for _ in range(n_steps):
            visited.append(float(adjusted_posteriors(checked, self.prevalence_, visited[-1]).mean()))
        return Trajectory(np.array(visited), float(self.predict(checked)))

    def inspect(self, sample: ArrayLike) -> Trajectory:
        """The iteration on one sample, (sample_size,): its first 30 steps, or all `steps` if their number is fixed."""
        return replace(self.trajectory(sample, self.steps or _SHOWN_STEPS), stops=self.steps is not None)

    def _of_batch(self, batch: Batch) -> FloatArray:
        if self.steps is None:
            return most_likely_weights(batch.at_scores(self._poles), self.prevalence_, batch.shares)
        estimates = np.full(len(batch), self.prevalence_)
        for _ in range(self.steps):
            estimates = batch.means(adjusted_posteriors(batch.scores, self.prevalence_, estimates[:, np.newaxis]))
        # The mean of ones can round to just above 1.
        return np.minimum(estimates, 1.0)

    def _poles(self, scores: FloatArray) -> FloatArray:
        return likelihood_poles(scores * (1.0 - self.prevalence_), (1.0 - scores) * self.prevalence_)

    def _of_class_batch(self, batch: ClassBatch) -> FloatArray:
        ratios = batch.by_class / self.prevalence_[:, np.newaxis]
        estimates = np.tile(self.prevalence_, (len(batch), 1))
        if self.steps is None:
            return most_likely_prevalences(ratios, estimates)
        for _ in range(self.steps):
            estimates = em_step(ratios, estimates)
        return estimates


def adjusted_posteriors(scores: FloatArray, before: float, after: float | FloatArray) -> FloatArray:
    """Posteriors for the prevalence `before`, converted to `after`; scores stay where the conversion is 0/0. Shapes broadcast.

    Examples
    --------
    >>> adjusted_posteriors(np.array([0.5, 0.8]), before=0.5, after=0.2).round(6).tolist()
    [0.2, 0.5]

    Source: Saerens et al. 2002, eq. 2.4.
    """
    positive = scores * (after / before)
    both = positive + (1.0 - scores) * ((1.0 - after) / (1.0 - before))
    stay = np.broadcast_to(scores, both.shape).copy()
    return np.divide(positive, both, out=stay, where=both > 0.0)


def adjusted_class_posteriors(scores: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """Posteriors of all classes, (..., n_classes), for the prevalences `before`, converted to `after`, (n_classes,) each.

    Scores stay where the conversion is 0/0.

    Examples
    --------
    >>> adjusted_class_posteriors(np.array([[0.5, 0.5], [0.2, 0.8]]), np.full(2, 0.5), np.array([0.8, 0.2])).round(6).tolist()
    [[0.8, 0.2], [0.5, 0.5]]

    Source: Saerens et al. 2002, eq. 2.4.
    """
    weighted = scores * (after / before)
    total = weighted.sum(axis=-1, keepdims=True)
    return np.divide(weighted, total, out=scores.copy(), where=total > 0.0)
