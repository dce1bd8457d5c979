"""What the page "Home" computes: what counting and correcting say at each true share, and a hundred digits of one sample."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pages import pipeline
from pages.work.answers import shared
from qcore import ArtificialPrevalence, Estimates, Scores
from qcore.base import FloatArray
from qcore.evaluation.summaries import curves, means_at
from qcore.studies.shown_instances import Tiles, tiles


@dataclass(frozen=True)
class TodaysDigits:
    """What the picture shows.

    Attributes
    ----------
    table : of `curves`, of counting and correcting.
    means : for each share of positives, the mean estimate of each method.
    training_share : of positives among the digits that the classifier learnt from.
    counting_is_right : the share at which the mean count is the truth.
    tiles, images : instances of the pool, and the pictures of all of the pool, (n_pool, n_pixels).
    """

    table: pd.DataFrame
    means: list[dict[str, float]]
    training_share: float
    counting_is_right: float
    tiles: Tiles
    images: FloatArray


@shared
def _todays_digits(scores: Scores, estimates: Estimates, shares: Sequence[float]) -> TodaysDigits:
    table = curves(estimates.by_method, estimates.samples)
    data, settings = pipeline.origin_of(scores)
    images = pipeline.dataset(data).features.to_numpy(dtype=float)[pipeline.plan(data, settings).pool_rows]
    counted = table[table.method == "CC"]
    excess = (counted["mean"] - counted.true).to_numpy()
    # The excess falls from the fpr to -(1 - tpr): reversed, it rises, as `interp` wants it.
    right = float(np.interp(0.0, excess[::-1], counted.true.to_numpy()[::-1]))
    means = [means_at(table, share) for share in shares]
    return TodaysDigits(table, means, float(scores.training_labels.mean()), right, tiles(scores, settings.seed), images)


def todays_digits(
    scores: Scores, protocol: ArtificialPrevalence, methods: Sequence[str], shares: Sequence[float]
) -> TodaysDigits:
    """What the methods say of samples of each share. Raises InvalidInput."""
    return _todays_digits(scores, pipeline.estimates(scores, protocol, methods), tuple(shares))
