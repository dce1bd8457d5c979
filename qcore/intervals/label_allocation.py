"""Where do labels help most: in the sample itself or outside of it, in which predicted class, and how many more are needed?"""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from qcore._base.rounding import TIE
from qcore._base.validation import InvalidInput, check_fraction, check_integer
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.labelled_sample_intervals import double_sampling_arms


class LabelSplit(NamedTuple):
    """Numbers of labels for two groups: predicted positives and negatives, or positives and negatives."""

    positives: int
    negatives: int


def split_of_predicted_classes(sample: LabelledSample, labels: int) -> LabelSplit:
    """How many of `labels` to draw from predicted positives and negatives, so that `double_sampling` scatters least.

    In proportion to N_h sqrt(y_h (1 - y_h)) (Neyman 1934), with y_h = (k_h + 1) / (n_h + 2), so that no class is left out.
    Raises InvalidInput for a number that is not positive, or more than are left.
    """
    check_integer("labels", labels, low=1)
    shares = (sample.positives + 1.0) / (sample.checked + 2.0)
    parts = sample.predicted * np.sqrt(shares * (1.0 - shares))
    left = sample.predicted - sample.checked
    if labels > left.sum():
        raise InvalidInput("labels", f"be at most the {int(left.sum())} that are left", str(labels), "Draw a larger sample.")
    positives = int(np.clip(round(labels * float(parts[1] / parts.sum())), labels - left[0], left[1]))
    return LabelSplit(positives, labels - positives)


def split_of_classes(prevalence: float, rates: tuple[float, float], labels: int) -> LabelSplit:
    """How many of `labels` elsewhere should be positives and negatives, so that an adjusted count scatters least.

    In proportion to p sqrt(tpr (1 - tpr)) and (1 - p) sqrt(fpr (1 - fpr)); half each if both are 0. Raises InvalidInput.
    """
    check_integer("labels", labels, low=1)
    of_positives, of_negatives = _deviations(prevalence, rates)
    both = of_positives + of_negatives
    positives = round(labels * of_positives / both) if both > 0 else labels // 2
    return LabelSplit(positives, labels - positives)


def worth_of_a_label_inside(prevalence: float, rates: tuple[float, float]) -> float:
    """How many labels elsewhere, best divided among the classes, say as much as one label of the sample itself.

    The variance that labels add to `double_sampling`'s estimate is p (1 - p) (1 - r^2) / n, r the correlation of prediction
    and truth; to an adjusted count (p sqrt(tpr (1 - tpr)) + (1 - p) sqrt(fpr (1 - fpr)))^2 / (n (tpr - fpr)^2). But labels
    elsewhere serve every later sample, and hold under prior shift alone. Infinite if tpr is not above fpr. Raises InvalidInput.

    Examples
    --------
    >>> round(worth_of_a_label_inside(0.3, (0.8, 0.1)), 1)
    2.0
    """
    tpr, fpr = rates
    outside = sum(_deviations(prevalence, rates)) ** 2
    if tpr - fpr <= TIE:
        return float("inf")
    count = prevalence * tpr + (1.0 - prevalence) * fpr
    inside = prevalence * tpr * (1.0 - tpr) + (1.0 - prevalence) * fpr * (1.0 - fpr)
    # p (1 - p) (1 - r^2) = p (1 - p) (p t (1 - t) + (1 - p) f (1 - f)) / (c (1 - c)).
    within = prevalence * (1.0 - prevalence) * inside / max(count * (1.0 - count), TIE)
    return outside / (tpr - fpr) ** 2 / within if within > 0 else 1.0


def _deviations(prevalence: float, rates: tuple[float, float]) -> tuple[float, float]:
    p = check_fraction("prevalence", prevalence)
    tpr, fpr = (check_fraction(name, rate) for name, rate in zip(("tpr", "fpr"), rates, strict=True))
    return p * float(np.sqrt(tpr * (1.0 - tpr))), (1.0 - p) * float(np.sqrt(fpr * (1.0 - fpr)))


def labels_for_half_the_width(sample: LabelledSample, level: float = 0.95, *, own: bool = True) -> int:
    """How many labels more, drawn at random from what is left, make `double_sampling`'s interval half as wide.

    It is assumed that these labels show the same shares. 0 if every instance is labelled and the sample's own share is wanted.
    Raises InvalidInput if labelling all instances of the sample is not enough.

    Examples
    --------
    >>> labels_for_half_the_width(LabelledSample(310, 1000, 31, 24, 69, 6))
    200
    """
    n, total = int(sample.n_labels), int(sample.sample_size)
    if own and n == total:
        return 0

    def width(labels: int) -> float:
        checked = sample.checked + (sample.predicted - sample.checked) * (labels - n) / (total - n)
        return float(sum(double_sampling_arms(sample, sample.shares * checked, checked, level, own=own)))

    half = width(n) / 2.0 if n < total else 0.0
    if n == total or width(total) > half:
        raise InvalidInput("the interval", "be halved by labels of this sample", "too few instances", "Draw a larger sample.")
    return bisect_left(range(n, total + 1), -half, key=lambda labels: -width(labels))
