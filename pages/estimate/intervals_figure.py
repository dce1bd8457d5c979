"""Intervals side by side, the mixture over the sample's scores, the posterior, widths by labels."""

from collections.abc import Iterable

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.mixture_figure import stacked_mixture_figure
from pages.charts.style import PALETTE, figure, method_style
from pages.charts.traces import axis, line, markers, vertical_mark
from qcore.intervals import GoodnessOfFit, Posterior
from qcore.quantifiers import QUANTIFIERS

_SHARES = (-0.01, 1.01)


def intervals_figure(table: pd.DataFrame, truth: float | None, positive: str) -> Figure:
    """Estimate and interval of each method, one below the other; the truth as a dotted line, where it is known."""
    traces = []
    for row in table.iloc[::-1].itertuples():
        colour = method_style(str(row.method)).colour if row.method in QUANTIFIERS else PALETTE[0]
        traces.append(
            line(str(row.method), [row.low, row.high], [row.method, row.method], colour=colour, width=6, showlegend=False)
        )
        traces.append(
            line(
                f"{row.method} estimate", [row.estimate], [row.method], colour=colour, showlegend=False, mode="markers",
                marker={"size": 13, "color": colour, "symbol": "diamond"},
                hover=f"{row.method}: {row.estimate:.1%}, {row.low:.1%} to {row.high:.1%}<br>{row.interval}",
            )
        )  # fmt: skip
    return figure(
        traces,
        title=f"What share is {positive}?",
        height=max(220, 110 + 40 * len(table)),
        hovermode="closest",
        margin={"l": 110, "r": 16, "t": 48, "b": 56},
        xaxis=axis("share of positives in the sample", _SHARES, tickformat=".0%"),
        yaxis=axis(
            "", type="category", range=[-0.6, len(table) - 0.4], tickvals=list(table.method), ticktext=_names(table.method)
        ),
        shapes=[] if truth is None else [vertical_mark(truth)],
    )


def _names(methods: Iterable[str]) -> list[str]:
    """The label of each method on the axis: its key, and its name below."""
    return [
        f"{key}<br><span style='font-size:10px'>{QUANTIFIERS[key].name}</span>" if key in QUANTIFIERS else key
        for key in methods
    ]


def mixture_figure(table: pd.DataFrame, fit: GoodnessOfFit) -> Figure:
    """The sample's scores and the two stacked parts of the best mixture; `table` from `score_histograms`."""
    parts = {"positives": fit.weight * table.positives, "negatives": (1.0 - fit.weight) * table.negatives}
    title = f"The best mixture: {fit.weight:.0%} positives (p = {fit.p_value:.2f})"
    return stacked_mixture_figure(table.assign(**parts), title, height=340)


def posterior_figure(found: Posterior, interval: tuple[float, float]) -> Figure:
    """The posterior's density, its interval marked."""
    return figure(
        [line("posterior", found.prevalences, found.density, colour=PALETTE[0], width=3, hover="%{x:.1%}", showlegend=False)],
        title="The posterior of the share, with uniform priors",
        height=320,
        xaxis=axis("share of positives", _SHARES, tickformat=".0%"),
        yaxis=axis("density", rangemode="tozero"),
        shapes=[vertical_mark(end) for end in interval],
    )


def widths_figure(table: pd.DataFrame) -> Figure:
    """Width of the interval by number of labels, a line for each sample size: columns labels, size, width."""
    lines = [
        line(f"{size:,} in the sample", rows.labels, rows.width, colour=PALETTE[i % len(PALETTE)], width=3, hover="%{y:.1%}")
        for i, (size, rows) in enumerate(table.groupby("size", sort=True))
    ]
    return figure(
        lines,
        title="How wide will the interval be?",
        height=360,
        xaxis=axis("labelled instances of each class", type="log"),
        yaxis=axis("width of the interval", tickformat=".0%", rangemode="tozero"),
    )


def groups_figure(table: pd.DataFrame, title: str) -> Figure:
    """Estimate and interval of each group, in their order; the table of `estimate_groups`."""
    estimates = markers(
        "estimate", table.group, table.estimate, colour=PALETTE[0], size=10, hover="%{x}: %{y:.1%}",
        error_y={
            "type": "data", "symmetric": False, "array": (table.high - table.estimate).clip(lower=0).tolist(),
            "arrayminus": (table.estimate - table.low).clip(lower=0).tolist(), "thickness": 4, "width": 0,
        },
    )  # fmt: skip
    return figure(
        [estimates],
        title=f"The share by {title}",
        height=360,
        showlegend=False,
        hovermode="closest",
        xaxis=axis("", type="category"),
        yaxis=axis("share of positives", _SHARES, tickformat=".0%"),
    )
