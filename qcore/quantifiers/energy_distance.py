"""EDy: the mixture of the classes' scores with the least energy distance to the sample's."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, check_labelled_scores
from qcore.measures.rate_curve import RateCurve, rate_curve
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.class_batch import ClassBatch
from qcore.quantifiers.counting import number_of_classes
from qcore.quantifiers.distribution_functions import distribution_objective
from qcore.quantifiers.inspection import Objective
from qcore.quantifiers.score_vectors import ClassPoints
from qcore.quantifiers.simplex_adjustment import nearest_minimiser


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
