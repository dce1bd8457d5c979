"""SORD: matching distribution functions, that is DyS on the scores themselves instead of their histograms."""

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
from qcore.quantifiers.threshold_median import Runs, Sweep, framed, threshold_medians


@dataclass
class SORD(ScoreQuantifier):
    """SORD: the weight a that minimises the integral of |a F1 + (1 - a) F0 - F| between empirical distribution functions.

    The integral is piecewise linear and convex in a; its minimiser is a weighted median in closed form, exact here (see
    threshold_median.py). Where it is flat, as with constant training scores, the lowest such weight is taken.

    Source: Maletzke et al. 2019; Maletzke et al. 2020, section 6.
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
