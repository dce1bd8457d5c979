"""The controls of what is measured, on how many instances."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts import controls
from pages.parts.layout import narrow_row
from pages.parts.space.words import MEASURES, in_short, measures_in_short
from qcore import InvalidInput
from qcore.qmeasure import LARGEST_BETA, typed_beta
from qcore.search_space import BETAS, MOST_INSTANCES
from qcore.table_measures import TABLE_MEASURES, Measured, Q

_LAST_BETA = "last beta"


@dataclass(frozen=True)
class Asked:
    """A measure, its beta, and the numbers of positives and negatives."""

    key: str
    beta: float
    cperf: str
    qperf: str
    positives: int
    negatives: int

    @property
    def follows_beta(self) -> bool:
        """Whether the measure depends on beta."""
        return self.key in (Q, "F_beta")

    def measured(self, beta: float | None = None) -> Measured:
        """The measure, at another beta if one is given."""
        if not self.follows_beta:
            return Measured(self.key, 1.0)
        return Measured(self.key, self.beta if beta is None else beta, self.cperf, self.qperf)

    def betas(self) -> list[float]:
        """Where the slider stops, what is typed among it."""
        return sorted({*BETAS, self.beta}) if self.follows_beta else [1.0]


def measure_controls() -> Asked:
    """Draw the controls and return what they say; of a beta that is none the last one that was."""
    left, middle, right = narrow_row("measure", 3)
    with left:
        key = controls.choice("measure", "Measure", MEASURES, help=f"What is drawn.\n\n{measures_in_short()}")
        typed = st.text_input(
            "beta, typed", "2", key="beta", bind="query-params", max_chars=12, disabled=key not in (Q, "F_beta"),
            help=f"0 to {LARGEST_BETA:g}, or inf. Q_beta: 0 is cperf alone, inf qperf alone. F_beta: 0 precision, inf recall.",
        )  # fmt: skip
    with middle:
        cperf, qperf = (
            controls.choice(part, f"{part} of Q_beta", list(TABLE_MEASURES), disabled=key != Q, help=told)
            for part, told in (
                ("cperf", "Classification performance: how well the single instances are told apart."),
                ("qperf", "Quantification performance: how well they are counted."),
            )
        )
    with right:
        most = f"1 to {MOST_INSTANCES:,}."
        positives = controls.number("n_pos", "Positives, P", 1, MOST_INSTANCES, 10, help=most)
        negatives = controls.number("n_neg", "Negatives, N", 1, MOST_INSTANCES, 10, help=most)
    st.caption(in_short(key, cperf, qperf))
    return Asked(key, _usable(typed), cperf, qperf, positives, negatives)


def _usable(typed: str) -> float:
    """The beta that is typed; of one that is none, which is said, the last that was."""
    try:
        st.session_state[_LAST_BETA] = typed_beta(typed)
    except InvalidInput as refused:
        controls.show_refusal(refused)
    return float(st.session_state.get(_LAST_BETA, 2.0))
