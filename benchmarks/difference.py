"""Do intervals of a difference hold it as often as they say, and is a change seen as often as planned?

python -m benchmarks.difference [--json]
"""

import time

import numpy as np

from benchmarks.report import Row, arguments, show
from qcore.base import FloatArray
from qcore.intervals import (
    Counts,
    EffectiveCounts,
    difference,
    effective_size,
    group_differences,
    labelled_difference,
    labels_for_difference,
    sample_size_for_difference,
)
from qcore.intervals.coverage import simulated_labelled_samples
from qcore.intervals.difference import fieller, predictions_differ
from qcore.watching import watch_share

TITLE = "Differences of two shares, 3,000 pairs of samples a setting: share of 95% intervals that hold it, and their mean width"
POWER = "The same: in which share of pairs a change is seen at 0.05, with as many as are planned for 0.8"
SECONDS = "How long groups take, once scores are there"
SETTINGS = (
    (0.8, 0.1, 0.35, 0.40, 1000, 1000, 100, 100),
    (0.8, 0.1, 0.35, 0.35, 1000, 1000, 100, 100),
    (0.8, 0.1, 0.1, 0.1, 5000, 4600, 50, 350),
    (0.8, 0.1, 0.355, 0.401, 5000, 4600, 160, 240),
    (0.6, 0.3, 0.2, 0.2, 500, 500, 30, 30),
    (0.9, 0.05, 0.02, 0.05, 2000, 2000, 20, 200),
    (0.7, 0.2, 0.1, 0.8, 300, 300, 15, 15),
    (0.95, 0.02, 0.5, 0.5, 50, 50, 500, 500),
    (0.9, 0.2, 0.5, 0.6, 2000, 500, 50, 50),
    (0.75, 0.05, 0.9, 0.7, 400, 800, 200, 40),
)
"""tpr, fpr, both shares, both sizes, labelled positives and negatives."""
PLANS = (
    (0.35, 0.8, 0.1, 0.03),
    (0.35, 0.8, 0.1, 0.05),
    (0.1, 0.8, 0.1, 0.03),
    (0.5, 0.9, 0.2, -0.05),
    (0.05, 0.95, 0.02, 0.02),
)
"""Share, tpr, fpr, change."""
LABELLED = (0.35, 0.06, (0.8, 0.1), 5000)
"""Share, change, rates, and size of samples with labels of their own."""
REPETITIONS = 3000


def _pairs(setting: tuple[float, ...], rng: np.random.Generator) -> tuple[Counts, Counts]:
    tpr, fpr, p1, p2, n1, n2, n_pos, n_neg = setting
    labels = rng.binomial(int(n_pos), tpr, REPETITIONS), int(n_pos), rng.binomial(int(n_neg), fpr, REPETITIONS), int(n_neg)
    first, second = (
        Counts(rng.binomial(int(size), fpr + share * (tpr - fpr), REPETITIONS), int(size), *labels)
        for size, share in ((n1, p1), (n2, p2))
    )
    return first, second


def _held(low: FloatArray, high: FloatArray, truth: FloatArray | float) -> dict[str, float]:
    return {"coverage": float(((low <= truth) & (truth <= high)).mean()), "width": float((high - low).mean())}


def intervals() -> list[Row]:
    """A row for each setting: counts, labels of the samples themselves, rows with weights."""
    rng = np.random.default_rng(20)
    rows: list[Row] = []
    for setting in SETTINGS:
        _, low, high = fieller(*_pairs(setting, rng))
        name = ", ".join(f"{one:g}" for one in setting)
        rows.append({"what": "Fieller", "setting": name, **_held(low, high, setting[3] - setting[2])})
    for own in (True, False):
        name = f"0.35 to 0.41, samples of 5,000, {'own shares' if own else 'populations'}"
        (low, high), truth = _labelled(own, rng)
        rows.append({"what": "labels inside, MOVER", "setting": name, **_held(low, high, truth)})
    return [*rows, *_weighted(rng)]


def power() -> list[Row]:
    """A row for each plan: how many are planned, and in which share of pairs of samples the change is seen."""
    rng = np.random.default_rng(21)
    rows: list[Row] = []
    for share, tpr, fpr, by in PLANS:
        n = sample_size_for_difference(share, by, (tpr, fpr))
        pair = _pairs((tpr, fpr, share, share + by, n, n, 100, 100), rng)
        found = zip(*(np.asarray(one.predicted_positives) for one in pair), strict=True)
        p_values = [predictions_differ(*(Counts(x, n, 80, 100, 10, 100) for x in both)) for both in found]
        setting = f"{share:g} by {by:+g}, tpr {tpr:g}, fpr {fpr:g}"
        rows.append({"setting": setting, "planned": f"{n:,} instances", "power": float(np.mean(np.array(p_values) <= 0.05))})
    (low, high), _ = _labelled(False, rng)
    seen = float(((low > 0) | (high < 0)).mean())
    planned = f"{labels_for_difference(*LABELLED, own=False):,} labels inside"
    return [*rows, {"setting": "0.35 by +0.06, samples of 5,000", "planned": planned, "power": seen}]


def _labelled(own: bool, rng: np.random.Generator) -> tuple[tuple[FloatArray, FloatArray], FloatArray | float]:
    """Intervals of differences of samples with the planned labels of their own, and the true differences."""
    share, by, rates, size = LABELLED
    n = labels_for_difference(*LABELLED, own=own)
    (first, of_first), (second, of_second) = (
        simulated_labelled_samples(p, rates, n, size, repetitions=REPETITIONS, rng=rng) for p in (share, share + by)
    )
    _, low, high = labelled_difference(first, second, own=own)
    return (low, high), of_second - of_first if own else by


def _weighted(rng: np.random.Generator) -> list[Row]:
    """Rows with weights, drawn anew each time: coverage of the weighted difference."""
    low, high = np.empty(REPETITIONS), np.empty(REPETITIONS)
    for i in range(REPETITIONS):
        labels = int(rng.binomial(100, 0.8)), 100, int(rng.binomial(100, 0.1)), 100
        pair = []
        for share in (0.35, 0.4):
            weights = rng.gamma(2.0, 1.0, 1000)
            taken = rng.random(1000) < 0.1 + 0.7 * share
            pair.append(EffectiveCounts.from_weights(Counts(0, 1000, *labels), taken, weights))
        low[i], high[i] = (float(end) for end in fieller(pair[0], pair[1])[1:])
    setting = f"0.35 to 0.40, samples of 1,000 with weights, worth {effective_size(rng.gamma(2.0, 1.0, 10**6)) / 1000:.0f}"
    return [{"what": "weights", "setting": setting, **_held(low, high, 0.05)}]


def seconds() -> list[Row]:
    """How long 200,000 rows by 12 groups take, and 52 weeks."""
    rng = np.random.default_rng(0)

    def scored(n: int) -> tuple[FloatArray, FloatArray]:
        truth = rng.random(n) < 0.35
        return 1.0 / (1.0 + np.exp(-2.0 * rng.normal(2.0 * truth - 1.0))), truth.astype(np.intp)

    scores, labels = scored(600)
    sample, _ = scored(200_000)
    weeks = {f"week {i}": scored(300)[0] for i in range(52)}
    rows: list[Row] = []
    for method in ("AC", "PACC", "EMQ"):
        started = time.perf_counter()
        group_differences(sample, np.arange(200_000) % 12, scores, labels, method=method)
        rows.append({"what": f"200,000 rows by 12 groups, {method}", "seconds": time.perf_counter() - started})
    started = time.perf_counter()
    difference(weeks, scores, labels)
    rows.append({"what": "52 weeks, AC", "seconds": time.perf_counter() - started})
    started = time.perf_counter()
    watch_share([30] * 52, [300] * 52)
    return [*rows, {"what": "52 weeks watched", "seconds": time.perf_counter() - started}]


if __name__ == "__main__":
    show({TITLE: intervals, POWER: power, SECONDS: seconds}, arguments(TITLE))
