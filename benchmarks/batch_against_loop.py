"""All samples of a default view in one array operation, against a plain loop over samples that calls the same quantifier.

python -m benchmarks.batch_against_loop [--json]
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.report import Row, main
from qcore import QUANTIFIERS, ArtificialPrevalence, estimate, load_dataset, make_quantifiers, score_dataset
from qcore.base import FloatArray, IntArray
from qcore.quantifiers import Quantifier

TITLE = "wdbc, logistic regression, 21 prevalences x 100 repeats, samples of 100 (2,100 samples); scores at hand"
REPEATS = 7


def seconds(task: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median seconds of a task, after one call to warm up."""
    task()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def one_by_one(quantifier: Quantifier, pool_scores: FloatArray, index: IntArray) -> list[FloatArray]:
    """The estimates of a plain loop over samples."""
    return [quantifier.predict(pool_scores[sample]) for sample in index]


def measure() -> list[Row]:
    """A row for each quantifier, then drawing the samples, then all together."""
    scores = score_dataset(load_dataset("wdbc"))
    protocol = ArtificialPrevalence(21, 100, 100)
    samples = protocol.draw(scores.pool_labels, np.random.default_rng(0))
    index = np.concatenate([block for _, block in samples.blocks()])
    rows: list[Row] = []
    for key, quantifier in make_quantifiers(QUANTIFIERS, scores.training_scores, scores.training_labels).items():
        ours = seconds(partial(estimate, {key: quantifier}, scores, samples))
        loop = seconds(partial(one_by_one, quantifier, scores.pool_scores, index), 3)
        rows.append({"what": key, "ms": 1e3 * ours, "loop ms": 1e3 * loop, "ratio": loop / ours})

    def everything() -> None:
        drawn = protocol.draw(scores.pool_labels, np.random.default_rng(0))
        fitted = make_quantifiers(QUANTIFIERS, scores.training_scores, scores.training_labels)
        estimate(fitted, scores, drawn)

    whole, loops = seconds(everything), sum(float(row["loop ms"]) for row in rows)
    what = f"draw, fit, all {len(QUANTIFIERS)}"
    rows.append({"what": what, "ms": 1e3 * whole, "loop ms": loops, "ratio": loops / (1e3 * whole)})
    return rows


if __name__ == "__main__":
    main(TITLE, measure)
