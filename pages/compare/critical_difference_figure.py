"""The critical-difference diagram: mean ranks on an axis, best on the left, and bars over methods that do not differ."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from pages.charts.figure import Figure
from pages.charts.panels import Panels
from pages.charts.style import NEUTRAL, PALETTE, figure
from pages.charts.traces import Trace, line, markers
from qcore.evaluation.critical_difference import Bar, MethodLabel, critical_difference_layout
from qcore.quantifiers import QUANTIFIERS

_ROW: Final = 24
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
    layout = critical_difference_layout(mean_ranks, groups, distance, control)
    n = len(layout.labels)
    traces, annotations = _axis(n)
    shapes = [{"type": "line", "x0": tick, "x1": tick, "y0": 0, "y1": 0.2, "line": {"color": NEUTRAL}} for tick in layout.ticks]
    if layout.shaded:
        ends = {"x0": layout.shaded[0], "x1": layout.shaded[1], "y0": layout.bottom, "y1": 0.2}
        shapes.append({"type": "rect", **ends, "line": {"width": 0}, "fillcolor": PALETTE[1], "opacity": 0.12})
    for label in layout.labels:
        more_traces, text = _stem(label, n, strong=label.name == control)
        traces += more_traces
        annotations.append(text)
    traces += [_bar(number, bar) for number, bar in enumerate(layout.bars, 1)]
    traces.append(line("critical difference", [1, 1 + distance], [_TOP, _TOP], colour=PALETTE[1], width=5, showlegend=False))
    annotations.append(_text(1, _TOP, f"critical difference {distance:.2f}", xanchor="left", yanchor="bottom", yshift=3))
    hidden, room = {"visible": False, "fixedrange": True}, _ROOM * (n - 1)
    left, right = _room_for_names(list(map(str, mean_ranks.index)))
    return figure(
        traces,
        title=title,
        height=int(70 + _ROW * (_TOP + 1 - layout.bottom)),
        hovermode="closest",
        dragmode=False,
        margin={"l": left, "r": right, "t": 44, "b": 8},
        # With few data sets the critical difference can be longer than the axis of ranks.
        xaxis={**hidden, "range": (1 - room, max(n, 1 + distance) + room)},
        yaxis={**hidden, "range": (layout.bottom, _TOP + 1)},
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


def _stem(label: MethodLabel, n: int, *, strong: bool) -> tuple[list[Trace], Trace]:
    """The line from a method's rank to its name, and the name."""
    name, rank = label.name, label.rank
    x, anchor, shift = (1 - _ROOM * (n - 1), "right", -4) if label.on_left else (n + _ROOM * (n - 1), "left", 4)
    colour = PALETTE[1] if strong else NEUTRAL
    width = 2.5 if strong else 1.2
    stem = line(name, [rank, rank, x], [0, label.y, label.y], colour=colour, width=width, showlegend=False)
    idea = QUANTIFIERS[name].name if name in QUANTIFIERS else name
    hover = f"<b>{name}</b>: mean rank {rank:.2f}<br>{idea}<extra></extra>"
    mark = markers(f"{name} rank", [rank], [0], colour=colour, size=9, hover=hover, showlegend=False)
    text = f"<b>{label.text}</b>" if strong else label.text
    return [stem, mark], _text(x, label.y, text, xanchor=anchor, xshift=shift)


def _bar(number: int, bar: Bar) -> Trace:
    """The bar over methods that do not differ."""
    hover = f"no significant difference: {', '.join(bar.methods)}<extra></extra>"
    ends, heights = [bar.low, bar.high], [bar.y, bar.y]
    return line(f"group {number}", ends, heights, colour=PALETTE[0], width=6, showlegend=False, hover=hover)


def _text(x: float, y: float, text: str, **more: Any) -> Trace:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": _WORDS}, **more}
