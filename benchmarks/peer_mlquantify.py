"""The quantifiers of mlquantify on scores, through their aggregation functions alone: no classifier is trained again."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peer_base import BINS, Makers, Peer, crisp, posteriors
from qcore.base import FloatArray, IntArray

_GRID = "101 thresholds of [0, 1], chosen anew for each sample"


class MLQuantify:
    """Hands the training scores, (n_training,), and labels to mlquantify's aggregations, in the form that each needs."""

    def __init__(self, scores: FloatArray, labels: IntArray) -> None:
        self.scores, self.labels = scores, labels

    def makers(self) -> Makers:
        """The methods of mlquantify by our keys."""
        from mlquantify import counting, likelihood, matching

        emq = {"tol": 1e-8, "max_iter": 1000}
        return {
            "CC": lambda: self.aggregated(counting.CC(), crisp, classes=[0, 1]),
            "AC": lambda: self.aggregated(counting.ACC(), crisp, crisp(self.scores), self.labels),
            "PCC": lambda: self.aggregated(counting.PCC(), posteriors, classes=[0, 1]),
            "X": lambda: self.scored(counting.TX(), _GRID),
            "Max": lambda: self.scored(counting.TMAX(), _GRID),
            "T50": lambda: self.scored(counting.T50(), _GRID),
            "MS": lambda: self.scored(counting.MS2(), f"MS2; {_GRID}"),
            "EMQ": lambda: self.scored(likelihood.EMQ(**emq), "tol 1e-8 and 1000 steps instead of 1e-4 and 100"),
            "HDy": lambda: self.scored(matching.HDy()),
            "DyS-TS": lambda: self.dys(matching.DyS, "topsoe"),
            "DyS-PS": lambda: self.dys(matching.DyS, "probsymm", "; its 'probsymm' is Jeffreys' divergence, another distance"),
            "SORD": lambda: self.scored(matching.SORD(), "a grid of 101 weights"),
        }

    def aggregated(
        self, method: Any, make: Callable[[FloatArray], Any], *training: Any, note: str = "", **options: Any
    ) -> Peer:
        """A method whose `aggregate` takes the sample and, where it corrects, the training data."""
        from mlquantify import config_context

        def estimate(sample: FloatArray) -> float:
            with config_context(prevalence_return_type="array"):
                return float(method.aggregate(make(sample), *training, **options)[1])

        return Peer(estimate, note)

    def scored(self, method: Any, note: str = "") -> Peer:
        """A method that takes both classes' scores, of the sample and of the training part."""
        return self.aggregated(method, posteriors, posteriors(self.scores), self.labels, note=note)

    def dys(self, kind: Any, distance: str, more: str = "") -> Peer:
        """DyS; the estimate is the median over its numbers of bins."""
        method = kind(bins_size=np.array(BINS), distance=distance, bin_strategy="median")
        return self.scored(method, f"bin_strategy 'median'; by default it concatenates{more}")
