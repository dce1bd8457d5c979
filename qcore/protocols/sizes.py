"""The test-size protocol: the artificial-prevalence protocol at each of several sample sizes (Z Algorithm 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from qcore.protocols.artificial import ArtificialPrevalence
from qcore.protocols.pool import PoolTooSmall
from qcore.sampling import Samples
from qcore.validation import FloatArray, IntArray, InvalidInput, check_integer

LEAST_SIZE: Final = 2
"""Algorithm 1 asks for more than one instance."""

MOST_SIZES: Final = 30


class Fitting(NamedTuple):
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
        A value is out of range.

    Source: Z Algorithm 1; spec section 5.
    """

    sizes: tuple[int, ...] = (10, 20, 30, 50, 70, 100)
    grid: int | Sequence[float] = 21
    repeats: int = 20

    def __post_init__(self) -> None:
        way_out = "Choose for example 10, 50 and 100."
        if isinstance(self.sizes, str) or not isinstance(self.sizes, Sequence | np.ndarray):
            raise InvalidInput("sizes", "be a list of sample sizes", repr(self.sizes), "Write for example (10, 50, 100).")
        if not 1 <= len(self.sizes) <= MOST_SIZES:
            raise InvalidInput("sizes", f"be 1 to {MOST_SIZES} sample sizes", f"{len(self.sizes)}", way_out)
        checked = {check_integer("a sample size", size, low=LEAST_SIZE, way_out=way_out) for size in self.sizes}
        object.__setattr__(self, "sizes", tuple(sorted(checked)))
        if isinstance(self.grid, Sequence | np.ndarray):
            object.__setattr__(self, "grid", tuple(sorted({float(prevalence) for prevalence in self.grid})))
        self.at(self.sizes[0])

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

    def fitting(self, n_positives: int, n_negatives: int) -> Fitting:
        """Which sizes a pool of so many positives and negatives can give. Raises PoolTooSmall where it can give none."""
        largest = self.at(self.sizes[0]).largest_sample_size(n_positives, n_negatives)
        kept = tuple(size for size in self.sizes if size <= largest)
        if not kept:
            rule = f"fit into a pool of {n_positives} positives and {n_negatives} negatives at every prevalence of the grid"
            way_out = f"Add one of {largest} or less." if largest >= LEAST_SIZE else "Use a larger pool."
            raise PoolTooSmall("one of the sample sizes", rule, f"{self.sizes[0]} and more", way_out, largest)
        return Fitting(kept, self.sizes[len(kept) :], largest)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> tuple[Samples, ...]:
        """Samples of each size, each ordered by prevalence and repeat.

        What is drawn at a size does not depend on which others are asked for. Raises PoolTooSmall for a size that does not
        fit; `fitting` tells beforehand which do.
        """
        root = int(rng.integers(2**63))
        return tuple(self._draw(size, pool_labels, root) for size in self.sizes)

    def draw_at(self, size: int, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """The samples of one size: what `draw` gives for it with a generator of the same state. Raises PoolTooSmall."""
        return self._draw(size, pool_labels, int(rng.integers(2**63)))

    def _draw(self, size: int, pool_labels: IntArray, root: int) -> Samples:
        return self.at(size).draw(pool_labels, np.random.default_rng([root, size]))


PAPERS_GRID: Final = SizeGrid((*range(10, 101, 10), 200, 300, 400, 500), 101, 10)
"""The grid of Maletzke et al. (2020), section 6: 14 sizes x 101 prevalences x 10 repeats = 14,140 samples."""


def typed_sizes(text: str, most: int) -> tuple[int, ...]:
    """The sample sizes that a person typed, such as "10 50, 100", increasing and each once.

    Raises InvalidInput for anything but whole numbers from 2 to `most`, 1 to 30 of them.
    """
    way_out = "Write for example: 10 20 50 100"
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    if not 1 <= len(words) <= MOST_SIZES:
        raise InvalidInput("the sample sizes", f"be 1 to {MOST_SIZES} numbers", f"{len(words)}", way_out)
    for word in words:
        # Digits of other scripts are digits too, and a number can have any length.
        if not re.fullmatch(r"[0-9]{1,6}", word) or not LEAST_SIZE <= int(word) <= most:
            raise InvalidInput("each sample size", f"be a whole number from {LEAST_SIZE} to {most}", repr(word[:20]), way_out)
    return tuple(sorted({int(word) for word in words}))
