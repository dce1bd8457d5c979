"""What happens inside a quantifier for one sample: which of them can show it, and the mixtures that matching finds."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from qcore.quantifiers import QUANTIFIERS, Quantifier
from qcore.quantifiers.likelihood import EMQ
from qcore.quantifiers.matching import DyS, HDy, sample_histogram
from qcore.quantifiers.rate_curve import counts_at
from qcore.quantifiers.sord import SORD
from qcore.quantifiers.thresholds import MedianSweep
from qcore.validation import FloatArray, check_one_sample

SHOWN_BINS: Final = 10
"""A bin count that both HDy and DyS use, and that a person can still look at."""


def kind_of_inside(quantifier: Quantifier) -> str | None:
    """How a quantifier's inside can be shown: "sweep", "objective" or "trajectory"; None if it has none."""
    if isinstance(quantifier, MedianSweep):
        return "sweep"
    if isinstance(quantifier, HDy | DyS | SORD):
        return "objective"
    return "trajectory" if isinstance(quantifier, EMQ) else None


INSIDES: Final = tuple(key for key, entry in QUANTIFIERS.items() if kind_of_inside(entry.make()))
"""Keys of the quantifiers that show their inside."""


def matched_histogram(fitted: HDy | DyS, sample: FloatArray, weight: float, n_bins: int = SHOWN_BINS) -> pd.DataFrame:
    """A sample's histogram beside the mixture of the classes' training histograms with `weight` on the positives.

    Returns a table with a row for each bin: lower, upper, sample, positives (weight times their share) and negatives.
    """
    shares = sample_histogram(check_one_sample("sample", sample), n_bins)
    negatives, positives = fitted.histograms_[n_bins]
    edges = np.arange(n_bins + 1) / n_bins
    parts = {"sample": shares, "positives": weight * positives, "negatives": (1.0 - weight) * negatives}
    return pd.DataFrame({"lower": edges[:-1], "upper": edges[1:], **parts})


def matched_distribution(fitted: SORD, sample: FloatArray, weight: float) -> pd.DataFrame:
    """A sample's distribution function beside the mixture of the classes' with `weight` on the positives.

    Returns a table with a row for each training score: score, sample, mixture, positives, negatives: shares below it.
    """
    curve = fitted.curve_
    below = 1.0 - counts_at(check_one_sample("sample", sample), curve.thresholds) / len(sample)
    positives, negatives = 1.0 - curve.tpr, 1.0 - curve.fpr
    mixture = weight * positives + (1.0 - weight) * negatives
    columns = {"sample": below, "mixture": mixture, "positives": positives, "negatives": negatives}
    return pd.DataFrame({"score": curve.thresholds, **columns})
