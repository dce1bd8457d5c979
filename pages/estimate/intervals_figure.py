"""Figures of each method's interval, the mixture over the sample's scores, the posterior, and widths by number of labels."""

from collections.abc import Collection, Sequence

import pandas as pd

from pages.charts.figure import NEUTRAL, SERIES, SUBTITLE, Figure, as_written, figure, method_style, without_tags
from pages.charts.mixture import stacked_mixture_figure
from pages.charts.traces import axis, line, vertical_mark
from pages.settings.number_text import percentages
from qcore.intervals import GoodnessOfFit, Posterior
from qcore.intervals.analytic import why_no_interval
from qcore.quantifiers import QUANTIFIERS

_SHARES = (-0.01, 1.01)
_LABELS = [factor * 10**power for power in (1, 2, 3) for factor in (1, 2, 5)] + [10_000]
"""Numbers of labels that are named on their axis."""


def intervals_figure(
    table: pd.DataFrame,
    truth: float | None,
    positive: str,
    *,
    take: str = "",
    grey: Collection[str] = (),
    of: str = "",
) -> Figure:
    """Estimate and interval of each method, one below the other; the truth as a dotted line, where it is known.

    The interval of the method to `take` is thick, and that of methods in `grey`, which are not to be taken, has no colour and
    does not set the scale. `of` : what was counted, and how, for where the picture stands alone.
    """
    traces = []
    for method, kind, *shares in table.iloc[::-1][["method", "interval", "estimate", "low", "high"]].to_numpy().tolist():
        colour = NEUTRAL if method in grey else method_style(method).colour if method in QUANTIFIERS else SERIES[0]
        width = 9 if method == take else 4
        # Without an interval nothing is known: a line from 0 to 1 would look like one.
        why, (estimate, low, high) = why_no_interval(kind), percentages(*shares)
        ends = [None, None] if why else shares[1:]
        traces.append(line(method, ends, [method, method], colour=colour, width=width, showlegend=False))
        traces.append(
            line(
                f"{method} estimate",
                shares[:1],
                [method],
                colour=colour,
                showlegend=False,
                mode="markers",
                marker={
                    "size": 22 if method == take else 15,
                    "color": colour,
                    "symbol": "line-ns",
                    "line": {"width": 3, "color": colour},
                },
                hover=f"{method}: {shares[0]:.1%}<br>no interval: {why}"
                if why
                else f"{method}: {estimate}, {low} to {high}<br>{kind}",
            )
        )
    shown = table[~table.method.isin(grey)]
    scale = shown if len(shown) else table
    limits = _limits([*scale.low, *scale.estimate, *scale.high, *([] if truth is None else [truth])])
    return figure(
        traces,
        title=f"What share is {as_written(positive)}?",
        subtitle=without_tags(of),
        height=max(220, 110 + 40 * len(table)) + (SUBTITLE if of else 0),
        hovermode="closest",
        margin={"l": 170, "r": 16, "t": 48, "b": 56},
        xaxis=axis("share of positives", limits, tickformat=".0%", nticks=5, tickangle=0),
        yaxis=axis(
            "",
            type="category",
            range=[-0.6, len(table) - 0.4],
            tickvals=list(table.method),
            ticktext=_names(table, take),
        ),
        shapes=[] if truth is None else [vertical_mark(truth)],
    )


def ends_that_say_something(table: pd.DataFrame) -> pd.DataFrame:
    """The table, without ends where there is no interval."""
    known = ~table.interval.map(why_no_interval).astype(bool)
    return table.assign(low=table.low.where(known), high=table.high.where(known))


def _limits(shares: Sequence[float]) -> tuple[float, float]:
    """An axis that fits all shares, at least a tenth wide, within 0 and 1 but for the room that a mark needs."""
    span = max(shares) - min(shares)
    room = max(0.05 * span, (0.1 - span) / 2, 0.01)
    low, high = min(shares) - room, max(shares) + room
    # What lies outside is added at the other end.
    return max(low - max(high - _SHARES[1], 0.0), _SHARES[0]), min(high + max(_SHARES[0] - low, 0.0), _SHARES[1])


def _names(table: pd.DataFrame, take: str) -> list[str]:
    """The label of each method on the axis: its key with estimate and interval, bold for the one to take; its name below."""
    labels = []
    columns = ["method", "interval", "too_short", "estimate", "low", "high"]
    for method, kind, too_short, *shares in table.reindex(columns=columns, fill_value="").to_numpy().tolist():
        estimate, low, high = percentages(*shares)
        ends = f"[{low.rstrip('%')}, {high.rstrip('%')}]{' too short' if too_short else ''}"
        interval = "no interval" if why_no_interval(kind) else ends
        # A row that is not a quantifier has a long name, which gets a line of its own.
        text = f"{method}{'  ' if method in QUANTIFIERS else '<br>'}{estimate} {interval}"
        shown = f"<b>{text}</b>" if method == take else text
        name = QUANTIFIERS[method].name if method in QUANTIFIERS else method
        labels.append(shown if name == method else f"{shown}<br>{name}")
    return labels


def mixture_figure(table: pd.DataFrame, fit: GoodnessOfFit) -> Figure:
    """The sample's scores and the two stacked parts of the best mixture; `table` from `score_histograms`."""
    parts = {"positives": fit.weight * table.positives, "negatives": (1.0 - fit.weight) * table.negatives}
    title = f"The best mixture: {fit.weight:.1%} positives (p-value {fit.p_value:.3f})"
    return stacked_mixture_figure(table.assign(**parts), title, height=340)


def posterior_figure(found: Posterior, interval: tuple[float, float]) -> Figure:
    """The posterior's density, its interval marked."""
    return figure(
        [line("posterior", found.prevalences, found.density, colour=SERIES[0], width=3, hover="%{x:.1%}", showlegend=False)],
        title="The posterior of the share, with uniform priors",
        height=320,
        xaxis=axis("share of positives", _SHARES, tickformat=".0%"),
        yaxis=axis("density", rangemode="tozero"),
        shapes=[vertical_mark(end) for end in interval],
    )


def widths_figure(table: pd.DataFrame) -> Figure:
    """Width of the interval by number of labels, a line for each sample size: columns labels, size, width."""
    lines = [
        line(
            f"{size:,} in the sample",
            rows.labels,
            100.0 * rows.width,
            colour=SERIES[i % len(SERIES)],
            width=3,
            hover="%{y:.1f}",
        )
        for i, (size, rows) in enumerate(table.groupby("size", sort=True))
    ]
    return figure(
        lines,
        title="How wide will the interval be?",
        height=360,
        xaxis=axis("labelled instances of each class", type="log", tickvals=_LABELS),
        yaxis=axis("width of the interval, in points", rangemode="tozero"),
    )
