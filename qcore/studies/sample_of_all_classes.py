"""One sample of several classes, drawn from a pool: a given share of one class, the others as they are in the pool."""

import numpy as np

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_fraction, check_integer
from qcore.protocols.pool import counts_of_prevalences, pool_classes, samples_with


def draw_sample_of_all_classes(
    pool_labels: IntArray, label: int, share: float, size: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Rows of the pool, (m,), and their prevalences, (n_classes,): m is `size`, or the largest that the pool can give.

    Raises
    ------
    InvalidInput
        A value is out of range, or the pool has no instance of a class.

    Examples
    --------
    >>> rows, shares = draw_sample_of_all_classes(np.repeat([0, 1, 2], 50), 2, 0.5, 40, np.random.default_rng(0))
    >>> len(rows), shares.tolist()
    (40, [0.25, 0.25, 0.5])
    """
    labels, sizes = pool_classes(pool_labels)
    check_fraction("share", share)
    check_integer("size", size, low=1)
    if sizes.min() < 1 or label >= len(sizes):
        raise InvalidInput("pool", "have instances of each class", f"{sizes.tolist()}", "Give the pool a larger share.")
    others = np.where(np.arange(len(sizes)) == label, 0.0, sizes)
    prevalences = (1.0 - share) * others / others.sum()
    prevalences[label] = share
    with np.errstate(divide="ignore", over="ignore"):
        largest = int(np.floor((sizes / prevalences).min()))
    targets = prevalences[np.newaxis]
    counts = next(
        counts
        for m in range(min(size, largest), 0, -1)
        for counts in [counts_of_prevalences(targets, m)]
        if (counts[0] <= sizes).all()
    )
    ((_, rows),) = samples_with(counts, targets, labels, rng).blocks()
    return rows[0], counts[0] / counts[0].sum()
