"""Experiments: quantifiers on many data sets, cell by cell; stopped and resumed, on one machine or on many."""

from qcore.evaluation.experiment.archive import archived, unpacked
from qcore.evaluation.experiment.cluster import Cluster
from qcore.evaluation.experiment.folder import ExperimentFolder
from qcore.evaluation.experiment.presets import EXPERIMENTS
from qcore.evaluation.experiment.results import compared_losses, mean_losses, read_experiment
from qcore.evaluation.experiment.runner import Execution, RunSummary, experiment_seconds, run_experiment
from qcore.evaluation.experiment.settings import ExperimentSettings, Pair, Problem, Sampling

__all__ = [
    "EXPERIMENTS",
    "Cluster",
    "Execution",
    "ExperimentFolder",
    "ExperimentSettings",
    "Pair",
    "Problem",
    "RunSummary",
    "Sampling",
    "archived",
    "compared_losses",
    "experiment_seconds",
    "mean_losses",
    "read_experiment",
    "run_experiment",
    "unpacked",
]
