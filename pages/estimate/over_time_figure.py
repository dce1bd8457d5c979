"""A share over time: what is known of it at every look, beside the interval of a single look."""

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, PALETTE, POSITIVES, as_written, figure, tinted
from pages.charts.traces import axis, line, markers, vertical_mark
from qcore.watching import WatchedShare

EVERY, ONCE = "holds at every look", "of a single look"
_HOVER = "%{customdata}: %{y:.1%}"


def over_time_figure(result: WatchedShare, truth: pd.Series | None, positive: str) -> Figure:
    """The share of each batch as points, that of all so far as a line, both intervals; `truth` is that of an example."""
    table, places = result.table, list(range(1, len(result.table) + 1))
    names = [str(name) for name in table.batch]
    of_a_batch = "batch" if result.rates is None else "batch, as predicted"
    around = {"x": [*places, *places[::-1]], "y": [*table.high, *table.low[::-1]]}
    traces = [
        {
            "type": "scatter", "mode": "lines", "name": EVERY, **around, "fill": "toself", "line": {"width": 0},
            "fillcolor": tinted(PALETTE[0], 0.25), "hoverinfo": "skip",
        },
        line(f"{ONCE}, low", places, table.once_low, colour=PALETTE[1], dash="dash", width=1.5, showlegend=False),
        line(ONCE, places, table.once_high, colour=PALETTE[1], dash="dash", width=1.5),
        markers(of_a_batch, places, table.share, colour=NEUTRAL, size=5, customdata=names, hover=_HOVER),
        line("all so far", places, table.so_far, colour=PALETTE[0], width=2.5, customdata=names, hover=_HOVER),
    ]  # fmt: skip
    if truth is not None:
        traces.append(line("truth", places, truth, colour=NEUTRAL, dash="dot", width=1.5))
    seen = [place for place, moved in zip(places, table.moved, strict=True) if moved][:1]
    most = max(float(table.high.max()), float(table.share.max()))
    least = min(float(table.low.min()), float(table.share.min()))
    return figure(
        traces,
        title=f"What share is {as_written(positive)}, batch by batch?{'' if truth is None else ' (simulated)'}",
        height=400,
        hovermode="closest",
        xaxis=axis("batch", (0.5, len(places) + 0.5), **_ticks(names)),
        yaxis=axis("share", (max(least - 0.02, -0.01), min(most + 0.02, 1.01)), tickformat=".0%"),
        shapes=[
            vertical_mark(result.baseline + 0.5),
            *(vertical_mark(at, line={"color": POSITIVES, "width": 2}) for at in seen),
        ],
        annotations=[_note(result.baseline + 0.5, "baseline ends"), *(_note(at, "moved") for at in seen)],
    )


def _ticks(names: list[str]) -> dict[str, list[object]]:
    """At most eight names of batches below the axis."""
    step = -(-len(names) // 8)
    return {"tickvals": list(range(1, len(names) + 1, step)), "ticktext": list(names[::step])}


def _note(x: float, text: str) -> dict[str, object]:
    return {"x": x, "y": 1, "yref": "paper", "text": text, "showarrow": False, "xanchor": "left", "yanchor": "top", "xshift": 4}
