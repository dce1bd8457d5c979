"""QuaPy's and mlquantify's quantifiers on scores, through their aggregation functions alone: nothing is trained again.

Each entry is a function from the scores of one sample, (size,), to an estimate, and what is to be said of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qcore.validation import FloatArray, IntArray

BINS = tuple(range(2, 21, 2))

THRESHOLDS = "ties of the criterion undefined"


@dataclass(frozen=True)
class Peer:
    """A peer's method, ready to aggregate; `note` says how it differs from the paper, or which options bring it nearest."""

    estimate: Callable[[FloatArray], float]
    note: str = ""


def posteriors(scores: FloatArray) -> FloatArray:
    """Both classes' scores, (n, 2)."""
    return np.stack([1.0 - scores, scores], axis=1)


def crisp(scores: FloatArray) -> IntArray:
    """Predicted labels at 0.5."""
    return (scores >= 0.5).astype(np.int64)


def symmetric(p: FloatArray, q: FloatArray) -> float:
    """The probabilistic symmetric distance, for QuaPy's DyS."""
    both = p + q
    return float(2 * np.sum((p - q) ** 2 / np.where(both > 0, both, 1)))


def ordinal(p: FloatArray, q: FloatArray) -> float:
    """The ordinal distance, for QuaPy's DyS."""
    return float(np.abs(np.cumsum(p - q)).sum())


def quapy_methods(scores: FloatArray, labels: IntArray) -> Mapping[str, Callable[[], Peer]]:
    """QuaPy's methods by our keys; calling one fits its aggregation."""
    import quapy.method._threshold_optim as thresholds
    import quapy.method.aggregative as aggregative
    from sklearn.dummy import DummyClassifier

    known = DummyClassifier().fit(np.zeros((len(labels), 1)), labels)
    options: dict[str, Any] = {"classifier": known, "fit_classifier": False, "val_split": None}
    both = posteriors(scores)

    def fitted(method: Any, training: Any) -> Any:
        method.aggregation_fit(training, labels)
        return method

    def counted(kind: Any, make: Callable[[FloatArray], Any]) -> Peer:
        method = fitted(kind(known, fit_classifier=False), None)
        return Peer(lambda sample: method.aggregate(make(sample))[1])

    def adjusted(kind: Any, make: Callable[[FloatArray], Any]) -> Peer:
        method = fitted(kind(**options, solver="exact-cc", norm="clip"), make(scores))
        return Peer(lambda sample: method.aggregate(make(sample))[1], "solver 'exact-cc'; its default is slower")

    def threshold(kind: Any) -> Peer:
        method = fitted(kind(**options), scores)
        return Peer(lambda sample: float(method.aggregate(sample)[..., 1]), THRESHOLDS)

    def sweep() -> Peer:
        method = fitted(thresholds.MS2(**options), scores)
        return Peer(lambda sample: float(method.aggregate(sample)[1]), "MS2: tpr - fpr > 1/4, not >=")

    def dys(distance: str | Callable[[FloatArray, FloatArray], float]) -> Peer:
        methods = [fitted(aggregative.DyS(**options, n_bins=b, divergence=distance), both) for b in BINS]
        note = "one bin count each: the median of ten"
        return Peer(lambda sample: float(np.median([m.aggregate(posteriors(sample))[1] for m in methods])), note)

    def hdy() -> Peer:
        method = fitted(aggregative.HDy(**options), both)
        return Peer(lambda sample: method.aggregate(posteriors(sample))[1], "a grid of 100 points")

    def emq() -> Peer:
        method = aggregative.EMQ(known, fit_classifier=False)
        method.train_prevalence = np.bincount(labels) / len(labels)
        return Peer(lambda sample: method.aggregate(posteriors(sample), epsilon=1e-8)[1], "epsilon 1e-8 instead of 1e-4")

    return {
        "CC": lambda: counted(aggregative.CC, crisp),
        "AC": lambda: adjusted(aggregative.ACC, crisp),
        "PCC": lambda: counted(aggregative.PCC, posteriors),
        "PACC": lambda: adjusted(aggregative.PACC, posteriors),
        "X": lambda: threshold(thresholds.X),
        "Max": lambda: threshold(thresholds.MAX),
        "T50": lambda: threshold(thresholds.T50),
        "MS": sweep,
        "EMQ": emq,
        "HDy": hdy,
        "DyS-TS": lambda: dys("topsoe"),
        "DyS-PS": lambda: dys(symmetric),
        "DyS-ORD": lambda: dys(ordinal),
    }


def mlquantify_methods(scores: FloatArray, labels: IntArray) -> Mapping[str, Callable[[], Peer]]:
    """Mlquantify's methods by our keys."""
    from mlquantify import config_context, counting, likelihood, matching

    both = posteriors(scores)
    warnings.filterwarnings("ignore", module="mlquantify")

    def counted(method: Any, make: Callable[[FloatArray], Any], *training: Any, note: str = "") -> Peer:
        def estimate(sample: FloatArray) -> float:
            with config_context(prevalence_return_type="array"):
                return float(method.aggregate(make(sample), *training)[1])

        return Peer(estimate, note)

    def count(method: Any, make: Callable[[FloatArray], Any]) -> Peer:
        def estimate(sample: FloatArray) -> float:
            with config_context(prevalence_return_type="array"):
                return float(method.aggregate(make(sample), classes=[0, 1])[1])

        return Peer(estimate)

    grid = "101 thresholds of [0, 1], chosen anew for each sample"

    def dys(distance: str, note: str = "") -> Peer:
        method = matching.DyS(bins_size=np.array(BINS), distance=distance, bin_strategy="median")
        return counted(method, posteriors, both, labels, note=f"bin_strategy 'median'; by default it concatenates{note}")

    return {
        "CC": lambda: count(counting.CC(), crisp),
        "AC": lambda: counted(counting.ACC(), crisp, crisp(scores), labels),
        "PCC": lambda: count(counting.PCC(), posteriors),
        "X": lambda: counted(counting.TX(), posteriors, both, labels, note=grid),
        "Max": lambda: counted(counting.TMAX(), posteriors, both, labels, note=grid),
        "T50": lambda: counted(counting.T50(), posteriors, both, labels, note=grid),
        "MS": lambda: counted(counting.MS2(), posteriors, both, labels, note=f"MS2; {grid}"),
        "EMQ": lambda: counted(
            likelihood.EMQ(tol=1e-8, max_iter=1000),
            posteriors,
            both,
            labels,
            note="tol 1e-8 and 1000 steps instead of 1e-4 and 100",
        ),
        "HDy": lambda: counted(matching.HDy(), posteriors, both, labels),
        "DyS-TS": lambda: dys("topsoe"),
        "DyS-PS": lambda: dys("probsymm", "; its 'probsymm' is Jeffreys' divergence, another distance"),
        "SORD": lambda: counted(matching.SORD(), posteriors, both, labels, note="a grid of 101 weights"),
    }
