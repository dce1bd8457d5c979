"""Are scores probabilities? Reliability diagrams, and what calibration does to quantifiers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from qcore.calibration import CALIBRATIONS
from qcore.figures.template import NEUTRAL, PALETTE, framed, method_style

_DASHES: Final = ("solid", "dash", "dot", "dashdot")
_SYMBOLS: Final = ("circle", "square", "diamond", "cross")
_STYLES: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {key: (PALETTE[i], _DASHES[i % 4], _SYMBOLS[i % 4]) for i, key in enumerate(CALIBRATIONS)}
)
_UNIT: Final = (-0.03, 1.03)


def reliability_figure(tables: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Share of positives by mean score, a line for each calibration; tables of `calibration.reliability`.

    The size of a marker grows with the number of instances in its bin.
    """
    diagonal = {
        "type": "scatter", "mode": "lines", "name": "a probability", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
        "line": {"color": NEUTRAL, "width": 1.5},
    }  # fmt: skip
    lines = []
    for key, table in tables.items():
        colour, dash, symbol = _STYLES[key]
        sizes = (5.0 + 13.0 * (table.n / table.n.sum()) ** 0.5).tolist()
        lines.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": _name(key), "x": table.score.tolist(),
                "y": table.share.tolist(), "customdata": table.n.tolist(), "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {"color": colour, "size": sizes, "symbol": symbol},
                "hovertemplate": "mean score %{x:.2f}, positives %{y:.2f}, %{customdata:,} instances",
            }
        )  # fmt: skip
    return framed(
        [diagonal, *lines], title="Does a score of 0.7 mean 70 %?", height=480, hovermode="closest",
        xaxis={"title": {"text": "mean score in the bin", "standoff": 8}, "range": _UNIT},
        yaxis={"title": {"text": "share of positives in the bin", "standoff": 8}, "range": _UNIT},
    )  # fmt: skip


def _name(key: str) -> str:
    return "uncalibrated" if key == "none" else key


def effects_figure(errors: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Mean AE of each quantifier for each calibration, side by side; tables of `calibration_effects.mean_errors`."""
    names = [_name(key) for key in errors]
    methods = next(iter(errors.values())).method.tolist()
    lines: list[dict[str, Any]] = []
    for method in methods:
        style = method_style(method)
        values = [float(table.set_index("method").AE[method]) for table in errors.values()]
        lines.append(
            {
                "type": "scatter", "mode": "markers", "name": method, "x": names, "y": values,
                "marker": {"color": style.colour, "symbol": style.symbol, "size": 13}, "hovertemplate": "%{y:.4f}",
            }
        )  # fmt: skip
    return framed(
        lines, title="What does calibration do to quantifiers?", height=480,
        xaxis={"type": "category"}, yaxis={"title": {"text": "AE (mean)", "standoff": 8}, "rangemode": "tozero"},
    )  # fmt: skip
