"""The experiment of Maletzke et al. (2020): mean ranks by test size, MLQ among them, beside the paper's findings.

python -m benchmarks.maletzke_2020 --data FOLDER [--json]   (two and a half minutes on two cores, most of it random forests)

FOLDER holds the data sets as CSV, class last (see benchmarks/papers_data.py). Each is halved, scored by random forests of
200 trees (out of fold, 10 folds, for the training half), and sampled on the paper's grid: 14 sizes from 10 to 500, 101
prevalences, 10 repeats. Otherwise than in the paper, all training scores are used (there at most 1,000 of a class),
quantification trees are left out of the comparison, and nine data sets stand for thirteen. Ranks are of the mean AE on each
data set (equal ones share their mean rank), averaged.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from benchmarks.papers_data import POSITIVES, read
from benchmarks.report import Row, show
from qcore import Dataset, ScoringPlan, ScoringSettings, estimate, make_quantifiers
from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray
from qcore.recommender.metatable import CANDIDATES, MetaTable, build_metatable, stack_metatables
from qcore.recommender.mlq import Recommender, apply_recommender, inner_plan
from qcore.studies.maletzke_2020 import GRID_OF_MALETZKE_2020, METHODS_OF_MALETZKE_2020

DYS = ("DyS-TS", "DyS-JD", "DyS-PS", "DyS-ORD", "SORD")
SETTINGS = ScoringSettings("positive", "random forest")


def measure(dataset: Dataset) -> pd.DataFrame:
    """Mean AE by size (the index) of each method, MLQ, TOP and RND on one data set."""
    half, inner = inner_plan(dataset, SETTINGS)
    learnt = _tables(half, inner, random_stream(SETTINGS.seed, RandomStream.METATABLE), ())[1]
    result, tested = _tables(
        dataset, ScoringPlan(dataset, SETTINGS), np.random.default_rng(SETTINGS.seed), METHODS_OF_MALETZKE_2020
    )
    recommended = apply_recommender(Recommender(SETTINGS.seed).fit(learnt), tested)
    bounds = {name: recommended.errors[name] for name in ("MLQ", "TOP", "RND")}
    return pd.DataFrame({**result, **bounds}).groupby(tested.sizes).mean()


def _tables(
    dataset: Dataset, plan: ScoringPlan, rng: np.random.Generator, methods: Sequence[str]
) -> tuple[dict[str, FloatArray], MetaTable]:
    """(AE of each method on all samples from the plan's pool, the recommender's table of them)."""
    scores = plan.scores()
    features = dataset.numeric_features()[plan.pool_rows]
    grid = GRID_OF_MALETZKE_2020.of(GRID_OF_MALETZKE_2020.fitting_sizes(*plan.pool_counts).kept)
    samples = grid.draw(scores.pool_labels, rng)
    fitted = make_quantifiers(methods, scores.training_scores, scores.training_labels)
    result = [estimate(fitted, scores, drawn).losses("AE").by_method for drawn in samples]
    errors = {method: np.concatenate([part[method] for part in result]) for method in methods}
    return errors, stack_metatables([build_metatable(scores, features, drawn, CANDIDATES) for drawn in samples])


def mean_ranks(errors: Mapping[str, pd.DataFrame], names: Sequence[str], sizes: Sequence[int] | None = None) -> pd.Series:
    """Mean rank of each name over data sets and sizes (None: all that a data set has)."""
    ranks = [
        rankdata(table.loc[size, list(names)].round(12))
        for table in errors.values()
        for size in (table.index if sizes is None else sizes)
    ]
    return pd.Series(np.mean(ranks, axis=0), index=list(names))


def rank_rows(errors: Mapping[str, pd.DataFrame]) -> list[Row]:
    """A row for each method, best over all sizes first: mean ranks at 500, at 10, over all, and over all beside MLQ."""
    columns = {
        "at 500": mean_ranks(errors, METHODS_OF_MALETZKE_2020, [500]),
        "at 10": mean_ranks(errors, METHODS_OF_MALETZKE_2020, [10]),
        "all sizes": mean_ranks(errors, METHODS_OF_MALETZKE_2020),
        "all, with MLQ": mean_ranks(errors, (*METHODS_OF_MALETZKE_2020, "MLQ")),
    }
    table = pd.DataFrame(columns).sort_values("all, with MLQ")
    return [
        {"method": str(name), **{str(column): "" if np.isnan(rank) else f"{rank:.2f}" for column, rank in row.items()}}
        for name, row in table.iterrows()
    ]


def finding_rows(errors: Mapping[str, pd.DataFrame]) -> list[Row]:
    """The paper's findings, and what is found here."""
    large, small = (mean_ranks(errors, METHODS_OF_MALETZKE_2020, [size]).sort_values(kind="stable") for size in (500, 10))
    every = mean_ranks(errors, (*METHODS_OF_MALETZKE_2020, "MLQ")).sort_values(kind="stable")
    in_top = sum(name in DYS for name in large.index[:5])
    overall = {name: float(np.mean([table[name].mean() for table in errors.values()])) for name in ("TOP", "MLQ", "RND")}
    beyond = [name for name in METHODS_OF_MALETZKE_2020 if small[name] < small["CC"]]
    worse = [name for name in every.index if every[name] < every["MLQ"]]
    return [
        _finding("DyS variants lead at 500", large.index[0] in DYS, f"first five: {_named(large[:5])}"),
        _finding("four of the first five at 500 are DyS's", in_top >= 4, f"{in_top} are"),
        _finding("MS and SORD lead at 10", set(small.index[:2]) == {"MS", "SORD"}, f"first five: {_named(small[:5])}"),
        _finding(
            "only MS and SORD are better than CC at 10", set(beyond) <= {"MS", "SORD"}, f"better: {', '.join(beyond) or 'none'}"
        ),
        _finding("MLQ ranks above every quantifier over all", not worse, f"first five: {_named(every[:5])}"),
        _finding(
            "MLQ's mean AE lies between TOP's and RND's",
            overall["TOP"] <= overall["MLQ"] < overall["RND"],
            ", ".join(f"{name} {value:.4f}" for name, value in overall.items()),
        ),
    ]


def _named(ranks: pd.Series) -> str:
    return ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items())


def _finding(claim: str, holds: bool, result: str) -> Row:
    return {"the paper's finding": claim, "here": "holds" if holds else "does not hold", "found": result}


def error_rows(errors: Mapping[str, pd.DataFrame]) -> list[Row]:
    """Mean AE over all sizes on each data set: MLQ, its bounds and its candidates."""
    names = (*CANDIDATES, "MLQ", "TOP", "RND")
    return [{"data set": key, **{name: f"{table[name].mean():.4f}" for name in names}} for key, table in errors.items()]


def main() -> None:
    """Measure all data sets, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--sets", nargs="+", choices=POSITIVES, default=list(POSITIVES), help="which data sets")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    problems = [read(arguments.data, key) for key in arguments.sets]
    errors = {}
    for dataset in problems:
        started = time.perf_counter()
        errors[dataset.key] = measure(dataset)
        print(f"{dataset.key}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    show(
        {
            f"Mean ranks by mean AE on {len(errors)} data sets, 1 is best": lambda: rank_rows(errors),
            "The paper's findings": lambda: finding_rows(errors),
            "Mean AE over all sizes": lambda: error_rows(errors),
        },
        arguments,
    )


if __name__ == "__main__":
    main()
