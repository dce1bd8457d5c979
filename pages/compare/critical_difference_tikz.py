"""The critical-difference diagram as TikZ, for a paper in LaTeX."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from qcore.evaluation.critical_difference import critical_difference_layout

_WIDTH: Final = 10.0
"""Width of the axis in centimetres."""

_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def escaped_latex(text: str) -> str:
    """A text that LaTeX sets as it is."""
    return "".join(_ESCAPES.get(mark, mark) for mark in text)


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
