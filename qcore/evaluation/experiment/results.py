"""What an experiment gave: its estimates, and the losses by which its methods are compared."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from qcore._base.validation import FloatArray, InvalidInput, check_choice
from qcore.evaluation.experiment.folder import ExperimentFolder
from qcore.evaluation.experiment.settings import COMPARED, ExperimentSettings
from qcore.losses import ORDERED_LOSSES, Smoothing


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

    Requested prevalences that are drawn at random are rounded to tenths; those of several classes count as one, 0. `by` are
    further columns of the estimates, such as training_size. Raises InvalidInput for an unknown loss, and for NMD and RNOD where
    a problem of all classes has no order. Source: Barranquero 2013, 4.1: losses are averaged over the folds.

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
    check_choice("loss", loss, COMPARED)
    several = {problem.name: problem for problem in settings.problems if problem.all_classes}
    vectors = estimates["estimate"].isna().to_numpy()
    requested = estimates["target"].round(1 if settings.sampling.has_random_prevalences else 6).to_numpy(copy=True)
    requested[vectors] = 0.0
    values, sizes = np.empty(len(estimates)), estimates["size"].to_numpy(dtype=np.intp)
    if not vectors.all():
        true, estimated = (estimates[name].to_numpy()[~vectors] for name in ("prevalence", "estimate"))
        values[~vectors] = COMPARED[loss].binary(true, estimated, sample_size=sizes[~vectors], smoothing=smoothing)
    for name, problem in several.items():
        if loss in ORDERED_LOSSES and not problem.order:
            hint = "Write order = [...] in that problem, lowest class first, or choose another loss."
            raise InvalidInput("loss", f"need no order of the classes of {problem.data}", repr(loss), hint)
        if (rows := vectors & (estimates["data"] == name).to_numpy()).any():
            pair = class_prevalences(estimates[rows])
            values[rows] = COMPARED[loss](*pair, sample_size=sizes[rows], smoothing=smoothing)
    table = estimates[["data", "method", *by]].assign(prevalence=requested, loss=values)
    return table.groupby(["data", "method", *by, "prevalence"], sort=False)["loss"].mean().reset_index()


def class_prevalences(estimates: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """True and estimated prevalences of one problem of all classes, (n, n_classes) each."""
    named = [str(name) for name in estimates if str(name).startswith("prevalence_")]
    true = [name for name in named if estimates[name].notna().any()]
    estimated = [name.replace("prevalence", "estimate", 1) for name in true]
    return estimates[true].to_numpy(dtype=np.float64), estimates[estimated].to_numpy(dtype=np.float64)
