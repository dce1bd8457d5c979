"""Threshold selection policies: where each sets the threshold, and the median over all.

The weighted median, over thresholds, of the count adjusted at each: both Median Sweep and SORD are such medians.

At threshold t a sample's share c(t) of scores >= t is adjusted to r(t) = (c(t) - fpr(t)) / (tpr(t) - fpr(t)). Median Sweep
takes the median of r over the training scores with tpr - fpr >= 1/4. SORD's integral of |a F1 + (1-a) F0 - F| is the
integral of |tpr - fpr| |a - r| over all thresholds, so that its minimiser is the median of r with weight |tpr - fpr| dt.

To sort r, every training score would be needed for every sample. Instead: r(t) <= a means that c(t) lies under the mixture's
curve g_a(t) = a tpr(t) + (1-a) fpr(t), or over it where tpr < fpr. Both fall as t grows, and c is constant between two scores
of the sample, so that between them the thresholds with c <= g_a are the first ones, up to where g_a crosses that level. A
table of these crossings, for a grid of a, gives the weight of {r <= a} in one pass over the sample's scores. Bisection over
the grid finds the cell with the median; only the few thresholds of that cell are then evaluated one by one.

Friedman's method: the adjusted count at the training prevalence as threshold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qcore._base.validation import TIE, FloatArray, IntArray, check_fraction, check_one_sample, check_training_data
from qcore.measures.roc import RateCurve, counts_at, rate_curve
from qcore.quantifiers.adjustment import adjust
from qcore.quantifiers.base import ScoreQuantifier, blockwise
from qcore.quantifiers.batch import THRESHOLD, Batch, CountArray, positive_share
from qcore.quantifiers.inspection import SweepEstimates

_Number = TypeVar("_Number", np.int32, np.float64)

_ENTRIES = 2**18


@dataclass(frozen=True)
class Sweep:
    """Thresholds with their rates and weights, from training data.

    Attributes
    ----------
    tpr, fpr : (n_thresholds,), falling.
    weights : rows of (n_thresholds + 1,): weight of the thresholds before each index. Row 0 is for those with tpr > fpr; a
        second row, if there is one, for those with tpr < fpr.
    """

    tpr: FloatArray
    fpr: FloatArray
    weights: FloatArray | CountArray

    @property
    def total(self) -> float:
        """The total weight of all thresholds."""
        return float(self.weights[:, -1].sum())


@dataclass(frozen=True)
class Runs:
    """For each sample, the runs of thresholds between two of its sorted scores, on each of which its count is constant.

    Attributes
    ----------
    starts, stops : (n_samples, sample_size + 1) first threshold of each run, and the one after its last.
    weights : for each row of Sweep.weights, the weight before each run's start and, last, of all: (n_samples, sample_size + 2).
    """

    starts: CountArray
    stops: CountArray
    weights: tuple[FloatArray | CountArray, ...]


def framed(rows: NDArray[_Number], first: float, last: float) -> NDArray[_Number]:
    """`rows` with one more column before and one after, for the ends of the runs."""
    wider = np.empty((len(rows), rows.shape[1] + 2), dtype=rows.dtype)
    wider[:, 0], wider[:, 1:-1], wider[:, -1] = first, rows, last
    return wider


def threshold_medians(sweep: Sweep, runs: Runs) -> tuple[FloatArray, FloatArray]:
    """(lower, upper) weighted median of the adjusted counts, clipped to [0, 1], of each sample: (n_samples,) each.

    They differ where exactly half of the weight lies at or below the lower one. `sweep.total` must not be 0.
    """
    n_samples, n_runs = runs.starts.shape
    curves = _Curves(sweep, runs, _grid_size(n_samples, n_runs, len(sweep.tpr)))
    half, rounding = sweep.total / 2.0, TIE * sweep.total
    last = curves.n_cells
    # The cell before grid point k has the answer when {r <= a} reaches half there first; n_cells + 1 stands for above 1.
    low, high = np.full(n_samples, -1), np.full(n_samples, last + 1)
    for _ in range(int(last + 1).bit_length()):
        middle = (low + high) // 2
        reached = curves.weight_under(np.clip(middle, 0, last)) >= half - rounding
        open_ = high - low > 1
        high, low = np.where(open_ & reached, middle, high), np.where(open_ & ~reached, middle, low)
    upper = high.copy()
    more = np.flatnonzero(upper <= last)
    while len(more):
        more = more[curves.weight_under(upper[more], more) <= half + rounding]
        upper[more] += 1
        more = more[upper[more] <= last]
    return curves.medians(low, high, upper, half, rounding)


def _grid_size(n_samples: int, n_runs: int, n_thresholds: int) -> int:
    """Number of cells of the grid: a power of 2 that balances making the table against looking at the thresholds of a cell."""
    balance = 16.0 * np.sqrt(n_samples * n_thresholds / (n_thresholds + 10.0 * n_runs))
    return int(2 ** np.clip(np.rint(np.log2(balance)), 3, 10))


class _Curves:
    """Where the mixtures' curves of a grid of weights cross each level that a sample's count can have."""

    def __init__(self, sweep: Sweep, runs: Runs, n_cells: int) -> None:
        self._sweep, self._runs, self.n_cells = sweep, runs, n_cells
        n_runs = runs.starts.shape[1]
        self._levels = np.arange(n_runs - 1, -1, -1) / (n_runs - 1)
        gap = sweep.fpr - sweep.tpr
        self._crossings = np.empty((n_cells + 1, n_runs), dtype=np.int32)
        for cell, crossings in enumerate(self._crossings):
            crossings[:] = np.searchsorted(gap * (cell / n_cells) - sweep.fpr, -self._levels, side="right")
        self._tables = [row[self._crossings] for row in sweep.weights]

    def weight_under(self, cells: IntArray, rows: slice | IntArray = slice(None)) -> FloatArray:
        """Weight of {r <= a} at the grid points `cells`, for the samples `rows`."""
        total = np.zeros(len(cells))
        for row, (table, before) in enumerate(zip(self._tables, self._runs.weights, strict=True)):
            limits = before[rows]
            starts, stops = limits[:, :-1], limits[:, 1:]
            inside = np.clip(table[cells], starts, stops)
            # Under the curve lies a run's part from its start to the crossing; over it, the rest. Parts are added run by run:
            # the difference of two large sums would not keep the digits that a tie needs.
            total += (stops - inside if row else inside - starts).sum(axis=1)
        return total

    def medians(
        self, low: IntArray, high: IntArray, upper: IntArray, half: float, rounding: float
    ) -> tuple[FloatArray, FloatArray]:
        """The medians, given the grid points around them: `low` before the lower one, `high` and `upper` at or after each."""
        lower_medians, upper_medians = (
            np.minimum(high, self.n_cells) / self.n_cells,
            np.minimum(upper, self.n_cells) / self.n_cells,
        )
        inside = np.flatnonzero((upper > 0) & (low < self.n_cells))
        start, stop = np.maximum(low, 0)[inside], np.minimum(upper, self.n_cells)[inside]
        first, last = self._between(start, stop, inside)
        counts = (last - first).sum(axis=1)
        needed = half - self.weight_under(start, inside)
        for rows in _groups(counts):
            members, need = inside[rows], needed[rows, np.newaxis]
            values, reached = self._in_order(members, first[rows], last[rows], counts[rows])
            for medians, grid, short in (
                (lower_medians, high, reached < need - rounding),
                (upper_medians, upper, reached <= need + rounding),
            ):
                index = short.sum(axis=1)
                # At or below 0, and above 1, the grid itself is the answer.
                known = np.flatnonzero((grid[members] > 0) & (index < counts[rows]))
                medians[members[known]] = values[known, index[known]]
        return lower_medians, upper_medians

    def _between(self, start: IntArray, stop: IntArray, members: IntArray) -> tuple[CountArray, CountArray]:
        """Thresholds whose r lies between grid points `start` and `stop`, run by run: (first, after the last)."""
        at_start, at_stop = self._crossings[start], self._crossings[stop]
        bounds = self._runs.starts[members], self._runs.stops[members]
        return np.minimum(at_start, at_stop).clip(*bounds), np.maximum(at_start, at_stop).clip(*bounds)

    def _in_order(
        self, members: IntArray, first: CountArray, last: CountArray, counts: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """The r of each sample's thresholds in increasing order, and their weight up to each: (n, most), the rest infinite."""
        n_runs = first.shape[1]
        lengths = (last - first).ravel()
        filled = np.flatnonzero(lengths)
        lengths = lengths[filled]
        run = np.repeat(filled, lengths)
        offset = np.arange(len(run)) - np.repeat(lengths.cumsum() - lengths, lengths)
        threshold = offset + first.ravel()[run]
        sample, run = np.divmod(run, n_runs)
        tpr, fpr = self._sweep.tpr[threshold], self._sweep.fpr[threshold]
        column = np.arange(len(sample)) - np.repeat(counts.cumsum() - counts, counts)
        values = np.full((len(members), max(int(counts.max()), 1)), np.inf)
        weights = np.zeros(values.shape)
        values[sample, column] = ((self._levels[run] - fpr) / (tpr - fpr)).clip(0.0, 1.0)
        weights[sample, column] = self._weight(members[sample], run, threshold)
        order = values.argsort(axis=1)
        return np.take_along_axis(values, order, 1), np.take_along_axis(weights, order, 1).cumsum(axis=1)

    def _weight(self, sample: IntArray, run: IntArray, threshold: IntArray) -> FloatArray:
        """Weight of each threshold, cut off where its run ends."""
        total = np.zeros(len(sample))
        for row, before in zip(self._sweep.weights, self._runs.weights, strict=True):
            limits = before[sample, run], before[sample, run + 1]
            total += row[threshold + 1].clip(*limits) - row[threshold].clip(*limits)
        return total


def _groups(counts: IntArray) -> Iterator[IntArray]:
    """Indices of `counts` in groups of similar counts, so that a table with a row for each wastes little and stays bounded."""
    order = np.argsort(counts)[::-1]
    start = 0
    while start < len(order):
        stop = start + max(1, _ENTRIES // max(int(counts[order[start]]), 1))
        yield order[start:stop]
        start = stop


def candidate_thresholds(curve: RateCurve) -> RateCurve:
    """The thresholds with tpr > fpr, from which every policy chooses. Source: Barranquero 2013, 3.2.1."""
    return curve.at(curve.tpr - curve.fpr > TIE)


def x_criterion(curve: RateCurve) -> FloatArray:
    """X: |1 - tpr - fpr|, lowest where fpr = 1 - tpr. Source: Forman 2008; Barranquero 2013, 3.2.1."""
    return np.abs(1.0 - curve.tpr - curve.fpr)


def max_criterion(curve: RateCurve) -> FloatArray:
    """Max: -(tpr - fpr), lowest where the denominator of the correction is largest. Source: as X."""
    return curve.fpr - curve.tpr


def t50_criterion(curve: RateCurve) -> FloatArray:
    """T50: |tpr - 0.5|, lowest where half of the positives are found. Source: as X."""
    return np.abs(curve.tpr - 0.5)


class AdjustedAtThreshold(ScoreQuantifier):
    """Quantifiers that count at a threshold and correct the count there; `fit` sets `threshold_`, `tpr_` and `fpr_`."""

    takes_counts: ClassVar[bool] = True
    threshold_: float
    tpr_: float
    fpr_: float

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Count at the threshold, adjusted there: (..., sample_size) -> (...)."""
        return blockwise(scores, lambda batch: adjust(batch.share_from(self.threshold_), self.tpr_, self.fpr_))


@dataclass
class ThresholdPolicy(AdjustedAtThreshold):
    """AC at the candidate threshold with the lowest `criterion`; ties go to the lowest threshold.

    Without a candidate (no threshold has tpr > fpr) it estimates as CC does: at a threshold of 0.5, without correction.

    Source: Forman 2008; Barranquero 2013, 3.2.1.

    Examples
    --------
    >>> policy = ThresholdPolicy(max_criterion).fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0])
    >>> policy.threshold_, policy.predict([0.8, 0.7, 0.2, 0.1]).item()
    (0.4, 0.25)
    """

    criterion: Callable[[RateCurve], FloatArray]

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Choose the threshold from out-of-fold scores and labels, (n_training,) each."""
        curve = candidate_thresholds(rate_curve(*check_training_data(scores, labels)))
        # tpr 1 and fpr 0 leave a count as it is.
        self.threshold_, self.tpr_, self.fpr_ = THRESHOLD, 1.0, 0.0
        self.corrects_ = bool(len(curve.thresholds))
        if self.corrects_:
            values = self.criterion(curve)
            chosen = int(np.argmax(values <= values.min() + TIE))
            self.threshold_ = float(curve.thresholds[chosen])
            self.tpr_, self.fpr_ = float(curve.tpr[chosen]), float(curve.fpr[chosen])
        return self


@dataclass
class MedianSweep(ScoreQuantifier):
    """MS: the median of AC over every candidate threshold with tpr - fpr >= `least_gap`; without one, Max.

    The default 1/4 is Forman's. Estimates are clipped to [0, 1] before the median.

    Source: Forman 2008; Barranquero 2013, 3.2.1.

    Examples
    --------
    >>> MedianSweep().fit([0.9, 0.7, 0.4, 0.6, 0.2, 0.1], [1, 1, 1, 0, 0, 0]).predict([0.8, 0.7, 0.2, 0.1]).round(3).item()
    0.25
    """

    takes_counts: ClassVar[bool] = True
    least_gap: float = 0.25

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Choose the thresholds from out-of-fold scores and labels, (n_training,) each."""
        check_fraction("least_gap", self.least_gap)
        checked, truth = check_training_data(scores, labels)
        curve = candidate_thresholds(rate_curve(checked, truth))
        wide = curve.tpr - curve.fpr >= self.least_gap - TIE
        self.curve_ = curve.at(wide)
        if not wide.any():
            fallback = ThresholdPolicy(max_criterion).fit(checked, truth)
            self.curve_ = RateCurve(*(np.array([v]) for v in (fallback.threshold_, fallback.tpr_, fallback.fpr_)))
        return self

    def predict(self, scores: ArrayLike | Batch) -> FloatArray:
        """Median of the adjusted counts, (..., sample_size) -> (...)."""
        return blockwise(scores, self._median)

    def _median(self, batch: Batch) -> FloatArray:
        if batch.shares is not None:
            counts = batch.shares_from(self.curve_.thresholds)
            return np.median(adjust(counts, self.curve_.tpr, self.curve_.fpr), axis=1)
        n_thresholds = len(self.curve_.thresholds)
        ends = framed(batch.locate(self.curve_.thresholds), 0, n_thresholds)
        every = np.arange(n_thresholds + 1, dtype=np.int32)[np.newaxis]
        lower, upper = threshold_medians(
            Sweep(self.curve_.tpr, self.curve_.fpr, every), Runs(ends[:, :-1], ends[:, 1:], (ends,))
        )
        return (lower + upper) / 2.0

    def sweep(self, scores: ArrayLike) -> SweepEstimates:
        """The estimate at every threshold, for one sample, (sample_size,)."""
        sample = check_one_sample("scores", scores)
        counts = counts_at(sample, self.curve_.thresholds) / len(sample)
        estimates = adjust(counts, self.curve_.tpr, self.curve_.fpr)
        return SweepEstimates(self.curve_.thresholds, estimates, float(np.median(estimates)))


@dataclass
class FriedmanMethod(AdjustedAtThreshold):
    """FM: counts the scores that are at least the training prevalence, and corrects the count with tpr and fpr there.

    With calibrated scores, these instances are at least as likely positive as an average training instance. Where tpr = fpr,
    the count stays as it is. A threshold policy (see base.py): the count is always corrected.

    Source: Friedman 2014.
    """

    corrects_: ClassVar[bool] = True

    def fit(self, scores: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the threshold, and tpr and fpr there, from out-of-fold scores and labels, (n_training,) each."""
        checked, truth = check_training_data(scores, labels)
        self.threshold_ = float(truth.mean())
        self.tpr_, self.fpr_ = (float(positive_share(checked[truth == label], self.threshold_)) for label in (1, 0))
        return self
