"""QuantifierCV beside the estimators of QuaPy and mlquantify: the same classifier, instances and folds, in one process.

pip install -r benchmarks/requirements.txt, then python -m benchmarks.estimators [--json]; `make peers` runs it, too.

20,000 instances with 16 features; a sample of 1,000 is estimated, in which 80% are positive instead of half. First the seconds
of fit and predict, and how far the estimates are from ours; then the time that QuantifierCV adds to the trainings it needs. For
EMQ the others train once: they give no interval, which needs scores by models that have not seen the instance.
"""

import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from benchmarks import report
from benchmarks.report import Row
from qcore import QuantifierCV
from qcore.base import FloatArray, IntArray

INSTANCES, FEATURES, SAMPLE, PREVALENCE = 20_000, 16, 1_000, 0.8
FOLDS = 5
REPEATS = 5


def problem() -> tuple[FloatArray, IntArray, FloatArray]:
    """(features, labels, features of the sample)."""
    features, labels = make_classification(
        INSTANCES + 4 * SAMPLE, FEATURES, n_informative=6, class_sep=0.7, flip_y=0.1, random_state=0
    )
    rng, rest = np.random.default_rng(0), np.arange(INSTANCES, len(labels))
    n_positive = round(PREVALENCE * SAMPLE)
    drawn = [rng.choice(rest[labels[rest] == label], n) for label, n in ((1, n_positive), (0, SAMPLE - n_positive))]
    return features[:INSTANCES], labels[:INSTANCES], features[np.concatenate(drawn)]


def quapy() -> Mapping[str, Callable[[], Any]]:
    """QuaPy's estimators by our keys; their folds are stratified, in the order of the instances."""
    from quapy.method import aggregative

    exact = {"val_split": FOLDS, "solver": "exact-cc", "norm": "clip"}
    return {
        "AC": lambda: aggregative.ACC(LogisticRegression(), **exact),
        "PACC": lambda: aggregative.PACC(LogisticRegression(), **exact),
        "EMQ": lambda: aggregative.EMQ(LogisticRegression()),
    }


def mlquantify() -> Mapping[str, Callable[[], Any]]:
    """The estimators of mlquantify by our keys."""
    from mlquantify import counting, likelihood

    return {
        "AC": lambda: counting.ACC(LogisticRegression(), cv=FOLDS),
        "PACC": lambda: counting.GPACC(LogisticRegression(), cv=FOLDS),
        "EMQ": lambda: likelihood.EMQ(LogisticRegression(), tol=1e-8, max_iter=1000),
    }


def _fastest(make: Callable[[], Any], data: tuple[FloatArray, IntArray, FloatArray]) -> tuple[float, float]:
    """(least seconds of fit and predict, share of the positives)."""
    features, labels, sample = data
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        estimator = make()
        estimator.fit(features, labels)
        share = float(estimator.predict(sample)[1])
        taken.append(time.perf_counter() - start)
    return min(taken), share


def beside() -> list[Row]:
    """A row for each method."""
    data = problem()
    rows: list[Row] = []
    libraries = {"QuaPy": quapy(), "mlquantify": mlquantify()}
    for key in ("AC", "PACC", "EMQ"):
        seconds, ours = _fastest(partial(QuantifierCV, LogisticRegression(), key, cv=StratifiedKFold(FOLDS)), data)
        row: dict[str, str | float] = {"method": key, "qcore s": seconds, "estimate": ours}
        for name, makers in libraries.items():
            taken, theirs = _fastest(makers[key], data)
            row |= {f"{name} s": taken, f"{name} ratio": taken / seconds, f"{name} difference": abs(theirs - ours)}
        rows.append(row)
    return rows


def overhead() -> list[Row]:
    """One row: the time of fit and predict, beside the time of the eleven trainings and the scoring alone."""
    features, labels, sample = problem()
    folds = list(StratifiedKFold(10).split(features, labels))
    ours, alone = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        QuantifierCV(LogisticRegression(), "EMQ", cv=folds).fit(features, labels).predict(sample)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        for inside, outside in folds:
            LogisticRegression().fit(features[inside], labels[inside]).predict_proba(features[outside])
        LogisticRegression().fit(features, labels).predict_proba(sample)
        alone.append(time.perf_counter() - start)
    added = min(ours) / min(alone) - 1.0
    return [{"QuantifierCV s": min(ours), "eleven trainings s": min(alone), "added": f"{added:.1%}"}]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tables = {"fit and predict on 20,000 x 16": beside, "What QuantifierCV adds, ten folds": overhead}
    report.show(tables, report.arguments(__doc__ or ""))
