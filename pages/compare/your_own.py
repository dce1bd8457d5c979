"""The tab "Your own": an experiment that runs in another process, and the comparison of losses that were measured elsewhere."""

import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.compare import computations
from pages.compare.critical_difference import (
    critical_difference_figure,
    critical_difference_tikz,
    for_narrow_screens,
    ranks_table,
)
from pages.compare.findings import tests_sentence, verdict
from pages.compare.hero import ComparisonRequest
from pages.compare.own_choices import OwnExperiment, own_experiment, plan_sentence
from pages.compare.settings import HIGHEST, LOWEST, OWN_NAME, OWN_RUN, PLACE, SETTINGS, forget_own_runs, keep_earlier_run
from pages.frame.downloads import csv_button
from pages.frame.layout import narrow_row
from pages.frame.texts import document_popover, texts_of
from pages.own_data import uploads
from pages.own_data.table_choices import say_how_it_was_read
from pages.own_data.uploaded_tables import file_place, kept_file, uploaded_frame
from pages.settings import control
from pages.settings.address import current
from pages.settings.control import escaped
from pages.settings.number_text import enumerated
from pages.streamlit_internals import session_id
from pages.work.engines import Work
from pages.work.heavy import duration, jobs
from pages.work.jobs import Job, JobFailed, QueueIsFull
from pages.work.refusals import show_invalid_input
from pages.work.temporary_folders import make_temporary_folder, remove_temporary_folder
from pages.work.turns import fragment, visitor
from qcore import Dataset, InvalidInput
from qcore.evaluation.experiment import ExperimentFolder, ExperimentSettings, unpacked
from qcore.evaluation.experiment.cell import cells
from qcore.evaluation.experiment.runner import continue_experiment
from qcore.evaluation.experiment.settings import FOLDS
from qcore.evaluation.latex_table import losses_as_latex
from qcore.evaluation.significance import Comparison, compare
from qcore.evaluation.summaries import joined_losses, losses_of_table

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

    def go_on(self) -> "OwnRun":
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
_COLUMNS = (Column("method", "Method"), Column("rank", "Mean rank", ".2f"))
_AGAINST_THE_REST = " Of one class against the rest it is each data set's default positive class."


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
    chosen = OwnExperiment()
    try:
        chosen = own_experiment(disabled=at_work)
        if chosen.settings is not None:
            st.caption(control.escaped(plan_sentence(chosen.settings, chosen.seconds)) + _AGAINST_THE_REST)
    except InvalidInput as error:
        show_invalid_input(error)
    with st.container(horizontal=True):
        if chosen.archive:
            if st.button("Open the run of the file", key="open_own", type="primary", disabled=at_work):
                _open(chosen.archive)
        elif st.button("Run it", key="run_own", type="primary", disabled=at_work or chosen.settings is None):
            assert chosen.settings is not None
            _start(chosen.settings, chosen.tables, None)
        if chosen.settings is not None:
            toml = chosen.settings.to_toml()
            st.download_button("Settings as TOML", toml, "experiment.toml", key="download own settings", on_click="ignore")
        if (
            run is not None
            and not at_work
            and not run.is_whole
            and not run.was_left
            and st.button("Go on where it ended", key="go_on_own")
        ):
            _start(run.settings, run.data_sets, run)


def _open(archive: bytes) -> None:
    """Show the run of a file, and go on with it if cells are missing."""
    folder = make_temporary_folder() / "run"
    try:
        kept = unpacked(archive, folder)
        run = OwnRun(kept.settings, {}, folder)
    except (InvalidInput, QueueIsFull) as error:
        remove_temporary_folder(folder.parent)
        st.warning(control.escaped(str(error)))
        return
    keep_earlier_run()
    st.session_state[OWN_RUN] = run
    st.rerun()


def _start(settings: ExperimentSettings, tables: Mapping[str, Dataset], before: OwnRun | None) -> None:
    try:
        run = OwnRun(settings, tables) if before is None else before.go_on()
    except QueueIsFull as error:
        st.warning(str(error))
        return
    if before is None:
        keep_earlier_run()
    st.session_state[OWN_RUN] = run
    if tables:
        # Whoever forgets tables wants nothing of them to stay.
        uploads.when_forgotten(forget_own_runs)
    st.rerun()


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
        _save(run)
        why = "It was stopped" if run.was_stopped else run.why_it_ended
        st.info(f"{why}: {missing} of {run.n_cells} cells are missing. What was finished is kept.")
        return
    try:
        loss = run.settings.losses[0]
        losses = computations.ranking_losses(run.folder, loss, "additive")
        result = compare(losses)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    table = result.mean_ranks.rename("rank").rename_axis("method").reset_index()
    sampling = run.settings.sampling
    samples = f"{sampling.folds} folds" if sampling.protocol == FOLDS else sampling.protocol
    what = f"{result.n_sets} data sets, {', '.join(run.settings.methods)}, {samples}"
    st.markdown(f"- {control.escaped(what)}.\n- {tests_sentence(result, 0.05)}")
    diagram = critical_difference_figure(
        result.mean_ranks,
        result.groups(0.05),
        result.nemenyi_distance(0.05),
        title=f"Your experiment, mean ranks by {loss}: 1 is best",
    )
    chart(
        for_narrow_screens(diagram),
        key="own_critical_difference",
        alt="Mean rank of each method of your experiment.",
    )
    at_the_top = f"The page shows it at the top, as the experiment “{OWN_NAME}”, with its box plots and everything else."
    st.caption(at_the_top if run.is_whole else "The top of the page shows only experiments without a failed cell.")
    columns = (*_COLUMNS, *(Column(key, f"Mean {key}", ".4f") for key in run.settings.losses))
    for key in run.settings.losses:
        of_loss = computations.ranking_losses(run.folder, key, "additive").groupby("method")["loss"].mean()
        table = table.assign(**{key: table.method.map(of_loss)})
    small_table(table, columns, label="Mean ranks of your experiment")
    _save(run)


def _save(run: OwnRun) -> None:
    """Draw the button that saves the run: its settings, and all cells that are finished."""
    st.download_button(
        "Save the run",
        lambda: computations.run_as_file(run.folder),
        "own-experiment.zip",
        "application/zip",
        key="download own run",
        on_click="ignore",
        help="This page forgets it when it is closed. From the file it can be opened again, and gone on with.",
    )


def own_table_section(request: ComparisonRequest | None) -> None:
    """Draw the place of a file, and the comparison of the methods in it, among themselves or beside those of the experiment."""
    st.markdown(TEXTS["own_table"])
    file_place(PLACE, "own losses")
    file = kept_file(PLACE)
    if file is None:
        return
    (part,) = narrow_row("best value", 1)
    with part:
        best = control.segments(SETTINGS["best_value"])
    try:
        frame = uploaded_frame(file)
        say_how_it_was_read(frame)
        losses = losses_of_table(frame, highest_is_best=best == HIGHEST, fewest=1)
        if best == LOWEST and request is not None and _is_joined(losses, request):
            losses = joined_losses(request.ranking, losses)
        result = compare(losses)
    except InvalidInput as error:
        show_invalid_input(error)
        return
    _comparison(losses, result, float(str(current(SETTINGS["test_level"]))))


def _is_joined(losses: pd.DataFrame, request: ComparisonRequest) -> bool:
    """Draw the switch that adds the methods of the table to those of the experiment that is shown."""
    methods = [str(name) for name in dict.fromkeys(losses["method"])]
    are = f"Only {methods[0]} is in this file" if len(methods) == 1 else f"{enumerated(methods)} are in this file"
    joined = control.toggle(SETTINGS["joined_table"])
    what = f"by {request.loss}, on the data sets that both have, by their names there"
    st.caption(escaped(f"{are}: add {'it' if len(methods) == 1 else 'them'} to the experiment “{request.run}”, {what}?"))
    return joined


def _comparison(losses: pd.DataFrame, result: Comparison, alpha: float) -> None:
    groups, distance = result.groups(alpha), result.nemenyi_distance(alpha)
    st.markdown(f"**{escaped(verdict(result, alpha))}**")
    title = f"Mean ranks on {result.n_sets} data sets: 1 is best"
    figure = critical_difference_figure(result.mean_ranks, groups, distance, title=title)
    chart(for_narrow_screens(figure), key="own_ranks", alt="Mean rank of each method; bars join those that do not differ.")
    st.markdown(f"- {tests_sentence(result, alpha)}")
    ranks = ranks_table(result.mean_ranks)
    with st.container(horizontal=True, gap="small"):
        csv_button("Ranks as CSV", lambda: ranks, "ranks-of-own-table")
        csv_button("Tests as CSV", result.pairs, "tests-of-own-table")
        csv_button("Losses as CSV", lambda: losses, "losses-beside-own-table")
        st.download_button(
            "Losses as LaTeX",
            lambda: losses_as_latex(losses, alpha=alpha),
            "losses.tex",
            "text/x-tex",
            key="latex of own table",
            on_click="ignore",
        )
        st.download_button(
            "Diagram as TikZ",
            lambda: critical_difference_tikz(result.mean_ranks, groups, distance),
            "critical-difference.tex",
            "text/x-tex",
            key="tikz of own table",
            on_click="ignore",
        )
