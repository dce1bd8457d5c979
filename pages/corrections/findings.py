"""Sentences of the page "Corrections" for each chart that follows the threshold, one for each threshold."""

import math
from collections import namedtuple
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pandas as pd

from pages.settings.number_text import digits, listed, percentage, percentage_beyond, share, threshold_text
from qcore.base import TIE
from qcore.quantifiers.operating_points import POLICIES, OperatingPoint

_FLAT = "Here tpr = fpr: "
_NOTICEABLE = 0.01
_STANDARD_ERRORS = 3.0
"""A mean that is off by more standard errors than this is not so by chance."""
_MUCH_OF_THE_POOL = 1 / 3


def correction_headlines(table: pd.DataFrame, truth: float) -> list[str]:
    """For each threshold in the table of `corrected_counts`: the count, the corrected count, and the truth."""
    sentences = []
    for row in _rows(table):
        if abs(row.gap) <= TIE:
            said = f"counting says {percentage(row.count)}, nothing can be corrected; the truth is {percentage(truth)}."
            sentences.append(f"tpr and fpr are both {percentage(row.tpr)}: {said}")
            continue
        sentences.append(
            f"tpr {percentage(row.tpr)}, fpr {percentage(row.fpr)}: counting says {percentage(row.count)}, corrected "
            f"{percentage(row.estimate)}; the truth is {percentage(truth)}."
        )
    return sentences


def scores_sentences(table: pd.DataFrame, n_positives: int, sample_size: int) -> list[str]:
    """For each threshold of `corrected_counts`' table: how much of the sample scores at or above it."""
    truth = percentage(n_positives / sample_size)
    absent = {0: " There is no positive in this sample.", sample_size: " There is no negative in this sample."}
    end = f"the truth is {truth}.{absent.get(n_positives, '')}"
    return [
        f"In this sample it takes {row.n_positive} of {sample_size} for positives: counting says "
        f"**{percentage(row.count)}**, {end}"
        for row in _rows(table)
    ]


def rates_sentences(table: pd.DataFrame, points: Mapping[str, OperatingPoint], bands: list[tuple[float, float]]) -> list[str]:
    """For each threshold: the gap between tpr and fpr, and which policies choose it."""
    lost = [key for key in POLICIES if key not in points]
    none = (
        f" No threshold has tpr > fpr, so that {listed(lost)} count at 0.5 without correcting. Two classes may be swapped, or "
        "the scores belong to the other class."
        if lost
        else ""
    )
    sentences = []
    for row in _rows(table):
        here = [key for key, point in points.items() if abs(point.threshold - row.threshold) <= TIE]
        stands = f" {listed(here)} {'chooses' if len(here) == 1 else 'choose'} this threshold." if here else ""
        swept = any(low < row.threshold <= high for low, high in bands)
        used = "Median Sweep uses this threshold." if swept else "Median Sweep leaves this threshold out."
        if abs(row.gap) <= TIE:
            used = f"{_FLAT}this threshold tells the classes apart no better than chance. {used}"
        sentences.append(
            f"At {threshold_text(row.threshold)}: tpr {share(row.tpr, 3)}, fpr {share(row.fpr, 3)}, so tpr - fpr = "
            f"**{share(row.gap, 3)}**.{stands} {used}{none}"
        )
    return sentences


def theorem_sentence(tpr: float, fpr: float, p_star: float) -> str:
    """Where counting is right with these rates, and how it errs elsewhere; `p_star` of `unbiased_prevalence`.

    Source: Barranquero 2013, theorem 3.1.
    """
    if abs(tpr - fpr) <= TIE:
        return f"{_FLAT}the count is {share(fpr, 3)} on average, whatever the truth. Nothing can correct it."
    if tpr == 1.0 and fpr == 0.0:
        return "With these rates counting is right at every prevalence: there is nothing to correct."
    if tpr < fpr:
        return (
            f"With these rates the count falls as the truth rises; both are equal at p* = **{percentage(p_star)}**. The "
            "correction still works. Check that no counts or classes are swapped."
        )
    where = {0.0: "everywhere else it says too little", 1.0: "everywhere else it says too much"}
    elsewhere = where.get(p_star, "above it says too little, below too much")
    return f"With these rates counting is right only at p* = **{percentage(p_star)}**: {elsewhere}."


def theorem_sentences(table: pd.DataFrame, truth: float) -> list[str]:
    """For each threshold: the theorem with its rates, and the correction of this sample in numbers."""
    return [f"{theorem_sentence(row.tpr, row.fpr, row.p_star)} {_corrected(row, truth)}" for row in _rows(table)]


def _corrected(row: Any, truth: float) -> str:
    start = f"This sample: the truth is {percentage(truth)}, the count {percentage(row.count)}"
    if math.isnan(row.raw):
        return f"{start}; this count is not corrected."
    sentence = f"{start}, corrected ({row.count:.3f} - {row.fpr:.3f}) / {row.gap:.3f} ="
    if abs(row.raw - row.estimate) > TIE:
        return f"{sentence} {percentage_beyond(row.raw)}, clipped to **{row.estimate:.0%}**."
    return f"{sentence} **{percentage(row.raw)}**."


def correction_cost_sentences(deviations: pd.DataFrame, truth: float, n_samples: int, pool_share: float) -> list[str]:
    """For each threshold of `deviation_by_threshold`'s table: how far estimates scatter, and where their mean is.

    `truth`: the samples' prevalence. `pool_share`: the share of the pool that each of them takes.
    """
    overlap = overlap_note(pool_share)
    common = f" {overlap}" if overlap else ""
    sentences = []
    for row in _rows(deviations):
        if math.isnan(row.inflation):
            sentences.append(f"{_FLAT}the correction would divide by 0. The count is left as it is, and no spread is shown.")
            continue
        clipped = ""
        if row.clipped:
            share = percentage(row.clipped).capitalize()
            clipped = (
                f" {share} of the estimates were clipped to 0% or 100%; after that, estimates scatter by "
                f"{digits(row.clipped_deviation)}."
            )
        bias = ""
        if abs(row.bias) >= _NOTICEABLE:
            why = _why_biased(row, n_samples)
            mean = "The mean after clipping" if row.clipped else "The mean estimate"
            bias = f" {mean} is {truth + row.bias:.1%} where the truth is {truth:.1%}. {why}"
        sentences.append(
            f"Each error of the count is multiplied by 1 / |tpr - fpr| = **{digits(row.inflation)}**. Over {n_samples:,} "
            f"samples the corrected estimate scatters by {digits(row.measured)} (delta method {digits(row.sampling)}; with "
            f"rates measured anew {digits(row.total)}).{bias}{clipped}{common}"
        )
    return sentences


def _why_biased(row: Any, n_samples: int) -> str:
    """Why the mean of the estimates is off: the pool's rates, clipping, or chance."""
    by_rates, by_clipping = row.unclipped_bias, row.bias - row.unclipped_bias
    beyond_chance = max(_NOTICEABLE, _STANDARD_ERRORS * row.measured / math.sqrt(n_samples))
    causes = []
    if abs(by_rates) >= beyond_chance and by_rates * row.bias > 0.0:
        causes.append("The pool's tpr and fpr differ from training's.")
    if abs(by_clipping) >= _NOTICEABLE and by_clipping * row.bias > 0.0:
        causes.append("Estimates beyond 0% or 100% are clipped; those that err to the other side are not.")
    return " ".join(causes) or "That is no more than chance."


def overlap_note(pool_share: float) -> str:
    """Why the measured scatter is too small, where each sample takes much of the pool; empty where it does not."""
    if pool_share < _MUCH_OF_THE_POOL:
        return ""
    return (
        f"Each sample takes {percentage(pool_share)} of the pool, so samples share many instances, and the measured scatter "
        "(dashed) is too small. Use the line “with rates anew” instead."
    )


def _rows(table: pd.DataFrame) -> Iterator[Any]:
    """The rows as objects; a quarter of the time that pandas' own rows take."""
    kind = _row_kind(tuple(table.columns))
    return map(kind._make, zip(*(table[name].tolist() for name in table.columns), strict=True))


@cache
def _row_kind(columns: tuple[str, ...]) -> Any:
    return namedtuple("Row", columns)
