"""The mean rank of each method by sample size, with its spread over the prevalences."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd

from qcore.figures.panels import Panels, categories, wide_and_narrow
from qcore.figures.template import NEUTRAL, method_style

_MARGIN: Final = {"l": 64, "r": 16, "t": 92, "b": 64}


def ranks_figure(ranks: pd.DataFrame, loss: str) -> Panels:
    """A panel for each method: its mean rank by size with its band, the other methods' in grey.

    `ranks` of `size_effects.ranks_by_size`; the band runs from the 10th to the 90th percentile over the prevalences.
    """
    methods = list(dict.fromkeys(ranks.method.tolist()))
    tables = {method: ranks[ranks.method == method] for method in methods}
    sizes = [str(size) for size in tables[methods[0]]["size"]]
    panels = {method: _panel(method, tables, sizes) for method in methods}
    title = f"Mean rank by {loss}: 1 is best"
    xaxis = {**categories([int(size) for size in sizes], 4), "title": {"text": "sample size", "standoff": 8}}
    last = len(methods)
    yaxis = {
        "title": {"text": "mean rank"}, "range": (last + 0.4, 0.6), "tickvals": sorted({1, (last + 1) // 2, last}),
        "fixedrange": True,
    }  # fmt: skip
    return wide_and_narrow(panels, title=title, xaxis=xaxis, yaxis=yaxis, margin=_MARGIN)


def _panel(method: str, tables: dict[str, pd.DataFrame], sizes: list[str]) -> list[dict[str, Any]]:
    own, style = tables[method], method_style(method)
    others = [(sizes, table.mean_rank.tolist()) for name, table in tables.items() if name != method]
    quiet = {
        "type": "scatter", "mode": "lines", "name": f"others than {method}", "showlegend": False, "hoverinfo": "skip",
        "x": [x for names, _ in others for x in [*names, None]], "y": [y for _, means in others for y in [*means, None]],
        "line": {"color": NEUTRAL, "width": 1}, "opacity": 0.4,
    }  # fmt: skip
    band = {
        "type": "scatter", "mode": "lines", "name": f"{method} band", "showlegend": False, "hoverinfo": "skip",
        "x": [*sizes, *sizes[::-1]], "y": [*own.upper.tolist(), *own.lower.tolist()[::-1]],
        "fill": "toself", "fillcolor": style.fill(0.2), "line": {"width": 0},
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines+markers", "name": method, "showlegend": False, "x": sizes,
        "y": own.mean_rank.tolist(), "customdata": own[["lower", "upper", "mean_loss"]].to_numpy().round(4).tolist(),
        "line": {"color": style.colour, "width": 2.5}, "marker": {"symbol": style.symbol, "size": 6, "color": style.colour},
        "hovertemplate": f"<b>{method}: mean rank %{{y:.2f}}</b><br>10th to 90th percentile %{{customdata[0]:.1f}} to "
        "%{customdata[1]:.1f}<br>mean loss %{customdata[2]:.4f}<br>samples of %{x}<extra></extra>",
    }  # fmt: skip
    return [quiet, band, line]
