"""A figure of the shares of all classes: each method's estimates with their intervals, side by side."""

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, figure, method_style
from pages.charts.traces import axis, line, markers
from pages.settings.number_text import percentages
from qcore.quantifiers import QUANTIFIERS

_ROOM = 0.7


def class_estimates_figure(table: pd.DataFrame, truth: pd.Series | None) -> Figure:
    """Each method's estimate of each class as a diamond on its interval: columns method, class, estimate, low, high.

    `truth`: true share of each class, in the order of the classes, drawn as ticks.
    """
    classes, methods = list(dict.fromkeys(table["class"])), list(dict.fromkeys(table["method"]))
    traces = []
    for number, method in enumerate(methods):
        rows = table[table.method == method]
        shift = _ROOM * ((number + 0.5) / len(methods) - 0.5)
        y = [classes.index(name) + shift for name in rows["class"]]
        bars_x = [part for ends in zip(rows.low, rows.high, strict=True) for part in (*ends, None)]
        bars_y = [part for one in y for part in (one, one, None)]
        colour = method_style(method).colour if method in QUANTIFIERS else NEUTRAL
        traces.append(line(f"{method} interval", bars_x, bars_y, colour=colour, width=4, showlegend=False, legendgroup=method))
        texts = ["{}, {} to {}".format(*percentages(row.estimate, row.low, row.high)) for row in rows.itertuples()]
        # Diamonds for all: a method's own mark would be lost on its bar.
        more = {"text": texts, "hover": f"{method}: %{{text}}", "legendgroup": method}
        traces.append(markers(method, rows.estimate, y, colour=colour, symbol="diamond", size=11, **more))
    if truth is not None:
        edge = {"width": 2, "color": NEUTRAL}
        ticks = markers("truth", truth, range(len(truth)), symbol="line-ns", size=34, edge=edge, hover="truth: %{x:.1%}")
        traces.insert(0, ticks)
    most = min(1.01, 0.03 + max(float(table.high.max()), float(truth.max()) if truth is not None else 0.0))
    return figure(
        traces,
        title="The share of each class",
        height=max(320, 150 + (14 * len(methods) + 12) * len(classes)),
        hovermode="closest",
        xaxis=axis("share of the sample", (-0.01, most), tickformat=".0%"),
        yaxis=axis("", (len(classes) - 0.4, -0.6), tickvals=list(range(len(classes))), ticktext=classes),
    )
