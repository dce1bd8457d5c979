"""The test-size protocol: the artificial-prevalence protocol at each of several sample sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from qcore._base.argument_kinds import check_generator
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_integer
from qcore.protocols.arguments import check_repeats, is_list, n_points
from qcore.protocols.artificial_prevalence import ArtificialPrevalence
from qcore.protocols.pool import PoolTooSmall
from qcore.protocols.samples import Samples

SMALLEST_SIZE: Final = 2
"""Algorithm 1 of Maletzke et al. (2020) asks for more than one instance."""

MAX_SIZES: Final = 30


class FittingSizes(NamedTuple):
    """The sizes that a pool can give, those that it can't, and the largest size that it could."""

    kept: tuple[int, ...]
    left_out: tuple[int, ...]
    largest: int


@dataclass(frozen=True)
class SizeGrid:
    """Samples of every size and prevalence of a grid, `repeats` of each.

    Parameters
    ----------
    sizes : the sample sizes m, 2 or more each; kept in increasing order, each once.
    grid : number g >= 2 of equally spaced prevalences from 0 to 1, or the prevalences themselves.
    repeats : samples for each size and prevalence.

    Raises
    ------
    InvalidInput
        A value is out of range, or there would be more than ten million samples.

    Examples
    --------
    >>> import numpy as np
    >>> grid = SizeGrid(sizes=(10, 20), grid=11, repeats=5)
    >>> [(samples.sample_size, len(samples)) for samples in grid.draw(np.repeat([1, 0], 30), np.random.default_rng(0))]
    [(10, 55), (20, 55)]

    Source: Maletzke et al. 2020, algorithm 1.
    """

    sizes: tuple[int, ...] = (10, 20, 30, 50, 70, 100)
    grid: int | Sequence[float] = 21
    repeats: int = 20

    def __post_init__(self) -> None:
        way_out = "Choose for example 10, 50 and 100."
        if isinstance(self.sizes, str) or not isinstance(self.sizes, Sequence | np.ndarray):
            raise InvalidInput("sizes", "be a list of sample sizes", repr(self.sizes), "Write for example (10, 50, 100).")
        if not 1 <= len(self.sizes) <= MAX_SIZES:
            raise InvalidInput("sizes", f"be 1 to {MAX_SIZES} sample sizes", f"{len(self.sizes)}", way_out)
        checked = {check_integer("a sample size", size, low=SMALLEST_SIZE, way_out=way_out) for size in self.sizes}
        object.__setattr__(self, "sizes", tuple(sorted(checked)))
        self.at(self.sizes[0])
        if is_list(self.grid):
            object.__setattr__(self, "grid", tuple(sorted({float(prevalence) for prevalence in self.grid})))
            self.at(self.sizes[0])
        check_repeats(self.repeats, len(self.sizes) * n_points(self.grid), "sizes and prevalences")

    def at(self, size: int) -> ArtificialPrevalence:
        """The protocol at one size."""
        return ArtificialPrevalence(self.grid, size, self.repeats)

    def of(self, sizes: Sequence[int]) -> SizeGrid:
        """The same grid with other sizes."""
        return replace(self, sizes=tuple(sizes))

    def only(self, size: int) -> SizeGrid:
        """The same grid with one size."""
        return self.of((size,))

    @property
    def prevalences(self) -> FloatArray:
        """The grid's prevalences, (g,), increasing."""
        return self.at(self.sizes[0]).prevalences

    def __len__(self) -> int:
        """How many samples there are in all."""
        return len(self.sizes) * len(self.prevalences) * self.repeats

    def fitting_sizes(self, n_positives: int, n_negatives: int) -> FittingSizes:
        """Which sizes a pool with these numbers of positives and negatives can give. Raises PoolTooSmall if there is none."""
        largest = self.at(self.sizes[0]).largest_sample_size(n_positives, n_negatives)
        kept = tuple(size for size in self.sizes if size <= largest)
        if not kept:
            rule = f"fit into a pool of {n_positives} positives and {n_negatives} negatives at every prevalence of the grid"
            way_out = f"Add one of {largest} or less." if largest >= SMALLEST_SIZE else "Use a larger pool."
            given = f"{self.sizes[0]}{' and more' if len(self.sizes) > 1 else ''}"
            raise PoolTooSmall("one of the sample sizes", rule, given, way_out, largest)
        return FittingSizes(kept, self.sizes[len(kept) :], largest)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> tuple[Samples, ...]:
        """Samples of each size, each ordered by prevalence and repeat.

        The samples of a size do not depend on the other sizes. Raises PoolTooSmall for a size that does not
        fit; `fitting_sizes` tells beforehand which sizes do.
        """
        check_generator(rng)
        root = int(rng.integers(2**63))
        return tuple(self._draw(size, pool_labels, root) for size in self.sizes)

    def draw_at(self, size: int, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """The samples of one size: what `draw` gives for it with a generator of the same state. Raises PoolTooSmall."""
        check_generator(rng)
        return self._draw(size, pool_labels, int(rng.integers(2**63)))

    def _draw(self, size: int, pool_labels: IntArray, root: int) -> Samples:
        return self.at(size).draw(pool_labels, np.random.default_rng([root, size]))
