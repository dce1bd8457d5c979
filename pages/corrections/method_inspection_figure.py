"""Figures of how a method estimates one sample: Median Sweep's estimates, matching's objective and mixture, EMQ's steps."""

from collections.abc import Callable, Mapping
from functools import singledispatch
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pandas as pd

from pages.charts.figure import Figure
from pages.charts.mixture_figure import stacked_mixture_figure
from pages.charts.style import NEGATIVES, NEUTRAL, POSITIVES, figure, method_style, tinted
from pages.charts.traces import UNIT, Trace, axis, line, markers, method_line
from qcore.quantifiers.inspection import Inspection, Objective, Scaling, SweepEstimates, Trajectory

_HEIGHT: Final = 420


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
        "ends", [inspection.low, inspection.high], [0, 0], symbol="line-ns", size=18, colour=NEUTRAL,
        edge={"width": 2.5, "color": NEUTRAL}, text=list(inspection.ends), textposition="bottom center", cliponaxis=False,
        showlegend=False,
    ) | {"mode": "markers+text"}  # fmt: skip
    path = line(
        f"{inspection.of} -> estimate: {method}", [inspection.value, inspection.estimate], [0, 1], colour=style.colour, width=3,
        hover="%{x:.3f}", marker={"size": 11, "symbol": style.symbol},
    ) | {"mode": "lines+markers"}  # fmt: skip
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
