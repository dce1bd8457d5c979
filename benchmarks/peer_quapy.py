"""QuaPy's quantifiers on scores, through their aggregation functions alone: no classifier is trained again."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier

from benchmarks.peer_base import BINS, Makers, Peer, crisp, posteriors
from qcore.base import FloatArray, IntArray
from qcore.quantifiers.kernel_density import BANDWIDTH


def symmetric(p: FloatArray, q: FloatArray) -> float:
    """The probabilistic symmetric distance, which QuaPy's DyS takes as a function."""
    both = p + q
    return float(2 * np.sum((p - q) ** 2 / np.where(both > 0, both, 1)))


def ordinal(p: FloatArray, q: FloatArray) -> float:
    """The ordinal distance, which QuaPy's DyS takes as a function."""
    return float(np.abs(np.cumsum(p - q)).sum())


class QuaPy:
    """Fits QuaPy's aggregations on the training scores, (n_training,), and labels."""

    def __init__(self, scores: FloatArray, labels: IntArray) -> None:
        self.scores, self.labels = scores, labels
        self.known = DummyClassifier().fit(np.zeros((len(labels), 1)), labels)
        self.options: dict[str, Any] = {"classifier": self.known, "fit_classifier": False, "val_split": None}

    def makers(self) -> Makers:
        """QuaPy's methods by our keys."""
        import quapy.method._kdey as kernels
        import quapy.method._threshold_optim as thresholds
        import quapy.method.aggregative as aggregative

        return {
            "CC": lambda: self.counted(aggregative.CC, crisp),
            "AC": lambda: self.adjusted(aggregative.ACC, crisp),
            "PCC": lambda: self.counted(aggregative.PCC, posteriors),
            "PACC": lambda: self.adjusted(aggregative.PACC, posteriors),
            "X": lambda: self.threshold(thresholds.X, "ties of the criterion undefined"),
            "Max": lambda: self.threshold(thresholds.MAX, "ties of the criterion undefined"),
            "T50": lambda: self.threshold(thresholds.T50, "ties of the criterion undefined"),
            "MS": lambda: self.threshold(thresholds.MS2, "MS2: tpr - fpr > 1/4, not >="),
            "EMQ": lambda: self.emq(aggregative.EMQ),
            "HDy": lambda: self.hdy(aggregative.HDy),
            "DyS-TS": lambda: self.dys(aggregative.DyS, "topsoe"),
            "DyS-PS": lambda: self.dys(aggregative.DyS, symmetric),
            "DyS-ORD": lambda: self.dys(aggregative.DyS, ordinal),
            "KDEy-ML": lambda: self.kernel_densities(kernels.KDEyML),
        }

    def _fitted(self, method: Any, training: Any) -> Any:
        method.aggregation_fit(training, self.labels)
        return method

    def counted(self, kind: Any, make: Callable[[FloatArray], Any]) -> Peer:
        """CC and PCC."""
        method = self._fitted(kind(self.known, fit_classifier=False), None)
        return Peer(lambda sample: method.aggregate(make(sample))[1])

    def adjusted(self, kind: Any, make: Callable[[FloatArray], Any]) -> Peer:
        """ACC and PACC."""
        method = self._fitted(kind(**self.options, solver="exact-cc", norm="clip"), make(self.scores))
        return Peer(lambda sample: method.aggregate(make(sample))[1], "solver 'exact-cc'; its default is slower")

    def threshold(self, kind: Any, note: str) -> Peer:
        """X, MAX, T50 and MS2."""
        method = self._fitted(kind(**self.options), self.scores)
        return Peer(lambda sample: float(method.aggregate(sample)[1]), note)

    def emq(self, kind: Any) -> Peer:
        """EMQ from the training prevalence."""
        method = kind(self.known, fit_classifier=False)
        method.train_prevalence = np.bincount(self.labels) / len(self.labels)
        return Peer(lambda sample: method.aggregate(posteriors(sample), epsilon=1e-8)[1], "epsilon 1e-8 instead of 1e-4")

    def hdy(self, kind: Any) -> Peer:
        """HDy."""
        method = self._fitted(kind(**self.options), posteriors(self.scores))
        return Peer(lambda sample: method.aggregate(posteriors(sample))[1], "a grid of 100 points")

    def kernel_densities(self, kind: Any) -> Peer:
        """KDEy-ML; between pairs of scores, distances are sqrt(2) times those between scores."""
        method = self._fitted(kind(**self.options, bandwidth=np.sqrt(2.0) * BANDWIDTH), posteriors(self.scores))
        return Peer(lambda sample: float(method.aggregate(posteriors(sample))[1]), "bandwidth 0.1 sqrt(2)")

    def dys(self, kind: Any, distance: str | Callable[[FloatArray, FloatArray], float]) -> Peer:
        """DyS, once for each number of bins."""
        both = posteriors(self.scores)
        methods = [self._fitted(kind(**self.options, n_bins=n_bins, divergence=distance), both) for n_bins in BINS]
        note = "one bin count each: the median of ten"
        return Peer(lambda sample: float(np.median([m.aggregate(posteriors(sample))[1] for m in methods])), note)
