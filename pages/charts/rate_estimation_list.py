"""A popover that explains each way of estimating rates."""

from collections.abc import Sequence

import streamlit as st

from qcore.scoring import RATE_ESTIMATIONS


def rate_estimation_list(keys: Sequence[str]) -> None:
    """Draw one popover with name, idea and source of each way of estimating rates."""
    with st.popover("What are these?"):
        st.markdown(
            "\n".join(
                f"- **{key}**: {RATE_ESTIMATIONS[key].idea} :small[Source: {RATE_ESTIMATIONS[key].source}.]" for key in keys
            )
        )
