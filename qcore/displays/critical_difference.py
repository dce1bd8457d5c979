"""Which methods differ over many data sets: the critical-difference diagram of Demšar (2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import pandas as pd

from qcore._base.validation import check_kind
from qcore.displays.plotly_display import NEUTRAL, PALETTE, PlotlyDisplay, Trace, line, new_figure
from qcore.evaluation.significance import Comparison, compare

_BAR: Final = 0.35
_TOP: Final = 1.6


@dataclass
class CriticalDifferenceDisplay(PlotlyDisplay):
    """Mean ranks on an axis, the best on the left, and bars over methods that do not differ by Nemenyi's test.

    `from_losses` and `from_comparison` make one, and draw it. Source: Demšar 2006; Barranquero 2013, 4.2.4.

    Attributes
    ----------
    mean_ranks : method -> mean rank, best first.
    groups : the largest sets of methods that do not differ.
    distance : the critical difference of two mean ranks.
    figure_ : plotly.graph_objects.Figure.

    Examples
    --------
    >>> rows = [(d, 0.5, m, loss) for d in "abcdefgh" for m, loss in (("CC", 0.3), ("AC", 0.2), ("EMQ", 0.1))]
    >>> losses = pd.DataFrame(rows, columns=["data", "prevalence", "method", "loss"])
    >>> display = CriticalDifferenceDisplay.from_losses(losses)
    >>> display.mean_ranks.to_dict(), display.groups
    ({'EMQ': 1.0, 'AC': 2.0, 'CC': 3.0}, [('EMQ', 'AC'), ('AC', 'CC')])
    """

    mean_ranks: pd.Series
    groups: Sequence[Sequence[str]]
    distance: float

    @classmethod
    def from_losses(cls, losses: pd.DataFrame, loss: str = "loss", *, alpha: float = 0.05) -> Self:
        """The diagram of losses over data sets: columns data, prevalence, method and the loss, as `compare` takes them.

        Raises InvalidInput for fewer than two methods or data sets, or if a method lacks a data set.
        """
        return cls.from_comparison(compare(losses, loss), alpha=alpha)

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, alpha: float = 0.05) -> Self:
        """The diagram of a comparison, as `compare` gives it, at level `alpha`. Raises InvalidInput for an invalid level."""
        check_kind("comparison", comparison, Comparison, "Pass what compare gives, or a table of losses to from_losses.")
        return cls(comparison.mean_ranks, comparison.groups(alpha), comparison.nemenyi_distance(alpha)).plot()

    def plot(self) -> Self:
        """Draw the diagram. Returns the display itself."""
        n = len(self.mean_ranks)
        depth = len(self.groups) * _BAR + 0.6
        bottom, room = depth + (n + 1) // 2, 0.04 * (n - 1)
        hidden = {"visible": False, "fixedrange": True}
        # With few data sets the critical difference can be longer than the axis of ranks.
        layout = {
            "height": int(70 + 24 * (bottom + _TOP + 1)),
            "margin": {"l": 120, "r": 120, "t": 10, "b": 10},
            "xaxis": {**hidden, "range": [1 - room, max(n, 1 + self.distance) + room]},
            "yaxis": {**hidden, "range": [-bottom, _TOP + 1]},
            "shapes": [_tick(rank) for rank in range(1, n + 1)],
            "annotations": [
                *(_text(rank, 0.25, str(rank), yanchor="bottom") for rank in range(1, n + 1)),
                _text(1, _TOP, f"critical difference {self.distance:.2f}", xanchor="left", yanchor="bottom", yshift=3),
                *(self._name(number, depth, room) for number in range(n)),
            ],
        }
        scale = [1.0, 1.0 + self.distance]
        self.figure_ = new_figure(layout).add_traces(
            [
                line("axis", [1, n], [0, 0], NEUTRAL, hoverinfo="skip"),
                line("critical difference", scale, [_TOP, _TOP], PALETTE[1], line={"width": 5}),
                *(self._stem(number, depth, room) for number in range(n)),
                *(self._bar(number) for number in range(len(self.groups))),
            ]
        )
        return self

    def _place(self, number: int, depth: float, room: float) -> tuple[float, float, bool]:
        """(x, y, whether on the left) of the name of the method that is `number`-th from the best."""
        n = len(self.mean_ranks)
        left = number < (n + 1) // 2
        return (1 - room if left else n + room), -(depth + (number if left else n - 1 - number)), left

    def _stem(self, number: int, depth: float, room: float) -> Trace:
        """The line from a method's rank on the axis down to its name."""
        x, y, _ = self._place(number, depth, room)
        name, rank = str(self.mean_ranks.index[number]), float(self.mean_ranks.iloc[number])
        hover = f"{name}: mean rank {rank:.2f}<extra></extra>"
        return line(name, [rank, rank, x], [0, y, y], NEUTRAL, line={"width": 1.5}, hovertemplate=hover)

    def _name(self, number: int, depth: float, room: float) -> Trace:
        x, y, left = self._place(number, depth, room)
        name, rank = str(self.mean_ranks.index[number]), float(self.mean_ranks.iloc[number])
        text, anchor, shift = (f"{name} {rank:.2f}", "right", -4) if left else (f"{rank:.2f} {name}", "left", 4)
        return _text(x, y, text, xanchor=anchor, xshift=shift)

    def _bar(self, number: int) -> Trace:
        """The bar over methods that do not differ."""
        group = self.groups[number]
        ends = [float(self.mean_ranks[group[0]]) - 0.05, float(self.mean_ranks[group[-1]]) + 0.05]
        hover = f"no significant difference: {', '.join(map(str, group))}<extra></extra>"
        height = -(number + 0.7) * _BAR
        return line(f"group {number + 1}", ends, [height, height], PALETTE[0], line={"width": 6}, hovertemplate=hover)


def _tick(rank: int) -> Trace:
    return {"type": "line", "x0": rank, "x1": rank, "y0": 0, "y1": 0.2, "line": {"color": NEUTRAL}}


def _text(x: float, y: float, text: str, **more: Any) -> Trace:
    return {"x": x, "y": y, "text": text, "showarrow": False, **more}
