"""Mean AE by sample size of a recommender, its candidates and its bounds: on one data set, and over many."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from pages.charts.figure import NEUTRAL, Figure, Style, figure, tinted
from pages.charts.panels import small_multiples
from pages.charts.traces import Trace, axis, method_line, styled_line
from qcore.recommender.evaluation import FROM_OTHERS

_BOUNDS: Final[Mapping[str, tuple[Style, dict[str, Any]]]] = {
    "MLQ": (Style(NEUTRAL, "solid", "circle"), {"width": 5, "size": 9}),
    FROM_OTHERS: (Style(NEUTRAL, "dashdot", "square"), {"width": 3, "size": 8}),
    "TOP": (Style(NEUTRAL, "dash", "triangle-down"), {}),
    "RND": (Style(NEUTRAL, "dot", "triangle-up"), {}),
}


_TITLE = "Does choosing pay? Mean AE by sample size"


def errors_figure(errors: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None, *, title: str = _TITLE) -> Figure:
    """Mean AE by size of each candidate, MLQ, TOP and RND; `errors` from `errors_by_size`, or their means over data sets.

    The area between TOP and RND is shaded: it is the gain that choosing can bring. `panels`: title -> candidates, to divide the
    lines among small multiples.
    """
    lines = {str(name): _errors(str(name), table) for name, table in errors.groupby("name", sort=False)}
    # The candidates' lines above the others: MLQ's is wide enough to be seen around them.
    top = {**lines.pop("TOP"), "fill": "tonexty", "fillcolor": tinted(NEUTRAL, 0.12)}
    bounds = [lines.pop("RND"), top, lines.pop("MLQ")]
    sizes = [str(size) for size in dict.fromkeys(errors["size"].tolist())]
    xaxis = axis("sample size", type="category", categoryorder="array", categoryarray=sizes)
    yaxis = axis("mean AE", (0.0, 1.05 * float(errors["mean"].max())))
    if panels:
        shared = {
            name: [*(_repeated(trace, i) for trace in bounds), *(lines[method] for method in methods)]
            for i, (name, methods) in enumerate(panels.items())
        }
        return small_multiples(shared, title=title, xaxis=xaxis, yaxis=yaxis)
    return figure([*bounds, *lines.values()], title=title, xaxis=xaxis, yaxis=yaxis)


def _repeated(trace: Mapping[str, Any], i: int) -> Trace:
    """The trace for panel `i`, in the legend only for the first panel."""
    name = str(trace["name"])
    return {**trace, "name": f"{name} {i}" if i else name, "legendgroup": name, "showlegend": not i}


def _errors(name: str, table: pd.DataFrame) -> Trace:
    x, y = [str(size) for size in table["size"]], table["mean"]
    more: dict[str, Any] = {
        "hover": "%{y:.4f} (standard error %{customdata[0]:.4f})",
        "customdata": table[["standard_error"]].to_numpy().tolist(),
    }
    if name not in _BOUNDS:
        return method_line(name, x, y, **more)
    style, look = _BOUNDS[name]
    return styled_line(name, style, x, y, **look, **more, opacity=0.8)
