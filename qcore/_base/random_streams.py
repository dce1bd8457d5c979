"""One list of the random draws that share a person's seed, so that no two of them share random numbers."""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class RandomStream(IntEnum):
    """What random numbers are drawn for. The numbers are part of every result: a new purpose gets a new number.

    Examples
    --------
    >>> int(RandomStream.TREND)
    411
    """

    DRAWN_SAMPLE = 401
    """The one sample that the corrections are shown on."""

    REPEATED_SAMPLES = 402
    """The many samples like it, which show how far estimates scatter."""

    TREND = 411
    """One sample a day along a path of prevalences."""

    SHIFTED_POOL = 412
    """Which instances of a pool stay under covariate shift."""

    SAMPLES_UNDER_SHIFT = 413
    """The samples that are drawn from a shifted pool."""

    SAMPLES_FOR_RATES = 414
    """The samples on which rates that were estimated in different ways correct the count."""

    TILES = 415
    """The instances that stand for a sample in a picture."""

    DECISIONS = 416
    """The samples whose instances are classified before and after scores are adjusted."""

    DOUBLE_BOOTSTRAP = 417
    """The samples and training scores that are redrawn for an interval."""

    GOODNESS_OF_FIT = 418
    """The samples of a mixture that say how far a sample may be from it."""

    COVERAGE = 419
    """The simulated samples that say whether intervals keep their promise."""

    ESTIMATED_SAMPLE = 403
    """The one sample whose share is estimated."""

    CLASS_SAMPLE = 404
    """The one sample of more than two classes whose shares are estimated."""

    CLASS_BOOTSTRAP = 420
    """The samples and training scores of more than two classes that are redrawn for a region."""

    SIMULATED_STUDIES = 424
    """Simulated comparisons, which say how often a test finds a difference."""

    METATABLE = 421
    """The samples that a recommender learns from."""

    RECOMMENDER_FOREST = 422
    """The random forest of a recommender."""

    METAFEATURE_SHUFFLES = 423
    """The shuffles that tell how much a metafeature matters to a recommender."""


def random_stream(seed: int, stream: RandomStream, *more: int) -> np.random.Generator:
    """The generator of one purpose: `seed` is the person's, `more` numbers tell draws of the same purpose apart.

    Examples
    --------
    >>> random_stream(0, RandomStream.TREND).random() == random_stream(0, RandomStream.TREND, 1).random()
    False
    """
    return np.random.default_rng([seed, int(stream), *more])
