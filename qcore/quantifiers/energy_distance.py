"""EDy: the mixture of the classes' scores with the least energy distance to the sample's, in closed form."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, check_training_data
from qcore.measures.rate_curve import RateCurve, rate_curve
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.blockwise import blockwise
from qcore.quantifiers.distribution_functions import distribution_objective
from qcore.quantifiers.inspection import Objective


@dataclass
class EDy(ScoreQuantifier):
    """EDy: the weight with the least energy distance 2 E|X - Y| - E|X - X'| - E|Y - Y'| of mixture X and sample Y.

    For scores, that distance is 2 * integral of (F_X - F_Y)^2. With G(s) the integral from s on of the difference of the
    classes' distribution functions, the minimum is at (mean of G in the sample - in the negatives) / (in the positives - in
    the negatives): a correction like PACC's, of G instead of the score. Where the classes' scores are distributed alike, any
    weight is as near as another, and the lowest is taken.

    Source: Kawakubo et al. 2016, there on features; Székely and Rizzo 2013 for the integral.
    """

    takes_counts: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn G and its mean in each class from out-of-fold scores and labels, (n_training,) each."""
        checked, truth = check_training_data(scores, labels)
        self.curve_: RateCurve = rate_curve(checked, truth)
        # Up to a training score, the difference of the distribution functions is minus that of the rates at it.
        areas = np.diff(self.curve_.thresholds) * (self.curve_.fpr - self.curve_.tpr)[1:]
        self.integral_ = np.append(np.cumsum(areas[::-1])[::-1], 0.0)
        self.negative_mean_, self.positive_mean_ = (float(self._g(checked[truth == label]).mean()) for label in (0, 1))
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """The weight with the least energy distance, (..., sample_size) -> (...)."""
        return blockwise(scores, self._nearest)

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
