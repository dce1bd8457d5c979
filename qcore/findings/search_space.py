"""Sentences of the page "Search space"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from qcore.conflict import Conflict
from qcore.findings.words import counted, digits, digits_apart, listed, percentage, share, threshold_text
from qcore.landings import Landings
from qcore.quantifiers.counting import THRESHOLD
from qcore.quantifiers.rate_curve import RateCurve
from qcore.search_space import Optima, SearchSpace, landing, value_at
from qcore.table_measures import Measured

_SAME = 1e-9
_LEVEL = 0.02
"""Means of AE that differ by less than this share are called level."""


def reference_sentence(space: SearchSpace) -> str:
    """What the measure gives to counts that are right because errors cancel out, and to predicting nobody or everybody."""
    most = min(space.positives, space.negatives)
    half = most // 2
    fp, fn = np.array([half, most, 0.0, space.negatives]), np.array([half, most, space.positives, 0.0])
    some, all_wrong, nobody, everybody = value_at(space.measured, fp, fn, space.positives, space.negatives).tolist()
    return (
        f"**{space.measured.name}** where errors cancel out, so that the count is right: **{share(some)}** with {half:,} on "
        f"each side (FP = FN), {share(all_wrong)} with {most:,}. Predicting nobody positive is worth {share(nobody)}, "
        f"everybody {share(everybody)}."
    )


def optima_sentence(optima: Optima, measured: Measured, positives: int) -> str:
    """How many tables are best, and how bad a classifier may be there."""
    name = f"**{measured.name}**"
    good = f"{percentage(optima.good_share)} of all {optima.n_tables:,} tables are worth {optima.good:g} or more"
    if optima.n_best == 1:
        return f"Only one table is best under {name}: the one without errors. {good}."
    found = "no positive" if optima.least_tp == 0 else f"{optima.least_tp:,} of {counted(positives, 'positive')}"
    worst = f"among them one that finds {found}"
    if optima.least_tp == positives:
        worst = "all of which find every positive"
    return f"**{optima.n_best:,}** tables share the largest value under {name} ({share(optima.best)}), {worst}. {good}."


def landing_sentences(landed: Landings, measured: Measured, positives: int, negatives: int) -> list[str]:
    """Which classifier is worth most where it lands, and what the best of all thresholds of the swept one would be worth."""
    if not landed.names:
        return []
    fp, fn = landing(landed.tpr, landed.fpr, positives, negatives)
    values = value_at(measured, fp, fn, positives, negatives)
    best = int(values.argmax())
    ties = [name for name, value in zip(landed.names, values, strict=True) if abs(value - values[best]) < _SAME]
    worth = f"{share(float(values[best]), 3)}"
    where = f"FP {fp[best]:.1f}, FN {fn[best]:.1f}"
    if len(landed.names) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth {worth} ({where})."]
    elif len(ties) == 1:
        sentences = [f"At the threshold 0.5 {listed(ties)} is worth most: {worth} ({where})."]
    else:
        sentences = [f"At the threshold 0.5 {listed(ties)} are worth most, as much as each other: {worth}."]
    if landed.curve is not None:
        sentences.append(_best_threshold(landed, landed.curve, measured, positives, negatives))
    return sentences


def _best_threshold(landed: Landings, curve: RateCurve, measured: Measured, positives: int, negatives: int) -> str:
    along = value_at(measured, *landing(curve.tpr, curve.fpr, positives, negatives), positives, negatives)
    place = int(along.argmax())
    own, most = float(along[list(curve.thresholds).index(THRESHOLD)]), float(along[place])
    if most <= own + _SAME:
        return f"No other threshold of **{landed.swept}** is worth more than this one."
    at = "above all scores" if np.isinf(curve.thresholds[place]) else f"at {threshold_text(float(curve.thresholds[place]))}"
    here, there = share(own, 3), share(most, 3)
    if here == there:
        here, there = digits_apart(own, most)
    return f"The threshold of **{landed.swept}** that this measure would choose lies {at}: {there} instead of {here} at 0.5."


def conflict_sentences(found: Conflict, measures: Sequence[Measured]) -> list[str]:
    """What both hypotheses are worth under each measure, and which way their count goes."""
    first, second = found.hypotheses
    sentences = [
        f"Both take {found.positives} of {found.positives + found.negatives} for class 3, which is right. **{first.name}** "
        f"errs {first.fp} times on each side and finds {found.positives - first.fn} of the {found.positives}; "
        f"**{second.name}** errs {second.fp} times on each side and finds {found.positives - second.fn}."
    ]
    values = []
    for measured in measures:
        fp, fn = np.array([first.fp, second.fp], float), np.array([first.fn, second.fn], float)
        one, other = value_at(measured, fp, fn, found.positives, found.negatives).tolist()
        values.append(f"{measured.name} gives {share(one)} and {share(other)}")
    sentences.append(f"{'; '.join(values)}.")
    ends = np.array([0.1, 0.9])
    one, other = found.counted(first, ends), found.counted(second, ends)
    sentences.append(
        f"When class 3 goes from 10% to 90%, {second.name} counts from {other[0]:.0%} to {other[1]:.0%}; {first.name} goes the "
        f"wrong way, from {one[0]:.0%} to {one[1]:.0%}, since it counts class 1."
    )
    return sentences


def learners_sentences(table: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """Which learner errs least over all prevalences; `table` of `summaries.overview` on AE."""
    if len(table) < 2:
        return []
    ordered = table.sort_values("mean", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    level = ordered[ordered["mean"] <= least["mean"] * (1 + _LEVEL)]["method"].tolist()
    if len(level) == len(table):
        return [f"Over all prevalences they err alike: a mean AE of about {digits(float(least['mean']))}."]
    low, high = digits_apart(float(least["mean"]), float(most["mean"]))
    verb = "errs" if len(level) == 1 else "err"
    return [
        f"Over all prevalences {listed([names[key] for key in level])} {verb} least (mean AE {low}), "
        f"**{names[str(most['method'])]}** most ({high}; at a prevalence of {most['worst_prevalence']:.2f} "
        f"{digits(float(most['worst_mean']))})."
    ]
