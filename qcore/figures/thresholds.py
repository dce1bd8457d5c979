"""Figures with the threshold on the x axis: the scores themselves, tpr and fpr, and what the correction costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Final

import pandas as pd

from qcore.figures.following import Following, following
from qcore.figures.template import AXIS, NEGATIVES, NEUTRAL, POSITIVES, method_style, tinted
from qcore.operating import OperatingPoint
from qcore.quantifiers.rate_curve import RateCurve

X_AXIS: Final[Mapping[str, Any]] = {"title": {"text": "score, threshold", "standoff": 8}, "range": (-0.02, 1.02)}
_LINE: Final[Mapping[str, Any]] = {
    "type": "scatter", "mode": "lines+text", "name": "threshold", "showlegend": False, "hoverinfo": "skip",
    "line": {"color": NEUTRAL, "width": 2}, "textfont": {"size": 12},
}  # fmt: skip
_HEIGHT: Final = 400


def _line(threshold: float, top: float) -> dict[str, Any]:
    """What the threshold's line gets at a threshold; its label stays inside the frame."""
    side = "top right" if threshold < 0.5 else "top left"
    return {"x": [threshold, threshold], "y": [0, top], "text": ["", f" {threshold:.2f} "], "textposition": side}


def _marker(method: str, x: float, y: float, group: str, **more: Any) -> dict[str, Any]:
    style = method_style(method)
    return {
        "type": "scatter", "mode": "markers", "name": f"{method}{group}", "legendgroup": method, "x": [x], "y": [y],
        "marker": {"symbol": style.symbol, "size": 12, "color": style.colour, "line": {"width": 1, "color": style.colour}},
        **more,
    }  # fmt: skip


def scores_figure(histograms: pd.DataFrame, thresholds: Sequence[float], place: int) -> Following:
    """Histograms of the training scores by class and of a sample, with the threshold as a line.

    `histograms`: lower, upper, positives, negatives, sample, as shares. `thresholds[place]` is where the line stands.
    """
    middles = ((histograms.lower + histograms.upper) / 2).tolist()
    width = float(histograms.upper.iloc[0] - histograms.lower.iloc[0])
    bars = [
        {
            "type": "bar", "name": f"training {name}", "x": middles, "y": histograms[name].tolist(), "width": width,
            "marker": {"color": tinted(colour, 0.5), "line": {"width": 0}}, "hovertemplate": "%{y:.1%}",
        }
        for name, colour in (("negatives", NEGATIVES), ("positives", POSITIVES))
    ]  # fmt: skip
    steps = [histograms.lower.tolist()[0], *histograms.upper.tolist()]
    shares = histograms["sample"].tolist()
    sample = {
        "type": "scatter", "mode": "lines", "name": "this sample", "x": steps, "y": [*shares, shares[-1]],
        "line": {"shape": "hv", "color": NEUTRAL, "width": 2.5}, "hovertemplate": "%{y:.1%}",
    }  # fmt: skip
    top = 1.12 * float(histograms[["positives", "negatives", "sample"]].to_numpy().max())
    return following(
        [*bars, sample], [_LINE], lambda i: [_line(thresholds[i], 0.93 * top)], thresholds, place,
        title="Who scores how much?", height=_HEIGHT, barmode="overlay", dragmode=False, bargap=0,
        xaxis={**X_AXIS, "unifiedhovertitle": {"text": "scores around %{x:.2f}"}},
        yaxis={"title": {"text": "share of the group", "standoff": 8}, "range": (0, top), "tickformat": ".0%"},
    )  # fmt: skip


def rates_figure(
    curve: RateCurve,
    points: Mapping[str, OperatingPoint],
    bands: Sequence[tuple[float, float]],
    rates: RateCurve,
    place: int,
) -> Following:
    """fpr and 1 - tpr by threshold (B Figure 3.2), with the policies' thresholds and the band that Median Sweep uses.

    `curve` holds the rates at every score; `rates` those at the thresholds that can be dragged to, `place` the one shown.
    """  # noqa: D403
    swept: dict[str, list[float | None]] = {"x": [], "y": []}
    for low, high in bands:
        swept["x"] += [low, low, high, high, low, None]
        swept["y"] += [0, 1, 1, 0, 0, None]
    style = method_style("MS")
    band = {
        "type": "scatter", "mode": "lines", "name": "Median Sweep uses these", **swept, "fill": "toself", "hoverinfo": "skip",
        "fillcolor": style.fill(0.13), "line": {"width": 0, "color": style.colour},
    }  # fmt: skip
    x, ends = [0.0, *curve.thresholds.tolist(), 1.0], ([1.0], [0.0])
    lines = [
        {
            "type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "hovertemplate": "%{y:.3f}",
            # A rate at a threshold holds for all between the score before and this one.
            "line": {"color": colour, "dash": dash, "width": 2.5, "shape": "vh"},
        }
        for name, y, colour, dash in (
            ("fpr", [*ends[0], *curve.fpr.tolist(), *ends[1]], NEGATIVES, "solid"),
            ("1 - tpr", [*ends[1], *(1.0 - curve.tpr).tolist(), *ends[0]], POSITIVES, "dash"),
        )
    ]  # fmt: skip
    marks = []
    for method, point in points.items():
        said = {"hovertemplate": f"{method} at {point.threshold:.3f}: %{{y:.3f}}<extra></extra>"}
        marks += [_marker(method, point.threshold, point.fpr, "", **said)]
        marks += [_marker(method, point.threshold, 1.0 - point.tpr, " too", showlegend=False, **said)]

    def at(i: int) -> list[dict[str, Any]]:
        t = float(rates.thresholds[i])
        both = [float(rates.fpr[i]), 1.0 - float(rates.tpr[i])]
        return [_line(t, 1.0), {"x": [t, t], "y": both}]

    here = {
        "type": "scatter", "mode": "markers", "name": "here", "showlegend": False, "hoverinfo": "skip",
        "marker": {"size": 9, "color": NEUTRAL},
    }  # fmt: skip
    return following(
        [band, *lines, *marks], [_LINE, here], at, rates.thresholds.tolist(), place,
        title="Where do the policies stand?", height=_HEIGHT, dragmode=False, hovermode="closest",
        xaxis={**X_AXIS}, yaxis={"title": {"text": "rate", "standoff": 8}, "range": (-0.03, 1.1)},
    )  # fmt: skip


_REACHES: Final = (0.05, 0.1, 0.2, 0.5)
"""The scatter's axis goes as far as one of these, so that it seldom changes."""


def _panels(spread: pd.DataFrame) -> tuple[tuple[str, str, tuple[float, float], tuple[float, float]], ...]:
    """(axis, title, domain, range) of each panel; the first holds nine tenths of the curves, not their explosion."""
    high = float(spread[["measured", "sampling", "total", "kept"]].quantile(0.9).max())
    reach = next((reach for reach in _REACHES if reach >= high), _REACHES[-1])
    return (
        ("y", "scatter of the estimate", (0.42, 1.0), (0.0, reach)),
        ("y2", "1 / |tpr - fpr|", (0.2, 0.37), (0.0, 10.5)),
        ("y3", "clipped", (0.0, 0.15), (-0.02, 1.05)),
    )


def cost_figure(spread: pd.DataFrame, points: Mapping[str, OperatingPoint], place: int) -> Following:
    """What the correction costs at each threshold: scatter measured and by the delta method, inflation, share clipped.

    `spread` is the table of `corrections.spread_by_threshold`; `points` marks the policies on the measured curve.
    """
    columns = {name: [None if isnan(v) else v for v in spread[name].tolist()] for name in spread.columns}
    thresholds: list[float] = spread.threshold.tolist()
    panels = _panels(spread)
    top = panels[0][3][1]
    lines = [
        {
            "type": "scatter", "mode": "lines", "name": name, "x": thresholds, "y": columns[column], "yaxis": axis,
            "line": {"color": colour, "dash": dash, "width": 2.5}, "hovertemplate": template, "showlegend": axis == "y",
        }
        for name, column, axis, colour, dash, template in (
            ("measured", "measured", "y", "#0072B2", "solid", "%{y:.3f}"),
            ("delta method", "sampling", "y", "#D55E00", "dash", "%{y:.3f}"),
            ("delta method, rates measured anew", "total", "y", "#8F5A48", "dot", "%{y:.3f}"),
            ("measured after clipping", "kept", "y", "#009E73", "dashdot", "%{y:.3f}"),
            ("1 / |tpr - fpr|", "inflation", "y2", NEUTRAL, "solid", "%{y:.2f}"),
            ("share clipped", "clipped", "y3", NEUTRAL, "solid", "%{y:.0%}"),
        )
    ]  # fmt: skip
    marks = []
    for method, point in points.items():
        height = columns["measured"][thresholds.index(point.threshold)]
        if height is not None:
            said = {"hovertemplate": f"{method} at {point.threshold:.3f}: %{{y:.3f}}<extra></extra>"}
            marks.append(_marker(method, point.threshold, min(height, top), "", **said))
    moving = [{**_LINE, "yaxis": axis, "name": f"threshold {axis}"} for axis, *_ in panels]

    def at(i: int) -> list[dict[str, Any]]:
        t = thresholds[i]
        bare = [{"x": [t, t], "y": list(limits)} for *_, limits in panels[1:]]
        return [_line(t, 0.92 * top), *bare]

    axes = {}
    for axis, title, domain, limits in panels:
        ticks = {"tickformat": ".0%", "tickvals": [0, 1]} if axis == "y3" else {"nticks": 6 if axis == "y" else 3}
        axes[axis.replace("y", "yaxis")] = {
            **AXIS, "title": {"text": title, "standoff": 8, "font": {"size": 12}}, "domain": domain, "range": limits, **ticks,
        }  # fmt: skip
    return following(
        [*lines, *marks], moving, at, thresholds, place,
        title="What does the correction cost?", height=560, dragmode=False, hovermode="x",
        xaxis={**X_AXIS, "anchor": "y3"}, **axes,
    )  # fmt: skip
