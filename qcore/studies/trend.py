"""A trend: a prevalence that follows a path over days, and each quantifier's estimate of each day.

Source: Barranquero 2013, Figure 3.1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.registry import registry
from qcore._base.validation import FloatArray, check_choice, check_integer
from qcore.evaluation.estimates import estimate
from qcore.protocols import PrevalencePath
from qcore.quantifiers import Quantifier
from qcore.quantifiers.batch import THRESHOLD
from qcore.scoring.plan import Scores
from qcore.watching import Batches

DAYS = 30
_MAX_TRAINING_SHARE = 0.7


@dataclass(frozen=True)
class Path:
    """A path of the prevalence over time: `at` maps the share of the time that has passed, (n_days,), to prevalences."""

    key: str
    at: Callable[[FloatArray], FloatArray]
    idea: str


PATHS = registry(
    Path(key="rising", at=lambda t: 0.1 + 0.8 * t, idea="from 0.1 to 0.9, a little each day"),
    Path(key="falling", at=lambda t: 0.9 - 0.8 * t, idea="from 0.9 to 0.1, a little each day"),
    Path(key="wave", at=lambda t: 0.5 + 0.4 * np.sin(4.0 * np.pi * t), idea="up and down twice between 0.1 and 0.9"),
    Path(key="step", at=lambda t: np.where(t < 0.5, 0.2, 0.8), idea="0.2 for half of the days, then 0.8"),
)


def path_prevalences(path: str, n_days: int = DAYS) -> tuple[float, ...]:
    """The prevalence of each day on a path of PATHS. Raises InvalidInput for an unknown one."""
    check_integer("n_days", n_days, low=2)
    check_choice("path", path, PATHS)
    return tuple(np.round(PATHS[path].at(np.linspace(0.0, 1.0, n_days)), 6).tolist())


def training_share(n_instances: int, n_training: int) -> float:
    """The share of a data set that gives `n_training` training instances, or at most 0.7, which leaves 0.3 for the pool."""
    check_integer("n_training", n_training, low=4, hint="Choose for example 100.")
    # Half an instance more, so that rounding down gives the number itself.
    return min((n_training + 0.5) / n_instances, _MAX_TRAINING_SHARE)


def counted_days(scores: Scores, path: PrevalencePath, seed: int) -> Batches:
    """How many of each day's sample, as in `trend`, are predicted positive. Raises the same errors as `trend`."""
    samples = path.draw(scores.pool_labels, random_stream(seed, RandomStream.TREND))
    found = np.concatenate([(scores.pool_scores[rows] >= THRESHOLD).sum(axis=1) for _, rows in samples.blocks()])
    return Batches(np.arange(1, len(found) + 1), found, np.full(len(found), samples.sample_size))


def trend(quantifiers: Mapping[str, Quantifier], scores: Scores, path: PrevalencePath, seed: int) -> pd.DataFrame:
    """One sample a day with the path's prevalences, and each fitted quantifier's estimate of it.

    Returns a tidy table: method, day (from 1), true, estimate. Raises InvalidInput when the pool can't give the samples.
    """
    samples = path.draw(scores.pool_labels, random_stream(seed, RandomStream.TREND))
    estimates = estimate(quantifiers, scores, samples).by_method
    n_days = len(samples)
    return pd.DataFrame(
        {
            "method": np.repeat(list(estimates), n_days),
            "day": np.tile(np.arange(1, n_days + 1), len(estimates)),
            "true": np.tile(samples.prevalences, len(estimates)),
            "estimate": np.concatenate([*estimates.values()]) if estimates else np.empty(0),
        }
    )
