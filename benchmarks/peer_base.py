"""A method of another library as the benchmark calls it: a function from one sample's scores to an estimate, and a note."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from qcore.base import FloatArray, IntArray

BINS = tuple(range(2, 21, 2))


@dataclass(frozen=True)
class Peer:
    """A peer's method, ready to aggregate; `note` says how it differs from the paper, or which options bring it nearest."""

    estimate: Callable[[FloatArray], float]
    note: str = ""


Makers = Mapping[str, Callable[[], Peer]]
"""Our key of a method -> function that fits the peer's aggregation on the training scores."""


def posteriors(scores: FloatArray) -> FloatArray:
    """Both classes' scores, (n, 2)."""
    return np.stack([1.0 - scores, scores], axis=1)


def crisp(scores: FloatArray) -> IntArray:
    """Predicted labels at 0.5."""
    return (scores >= 0.5).astype(np.int64)
