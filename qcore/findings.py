"""Two or three sentences in words, computed from the numbers that a page shows."""

from __future__ import annotations

import math

import pandas as pd

from qcore.losses import LOSSES

_NOTICEABLE = 0.005
"""A mean bias below this is not worth a sentence."""


def findings(
    overview: pd.DataFrame, loss: str, estimates: pd.DataFrame, rates: tuple[float, float], training_prevalence: float
) -> list[str]:
    """Sentences on which method does best, which way classify and count errs, and what the worst case is.

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
    if digits(values[0]) == digits(values[1]):
        return f"{sentence}, as good as **{methods[1]}**."
    return f"{sentence}, before **{methods[1]}** with {digits(values[1])}."


def _classify_and_count(curve: pd.DataFrame, rates: tuple[float, float]) -> str:
    """What Forman's theorem says of CC (B theorem 3.1), and whether the samples agree."""
    tpr, fpr = rates
    said = f"its tpr of {tpr:.2f} and fpr of {fpr:.2f}"
    if tpr - fpr <= 0:
        return f"With {said} the classifier does not tell the classes apart: no count of its predictions can be corrected."
    if tpr == 1.0 and fpr == 0.0:
        return f"CC needs no correction here: {said} mean that counting is right."
    crossing = fpr / (1.0 - tpr + fpr)
    below, above = (_mean_bias(curve, side) for side in (curve.true < crossing, curve.true > crossing))
    parts = []
    if above is not None and above < -_NOTICEABLE:
        parts.append(f"underestimates above {crossing:.2f}")
    if below is not None and below > _NOTICEABLE:
        parts.append(f"overestimates below {crossing:.2f}")
    if parts:
        return f"**CC** {' and '.join(parts)}, as {said} say it must."
    expected = f"By {said}, CC should turn from over- to underestimating at {crossing:.2f}"
    if max(abs(side) for side in (below, above) if side is not None) <= _NOTICEABLE:
        return f"{expected}; here its bias is too small to see."
    return f"{expected}; these samples do not show it, as the rates in the pool differ from those in training."


def _worst(overview: pd.DataFrame, loss: str, training_prevalence: float) -> str:
    rated = overview[overview.method != "BL"] if len(overview) > 1 else overview
    row = rated.iloc[int(rated.worst_mean.abs().to_numpy().argmax())]
    where = f"at a true prevalence of {row.worst_prevalence:.2f}"
    sentence = f"The worst point is **{row.method}** {where}, with a mean {loss} of {digits(row.worst_mean)}"
    baseline = overview[overview.method == "BL"].worst_mean.abs().to_numpy()
    if row.method == "BL" or not len(baseline):
        return f"{sentence}."
    answer = f"BL, which always answers {training_prevalence:.2f}, reaches {digits(baseline[0])}"
    return f"{sentence}; {answer}."


def _mean_bias(curve: pd.DataFrame, chosen: pd.Series) -> float | None:
    part = curve[chosen]
    return float((part["mean"] - part.true).mean()) if len(part) else None


def out_of_frame(curves: pd.DataFrame, axis: tuple[float, float]) -> list[str]:
    """The methods whose mean leaves the y range `axis` somewhere, in order. `curves` as of `summaries.curves`."""
    outside = (curves["mean"] < axis[0] - 1e-12) | (curves["mean"] > axis[1] + 1e-12)
    return list(dict.fromkeys(curves.method[outside]))


def digits(value: float) -> str:
    """A number with two significant digits at least, and two decimals below 10: 0.0123 -> 0.012, 1.234 -> 1.23, 12.34 -> 12.3."""
    if abs(value) >= 10:
        return f"{value:.1f}"
    if value == 0:
        return "0"
    return f"{value:.{max(2, 1 - math.floor(math.log10(abs(value))))}f}"
