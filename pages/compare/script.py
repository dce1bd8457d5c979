"""The Python script that reproduces the mean ranks of "Compare"."""

from typing import Final

import streamlit as st

from pages.compare.controls import ComparisonRequest
from pages.compare.run_folders import OWN_NAME, OWN_RUN, STORED_RUNS
from pages.compare.settings import ALL
from pages.frame.downloads import SETUP, loading

_OF_A_FOLDER: Final = (
    "# The data sets named folder:... are files in the folder that the environment variable QUANTIFICATION_LAB_DATA names;\n"
    "# the page Data sets says where the papers' sets come from.\n"
)


def python_source(request: ComparisonRequest) -> str:
    """A script that gives the mean ranks with qcore alone."""
    function = "compared_losses" if request.prevalence == ALL else "mean_losses"
    start = f"settings, estimates = read_experiment({request.run!r})"
    if request.folder.parent == STORED_RUNS or request.run == OWN_NAME:
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
        "from qcore import read_dataset\n"
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
    if request.run != OWN_NAME:
        return ""
    tables = st.session_state[OWN_RUN].data_sets
    listed = ", ".join(f"{name!r}: {loading(table.reference)}" for name, table in tables.items())
    return f", data_sets={{{listed}}}" if listed else ""
