"""The distribution functions of the two classes and of a sample, which SORD and EDy compare."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, check_integer, check_one_sample
from qcore.measures.rate_curve import RateCurve, counts_at
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.inspection import MixtureFit, Objective


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
    check_integer("n_weights", n_weights, low=2, way_out="Choose for example 101.")
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
