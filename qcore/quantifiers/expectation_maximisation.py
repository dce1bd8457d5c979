"""EMQ: the prevalence that makes the sample's scores most likely, and the posteriors adjusted to it."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_integer, check_one_sample, check_scores, check_training_data
from qcore.quantifiers.batch import Batch, blockwise
from qcore.quantifiers.inspection import Trajectory
from qcore.quantifiers.likelihood import most_likely_weights

_SHOWN_STEPS = 30


@dataclass
class EMQ:
    """EMQ, or SLD: scores as posteriors of the training prevalence p0, adjusted to the sample by expectation maximisation.

    Parameters
    ----------
    steps : None for the fixed point; a number stops the iteration after that many steps.

    The fixed point is the maximum of the concave log likelihood mean log(p s / p0 + (1 - p)(1 - s) / (1 - p0)), found to 1e-9
    by Newton's method. It is 0 or 1 where the slope there says so, and p0 where the likelihood is flat (each score equals p0).

    Source: Saerens et al. 2002; Maletzke et al. 2020 for the setting of 5 steps.
    """

    steps: int | None = None

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the training prevalence from labels, (n_training,); the scores are checked."""
        if self.steps is not None:
            check_integer("steps", self.steps, low=1, way_out="Choose for example 5, or None for the fixed point.")
        _, truth = check_training_data(scores, labels)
        self.prevalence_ = float(truth.mean())
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Most likely prevalence, (..., sample_size) -> (...)."""
        return blockwise(scores, self._fixed_point if self.steps is None else self._iterated)

    def posteriors(self, scores: ArrayLike) -> FloatArray:
        """Scores adjusted to each sample's estimate, (..., sample_size) -> the same shape (Saerens et al. 2002, eq. 2.4).

        Where the adjustment is 0/0 (a score of 1 in a sample whose estimate is 0, or of 0 where it is 1) the score stays.
        """
        checked = check_scores("scores", scores)
        return adjusted_posteriors(checked, self.prevalence_, self.predict(checked)[..., np.newaxis])

    def trajectory(self, scores: ArrayLike, n_steps: int = 50) -> Trajectory:
        """The first `n_steps` steps of the iteration for one sample, (sample_size,), and the estimate of `predict`."""
        check_integer("n_steps", n_steps, low=0, way_out="Choose for example 50.")
        checked = check_one_sample("scores", scores)
        visited = [self.prevalence_]
        for _ in range(n_steps):
            visited.append(float(adjusted_posteriors(checked, self.prevalence_, visited[-1]).mean()))
        return Trajectory(np.array(visited), float(self.predict(checked)))

    def inspect(self, sample: ArrayLike) -> Trajectory:
        """The iteration on one sample, (sample_size,): its first 30 steps, or all `steps` if their number is fixed."""
        return replace(self.trajectory(sample, self.steps or _SHOWN_STEPS), stops=self.steps is not None)

    def _fixed_point(self, batch: Batch) -> FloatArray:
        positives, negatives = batch.scores / self.prevalence_, (1.0 - batch.scores) / (1.0 - self.prevalence_)
        return most_likely_weights(positives, negatives, self.prevalence_)

    def _iterated(self, batch: Batch) -> FloatArray:
        estimates = np.full(len(batch), self.prevalence_)
        for _ in range(self.steps or 0):
            estimates = adjusted_posteriors(batch.scores, self.prevalence_, estimates[:, np.newaxis]).mean(axis=1)
        # The mean of ones can round to just above 1.
        return np.minimum(estimates, 1.0)


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
    return np.divide(positive, both, out=scores.copy(), where=both > 0.0)
