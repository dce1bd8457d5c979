"""Experiments that are ready to run: those of the papers, and small ones on the bundled data sets.

The data sets of Barranquero 2013 (here the thesis) and of Maletzke et al. 2020 (the size paper) are files in the folder that
the environment variable QUANTIFICATION_LAB_DATA names.
"""

from typing import Any

from qcore.evaluation.experiment.settings import ExperimentSettings, Pair, Problem, Sampling

_FORMAN = ("CC", "AC", "X", "Max", "T50", "MS")
_NEIGHBOURS = ("KNN", "PWK", "PWK-alpha")
_THESIS = (
    ("acute_a", "yes"),
    ("acute_b", "yes"),
    ("balance", "L"),
    ("balance", "B"),
    ("balance", "R"),
    ("cmc", "1"),
    ("cmc", "2"),
    ("cmc", "3"),
    ("ctg", "1"),
    ("ctg", "2"),
    ("ctg", "3"),
    ("haberman", "2"),
    ("ionosphere", "b"),
    ("iris", "Iris-setosa"),
    ("iris", "Iris-versicolor"),
    ("iris", "Iris-virginica"),
    ("sonar", "R"),
    ("spectf", "0"),
    ("tictactoe", "negative"),
    ("transfusion", "1"),
    ("wdbc", "M"),
    ("wine", "1"),
    ("wine", "2"),
    ("wine", "3"),
)
"""File and positive class (Barranquero 2013, Table 5.2)."""

_SCALED = ("transfusion", "wine")
"""Files whose features the thesis scales (5.2.1); other features stay as they are."""


def _thesis_problems(*, easy: bool) -> tuple[Problem, ...]:
    return tuple(
        Problem(f"folder:{file}.csv", positive, "deviation 0.5" if file in _SCALED else "as they are")
        for file, positive in _THESIS
        if easy or not file.startswith("acute")
    )


_SIZE_PAPER = (
    ("spambase", "1"),
    ("htru2", "1"),
    ("winetype", "red"),
    ("occupancy", "1"),
    ("anuran_family2", "Hylidae"),
    ("mozilla4", "2"),
    ("bng_breast_w", "2"),
    ("nomao", "1"),
)
"""File and positive class of the paper's data sets that are a single file with a single positive class."""
_SIZE_METHODS = ("CC", "AC", "PCC", "PACC", "X", "Max", "T50", "MS", "EMQ-5", "SORD")
_DISTANCES = ("TS", "JD", "PS", "ORD")

_BUNDLED = (
    ("wdbc", "malignant"),
    ("iris", "versicolor"),
    ("iris", "virginica"),
    ("wine", "1"),
    ("wine", "2"),
    ("wine", "3"),
    ("balance", "left"),
    ("balance", "balanced"),
    ("tictactoe", "x does not win"),
    ("monks-1", "monk"),
    ("monks-2", "monk"),
    ("monks-3", "monk"),
    ("digits", "3"),
    ("digits", "8"),
    ("waveform", "0"),
    ("waveform", "1"),
    ("waveform", "2"),
)
_TRAINED = (
    ("wdbc", "malignant"),
    ("balance", "left"),
    ("tictactoe", "x does not win"),
    ("monks-1", "monk"),
    ("monks-3", "monk"),
    ("digits", "3"),
    ("digits", "8"),
    ("waveform", "0"),
    ("waveform", "1"),
    ("waveform", "2"),
)
"""Data sets with classes large enough for 100 training instances, 20% of them from one class, and for samples of 50."""

_TRAINED_METHODS = ("CC", "AC", "PCC", "PACC", "MS", "EMQ", "DyS-TS", "SORD")
_RANDOM = {"UPP": 1, "NPP": 1, "Beta": 1, "APP": 9}
"""Protocol -> repeats, which give about a hundred samples."""


def _on_bundled(name: str, sampling: Sampling, **more: Any) -> ExperimentSettings:
    problems = tuple(Problem(data, positive) for data, positive in _TRAINED)
    pairs = tuple(Pair("logistic regression", key) for key in _TRAINED_METHODS)
    return ExperimentSettings(name, problems, pairs, sampling, **more)


_BUNDLED_METHODS = ("BL", "CC", "AC", "PCC", "PACC", "X", "Max", "T50", "MS", "EMQ", "HDy", "DyS-TS", "SORD")

EXPERIMENTS = {
    settings.name: settings
    for settings in (
        ExperimentSettings(
            "bundled",
            tuple(Problem(data, positive) for data, positive in _BUNDLED),
            (*(Pair("logistic regression", key) for key in _BUNDLED_METHODS), Pair("PWK", "AC", "PWK")),
        ),
        _on_bundled(
            "bundled-training",
            Sampling("APP", (50,), grid=11, repeats=2),
            draws=4,
            training_sizes=(20, 30, 50, 75, 100),
            training_prevalences=(0.2, 0.35, 0.5, 0.65, 0.8),
        ),
        *(
            _on_bundled(f"bundled-{protocol}", Sampling(protocol, (50,), grid=11, repeats=repeats), draws=4)
            for protocol, repeats in _RANDOM.items()
        ),
        ExperimentSettings(
            "barranquero-2013-chapter-5",
            _thesis_problems(easy=True),
            (
                *(Pair("tuned hinge-loss SVM", key, key) for key in ("BL", *_FORMAN)),
                *(Pair(key, "AC", key) for key in _NEIGHBOURS),
            ),
        ),
        ExperimentSettings(
            "barranquero-2013-chapter-6",
            _thesis_problems(easy=False),
            (
                *(Pair("hinge-loss SVM", key, key) for key in _FORMAN),
                *(Pair(f"SVM-{key}", "CC", key) for key in ("NAS", "Q0.5", "Q1", "Q2")),
            ),
        ),
        ExperimentSettings(
            "maletzke-2020",
            tuple(Problem(f"folder:{file}.csv.gz", positive) for file, positive in _SIZE_PAPER),
            (
                *(Pair("random forest", key, key) for key in _SIZE_METHODS),
                # As in the paper: MS that leaves out no threshold, histograms with Laplace smoothing (LP).
                Pair("random forest", "qcore.quantifiers:MedianSweep", "MS without the rule", {"least_gap": 0.0}),
                Pair("random forest", "qcore.quantifiers:HDy", "HDy-LP", {"laplace": True}),
                *(
                    Pair("random forest", "qcore.quantifiers:DyS", f"DyS-{key}-LP", {"distance": key, "laplace": True})
                    for key in _DISTANCES
                ),
                Pair("quantification tree", "CC", "QT"),
            ),
            Sampling("APP", (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500), grid=101, repeats=10),
        ),
    )
}
"""Name -> settings: `python -m qcore experiment NAME`."""
