"""A measure over all contingency tables: the surface beside its flat projection, both following beta; a row of surfaces."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.dragged_frames import DraggedFigure, dragged_figure
from pages.charts.figure import NEUTRAL, SEQUENTIAL, SEQUENTIAL_HIGH, SYMBOLS_IN_SPACE, Style, classifier_style, figure, layout
from pages.charts.panels import Panels, axis_number, panel_title
from pages.charts.traces import Trace, axis, heatmap, line, markers
from qcore.base import FloatArray
from qcore.measures.catalog import ParametricMeasure
from qcore.studies.search_space import SearchSpace

EYE = {"x": 1.2, "y": -1.2, "z": 1.25}
_UPRIGHT = {"up": {"x": 0, "y": 0, "z": 1}, "center": {"x": 0, "y": 0, "z": -0.22}}
CAMERA = {**_UPRIGHT, "eye": {name: 1.1 * value for name, value in EYE.items()}}
"""The camera looks across the line FP = FN, with the error-free table at its left end, so that high values look high.

It is far enough away for the numbers of the axes to be in a picture that is half as wide as a page of 1100 pixels.
"""

_FAR_CAMERA = {**_UPRIGHT, "eye": {name: 1.2 * value for name, value in EYE.items()}}
"""A camera further away, for small pictures, whose axes have their names outside."""
_NARROW_CAMERA = {**_UPRIGHT, "eye": {name: 1.5 * value for name, value in EYE.items()}}
"""A camera still further away, for a narrow screen, where the surface would be cut off at its sides."""

_HEIGHT = 560
_POINT_LIFT = 0.03
"""The distance of points above their surface, which would otherwise hide half of each point."""
_LINE_LIFT = 0.012
"""The same of lines."""

_BEST: dict[str, Any] = {"colour": "#FFFFFF", "symbol": "diamond", "edge": {"color": "#000000", "width": 1}}
"""How the tables with the largest value are marked."""

_SCENE_AXIS = {"gridcolor": NEUTRAL, "showbackground": False, "zeroline": False, "nticks": 5}


def surface_figure(
    spaces: Sequence[SearchSpace],
    index: int,
    points: tuple[pd.DataFrame, Sequence[FloatArray]] | None = None,
    colours: str = SEQUENTIAL,
) -> DraggedFigure:
    """The surface beside its flat projection, with points on it, at each of several betas.

    Parameters
    ----------
    spaces : the search space at each beta; a single one for a measure without beta.
    index : of the one that the figure shows.
    points : of `points_on_spaces`: groups of points to draw, and their values on each of the spaces.
    colours : the name of a colour map that is dark at its lower end, which stands for high values.
    """
    space = spaces[index]
    table, values = points or (pd.DataFrame({"group": []}), [])
    groups = [rows for _, rows in table.reset_index(drop=True).groupby("group", sort=False)]
    looks = [_look(rows, i) for i, rows in enumerate(groups)]
    surface, projection, ridge = _surface(space), _projection(space), _ridge(space)
    flat = [_on_plane(rows, look) for rows, look in zip(groups, looks, strict=True)]
    in_space = [_in_space(rows, look) for rows, look in zip(groups, looks, strict=True)]
    of_group = [rows.index.to_numpy() for rows in groups]

    def at(i: int) -> list[Trace]:
        # Surface and heatmap share one object, which is then sent once.
        z = spaces[i].rows_by_fn()
        lifted = (values[i] + _POINT_LIFT).round(4) if groups else np.empty(0)
        points_there = [{**trace, "z": lifted[rows].tolist()} for trace, rows in zip(in_space, of_group, strict=True)]
        best = markers("best tables", *spaces[i].best(), hover="FP %{x}, FN %{y}: best<extra></extra>", size=7, **_BEST)
        return [
            {**surface, "z": z},
            *_ridge_in_space(spaces[i]),
            *points_there,
            {**projection, "z": z},
            *ridge,
            {**best, "cliponaxis": False},
            *flat,
        ]

    positions = [slider_position(one.measure.beta) for one in spaces]
    return dragged_figure(at, positions, index, **_layout(space, colours))


def narrow_surface(dragged: DraggedFigure) -> Panels:
    """The figure with the layout for a narrow screen, where the projection is below the surface."""
    wide = dict(dragged.figure.arrangement)
    scene, height = {**wide["scene"], "camera": _NARROW_CAMERA, "domain": {"x": [0, 1], "y": [0.52, 1]}}, 900
    axes = {"xaxis": {**wide["xaxis"], "domain": [0.14, 0.98]}, "yaxis": {**wide["yaxis"], "domain": [0.06, 0.4]}}
    # The colour bar lies between the two plots: beside them it would take a third of a phone's width.
    bar = {"orientation": "h", "x": 0.5, "len": 0.8, "y": 0.43, "yanchor": "bottom"}
    colours = _colours(bar, wide["coloraxis"]["colorscale"])
    margin = {**wide["margin"], "l": 8, "r": 8}
    return Panels(dragged.figure, wide | axes | {"scene": scene, "height": height, "coloraxis": colours, "margin": margin})


def surface_row(spaces: Sequence[SearchSpace], colours: str = SEQUENTIAL) -> Panels:
    """Surfaces on one scale under one camera: five in a row, or two on a narrow screen."""
    traces = [
        _surface(space)
        | {"z": space.rows_by_fn(), "name": space.measure.name, "scene": f"scene{axis_number(i)}", "showscale": False}
        for i, space in enumerate(spaces)
    ]
    wide, narrow = (_row_layout(spaces, columns, colours) for columns in (len(spaces), 2))
    return Panels(figure(traces, **wide), layout(**narrow))


def slider_position(beta: float) -> float:
    """A position from 0 to 1 on the slider: beta / (1 + beta)."""
    return 1.0 if np.isinf(beta) else beta / (1.0 + beta)


def _look(rows: pd.DataFrame, i: int) -> dict[str, Any]:
    """How a group of points is drawn: in the style of its classifier, or white for other points."""
    classifier = rows.classifier.iloc[0]
    style = (
        classifier_style(classifier) if classifier else Style("#FFFFFF", "solid", SYMBOLS_IN_SPACE[i % len(SYMBOLS_IN_SPACE)])
    )
    if len(rows) > 1:
        return {"mode": "lines", "line": {"color": style.colour, "width": 4}}
    marker = {"color": style.colour, "symbol": style.symbol, "line": {"color": "#000000", "width": 1.5}}
    return {"mode": "markers", "marker": marker}


def _point_texts(rows: pd.DataFrame) -> dict[str, Any]:
    return {"text": rows.text.tolist(), "hovertemplate": "%{text}<br>FP %{x:.1f}, FN %{y:.1f}<extra></extra>"}


def _in_space(rows: pd.DataFrame, look: dict[str, Any]) -> Trace:
    """A group of points above the surface, without their heights."""
    return {
        "type": "scatter3d",
        "name": f"{rows.group.iloc[0]} in space",
        "x": rows.FP.tolist(),
        "y": rows.FN.tolist(),
        **_sized(look, marker=6),
        **_point_texts(rows),
        "showlegend": False,
    }


def _on_plane(rows: pd.DataFrame, look: dict[str, Any]) -> Trace:
    return {
        "type": "scatter",
        "name": rows.group.iloc[0],
        "x": rows.FP.tolist(),
        "y": rows.FN.tolist(),
        **_sized(look, marker=11, line=2.5),
        **_point_texts(rows),
        "cliponaxis": False,
    }


def _sized(look: dict[str, Any], *, marker: float, line: float | None = None) -> dict[str, Any]:
    """A look with the given marker size and, if given, line width."""
    sized = dict(look)
    if "marker" in look:
        sized["marker"] = {**look["marker"], "size": marker}
    elif line is not None:
        sized["line"] = {**look["line"], "width": line}
    return sized


def _surface(space: SearchSpace) -> Trace:
    """The surface without its values."""
    return {
        "type": "surface",
        "name": "surface",
        "x": space.fp.tolist(),
        "y": space.fn.tolist(),
        "coloraxis": "coloraxis",
        "hovertemplate": _hover(space.measure),
        "contours": {name: {"highlight": False} for name in "xyz"},
        "lighting": {"ambient": 0.9, "diffuse": 0.2, "specular": 0},
    }


def _projection(space: SearchSpace) -> Trace:
    """The flat projection without its values."""
    hover = _hover(space.measure)
    return heatmap("projection", space.fp, space.fn, [], hover=hover, coloraxis="coloraxis", zsmooth="best")


def _ridge(space: SearchSpace) -> list[Trace]:
    """The line on which the count is right, white on black, which is seen on every colour."""
    ends = [0, min(space.positives, space.negatives)]
    edge = line("edge of FP = FN", ends, ends, colour="#000000", width=4, showlegend=False)
    return [edge, line("FP = FN: the count is right", ends, ends, colour="#FFFFFF", width=2, dash="dash")]


def _ridge_in_space(space: SearchSpace) -> list[Trace]:
    """The same line on the surface, whose curve shows how much of it is good, and the best tables."""
    along, values = space.ridge()
    x, z = along.tolist(), (values + _LINE_LIFT).round(4).tolist()
    common = {"type": "scatter3d", "hoverinfo": "skip", "showlegend": False}
    curve = {**common, "mode": "lines", "x": x, "y": x, "z": z}
    best = {name: one.tolist() for name, one in zip("xy", space.best(), strict=True)}
    height = round(float(values[0]) + _POINT_LIFT, 4)  # The ridge begins at the table without errors, which is among the best.
    marker = {"color": _BEST["colour"], "symbol": _BEST["symbol"], "size": 3, "line": _BEST["edge"]}
    return [
        {**curve, "name": "edge of FP = FN in space", "line": {"color": "#000000", "width": 6}},
        {**curve, "name": "FP = FN in space", "line": {"color": "#FFFFFF", "width": 3}},
        {**common, "name": "best tables in space", "mode": "markers", **best, "z": [height] * len(best["x"]), "marker": marker},
    ]


def _hover(measure: ParametricMeasure) -> str:
    """The hover text, without the measure's beta, which a drag changes."""
    return f"FP %{{x}}, FN %{{y}}<br>{measure.key.replace('_beta', '')} <b>%{{z:.3f}}</b><extra></extra>"


def _layout(space: SearchSpace, colours: str) -> dict[str, Any]:
    quiet = {"showgrid": False, "constrain": "domain"}
    return {
        "title": f"{space.measure.key} of every table, P = {space.positives:,}, N = {space.negatives:,}",
        "height": _HEIGHT,
        "margin": {"l": 16, "r": 104, "t": 48, "b": 96},
        "hovermode": "closest",
        "dragmode": "zoom",
        "scene": {**_scene(space), "domain": {"x": [0, 0.5], "y": [0, 1]}},
        "xaxis": axis("FP (false positives)", (0, space.negatives), domain=[0.61, 0.93], **quiet),
        "yaxis": axis("FN (false negatives)", (0, space.positives), **quiet),
        "coloraxis": _colours({"x": 0.94, "len": 1}, colours),
    }


def _scene(space: SearchSpace) -> dict[str, Any]:
    return {
        "camera": CAMERA,
        "dragmode": "turntable",
        "aspectmode": "manual",
        "aspectratio": {"x": 1, "y": 1, "z": 0.7},
        "uirevision": "kept",
        "xaxis": {"title": {"text": "FP"}, "range": [0, space.negatives], **_SCENE_AXIS},
        "yaxis": {"title": {"text": "FN"}, "range": [0, space.positives], **_SCENE_AXIS},
        "zaxis": {"title": {"text": ""}, "range": [0, 1.03], **_SCENE_AXIS},
    }


def _colours(bar: dict[str, Any], colours: str) -> dict[str, Any]:
    common = {"thickness": 12, "outlinewidth": 0, "tickvals": [0, 0.25, 0.5, 0.75, 1], **bar}
    return {
        **SEQUENTIAL_HIGH,
        "colorscale": colours,
        "cmin": 0,
        "cmax": 1,
        "colorbar": {**common, "title": {"text": "value: dark is good", "side": "top"}},
    }


def _row_layout(spaces: Sequence[SearchSpace], columns: int, colours: str) -> dict[str, Any]:
    rows = -(-len(spaces) // columns)
    arrangement: dict[str, Any] = {
        "title": "From NAS to recall: one scale, one camera",
        "height": 250 * rows + 150,
        "margin": {"l": 8, "r": 8, "t": 62, "b": 62},
        "hovermode": "closest",
        "dragmode": "turntable",
        "coloraxis": _colours({"orientation": "h", "x": 0.5, "len": 0.6, "y": -0.01, "yanchor": "top"}, colours),
        "xaxis": {"visible": False},
        "yaxis": {"visible": False},
        "annotations": [],
    }
    for i, space in enumerate(spaces):
        row, column = divmod(i, columns)
        left, bottom = column / columns, 1 - (row + 1) / rows
        scene = _scene(space) | {"camera": _FAR_CAMERA}
        for name, title in (("xaxis", "FP"), ("yaxis", "FN"), ("zaxis", "")):
            scene[name] = {**scene[name], "title": {"text": title}, "showticklabels": False}
        domain = {"x": [left, left + 1 / columns], "y": [bottom, bottom + 0.9 / rows]}
        arrangement[f"scene{axis_number(i)}"] = {**scene, "domain": domain}
        name_above = panel_title(space.measure.name, left + 0.5 / columns, bottom + 0.92 / rows, xanchor="center")
        arrangement["annotations"].append(name_above)
    return arrangement
