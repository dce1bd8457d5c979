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
    (the source leaves this open). At 0 and 1 it is all negatives and all positives, as in the source; if the pool has none of
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
    for requested in prevalences:
        n_positives, n_negatives = _largest(float(requested), len(positives), len(negatives))
        rows = np.concatenate([rng.permutation(positives)[:n_positives], rng.permutation(negatives)[:n_negatives]])
        yield float(n_positives / len(rows)), rows


def _largest(prevalence: float, n_positives: int, n_negatives: int) -> tuple[int, int]:
    """Positives and negatives of the largest sample with a prevalence that a pool of these sizes can give."""
    counts = _candidates(prevalence, n_positives, n_negatives)
    sizes = counts.sum(axis=1)
    distances = np.abs(counts[:, 0] / sizes - prevalence)
    slack = _NEAR if 0.0 < prevalence < 1.0 else 0.0
    near = np.flatnonzero(distances <= max(slack, distances.min()) + TIE)
    # Among the largest samples, the one with the nearest prevalence.
    first, second = counts[near[np.lexsort((distances[near], -sizes[near]))[0]]]
    return int(first), int(second)


def _candidates(prevalence: float, n_positives: int, n_negatives: int) -> IntArray:
    """Pairs of positives and negatives, (n, 2), among them the largest sample.

    With each number of positives: the negatives that give the nearest prevalence, and the most that give one within 0.005.
    """
    chosen = np.arange(n_positives + 1)
    # One more and one less, since the quotient is rounded.
    around = np.arange(-1, 3)
    ends = [
        np.floor(chosen / share - chosen) if share > 0.0 else np.full(len(chosen), n_negatives)
        for share in (prevalence, prevalence - _NEAR)
    ]
    negatives = np.concatenate([end[:, np.newaxis] + around for end in ends], axis=1)
    found = np.clip(negatives, 0, n_negatives).astype(np.intp).ravel()
    # Without positives all numbers of negatives give the same prevalence.
    pairs = np.concatenate([[[0, n_negatives]], np.stack([np.repeat(chosen, negatives.shape[1]), found], axis=1)])
    pairs = np.unique(pairs, axis=0)
    return pairs[pairs.sum(axis=1) > 0]
