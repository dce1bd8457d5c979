"""Arguments that protocols have in common: prevalences that are given one by one, and how many samples there are."""

from collections.abc import Sequence
from typing import Any, Final, TypeGuard

import numpy as np

from qcore._base.meant_choice import in_a_line
from qcore._base.validation import InvalidInput, check_fraction, check_integer

MOST_COUNTS: Final = 20_000_000
"""Largest number of counts, one for each sample and class: a few hundred megabytes while a protocol draws."""

_POINTS: Final = "Choose for example 11, 21 or 101 points."


def is_list(values: object) -> TypeGuard[Sequence[Any]]:
    """Whether values are given one by one, in a list, a tuple or an array, and not as text."""
    return isinstance(values, Sequence | np.ndarray) and not isinstance(values, str | bytes) and np.shape(values) != ()


def n_points(grid: int | Sequence[float]) -> int:
    """How many prevalences a checked grid has."""
    return int(grid) if isinstance(grid, int | np.integer) else len(grid)


def check_grid(grid: object) -> None:
    """Raise InvalidInput unless a grid is a number of points or a list of prevalences, at least 2 in both cases."""
    if is_list(grid):
        if len(grid) < 2:
            raise InvalidInput("grid", "have at least 2 prevalences", str(len(grid)), _POINTS)
        for prevalence in grid:
            check_fraction("a prevalence of grid", prevalence)
    elif isinstance(grid, str | bytes) or np.iterable(grid):
        way_out = "Write for example 21, or [0.1, 0.5, 0.9]; list(values) makes a list of other values."
        raise InvalidInput("grid", "be a whole number of points or a list of prevalences", in_a_line(grid)[:60], way_out)
    else:
        check_integer("grid", grid, low=2, way_out=_POINTS)


def check_n_samples(n_samples: int, n_classes: int = 2) -> None:
    """Raise InvalidInput for more samples, of so many classes, than a protocol draws at once."""
    most = MOST_COUNTS // n_classes
    if n_samples > most:
        rule = f"be at most {most:,} for {n_classes} classes, since all are counted in memory"
        raise InvalidInput("n_samples", rule, f"{n_samples:,}", f"Choose {most:,} or less; another seed draws others.")


def check_repeats(repeats: int, n_places: int, places: str) -> None:
    """Raise InvalidInput if `repeats` at each place, such as prevalences, are more samples than a protocol draws at once."""
    most = MOST_COUNTS // 2
    if repeats * n_places > most:
        rule = f"give at most {most:,} samples, since all are counted in memory"
        way_out = f"Choose {most // n_places:,} repeats or less." if n_places <= most else f"Choose fewer {places}."
        raise InvalidInput("repeats", rule, f"{repeats:,} at each of {n_places:,} {places}", way_out)
