"""Figures with the true prevalence on the x axis: a loss, and the estimates themselves."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from qcore.figures.template import NEUTRAL, framed, method_style
from qcore.losses import Loss

_X_TITLE = "true prevalence of the positive class"
_BAND_OPACITY = 0.12


def loss_figure(
    curves: pd.DataFrame, loss: Loss, training_prevalence: float | None = None, *, free_axes: bool = False
) -> go.Figure:
    """Mean loss by true prevalence, a line and a band for each method.

    Parameters
    ----------
    curves : table of `summaries.curves`: method, target, true, mean, lower, upper.
    training_prevalence : marked on the x axis when given.
    free_axes : let the data set the y range; else it is the loss's own, whatever the data.
    """
    figure = _lines_with_bands(curves)
    framed(figure, title=f"Where does each quantifier err? Mean {loss.key}", x_title=_X_TITLE, y_title=f"{loss.key} (mean)")
    _mark_training(figure, training_prevalence)
    figure.update_xaxes(range=[-0.02, 1.02], uirevision="x")
    figure.update_yaxes(rangemode="normal" if loss.signed else "tozero", uirevision=f"{loss.key} {free_axes}")
    if not free_axes:
        figure.update_yaxes(range=list(loss.axis))
    return figure


def estimate_figure(
    curves: pd.DataFrame, training_prevalence: float | None = None, *, title: str = "What does each one say?"
) -> go.Figure:
    """Mean estimate by true prevalence, a line and a band for each method, with the diagonal of perfect estimates."""
    figure = _lines_with_bands(curves)
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="truth", uid="truth", line={"color": NEUTRAL, "width": 1}, hoverinfo="skip"
    )
    framed(figure, title=title, x_title=_X_TITLE, y_title="estimated prevalence (mean)")
    _mark_training(figure, training_prevalence)
    figure.update_xaxes(range=[-0.02, 1.02], uirevision="x")
    figure.update_yaxes(range=[-0.02, 1.02], uirevision="y")
    return figure


def _lines_with_bands(curves: pd.DataFrame) -> go.Figure:
    figure = go.Figure()
    groups = {method: group for method, group in curves.groupby("method", sort=False)}
    for method, group in groups.items():
        figure.add_scatter(
            x=[*group.true, *group.true[::-1]], y=[*group.upper, *group.lower[::-1]],
            mode="lines", fill="toself", fillcolor=method_style(str(method)).fill(_BAND_OPACITY), line={"width": 0},
            legendgroup=method, showlegend=False, hoverinfo="skip", name=f"{method} band", uid=f"{method} band",
        )  # fmt: skip
    for method, group in groups.items():
        style = method_style(str(method))
        figure.add_scatter(
            x=group.true, y=group["mean"], customdata=group[["lower", "upper"]].to_numpy(), mode="lines+markers",
            name=method, uid=method, legendgroup=method,
            line={"color": style.colour, "dash": style.dash, "width": 2},
            marker={"symbol": style.symbol, "size": 7, "color": style.colour, "line": {"width": 1, "color": style.colour}},
            hovertemplate="%{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})",
        )  # fmt: skip
    return figure


def _mark_training(figure: go.Figure, prevalence: float | None) -> None:
    if prevalence is None:
        return
    figure.add_vline(x=prevalence, line={"color": NEUTRAL, "dash": "dot", "width": 1.5})
    figure.add_annotation(
        x=prevalence, y=1, yref="paper", yanchor="bottom", text=f"training {prevalence:.2f}", showarrow=False,
        font={"size": 12, "color": NEUTRAL},
    )  # fmt: skip


def mark_today(figure: go.Figure, prevalence: float) -> go.Figure:
    """Mark one true prevalence on an estimate figure by a line; returns the figure."""
    figure.add_scatter(
        x=[prevalence, prevalence], y=[-0.02, 1.02], mode="lines", name="today", uid="today",
        line={"color": NEUTRAL, "width": 3}, opacity=0.5, hoverinfo="skip",
    )  # fmt: skip
    return figure
