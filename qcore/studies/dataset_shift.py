"""Dataset shift that breaks the assumption of corrections: pools under covariate shift and under concept shift.

Prior shift, which corrections repair, changes Pr(y) and keeps Pr(x | y). Covariate shift changes Pr(x) and keeps Pr(y | x).
Concept shift has two forms: Pr(y | x) changes and Pr(x) stays, or Pr(x | y) changes and Pr(y) stays. The papers leave open how
strength is measured.
Source: Barranquero 2013, 2.3.4; Marufo 2023, 1.4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.registry import registry
from qcore._base.validation import IntArray, InvalidInput, check_choice, check_fraction
from qcore.evaluation.estimates import estimate
from qcore.measures.roc import rate_curve
from qcore.protocols import ArtificialPrevalence, NaturalPrevalence, SamplingProtocol
from qcore.quantifiers import Quantifier
from qcore.scoring.scores import Scores

_STEEPNESS = 4.0
"""At strength 1, the instance with the highest value stays with odds e^4 times those of the lowest."""

_MAX_RELABELLED = 0.5
_SAMPLE_SIZE = 50


@dataclass(frozen=True)
class ShiftKind:
    """A kind of dataset shift.

    Attributes
    ----------
    key, idea : its name, and what its strength does to the pool.
    apply : (scores, covariate, strength, generator) -> scores with the pool under shift.
    kept : (the same arguments) -> the indices of the pool's instances that `apply` keeps, in order.
    goes_along : whether it depends on the covariate.
    """

    key: str
    idea: str
    apply: Callable[[Scores, ArrayLike, float, np.random.Generator], Scores]
    kept: Callable[[Scores, ArrayLike, float, np.random.Generator], IntArray]
    goes_along: bool = False


def covariate_shift(scores: Scores, covariate: ArrayLike, strength: float, rng: np.random.Generator) -> Scores:
    """Scores with half of the pool, chosen by `covariate`, (n_pool,): a feature of any kind, or the scores themselves.

    Instances stay with odds that grow, for a strength above 0, or fall with the rank of their value (ties share a rank), by
    e^(4 strength) from the lowest to the highest; 0 keeps a random half. Raises InvalidInput.
    """
    kept = _kept_by_covariate(scores, covariate, strength, rng)
    return replace(scores, pool_scores=scores.pool_scores[kept], pool_labels=scores.pool_labels[kept])


def _kept_by_covariate(scores: Scores, covariate: ArrayLike, strength: float, rng: np.random.Generator) -> IntArray:
    check_fraction("strength", strength, low=-1.0)
    values = np.asarray(covariate)
    n_pool = len(scores.pool_labels)
    if values.shape != (n_pool,):
        raise InvalidInput("covariate", f"have shape ({n_pool},)", f"shape {values.shape}", "Give a value for each instance.")
    codes = values if np.issubdtype(values.dtype, np.number) else np.unique(values.astype(str), return_inverse=True)[1]
    ranks = (rankdata(codes) - 1.0) / max(n_pool - 1, 1)
    # Gumbel keys: the largest are a draw without replacement with these odds. The noise is the same at every strength.
    keys = _STEEPNESS * strength * ranks + rng.gumbel(size=n_pool)
    return np.sort(np.argsort(-keys, kind="stable")[: max(n_pool // 2, 1)])


def concept_shift(scores: Scores, strength: float) -> Scores:
    """Scores with other pool labels: a share |strength| / 2 of one class changes its label, by score.

    Above 0 the highest-scoring negatives become positives, below 0 the lowest-scoring positives become negatives; ties go to
    the first in the pool. Raises InvalidInput.
    """
    check_fraction("strength", strength, low=-1.0)
    labels = scores.pool_labels.copy()
    relabelled = 0 if strength > 0 else 1
    members = np.flatnonzero(labels == relabelled)
    n_changed = int(np.rint(_MAX_RELABELLED * abs(strength) * len(members)))
    order = np.argsort(-scores.pool_scores[members] if relabelled == 0 else scores.pool_scores[members], kind="stable")
    labels[members[order[:n_changed]]] = 1 - relabelled
    return replace(scores, pool_labels=labels)


def class_definition_change(scores: Scores, strength: float, rng: np.random.Generator) -> Scores:
    """Scores with half of each class of the pool: positives are chosen by score, negatives at random.

    Positives stay with odds as in `covariate_shift`, with their score as the covariate. Raises InvalidInput.
    """
    rows = _kept_of_classes(scores, strength, rng)
    return replace(scores, pool_scores=scores.pool_scores[rows], pool_labels=scores.pool_labels[rows])


def _kept_of_classes(scores: Scores, strength: float, rng: np.random.Generator) -> IntArray:
    check_fraction("strength", strength, low=-1.0)
    noise = rng.gumbel(size=len(scores.pool_labels))
    kept = []
    for label, steepness in ((0, 0.0), (1, _STEEPNESS * strength)):
        members = np.flatnonzero(scores.pool_labels == label)
        ranks = (rankdata(scores.pool_scores[members]) - 1.0) / max(len(members) - 1, 1)
        order = np.argsort(-(steepness * ranks + noise[members]), kind="stable")
        kept.append(members[order[: max(len(members) // 2, 1)]])
    return np.sort(np.concatenate(kept))


SHIFT_KINDS = registry(
    ShiftKind(
        key="covariate shift",
        idea="Half of the pool is kept: at strength 1 mostly instances with high x, at -1 with low x. Pr(y | x) stays, so "
        "PCC on calibrated scores is right; Pr(x | y) changes, so corrections are wrong.",
        apply=covariate_shift,
        kept=_kept_by_covariate,
        goes_along=True,
    ),
    ShiftKind(
        key="concept shift",
        idea="What counts as positive changes (concept shift of Pr(y | x)); Pr(x) stays. At strength 1 the half of the "
        "negatives with the highest scores becomes positive, at -1 the half of the positives with the lowest scores negative.",
        apply=lambda scores, _covariate, strength, _rng: concept_shift(scores, strength),
        kept=lambda scores, *_: np.arange(len(scores.pool_labels)),
    ),
    ShiftKind(
        key="class definition change",
        idea="What positives look like changes (concept shift of Pr(x | y)); their share stays. Half of each class is kept: at "
        "strength 1 mostly positives that score high, at -1 those that score low. So tpr moves, fpr does not.",
        apply=lambda scores, _covariate, strength, rng: class_definition_change(scores, strength, rng),
        kept=lambda scores, _covariate, strength, rng: _kept_of_classes(scores, strength, rng),
    ),
)


@dataclass(frozen=True)
class DatasetShift:
    """A shift: `kind`, a key of SHIFT_KINDS, its `strength` from -1 to 1, and for covariate shift the feature that it goes
    `along`, None for the scores themselves. Raises InvalidInput for a value out of range.
    """

    kind: str
    strength: float
    along: str | None = None

    def __post_init__(self) -> None:
        check_choice("kind of shift", self.kind, SHIFT_KINDS)
        check_fraction("strength", self.strength, low=-1.0)


def apply_shift(scores: Scores, shift: DatasetShift, covariate: ArrayLike, rng: np.random.Generator) -> Scores:
    """Scores whose pool is under shift; `covariate`, (n_pool,), is the feature of covariate shift.

    Raises InvalidInput if the shift leaves no instance of a class.
    """
    strength = shift.strength
    shifted = SHIFT_KINDS[shift.kind].apply(scores, covariate, strength, rng)
    if len(np.unique(shifted.pool_labels)) < 2:
        side = "negatives" if shifted.pool_labels.all() else "positives"
        raise InvalidInput(f"the {side} of the pool", "not all vanish under the shift", f"strength {strength:g}", "Weaken it.")
    return shifted


def kept_rows(scores: Scores, shift: DatasetShift, covariate: ArrayLike, rng: np.random.Generator) -> IntArray:
    """Indices of the pool's instances that `apply_shift` keeps with the same generator, in its order. Raises InvalidInput."""
    return SHIFT_KINDS[shift.kind].kept(scores, covariate, shift.strength, rng)


def samples_under_shift(
    pools: Mapping[float, Scores], strength: float, *, natural: bool
) -> tuple[NaturalPrevalence | ArtificialPrevalence, list[float]]:
    """A protocol that compares pools under shift of several strengths, and the strengths whose pools can give its samples.

    It draws 300 `natural` samples, as they come from the pool, or 30 at each of 11 prevalences. Samples have 50 instances, or
    as many as the pools without shift and with the shift of `strength` can give (natural samples: half of the pool, so that
    they differ).
    """
    largest = {}
    for key, scores in pools.items():
        n_positives, n_pool = int(scores.pool_labels.sum()), len(scores.pool_labels)
        largest[key] = max(n_pool // 2, 1) if natural else min(n_positives, n_pool - n_positives)
    size = min(_SAMPLE_SIZE, largest[0.0], largest[strength])
    protocol = NaturalPrevalence(300, size) if natural else ArtificialPrevalence(11, size, 30)
    return protocol, [key for key in pools if largest[key] >= size]


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


def errors_under_shift(
    quantifiers: Mapping[str, Quantifier], pools: Mapping[float, Scores], protocol: SamplingProtocol, seed: int
) -> pd.DataFrame:
    """The errors of each fitted quantifier on pools under shift of several strengths, with samples of one protocol.

    Parameters
    ----------
    pools : strength -> Scores with the shifted pool.
    seed : seed of the draws; the same for every strength.

    Returns a tidy table: method, strength, n_samples, true (mean), estimate (mean), lower and upper (10th and 90th percentile
    of the error), bias (mean error) and AE (mean). Raises InvalidInput if a pool can't give the samples.
    """
    rows = []
    for strength, scores in pools.items():
        samples = protocol.draw(scores.pool_labels, random_stream(seed, RandomStream.SAMPLES_UNDER_SHIFT))
        truth = samples.prevalences
        for method, values in estimate(quantifiers, scores, samples).by_method.items():
            errors = values - truth
            low, high = np.quantile(errors, (0.1, 0.9))
            rows.append(
                (method, strength, len(samples), truth.mean(), values.mean(), low, high, errors.mean(), np.abs(errors).mean())
            )
    return pd.DataFrame(rows, columns=["method", "strength", "n_samples", "true", "estimate", "lower", "upper", "bias", "AE"])
