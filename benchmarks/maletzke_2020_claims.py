"""The claims of Maletzke et al. (2020), judged on errors by data set and sample size."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from benchmarks.claims import Claim, Judgement, named, verdict
from qcore.evaluation.significance import nemenyi_distance
from qcore.studies.sample_size import METHODS_OF_MALETZKE_2020

METHODS = (*METHODS_OF_MALETZKE_2020, "QT")
"""The paper's quantifiers on random forests, and quantification trees, which are counted."""

DYS = ("DyS-TS", "DyS-JD", "DyS-PS", "DyS-ORD", "SORD")
HISTOGRAMS = ("DyS-TS", "DyS-JD", "DyS-PS")

Errors = Mapping[str, pd.DataFrame]
"""Data set -> mean AE by size (the index) of each method, MLQ, TOP and RND."""


def mean_ranks(errors: Errors, names: Sequence[str], sizes: Sequence[int] | None = None) -> pd.Series:
    """Mean rank of each name over data sets and sizes (None: all that a data set has), best first.

    Ranked are the mean errors over all prevalences, as in the paper (7, Figures 3 and 5 to 7); the thesis, and Compare for
    every run, rank at each prevalence (`compare` of qcore/evaluation/significance.py).
    """
    ranks = [
        rankdata(table.loc[size, list(names)].round(12))
        for table in errors.values()
        for size in (table.index if sizes is None else sizes)
    ]
    return pd.Series(np.mean(ranks, axis=0), index=list(names)).sort_values(kind="stable")


def _at(errors: Errors, size: int) -> pd.Series:
    return mean_ranks(errors, METHODS, [size])


def _distance(errors: Errors, n_methods: int = len(METHODS)) -> float:
    return nemenyi_distance(n_methods, len(errors))


def _large_sets(errors: Errors) -> Judgement:
    ranks = _at(errors, 500)
    n_leading = sum(name in DYS for name in ranks.index[:5])
    return verdict(ranks.index[0] in DYS, n_leading >= 4), f"{named(ranks[:5])}"


def _next_at_500(errors: Errors) -> Judgement:
    others = _at(errors, 500).drop(list(DYS))
    return verdict(*(name in others.index[:2] for name in ("Max", "X"))), f"after DyS: {named(others[:4])}"


def _hdy_at_500(errors: Errors) -> Judgement:
    ranks = _at(errors, 500)
    middle = (len(METHODS) + 1) / 2
    text = (
        f"position {_position(ranks, 'HDy')} of {len(METHODS)}, mean rank {ranks['HDy']:.2f}, where {middle:.1f} is the middle"
    )
    return verdict(_position(ranks, "HDy") > middle, ranks["HDy"] > middle), text


def _position(ranks: pd.Series, name: str) -> int:
    return list(ranks.index).index(name) + 1


def _small_sets(errors: Errors) -> Judgement:
    ranks = _at(errors, 10)
    return verdict(ranks.index[0] == "MS", "SORD" in ranks.index[:2], "CC" in ranks.index[:3]), named(ranks[:5])


def _better_than_counting(errors: Errors) -> Judgement:
    ranks = _at(errors, 10)
    better = [name for name in ranks.index if ranks[name] < ranks["CC"]]
    wrong = [name for name in better if name not in ("MS", "SORD")]
    return verdict(not wrong, {"MS", "SORD"} <= set(better)), f"ahead of CC ({ranks['CC']:.2f}): {named(ranks[better])}"


def _emq_on_small_sets(errors: Errors) -> Judgement:
    small, large = _at(errors, 10)["EMQ-5"], _at(errors, 500)["EMQ-5"]
    return verdict(small < large), f"{small:.2f} at 10, {large:.2f} at 500"


def _poor_everywhere(errors: Errors) -> Judgement:
    parts, all_poor = [], []
    for name in ("PCC", "PACC", "QT"):
        of_sizes = [_at(errors, size) for size in (10, 500)]
        positions = [_position(ranks, name) for ranks in of_sizes]
        all_poor.append(min(min(positions), *(ranks[name] for ranks in of_sizes)) > (len(METHODS) + 1) / 2)
        parts.append(f"{name} {positions[0]}, {positions[1]}")
    return verdict(*all_poor), f"positions of {len(METHODS)} at 10, at 500: {'; '.join(parts)}"


def _level_with_ms_at_10(errors: Errors) -> Judgement:
    ranks, distance = _at(errors, 10), _distance(errors)
    behind = {name: ranks[name] - ranks["MS"] > distance for name in DYS}
    gaps = ", ".join(f"{name} {ranks[name] - ranks['MS']:+.2f}" for name in DYS)
    holds = verdict(not behind["SORD"], not behind["DyS-ORD"], all(behind[name] for name in HISTOGRAMS))
    return holds, f"ranks behind MS: {gaps}; CD {distance:.2f}"


def _ps_and_ms(errors: Errors) -> Judgement:
    distance = _distance(errors)
    gaps = {size: _at(errors, size)["DyS-PS"] - _at(errors, size)["MS"] for size in (10, 500)}
    text = f"DyS-PS minus MS: {gaps[10]:+.2f} at 10, {gaps[500]:+.2f} at 500; CD {distance:.2f}"
    return verdict(gaps[10] > distance, gaps[500] < -distance), text


def _all_sizes(errors: Errors) -> Judgement:
    ranks = mean_ranks(errors, METHODS)
    first = set(ranks.index[:4])
    return verdict(len(first & {*HISTOGRAMS, "SORD"}) >= 4, len(first & set(DYS)) >= 3), named(ranks[:5])


def _sord_over_all(errors: Errors) -> Judgement:
    ranks = mean_ranks(errors, METHODS)
    return verdict(ranks.index[0] == "SORD"), named(ranks[:3])


def _behind_sord(errors: Errors) -> Judgement:
    ranks, distance = mean_ranks(errors, METHODS), _distance(errors)
    behind = [name for name in ranks.index if ranks[name] - ranks["SORD"] > distance]
    claimed = {"HDy", "PACC", "MS", "PCC", "QT"}
    return verdict(claimed <= set(behind), set(behind) <= claimed), f"significantly behind SORD: {', '.join(behind) or 'none'}"


def _many_instances(errors: Errors) -> Judgement:
    means = pd.DataFrame({key: table["DyS-PS"] for key, table in errors.items()}).mean(axis=1)
    sizes = (10, 50, 100, 200, 500)
    text = f"at {', '.join(map(str, sizes))}: {', '.join(f'{means[size]:.3f}' for size in sizes)}"
    return verdict(means[100] < 0.5 * means[10], means[100] - means[500] < means[10] - means[100]), f"mean AE {text}"


def _mlq_over_all(errors: Errors) -> Judgement:
    ranks = mean_ranks(errors, (*METHODS, "MLQ"))
    return verdict(ranks.index[0] == "MLQ"), named(ranks[:3])


def _mlq_between(errors: Errors) -> Judgement:
    means = {name: float(np.mean([table[name].mean() for table in errors.values()])) for name in ("TOP", "MLQ", "RND")}
    text = ", ".join(f"{name} {value:.4f}" for name, value in means.items())
    return verdict(means["TOP"] <= means["MLQ"] < means["RND"]), f"mean AE: {text}"


_SMOOTHED = "MS is ahead only with the rule of 1/4, DyS-ORD behind only with Laplace smoothing."

CLAIMS = (
    Claim("At 500, four of the first five are instances of DyS.", "Figure 3", _large_sets),
    Claim(
        "At 500, Max and X come next after DyS.",
        "Figure 3",
        _next_at_500,
        "MS comes before them; none of them differ significantly.",
    ),
    Claim(
        "At 500, HDy-LP performs poorly.",
        "Figure 3",
        _hdy_at_500,
        "Without Laplace smoothing it is behind most.",
    ),
    Claim(
        "DyS-PS errs little above 100 instances; with fewer, it errs more.",
        "Figure 4",
        _many_instances,
    ),
    Claim("At 10, MS is first, followed by SORD and CC.", "Figure 5", _small_sets),
    Claim("At 10, only MS and SORD are ahead of CC.", "Figure 5", _better_than_counting, _SMOOTHED),
    Claim("EMQ performs better in small test sets than in large ones.", "7", _emq_on_small_sets),
    Claim(
        "PCC, PACC and quantification trees (QT) perform poorly throughout.",
        "7",
        _poor_everywhere,
        "The paper does not say how PACC was computed.",
    ),
    Claim(
        "At 10, only SORD and DyS-ORD of DyS are level with MS.",
        "Figure 5",
        _level_with_ms_at_10,
        "Thirteen data sets show only large differences.",
    ),
    Claim(
        "DyS-PS and MS differ significantly at both sizes, in opposite directions.",
        "7",
        _ps_and_ms,
        "The directions are the paper's.",
    ),
    Claim("Over all sizes, DyS is best, except with ORD.", "Figure 6", _all_sizes),
    Claim(
        "Over all sizes, SORD is the best quantifier.",
        "Figure 6",
        _sord_over_all,
        "DyS is ahead in larger samples, SORD at 10.",
    ),
    Claim(
        "Over all sizes, SORD is significantly better than HDy-LP, PACC, MS, PCC and QT only.",
        "Figure 6",
        _behind_sord,
        "The paper does not say what its critical difference counts.",
    ),
)

MLQ_CLAIMS = (
    Claim("Over all sizes, MLQ ranks above every quantifier.", "Figure 7", _mlq_over_all),
    Claim("MLQ's mean AE lies between the best choice's (TOP) and a random one's (RND).", "Figure 8", _mlq_between),
)
"""Claims that are judged on our variants only: MLQ learns from our variants of its three candidates."""
