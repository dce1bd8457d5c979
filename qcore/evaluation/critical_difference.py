"""The layout of a critical-difference diagram, which a page, a display and TikZ draw alike.

Mean ranks lie on an axis at height 0, the best on the left. Bars below it are over methods that do not differ; below the bars
are the names, one in a row on each side: the better half on the left. Source: Demšar 2006; Barranquero 2013, 4.2.4.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

_BAR = 0.35
"""The distance of two bars, in rows of names."""
_BESIDE = 0.05
"""By how much a bar exceeds the outermost ranks of its methods."""


class MethodLabel(NamedTuple):
    """A method: its name, its mean rank, the height of its name (below 0), and whether that is on the left."""

    name: str
    rank: float
    y: float
    on_left: bool

    @property
    def text(self) -> str:
        """The name with the mean rank, which stands nearer to the axis."""
        return f"{self.name} {self.rank:.2f}" if self.on_left else f"{self.rank:.2f} {self.name}"


class Bar(NamedTuple):
    """A bar over methods that do not differ, best first: their names, its ends on the axis of ranks, its height (below 0)."""

    methods: tuple[str, ...]
    low: float
    high: float
    y: float


class CriticalDifferenceLayout(NamedTuple):
    """Where everything in the diagram lies, in ranks from left to right and in rows of names from the axis downwards.

    Attributes
    ----------
    labels : a label for each method, best first.
    bars : the bars, the one of the best methods first.
    distance : the critical difference.
    bottom : height of the lowest edge, below 0.
    shaded : the ranks that do not differ from the control's; None without a control.
    """

    labels: tuple[MethodLabel, ...]
    bars: tuple[Bar, ...]
    distance: float
    bottom: float
    shaded: tuple[float, float] | None

    @property
    def ticks(self) -> range:
        """The whole ranks, 1 to the number of methods."""
        return range(1, len(self.labels) + 1)


def critical_difference_layout(
    mean_ranks: pd.Series, groups: Sequence[Sequence[str]], distance: float, control: str = ""
) -> CriticalDifferenceLayout:
    """The layout for `mean_ranks` by method, best first, with a bar over each of the `groups`; as `Comparison` gives both.

    Examples
    --------
    >>> ranks = pd.Series({"EMQ": 1.25, "AC": 1.75, "CC": 3.0})
    >>> layout = critical_difference_layout(ranks, [("EMQ", "AC")], 0.9)
    >>> [label.text for label in layout.labels], layout.bars[0].high
    (['EMQ 1.25', 'AC 1.75', '3.00 CC'], 1.8)
    """
    n = len(mean_ranks)
    n_left, depth = (n + 1) // 2, len(groups) * _BAR + 0.6
    labels = tuple(
        MethodLabel(str(name), float(rank), -(depth + (i if i < n_left else n - 1 - i)), i < n_left)
        for i, (name, rank) in enumerate(mean_ranks.items())
    )
    bars = tuple(
        Bar(tuple(group), float(mean_ranks[group[0]]) - _BESIDE, float(mean_ranks[group[-1]]) + _BESIDE, -(i + 0.7) * _BAR)
        for i, group in enumerate(groups)
    )
    shaded = None
    if control:
        middle = float(mean_ranks[control])
        shaded = max(1.0, middle - distance), min(float(n), middle + distance)
    return CriticalDifferenceLayout(labels, bars, distance, -(depth + n_left), shaded)
