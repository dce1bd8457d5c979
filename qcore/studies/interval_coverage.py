"""Do intervals have the coverage that they claim, and do those of common tools?

Interval rules of common tools compared with qcore's, on the same simulated samples: coverage and width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.registry import registry
from qcore.intervals import (
    INTERVALS,
    LABELLED_SAMPLE_INTERVALS,
    Counts,
    LabelledSample,
    coverage,
    coverage_curves,
    simulated_counts,
)
from qcore.intervals.analytic import Interval
from qcore.intervals.coverage import kept, simulated_labelled_samples

BY_FORMULA = tuple(key for key, entry in INTERVALS.items() if not entry.one_by_one and key != "bootstrap")
"""Keys of the intervals that can be computed for thousands of samples at once."""

PREVALENCES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


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


REPETITIONS = 2000
OF_SAMPLE, ELSEWHERE, NONE = "of the sample", "from elsewhere", "none"


class SimulatedSamples(NamedTuple):
    """Samples with labels of their own, and their counts with as many labels of other instances."""

    labelled: LabelledSample
    elsewhere: Counts


@dataclass(frozen=True)
class IntervalRule:
    """A rule that gives samples intervals of the share of positives in their population.

    `labels` says whose labels it needs: of `OF_SAMPLE`, `ELSEWHERE` and `NONE`.
    """

    key: str
    idea: str
    labels: str
    interval: Callable[[SimulatedSamples, float], Interval]


def wald(found: np.ndarray, total: np.ndarray, level: float) -> Interval:
    """The share and normal standard errors on each side: of length 0 where none or all are found."""
    share = np.asarray(found) / np.asarray(total)
    half = norm.ppf(0.5 + level / 2.0) * np.sqrt(share * (1.0 - share) / total)
    return Interval(np.clip(share - half, 0.0, 1.0), np.clip(share + half, 0.0, 1.0))


def _count(samples: SimulatedSamples, level: float) -> Interval:
    counts = samples.elsewhere
    return wald(np.asarray(counts.predicted_positives), np.asarray(counts.sample_size), level)


def _labels(samples: SimulatedSamples, level: float) -> Interval:
    return wald(samples.labelled.positives.sum(axis=0), samples.labelled.n_labels, level)


def _bootstrap_of_labels(samples: SimulatedSamples, level: float) -> Interval:
    """Percentiles of the share over redrawn labels, which are binomial, without drawing them."""
    n, found = samples.labelled.n_labels, samples.labelled.positives.sum(axis=0)
    return Interval(*(binom.ppf(tail, n, found / n) / n for tail in (0.5 - level / 2.0, 0.5 + level / 2.0)))


def _of_counts(key: str, samples: SimulatedSamples, level: float) -> Interval:
    """A registered interval of counts with labels from elsewhere."""
    return INTERVALS[key].interval(samples.elsewhere, level)


def _of_labelled_sample(key: str, samples: SimulatedSamples, level: float) -> Interval:
    """A registered interval of a sample that is labelled in part, for the share of its population."""
    found = LABELLED_SAMPLE_INTERVALS[key].interval(samples.labelled, level, False)
    return Interval(found.low, found.high)


RULES = registry(
    *(
        IntervalRule(name, LABELLED_SAMPLE_INTERVALS[key].idea, OF_SAMPLE, partial(_of_labelled_sample, key))
        for name, key in (
            ("double sampling", "double sampling"),
            ("PPI++", "PPI++"),
            ("PPI", "PPI"),
            ("labels alone, Wilson", "labels alone"),
        )
    ),
    IntervalRule(
        "labels alone, Wald",
        "The share among the labels, plus and minus normal standard errors: of length 0 where no label is positive.",
        OF_SAMPLE,
        _labels,
    ),
    IntervalRule(
        "labels alone, bootstrap", "The labels are redrawn; the middle 95% of the shares.", OF_SAMPLE, _bootstrap_of_labels
    ),
    *(
        IntervalRule(name, INTERVALS[key].idea, ELSEWHERE, partial(_of_counts, key))
        for name, key in (("Lang-Reiczigel", "Lang-Reiczigel"), ("sample alone, bootstrap", "sample alone"))
    ),
    IntervalRule("count alone, Wald", "The share of predicted positives, not corrected, with normal errors.", NONE, _count),
)
"""qcore's rules and those of other tools; those with labels of the sample come first."""


def simulated_samples(settings: CoverageSettings, rng: np.random.Generator) -> SimulatedSamples:
    """2,000 samples with twice `settings.labels` labels drawn at random, and as many of other instances, half of each class.

    Raises InvalidInput if there are more labels than instances.
    """
    prevalence, rates, labels, size = settings
    labelled, _ = simulated_labelled_samples(prevalence, rates, 2 * labels, size, repetitions=REPETITIONS, rng=rng)
    measured = rng.binomial(labels, rates, (REPETITIONS, 2)).T
    counts = Counts(labelled.predicted_positives, size, measured[0], labels, measured[1], labels)
    return SimulatedSamples(labelled, counts)


def compare_rules(settings: CoverageSettings, seed: int, level: float = 0.95) -> pd.DataFrame:
    """Coverage and width of each rule of `RULES` on the same samples: rule, labels, coverage, width, below, above, idea.

    `settings.labels` of each class are from elsewhere, twice as many of the sample itself. Raises InvalidInput.

    Examples
    --------
    >>> table = compare_rules(CoverageSettings(0.1, (0.8, 0.1), 50, 1000), seed=0).set_index("rule")
    >>> table.coverage[["double sampling", "sample alone, bootstrap"]].round(1).tolist()
    [1.0, 0.4]
    """
    samples = simulated_samples(settings, random_stream(seed, RandomStream.COVERAGE, 3))
    return pd.DataFrame(
        [
            {"rule": key, "labels": rule.labels, **kept(rule.interval(samples, level), settings.prevalence), "idea": rule.idea}
            for key, rule in RULES.items()
        ]
    )
