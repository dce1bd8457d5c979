"""What an experiment gave: its estimates, and the losses by which its methods are compared."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from qcore._base.validation import check_choice
from qcore.evaluation.experiment.folder import ExperimentFolder
from qcore.evaluation.experiment.settings import ExperimentSettings
from qcore.losses import LOSSES, ORDERED_LOSSES, Smoothing

COMPARED = {key: loss for key, loss in {**LOSSES, **ORDERED_LOSSES}.items() if not loss.signed}
UNSIGNED = tuple(COMPARED)
"""Losses by which methods can be ranked; for a signed loss, the lowest value is not the best."""


def read_experiment(path: str | Path) -> tuple[ExperimentSettings, pd.DataFrame]:
    """Settings and estimates of a folder: a row for each method and sample, columns COLUMNS. Raises InvalidInput.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> folder = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, folder, n_jobs=1)
    >>> settings, estimates = read_experiment(folder)
    >>> estimates.columns.tolist()
    ['data', 'draw', 'training_size', 'training_prevalence', 'method', 'size', 'repeat', 'target', 'prevalence', 'estimate']
    """
    folder = ExperimentFolder.open(path)
    return folder.settings, folder.read()


def compared_losses(
    estimates: pd.DataFrame, settings: ExperimentSettings, loss: str = "AE", smoothing: Smoothing = "additive"
) -> pd.DataFrame:
    """The losses by which methods are ranked: `mean_losses`, but averaged over all samples if prevalences are random.

    Random prevalences are not equally frequent; if methods were ranked at each, rare ones would count as much as frequent ones.
    Where there are several sample sizes, `size` is one more column, and methods are ranked at each size: else the errors of the
    smallest samples, which are the largest, would decide. (Maletzke et al. 2020, Figure 6, combines ranks of all sizes, too,
    but ranks of mean errors over all prevalences, where `compare` ranks at each.)

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> folder = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, folder, n_jobs=1)
    >>> compared_losses(read_experiment(folder)[1], settings).columns.tolist()
    ['data', 'method', 'prevalence', 'loss']
    """
    sizes = ("size",) if settings.sampling.has_several_sizes else ()
    if settings.sampling.has_random_prevalences:
        estimates = estimates.assign(target=0.0)
    return mean_losses(estimates, settings, loss, smoothing, sizes)


def mean_losses(
    estimates: pd.DataFrame,
    settings: ExperimentSettings,
    loss: str = "AE",
    smoothing: Smoothing = "additive",
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """Mean loss of each method on each data set at each requested prevalence: data, method, prevalence, loss, and `by`.

    Requested prevalences that are drawn at random are rounded to tenths. `by` are further columns of the estimates, such
    as training_size. Source: Barranquero 2013, 4.1: losses are averaged over the folds.

    Examples
    --------
    >>> import tempfile
    >>> from qcore.evaluation.experiment import ExperimentSettings, Pair, Problem, Sampling, run_experiment
    >>> settings = ExperimentSettings("try", (Problem("iris"),), (Pair("Gaussian naive Bayes", "AC"),), Sampling(folds=2))
    >>> folder = tempfile.mkdtemp()
    >>> summary = run_experiment(settings, folder, n_jobs=1)
    >>> table = mean_losses(read_experiment(folder)[1], settings, "AE")
    >>> len(table), float(table.loss.max()) < 0.2
    (11, True)
    """
    check_choice("loss", loss, UNSIGNED)
    values = np.empty(len(estimates))
    sizes = estimates["size"].to_numpy()
    for size in np.unique(sizes):
        rows = sizes == size
        true, estimate = (estimates[name].to_numpy()[rows] for name in ("prevalence", "estimate"))
        values[rows] = COMPARED[loss].binary(true, estimate, sample_size=int(size), smoothing=smoothing)
    requested = estimates["target"].round(1 if settings.sampling.has_random_prevalences else 6)
    table = estimates[["data", "method", *by]].assign(prevalence=requested, loss=values)
    return table.groupby(["data", "method", *by, "prevalence"], sort=False)["loss"].mean().reset_index()
