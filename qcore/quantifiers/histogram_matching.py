"""Matching histograms: the distances, and the quantifiers that make them small.

Distances between a sample's histogram q and a mixture's p = a P + (1 - a) N, and the weight a that minimises each.

All are convex in a and sums over bins; ORD is a sum over bin edges. Histograms are shares with the bins on the first axis, so
a sum over bins adds whole rows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from qcore._base.registry import registry
from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_choice,
    check_integer,
    check_one_sample,
    check_training_data,
)
from qcore.quantifiers.base import QuantifierEntry, ScoreQuantifier, blockwise, matched
from qcore.quantifiers.batch import Batch
from qcore.quantifiers.inspection import MixtureFit, Objective
from qcore.quantifiers.likelihood_maximisation import minimise_convex

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


DISTANCES = registry(
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


HDY_BINS = tuple(range(10, 111, 10))
DYS_BINS = tuple(range(2, 21, 2))
SHOWN_BINS = 10
_MOST_BINS = _MOST_WEIGHTS = 1001
"""More would not fit into a block's memory and would say nothing more: scores are not that precise."""


def sample_histogram(sample: FloatArray, n_bins: int) -> FloatArray:
    """Shares of one sample's scores, (sample_size,), in each bin: (n_bins,)."""
    return histogram_shares(Batch(sample[np.newaxis]), n_bins)[0]


def histogram_shares(batch: Batch, n_bins: int, *, laplace: bool = False) -> FloatArray:
    """Shares of each sample's scores in each bin, (n_samples, n_bins).

    With `laplace`, (count + 1/n_bins) / (size + 1), so that no bin is empty. Source: Maletzke et al. 2020, where HDy-LP is
    HDy with it; the authors' code smooths DyS, too.
    """
    counts = batch.histogram(n_bins)
    if laplace:
        return np.asarray((counts + 1.0 / n_bins) / (batch.size + 1.0))
    return counts / batch.size


def class_histograms(
    scores: FloatArray, labels: IntArray, bin_counts: tuple[int, ...], *, laplace: bool = False
) -> dict[int, FloatArray]:
    """Shares of the negatives (row 0) and of the positives (row 1) in each bin, for each number of bins: (2, n_bins)."""
    classes = [Batch(scores[labels == label][np.newaxis]) for label in (0, 1)]
    return {n: np.concatenate([histogram_shares(part, n, laplace=laplace) for part in classes]) for n in bin_counts}


def mixtures(classes: FloatArray, weights: FloatArray) -> FloatArray:
    """Mixtures of both classes' shares, (2, n_bins), at each weight of the positives: (n_bins, n_weights)."""
    negatives, positives = classes
    return np.outer(positives, weights) + np.outer(negatives, 1.0 - weights)


def histogram_table(shares: Mapping[str, FloatArray]) -> pd.DataFrame:
    """Shares in equal bins of [0, 1], (n_bins,) each, as a table: lower, upper, and a column for each of the shares."""
    n_bins = len(next(iter(shares.values())))
    edges = np.arange(n_bins + 1) / n_bins
    return pd.DataFrame({"lower": edges[:-1], "upper": edges[1:], **shares})


def matched_histogram(histograms: dict[int, FloatArray], batch: Batch, weight: float, *, laplace: bool = False) -> MixtureFit:
    """One sample's histogram, and the mixture of the training histograms with `weight` on the positives.

    It has 10 bins, which HDy and DyS both use and which are easy to read, or else the first number of bins.
    """
    n_bins = SHOWN_BINS if SHOWN_BINS in histograms else next(iter(histograms))
    negatives, positives = histograms[n_bins]
    shares = histogram_shares(batch, n_bins, laplace=laplace)[0]
    parts = {"sample": shares, "positives": weight * positives, "negatives": (1.0 - weight) * negatives}
    return MixtureFit("histogram", histogram_table(parts))


def check_bins(bin_counts: Iterable[int]) -> tuple[int, ...]:
    """Return the bin counts, or raise InvalidInput."""
    if not isinstance(bin_counts, Iterable):
        raise InvalidInput("bins", "be several numbers of bins", repr(bin_counts), "For one number write for example (8,).")
    checked = tuple(check_integer("a number of bins", n_bins, low=1, high=_MOST_BINS) for n_bins in bin_counts)
    if not checked:
        raise InvalidInput("bins", "name at least one number of bins", "none", "Choose for example (8,).")
    return checked


@dataclass
class HDy(ScoreQuantifier):
    """HDy: the weight on a grid with the least Hellinger distance, as the median over several numbers of bins.

    Parameters
    ----------
    bins : numbers of equal bins of [0, 1].
    n_weights : points of the grid of weights from 0 to 1. Ties (within 1e-12 of the sum of roots) go to the lowest weight.
    laplace : whether histograms are smoothed (HDy-LP); see `histogram_shares`.

    Source: González-Castro et al. 2013.

    Examples
    --------
    >>> HDy().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0]).predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.2
    """

    takes_counts: ClassVar[bool] = True
    bins: tuple[int, ...] = HDY_BINS
    n_weights: int = 101
    laplace: bool = False

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn each class's histograms from out-of-fold data, (n_training,) each."""
        check_integer("n_weights", self.n_weights, low=2, high=_MOST_WEIGHTS, hint="Choose for example 101.")
        self.bins_ = check_bins(self.bins)
        self.histograms_ = class_histograms(*check_training_data(scores, labels), self.bins_, laplace=self.laplace)
        self.weights_ = np.linspace(0.0, 1.0, self.n_weights)
        self.roots_ = {n: np.sqrt(mixtures(self.histograms_[n], self.weights_)) for n in self.bins_}
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Median of the nearest weights, (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: np.median([self._nearest(batch, n) for n in self.bins_], axis=0))

    def objective(self, scores: ArrayLike) -> Objective:
        """The Hellinger distance at each weight of the grid, for one sample, (sample_size,)."""
        batch = Batch(check_one_sample("scores", scores)[np.newaxis])
        affinity = np.concatenate([self._affinity(batch, n) for n in self.bins_])
        minima = np.concatenate([self._nearest(batch, n) for n in self.bins_])
        distances = np.sqrt(np.maximum(1.0 - affinity, 0.0))
        estimate = float(np.median(minima))
        mixture = matched_histogram(self.histograms_, batch, estimate, laplace=self.laplace)
        return Objective(self.weights_, distances, self.bins_, minima, estimate, mixture)

    def _affinity(self, batch: Batch, n_bins: int) -> FloatArray:
        """The sum of sqrt(p q), (n_samples, n_weights): one matrix product for all samples and weights."""
        return np.sqrt(histogram_shares(batch, n_bins, laplace=self.laplace)) @ self.roots_[n_bins]

    def _nearest(self, batch: Batch, n_bins: int) -> FloatArray:
        affinity = self._affinity(batch, n_bins)
        return self.weights_[(affinity >= affinity.max(axis=1, keepdims=True) - TIE).argmax(axis=1)]


@dataclass
class DyS(ScoreQuantifier):
    """DyS: the weight that minimises a distance between histograms, as the median over several numbers of bins.

    Parameters
    ----------
    distance : key of DISTANCES. TS and JD have their minimum at the same weight.
    bins : numbers of equal bins of [0, 1].
    laplace : whether histograms are smoothed; see `histogram_shares`.

    The weight is found to 1e-6 or better; where the distance is flat, it is the lowest.

    Source: Maletzke et al. 2019.

    Examples
    --------
    >>> DyS("TS").fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0]).predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.25
    """

    takes_counts: ClassVar[bool] = True
    distance: str = "TS"
    bins: tuple[int, ...] = DYS_BINS
    laplace: bool = False

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn each class's histograms from out-of-fold data, (n_training,) each."""
        check_choice("distance", self.distance, DISTANCES)
        self.bins_ = check_bins(self.bins)
        self.histograms_ = class_histograms(*check_training_data(scores, labels), self.bins_, laplace=self.laplace)
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Median of the minimising weights, (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: np.median(self._minima(batch), axis=0))

    def objective(self, scores: ArrayLike, n_weights: int = 101) -> Objective:
        """The distance at `n_weights` weights from 0 to 1, for one sample, (sample_size,)."""
        check_integer("n_weights", n_weights, low=2, hint="Choose for example 101.")
        batch = Batch(check_one_sample("scores", scores)[np.newaxis])
        weights = np.linspace(0.0, 1.0, n_weights)
        distances = np.empty((len(self.bins_), n_weights))
        for row, n_bins in zip(distances, self.bins_, strict=True):
            mixed = mixtures(self.histograms_[n_bins], weights)
            row[:] = DISTANCES[self.distance].value(mixed, self._shares(batch, n_bins))
        minima = self._minima(batch)[:, 0]
        estimate = float(np.median(minima))
        mixture = matched_histogram(self.histograms_, batch, estimate, laplace=self.laplace)
        return Objective(weights, distances, self.bins_, minima, estimate, mixture)

    def least_distance(self, scores: ArrayLike | Batch) -> FloatArray:
        """The lowest distance of a mixture to the sample, the median over the numbers of bins: (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: np.median(self._least(batch), axis=0))

    def _least(self, batch: Batch) -> FloatArray:
        """The distance at the minimising weight for each number of bins, (n_bin_counts, n_samples)."""
        distances = []
        for n_bins, weights in zip(self.bins_, self._minima(batch), strict=True):
            mixed = mixtures(self.histograms_[n_bins], weights)
            distances.append(DISTANCES[self.distance].value(mixed, self._shares(batch, n_bins)))
        return np.stack(distances)

    def _minima(self, batch: Batch) -> FloatArray:
        """The minimising weight for each number of bins, (n_bin_counts, n_samples)."""
        minima = np.full((len(self.bins_), len(batch)), 0.5)
        for row, n_bins in enumerate(self.bins_):
            negatives, positives = self.histograms_[n_bins]
            shares = self._shares(batch, n_bins)
            # The weights for one number of bins are near those for the next, and so a good guess.
            guess = minima[max(row - 1, 0)]
            minima[row] = minimising_weight(DISTANCES[self.distance], positives, negatives, shares, guess)
        return minima

    def _shares(self, batch: Batch, n_bins: int) -> FloatArray:
        """The samples' histograms, bins on the first axis: (n_bins, n_samples)."""
        return np.ascontiguousarray(histogram_shares(batch, n_bins, laplace=self.laplace).T)


def dys_entry(key: str, idea: str) -> QuantifierEntry:
    """The entry of DyS with the distance `key` of DISTANCES, for the registry."""
    distance = DISTANCES[key]
    return QuantifierEntry(
        key=f"DyS-{key}",
        name=f"DyS, {distance.name}",
        make=partial(DyS, key),
        family="matching",
        idea=idea,
        weakness="bins blur scores that crowd in one place, such as near 0 and 1",
        formula=matched(f"d(p, q) = {distance.formula}" + r" \\ b = 2, 4, \dots, 20 \text{ bins}"),
        source="Maletzke et al. 2019, 2020",
        symmetric=False,
        labels_needed=50,
        inspect=DyS.objective,
    )
