"""Figures of a recommender's errors by size beside its bounds, of its choices, and of which metafeatures matter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import small_multiples
from pages.charts.style import NEUTRAL, Style, distinct_colours, figure, tinted
from pages.charts.traces import Trace, axis, bars, method_line, styled_line

_BOUNDS: Final[Mapping[str, tuple[Style, dict[str, Any]]]] = {
    "MLQ": (Style(NEUTRAL, "solid", "circle"), {"width": 5, "size": 9}),
    "TOP": (Style(NEUTRAL, "dash", "triangle-down"), {}),
    "RND": (Style(NEUTRAL, "dot", "triangle-up"), {}),
}

_PATTERNS: Final = ("", "/", ".", "x", "-", "+", "|", "\\")
"""Patterns that tell bars apart, in addition to their colour."""


def errors_figure(errors: pd.DataFrame, panels: Mapping[str, Sequence[str]] | None = None) -> Figure:
    """Mean AE by size of each candidate, MLQ, TOP and RND; `errors` from `errors_by_size`.

    The area between TOP and RND is shaded: it is the gain that choosing can bring. `panels`: title -> candidates, to divide the
    lines among small multiples.
    """
    lines = {str(name): _errors(str(name), table) for name, table in errors.groupby("name", sort=False)}
    # The candidates' lines above the others: MLQ's is wide enough to be seen around them.
    top = {**lines.pop("TOP"), "fill": "tonexty", "fillcolor": tinted(NEUTRAL, 0.12)}
    bounds = [lines.pop("RND"), top, lines.pop("MLQ")]
    sizes = [str(size) for size in dict.fromkeys(errors["size"].tolist())]
    xaxis = axis("sample size", type="category", categoryorder="array", categoryarray=sizes)
    yaxis = axis("mean AE", rangemode="tozero")
    title = "Does choosing pay? Mean AE by sample size"
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


def choices_figure(choices: pd.DataFrame) -> Figure:
    """How often each candidate is chosen at each size, stacked; the table of `choices_by_size`."""
    tables = choices.groupby("candidate", sort=False)
    colours = distinct_colours([str(name) for name, _ in tables])
    chosen = [
        bars(
            str(name),
            [str(size) for size in table["size"]],
            table.chosen,
            colour=colours[i],
            hover="chosen %{y:.0%}, best %{customdata[0]:.0%}",
            customdata=table[["best"]].to_numpy().tolist(),
            marker={"color": colours[i], "pattern": _pattern(i)},
        )
        for i, (name, table) in enumerate(tables)
    ]
    return figure(
        chosen,
        title="What does it choose?",
        height=400,
        barmode="stack",
        hovermode="x unified",
        xaxis=axis("sample size", type="category"),
        yaxis=axis("share of the samples", (0, 1.0)),
    )


def _pattern(i: int) -> dict[str, Any]:
    return {"shape": _PATTERNS[i % len(_PATTERNS)], "fgcolor": "#FFFFFF", "size": 6, "fillmode": "overlay"}


def importance_figure(importance: pd.DataFrame) -> Figure:
    """The share of recommendations that change with each metafeature; the table of `metafeature_importance`."""
    table = importance.iloc[::-1]
    changed = bars(
        "changed",
        table.changed,
        table.metafeature,
        colour=NEUTRAL,
        hover="%{x:.0%} of the recommendations change; MLQ's mean AE %{customdata[0]:+.5f} (standard error "
        "%{customdata[1]:.5f})<extra></extra>",
        orientation="h",
        customdata=table[["cost", "standard_error"]].to_numpy().tolist(),
        showlegend=False,
    )
    return figure(
        [changed],
        title="What decides?",
        height=400,
        hovermode="closest",
        xaxis=axis("recommendations that change", rangemode="tozero", tickformat=".0%"),
        yaxis={"type": "category"},
    )
