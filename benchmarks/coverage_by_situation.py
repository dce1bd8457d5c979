"""Labels of the sample itself, a share watched over time, several classes: coverage and width beside the expected numbers.

python -m benchmarks.coverage_by_situation [--json]
"""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.report import Row, arguments, show
from qcore.intervals import LABELLED_SAMPLE_INTERVALS, Counts, LabelledSample, class_posterior, posterior
from qcore.intervals.analytic import Interval, lang_reiczigel
from qcore.intervals.coverage import simulated_labelled_samples
from qcore.intervals.labelled_sample_intervals import wilson
from qcore.studies.interval_coverage import CoverageSettings, compare_rules
from qcore.watching import MeasuredRates, adjusted_at_every_look, exact_adjusted_at_every_look, share_at_every_look, watch_share

LABELLED = "A sample labelled in part, 20,000 samples each: coverage and mean width of 95% intervals"
LABELLED_SETTINGS = {
    (0.3, 0.8, 0.1, 100, 1000): ((0.937, 0.176), (0.949, 0.152), (0.942, 0.133), (0.956, 0.138), (0.954, 0.126)),
    (0.1, 0.8, 0.1, 100, 1000): ((0.936, 0.118), (0.943, 0.130), (0.923, 0.097), (0.956, 0.102), (0.951, 0.095)),
    (0.05, 0.9, 0.05, 200, 2000): ((0.964, 0.062), (0.941, 0.065), (0.922, 0.047), (0.964, 0.051), (0.958, 0.046)),
    (0.5, 0.95, 0.05, 50, 500): ((0.935, 0.265), (0.952, 0.150), (0.939, 0.140), (0.982, 0.182), (0.989, 0.156)),
    (0.3, 0.6, 0.3, 100, 1000): ((0.939, 0.176), (0.946, 0.230), (0.944, 0.171), (0.948, 0.168), (0.946, 0.158)),
    (0.02, 0.7, 0.02, 300, 10000): ((0.942, 0.033), (0.938, 0.033), (0.909, 0.026), (0.952, 0.029), (0.948, 0.028)),
}
"""(prevalence, tpr, fpr, labels, instances) -> expected (coverage, width) of each of `LABELLED_METHODS`."""
LABELLED_METHODS = (
    ("labels alone", False),
    ("PPI", False),
    ("PPI++", False),
    ("double sampling", False),
    ("double sampling", True),
)
LOOKS = "A share of 0.3 that does not move, batches of 100: 4,000 times, the share of them in which any of 50 looks misses it"
CORRECTED = "The same of a corrected share of 0.1, tpr 0.8 and fpr 0.1: misses at any of 50 looks, and the last width"
CORRECTED_EXPECTED = {
    100: {"one look": (0.14, 0.142), "every look": (0.033, 0.178), "every look, exact": (0.0, 0.233)},
    500: {"one look": (0.21, 0.075), "every look": (0.029, 0.109), "every look, exact": (0.0, 0.161)},
}
CHANGE = "A share that moves from 0.3 to 0.4 after 25 of 50 batches of 100: alerts, and batches until half of them are given"
CLASSES = "Three classes, posterior of the shares with a flat prior: mean and 95% interval of each, and milliseconds"
CLASSES_EXPECTED = ((0.629, 0.478, 0.807), (0.233, 0.054, 0.401), (0.138, 0.023, 0.254))
RULES = "Rules that tools in use apply, beside ours, on the same 2,000 samples: coverage and mean width of 95% intervals"
RULES_SETTINGS = (
    CoverageSettings(0.3, (0.8, 0.1), 50, 1000),
    CoverageSettings(0.1, (0.8, 0.1), 50, 1000),
    CoverageSettings(0.05, (0.9, 0.05), 100, 2000),
)
SPEED = "Milliseconds of one answer"


def measure_labelled() -> list[Row]:
    """A row for each setting and method."""
    rows: list[Row] = []
    for setting, expected in LABELLED_SETTINGS.items():
        prevalence, tpr, fpr, labels, size = setting
        rng = np.random.default_rng(0)
        sample, own_share = simulated_labelled_samples(prevalence, (tpr, fpr), labels, size, repetitions=20_000, rng=rng)
        for (method, own), (coverage, width) in zip(LABELLED_METHODS, expected, strict=True):
            ends = LABELLED_SAMPLE_INTERVALS[method].interval(sample, 0.95, own)
            truth = own_share if own else np.asarray(setting[0])
            rows.append(
                {
                    "prevalence, tpr, fpr, labels, instances": ", ".join(map(str, setting)),
                    "method": f"{method}, its own share" if own else method,
                    "coverage": float(np.mean((ends.low <= truth) & (truth <= ends.high))),
                    "expected": coverage,
                    "width": float(np.mean(ends.high - ends.low)),
                    "expected width": width,
                }
            )
    return rows


def measure_rules() -> list[Row]:
    """A row for each setting and rule."""
    rows = list[Row]()
    for settings in RULES_SETTINGS:
        table = compare_rules(settings, seed=0)
        for rule, labels, coverage, width in zip(table.rule, table.labels, table.coverage, table.width, strict=True):
            rows.append(
                {
                    "prevalence, (tpr, fpr), labels of each class, instances": ", ".join(map(str, settings)),
                    "rule": str(rule),
                    "labels": str(labels),
                    "coverage": float(coverage),
                    "width": float(width),
                }
            )
    return rows


def measure_looks() -> list[Row]:
    """A row for each interval of a share that is counted as it is."""
    x, m = np.random.default_rng(0).binomial(100, 0.3, (4000, 50)).cumsum(axis=1), np.arange(1, 51) * 100
    kinds: dict[str, tuple[Interval, float]] = {
        "one look (Wilson)": (wilson(x, m, 0.95), 0.32),
        "every look": (share_at_every_look(x, m), 0.006),
    }
    return [
        {"interval": name, "any look misses": _missed(ends, 0.3), "expected": least} for name, (ends, least) in kinds.items()
    ]


def _missed(ends: Interval, truth: float) -> float:
    return float(((ends.low > truth) | (ends.high < truth)).any(axis=-1).mean())


def measure_corrected() -> list[Row]:
    """A row for each number of labels and interval."""
    rng, m, rows = np.random.default_rng(1), np.arange(1, 51) * 100, list[Row]()
    methods: dict[str, Callable[[Counts], Interval]] = {
        "one look": lang_reiczigel,
        "every look": adjusted_at_every_look,
        "every look, exact": exact_adjusted_at_every_look,
    }
    for labels, expected in CORRECTED_EXPECTED.items():
        drawn = [
            Counts(
                rng.binomial(100, 0.17, 50).cumsum(), m, rng.binomial(labels, 0.8), labels, rng.binomial(labels, 0.1), labels
            )
            for _ in range(2000)
        ]
        for name, method in methods.items():
            ends = [method(counts) for counts in drawn]
            rows.append(
                {
                    "labels of each class": float(labels),
                    "interval": name,
                    "any look misses": float(np.mean([_missed(one, 0.1) for one in ends])),
                    "expected": expected[name][0],
                    "last width": float(np.mean([one.high[-1] - one.low[-1] for one in ends])),
                    "expected width": expected[name][1],
                }
            )
    return rows


def measure_change() -> list[Row]:
    """One row: how often and how soon a move of the share is seen, and how often one is reported though there is none."""
    rng, delays, false = np.random.default_rng(2), [], 0
    for _ in range(2000):
        moving = np.concatenate([rng.binomial(100, 0.3, 25), rng.binomial(100, 0.4, 25)])
        moved = watch_share(moving, [100] * 50, baseline=25).moved_at
        delays.append(np.inf if moved is None else moved - 25)
        false += watch_share(rng.binomial(100, 0.3, 50), [100] * 50, baseline=25).moved_at is not None
    return [
        {
            "seen": float(np.mean(np.isfinite(delays))),
            "expected": 0.98,
            "median batches": float(np.median(delays)),
            "expected median": 8.0,
            "false alerts": false / 2000,
        }
    ]


def measure_classes() -> list[Row]:
    """A row for each class of the example."""
    labelled, found = [[42, 12, 6], [9, 42, 9], [6, 12, 42]], [240, 160, 100]
    started = time.perf_counter()
    result = class_posterior(labelled, found, rng=np.random.default_rng(0), concentration=1.0)
    taken = 1e3 * (time.perf_counter() - started)
    return [
        {
            "class": str(number),
            "mean": float(mean),
            "low": float(ends[0]),
            "high": float(ends[1]),
            "expected": ", ".join(map(str, expected)),
            "ms": taken,
        }
        for number, (mean, ends, expected) in enumerate(zip(result.mean, result.intervals(), CLASSES_EXPECTED, strict=True))
    ]


def measure_speed() -> list[Row]:
    """A row for each answer: the least of ten."""
    x = np.random.default_rng(0).binomial(100, 0.17, 5000)
    sample = LabelledSample(310, 1000, 31, 24, 69, 6)
    answers: dict[str, Callable[[], object]] = {
        "double sampling": lambda: LABELLED_SAMPLE_INTERVALS["double sampling"].interval(sample, 0.95, True),
        "PPI++": lambda: LABELLED_SAMPLE_INTERVALS["PPI++"].interval(sample, 0.95, False),
        "5,000 batches watched": lambda: watch_share(x, [100] * 5000),
        "5,000 batches, corrected": lambda: watch_share(x, [100] * 5000, rates=MeasuredRates(80, 100, 10, 100)),
        "posterior of a share": lambda: posterior(Counts(210, 1000, 85, 100, 12, 100)),
    }
    return [{"answer": name, "ms": 1e3 * min(_seconds(answer) for _ in range(10))} for name, answer in answers.items()]


def _seconds(answer: Callable[[], object]) -> float:
    started = time.perf_counter()
    answer()
    return time.perf_counter() - started


if __name__ == "__main__":
    show(
        {
            LABELLED: measure_labelled,
            RULES: measure_rules,
            LOOKS: measure_looks,
            CORRECTED: measure_corrected,
            CHANGE: measure_change,
            CLASSES: measure_classes,
            SPEED: measure_speed,
        },
        arguments(__doc__),
    )
