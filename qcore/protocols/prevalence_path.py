"""A protocol that follows a list of prevalences in order: a trend over days, or one prevalence many times."""

from collections.abc import Mapping, MappingView, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput, check_fraction, check_generator, check_integer
from qcore.protocols.pool import binary_labels, check_fits, check_repeats, counts_of_prevalences, positives_of, samples_with
from qcore.protocols.samples import Samples


@dataclass(frozen=True)
class PrevalencePath:
    """Samples of a binary problem whose positive prevalence follows a path.

    Parameters
    ----------
    prevalences : positive prevalence at each step of the path.
    sample_size : m, instances in a sample, drawn without replacement: round(p m) positives, halves to even.
    repeats : samples at each step.

    Raises InvalidInput for a value out of range.

    Examples
    --------
    >>> import numpy as np
    >>> path = PrevalencePath((0.5, 0.25, 0.75), sample_size=4)
    >>> path.draw([1, 1, 1, 1, 0, 0, 0, 0], np.random.default_rng(0)).prevalences.tolist()
    [0.5, 0.25, 0.75]
    """

    prevalences: tuple[float, ...]
    sample_size: int = 100
    repeats: int = 1

    def __post_init__(self) -> None:
        # A set or a mapping has a length, too, but no order.
        is_other = isinstance(self.prevalences, str | bytes | Set | Mapping | MappingView)
        if is_other or not (np.iterable(self.prevalences) and hasattr(self.prevalences, "__len__")):
            raise InvalidInput(
                "prevalences", "be a list of prevalences", repr(self.prevalences)[:60], "Write for example (0.3,)."
            )
        if not len(self.prevalences):
            raise InvalidInput("prevalences", "name at least one prevalence", "none", "Write for example (0.3,).")
        for prevalence in self.prevalences:
            check_fraction("a prevalence of the path", prevalence)
        check_integer("sample_size", self.sample_size, low=1, hint="Choose for example 100.")
        check_integer("repeats", self.repeats, low=1, hint="Choose for example 1.")
        check_repeats(self.repeats, len(self.prevalences), "steps")

    @property
    def path(self) -> FloatArray:
        """The prevalences as an array, (n_steps,)."""
        return np.array(self.prevalences, dtype=float)

    @property
    def drawn_prevalences(self) -> FloatArray:
        """The prevalences that samples of this size really have, (n_steps,): positives are whole numbers."""
        return positives_of(self.path, self.sample_size) / self.sample_size

    def draw(self, pool_labels: ArrayLike, rng: np.random.Generator) -> Samples:
        """Samples in the order of the path, repeats of a step together.

        Raises PoolTooSmall when the pool can't give them, InvalidInput for labels other than 0 and 1.
        """
        check_generator(rng)
        labels = binary_labels(pool_labels)
        self.check_pool(int(np.sum(labels == 1)), int(np.sum(labels == 0)))
        targets = np.repeat(np.stack([1.0 - self.path, self.path], axis=1), self.repeats, axis=0)
        return samples_with(counts_of_prevalences(targets, self.sample_size), targets, labels, rng, self.repeats)

    def check_pool(self, n_positives: int, n_negatives: int) -> None:
        """Raise PoolTooSmall when the pool is too small for the sample size; this draws nothing."""
        low, high = min(self.prevalences), max(self.prevalences)
        where = f"at a prevalence of {low:.2f}" if low == high else f"at prevalences from {low:.2f} to {high:.2f}"
        check_fits(self.path, self.sample_size, n_positives, n_negatives, where)
