"""Matching distribution functions of scores: SORD and EDy.

The distribution functions of the two classes and of a sample, which SORD and EDy compare.

SORD: matching distribution functions, that is DyS on the scores themselves instead of their histograms.

Training scores of all classes as points: means of a function of the distance between them and other instances.

EDy: the mixture of the classes' scores with the least energy distance to the sample's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    check_integer,
    check_labelled_scores,
    check_one_sample,
    check_training_data,
)
from qcore.measures.roc import RateCurve, counts_at, rate_curve
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import Batch, ClassBatch
from qcore.quantifiers.counting import number_of_classes
from qcore.quantifiers.inspection import MixtureFit, Objective
from qcore.quantifiers.simplex_adjustment import nearest_minimiser
from qcore.quantifiers.threshold_selection import Runs, Sweep, framed, threshold_medians


def gap_integrals(
    curve: RateCurve, sample: FloatArray, weights: FloatArray, of_gap: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The integral over [0, 1] of a function of (mixture - sample) between distribution functions, (n_weights,).

    Parameters
    ----------
    curve : tpr and fpr of the training scores, at each of them.
    sample : (sample_size,) scores.
    weights : (n_weights,) weights of the positives in the mixture.
    of_gap : the elementwise function that is integrated; 0 at 0.
    """
    edges = np.union1d(curve.thresholds, sample)
    # Between two edges the sample's count and both rates are constant; the rates are those of the next training score, or 0.
    following = np.searchsorted(curve.thresholds, edges[1:])
    tpr, fpr = (np.append(rates, 0.0)[following] for rates in (curve.tpr, curve.fpr))
    count = counts_at(sample, edges[1:]) / len(sample)
    return np.array([np.diff(edges) @ of_gap(a * tpr + (1.0 - a) * fpr - count) for a in weights])


def distribution_objective(
    curve: RateCurve,
    scores: ArrayLike,
    n_weights: int,
    *,
    minimise: Callable[[Batch], FloatArray],
    of_gap: Callable[[FloatArray], FloatArray],
    distance: str,
) -> Objective:
    """The objective at `n_weights` weights from 0 to 1, for one sample, (sample_size,), and the mixture at the minimum.

    Parameters
    ----------
    curve, of_gap : as in `gap_integrals`.
    minimise : samples -> their minimising weights.
    distance : the integral's name.
    """
    check_integer("n_weights", n_weights, low=2, hint="Choose for example 101.")
    sample = check_one_sample("scores", scores)
    weights = np.linspace(0.0, 1.0, n_weights)
    integrals = gap_integrals(curve, sample, weights, of_gap)
    minimum = minimise(Batch(sample[np.newaxis]))
    estimate = float(minimum[0])
    mixture = matched_distribution(curve, sample, estimate)
    return Objective(weights, integrals[np.newaxis], (), minimum, estimate, mixture, distance)


def matched_distribution(curve: RateCurve, sample: FloatArray, weight: float) -> MixtureFit:
    """A sample's distribution function, and that of the mixture with `weight` on the positives."""
    below = 1.0 - counts_at(sample, curve.thresholds) / len(sample)
    positives, negatives = 1.0 - curve.tpr, 1.0 - curve.fpr
    mixture = weight * positives + (1.0 - weight) * negatives
    columns = {"sample": below, "mixture": mixture, "positives": positives, "negatives": negatives}
    return MixtureFit("distribution function", pd.DataFrame({"score": curve.thresholds, **columns}))


@dataclass
class SORD(ScoreQuantifier):
    """SORD: the weight a that minimises the integral of `|a F1 + (1 - a) F0 - F|` between empirical distribution functions.

    The integral is piecewise linear and convex in a; its minimiser is a weighted median in closed form, exact here (see
    threshold_median.py). Where it is flat, as with constant training scores, the lowest such weight is taken.

    Source: Maletzke et al. 2019; Maletzke et al. 2020, section 6.

    Examples
    --------
    >>> SORD().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0]).predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.25
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the area between the classes' distribution functions from out-of-fold data, (n_training,) each."""
        self.curve_: RateCurve = rate_curve(*check_training_data(scores, labels))
        gap = self.curve_.tpr - self.curve_.fpr
        areas = np.diff(self.curve_.thresholds) * gap[1:]
        # F1 - F0 is fpr - tpr, and constant between two training scores; before the first it is 0.
        parts = [areas.clip(min=0.0)]
        if (areas < 0.0).any():
            parts.append((-areas).clip(min=0.0))
        self.areas_ = np.stack([np.concatenate([[0.0, 0.0], part.cumsum()]) for part in parts])
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """The minimising weight, (..., sample_size) -> (...)."""
        return blockwise(scores, self._median)

    def objective(self, scores: ArrayLike, n_weights: int = 101) -> Objective:
        """The integral at `n_weights` weights from 0 to 1, for one sample, (sample_size,)."""
        return distribution_objective(
            self.curve_,
            scores,
            n_weights,
            minimise=self._median,
            of_gap=np.abs,
            distance="area between the distribution functions",
        )

    def _median(self, batch: Batch) -> FloatArray:
        sweep = Sweep(self.curve_.tpr, self.curve_.fpr, self.areas_)
        if sweep.total <= TIE:
            return np.zeros(len(batch))
        if batch.shares is not None:
            return self._counted_median(batch)
        n_thresholds = len(self.curve_.thresholds)
        starts = framed(batch.locate(self.curve_.thresholds), 0, n_thresholds)
        areas = tuple(framed(self._area_before(batch, row), 0.0, row[-1]) for row in self.areas_)
        # A run ends inside the interval of thresholds in which the next one starts.
        stops = np.minimum(starts[:, 1:] + 1, n_thresholds)
        return threshold_medians(sweep, Runs(starts[:, :-1], stops, areas))[0]

    def _counted_median(self, batch: Batch) -> FloatArray:
        """The same median where samples share their scores: of the shares adjusted between each two scores of either part."""
        edges = np.union1d(self.curve_.thresholds, batch.scores)
        following = np.searchsorted(self.curve_.thresholds, edges[1:])
        tpr, fpr = (np.append(rates, 0.0)[following] for rates in (self.curve_.tpr, self.curve_.fpr))
        weights = np.abs(tpr - fpr) * np.diff(edges)
        used = np.abs(tpr - fpr) > TIE
        tpr, fpr, weights = tpr[used], fpr[used], weights[used]
        ratios = adjust(batch.shares_from(edges[1:][used]), tpr, fpr)
        order = ratios.argsort(axis=1)
        middle = (weights[order].cumsum(axis=1) < weights.sum() * (0.5 - TIE)).sum(axis=1, keepdims=True)
        return np.take_along_axis(ratios, np.take_along_axis(order, middle, axis=1), axis=1)[:, 0]

    def _area_before(self, batch: Batch, areas: FloatArray) -> FloatArray:
        return batch.at_sorted_scores(lambda scores: np.interp(scores, self.curve_.thresholds, areas[1:]))


_BLOCK = 2**19
"""Number of distances that are computed at once: as many as a processor's cache holds."""


class ClassPoints:
    """The training scores of each class, as points among which equal ones are looked at once.

    Attributes
    ----------
    points : (n_points, n_classes), the distinct vectors of scores.
    weights : (n_points, n_classes), the share of each class's instances that lie at each point.
    """

    def __init__(self, scores: FloatArray, labels: IntArray) -> None:
        self.points, places = distinct_rows(scores)
        n_points, n_classes = len(self.points), scores.shape[1]
        counts = np.bincount(places * n_classes + labels, minlength=n_points * n_classes).reshape(n_points, n_classes)
        self.weights = counts / counts.sum(axis=0)

    def means(self, scores: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The mean of a function of the distances to the instances of each class, (n, n_classes) -> (n, n_classes).

        Parameters
        ----------
        scores : vectors of scores.
        function : of Euclidean distances, (n_rows, n_points), to values of the same shape; it may write into them.
        """
        rows, places = distinct_rows(scores)
        result, step = np.empty(rows.shape), max(1, _BLOCK // len(self.points))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            result[part] = function(cdist(rows[part], self.points)) @ self.weights
        return result[places]


def distinct_rows(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct rows, and for each row its place among them, (n,): redrawn samples hold instances several times.

    Examples
    --------
    >>> points, places = distinct_rows(np.array([[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]]))
    >>> len(points), points[places].tolist()
    (2, [[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]])
    """
    # Sorting one number for each row takes a fraction of the time of sorting rows.
    marks = (rows * np.sqrt(np.arange(2.0, rows.shape[1] + 2.0))).sum(axis=1)
    _, first, places = np.unique(marks, return_index=True, return_inverse=True)
    if np.array_equal(rows[first[places]], rows):
        return rows[first], places
    return rows, np.arange(len(rows))


@dataclass
class EDy(ScoreQuantifier):
    """EDy: the weight with the least energy distance 2 E|X - Y| - E|X - X'| - E|Y - Y'| of mixture X and sample Y.

    For scores, that distance is 2 * integral of (F_X - F_Y)^2. With G(s) the integral from s on of the difference of the
    classes' distribution functions, the minimum is at (mean of G in the sample - in the negatives) / (in the positives - in
    the negatives): a correction like PACC's, of G instead of the score. Where the classes' scores are distributed alike, any
    weight is as near as another, and the lowest is taken.

    Of several classes, |X - Y| is the Euclidean distance of the vectors of all scores. The energy distance is then a quadratic
    function of the prevalences, and its minimum on the simplex the solution of a quadratic programme. Where classes' scores are
    distributed alike, the prevalences that are nearest to those of training are taken. (quantificationlib takes the sum of the
    absolute differences of scores for the distance, unless it is given another one.)

    Source: Kawakubo et al. 2016, there on features; Székely and Rizzo 2013 for the integral.
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn G and its mean in each class from out-of-fold scores and labels, (n_training,) each. Raises InvalidInput.

        From the scores of all classes, (n_training, n_classes): the mean distances between the instances of each two classes.
        """
        checked, truth = check_labelled_scores(scores, labels)
        self.n_classes_ = number_of_classes(checked)
        self.prevalence_: Any = float(truth.mean()) if self.n_classes_ is None else np.bincount(truth) / len(truth)
        if self.n_classes_ is not None:
            self.points_ = ClassPoints(checked, truth)
            self.distances_ = self.points_.weights.T @ self._mean_distances(self.points_.points)
            return self
        self.curve_: RateCurve = rate_curve(checked, truth)
        # Up to a training score, the difference of the distribution functions is minus that of the rates at it.
        areas = np.diff(self.curve_.thresholds) * (self.curve_.fpr - self.curve_.tpr)[1:]
        self.integral_ = np.append(np.cumsum(areas[::-1])[::-1], 0.0)
        self.negative_mean_, self.positive_mean_ = (float(self._g(checked[truth == label]).mean()) for label in (0, 1))
        return self

    def predict(self, scores: ArrayLike | Batch | ClassBatch) -> FloatArray:
        """The weight with the least energy distance, (..., sample_size) -> (...), or with n_classes as a last axis in both."""
        return blockwise(scores, self._nearest_of_classes if self.n_classes_ else self._nearest, self.n_classes_)

    def objective(self, scores: ArrayLike, n_weights: int = 101) -> Objective:
        """The energy distance at `n_weights` weights from 0 to 1, for one sample, (sample_size,)."""
        return distribution_objective(
            self.curve_,
            scores,
            n_weights,
            minimise=self._nearest,
            of_gap=lambda gap: 2.0 * gap * gap,
            distance="energy distance",
        )

    def _g(self, scores: FloatArray) -> FloatArray:
        return np.interp(scores, self.curve_.thresholds, self.integral_)

    def _nearest(self, batch: Batch) -> FloatArray:
        if self.positive_mean_ - self.negative_mean_ <= TIE:
            return np.zeros(len(batch))
        return adjust(batch.means(batch.at_sorted_scores(self._g)), self.positive_mean_, self.negative_mean_)

    def _mean_distances(self, scores: FloatArray) -> FloatArray:
        """Mean distance of each instance to those of each class, (n, n_classes) -> (n, n_classes)."""
        return self.points_.means(scores, lambda distances: distances)

    def _nearest_of_classes(self, batch: ClassBatch) -> FloatArray:
        to_sample = batch.at_instances(self._mean_distances).mean(axis=1)
        # On the simplex, 2 p'a - p'Dp of distances a to the sample and D between the classes is, but for a constant,
        # p'Bp + 2 p'(a - the mean of D's rows), with D's rows and columns centred in B = -CDC, which curves upwards.
        between = self.distances_
        of_each = between.mean(axis=0)
        centred = of_each[:, np.newaxis] + of_each - of_each.mean() - between
        return nearest_minimiser(centred + 1.0, of_each - to_sample, np.tile(self.prevalence_, (len(batch), 1)))
