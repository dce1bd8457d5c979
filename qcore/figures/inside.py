"""Inside a method, for one sample: Median Sweep's estimates, what matching minimises and finds, EMQ's steps."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from qcore.figures.template import NEGATIVES, NEUTRAL, POSITIVES, framed, method_style, tinted
from qcore.quantifiers.inside import Objective, ThresholdEstimates, Trajectory

_HEIGHT: Final = 420
_UNIT: Final = (-0.03, 1.03)
_WEIGHT: Final = {"title": {"text": "weight of the positives in the mixture", "standoff": 8}, "range": _UNIT}


def _across(name: str, value: float, colour: str, dash: str, ends: tuple[float, float]) -> dict[str, Any]:
    """A horizontal line at `value`."""
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": list(ends), "y": [value, value],
        "line": {"color": colour, "dash": dash, "width": 2}, "hovertemplate": "%{y:.3f}",
    }  # fmt: skip


def _upright(name: str, value: float, colour: str, dash: str, top: float) -> dict[str, Any]:
    """A vertical line at `value`."""
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": [value, value], "y": [0.0, top],
        "line": {"color": colour, "dash": dash, "width": 2}, "hoverinfo": "skip",
    }  # fmt: skip


def sweep_figure(sweep: ThresholdEstimates, truth: float, method: str) -> go.Figure:
    """Median Sweep's estimate at each threshold that it uses, their median, and the truth."""
    style = method_style(method)
    estimates = {
        "type": "scatter", "mode": "lines+markers", "name": "estimate at the threshold", "x": sweep.thresholds.tolist(),
        "y": sweep.estimates.tolist(), "line": {"color": tinted(style.colour, 0.5), "width": 1, "shape": "vh"},
        "marker": {"size": 5, "color": style.colour}, "hovertemplate": "%{y:.3f}",
    }  # fmt: skip
    lines = [
        _across("truth", truth, NEUTRAL, "solid", (0, 1)),
        _across(f"median: {method}", sweep.estimate, style.colour, "dash", (0, 1)),
    ]
    return framed(
        [estimates, *lines], title="What does each threshold say?", height=_HEIGHT,
        xaxis={"title": {"text": "threshold", "standoff": 8}, "range": _UNIT},
        yaxis={"title": {"text": "corrected estimate", "standoff": 8}, "range": _UNIT},
    )  # fmt: skip


def objective_figure(objective: Objective, truth: float, method: str) -> go.Figure:
    """What a matching method minimises over the mixture weight, each curve's minimum, the estimate and the truth."""
    style = method_style(method)
    curves = []
    weights = objective.weights.tolist()
    bins = objective.bins or (0,)
    top = 1.05 * float(objective.distances.max())
    for n_bins, distances, least in zip(bins, objective.distances, objective.minima.tolist(), strict=True):
        name = f"{n_bins} bins" if n_bins else "area between the distribution functions"
        curves.append(
            {
                "type": "scatter", "mode": "lines", "name": name, "x": weights, "y": distances.tolist(),
                "line": {"color": tinted(style.colour, 0.55), "width": 1.5}, "showlegend": not n_bins,
                "hovertemplate": f"{name}: %{{y:.4g}}<extra></extra>",
            }
        )  # fmt: skip
        curves.append(
            {
                "type": "scatter", "mode": "markers", "name": f"{name}, least", "x": [least],
                "y": [float(np.interp(least, objective.weights, distances))], "showlegend": False,
                "marker": {"symbol": style.symbol, "size": 8, "color": style.colour},
                "hovertemplate": f"{name}: least at %{{x:.3f}}<extra></extra>",
            }
        )  # fmt: skip
    lines = [
        _upright("truth", truth, NEUTRAL, "solid", top),
        _upright(f"estimate: {method}", objective.estimate, style.colour, "dash", top),
    ]
    return framed(
        [*lines, *curves], title="Which mixture is nearest?", height=_HEIGHT, hovermode="closest", xaxis=_WEIGHT,
        yaxis={"title": {"text": "distance to the sample", "standoff": 8}, "range": (0.0, top)},
    )  # fmt: skip


def mixture_figure(histogram: pd.DataFrame, method: str) -> go.Figure:
    """The best mixture, its two parts stacked, under the sample's histogram; the table of `inside.matched_histogram`."""
    middles = ((histogram.lower + histogram.upper) / 2).tolist()
    bars = [
        {
            "type": "bar", "name": f"{name} in the mixture", "x": middles, "y": histogram[name].tolist(),
            "marker": {"color": tinted(colour, 0.55), "line": {"width": 0}}, "hovertemplate": "%{y:.1%}",
        }
        for name, colour in (("negatives", NEGATIVES), ("positives", POSITIVES))
    ]  # fmt: skip
    shares = histogram["sample"].tolist()
    sample = {
        "type": "scatter", "mode": "lines", "name": "this sample", "x": [0.0, *histogram.upper.tolist()],
        "y": [*shares, shares[-1]], "line": {"shape": "hv", "color": NEUTRAL, "width": 2.5}, "hovertemplate": "%{y:.1%}",
    }  # fmt: skip
    return framed(
        [*bars, sample], title=f"{method}'s mixture over the sample, {len(histogram)} bins", height=_HEIGHT,
        barmode="stack", bargap=0,
        xaxis={"title": {"text": "score", "standoff": 8}, "range": _UNIT},
        yaxis={"title": {"text": "share of the sample", "standoff": 8}, "tickformat": ".0%", "rangemode": "tozero"},
    )  # fmt: skip


def distribution_figure(table: pd.DataFrame, method: str) -> go.Figure:
    """The mixture's distribution function beside the sample's; the table of `inside.matched_distribution`."""
    scores = [0.0, *table.score.tolist(), 1.0]
    lines = [
        {
            "type": "scatter", "mode": "lines", "name": name, "x": scores, "y": [0.0, *table[column].tolist(), 1.0],
            # A share below a score holds for all from the score before on.
            "line": {"color": colour, "dash": dash, "width": width, "shape": "vh"}, "hovertemplate": "%{y:.3f}",
        }
        for name, column, colour, dash, width in (
            ("negatives", "negatives", NEGATIVES, "dot", 1.5),
            ("positives", "positives", POSITIVES, "dot", 1.5),
            ("this sample", "sample", NEUTRAL, "solid", 2.5),
            ("mixture", "mixture", method_style(method).colour, "dash", 2.5),
        )
    ]  # fmt: skip
    return framed(
        lines, title=f"{method}'s mixture over the sample", height=_HEIGHT,
        xaxis={"title": {"text": "score", "standoff": 8}, "range": _UNIT},
        yaxis={"title": {"text": "share of scores below", "standoff": 8}, "range": _UNIT},
    )  # fmt: skip


def trajectory_figure(trajectory: Trajectory, truth: float, method: str) -> go.Figure:
    """EMQ's steps from the training prevalence to its fixed point, and the truth."""
    style = method_style(method)
    steps = list(range(len(trajectory.prevalences)))
    path = {
        "type": "scatter", "mode": "lines+markers", "name": "after this many steps", "x": steps,
        "y": trajectory.prevalences.tolist(), "line": {"color": style.colour, "width": 1.5},
        "marker": {"symbol": style.symbol, "size": 7, "color": style.colour}, "hovertemplate": "%{y:.4f}",
    }  # fmt: skip
    lines = [
        _across("truth", truth, NEUTRAL, "solid", (0, steps[-1])),
        _across(f"answer: {method}", trajectory.estimate, style.colour, "dash", (0, steps[-1])),
    ]
    return framed(
        [path, *lines], title="How does EMQ find its fixed point?", height=_HEIGHT,
        xaxis={"title": {"text": "step", "standoff": 8}},
        yaxis={"title": {"text": "prevalence", "standoff": 8}, "range": _UNIT},
    )  # fmt: skip
