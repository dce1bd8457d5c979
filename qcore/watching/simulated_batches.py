"""Batches of a share that moves once, or never: an example whose truth is known, and when its move is seen."""

import numpy as np

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import check_fraction, check_integer
from qcore.watching.batches import Batches
from qcore.watching.watched_share import compared_with_baseline


def simulated_batches(
    shares: tuple[float, float], *, size: int = 100, n_batches: int = 50, moves_after: int = 25, seed: int = 0, draw: int = 0
) -> Batches:
    """Batches of `size` instances: the share of positives is the first of `shares`, and the second after `moves_after` batches.

    Raises InvalidInput.

    Examples
    --------
    >>> simulated_batches((0.3, 0.4), n_batches=4, moves_after=2).positives.tolist()
    [26, 23, 45, 41]
    """
    first, second = (check_fraction("a share", share) for share in shares)
    check_integer("the size of a batch", size, low=1)
    check_integer("the number of batches", n_batches, low=2)
    rng = random_stream(seed, RandomStream.SIMULATED_BATCHES, draw)
    numbers = np.arange(1, n_batches + 1)
    positives = rng.binomial(size, np.where(numbers <= moves_after, first, second))
    return Batches(numbers, positives, np.full(n_batches, size))


def batches_until_seen(
    shares: tuple[float, float], *, moves_after: int = 25, baseline: int = 20, level: float = 0.95, **more: int
) -> float:
    """After how many batches a move of a simulated share is seen: 0 if an alert is given before it, infinity if none is.

    `more` are size, n_batches, seed and draw of `simulated_batches`. Raises InvalidInput.

    Examples
    --------
    >>> batches_until_seen((0.3, 0.5)), batches_until_seen((0.3, 0.3))
    (6.0, inf)
    """
    batches = simulated_batches(shares, moves_after=moves_after, **more)
    moved = compared_with_baseline(batches.positives, batches.sizes, baseline, level)[-1]
    return max(0.0, float(batches.names[moved.argmax()]) - moves_after) if moved.any() else float("inf")


def looks_that_miss(share: float, low: np.ndarray, high: np.ndarray) -> int:
    """At how many looks an interval, (n,) `low` and `high`, leaves out a share."""
    return int(((low > share) | (high < share)).sum())
