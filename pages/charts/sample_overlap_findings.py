"""Sentences on the instances that the samples of a grid have in common."""

import numpy as np
import pandas as pd

from pages.settings.number_text import counted, digits, listed
from qcore.base import IntArray
from qcore.studies.sample_size import MOSTLY_SHARED


def overlap_sentences(counts: IntArray, overlap: pd.DataFrame) -> list[str]:
    """How often instances are drawn, and how many of them samples have in common."""
    n_samples, n_pool = int(overlap["samples"].sum()), len(counts)
    never = int((counts == 0).sum())
    unseen = f" {counted(never, 'of them is', 'of them are')} never drawn." if never else ""
    last = overlap.iloc[-1]
    return [
        f"{n_samples:,} samples come from a pool of {n_pool:,} instances, each drawn {digits(float(np.mean(counts)))} times on "
        f"average ({counts.min():,} to {counts.max():,}).{unseen} No instance is in a sample twice.",
        f"Two samples of {last['size']:.0f} with the same prevalence share {last.shared:.0%} of their instances, at most "
        f"{last.most_shared:.0%} at one prevalence.",
    ]


def overlap_warning(overlap: pd.DataFrame) -> str:
    """The sizes at which samples share most of their instances, on average or at some prevalence; empty if none."""
    on_average = _sizes_above(overlap, "shared")
    somewhere = _sizes_above(overlap, "most_shared")
    if not somewhere:
        return ""
    how = ", at some prevalences at least"
    if on_average == somewhere:
        how = " on average over the prevalences"
    elif on_average:
        how += f", and with samples of {on_average} on average"
    return (
        f"With samples of {somewhere}, two samples of the same prevalence share more than half of their instances{how}. Spread "
        "and standard errors are too small there, and the means hold for this pool alone."
    )


def _sizes_above(overlap: pd.DataFrame, column: str) -> str:
    sizes = overlap["size"][overlap[column] > MOSTLY_SHARED].tolist()
    return listed([f"{size}" for size in sizes], most=8, first=6) if sizes else ""
