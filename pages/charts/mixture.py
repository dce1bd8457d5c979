"""Whether a mixture of both classes explains a sample: the figure and the verdict."""

import pandas as pd
import streamlit as st

from pages.charts.figure import NEGATIVES, POSITIVES, Figure, figure, tinted
from pages.charts.small_table import P_VALUE, Column, small_table
from pages.charts.traces import UNIT, axis, bars, histogram_line
from qcore.intervals import ShiftVerdict

_HEIGHT = 420


def stacked_mixture_figure(table: pd.DataFrame, title: str, height: int = _HEIGHT) -> Figure:
    """A mixture, its two parts stacked, under the sample's histogram: columns lower, upper, positives, negatives, sample."""
    middles = (table.lower + table.upper) / 2
    parts = [
        # Pale, so that the sample's line is seen, with an outline that has contrast with the page.
        bars(f"{name} in the mixture", middles, table[name], colour="", hover="%{y:.1%}")
        | {"marker": {"color": tinted(colour, fill), "line": {"color": colour, "width": 1}}}
        for name, colour, fill in (("negatives", NEGATIVES, 0.35), ("positives", POSITIVES, 0.75))
    ]
    return figure(
        [*parts, histogram_line("this sample", [0.0, *table.upper.tolist()], table["sample"].tolist())],
        title=title,
        height=height,
        barmode="stack",
        bargap=0,
        xaxis=axis("score", UNIT),
        yaxis=axis("share of the sample", tickformat=".0%", rangemode="tozero"),
    )


_COLUMNS = (
    Column("question", "Question"),
    Column("answer", "Seen"),
    Column("p_value", "p", P_VALUE, "How often chance alone gives such a difference."),
    Column("would_see", "Would see in 4 of 5 such samples", help="The smallest change that this test sees at this size."),
)


def shift_verdict(result: ShiftVerdict, *, folded: bool = False) -> None:
    """Draw the verdict and the table of its tests; if `folded`, the table opens on a click."""
    st.markdown(f"**{result.verdict.capitalize()}.** {result.next_step}")
    table = result.table.assign(answer=["yes" if seen else "no" for seen in result.table.seen])
    with st.expander(f"The {len(table)} tests as a table") if folded else st.container():
        small_table(table, _COLUMNS, label="Tests of which shift it is")
