"""The artificial-prevalence protocol (APP): of two classes, of more, and at several sample sizes.

The test-size protocol: the artificial-prevalence protocol at each of several sample sizes.

The artificial-prevalence protocol over the simplex: every way to share out a grid of prevalences among the classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import comb
from typing import NamedTuple, Self

import numpy as np

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_generator, check_integer
from qcore.protocols.pool import (
    MOST_COUNTS,
    PoolTooSmall,
    binary_labels,
    check_fits,
    check_grid,
    check_repeats,
    check_sample_size,
    counts_of_prevalences,
    is_list,
    largest_sample_size,
    n_points,
    pool_classes,
    samples_with,
)
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
        check_integer("sample_size", self.sample_size, low=1, hint="Choose for example 100.")
        check_integer("repeats", self.repeats, low=1, hint="Choose for example 100.")
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


SMALLEST_SIZE = 2
"""Algorithm 1 of Maletzke et al. (2020) asks for more than one instance."""

MAX_SIZES = 30


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
        hint = "Choose for example 10, 50 and 100."
        if isinstance(self.sizes, str) or not isinstance(self.sizes, Sequence | np.ndarray):
            raise InvalidInput("sizes", "be a list of sample sizes", repr(self.sizes), "Write for example (10, 50, 100).")
        if not 1 <= len(self.sizes) <= MAX_SIZES:
            raise InvalidInput("sizes", f"be 1 to {MAX_SIZES} sample sizes", f"{len(self.sizes)}", hint)
        checked = {check_integer("a sample size", size, low=SMALLEST_SIZE, hint=hint) for size in self.sizes}
        object.__setattr__(self, "sizes", tuple(sorted(checked)))
        self.at(self.sizes[0])
        if is_list(self.grid):
            object.__setattr__(self, "grid", tuple(sorted({float(prevalence) for prevalence in self.grid})))
            self.at(self.sizes[0])
        check_repeats(self.repeats, len(self.sizes) * n_points(self.grid), "sizes and prevalences")

    def at(self, size: int) -> ArtificialPrevalence:
        """The protocol at one size."""
        return ArtificialPrevalence(self.grid, size, self.repeats)

    def of(self, sizes: Sequence[int]) -> "SizeGrid":
        """The same grid with other sizes."""
        return replace(self, sizes=tuple(sizes))

    def only(self, size: int) -> "SizeGrid":
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
            hint = f"Add one of {largest} or less." if largest >= SMALLEST_SIZE else "Use a larger pool."
            given = f"{self.sizes[0]}{' and more' if len(self.sizes) > 1 else ''}"
            raise PoolTooSmall("one of the sample sizes", rule, given, hint, largest)
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


def n_prevalences(grid: int, n_classes: int) -> int:
    """How many prevalence vectors `grid` points from 0 to 1 give: C(grid + n_classes - 2, n_classes - 1).

    Examples
    --------
    >>> n_prevalences(21, 2), n_prevalences(21, 3)
    (21, 231)
    """
    check_integer("grid", grid, low=2, hint="Choose for example 21.")
    check_integer("n_classes", n_classes, low=2)
    return comb(grid + n_classes - 2, n_classes - 1)


def largest_grid(budget: int, n_classes: int, repeats: int = 1) -> int:
    """The largest grid that gives `budget` samples or fewer. Raises InvalidInput if 2 points give more.

    Examples
    --------
    >>> largest_grid(500, 3)
    31
    """
    check_integer("n_classes", n_classes, low=2)
    least = n_classes * check_integer("repeats", repeats, low=1)
    check_integer("budget", budget, low=least, hint=f"Choose {least} or more: a grid of 2 points gives {least}.")
    fits, too_many = 2, 4
    while n_prevalences(too_many, n_classes) * repeats <= budget:
        fits, too_many = too_many, 2 * too_many
    while too_many - fits > 1:
        between = (fits + too_many) // 2
        fits, too_many = (between, too_many) if n_prevalences(between, n_classes) * repeats <= budget else (fits, between)
    return fits


def simplex_prevalences(grid: int, n_classes: int) -> FloatArray:
    """All prevalence vectors whose parts are multiples of 1 / (grid - 1), in increasing order: (n_prevalences, n_classes)."""
    steps = grid - 1
    # Stars and bars: n_classes - 1 bars among steps + n_classes - 1 places leave the parts between them.
    ways = chain.from_iterable(combinations(range(steps + n_classes - 1), n_classes - 1))
    bars = np.fromiter(ways, dtype=np.int32).reshape(-1, n_classes - 1)
    ends = np.full((len(bars), 1), steps + n_classes - 1)
    return (np.diff(np.hstack([np.full((len(bars), 1), -1), bars, ends]), axis=1) - 1) / steps


@dataclass(frozen=True)
class SimplexPrevalence:
    """APP for any number of classes: `repeats` samples for each prevalence vector of a grid on the simplex.

    Parameters
    ----------
    grid : number g >= 2 of equally spaced points of [0, 1]; all vectors of these points that sum to 1 are used.
        `largest_grid` gives the largest for a budget of samples.
    sample_size : m, drawn without replacement; counts are rounded to sum to m, by largest remainder.
    repeats : samples for each vector.

    Raises InvalidInput for a value out of range. Source: QuaPy, evaluation page.

    Examples
    --------
    >>> import numpy as np
    >>> samples = SimplexPrevalence(grid=3, sample_size=4, repeats=1).draw(np.repeat([0, 1, 2], 4), np.random.default_rng(0))
    >>> samples.prevalences.tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
    """

    grid: int = 21
    sample_size: int = 100
    repeats: int = 1

    def __post_init__(self) -> None:
        check_integer("grid", self.grid, low=2, hint="Choose for example 21.")
        check_integer("sample_size", self.sample_size, low=1, hint="Choose for example 100.")
        check_integer("repeats", self.repeats, low=1)

    def draw(self, pool_labels: IntArray, rng: np.random.Generator) -> Samples:
        """Samples ordered by prevalence and repeat.

        Raises
        ------
        InvalidInput
            The smallest class of the pool is smaller than a sample, or grid and repeats give more than 20 million
            counts (samples times classes).
        """
        check_generator(rng)
        labels, sizes = pool_classes(pool_labels)
        check_sample_size(self.sample_size, int(sizes.min()), "the smallest class of the pool")
        most = MOST_COUNTS // len(sizes)
        check_integer("repeats", self.repeats, low=1, high=most // len(sizes), hint="Choose for example 10.")
        n_samples = n_prevalences(self.grid, len(sizes)) * self.repeats
        if n_samples > most:
            best = largest_grid(most, len(sizes), self.repeats)
            rule = f"give at most {most:,} samples"
            raise InvalidInput("grid", rule, f"{n_samples:,}", f"Choose {best} or less for {len(sizes)} classes.")
        targets = simplex_prevalences(self.grid, len(sizes))
        repeated = np.repeat(targets, self.repeats, axis=0)
        return samples_with(counts_of_prevalences(repeated, self.sample_size), repeated, labels, rng, self.repeats)
