"""The artificial-prevalence protocol (APP) of a binary problem."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from qcore._base.argument_kinds import check_generator
from qcore._base.validation import FloatArray, IntArray, check_integer
from qcore.protocols.arguments import check_grid, check_repeats, is_list, n_points
from qcore.protocols.pool import binary_labels, check_fits, counts_of_prevalences, largest_sample_size, samples_with
from qcore.protocols.samples import Samples


@dataclass(frozen=True)
class ArtificialPrevalence:
    """The artificial-prevalence protocol (APP): for each prevalence of a grid, `repeats` samples of `sample_size`.

    Parameters
    ----------
    grid : number g >= 2 of equally spaced prevalences from 0 to 1, or the prevalences themselves.
    sample_size : m, instances in a sample, drawn without replacement: round(p m) positives (halves to even, which the
        papers leave open), the rest negatives. A sample's true prevalence is its own, round(p m) / m.
    repeats : samples for each prevalence.

    Raises
    ------
    InvalidInput
        A value is out of range, or there would be more than ten million samples.

    Examples
    --------
    >>> import numpy as np
    >>> protocol = ArtificialPrevalence(grid=3, sample_size=4, repeats=2)
    >>> samples = protocol.draw([1, 1, 1, 1, 0, 0, 0, 0], np.random.default_rng(0))
    >>> samples.prevalences.tolist()
    [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]

    Source: Forman 2008; Maletzke et al. 2020, algorithm 1; QuaPy, evaluation page.
    """

    grid: int | Sequence[float] = 21
    sample_size: int = 100
    repeats: int = 100

    def __post_init__(self) -> None:
        check_grid(self.grid)
        check_integer("sample_size", self.sample_size, low=1, way_out="Choose for example 100.")
        check_integer("repeats", self.repeats, low=1, way_out="Choose for example 100.")
        check_repeats(self.repeats, n_points(self.grid), "prevalences")

    @cached_property
    def prevalences(self) -> FloatArray:
        """The grid's prevalences, (g,), increasing."""
        if is_list(self.grid):
            return np.sort(np.asarray(self.grid, dtype=float))
        return np.linspace(0.0, 1.0, n_points(self.grid))

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples from a pool, ordered by prevalence and repeat.

        Raises
        ------
        InvalidInput
            The pool is too small for the sample size; the message names the largest that works.
        """
        check_generator(rng)
        labels = binary_labels(pool_labels)
        self.check_pool(int(np.sum(labels == 1)), int(np.sum(labels == 0)))
        targets = np.repeat(np.stack([1.0 - self.prevalences, self.prevalences], axis=1), self.repeats, axis=0)
        return samples_with(counts_of_prevalences(targets, self.sample_size), targets, labels, rng, self.repeats)

    def largest_sample_size(self, n_positives: int, n_negatives: int) -> int:
        """The largest size up to which all sizes work on a pool with these positives and negatives; 0 if none does."""
        return largest_sample_size(self.prevalences, n_positives, n_negatives)

    def at_most(self, n_positives: int, n_negatives: int) -> Self:
        """The same with the largest sample size, up to its own, that a pool can give; with size 1 if it can give none."""
        return replace(self, sample_size=max(1, min(self.sample_size, self.largest_sample_size(n_positives, n_negatives))))

    def check_pool(self, n_positives: int, n_negatives: int) -> None:
        """Raise InvalidInput when the pool is too small for the sample size; this draws nothing."""
        check_fits(self.prevalences, self.sample_size, n_positives, n_negatives, "at every prevalence of the grid")
