"""How qcore's cost grows with the number and with the size of samples: time, and peak memory above the data.

python -m benchmarks.growth [--json]   (a part of benchmarks.peers; needs nothing beside requirements.txt)
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np

from benchmarks import report
from benchmarks.report import Row
from benchmarks.test_size_problem import ESTIMATORS, made_scores
from qcore import Scores, UniformPrevalence, estimate, make_quantifiers


def cost(scores: Scores, n_samples: int, sample_size: int) -> Row:
    """A row: the time to draw the samples and to run all 19 estimators, and the peak memory of both steps."""

    def work() -> tuple[float, float]:
        start = time.perf_counter()
        samples = UniformPrevalence(n_samples, sample_size).draw(scores.pool_labels, np.random.default_rng(0))
        for _ in samples.blocks():
            pass
        drawn = time.perf_counter()
        estimate(quantifiers, scores, samples)
        return drawn - start, time.perf_counter() - drawn

    quantifiers = make_quantifiers(ESTIMATORS, scores.training_scores, scores.training_labels)
    draw, answer = work()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "samples": f"{n_samples:,}",
        "size": f"{sample_size:,}",
        "draw s": draw,
        "estimate s": answer,
        "us per sample": 1e6 * (draw + answer) / n_samples,
        "ns per score": 1e9 * (draw + answer) / n_samples / sample_size,
        "peak MB": peak / 2**20,
    }


def by_number() -> list[Row]:
    """A row for each number of samples of 100, drawn from the pool of the problem with 100,000 instances."""
    scores = made_scores(100_000)
    return [cost(scores, n_samples, 100) for n_samples in (10**3, 10**4, 10**5)]


def by_size() -> list[Row]:
    """A row for each size of 1,000 samples, drawn from a pool of a million."""
    small, rng = made_scores(4_000), np.random.default_rng(0)
    # The pool's scores are those of the small problem, each drawn many times and moved a little.
    drawn = rng.integers(len(small.pool_scores), size=10**6)
    pool = np.clip(small.pool_scores[drawn] + rng.normal(0, 1e-3, 10**6), 0, 1)
    scores = Scores(small.training_scores, small.training_labels, pool, small.pool_labels[drawn])
    return [cost(scores, 1_000, size) for size in (10**2, 10**3, 10**4)]


TABLES: dict[str, Callable[[], list[Row]]] = {
    "How cost grows with the number of samples of 100; 19 estimators, 50,000 training scores, a pool of 50,000": by_number,
    "How cost grows with the size of 1,000 samples; 19 estimators, 2,000 training scores, a pool of 1,000,000": by_size,
}

if __name__ == "__main__":
    report.show(TABLES, report.arguments(__doc__ or ""))
