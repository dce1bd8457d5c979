"""Sentences on what a method saw in one sample."""

from __future__ import annotations

import numpy as np

from qcore.findings.words import counted, share
from qcore.quantifiers.inside import Objective, ThresholdEstimates, Trajectory


def sweep_sentence(sweep: ThresholdEstimates, truth: float) -> str:
    """How far Median Sweep's thresholds disagree, and what their median says."""
    n, low, high = len(sweep.estimates), sweep.estimates.min(), sweep.estimates.max()
    if n == 1:
        return f"Only one threshold is used; it says **{share(sweep.estimate)}**. The truth is {share(truth)}."
    return (
        f"The {n} thresholds say anything from {share(low)} to {share(high)}; their median, **{share(sweep.estimate)}**, is "
        f"the answer. The truth is {share(truth)}."
    )


def objective_sentence(objective: Objective, truth: float, method: str) -> str:
    """Where the distances are least, and how far bin counts disagree."""
    if not objective.bins:
        return (
            "The area between the sample's distribution function and the mixture's is least at "
            f"**{share(objective.estimate)}**. The truth is {share(truth)}."
        )
    low, high = float(objective.minima.min()), float(objective.minima.max())
    agree = "the same weight" if high - low < 0.005 else f"weights from {share(low)} to {share(high)}"
    return (
        f"There is a curve for each of {len(objective.bins)} numbers of bins, from {min(objective.bins)} to "
        f"{max(objective.bins)}. They are lowest at {agree}; the median, **{share(objective.estimate)}**, is what {method} "
        f"answers. The truth is {share(truth)}."
    )


def trajectory_sentence(trajectory: Trajectory, truth: float, *, stops: bool) -> str:
    """Where EMQ starts, how fast it gets near its fixed point, and where it ends."""
    start, end = trajectory.prevalences[0], trajectory.estimate
    n_steps = len(trajectory.prevalences) - 1
    if stops:
        way = f"stops after {counted(n_steps, 'step')} at **{share(end)}**"
    else:
        near = np.flatnonzero(np.abs(trajectory.prevalences - end) < 0.01)
        soon = f"after {counted(int(near[0]), 'step')} it is within 0.01" if len(near) else f"{n_steps} steps do not reach it"
        way = f"ends at its fixed point **{share(end)}**; {soon}"
    return f"EMQ starts from the training prevalence, {share(start)}, and {way}. The truth is {share(truth)}."
