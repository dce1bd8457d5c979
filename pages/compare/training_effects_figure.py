"""Figures of losses by training size and prevalence, of ranks by protocol, and of how far a test can be trusted."""

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, SEQUENTIAL, figure, numbered_style, run_style
from pages.charts.traces import axis, heatmap, styled_line


def training_size_figure(table: pd.DataFrame, loss: str) -> Figure:
    """A line for each method: columns method, training_size, loss."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.training_size, rows.loss, hover="%{y:.3f}")
        for method, rows in table.groupby("method", sort=False)
    ]
    return figure(
        lines,
        title=f"Mean {loss} by number of training instances",
        height=400,
        xaxis=axis("training instances"),
        yaxis=axis(f"mean {loss}", rangemode="tozero"),
    )


def training_prevalence_figure(table: pd.DataFrame, method: str, loss: str) -> Figure:
    """A cell for each training and test prevalence: columns training_prevalence, prevalence, loss."""
    cells = table.pivot_table("loss", "training_prevalence", "prevalence")
    cell = heatmap(
        method, cells.columns, cells.index, cells.to_numpy().round(4).tolist(), colorscale=SEQUENTIAL, zmin=0,
        hover=f"trained at %{{y:.0%}}, tested at %{{x:.0%}}<br>mean {loss} %{{z:.3f}}<extra></extra>",
        colorbar={"title": {"text": f"mean {loss}"}, "thickness": 12},
    )  # fmt: skip
    return figure(
        [cell],
        title=f"{method}: training by test prevalence",
        height=400,
        hovermode="closest",
        xaxis=axis("test prevalence", tickformat=".0%"),
        yaxis=axis("training prevalence", tickformat=".0%"),
    )


def protocol_ranks_figure(table: pd.DataFrame) -> Figure:
    """The mean rank of each method under each protocol: columns protocol, method, rank."""
    lines = [
        styled_line(str(method), run_style(str(method)), rows.protocol, rows["rank"], hover="%{y:.2f}", size=9)
        for method, rows in table.groupby("method", sort=False)
    ]
    most = table["rank"].max()
    return figure(
        lines,
        title="Mean rank under each protocol: 1 is best",
        height=400,
        xaxis=axis("", type="category"),
        yaxis=axis("mean rank", (most + 0.4, 0.6)),
    )


def trust_figure(table: pd.DataFrame) -> Figure:
    """How often a test finds a difference, by the advantage of one method: columns advantage, counts, share."""
    lines = [
        styled_line(
            f"N is the number of {counts}", numbered_style(number), rows.advantage, rows.share, hover="%{y:.0%}", size=8
        )
        for number, (counts, rows) in enumerate(table.groupby("counts", sort=False))
    ]
    level = {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": 0.05,
        "y1": 0.05,
        "line": {"dash": "dot", "width": 1.5, "color": NEUTRAL},
    }
    return figure(
        lines,
        title="How often the test says that methods differ",
        height=380,
        xaxis=axis("by how much one method is truly better,<br>in standard deviations of a test case"),
        yaxis=axis("share of studies", (-0.02, 1.02), tickformat=".0%"),
        shapes=[level],
    )
