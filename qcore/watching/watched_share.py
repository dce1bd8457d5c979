"""A share watched over time, by intervals that hold at every look.

Intervals that hold at every look: they may be computed after each batch, as often as one likes, and all hold at once.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy
from scipy.stats import norm

from qcore._base.validation import FloatArray, InvalidInput, check_integer, check_kind, check_level, check_part, whole_numbers
from qcore.intervals.analytic import Interval, clipped, clopper_pearson, delta_deviation, lang_reiczigel
from qcore.intervals.counts import Counts, reversed_rates
from qcore.intervals.labelled_sample_intervals import wilson

_HALVINGS = 50
_WEIGHT = 125.0
"""How many instances the mixture around each p counts for, where it is tuned for large samples."""
_EDGE = 1e-12


def share_at_every_look(positives: ArrayLike, sizes: ArrayLike, level: float = 0.95, *, tuned: bool = False) -> Interval:
    """Intervals of a share that hold at all looks at once, given `positives` of `sizes` instances so far, (...).

    They hold each p whose likelihood is not too small beside its mean over a Beta distribution: with the uniform one,
    (m + 1) P(Bin(m, p) = x) > 1 - level.

    Parameters
    ----------
    tuned : take Beta(125 p, 125 (1 - p)) for each p instead of the uniform one: narrower from 500 instances on, wider before.

    Raises
    ------
    InvalidInput
        Counts that are not whole numbers, that are negative, or more positives than instances; a level out of bounds.

    Notes
    -----
    Robbins 1970.

    Examples
    --------
    >>> low, high = share_at_every_look(50, 100)
    >>> low.round(4).item(), high.round(4).item()
    (0.3446, 0.6554)
    """
    check_level(level, high=0.9999)
    x, m = np.broadcast_arrays(whole_numbers("positives", positives), whole_numbers("sizes", sizes))
    check_part("positives", x, "the number of instances", m)
    least, uniform = np.log(1.0 - level), betaln(x + 1.0, m - x + 1.0)

    def kept(p: FloatArray) -> Any:
        p = np.clip(p, _EDGE, 1.0 - _EDGE)
        mean = uniform
        if tuned:
            a, b = _WEIGHT * p, _WEIGHT * (1.0 - p)
            mean = betaln(x + a, m - x + b) - betaln(a, b)
        # The binomial coefficient cancels.
        return xlogy(x, p) + xlog1py(m - x, -p) - mean > least

    estimate = np.where(m > 0, x / np.maximum(m, 1), 0.5)
    return Interval(*_ends(kept, estimate))


def _ends(kept: Callable[[FloatArray], Any], estimate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where `kept` ends below and above an estimate, both by one bisection; an end of [0, 1] itself if that is kept."""
    end = np.stack([np.zeros_like(estimate), np.ones_like(estimate)])
    inside, outside, reached = estimate, end, kept(end)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2.0
        still = kept(middle)
        inside, outside = np.where(still, middle, inside), np.where(still, outside, middle)
    found = np.where(reached, end, outside)
    return found[0, ...], found[1, ...]


def critical_value(ratio: float, level: float = 0.95) -> float:
    """The value that replaces the normal quantile at all looks, if the variance falls to 1 / `ratio` of that at the first.

    Largest of the normal quantile z and the root of phi(z) ((z - 1/z) ln ratio + 4/z) = 1 - level.

    Source: Miller and Siegmund 1982.

    Examples
    --------
    >>> round(critical_value(10.0), 2)
    2.84
    """
    once = float(norm.ppf(0.5 + level / 2.0))

    def too_high(z: float) -> float:
        return float(norm.pdf(z)) * ((z - 1.0 / z) * float(np.log(ratio)) + 4.0 / z) - (1.0 - level)

    return once if ratio <= 1.0 or too_high(1.0) <= 0 else max(once, float(brentq(too_high, 1.0, 40.0)))


def adjusted_at_every_look(counts: Counts, level: float = 0.95) -> Interval:
    """Intervals of an adjusted count at all looks at once: `counts` so far of each look, (n,), with the same rates at all.

    Lang and Reiczigel's interval with `critical_value` for the normal quantile. The variance of the rates stays, so that the
    intervals never become narrower than the labels allow. They hold for a share that does not move.

    Raises
    ------
    InvalidInput
        No look; a level of 0 or 1.

    Examples
    --------
    >>> looks = Counts(np.array([17, 34, 51]), np.array([100, 200, 300]), 80, 100, 10, 100)
    >>> adjusted_at_every_look(looks).high.round(2).tolist()
    [0.29, 0.24, 0.23]
    """
    check_level(level, high=0.9999)
    if np.ndim(counts.sample_size) != 1 or not np.size(counts.sample_size):
        raise InvalidInput("counts", "be of one look or more, in an array", f"shape {counts.count.shape}", "Give a column.")
    return lang_reiczigel(counts, 2.0 * float(norm.cdf(critical_value(variance_ratio(counts), level))) - 1.0)


def variance_ratio(counts: Counts) -> float:
    """How many times larger the variance is at the first look than it would be after infinitely many instances."""
    tpr = (int(counts.true_positives) + 1.0) / (int(counts.positives) + 2.0)
    fpr = (int(counts.false_positives) + 1.0) / (int(counts.negatives) + 2.0)
    first, size = float(counts.count[0]), float(np.asarray(counts.sample_size)[0])
    share = np.asarray(np.clip((first - fpr) / (tpr - fpr), 0.0, 1.0) if tpr > fpr else 0.5)
    count = share * tpr + (1.0 - share) * fpr
    of_rates, of_first = (
        float(delta_deviation(share, count, (tpr, fpr), (instances, int(counts.positives), int(counts.negatives)))) ** 2
        for instances in (np.inf, size)
    )
    return of_first / of_rates


def exact_adjusted_at_every_look(counts: Counts, level: float = 0.95) -> Interval:
    """Intervals with guaranteed coverage, which are wider: from exact ones of tpr and fpr, and of the count at every look.

    A quarter of 1 - level is left to tpr and to fpr each (Clopper and Pearson 1934), half of it to the count
    (`share_at_every_look`); the ends are those of the worst corners.

    Examples
    --------
    >>> low, high = exact_adjusted_at_every_look(Counts(345, 1000, 80, 100, 10, 100))
    >>> round(float(low), 2), round(float(high), 2)
    (0.13, 0.56)
    """
    check_level(level, high=0.9999)
    tail = (1.0 - level) / 8.0
    tpr = clopper_pearson(counts.true_positives, counts.positives, tail)
    fpr = clopper_pearson(counts.false_positives, counts.negatives, tail)
    count = share_at_every_look(counts.predicted_positives, counts.sample_size, 0.5 + level / 2.0)
    known = tpr[0] > fpr[1]
    gaps = [np.where(known, gap, 1.0) for gap in (tpr[1] - fpr[1], tpr[0] - fpr[0])]
    low, high = (count.low - fpr[1]) / gaps[0], (count.high - fpr[0]) / gaps[1]
    return clipped(np.where(known, low, 0.0), np.where(known, high, 1.0), counts)


_MOST_OF_LABELS = 0.5

_FEW_SINCE = 5
"""With fewer batches since the baseline it is said what they can show."""


@dataclass(frozen=True)
class MeasuredRates:
    """Labels that tell tpr and fpr: `true_positives` of `positives`, `false_positives` of `negatives`.

    Examples
    --------
    >>> watch_share([30, 31, 60], [100, 100, 100], baseline=2, rates=MeasuredRates(90, 100, 5, 100)).moved_at
    3
    """

    true_positives: int
    positives: int
    false_positives: int
    negatives: int


@dataclass(frozen=True)
class WatchedShare:
    """A share after each batch.

    Attributes
    ----------
    table : a row per batch: batch, positives, size, share (of the batch), so_far (of all batches up to it), low, high (at every
        look), once_low, once_high (of a single look), and moved (whether an alert was given at it or before).
    baseline : the first batches, with which later ones are compared.
    before, now : intervals of the share predicted positive, of the baseline and of all batches since, which hold together.
    level : of the intervals that hold at every look, and of the alert.
    rates : labels by which counts are corrected, None if positives are counted as they are.

    Examples
    --------
    >>> watched = watch_share([30, 31, 29, 70, 75], [100] * 5, baseline=3)
    >>> watched.moved_at
    4
    """

    table: pd.DataFrame
    baseline: int
    before: tuple[float, float]
    now: tuple[float, float]
    level: float
    rates: MeasuredRates | None = None

    @property
    def moved_at(self) -> Any | None:
        """The first batch at which the intervals of the baseline and of later batches are disjoint; None if there is none."""
        moved = self.table.batch[self.table.moved]
        return None if moved.empty else moved.tolist()[0]

    @property
    def smallest_seen(self) -> float:
        """By how much the predicted share since the baseline must differ from that in it to be seen, at most 1."""
        rows = self.table[["positives", "size"]].to_numpy()
        (found, size), since = rows[: self.baseline].sum(axis=0), int(rows[self.baseline :, 1].sum())
        return seen_with(int(found), int(size), since, self.level)

    @property
    def on_few_batches(self) -> str:
        """A sentence on how little few batches since the baseline show; empty for more of them, or if the share has moved."""
        n = len(self.table) - self.baseline
        if self.moved_at is not None or n >= _FEW_SINCE:
            return ""
        since = "one batch" if n == 1 else f"{n} batches"
        first = "the first batch" if self.baseline == 1 else f"the first {self.baseline} batches"
        smallest = self.smallest_seen
        change = f"a change of less than about {100.0 * smallest:.0f} points" if smallest < 1.0 else "no change"
        return f"With only {since} since {first}, {change} is {'not ' * (smallest < 1.0)}seen."

    @property
    def share_of_labels(self) -> float:
        """The share of the last estimate's variance that comes from the labels, which more batches leave; 0 without rates."""
        if self.rates is None:
            return 0.0
        counts = self.counts
        last = Counts(np.asarray(counts.predicted_positives)[-1:], np.asarray(counts.sample_size)[-1:], **asdict(self.rates))
        ratio = variance_ratio(last)
        return 0.0 if np.isinf(ratio) else 1.0 / ratio

    @property
    def swapped(self) -> str:
        """A sentence where the rates are the wrong way round, so that two counts may be swapped; else empty."""
        return "" if self.rates is None else reversed_rates(self.counts)

    @property
    def label_anew(self) -> bool:
        """Whether labels limit the estimate more than batches do, or the count is beyond what the rates allow."""
        if self.rates is None:
            return False
        beyond = not 0.0 <= float(self.counts.unclipped[-1]) <= 1.0
        return beyond or self.share_of_labels > _MOST_OF_LABELS

    @property
    def counts(self) -> Counts:
        """The counts so far after each batch. Raises InvalidInput without rates."""
        if self.rates is None:
            raise InvalidInput("rates", "be known", "none", "Pass rates=MeasuredRates(...) to watch_share.")
        return Counts(self.table.positives.cumsum().to_numpy(), self.table["size"].cumsum().to_numpy(), **asdict(self.rates))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        moved = self.moved_at
        return {
            "moved": moved is not None,
            "moved_at": None if moved is None else str(moved),
            "label_anew": self.label_anew,
            "swapped": self.swapped,
            "level": self.level,
            "baseline": {"batches": self.baseline, "low": self.before[0], "high": self.before[1]},
            "since": {"low": self.now[0], "high": self.now[1]},
            "rates": None if self.rates is None else asdict(self.rates),
            "batches": self.table.assign(batch=self.table.batch.astype(str)).to_dict("records"),
        }


def watch_share(
    positives: ArrayLike,
    sizes: ArrayLike,
    *,
    batches: ArrayLike | None = None,
    baseline: int = 20,
    rates: MeasuredRates | None = None,
    level: float = 0.95,
) -> WatchedShare:
    """The share of positives after each batch, with intervals that hold at every look, and an alert when it has moved.

    Parameters
    ----------
    positives, sizes : predicted positives and instances of each batch, (n,), in the order of time.
    batches : names of the batches, (n,); by default 1 to n.
    baseline : how many of the first batches later ones are compared with; never change it while you watch.
    rates : labelled instances by which the share is corrected; without them it is that of the positives as counted.
    level : level of the intervals and of the alert, such as 0.95.

    Returns
    -------
    WatchedShare
        The alert compares counts, in which the rates cancel: while the classes are as they were, a share that has not moved
        gives an alert, at any look, with a probability of at most 1 - `level`.

    Raises
    ------
    InvalidInput
        Fewer than two batches; an empty batch; impossible counts; a baseline that leaves no batch to compare; an invalid level;
        rates that are not MeasuredRates.

    Notes
    -----
    Robbins 1970 for the count (half of 1 - level for the baseline, half for the batches since); Lang and Reiczigel 2014 with
    the critical value of Miller and Siegmund 1982 for a corrected share.

    Examples
    --------
    >>> calm = watch_share([31, 28, 30, 33, 29, 31, 27, 30], [100] * 8, baseline=4)
    >>> calm.moved_at is None
    True
    >>> risen = watch_share([310, 280, 300, 330, 520, 550, 580, 570], [1000] * 8, baseline=4)
    >>> risen.moved_at
    5
    """
    x, m, before, since, moved = compared_with_baseline(positives, sizes, baseline, level)
    names = np.arange(1, len(x) + 1) if batches is None else np.asarray(batches)
    if names.shape != x.shape:
        raise InvalidInput("batches", f"be {len(x)} names", f"{names.size}", "Name each batch once.")
    so_far, once, every = _at_each_look(x.cumsum(), m.cumsum(), rates, level)
    table = pd.DataFrame(
        {
            "batch": names,
            "positives": x,
            "size": m,
            "share": x / m,
            "so_far": so_far,
            "low": every.low,
            "high": every.high,
            "once_low": once.low,
            "once_high": once.high,
            "moved": moved,
        }
    )
    ends = (float(before.low), float(before.high)), (float(since.low[-1]), float(since.high[-1]))
    return WatchedShare(table, int(baseline), *ends, level, rates)


def seen_with(positives: int, size: int, since: int, level: float = 0.95) -> float:
    """By how much the share of `since` instances must differ from that of a baseline, `positives` of `size`, to be seen; or 1.

    The smallest difference, up or down, at which the intervals of both no longer overlap.

    Examples
    --------
    >>> round(seen_with(600, 2000, 100), 2), round(seen_with(600, 2000, 2000), 2), seen_with(600, 2000, 3)
    (0.19, 0.08, 1.0)
    """
    half = 0.5 + level / 2.0
    before = share_at_every_look(positives, size, half)

    def seen(count: int) -> bool:
        low, high = share_at_every_look(count, since, half)
        return bool(low > before.high or high < before.low)

    start = positives * since // size
    above = bisect_left(range(start, since + 1), True, key=seen) + start
    below = start - bisect_left(range(start + 1), True, key=lambda fewer: seen(start - fewer))
    found = [count for count in (above, below) if 0 <= count <= since and seen(count)]
    return min((abs(count / since - positives / size) for count in found), default=1.0)


def compared_with_baseline(
    positives: ArrayLike, sizes: ArrayLike, baseline: int, level: float
) -> tuple[Any, Any, Interval, Interval, np.ndarray]:
    """Counts of batches as whole numbers, the intervals of the baseline and of those since, and where an alert has been given.

    Raises InvalidInput, as `watch_share`.
    """
    check_level(level)
    x, m = _checked(positives, sizes)
    check_integer("baseline", baseline, low=1, high=len(x) - 1, hint="Leave a batch to compare with it.")
    half = 0.5 + level / 2.0
    before = share_at_every_look(x[:baseline].sum(), m[:baseline].sum(), half)
    since = share_at_every_look(x[baseline:].cumsum(), m[baseline:].cumsum(), half)
    disjoint = (since.low > before.high) | (since.high < before.low)
    return x, m, before, since, np.concatenate([np.zeros(baseline, bool), np.logical_or.accumulate(disjoint)])


def _checked(positives: ArrayLike, sizes: ArrayLike) -> tuple[Any, Any]:
    x, m = whole_numbers("positives", positives), whole_numbers("sizes", sizes)
    if x.ndim != 1 or x.shape != m.shape or len(x) < 2:
        alone = x.ndim == 1 and x.shape == m.shape
        got = ("one" if len(x) else "none") if alone else f"shapes {x.shape} and {m.shape}"
        hint = "Add the next batch: a share is compared with that of earlier ones." if alone else "Give two columns."
        raise InvalidInput("batches", "be two or more, each with its positives and its size", got, hint)
    if (m < 1).any():
        raise InvalidInput("each batch", "have an instance", f"none in batch {int((m < 1).argmax()) + 1}", "Leave it out.")
    wrong = (x < 0) | (x > m)
    if wrong.any():
        at = int(wrong.argmax())
        got = f"{x[at]} of {m[at]} in batch {at + 1}"
        raise InvalidInput("positives", "be from 0 to the size of the batch", got, "Check the two columns.")
    return x, m


def _at_each_look(x: Any, m: Any, rates: MeasuredRates | None, level: float) -> tuple[Any, Interval, Interval]:
    """The estimate from all so far, its interval of a single look, and that at every look."""
    if rates is None:
        return x / m, wilson(x, m, level), share_at_every_look(x, m, level)
    hint = "Write MeasuredRates(true_positives, positives, false_positives, negatives), from qcore.watching."
    check_kind("rates", rates, MeasuredRates, hint)
    counts = Counts(x, m, **asdict(rates))
    return counts.estimate, lang_reiczigel(counts, level), adjusted_at_every_look(counts, level)
