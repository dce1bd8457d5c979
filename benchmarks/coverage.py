"""Do intervals of an adjusted count hold the truth as often as they say? Simulated classifiers, samples and validations.

python -m benchmarks.coverage [--json]
"""

from __future__ import annotations

import time
from itertools import product

import numpy as np

from benchmarks.report import Row, arguments, show
from qcore.intervals import INTERVALS, coverage, simulated_counts

TITLE = (
    "Three settings, 600 samples each, tpr 0.8 and fpr 0.1: share of 95% intervals that hold the truth, and their mean width"
)
GRID = "Prevalences 0.05 to 0.95, 50 to 500 labelled of each class, samples of 50 to 5,000: coverage of 95% intervals over all"
RATES = (0.8, 0.1)
SETTINGS = ((0.1, (100, 100), 1000), (0.3, (50, 50), 200), (0.05, (20, 200), 500))
SLOW = {"Bayes": 100}
"""Samples for each setting of the grid, where a method takes milliseconds."""


def measure() -> list[Row]:
    """A row for each setting and method, and the time of one interval."""
    rows: list[Row] = []
    for prevalence, labelled, size in SETTINGS:
        counts = simulated_counts(prevalence, RATES, labelled, size, repetitions=600, rng=np.random.default_rng(0))
        for method in INTERVALS:
            started = time.perf_counter()
            found = coverage(prevalence, counts, [method]).iloc[0]
            taken = (time.perf_counter() - started) / 600
            setting = f"{labelled[0]} + {labelled[1]} labelled, {size}, prevalence {prevalence}"
            shares = {"coverage": float(found["coverage"]), "width": float(found["width"])}
            rows.append({"setting": setting, "method": method, **shares, "ms": 1e3 * taken})
    return rows


def measure_grid() -> list[Row]:
    """A row for each method: the least, the mean and the largest coverage over the settings of a grid."""
    found: dict[str, list[float]] = {method: [] for method in INTERVALS}
    settings = product((0.05, 0.2, 0.5, 0.8, 0.95), (50, 150, 500), (50, 150, 500), (50, 500, 5000))
    for number, (prevalence, positives, negatives, size) in enumerate(settings):
        for method in INTERVALS:
            counts = simulated_counts(
                prevalence, RATES, (positives, negatives), size, repetitions=SLOW.get(method, 2000),
                rng=np.random.default_rng(number),
            )  # fmt: skip
            found[method].append(float(coverage(prevalence, counts, [method]).coverage[0]))
    return [
        {
            "method": method, "least": min(shares), "mean": float(np.mean(shares)), "largest": max(shares),
            "settings in 0.93 to 0.975": float(np.mean([0.93 <= share <= 0.975 for share in shares])),
        }
        for method, shares in found.items()
    ]  # fmt: skip


if __name__ == "__main__":
    show({TITLE: measure, GRID: measure_grid}, arguments(TITLE))
