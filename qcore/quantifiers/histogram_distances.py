"""Distances between a sample's histogram q and a mixture's p = a P + (1 - a) N, and the weight a that minimises each.

All are convex in a and sums over bins; ORD is a sum over bin edges. Histograms are shares with the bins on the first axis, so
a sum over bins adds whole rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import rel_entr

from qcore._base.registry import registry
from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray
from qcore.quantifiers.convex_minimisation import minimise_convex

Slopes = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]

_PRECISION = 1e-5
_SMALLEST = 1e-150


@dataclass(frozen=True)
class Distance:
    """A distance between histograms.

    Attributes
    ----------
    value : (p, q) -> distance, both (n_bins, ...) shares -> (...).
    slopes : (p, q) -> (first, second) derivative of each bin's term in p, (n_bins, ...) each. None for ORD, whose minimum is a
        weighted median.
    formula : LaTeX.
    """

    key: str
    name: str
    value: Callable[[FloatArray, FloatArray], FloatArray]
    slopes: Slopes | None
    formula: str


def topsoe(p: FloatArray, q: FloatArray) -> FloatArray:
    """TS: sum p ln(2p / (p + q)) + q ln(2q / (p + q))."""
    middle = (p + q) / 2.0
    return (rel_entr(p, middle) + rel_entr(q, middle)).sum(axis=0)


def jensen_difference(p: FloatArray, q: FloatArray) -> FloatArray:
    """JD: half of Topsøe, so its minimum is at the same weight."""
    return topsoe(p, q) / 2.0


def probabilistic_symmetric(p: FloatArray, q: FloatArray) -> FloatArray:
    """PS: 2 sum (p - q)^2 / (p + q), where a bin that is empty in both counts 0."""
    both = p + q
    return 2.0 * ((p - q) ** 2 / np.where(both > 0.0, both, 1.0)).sum(axis=0)


def ordinal(p: FloatArray, q: FloatArray) -> FloatArray:
    """ORD: sum |cumsum(p - q)|."""
    return np.abs(np.cumsum(p - q, axis=0)).sum(axis=0)


def hellinger(p: FloatArray, q: FloatArray) -> FloatArray:
    """HD: sqrt(1 - sum sqrt(p q))."""
    return np.sqrt(np.maximum(1.0 - np.sqrt(p * q).sum(axis=0), 0.0))


def _topsoe_slopes(p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    p = np.maximum(p, _SMALLEST)
    share = p / (p + q)
    return np.log(2.0 * share), (1.0 - share) / p


def _symmetric_slopes(p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    both = np.maximum(p + q, _SMALLEST)
    share = q / both
    share *= share
    return 2.0 - 8.0 * share, 16.0 * share / both


def _hellinger_slopes(p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    # Slopes of minus the sum of sqrt(p q): the outer root and the 1 do not move the minimum.
    p = np.maximum(p, _SMALLEST)
    first = -0.5 * np.sqrt(q / p)
    return first, -0.5 * first / p


DISTANCES: Final = registry(
    Distance(
        key="TS",
        name="Topsøe",
        value=topsoe,
        slopes=_topsoe_slopes,
        formula=r"\sum_i \left( p_i \ln\frac{2 p_i}{p_i + q_i} + q_i \ln\frac{2 q_i}{p_i + q_i} \right)",
    ),
    Distance(
        key="JD",
        name="Jensen difference",
        value=jensen_difference,
        slopes=_topsoe_slopes,
        formula=r"\frac{1}{2} \sum_i \left( p_i \ln\frac{2 p_i}{p_i + q_i} + q_i \ln\frac{2 q_i}{p_i + q_i} \right)",
    ),
    Distance(
        key="PS",
        name="probabilistic symmetric",
        value=probabilistic_symmetric,
        slopes=_symmetric_slopes,
        formula=r"2 \sum_i \frac{(p_i - q_i)^2}{p_i + q_i}",
    ),
    Distance(key="ORD", name="ordinal", value=ordinal, slopes=None, formula=r"\sum_i \Bigl| \sum_{j \le i} (p_j - q_j) \Bigr|"),
    Distance(
        key="HD", name="Hellinger", value=hellinger, slopes=_hellinger_slopes, formula=r"\sqrt{1 - \sum_i \sqrt{p_i q_i}}"
    ),
)
"""The distances of DyS, by their short names. Source: Maletzke et al. 2019; Maletzke et al. 2020, section 6."""


def minimising_weight(
    distance: Distance, positives: FloatArray, negatives: FloatArray, shares: FloatArray, start: FloatArray
) -> FloatArray:
    """The weight in [0, 1] that minimises `distance`, the lowest where that is flat: (n_samples,).

    Parameters
    ----------
    positives, negatives : (n_bins,) shares of the training classes.
    shares : (n_bins, n_samples) of the samples.
    start : (n_samples,) guesses.
    """
    if np.abs(positives - negatives).max() <= TIE:
        return np.zeros(len(start))
    if distance.slopes is None:
        return _ordinal_median(positives, negatives, shares)
    return _weight_of_slope_zero(distance.slopes, positives, negatives, shares, start)


def _ordinal_median(positives: FloatArray, negatives: FloatArray, shares: FloatArray) -> FloatArray:
    """The a that minimises sum |a D + E|, D the difference of cumulative shares: the median of -E / D with weights |D|."""
    gap = np.cumsum(positives - negatives)
    used = np.abs(gap) > TIE
    ratios = ((shares - negatives[:, np.newaxis]).cumsum(axis=0)[used] / gap[used, np.newaxis]).clip(0.0, 1.0)
    weights = np.abs(gap[used])
    order = ratios.argsort(axis=0)
    reached = weights[order].cumsum(axis=0)
    middle = (reached < weights.sum() * (0.5 - TIE)).sum(axis=0)
    return np.take_along_axis(ratios, np.take_along_axis(order, middle[np.newaxis], axis=0), axis=0)[0]


def _weight_of_slope_zero(
    slopes: Slopes, positives: FloatArray, negatives: FloatArray, shares: FloatArray, start: FloatArray
) -> FloatArray:
    gap = positives - negatives
    squares, step, base = gap**2, gap[:, np.newaxis], negatives[:, np.newaxis]

    def derivatives(weights: FloatArray, samples: IntArray | slice) -> tuple[FloatArray, FloatArray]:
        mixture = step * weights
        mixture += base
        first, second = slopes(mixture, shares[:, samples])
        return gap @ first, squares @ second

    # For a sample that fills no bin in which the classes differ, the distance is the same at every weight.
    informative = np.abs(gap) @ shares > TIE
    return np.where(informative, minimise_convex(derivatives, start, precision=_PRECISION), 0.0)
