"""The difference of the shares of samples that are labelled in part: each by its own labels, so that they are independent."""

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np
import pandas as pd
from scipy.stats import chi2, norm

from qcore._base.validation import TIE, FloatArray, check_level
from qcore.intervals.difference import OTHERS, DifferenceInterval, Differences, checked_base, compared_with_base
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.labelled_sample_intervals import LABELLED_SAMPLE_INTERVALS, EstimateWithInterval

_METHOD = "double sampling"
_HALVINGS = 50


def labelled_difference(
    first: LabelledSample, second: LabelledSample, level: float = 0.95, *, own: bool = True, method: str = _METHOD
) -> DifferenceInterval:
    """The share in the second of two samples that are labelled in part, less that in the first.

    Labels inside both samples are independent: the interval is made of the two intervals' ends (MOVER).

    Parameters
    ----------
    first, second : the samples' counts.
    level, own : level of the interval; whether the samples' own shares are compared, or their populations'.
    method : a key of LABELLED_SAMPLE_INTERVALS.

    Raises InvalidInput for an invalid level or an unknown method. Source: Donner and Zou (2012), Closed-form confidence
    intervals for functions of the normal mean and standard deviation; mathematics.md, 20.

    Examples
    --------
    >>> may, june = LabelledSample(310, 1000, 31, 24, 69, 6), LabelledSample(420, 1000, 42, 33, 58, 5)
    >>> [round(float(end), 2) for end in labelled_difference(may, june)[:3]]
    [0.08, -0.01, 0.17]
    """
    check_level(level)
    interval = LABELLED_SAMPLE_INTERVALS[method].interval
    return _of_ends(interval(first, level, own), interval(second, level, own))


def _of_ends(first: EstimateWithInterval, second: EstimateWithInterval) -> DifferenceInterval:
    (p1, low1, high1), (p2, low2, high2) = first, second
    moved = np.asarray(p2 - p1)
    low = moved - np.sqrt((p2 - low2) ** 2 + (high1 - p1) ** 2)
    high = moved + np.sqrt((high2 - p2) ** 2 + (p1 - low1) ** 2)
    return DifferenceInterval(moved, np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0))


def labelled_sample_differences(
    samples: Mapping[str, LabelledSample], *, against: str | None = None, level: float = 0.95, own: bool = True
) -> Differences:
    """By how much the share differs between samples that are each labelled in part, such as those of two versions of a model.

    Parameters
    ----------
    samples : name -> counts of one sample; at least two.
    against : the sample that all others are compared with, by default the first; OTHERS compares each with all others together,
        in proportion to their sizes.
    level, own : as in `labelled_difference`. A p-value is 1 less the level of the interval that just holds 0.

    Raises InvalidInput as `difference`. Source: that of `labelled_difference`; Holm (1979); Cochran (1954), The combination of
    estimates from different experiments, for `all_alike`.

    Examples
    --------
    >>> v1, v2 = LabelledSample(310, 1000, 60, 48, 140, 12), LabelledSample(450, 1000, 80, 70, 120, 10)
    >>> labelled_sample_differences({"v1": v1, "v2": v2}).sentences("The share of errors")
    ['The share of errors rose by 13.2 points (7.3 to 18.7) from v1 to v2.']
    """
    check_level(level)
    base = checked_base(list(samples), against)

    together = LabelledSample(
        *(np.array([int(getattr(one, count)) for one in samples.values()]) for count in LabelledSample.__dataclass_fields__)
    )

    @cache
    def ends_at(at: float) -> dict[str, EstimateWithInterval]:
        # All samples at once: each p-value asks for fifty levels.
        found = LABELLED_SAMPLE_INTERVALS[_METHOD].interval(together, at, own)
        return {name: EstimateWithInterval(*one) for name, one in zip(samples, zip(*found, strict=True), strict=True)}

    def both(name: str, at: float) -> tuple[EstimateWithInterval, EstimateWithInterval]:
        own_ends = ends_at(at)
        rest = {other: float(samples[other].sample_size) for other in samples if other != name}
        return _mean(own_ends, rest) if base == OTHERS else own_ends[base], own_ends[name]

    rows = []
    for name, sample in samples.items():
        first, second = both(name, level)
        row = {"group": name, "size": int(sample.sample_size), "labels": int(sample.n_labels)}
        ends = dict(zip(("share", "share_low", "share_high"), map(float, second), strict=True))
        found = dict(zip(("difference", "low", "high"), map(float, _of_ends(first, second)), strict=True))
        p_value = 1.0 if name == base else _p_value(partial(_between, partial(both, name)))
        rows.append({**row, **ends, **found, "p_value": p_value})
    table = pd.DataFrame(rows)
    return compared_with_base(table, base, _all_alike(table, level), _METHOD, level)


def _between(both: Callable[[float], tuple[EstimateWithInterval, EstimateWithInterval]], level: float) -> DifferenceInterval:
    return _of_ends(*both(level))


def _mean(ends: Mapping[str, EstimateWithInterval], sizes: Mapping[str, float]) -> EstimateWithInterval:
    """The mean of independent estimates, weighted by sizes, with its interval (MOVER)."""
    total = sum(sizes.values())
    weights = {name: size / total for name, size in sizes.items()}
    mean = np.asarray(sum(weights[name] * ends[name].estimate for name in sizes))
    down, up = (
        np.sqrt(sum((weights[name] * arm(ends[name])) ** 2 for name in sizes))
        for arm in (lambda one: one.estimate - one.low, lambda one: one.high - one.estimate)
    )
    return EstimateWithInterval(mean, mean - down, mean + up)


def _p_value(interval: Callable[[float], DifferenceInterval]) -> float:
    """1 less the lowest level at which an interval holds 0."""
    low, high = 0.0, 1.0 - 1e-12
    for _ in range(_HALVINGS):
        level = (low + high) / 2.0
        _, left, right = interval(level)
        low, high = (low, level) if left <= 0.0 <= right else (level, high)
    return 1.0 - high


def _all_alike(table: pd.DataFrame, level: float) -> float:
    """Cochran's test of equal shares, with the variances that the intervals' widths tell."""
    deviations: FloatArray = ((table.share_high - table.share_low) / (2.0 * norm.ppf(0.5 + level / 2.0))).to_numpy()
    precision = 1.0 / np.maximum(deviations, TIE) ** 2
    mean = float((precision * table.share).sum() / precision.sum())
    return float(chi2.sf((precision * (table.share - mean) ** 2).sum(), len(table) - 1))
