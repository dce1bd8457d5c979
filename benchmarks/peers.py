"""The same samples of the same scores, answered by QuaPy, by mlquantify and by qcore, in one process.

make peers, or: pip install -r benchmarks/requirements.txt, then python -m benchmarks.peers [--json] [--every N]

All are given the whole grid, which takes the peers some 20 minutes; with --every 10 they get every tenth sample (one repeat in
ten, at all sizes and prevalences), qcore still all of them. Then it prints how qcore's own cost grows with the number and the
size of samples.
"""

import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import growth, report
from benchmarks.peer_base import Peer
from benchmarks.peer_mlquantify import MLQuantify
from benchmarks.peer_quapy import QuaPy
from benchmarks.report import Row
from benchmarks.test_size_problem import ESTIMATORS, Problem, grid
from qcore import estimate, make_quantifiers
from qcore.base import FloatArray

INSTANCES = (4_000, 100_000)
LIBRARIES: dict[str, type[QuaPy] | type[MLQuantify]] = {"QuaPy": QuaPy, "mlquantify": MLQuantify}
NOTES: dict[tuple[str, str], str] = {}


def ours(problem: Problem, keys: tuple[str, ...], repeats: int = 3) -> tuple[float, dict[str, FloatArray]]:
    """(least seconds for the whole grid, quantifiers fitted already; estimates of all samples)."""
    scores, taken = problem.scores, []
    quantifiers = make_quantifiers(keys, scores.training_scores, scores.training_labels)
    for _ in range(repeats):
        start = time.perf_counter()
        result = [estimate(quantifiers, scores, samples).by_method for samples in problem.samples]
        taken.append(time.perf_counter() - start)
    return min(taken), {key: np.concatenate([by_method[key] for by_method in result]) for key in keys}


def theirs(problem: Problem, make: Callable[[], Peer], every: int) -> tuple[float, FloatArray, str]:
    """(seconds for a sample, estimates of every `every`-th sample, note)."""
    peer, pool = make(), problem.scores.pool_scores
    samples = [pool[row] for indices in problem.indices for row in indices][::every]
    peer.estimate(samples[0])
    start = time.perf_counter()
    result = np.array([peer.estimate(sample) for sample in samples])
    return (time.perf_counter() - start) / len(samples), result, peer.note


def compare(n_instances: int, every: int) -> list[Row]:
    """A row for each method, then the sums over the methods that both have."""
    problem = grid(n_instances)
    scores = problem.scores
    methods = {name: kind(scores.training_scores, scores.training_labels).makers() for name, kind in LIBRARIES.items()}
    rows: list[Row] = []
    sums = {name: np.zeros(2) for name in LIBRARIES}
    for key in ESTIMATORS:
        seconds, result = ours(problem, (key,))
        ours_each = seconds / len(problem)
        row: dict[str, str | float] = {"method": key, "qcore us": 1e6 * ours_each}
        for name, made in methods.items():
            cells: tuple[str | float, ...] = ("", "", "")
            if key in made:
                taken, values, note = theirs(problem, made[key], every)
                sums[name] += taken, ours_each
                cells = 1e6 * taken, taken / ours_each, float(np.abs(values - result[key][::every]).max())
                NOTES[name, key] = note
            row |= dict(zip(_columns(name), cells, strict=True))
        rows.append(row)
    total: dict[str, str | float] = {"method": "sum over the common ones", "qcore us": ""}
    for name, (taken, ours_each) in sums.items():
        cells = 1e6 * taken, taken / ours_each, ""
        total |= dict(zip(_columns(name), cells, strict=True))
    return [*rows, total]


def _columns(name: str) -> tuple[str, str, str]:
    return f"{name} us", f"{name} ratio", f"{name} difference"


def whole_grid() -> list[Row]:
    """Seconds for all 19 estimators on all samples; work that they share is done once."""
    rows: list[Row] = []
    for n_instances in INSTANCES:
        start = time.perf_counter()
        problem = grid(n_instances)
        made = time.perf_counter() - start
        start = time.perf_counter()
        make_quantifiers(ESTIMATORS, problem.scores.training_scores, problem.scores.training_labels)
        fitted = time.perf_counter() - start
        seconds, _ = ours(problem, ESTIMATORS)
        rows.append({"instances": f"{n_instances:,}", "fit s": fitted, "estimate s": seconds, "train, score, draw s": made})
    return rows


def notes() -> list[Row]:
    """A row for each note on a method of the other libraries."""
    return [{"method": key, "library": name, "note": note} for (name, key), note in NOTES.items() if note]


def main() -> None:
    """Print the tables."""
    parsed = report.arguments(__doc__ or "", every=1)
    warnings.filterwarnings("ignore")
    tables: dict[str, Callable[[], list[Row]]] = {
        "All 19 estimators of qcore on the whole grid, 14,140 samples of 10 to 500": whole_grid
    }
    for n_instances in INSTANCES:
        given = "all samples" if parsed.every == 1 else f"every {parsed.every}th sample"
        title = f"Microseconds per sample, ratio to qcore and largest difference; {n_instances:,} instances, peers on {given}"
        tables[title] = partial(compare, n_instances, parsed.every)
    tables["Options that bring a peer nearest to the paper, and where it differs all the same"] = notes
    report.show(tables | growth.TABLES, parsed)


if __name__ == "__main__":
    main()
