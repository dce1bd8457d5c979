"""How often an instance of a pool is drawn, and how much samples share: what repeats of an experiment are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from qcore.sampling import Samples
from qcore.validation import IntArray

MOSTLY_SHARED: Final = 0.5
"""Two samples that share more than this are nearly one and the same."""


def draws(samples: Sequence[Samples]) -> IntArray:
    """How often each instance of the pool is drawn over all samples: (n_pool,)."""
    n_pool = len(samples[0].pool_labels)
    return sum(
        (np.bincount(index.ravel(), minlength=n_pool) for drawn in samples for _, index in drawn.blocks()),
        start=np.zeros(n_pool, dtype=np.int64),
    )


def sharing(samples: Sequence[Samples]) -> pd.DataFrame:
    """What samples of binary problems share, a row for each size.

    Columns: size, samples, draws_positive and draws_negative (how often a member of that class is drawn on average), shared and
    most_shared (the expected share of a sample's instances that another sample with the same prevalence has too, its mean
    over the samples and its maximum). Of k positives drawn twice without replacement from P, k^2 / P are expected twice.
    """
    rows = []
    for drawn in samples:
        n_negatives, n_positives = np.bincount(drawn.pool_labels, minlength=2)
        positives, size = drawn.positives, drawn.sample_size
        shared = (positives**2 / n_positives + (size - positives) ** 2 / n_negatives) / size
        rows.append(
            {
                "size": size,
                "samples": len(drawn),
                "draws_positive": positives.sum() / n_positives,
                "draws_negative": (size - positives).sum() / n_negatives,
                "shared": shared.mean(),
                "most_shared": shared.max(),
            }
        )
    return pd.DataFrame(rows)
