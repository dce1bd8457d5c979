"""Prevalence that follows a path over the days, and what quantifiers say on each (B Figure 3.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from qcore.estimates import estimate
from qcore.protocols import PrevalencePath
from qcore.quantifiers import Quantifier
from qcore.registry import registry
from qcore.scores import Scores
from qcore.validation import FloatArray, InvalidInput, check_choice, check_integer

DAYS: Final = 30
_MOST_TRAINING: Final = 0.7
_NUMERAL: Final = re.compile(r"[0-9]*\.?[0-9]+([eE]-?[0-9]+)?|[0-9]+\.")


@dataclass(frozen=True)
class Path:
    """A course of the prevalence: `at` maps the share of the time that has passed, (n_days,), to prevalences."""

    key: str
    at: Callable[[FloatArray], FloatArray]
    idea: str


PATHS: Final = registry(
    Path("rising", lambda t: 0.1 + 0.8 * t, "from 0.1 to 0.9, a little each day"),
    Path("falling", lambda t: 0.9 - 0.8 * t, "from 0.9 to 0.1, a little each day"),
    Path("wave", lambda t: 0.5 + 0.4 * np.sin(4.0 * np.pi * t), "up and down twice between 0.1 and 0.9"),
    Path("step", lambda t: np.where(t < 0.5, 0.2, 0.8), "0.2 for half of the days, then 0.8"),
)


def path_prevalences(path: str, n_days: int = DAYS) -> tuple[float, ...]:
    """The prevalence of each day on a path of PATHS. Raises InvalidInput for an unknown one."""
    check_integer("n_days", n_days, low=2)
    check_choice("path", path, PATHS)
    return tuple(np.round(PATHS[path].at(np.linspace(0.0, 1.0, n_days)), 6).tolist())


def typed_prevalences(text: str, n_days: int = DAYS) -> tuple[float, ...]:
    """The prevalences that a person typed, such as "0.2 0.5, 0.1": straight lines between them fill the days.

    Raises InvalidInput for anything but 1 to `n_days` numbers from 0 to 1.
    """
    way_out = "Write for example: 0.2 0.8 0.3"
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    if not 1 <= len(words) <= n_days:
        raise InvalidInput("the typed path", f"have 1 to {n_days} prevalences", f"{len(words)}", way_out)
    values = []
    for word in words:
        value = float(word) if _NUMERAL.fullmatch(word) else np.nan
        if not 0.0 <= value <= 1.0:
            raise InvalidInput("each prevalence of the typed path", "be a number from 0 to 1", repr(word[:20]), way_out)
        values.append(value)
    return tuple(np.interp(np.linspace(0.0, 1.0, n_days), np.linspace(0.0, 1.0, len(values)), values).tolist())


def training_share(n_instances: int, n_training: int) -> float:
    """The share of a data set that makes `n_training` training instances, or what leaves three tenths of it for the pool."""
    check_integer("n_training", n_training, low=4, way_out="Choose for example 100.")
    # Half an instance more, so that rounding down meets the number itself.
    return min((n_training + 0.5) / n_instances, _MOST_TRAINING)


def trend(
    quantifiers: Mapping[str, Quantifier], scores: Scores, path: PrevalencePath, rng: np.random.Generator
) -> pd.DataFrame:
    """One sample a day with the path's prevalences, and each fitted quantifier's estimate of it.

    Returns a tidy table: method, day (from 1), true, estimate. Raises InvalidInput when the pool can't give the samples.
    """
    samples = path.draw(scores.pool_labels, rng)
    found = estimate(quantifiers, scores.pool_scores, samples).by_method
    n_days = len(samples)
    return pd.DataFrame(
        {
            "method": np.repeat(list(found), n_days),
            "day": np.tile(np.arange(1, n_days + 1), len(found)),
            "true": np.tile(samples.prevalences, len(found)),
            "estimate": np.concatenate([*found.values()]) if found else np.empty(0),
        }
    )
