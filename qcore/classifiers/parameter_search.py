"""The cross-validation by which classifiers choose their parameters. Source: Barranquero 2013, 5.2.4.

The thesis says "2 x 5", which is 5 folds, twice; its source (Dietterich 1998) proposes 5 x 2, which is 2 folds, five times.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from qcore._base.validation import IntArray


class Search(NamedTuple):
    """A repeated stratified cross-validation."""

    n_repeats: int
    n_folds: int


SEARCHES: Final[Mapping[str, Search]] = {"2 x 5": Search(2, 5), "5 x 2": Search(5, 2)}
DEFAULT_SEARCH: Final = "2 x 5"


def n_search_folds(truth: IntArray, search: str = DEFAULT_SEARCH) -> int:
    """Number of folds for labels 0 and 1, (n,); fewer if a class has fewer instances. With 1 fold, there is no search."""
    return min(SEARCHES[search].n_folds, int(np.bincount(truth).min()))


def search_folds(
    truth: IntArray, random_state: int | None, search: str = DEFAULT_SEARCH
) -> Iterator[tuple[IntArray, IntArray]]:  # fmt: skip
    """(training rows, held-out rows) of each fold, one repeat after the other."""
    folds = RepeatedStratifiedKFold(
        n_splits=n_search_folds(truth, search), n_repeats=SEARCHES[search].n_repeats, random_state=random_state
    )
    return folds.split(truth, truth)
