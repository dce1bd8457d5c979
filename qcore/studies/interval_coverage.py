"""Do intervals have the coverage they claim? Simulated samples of one problem, and the intervals of each method."""

from typing import Final, NamedTuple

import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore.intervals import INTERVALS, coverage, coverage_curves, simulated_counts
from qcore.intervals.analytic import Interval

BY_FORMULA: Final = tuple(key for key, entry in INTERVALS.items() if not entry.one_by_one and key != "bootstrap")
"""Keys of the intervals that can be computed for thousands of samples at once."""

PREVALENCES: Final = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
SIZES: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


class CoverageSettings(NamedTuple):
    """The settings of a simulation: the prevalence, true (tpr, fpr), labelled instances of each class, the sample size."""

    prevalence: float
    rates: tuple[float, float]
    labels: int
    size: int


def simulated_coverage(settings: CoverageSettings, seed: int) -> tuple[pd.DataFrame, dict[str, Interval]]:
    """Coverage of each method over 2,000 samples, and the first hundred intervals of each. Raises InvalidInput."""
    prevalence, rates, labels, size = settings
    rng = random_stream(seed, RandomStream.COVERAGE)
    counts = simulated_counts(prevalence, rates, (labels, labels), size, repetitions=2000, rng=rng)
    quick = [key for key, entry in INTERVALS.items() if not entry.one_by_one]
    hundred = simulated_counts(prevalence, rates, (labels, labels), size, repetitions=100, rng=rng)
    return coverage(prevalence, counts, quick), {key: INTERVALS[key].interval(hundred, 0.95) for key in INTERVALS}


def coverage_along(along: str, settings: CoverageSettings, seed: int) -> pd.DataFrame:
    """Coverage and width over 2,000 samples at each prevalence, or with `along` "size" at each size. Raises InvalidInput."""
    prevalence, rates, labels, size = settings
    rng = random_stream(seed, RandomStream.COVERAGE, 1 + (along == "size"))
    prevalences, sizes = ((prevalence,), SIZES) if along == "size" else (PREVALENCES, (size,))
    return coverage_curves(prevalences, sizes, rates, (labels, labels), repetitions=2000, rng=rng, methods=BY_FORMULA)
