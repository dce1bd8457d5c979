"""Curves along a row and along a column of a heatmap: one method with its band, the others in grey."""

from collections.abc import Sequence
from typing import Any, Final

from pages.charts.figure import Figure
from pages.charts.style import figure
from pages.charts.traces import axis, band, line, method_line
from qcore.evaluation.loss_grid import GridSection, LossGrid, column_section, row_section

_HEIGHT: Final = 235
_MARGIN: Final = {"l": 64, "r": 24, "t": 54, "b": 56}


def row_figure(grid: LossGrid, method: str, row: int) -> Figure:
    """Mean loss by prevalence at one size, along a row of the heatmap."""
    title = f"{method} with samples of {int(grid.sizes[row])}"
    return _section_figure(
        grid, method, row_section(grid, row), title, axis("true prevalence", (-0.02, 1.02), tickformat=".0%")
    )


def column_figure(grid: LossGrid, method: str, column: int) -> Figure:
    """Mean loss by size at one prevalence, along a column of the heatmap; sizes on a logarithmic axis."""
    ticks = _spaced(grid.sizes.tolist())
    xaxis = axis("sample size (logarithmic)", type="log", tickvals=ticks, ticktext=[str(size) for size in ticks])
    title = f"{method} at a prevalence of {float(grid.targets[column]):.0%}"
    return _section_figure(grid, method, column_section(grid, column), title, xaxis)


def _section_figure(grid: LossGrid, method: str, section: GridSection, title: str, xaxis: dict[str, Any]) -> Figure:
    i, x = grid.methods.index(method), section.x.tolist()
    lower, upper = section.lower[i].tolist(), section.upper[i].tolist()
    others = [
        line(name, x, section.mean[j], width=1.2, hover=f"{name} %{{y:.4f}}<extra></extra>", showlegend=False, opacity=0.55)
        for j, name in enumerate(grid.methods)
        if j != i
    ]
    hover = "%{y:.4f} (%{customdata[0]:.4f} to %{customdata[1]:.4f})"
    ends = [list(pair) for pair in zip(lower, upper, strict=True)]
    means = method_line(method, x, section.mean[i], width=3, size=6, hover=hover, customdata=ends, showlegend=False)
    means["line"].pop("dash", None)
    return figure(
        [band(method, x, lower, upper, opacity=0.2), *others, means],
        title=title,
        xaxis=xaxis,
        yaxis=axis(f"mean {grid.loss}", rangemode="normal" if grid.signed else "tozero"),
        height=_HEIGHT,
        margin=_MARGIN,
        hovermode="closest",
    )


def _spaced(sizes: Sequence[int]) -> list[int]:
    """The sizes to label on a logarithmic axis: far enough apart, chosen from the largest down."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or size * 1.6 <= kept[-1]:
            kept.append(size)
    return kept[::-1]
