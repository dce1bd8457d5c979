"""What the page "Corrections" computes: a drawn sample corrected at every threshold, a trend, dataset shift."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pages.pipeline import dataset, fitted, origin_of, plan
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import ArtificialPrevalence, InvalidInput, NaturalPrevalence, PrevalencePath, RandomStream, Scores, random_stream
from qcore.intervals import ShiftVerdict
from qcore.intervals.shift_tests import comparison_seconds
from qcore.intervals.which_shift import shift_of_pool
from qcore.quantifiers.batch import THRESHOLD
from qcore.studies import dataset_shift
from qcore.studies import trend as trends
from qcore.studies.dataset_shift import DatasetShift
from qcore.studies.threshold_adjustment import ThresholdAdjustment, adjust_at_thresholds
from qcore.watching import WatchedShare, watch_share

SAMPLE = 300
"""Instances of the sample whose shift is tested, or as many as the pool has."""


@shared
def _threshold_adjustment(scores: Scores, path: PrevalencePath, threshold: float, draw: int) -> ThresholdAdjustment:
    return adjust_at_thresholds(scores, path, threshold, seed=scores.seed, draw=draw)


def threshold_adjustment(scores: Scores, path: PrevalencePath, threshold: float, draw: int) -> ThresholdAdjustment:
    """One drawn sample, and its correction at every threshold. Raises InvalidInput."""
    # Every multiple of 0.01 is among the thresholds anyway, so dragging to one needs no new computation.
    added = THRESHOLD if round(threshold, 2) == threshold else threshold
    return _threshold_adjustment(scores, path, added, draw)


@shared
def trend(scores: Scores, path: PrevalencePath, methods: tuple[str, ...]) -> pd.DataFrame:
    """A sample a day, and the methods' estimates of it. Raises InvalidInput."""
    return trends.trend(fitted(scores, methods), scores, path, scores.seed)


@shared
def watched(scores: Scores, path: PrevalencePath) -> WatchedShare:
    """The counts of the path's days, looked at every day: the first third of them is the baseline. Raises InvalidInput."""
    days = trends.counted_days(scores, path, scores.seed)
    return watch_share(days.positives, days.sizes, baseline=max(1, len(days.sizes) // 3))


@shared
def _shifted_scores(scores: Scores, shift: DatasetShift) -> Scores:
    """The scores, with dataset shift applied to the pool. Raises InvalidInput."""
    return dataset_shift.apply_shift(scores, shift, _covariate(scores, shift), _shift_rng(scores))


def _covariate(scores: Scores, shift: DatasetShift) -> ArrayLike:
    if shift.along is None:
        return scores.pool_scores
    data, settings = origin_of(scores)
    return dataset(data).features[shift.along].to_numpy()[plan(data, settings).pool_rows]


def _shift_rng(scores: Scores) -> np.random.Generator:
    return random_stream(scores.seed, RandomStream.SHIFTED_POOL)


def shifted_pools(scores: Scores, shift: DatasetShift, strengths: Sequence[float]) -> dict[float, Scores]:
    """Strength -> scores whose pool is shifted by it; strengths that leave only one class in the pool are omitted.

    Raises InvalidInput if strength 0 or the strength of `shift` leaves only one class.
    """
    pools = {}
    for strength in sorted({0.0, shift.strength, *strengths}):
        try:
            pools[strength] = _shifted_scores(scores, replace(shift, strength=strength))
        except InvalidInput:
            if strength in (0.0, shift.strength):
                raise
    return pools


@work(
    "Testing which shift it is",
    lambda scores, *_: comparison_seconds(len(scores.training_labels) + SAMPLE, dataset(origin_of(scores)[0]).n_columns),
)
def shift_of_shifted(scores: Scores, shift: DatasetShift, n_labels: int) -> Work[ShiftVerdict]:
    """Which shift a sample of the pool under shift shows, `n_labels` of it labelled. Raises InvalidInput."""
    data, settings = origin_of(scores)
    kept = dataset_shift.kept_rows(scores, shift, _covariate(scores, shift), _shift_rng(scores))
    rng = random_stream(scores.seed, RandomStream.SHIFT_TESTS)
    rows = np.sort(rng.choice(len(kept), min(SAMPLE, len(kept)), replace=False))
    split = plan(data, settings)
    instances = (split.training_rows, split.pool_rows[kept[rows]])
    arguments = (dataset(data), _shifted_scores(scores, shift), rows, instances)
    return Work(shift_of_pool, arguments, {"n_labels": n_labels, "rng": rng}, tells=False)


@shared
def errors_under_shift(
    scores: Scores,
    pools: Mapping[float, Scores],
    protocol: ArtificialPrevalence | NaturalPrevalence,
    methods: tuple[str, ...],
) -> pd.DataFrame:
    """The errors of the methods, learnt from `scores`, on the pool at each strength of a shift. Raises InvalidInput."""
    return dataset_shift.errors_under_shift(fitted(scores, methods), pools, protocol, scores.seed)
