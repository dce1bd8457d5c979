"""The largest sample of a pool at each prevalence, by under-sampling: what a fold of cross-validation can give."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray, IntArray

_NEAR = 0.005


def largest_samples(
    pool_labels: ArrayLike, prevalences: FloatArray, rng: np.random.Generator
) -> Iterator[tuple[float, IntArray]]:
    """(true prevalence, rows of the pool) of the largest sample at each prevalence. Source: Barranquero 2013, 4.1.1.

    It is the largest sample with a prevalence within 0.005; if there is none, the nearest, and the largest of equally near ones
    (the thesis leaves this open). At 0 and 1 it is all negatives and all positives, as in the thesis; if the pool has none of
    these, it is the nearest.

    Examples
    --------
    >>> labels = [1] * 5 + [0] * 12
    >>> result = largest_samples(labels, np.array([0.1, 0.6]), np.random.default_rng(0))
    >>> [(share, len(rows)) for share, rows in result]
    [(0.1, 10), (0.6, 5)]
    """
    labels = np.asarray(pool_labels)
    positives, negatives = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    counts = np.stack(np.meshgrid(np.arange(len(positives) + 1), np.arange(len(negatives) + 1), indexing="ij"), -1)
    counts = counts.reshape(-1, 2)[1:]
    sizes = counts.sum(axis=1)
    for requested in prevalences:
        distances = np.abs(counts[:, 0] / sizes - requested)
        slack = _NEAR if 0.0 < requested < 1.0 else 0.0
        near = np.flatnonzero(distances <= max(slack, distances.min()) + TIE)
        # Of the largest ones, the nearest.
        n_positives, n_negatives = counts[near[np.lexsort((distances[near], -sizes[near]))[0]]]
        rows = np.concatenate([rng.permutation(positives)[:n_positives], rng.permutation(negatives)[:n_negatives]])
        yield float(n_positives / len(rows)), rows
