"""Do many folds estimate tpr and fpr worse? Barranquero 2013, 6.4.3, says so of SVMs; on the bundled problems of two classes.

python -m benchmarks.rates_by_folds [--json] [--splits 5]
"""

import numpy as np
import pandas as pd

from benchmarks.report import Row, arguments, show
from qcore import ScoringPlan, ScoringSettings, load_dataset
from qcore.evaluation.experiment import EXPERIMENTS
from qcore.studies.rates_by_folds import rates_by_folds

TITLE = "linear SVM, the problems of the experiment `bundled`: rates minus the pool's (in points), and mean AE of AC"
CLASSIFIER = "linear SVM"
LARGEST = 800
"""Instances of a data set beyond which leave-one-out takes too long."""


def measure(n_splits: int) -> list[Row]:
    """A row for each way: the mean deviation of tpr and fpr, how far they scatter, and the mean AE of AC with them."""
    tables = []
    for problem in EXPERIMENTS["bundled"].problems:
        data = load_dataset(problem.data)
        if len(data.labels) > LARGEST:
            continue
        for seed in range(n_splits):
            plan = ScoringPlan(data, ScoringSettings(problem.positive, CLASSIFIER, seed))
            rates = rates_by_folds(plan, CLASSIFIER, n_repeats=3, seed=seed)
            apart = rates.table.assign(tpr=rates.table.tpr - rates.pool["tpr"], fpr=rates.table.fpr - rates.pool["fpr"])
            means = apart.groupby("estimation", sort=False)[["tpr", "fpr", "AE"]].mean()
            tables.append(means.assign(problem=problem.name, seed=seed, AE_of_pool=rates.pool["AE"]).reset_index())
    table = pd.concat(tables)
    # Only problems for which every way exists are compared: 50 folds need 50 instances of each class.
    n_ways = table.estimation.nunique()
    table = table.groupby(["problem", "seed"]).filter(lambda rows: len(rows) == n_ways)
    rows: list[Row] = []
    for name, group in table.groupby("estimation", sort=False):
        points = 100 * group[["tpr", "fpr"]]
        rows.append(
            {
                "way": str(name),
                "tpr": float(points.tpr.mean()),
                "its standard error": float(points.tpr.std() / np.sqrt(len(points))),
                "fpr": float(points.fpr.mean()),
                "AE": float(group.AE.mean()),
                "problems x splits": float(len(group)),
            }
        )
    return rows


if __name__ == "__main__":
    parsed = arguments(TITLE, splits=5)
    show({TITLE: lambda: measure(parsed.splits)}, parsed)
