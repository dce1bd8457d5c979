"""The checks that lessons can ask for, those of thresholds among them."""

from collections.abc import Callable, Mapping
from math import ceil

import numpy as np

from pages.learn.check import (
    BATCHES,
    BESIDE_CC,
    FACTOR,
    LOSSES,
    NOT_THERE,
    WIDTH,
    Check,
    NotComputed,
    Situation,
    Target,
    as_read,
    read_as_best,
)
from pages.learn.drawing import mean_loss_by_size
from pages.settings.number_text import digits, digits_apart, exact_percentage
from qcore.base import TIE, FloatArray, registry
from qcore.evaluation.loss_grid import LossGrid
from qcore.measures.roc import RateCurve
from qcore.quantifiers.threshold_selection import max_criterion, t50_criterion, x_criterion
from qcore.studies.threshold_adjustment import ThresholdAdjustment


def percentage(value: float) -> str:
    """A share in any language: without words for those near 0 and 1."""
    return f"{100.0 * value:.0f}%"


def _decimal(value: float) -> str:
    return f"{value:.4g}"


def with_decimal(share: float) -> str:
    """A share as a percentage with a decimal, as charts name it: the best ones often differ by less than a point."""
    return f"{100.0 * share:.1f}%"


def _factor(gap: float) -> str:
    """By how much a correction that divides by `gap` multiplies errors."""
    return digits(1.0 / abs(gap)) if abs(gap) > TIE else "∞"


def _as_best(quality: FloatArray, read: FloatArray) -> np.ndarray:
    """As `read_as_best`. Raises NotComputed where there is no quality at all."""
    if np.isnan(quality).all():
        raise NotComputed("no threshold tells the classes apart")
    return read_as_best(quality, read)


def _target(quality: FloatArray, right: np.ndarray, thresholds: FloatArray, told: Mapping[str, str]) -> Target:
    """The thresholds that are `right`, of which the one with the lowest quality is shown."""
    return Target(thresholds, right, int(np.nanargmin(np.where(right, quality, np.nan))), told)


def _told_of_rates(adjustment: ThresholdAdjustment, now: Situation) -> dict[str, str]:
    index = adjustment.rates.nearest(now.number("threshold"))
    row, deviation = adjustment.corrections.iloc[index], adjustment.deviations.measured.iloc[index]
    return {
        "threshold": _decimal(float(row.threshold)),
        "tpr": percentage(float(row.tpr)),
        "fpr": percentage(float(row.fpr)),
        "missed": percentage(1.0 - float(row.tpr)),
        "difference": digits(float(row.gap)),
        # With enough decimals that dividing by it gives the factor that is told.
        "divisor": f"{float(row.gap):.4f}",
        "factor": _factor(float(row.gap)),
        "scatter": "∞" if np.isnan(deviation) else with_decimal(float(deviation)).rstrip("%"),
    }


OF_RATES = ("threshold", "tpr", "fpr", "missed", "difference", "divisor", "factor", "scatter")


def least_scatter(now: Situation) -> Target:
    """Thresholds at which the corrected estimate scatters least, as measured or by the formula."""
    adjustment: ThresholdAdjustment = now.result("adjustment")
    measured, theory = (adjustment.deviations[name].to_numpy() for name in ("measured", "total"))
    # What is measured scatters itself, so what the formula finds best is accepted, too.
    right = _as_best(measured, as_read(measured, with_decimal)) | _as_best(theory, as_read(theory, with_decimal))
    return _target(measured, right, adjustment.rates.thresholds, _told_of_rates(adjustment, now))


def chosen_by(
    criterion: Callable[[RateCurve], FloatArray], read: Callable[[RateCurve], FloatArray]
) -> Callable[[Situation], Target]:
    """Thresholds that read as good as the one that a policy chooses by a criterion; in both, less is better."""

    def target(now: Situation) -> Target:
        adjustment: ThresholdAdjustment = now.result("adjustment")
        rates = adjustment.rates
        # A policy chooses among thresholds with tpr > fpr.
        distances = np.where(rates.tpr - rates.fpr > TIE, criterion(rates), np.nan)
        return _target(distances, _as_best(distances, read(rates)), rates.thresholds, _told_of_rates(adjustment, now))

    return target


def errors_apart(rates: RateCurve) -> FloatArray:
    """How many points apart both kinds of errors read."""
    missed, mistaken = (as_read(one, percentage) for one in (1.0 - rates.tpr, rates.fpr))
    return np.asarray(np.abs(missed - mistaken))


def from_half(rates: RateCurve) -> FloatArray:
    """How many points from one half the tpr reads."""
    return np.asarray(np.abs(as_read(rates.tpr, percentage) - 50.0))


def difference(rates: RateCurve) -> FloatArray:
    """The difference fpr - tpr as it reads, which is lowest where tpr - fpr is largest."""
    return -as_read(rates.tpr - rates.fpr, digits)


def errors_multiplied(now: Situation) -> Target:
    """Thresholds at which the factor reads as large as the argument, or larger."""
    adjustment: ThresholdAdjustment = now.result("adjustment")
    gaps = adjustment.corrections.gap.to_numpy()
    # Where tpr and fpr are the same, as where all or none are counted, the factor is infinite.
    right = as_read(gaps, lambda gap: _factor(gap).replace("∞", "inf")) >= float(now.argument)
    return _target(-np.abs(gaps), right, adjustment.rates.thresholds, _told_of_rates(adjustment, now))


def most_accurate(now: Situation) -> Target:
    """Thresholds at which the accuracy reads highest."""
    evaluation = now.result("evaluation")
    accuracy = evaluation.measures().accuracy.to_numpy()
    told = {"accuracy": with_decimal(accuracy[evaluation.rates.nearest(now.number("threshold"))])}
    right = read_as_best(-accuracy, -as_read(accuracy, with_decimal))
    return _target(-accuracy, right, evaluation.rates.thresholds, told)


def _where_counting_is_right(shares: FloatArray, counted: FloatArray) -> tuple[np.ndarray, int]:
    """(which shares are those that a count reads, the one that comes closest)."""
    distances = np.abs(counted - shares)
    read = np.abs(as_read(counted, percentage) - as_read(shares, percentage))
    return read_as_best(distances, read), int(distances.argmin())


def _counting_is_right(now: Situation) -> Target:
    shares = np.linspace(0.0, 1.0, len(now.result("means")))
    counted = np.array([means["CC"] for means in now.result("means")])
    told = {
        "truth": percentage(now.number("today")),
        "count": percentage(counted[now.nearest(shares, "today")]),
    }
    return Target(shares, *_where_counting_is_right(shares, counted), told)


def _counting_is_right_here(now: Situation) -> Target:
    adjustment: ThresholdAdjustment = now.result("adjustment")
    row = adjustment.corrections.iloc[adjustment.rates.nearest(now.number("threshold"))]
    shares = _steps_and(now.number("p"))
    expected = shares * row.tpr + (1.0 - shares) * row.fpr
    told = {
        "truth": exact_percentage(now.number("p")),
        "count": percentage(float(expected[now.nearest(shares, "p")])),
        "p_star": percentage(float(row.p_star)),
    }
    return Target(shares, *_where_counting_is_right(shares, expected), told)


def _steps_and(typed: float) -> FloatArray:
    """The shares that a slider has, and the one that was typed."""
    return np.unique([*np.round(np.arange(0.0, 1.005, 0.01), 2), typed])


def _first_size_that_pays(now: Situation) -> Target:
    grid: LossGrid = now.result("grid")
    method, counting = (mean_loss_by_size(grid, name) for name in (now.argument, "CC"))
    printed = [digits_apart(one, other) for one, other in zip(method.tolist(), counting.tolist(), strict=True)]
    better = np.array([float(one) < float(other) for one, other in printed])
    first = int(better.argmax())
    index = now.nearest(grid.sizes.astype(float), "at_size")
    told = {"size": f"{grid.sizes[index]}", "loss": printed[index][0], "counting": printed[index][1]}
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
        return Target(truths, right, best, {"truth": exact_percentage(truths[index]), "preferred": preferred})

    return target


def _interval_within(now: Situation) -> Target:
    """Sizes at which the interval is narrow enough, worked out from the width at the present size, the only one computed.

    The width falls with the square root of the size. It is that between the ends as the chart names them.
    """
    main, wanted, size = now.result("view").main, 100.0 * float(now.argument), int(str(now.settings["size"]))
    low, high = (with_decimal(float(end)) for end in (main.low, main.high))
    width = round(float(high.rstrip("%")) - float(low.rstrip("%")), 1)
    sizes = np.arange(1.0, max(size, 500) + 1.0)
    right = np.full(len(sizes), False)
    fits = 0.75 * wanted - TIE <= width <= wanted + TIE
    best = size if fits else min(len(sizes), max(1, ceil(size * (width / (0.88 * wanted)) ** 2)))
    # A size that is the largest or the smallest may still not be enough.
    right[best - 1] = fits or best != size
    return Target(sizes, right, best - 1, {"size": f"{size}", "low": low, "high": high, "width": f"{width:g}"})


def _move_seen_within(now: Situation) -> Target:
    """Later shares whose move is seen soon enough; each is looked up, since a farther one is seen sooner only on the whole."""
    batches_until_seen = now.result("batches_until_seen")
    shares = _steps_and(now.number("later_share"))
    needed = np.array([batches_until_seen(float(share)) for share in shares])
    # An alert before the move, after 0 batches, is a false one.
    right = (needed > 0.0) & (needed <= float(now.argument)) & (shares != now.result("first_share"))
    if not right.any():
        raise NotComputed("no share is seen to have moved so soon")
    place = now.nearest(shares, "later_share")
    told = {
        "share": exact_percentage(float(shares[place])),
        "batches": f"{needed[place]:.0f}" if np.isfinite(needed[place]) else "∞",
    }
    above = right & (shares > now.result("first_share"))
    return Target(shares, right, int((above if above.any() else right).argmax()), told)


def _correction_errs_more(now: Situation) -> Target:
    table = now.result("errors_under_shift").pivot_table("AE", "strength", "method")
    if not {now.argument, "CC"} <= set(table.columns):
        raise NotComputed(now.argument)
    strengths = table.index.to_numpy(dtype=float)
    loss, counting = (as_read(table[method], "{:.3f}".format) for method in (now.argument, "CC"))
    index = now.nearest(strengths, "strength")
    told = {
        "strength": digits(float(strengths[index])),
        "loss": f"{loss[index]:.3f}",
        "counting": f"{counting[index]:.3f}",
    }
    # A difference that the printed numbers do not show is none.
    return Target(strengths, loss > counting, int((loss - counting).argmax()), told)


CHECKS = registry(
    Check(
        "counting-is-right",
        "home",
        "today",
        "the true share of 8s at which the mean count is the truth",
        _counting_is_right,
        ("truth", "count"),
    ),
    Check(
        "counting-is-right-here",
        "corrections",
        "p",
        "the prevalence at which the expected count at the threshold is the truth, p*",
        _counting_is_right_here,
        ("truth", "count", "p_star"),
    ),
    Check(
        "least-scatter",
        "corrections",
        "threshold",
        "a threshold at which the corrected estimate scatters least",
        least_scatter,
        OF_RATES,
    ),
    Check(
        "equal-errors",
        "corrections",
        "threshold",
        "the threshold of the policy X: fpr = 1 - tpr",
        chosen_by(x_criterion, errors_apart),
        OF_RATES,
    ),
    Check(
        "largest-difference",
        "corrections",
        "threshold",
        "the threshold of the policy Max: tpr - fpr is largest",
        chosen_by(max_criterion, difference),
        OF_RATES,
    ),
    Check(
        "half-of-the-positives",
        "corrections",
        "threshold",
        "the threshold of the policy T50: tpr = 1/2",
        chosen_by(t50_criterion, from_half),
        OF_RATES,
    ),
    Check(
        "errors-multiplied",
        "corrections",
        "threshold",
        "a threshold at which the correction multiplies errors of the count at least that many times",
        errors_multiplied,
        OF_RATES,
        FACTOR,
        (NOT_THERE,),
    ),
    Check(
        "most-accurate-threshold",
        "classifier",
        "threshold",
        "a threshold with the highest accuracy on the scores shown",
        most_accurate,
        ("accuracy",),
    ),
    Check(
        "first-size-that-pays",
        "test_size",
        "at_size",
        "the smallest sample size at which a quantifier's loss, averaged over prevalences, is below that of CC",
        _first_size_that_pays,
        ("size", "loss", "counting"),
        BESIDE_CC,
    ),
    Check(
        "losses-disagree",
        "losses",
        "true_p",
        "a true prevalence at which two losses prefer different estimates",
        _losses_compared(agree=False),
        ("truth", "preferred"),
        LOSSES,
        (NOT_THERE,),
    ),
    Check(
        "losses-agree",
        "losses",
        "true_p",
        "a true prevalence at which several losses prefer the same estimate",
        _losses_compared(agree=True),
        ("truth", "preferred"),
        LOSSES,
        (NOT_THERE,),
    ),
    Check(
        "correction-errs-more",
        "corrections",
        "strength",
        "a strength of dataset shift at which a method errs more than counting; the section When it breaks must be open",
        _correction_errs_more,
        ("strength", "loss", "counting"),
        BESIDE_CC,
        (NOT_THERE,),
    ),
    Check(
        "interval-within",
        "estimate",
        "size",
        "a sample size at which the interval of AC is at most so wide, and not much narrower",
        _interval_within,
        ("size", "low", "high", "width"),
        WIDTH,
    ),
    Check(
        "move-seen-within",
        "estimate",
        "later_share",
        "in a share over time, a later share whose move is seen within that many batches",
        _move_seen_within,
        ("share", "batches"),
        BATCHES,
        (NOT_THERE,),
    ),
)
"""Everything that a question can ask to find."""
