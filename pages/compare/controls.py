"""The controls of the page "Compare": the run, the loss, the test, and the data set and prevalence that limit them."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.compare import computations
from pages.compare.run_folders import choose_ended_run, folders
from pages.compare.settings import ALL, NO_CONTROL, PREVALENCES, SETTINGS, STORED
from pages.settings import control
from pages.settings.current import current
from pages.settings.shared import SMOOTHING_NAMES
from qcore import LOSSES
from qcore.evaluation.experiment import ExperimentSettings
from qcore.losses import Smoothing

_TIE, _NEAR = 1e-6, 1e-9


@dataclass(frozen=True)
class ComparisonRequest:
    """The choices of the controls, and the losses that they select.

    `ranking` holds the losses that methods are ranked by; `size` is that of the samples, 0 for all sizes.
    """

    run: str
    folder: Path
    settings: ExperimentSettings
    losses: pd.DataFrame
    ranking: pd.DataFrame
    loss: str
    smoothing: Smoothing
    alpha: float
    control: str
    data: str
    prevalence: str
    size: int

    @property
    def methods(self) -> list[str]:
        """The methods that were compared."""
        return list(dict.fromkeys(self.losses.method))

    @cached_property
    def best_first(self) -> list[str]:
        """The methods in order of their mean loss over all rows, lowest first."""
        return self.losses.groupby("method", sort=False)["loss"].mean().sort_values().index.astype(str).tolist()

    @property
    def by_size(self) -> bool:
        """Whether methods are ranked at each of several sample sizes."""
        return self.settings.sampling.has_several_sizes

    @property
    def ranked(self) -> pd.DataFrame:
        """The losses that the diagram ranks: all, or only those at the chosen prevalence."""
        if self.prevalence == ALL:
            return self.ranking
        return self._at(self.ranking) if self.by_size else self.at_prevalence

    def _at(self, table: pd.DataFrame) -> pd.DataFrame:
        return table[(table.prevalence - float(self.prevalence)).abs() < _NEAR]

    @property
    def at_prevalence(self) -> pd.DataFrame:
        """The losses of all data sets at the chosen prevalence, or at all prevalences."""
        if self.prevalence == ALL:
            return self.losses
        return self._at(self.losses)

    @property
    def chosen(self) -> pd.DataFrame:
        """The losses of the chosen data set and prevalence."""
        rows = self.at_prevalence
        return rows if self.data == ALL else rows[rows["data"] == self.data]


def _chosen_methods(known: list[str]) -> list[str]:
    """The methods to compare: all methods of the run, or some; with fewer, the critical difference is smaller."""
    setting = SETTINGS["compared_methods"]
    asked = current(setting)
    n_chosen = len(set(asked) & set(known)) if isinstance(asked, list) else 0
    with st.popover(f"Methods: {n_chosen or len(known)} of {len(known)}", key="methods_menu"):
        chosen = control.several_among(setting, known, placeholder="all of the run")
        st.caption("Choose the methods before you look at results: leaving out losers afterwards makes any test worthless.")
    return chosen or known


def _chosen_size(settings: ExperimentSettings) -> int:
    """The sample size to which the comparison is limited, 0 for all; a control only where the run has several sizes."""
    if not settings.sampling.has_several_sizes:
        if asked := st.query_params.get_all("compared_size"):
            control.note(f"The link's sample size, {control.quoted(asked)}, is not here: the run has one size.")
            del st.query_params["compared_size"]
        return 0
    with st.container(width=80):
        chosen = control.choice_among(SETTINGS["compared_size"], [ALL, *map(str, settings.sampling.sizes)], ALL)
    return 0 if chosen == ALL else int(chosen)


def _smoothing_menu(loss: str) -> None:
    """Draw the control of how prevalences of 0 are smoothed, for a loss that needs smoothing."""
    if LOSSES[loss].smoothed:
        with st.popover("Smoothing", key="compared_smoothing"):
            st.caption("A ratio or a logarithm needs shares above 0: half an instance more for each class (additive), or an "
                       "estimate of 0 or 1 moved by half an instance (Forman's half a count, as in the thesis).")  # fmt: skip
            control.segments(SETTINGS["smoothing"])


def controls() -> ComparisonRequest:
    """Draw the controls and return their choices. Raises InvalidInput for a run that cannot be read."""
    choose_ended_run()
    known = folders()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=160):
            run = control.choice_among(SETTINGS["run"], list(known), STORED)
        with st.container(width=86):
            loss = str(control.choice(SETTINGS["compared_loss"]))
        with st.container(width=84):
            alpha = float(control.choice(SETTINGS["test_level"]))
        smoothing = SMOOTHING_NAMES[str(current(SETTINGS["smoothing"]))]
        settings, _ = computations.experiment(known[run])
        size = _chosen_size(settings)
        losses = computations.experiment_losses(known[run], loss, smoothing, size=size)
        ranking = computations.ranking_losses(known[run], loss, smoothing, size)
        chosen = _chosen_methods(list(dict.fromkeys(losses.method)))
        losses, ranking = (table[table.method.isin(chosen)] for table in (losses, ranking))
        methods, data_sets = list(dict.fromkeys(losses.method)), list(dict.fromkeys(losses["data"]))
        with st.container(width=138):
            pivot = control.choice_among(SETTINGS["control"], [NO_CONTROL, *methods], NO_CONTROL)
        with st.container(width=122):
            data = control.choice_among(SETTINGS["compared_data"], [ALL, *data_sets], ALL)
        there = {f"{value:.1f}" for value in losses.prevalence if abs(10 * value - round(10 * value)) < _TIE}
        with st.container(width=88):
            options = [ALL, *(word for word in PREVALENCES if word in there)]
            prevalence = control.choice_among(SETTINGS["compared_prevalence"], options, ALL)
        _smoothing_menu(loss)
    return ComparisonRequest(
        run,
        known[run],
        settings,
        losses,
        ranking,
        loss,
        smoothing,
        alpha,
        "" if pivot == NO_CONTROL else pivot,
        data,
        prevalence,
        size,
    )
