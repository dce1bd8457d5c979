"""Coverage of intervals: simulated samples and validations, and how often each method's interval holds the truth."""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, InvalidInput, check_choice, check_fraction, check_integer, check_level
from qcore.intervals.analytic import Interval
from qcore.intervals.catalog import INTERVALS
from qcore.intervals.counts import Counts
from qcore.intervals.labelled_sample import LabelledSample


def simulated_counts(
    prevalence: float,
    rates: tuple[float, float],
    labelled: tuple[int, int],
    sample_size: int,
    *,
    repetitions: int,
    rng: np.random.Generator,
) -> Counts:
    """Counts of simulated samples, each with its own simulated validation, (repetitions,) each.

    Parameters
    ----------
    prevalence : share of positives in the population that samples are drawn from.
    rates : the classifier's true (tpr, fpr).
    labelled : numbers of (positives, negatives) on which its rates are measured.
    sample_size, repetitions : instances in each sample, and how many samples.
    rng : random generator of all draws.

    Raises
    ------
    InvalidInput
        A value is out of range.

    Examples
    --------
    >>> counts = simulated_counts(0.3, (0.8, 0.1), (100, 100), 500, repetitions=4, rng=np.random.default_rng(0))
    >>> counts.count.shape
    (4,)
    """
    _check_simulation(prevalence, rates, (*labelled, sample_size, repetitions))
    positives = rng.binomial(sample_size, prevalence, repetitions)
    taken = rng.binomial(positives, rates[0]) + rng.binomial(sample_size - positives, rates[1])
    of_positives, of_negatives = (rng.binomial(n, rate, repetitions) for n, rate in zip(labelled, rates, strict=True))
    return Counts(taken, sample_size, of_positives, labelled[0], of_negatives, labelled[1])


def simulated_labelled_samples(
    prevalence: float,
    rates: tuple[float, float],
    labels: int,
    sample_size: int,
    *,
    repetitions: int,
    rng: np.random.Generator,
) -> tuple[LabelledSample, FloatArray]:
    """Simulated samples of which `labels` instances, drawn at random, are labelled, and their own shares, (repetitions,).

    The other parameters are those of `simulated_counts`. Raises InvalidInput for a value out of range, and if there are more
    labels than instances.
    """
    _check_simulation(prevalence, rates, (labels, sample_size, repetitions))
    if labels > sample_size:
        got = f"{labels:,} labels of {sample_size:,} instances"
        raise InvalidInput("the sample", "have no more labels than instances", got, "Label fewer, or take a larger sample.")
    positives = rng.binomial(sample_size, prevalence, repetitions)
    found, false = rng.binomial(positives, rates[0]), rng.binomial(sample_size - positives, rates[1])
    cells = np.stack([found, false, positives - found, sample_size - positives - false], axis=1)
    drawn = np.array([rng.multivariate_hypergeometric(row, labels) for row in cells])
    checked = drawn[:, 0] + drawn[:, 1]
    sample = LabelledSample(found + false, sample_size, checked, drawn[:, 0], labels - checked, drawn[:, 2])
    return sample, positives / sample_size


def _check_simulation(prevalence: float, rates: tuple[float, float], counts: tuple[int, ...]) -> None:
    check_fraction("prevalence", prevalence)
    for name, rate in zip(("tpr", "fpr"), rates, strict=True):
        check_fraction(name, rate)
    for count in counts:
        check_integer("a number of instances", count, low=1)


def coverage(prevalence: float, counts: Counts, methods: Iterable[str] = tuple(INTERVALS), level: float = 0.95) -> pd.DataFrame:
    """For each method, the share of intervals that hold the prevalence, their mean width, and the shares that miss it.

    `counts` are those of `simulated_counts`. Returns method, coverage, width, and the shares of intervals that lie below and
    above the prevalence. Raises InvalidInput for an unknown method or an invalid level.

    Examples
    --------
    >>> counts = simulated_counts(0.1, (0.8, 0.1), (100, 100), 1000, repetitions=400, rng=np.random.default_rng(0))
    >>> coverage(0.1, counts, ["Lang-Reiczigel", "sample alone"]).coverage.round(1).tolist()
    [1.0, 0.6]
    """
    check_level(level)
    rows = []
    for method in methods:
        check_choice("interval", method, INTERVALS)
        rows.append({"method": method, **kept(INTERVALS[method].interval(counts, level), prevalence)})
    return pd.DataFrame(rows)


def coverage_curves(
    prevalences: Sequence[float],
    sizes: Sequence[int],
    rates: tuple[float, float],
    labelled: tuple[int, int],
    *,
    repetitions: int,
    rng: np.random.Generator,
    methods: Iterable[str] = tuple(INTERVALS),
    level: float = 0.95,
) -> pd.DataFrame:
    """`coverage` at each prevalence and sample size: prevalence, size, method, coverage, width, below, above.

    Parameters and errors are those of `simulated_counts` and `coverage`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> coverage_curves([0.1], [100, 1000], (0.8, 0.1), (50, 50), repetitions=50, rng=rng, methods=["delta"]).shape
    (2, 7)
    """
    keys, tables = tuple(methods), []
    for prevalence, size in product(prevalences, sizes):
        counts = simulated_counts(prevalence, rates, labelled, size, repetitions=repetitions, rng=rng)
        result = coverage(prevalence, counts, keys, level)
        tables.append(result.assign(prevalence=prevalence, size=size))
    columns = ["prevalence", "size", "method", "coverage", "width", "below", "above"]
    return pd.concat(tables, ignore_index=True)[columns]


def kept(interval: Interval, prevalence: float) -> dict[str, float]:
    """The share of intervals that hold the prevalence, their mean width, and the shares below and above it."""
    below, above = (float(np.mean(missed)) for missed in misses(interval, prevalence))
    width = float(np.mean(interval.high - interval.low))
    return {"coverage": 1.0 - below - above, "width": width, "below": below, "above": above}


def misses(interval: Interval, prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    """Which intervals lie below the prevalence, and which above, (...) each."""
    return interval.high < prevalence, interval.low > prevalence
