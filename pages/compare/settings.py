"""The settings of the page "Compare", its examples, and the folders of runs."""

import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from pages.settings.setting import Preset, Setting, choice, number, several, single, text, toggle, view, whole
from pages.settings.shared import LOSS, SHOWN_FIRST, data_word
from qcore import CLASSIFIERS, NAMED_QUANTIFIERS, QUANTIFIERS
from qcore.base import registry
from qcore.evaluation.experiment.settings import FOLDS, SAMPLINGS, UNSIGNED
from qcore.scoring.calibration import CALIBRATIONS

STORED = "bundled"
ALL = "all"
NO_CONTROL = "all against all"
ALPHAS = ("0.05", "0.10")
PREVALENCES = (ALL, *(f"{tenth / 10:.1f}" for tenth in range(11)))
OWN_QUANTIFIERS = tuple(key for key in QUANTIFIERS if key in (*SHOWN_FIRST, "MS"))
ALL_VERDICTS = "all"
VERDICTS = (ALL_VERDICTS, "holds", "in part", "does not hold")

AS_GIVEN = "as given"
OWN_CALIBRATIONS = (AS_GIVEN, *(key for key in CALIBRATIONS if key != "none"))

BOUNDS, QUANTIFIERS_OF_THE_PAPER = "its candidates and bounds", "all quantifiers"

LOWEST, HIGHEST = "the lowest", "the highest"
"""Which value of the user's own table is the best one."""


def _of_the_run(key: str, name: str, default: str) -> Setting:
    """A setting whose options depend on the shown run: any other value gives the default."""
    return Setting(key, name, default, single, "one of the run that is shown")


def _methods_of_the_run(key: str, name: str) -> Setting:
    """A setting of some methods of the shown run, which may have names of their own; none means all, or those that lead."""
    rule = "methods of the run that is shown"
    return Setting(key, name, [], lambda words: [word for word in words if word], rule, (*QUANTIFIERS, *NAMED_QUANTIFIERS))


SETTINGS = registry(
    _of_the_run("run", "experiment", STORED).with_label(
        "Experiment", help="Some come with the app; you can run your own below."
    ),
    choice("compared_loss", "loss", "AE", UNSIGNED).with_label(
        "Loss", help="NMD and RNOD, of ordered classes, where the experiment has such."
    ),
    LOSS["smoothing"],
    choice("test_level", "level of the tests", "0.05", ALPHAS).with_label(
        "Level", help="How often a test may find a difference where there is none."
    ),
    _methods_of_the_run("compared_methods", "methods that are compared").with_label("Compare only"),
    _of_the_run("control", "control", NO_CONTROL).with_label(
        "Compare", help=("All methods with each other (Nemenyi), or all others with one control (Bonferroni and Dunn).")
    ),
    _of_the_run("compared_data", "data set of the experiment", ALL).with_label("Data set"),
    _of_the_run("compared_size", "sample size of the experiment", ALL).with_label("Size", help="Instances in a sample."),
    choice("compared_prevalence", "test prevalence", ALL, PREVALENCES).with_label("Prevalence"),
    view(_of_the_run("pivot", "pivot", "").with_label("Pivot")),
    view(_of_the_run("beside_pivot", "method beside the pivot", "").with_label("Beside it")),
    view(_methods_of_the_run("bar_methods", "methods of the bars").with_label("Methods")),
    view(_of_the_run("trained_method", "method of the heatmap", "AC").with_label("Method of the heatmap")),
    whole("simulated_methods", "methods in the simulation", 10, (2, 30)).with_label("Methods"),
    whole("simulated_sets", "data sets in the simulation", 24, (2, 200)).with_label("Data sets"),
    whole("simulated_cases", "test cases of each data set", 11, (2, 50)).with_label("Test cases of each"),
    number("simulated_spread", "how much data sets differ", 1.0, (0.0, 3.0)).with_label(
        "How much data sets differ",
        step=0.1,
        help=("In standard deviations of a test case; at 0 all cases are independent of each other."),
    ),
    Setting(
        "own_data",
        "data sets of one's own run",
        ["wdbc", "iris", "wine", "balance"],
        lambda words: [data_word([word]) for word in words if word],
        "data sets of this machine",
    ).with_label(
        "Data sets",
        help="Bundled ones, KEEL's, those that you have fetched, and tables that you have uploaded: of features, or of scores.",
    ),
    several("own_classifiers", "classifiers of one's own run", ("logistic regression",), list(CLASSIFIERS), most=2).with_label(
        "Classifiers"
    ),
    several("own_quantifiers", "quantifiers of one's own run", OWN_QUANTIFIERS, list(QUANTIFIERS), most=8).with_label(
        "Quantifiers"
    ),
    whole("own_folds", "folds of one's own run", 5, (2, 10)).with_label("Folds"),
    choice("own_protocol", "protocol of one's own run", FOLDS, SAMPLINGS).with_label(
        "Protocol",
        help="Folds: the largest sample at each prevalence of each fold. The others train on a half and draw samples of the "
        "other half: at all prevalences alike (APP, UPP), as they are (NPP), with rare positives (Beta).",
    ),
    text("own_sizes", "sample sizes of one's own run", "20").with_label("Sample sizes", help="Such as 10 50 100."),
    whole("own_grid", "prevalences of one's own run", 11, (2, 101)).with_label("Prevalences"),
    whole("own_repeats", "repeats of one's own run", 10, (1, 1000)).with_label("Repeats"),
    whole("own_draws", "splits of one's own run", 1, (1, 20)).with_label("Splits", help="How often a data set is halved anew."),
    several("own_calibrations", "calibrations of one's own run", (AS_GIVEN,), OWN_CALIBRATIONS).with_label(
        "Calibration", help="As given: EMQ, PCC and PACC calibrate scores that are no probabilities, nothing else."
    ),
    several("own_losses", "losses of one's own run", ("AE",), UNSIGNED).with_label("Losses"),
    toggle("own_all_classes", "all classes of one's own run").with_label("All classes at once, where there are more than two"),
    toggle("own_scores", "whether tables of one's own run hold scores").with_label("The tables hold scores, not features"),
    view(toggle("joined_table", "one's own table beside the experiment")).with_label("Add it to the experiment above"),
    view(choice("best_value", "best value of one's own table", LOWEST, (LOWEST, HIGHEST)).with_label("Best is")),
    view(
        choice("recommender_beside", "what is ranked beside MLQ", BOUNDS, (BOUNDS, QUANTIFIERS_OF_THE_PAPER)).with_label(
            "Beside MLQ"
        )
    ),
    view(
        _of_the_run("recommender_size", "sample size of MLQ's run", ALL).with_label(
            "Sample size", help="Instances in a sample."
        )
    ),
    view(choice("verdict", "verdict of the claims that are shown", ALL_VERDICTS, VERDICTS).with_label("Verdict")),
)


PRESETS = (
    Preset(
        "Who wins?",
        "Fourteen methods on 17 problems, ranked by their error at eleven prevalences. Bars join methods that the data "
        "cannot tell apart.",
        {},
    ),
    Preset(
        "Beside counting",
        "If the question is only which methods beat CC, there are fewer comparisons, and more differences are found. A "
        "method outside the shaded part differs from CC.",
        {"control": "CC"},
    ),
    Preset(
        "When positives are rare",
        "At a test prevalence of 10% the order is different: if positives are rare in your data, do not rely on the "
        "overall ranks.",
        {"compared_prevalence": "0.1"},
    ),
    Preset(
        "The thesis anew",
        "Barranquero 2013, chapter 5: ten methods on 24 problems. The weighted nearest neighbours lead, as the thesis "
        "says; how far depends on how the SVM is trained.",
        {"run": "thesis, chapter 5"},
    ),
    Preset(
        "The size paper anew",
        "Maletzke et al. 2020 on eight of its data sets, samples of 10 to 500. Ranked at each prevalence DyS leads over "
        "all sizes, SORD at 10; the paper ranks mean errors (The papers).",
        {"run": "size paper"},
    ),
    Preset(
        "Another loss",
        "KLD punishes an estimate of 0 where the true share is not 0. Does the same method win?",
        {"compared_loss": "KLD"},
    ),
)


OWN_RUN, OWN_NAME = "own experiment", "my own run"
_EARLIER, _MOST_EARLIER = "earlier own experiments", 4
PLACE = "losses"
"""Where the session keeps the user's own table of losses."""
STORED_RUNS = Path(__file__).parent / "runs"
VARIABLE = "QUANTIFICATION_LAB_RUNS"
RECOMMENDER_RUN = STORED_RUNS / "maletzke-2020-recommender.csv"
"""Mean AE of MLQ, its bounds and all quantifiers on each data set at each size: benchmarks/maletzke_2020.py writes it."""
THESIS = "thesis, chapter 5"
_PAPERS = MappingProxyType(
    {
        THESIS: "barranquero-2013-chapter-5",
        "thesis, chapter 6": "barranquero-2013-chapter-6",
        "size paper": "maletzke-2020",
    }
)
"""The experiments of the papers -> the names with which `python -m qcore experiment` runs them.

The size paper's has 21 prevalences and 3 repeats here, where the command runs 101 and 10.
"""

_TRAINING, PROTOCOL_RUNS = "bundled-training", ("bundled-APP", "bundled-UPP", "bundled-NPP", "bundled-Beta")
TRAINING_RUN = STORED_RUNS / _TRAINING


def keep_earlier_run() -> None:
    """Keep this session's own run, if it has ended whole, beside the one that is about to take its place."""
    own = st.session_state.get(OWN_RUN)
    if own is not None and own.is_whole:
        earlier = st.session_state.setdefault(_EARLIER, {})
        earlier[max(earlier, default=0) + 1] = own
        if len(earlier) > _MOST_EARLIER:
            del earlier[min(earlier)]


def own_runs() -> dict[str, Any]:
    """Name -> `OwnRun` of each of this session's own runs that is whole: the last one, and those before it."""
    own = st.session_state.get(OWN_RUN)
    last = {OWN_NAME: own} if own is not None and own.is_whole else {}
    earlier = st.session_state.get(_EARLIER, {})
    return last | {f"{OWN_NAME} {n} ({one.settings.sampling.protocol})": one for n, one in earlier.items()}


def forget_own_runs() -> None:
    """End this session's own runs, and remove their results."""
    for own in (st.session_state.pop(OWN_RUN, None), *st.session_state.pop(_EARLIER, {}).values()):
        if own is not None:
            own.leave()


def folders() -> dict[str, Path]:
    """Name -> folder of each run that can be compared: the app's own ones, then the operator's, then this session's."""
    result = {"bundled": STORED_RUNS / "bundled", **{name: STORED_RUNS / run for name, run in _PAPERS.items()}}
    named = os.environ.get(VARIABLE)
    if named and Path(named).is_dir():
        result |= {path.name: path for path in sorted(Path(named).iterdir()) if (path / "experiment.toml").is_file()}
    return result | {name: own.folder for name, own in own_runs().items()}


def choose_ended_run() -> None:
    """Choose this session's own run when it has ended, once, if it can be compared; before the box of experiments is drawn."""
    own = st.session_state.get(OWN_RUN)
    if own is None or own.was_chosen or not own.is_whole:
        return
    own.was_chosen = True
    if len(own.settings.problems) > 1 and len(own.settings.pairs) > 1:
        st.session_state["run"] = OWN_NAME
