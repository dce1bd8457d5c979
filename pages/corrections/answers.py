"""The caches of the page "Corrections": a drawn sample corrected at every threshold, a trend, dataset shift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from pages.pipeline.data_sets import dataset
from pages.pipeline.scores import fitted, plan
from pages.work.answers import shared
from qcore import (
    ArtificialPrevalence,
    DatasetReference,
    InvalidInput,
    NaturalPrevalence,
    PrevalencePath,
    RandomStream,
    Scores,
    ScoringSettings,
    random_stream,
)
from qcore.quantifiers.counting import THRESHOLD
from qcore.studies import dataset_shift
from qcore.studies import trend as trends
from qcore.studies.dataset_shift import DatasetShift
from qcore.studies.threshold_adjustment import ThresholdAdjustment, adjust_at_thresholds


@shared
def _threshold_adjustment(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, threshold: float, draw: int, _scores: Scores
) -> ThresholdAdjustment:
    return adjust_at_thresholds(_scores, path, threshold, seed=settings.seed, draw=draw)


def threshold_adjustment(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, threshold: float, *, draw: int, scored: Scores
) -> ThresholdAdjustment:
    """One drawn sample, and its correction at every threshold. Raises InvalidInput."""
    # Multiples of 0.01 are looked at anyway: dragging to one computes nothing new.
    added = THRESHOLD if round(threshold, 2) == threshold else threshold
    return _threshold_adjustment(data, settings, path, added, draw, scored)


@shared
def trend(
    data: DatasetReference, settings: ScoringSettings, path: PrevalencePath, methods: tuple[str, ...], _scores: Scores
) -> pd.DataFrame:
    """A sample a day, and the methods' estimates of it. Raises InvalidInput."""
    return trends.trend(fitted(data, settings, methods, _scores), _scores, path, settings.seed)


@shared
def _shifted_scores(data: DatasetReference, settings: ScoringSettings, shift: DatasetShift, _scores: Scores) -> Scores:
    """Scores whose pool is under shift. Raises InvalidInput."""
    rows = plan(data, settings).pool_rows
    covariate = _scores.pool_scores if shift.along is None else dataset(data).features[shift.along].to_numpy()[rows]
    rng = random_stream(settings.seed, RandomStream.SHIFTED_POOL)
    return dataset_shift.apply_shift(_scores, shift, covariate, rng)


def shifted_pools(
    data: DatasetReference, settings: ScoringSettings, shift: DatasetShift, strengths: Sequence[float], scored: Scores
) -> dict[float, Scores]:
    """Scores with the pool at each strength; except for 0 and the shift's own, only those that keep both classes.

    Raises InvalidInput if one of these two does not.
    """
    pools = {}
    for strength in sorted({0.0, shift.strength, *strengths}):
        try:
            pools[strength] = _shifted_scores(data, settings, replace(shift, strength=strength), scored)
        except InvalidInput:
            if strength in (0.0, shift.strength):
                raise
    return pools


@shared
def errors_under_shift(
    data: DatasetReference,
    settings: ScoringSettings,
    shift: DatasetShift,
    strengths: tuple[float, ...],
    protocol: ArtificialPrevalence | NaturalPrevalence,
    *,
    methods: tuple[str, ...],
    _pools: Mapping[float, Scores],
    _scores: Scores,
) -> pd.DataFrame:
    """The methods' errors under the shift at each of the strengths; `_pools` of `shifted_pools`. Raises InvalidInput."""
    pools = {strength: _pools[strength] for strength in strengths}
    return dataset_shift.errors_under_shift(fitted(data, settings, methods, _scores), pools, protocol, settings.seed)
