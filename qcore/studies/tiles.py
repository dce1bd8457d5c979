"""A hundred instances as tiles: which ones are positive at a given share of positives, and which are predicted positive."""

from dataclasses import dataclass

import numpy as np

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import IntArray, check_integer
from qcore.quantifiers.batch import THRESHOLD
from qcore.scoring.scores import Scores


@dataclass(frozen=True)
class Tiles:
    """Instances of a pool for each place of a grid of tiles.

    Attributes
    ----------
    positives, negatives : for each place, the row of the pool shown there while the place is positive, or negative, (n,).
    counted_positives, counted_negatives : whether that instance is predicted positive, (n,) of 0 and 1.
    order : places in the order in which they become positive as the share of positives grows, (n,).
    """

    positives: IntArray
    negatives: IntArray
    counted_positives: IntArray
    counted_negatives: IntArray
    order: IntArray

    def counted(self, share: float) -> int:
        """Number of tiles that are predicted positive, at a share of positives."""
        n_positives = round(share * len(self.order))
        return int(
            self.counted_positives[self.order[:n_positives]].sum() + self.counted_negatives[self.order[n_positives:]].sum()
        )


def tiles(scores: Scores, seed: int, n_tiles: int = 100) -> Tiles:
    """Tiles of the pool, drawn at random; instances of a class that has fewer than `n_tiles` appear more than once.

    Raises InvalidInput for no tiles.
    """
    check_integer("n_tiles", n_tiles, low=1)
    rng = random_stream(seed, RandomStream.TILES)
    rows = [np.resize(rng.permutation(np.flatnonzero(scores.pool_labels == label)), n_tiles) for label in (1, 0)]
    counted = [(scores.pool_scores[one] >= THRESHOLD).astype(np.intp) for one in rows]
    return Tiles(rows[0], rows[1], counted[0], counted[1], rng.permutation(n_tiles))
