"""What the page "Compare" computes: experiments that were run, their losses, simulated studies."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore.classifiers.weighted_neighbours import GRID_ALPHA, alpha_weights_by_prevalence
from qcore.evaluation.experiment import (
    ExperimentFolder,
    ExperimentSettings,
    archived,
    compared_losses,
    mean_losses,
    read_experiment,
)
from qcore.evaluation.experiment.cell import cells
from qcore.evaluation.significance import Comparison, compare
from qcore.losses import Smoothing
from qcore.studies.significance_trust import Trust, trust_by_advantage


def weights_table() -> str:
    """The weights of PWK-alpha by the share of a class in training, as a table in Markdown (Barranquero 2013, Table 5.1)."""
    shares = (0.01, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
    rows = zip(GRID_ALPHA, alpha_weights_by_prevalence(shares).tolist(), strict=True)
    lines = [
        ["alpha", *(f"{share:.0%}" for share in shares)],
        ["--:"] * (len(shares) + 1),
        *([str(alpha), *(f"{weight:.2f}" for weight in weights)] for alpha, weights in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@work("Simulating studies", 0.5)
def simulated_trust(n_methods: int, n_sets: int, n_cases: int, spread: float, seed: int) -> Work[list[Trust]]:
    """How often Iman and Davenport's test finds a difference, for each of ADVANTAGES. Raises InvalidInput."""
    return Work(trust_by_advantage, (n_methods, n_sets, n_cases, spread, seed), tells=False)


@dataclass(frozen=True)
class _Run:
    """The folder of a run with the time when it was last written, so that a run that has grown gets another key."""

    folder: Path
    written: float

    @classmethod
    def of(cls, folder: Path) -> "_Run":
        """The run in a folder as it is now."""
        written = (path.stat().st_mtime for path in (folder, folder / "cells") if path.exists())
        return cls(folder, max(written, default=0.0))


@shared
def _experiment(run: _Run) -> tuple[ExperimentSettings, pd.DataFrame]:
    return read_experiment(run.folder)


def experiment(folder: Path) -> tuple[ExperimentSettings, pd.DataFrame]:
    """Settings and estimates of a run; they are read again when the run has new results. Raises InvalidInput."""
    return _experiment(_Run.of(folder))


@shared
def _missing_cells(run: _Run) -> tuple[int, int]:
    kept = ExperimentFolder.open(run.folder)
    return len(kept.missing()), len(cells(kept.settings))


def missing_cells(folder: Path) -> tuple[int, int]:
    """Number of a run's cells that are not finished, and of all. Raises InvalidInput."""
    return _missing_cells(_Run.of(folder))


def _estimates(run: _Run, size: int) -> tuple[ExperimentSettings, pd.DataFrame]:
    """Settings of a run, and its estimates on samples of that size, or of all sizes for 0."""
    settings, estimates = _experiment(run)
    return settings, estimates[estimates["size"] == size] if size else estimates


@shared
def _losses(run: _Run, loss: str, smoothing: Smoothing, by: tuple[str, ...], size: int) -> pd.DataFrame:
    settings, estimates = _estimates(run, size)
    return mean_losses(estimates, settings, loss, smoothing, by)


@shared
def _ranking(run: _Run, loss: str, smoothing: Smoothing, size: int) -> pd.DataFrame:
    settings, estimates = _estimates(run, size)
    return compared_losses(estimates, settings, loss, smoothing)


def ranking_losses(folder: Path, loss: str, smoothing: Smoothing, size: int = 0) -> pd.DataFrame:
    """`compared_losses` of a run, on samples of one size or of all (0). Raises InvalidInput."""
    return _ranking(_Run.of(folder), loss, smoothing, size)


def experiment_losses(folder: Path, loss: str, smoothing: Smoothing, by: tuple[str, ...] = (), size: int = 0) -> pd.DataFrame:
    """`mean_losses` of a run, on samples of one size or of all (0). Raises InvalidInput."""
    return _losses(_Run.of(folder), loss, smoothing, by, size)


@shared
def _archived(run: _Run) -> bytes:
    return archived(ExperimentFolder.open(run.folder))


def run_as_file(folder: Path) -> bytes:
    """A run as one file, which can be uploaded again. Raises InvalidInput."""
    return _archived(_Run.of(folder))


@shared
def recommender_errors(file: Path) -> pd.DataFrame:
    """Mean AE over all prevalences on each data set at each size: data, size, method, loss, and prevalence, which is empty."""
    return pd.read_csv(file).melt(["data", "size"], var_name="method", value_name="loss").assign(prevalence=0.0)


@shared
def recommender_errors_by_size(file: Path) -> pd.DataFrame:
    """The means of these errors over the data sets, with their standard errors: name, size, mean, standard_error."""
    means = recommender_errors(file).groupby(["method", "size"])["loss"].agg(["mean", "sem"]).reset_index()
    return means.rename(columns={"method": "name", "sem": "standard_error"})


@shared
def recommender_comparison(file: Path, methods: tuple[str, ...], size: int) -> Comparison:
    """The methods compared by these errors, at one size or over all (0)."""
    errors = recommender_errors(file)
    return compare(errors[errors.method.isin(methods) & ((errors["size"] == size) | (size == 0))])


@shared
def protocol_ranks(folders: tuple[Path, ...], loss: str, smoothing: Smoothing) -> pd.DataFrame:
    """Mean rank of each method under the protocol of each run: protocol, method, rank. Raises InvalidInput."""
    tables = []
    for folder in folders:
        ranks = compare(ranking_losses(folder, loss, smoothing)).mean_ranks
        protocol = experiment(folder)[0].sampling.protocol
        tables.append(pd.DataFrame({"protocol": protocol, "method": ranks.index, "rank": ranks.to_numpy()}))
    return pd.concat(tables, ignore_index=True)
