"""The prevalence of each day, and each quantifier's estimate of it (Barranquero 2013, Figure 3.1)."""

from collections.abc import Mapping, Sequence

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import small_multiples
from pages.charts.style import figure
from pages.charts.traces import UNIT, axis, line, method_line


def trend_figure(table: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None) -> Figure:
    """Each method's estimate day by day over the true prevalence; the table of `studies.trend.trend`.

    `panels`: title -> methods, to divide the lines among small multiples.
    """
    days = sorted(set(table.day.tolist()))
    truth = line("truth", days, table.true.tolist()[: len(days)], width=5, hover="%{y:.2f}", opacity=0.6)
    lines = {
        str(method): method_line(str(method), rows.day, rows.estimate, size=6, hover="%{y:.3f}")
        for method, rows in table.groupby("method", sort=False)
    }
    xaxis, yaxis = axis("day", (0.5, days[-1] + 0.5)), axis("prevalence", UNIT, tickformat=".0%")
    title = "Which method follows the trend?"
    if panels:
        shared = {
            name: [{**truth, "name": f"truth {i}", "showlegend": False}, *(lines[method] for method in methods)]
            for i, (name, methods) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=xaxis, yaxis=yaxis)
    return figure([truth, *lines.values()], title=title, xaxis=xaxis, yaxis=yaxis)
