"""Sentences on how a method estimates one sample, by the kind of inspection."""

from functools import singledispatch

import numpy as np

from pages.settings.number_text import counted, percentage, percentage_beyond, share
from qcore._base.rounding import TIE
from qcore.quantifiers.inspection import Inspection, Objective, Scaling, SweepEstimates, Trajectory


@singledispatch
def inspection_sentence(inspection: Inspection, _truth: float, _method: str) -> str:
    """The sentence for a kind of inspection; `_truth` is the sample's prevalence."""
    raise TypeError(f"no sentence for {type(inspection).__name__}")


@inspection_sentence.register
def sweep_sentence(inspection: SweepEstimates, truth: float, _method: str) -> str:
    """How far Median Sweep's thresholds disagree, and their median."""
    n, low, high = len(inspection.estimates), inspection.estimates.min(), inspection.estimates.max()
    if n == 1:
        said = percentage(inspection.estimate)
        return f"Only one threshold is used; its estimate is **{said}**. The truth is {percentage(truth)}."
    return (
        f"The estimates at the {n} thresholds range from {percentage(low)} to {percentage(high)}; their median, "
        f"**{percentage(inspection.estimate)}**, is the answer. The truth is {percentage(truth)}."
    )


@inspection_sentence.register
def objective_sentence(inspection: Objective, truth: float, method: str) -> str:
    """At which mixture weight the distance is smallest, and how far the results for different numbers of bins disagree."""
    if len(inspection.bins) < 2:
        start = f"With {inspection.bins[0]} bins the" if inspection.bins else "The"
        said = percentage(inspection.estimate)
        return f"{start} {inspection.distance or 'distance'} is smallest at **{said}**. The truth is {percentage(truth)}."
    low, high = float(inspection.minima.min()), float(inspection.minima.max())
    agree = "the same weight" if high - low < 0.005 else f"weights from {percentage(low)} to {percentage(high)}"
    return (
        f"There is a curve for each of {len(inspection.bins)} numbers of bins, from {min(inspection.bins)} to "
        f"{max(inspection.bins)}. They are lowest at {agree}; the median, **{percentage(inspection.estimate)}**, is what "
        f"{method} answers. The truth is {percentage(truth)}."
    )


@inspection_sentence.register
def trajectory_sentence(inspection: Trajectory, truth: float, _method: str) -> str:
    """Where EMQ starts, how fast it approaches its fixed point, and where it ends."""
    start, end = inspection.prevalences[0], inspection.estimate
    n_steps = len(inspection.prevalences) - 1
    if inspection.stops:
        way = f"stops after {counted(n_steps, 'step')} at **{percentage(end)}**"
    else:
        near = np.flatnonzero(np.abs(inspection.prevalences - end) < 0.01)
        soon = (
            f"after {counted(int(near[0]), 'step')} it is within one percentage point"
            if len(near)
            else f"{n_steps} steps do not reach it"
        )
        way = f"ends at its fixed point **{percentage(end)}**; {soon}"
    return f"EMQ starts from the training prevalence, {percentage(start)}, and {way}. The truth is {percentage(truth)}."


@inspection_sentence.register
def scaling_sentence(inspection: Scaling, truth: float, method: str) -> str:
    """Where the sample lies between both classes, and what that is on the scale from 0 to 1."""
    low, high = inspection.ends
    start = f"The {inspection.of} is {share(inspection.value)}"
    if abs(inspection.high - inspection.low) < 1e-9:
        return (
            f"{start}, and {low} and {high} are equal: {method} cannot place it between them. The truth is {percentage(truth)}."
        )
    raw = (inspection.value - inspection.low) / (inspection.high - inspection.low)
    clipped = f", clipped from {percentage_beyond(raw)}" if abs(raw - inspection.estimate) > TIE else ""
    return (
        f"{start}. Negatives alone would give {share(inspection.low)} ({low}), positives alone {share(inspection.high)} "
        f"({high}): on the scale between them it is **{percentage(inspection.estimate)}**{clipped}. "
        f"The truth is {percentage(truth)}."
    )
