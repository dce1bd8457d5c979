"""QuaPy's bootstrap beside our intervals, on the same counts: how often they hold the truth, and time for one interval.

make peers, or: pip install -r benchmarks/requirements.txt, then python -m benchmarks.peer_bootstrap [--json] [--repetitions N]
"""

import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import report
from benchmarks.coverage import RATES, SETTINGS
from benchmarks.report import Row
from qcore import Counts
from qcore.base import FloatArray, IntArray
from qcore.intervals import INTERVALS

Ends = tuple[float, float]
Problem = tuple[IntArray, IntArray, IntArray]
"""Predicted labels of the validation, its labels, predicted labels of the sample."""


def problem(prevalence: float, labelled: tuple[int, int], size: int, seed: int) -> Problem:
    """A simulated validation part and a sample, from a classifier with known tpr and fpr."""
    rng = np.random.default_rng(seed)
    n_positive = int(rng.binomial(size, prevalence))
    labels = np.repeat([1, 0], labelled)
    validation = np.concatenate([rng.random(n) < rate for n, rate in zip(labelled, RATES, strict=True)])
    sample = np.concatenate([rng.random(n) < rate for n, rate in zip((n_positive, size - n_positive), RATES, strict=True)])
    return validation.astype(np.intp), labels, sample.astype(np.intp)


def quapy_interval(given: Problem, n_training: int = 1) -> Ends:
    """QuaPy's AggregativeBootstrap of ACC: by default it redraws the sample 500 times and keeps the measured rates."""
    from quapy.method.aggregative import ACC
    from quapy.method.confidence import AggregativeBootstrap
    from sklearn.dummy import DummyClassifier

    validation, labels, sample = given
    known = DummyClassifier().fit(np.zeros((len(labels), 1)), labels)
    quantifier = ACC(known, fit_classifier=False, val_split=None)
    bootstrap = AggregativeBootstrap(quantifier, n_train_samples=n_training, random_state=0)
    bootstrap.aggregation_fit(validation, labels)
    _, region = bootstrap.aggregate_conf(sample)
    return float(region.I_low[1]), float(region.I_high[1])


def our_interval(key: str, given: Problem) -> Ends:
    """Our interval `key` of INTERVALS for a problem."""
    validation, labels, sample = given
    hits, alarms = int(validation[labels == 1].sum()), int(validation[labels == 0].sum())
    counts = Counts(int(sample.sum()), len(sample), hits, int((labels == 1).sum()), alarms, int((labels == 0).sum()))
    low, high = INTERVALS[key].interval(counts, 0.95)
    return float(low), float(high)


def measure(repetitions: int) -> list[Row]:
    """A row for each setting and kind of interval."""
    kinds: dict[str, Callable[[Problem], Ends]] = {
        "QuaPy, AggregativeBootstrap of ACC": quapy_interval,
        **{f"qcore, {key}": partial(our_interval, key) for key in ("Lang-Reiczigel", "bootstrap", "sample alone")},
    }
    rows: list[Row] = []
    for prevalence, labelled, size in SETTINGS:
        problems = [problem(prevalence, labelled, size, seed) for seed in range(repetitions)]
        for name, interval in kinds.items():
            started = time.perf_counter()
            ends: FloatArray = np.array([interval(given) for given in problems])
            taken = (time.perf_counter() - started) / repetitions
            held = float(np.mean((ends[:, 0] <= prevalence) & (prevalence <= ends[:, 1])))
            setting = f"{labelled[0]} + {labelled[1]} labelled, {size}, prevalence {prevalence}"
            width = float(np.mean(ends[:, 1] - ends[:, 0]))
            rows.append({"setting": setting, "interval": name, "coverage": held, "width": width, "ms": 1e3 * taken})
    return rows


def redrawn_training() -> list[Row]:
    """Rows that show whether QuaPy also redraws the training scores when it is asked to."""
    try:
        low, high = quapy_interval(problem(*SETTINGS[0], seed=0), n_training=10)
        text = f"{low:.3f} to {high:.3f}"
    except AttributeError as error:
        text = f"AttributeError: {error}"
    return [{"n_train_samples": 10.0, "result": text}]


def main() -> None:
    """Print the tables."""
    parsed = report.arguments(__doc__ or "", repetitions=200)
    warnings.filterwarnings("ignore")
    title = f"The same {parsed.repetitions} validations and samples: share of 95% intervals that hold the truth, width, time"
    report.show({title: partial(measure, parsed.repetitions), "QuaPy with redrawn training scores": redrawn_training}, parsed)


if __name__ == "__main__":
    main()
