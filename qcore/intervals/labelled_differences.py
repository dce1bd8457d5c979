"""Differences of several samples that are labelled in part, such as the answers of two versions of a model."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from qcore._base.validation import TIE, InvalidInput, check_choice, check_level
from qcore.evaluation.significance import holm
from qcore.intervals.difference import OTHERS, DifferenceInterval, Differences
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.labelled_sample_intervals import DEFAULT_LABELLED_SAMPLE_INTERVAL, LABELLED_SAMPLE_INTERVALS

_HALVINGS = 24
"""So often is the p-value narrowed down: to within 1e-7."""


def labelled_difference(
    first: LabelledSample,
    second: LabelledSample,
    level: float = 0.95,
    *,
    own: bool = True,
    method: str = DEFAULT_LABELLED_SAMPLE_INTERVAL,
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
    """
    check_level(level)
    check_choice("method", method, tuple(LABELLED_SAMPLE_INTERVALS))
    return _mover(first, second, level, own, method)


def _mover(first: LabelledSample, second: LabelledSample, level: float, own: bool, method: str) -> DifferenceInterval:
    interval = LABELLED_SAMPLE_INTERVALS[method].interval
    (p1, low1, high1), (p2, low2, high2) = interval(first, level, own), interval(second, level, own)
    moved = np.asarray(p2 - p1)
    low = moved - np.sqrt((p2 - low2) ** 2 + (high1 - p1) ** 2)
    high = moved + np.sqrt((high2 - p2) ** 2 + (p1 - low1) ** 2)
    return DifferenceInterval(moved, np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0))


def labelled_differences(
    samples: Mapping[str, LabelledSample],
    *,
    against: str | None = None,
    level: float = 0.95,
    own: bool = True,
    method: str = DEFAULT_LABELLED_SAMPLE_INTERVAL,
) -> Differences:
    """By how much the share differs between samples, each with labels of its own.

    Nothing is assumed of the predictions: each sample's labels correct its own. Intervals are those of `labelled_difference`
    (MOVER); the p-value of a difference is 1 less the highest level at which its interval leaves out 0.

    Parameters
    ----------
    samples : name -> counts of one sample; at least two.
    against : the sample that all others are compared with, by default the first; OTHERS compares each with all others together.
    level, own : level of the intervals; whether the samples' own shares are compared, or their populations'.
    method : a key of LABELLED_SAMPLE_INTERVALS.

    Returns
    -------
    Differences, of which `all_alike` is the smallest p-value after Holm's adjustment.

    Raises
    ------
    InvalidInput
        Fewer than two samples, an unknown `against` or method, or an invalid level.

    Source: Donner and Zou (2012), Closed-form confidence intervals for functions of the normal mean and standard deviation;
    Holm (1979), A simple sequentially rejective multiple test procedure; mathematics.md, 20.

    Examples
    --------
    >>> v1, v2 = LabelledSample(310, 1000, 31, 24, 69, 6), LabelledSample(520, 1000, 52, 45, 48, 6)
    >>> labelled_differences({"v1": v1, "v2": v2}).sentences("The share of right answers")
    ['The share of right answers rose by 21.0 points (11.6 to 29.8) from v1 to v2.']
    """
    check_level(level)
    if len(samples) < 2:
        raise InvalidInput("samples", "be at least two", str(len(samples)), "Pass a mapping from a name to the counts of each.")
    base = next(iter(samples)) if against is None else against
    check_choice("against", base, (*samples, OTHERS))
    check_choice("method", method, tuple(LABELLED_SAMPLE_INTERVALS))
    rows = []
    for name, sample in samples.items():
        share = {"group": name, "size": int(sample.sample_size)}
        interval = LABELLED_SAMPLE_INTERVALS[method].interval(sample, level, own)
        share |= dict(zip(("share", "share_low", "share_high"), map(float, interval), strict=True))
        beside = _others(samples, name) if base == OTHERS else samples[base]
        moved = _mover(beside, sample, level, own, method)
        share |= {key: float(value) for key, value in moved._asdict().items()}
        rows.append({**share, "p_value": _p_value(beside, sample, own, method)})
    table = pd.DataFrame(rows)
    compared = table[table.group != base].reset_index(drop=True)
    adjusted = holm(compared.p_value)
    shares = table[["group", "size", "share", "share_low", "share_high"]]
    of_base = shares[shares.group == base].to_dict("records")
    return Differences(
        compared.assign(p_adjusted=adjusted, differs=adjusted <= 1.0 - level + TIE),
        base,
        {str(key): value for key, value in of_base[0].items()} if of_base else None,
        float(adjusted.min()),
        method,
        level,
        shares,
    )


def _others(samples: Mapping[str, LabelledSample], name: str) -> LabelledSample:
    """The counts of all samples but one, together."""
    others = [sample for other, sample in samples.items() if other != name]
    fields = LabelledSample.__dataclass_fields__
    return LabelledSample(*(sum(int(getattr(one, field)) for one in others) for field in fields))


def _p_value(first: LabelledSample, second: LabelledSample, own: bool, method: str) -> float:
    """1 less the highest level at which the interval of the difference leaves out 0; 1 where none does."""
    within, beyond = 0.0, 1.0 - 1e-9
    for _ in range(_HALVINGS):
        middle = (within + beyond) / 2.0
        found = _mover(first, second, middle, own, method)
        if float(found.low) <= 0.0 <= float(found.high):
            beyond = middle
        else:
            within = middle
    return float(np.clip(1.0 - within, 0.0, 1.0))
