"""The critical-difference diagram as TikZ, for a paper in LaTeX."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

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
    n = len(mean_ranks)
    depth = 0.35 * len(groups) + 0.6
    bottom = -(depth + (n + 1) // 2)
    lines = [rf"\begin{{tikzpicture}}[x={_WIDTH / max(n - 1, 1):.3f}cm, y=0.5cm, font=\small]"]
    if control:
        middle = float(mean_ranks[control])
        low, high = max(1.0, middle - distance), min(float(n), middle + distance)
        lines.append(rf"  \fill[black!10] ({low:.3f}, {bottom:.2f}) rectangle ({high:.3f}, 0.2);")
    lines.append(rf"  \draw (1, 0) -- ({n}, 0);")
    lines += [rf"  \draw ({tick}, 0) -- ({tick}, 0.3) node[above] {{{tick}}};" for tick in range(1, n + 1)]
    lines.append(rf"  \draw[line width=1.5pt] (1, 1.9) -- ({1 + distance:.3f}, 1.9);")
    lines.append(rf"  \node[above right, inner xsep=0pt] at (1, 1.9) {{critical difference {distance:.2f}}};")
    for number, (key, value) in enumerate(mean_ranks.items()):
        best = number < (n + 1) // 2
        y = -(depth + (number if best else n - 1 - number))
        end, side = ("0.7", "left") if best else (f"{n + 0.3:.1f}", "right")
        name, rank = escaped_latex(str(key)), f"{float(value):.2f}"
        text = f"{name} {rank}" if best else f"{rank} {name}"
        if key == control:
            text = rf"\textbf{{{text}}}"
        lines.append(rf"  \draw ({float(value):.3f}, 0) |- ({end}, {y:.2f}) node[{side}] {{{text}}};")
    for number, group in enumerate(groups):
        y = -0.35 * (number + 0.7)
        ends = float(mean_ranks[group[0]]) - 0.05, float(mean_ranks[group[-1]]) + 0.05
        lines.append(rf"  \draw[line width=3pt] ({ends[0]:.3f}, {y:.3f}) -- ({ends[1]:.3f}, {y:.3f});")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])
