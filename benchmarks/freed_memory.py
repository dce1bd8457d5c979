"""Drawing and estimating thousands of samples in a process that keeps freed memory, beside one that gives it back.

python -m benchmarks.freed_memory [--json]   (ten seconds)
"""

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.report import Row, main
from qcore import ArtificialPrevalence, estimate, keep_freed_memory, load_dataset, score_dataset

TITLE = (
    "waveform, logistic regression: 21 prevalences x 100 repeats (2,100 samples), each size new; milliseconds of processor time"
)
METHODS = ("CC", "AC", "PACC", "EMQ")
_SIZES = range(90, 105)


def milliseconds(keep: bool) -> tuple[float, float, float]:
    """Of this process: medians to draw the samples and to estimate them, and the most megabytes of memory that it held."""
    if keep:
        keep_freed_memory()
    scores = score_dataset(load_dataset("waveform"))
    taken = []
    with threadpool_limits(1):
        for size in _SIZES:
            started = time.process_time()
            samples = ArtificialPrevalence(21, size, 100).draw(scores.pool_labels, np.random.default_rng(0))
            list(samples.blocks())
            drawn = time.process_time()
            estimate(METHODS, scores, samples)
            taken.append((1000.0 * (drawn - started), 1000.0 * (time.process_time() - drawn)))
    drawing, estimating = np.median(taken[2:], axis=0).tolist()
    return drawing, estimating, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def measure() -> list[Row]:
    """A row for each kind of process, and their ratio."""
    rows: list[Row] = []
    for name, keep in (("gives freed memory back", False), ("keeps freed memory", True)):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            drawing, estimating, megabytes = pool.submit(milliseconds, keep).result()
        rows.append({"process": name, "drawing": drawing, "estimating": estimating, "megabytes at most": megabytes})
    before, after = ([float(row[name]) for name in ("drawing", "estimating", "megabytes at most")] for row in rows)
    names = ("drawing", "estimating", "megabytes at most")
    ratios = {name: one / other for name, one, other in zip(names, before, after, strict=True)}
    return [*rows, {"process": "ratio", **ratios}]


if __name__ == "__main__":
    main(TITLE, measure)
