"""Forman's theorem: what counting says by true prevalence, and the correction back to the diagonal (B 3.2, theorem 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, Final

import numpy as np
import pandas as pd

from qcore.corrections import crossing
from qcore.figures.following import Following, Trace, following
from qcore.figures.template import NEUTRAL, method_style
from qcore.quantifiers.rate_curve import RateCurve

_UNIT: Final = (-0.03, 1.03)
_SHOWN: Final = tuple(step / 8 for step in range(9))
_SHORTEST = 0.02
_COUNT, _CORRECTED = method_style("CC"), method_style("AC")
_STILL: Final[tuple[Trace, ...]] = (
    {
        "type": "scatter", "mode": "lines", "name": "truth", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
        "line": {"color": NEUTRAL, "width": 1.5},
    },
)  # fmt: skip
_LINES: Final[tuple[Trace, ...]] = (
    {
        "type": "scatter", "mode": "lines", "name": "corrections", "showlegend": False, "hoverinfo": "skip",
        "line": {"color": _CORRECTED.colour, "width": 1}, "opacity": 0.6,
    },
    *(
        {
            "type": "scatter", "mode": "markers", "name": f"corrections {way}", "showlegend": False, "hoverinfo": "skip",
            "marker": {"color": _CORRECTED.colour, "size": 7, "symbol": f"triangle-{way}"}, "opacity": 0.6,
        }
        for way in ("up", "down")
    ),
    {
        "type": "scatter", "mode": "lines", "name": "counting (CC), expected",
        "line": {"color": _COUNT.colour, "width": 2.5}, "hovertemplate": "%{y:.2f}<extra>expected count</extra>",
    },
    {
        "type": "scatter", "mode": "markers+text", "name": "p*", "hoverinfo": "skip",
        "textposition": "bottom right", "cliponaxis": False,
        "marker": {"symbol": "circle-open", "size": 14, "color": NEUTRAL, "line": {"width": 2.5}},
    },
)  # fmt: skip
_SAMPLE: Final[tuple[Trace, ...]] = (
    {
        "type": "scatter", "mode": "lines", "name": "with the pool's rates",
        "line": {"color": _COUNT.colour, "width": 1.5, "dash": "dot"}, "hoverinfo": "skip",
    },
    {
        "type": "scatter", "mode": "lines+markers", "name": "its correction (AC)",
        "line": {"color": _CORRECTED.colour, "width": 3}, "hoverinfo": "skip",
        "marker": {"symbol": "arrow", "angleref": "previous", "size": [0, 12, 14], "color": _CORRECTED.colour},
    },
    {
        "type": "scatter", "mode": "markers", "name": "this sample, counted",
        "marker": {"symbol": "square", "size": 12, "color": _COUNT.colour},
        "hovertemplate": "truth %{x:.2f}, counted %{y:.2f}<extra></extra>",
    },
)  # fmt: skip
_LAYOUT: Final = {
    "title": "Counting bends, correcting mends",
    "height": 560,
    "dragmode": False,
    "hovermode": "closest",
    "xaxis": {"title": {"text": "true prevalence p", "standoff": 8}, "range": _UNIT},
    "yaxis": {"title": {"text": "prevalence said", "standoff": 8}, "range": _UNIT},
}


def _picture(tpr: float, fpr: float, meets: float) -> list[dict[str, Any]]:
    """What the lines of the theorem get with these rates, which meet the diagonal at `meets` (NaN: everywhere)."""
    paths: dict[str, list[float | None]] = {"x": [], "y": []}
    ups: list[float] = []
    downs: list[float] = []
    for true in _SHOWN:
        count = fpr + (tpr - fpr) * true
        if abs(true - count) >= _SHORTEST and tpr > fpr:
            paths["x"] += [true, true, None]
            paths["y"] += [count, true, None]
            (ups if count < true else downs).append(true)
    at = [] if isnan(meets) else [meets]
    star = {"x": at, "y": at, "text": [f"p* {meets:.2f}"] * len(at)}
    return [paths, {"x": ups, "y": ups}, {"x": downs, "y": downs}, {"x": [0, 1], "y": [fpr, tpr]}, star]


def theorem_figure(table: pd.DataFrame, pool: RateCurve, truth: float, place: int) -> Following:
    """The theorem at each threshold of `corrections.corrections`' table, with the sample's point and its way back.

    `pool`: the pool's rates at the same thresholds, which nobody knows in practice; `truth`: the sample's prevalence; `place`:
    the row that the figure shows.
    """
    columns = {name: table[name].tolist() for name in table.columns}

    def at(i: int) -> list[dict[str, Any]]:
        count, estimate, raw = (columns[name][i] for name in ("count", "estimate", "raw"))
        # Where tpr = fpr there is no way back.
        across = [] if isnan(raw) else [truth, min(max(raw, 0.0), 1.0), estimate]
        back = {"x": across, "y": [count, count, estimate][: len(across)]}
        own = {"x": [0, 1], "y": [float(pool.fpr[i]), float(pool.tpr[i])]}
        lines = _picture(columns["tpr"][i], columns["fpr"][i], columns["crossing"][i])
        return [*lines, own, back, {"x": [truth], "y": [count]}]

    return following(_STILL, [*_LINES, *_SAMPLE], at, columns["threshold"], place, **_LAYOUT)


def textbook_figure(rates: Sequence[tuple[float, float]], values: Sequence[float], place: int) -> Following:
    """The theorem with rates of one's own: `rates` are (tpr, fpr) at each of `values`; `place` the one shown."""
    meets = crossing(*(np.array(part) for part in zip(*rates, strict=True))).tolist()
    return following(_STILL, _LINES, lambda i: _picture(*rates[i], meets[i]), values, place, **_LAYOUT)
