"""How a recommender fares: errors by size beside its bounds, what it chooses, which metafeatures decide."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from qcore.metafeatures import METAFEATURES
from qcore.recommendation import Recommended
from qcore.rounding import TIE
from qcore.validation import FloatArray, check_integer

_MOST_SHUFFLED: Final = 2000
_SHUFFLES: Final = 423
"""Beside the seed: random draws for different ends share no generator."""


def errors_by_size(found: Recommended) -> pd.DataFrame:
    """Mean AE at each size: name (each candidate, MLQ, TOP, RND), size, mean, standard_error, n."""
    sizes = found.table.sizes
    rows = []
    for name, errors in found.errors.items():
        for size in np.unique(sizes):
            own = errors[sizes == size]
            rows.append((name, int(size), own.mean(), _standard_error(own), len(own)))
    return pd.DataFrame(rows, columns=["name", "size", "mean", "standard_error", "n"])


def choices_by_size(found: Recommended) -> pd.DataFrame:
    """How often each candidate is chosen at each size, and how often it is best: candidate, size, chosen, best.

    Where several are best, each counts an equal part.
    """
    table = found.table
    ties = table.errors <= table.errors.min(axis=1, keepdims=True) + TIE
    shares = ties / ties.sum(axis=1, keepdims=True)
    rows = []
    for place, name in enumerate(table.candidates):
        for size in np.unique(table.sizes):
            own = table.sizes == size
            rows.append((name, int(size), (found.chosen[own] == place).mean(), shares[own, place].mean()))
    return pd.DataFrame(rows, columns=["candidate", "size", "chosen", "best"])


def deciding_metafeatures(found: Recommended, seed: int = 0, repeats: int = 3) -> pd.DataFrame:
    """What the recommender looks at: metafeature, changed, cost, standard_error; the most deciding first.

    One metafeature at a time is shuffled over (up to 2,000 of) the test samples: `changed` is the share of recommendations
    that are others then, `cost` how much MLQ's mean AE rises, both means over the `repeats`; the error is that of the cost
    over the samples. A metafeature that others stand in for costs little, so that it does not say what going without would.
    """
    check_integer("repeats", repeats, low=1)
    rng = np.random.default_rng([seed, _SHUFFLES])
    table = found.table
    rows = rng.permutation(len(table))[:_MOST_SHUFFLED]
    described, errors, chosen = table.metafeatures[rows], table.errors[rows], found.chosen[rows]
    before = np.take_along_axis(errors, chosen[:, np.newaxis], axis=1)[:, 0]
    result = []
    for place, name in enumerate(METAFEATURES):
        shuffled = np.concatenate([_shuffled(described, place, rng) for _ in range(repeats)])
        others = found.recommender.recommend(shuffled).reshape(repeats, -1)
        after = np.take_along_axis(errors[np.newaxis], others[:, :, np.newaxis], axis=2)[:, :, 0].mean(axis=0)
        result.append((name, (others != chosen).mean(), (after - before).mean(), _standard_error(after - before)))
    deciding = pd.DataFrame(result, columns=["metafeature", "changed", "cost", "standard_error"])
    return deciding.sort_values("changed", ascending=False, kind="stable", ignore_index=True)


def _shuffled(described: FloatArray, place: int, rng: np.random.Generator) -> FloatArray:
    copy = described.copy()
    copy[:, place] = rng.permutation(copy[:, place])
    return copy


def against_singles(found: Recommended) -> pd.DataFrame:
    """MLQ beside each single candidate, a row for each candidate and size, and for all sizes (size 0).

    Columns: candidate, size, mlq, single (mean AE of either), difference (MLQ less the candidate) and standard_error (of that
    difference on the same samples; samples of one pool share instances, so that it is a little small).
    """
    sizes = found.table.sizes
    rows = []
    for name in found.table.candidates:
        apart = found.errors["MLQ"] - found.errors[name]
        for size in [*np.unique(sizes), 0]:
            own = sizes == size if size else np.ones(len(sizes), dtype=bool)
            means = (found.errors["MLQ"][own].mean(), found.errors[name][own].mean())
            rows.append((name, int(size), *means, apart[own].mean(), _standard_error(apart[own])))
    return pd.DataFrame(rows, columns=["candidate", "size", "mlq", "single", "difference", "standard_error"])


def _standard_error(values: FloatArray) -> float:
    """Of the mean of `values`; of one value there is none, which counts as 0."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
