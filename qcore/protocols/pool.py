"""What a protocol needs of a pool, and the arguments that protocols have in common.

Arguments that protocols have in common: prevalences that are given one by one, and how many samples there are.

The largest sample of a pool at each prevalence, by under-sampling: what a fold of cross-validation can give.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import (
    TIE,
    FloatArray,
    IntArray,
    InvalidInput,
    check_class_labels,
    check_fraction,
    check_integer,
    in_a_line,
)
from qcore.protocols.samples import Samples


class SamplingProtocol(Protocol):
    """A rule by which samples are drawn from a pool.

    Examples
    --------
    >>> class Halves:
    ...     def draw(self, pool_labels, rng):
    ...         seed = int(rng.integers(2**31))
    ...         return Samples(pool_labels, np.array([0.5]), np.array([0]), np.array([[2, 2]]), 4, seed)
    >>> Halves().draw(np.array([0, 0, 1, 1]), np.random.default_rng(0)).prevalences.tolist()
    [0.5]
    """

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples from a pool with labels 0 to n_classes - 1. Raises InvalidInput when the pool can't give them."""
        ...


def binary_labels(pool_labels: ArrayLike) -> IntArray:
    """The labels of a pool as an array, (n,). Raises InvalidInput unless they are 0 and 1, on one axis."""
    labels: IntArray = np.asarray(pool_labels)
    if labels.ndim != 1:
        got = f"shape {labels.shape}"
        raise InvalidInput("pool_labels", "be 0 and 1, on one axis", got, "Pass for example labels.ravel().")
    if len(unknown := labels[~np.isin(labels, (0, 1))]):
        got = f"the other labels {np.unique(unknown)[:5].tolist()}"
        raise InvalidInput("pool_labels", "be 0 and 1, on one axis", got, "For more classes use SimplexPrevalence.")
    return labels


class PoolTooSmall(InvalidInput):
    """The pool can't give samples of the requested size; `largest` is the largest size that works (0: none).

    Examples
    --------
    >>> from qcore import NaturalPrevalence
    >>> try:
    ...     NaturalPrevalence(n_samples=1, sample_size=50).draw(np.array([0, 1, 1]), np.random.default_rng(0))
    ... except PoolTooSmall as error:
    ...     print(error.largest)
    3
    """

    def __init__(self, name: str, rule: str, value: object, hint: str, largest: int) -> None:
        super().__init__(name, rule, value, hint)
        self.largest = largest


def pool_classes(pool_labels: ArrayLike) -> tuple[IntArray, IntArray]:
    """(checked labels, (n_pool,), instances of each class, (n_classes,)). Raises InvalidInput."""
    labels = check_class_labels("pool_labels", pool_labels)
    return labels, np.bincount(labels)


def check_sample_size(sample_size: int, largest: int, whose: str) -> None:
    """Raise PoolTooSmall when a sample is larger than `largest`, which is the size of `whose`."""
    if sample_size > largest:
        rule = f"be at most {largest}, the size of {whose}"
        raise PoolTooSmall("sample size", rule, str(sample_size), f"Choose {largest} or less, or use a larger pool.", largest)


def counts_of_prevalences(prevalences: FloatArray, sample_size: int) -> IntArray:
    """Whole numbers of instances that sum to the sample size and are nearest to the prevalences: (n, n_classes).

    By largest remainder; ties go to the first class, but with two classes to an even number of positives, as elsewhere in qcore
    (the papers leave both open).
    """
    # Rounded, since a product such as 0.15 * 10 has a rounding error, and the largest remainder would depend on the machine.
    exact = np.round(prevalences * sample_size, 9)
    if exact.shape[1] == 2:
        positives = np.rint(exact[:, 1]).astype(np.intp)
        return np.stack([sample_size - positives, positives], axis=1)
    counts = np.floor(exact).astype(np.intp)
    missing = sample_size - counts.sum(axis=1)
    order = np.argsort(-(exact - counts), axis=1, kind="stable")
    np.put_along_axis(counts, order, np.take_along_axis(counts, order, 1) + (np.arange(counts.shape[1]) < missing[:, None]), 1)
    return counts


def positives_of(prevalences: FloatArray, sample_size: int) -> IntArray:
    """Number of positives nearest to each positive prevalence, (n,), halves to even."""
    return counts_of_prevalences(np.stack([1.0 - prevalences, prevalences], axis=1), sample_size)[:, 1]


def largest_sample_size(prevalences: FloatArray, n_positives: int, n_negatives: int) -> int:
    """The largest size up to which samples with all `prevalences`, (n,), can be drawn from a pool; 0 if none can."""
    # Both counts of a prevalence grow with the size, so that once a size is too large, all above are.
    sizes = range(1, n_positives + n_negatives + 2)
    return bisect_left(sizes, True, key=lambda size: _is_too_large(size, prevalences, n_positives, n_negatives))


def _is_too_large(size: int, prevalences: FloatArray, n_positives: int, n_negatives: int) -> bool:
    if size > n_positives + n_negatives:
        return True
    positives = positives_of(prevalences, size)
    return bool(positives.max() > n_positives or (size - positives).max() > n_negatives)


def check_fits(prevalences: FloatArray, sample_size: int, n_positives: int, n_negatives: int, where: str) -> None:
    """Raise PoolTooSmall when samples of this size can't be drawn with all `prevalences`, which `where` names."""
    if not _is_too_large(sample_size, prevalences, n_positives, n_negatives):
        return
    largest = largest_sample_size(prevalences, n_positives, n_negatives)
    if sample_size > largest:
        hint = f"Choose {largest}, the largest that works here, or less." if largest else "Use a larger pool."
        rule = f"fit into a pool of {n_positives} positives and {n_negatives} negatives {where}"
        raise PoolTooSmall("sample size", rule, str(sample_size), hint, largest)


def samples_with(
    counts: IntArray, targets: FloatArray, pool_labels: IntArray, rng: np.random.Generator, repeats: int | None = None
) -> Samples:
    """Samples with these counts and targets, both (n, n_classes), `repeats` for each target (None: all have one target)."""
    return Samples(
        pool_labels=pool_labels,
        targets=targets[:, 1] if targets.shape[1] == 2 else targets,
        repeats=np.arange(len(counts)) % (repeats or len(counts)),
        counts=counts,
        sample_size=int(counts[0].sum()),
        seed=int(rng.integers(2**63)),
    )


MOST_COUNTS = 20_000_000
"""Largest number of counts, one for each sample and class: a few hundred megabytes while a protocol draws."""

_POINTS = "Choose for example 11, 21 or 101 points."


def is_list(values: object) -> TypeGuard[Sequence[Any]]:
    """Whether values are given one by one, in a list, a tuple or an array, and not as text."""
    return isinstance(values, Sequence | np.ndarray) and not isinstance(values, str | bytes) and np.shape(values) != ()


def n_points(grid: int | Sequence[float]) -> int:
    """How many prevalences a checked grid has."""
    return int(grid) if isinstance(grid, int | np.integer) else len(grid)


def check_grid(grid: object) -> None:
    """Raise InvalidInput unless a grid is a number of points, at least 2, or a list of prevalences, at least 1."""
    if is_list(grid):
        if not len(grid):
            raise InvalidInput("grid", "have at least 1 prevalence", "none", _POINTS)
        for prevalence in grid:
            check_fraction("a prevalence of grid", prevalence)
    elif isinstance(grid, str | bytes) or np.iterable(grid):
        hint = "Write for example 21, or [0.1, 0.5, 0.9]; list(values) makes a list of other values."
        raise InvalidInput("grid", "be a whole number of points or a list of prevalences", in_a_line(grid)[:60], hint)
    else:
        check_integer("grid", grid, low=2, hint=_POINTS)


def check_n_samples(n_samples: int, n_classes: int = 2) -> None:
    """Raise InvalidInput for more samples, of this many classes, than a protocol draws at once."""
    most = MOST_COUNTS // n_classes
    if n_samples > most:
        rule = f"be at most {most:,} for {n_classes} classes, since all are counted in memory"
        raise InvalidInput("n_samples", rule, f"{n_samples:,}", f"Choose {most:,} or less; another seed draws others.")


def check_repeats(repeats: int, n_places: int, places: str) -> None:
    """Raise InvalidInput if `repeats` at each place, such as prevalences, are more samples than a protocol draws at once."""
    most = MOST_COUNTS // 2
    if repeats * n_places > most:
        rule = f"give at most {most:,} samples, since all are counted in memory"
        hint = f"Choose {most // n_places:,} repeats or less." if n_places <= most else f"Choose fewer {places}."
        raise InvalidInput("repeats", rule, f"{repeats:,} at each of {n_places:,} {places}", hint)


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
