"""What a broken assumption does: rates before and after, errors of each method, and how they grow with the shift."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from qcore.figures.template import NEGATIVES, NEUTRAL, POSITIVES, framed, mark_at, method_style, tinted

_HEIGHT: Final = 420
_REACHES: Final = (0.1, 0.25, 0.5, 1.0)
"""The x axis goes as far as one of these, so that it seldom changes."""


def shifted_rates_figure(rates: pd.DataFrame) -> go.Figure:
    """fpr and 1 - tpr by threshold, in training and in the shifted pool; the table of `rates_before_and_after`."""  # noqa: D403
    lines = []
    for part, dash, width in (("training", "solid", 2.0), ("pool", "dash", 2.5)):
        own = rates[rates.part == part]
        for name, values, colour in (("fpr", own.fpr, NEGATIVES), ("1 - tpr", 1.0 - own.tpr, POSITIVES)):
            lines.append(
                {
                    "type": "scatter", "mode": "lines", "name": f"{name}, {part}", "x": own.threshold.tolist(),
                    "y": values.tolist(), "line": {"color": colour, "dash": dash, "width": width, "shape": "vh"},
                    "hovertemplate": "%{y:.3f}",
                }
            )  # fmt: skip
    return framed(
        lines, title="Are tpr and fpr what they were?", height=_HEIGHT,
        xaxis={"title": {"text": "threshold", "standoff": 8}, "range": (-0.02, 1.02)},
        yaxis={"title": {"text": "rate", "standoff": 8}, "range": (-0.03, 1.03)},
    )  # fmt: skip


def errors_figure(table: pd.DataFrame, strength: float) -> go.Figure:
    """Mean error of each method without shift and at `strength`, with the 10th to 90th percentile; of `degradation`."""
    methods = list(dict.fromkeys(table.method))[::-1]
    traces: list[dict[str, Any]] = []
    for at, name, opacity in ((0.0, "no shift", 0.9), (strength, f"strength {strength:g}", 1.0)):
        own = table[table.strength == at].set_index("method").loc[methods]
        colours = [method_style(method).colour for method in methods]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "x": own.bias.tolist(), "y": methods,
                "marker": {
                    "size": 9 if at else 7, "color": colours, "opacity": opacity, "symbol": "circle" if at else "circle-open",
                },
                "error_x": {
                    "type": "data", "symmetric": False, "thickness": 1.5 if at else 0.0, "width": 3 if at else 0,
                    "array": (own.upper - own.bias).tolist(), "arrayminus": (own.bias - own.lower).tolist(),
                    "color": tinted(NEUTRAL, 0.7),
                },
                "hovertemplate": f"%{{y}}, {name}: %{{x:+.3f}}<extra></extra>",
            }
        )  # fmt: skip
        if not strength:
            break
    furthest = float(table[table.strength.isin([0.0, strength])][["lower", "upper", "bias"]].abs().to_numpy().max())
    reach = 1.05 * next((reach for reach in _REACHES if reach >= furthest), 1.0)
    zero = {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": NEUTRAL, "width": 1.5}}
    return framed(
        traces, title="Who errs, and which way?", height=max(_HEIGHT, 150 + 26 * len(methods)), hovermode="closest",
        xaxis={"title": {"text": "mean error of the estimate (estimate - truth)", "standoff": 8}, "range": (-reach, reach)},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": methods}, shapes=[zero],
    )  # fmt: skip


def degradation_figure(table: pd.DataFrame, strength: float) -> go.Figure:
    """Mean AE of each method by strength of the shift, the chosen strength marked; of `degradation`."""
    lines = []
    for method, own in table.groupby("method", sort=False):
        style = method_style(str(method))
        own = own.sort_values("strength")
        lines.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": method, "x": own.strength.tolist(), "y": own.AE.tolist(),
                "line": {"color": style.colour, "dash": style.dash, "width": 2},
                "marker": {"symbol": style.symbol, "size": 6, "color": style.colour}, "hovertemplate": "%{y:.3f}",
            }
        )  # fmt: skip
    return framed(
        lines, title="How fast does each one degrade?", height=max(_HEIGHT, 150 + 26 * len(lines)), shapes=[mark_at(strength)],
        xaxis={"title": {"text": "strength of the shift", "standoff": 8}, "range": (-1.03, 1.03)},
        yaxis={"title": {"text": "AE (mean)", "standoff": 8}, "rangemode": "tozero"},
    )  # fmt: skip
