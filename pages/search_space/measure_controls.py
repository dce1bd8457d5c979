"""The controls of the measure and of the numbers of positives and negatives."""

from dataclasses import dataclass

import streamlit as st

from pages.search_space.measures_in_short import in_short, measures_in_short
from pages.search_space.settings import MEASURE, SETTINGS
from pages.settings import control
from pages.settings.current import current
from pages.settings.typed_text import typed_beta
from pages.work.refusals import show_invalid_input
from qcore import InvalidInput, ParametricMeasure
from qcore.measures.catalog import Q_BETA
from qcore.studies.search_space import BETAS

_LAST_BETA = "last beta"


@dataclass(frozen=True)
class MeasureRequest:
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
        return self.key in (Q_BETA, "F_beta")

    def measure(self, beta: float | None = None) -> ParametricMeasure:
        """The measure with the chosen beta, or with `beta` if it is given."""
        if not self.follows_beta:
            return ParametricMeasure(self.key, 1.0)
        return ParametricMeasure(self.key, self.beta if beta is None else beta, self.cperf, self.qperf)

    def betas(self) -> list[float]:
        """The steps of the slider, with the typed beta among them."""
        return sorted({*BETAS, self.beta}) if self.follows_beta else [1.0]


def measure_popover() -> MeasureRequest:
    """Draw the controls in a popover named after their values; an unusable beta is replaced by the last usable one."""
    measure, n_pos, n_neg = (str(current(MEASURE[key])) for key in ("measure", "n_pos", "n_neg"))
    with st.popover(f"{measure}, P = {int(n_pos):,}, N = {int(n_neg):,}", key="measure_controls"):
        return _measure_controls()


def _measure_controls() -> MeasureRequest:
    key = control.choice(SETTINGS["measure"], help=f"What is drawn.\n\n{measures_in_short()}")
    typed = control.typed_text(MEASURE["beta"], max_chars=12, disabled=key not in (Q_BETA, "F_beta"))
    cperf, qperf = (control.choice(MEASURE[part], disabled=key != Q_BETA) for part in ("cperf", "qperf"))
    positives, negatives = control.number(MEASURE["n_pos"]), control.number(MEASURE["n_neg"])
    st.caption(in_short(key, cperf, qperf))
    return MeasureRequest(key, _usable_beta(typed), cperf, qperf, positives, negatives)


def _usable_beta(typed: str) -> float:
    """The typed beta; if it is unusable, which a notice says, the last usable one."""
    try:
        st.session_state[_LAST_BETA] = typed_beta(typed)
    except InvalidInput as error:
        show_invalid_input(error)
    return float(st.session_state.get(_LAST_BETA, 2.0))
