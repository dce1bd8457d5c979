"""A figure of which a part follows a value while a person drags it: one figure, and a frame for each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from qcore.figures.template import framed

Trace = Mapping[str, Any]


@dataclass(frozen=True)
class Following:
    """A figure and what of it changes.

    Attributes
    ----------
    figure : as it is at one of the values.
    values : what can be dragged to, increasing.
    frames : for each value a Plotly frame: `traces` are numbers of traces, `data` what they change.
    """

    figure: go.Figure
    values: list[float]
    frames: list[dict[str, Any]]


def following(
    still: Sequence[Trace],
    moving: Sequence[Trace],
    at: Callable[[int], Sequence[Trace]],
    values: Sequence[float],
    place: int,
    **layout: Any,
) -> Following:
    """A figure of traces that stay and of traces that move.

    Parameters
    ----------
    still : traces that stay as they are.
    moving : traces that move, without what changes; they are drawn above the others.
    at : number of a value -> what each moving trace gets there, such as {"x": ..., "y": ...}.
    values : what can be dragged to.
    place : number of the value that the figure itself shows.
    layout : as of `framed`.
    """
    now = [{**trace, **change} for trace, change in zip(moving, at(place), strict=True)]
    numbers = list(range(len(still), len(still) + len(moving)))
    frames = [{"traces": numbers, "data": list(at(i))} for i in range(len(values))]
    return Following(framed([*still, *now], **layout), list(values), frames)
