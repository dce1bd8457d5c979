"""What makes an adjusted count uncertain: how much of its variance comes from the count, from the tpr and from the fpr."""

from typing import NamedTuple

import numpy as np

from qcore.intervals.analytic import delta_deviation
from qcore.intervals.counts import Counts


class VarianceShares(NamedTuple):
    """Parts of the variance of an adjusted count, which add up to 1; NaN where tpr is not above fpr."""

    of_count: float
    of_tpr: float
    of_fpr: float


def variance_shares(counts: Counts) -> VarianceShares:
    """The parts of the variance of one sample's adjusted count, by the delta method (Vaz et al. 2019).

    The rates have a success and a failure added, and so has the count, since a share of 0 or 1 would have no variance.

    Examples
    --------
    >>> [round(share, 2) for share in variance_shares(Counts(150, 1000, 90, 100, 10, 100))]
    [0.13, 0.0, 0.87]
    """
    (se, _), (sp, _) = counts.smoothed_rates
    m = np.asarray(counts.sample_size) + 2.0
    count, rates = (np.asarray(counts.predicted_positives) + 1.0) / m, (se, 1.0 - sp)
    if not counts.corrects or se + sp <= 1.0:
        return VarianceShares(np.nan, np.nan, np.nan)
    p = np.clip((count - rates[1]) / (rates[0] - rates[1]), 0.0, 1.0)
    sizes = (m, np.asarray(counts.positives) + 2.0, np.asarray(counts.negatives) + 2.0)
    # Of infinitely many instances nothing scatters.
    alone = ([size if at == part else np.inf for at, size in enumerate(sizes)] for part in range(3))
    variances = [float(delta_deviation(p, count, rates, (of[0], of[1], of[2]))) ** 2 for of in alone]
    return VarianceShares(*(variance / sum(variances) for variance in variances))
