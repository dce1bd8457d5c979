"""Time to read each data set on this machine (also KEEL's and a folder's) and to score it with logistic regression.

QUANTIFICATION_LAB_DATA=FOLDER python -m benchmarks.data_sets [--json]
"""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.report import Row, arguments, show
from qcore import (
    ArtificialPrevalence,
    Dataset,
    InvalidInput,
    ScoringSettings,
    evaluation_report,
    load_dataset,
    score_dataset,
    scores_dataset,
)
from qcore.datasets import keel
from qcore.datasets.catalog import available
from qcore.datasets.table_reader import read_table

TITLE = "Data sets of this machine: rows, classes, seconds to read, and to score with logistic regression in ten folds"
LARGE = "A file of a million rows, six features, 46 MB: seconds to read, to prepare, to score, to evaluate 2,100 samples"
GIVEN = "A million scores of somebody's own classifier, 21 MB: the same seconds; nothing is trained"


def measure() -> list[Row]:
    """A row for each data set; the remark says why a data set can't be used."""
    keel.download()
    rows: list[Row] = []
    for reference in available():
        started = time.perf_counter()
        try:
            data = load_dataset(reference)
            read = time.perf_counter()
            score_dataset(data, ScoringSettings(data.default_positive))
        except InvalidInput as error:
            rows.append(_row(str(reference), 0, 0, 0.0, 0.0, str(error)))
            continue
        seconds = (read - started, time.perf_counter() - read)
        rows.append(_row(str(reference), len(data.labels), len(data.classes), *seconds, "; ".join(data.notes)))
    return rows


def _row(name: str, n_rows: int, n_classes: int, read: float, scored: float, remark: str) -> Row:
    return {"data set": name, "rows": n_rows, "classes": n_classes, "read": read, "scored": scored, "remark": remark[:90]}


def measure_large() -> list[Row]:
    """One row: the steps from a large file to its curves."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(1_000_000, 6)).round(4)
    labels = (features[:, 0] + rng.normal(size=len(features)) > 1).astype(int)
    content = pd.DataFrame(features, columns=list("abcdef")).assign(y=labels).to_csv(index=False).encode()
    return _steps(content, lambda frame: Dataset.from_frame(frame, "y"))


def measure_given_scores() -> list[Row]:
    """One row: the same steps for a large file of scores."""
    rng = np.random.default_rng(0)
    labels = (rng.random(1_000_000) < 0.3).astype(int)
    scores = 1 / (1 + np.exp(1.0 - 2.0 * labels - rng.normal(size=len(labels))))
    content = pd.DataFrame({"score": scores, "y": labels}).to_csv(index=False).encode()
    return _steps(content, lambda frame: scores_dataset(frame, "y", "score"))


def _steps(content: bytes, prepared: Callable[[pd.DataFrame], Dataset]) -> list[Row]:
    moments = [time.perf_counter()]
    frame = read_table(content, "large.csv")
    moments.append(time.perf_counter())
    data = prepared(frame)
    moments.append(time.perf_counter())
    scores = score_dataset(data, ScoringSettings(data.default_positive))
    moments.append(time.perf_counter())
    evaluation_report(scores, ["CC", "AC", "PACC", "EMQ"], ArtificialPrevalence(21, 100, 100))
    moments.append(time.perf_counter())
    return [dict(zip(("read", "data set", "scored", "evaluated"), np.diff(moments).tolist(), strict=True))]


if __name__ == "__main__":
    show({TITLE: measure, LARGE: measure_large, GIVEN: measure_given_scores}, arguments(TITLE))
