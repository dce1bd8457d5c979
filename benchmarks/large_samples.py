"""Intervals and tables of 200,000 rows: seconds of `predict_interval` for each method, and of a sample labelled in part.

python -m benchmarks.large_samples [--json] [--rows 200000] [--labelled 2000]   (a minute)
"""

import io
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from benchmarks import report
from benchmarks.report import Row
from qcore import QUANTIFIERS, QuantifierCV
from qcore.base import FloatArray, IntArray
from qcore.intervals import estimate_labelled_sample, read_labelled_columns
from qcore.intervals.labelled_sample import likely_columns

PREVALENCE = 0.2


def _instances(n: int, share: float, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    labels = (rng.random(n) < share).astype(np.intp)
    return rng.normal(0.7 * labels[:, np.newaxis], 1.0, (n, 4)), labels


def intervals(rows: int, labelled: int) -> list[Row]:
    """A row for each quantifier: seconds, processor seconds, and its interval. A classifier is fitted once, before."""
    rng = np.random.default_rng(0)
    features, labels = _instances(labelled, 0.5, rng)
    sample, _ = _instances(rows, PREVALENCE, rng)
    classifier = FrozenEstimator(LogisticRegression().fit(*_instances(2000, 0.5, rng)))
    found: list[Row] = []
    for key in QUANTIFIERS:
        fitted = QuantifierCV(classifier, key).fit(features, labels)
        started, of_processor = time.perf_counter(), time.process_time()
        low, high = fitted.predict_interval(sample)[1]
        taken = {"seconds": time.perf_counter() - started, "processor seconds": time.process_time() - of_processor}
        found.append({"method": key, **taken, "low": float(low), "high": float(high)})
    return found


def labelled_in_part(rows: int) -> list[Row]:
    """A row for each step from a table of text, a tenth of it labelled, to its estimate."""
    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.3
    predicted = np.where(rng.random(rows) < 0.85, truth, ~truth)
    words = {name: np.where(values, "complaint", "praise") for name, values in (("prediction", predicted), ("label", truth))}
    table = pd.DataFrame({"text": [f"text {row}" for row in range(rows)], **words})
    table.loc[rng.random(rows) < 0.9, "label"] = None
    table = pd.read_csv(io.StringIO(table.to_csv(index=False)))
    steps: list[Row] = []

    def timed(step: str, make: Callable[[], Any]) -> Any:
        started, of_processor = time.perf_counter(), time.process_time()
        made = make()
        taken = {"seconds": time.perf_counter() - started, "processor seconds": time.process_time() - of_processor}
        steps.append({"step": step, **taken})
        return made

    prediction, label = timed("which columns", lambda: likely_columns(table))
    columns = timed("counts", lambda: read_labelled_columns(table, prediction, label))
    timed("estimate", lambda: estimate_labelled_sample(columns.sample, **columns.scores_and_labels))
    return steps


if __name__ == "__main__":
    chosen = report.arguments(__doc__ or "", rows=200_000, labelled=2000)
    size = f"{chosen.rows:,} rows"
    tables = {
        f"predict_interval, a sample of {size}, {chosen.labelled:,} labelled": lambda: intervals(chosen.rows, chosen.labelled),
        f"a sample of {size}, labelled in part": lambda: labelled_in_part(chosen.rows),
    }
    report.show(tables, chosen)
