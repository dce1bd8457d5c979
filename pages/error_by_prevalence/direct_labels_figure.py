"""The name of each line at its end, so that nobody looks back and forth between a line and a legend."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from pages.charts.style import method_style
from qcore.quantifiers import QUANTIFIERS

MAX_LABELS: Final = 8
"""The largest number of names at one edge: more would stand far from their lines."""

MARGIN: Final = 66
"""Width of the room for names right of the plot, in pixels."""

_DISTANCE: Final = 16.0
"""Smallest distance between two names, in pixels."""


def direct_labels(
    ends: Mapping[str, tuple[float, float]],
    limits: tuple[float, float],
    height: float,
    names: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """An annotation for each quantifier: its short name at the end of its line; pointing at it shows the full name.

    Parameters
    ----------
    ends : quantifier -> (x, y) of the end of its line; a line that leaves the frame is named at the edge.
    limits : range of the y axis.
    height : height of the plot in pixels: names that would overlap are moved apart.
    names : what some quantifiers are called with this classifier.
    """
    low, high = limits
    scale = height / (high - low)
    inside = {method: (x, min(max(y, low), high)) for method, (x, y) in ends.items()}
    order = sorted(ends, key=lambda method: ends[method][1])
    wanted = [(inside[method][1] - low) * scale for method in order]
    moved = dict(zip(order, spread(wanted, _DISTANCE, height), strict=True))
    return [
        {
            "text": f"<b>{names.get(method, method)}</b>",
            "hovertext": f"{QUANTIFIERS[method].name}, {method}" if method in names else QUANTIFIERS[method].name,
            "x": x,
            "y": y,
            "yshift": round(moved[method] - (y - low) * scale, 1),
            "xshift": 8,
            "xanchor": "left",
            "yanchor": "middle",
            "showarrow": False,
            "font": {"color": method_style(method).colour, "size": 13},
        }
        for method, (x, y) in inside.items()
    ]


def spread(positions: Sequence[float], distance: float, most: float) -> list[float]:
    """Positions in ascending order, moved as little as possible to be `distance` apart or more, and within 0 and `most`.

    Positions that touch form a group around the mean of their wanted positions, and groups that touch are joined. If there are
    too many positions to fit, they start at 0 and are `distance` apart.
    """

    def start(group: Sequence[float]) -> float:
        depth = distance * (len(group) - 1)
        return max(0.0, min(sum(group) / len(group) - depth / 2, most - depth))

    groups: list[list[float]] = []
    for position in positions:
        groups.append([position])
        while len(groups) > 1 and start(groups[-1]) < start(groups[-2]) + distance * len(groups[-2]):
            last = groups.pop()
            groups[-1] += last
    return [start(group) + i * distance for group in groups for i in range(len(group))]
