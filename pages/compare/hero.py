"""The main view of "Compare": what is compared, the diagram and the verdict."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.charts.chart import chart
from pages.compare import computations
from pages.compare.critical_difference import (
    as_latex,
    as_markdown,
    critical_difference_figure,
    critical_difference_tikz,
    for_narrow_screens,
    ranks_table,
)
from pages.compare.findings import control_verdict, count_sentence, ranking_sentence, tests_sentence, verdict
from pages.compare.settings import (
    ALL,
    NO_CONTROL,
    PLACE,
    PREVALENCES,
    SETTINGS,
    STORED,
    STORED_RUNS,
    choose_ended_run,
    folders,
    own_runs,
)
from pages.frame.downloads import SETUP, loading
from pages.frame.page_frame import PageParts, headline
from pages.frame.presets import OWN_RESULTS, shows_own_data
from pages.frame.texts import draw_sentences
from pages.own_data.uploaded_tables import kept_file
from pages.settings import control
from pages.settings.address import current
from pages.settings.shared import SMOOTHING_NAMES
from qcore.evaluation.experiment import ExperimentSettings
from qcore.evaluation.experiment.settings import COMPARED
from qcore.evaluation.latex_table import losses_as_latex
from qcore.evaluation.significance import Comparison, compare
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
        of_one_class = ~table["data"].isin(self.settings.several_classes)
        return table[of_one_class & ((table.prevalence - float(self.prevalence)).abs() < _NEAR)]

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
    if COMPARED[loss].smoothed:
        with st.popover("Smoothing", key="compared_smoothing"):
            st.caption(
                "A ratio or a logarithm needs shares above 0: half an instance more for each class (additive), or an "
                "estimate of 0 or 1 moved by half an instance (Forman's half a count, as in the thesis)."
            )
            control.segments(SETTINGS["smoothing"])


def controls() -> ComparisonRequest:
    """Draw the controls and return their choices. Raises InvalidInput for a run that cannot be read."""
    choose_ended_run()
    known = folders()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=160):
            run = control.choice_among(SETTINGS["run"], list(known), STORED)
        settings, _ = computations.experiment(known[run])
        with st.container(width=86):
            loss = control.choice_among(SETTINGS["compared_loss"], settings.ranking_losses, "AE")
        with st.container(width=84):
            alpha = float(control.choice(SETTINGS["test_level"]))
        smoothing = SMOOTHING_NAMES[str(current(SETTINGS["smoothing"]))]
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
        of_one_class = losses[~losses["data"].isin(settings.several_classes)].prevalence
        there = {f"{value:.1f}" for value in of_one_class if abs(10 * value - round(10 * value)) < _TIE}
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


_OF_A_FOLDER = (
    "# The data sets named folder:... are files in the folder that the environment variable QUANTIFICATION_LAB_DATA names;\n"
    "# the page Data sets says where the papers' sets come from.\n"
)


def python_source(request: ComparisonRequest) -> str:
    """A script that gives the mean ranks with qcore alone."""
    function = "compared_losses" if request.prevalence == ALL else "mean_losses"
    start = f"settings, estimates = read_experiment({request.run!r})"
    if request.folder.parent == STORED_RUNS or request.run in own_runs():
        # Where the script runs, there is no folder of the app's runs.
        name = request.settings.name
        files = any(problem.data.startswith("folder:") for problem in request.settings.problems)
        start = (
            f"{_OF_A_FOLDER if files else ''}"
            f"settings = {request.settings!r}\n"
            f"run_experiment(settings, {name!r}{_own_tables(request)})  # it takes a while, once: what is in the folder stays\n"
            f"settings, estimates = read_experiment({name!r})"
        )
    only = (
        "" if request.prevalence == ALL else f"losses = losses[losses.prevalence.round(6) == {float(request.prevalence)!r}]\n"
    )
    if len(request.methods) < len(request.settings.methods):
        only += f"losses = losses[losses.method.isin({request.methods!r})]\n"
    of_size = f"estimates = estimates[estimates['size'] == {request.size}]\n" if request.size else ""
    by = ", ['size']" if function == "mean_losses" and request.by_size else ""
    return (
        f"{SETUP}"
        "from qcore import read_dataset, read_scores\n"
        f"from qcore.evaluation.experiment import {function}, read_experiment, run_experiment\n"
        "from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling\n"
        "from qcore.evaluation.significance import compare\n\n"
        f"{start}\n"
        f"{of_size}"
        f"losses = {function}(estimates, settings, {request.loss!r}, {request.smoothing!r}{by})\n"
        f"{only}"
        "found = compare(losses)\n"
        "ranks = found.mean_ranks\n"
        f"{_tests(request)}"
        'px.scatter(x=ranks, y=ranks.index, labels={"x": "mean rank", "y": ""}).show()\n'
    )


def _tests(request: ComparisonRequest) -> str:
    """The lines that print the ranks and the test that the page makes."""
    if request.control:
        return (
            f"print(ranks, found.bonferroni_dunn_distance({request.alpha!r}))\n"
            f"print(found.against({request.control!r}))  # differing where bonferroni_dunn is at most {request.alpha!r}\n"
        )
    return f"print(ranks, found.nemenyi_distance({request.alpha!r}), found.groups({request.alpha!r}))\n"


def _own_tables(request: ComparisonRequest) -> str:
    """The argument with which the script loads the user's own tables; empty if there are none."""
    own = own_runs().get(request.run)
    if own is None:
        return ""
    tables = own.data_sets
    listed = ", ".join(f"{name!r}: {loading(table.reference)}" for name, table in tables.items())
    return f", data_sets={{{listed}}}" if listed else ""


def hero(request: ComparisonRequest, parts: PageParts) -> Comparison:
    """Draw the diagram, the verdict above it and the tests below. Raises InvalidInput for too few methods or data sets."""
    if request.run in own_runs():
        shows_own_data(OWN_RESULTS)
    rows = request.ranked
    result = compare(rows)
    distance = (result.bonferroni_dunn_distance if request.control else result.nemenyi_distance)(request.alpha)
    groups = [] if request.control else result.groups(request.alpha)
    at = "" if request.prevalence == ALL else f" at test prevalence {float(request.prevalence):.0%}"
    at += f", samples of {request.size}" if request.size else ""
    figure = critical_difference_figure(
        result.mean_ranks, groups, distance, title=f"Mean ranks by {request.loss}{at}: 1 is best", control=request.control
    )
    with parts.hero:
        chart(
            for_narrow_screens(figure),
            key="critical_difference",
            alt="Mean rank of each method; bars join those that do not differ.",
        )
    with parts.headline:
        text = control_verdict(result, request.control, request.alpha) if request.control else verdict(result, request.alpha)
        # The table of one's own has its verdict in its section; this one is of the experiment.
        text = control.escaped(text)
        headline(f"Of the experiment, not of your table: {text}" if kept_file(PLACE) is not None else text)
    with parts.notes:
        named = set(rows["data"])
        n_sources = len({problem.data for problem in request.settings.problems if problem.name in named})
        n_cases = request.at_prevalence[["data", "prevalence"]].drop_duplicates().shape[0]
        sentences = [
            tests_sentence(result, request.alpha),
            ranking_sentence(rows, request.loss),
            count_sentence(result.n_sets, n_sources, n_cases),
        ]
        n_missing, n_cells = computations.missing_cells(request.folder)
        if n_missing:
            lacking = f"**{n_missing} of {n_cells} cells of this experiment are missing**: all results come from the others."
            sentences.insert(0, lacking)
        if request.data != ALL:
            of_one = "Box plots, Against a pivot and By data set"
            sentences.insert(0, f"The diagram and the tests use all data sets; {of_one} use {control.escaped(request.data)}.")
        draw_sentences(sentences)
    _take_away(request, result, parts)
    parts.downloads.file(
        "Diagram as TikZ",
        lambda: critical_difference_tikz(result.mean_ranks, groups, distance, control=request.control),
        f"{_file_name(request)}-critical-difference.tex",
        "text/x-tex",
    )
    return result


def _take_away(request: ComparisonRequest, comparison: Comparison, parts: PageParts) -> None:
    name = _file_name(request)
    ranks = ranks_table(comparison.mean_ranks)
    # Whoever downloads the losses of several sizes can rank at each, as the diagram does.
    offered, rows = parts.downloads, request.ranked if request.by_size and request.data == ALL else request.chosen
    offered.csv("Losses as CSV", lambda: rows, f"{name}-losses")
    tex = "text/x-tex"
    offered.file("Losses as LaTeX", lambda: losses_as_latex(rows, alpha=request.alpha), f"{name}-losses.tex", tex)
    with_deviations = f"{name}-losses-with-deviations.tex"
    offered.file(
        "Losses as LaTeX, with deviations",
        lambda: losses_as_latex(rows, deviations=True, alpha=request.alpha),
        with_deviations,
        tex,
    )
    offered.csv("Ranks as CSV", lambda: ranks, f"{name}-ranks")
    offered.file("Ranks as Markdown", lambda: as_markdown(ranks), f"{name}-ranks.md", "text/markdown")
    offered.file("Ranks as LaTeX", lambda: as_latex(ranks), f"{name}-ranks.tex", "text/x-tex")
    parquet = "application/vnd.apache.parquet"
    offered.file("Losses as Parquet", lambda: rows.to_parquet(None, index=False), f"{name}-losses.parquet", parquet)
    offered.source = python_source(request)


def _file_name(request: ComparisonRequest) -> str:
    """How the names of its files begin."""
    return re.sub(r"[^\w-]+", "-", request.run)
