"""A data set in two dimensions, coloured by class."""

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.style import NEUTRAL, POSITIVES, figure, numbered_style
from pages.charts.traces import axis, markers

_MAX_COLOURED = 8
"""The largest number of classes that get a colour each."""


def projection_figure(table: pd.DataFrame, positive: str, variance: float) -> Figure:
    """Instances by their first two principal components; the table of `qcore.studies.projection`.

    The most frequent class is drawn first, the positive one last. With many classes the positive one is coloured, and the
    others are grey.
    """
    classes = table.label.value_counts().index.tolist()
    groups = {name: name for name in classes} if len(classes) <= _MAX_COLOURED else dict.fromkeys(classes, "the others")
    groups[positive] = positive
    shown = table.assign(group=table.label.map(groups))
    traces = []
    for number, name in enumerate(sorted(dict.fromkeys(groups.values()), key=lambda group: group == positive)):
        rows = shown[shown.group == name]
        style = numbered_style(number)
        colour = POSITIVES if name == positive else NEUTRAL if name == "the others" else style.colour
        hover = f"{name}<extra></extra>"
        symbol = "circle" if name == positive else style.symbol
        traces.append(
            markers(
                name,
                rows["first"].round(3),
                rows["second"].round(3),
                colour=colour,
                symbol=symbol,
                size=5,
                opacity=0.6,
                hover=hover,
            )
        )
    return figure(
        traces,
        title=f"Two principal components ({variance:.0%})",
        height=430,
        hovermode="closest",
        xaxis=axis("first component"),
        yaxis=axis("second component", scaleanchor="x"),
    )
