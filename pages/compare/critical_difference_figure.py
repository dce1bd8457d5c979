"""The critical-difference diagram: mean ranks on an axis, best on the left, and bars over methods that do not differ."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import Panels
from pages.charts.style import NEUTRAL, PALETTE, figure
from pages.charts.traces import Trace, line, markers
from qcore.quantifiers import QUANTIFIERS

_ROW: Final = 24
_BAR: Final = 0.35
_TOP: Final = 1.6
_WORDS: Final = 12
_SMALL_WORDS: Final = 10
_NARROWER: Final = 84 / 110
"""The margins of a narrow screen as a share of those of a wide one."""

_ROOM: Final = 0.04
"""The free share of the axis at each end, before the names."""


def critical_difference_figure(
    mean_ranks: pd.Series, groups: Sequence[Sequence[str]], distance: float, *, title: str, control: str = ""
) -> Figure:
    """The diagram of `mean_ranks`, best first, with bars over `groups` of methods that do not differ.

    With a `control`, the range of ranks that do not differ from its rank is shaded.
    """
    n = len(mean_ranks)
    depth = len(groups) * _BAR
    bottom = depth + 0.6 + (n + 1) // 2
    traces, annotations = _axis(n)
    shapes = [
        {"type": "line", "x0": tick, "x1": tick, "y0": 0, "y1": 0.2, "line": {"color": NEUTRAL}} for tick in range(1, n + 1)
    ]
    if control:
        middle = float(mean_ranks[control])
        ends = {"x0": max(1.0, middle - distance), "x1": min(float(n), middle + distance), "y0": -bottom, "y1": 0.2}
        shapes.append({"type": "rect", **ends, "line": {"width": 0}, "fillcolor": PALETTE[1], "opacity": 0.12})
    for more_traces, label in _stems(mean_ranks, depth, control):
        traces += more_traces
        annotations.append(label)
    traces += [_bar(mean_ranks, group, number) for number, group in enumerate(groups)]
    traces.append(line("critical difference", [1, 1 + distance], [_TOP, _TOP], colour=PALETTE[1], width=5, showlegend=False))
    annotations.append(_text(1, _TOP, f"critical difference {distance:.2f}", xanchor="left", yanchor="bottom", yshift=3))
    hidden, room = {"visible": False, "fixedrange": True}, _ROOM * (n - 1)
    left, right = _room_for_names(list(map(str, mean_ranks.index)))
    return figure(
        traces,
        title=title,
        height=int(70 + _ROW * (bottom + _TOP + 1)),
        hovermode="closest",
        dragmode=False,
        margin={"l": left, "r": right, "t": 44, "b": 8},
        # With few data sets the critical difference can be longer than the axis of ranks.
        xaxis={**hidden, "range": (1 - room, max(n, 1 + distance) + room)},
        yaxis={**hidden, "range": (-bottom, _TOP + 1)},
        shapes=shapes,
        annotations=annotations,
    )


def _room_for_names(names: Sequence[str]) -> list[int]:
    """Pixels beside the axis for the names of the better and of the other half, with their ranks."""
    half = (len(names) + 1) // 2
    longest = (max(map(len, side), default=0) for side in (names[:half], names[half:]))
    return [max(110, 7 * (letters + 6)) for letters in longest]


def for_narrow_screens(figure: Figure) -> Panels:
    """The diagram with a second layout for narrow screens: smaller text and margins."""
    notes = [{**note, "font": {"size": _SMALL_WORDS}} for note in figure.arrangement["annotations"]]
    # Between the names there is room for every other number.
    numbers = [note for note in notes if str(note["text"]).isdigit()]
    kept = [note for note in notes if note not in numbers or numbers.index(note) % 2 == 0]
    margin = figure.arrangement["margin"]
    margin = {**margin, **{side: round(margin[side] * _NARROWER) for side in "lr"}}
    return Panels(figure, {**figure.arrangement, "annotations": kept, "margin": margin})


def _axis(n: int) -> tuple[list[Trace], list[Trace]]:
    """The axis of ranks: (the line, the numbers)."""
    numbers = [_text(tick, 0.25, str(tick), yanchor="bottom") for tick in range(1, n + 1, 1 if n <= 10 else 2)]
    return [line("axis", [1, n], [0, 0], width=2, showlegend=False)], numbers


def _stems(mean_ranks: pd.Series, depth: float, control: str) -> Iterator[tuple[list[Trace], Trace]]:
    """For each method a line from its rank to its name: on the left for the better half, otherwise on the right."""
    n = len(mean_ranks)
    for number, (key, value) in enumerate(mean_ranks.items()):
        name, rank, best = str(key), float(value), number < (n + 1) // 2
        y = -(depth + 0.6 + (number if best else n - 1 - number))
        end = 1 - _ROOM * (n - 1) if best else n + _ROOM * (n - 1)
        strong = name == control
        colour = PALETTE[1] if strong else NEUTRAL
        stem = line(name, [rank, rank, end], [0, y, y], colour=colour, width=2.5 if strong else 1.2, showlegend=False)
        idea = QUANTIFIERS[name].name if name in QUANTIFIERS else name
        hover = f"<b>{name}</b>: mean rank {rank:.2f}<br>{idea}<extra></extra>"
        mark = markers(f"{name} rank", [rank], [0], colour=colour, size=9, hover=hover, showlegend=False)
        text = f"{name} {rank:.2f}" if best else f"{rank:.2f} {name}"
        anchor, shift = ("right", -4) if best else ("left", 4)
        yield [stem, mark], _text(end, y, f"<b>{text}</b>" if strong else text, xanchor=anchor, xshift=shift)


def _bar(mean_ranks: pd.Series, group: Sequence[str], number: int) -> Trace:
    """The bar over methods that do not differ."""
    ends = [float(mean_ranks[group[0]]) - 0.05, float(mean_ranks[group[-1]]) + 0.05]
    y = -(number + 0.7) * _BAR
    hover = f"no significant difference: {', '.join(group)}<extra></extra>"
    return line(f"group {number + 1}", ends, [y, y], colour=PALETTE[0], width=6, showlegend=False, hover=hover)


def _text(x: float, y: float, text: str, **more: Any) -> Trace:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": _WORDS}, **more}
