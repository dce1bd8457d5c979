"""The experiment on the sample size of Maletzke et al. (2020), and how many instances its samples share.

The experiment of Maletzke et al. (2020) on the test set size: its grid of samples, and its quantifiers.

How often an instance of a pool is drawn, and how many instances samples share: whether repeats can be trusted.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from qcore._base.validation import IntArray
from qcore.protocols import Samples, SizeGrid

GRID_OF_MALETZKE_2020 = SizeGrid((*range(10, 101, 10), 200, 300, 400, 500), 101, 10)
"""14 sizes x 101 prevalences x 10 repeats = 14,140 samples. Source: Maletzke et al. 2020, section 6."""

METHODS_OF_MALETZKE_2020 = (
    "CC",
    "AC",
    "PCC",
    "PACC",
    "T50",
    "X",
    "Max",
    "MS",
    "EMQ-5",
    "HDy",
    "DyS-TS",
    "DyS-JD",
    "DyS-PS",
    "DyS-ORD",
    "SORD",
)
"""The experiment's quantifiers on scores, with the variants of DyS. Source: Maletzke et al. 2020, Table 1 and section 6."""


_MAX_BINS = 40

MOSTLY_SHARED = 0.5
"""Two samples that share more of their instances than this are nearly the same sample."""


def draw_counts(samples: Sequence[Samples]) -> IntArray:
    """How often each instance of the pool is drawn over all samples: (n_pool,)."""
    n_pool = len(samples[0].pool_labels)
    return sum(
        (np.bincount(index.ravel(), minlength=n_pool) for drawn in samples for _, index in drawn.blocks()),
        start=np.zeros(n_pool, dtype=np.intp),
    )


def draw_histogram(counts: IntArray, pool_labels: IntArray) -> pd.DataFrame:
    """Number of instances of each class by how often they are drawn; `counts` from `draw_counts` and labels, both (n_pool,).

    Returns a table with a row for each range of counts: first, last (ends included), negatives, positives.
    """
    lowest, highest = int(counts.min()), int(counts.max())
    width = max(1, -(-(highest - lowest + 1) // _MAX_BINS))
    edges = np.arange(lowest, highest + width + 1, width)
    classes = {
        name: np.histogram(counts[pool_labels == label], edges)[0] for label, name in enumerate(("negatives", "positives"))
    }
    return pd.DataFrame({"first": edges[:-1], "last": edges[1:] - 1, **classes})


def sample_overlap(samples: Sequence[Samples]) -> pd.DataFrame:
    """The share of instances that samples of a binary problem have in common, a row for each size.

    Columns: size, samples, draws_positive and draws_negative (how often a member of that class is drawn on average), shared and
    most_shared (the expected share of a sample's instances that another sample with the same prevalence has too, its mean
    over the samples and its maximum). Of two draws of k positives without replacement from P, k^2 / P are expected in both.
    """
    rows = []
    for drawn in samples:
        n_negatives, n_positives = np.bincount(drawn.pool_labels, minlength=2)
        positives, size = drawn.positives.astype(float), drawn.sample_size
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
