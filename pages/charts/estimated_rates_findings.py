"""Sentences on how rates are estimated, and on overfitting."""

import pandas as pd

from pages.settings.number_text import digits, percentage, share
from qcore.studies.estimated_rates import EstimatedRates

_WRONG = "resubstitution"
_MUCH_LESS, _HARDLY_APART = 0.75, 0.02
"""A training error below this fraction of the other errors shows overfitting; errors that differ by at most this are alike."""
_ALIKE, _LEVEL = 1.1, 1.02
"""The largest ratio of two errors that count as alike, and as equal."""


def rates_sentences(rates: EstimatedRates) -> list[str]:
    """Sentences on the pool's rates, on the estimates with which AC errs least and most, and on how far estimates scatter."""
    pool, table = rates.pool, rates.table
    unsorted = table.groupby("estimation", sort=False).AE.mean()
    errors = unsorted.sort_values(kind="stable")
    sentences = [
        f"On the pool the model has a tpr of **{share(pool['tpr'])}** and an fpr of **{share(pool['fpr'])}** (grey lines; "
        f"shaded: two standard errors). With these rates AC would err by {digits(pool['AE'])}; counting without a correction "
        f"errs by {digits(rates.counting_ae)} (dotted)."
    ]
    # Of the ways whose errors count as equal, the first is named: averages over folds differ in the last digits.
    best, worst = str((unsorted <= _LEVEL * errors.iloc[0]).idxmax()), str(errors.index[-1])
    if errors.iloc[-1] <= _ALIKE * errors.iloc[0]:
        sentences.append(f"Here it hardly matters how the rates are estimated: AC errs by {digits(errors.iloc[0])} with each.")
    else:
        sentences.append(
            f"AC errs least with the rates of **{best}** ({digits(unsorted[best])}), most with those of **{worst}** "
            f"({digits(errors.iloc[-1])}{', more than without a correction' if errors.iloc[-1] > rates.counting_ae else ''})."
        )
    scatter = table.groupby("estimation", sort=False)[["tpr", "fpr"]].std().max(axis=1).dropna().sort_values(kind="stable")
    if len(scatter) > 1 and scatter.iloc[-1] > 0.005:
        sentences.append(
            f"From repeat to repeat the rates of **{scatter.index[-1]}** scatter most: a rate moves by "
            f"{digits(scatter.iloc[-1])} (standard deviation)."
        )
    return sentences


def error_estimates_sentence(rates: EstimatedRates) -> str:
    """Whether resubstitution makes the classifier look better than it is; the table must hold this way of estimating."""
    errors = rates.table.groupby("estimation", sort=False).error.mean()
    pool, wrong, folds = rates.pool["error"], float(errors[_WRONG]), float(errors["out of fold"])
    ends = f"out of fold it is {percentage(folds)}, on the pool {percentage(pool)}."
    if abs(rates.error_on_pool - pool) > _HARDLY_APART:
        of_pool = percentage(rates.error_on_pool)
        ends += f" These are errors at the training prevalence; at the pool's own prevalence the error is {of_pool}."
    said = f"On its own training data this classifier errs in {percentage(wrong)}"
    if wrong < _MUCH_LESS * min(pool, folds):
        return f"{said}: it has memorised them. {ends[:1].upper()}{ends[1:]}"
    if max(abs(wrong - pool), abs(wrong - folds)) <= _HARDLY_APART:
        return f"{said}, about as on other data: {ends}"
    return f"{said}; {ends}"


def overfitting_sentence(table: pd.DataFrame, complexity: str) -> str:
    """Which model is best on the pool, which one cross-validation would choose, and what the most complex one does."""
    errors = table.pivot_table(index="value", columns="part", values="error", sort=False)
    by_pool, by_folds = int(errors["pool"].argmin()), int(errors["out of fold"].argmin())
    least, chosen = (float(errors["pool"].iloc[index]) for index in (by_pool, by_folds))
    values, last = errors.index.tolist(), errors.iloc[-1]
    if by_pool == by_folds:
        best = f"Best on the pool is **{values[by_pool]}** ({least:.1%}), which cross-validation chooses, too."
    else:
        best = (
            f"Best on the pool is **{values[by_pool]}** ({least:.1%}); cross-validation chooses {values[by_folds]}, which "
            f"errs in {chosen:.1%}."
        )
    return (
        f"The most complex model (**{complexity}: {values[-1]}**) errs in {percentage(float(last['training']))} of its own "
        f"training data and in {percentage(float(last['pool']))} of the pool. {best}"
    )
