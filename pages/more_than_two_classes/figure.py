"""Figures of losses on more than two classes: over the simplex, by method, by class; and of the correction's matrix."""

from collections.abc import Sequence

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import Panels, wide_and_narrow
from pages.charts.style import NEUTRAL, PALETTE, SEQUENTIAL, distinct_colours, figure, method_style
from pages.charts.ternary import on_triangle, triangle
from pages.charts.traces import axis, bars, diagonal, heatmap, markers
from qcore.base import FloatArray
from qcore.quantifiers import QUANTIFIERS


def simplex_figure(table: pd.DataFrame, classes: Sequence[str], method: str, loss: str, most: float) -> Figure:
    """A mark for each prevalence vector of three classes, coloured by the mean loss, dark is good; up to `most`."""
    traces, arrangement = triangle(classes)
    points = on_triangle(table[list(classes)].to_numpy()).round(4)
    texts = [
        ", ".join(f"{name} {row[name]:.0%}" for name in classes) + f"<br>mean {loss} {row['loss']:.3f}"
        for row in table.to_dict("records")
    ]
    marks = markers(
        f"{loss} of {method}", points[:, 0], points[:, 1], size=15, text=texts, hover="%{text}<extra></extra>", showlegend=False
    )
    marks["marker"] |= {
        "color": table.loss.tolist(), "colorscale": SEQUENTIAL, "cmin": 0, "cmax": most, "symbol": "hexagon",
        "colorbar": {"title": {"text": f"mean {loss}"}, "thickness": 12, "len": 0.8},
    }  # fmt: skip
    arrangement["margin"] = {**arrangement["margin"], "r": 96}
    return figure([*traces, marks], title=f"Where is {method} good? Dark: low {loss}", height=430, **arrangement)


def methods_figure(table: pd.DataFrame, loss: str) -> Figure:
    """The mean loss of each method, best on top: columns method, mean, standard_error."""
    rows = table.iloc[::-1]
    known = [method for method in table.method if method in QUANTIFIERS]
    colour_of = dict(zip(known, distinct_colours(known), strict=True))
    colours = [colour_of.get(method, NEUTRAL) for method in rows.method]
    bar = bars(
        "mean", rows["mean"], rows.method, colour="", hover="%{y}: %{x:.4f}", orientation="h", showlegend=False,
        error_x={"type": "data", "array": (2.0 * rows.standard_error).tolist(), "thickness": 1.5, "width": 3, "color": NEUTRAL},
    )  # fmt: skip
    bar["marker"] = {"color": colours}
    return figure(
        [bar],
        title=f"Mean {loss} over all samples (± 2 standard errors)",
        height=max(430, 112 + 16 * len(rows)),
        hovermode="closest",
        margin={"l": 90, "r": 16, "t": 48, "b": 64},
        xaxis=axis(f"mean {loss}", rangemode="tozero"),
        yaxis=axis("", type="category", dtick=1),
    )


def class_errors_figure(table: pd.DataFrame) -> Figure:
    """The mean absolute error of each method on each class: columns method, class, error."""
    cells = table.pivot_table("error", "method", "class", sort=False)
    hover = "%{y}, class %{x}: mean error %{z:.3f}<extra></extra>"
    colorbar = {"title": {"text": "error"}, "thickness": 12}
    return figure(
        [
            heatmap(
                "error", cells.columns.astype(str), cells.index.astype(str), cells.to_numpy().round(4).tolist(), hover=hover,
                colorscale=SEQUENTIAL, zmin=0, colorbar=colorbar, texttemplate="%{z:.3f}" if cells.shape[1] <= 12 else "",
            )
        ],
        title="Mean absolute error of each class",
        height=430,
        hovermode="closest",
        xaxis=axis("class", type="category"),
        yaxis=axis("", type="category", autorange="reversed"),
    )  # fmt: skip


def truth_figure(table: pd.DataFrame, method: str) -> Panels:
    """Estimates by true prevalence, a panel for each class: columns class, true, estimate."""
    colour = method_style(method).colour
    panels = {
        f"class {name}": [
            diagonal(f"truth {name}", showlegend=False),
            markers(
                f"{method} {name}", rows.true.round(4), rows.estimate.round(4), colour=colour, size=4, opacity=0.6,
                showlegend=False, hover="true %{x:.0%}, estimated %{y:.0%}<extra></extra>",
            ),
        ]
        for name, rows in table.groupby("class", sort=False)
    }  # fmt: skip
    share = {"tickformat": ".0%", "fixedrange": True}
    return wide_and_narrow(
        panels,
        title=f"What {method} says of each class",
        xaxis=axis("true share", (-0.03, 1.03), **share),
        yaxis=axis("estimated share", (-0.03, 1.03), **share),
        margin={"l": 60, "r": 24, "t": 62, "b": 64},
    )


def matrix_figure(rates: FloatArray, classes: Sequence[str], title: str) -> Figure:
    """The matrix that AC or PACC inverts; a column for each actual class, which sums to 1."""
    texts = {"texttemplate": "%{z:.2f}"} if len(classes) <= 12 else {}
    hover = "of class %{x}, counted as %{y}: %{z:.3f}<extra></extra>"
    return figure(
        [
            heatmap(
                "rate", list(classes), list(classes), rates.round(4).tolist(), hover=hover, colorscale=SEQUENTIAL, zmin=0,
                zmax=1, xgap=2, ygap=2, **texts,
            )
        ],
        title=title,
        height=420,
        hovermode="closest",
        xaxis=axis("actual class", type="category"),
        yaxis=axis("counted as", type="category", autorange="reversed"),
    )  # fmt: skip


def native_figure(table: pd.DataFrame, loss: str) -> Figure:
    """The mean loss of methods on all classes at once and as one against all: columns method, native, one_vs_all."""
    return figure(
        [
            bars("all classes at once", table.method, table.native, colour=PALETTE[0], hover="%{y:.4f}"),
            bars("one class against all", table.method, table.one_vs_all, colour=PALETTE[1], hover="%{y:.4f}"),
        ],
        title=f"Mean {loss}: all classes at once, or one against all?",
        height=380,
        barmode="group",
        xaxis=axis("", type="category"),
        yaxis=axis(f"mean {loss}", rangemode="tozero"),
    )
