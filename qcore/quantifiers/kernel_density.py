"""KDEy-ML: the mixture of the classes' smooth score densities under which a sample is most likely."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.polynomial.chebyshev import chebder, chebvander
from numpy.typing import ArrayLike
from scipy.interpolate import CubicHermiteSpline

from qcore._base.validation import FloatArray, check_fraction, check_integer, check_labelled_scores, check_one_sample
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import Batch, ClassBatch
from qcore.quantifiers.counting import number_of_classes
from qcore.quantifiers.distribution_matching import ClassPoints
from qcore.quantifiers.histogram_matching import histogram_table, sample_histogram
from qcore.quantifiers.inspection import MixtureFit, Objective
from qcore.quantifiers.likelihood_maximisation import likelihood_poles, most_likely_prevalences, most_likely_weights

BANDWIDTH = 0.1
_LEAST_BANDWIDTH = 0.02
_CELLS_PER_BANDWIDTH = 200
"""Between points of this grid, a cubic spline is off by less than 1e-8 of the density (1e-6 at the least bandwidth)."""
_NODES_PER_BANDWIDTH = 6
_FURTHER_NODES = 24
"""A mean of kernels is as smooth as one of them: a polynomial through this many points is off by less than 1e-12 of it."""
_SMALL = 1e-6
"""Densities below so much of the largest one are not taken from the polynomial, whose error would be a larger part of them."""
_BLOCK = 2**21
_MANY = 20_000
"""Of more scores of a class, a kernel is computed once for each distinct one: many may be equal."""
_SHOWN_BINS = 20


def kernel_density(members: FloatArray, bandwidth: float) -> CubicHermiteSpline:
    """Mean of Gaussian kernels at the scores `members`, (n,), as a function on [0, 1].

    A polynomial through its values at a few points gives values and slopes on a fine grid, and where they are small the kernels
    themselves; a cubic spline joins them, so that evaluating a score does not take all kernels.
    """
    nodes, grid, values, slopes = _interpolation(bandwidth)
    at_nodes = _kernels(nodes, members, bandwidth)[0]
    value, slope = values @ at_nodes, slopes @ at_nodes
    small = value < _SMALL * value.max()
    if small.any():
        value[small], slope[small] = _kernels(grid[small], members, bandwidth)
    return CubicHermiteSpline(grid, value, slope)


def _kernels(points: FloatArray, members: FloatArray, bandwidth: float) -> FloatArray:
    """Mean of Gaussian kernels at points, and its slope there, (2, n_points)."""
    numbers: FloatArray = np.ones(len(members))
    if len(members) > _MANY:
        members, counts = np.unique(members, return_counts=True)
        numbers = counts.astype(np.float64)
    sums = np.zeros((len(points), 2))
    step = max(1, _BLOCK // len(points))
    for start in range(0, len(members), step):
        part = members[start : start + step]
        distance = (points[:, np.newaxis] - part) / bandwidth
        weights = numbers[start : start + step]
        sums += np.exp(-0.5 * distance * distance) @ np.stack([weights, weights * part], axis=1)
    scale = 1.0 / (numbers.sum() * bandwidth * np.sqrt(2.0 * np.pi))
    return scale * np.stack([sums[:, 0], (sums[:, 1] - points * sums[:, 0]) / bandwidth**2])


@lru_cache(maxsize=1)
def _interpolation(bandwidth: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Chebyshev's nodes in [0, 1], a fine grid, and matrices that turn values at the nodes into values and slopes there.

    Shapes (n_nodes,), (n_grid,), (n_grid, n_nodes) and (n_grid, n_nodes).
    """
    n_nodes = int(np.ceil(_NODES_PER_BANDWIDTH / bandwidth)) + _FURTHER_NODES
    angles = (2.0 * np.arange(n_nodes) + 1.0) * np.pi / (2.0 * n_nodes)
    coefficients = 2.0 / n_nodes * np.cos(np.outer(np.arange(n_nodes), angles))
    coefficients[0] /= 2.0
    grid = np.linspace(0.0, 1.0, int(np.ceil(_CELLS_PER_BANDWIDTH / bandwidth)) + 1)
    polynomials = chebvander(2.0 * grid - 1.0, n_nodes - 1)
    slopes = polynomials[:, :-1] @ (2.0 * chebder(coefficients))
    return (1.0 + np.cos(angles)) / 2.0, grid, polynomials @ coefficients, slopes


@dataclass
class KDEyML(ScoreQuantifier):
    """KDEy-ML: the densities of the classes' scores by Gaussian kernels, and the mixture of maximum likelihood.

    Of several classes, the kernels are around the vectors of all scores, and the mixture is that of all classes at once.

    Parameters
    ----------
    bandwidth : bandwidth of the kernels. Of three and more classes, it is in the units of the source: of the Euclidean distance
        between vectors. Of two, it is on the scores of one class: the pairs (score, 1 - score), between which the source
        measures, are sqrt(2) times as far apart, so that the source's bandwidth is sqrt(2) times this one.

    Where the densities of all classes are equal at all scores of a sample, it answers the training prevalence.

    Source: Moreo et al. 2024.
    """

    takes_counts: ClassVar[bool] = True
    bandwidth: float = BANDWIDTH

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the density of each class from out-of-fold scores and labels, (n_training,) each, or of all classes."""
        check_fraction("bandwidth", self.bandwidth, low=_LEAST_BANDWIDTH, high=1.0)
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        self.prevalence_: Any = float(truth.mean()) if self.n_classes_ is None else np.bincount(truth) / len(truth)
        if self.n_classes_ is None:
            of_class = (kernel_density(checked[truth == label], self.bandwidth) for label in (0, 1))
            self.negative_density_, self.positive_density_ = of_class
        else:
            self.points_ = ClassPoints(checked, truth)
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """Most likely weight, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        return blockwise(scores, self._most_likely_of_classes if self.n_classes_ else self._most_likely, self.n_classes_)

    def objective(self, scores: ArrayLike, n_weights: int = 101) -> Objective:
        """How much less likely one sample, (sample_size,), is at each of `n_weights` weights than at the best of them.

        In natural logarithms, on average over its scores.
        """
        check_integer("n_weights", n_weights, low=2, hint="Choose for example 101.")
        sample = check_one_sample("scores", scores)
        weights = np.linspace(0.0, 1.0, n_weights)
        positives, negatives = self._densities(sample)
        likelihood = np.log(np.outer(weights, positives) + np.outer(1.0 - weights, negatives)).mean(axis=1)
        minimum = self._most_likely(Batch(sample[np.newaxis]))
        loss = (likelihood.max() - likelihood)[np.newaxis]
        mixture = self._matched_densities(sample, float(minimum[0]))
        return Objective(weights, loss, (), minimum, float(minimum[0]), mixture, "log likelihood lost")

    def _most_likely(self, batch: Batch) -> FloatArray:
        return most_likely_weights(batch.at_sorted_scores(self._poles), self.prevalence_, batch.shares)

    def _most_likely_of_classes(self, batch: ClassBatch) -> FloatArray:
        densities = np.ascontiguousarray(batch.at_instances(self._class_densities).swapaxes(1, 2))
        if self.n_classes_ == 2:
            poles = likelihood_poles(densities[:, 1], densities[:, 0])
            positives = most_likely_weights(poles, float(self.prevalence_[1]))
            return np.stack([1.0 - positives, positives], axis=1)
        return most_likely_prevalences(densities, np.tile(self.prevalence_, (len(batch), 1)))

    def _class_densities(self, scores: FloatArray) -> FloatArray:
        """The density of each class at vectors of scores, except for a factor that all classes share."""
        bandwidth = self.bandwidth * (np.sqrt(2.0) if self.n_classes_ == 2 else 1.0)

        def kernels(distances: FloatArray) -> FloatArray:
            exponents = np.square(distances, out=distances)
            # The nearest instance counts 1, so that no density of an instance far from all of them vanishes.
            exponents -= exponents.min(axis=1, keepdims=True)
            exponents /= -2.0 * bandwidth**2
            return np.exp(exponents, out=exponents)

        return self.points_.means(scores, kernels)

    def _poles(self, scores: FloatArray) -> FloatArray:
        return likelihood_poles(*self._densities(scores))

    def _densities(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Densities of positives and negatives at `scores`; where one is nearly 0, its spline may be a little below."""
        return np.maximum(self.positive_density_(scores), 0.0), np.maximum(self.negative_density_(scores), 0.0)

    def _matched_densities(self, sample: FloatArray, weight: float) -> MixtureFit:
        """The sample's histogram, and the classes' densities in each bin, with `weight` on the positives."""
        edges = np.arange(_SHOWN_BINS + 1) / _SHOWN_BINS
        inside = {
            name: share * np.array([density.integrate(*ends) for ends in pairwise(edges)])
            for name, share, density in (
                ("positives", weight, self.positive_density_),
                ("negatives", 1.0 - weight, self.negative_density_),
            )
        }
        shares = sample_histogram(sample, _SHOWN_BINS)
        return MixtureFit("histogram", histogram_table({"sample": shares, **inside}))
