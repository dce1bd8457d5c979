"""The section "Run your own" of "Compare": the form for an experiment, its progress, its result."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from pages.charts.chart import chart
from pages.charts.small_table import Column, small_table
from pages.compare import computations
from pages.compare.critical_difference_figure import critical_difference_figure, for_narrow_screens
from pages.compare.findings import tests_sentence
from pages.compare.own_experiment import OwnRun
from pages.compare.run_folders import OWN_NAME, OWN_RUN
from pages.compare.settings import SETTINGS
from pages.frame.documents import document_popover
from pages.frame.layout import narrow_row
from pages.frame.texts import texts_of
from pages.own_data import uploads
from pages.settings import control
from pages.work.heavy import duration, jobs
from pages.work.jobs import QueueIsFull
from pages.work.refusals import show_invalid_input
from pages.work.turns import fragment
from qcore import Dataset, InvalidInput
from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling
from qcore.evaluation.significance import compare

TEXTS: Final = texts_of("compare")
_COLUMNS: Final = (Column("method", "Method"), Column("rank", "Mean rank", ".2f"), Column("loss", "Mean AE", ".4f"))


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
    failures = run.kept.failures()
    for cell, reason in failures.items():
        st.warning(control.escaped(f"{cell}: {reason}"))
    missing = len(run.kept.missing()) - len(failures)
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
        for_narrow_screens(diagram), key="own_critical_difference", alt="Mean rank of each method of your experiment.",
    )  # fmt: skip
    at_the_top = f"The page shows it at the top, as the experiment “{OWN_NAME}”, with its box plots and all else."
    st.caption(at_the_top if run.is_whole else "The page shows at the top what is whole: an experiment without a failed cell.")
    small_table(table, _COLUMNS, label="Mean ranks of your experiment")
    st.download_button(
        "Settings as TOML", run.settings.to_toml(), "experiment.toml", key="download own settings", on_click="ignore"
    )
