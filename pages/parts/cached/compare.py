"""The caches of the page "Compare": experiments that were run, their losses, simulated studies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from qcore import RandomStream, random_stream
from qcore.evaluation.experiment import ExperimentSettings, compared_losses, mean_losses, read_experiment
from qcore.evaluation.significance import Trust, compare, trust
from qcore.losses import Smoothing

ADVANTAGES: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)


@st.cache_resource(show_spinner="Reading the experiment", max_entries=10)
def _experiment(folder: Path, written: float) -> tuple[ExperimentSettings, pd.DataFrame]:
    return read_experiment(folder)


def experiment(folder: Path) -> tuple[ExperimentSettings, pd.DataFrame]:
    """Settings and estimates of a run; read anew when it has grown. Raises InvalidInput."""
    return _experiment(folder, _written(folder))


def _written(folder: Path) -> float:
    """When something was written last."""
    return max((path.stat().st_mtime for path in (folder, folder / "cells") if path.exists()), default=0.0)


@st.cache_resource(show_spinner=False, max_entries=60)
def _losses(folder: Path, written: float, loss: str, smoothing: Smoothing, by: tuple[str, ...]) -> pd.DataFrame:
    settings, estimates = _experiment(folder, written)
    return mean_losses(estimates, settings, loss, smoothing, by)


@st.cache_resource(show_spinner=False, max_entries=60)
def _ranking(folder: Path, written: float, loss: str, smoothing: Smoothing) -> pd.DataFrame:
    settings, estimates = _experiment(folder, written)
    return compared_losses(estimates, settings, loss, smoothing)


def ranking_losses(folder: Path, loss: str, smoothing: Smoothing) -> pd.DataFrame:
    """`compared_losses` of a run. Raises InvalidInput."""
    return _ranking(folder, _written(folder), loss, smoothing)


def experiment_losses(folder: Path, loss: str, smoothing: Smoothing, by: tuple[str, ...] = ()) -> pd.DataFrame:
    """`mean_losses` of a run. Raises InvalidInput."""
    return _losses(folder, _written(folder), loss, smoothing, by)


@st.cache_resource(show_spinner=False, max_entries=60)
def protocol_ranks(folders: tuple[Path, ...], loss: str, smoothing: Smoothing) -> pd.DataFrame:
    """Mean rank of each method under the protocol of each run: protocol, method, rank. Raises InvalidInput."""
    tables = []
    for folder in folders:
        ranks = compare(ranking_losses(folder, loss, smoothing)).mean_ranks
        protocol = experiment(folder)[0].sampling.protocol
        tables.append(pd.DataFrame({"protocol": protocol, "method": ranks.index, "rank": ranks.to_numpy()}))
    return pd.concat(tables, ignore_index=True)


@st.cache_resource(show_spinner="Simulating studies", max_entries=60)
def simulated_trust(n_methods: int, n_sets: int, n_cases: int, spread: float, seed: int) -> list[Trust]:
    """How often Friedman's test finds a difference, for each of ADVANTAGES. Raises InvalidInput."""
    repetitions = int(np.clip(400_000 // (n_methods * n_sets * n_cases), 50, 300))
    return [
        trust(
            n_methods, n_sets, n_cases, advantage=advantage, spread=spread, repetitions=repetitions,
            rng=random_stream(seed, RandomStream.SIMULATED_STUDIES, number),
        )
        for number, advantage in enumerate(ADVANTAGES)
    ]  # fmt: skip
