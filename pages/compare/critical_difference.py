"""The critical-difference diagram as a figure and as TikZ, and tables for papers."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pages.charts.figure import NEUTRAL, SERIES, Figure, figure
from pages.charts.panels import Panels
from pages.charts.traces import Trace, line, markers
from pages.settings.control import escaped
from qcore.evaluation.critical_difference import Bar, MethodLabel, critical_difference_layout
from qcore.evaluation.latex_table import escaped_latex
from qcore.quantifiers import QUANTIFIERS

_ROW = 24
_TOP = 1.6
_WORDS = 13
_NARROWER = 84 / 110
"""The margins of a narrow screen as a share of those of a wide one."""

_ROOM = 0.04
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
        shapes.append({"type": "rect", **ends, "line": {"width": 0}, "fillcolor": SERIES[1], "opacity": 0.12})
    for label in layout.labels:
        more_traces, text = _stem(label, n, strong=label.name == control)
        traces += more_traces
        annotations.append(text)
    traces += [_bar(number, bar) for number, bar in enumerate(layout.bars, 1)]
    traces.append(line("critical difference", [1, 1 + distance], [_TOP, _TOP], colour=SERIES[1], width=5, showlegend=False))
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
    """The diagram with a second layout for narrow screens: smaller margins, fewer numbers."""
    notes = figure.arrangement["annotations"]
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
    colour = SERIES[1] if strong else NEUTRAL
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
    return line(f"group {number}", ends, heights, colour=SERIES[0], width=6, showlegend=False, hover=hover)


def _text(x: float, y: float, text: str, **more: Any) -> Trace:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": _WORDS}, **more}


_WIDTH = 10.0
"""Width of the axis in centimetres."""


def critical_difference_tikz(
    mean_ranks: pd.Series, groups: Sequence[Sequence[str]], distance: float, *, control: str = ""
) -> str:
    """A `tikzpicture` of the diagram of `mean_ranks`, best first, with bars over `groups` of methods that do not differ.

    With a `control`, the range of ranks that do not differ from its rank is shaded. It needs the package tikz, no other.
    """
    layout = critical_difference_layout(mean_ranks, groups, distance, control)
    n = len(layout.labels)
    lines = [rf"\begin{{tikzpicture}}[x={_WIDTH / max(n - 1, 1):.3f}cm, y=0.5cm, font=\small]"]
    if layout.shaded:
        low, high = layout.shaded
        lines.append(rf"  \fill[black!10] ({low:.3f}, {layout.bottom:.2f}) rectangle ({high:.3f}, 0.2);")
    lines.append(rf"  \draw (1, 0) -- ({n}, 0);")
    lines += [rf"  \draw ({tick}, 0) -- ({tick}, 0.3) node[above] {{{tick}}};" for tick in layout.ticks]
    lines.append(rf"  \draw[line width=1.5pt] (1, 1.9) -- ({1 + distance:.3f}, 1.9);")
    lines.append(rf"  \node[above right, inner xsep=0pt] at (1, 1.9) {{critical difference {distance:.2f}}};")
    for label in layout.labels:
        end, side = ("0.7", "left") if label.on_left else (f"{n + 0.3:.1f}", "right")
        text = escaped_latex(label.text)
        if label.name == control:
            text = rf"\textbf{{{text}}}"
        lines.append(rf"  \draw ({label.rank:.3f}, 0) |- ({end}, {label.y:.2f}) node[{side}] {{{text}}};")
    for bar in layout.bars:
        lines.append(rf"  \draw[line width=3pt] ({bar.low:.3f}, {bar.y:.3f}) -- ({bar.high:.3f}, {bar.y:.3f});")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def ranks_table(mean_ranks: pd.Series) -> pd.DataFrame:
    """Mean ranks, best first, as a table: columns method and mean rank."""
    return mean_ranks.rename("mean rank").rename_axis("method").reset_index()


def as_latex(table: pd.DataFrame) -> str:
    """A table in LaTeX, numbers with two decimals."""
    texts = {name: table[name].map(_latex_cell) for name in table.columns}
    return str(table.assign(**texts).rename(columns=_latex_cell).to_latex(index=False, escape=False, float_format="%.2f"))


def _latex_cell(cell: object) -> object:
    return escaped_latex(cell) if isinstance(cell, str) else cell


def _markdown_cell(cell: object) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else " ".join(escaped(str(cell)).split())


def as_markdown(table: pd.DataFrame) -> str:
    """A table in Markdown, numbers with two decimals."""
    names, *rows = [[_markdown_cell(cell) for cell in row] for row in [table.columns.tolist(), *table.to_numpy().tolist()]]
    lines = [names, ["---"] * table.shape[1], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
