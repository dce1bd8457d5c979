"""Whether a mixture of the two classes explains a sample's scores: the assumption behind every estimate, tested."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, check_integer, check_one_sample, check_training_data

_CELLS = 50
_SIMULATIONS = 1000
_AT_ONCE = 100
_ENOUGH = 100
"""Simulations end once this many are at least as far away as the sample: the p-value then has a relative error of a tenth."""

_EDGE = 0.02
_HARDLY_APART = 0.25
"""If the classes' distribution functions nowhere differ by more than this, they are nearly equal."""

LEAST_P = 0.05
"""A mixture with a smaller p-value hardly explains the sample."""

REJECTED_P = 0.01
"""A mixture with a smaller p-value does not explain the sample; at 5%, few labels give too many false rejections."""


@dataclass(frozen=True)
class GoodnessOfFit:
    """The best mixture of the classes' scores for a sample.

    Attributes
    ----------
    weight : share of positives in the mixture that is nearest to the sample.
    distance : mean squared difference of the two distribution functions.
    p_value : share of samples drawn from such a mixture, with training scores redrawn, that are at least as far away.
    edges : (n_cells - 1,), scores that cut [0, 1] into cells with about the same number of instances.
    sample, positives, negatives : (n_cells,), shares of the instances in each cell.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 200)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.15), 0.0, 1.0)
    >>> mixture_fit(scores[150:], scores, labels, rng=rng).explains
    True
    """

    weight: float
    distance: float
    p_value: float
    edges: FloatArray
    sample: FloatArray
    positives: FloatArray
    negatives: FloatArray

    @property
    def explains(self) -> bool:
        """Whether the mixture explains the sample."""
        return self.p_value >= LEAST_P

    @property
    def rejects(self) -> bool:
        """Whether the mixture clearly does not explain the sample."""
        return self.p_value < REJECTED_P

    @property
    def caution(self) -> str:
        """A sentence if the p-value is only approximate; else empty."""
        if np.abs(np.cumsum(self.positives - self.negatives)).max() < _HARDLY_APART:
            return "The classes' scores hardly differ: at 5% the test then rejects 1 to 3% of valid samples, and few others."
        if min(self.weight, 1.0 - self.weight) < _EDGE:
            return f"With a share as close to {self.weight:.0%} as here, the test at 5% rejects 6 to 9% of valid samples."
        return ""

    @property
    def mixture(self) -> FloatArray:
        """Shares of the best mixture in each cell, (n_cells,)."""
        return self.weight * self.positives + (1.0 - self.weight) * self.negatives


def mixture_fit(
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator,
    simulations: int = _SIMULATIONS,
) -> GoodnessOfFit:
    """The best mixture of training positives and negatives for a sample, and whether the sample could come from it.

    Under prior shift the sample is a mixture of the two classes as training saw them, whatever its prevalence. The p-value is
    then nearly uniform; it is small where the classes themselves have changed, under covariate or concept shift.

    Parameters
    ----------
    sample : (m,), scores of the sample.
    scores, labels : (n,) each, out-of-fold training scores and labels 0 and 1.
    rng : draws the simulations.
    simulations : the largest number of simulated samples, at least 100.

    Raises
    ------
    InvalidInput
        A score outside [0, 1], a label other than 0 and 1, or too few simulations.

    Notes
    -----
    The distance is that of Cramér and von Mises between distribution functions at the edges of up to 50 cells, minimised over
    the weight, which has a closed form. Each simulation redraws the training scores of both classes and draws a sample from
    the mixture found, since the classes are known only from training (a parametric bootstrap with estimated parameters:
    Stute et al. 1993). At level 5% it rejects 3 to 6% of samples that are such mixtures; 6 to 9% if the share of positives is
    0 or 1, where the weight can err to one side only, and 1 to 3% if the classes are nearly equal. `caution` then says so.

    Simulations are drawn a hundred at a time until a hundred of them are at least as far away as the sample (Besag and Clifford
    1991): a p-value of 0.1 or less takes all of them, one of 0.7 two hundred.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([1, 0], 200)
    >>> scores = np.clip(rng.normal(0.3 + 0.4 * labels, 0.15), 0.0, 1.0)
    >>> fit = mixture_fit(np.clip(rng.normal(0.5, 0.02, 200), 0.0, 1.0), scores, labels, rng=rng)
    >>> fit.p_value < 0.01
    True
    """
    drawn, (training, truth) = check_one_sample("sample", sample), check_training_data(scores, labels)
    check_integer("simulations", simulations, low=100)
    edges = np.unique(np.quantile(np.concatenate([training, drawn]), np.arange(1, _CELLS) / _CELLS))
    of_sample, *of_both = (cell_counts(part, edges) for part in (drawn, training[truth == 1], training[truth == 0]))
    of_classes = [counts / counts.sum() for counts in of_both]
    shares = of_sample / of_sample.sum()
    weight, distance = (float(value) for value in nearest_mixture(shares, *of_classes))
    mixture = weight * of_classes[0] + (1.0 - weight) * of_classes[1]
    n_far = n_drawn = 0
    while n_drawn < simulations and n_far < _ENOUGH:
        n_now = min(_AT_ONCE, simulations - n_drawn)
        redrawn = [
            rng.multinomial(int(counts.sum()), share, n_now) / counts.sum()
            for counts, share in zip((of_sample, *of_both), (mixture, *of_classes), strict=True)
        ]
        n_far += int(np.count_nonzero(nearest_mixture(*redrawn)[1] >= distance))
        n_drawn += n_now
    p_value = (1 + n_far) / (1 + n_drawn)
    return GoodnessOfFit(weight, distance, p_value, edges, shares, *of_classes)


def cell_counts(scores: FloatArray, edges: FloatArray) -> IntArray:
    """How many scores lie in each cell between edges, (len(edges) + 1,); one on an edge is in the cell above."""
    return np.bincount(np.searchsorted(edges, scores, side="right"), minlength=len(edges) + 1)


def nearest_mixture(sample: FloatArray, positives: FloatArray, negatives: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weight and distance of the best mixture; shares of cells in the last axis."""
    result, of_positives, of_negatives = (np.cumsum(part, axis=-1)[..., :-1] for part in (sample, positives, negatives))
    gap, far = of_positives - of_negatives, result - of_negatives
    size = (gap**2).sum(axis=-1)
    weight = np.clip((gap * far).sum(axis=-1) / np.where(size > 0.0, size, 1.0), 0.0, 1.0)
    distance = ((far - weight[..., np.newaxis] * gap) ** 2).mean(axis=-1)
    return weight, distance
