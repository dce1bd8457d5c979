"""A share watched over time: batches -> intervals that hold at every look, and whether the share has moved."""

from qcore.watching.batches import (
    Batches,
    as_typed,
    batches_until_seen,
    looks_that_miss,
    read_batches,
    simulated_batches,
    typed_batches,
)
from qcore.watching.watched_share import (
    MeasuredRates,
    WatchedShare,
    adjusted_at_every_look,
    exact_adjusted_at_every_look,
    share_at_every_look,
    watch_share,
)

__all__ = [
    "Batches",
    "MeasuredRates",
    "WatchedShare",
    "adjusted_at_every_look",
    "as_typed",
    "batches_until_seen",
    "exact_adjusted_at_every_look",
    "looks_that_miss",
    "read_batches",
    "share_at_every_look",
    "simulated_batches",
    "typed_batches",
    "watch_share",
]
