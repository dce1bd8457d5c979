"""How many labels an interval of a given width needs, or instances a change of the share, and where labels help most.

Where do labels help most: in the sample itself or outside of it, in which predicted class, and how many more are needed?
"""

from bisect import bisect_left
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from qcore._base.validation import TIE, FloatArray, InvalidInput, check_fraction, check_integer, check_level
from qcore.intervals.analytic import delta_deviation
from qcore.intervals.labelled_sample import LabelledSample
from qcore.intervals.labelled_sample_intervals import double_sampling_arms


def expected_width(
    prevalence: float,
    rates: tuple[float, float],
    positives: ArrayLike,
    negatives: ArrayLike,
    *,
    sample_size: ArrayLike,
    level: float = 0.95,
) -> FloatArray:
    """Width of an adjusted count's interval by the delta method, shape (...), at most 1.

    Parameters
    ----------
    prevalence : the expected prevalence.
    rates : the classifier's (tpr, fpr).
    positives, negatives, sample_size : labelled instances of each class and instances in the sample; they broadcast.

    Raises
    ------
    InvalidInput
        A value is out of range, or tpr is not above fpr.

    Examples
    --------
    >>> expected_width(0.1, (0.8, 0.1), [50, 100, 1000], 100, sample_size=1000).round(2).tolist()
    [0.17, 0.17, 0.17]
    """
    check_level(level)
    check_fraction("prevalence", prevalence)
    for name, count in (("positives", positives), ("negatives", negatives), ("sample_size", sample_size)):
        if (np.asarray(count) < 0).any():
            raise InvalidInput(name, "be 0 or more", f"{np.min(count)}", "Check the counts.")
    tpr, fpr = (check_fraction(name, rate) for name, rate in zip(("tpr", "fpr"), rates, strict=True))
    if tpr - fpr <= TIE:
        hint = "Take a better classifier, or check whether counts are swapped."
        raise InvalidInput("tpr", f"be above fpr, {fpr:g}", f"{tpr:g}", hint)
    share = np.asarray(prevalence)
    count = share * tpr + (1.0 - share) * fpr
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = delta_deviation(share, count, (tpr, fpr), (sample_size, positives, negatives))
    width = np.minimum(2.0 * norm.ppf(0.5 + level / 2.0) * deviation / (tpr - fpr), 1.0)
    # Without an instance, or without a label of a class, nothing is known, even where the formula has 0/0.
    unknown = (np.asarray(sample_size) == 0) | (np.asarray(positives) == 0) | (np.asarray(negatives) == 0)
    return np.where(unknown, 1.0, width)


class BestSplit(NamedTuple):
    """How many of the next labels should be positives and negatives, and the width of the interval with them."""

    positives: int
    negatives: int
    width: float


def best_split(
    prevalence: float,
    rates: tuple[float, float],
    positives: int,
    negatives: int,
    *,
    sample_size: int,
    more: int = 100,
    level: float = 0.95,
) -> BestSplit:
    """The split of `more` labels between the classes that makes the interval shortest.

    Raises the same errors as `expected_width`.

    Examples
    --------
    >>> best_split(0.1, (0.8, 0.1), 50, 50, sample_size=1000)[:2]
    (0, 100)
    """
    check_integer("more", more, low=1)
    for name, count in (("positives", positives), ("negatives", negatives)):
        check_integer(name, count, low=0)
    added = np.arange(more + 1)
    widths = expected_width(
        prevalence, rates, positives + added, negatives + more - added, sample_size=sample_size, level=level
    )
    best = int(np.argmin(widths))
    return BestSplit(best, more - best, float(widths[best]))


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
    """How many more labels, drawn at random from what is left, make `double_sampling`'s interval half as wide.

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


def sample_size_for_difference(
    prevalence: float, difference: float, rates: tuple[float, float], *, power: float = 0.8, level: float = 0.95
) -> int:
    """Instances that each of two samples needs for a change of the share to be seen with that power.

    More labels hardly help: the test is one of the predictions.

    Parameters
    ----------
    prevalence : share of positives in the first sample.
    difference : by how much the second one differs, other than 0; the share stays in [0, 1].
    rates : (tpr, fpr), tpr above fpr.
    power, level : probability that the change is seen, and that none is seen where there is none.

    Raises InvalidInput for a share outside [0, 1], no difference, or rates that do not tell the classes apart. Source:
    mathematics.md, 20.

    Examples
    --------
    >>> [sample_size_for_difference(0.35, points, (0.8, 0.1)) for points in (0.01, 0.03, 0.05)]
    [72734, 8152, 2958]
    """
    z, shares = _planned(prevalence, difference, rates, power, level)
    tpr, fpr = rates
    counts = (fpr + share * (tpr - fpr) for share in shares)
    return int(np.ceil(z**2 * sum(count * (1.0 - count) for count in counts) / (difference * (tpr - fpr)) ** 2 - TIE))


def labels_for_difference(
    prevalence: float,
    difference: float,
    rates: tuple[float, float],
    sample_size: int,
    *,
    power: float = 0.8,
    level: float = 0.95,
    own: bool = True,
) -> int:
    """Labels that each of two samples needs, drawn at random from its own instances, for a change to be seen with that power.

    The variance is that of `double_sampling`, p (1 - p) ((1 - r^2) / n + r^2 / N), or of own shares
    (1 - r^2) (1 / n - 1 / N), with r the correlation of prediction and truth; the samples are independent.

    Parameters
    ----------
    prevalence, difference, rates, power, level : as in `sample_size_for_difference`.
    sample_size : instances of each sample, all predicted.
    own : whether the samples' own shares are compared, or their populations'.

    Raises InvalidInput as `sample_size_for_difference`, and where all labels of the samples would not be enough. Source:
    Tenenbein (1970); mathematics.md, 11 and 20.

    Examples
    --------
    >>> labels_for_difference(0.35, 0.05, (0.8, 0.1), 10_000), labels_for_difference(0.35, 0.05, (0.8, 0.1), 3_000)
    (689, 594)
    """
    check_integer("sample_size", sample_size, low=1)
    z, shares = _planned(prevalence, difference, rates, power, level)
    tpr, fpr = rates
    of_labels, of_all = 0.0, 0.0
    for p in shares:
        count, variance = fpr + p * (tpr - fpr), p * (1.0 - p)
        explained = variance * (tpr - fpr) ** 2 / max(count * (1.0 - count), TIE)
        of_labels += variance * (1.0 - explained)
        of_all += variance * (explained - 1.0 if own else explained)
    left = (difference / z) ** 2 - of_all / sample_size
    labels = int(np.ceil(of_labels / left - TIE)) if left > 0.0 else sample_size + 1
    if labels > sample_size:
        needed = sample_size_for_difference(prevalence, difference, rates, power=power, level=level)
        hint = f"Draw larger samples, or compare counts: {needed:,} instances each, with labels from elsewhere."
        raise InvalidInput("the change", "be seen with labels of these samples", f"{sample_size:,} instances each", hint)
    return max(labels, 1)


def _planned(
    prevalence: float, difference: float, rates: tuple[float, float], power: float, level: float
) -> tuple[float, tuple[float, float]]:
    """(both normal quantiles together, the two shares) of a plan. Raises InvalidInput."""
    check_level(level)
    check_fraction("prevalence", prevalence, hint="Choose for example 0.35.")
    check_fraction("prevalence and difference together", prevalence + difference, hint="Choose a smaller difference.")
    check_fraction("power", power, low=0.5, high=0.9999, hint="Choose for example 0.8.")
    tpr, fpr = rates
    if not 0.0 <= fpr < tpr <= 1.0:
        raise InvalidInput("rates", "be a tpr above an fpr", f"{tpr:g} and {fpr:g}", "Choose for example 0.8 and 0.1.")
    if abs(difference) <= TIE:
        raise InvalidInput("difference", "be other than 0", f"{difference:g}", "Choose for example 0.03.")
    return float(norm.ppf(0.5 + level / 2.0) + norm.ppf(power)), (prevalence, prevalence + difference)


@dataclass(frozen=True)
class DifferencePlan:
    """What it takes to see a change of the share, up or down, whichever needs more.

    Attributes
    ----------
    prevalence, difference, power, level : the share now, by how much it changes, and how surely that is seen.
    instances : of each of two samples, counted with labels from elsewhere; None where the rates do not tell the classes apart.
    sample_size, labels_inside : instances of each sample, and how many labels of its own show the change; None without a size,
        or if labelling all of them is not enough.

    Examples
    --------
    >>> plan = plan_difference(0.35, 0.03, (0.8, 0.1), sample_size=10_000)
    >>> plan.instances, plan.labels_inside
    (8152, 2548)
    """

    prevalence: float
    difference: float
    power: float
    level: float
    instances: int | None
    sample_size: int | None = None
    labels_inside: int | None = None

    def sentences(self, sample: str = "sample") -> list[str]:
        """What is needed, in words; `sample` says what one is, such as month."""
        points, share, power = f"{100.0 * self.difference:.3g} points", f"{self.prevalence:.1%}", f"{self.power:.0%}"
        to_see = f"To see a change of {points} from {share} ({power} power, level {self.level:.0%})"
        if self.instances is None:
            return [f"{to_see}: no number is enough unless tpr is above fpr."]
        said = [
            f"{to_see}: {self.instances:,} instances a {sample}, with labels elsewhere. More of these labels hardly help: "
            "their errors cancel in a difference."
        ]
        if self.sample_size is not None and self.labels_inside is None:
            said.append(f"Labels of its own, even of all instances, do not show it in a {sample} of {self.sample_size:,}.")
        elif self.sample_size is not None:
            said.append(f"Or {self.labels_inside:,} labels in each {sample} of {self.sample_size:,}, drawn at random.")
        return said

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON: shares and differences as fractions."""
        return asdict(self)


def plan_difference(
    prevalence: float,
    difference: float,
    rates: tuple[float, float],
    *,
    power: float = 0.8,
    level: float = 0.95,
    sample_size: int | None = None,
    own: bool = False,
) -> DifferencePlan:
    """What it takes to see a change of the share by `difference` up or down: instances, and labels inside of samples.

    Parameters are those of `sample_size_for_difference` and `labels_for_difference`; labels are by default planned for the
    populations that samples are drawn from. A change beyond 0 or 1 is not considered.
    Raises InvalidInput for an invalid share, power or level, and where the change leads beyond both.

    Examples
    --------
    >>> plan_difference(0.35, 0.03, (0.8, 0.1)).sentences("month")[0][:86]
    'To see a change of 3 points from 35.0% (80% power, level 95%): 8,152 instances a month'
    """
    size = check_fraction("difference", abs(difference), hint="Write 0.03 for 3 points.")
    moves = [move for move in (size, -size) if 0.0 <= prevalence + move <= 1.0] or [size]
    instances, labels, how = [], [], {"power": power, "level": level}
    for move in moves:
        if not rates[0] - rates[1] > TIE:
            _planned(prevalence, move, (1.0, 0.0), power, level)
            return DifferencePlan(prevalence, size, power, level, None, sample_size)
        instances.append(sample_size_for_difference(prevalence, move, rates, **how))
        if sample_size is not None:
            labels.append(_labels_or_none(prevalence, move, rates, sample_size, how | {"own": own}))
    inside = None if None in labels or not labels else max(one for one in labels if one is not None)
    return DifferencePlan(prevalence, size, power, level, max(instances), sample_size, inside)


def _labels_or_none(
    prevalence: float, difference: float, rates: tuple[float, float], sample_size: int, how: dict[str, Any]
) -> int | None:
    try:
        return labels_for_difference(prevalence, difference, rates, sample_size, **how)
    except InvalidInput:
        return None
