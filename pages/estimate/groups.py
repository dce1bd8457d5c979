"""The share by group, such as each month or team: the choice of columns, which groups differ and by how much, the pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype as is_numeric

from pages.charts.chart import chart
from pages.charts.figure import NEUTRAL, SERIES, Figure, as_written, figure, without_tags
from pages.charts.panels import Panels, wide_and_narrow
from pages.charts.small_table import P_VALUE, SHARE, Column, small_table
from pages.charts.traces import axis, markers
from pages.estimate.settings import NO_GROUPS, NO_WEIGHTS, ONE_PICTURE, SETTINGS
from pages.frame.layout import wide_row
from pages.frame.page_frame import PageParts, headline
from pages.frame.share import download_buttons, interactive_file_button
from pages.frame.texts import draw_sentences, texts_of
from pages.settings import control
from pages.settings.control import escaped
from pages.settings.number_text import counted, listed, percentages
from qcore.datasets.preparation import n_values
from qcore.datasets.time_order import are_in_time
from qcore.intervals import Differences
from qcore.intervals.difference import BY_FORMULA, OTHERS
from qcore.intervals.few_labels import FEWEST_INSTANCES

TEXTS = texts_of("estimate")
_MOST_GROUPS = 60
_MOST_PANELS = 12
_MOST_SENTENCES = 6
_MARGIN_OF_PANELS = {"l": 68, "r": 16, "t": 70, "b": 110}
_DIFFERENCES = (
    Column("group", "Group"),
    Column("size", "Instances", ",d"),
    Column("share", "Share", SHARE),
    Column("share_low", "From", SHARE),
    Column("share_high", "To", SHARE),
    Column(
        "difference",
        "Points more",
        "+.1f",
        "Percentage points above the group that it is compared with; below with a minus.",
    ),
    Column("low", "From", "+.1f"),
    Column("high", "To", "+.1f"),
    Column("p_adjusted", "p", P_VALUE, "Of “no difference”, adjusted by Holm for several comparisons."),
)


@dataclass(frozen=True)
class GroupsRequest:
    """The choices: the column of groups, which one others are compared with, and the column of small multiples, or ONE_PICTURE.

    `names` are the groups, in their order; `in_time` says whether that is one of time, or of numbers.
    """

    column: str
    against: str
    panels: str
    names: tuple[str, ...]
    in_time: bool
    method: str = BY_FORMULA


def columns_of_weights(frame: pd.DataFrame, features: Sequence[str]) -> list[str]:
    """The columns of numbers that may be weights: those that are not features of the classifier."""
    return [
        str(name)
        for name in frame.columns
        if str(name) not in features and is_numeric(frame[name]) and (frame[name] >= 0).all() and n_values(frame[name]) > 1
    ]


def weights_control(columns: Sequence[str]) -> str:
    """Draw the choice of weights among these columns; returns the column, empty for none."""
    if not columns:
        return ""
    chosen = control.choice_among(SETTINGS["weights"], [NO_WEIGHTS, *columns], NO_WEIGHTS, width=160)
    return "" if chosen == NO_WEIGHTS else chosen


def columns_of_groups(frame: pd.DataFrame, features: Sequence[str] = ()) -> list[str]:
    """The columns that may tell groups apart; those that are not features of the classifier come first."""
    columns = [str(name) for name in frame.columns if 1 < n_values(frame[name]) <= _MOST_GROUPS]
    return sorted(columns, key=lambda name: name in set(features))


def group_controls(
    frame: pd.DataFrame,
    columns: Sequence[str],
    groups_of: Callable[[str], pd.Series],
    *,
    panels: bool = True,
    methods: Sequence[str] = (),
) -> GroupsRequest | None:
    """Draw the choice of groups among these columns of a table; returns the choices, None for one share of all.

    `groups_of` : the groups of a column, as `groups_in_time` gives them. `panels` : whether small multiples are offered.
    `methods` : quantifiers that are offered beside AC.
    """
    if not columns:
        return None
    column = control.choice_among(SETTINGS["by"], [NO_GROUPS, *columns], NO_GROUPS, width=200)
    if column == NO_GROUPS:
        return None
    groups = groups_of(column)
    names = tuple(str(name) for name in groups.groupby(groups, observed=True).groups)
    against = control.choice_among(SETTINGS["against"], [*names, OTHERS], names[0], width=200)
    others = [name for name in columns if name != column and n_values(frame[name]) <= _MOST_PANELS] if panels else []
    each = control.choice_among(SETTINGS["panels"], [ONE_PICTURE, *others], ONE_PICTURE, width=200) if others else ONE_PICTURE
    offered = [BY_FORMULA, *(name for name in methods if name != BY_FORMULA)]
    method = control.choice_among(SETTINGS["groups_method"], offered, BY_FORMULA, width=120) if methods else BY_FORMULA
    return GroupsRequest(column, against, each, names, are_in_time(frame[column], groups), method)


def in_order(found: Mapping[str, Differences], request: GroupsRequest) -> dict[str, Differences]:
    """The differences, whose sentences say that a share rises or falls where groups follow each other."""
    return {panel: replace(one, in_time=request.in_time) for panel, one in found.items()}


def groups_answer(
    found: Mapping[str, Differences],
    request: GroupsRequest,
    parts: PageParts,
    *,
    share: str,
    of: str,
    notes: Sequence[str] = (),
    begins: str = "",
    about: str = TEXTS["groups"],
    offers: bool = True,
) -> None:
    """Draw the headline, the pictures, the table of all differences, and what can be downloaded beside it.

    Parameters
    ----------
    found : panel -> differences; a single one, whose name is empty, without small multiples.
    share : what the sentences are about, such as "The share of refund".
    of : the second line of the pictures: what was counted, and how.
    notes : what else there is to say, in Markdown.
    begins : what the headline begins with, such as that numbers are an example's.
    about : how differences are known.
    offers : whether there is something to download.
    """
    finding = groups_headline(found, request, share)
    with parts.headline:
        headline(escaped(begins + finding))
    with parts.hero:
        if request.panels == ONE_PICTURE:
            (result,) = found.values()
            left, right = wide_row("groups", [1, 1], align="top")
            with left:
                title = f"{share} by {request.column}"
                chart(shares_figure(result, request.names, title, of), key="groups", alt=f"{title}, with intervals.")
            with right:
                chart(
                    differences_figure(result.table, result.against),
                    key="differences",
                    alt=f"By how many points each group differs from {result.against}, with intervals.",
                )
        else:
            title = f"{share} by {request.column}"
            chart(panels_figure(found, request.names, title, of), key="groups", alt=f"{title}, with intervals.")
    table = differences_table(found)
    with parts.notes:
        # What is the headline is not said again.
        sentences = [escaped(one) for one in differences_sentences(found, share) if one != finding]
        draw_sentences([*notes, *sentences], shown=max(2, len(notes)))
        st.caption(about)
        small = table[table["size"] < FEWEST_INSTANCES]
        if len(small):
            names = listed([escaped(name) for name in small.group], most=10, first=9)
            st.caption(f"Fewer than {FEWEST_INSTANCES} instances: {names}. Little is known of them.")
        shown = table.assign(**{name: 100.0 * table[name] for name in ("difference", "low", "high")})
        columns = _DIFFERENCES if request.panels == ONE_PICTURE else (Column("panel", "For"), *_DIFFERENCES)
        small_table(shown, columns, label="Shares and differences of groups")
    if not offers:
        return
    parts.downloads.csv("Groups as CSV", lambda: table, "shares-and-differences-by-group")
    with parts.notes, st.container(horizontal=True, gap="small"):
        download_buttons(parts.downloads, "below the picture")
        interactive_file_button("below the picture")


def differences_table(found: Mapping[str, Differences]) -> pd.DataFrame:
    """A row for each group of each panel; the group that others are compared with has no difference."""
    rows = [
        one.groups.merge(one.table.drop(columns=["size", "share", "share_low", "share_high"]), on="group", how="left").assign(
            panel=panel
        )
        for panel, one in found.items()
    ]
    table = pd.concat(rows, ignore_index=True)
    return table[["panel", *table.columns.drop("panel")]] if len(found) > 1 else table.drop(columns="panel")


def groups_headline(found: Mapping[str, Differences], request: GroupsRequest, share: str) -> str:
    """Which groups differ: the one that does, the one that differs most of several, or that none does."""
    moved = [(panel, row) for panel, one in found.items() for row in one.table[one.table.differs].to_dict("records")]
    if not all(one.tells for one in found.values()) or (not moved and len(found) == 1):
        return next(iter(found.values())).sentences(share)[0]
    n_compared = sum(len(one.table) for one in found.values())
    if not moved:
        return f"No group differs clearly from {request.against} in any {request.panels}: none of {n_compared} does."
    panel, most = max(moved, key=lambda pair: abs(pair[1]["difference"]))
    one = found[panel]
    only = replace(one, table=one.table[one.table.group == most["group"]])
    (sentence,) = only.sentences(share)
    where = f"{panel}: " if len(found) > 1 else ""
    if len(moved) == 1:
        return f"{where}{sentence}"
    return f"{len(moved)} of {n_compared} groups differ from {request.against}. {where}{sentence}"


def differences_sentences(found: Mapping[str, Differences], share: str) -> list[str]:
    """Which groups differ and by how much, panel by panel, and whether all are alike."""
    most = [
        f"{panel}: {sentence}" if len(found) > 1 else sentence
        for panel, one in found.items()
        for sentence in one.sentences(share)
    ]
    shown = most[:_MOST_SENTENCES]
    if len(most) > len(shown):
        shown.append(f"And {len(most) - len(shown)} more, in the table.")
    if len(found) == 1:
        (one,) = found.values()
        if len(one.table) > 1:
            alike = "differ" if one.all_alike <= 1.0 - one.level else "do not clearly differ"
            shown.append(f"Over all groups together, they {alike} (p-value {one.all_alike:.3g}).")
    return shown


def _marks(rows: pd.DataFrame, name: str, colour: str, *, legend: bool = True) -> dict[str, object]:
    """Shares with their intervals: columns group, share, share_low, share_high."""
    return markers(
        name,
        rows.group,
        rows.share,
        colour=colour,
        size=10,
        hover="%{x}: %{customdata}",
        customdata=[
            f"{share} ({low} to {high})"
            for share, low, high in (
                percentages(*one) for one in rows[["share", "share_low", "share_high"]].to_numpy().tolist()
            )
        ],
        error_y=_interval(rows.share, rows.share_low, rows.share_high),
        legendgroup=name,
        showlegend=legend,
    )


def _interval(middle: pd.Series, low: pd.Series, high: pd.Series) -> dict[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": (high - middle).clip(lower=0).tolist(),
        "arrayminus": (middle - low).clip(lower=0).tolist(),
        "thickness": 4,
        "width": 0,
    }


def _parts(result: Differences) -> list[tuple[str, str, pd.DataFrame]]:
    """(name, colour, rows) of the groups that differ, of those that do not, and of the one that they are compared with."""
    shares, differs = result.groups, set(result.table.group[result.table.differs])
    kinds = np.where(shares.group.isin(differs), 1, np.where(shares.group == result.against, 2, 0))
    names = (("no clear difference", NEUTRAL), ("differs", SERIES[1]), (f"compared with: {result.against}", SERIES[0]))
    return [(name, colour, shares[kinds == kind]) for kind, (name, colour) in enumerate(names) if (kinds == kind).any()]


def _axes(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {
        "xaxis": {**axis("", type="category"), "categoryorder": "array", "categoryarray": list(names)},
        "yaxis": axis("share", tickformat=".0%", rangemode="tozero"),
    }


def shares_figure(result: Differences, names: Sequence[str], title: str, of: str) -> Figure:
    """The share of each group with its interval, in their order; those that differ in colour."""
    marks = [_marks(rows, name, colour) for name, colour, rows in _parts(result)]
    return figure(marks, title=as_written(title), subtitle=without_tags(of), height=400, hovermode="closest", **_axes(names))


def panels_figure(found: Mapping[str, Differences], names: Sequence[str], title: str, of: str) -> Panels:
    """The share of each group with its interval, a panel for each entry."""
    seen: set[str] = set()
    panels: dict[str, list[dict[str, object]]] = {}
    for panel, one in found.items():
        panels[panel] = [_marks(rows, name, colour, legend=name not in seen) for name, colour, rows in _parts(one)]
        seen |= {name for name, *_ in _parts(one)}
    axes = _axes(names)
    return wide_and_narrow(
        panels,
        title=as_written(title),
        xaxis=axes["xaxis"],
        yaxis=axes["yaxis"],
        margin=_MARGIN_OF_PANELS,
        more=lambda _: {"subtitle": without_tags(of)},
    )


def differences_figure(table: pd.DataFrame, against: str) -> Figure:
    """The difference of each group with its interval; the table of `Differences`."""
    marks = [
        markers(
            name,
            rows.group,
            100.0 * rows.difference,
            colour=colour,
            size=10,
            hover="%{x}: %{y:+.1f} points",
            error_y=_interval(100.0 * rows.difference, 100.0 * rows.low, 100.0 * rows.high),
        )
        for name, colour, rows in (
            ("no clear difference", NEUTRAL, table[~table.differs]),
            ("differs", SERIES[1], table[table.differs]),
        )
        if len(rows)
    ]
    return figure(
        marks,
        title=f"Difference from {as_written(against)}, in points",
        height=400,
        hovermode="closest",
        xaxis={**axis("", type="category"), "categoryorder": "array", "categoryarray": table.group.tolist()},
        yaxis={**axis("points"), "zeroline": True, "rangemode": "tozero"},
    )


def notes_on_groups(column: str, groups: pd.Series, features: Sequence[str]) -> list[str]:
    """What is remarkable about a column of groups: it is a feature of the classifier, or has gaps. In Markdown."""
    notes = []
    if column in features:
        notes.append(
            f"**{escaped(column)} is a feature of the classifier**: in its groups tpr and fpr are not those measured, so that "
            "neither the estimates nor their intervals hold."
        )
    if n_without := int(groups.isna().sum()):
        notes.append(f"{counted(n_without, 'row')} without a value of {escaped(column)}: in no group.")
    return notes
