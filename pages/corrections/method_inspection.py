"""How a method gets its estimate: the tab, its figures, its sentences."""

from collections.abc import Callable, Mapping
from functools import singledispatch
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from pages import pipeline
from pages.charts.chart import chart
from pages.charts.figure import NEGATIVES, NEUTRAL, POSITIVES, Figure, figure, method_style, tinted
from pages.charts.mixture import stacked_mixture_figure
from pages.charts.traces import UNIT, Trace, axis, line, markers, method_line
from pages.corrections.settings import SETTINGS
from pages.frame.layout import wide_row
from pages.frame.texts import quantifier_text, texts_of
from pages.settings import control
from pages.settings.number_text import counted, percentage, percentage_beyond, share
from qcore import Scores
from qcore.base import TIE
from qcore.quantifiers.fitting import inspected
from qcore.quantifiers.inspection import Inspection, Objective, Scaling, SweepEstimates, Trajectory
from qcore.studies.threshold_adjustment import ThresholdAdjustment

_HEIGHT = 420


@singledispatch
def inspection_figure(inspection: Inspection, _truth: float, _method: str) -> Figure:
    """The figure for a kind of inspection; `_truth` is the sample's prevalence."""
    raise TypeError(f"no figure for {type(inspection).__name__}")


@inspection_figure.register
def sweep_figure(inspection: SweepEstimates, truth: float, method: str) -> Figure:
    """Median Sweep's estimate at each threshold that it uses, their median, and the truth."""
    style = method_style(method)
    estimates = line(
        "estimate at the threshold",
        inspection.thresholds,
        inspection.estimates,
        colour=tinted(style.colour, 0.5),
        width=1,
        shape="vh",
        hover="%{y:.3f}",
        marker={"size": 5, "color": style.colour},
    ) | {"mode": "lines+markers"}
    lines = [_horizontal("truth", truth, 1), _horizontal(f"median: {method}", inspection.estimate, 1, method)]
    return figure(
        [estimates, *lines],
        title="What does each threshold estimate?",
        height=_HEIGHT,
        xaxis=axis("threshold", UNIT),
        yaxis=axis("corrected estimate", UNIT, tickformat=".0%"),
    )


@inspection_figure.register
def objective_figure(inspection: Objective, truth: float, method: str) -> Figure:
    """The distance that a matching method minimises over the mixture weight, its minima, the estimate and the truth."""
    style = method_style(method)
    top = 1.05 * float(inspection.distances.max())
    curves = []
    for n_bins, distances, minimum in zip(
        inspection.bins or (0,), inspection.distances, inspection.minima.tolist(), strict=True
    ):
        name = f"{n_bins} bins" if n_bins else inspection.distance
        hover = f"{name}: %{{y:.4g}}<extra></extra>"
        colour = tinted(style.colour, 0.55)
        curves.append(line(name, inspection.weights, distances, colour=colour, width=1.5, hover=hover, showlegend=not n_bins))
        lowest = float(np.interp(minimum, inspection.weights, distances))
        hover = f"{name}: lowest at %{{x:.3f}}<extra></extra>"
        look: dict[str, Any] = {"colour": style.colour, "symbol": style.symbol, "size": 8}
        curves.append(markers(f"{name}, lowest", [minimum], [lowest], **look, hover=hover, showlegend=False))
    lines = [_vertical("truth", truth, top), _vertical(f"estimate: {method}", inspection.estimate, top, method)]
    return figure(
        [*lines, *curves],
        title="Which mixture is nearest?",
        height=_HEIGHT,
        hovermode="closest",
        xaxis=axis("weight of the positives in the mixture", UNIT, tickformat=".0%"),
        yaxis=axis("distance to the sample" if inspection.bins else inspection.distance, (0.0, top)),
    )


@inspection_figure.register
def trajectory_figure(inspection: Trajectory, truth: float, method: str) -> Figure:
    """EMQ's steps from the training prevalence to its fixed point, and the truth."""
    last = len(inspection.prevalences) - 1
    path = method_line(
        method, range(last + 1), inspection.prevalences, name="after this many steps", width=1.5, hover="%{y:.4f}"
    )
    path["line"].pop("dash", None)
    lines = [_horizontal("truth", truth, last), _horizontal(f"estimate: {method}", inspection.estimate, last, method)]
    return figure(
        [path, *lines],
        title="How does EMQ find its fixed point?",
        height=_HEIGHT,
        xaxis=axis("step"),
        yaxis=axis("prevalence", UNIT, tickformat=".0%"),
    )


@inspection_figure.register
def scaling_figure(inspection: Scaling, truth: float, method: str) -> Figure:
    """A correction as a change of scale: from the scale between both classes' values to that from 0 to 1.

    Source: Barranquero 2013, Figure 3.3.
    """
    style = method_style(method)
    span = inspection.high - inspection.low
    steps = [step / 10 for step in range(11)]
    x = [x for step in steps for x in (inspection.low + step * span, step, None)]
    guides = line("scale", x, [0, 1, None] * len(steps), width=1, opacity=0.4, showlegend=False)
    ends = markers(
        "ends",
        [inspection.low, inspection.high],
        [0, 0],
        symbol="line-ns",
        size=18,
        colour=NEUTRAL,
        edge={"width": 2.5, "color": NEUTRAL},
        text=list(inspection.ends),
        textposition="bottom center",
        cliponaxis=False,
        showlegend=False,
    ) | {"mode": "markers+text"}
    path = line(
        f"{inspection.of} -> estimate: {method}",
        [inspection.value, inspection.estimate],
        [0, 1],
        colour=style.colour,
        width=3,
        hover="%{x:.3f}",
        marker={"size": 11, "symbol": style.symbol},
    ) | {"mode": "lines+markers"}
    return figure(
        [guides, ends, path, markers("truth", [truth], [1], symbol="star", size=15, hover="%{x:.3f}")],
        title="Where does the sample lie between the classes?",
        height=_HEIGHT,
        hovermode="closest",
        xaxis=axis("share of positives", UNIT, tickformat=".0%"),
        yaxis={"range": (-0.25, 1.15), "tickvals": [0, 1], "ticktext": [inspection.of, "corrected"], "showgrid": False},
    )


def mixture_histogram_figure(table: pd.DataFrame, method: str) -> Figure:
    """The best mixture of a method under the sample's histogram; the table of a MixtureFit."""
    return stacked_mixture_figure(table, f"{method}'s mixture over the sample, {len(table)} bins")


def mixture_distribution_figure(table: pd.DataFrame, method: str) -> Figure:
    """The mixture's distribution function beside the sample's; the table of a MixtureFit."""
    scores = [0.0, *table.score.tolist(), 1.0]
    lines = [
        # A share below a score holds for all scores after the previous one.
        line(
            name,
            scores,
            [0.0, *table[column].tolist(), 1.0],
            colour=colour,
            dash=dash,
            width=width,
            shape="vh",
            hover="%{y:.3f}",
        )
        for name, column, colour, dash, width in (
            ("negatives", "negatives", NEGATIVES, "dot", 1.5),
            ("positives", "positives", POSITIVES, "dot", 1.5),
            ("this sample", "sample", NEUTRAL, "solid", 2.5),
            ("mixture", "mixture", method_style(method).colour, "dash", 2.5),
        )
    ]
    return figure(
        lines,
        title=f"{method}'s mixture over the sample",
        height=_HEIGHT,
        xaxis=axis("score", UNIT),
        yaxis=axis("share of scores below", UNIT),
    )


MIXTURE_FIGURES: Final[Mapping[str, Callable[[pd.DataFrame, str], Figure]]] = MappingProxyType(
    {"histogram": mixture_histogram_figure, "distribution function": mixture_distribution_figure}
)
"""What a MixtureFit compares (histograms or distribution functions) -> its figure."""


def _horizontal(name: str, value: float, end: float, method: str = "") -> Trace:
    """A line across at `value`: neutral, or dashed in the colour of a method."""
    style: dict[str, Any] = {"colour": method_style(method).colour, "dash": "dash"} if method else {}
    return line(name, (0, end), (value, value), hover="%{y:.3f}", **style)


def _vertical(name: str, value: float, top: float, method: str = "") -> Trace:
    """A line up at `value`: neutral, or dashed in the colour of a method."""
    style: dict[str, Any] = {"colour": method_style(method).colour, "dash": "dash"} if method else {}
    return line(name, (value, value), (0.0, top), **style)


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
            f"After {counted(int(near[0]), 'step')} it is within one percentage point"
            if len(near)
            else f"{n_steps} steps do not reach it"
        )
        way = f"ends at its fixed point **{percentage(end)}**. {soon}"
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
        f"({high}). Between them it is **{percentage(inspection.estimate)}**{clipped}. "
        f"The truth is {percentage(truth)}."
    )


TEXTS = texts_of("corrections")

_ALT: dict[type[Inspection], str] = {
    SweepEstimates: "The corrected estimate at each threshold.",
    Trajectory: "The prevalence after each step of EMQ.",
    Objective: "The distance by mixture weight.",
    Scaling: "The value of the sample between those of both classes, and its place on the scale from 0 to 1.",
}


def method_inspection_section(scores: Scores, adjustment: ThresholdAdjustment) -> None:
    """Draw the choice of a method, and what it uses to estimate the drawn sample."""
    st.markdown(TEXTS["method_inspection"])
    method = control.choice(SETTINGS["inspected_method"])
    fitted = pipeline.fitted(scores, [method])[method]
    sentence_part, left, right = st.container(), *wide_row("method inspection", [1, 1], align="top")
    inspection, truth = inspected(method, fitted, adjustment.sample), adjustment.prevalence
    if inspection is None:
        return
    sentence_part.markdown(inspection_sentence(inspection, truth, method))
    with left:
        chart(inspection_figure(inspection, truth, method), key="method_inspection", alt=_ALT[type(inspection)])
        if isinstance(inspection, Scaling):
            st.markdown(TEXTS["scaling"])
    if isinstance(inspection, Objective):
        with right:
            figure = MIXTURE_FIGURES[inspection.mixture.of](inspection.mixture.table, method)
            chart(figure, key="matched_mixture", alt="The best mixture of the training classes over the sample.")
        right = st.container()
    with right, st.expander(f"How {method} works"):
        st.markdown(quantifier_text(method))
