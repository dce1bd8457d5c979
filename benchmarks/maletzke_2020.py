"""The experiment of Maletzke et al. (2020): mean ranks by test size, MLQ among them, beside the paper's claims.

python -m benchmarks.maletzke_2020 --data FOLDER [--json] [--into FILE]   (13 minutes of a processor, most of it random forests)

FOLDER holds the data sets as CSV, class last (see benchmarks/papers_data.py). Each is halved, scored by random forests of
200 trees (out of fold, 10 folds, for the training half), and sampled on the paper's grid: 14 sizes from 10 to 500, 101
prevalences, 10 repeats. Quantification trees are counted on the same samples. Ranks are of the mean AE on each data set (equal
ones share their mean rank), averaged.

Two sets of variants answer the same samples: the paper's (MS without the rule of 1/4, Laplace smoothing in DyS and HDy, at most
1,000 training scores of a class), and ours. MLQ learns from the data set's own training half, or, left out, from all others'.
--into writes the errors of our variants, which the page Compare shows (pages/compare/runs/maletzke-2020-recommender.csv).
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.claims import claim_rows
from benchmarks.maletzke_2020_claims import CLAIMS, METHODS, MLQ_CLAIMS, Errors, mean_ranks
from benchmarks.papers_data import NAMES, POSITIVES, names_in, read
from benchmarks.report import Row, show
from qcore import Dataset, RandomStream, Scores, ScoringPlan, ScoringSettings, estimate, make_quantifiers, random_stream
from qcore.base import FloatArray
from qcore.protocols import Samples
from qcore.quantifiers import DyS, HDy, MedianSweep, Quantifier
from qcore.recommender.evaluation import FROM_OTHERS, errors_over_data_sets
from qcore.recommender.metatable import CANDIDATES, MetaTable, build_metatable, stack_metatables
from qcore.recommender.mlq import Recommender, RecommenderResult, apply_recommender, inner_plan
from qcore.studies.sample_size import GRID_OF_MALETZKE_2020, METHODS_OF_MALETZKE_2020

OURS = "ours"
THE_PAPERS = "the paper's variants"
SETTINGS = ScoringSettings("positive", "random forest")
_MOST_TRAINING_SCORES = 1000


def papers_quantifiers(scores: Scores) -> dict[str, Quantifier]:
    """The paper's variants, fitted to at most 1,000 training scores of a class; EMQ to all, as its prior is theirs."""
    variants: dict[str, Quantifier] = {"MS": MedianSweep(0.0), "HDy": HDy(laplace=True)}
    variants |= {f"DyS-{distance}": DyS(distance, laplace=True) for distance in ("TS", "JD", "PS", "ORD")}
    rng = np.random.default_rng(SETTINGS.seed)
    members = [np.flatnonzero(scores.training_labels == label) for label in (0, 1)]
    kept = np.sort(np.concatenate([rng.permutation(rows)[:_MOST_TRAINING_SCORES] for rows in members]))
    training, labels = scores.training_scores[kept], scores.training_labels[kept]
    fitted = make_quantifiers(METHODS_OF_MALETZKE_2020, training, labels)
    fitted |= make_quantifiers(["EMQ-5"], scores.training_scores, scores.training_labels)
    return fitted | {key: quantifier.fit(training, labels) for key, quantifier in variants.items()}


def measure(dataset: Dataset) -> tuple[dict[str, pd.DataFrame], RecommenderResult]:
    """Variants -> mean AE by size (the index) of each method, MLQ, TOP and RND on one data set; what the recommender did."""
    half, inner = inner_plan(dataset, SETTINGS)
    learnt = _table(half, inner.scores(), inner, random_stream(SETTINGS.seed, RandomStream.METATABLE))
    plan = ScoringPlan(dataset, SETTINGS)
    scores = plan.scores()
    tested = _table(dataset, scores, plan, np.random.default_rng(SETTINGS.seed))
    recommended = apply_recommender(Recommender(SETTINGS.seed).fit(learnt), tested)
    bounds = {name: recommended.errors[name] for name in ("MLQ", "TOP", "RND")}
    samples = _samples(plan, scores, np.random.default_rng(SETTINGS.seed))
    trees = ScoringPlan(dataset, replace(SETTINGS, classifier="quantification tree")).scores()
    counting = make_quantifiers(["CC"], trees.training_scores, trees.training_labels)["CC"]
    counted = _errors({"QT": counting}, trees, samples)
    variants = {
        THE_PAPERS: papers_quantifiers(scores),
        OURS: make_quantifiers(METHODS_OF_MALETZKE_2020, scores.training_scores, scores.training_labels),
    }
    errors = {
        name: pd.DataFrame({**_errors(fitted, scores, samples), **counted, **bounds}).groupby(tested.sizes).mean()
        for name, fitted in variants.items()
    }
    return errors, recommended.without_forest()


def _samples(plan: ScoringPlan, scores: Scores, rng: np.random.Generator) -> list[Samples]:
    grid = GRID_OF_MALETZKE_2020.of(GRID_OF_MALETZKE_2020.fitting_sizes(*plan.pool_counts).kept)
    return list(grid.draw(scores.pool_labels, rng))


def _errors(fitted: Mapping[str, Quantifier], scores: Scores, samples: Sequence[Samples]) -> dict[str, FloatArray]:
    """AE of each method on all samples."""
    result = [estimate(fitted, scores, drawn).losses("AE").by_method for drawn in samples]
    return {method: np.concatenate([part[method] for part in result]) for method in fitted}


def _table(dataset: Dataset, scores: Scores, plan: ScoringPlan, rng: np.random.Generator) -> MetaTable:
    """The recommender's table of all samples from the plan's pool."""
    features = dataset.numeric_features()[plan.pool_rows]
    return stack_metatables([build_metatable(scores, features, drawn, CANDIDATES) for drawn in _samples(plan, scores, rng)])


def rank_rows(errors: Errors) -> list[Row]:
    """A row for each method, best over all sizes first: mean ranks at 500, at 10, over all, and over all beside MLQ."""
    columns = {
        "at 500": mean_ranks(errors, METHODS, [500]),
        "at 10": mean_ranks(errors, METHODS, [10]),
        "all sizes": mean_ranks(errors, METHODS),
        "all, with MLQ": mean_ranks(errors, (*METHODS, "MLQ")),
    }
    table = pd.DataFrame(columns).sort_values("all, with MLQ")
    return [
        {"method": str(name), **{str(column): "" if np.isnan(rank) else f"{rank:.2f}" for column, rank in row.items()}}
        for name, row in table.iterrows()
    ]


def error_rows(errors: Errors) -> list[Row]:
    """Mean AE over all sizes on each data set: MLQ, its bounds and its candidates."""
    names = (*CANDIDATES, "MLQ", FROM_OTHERS, "TOP", "RND")
    return [{"data set": key, **{name: f"{table[name].mean():.4f}" for name in names}} for key, table in errors.items()]


def measure_all(folder: Path, keys: Sequence[str]) -> dict[str, dict[str, pd.DataFrame]]:
    """Variants -> data set -> errors, with the time that each data set takes on the error output."""
    problems = [read(folder, key) for key in keys]
    errors: dict[str, dict[str, pd.DataFrame]] = {THE_PAPERS: {}, OURS: {}}
    results = {}
    for dataset in problems:
        started = time.perf_counter()
        measured, results[dataset.key] = measure(dataset)
        for name, table in measured.items():
            errors[name][dataset.key] = table
        print(f"{dataset.key}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    if len(results) > 1:
        over = errors_over_data_sets(results, SETTINGS.seed)
        left_out = over[over.name == FROM_OTHERS].pivot_table("mean", ["data", "size"])["mean"]
        for tables in errors.values():
            for key, table in tables.items():
                table[FROM_OTHERS] = left_out[key]
    return errors


def write(errors: Errors, file: Path) -> None:
    """Write the errors as a table, a row for each data set, by its name in the paper, and size."""
    named = {NAMES[key]: table for key, table in errors.items()}
    pd.concat(named, names=["data", "size"]).round(6).to_csv(file)


def main() -> None:
    """Measure all data sets, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--sets", nargs="+", choices=POSITIVES, help="which data sets (default: all that are in the folder)")
    parser.add_argument("--into", type=Path, help="file in which the errors of our variants are written")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    errors = measure_all(arguments.data, arguments.sets or names_in(arguments.data))
    if arguments.into:
        write(errors[OURS], arguments.into)
    tables = {
        f"Mean ranks by mean AE on {len(of_sets)} data sets, {name}; 1 is best": partial(rank_rows, of_sets)
        for name, of_sets in errors.items()
    }
    show(
        {
            **tables,
            "The paper's claims": lambda: claim_rows(CLAIMS, {name: [one] for name, one in errors.items()}),
            "Its claims on MLQ": lambda: claim_rows(MLQ_CLAIMS, {OURS: [errors[OURS]]}),
            "Mean AE over all sizes": lambda: error_rows(errors[OURS]),
        },
        arguments,
    )


if __name__ == "__main__":
    main()
