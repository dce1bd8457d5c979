"""Do intervals of an adjusted count hold the truth as often as they say? Simulated classifiers, samples and validations.

python -m benchmarks.coverage [--json]
"""

import time
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from benchmarks.report import Row, arguments, show
from qcore import QUANTIFIERS, Counts, Scores, ScoringSettings, load_dataset, score_dataset
from qcore.base import FloatArray, IntArray
from qcore.intervals import INTERVALS, ClassRegion, class_posterior, coverage, mixture_fit, simulated_counts
from qcore.intervals.analytic import Interval, lang_reiczigel
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.few_labels import bootstrap_widened, default_interval, widened
from qcore.studies.dataset_shift import SHIFT_KINDS, DatasetShift, apply_shift

TITLE = (
    "Three settings, 600 samples each, tpr 0.8 and fpr 0.1: share of 95% intervals that hold the truth, and their mean width"
)
GRID = "Prevalences 0.05 to 0.95, 50 to 500 labelled of each class, samples of 50 to 5,000: coverage of 95% intervals over all"
RATES = (0.8, 0.1)
SETTINGS = ((0.1, (100, 100), 1000), (0.3, (50, 50), 200), (0.05, (20, 200), 500))
SLOW = {key: 100 for key, entry in INTERVALS.items() if entry.one_by_one}
"""Number of samples for each setting of the grid, for methods that take milliseconds for one interval."""
RANDOM = "Random settings, 1 to 400 labels of each class, any rates, half of the prevalences near or at 0 or 1: 95% intervals"
RANDOM_METHODS = {"Lang-Reiczigel": INTERVALS["Lang-Reiczigel"].interval, "its formula alone": lang_reiczigel}
FEWEST = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 400))
REAL = "Real scores of logistic regression, prior shift made: 100 + 100 labelled anew each time, samples of 300 of the others"
FIT = "The same: samples whose mixture is refused at p <= 0.05, under prior shift and where classes change as on Corrections"
DATA = ("waveform", "digits")
REGIONS = "Three classes of waveform, samples of 300: 95% regions, and 95% intervals of one class, that hold the truth"
SHARES = ((0.34, 0.33, 0.33), (0.1, 0.3, 0.6), (0.02, 0.08, 0.9))
FEW = (
    "5 to 30 labels of each class, 24 settings of share, size and separation: 95% intervals that hold the share, and as redrawn"
)
FEW_LABELS = (5, 10, 20, 30)
FEW_SETTINGS = tuple(product((0.05, 0.2, 0.5, 0.98), (100, 500), (1.0, 2.0, 3.0)))
"""Share, instances of the sample, and distance of the classes' normal scores in standard deviations."""
FEW_REPETITIONS = {"PACC": 100, "EMQ": 100, "SORD": 20, "DyS-TS": 20, "HDy": 20}
POSTERIORS = "Several classes, 80% of each predicted right, 200 samples: coverage of the posterior's 95% intervals, by prior"
POSTERIOR_SETTINGS = (
    ((0.98, 0.01, 0.01), 20, 100),
    ((0.98, 0.01, 0.01), 100, 500),
    ((0.97, 0.01, 0.01, 0.01), 20, 100),
    ((0.9, 0.05, 0.05), 60, 500),
    ((0.5, 0.25, 0.25), 60, 500),
)
"""Shares, labels of each class, and instances of a sample."""


def measure() -> list[Row]:
    """A row for each setting and method, and the time of one interval."""
    rows: list[Row] = []
    for prevalence, labelled, size in SETTINGS:
        counts = simulated_counts(prevalence, RATES, labelled, size, repetitions=600, rng=np.random.default_rng(0))
        for method in INTERVALS:
            started = time.perf_counter()
            result = coverage(prevalence, counts, [method]).iloc[0]
            taken = (time.perf_counter() - started) / 600
            setting = f"{labelled[0]} + {labelled[1]} labelled, {size}, prevalence {prevalence}"
            shares = {"coverage": float(result["coverage"]), "width": float(result["width"])}
            rows.append({"setting": setting, "method": method, **shares, "ms": 1e3 * taken})
    return rows


def measure_grid() -> list[Row]:
    """A row for each method: the least, the mean and the largest coverage over the settings of a grid."""
    result: dict[str, list[float]] = {method: [] for method in INTERVALS}
    settings = product((0.05, 0.2, 0.5, 0.8, 0.95), (50, 150, 500), (50, 150, 500), (50, 500, 5000))
    for number, (prevalence, positives, negatives, size) in enumerate(settings):
        for method in INTERVALS:
            counts = simulated_counts(
                prevalence,
                RATES,
                (positives, negatives),
                size,
                repetitions=SLOW.get(method, 2000),
                rng=np.random.default_rng(number),
            )
            result[method].append(float(coverage(prevalence, counts, [method]).coverage[0]))
    return [
        {
            "method": method,
            "least": min(shares),
            "mean": float(np.mean(shares)),
            "largest": max(shares),
            "settings in 0.93 to 0.975": float(np.mean([0.93 <= share <= 0.975 for share in shares])),
        }
        for method, shares in result.items()
    ]


def random_setting(rng: np.random.Generator) -> tuple[float, tuple[float, float], tuple[int, int], int]:
    """(prevalence, (tpr, fpr), labels of both classes, sample size) with tpr above fpr."""
    labels = tuple(int(np.exp(rng.uniform(0.0, np.log(401)))) for _ in range(2))
    fpr = float(rng.uniform(0.0, 0.5))
    shares = (*rng.uniform(size=3), rng.uniform(0.0, 0.1), rng.uniform(0.9, 1.0), 0.0, 1.0)
    size = int(np.exp(rng.uniform(np.log(20), np.log(5000))))
    return float(rng.choice(shares)), (float(rng.uniform(fpr, 1.0)), fpr), (labels[0], labels[1]), size


def measure_random() -> list[Row]:
    """A row for each method and number of labels of the smaller class: how many settings are covered less than 0.90."""
    rng, result = np.random.default_rng(28), []
    for _ in range(6000):
        prevalence, rates, labels, size = random_setting(rng)
        counts = simulated_counts(prevalence, rates, labels, size, repetitions=2000, rng=rng)
        for method, interval in RANDOM_METHODS.items():
            low, high = interval(counts, 0.95)
            held = float(np.mean((low <= prevalence) & (prevalence <= high)))
            outside = float(np.mean(counts.corrects & ((counts.estimate < low) | (counts.estimate > high))))
            result.append((method, min(labels), rates[0] - rates[1], held, float(np.mean(high - low)), outside))
    table = pd.DataFrame(result, columns=["method", "labels", "apart", "held", "width", "outside"])
    rows: list[Row] = []
    for method, (least, most) in product(RANDOM_METHODS, (*FEWEST, (1, 400))):
        part = table[(table.method == method) & table.labels.between(least, most)]
        rows.append(
            {
                "method": method,
                "labels of the smaller class": f"{least} to {most}",
                "settings": float(len(part)),
                "under 0.90": float((part.held < 0.9).mean()),
                "of these tpr - fpr >= 0.15": float(((part.held < 0.9) & (part.apart >= 0.15)).sum()),
                "least": float(part.held.min()),
                "mean": float(part.held.mean()),
                "width": float(part.width.mean()),
                "estimate outside": float(part.outside.mean()),
            }
        )
    return rows


def measure_real() -> list[Row]:
    """A row for each data set, prevalence and method."""
    rows: list[Row] = []
    for name, prevalence in product(DATA, (0.05, 0.3, 0.7, 0.95)):
        counts = Counts(*np.array([_drawn_counts(name, prevalence, seed) for seed in range(600)]).T)
        table = coverage(prevalence, counts, [method for method in INTERVALS if method not in SLOW])
        rows += [
            {"data set": name, "prevalence": prevalence, "method": method, "coverage": held, "width": width}
            for method, held, width in zip(table.method, table.coverage, table.width, strict=True)
        ]
    return rows


def _drawn_counts(name: str, prevalence: float, seed: int) -> list[int]:
    scores, rng = _scores(name), np.random.default_rng(seed)
    members = [rng.permutation(np.flatnonzero(scores.pool_labels == label)) for label in (1, 0)]
    n_positive = int(rng.binomial(300, prevalence))
    sample = np.concatenate([members[0][100 : 100 + n_positive], members[1][100 : 400 - n_positive]])
    taken = [int((scores.pool_scores[rows] >= 0.5).sum()) for rows in (sample, members[0][:100], members[1][:100])]
    return [taken[0], 300, taken[1], 100, taken[2], 100]


@cache
def _scores(name: str) -> Scores:
    # Digits are divided into odd and even ones, so that both classes are large.
    data = load_dataset(name)
    if name == "digits":
        labels = np.array(["odd" if int(label) % 2 else "even" for label in data.labels], dtype=object)
        data = replace(data, labels=labels, default_positive="odd")
    return score_dataset(data, ScoringSettings(data.default_positive, training_share=0.2))


def measure_regions() -> list[Row]:
    """A row for each number of labels, prevalence vector and method: coverage of the region and of each class's interval."""
    scores = score_dataset(load_dataset("waveform"), ScoringSettings(None, training_share=0.2))
    members = [np.flatnonzero(scores.pool_labels == label) for label in range(3)]
    rows: list[Row] = []
    for labelled, shares, method in product((50, 150), SHARES, ("AC", "PACC", "EMQ")):
        held = np.array([_region_holds(scores, members, labelled, shares, (method, seed)) for seed in range(200)])
        result = {"region": float(held[:, 0].mean()), "interval of a class": float(held[:, 1].mean())}
        rows.append({"labelled of each": float(labelled), "shares": str(shares), "method": method, **result})
    return rows


def _region_holds(
    scores: Scores, members: list[IntArray], labelled: int, shares: tuple[float, ...], drawn: tuple[str, int]
) -> tuple[bool, float]:
    method, seed = drawn
    rng = np.random.default_rng(seed)
    mixed = [rng.permutation(rows) for rows in members]
    counts = rng.multinomial(300, shares)
    training = np.concatenate([rows[:labelled] for rows in mixed])
    sample = np.concatenate([rows[labelled : labelled + n] for rows, n in zip(mixed, counts, strict=True)])
    known = scores.pool_scores[training], scores.pool_labels[training]
    redrawn = double_bootstrap([method], scores.pool_scores[sample], *known, rng=rng, replicates=400)[method]
    low, high = np.quantile(redrawn, (0.025, 0.975), axis=0)
    return bool(ClassRegion(redrawn, 0.95).holds(shares)), float(np.mean((low <= shares) & (shares <= high)))


def measure_few_labels() -> list[Row]:
    """A row for each method and number of labels: least and mean coverage over the settings, and the mean width."""
    rows: list[Row] = []
    for (method, repetitions), labels in product(FEW_REPETITIONS.items(), FEW_LABELS):
        ends = np.array(
            [
                [_few_labels(method, labels, setting, (number, seed)) for seed in range(repetitions)]
                for number, setting in enumerate(FEW_SETTINGS)
            ]
        )
        shares = np.array([setting[0] for setting in FEW_SETTINGS])[:, np.newaxis, np.newaxis]
        held = ((ends[..., 0] <= shares) & (shares <= ends[..., 1])).mean(axis=1)
        width = (ends[..., 1] - ends[..., 0]).mean(axis=(0, 1))
        rows.append(
            {
                "method": method,
                "labels of each class": float(labels),
                "least": float(held[:, 1].min()),
                "mean": float(held[:, 1].mean()),
                "width": float(width[1]),
                "least as redrawn": float(held[:, 0].min()),
                "mean as redrawn": float(held[:, 0].mean()),
                "width as redrawn": float(width[0]),
            }
        )
    return rows


def _few_labels(method: str, n: int, setting: tuple[float, int, float], seed: tuple[int, int]) -> FloatArray:
    """The interval of redrawn estimates, and the widened one: (2, 2)."""
    share, size, gap = setting
    rng = np.random.default_rng(seed)
    training, labels = _calibrated(n, n, gap, rng)
    n_positive = int(rng.binomial(size, share))
    sample, _ = _calibrated(n_positive, size - n_positive, gap, rng)
    redrawn = double_bootstrap([method], sample, training, labels, rng=rng, replicates=200)[method]
    ends = Interval(*percentiles(redrawn, 0.95, size))
    counts = Counts.from_scores(sample, training, labels)
    wider = bootstrap_widened(n, QUANTIFIERS[method].labels_needed)
    return np.stack([ends, np.stack(widened(ends, default_interval(counts), wider))])


def _calibrated(n_positive: int, n_negative: int, gap: float, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Scores that are the probabilities of two normal distributions with this gap, and labels."""
    labels = np.repeat([1, 0], [n_positive, n_negative])
    return 1.0 / (1.0 + np.exp(gap**2 / 2.0 - gap * rng.normal(gap * labels))), labels


def measure_posteriors() -> list[Row]:
    """A row for each setting and prior: coverage and width of the first class's interval, the least coverage, milliseconds."""
    rows: list[Row] = []
    for shares, labels, size in POSTERIOR_SETTINGS:
        k, truth = len(shares), np.array(shares)
        rates = np.full((k, k), 0.2 / (k - 1)) + (0.8 - 0.2 / (k - 1)) * np.eye(k)
        for prior, concentration in (("1 / classes", None), ("flat", 1.0)):
            rng, ends = np.random.default_rng(0), []
            started = time.process_time()
            for _ in range(200):
                labelled, found = rng.multinomial(labels, rates), rng.multinomial(size, truth @ rates)
                ends.append(class_posterior(labelled, found, rng=rng, concentration=concentration).intervals())
            taken = 1e3 * (time.process_time() - started) / 200
            low, high = np.moveaxis(np.array(ends), -1, 0)
            held = ((low <= truth) & (truth <= high)).mean(axis=0)
            rows.append(
                {
                    "shares": str(shares),
                    "labels of each": float(labels),
                    "instances": float(size),
                    "prior": prior,
                    "first class": float(held[0]),
                    "its width": float(np.mean(high - low, axis=0)[0]),
                    "least of a class": float(held.min()),
                    "ms": taken,
                }
            )
    return rows


def measure_fit() -> list[Row]:
    """A row for each kind and strength of shift: how often the mixture's fit is rejected, and the median p value."""
    rows: list[Row] = []
    scores = _scores("waveform")
    for kind, strength in (("none", 0.0), *product(SHIFT_KINDS, (0.5, 1.0))):
        rng = np.random.default_rng(3)
        pool = scores if kind == "none" else apply_shift(scores, DatasetShift(kind, strength), scores.pool_scores, rng)
        p_values = []
        for prevalence in (0.1, 0.3, 0.5, 0.7) * 50:
            members = [rng.permutation(np.flatnonzero(pool.pool_labels == label)) for label in (1, 0)]
            n_positive = round(300 * prevalence)
            sample = pool.pool_scores[np.concatenate([members[0][:n_positive], members[1][: 300 - n_positive]])]
            fit = mixture_fit(sample, scores.training_scores, scores.training_labels, rng=rng, simulations=400)
            p_values.append(fit.p_value)
        refused = float(np.mean(np.array(p_values) <= 0.05))
        rows.append({"shift": kind, "strength": strength, "refused": refused, "median p": float(np.median(p_values))})
    return rows


if __name__ == "__main__":
    show(
        {
            TITLE: measure,
            GRID: measure_grid,
            RANDOM: measure_random,
            REAL: measure_real,
            REGIONS: measure_regions,
            FEW: measure_few_labels,
            POSTERIORS: measure_posteriors,
            FIT: measure_fit,
        },
        arguments(TITLE),
    )
