"""Sentences of the page "Recommender": whether choosing pays, what is chosen, which metafeatures matter."""

import pandas as pd

from pages.settings.number_text import counted, digits, digits_apart, listed, percentage
from qcore.base import TIE
from qcore.evaluation.significance import is_clear
from qcore.recommender.mlq import RecommenderResult

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "last")


def benefit_sentences(result: RecommenderResult, against: pd.DataFrame) -> list[str]:
    """Whether MLQ beats the best single candidate, and where not; `against` of `comparison_with_candidates`."""
    means = _means(result)
    if _is_nothing_to_choose(means):
        alike = f"all candidates err alike on every sample (mean AE {digits(means['TOP'])})"
        return [f"**There is nothing to choose here:** {alike}."]

    best = min(result.table.candidates, key=lambda name: means[name])
    known = result.recommender.best_single_
    sentences = [_verdict(_overall(against, best), best)]
    if len(set(result.chosen.tolist())) == 1:
        sentences[0] += f" It always chooses **{result.table.candidates[int(result.chosen[0])]}**."
    sentences.append(_by_size(against))
    if known != best:
        row = _overall(against, known)
        sentences.append(
            f"That {best} is the best here is known only afterwards. On the training half **{known}** was the best. Over all "
            f"samples {_beside(row)} {known}: mean AE {' against '.join(digits_apart(row.mlq, row.single))}."
        )
    sentences.append(_bounds(means))
    return sentences


def benefit_headline(result: RecommenderResult, against: pd.DataFrame) -> str:
    """Whether choosing pays, in one short sentence; as `benefit_sentences`."""
    means = _means(result)
    if _is_nothing_to_choose(means):
        return "There is nothing to choose here: all candidates err alike on every sample."
    best = min(result.table.candidates, key=lambda name: means[name])
    row = _overall(against, best)
    mlq, single = digits_apart(row.mlq, row.single)
    if not _is_significant(row):
        return f"Choosing makes no clear difference here: mean AE {mlq}, the best single candidate, {best}, has {single}."
    verb = "pays" if row.difference < 0 else "does not pay"
    return f"Choosing {verb} here: mean AE {mlq}, the best single candidate, {best}, has {single}."


def _means(result: RecommenderResult) -> dict[str, float]:
    return {name: float(errors.mean()) for name, errors in result.errors.items()}


def _is_nothing_to_choose(means: dict[str, float]) -> bool:
    return abs(means["TOP"] - means["RND"]) < TIE


def _overall(against: pd.DataFrame, candidate: str) -> pd.Series:
    return against[(against["size"] == 0) & (against.candidate == candidate)].iloc[0]


def _is_significant(row: pd.Series) -> bool:
    return bool(is_clear(row.difference, row.standard_error))


def _beside(row: pd.Series) -> str:
    if not _is_significant(row):
        return "MLQ is not clearly different from"
    return "MLQ is better than" if row.difference < 0 else "MLQ is worse than"


def _verdict(row: pd.Series, best: str) -> str:
    numbers = f"mean AE {' against '.join(digits_apart(row.mlq, row.single))}"
    if not _is_significant(row):
        return (
            "**Choosing makes no clear difference here.** Over all samples MLQ is within two standard errors of the "
            f"best single candidate, **{best}**: {numbers}, standard error of the difference {digits(row.standard_error)}."
        )
    if row.difference < 0:
        return f"**Choosing pays here.** Over all samples MLQ is better than the best single candidate, **{best}**: {numbers}."
    return f"**Choosing does not pay here.** Over all samples MLQ is worse than **{best}** alone: {numbers}."


def _by_size(against: pd.DataFrame) -> str:
    """At which sizes MLQ beats the best of the candidates at that size, ties with it or loses to it."""
    by_size = against[against["size"] > 0]
    rows = by_size.loc[by_size.groupby("size").single.idxmin()]
    sure = is_clear(rows.difference, rows.standard_error)
    better = rows["size"][sure & (rows.difference < 0)].tolist()
    worse = rows["size"][sure & (rows.difference > 0)].tolist()
    parts = [
        f"{how} at {counted(len(sizes), 'size')} ({listed([str(size) for size in sizes], most=6, first=5)})"
        for how, sizes in (("better", better), ("worse", worse))
        if sizes
    ]
    summary = " and ".join(parts) or "neither better nor worse at any size"
    return (
        f"Compared at each size with the candidate that is best at that size, MLQ is {summary}, by more than two standard "
        "errors."
    )


def _bounds(means: dict[str, float]) -> str:
    room = means["RND"] - means["TOP"]
    won = (means["RND"] - means["MLQ"]) / room
    how = f"closes {percentage(won)} of that gap" if won > 0.005 else "closes none of that gap"
    return (
        f"From a random choice (**RND**, mean AE {digits(means['RND'])}) to the best choice for each sample (**TOP**, "
        f"{digits(means['TOP'])}), MLQ {how}."
    )


def choices_sentence(choices: pd.DataFrame) -> str:
    """What MLQ chooses most often at the smallest and the largest size; `choices` from `choices_by_size`."""
    sizes = choices["size"].unique()
    tops = []
    for size in (sizes[0], sizes[-1]):
        at_size = choices[choices["size"] == size]
        row = at_size.iloc[int(at_size.chosen.to_numpy().argmax())]
        tops.append((int(size), row.candidate, row.chosen, row.best))
    (low, first, share, best), (high, last, high_share, high_best) = tops
    if low == high:
        return (
            f"With samples of {low} MLQ chooses **{first}** for {percentage(share)} of them; **{first}** is the best for "
            f"{percentage(best)}."
        )
    return (
        f"With samples of {low} MLQ chooses **{first}** most, for {percentage(share)} of them (**{first}** is the best for "
        f"{percentage(best)}); with samples of {high} **{last}**, for {percentage(high_share)} (the best for "
        f"{percentage(high_best)})."
    )


def importance_sentence(importance: pd.DataFrame, n_sizes: int) -> str:
    """Which metafeature matters most, and how much that is worth; the table of `metafeature_importance`."""
    first = importance.iloc[0]
    if first.changed <= TIE:
        return "Shuffling any single metafeature changes no recommendation."
    rank = importance.metafeature.tolist().index("size") + 1
    size = f"; the size itself comes {_ORDINALS[rank - 1]}" if n_sizes > 1 and rank > 1 else ""
    sentence = (
        f"Each metafeature is shuffled over the samples in turn. Shuffling the **{first.metafeature}** changes most, "
        f"{percentage(first.changed)} of the recommendations{size}."
    )
    costs = importance.iloc[int(importance.cost.to_numpy().argmax())]
    if costs.cost <= 0.0 or not is_clear(costs.cost, costs.standard_error):
        return f"{sentence} No shuffling raises MLQ's mean AE by more than two standard errors."
    return (
        f"{sentence} Shuffling the **{costs.metafeature}** costs most: MLQ's mean AE rises by {digits(costs.cost)} (standard "
        f"error {digits(costs.standard_error)})."
    )


def extrapolation_sentence(result: RecommenderResult) -> str:
    """Which sizes the recommender did not learn from; empty if it learnt from all."""
    largest = int(result.recommender.sizes_.max())
    beyond = sorted({int(size) for size in result.table.sizes if size > largest})
    if not beyond:
        return ""
    named = listed([f"{size}" for size in beyond], most=8, first=6)
    return (
        f"The recommender learns from a part of the training half, which can give samples of up to {result.learnable}. It has "
        f"seen no samples of {named}, and chooses for them as for samples of {largest}."
    )
