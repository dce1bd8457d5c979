"""Sentences of the page "Classifier"."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, digits, listed, percentage
from qcore.base import FloatArray
from qcore.measures.regression import asymmetric_loss
from qcore.measures.roc import Skew, total_cost
from qcore.studies.classifier_evaluation import ClassifierEvaluation

_WORTHWHILE = 0.95
"""A change of an error is mentioned only if it is about a twentieth or more of it."""


_SWAPPED = " That is less than chance: two classes may be swapped, or the scores belong to the other class."


def roc_sentences(evaluation: ClassifierEvaluation) -> list[str]:
    """For each threshold: its point on the curve."""
    rates = evaluation.rates
    auc = (
        f"A positive scores above a negative {evaluation.auc:.1%} of the time (AUC **{evaluation.auc:.3f}**, ties count half)."
        f"{_SWAPPED if evaluation.auc < 0.5 else ''}"
    )
    return [
        f"{auc} Here the tpr is {percentage(tpr)} and the fpr {percentage(fpr)}."
        for tpr, fpr in zip(rates.tpr.tolist(), rates.fpr.tolist(), strict=True)
    ]


def classifier_headlines(evaluation: ClassifierEvaluation) -> list[str]:
    """For each threshold: the shares of positives and of negatives predicted positive, and how well the classifier ranks."""
    rates = evaluation.rates
    return [
        f"It finds {percentage(tpr)} of the positives and takes {percentage(fpr)} of the negatives for positives; AUC "
        f"{evaluation.auc:.3f}."
        for tpr, fpr in zip(rates.tpr.tolist(), rates.fpr.tolist(), strict=True)
    ]


_NEARLY = 0.005
"""Share of all instances by which missed positives and false alarms may differ and still nearly cancel out."""


def confusion_sentences(evaluation: ClassifierEvaluation, measures: pd.DataFrame) -> list[str]:
    """For each threshold: how many are predicted positive, how many of them are, and what counting gives."""
    table = evaluation.table
    sentences = []
    total = len(evaluation.labels)
    positives = int(evaluation.labels.sum())
    for i in range(len(evaluation.rates.thresholds)):
        predicted, correct = int(table.tp[i] + table.fp[i]), int(table.tp[i])
        which = (
            f"{correct:,} of them rightly (precision {measures.precision[i]:.2f})" if predicted else "so precision is undefined"
        )
        missed, false = counted(int(table.fn[i]), "missed positive"), counted(int(table.fp[i]), "false alarm")
        apart = abs(int(table.fn[i]) - int(table.fp[i]))
        cancel = "cancel out" if not apart else "nearly cancel out" if apart < _NEARLY * total else "do not cancel out"
        errors = f"{missed} and {false} {cancel}" if table.fn[i] or table.fp[i] else "there is no error"
        sentences.append(
            f"It takes {predicted:,} of {total:,} instances for positives, {which}. "
            f"Counting therefore says {predicted / total:.1%}; the truth is {positives / total:.1%}: {errors}."
        )
    return sentences


def cost_sentences(table: pd.DataFrame, skew: Skew) -> list[str]:
    """The slope of the lines of equal cost, its meaning, and what is cheapest; `table` from `cost_table`."""
    costs = (skew.false_negative * skew.prevalence, skew.false_positive * (1.0 - skew.prevalence))
    if max(costs) == 0.0:
        return ["There is only one class, and its errors cost nothing: every prediction is free."]
    if costs[0] == 0.0:
        nothing = "there are no positives" if skew.prevalence == 0.0 else "no missed positive costs anything"
        slope = f"{nothing.capitalize()}, so the slope is infinite: the cheapest is to predict no instance positive."
    else:
        neg_pos = (1.0 - skew.prevalence) / skew.prevalence
        slope = (
            f"slope = (cost of a false positive / of a false negative) · (negatives / positives) = "
            f"{skew.false_positive:g} / {skew.false_negative:g} · {neg_pos:.4g} = **{skew.slope:.4g}**. This many points of "
            "tpr are worth one point of fpr."
        )
    least = float(table.cost.min())
    names = listed([name for name in table["name"][table.cheapest].tolist() if name != "cheapest threshold"] or ["the star"])
    verb = "are" if " and " in names else "is"
    cheapest = f"{names} {verb} cheapest: {cost_text(least)} per instance."
    lowest = table.iloc[int(table.error.to_numpy().argmin())]
    if not lowest.cheapest:
        cheapest += (
            f" The lowest error, {lowest.error:.1%}, is that of **{lowest['name']}**, which costs {cost_text(lowest.cost)}."
        )
    return [slope, cheapest]


def cost_text(cost: float) -> str:
    """A cost as text."""
    return digits(cost) if abs(cost) < 1000 else f"{cost:,.0f}"


def _brier_sentence(brier: Mapping[str, float], n_training: int) -> str:
    """By how much the best calibration lowers the Brier score; `brier` by calibration, "none" for the scores as they are."""
    best, alone = min(brier.keys() - {"none"}, key=lambda key: (brier[key], key)), len(brier) == 2
    before, after = brier["none"], brier[best]
    learnt = f"Learnt from {n_training:,} training instances, "
    if after >= before:
        which = f"{best} calibration does not lower" if alone else "none of these calibrations lowers"
        top = "" if alone else ", the best of them"
        return f"{learnt}{which} the Brier score: {before:.4f} without, {after:.4f} with {best}{top}."
    if after > _WORTHWHILE * before:
        which, much = (f"{best} calibration hardly lowers", "") if alone else ("none of these calibrations lowers", " by much")
        return f"{learnt}{which} the Brier score{much}: {before:.4f} to {after:.4f}{'' if alone else ' at best'}."
    return f"**{best.capitalize()}** calibration brings it down{'' if alone else ' most,'} to {digits(after)}."


def calibration_sentences(
    table: pd.DataFrame, errors: Mapping[str, pd.DataFrame], n_training: int, *, by_chance: bool
) -> list[str]:
    """How far the scores are from probabilities, and what calibration changes for the quantifiers.

    `table` from `probability_table`; `errors` from `mean_errors`, by calibration; `n_training`: number of instances that the
    calibrators learnt from; `by_chance`: whether scores that are probabilities may seem as badly calibrated.
    """
    rows = table[table.calibration_method == "none"]
    brier = dict(zip(table.calibration_method.tolist(), table.brier.tolist(), strict=True))
    whole, lost, left = (float(rows[part].to_numpy()[0]) for part in ("brier", "calibration", "refinement"))
    part = lost / whole if whole > 1e-9 else 0.0
    # On few instances, the best probabilities in the same order fit what is chance, too.
    why = (
        "On as many instances, scores that are probabilities may show as much calibration by chance."
        if by_chance
        else f"{percentage(part).capitalize()} of it is due to scores that are not probabilities."
    )
    sentences = [f"Brier score {digits(whole)} = calibration {digits(lost)} + refinement {digits(left)}. {why}"]
    others = [key for key in errors if key != "none"]
    if not others:
        return sentences
    sentences.append(_brier_sentence({key: brier[key] for key in ("none", *others)}, n_training))
    before = errors["none"].set_index("method").AE
    for method in before.index:
        after = {key: float(errors[key].set_index("method").AE[method]) for key in others}
        sentences.append(f"**{method}**'s mean AE {_change(float(before[method]), after)}.")
    return sentences


def _change(before: float, after: Mapping[str, float]) -> str:
    """How the best and the worst calibration change a mean AE."""
    best, worst = min(after, key=lambda key: after[key]), max(after, key=lambda key: after[key])
    parts = []
    if after[best] < _WORTHWHILE * before:
        parts.append(f"falls to {digits(after[best])} with {best} calibration")
    if _WORTHWHILE * after[worst] > before:
        parts.append(f"rises to {digits(after[worst])} with {worst} calibration")
    return f"is {digits(before)} uncalibrated; it {' but '.join(parts) or 'hardly changes'}"


def class_costs_sentence(counts: FloatArray, costs: FloatArray) -> str:
    """What the predictions of several classes cost with a cost matrix, in all and per instance."""
    total, n = total_cost(counts, costs), int(counts.sum())
    each = f"{cost_text(abs(total) / n)} per instance"
    if total < 0:
        return f"With these costs the {n:,} predictions gain **{-total:,.8g}** (their total cost is {total:,.8g}): {each}."
    return f"With these costs the {n:,} predictions cost **{total:,.8g}** in all: {each}."


def regression_sentence(alpha: float, predicted: Sequence[float], actual: Sequence[float]) -> str:
    """The asymmetric loss of predictions beside their mean absolute error."""
    loss, symmetric = (float(asymmetric_loss(predicted, actual, one).mean()) for one in (alpha, 0.5))
    if alpha == 0.5:
        return f"At alpha = 0.5 both directions cost the same: the mean loss is the MAE, **{digits(loss)}**."
    dear, most = ("under", alpha) if alpha > 0.5 else ("over", 1.0 - alpha)
    if alpha in (0.0, 1.0):
        return f"At alpha = {alpha:g} only {dear}predictions cost anything: the mean loss is **{digits(loss)}**."
    return (
        f"At alpha = {alpha:g} an {dear}prediction costs {digits(most / (1.0 - most))} times as much as an equal error in the "
        f"other direction. The mean loss is **{digits(loss)}**, the MAE {digits(symmetric)}."
    )


def pairs_sentence(pairs: FloatArray, classes: Sequence[str]) -> str:
    """Hand and Till's AUC and the pair of classes that is hardest to tell apart; `pairs` of `pairwise_auc`."""
    i, j = divmod(int(np.nanargmin(pairs)), len(classes))
    return (
        f"For pairs of classes, the AUC is **{np.nanmean(pairs):.3f}** on average (Hand and Till's measure). Hardest to tell "
        f"apart: {classes[i]} and {classes[j]}, with {pairs[i, j]:.3f}. The slides on model evaluation divide the sum over "
        "pairs by twice their number: half of Hand and Till's (2001)."
    )
