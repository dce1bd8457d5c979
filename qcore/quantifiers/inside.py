"""What a method looks at for one sample, as arrays that a page can draw."""

from __future__ import annotations

from dataclasses import dataclass

from qcore.validation import FloatArray


@dataclass(frozen=True)
class Objective:
    """What HDy, DyS and SORD minimise over the mixture weight, for one sample.

    Attributes
    ----------
    weights : (n_weights,), increasing.
    distances : (n_curves, n_weights), a curve for each bin count; SORD has one.
    bins : (n_curves,) bin counts; empty for SORD.
    minima : (n_curves,) the minimising weight of each curve.
    estimate : the median of the minima.
    """

    weights: FloatArray
    distances: FloatArray
    bins: tuple[int, ...]
    minima: FloatArray
    estimate: float


@dataclass(frozen=True)
class ThresholdEstimates:
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
    prevalences : (n_steps + 1,), from the training prevalence on.
    estimate : the fixed point, which the iteration nears, or where EMQ was told to stop.
    """

    prevalences: FloatArray
    estimate: float
