"""The threshold: the charts that follow it, the policies that choose it, and Forman's theorem."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import DraggedValue, chart
from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.dragged_slider import drag_bar
from pages.charts.figure import AXIS, NEGATIVES, NEUTRAL, POSITIVES, SERIES, method_style, tinted
from pages.charts.threshold_control import follow_threshold, moving_threshold_text
from pages.charts.traces import UNIT, Trace, axis, diagonal, histogram_line, line, markers, method_markers
from pages.corrections.findings import (
    correction_cost_sentences,
    overlap_note,
    rates_sentences,
    scores_sentences,
    theorem_sentence,
    theorem_sentences,
)
from pages.corrections.settings import SETTINGS
from pages.frame.layout import wide_row
from pages.frame.recording import POLICY_MARKS, is_withheld
from pages.frame.texts import texts_of
from pages.settings import control
from pages.settings.number_text import threshold_text
from qcore.measures.roc import RateCurve
from qcore.quantifiers.adjustment import expected_count
from qcore.quantifiers.operating_points import OperatingPoint
from qcore.studies.threshold_adjustment import ThresholdAdjustment, rates_table

_ARROWS_AT = tuple(step / 8 for step in range(9))
_SHORTEST_ARROW = 0.02
_LOW, _HIGH = 0.08, 0.9
"""Shares nearer to an end of the axes have their label on the other side."""
_COUNT, _CORRECTED = method_style("CC").colour, method_style("AC").colour
_LAYOUT = {
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


X_AXIS = axis("score, threshold", (-0.02, 1.02))
_HEIGHT = 318


_MUCH = 0.6
_LABEL, _LABEL_SMALL, _LABEL_BELOW = 0.92, 0.85, 0.35
"""Heights of the threshold's label as shares of the scale: in a full figure, in a small one, and below a curve above _MUCH."""


def _threshold_line(threshold: float, top: float, said: str = "", **more: Any) -> Trace:
    """The line of the threshold with its value, and what else is `said` there; the words stay inside the frame."""
    side = "top right" if threshold < 0.5 else "top left"
    text = f" {threshold_text(threshold)}{said} "
    labels: dict[str, Any] = {"text": ["", text], "textposition": side}
    trace = line("threshold", [threshold, threshold], [0, top], showlegend=False, **labels, **more)
    return trace | {"mode": "lines+text"}


def _policy(method: str, point: OperatingPoint, y: float, suffix: str = "", **more: Any) -> Trace:
    """The marker of a policy at its threshold."""
    hover = f"{method} at {threshold_text(point.threshold)}: %{{y:.3f}}<extra></extra>"
    edge = {"width": 1, "color": method_style(method).colour}
    name = f"{method}{suffix}"
    return method_markers(method, [point.threshold], [y], name=name, edge=edge, hover=hover, legendgroup=method, **more)


def scores_figure(histograms: pd.DataFrame, thresholds: Sequence[float], index: int) -> DraggedFigure:
    """Histograms of the training scores by class and of a sample, with the threshold as a line.

    `histograms`: lower, upper, positives, negatives, sample, as shares. `thresholds[index]` is where the line is.
    """
    edges = [histograms.lower.tolist()[0], *histograms.upper.tolist()]
    # Lines, not bars: the browser can move the threshold beside lines without drawing everything anew.
    classes = [
        histogram_line(
            f"training {name}", edges, histograms[name].tolist(), colour=colour, fill="tozeroy", fillcolor=tinted(colour, fill)
        )
        | {"line": {"width": 0, "shape": "hv", "color": colour}}
        # One is darker than the other in shades of grey, too.
        for name, colour, fill in (("negatives", NEGATIVES, 0.4), ("positives", POSITIVES, 0.75))
    ]
    still = [*classes, histogram_line("this sample", edges, histograms["sample"].tolist())]
    top = 1.12 * float(histograms[["positives", "negatives", "sample"]].to_numpy().max())
    return dragged_figure(
        lambda i: [_threshold_line(thresholds[i], _LABEL_SMALL * top)],
        thresholds,
        index,
        still=still,
        title="How each class scores",
        height=_HEIGHT,
        dragmode=False,
        xaxis={**X_AXIS, "unifiedhovertitle": {"text": "scores around %{x:.2f}"}},
        yaxis=axis("share of the group", (0, top), tickformat=".0%"),
    )


def rates_figure(
    curve: RateCurve,
    points: Mapping[str, OperatingPoint],
    bands: Sequence[tuple[float, float]],
    rates: RateCurve,
    index: int,
) -> DraggedFigure:
    """The fpr and 1 - tpr by threshold, with the policies' thresholds and the band that Median Sweep uses.

    `curve` holds the rates at every score; `rates` the rates at the thresholds that can be dragged to; `index` of that shown.
    Source: Barranquero 2013, Figure 3.2.
    """
    curve = curve.coarsened()
    x = [0.0, *curve.thresholds.tolist(), 1.0]
    # A rate at a threshold holds for all thresholds after the previous score.
    lines = [
        line(name, x, y, colour=colour, dash=dash, width=2.5, shape="vh", hover="%{y:.3f}")
        for name, y, colour, dash in (
            ("fpr", [1.0, *curve.fpr.tolist(), 0.0], NEGATIVES, "solid"),
            ("1 - tpr", [0.0, *(1.0 - curve.tpr).tolist(), 1.0], POSITIVES, "dash"),
        )
    ]
    policies = []
    for method, point in points.items():
        policies += [_policy(method, point, point.fpr), _policy(method, point, 1.0 - point.tpr, " too", showlegend=False)]
    still = [_sweep_band(bands), *lines, *policies]

    def at(i: int) -> list[Trace]:
        threshold = float(rates.thresholds[i])
        both = [float(rates.fpr[i]), 1.0 - float(rates.tpr[i])]
        current = markers("at the threshold", [threshold, threshold], both, size=9, showlegend=False)
        return [_threshold_line(threshold, 1.0), current]

    return dragged_figure(
        at,
        rates.thresholds.tolist(),
        index,
        still=still,
        title="Which thresholds do the policies choose?",
        height=_HEIGHT,
        dragmode=False,
        hovermode="closest",
        xaxis=X_AXIS,
        yaxis=axis("rate", (-0.03, 1.2), tickvals=[0, 0.5, 1]),
    )


def _sweep_band(bands: Sequence[tuple[float, float]]) -> Trace:
    """The thresholds that Median Sweep uses, as areas."""
    x: list[float | None] = []
    y: list[float | None] = []
    for low, high in bands:
        x += [low, low, high, high, low, None]
        y += [0, 1, 1, 0, 0, None]
    colour = method_style("MS").colour
    return line("Median Sweep uses these", x, y, colour=colour, width=0, fill="toself", fillcolor=tinted(colour, 0.1))


_Y_RANGES = (0.5, 1.0, 2.0)
"""The axis of the scatter ends at one of these: an estimate that scatters by half of the scale says nothing any more."""


class _Panel(NamedTuple):
    axis: str
    title: str
    domain: tuple[float, float]
    limits: tuple[float, float]
    ticks: dict[str, Any]


def _panels(deviations: pd.DataFrame) -> tuple[_Panel, ...]:
    """The panels of the costs, one above the other; the first shows how the curves explode, not how far they diverge."""
    high = float(deviations[["measured", "sampling", "total", "clipped_deviation"]].quantile(0.9).max())
    end = next((limit for limit in _Y_RANGES if limit >= high), _Y_RANGES[-1])
    return (
        _Panel("y", "scatter of the estimate", (0.42, 1.0), (0.0, end), {"nticks": 6}),
        _Panel("y2", "1 / |tpr - fpr|", (0.2, 0.37), (0.0, 10.5), {"nticks": 3}),
        _Panel("y3", "clipped", (0.0, 0.15), (-0.02, 1.05), {"tickformat": ".0%", "tickvals": [0, 1]}),
    )


DOUBTFUL = "measured (overlap)"
"""What the measured scatter is called where the samples share most of the pool."""

_COST_LINES = (
    ("measured", "measured", "y", SERIES[0], "solid", "%{y:.3f}"),
    ("delta method", "sampling", "y", SERIES[1], "dash", "%{y:.3f}"),
    ("with rates anew", "total", "y", SERIES[5], "dot", "%{y:.3f}"),
    ("after clipping", "clipped_deviation", "y", SERIES[2], "dashdot", "%{y:.3f}"),
    ("1 / |tpr - fpr|", "inflation", "y2", NEUTRAL, "solid", "%{y:.2f}"),
    ("share clipped", "clipped", "y3", NEUTRAL, "solid", "%{y:.0%}"),
)
"""Name, column of the table, y axis, colour, dash and hover template."""


def _cost_curves(
    deviations: pd.DataFrame, points: Mapping[str, OperatingPoint], panels: Sequence[_Panel], doubtful: bool
) -> list[Trace]:
    """The curves of the panels, with policies marked on the main curve; a single panel has no policies in its legend.

    The main curve is the measured one, or if that is `doubtful`, the theory's with rates measured anew.
    """
    columns = {name: [None if isnan(v) else v for v in deviations[name].tolist()] for name in deviations.columns}
    thresholds: list[float] = deviations.threshold.tolist()
    shown, top = {panel.axis for panel in panels}, panels[0].limits[1]
    main = "total" if doubtful else "measured"
    curves = []
    for name, column, y, colour, dash, hover in _COST_LINES:
        # Beside other charts two lines that lie on each other are enough; the chart in full has all.
        if y not in shown or (len(panels) == 1 and column not in (main, "measured" if doubtful else "sampling")):
            continue
        looks: dict[str, Any] = {"dash": dash, "width": 2.5}
        if doubtful and column == main:
            looks = {"dash": "solid", "width": 3.5}
        elif doubtful and column in ("measured", "clipped_deviation"):
            looks = {"dash": "dash", "width": 1, "opacity": 0.6}
        called = DOUBTFUL if doubtful and column == "measured" else name
        values = columns[column]
        curves.append(line(called, thresholds, values, colour=colour, hover=hover, yaxis=y, showlegend=y == "y", **looks))
    for method, point in points.items():
        height = columns[main][thresholds.index(point.threshold)]
        if height is not None:
            curves.append(_policy(method, point, min(height, top), showlegend=len(panels) > 1))
    # With groups Plotly stacks all entries that are in none, even if no group is in the legend.
    return curves if len(panels) > 1 else [{key: curve[key] for key in curve if key != "legendgroup"} for curve in curves]


def cost_figure(
    deviations: pd.DataFrame,
    points: Mapping[str, OperatingPoint],
    index: int,
    *,
    small: bool = False,
    doubtful: bool = False,
) -> DraggedFigure:
    """What the correction costs at each threshold: scatter measured and by the delta method, inflation, share clipped.

    `deviations` is the table of `deviation_by_threshold`; `points` marks the policies on the main curve. A `small`
    figure has the scatter alone. `doubtful` says whether samples overlap so much that what is measured on them is too small.
    """
    thresholds: list[float] = deviations.threshold.tolist()
    panels = _panels(deviations)
    if small:
        panels = (panels[0]._replace(domain=(0.0, 1.0)),)
    top = panels[0].limits[1]
    still = _cost_curves(deviations, points, panels, doubtful)
    scatter = deviations["total" if doubtful else "measured"].fillna(0.0).tolist()

    def at(i: int) -> list[Trace]:
        t = thresholds[i]
        here = scatter[i]
        # The label stands below a high curve, and gives the curve's value where that is off the scale.
        is_low = here <= _MUCH * top
        height = (_LABEL_SMALL if small else _LABEL) if is_low else _LABEL_BELOW
        said = f": {here:.2f}, off the scale" if here > top else ""
        first = _threshold_line(t, height * top, said, yaxis="y") | {"name": "threshold y"}
        others = [
            line(f"threshold {panel.axis}", [t, t], panel.limits, yaxis=panel.axis, showlegend=False) for panel in panels[1:]
        ]
        return [first, *others]

    axes = {
        panel.axis.replace("y", "yaxis"): {
            **AXIS,
            "title": {"text": panel.title, "standoff": 8},
            "domain": panel.domain,
            "range": panel.limits,
            **panel.ticks,
        }
        for panel in panels
    }
    return dragged_figure(
        at,
        thresholds,
        index,
        still=still,
        title="What does the correction cost?",
        height=_HEIGHT if small else 560,
        dragmode=False,
        hovermode="x",
        xaxis={**X_AXIS, "anchor": panels[-1].axis},
        **axes,
    )


TEXTS = texts_of("corrections")


def threshold_section(adjustment: ThresholdAdjustment) -> None:
    """Draw each chart's sentence, the full chart of the cost, and the theorem with chosen rates."""
    size = len(adjustment.sample)
    texts = {
        "scores": scores_sentences(adjustment.corrections, adjustment.n_positives, size),
        "rates": rates_sentences(adjustment.corrections, adjustment.points, adjustment.bands),
        "theorem": theorem_sentences(adjustment.corrections, adjustment.prevalence),
        "cost": correction_cost_sentences(
            adjustment.deviations, adjustment.prevalence, adjustment.n_samples, adjustment.pool_share
        ),
    }
    markers = "" if is_withheld(POLICY_MARKS) else " " + TEXTS["markers"]
    # As the charts stand: two beside each other.
    parts = [
        *wide_row("scores and rates in words", [1, 1], align="top"),
        *wide_row("theorem and cost in words", [1, 1], align="top"),
    ]
    for part, (name, sentences) in zip(parts, texts.items(), strict=True):
        with part:
            st.markdown(TEXTS[name].replace("{markers}", markers))
            moving_threshold_text(name, adjustment.rates.thresholds, sentences)
    doubtful = bool(overlap_note(adjustment.pool_share))
    dragged = cost_figure(adjustment.deviations, adjustment.points, adjustment.rates.nearest(0.5), doubtful=doubtful)
    alt = "Scatter of the corrected estimate by threshold, 1 / (tpr - fpr), and the share of samples clipped."
    follow_threshold(dragged, key="cost_in_full", alt=alt, drags=True)
    if control.toggle(SETTINGS["textbook"]):
        st.markdown(TEXTS["chosen_rates"])
        chosen_rates_chart()
