"""The smallest change that each test of a shift detects with a power of 80%: what a test that is not significant excludes."""

from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.stats import chi2, ncx2, norm

from qcore._base.validation import FloatArray, IntArray
from qcore.intervals.goodness_of_fit import GoodnessOfFit, nearest_mixture

POWER: Final = 0.8
"""The power, the probability that a test rejects, at which a change is called visible."""

_PARTS: Final = np.array([0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0])
_SIMULATIONS: Final = 300
WOULD_SEE: Final[dict[str, Callable[[float], str]]] = {
    "mixture": lambda part: f"{part:.0%} of the sample with scores half-way between the classes",
    "features": lambda pairs: f"a model that tells the two apart in {pairs:.0%} of pairs",
    "features, same share": lambda pairs: f"a model that tells the two apart in {pairs:.0%} of pairs",
    "labels at a score": lambda share: f"{share:.0%} or {1.0 - share:.0%} positive at a score where half were",
    "scores of a class": lambda pairs: (
        f"scores of a class above its labelled ones in {pairs:.0%} or {1.0 - pairs:.0%} of pairs"
    ),
    "correction": lambda points: f"a corrected count off by {100.0 * points:.0f} percentage points",
}
"""Each test -> what it would see, in words, at a size in its own unit."""


def visible_part(fit: GoodnessOfFit, sizes: tuple[int, int, int], level: float, *, rng: np.random.Generator) -> float:
    """The share of a sample with scores half-way between the classes that the mixture test sees at `POWER`; by simulation.

    `sizes` are those of the sample, of the labelled positives and of the negatives; 1 where no share is seen that often.
    """
    middles = [int(np.searchsorted(np.cumsum(shares), 0.5)) for shares in (fit.positives, fit.negatives)]
    new = np.zeros(len(fit.mixture))
    new[sum(middles) // 2] = 1.0
    shares = (1.0 - _PARTS[:, np.newaxis]) * fit.mixture + _PARTS[:, np.newaxis] * new
    n_sample, n_positives, n_negatives = sizes

    def distances(sample: FloatArray, simulations: int) -> FloatArray:
        redrawn = (
            rng.multinomial(n_sample, sample, (simulations, *sample.shape[:-1])) / n_sample,
            rng.multinomial(n_positives, fit.positives, (simulations, *sample.shape[:-1])) / n_positives,
            rng.multinomial(n_negatives, fit.negatives, (simulations, *sample.shape[:-1])) / n_negatives,
        )
        return nearest_mixture(*redrawn)[1]

    critical = np.quantile(distances(fit.mixture, 3 * _SIMULATIONS), 1.0 - level)
    seen = np.maximum.accumulate((distances(shares, _SIMULATIONS) >= critical).mean(axis=0))
    return 1.0 if seen[-1] < POWER else float(np.interp(POWER, np.append(level, seen), np.append(0.0, _PARTS)))


def visible_pairs(sizes: tuple[int, int], level: float, *, two_sided: bool = True) -> float:
    """The share of pairs with the first group above the second that Wilcoxon's test detects with `POWER`; at most 1.

    It uses the variance that the statistic has if the groups do not differ.
    """
    first, second = sizes
    needed = norm.isf(level / 2.0 if two_sided else level) + norm.ppf(POWER)
    return float(min(1.0, 0.5 + needed * np.sqrt((first + second + 1.0) / (12.0 * first * second))))


def visible_labels(scores: FloatArray, n_training: int, level: float) -> float:
    """The share of positives, at a score where it was half, that the likelihood ratio test of labels detects with `POWER`.

    All logits of P(y | score) move alike; `scores`, (n,), are those of the labelled instances of the sample, as probabilities.
    """
    critical = chi2.isf(level, 2)
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if ncx2.sf(critical, 2, middle) < POWER else (low, middle)
    information = float((scores * (1.0 - scores)).sum()) * n_training / (n_training + len(scores))
    return float(1.0 / (1.0 + np.exp(-np.sqrt(high / max(information, 1e-9)))))


def visible_difference(deviation: float, level: float) -> float:
    """The difference of two shares that a normal test with this standard deviation sees at `POWER`; at most 1."""
    return float(min(1.0, deviation * (norm.isf(level / 2.0) + norm.ppf(POWER))))


def class_sizes(training: IntArray, labels: IntArray) -> list[tuple[int, int]]:
    """Labelled instances of each class in training and in the sample, of classes that are in both."""
    sizes = [(int((training == value).sum()), int((labels == value).sum())) for value in (0, 1)]
    return [pair for pair in sizes if min(pair) > 0]
