"""The mean rank of each method by sample size, with its spread over the prevalences."""

from typing import Final

import pandas as pd

from pages.charts.panels import Panels, category_axis, wide_and_narrow
from pages.charts.traces import Trace, axis, band, line, method_line

_MARGIN: Final = {"l": 64, "r": 24, "t": 62, "b": 64}


def ranks_figure(ranks: pd.DataFrame, loss: str) -> Panels:
    """A panel for each method: its mean rank by size with its band, the other methods' in grey.

    `ranks` of `ranks_by_size`; the band runs from the 10th to the 90th percentile over the prevalences.
    """
    methods = list(dict.fromkeys(ranks.method.tolist()))
    tables = {method: ranks[ranks.method == method] for method in methods}
    sizes = [str(size) for size in tables[methods[0]]["size"]]
    last = len(methods)
    return wide_and_narrow(
        {method: _panel(method, tables, sizes) for method in methods},
        title=f"Mean rank by {loss}: 1 is best",
        xaxis={**category_axis([int(size) for size in sizes], 4), **axis("sample size")},
        yaxis=axis("mean rank", (last + 0.4, 0.6), tickvals=sorted({1, (last + 1) // 2, last}), fixedrange=True),
        margin=_MARGIN,
    )


def _panel(method: str, tables: dict[str, pd.DataFrame], sizes: list[str]) -> list[Trace]:
    rows = tables[method]
    others = [table.mean_rank.tolist() for name, table in tables.items() if name != method]
    x = [x for _ in others for x in [*sizes, None]]
    y = [y for means in others for y in [*means, None]]
    hover = (
        f"<b>{method}: mean rank %{{y:.2f}}</b><br>10th to 90th percentile %{{customdata[0]:.1f}} to "
        "%{customdata[1]:.1f}<br>mean loss %{customdata[2]:.4f}<br>samples of %{x}<extra></extra>"
    )
    details = rows[["lower", "upper", "mean_loss"]].to_numpy().round(4).tolist()
    means = method_line(method, sizes, rows.mean_rank, width=2.5, size=6, hover=hover, customdata=details, showlegend=False)
    means["line"].pop("dash", None)
    return [
        line(f"others than {method}", x, y, width=1, opacity=0.4, showlegend=False),
        band(method, sizes, rows.lower, rows.upper, opacity=0.2),
        means,
    ]
