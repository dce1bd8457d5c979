"""Numbers that the user may be asked for and that a page computes: they hold for any data set, seed and settings."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.learn.check import QUANTIFIER, SHARE, Argument, NotComputed, Situation
from pages.learn.lesson import Question
from qcore.base import registry
from qcore.studies.threshold_adjustment import ThresholdAdjustment


@dataclass(frozen=True)
class ComputedNumber:
    """A number of a page: `what` it is, for teachers; its `value` in a situation, which raises NotComputed."""

    key: str
    page: str
    what: str
    value: Callable[[Situation], float]
    argument: Argument | None = None
    is_share: bool = True


def _of_threshold(column: str) -> Callable[[Situation], float]:
    def value(now: Situation) -> float:
        adjustment: ThresholdAdjustment = now.result("adjustment")
        return float(adjustment.corrections[column].iloc[adjustment.rates.nearest(now.number("threshold"))])

    return value


def _mean_at_home(method: str) -> Callable[[Situation], float]:
    return lambda now: float(now.result("means")[round(100 * float(now.argument))][method])


def _mean_loss(now: Situation) -> float:
    table = now.result("view").table
    rows = table.loc[table.method == now.argument, "mean"]
    if rows.empty:
        raise NotComputed(now.argument)
    return float(rows.iloc[0])


def _interval_width(now: Situation) -> float:
    main = now.result("view").main
    return float(main.high - main.low)


COMPUTED_NUMBERS = registry(
    ComputedNumber("mean-count-at", "home", "the mean count at a true share of 8s", _mean_at_home("CC"), SHARE),
    ComputedNumber("mean-correction-at", "home", "the mean corrected count at a true share of 8s", _mean_at_home("AC"), SHARE),
    ComputedNumber("tpr", "corrections", "the training tpr at the threshold", _of_threshold("tpr")),
    ComputedNumber("fpr", "corrections", "the training fpr at the threshold", _of_threshold("fpr")),
    ComputedNumber("count", "corrections", "the sample's count at the threshold", _of_threshold("count")),
    ComputedNumber(
        "corrected-count", "corrections", "the sample's corrected count at the threshold", _of_threshold("estimate")
    ),
    ComputedNumber(
        "p-star", "corrections", "the prevalence at which counting at the threshold is right", _of_threshold("p_star")
    ),
    ComputedNumber(
        "mean-loss",
        "error_by_prevalence",
        "a quantifier's mean loss",
        _mean_loss,
        QUANTIFIER,
        is_share=False,
    ),
    ComputedNumber("interval-width", "estimate", "the width of the interval of the estimate to take", _interval_width),
)
"""Every number of a page that a question can ask for."""


def number_asked(question: Question, now: Situation) -> float:
    """The number that a question asks for: known, or computed by the page. Raises NotComputed."""
    return COMPUTED_NUMBERS[question.subject].value(now) if question.answer is None else question.answer
