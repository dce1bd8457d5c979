"""Forman's theorem: its figure, and the theorem at rates that are chosen.

Source: Forman 2008; Barranquero 2013, 3.2, theorem 3.1.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import DraggedValue, chart
from pages.charts.drag_bar import drag_bar
from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.style import method_style
from pages.charts.traces import UNIT, Trace, axis, diagonal, line, markers
from pages.corrections.findings import theorem_sentence
from pages.corrections.settings import SETTINGS
from pages.settings import control
from qcore.measures.roc import RateCurve
from qcore.quantifiers.adjustment import expected_count
from qcore.studies.threshold_adjustment import rates_table

_ARROWS_AT: Final = tuple(step / 8 for step in range(9))
_SHORTEST_ARROW: Final = 0.02
_LOW, _HIGH = 0.08, 0.9
"""Shares nearer to an end of the axes have their label on the other side."""
_COUNT, _CORRECTED = method_style("CC").colour, method_style("AC").colour
_LAYOUT: Final = {
    "title": "What counting says on average, and the way back",
    "height": 318,
    "dragmode": False,
    "hovermode": "closest",
    "xaxis": axis("true prevalence p", UNIT, tickformat=".0%"),
    "yaxis": axis("estimated prevalence", UNIT, tickformat=".0%"),
}


@lru_cache(2048)
def _theorem(tpr: float, fpr: float, p_star: float | None) -> tuple[Trace, ...]:
    """The traces of the theorem with these rates; their line meets the diagonal at `p_star` (None: everywhere).

    Kept, since the rates at all thresholds stay the same while a sample's size or prevalence moves.
    """
    counts: list[float] = expected_count(tpr, fpr, _ARROWS_AT).round(4).tolist()
    path_x: list[float | None] = []
    path_y: list[float | None] = []
    heads: dict[str, list[float]] = {"up": [], "down": []}
    for true, count in zip(_ARROWS_AT, counts, strict=True):
        if abs(true - count) >= _SHORTEST_ARROW and tpr > fpr:
            path_x += [true, true, None]
            path_y += [count, true, None]
            heads["up" if count < true else "down"].append(true)
    quiet: dict[str, Any] = {"colour": _CORRECTED, "opacity": 0.6, "showlegend": False}
    meeting = [] if p_star is None else [p_star]
    hover = "%{y:.0%}<extra>expected count</extra>"
    return (
        line("corrections", path_x, path_y, width=1, **quiet),
        *(markers(f"corrections {way}", at, at, symbol=f"triangle-{way}", size=7, **quiet) for way, at in heads.items()),
        line("counting (CC), expected", [0, 1], [fpr, tpr], colour=_COUNT, width=2.5, hover=hover),
        markers(
            "p*",
            meeting,
            meeting,
            symbol="circle-open",
            size=14,
            edge={"width": 2.5},
            text=[f"p* {at:.0%}" for at in meeting],
            # Near an end of the axes, a label at the bottom right would leave the picture or cover the numbers of an axis.
            textposition=["top left" if at > _HIGH else "top right" if at < _LOW else "bottom right" for at in meeting],
            cliponaxis=False,
            hover="p*, %{x:.0%}: the one prevalence at which counting is right on average<extra></extra>",
        )
        | {"mode": "markers+text"},
    )


@lru_cache(2048)
def _pool_line(tpr: float, fpr: float) -> Trace:
    """The expected count with the pool's rates."""
    return line("with the pool's rates", [0, 1], [fpr, tpr], colour=_COUNT, width=1.5, dash="dot")


def theorem_figure(corrections: pd.DataFrame, pool: RateCurve, truth: float, index: int) -> DraggedFigure:
    """The theorem at each threshold of the table of `corrected_counts`, with the sample's count and its correction.

    `pool`: the pool's rates at the same thresholds, which nobody knows in practice; `truth`: the sample's prevalence; `index`:
    of the row that the figure shows.
    """
    columns = {name: corrections[name].tolist() for name in corrections.columns}
    meetings = [None if isnan(p_star) else p_star for p_star in columns["p_star"]]
    pool_rates = list(zip(pool.tpr.tolist(), pool.fpr.tolist(), strict=True))

    def at(i: int) -> list[Trace]:
        count, estimate, raw = (columns[name][i] for name in ("count", "estimate", "raw"))
        # Where tpr = fpr there is no correction.
        across = [] if isnan(raw) else [truth, min(max(raw, 0.0), 1.0), estimate]
        arrow = {"symbol": "arrow", "angleref": "previous", "size": [0, 12, 14], "color": _CORRECTED}
        hover = "truth %{x:.2f}, counted %{y:.2f}<extra></extra>"
        return [
            *_theorem(columns["tpr"][i], columns["fpr"][i], meetings[i]),
            _pool_line(*pool_rates[i]),
            line(
                "its correction (AC)",
                across,
                [count, count, estimate][: len(across)],
                colour=_CORRECTED,
                width=3,
                marker=arrow,
            )
            | {"mode": "lines+markers"},
            markers("this sample, counted", [truth], [count], symbol="square", size=12, colour=_COUNT, hover=hover),
        ]

    return dragged_figure(at, columns["threshold"], index, still=[diagonal()], **_LAYOUT)


def chosen_rates_figure(rates: pd.DataFrame, values: Sequence[float], index: int) -> DraggedFigure:
    """The theorem with chosen rates: a table with tpr, fpr and p_star for each of `values`; `index` of the one shown."""
    rows = [
        (tpr, fpr, None if isnan(p_star) else p_star)
        for tpr, fpr, p_star in rates[["tpr", "fpr", "p_star"]].to_numpy().tolist()
    ]
    return dragged_figure(lambda i: _theorem(*rows[i]), values, index, still=[diagonal()], **_LAYOUT)


_RATES = [step / 100 for step in range(101)]


def chosen_rates_chart() -> None:
    """Draw the theorem with chosen rates: a bar for each rate moves the chart, and the other rate stays."""
    rates = {key: _chosen_rate(key) for key in ("tpr", "fpr")}
    follows = []
    for key in rates:
        table = rates_table(**{name: np.array(_RATES) if name == key else rate for name, rate in rates.items()})
        index = round(100 * rates[key])
        dragged = chosen_rates_figure(table, _RATES, index)
        sentences = [theorem_sentence(*row) for row in table[["tpr", "fpr", "p_star"]].itertuples(index=False)]
        follows.append(DraggedValue(key, dragged, index, sentences))
    chart(dragged.figure, key="chosen_rates", alt="Expected count by true prevalence with the chosen rates.", follows=follows)


def _chosen_rate(key: str) -> float:
    kept = f"{key} kept"
    if key not in st.session_state and kept in st.session_state:
        # Streamlit forgets the value of a control while it is not drawn.
        st.session_state[key] = st.session_state[kept]
    bar, typed = st.columns([3, 1], vertical_alignment="center")
    with typed:
        value = control.box(SETTINGS[key])
    st.session_state[kept] = value = round(float(value), 2)
    with bar:
        drag_bar(key, key, _RATES, value)
    return value
