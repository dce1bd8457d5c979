"""How a method gets its estimate for one sample, as arrays that a page can draw.

A quantifier that can be inspected has a method that returns one of these classes; its entry in QUANTIFIERS names the method.
"""

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from qcore._base.validation import FloatArray


@dataclass(frozen=True)
class MixtureFit:
    """A sample, and the best mixture of the training classes to compare it with.

    Attributes
    ----------
    of : what is compared.
    table : for "histogram" a row for each bin: lower, upper, sample, positives (weight times their share) and negatives; for
        "distribution function" a row for each training score: score, sample, mixture, positives, negatives (shares below it).
    """

    of: Literal["histogram", "distribution function"]
    table: pd.DataFrame


@dataclass(frozen=True)
class Objective:
    """What a matching method minimises over the mixture weight, for one sample.

    Attributes
    ----------
    weights : (n_weights,), increasing.
    distances : (n_curves, n_weights), a curve for each number of bins, or one.
    bins : (n_curves,) numbers of bins; empty where there are none.
    minima : (n_curves,) the minimising weight of each curve.
    estimate : the median of the minima.
    mixture : the mixture with that weight, beside the sample.
    distance : what the curve shows, where there are no bins.
    """

    weights: FloatArray
    distances: FloatArray
    bins: tuple[int, ...]
    minima: FloatArray
    estimate: float
    mixture: MixtureFit
    distance: str = ""


@dataclass(frozen=True)
class SweepEstimates:
    """Median Sweep's adjusted count at every threshold that it uses, for one sample.

    Attributes
    ----------
    thresholds, estimates : (n_thresholds,), thresholds increasing, estimates clipped to [0, 1].
    estimate : the median of the estimates.
    """

    thresholds: FloatArray
    estimates: FloatArray
    estimate: float


@dataclass(frozen=True)
class Trajectory:
    """EMQ's iteration for one sample.

    Attributes
    ----------
    prevalences : (n_steps + 1,), starting with the training prevalence.
    estimate : the fixed point that the iteration approaches, or where it stops.
    stops : whether it stops after a fixed number of steps.
    """

    prevalences: FloatArray
    estimate: float
    stops: bool = False


@dataclass(frozen=True)
class Scaling:
    """A correction as a change of scale, for one sample.

    Attributes
    ----------
    of : what is corrected, in words.
    value : the sample's value.
    low, high : the average value for negatives alone and for positives alone; `ends` are the names of both.
    estimate : the value on the scale on which low is 0 and high is 1, clipped.
    """

    of: str
    value: float
    low: float
    high: float
    ends: tuple[str, str]
    estimate: float


Inspection = Objective | SweepEstimates | Trajectory | Scaling
