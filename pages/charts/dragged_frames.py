"""The format of a figure that follows a value while the user drags it, without asking the server.

A dragged figure has a list of `values`, increasing, and for each of them a frame:

    {"traces": [3, 4], "data": [{"x": [...], "y": [...]}, {"z": ...}]}

`traces` are the numbers of the traces that change, the same in every frame; `data` holds for each of them the attributes that
change, with their values. A number in place of attributes says that the trace changes as that entry of the same frame does, so
that large arrays are sent once. Whatever is not in a frame stays as in the figure.

dragged_frames.js reads this format in the browser; a test holds both to the same result.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pages.charts.figure import Figure, figure
from pages.charts.traces import Trace

Frame = dict[str, Any]


@dataclass(frozen=True)
class DraggedFigure:
    """A figure that follows a value.

    Attributes
    ----------
    figure : the figure at one of the values.
    values : the values that the user can drag to, increasing.
    frames : the changes at each value, in the format above.
    """

    figure: Figure
    values: list[float]
    frames: list[Frame]


def dragged_figure(
    traces_at: Callable[[int], Sequence[Trace]],
    values: Sequence[float],
    index: int,
    *,
    still: Sequence[Trace] = (),
    **layout: Any,
) -> DraggedFigure:
    """A dragged figure from a function that gives its traces at one value.

    Parameters
    ----------
    traces_at : index of a value -> the traces there. Of traces that do not change, each should be the same object every time.
    values : the values that the user can drag to.
    index : of the value that the figure itself shows.
    still : traces that do not change, below those of `traces_at`.
    layout : as of `figure`.
    """
    steps = [[_with_a_point(trace) for trace in traces_at(i)] for i in range(len(values))]
    frames = [{**frame, "traces": [number + len(still) for number in frame["traces"]]} for frame in frames_of(steps)]
    return DraggedFigure(figure([*map(_with_a_point, still), *steps[index]], **layout), list(values), frames)


def _with_a_point(trace: Trace) -> Trace:
    """The trace; an empty one gets a point without a place, because Plotly does not erase a trace that becomes empty."""
    if all(len(trace.get(axis, "-")) for axis in "xy"):
        return trace
    return {**trace, **{axis: [None] for axis in "xy" if axis in trace and len(trace[axis]) == 0}}


def frames_of(steps: Sequence[Sequence[Trace]]) -> list[Frame]:
    """The frames of a figure whose traces at each value are known."""
    first = steps[0]
    changing = {j: _changing(trace, [step[j] for step in steps]) for j, trace in enumerate(first)}
    moving = [j for j, keys in changing.items() if keys]
    return [{"traces": moving, "data": _shared([{key: step[j][key] for key in changing[j]} for j in moving])} for step in steps]


def _changing(trace: Trace, others: Sequence[Trace]) -> list[str]:
    """The attributes of a trace that differ between values."""
    different = [other for other in others if other is not trace]
    return [key for key in trace if any(other[key] is not trace[key] and other[key] != trace[key] for other in different)]


def _shared(changes: list[dict[str, Any]]) -> list[dict[str, Any] | int]:
    """The changes; a change that holds the same objects as an earlier one is replaced by the earlier one's number."""
    numbers: dict[tuple[object, ...], int] = {}
    firsts = [numbers.setdefault((*change, *map(id, change.values())), i) for i, change in enumerate(changes)]
    return [change if first == i else first for i, (change, first) in enumerate(zip(changes, firsts, strict=True))]


def traces_at(traces: Sequence[Trace], frame: Frame) -> list[dict[str, Any]]:
    """A figure's traces with the changes of a frame, as the browser shows them at this value."""
    moved = [dict(trace) for trace in traces]
    for number, change in zip(frame["traces"], frame["data"], strict=True):
        moved[number] |= frame["data"][change] if isinstance(change, int) else change
    return moved
