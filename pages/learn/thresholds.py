"""Where the threshold of a page answers what a question asks for: what is read there is as good as where it is best."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from pages.learn.check import Target, as_read, read_as_best
from pages.learn.verdict import NotComputed, Situation
from pages.settings.number_text import digits
from qcore.base import TIE, FloatArray
from qcore.measures.roc import RateCurve
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
        "factor": _factor(float(row.gap)),
        "scatter": "∞" if np.isnan(deviation) else with_decimal(float(deviation)).rstrip("%"),
    }


OF_RATES: Final = ("threshold", "tpr", "fpr", "missed", "difference", "factor", "scatter")


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
