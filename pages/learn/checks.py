"""What a question may ask to find: a value of one control, checked against what the page has computed.

A check holds for any data set, seed and settings: it looks up where the value would have to be in the results of the page.
"""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Final

import numpy as np

from pages.learn.argument import BATCHES, BESIDE_CC, FACTOR, LOSSES, WIDTH
from pages.learn.check import NOT_THERE, Check, Target
from pages.learn.curves import mean_loss_by_size
from pages.learn.verdict import NotComputed, Situation
from pages.settings.number_text import digits, digits_apart
from qcore._base.registry import registry
from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray
from qcore.evaluation.loss_grid import LossGrid
from qcore.measures.rate_curve import RateCurve
from qcore.quantifiers.threshold_selection import max_criterion, t50_criterion, x_criterion
from qcore.studies.threshold_adjustment import ThresholdAdjustment


def _percentage(value: float) -> str:
    """A share in any language: without words for those near 0 and 1."""
    return f"{100.0 * value:.0f}%"


def _decimal(value: float) -> str:
    return f"{value:.4g}"


def _by_threshold(quality: FloatArray, right: np.ndarray, thresholds: FloatArray, told: Mapping[str, str]) -> Target:
    """Thresholds where `quality`, which is best where it is lowest, is good enough; where it is undefined they are wrong."""
    if np.isnan(quality).all():
        raise NotComputed("no threshold tells the classes apart")
    best = np.where(right, quality, np.nan) if right.any() else quality
    return Target(thresholds, right, int(np.nanargmin(best)), told)


def _told_of_rates(adjustment: ThresholdAdjustment, now: Situation) -> dict[str, str]:
    index = adjustment.rates.nearest(now.number("threshold"))
    row, deviation = adjustment.corrections.iloc[index], adjustment.deviations.measured.iloc[index]
    return {
        "threshold": _decimal(float(row.threshold)),
        "tpr": _percentage(float(row.tpr)),
        "fpr": _percentage(float(row.fpr)),
        "missed": _percentage(1.0 - float(row.tpr)),
        "difference": digits(float(row.gap)),
        "factor": digits(1.0 / float(row.gap)) if row.gap > 0.0 else "∞",
        "scatter": digits(100.0 * float(deviation)),
    }


_OF_RATES: Final = ("threshold", "tpr", "fpr", "missed", "difference", "factor", "scatter")


def _least_scatter(now: Situation) -> Target:
    adjustment: ThresholdAdjustment = now.result("adjustment")
    measured, theory = (adjustment.deviations[name].to_numpy() for name in ("measured", "total"))
    # The measured deviations scatter themselves, so thresholds that are good in theory are accepted, too.
    right = (measured <= 1.08 * np.nanmin(measured)) | (theory <= 1.08 * np.nanmin(theory))
    return _by_threshold(measured, right, adjustment.rates.thresholds, _told_of_rates(adjustment, now))


def _chosen_by(criterion: Callable[[RateCurve], FloatArray], enough: float) -> Callable[[Situation], Target]:
    """Thresholds where the criterion of a policy is at most `enough`, or as low as it gets."""

    def target(now: Situation) -> Target:
        adjustment: ThresholdAdjustment = now.result("adjustment")
        distances = criterion(adjustment.rates)
        right = distances <= max(enough, float(distances.min()))
        return _by_threshold(distances, right, adjustment.rates.thresholds, _told_of_rates(adjustment, now))

    return target


def _errors_multiplied(now: Situation) -> Target:
    adjustment: ThresholdAdjustment = now.result("adjustment")
    gaps = adjustment.corrections.gap.to_numpy()
    # Where all or none are counted, nothing is corrected: there is no factor.
    right = (gaps <= 1.0 / float(now.argument)) & (gaps > TIE)
    if not right.any():
        raise NotComputed("no threshold multiplies errors so often")
    return _by_threshold(-gaps, right, adjustment.rates.thresholds, _told_of_rates(adjustment, now))


def _counting_is_right(now: Situation) -> Target:
    shares = np.linspace(0.0, 1.0, len(now.result("means")))
    counted = np.array([means["CC"] for means in now.result("means")])
    distances = np.abs(counted - shares)
    told = {
        "truth": _percentage(now.number("today")),
        "count": _percentage(counted[now.nearest(shares, "today")]),
    }
    return Target(shares, distances <= max(0.02, distances.min()), int(distances.argmin()), told)


def _counting_is_right_here(now: Situation) -> Target:
    adjustment: ThresholdAdjustment = now.result("adjustment")
    row = adjustment.corrections.iloc[adjustment.rates.nearest(now.number("threshold"))]
    shares = np.linspace(0.0, 1.0, 101)
    expected = shares * row.tpr + (1.0 - shares) * row.fpr
    distances = np.abs(expected - shares)
    told = {
        "truth": _percentage(now.number("p")),
        "count": _percentage(float(expected[now.nearest(shares, "p")])),
        "p_star": _percentage(float(row.p_star)),
    }
    return Target(shares, distances <= max(0.015, distances.min()), int(distances.argmin()), told)


def _most_accurate(now: Situation) -> Target:
    evaluation = now.result("evaluation")
    accuracy = evaluation.measures().accuracy.to_numpy()
    # With a decimal: the highest accuracies differ by less than a point.
    told = {"accuracy": f"{accuracy[evaluation.rates.nearest(now.number('threshold'))]:.1%}"}
    return _by_threshold(-accuracy, accuracy >= accuracy.max() - 0.004, evaluation.rates.thresholds, told)


def _first_size_that_pays(now: Situation) -> Target:
    grid: LossGrid = now.result("grid")
    method, counting = (mean_loss_by_size(grid, name) for name in (now.argument, "CC"))
    better = method < counting
    first = int(better.argmax())
    index = now.nearest(grid.sizes.astype(float), "at_size")
    loss, counted = digits_apart(float(method[index]), float(counting[index]))
    told = {"size": f"{grid.sizes[index]}", "loss": loss, "counting": counted}
    return Target(grid.sizes.astype(float), better & (np.arange(len(better)) == first), first, told)


def _losses_compared(agree: bool) -> Callable[[Situation], Target]:
    """Truths at which the losses named in the argument prefer the same estimate, or not the same."""

    def target(now: Situation) -> Target:
        wanted = now.argument.split()
        if not set(wanted) <= set(now.result("preferences").loss):
            raise NotComputed(now.argument)
        table = now.result("preferences")
        chosen = table[table.loss.isin(wanted)].pivot_table("prefers", "true", "loss", aggfunc="first")
        truths = chosen.index.to_numpy(dtype=float)
        kinds = chosen.nunique(axis=1).to_numpy()
        # A loss that finds both equally good prefers none.
        right = ((kinds == 1) if agree else (kinds > 1)) & (chosen != "neither").all(axis=1).to_numpy()
        index = now.nearest(truths, "true_p")
        names = {"first": "A", "second": "B", "neither": "-"}
        preferred = "; ".join(f"{loss}: {names[chosen[loss].iloc[index]]}" for loss in wanted)
        middle = np.flatnonzero(right)
        best = int(middle[len(middle) // 2]) if len(middle) else 0
        return Target(truths, right, best, {"truth": _percentage(truths[index]), "preferred": preferred})

    return target


def _interval_within(now: Situation) -> Target:
    """Sizes at which the interval is narrow enough, worked out from the width at the present size, the only one computed.

    The width falls with the square root of the size.
    """
    main, wanted, size = now.result("view").main, float(now.argument), int(str(now.settings["size"]))
    width = float(main.high - main.low)
    sizes = np.arange(1.0, max(size, 500) + 1.0)
    right = np.full(len(sizes), False)
    # Rounded as the page shows it: a width that reads 15 points counts as 15.
    right[size - 1] = 0.75 * wanted <= round(width, 2) <= wanted
    best = min(len(sizes), max(1, ceil(size * (width / (0.88 * wanted)) ** 2))) - 1
    if right[size - 1]:
        best = size - 1
    right[best] = True
    told = {
        "size": f"{size}",
        "low": _percentage(float(main.low)),
        "high": _percentage(float(main.high)),
        "width": f"{100 * width:.0f}",
    }
    return Target(sizes, right, best, told)


def _move_seen_within(now: Situation) -> Target:
    """Later shares whose move is seen soon enough; each is looked up, since a higher one is seen sooner only on the whole."""
    batches_until_seen = now.result("batches_until_seen")
    shares = np.round(np.arange(0.0, 1.005, 0.01), 2)
    needed = np.array([batches_until_seen(float(share)) for share in shares])
    right = (needed <= float(now.argument)) & (shares > now.result("first_share"))
    if not right.any():
        raise NotComputed("no share above the first is seen so soon")
    place = int(np.abs(shares - now.number("later_share")).argmin())
    told = {
        "share": _percentage(float(shares[place])),
        "batches": f"{needed[place]:.0f}" if np.isfinite(needed[place]) else "∞",
    }
    return Target(shares, right, int(right.argmax()), told)


def _correction_errs_more(now: Situation) -> Target:
    table = now.result("errors_under_shift").pivot_table("AE", "strength", "method")
    if not {now.argument, "CC"} <= set(table.columns):
        raise NotComputed(now.argument)
    strengths, worse = table.index.to_numpy(dtype=float), (table[now.argument] - table["CC"]).to_numpy()
    index = now.nearest(strengths, "strength")
    told = {
        "strength": digits(float(strengths[index])),
        "loss": f"{float(table[now.argument].iloc[index]):.3f}",
        "counting": f"{float(table['CC'].iloc[index]):.3f}",
    }
    # A difference that the printed numbers do not show is none.
    return Target(strengths, worse > 0.001, int(worse.argmax()), told)


def _below_largest_difference(curve: RateCurve) -> FloatArray:
    """By how much tpr - fpr is below its largest value."""
    values = max_criterion(curve)
    return np.asarray(values - values.min())


CHECKS: Final = registry(
    Check(
        "counting-is-right", "home", "today", "the true share of 3s at which the mean count is the truth",
        _counting_is_right, ("truth", "count"),
    ),
    Check(
        "counting-is-right-here", "corrections", "p",
        "the prevalence at which the expected count at the threshold is the truth, p*",
        _counting_is_right_here, ("truth", "count", "p_star"),
    ),
    Check(
        "least-scatter", "corrections", "threshold", "a threshold at which the corrected estimate scatters least",
        _least_scatter, _OF_RATES,
    ),
    Check(
        "equal-errors", "corrections", "threshold", "the threshold of the policy X: fpr = 1 - tpr",
        _chosen_by(x_criterion, 0.02), _OF_RATES,
    ),
    Check(
        "largest-difference", "corrections", "threshold", "the threshold of the policy Max: tpr - fpr is largest",
        _chosen_by(_below_largest_difference, 0.02), _OF_RATES,
    ),
    Check(
        "half-of-the-positives", "corrections", "threshold", "the threshold of the policy T50: tpr = 1/2",
        _chosen_by(t50_criterion, 0.02), _OF_RATES,
    ),
    Check(
        "errors-multiplied", "corrections", "threshold",
        "a threshold at which the correction multiplies errors of the count at least so many times",
        _errors_multiplied, _OF_RATES, FACTOR, (NOT_THERE,),
    ),
    Check(
        "most-accurate-threshold", "classifier", "threshold", "a threshold with the highest accuracy on the scores shown",
        _most_accurate, ("accuracy",),
    ),
    Check(
        "first-size-that-pays", "test_size", "at_size",
        "the smallest sample size at which a quantifier's loss, averaged over prevalences, is below that of CC",
        _first_size_that_pays, ("size", "loss", "counting"), BESIDE_CC,
    ),
    Check(
        "losses-disagree", "losses", "true_p", "a true prevalence at which two losses prefer different estimates",
        _losses_compared(agree=False), ("truth", "preferred"), LOSSES, (NOT_THERE,),
    ),
    Check(
        "losses-agree", "losses", "true_p", "a true prevalence at which several losses prefer the same estimate",
        _losses_compared(agree=True), ("truth", "preferred"), LOSSES, (NOT_THERE,),
    ),
    Check(
        "correction-errs-more", "corrections", "strength",
        "a strength of dataset shift at which a method errs more than counting; the section When it breaks must be open",
        _correction_errs_more, ("strength", "loss", "counting"), BESIDE_CC, (NOT_THERE,),
    ),
    Check(
        "interval-within", "estimate", "size",
        "a sample size at which the interval of AC is at most so wide, and not much narrower",
        _interval_within, ("size", "low", "high", "width"), WIDTH,
    ),
    Check(
        "move-seen-within", "estimate", "later_share",
        "in a share over time, a later share above the first whose move is seen within so many batches",
        _move_seen_within, ("share", "batches"), BATCHES, (NOT_THERE,),
    ),
)  # fmt: skip
"""Everything that a question can ask to find."""
