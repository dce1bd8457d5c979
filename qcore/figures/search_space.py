"""A measure over all contingency tables: the surface beside its flat projection, both following beta; a row of surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from qcore.figures.following import Following
from qcore.figures.learners import LEARNER_SYMBOLS, learner_style
from qcore.figures.panels import Panels, numbered
from qcore.figures.template import NEUTRAL, SEQUENTIAL, Style, frame, framed
from qcore.landings import Landings
from qcore.search_space import SearchSpace, landing, value_at
from qcore.table_measures import Measured
from qcore.validation import FloatArray

_EYE: Final = {"x": 1.1, "y": -1.1, "z": 1.15}
_UPRIGHT: Final = {"up": {"x": 0, "y": 0, "z": 1}, "center": {"x": 0, "y": 0, "z": -0.22}}
CAMERA: Final = {**_UPRIGHT, "eye": _EYE}
"""Seen across the ridge FP = FN, with the table without errors at its left end: what is high looks high."""

_FROM_AFAR: Final = {**_UPRIGHT, "eye": {axis: 1.3 * value for axis, value in _EYE.items()}}
"""The same for a small picture, whose axes have their names outside."""

_FP: Final = "FP (false positives)"
_FN: Final = "FN (false negatives)"
_HEIGHT: Final = 560
_ABOVE: Final = 0.03
"""Points float so far above their surface, which would hide half of them."""

_TICKS: Final = {"gridcolor": NEUTRAL, "showbackground": False, "zeroline": False, "nticks": 5}


@dataclass(frozen=True)
class Marked:
    """A table to mark by name, such as a hypothesis: its errors, which need not be whole."""

    name: str
    fp: float
    fn: float


def surface_figure(
    spaces: Sequence[SearchSpace], place: int, landed: Landings | None = None, marked: Sequence[Marked] = ()
) -> Following:
    """The surface beside its flat projection, with what lands on it, at each of some betas.

    Parameters
    ----------
    spaces : the same tables under measures that differ in beta; or one of them.
    place : number of the one that the figure shows.
    landed : classifiers to draw, with the sweep of one of them.
    marked : tables to draw.
    """
    shown = spaces[place]
    points = [*_landed(shown, landed), *_marked(marked)]
    heights = [[_heights(space, point) for point in points] for space in spaces]
    solid = [_surface(shown), *(_in_space(point, z) for point, z in zip(points, heights[place], strict=True))]
    flat = [_heat(shown), _ridge(shown), *(_on_the_plane(point) for point in points)]
    # Surface and heatmap take the same numbers: the second says where to find them.
    numbers = [0, len(solid), *range(1, len(solid))]
    frames = [
        {"traces": numbers, "data": [{"z": _z(space)}, 0, *({"z": z} for z in own)]}
        for space, own in zip(spaces, heights, strict=True)
    ]
    figure = framed([*solid, *flat], **_layout(shown))
    return Following(figure, [slider_position(space.measured.beta) for space in spaces], frames)


def narrow_surface(following: Following) -> Panels:
    """The figure with the layout for a narrow screen, where the projection lies below the surface."""
    layout = following.figure.to_dict()["layout"]
    scene, height = {**layout["scene"], "camera": _FROM_AFAR, "domain": {"x": [0, 0.95], "y": [0.5, 1]}}, 900
    axes = {"xaxis": {**layout["xaxis"], "domain": [0.12, 0.84]}, "yaxis": {**layout["yaxis"], "domain": [0.06, 0.42]}}
    return Panels(following.figure, layout | axes | {"scene": scene, "height": height})


def row_of_surfaces(spaces: Sequence[SearchSpace]) -> Panels:
    """Surfaces on one scale under one camera: five in a row, or two on a narrow screen."""
    traces = [
        _surface(space) | {"name": space.measured.name, "scene": f"scene{numbered(i)}", "showscale": False}
        for i, space in enumerate(spaces)
    ]
    wide, narrow = (_row_layout(spaces, columns) for columns in (len(spaces), 2))
    return Panels(framed(traces, **wide), frame(**narrow))


def slider_position(beta: float) -> float:
    """A place from 0 to 1 on the slider: beta / (1 + beta)."""
    return 1.0 if np.isinf(beta) else beta / (1.0 + beta)


@dataclass(frozen=True)
class _Points:
    """Tables that are drawn together: `style` is what Plotly needs to draw them on the plane and in space."""

    name: str
    fp: FloatArray
    fn: FloatArray
    mode: str
    style: dict[str, Any]
    said: list[str]


def _landed(space: SearchSpace, landed: Landings | None) -> list[_Points]:
    if landed is None:
        return []
    found = []
    if landed.sweep is not None:
        fp, fn = landing(landed.sweep.tpr, landed.sweep.fpr, space.positives, space.negatives)
        said = ["above all scores" if np.isinf(t) else f"threshold {t:.4f}" for t in landed.sweep.thresholds]
        line = {"line": {"color": learner_style(landed.swept).colour, "width": 4}}
        found.append(_Points(f"{landed.swept}, every threshold", fp, fn, "lines", line, said))
    for i, name in enumerate(landed.names):
        fp, fn = landing(landed.tpr[i : i + 1], landed.fpr[i : i + 1], space.positives, space.negatives)
        found.append(_Points(name, fp, fn, "markers", _marker(learner_style(name)), [f"{name} at 0.5"]))
    return found


def _marked(marked: Sequence[Marked]) -> list[_Points]:
    styles = [_marker(Style("#FFFFFF", "solid", symbol)) for symbol in LEARNER_SYMBOLS]
    return [
        _Points(one.name, np.array([one.fp]), np.array([one.fn]), "markers", style, [one.name])
        for one, style in zip(marked, styles, strict=False)
    ]


def _marker(style: Style) -> dict[str, Any]:
    return {"marker": {"color": style.colour, "symbol": style.symbol, "line": {"color": "#000000", "width": 1.5}}}


def _heights(space: SearchSpace, points: _Points) -> list[float]:
    values = value_at(space.measured, points.fp, points.fn, space.positives, space.negatives)
    return np.round(values + _ABOVE, 4).tolist()


def _z(space: SearchSpace) -> list[list[float]]:
    """Rows are FN, as Plotly takes the y axis."""
    return np.round(space.values.T, 3).tolist()


def _surface(space: SearchSpace) -> dict[str, Any]:
    return {
        "type": "surface", "name": "surface", "x": space.fp.tolist(), "y": space.fn.tolist(), "z": _z(space),
        "coloraxis": "coloraxis", "hovertemplate": _hover(space.measured),
        "contours": {axis: {"highlight": False} for axis in "xyz"}, "lighting": {"ambient": 0.9, "diffuse": 0.2, "specular": 0},
    }  # fmt: skip


def _heat(space: SearchSpace) -> dict[str, Any]:
    return {
        "type": "heatmap", "name": "projection", "x": space.fp.tolist(), "y": space.fn.tolist(), "z": _z(space),
        "coloraxis": "coloraxis", "zsmooth": "best", "hovertemplate": _hover(space.measured),
    }  # fmt: skip


def _ridge(space: SearchSpace) -> dict[str, Any]:
    """Where counting is right."""
    ends = [0, min(space.positives, space.negatives)]
    return {
        "type": "scatter", "name": "FP = FN: the count is right", "x": ends, "y": ends, "mode": "lines", "hoverinfo": "skip",
        "line": {"color": NEUTRAL, "width": 2, "dash": "dot"},
    }  # fmt: skip


def _hover(measured: Measured) -> str:
    """What a hover box says: without the measure's beta, which a drag changes."""
    return f"FP %{{x}}, FN %{{y}}<br>{measured.key.replace('_beta', '')} <b>%{{z:.3f}}</b><extra></extra>"


def _in_space(points: _Points, heights: list[float]) -> dict[str, Any]:
    style = {key: {**value, "size": 6} if key == "marker" else value for key, value in points.style.items()}
    return {
        "type": "scatter3d", "name": f"{points.name} in space", "x": points.fp.tolist(), "y": points.fn.tolist(), "z": heights,
        "mode": points.mode, **style, **_told(points), "showlegend": False,
    }  # fmt: skip


def _on_the_plane(points: _Points) -> dict[str, Any]:
    style = {key: {**value, "size": 11} if key == "marker" else {**value, "width": 2.5} for key, value in points.style.items()}
    return {
        "type": "scatter", "name": points.name, "x": points.fp.tolist(), "y": points.fn.tolist(), "mode": points.mode, **style,
        **_told(points), "cliponaxis": False,
    }  # fmt: skip


def _told(points: _Points) -> dict[str, Any]:
    return {
        "text": points.said,
        "hovertemplate": "%{text}<br>FP %{x:.1f}, FN %{y:.1f}<extra></extra>",
    }  # fmt: skip


def _layout(space: SearchSpace) -> dict[str, Any]:
    quiet = {"showgrid": False, "constrain": "domain"}
    return {
        "title": f"{space.measured.key} of every table, P = {space.positives:,}, N = {space.negatives:,}",
        "height": _HEIGHT,
        "margin": {"l": 8, "r": 8, "t": 78, "b": 96},
        "hovermode": "closest",
        "dragmode": "zoom",
        "scene": {**_scene(space), "domain": {"x": [0, 0.52], "y": [0, 1]}},
        "xaxis": {"title": {"text": _FP}, "domain": [0.61, 0.93], "range": [0, space.negatives], **quiet},
        "yaxis": {"title": {"text": _FN}, "range": [0, space.positives], **quiet},
        "coloraxis": _colours({"x": 0.94, "len": 1}),
    }


def _scene(space: SearchSpace) -> dict[str, Any]:
    return {
        "camera": CAMERA, "dragmode": "turntable", "aspectmode": "manual", "aspectratio": {"x": 1, "y": 1, "z": 0.7},
        "uirevision": "kept",
        "xaxis": {"title": {"text": "FP"}, "range": [0, space.negatives], **_TICKS},
        "yaxis": {"title": {"text": "FN"}, "range": [0, space.positives], **_TICKS},
        "zaxis": {"title": {"text": ""}, "range": [0, 1.03], **_TICKS},
    }  # fmt: skip


def _colours(bar: dict[str, Any]) -> dict[str, Any]:
    whole = {"thickness": 12, "outlinewidth": 0, "tickvals": [0, 0.25, 0.5, 0.75, 1], **bar}
    return {"colorscale": SEQUENTIAL, "cmin": 0, "cmax": 1, "colorbar": {**whole, "title": {"text": "value", "side": "top"}}}


def _row_layout(spaces: Sequence[SearchSpace], columns: int) -> dict[str, Any]:
    rows = -(-len(spaces) // columns)
    height = 250 * rows + 150
    layout: dict[str, Any] = {
        "title": "From NAS to recall: one scale, one camera",
        "height": height, "margin": {"l": 8, "r": 8, "t": 92, "b": 62}, "hovermode": "closest", "dragmode": "turntable",
        "coloraxis": _colours({"orientation": "h", "x": 0.5, "len": 0.6, "y": -0.01, "yanchor": "top"}),
        "xaxis": {"visible": False}, "yaxis": {"visible": False}, "annotations": [],
    }  # fmt: skip
    for place, space in enumerate(spaces):
        row, column = divmod(place, columns)
        left, bottom = column / columns, 1 - (row + 1) / rows
        short = {"title": {"text": ""}, "showticklabels": False}
        scene = _scene(space) | {"camera": _FROM_AFAR}
        for axis in ("xaxis", "yaxis", "zaxis"):
            scene[axis] = {**scene[axis], **short}
        scene["xaxis"]["title"], scene["yaxis"]["title"] = {"text": "FP"}, {"text": "FN"}
        layout[f"scene{numbered(place)}"] = {
            **scene, "domain": {"x": [left, left + 1 / columns], "y": [bottom, bottom + 0.9 / rows]},
        }  # fmt: skip
        layout["annotations"].append(
            {
                "text": f"<b>{space.measured.name}</b>", "xref": "paper", "yref": "paper", "x": left + 0.5 / columns,
                "y": bottom + 0.92 / rows, "xanchor": "center", "yanchor": "bottom", "showarrow": False, "font": {"size": 14},
            }
        )  # fmt: skip
    return layout
