"""Figures of dataset shift: rates before and after it, the errors of each method, and how they grow with its strength."""

from typing import Any, Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEGATIVES, NEUTRAL, POSITIVES, figure, method_style, tinted
from pages.charts.traces import UNIT, Trace, axis, line, markers, method_line, vertical_mark

_HEIGHT: Final = 340
_X_RANGES: Final = (0.1, 0.25, 0.5, 1.0)
"""The x axis ends at one of these, so that it seldom changes."""


def shifted_rates_figure(rates: pd.DataFrame) -> Figure:
    """The fpr and 1 - tpr by threshold, in training and in the shifted pool; the table of `rates_before_and_after`."""
    lines = []
    for part, dash, width in (("training", "solid", 2.0), ("pool", "dash", 2.5)):
        table = rates[rates.part == part]
        for name, values, colour in (("fpr", table.fpr, NEGATIVES), ("1 - tpr", 1.0 - table.tpr, POSITIVES)):
            style: dict[str, Any] = {"colour": colour, "dash": dash, "width": width, "shape": "vh"}
            lines.append(line(f"{name}, {part}", table.threshold, values, hover="%{y:.3f}", **style))
    return figure(
        lines,
        title="Are tpr and fpr what they were?",
        height=_HEIGHT,
        xaxis=axis("threshold", (-0.02, 1.02)),
        yaxis=axis("rate", UNIT),
    )


def errors_figure(table: pd.DataFrame, strength: float) -> Figure:
    """Mean error of each method without shift and at `strength`, with the 10th to 90th percentile; of `errors_under_shift`."""
    methods = list(dict.fromkeys(table.method))[::-1]
    traces = [_errors(table, methods, 0.0)]
    if strength:
        traces.append(_errors(table, methods, strength))
    largest = float(table[table.strength.isin([0.0, strength])][["lower", "upper", "bias"]].abs().to_numpy().max())
    end = 1.05 * next((limit for limit in _X_RANGES if limit >= largest), 1.0)
    zero = vertical_mark(0, line={"color": NEUTRAL, "width": 1.5})
    return figure(
        traces,
        title="Which methods err, and in which direction?",
        height=max(_HEIGHT, 150 + 26 * len(methods)),
        hovermode="closest",
        xaxis=axis("mean error of the estimate (estimate - truth)", (-end, end)),
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": methods},
        shapes=[zero],
    )


def _errors(table: pd.DataFrame, methods: list[str], strength: float) -> Trace:
    """The mean errors at a strength as markers; under shift they are filled and show their spread."""
    name = f"strength {strength:g}" if strength else "no shift"
    rows = table[table.strength == strength].set_index("method").loc[methods]
    spread = {
        "type": "data",
        "symmetric": False,
        "thickness": 1.5 if strength else 0.0,
        "width": 3 if strength else 0,
        "array": (rows.upper - rows.bias).tolist(),
        "arrayminus": (rows.bias - rows.lower).tolist(),
        "color": tinted(NEUTRAL, 0.7),
    }
    trace = markers(
        name,
        rows.bias,
        methods,
        colour=[method_style(method).colour for method in methods],
        symbol="circle" if strength else "circle-open",
        size=9 if strength else 7,
        hover=f"%{{y}}, {name}: %{{x:+.3f}}<extra></extra>",
        error_x=spread,
    )
    return trace | {"marker": {**trace["marker"], "opacity": 1.0 if strength else 0.9}}


def degradation_figure(table: pd.DataFrame, strength: float) -> Figure:
    """Mean AE of each method by strength of the shift, the chosen strength marked; of `errors_under_shift`."""
    lines = []
    for method, rows in table.groupby("method", sort=False):
        by_strength = rows.sort_values("strength")
        lines.append(method_line(str(method), by_strength.strength, by_strength.AE, size=6, hover="%{y:.3f}"))
    return figure(
        lines,
        title="How fast does each one degrade?",
        height=max(_HEIGHT, 150 + 26 * len(lines)),
        shapes=[vertical_mark(strength)],
        xaxis=axis("strength of the shift", (-1.03, 1.03)),
        yaxis=axis("AE (mean)", rangemode="tozero"),
    )
