"""Sentences of the page "Error by prevalence": the best method, the bias of counting, the worst case."""

import pandas as pd

from pages.settings.number_text import digits, exact_percentage, listed, percentage
from qcore.losses import LOSSES
from qcore.quantifiers.adjustment import unbiased_prevalence

_NOTICEABLE = 0.005
"""A mean bias below this is not worth a sentence."""


def findings(
    overview: pd.DataFrame, loss: str, estimates: pd.DataFrame, rates: tuple[float, float], training_prevalence: float
) -> list[str]:
    """Sentences on which method is best, how classify and count errs, and what the worst case is.

    Parameters
    ----------
    overview : table of `summaries.overview` for `loss`, a key of LOSSES.
    estimates : table of `summaries.curves` of the estimates.
    rates : (tpr, fpr) of the classifier at 0.5, out of fold.
    training_prevalence : share of positives in the training part.
    """
    sentences = [_best(overview, loss)]
    methods = set(overview.method)
    if "CC" in methods:
        sentences.append(_classify_and_count(estimates[estimates.method == "CC"], rates))
    sentences.append(_worst(overview, loss, training_prevalence))
    return sentences


def _best(overview: pd.DataFrame, loss: str) -> str:
    magnitude = overview["mean"].abs()
    order = magnitude.to_numpy().argsort(kind="stable")
    methods, values = overview.method.to_numpy()[order], overview["mean"].to_numpy()[order]
    what = "mean bias nearest to 0" if LOSSES[loss].signed else f"lowest mean {loss}"
    sentence = f"**{methods[0]}** has the {what}, {digits(values[0])}"
    if len(methods) == 1:
        return f"{sentence}; choose a second quantifier to compare it with."
    levels = overview.level.to_numpy()[order]
    level = [method for method, is_level in zip(methods[1:], levels[1:], strict=True) if is_level]
    if level:
        return f"{sentence}, level with {listed(level, most=3, first=3)}."
    if digits(values[1]) == digits(values[0]):
        return f"{sentence}, just before **{methods[1]}**."
    return f"{sentence}, before **{methods[1]}** with {digits(values[1])}."


def _classify_and_count(curve: pd.DataFrame, rates: tuple[float, float]) -> str:
    """At which prevalences CC errs, in which direction, and whether Forman's theorem predicts it (Barranquero 2013, 3.1)."""
    tpr, fpr = rates
    found, alarmed = percentage(tpr), percentage(fpr)
    both = f"tpr of {found} and fpr of {alarmed}"
    its_rates = f"its {both}"
    if tpr < fpr and found != alarmed:
        return (
            f"At the threshold 0.5, the classifier's tpr of {found} in training is below its fpr of {alarmed}: the more "
            "positives there are, the fewer **CC** counts. Two classes may be swapped, or the scores be those of the other "
            "class; a correction with these rates reverses that."
        )
    if tpr <= fpr:
        return (
            f"At the threshold 0.5, the classifier's {both} in training do not tell the classes apart: **CC** gives the same "
            "count whatever the truth, and no correction of this count helps."
        )
    bias = curve["mean"] - curve.true
    over, under = curve.true[bias > _NOTICEABLE], curve.true[bias < -_NOTICEABLE]
    if not len(over) and not len(under):
        return f"**CC** is hardly biased here, with {its_rates}."
    up_to = "at" if len(over) == 1 else "up to"
    parts = [f"overestimates {up_to} a true prevalence of {over.max():.0%}"] if len(over) else []
    if len(under):
        parts.append(f"underestimates from {under.min():.0%} on" if len(under) > 1 else f"underestimates at {under.min():.0%}")
    what = f"**CC** {' and '.join(parts)}"
    if len(over) and len(under) and over.max() > under.min():
        what = f"**CC** errs in both directions, by {digits(bias.min())} to {digits(bias.max())}"
    if tpr == 1.0 and fpr == 0.0:
        return f"{what}, although {its_rates} in training predict no bias: the rates in the pool differ."
    p_star = float(unbiased_prevalence(tpr, fpr))
    # Between the last overestimate and the first underestimate, give or take a step or two of a coarse grid.
    last, first = (over.max() if len(over) else 0.0), (under.min() if len(under) else 1.0)
    if last - 0.1 <= p_star <= first + 0.1 and last <= first:
        return f"{what}, as {its_rates} predict."
    return f"{what}; by {its_rates} in training, it would be right at {percentage(p_star)}, but the rates in the pool differ."


def _worst(overview: pd.DataFrame, loss: str, training_prevalence: float) -> str:
    is_baseline = overview.method == "BL"
    baseline, rated = overview[is_baseline], overview[~is_baseline]
    answer = exact_percentage(training_prevalence, 2)
    if not len(rated):
        return f"**BL** always answers {answer}: mean {loss} of {_extreme(baseline)}."
    sentence = f"**{_worst_row(rated).method}** has the worst point: mean {loss} of {_extreme(rated)}."
    if not len(baseline):
        return sentence
    reach = digits(_worst_row(baseline).worst_mean)
    return f"Apart from BL, which always answers {answer} (mean {loss} up to {reach}), {sentence}"


def _worst_row(overview: pd.DataFrame) -> pd.Series:
    return overview.iloc[int(overview.worst_mean.abs().to_numpy().argmax())]


def _extreme(overview: pd.DataFrame) -> str:
    row = _worst_row(overview)
    return f"{digits(row.worst_mean)} at a true prevalence of {row.worst_prevalence:.0%}"


def out_of_frame(curves: pd.DataFrame, axis: tuple[float, float]) -> list[str]:
    """The methods whose mean leaves the y range `axis` somewhere, in order. `curves` as of `summaries.curves`."""
    outside = (curves["mean"] < axis[0] - 1e-12) | (curves["mean"] > axis[1] + 1e-12)
    return list(dict.fromkeys(curves.method[outside]))
