"""The section "Run your own" of "Compare": an experiment in the background of the session."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts import cached, controls
from pages.parts.compare.texts import TEXTS
from pages.parts.layout import narrow_row
from pages.parts.settings.shared import SHOWN_FIRST
from pages.parts.small_table import Column, small_table
from qcore import CLASSIFIERS, DATASETS, QUANTIFIERS, InvalidInput
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
from qcore.evaluation.experiment.runner import Progress, RunSummary
from qcore.evaluation.significance import compare

_RUN: Final = "own experiment"
_MOST_METHODS, _MOST_CLASSIFIERS = 8, 2
_COLUMNS: Final = (Column("method", "Method"), Column("rank", "Mean rank", ".2f"), Column("loss", "Mean AE", ".4f"))


class _Stopped(Exception):
    """Raised in the run's thread when the person has stopped it."""


@dataclass
class OwnRun:
    """An experiment that runs in a thread of its own."""

    settings: ExperimentSettings
    folder: Path
    progress: Progress | None = None
    summary: RunSummary | None = None
    problem: str = ""
    stopped: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Run it beside the session."""
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        try:
            self.summary = run_experiment(self.settings, self.folder, n_jobs=1, on_progress=self._seen)
        except _Stopped:
            self.problem = "Stopped. What was finished is kept: start it again to go on."
        except InvalidInput as error:
            self.problem = str(error)

    def _seen(self, progress: Progress) -> None:
        self.progress = progress
        if self.stopped.is_set():
            raise _Stopped

    @property
    def is_running(self) -> bool:
        """Whether its thread is at work."""
        return self.thread is not None and self.thread.is_alive()


def own_run_section() -> None:
    """What to run, and how far it is."""
    st.markdown(TEXTS["own"])
    run: OwnRun | None = st.session_state.get(_RUN)
    if run is None or not run.is_running:
        _form(run)
    if run is not None:
        _progress(run)


def _form(before: OwnRun | None) -> None:
    left, right = narrow_row("own run", 2)
    with left:
        data = st.multiselect("Data sets", list(DATASETS), ["wdbc", "iris", "wine", "balance"], key="own data sets")
        folds = int(controls.slider("own_folds", "Folds", 2, 10, 1))
    with right:
        classifiers = st.multiselect(
            "Classifiers", list(CLASSIFIERS), ["logistic regression"], key="own classifiers", max_selections=_MOST_CLASSIFIERS
        )
        methods = st.multiselect(
            "Quantifiers", list(QUANTIFIERS), [*SHOWN_FIRST, "MS"], key="own quantifiers", max_selections=_MOST_METHODS
        )
    st.caption("Each data set with its rarest class as the positive one.")
    if st.button("Run it", key="run_own", type="primary", disabled=not (data and classifiers and methods)):
        pairs = tuple(Pair(classifier, method) for classifier in classifiers for method in methods)
        settings = ExperimentSettings("own", tuple(Problem(name) for name in data), pairs, Sampling(folds=folds))
        if before is not None and before.settings == settings and not before.summary:
            run = OwnRun(settings, before.folder)
        else:
            run = OwnRun(settings, Path(tempfile.mkdtemp(prefix="quantification-lab-")) / "run")
        st.session_state[_RUN] = run
        run.start()
        st.rerun(scope="fragment")


def _progress(run: OwnRun) -> None:
    @st.fragment(run_every=1.0 if run.is_running else None)
    def shown() -> None:
        if run.is_running:
            seen = run.progress
            share = 0.0 if seen is None else seen.done / seen.total
            left = "" if seen is None or seen.seconds_left is None else f", {seen.seconds_left:.0f} s left"
            done = "starting" if seen is None else f"{seen.done} of {seen.total} cells{left}"
            st.progress(share, f"Running in the background: {done}")
            if st.button("Stop", key="stop_own"):
                run.stopped.set()
            return
        if st.session_state.get("own run seen running", False):
            st.session_state["own run seen running"] = False
            st.rerun()
        _result(run)

    if run.is_running:
        st.session_state["own run seen running"] = True
    shown()


def _result(run: OwnRun) -> None:
    """What came of it."""
    if run.problem:
        st.info(run.problem)
    if run.summary is None:
        return
    for cell, reason in run.summary.failures.items():
        st.warning(controls.escaped(f"{cell}: {reason}"))
    try:
        losses = cached.experiment_losses(run.folder, "AE", "additive")
        found = compare(losses)
    except InvalidInput as error:
        controls.show_invalid_input(error)
        return
    ranks = found.mean_ranks.rename("rank").rename_axis("method").reset_index()
    means = losses.groupby("method")["loss"].mean()
    table = ranks.assign(loss=ranks.method.map(means))
    st.markdown(
        f"- Two methods differ at 5% by {found.nemenyi_distance():.2f} ranks on {found.n_sets} data sets; all alike: p = "
        f"{found.iman_davenport.p_value:.3f}."
    )
    small_table(table, _COLUMNS, label="Mean ranks of your experiment")
    st.download_button(
        "Settings as TOML", run.settings.to_toml(), "experiment.toml", key="download own settings", on_click="ignore"
    )
