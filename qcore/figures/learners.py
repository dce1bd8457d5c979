"""Learners as quantifiers: the mean loss of each by true prevalence."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from qcore.classifiers import CLASSIFIERS
from qcore.figures.template import DASHES, PALETTE, Style, framed, mark_at
from qcore.losses import Loss

LEARNER_SYMBOLS = ("circle", "square", "diamond", "cross", "x")
"""Those that Plotly draws in three dimensions, too."""


def learner_style(name: str) -> Style:
    """How a learner is drawn in all charts: by its place in the registry. Those of one colour differ in dash and symbol."""
    place = list(CLASSIFIERS).index(name)
    turn = place // len(PALETTE)
    symbol = LEARNER_SYMBOLS[(place + turn) % len(LEARNER_SYMBOLS)]
    return Style(PALETTE[place % len(PALETTE)], DASHES[(place + turn) % len(DASHES)], symbol)


def learners_figure(curves: pd.DataFrame, loss: Loss, names: dict[str, str], training_prevalence: float) -> go.Figure:
    """Mean loss by true prevalence, a line for each classifier.

    Parameters
    ----------
    curves : table of `summaries.curves`, its methods keys of CLASSIFIERS.
    names : what each is called.
    training_prevalence : marked on the x axis.
    """
    traces = []
    for key, own in curves.groupby("method", sort=False):
        style = learner_style(str(key))
        traces.append(
            {
                "type": "scatter", "name": names[str(key)], "x": own["true"].tolist(), "y": own["mean"].tolist(),
                "mode": "lines+markers", "hovertemplate": "%{y:.4f}",
                "line": {"color": style.colour, "dash": style.dash, "width": 2.5},
                "marker": {"symbol": style.symbol, "size": 7, "color": style.colour},
            }
        )  # fmt: skip
    return framed(
        traces,
        title=f"Mean {loss.key} of each learner",
        shapes=[mark_at(training_prevalence)],
        xaxis={"title": {"text": "true prevalence"}, "range": [-0.02, 1.02]},
        yaxis={"title": {"text": f"mean {loss.key}"}, "rangemode": "tozero"},
    )
