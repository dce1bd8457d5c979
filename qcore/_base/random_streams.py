"""One list of all purposes of random draws: they share the user's seed, but no two share random numbers."""

from enum import IntEnum

import numpy as np

from qcore._base.validation import check_integer, check_kind


class RandomStream(IntEnum):
    """The purposes of random draws. Results depend on these numbers, so a new purpose gets a new number.

    Examples
    --------
    >>> int(RandomStream.TREND)
    411
    """

    DRAWN_SAMPLE = 401
    """The single sample on which the corrections are shown."""

    REPEATED_SAMPLES = 402
    """Many samples like DRAWN_SAMPLE, which show how far estimates scatter."""

    TREND = 411
    """One sample a day along a path of prevalences."""

    SHIFTED_POOL = 412
    """Which instances of a pool stay under covariate shift."""

    SAMPLES_UNDER_SHIFT = 413
    """The samples that are drawn from a shifted pool."""

    SAMPLES_FOR_RATES = 414
    """The samples whose counts are corrected with rates estimated in different ways."""

    TILES = 415
    """The instances that stand for a sample in a picture."""

    DECISIONS = 416
    """The samples whose instances are classified before and after scores are adjusted."""

    DOUBLE_BOOTSTRAP = 417
    """The samples and training scores that are redrawn for an interval."""

    GOODNESS_OF_FIT = 418
    """The samples drawn from a mixture, which show how far from the mixture a sample may be."""

    COVERAGE = 419
    """The simulated samples on which the coverage of intervals is measured."""

    ESTIMATED_SAMPLE = 403
    """The one sample whose share is estimated."""

    CLASS_SAMPLE = 404
    """The one sample of more than two classes whose shares are estimated."""

    CLASS_BOOTSTRAP = 420
    """The samples and training scores of more than two classes that are redrawn for a region."""

    SIMULATED_STUDIES = 424
    """Simulated comparisons, which show how often a test finds a difference."""

    SCORED_SAMPLES = 426
    """The samples of a test fold on which a search scores a quantifier."""

    CALIBRATION_CHECK = 425
    """The labels drawn with scores as probabilities, which show how far from calibrated these may seem."""

    METATABLE = 421
    """The samples that a recommender learns from."""

    RECOMMENDER_FOREST = 422
    """The random forest of a recommender."""

    SHIFT_TESTS = 429
    """Folds and thinned instances of the tests that tell which shift it is."""

    PRECISE_QUANTIFIER = 430
    """Posterior draws of the sample's own share by the precise quantifier."""

    FOLDS_OF_SAMPLE = 431
    """Which fold's model scores each instance of a sample for comparisons with training."""

    DIFFERENCES = 432
    """Redrawn labels and samples, from which differences of shares follow."""

    CLASS_POSTERIOR = 428
    """Posterior draws of the shares of more than two classes, given counts."""

    SIMULATED_BATCHES = 427
    """Simulated batches of a share that is watched over time."""

    METAFEATURE_SHUFFLES = 423
    """The shuffles that measure how much a metafeature matters to a recommender."""


def random_stream(seed: int, stream: RandomStream, *more: int) -> np.random.Generator:
    """The random generator for one purpose.

    `seed` is the user's seed, `stream` the purpose; `more` numbers separate draws for the same purpose.

    Raises InvalidInput if the seed or one of `more` is not a whole number of at least 0, or `stream` is not a RandomStream.

    Examples
    --------
    >>> random_stream(0, RandomStream.TREND).random() == random_stream(0, RandomStream.TREND, 1).random()
    False
    """
    check_kind("stream", stream, RandomStream, "Write for example RandomStream.TREND.")
    numbers = [check_integer("each number after the purpose", number, low=0) for number in more]
    return np.random.default_rng([check_integer("seed", seed, low=0), int(stream), *numbers])
