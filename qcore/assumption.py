"""Breaking what corrections assume, that each class looks as it did in training: pools under covariate and concept shift.

Prior shift, which corrections repair, changes Pr(y) and keeps Pr(x | y). Covariate shift changes Pr(x) and keeps Pr(y | x);
concept shift changes Pr(y | x) and keeps Pr(x) (B 2.3.4; M 1.4). How strong either is, the papers leave open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from qcore.estimates import estimate
from qcore.protocols import ArtificialPrevalence, NaturalPrevalence, SamplingProtocol
from qcore.quantifiers import Quantifier
from qcore.quantifiers.rate_curve import rate_curve
from qcore.registry import registry
from qcore.scores import Scores
from qcore.validation import InvalidInput, check_choice, check_fraction

_STEEPNESS = 4.0
"""At strength 1 the instance with the highest value is e^4 times as likely to stay as the one with the lowest."""

_MOST_RELABELLED = 0.5
_SAMPLE_SIZE = 50


@dataclass(frozen=True)
class ShiftKind:
    """A way to break the assumption; `idea` says what strength does to the pool."""

    key: str
    idea: str


SHIFT_KINDS = registry(
    ShiftKind(
        "covariate shift",
        "Half of the pool stays, and which half depends on x: at strength 1 mostly instances with high values, at -1 with low "
        "ones. What a given x means, Pr(y | x), stays as it was.",
    ),
    ShiftKind(
        "concept shift",
        "All instances stay, but what counts as positive changes: at strength 1 the half of the negatives that scores highest "
        "counts as positive now, at -1 the half of the positives that scores lowest counts as negative.",
    ),
)


def covariate_shift(scores: Scores, covariate: ArrayLike, strength: float, rng: np.random.Generator) -> Scores:
    """Scores with half of the pool, chosen by `covariate`, (n_pool,): a feature of any kind, or the scores themselves.

    Instances stay with odds that grow, for a strength above 0, or fall with the rank of their value (ties share a rank), by
    e^(4 strength) from the lowest to the highest; 0 keeps a random half. Raises InvalidInput.
    """
    check_fraction("strength", strength, low=-1.0)
    values = np.asarray(covariate)
    n_pool = len(scores.pool_labels)
    if values.shape != (n_pool,):
        raise InvalidInput("covariate", f"have shape ({n_pool},)", f"shape {values.shape}", "Give a value for each instance.")
    codes = values if np.issubdtype(values.dtype, np.number) else np.unique(values.astype(str), return_inverse=True)[1]
    ranks = (rankdata(codes) - 1.0) / max(n_pool - 1, 1)
    # Gumbel keys: the largest are a draw without replacement with these odds. The same noise at every strength.
    keys = _STEEPNESS * strength * ranks + rng.gumbel(size=n_pool)
    kept = np.sort(np.argsort(-keys, kind="stable")[: max(n_pool // 2, 1)])
    return replace(scores, pool_scores=scores.pool_scores[kept], pool_labels=scores.pool_labels[kept])


def concept_shift(scores: Scores, strength: float) -> Scores:
    """Scores with other pool labels: a share |strength| / 2 of one class changes sides, by score.

    Above 0 the highest-scoring negatives become positives, below 0 the lowest-scoring positives become negatives; of equal
    scores the first in the pool. Raises InvalidInput.
    """
    check_fraction("strength", strength, low=-1.0)
    labels = scores.pool_labels.copy()
    loser = 0 if strength > 0 else 1
    members = np.flatnonzero(labels == loser)
    n_changed = int(np.rint(_MOST_RELABELLED * abs(strength) * len(members)))
    order = np.argsort(-scores.pool_scores[members] if loser == 0 else scores.pool_scores[members], kind="stable")
    labels[members[order[:n_changed]]] = 1 - loser
    return replace(scores, pool_labels=labels)


@dataclass(frozen=True)
class Break:
    """Which shift: `kind`, a key of SHIFT_KINDS, its `strength` from -1 to 1, and for covariate shift the feature that it
    goes `along`, None for the scores themselves. Raises InvalidInput for a value out of range.
    """

    kind: str
    strength: float
    along: str | None = None

    def __post_init__(self) -> None:
        check_choice("kind of shift", self.kind, SHIFT_KINDS)
        check_fraction("strength", self.strength, low=-1.0)


def shifted(scores: Scores, how: Break, covariate: ArrayLike, rng: np.random.Generator) -> Scores:
    """Scores whose pool is under shift; `covariate`, (n_pool,), is what it goes along. InvalidInput when a class is gone."""
    strength = how.strength
    concept = how.kind == "concept shift"
    found = concept_shift(scores, strength) if concept else covariate_shift(scores, covariate, strength, rng)
    if len(np.unique(found.pool_labels)) < 2:
        side = "negatives" if found.pool_labels.all() else "positives"
        raise InvalidInput(f"the {side} of the pool", "not all be gone after the shift", f"strength {strength:g}", "Weaken it.")
    return found


def samples_under_shift(
    pools: Mapping[float, Scores], asked: float, *, natural: bool
) -> tuple[NaturalPrevalence | ArtificialPrevalence, list[float]]:
    """A protocol that compares pools under shift of several strengths, and the strengths whose pools can give its samples.

    300 `natural` samples, as they come from the pool, or 30 at each of 11 prevalences; of 50 instances, or as many as the pools
    without shift and of the `asked` strength can give (of natural ones half of the pool, so that they differ).
    """
    largest = {}
    for strength, scores in pools.items():
        n_positives, n_pool = int(scores.pool_labels.sum()), len(scores.pool_labels)
        largest[strength] = max(n_pool // 2, 1) if natural else min(n_positives, n_pool - n_positives)
    size = min(_SAMPLE_SIZE, largest[0.0], largest[asked])
    protocol = NaturalPrevalence(300, size) if natural else ArtificialPrevalence(11, size, 30)
    return protocol, [strength for strength in pools if largest[strength] >= size]


def rates_before_and_after(training: Scores, pool: Scores, n_thresholds: int = 201) -> pd.DataFrame:
    """Rates of the training part (out of fold) and of a pool at thresholds from 0 to 1.

    Returns a tidy table: part, threshold, tpr, fpr, n_positives, n_negatives (on which the rates were measured).
    """
    thresholds = np.linspace(0.0, 1.0, n_thresholds)
    parts = {
        "training": (training.training_scores, training.training_labels),
        "pool": (pool.pool_scores, pool.pool_labels),
    }
    tables = []
    for part, (scores, labels) in parts.items():
        curve = rate_curve(scores, labels, thresholds)
        counts = {"n_positives": int(labels.sum()), "n_negatives": int((1 - labels).sum())}
        tables.append(pd.DataFrame({"part": part, "threshold": thresholds, "tpr": curve.tpr, "fpr": curve.fpr, **counts}))
    return pd.concat(tables, ignore_index=True)


def degradation(
    quantifiers: Mapping[str, Quantifier], pools: Mapping[float, Scores], protocol: SamplingProtocol, seeds: Sequence[int]
) -> pd.DataFrame:
    """How each fitted quantifier fares on pools under shift of several strengths, with samples of one protocol.

    Parameters
    ----------
    pools : strength -> Scores with the shifted pool.
    seeds : of the draws; the same for every strength.

    Returns a tidy table: method, strength, n_samples, true (mean), estimate (mean), lower and upper (10th and 90th percentile
    of the error), bias (mean error) and AE (mean). Raises InvalidInput when a pool can't give the samples.
    """
    rows = []
    for strength, scores in pools.items():
        samples = protocol.draw(scores.pool_labels, np.random.default_rng(seeds))
        truth = samples.prevalences
        for method, values in estimate(quantifiers, scores.pool_scores, samples).by_method.items():
            errors = values - truth
            low, high = np.quantile(errors, (0.1, 0.9))
            rows.append(
                (method, strength, len(samples), truth.mean(), values.mean(), low, high, errors.mean(), np.abs(errors).mean())
            )
    return pd.DataFrame(rows, columns=["method", "strength", "n_samples", "true", "estimate", "lower", "upper", "bias", "AE"])
