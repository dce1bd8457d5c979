"""Which shift it is, as words and a small table: the verdict, what to do next, and each test with what it would see."""

from typing import Final

import streamlit as st

from pages.charts.small_table import P_VALUE, Column, small_table
from qcore.intervals import ShiftVerdict

_COLUMNS: Final = (
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
