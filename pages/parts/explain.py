"""What a person can ask of a page: what a loss is, what a quantifier does, where both come from."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from qcore.losses import LOSSES, PROPERTIES, Loss
from qcore.quantifiers import QUANTIFIERS


def loss_popover(loss: Loss) -> None:
    """One click away: the loss's formula, properties and source, then the other losses."""
    with st.popover(f"What is {loss.key}?"):
        _loss(loss)
        st.divider()
        st.markdown("**The others**")
        for other in LOSSES.values():
            if other != loss:
                _loss(other)


def _loss(loss: Loss) -> None:
    st.markdown(f"**{loss.name} ({loss.key}).** {loss.idea}")
    st.latex(loss.formula)
    held = [name for name in PROPERTIES if name in loss.properties]
    st.markdown("\n".join(f"- {name}: {PROPERTIES[name]}" for name in held) or "- none of the properties MAX, IMP, REL, ABS")
    st.caption(f"Source: {loss.source}. Properties: Marufo 2023, section 4.1.")


def quantifier_expander(methods: Sequence[str]) -> None:
    """The formula and source of each chosen quantifier."""
    with st.expander("How these quantifiers work"):
        st.markdown(
            "A classifier gives each instance a score $s_i$ in [0, 1]; a sample has $m$ of them. $tpr(t)$ and $fpr(t)$ are the "
            "shares of the training positives and negatives with a score of at least $t$, out of fold; without $t$, at 0.5. "
            "All estimates are clipped to [0, 1]."
        )
        for method in methods:
            entry = QUANTIFIERS[method]
            title = entry.name if entry.name == method else f"{method}: {entry.name}"
            st.markdown(f"**{title}** {entry.idea}.")
            st.latex(entry.formula)
            st.caption(f"Source: {entry.source}")
