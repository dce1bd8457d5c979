"""Where few labels or instances tell little: the default interval, which is wider there, and the sentences that say so."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import ks_2samp, mannwhitneyu, norm

from qcore._base.validation import TIE, BoolArray, FloatArray, IntArray, check_level
from qcore.intervals.analytic import Interval, beside_none_or_all, clipped, clopper_pearson, lang_reiczigel
from qcore.intervals.counts import Counts, reversed_rates
from qcore.quantifiers.catalog import QUANTIFIERS
from qcore.quantifiers.fitting import Methods, registered_keys

FEWEST_LABELS = 20
"""With fewer labels of a class, its rate is hardly known: chosen by simulation (`python -m benchmarks.coverage`)."""

_WIDENED = {"formula": (5.0, FEWEST_LABELS), "bootstrap": (5.0, 40.0)}
"""Labels of a class up to which an interval is widened in full, and from which it is not widened."""
_CLOSE = (3.0, 5.0)
"""The same in standard errors between the rates: where they are close, the ratio that adjusts a count is hardly known."""

_SHARE_OF_Z = 1.0 / np.sqrt(2.0)
"""Three errors are seldom all extreme at once, so each is taken to this share of the level's normal quantile."""

_APART, _LEAST_APART = 3.0, 1.96
"""Standard errors by which the scores of both classes must differ for intervals of quantifiers that compare them."""

FEWEST_INSTANCES = 20
"""Samples with fewer instances are neither redrawn nor tested: they show too little of how scores are distributed."""
_MANY = 0.75
"""With more instances than this for each labelled one, intervals that leave out the error of probabilities are too short."""
CLOSE_RATES = 0.15
"""If tpr - fpr is below this, intervals may hold the truth less often than they claim, however many labels there are."""


def fewest_labels(counts: Counts) -> IntArray:
    """Labels of the class that has fewer, (...)."""
    return np.minimum(counts.positives, counts.negatives)


def hardly_labelled(counts: Counts) -> BoolArray:
    """Where a class has fewer than 20 labels, (...)."""
    return fewest_labels(counts) < FEWEST_LABELS


def share_widened(values: ArrayLike, full: float, none: float) -> FloatArray:
    """1 where a value is at most `full`, 0 from `none` on, and in a straight line between, (...)."""
    return np.clip((none - np.asarray(values)) / (none - full), 0.0, 1.0)


def widened(ends: tuple[FloatArray, FloatArray], towards: tuple[FloatArray, FloatArray], share: FloatArray | float) -> Interval:
    """The interval whose ends are moved outwards by a share of the way to those of a wider one, (...)."""
    low, high = ends
    wider_low, wider_high = np.minimum(low, towards[0]), np.maximum(high, towards[1])
    return Interval(low + share * (wider_low - low), high + share * (wider_high - high))


def bootstrap_widened(n_labels: ArrayLike, needed: int = 0) -> FloatArray:
    """The share by which a bootstrap's interval is widened, (...), with this many labels of the class that has fewest.

    Scores redrawn from a few labels scatter less than scores of new ones, and hardly at all where classes are well apart: with
    ten labels of each class, 95% intervals of PACC held a share of 98% in 82% of samples. So each interval is moved towards one
    that knows this: in full with five labels or fewer, by 6/7 with ten, by 4/7 with 20, and no more from 40 on. In 24 settings
    of share, size and separation of the classes the least coverage of PACC with 5, 7, 10, 14, 20 and 30 labels then was 1.00,
    .99, .95, .91, .93 and .91 (.65, .65, .76, .81, .85, .87 without), and the mean width fell steadily: .77, .69, .58, .49,
    .40, .31 (`python -m benchmarks.coverage`). A t factor in place of this left .70 to .88: it cannot widen what has no width.

    The interval of a method that is biased with fewer labels than are `needed` (`QuantifierEntry.labels_needed`), which the
    bootstrap does not see, is widened in full up to that number, and no more from twice as many on.
    """
    share = share_widened(n_labels, *_WIDENED["bootstrap"])
    return np.maximum(share, share_widened(n_labels, needed, 2.0 * needed)) if needed else share


def widened_by_method(methods: Methods, fewest: int) -> dict[str, float]:
    """`bootstrap_widened` of each method, with the `fewest` labels of a class."""
    keys = registered_keys(methods)
    return {name: float(bootstrap_widened(fewest, QUANTIFIERS[key].labels_needed if key else 0)) for name, key in keys.items()}


def tell_too_little(scores: FloatArray, labels: IntArray) -> bool:
    """Whether positives and negatives may differ in their scores only by chance. (n,) each, labels 0 and 1.

    They differ if positives score higher (Mann and Whitney's test) or otherwise (Kolmogorov and Smirnov's), either beyond three
    standard errors: with weaker evidence, redrawn estimates do not scatter as estimates do, and intervals of quantifiers that
    compare scores held the truth in as few as a quarter of simulated samples. With few labels, which can't give such evidence,
    less is asked for, as far as intervals are widened for that: see `bootstrap_widened`.
    """
    positives, negatives = scores[labels == 1], scores[labels == 0]
    if positives.max() == positives.min() == negatives.max() == negatives.min():
        return True
    errors = _APART * (1.0 - float(bootstrap_widened(min(len(positives), len(negatives)))))
    higher = mannwhitneyu(positives, negatives, alternative="greater", method="asymptotic").pvalue
    otherwise = ks_2samp(positives, negatives, method="asymp").pvalue
    return bool(higher >= norm.sf(errors) and otherwise > 2.0 * norm.sf(max(errors, _LEAST_APART)))


def _formula_widened(counts: Counts) -> FloatArray:
    """The share by which Lang and Reiczigel's interval is widened, (...): where labels are few, or tpr and fpr close."""
    (se, of_se), (sp, of_sp) = counts.smoothed_rates
    apart = (se + sp - 1.0) / np.sqrt(of_se + of_sp)
    return np.maximum(share_widened(fewest_labels(counts), *_WIDENED["formula"]), share_widened(apart, *_CLOSE))


def rates_uncertain(counts: Counts) -> BoolArray:
    """Where Lang and Reiczigel's interval is widened by half or more, since labels are few or tpr and fpr are close, (...)."""
    return _formula_widened(counts) >= 0.5


def beyond_the_rates(counts: Counts) -> float:
    """By how many standard errors the share of predicted positives lies outside fpr to tpr; 0 inside, and if tpr <= fpr.

    The errors are those of the sample and of the rate that is nearer. No prevalence explains a share far outside.
    """
    tpr, fpr, count = float(counts.tpr), float(counts.fpr), float(counts.count)
    if tpr <= fpr:
        return 0.0
    nearest = min(max(count, fpr), tpr)
    n = int(counts.negatives) if nearest == fpr else int(counts.positives)
    variance = nearest * (1.0 - nearest) * (1.0 / int(counts.sample_size) + 1.0 / n)
    return abs(count - nearest) / max(float(np.sqrt(variance)), TIE)


def exact_corners(counts: Counts, level: float = 0.95) -> Interval:
    """The lowest and the highest adjusted count when the count, tpr and fpr each vary over an exact interval.

    The intervals are Clopper and Pearson's (1934), each at 1/sqrt(2) of the level's normal quantile. Where those of tpr and
    fpr overlap, the result is [0, 1].
    """
    tail = float(norm.sf(_SHARE_OF_Z * norm.ppf(0.5 + level / 2.0)))
    count, tpr, fpr = (
        clopper_pearson(successes, total, tail)
        for successes, total in (
            (counts.predicted_positives, counts.sample_size),
            (counts.true_positives, counts.positives),
            (counts.false_positives, counts.negatives),
        )
    )
    apart = tpr[0] > fpr[1]
    least, most = np.where(apart, tpr[1] - fpr[1], 1.0), np.where(apart, tpr[0] - fpr[0], 1.0)
    low, high = (count[0] - fpr[1]) / least, (count[1] - fpr[0]) / most
    return clipped(np.where(apart, low, 0.0), np.where(apart, high, 1.0), counts)


def default_interval(counts: Counts, level: float = 0.95) -> Interval:
    """Lang and Reiczigel's interval (2014); where the rates are hardly known, widened towards `exact_corners`.

    In full with five labels of a class or rates three standard errors apart, not at all with 20 and five, gradually between, so
    that no label more, and no instance that is predicted otherwise, makes the interval jump. It always holds the estimate,
    and is never a single point 0 or 1. In none of 6,000 random settings with 1 to 400 labels of each class and samples of 20 to
    5,000 instances is the coverage at level 0.95 below 0.90; with the formula alone, it is in 5% of them. With samples of 1 or
    2 instances it can be: it is in 3 of 240 such settings, 0.84 in one of them.
    """
    check_level(level)
    ends = widened(lang_reiczigel(counts, level), exact_corners(counts, level), _formula_widened(counts))
    low, high = np.minimum(ends.low, counts.estimate), np.maximum(ends.high, counts.estimate)
    return beside_none_or_all(low, high, level, counts.sample_size)


def cautions(counts: Counts) -> list[str]:
    """Sentences on weaknesses of counts: few labels, rates close or the wrong way round, an estimate that is cut off.

    Examples
    --------
    >>> cautions(Counts(8, 20, 90, 100, 85, 100))[0][:59]
    'tpr and fpr are close (0.90 and 0.85): a small error in eit'
    """
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    sentences = [
        f"Only {n} labelled {name}{'' if n == 1 else 's'}: {rate} is hardly known. Default intervals are widened; others "
        "may be too short."
        for n, name, rate in ((int(counts.positives), "positive", "tpr"), (int(counts.negatives), "negative", "fpr"))
        if n < FEWEST_LABELS
    ]
    if swapped := reversed_rates(counts):
        sentences.append(swapped)
    elif tpr - fpr < CLOSE_RATES:
        sentences.append(
            f"tpr and fpr are close ({tpr:.2f} and {fpr:.2f}): a small error in either moves the estimate far, and intervals "
            "may hold the truth less often than they say."
        )
    elif cut := _cut_off(counts):
        sentences.append(cut)
    return sentences


def _cut_off(counts: Counts) -> str:
    """A sentence where the sample's count is outside the rates by more than its standard error; else empty."""
    tpr, fpr, count = float(counts.tpr), float(counts.fpr), float(counts.count)
    ends = ((fpr, fpr - count, "less than the fpr", "0%"), (tpr, count - tpr, "more than the tpr", "100%"))
    for rate, beyond, where, end in ends:
        if beyond > float(np.sqrt(rate * (1.0 - rate) / int(counts.sample_size))):
            return (
                f"{count:.1%} are predicted to be positive, {where} of {rate:.1%}: the estimate is cut off at {end}, and "
                "intervals there may be too short."
            )
    return ""


def needing_labels(methods: Methods, fewest: int) -> list[str]:
    """Methods that are biased where a class has the `fewest` labels; of user-defined ones nothing is known."""
    keys = registered_keys(methods)
    return [name for name, key in keys.items() if key is not None and fewest < QUANTIFIERS[key].labels_needed]


def biased_by_few_labels(methods: Sequence[str], fewest: int) -> list[str]:
    """Sentences on methods that need more labels than the `fewest` of a class, one for each."""
    return [
        f"{method} is biased where labels are few, here {fewest:,} of a class: its interval is widened for that."
        for method in methods
    ]


def many_beside_labels(methods: Methods, counts: Counts) -> list[str]:
    """A sentence on each method that takes scores for probabilities, where the sample is large beside the labelled instances.

    On two normals, EMQ's interval at 95% held the truth in 95 of 100 runs with 600 labelled instances beside 500, in 88 with
    300 beside 300 and in 90 with 300 beside 1,200 (in 93, 84 and 74 if posteriors are taken as known: see `double_bootstrap`).
    """
    keys, m, n = registered_keys(methods), int(counts.sample_size), int(counts.positives + counts.negatives)
    taken = [name for name, key in keys.items() if key and QUANTIFIERS[key].needs_probabilities and QUANTIFIERS[key].corrects]
    return [
        f"{name}'s interval may be too short: it includes the error of the classifier's probabilities in part. That matters "
        f"more the larger the sample is, here {m:,} instances beside {n:,} labelled ones. Those of AC and PACC include it."
        for name in taken
        if m >= _MANY * n
    ]


def class_cautions(classes: tuple[str, ...], n_labelled: IntArray, nothing_told: bool) -> tuple[str, ...]:
    """A sentence for each class with fewer than 20 training scores, and one if no class scores higher than the others."""
    few = [
        f"Only {n} labelled instance{'' if n == 1 else 's'} of {name}: intervals are widened, but regions may be far too small."
        for name, n in zip(classes, n_labelled, strict=True)
        if n < FEWEST_LABELS
    ]
    if nothing_told:
        few.append(
            "No class gets higher scores on its own instances than on others: these scores do not tell the classes apart."
        )
    return tuple(few)
