"""Rates the wrong way round: a tpr below the fpr, and what it may come from."""

from typing import Final

import numpy as np

from qcore.intervals.counts import Counts

_BY_CHANCE: Final = 2.0
"""Standard errors by which a tpr may lie below an fpr by chance."""


def reversed_rates(counts: Counts) -> str:
    """A sentence where the tpr is below the fpr, which no classifier of use has; else empty. Of one sample, or of many alike.

    Examples
    --------
    >>> reversed_rates(Counts(45, 100, 30, 100, 60, 100))[:53]
    'tpr (0.30) is below fpr (0.60), the wrong way round: '
    """
    tpr, fpr = float(counts.tpr), float(counts.fpr)
    if tpr >= fpr:
        return ""
    (se, of_se), (sp, of_sp) = counts.smoothed_rates
    by_chance = 1.0 - se - sp < _BY_CHANCE * np.sqrt(of_se + of_sp)
    maybe = " (perhaps by chance)" if by_chance else ""
    return (
        f"tpr ({tpr:.2f}) is below fpr ({fpr:.2f}), the wrong way round{maybe}: true and false positives or the classes may be "
        "swapped, or the scores be those of the other class."
    )
