"""Sentences of the page "Search space"."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, digits, digits_apart, listed, percentage, share, threshold_text
from qcore.measures.catalog import ParametricMeasure
from qcore.measures.roc import RateCurve
from qcore.quantifiers.batch import THRESHOLD
from qcore.studies.iris_example import IrisExample
from qcore.studies.search_space import ClassifierPoints, Optima, SearchSpace, errors_at_rates, value_at

_SAME = 1e-9
_EQUAL_SHARE = 0.02
"""Means of AE that differ by less than this share count as equal."""


def space_headline(space: SearchSpace) -> str:
    """The measure's values for right counts with few and with many errors, in one short sentence."""
    most = min(space.positives, space.negatives)
    half = most // 2
    some, all_wrong, *_ = _reference_values(space)
    errors = counted(half, "error")
    return (
        f"{space.measure.name} gives {share(some)} to a right count with {errors} on each side, {share(all_wrong)} to one with "
        f"{most:,}."
    )


def _reference_values(space: SearchSpace) -> list[float]:
    """The measure's values for right counts with half and with all of the smaller class wrong, for none, for all positive."""
    most = min(space.positives, space.negatives)
    fp, fn = np.array([most // 2, most, 0.0, space.negatives]), np.array([most // 2, most, space.positives, 0.0])
    values: list[float] = value_at(space.measure, fp, fn, space.positives, space.negatives).tolist()
    return values


def reference_sentence(space: SearchSpace) -> str:
    """The measure's value for counts that are right because errors cancel out, and for predicting none or all positive."""
    most = min(space.positives, space.negatives)
    half = most // 2
    some, all_wrong, none, everything = _reference_values(space)
    return (
        f"**{space.measure.name}** where errors cancel out, so that the count is right: **{share(some)}** with {half:,} on "
        f"each side (FP = FN), {share(all_wrong)} with {most:,}. Predicting no instance positive is worth {share(none)}, "
        f"every instance {share(everything)}."
    )


def optima_sentence(optima: Optima, measure: ParametricMeasure, positives: int) -> str:
    """How many contingency tables have the highest value, and how bad a classifier with such a table can be."""
    name = f"**{measure.name}**"
    share_of_good = percentage(optima.good_share)
    good = f"{share_of_good[:1].upper()}{share_of_good[1:]} of all {optima.n_tables:,} tables are worth {optima.good:g} or more"
    if optima.n_best == 1:
        return f"Only one table is best under {name}: the one without errors. {good}."
    positives_found = "no positive" if optima.lowest_tp == 0 else f"{optima.lowest_tp:,} of {counted(positives, 'positive')}"
    worst = f"among them one that finds {positives_found}"
    if optima.lowest_tp == positives:
        worst = "all of which find every positive"
    return f"**{optima.n_best:,}** tables share the largest value under {name} ({share(optima.best)}), {worst}. {good}."


def classifier_point_sentences(
    points: ClassifierPoints, measure: ParametricMeasure, positives: int, negatives: int
) -> list[str]:
    """Which classifier has the highest value, and the value at the best threshold of the traced one."""
    if not points.names:
        return []
    fp, fn = errors_at_rates(points.tpr, points.fpr, positives, negatives)
    values = value_at(measure, fp, fn, positives, negatives)
    best = int(values.argmax())
    ties = [name for name, value in zip(points.names, values, strict=True) if abs(value - values[best]) < _SAME]
    worth = f"{share(float(values[best]), 3)}"
    where = f"FP {fp[best]:.1f}, FN {fn[best]:.1f}"
    if len(points.names) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth {worth} ({where})."]
    elif len(ties) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth most: {worth} ({where})."]
    else:
        sentences = [f"At the threshold 0.5 {listed(ties)} are worth most, equally: {worth}."]
    if points.curve is not None:
        sentences.append(_best_threshold(points, points.curve, measure, positives, negatives))
    return sentences


def _best_threshold(
    points: ClassifierPoints, curve: RateCurve, measure: ParametricMeasure, positives: int, negatives: int
) -> str:
    along = value_at(measure, *errors_at_rates(curve.tpr, curve.fpr, positives, negatives), positives, negatives)
    best = int(along.argmax())
    default, highest = float(along[list(curve.thresholds).index(THRESHOLD)]), float(along[best])
    if highest <= default + _SAME:
        return f"No other threshold of **{points.traced}** is worth more than this one."
    at = "above all scores" if np.isinf(curve.thresholds[best]) else f"at {threshold_text(float(curve.thresholds[best]))}"
    here, there = share(default, 3), share(highest, 3)
    if here == there:
        here, there = digits_apart(default, highest)
    return f"The threshold of **{points.traced}** that this measure would choose lies {at}: {there} instead of {here} at 0.5."


def iris_example_sentences(example: IrisExample, measures: Sequence[ParametricMeasure]) -> list[str]:
    """The value of both hypotheses under each measure, and the direction of their counts."""
    first, second = example.hypotheses
    sentences = [
        f"Both take {example.positives} of {example.positives + example.negatives} for class 3, which is right. "
        f"**{first.name}** errs {first.fp} times on each side and finds {example.positives - first.fn} of the "
        f"{example.positives}; **{second.name}** errs {second.fp} times on each side and finds {example.positives - second.fn}."
    ]
    values = []
    for measure in measures:
        fp, fn = np.array([first.fp, second.fp], float), np.array([first.fn, second.fn], float)
        first_value, second_value = value_at(measure, fp, fn, example.positives, example.negatives).tolist()
        values.append(f"{measure.name} gives {share(first_value)} and {share(second_value)}")
    sentences.append(f"{'; '.join(values)}.")
    ends = np.array([0.1, 0.9])
    first_counts, second_counts = example.expected_count(first, ends), example.expected_count(second, ends)
    sentences.append(
        f"When class 3 goes from 10% to 90%, {second.name} counts from {second_counts[0]:.0%} to {second_counts[1]:.0%}; "
        f"{first.name} goes the wrong way, from {first_counts[0]:.0%} to {first_counts[1]:.0%}, since it counts class 1."
    )
    return sentences


def learners_sentences(table: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Which learner errs least over all prevalences; `table` of `summaries.overview` on AE."""
    if len(table) < 2:
        return []
    ordered = table.sort_values("mean", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    equal = ordered[ordered["mean"] <= least["mean"] * (1 + _EQUAL_SHARE)]["method"].tolist()
    if len(equal) == len(table):
        return [f"Over all prevalences the learners err about equally: a mean AE of about {digits(float(least['mean']))}."]
    low, high = digits_apart(float(least["mean"]), float(most["mean"]))
    verb = "errs" if len(equal) == 1 else "err"
    return [
        f"Over all prevalences {listed([names[key] for key in equal])} {verb} least (mean AE {low}), "
        f"**{names[str(most['method'])]}** most ({high}; at a prevalence of {most['worst_prevalence']:.2f} "
        f"{digits(float(most['worst_mean']))})."
    ]
