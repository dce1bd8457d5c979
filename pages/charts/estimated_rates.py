"""How tpr and fpr are estimated: figures and sentences."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.charts.figure import AXIS, NEUTRAL, figure, layout, numbered_style, tinted
from pages.charts.panels import Panels, axis_number, panel_title
from pages.charts.traces import Trace, axis, markers
from pages.settings.number_text import digits, percentage, share
from qcore.scoring import RATE_ESTIMATIONS
from qcore.studies.threshold_adjustment import EstimatedRates

_GAP = 0.04
_ROW_HEIGHT = 30
_MARGIN = {"l": 170, "r": 16, "t": 70, "b": 56}
_PANEL_TITLES = {"tpr": "tpr", "fpr": "fpr", "error": "share of errors", "AE": "mean AE of AC"}


def estimated_rates_figure(rates: EstimatedRates, columns: tuple[str, ...], title: str) -> Panels:
    """A panel for each column of the table: a circle for each repeat, a bar at their mean, a line at the pool's own value."""
    names = list(dict.fromkeys(rates.table.estimation))[::-1]
    traces = [trace for i, column in enumerate(columns) for trace in _traces(rates, column, i)]
    wide = _arrangement(rates, columns, names, n_rows=1)
    narrow = _arrangement(rates, columns, names, n_rows=len(columns))
    panels = Panels(figure(traces, title=title, **wide), layout(title=title, **narrow))
    # The names on the left take a third of a narrow screen: the title starts at its edge.
    panels.figure.layout.title.update(xref="container", x=0.01)
    panels.narrow["title"] |= {"xref": "container", "x": 0.01}
    return panels


def _traces(rates: EstimatedRates, column: str, number: int) -> list[Trace]:
    axes: Trace = {"xaxis": f"x{axis_number(number)}", "yaxis": f"y{axis_number(number)}", "showlegend": False}
    digits = ".3f" if column != "AE" else ".4f"
    traces = []
    known = list(RATE_ESTIMATIONS)
    by_ways = set(rates.table.estimation) <= set(known)
    for place, (name, rows) in enumerate(rates.table.groupby("estimation", sort=False)):
        colour = numbered_style(known.index(str(name)) if by_ways else place).colour
        hover = f"<b>{name}</b>: %{{x:{digits}}}<extra></extra>"
        style = {"colour": tinted(colour, 0.35), "size": 9, "hover": hover, **axes}
        dots = markers(f"{name} {column}", rows[column], rows.estimation, **style)
        hover = f"<b>{name}</b>: mean of {len(rows)} %{{x:{digits}}}<extra></extra>"
        edge = {"color": colour, "width": 3}
        mean = markers(
            f"{name} mean {column}",
            [rows[column].mean()],
            [str(name)],
            symbol="line-ns",
            size=20,
            colour=colour,
            edge=edge,
            hover=hover,
            **axes,
        )
        traces += [dots, mean]
    return traces


def _arrangement(rates: EstimatedRates, columns: tuple[str, ...], names: list[str], *, n_rows: int) -> dict[str, Any]:
    """Panels side by side, or one below the other where the screen is narrow."""
    stacked = n_rows > 1
    plot = _ROW_HEIGHT * len(names) * n_rows + 70 * (n_rows - 1)
    arrangement: dict[str, Any] = {"annotations": [], "shapes": [], "margin": _MARGIN}
    arrangement |= {"height": plot + _MARGIN["t"] + _MARGIN["b"], "hovermode": "closest", "dragmode": False}
    width = (1.0 - _GAP * (len(columns) - 1)) / len(columns)
    depth = _ROW_HEIGHT * len(names) / plot
    for i, column in enumerate(columns):
        left = 0.0 if stacked else i * (width + _GAP)
        top = 1.0 - i * (depth + 70 / plot) if stacked else 1.0
        x_domain, y_domain = [left, 1.0 if stacked else left + width], [max(top - depth, 0.0), top]
        key = axis_number(i)
        arrangement[f"xaxis{key}"] = {
            **AXIS,
            **axis(""),
            "domain": x_domain,
            "anchor": f"y{key}",
            "range": _limits(rates, column),
            "nticks": 5,
            "fixedrange": True,
        }
        arrangement[f"yaxis{key}"] = {
            **AXIS,
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names,
            "range": (-0.6, len(names) - 0.4),
            "domain": y_domain,
            "anchor": f"x{key}",
            "showticklabels": stacked or i == 0,
            "ticks": "",
            "fixedrange": True,
        }
        arrangement["annotations"].append(panel_title(_PANEL_TITLES[column], left, top))
        arrangement["shapes"] += _marks(rates, column, key)
    return arrangement


def _limits(rates: EstimatedRates, column: str) -> tuple[float, float]:
    values = pd.concat([rates.table[column], pd.Series([rates.pool[column]])])
    if column == "AE":
        values = pd.concat([values, pd.Series([rates.counting_ae])])
    room = max(0.08 * float(values.max() - values.min()), 0.005)
    return (float(values.min()) - room, float(values.max()) + room)


def _marks(rates: EstimatedRates, column: str, key: str) -> list[dict[str, Any]]:
    """Shapes: a line at the pool's value, a band of two standard errors around a rate, a dotted line at counting's error."""
    own = {"xref": f"x{key}", "yref": f"y{key} domain", "y0": 0, "y1": 1, "layer": "below"}
    value = rates.pool[column]
    marks = [{**own, "type": "line", "x0": value, "x1": value, "line": {"color": NEUTRAL, "width": 2}}]
    if column in ("tpr", "fpr"):
        n = rates.n_pool[0 if column == "tpr" else 1]
        reach = 2.0 * (value * (1.0 - value) / n) ** 0.5
        shade = {"line": {"width": 0}, "fillcolor": tinted(NEUTRAL, 0.15)}
        marks.append({**own, "type": "rect", "x0": value - reach, "x1": value + reach, **shade})
    if column == "AE":
        dots = {"color": NEUTRAL, "width": 2, "dash": "dot"}
        marks.append({**own, "type": "line", "x0": rates.counting_ae, "x1": rates.counting_ae, "line": dots})
    return marks


_WRONG = "resubstitution"
_MUCH_LESS, _HARDLY_APART = 0.75, 0.02
"""A training error below this fraction of the other errors shows overfitting; errors that differ by at most this are alike."""
_MEMORISED = 0.01
_ALIKE, _LEVEL = 1.1, 1.02
"""The largest ratio of two errors that count as alike, and as equal."""


def rates_sentences(rates: EstimatedRates) -> list[str]:
    """Sentences on the pool's rates, on the estimates with which AC errs least and most, and on how far estimates scatter."""
    pool, table = rates.pool, rates.table
    unsorted = table.groupby("estimation", sort=False).AE.mean()
    errors = unsorted.sort_values(kind="stable")
    sentences = [
        f"On the pool the model has a tpr of **{share(pool['tpr'])}** and an fpr of **{share(pool['fpr'])}** (grey lines, "
        f"± two standard errors). With these rates AC would err by {digits(pool['AE'])}; counting without a correction errs "
        f"by {digits(rates.counting_ae)} (dotted)."
    ]
    # Of the ways whose errors count as equal, the first is named: averages over folds differ in the last digits.
    best, worst = str((unsorted <= _LEVEL * errors.iloc[0]).idxmax()), str(errors.index[-1])
    if errors.iloc[-1] <= _ALIKE * errors.iloc[0]:
        sentences.append(f"Here it hardly matters how the rates are estimated: AC errs by {digits(errors.iloc[0])} with each.")
    else:
        more = " That is more than without a correction." if errors.iloc[-1] > rates.counting_ae else ""
        sentences.append(
            f"AC errs least with the rates of **{best}** ({digits(unsorted[best])}), most with those of **{worst}** "
            f"({digits(errors.iloc[-1])}).{more}"
        )
    scatter = table.groupby("estimation", sort=False)[["tpr", "fpr"]].std().max(axis=1).dropna().sort_values(kind="stable")
    if len(scatter) > 1 and scatter.iloc[-1] > 0.005:
        sentences.append(
            f"From repeat to repeat the rates of **{scatter.index[-1]}** scatter most: a rate moves by "
            f"{digits(scatter.iloc[-1])} (standard deviation)."
        )
    return sentences


def error_estimates_sentence(rates: EstimatedRates) -> str:
    """Whether resubstitution makes the classifier look better than it is; the table must hold this way of estimating."""
    errors = rates.table.groupby("estimation", sort=False).error.mean()
    pool, wrong, folds = rates.pool["error"], float(errors[_WRONG]), float(errors["out of fold"])
    ends = f"out of fold it is {percentage(folds)}, on the pool {percentage(pool)}."
    if abs(rates.error_on_pool - pool) > _HARDLY_APART:
        of_pool = percentage(rates.error_on_pool)
        ends += f" These are errors at the training prevalence; at the pool's own prevalence the error is {of_pool}."
    said = f"On its own training data this classifier errs in {percentage(wrong)}"
    if wrong < _MUCH_LESS * min(pool, folds):
        how = "it has memorised them" if wrong < _MEMORISED else "it fits them better than other data"
        return f"{said}: {how}. {ends[:1].upper()}{ends[1:]}"
    if max(abs(wrong - pool), abs(wrong - folds)) <= _HARDLY_APART:
        return f"{said}, about as on other data: {ends}"
    return f"{said}; {ends}"


def overfitting_sentence(table: pd.DataFrame, complexity: str) -> str:
    """Which model is best on the pool, which one cross-validation would choose, and what the most complex one does."""
    errors = table.pivot_table(index="value", columns="part", values="error", sort=False)
    by_pool, by_folds = int(errors["pool"].argmin()), int(errors["out of fold"].argmin())
    least, chosen = (float(errors["pool"].iloc[index]) for index in (by_pool, by_folds))
    values, last = errors.index.tolist(), errors.iloc[-1]
    if by_pool == by_folds:
        best = f"Best on the pool is **{values[by_pool]}** ({least:.1%}), which cross-validation chooses, too."
    else:
        best = (
            f"Best on the pool is **{values[by_pool]}** ({least:.1%}); cross-validation chooses {values[by_folds]}, which "
            f"errs in {chosen:.1%}."
        )
    return (
        f"The most complex (**{complexity}: {values[-1]}**) errs in {percentage(float(last['training']))} of its training "
        f"data and {percentage(float(last['pool']))} of the pool. {best}"
    )


def rate_estimation_list(keys: Sequence[str]) -> None:
    """Draw one popover with name, idea and source of each way of estimating rates."""
    with st.popover("What are these?"):
        st.markdown(
            "\n".join(
                f"- **{key}**: {RATE_ESTIMATIONS[key].idea} :small[Source: {RATE_ESTIMATIONS[key].source}.]" for key in keys
            )
        )
