"""A run of one's own: what is chosen, the work, and what came out."""

from __future__ import annotations

import threading
import time
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.compare import computations
from pages.compare.critical_difference import critical_difference_figure, for_narrow_screens
from pages.compare.findings import tests_sentence
from pages.compare.settings import OWN_NAME, OWN_RUN, SETTINGS
from pages.frame.layout import narrow_row
from pages.frame.texts import document_popover, texts_of
from pages.own_data import uploads
from pages.settings import control
from pages.streamlit_internals import session_id
from pages.work.engines import Work
from pages.work.heavy import duration, jobs
from pages.work.jobs import Job, JobFailed, QueueIsFull
from pages.work.refusals import show_invalid_input
from pages.work.temporary_folders import make_temporary_folder, remove_temporary_folder
from pages.work.turns import fragment, visitor
from qcore import Dataset, InvalidInput
from qcore.evaluation.experiment import ExperimentFolder, ExperimentSettings, Pair, Problem, Sampling
from qcore.evaluation.experiment.cell import cells
from qcore.evaluation.experiment.runner import continue_experiment
from qcore.evaluation.significance import compare

_ENDS_WITHIN = 10.0
_AWAY = 8.0
"""Seconds that a page may be away, as when a connection breaks, before its experiment ends."""

_KEPT = 120.0
"""Seconds that the results of a finished experiment wait for the page to reconnect, as long as Streamlit keeps its state."""

_LOOK_EVERY = 1.0


class OwnRun:
    """An experiment that runs in another process, and ends with the session that started it."""

    def __init__(self, settings: ExperimentSettings, data_sets: Mapping[str, Dataset], folder: Path | None = None) -> None:
        self.settings, self.data_sets = settings, data_sets
        self.folder = folder or make_temporary_folder() / "run"
        self.kept = ExperimentFolder.create(self.folder, settings)
        self.found, self.was_stopped = self.n_finished, False
        # The results are files of this machine; its cells go to the cluster, if one is named.
        work = Work(continue_experiment, (settings, self.folder, data_sets, jobs().dask), is_local=True)
        try:
            self.job = jobs().want(("experiment", str(self.folder)), work, visitor(), None)
        except QueueIsFull:
            # If an earlier run was to be continued, its folder and its finished cells stay with that run.
            if folder is None:
                remove_temporary_folder(self.folder.parent)
            raise
        # When this object is dropped, as when the session has ended, the job is stopped and the folder removed.
        self._wanted = [self.job]
        self.end = weakref.finalize(self, _end, self._wanted, self.folder.parent)
        self.was_left = self.was_chosen = False
        session = session_id()
        if session is not None and st.runtime.exists():
            watch = threading.Thread(target=_end_when_left, args=(weakref.ref(self), session), daemon=True)
            watch.start()

    @property
    def n_cells(self) -> int:
        """Number of all cells."""
        return len(cells(self.settings))

    @property
    def n_finished(self) -> int:
        """Number of cells that are finished or have failed."""
        return self.n_cells - len(self.kept.missing()) + len(self.kept.failed_cells())

    @property
    def is_running(self) -> bool:
        """Whether a process works on the run, or will when its turn comes."""
        return not self.was_stopped and not self.job.wait(0.0)

    @property
    def is_whole(self) -> bool:
        """Whether the run has ended with all of its cells finished."""
        return not self.is_running and not self.kept.missing()

    @property
    def why_it_ended(self) -> str:
        """A sentence on why the run ended before all cells were finished."""
        try:
            self.job.answer()
        except (JobFailed, InvalidInput) as error:
            return str(error).rstrip(".")
        except Exception as error:
            return f"It failed ({type(error).__name__})"
        return "It ended before it was finished"

    def leave(self) -> None:
        """End the work because its page is closed, and remove its results."""
        self.was_left = self.was_stopped = True
        self.end()

    def stop(self) -> None:
        """End the work, and keep the finished cells."""
        self.was_stopped = True
        _let_go(self._wanted)

    def go_on(self) -> OwnRun:
        """Start a new run that continues where this one ended."""
        again = OwnRun(self.settings, self.data_sets, self.folder)
        # The folder now belongs to the new run.
        self.end.detach()
        _let_go(self._wanted)
        return again


def _let_go(wanted: list[Job]) -> None:
    """Note that the job in `wanted` is no longer wanted; a second call does nothing."""
    while wanted:
        jobs().let_go(wanted.pop())


def _end_when_left(run: weakref.ref[OwnRun], session_id: str) -> None:
    """Check every second that the page is still open, and end the run if not: Streamlit keeps closed sessions for minutes."""
    seen = time.monotonic()
    while (there := run()) is not None and st.runtime.exists():
        if st.runtime.get_instance().is_active_session(session_id):
            seen = time.monotonic()
        elif time.monotonic() - seen > (_AWAY if there.is_running else _KEPT):
            there.leave()
            return
        del there
        time.sleep(_LOOK_EVERY)


def _end(wanted: list[Job], folder: Path) -> None:
    """Stop the job, and remove its folder when it has ended; in a thread, so that the caller does not wait."""
    to_end = list(wanted)

    def end() -> None:
        _let_go(wanted)
        for job in to_end:
            job.wait(_ENDS_WITHIN)
        remove_temporary_folder(folder)

    threading.Thread(target=end, daemon=True).start()


TEXTS = texts_of("compare")
_COLUMNS = (Column("method", "Method"), Column("rank", "Mean rank", ".2f"), Column("loss", "Mean AE", ".4f"))


def own_run_section() -> None:
    """Draw the form for an experiment, and the progress or the result of this session's own run."""
    st.markdown(TEXTS["own"])
    run: OwnRun | None = st.session_state.get(OWN_RUN)
    _form(run)
    document_popover("experiments", "Larger experiments")
    if run is not None:
        _progress(run)


def _form(run: OwnRun | None) -> None:
    """Draw the form for an experiment, with a button to continue a stopped run."""
    at_work = run is not None and run.is_running
    left, right = narrow_row("own run", 2)
    with left:
        data = control.several_among(SETTINGS["own_data"], uploads.words_with_features(), disabled=at_work)
        folds = int(control.slider(SETTINGS["own_folds"]))
    with right:
        classifiers = control.several_of(SETTINGS["own_classifiers"], disabled=at_work)
        methods = control.several_of(SETTINGS["own_quantifiers"], disabled=at_work)
    st.caption("Each data set with its own default positive class.")
    with st.container(horizontal=True):
        if st.button("Run it", key="run_own", type="primary", disabled=at_work or not (data and classifiers and methods)):
            pairs = tuple(Pair(classifier, method) for classifier in classifiers for method in methods)
            names, tables = own_problems(data)
            problems = tuple(Problem(name) for name in names)
            _start(ExperimentSettings("own", problems, pairs, Sampling(folds=folds)), tables, None)
        if (
            run is not None
            and not at_work
            and not run.is_whole
            and not run.was_left
            and st.button("Go on where it ended", key="go_on_own")
        ):
            _start(run.settings, run.data_sets, run)


def own_problems(words: Sequence[str]) -> tuple[list[str], dict[str, Dataset]]:
    """(names of the problems, uploaded tables by their name): a table is called by its file's name, a second one numbered."""
    names: list[str] = []
    tables: dict[str, Dataset] = {}
    seen: Counter[str] = Counter()
    for word in words:
        file = uploads.shown_name(word)
        seen[file] += 1
        name = file if seen[file] == 1 else f"{file} ({seen[file]})"
        names.append(name)
        data = uploads.reference(word)
        if data.source == uploads.SOURCE:
            tables[name] = uploads.load(data)
    return names, tables


def _start(settings: ExperimentSettings, tables: Mapping[str, Dataset], before: OwnRun | None) -> None:
    try:
        st.session_state[OWN_RUN] = OwnRun(settings, tables) if before is None else before.go_on()
    except QueueIsFull as error:
        st.warning(str(error))
        return
    if tables:
        uploads.when_forgotten(_drop)
    st.rerun()


def _drop() -> None:
    """End the run, and remove its results: the person wants nothing of the tables to stay."""
    run: OwnRun | None = st.session_state.pop(OWN_RUN, None)
    if run is not None:
        run.leave()


def _progress(run: OwnRun) -> None:
    was_running = run.is_running

    def shown() -> None:
        if not run.is_running:
            if was_running:
                st.rerun()
            _result(run)
            return
        done, seconds = run.n_finished, run.job.at_work
        left = f", {duration(seconds / (done - run.found) * (run.n_cells - done))} left" if done > run.found else ""
        before = jobs().place(run.job)
        queue = f", {before} before you in the queue" if before else ""
        st.progress(done / run.n_cells, f"Running in the background: {done} of {run.n_cells} cells{queue}{left}")
        if st.button("Stop", key="stop_own"):
            run.stop()
            st.rerun()

    fragment(shown, run_every=1.0 if was_running else None)()


def _result(run: OwnRun) -> None:
    """Draw the results of a run."""
    for cell, reason in run.kept.failures().items():
        st.warning(control.escaped(f"{cell}: {reason}"))
    missing = run.n_cells - run.n_finished
    if run.was_left:
        st.info("Your page was closed or lost its connection for longer than a moment, so the experiment ended. Run it again.")
        return
    if missing:
        why = "It was stopped" if run.was_stopped else run.why_it_ended
        st.info(f"{why}: {missing} of {run.n_cells} cells are missing. What was finished is kept.")
        return
    try:
        losses = computations.experiment_losses(run.folder, "AE", "additive")
        result = compare(losses)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    ranks = result.mean_ranks.rename("rank").rename_axis("method").reset_index()
    means = losses.groupby("method")["loss"].mean()
    table = ranks.assign(loss=ranks.method.map(means))
    what = f"{result.n_sets} data sets, {', '.join(run.settings.methods)}, {run.settings.sampling.folds} folds"
    st.markdown(f"- {control.escaped(what)}.\n- {tests_sentence(result, 0.05)}")
    diagram = critical_difference_figure(
        result.mean_ranks,
        result.groups(0.05),
        result.nemenyi_distance(0.05),
        title="Your experiment, mean ranks by AE: 1 is best",
    )
    chart(
        for_narrow_screens(diagram),
        key="own_critical_difference",
        alt="Mean rank of each method of your experiment.",
    )
    at_the_top = f"The page shows it at the top, as the experiment “{OWN_NAME}”, with its box plots and everything else."
    st.caption(at_the_top if run.is_whole else "The top of the page shows only experiments without a failed cell.")
    small_table(table, _COLUMNS, label="Mean ranks of your experiment")
    st.download_button(
        "Settings as TOML", run.settings.to_toml(), "experiment.toml", key="download own settings", on_click="ignore"
    )
