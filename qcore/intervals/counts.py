"""The counts behind an adjusted count, also from rates as people have them: counted, published, or known.

Rates the wrong way round: a tpr below the fpr, and what it may come from.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_fraction,
    check_integer,
    check_level,
    check_numbers,
    check_one_shape,
    check_part,
    check_scores,
    check_training_data,
    whole_numbers,
)
from qcore.intervals.weights import check_weights, effective_size

KNOWN = 10**9
"""As many labels stand for a rate that is taken as known: its standard error is at most 0.00002."""
_NEARLY = 0.1
"""The labels that stand for a published interval are within this share of what its width asks for."""
_NUMBER = r"(?:\d+(?:[.,]\d+)?|[.,]\d+)"
_COUNTED = re.compile(r"(\d+)\s*(?:/|of|out of)\s*(\d+)")
_OF_LABELS = re.compile(rf"({_NUMBER})\s*(%?)\s*(?:/|of|out of)\s*(\d+)")
_LEVEL = re.compile(rf"({_NUMBER})\s*%?\s*(?:CI|confidence interval|credible interval)\s*[:=,]?", re.IGNORECASE)
_PUBLISHED = re.compile(
    rf"({_NUMBER})\s*%?\s*(?:,|;)?\s*[(\[]?\s*({_NUMBER})\s*%?\s*(?:-|\u2013|\u2014|to|,\s|;|\s)\s*({_NUMBER})\s*%?\s*[)\]]?\s*%?"
)
_ALONE = re.compile(rf"({_NUMBER})\s*%?")


class MeasuredRate(NamedTuple):
    """A sensitivity or specificity as `found` of `total` labels, and how it is known: a key of KINDS_OF_RATES.

    Examples
    --------
    >>> MeasuredRate(180, 200).rate
    0.9
    """

    found: int
    total: int
    kind: str = "counted"

    @property
    def rate(self) -> float:
        """The rate, in [0, 1]."""
        return self.found / self.total


KINDS_OF_RATES = {
    "counted": "labels that were counted",
    "published": "as many labels as give an interval of the published width",
    "known": "known exactly, without an error of its own",
}
"""How a rate is known -> what its labels are."""


def effective_labels(rate: float, low: float, high: float, level: float = 0.95) -> int:
    """The number of labels with which Wilson's (1927) interval of a rate is as wide as a published one.

    Published intervals are Wilson's, Clopper and Pearson's, Wald's or of a meta-analysis: these labels keep what it says of the
    error, whatever formula it came from. At least 1, and at most KNOWN.

    Parameters
    ----------
    rate, low, high : the rate and the ends of its interval, in [0, 1].
    level : level of the published interval.

    Raises InvalidInput unless low <= rate <= high, low < high, and for an invalid level.

    Examples
    --------
    >>> effective_labels(0.9, 0.85, 0.94), effective_labels(1.0, 0.95, 1.0)
    (173, 73)
    """
    check_level(level)
    for name, value in (("rate", rate), ("low", low), ("high", high)):
        check_fraction(name, value, hint="Write 0.9 or 90%.")
    if not (low <= rate <= high and low < high):
        got = f"{rate:g} beside {low:g} to {high:g}"
        raise InvalidInput("a rate", "lie within its interval", got, "Write for example 0.9 (0.85-0.94).")
    z2, spread, square = norm.ppf(0.5 + level / 2.0) ** 2, 2.0 * rate * (1.0 - rate), (high - low) ** 2
    # Wilson's width, 2 z sqrt(n p (1 - p) + z^2 / 4) / (n + z^2), solved for n.
    n = z2 * (spread - square + np.sqrt((spread - square) ** 2 + square * (1.0 - square))) / square
    return int(min(max(round(float(n)), 1), KNOWN))


def rate_from_text(text: str, name: str = "the rate", level: float = 0.95) -> MeasuredRate:
    """A rate as people write it: counts, a share of a number of labels, a share with its interval, or a share that is known.

    Parameters
    ----------
    text : "180/200", "0.9/200" or "90% of 200"; "0.9 (0.85-0.94)", "90% [85% to 94%]", "0.9 (90% CI 0.86, 0.93)"; "0.9".
    name : what the rate is called in an error.
    level : level of an interval that does not say its own.

    Returns
    -------
    MeasuredRate
        Of a published interval, `effective_labels`: of the numbers nearly as large, the one whose counts are nearest to the
        rate. For a rate alone, KNOWN labels: it is taken as known.

    Raises
    ------
    InvalidInput
        Another text; counts that contradict each other; a share outside [0, 1] or outside its interval.

    Examples
    --------
    >>> rate_from_text("180/200"), rate_from_text("0.9 (0.85-0.94)"), rate_from_text("90%").kind
    (MeasuredRate(found=180, total=200, kind='counted'), MeasuredRate(found=153, total=170, kind='published'), 'known')
    """
    words = text.strip()
    if counted := _COUNTED.fullmatch(words):
        found, total = int(counted[1]), int(counted[2])
        _check_total(name, found, total)
        return MeasuredRate(found, total)
    if of_labels := _OF_LABELS.fullmatch(words):
        rate, total = _number(of_labels[1]) / (100.0 if of_labels[2] else 1.0), int(of_labels[3])
        check_fraction(name, rate, hint="Write 180/200, 0.9/200 or 90%/200.")
        found = round(rate * total)
        _check_total(name, found, total)
        return MeasuredRate(found, total)
    if said := _LEVEL.search(words):
        level, words = _number(said[1]) / 100.0, words.replace(said[0], "")
    if published := _PUBLISHED.fullmatch(words.strip()):
        rate, low, high = _shares(name, words, *published.groups())
        return MeasuredRate(*_nearest_counts(rate, effective_labels(rate, low, high, level)), "published")
    if _ALONE.fullmatch(words):
        (rate,) = _shares(name, words, words.rstrip("% "))
        return MeasuredRate(round(rate * KNOWN), KNOWN, "known")
    hint = "Write 180/200, 0.9/200, 0.9 (0.85-0.94) for a published interval, or 0.9 for a rate that is known."
    raise InvalidInput(name, "be a rate", repr(text), hint)


def _check_total(name: str, found: int, total: int) -> None:
    if not 0 <= found <= total or total < 1:
        raise InvalidInput(name, "be a part of its total", f"{found:,} of {total:,}", "Write the part first, as in 180/200.")


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _shares(name: str, text: str, *numbers: str) -> list[float]:
    """The numbers as shares: all are percentages if there is a percent sign, or if one is above 1."""
    values = [_number(number) for number in numbers]
    by = 100.0 if "%" in text or max(values) > 1.0 else 1.0
    return [check_fraction(name, value / by, hint="Write 0.9 or 90%.") for value in values]


def _nearest_counts(rate: float, labels: int) -> tuple[int, int]:
    """Counts nearest to a rate, with nearly `labels` labels; of those equally near, the number nearest to `labels`."""
    totals = np.arange(max(round((1.0 - _NEARLY) * labels), 1), min(round((1.0 + _NEARLY) * labels), labels + 1000) + 1)
    off = np.abs(np.rint(rate * totals) / totals - rate)
    total = int(totals[np.lexsort((np.abs(totals - labels), off.round(9)))[0]])
    return round(rate * total), total


@dataclass(frozen=True)
class Counts:
    """Counts of one sample, or of many: each is a whole number or an array, and all broadcast to one shape (...).

    Attributes
    ----------
    predicted_positives, sample_size : x of m instances of the sample are predicted positive.
    true_positives, positives : tp of the n_pos labelled positives are predicted positive.
    false_positives, negatives : fp of the n_neg labelled negatives are predicted positive.

    Raises
    ------
    InvalidInput
        A count is not a whole number, is negative or larger than its total, or a total is 0.

    Examples
    --------
    >>> counts = Counts(210, 1000, 85, 100, 12, 100)
    >>> counts.estimate.round(3).item(), counts.tpr.item(), counts.fpr.item()
    (0.123, 0.85, 0.12)
    """

    predicted_positives: int | IntArray
    sample_size: int | IntArray
    true_positives: int | IntArray
    positives: int | IntArray
    false_positives: int | IntArray
    negatives: int | IntArray

    def __post_init__(self) -> None:
        pairs = (
            ("predicted_positives", "sample_size"),
            ("true_positives", "positives"),
            ("false_positives", "negatives"),
        )
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, self._checked(name, getattr(self, name)))
        check_one_shape("counts", *vars(self).values())
        for part, whole in pairs:
            total = vars(self)[whole]
            if (total < 1).any():
                raise InvalidInput(whole, "be at least 1", str(int(total.min())), "Count at least one instance.")
            check_part(part, vars(self)[part], whole, total)

    @staticmethod
    def _checked(name: str, value: int | IntArray | FloatArray) -> IntArray | FloatArray:
        return whole_numbers(name, value)

    @classmethod
    def from_scores(cls, sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, threshold: float = 0.5) -> "Counts":
        """The counts at a threshold: of a sample of scores, (..., m), and of validation scores and labels, (n,) each.

        Raises InvalidInput for a score or a threshold outside [0, 1], and unless the labels are 0 and 1, both present.
        """
        training, truth = check_training_data(scores, labels)
        check_fraction("threshold", threshold, hint="Choose for example 0.5.")
        predicted, positive, in_sample = training >= threshold, truth == 1, check_scores("sample", sample) >= threshold
        of_positives, of_negatives = predicted[positive], predicted[~positive]
        return cls(
            in_sample.sum(axis=-1),
            in_sample.shape[-1],
            of_positives.sum(),
            len(of_positives),
            of_negatives.sum(),
            len(of_negatives),
        )

    @classmethod
    def from_confusion(
        cls, predicted_positives: int | IntArray, sample_size: int | IntArray, *, tp: int, fn: int, fp: int, tn: int
    ) -> "Counts":
        """The counts of a sample, and of the four cells of a test on labelled instances. Raises InvalidInput as `Counts`.

        Examples
        --------
        >>> Counts.from_confusion(210, 1000, tp=85, fn=15, fp=12, tn=88) == Counts(210, 1000, 85, 100, 12, 100)
        True
        """
        for name, cell in (("TP", tp), ("FN", fn), ("FP", fp), ("TN", tn)):
            check_integer(name, cell, low=0, hint="Count labelled instances.")
        return cls(predicted_positives, sample_size, tp, tp + fn, fp, fp + tn)

    @classmethod
    def from_rates(
        cls,
        predicted_positives: int | IntArray,
        sample_size: int | IntArray,
        sensitivity: MeasuredRate | str,
        specificity: MeasuredRate | str,
    ) -> "Counts":
        """The counts of a sample, and of a test whose sensitivity and specificity are counted, published or known.

        A rate may be a text, as `rate_from_text` reads it. Raises InvalidInput as there and as `Counts`.

        Examples
        --------
        >>> counts = Counts.from_rates(210, 1000, "0.85/100", "0.88 (0.81-0.93)")
        >>> counts.positives.item(), counts.negatives.item(), counts.fpr.round(2).item()
        (100, 125, 0.12)
        """
        se, sp = (
            rate_from_text(rate, name) if isinstance(rate, str) else rate
            for name, rate in (("sensitivity", sensitivity), ("specificity", specificity))
        )
        return cls(predicted_positives, sample_size, se.found, se.total, sp.total - sp.found, sp.total)

    @cached_property
    def count(self) -> FloatArray:
        """Share of the sample that is predicted positive."""
        return np.asarray(self.predicted_positives) / np.asarray(self.sample_size)

    @cached_property
    def tpr(self) -> FloatArray:
        """True positive rate, the sensitivity."""
        return np.asarray(self.true_positives) / np.asarray(self.positives)

    @cached_property
    def fpr(self) -> FloatArray:
        """False positive rate, 1 minus the specificity."""
        return np.asarray(self.false_positives) / np.asarray(self.negatives)

    @cached_property
    def smoothed_rates(self) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
        """(sensitivity, its variance) and (specificity, its variance), with a success and a failure added to each class."""
        right = self.true_positives, np.asarray(self.negatives) - np.asarray(self.false_positives)
        sizes = (np.asarray(self.positives) + 2.0, np.asarray(self.negatives) + 2.0)
        se, sp = ((np.asarray(count) + 1.0) / n for count, n in zip(right, sizes, strict=True))
        return (se, se * (1.0 - se) / sizes[0]), (sp, sp * (1.0 - sp) / sizes[1])

    @cached_property
    def unclipped(self) -> FloatArray:
        """(count - fpr) / (tpr - fpr) without clipping (Rogan and Gladen 1978); NaN where tpr is not above fpr."""
        gap = self.tpr - self.fpr
        return (self.count - self.fpr) / np.where(gap > TIE, gap, np.nan)

    @cached_property
    def estimate(self) -> FloatArray:
        """The estimate in [0, 1]; the count itself where tpr is not above fpr, so that nothing can be corrected."""
        return np.where(np.isnan(self.unclipped), self.count, np.clip(self.unclipped, 0.0, 1.0))

    @cached_property
    def corrects(self) -> np.ndarray:
        """Where tpr is above fpr, so that a count says something about the prevalence."""
        return ~np.isnan(self.unclipped)


@dataclass(frozen=True)
class EffectiveCounts(Counts):
    """Counts of a sample whose rows have weights: as many of its effective size as the weighted share says; not whole numbers.

    With these, intervals and tests have the variance of the weighted share (Kish 1965), as in the first-order correction of Rao
    and Scott (1981).

    Examples
    --------
    >>> counts = EffectiveCounts.from_weights(Counts(2, 3, 85, 100, 12, 100), [1, 1, 0], [2.0, 1.0, 1.0])
    >>> round(float(counts.sample_size), 2)
    2.67
    """

    @staticmethod
    def _checked(name: str, value: int | IntArray | FloatArray) -> IntArray | FloatArray:
        if name in ("predicted_positives", "sample_size"):
            return check_numbers(name, value)
        return whole_numbers(name, value)

    @classmethod
    def from_weights(cls, counts: Counts, predicted: ArrayLike, weights: ArrayLike) -> "EffectiveCounts":
        """The counts of labels as they are, and those of a sample of 0 and 1 whose rows have weights, (m,) each.

        Raises InvalidInput as `check_weights`.

        Examples
        --------
        >>> counts = EffectiveCounts.from_weights(Counts(2, 3, 85, 100, 12, 100), [1, 1, 0], [2.0, 1.0, 1.0])
        >>> counts.count.item(), round(float(counts.sample_size), 2)
        (0.75, 2.67)
        """
        taken = np.asarray(predicted, dtype=np.float64)
        given = check_weights(weights, len(taken))
        size = effective_size(given)
        share = float((given * taken).sum() / given.sum())
        return cls(
            np.asarray(share * size),
            np.asarray(size),
            counts.true_positives,
            counts.positives,
            counts.false_positives,
            counts.negatives,
        )


_BY_CHANCE = 2.0
"""Standard errors by which a tpr may lie below an fpr by chance."""


def reversed_rates(counts: Counts) -> str:
    """A sentence where the tpr is below the fpr, which no classifier of use has; else empty. Of one sample, or of many alike.

    Examples
    --------
    >>> reversed_rates(Counts(45, 100, 30, 100, 60, 100))[:53]
    'tpr (0.30) is below fpr (0.60), the wrong way round: '
    """
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    if tpr >= fpr:
        return ""
    (se, of_se), (sp, of_sp) = counts.smoothed_rates
    by_chance = 1.0 - se - sp < _BY_CHANCE * np.sqrt(of_se + of_sp)
    maybe = " (perhaps by chance)" if by_chance else ""
    return (
        f"tpr ({tpr:.2f}) is below fpr ({fpr:.2f}), the wrong way round{maybe}: true and false positives or the classes may be "
        "swapped, or the scores be those of the other class."
    )
