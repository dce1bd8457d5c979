"""The artificial-prevalence protocol over the simplex: every way to share out a grid of prevalences among the classes."""

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

import numpy as np

from qcore._base.argument_kinds import check_generator
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_integer
from qcore.protocols.arguments import MOST_COUNTS
from qcore.protocols.pool import check_sample_size, counts_of_prevalences, pool_classes, samples_with
from qcore.protocols.samples import Samples


def n_prevalences(grid: int, n_classes: int) -> int:
    """How many prevalence vectors `grid` points from 0 to 1 give: C(grid + n_classes - 2, n_classes - 1)."""
    check_integer("grid", grid, low=2, way_out="Choose for example 21.")
    check_integer("n_classes", n_classes, low=2)
    return comb(grid + n_classes - 2, n_classes - 1)


def largest_grid(budget: int, n_classes: int, repeats: int = 1) -> int:
    """The largest grid that gives `budget` samples or fewer. Raises InvalidInput if 2 points give more."""
    check_integer("n_classes", n_classes, low=2)
    least = n_classes * check_integer("repeats", repeats, low=1)
    check_integer("budget", budget, low=least, way_out=f"Choose {least} or more: a grid of 2 points gives {least}.")
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
        check_integer("grid", self.grid, low=2, way_out="Choose for example 21.")
        check_integer("sample_size", self.sample_size, low=1, way_out="Choose for example 100.")
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
        check_integer("repeats", self.repeats, low=1, high=most // len(sizes), way_out="Choose for example 10.")
        n_samples = n_prevalences(self.grid, len(sizes)) * self.repeats
        if n_samples > most:
            best = largest_grid(most, len(sizes), self.repeats)
            rule = f"give at most {most:,} samples"
            raise InvalidInput("grid", rule, f"{n_samples:,}", f"Choose {best} or less for {len(sizes)} classes.")
        targets = simplex_prevalences(self.grid, len(sizes))
        repeated = np.repeat(targets, self.repeats, axis=0)
        return samples_with(counts_of_prevalences(repeated, self.sample_size), repeated, labels, rng, self.repeats)
