"""Are the times that a page announces right? The time to train classifiers and to estimate samples beside the prediction.

python -m benchmarks.durations [--json]   (some two minutes)
"""

import time
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import report
from benchmarks.report import Row
from qcore import CLASSIFIERS, ArtificialPrevalence, Dataset, ScoringSettings, estimate, load_dataset, score_dataset
from qcore.evaluation.estimates import estimation_seconds
from qcore.scoring.plan import scoring_seconds

DATA = ("wdbc", "tictactoe", "waveform")
METHODS = {"four": ("CC", "AC", "MS", "EMQ"), "slow": ("MS", "HDy", "SORD", "KDEy-ML")}
SAMPLES = ((21, 100, 100), (21, 100, 500), (101, 100, 100))


@cache
def training() -> list[Row]:
    """A row for each data set and classifier: the time to train it on all folds and to score the pool."""
    return [_trained(load_dataset(name), key) for name in DATA for key in CLASSIFIERS]


def _trained(data: Dataset, classifier: str) -> Row:
    started = time.perf_counter()
    score_dataset(data, ScoringSettings(data.default_positive, classifier))
    return _row(f"{classifier} on {data.name}", time.perf_counter() - started, scoring_seconds(data, classifier))


@cache
def estimating() -> list[Row]:
    """A row for each case: the time of methods on the samples of a protocol."""
    scores = score_dataset(load_dataset("waveform"))
    rows = []
    for (grid, repeats, size), (name, methods) in ((samples, some) for samples in SAMPLES for some in METHODS.items()):
        samples = ArtificialPrevalence(grid, size, repeats).draw(scores.pool_labels, np.random.default_rng(0))
        started = time.perf_counter()
        estimate(methods, scores, samples)
        taken, foretold = time.perf_counter() - started, estimation_seconds(len(methods), len(samples), size)
        rows.append(_row(f"{name}, {len(samples):,} samples of {size}", taken, foretold))
    return rows


def summary() -> list[Row]:
    """The median of the ratios of all rows, and the ends of their middle four fifths."""
    low, middle, high = np.quantile([row["ratio"] for row in (*training(), *estimating())], [0.1, 0.5, 0.9])
    return [{"median ratio": float(middle), "10%": float(low), "90%": float(high)}]


def _row(what: str, taken: float, foretold: float) -> Row:
    return {"what": what, "seconds": taken, "foretold": foretold, "ratio": foretold / taken}


def main() -> None:
    """Print the tables."""
    tables: dict[str, Callable[[], Sequence[Row]]] = {
        "Training": training,
        "Estimating": estimating,
        "Foretold, by seconds taken": summary,
    }
    with threadpool_limits(1):
        report.show(tables, report.arguments(__doc__ or ""))


if __name__ == "__main__":
    main()
