"""The 2 x 5 cross-validation by which classifiers choose their parameters. Source: Barranquero 2013, 5.2.4."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from qcore._base.validation import IntArray

_N_FOLDS: Final = 5
_N_REPEATS: Final = 2


def n_search_folds(truth: IntArray) -> int:
    """Number of folds of labels 0 and 1, (n,): 5, or fewer where a class has fewer instances. With 1, there is no search."""
    return min(_N_FOLDS, int(np.bincount(truth).min()))


def search_folds(truth: IntArray, random_state: int | None) -> Iterator[tuple[IntArray, IntArray]]:
    """(rows inside, rows held out) of each fold, both repeats one after the other."""
    folds = RepeatedStratifiedKFold(n_splits=n_search_folds(truth), n_repeats=_N_REPEATS, random_state=random_state)
    return folds.split(truth, truth)
