"""What a protocol needs of a pool: counts for prevalences, the largest sample size, and the error if the pool is too small."""

from bisect import bisect_left
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_class_labels
from qcore.protocols.samples import Samples


class SamplingProtocol(Protocol):
    """A rule by which samples are drawn from a pool."""

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


def draw_samples(protocol: SamplingProtocol, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
    """The samples of a protocol. Raises InvalidInput for another object, and if it draws samples of several sizes."""
    can_draw = hasattr(protocol, "draw") and not isinstance(protocol, type)
    samples = protocol.draw(pool_labels, rng) if can_draw else None
    if not isinstance(samples, Samples):
        way_out = "Pass one such as ArtificialPrevalence(21, 100, 100); for several sizes, one after the other."
        raise InvalidInput("protocol", "draw samples of one size", repr(protocol)[:60], way_out)
    return samples


class PoolTooSmall(InvalidInput):
    """The pool can't give samples of the requested size; `largest` is the largest size that works (0: none)."""

    def __init__(self, name: str, rule: str, value: object, way_out: str, largest: int) -> None:
        super().__init__(name, rule, value, way_out)
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
        way_out = f"Choose {largest}, the largest that works here, or less." if largest else "Use a larger pool."
        rule = f"fit into a pool of {n_positives} positives and {n_negatives} negatives {where}"
        raise PoolTooSmall("sample size", rule, str(sample_size), way_out, largest)


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
