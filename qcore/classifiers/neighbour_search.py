"""Euclidean nearest neighbours: of training instances among themselves, and of other instances among the training instances."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from sklearn.metrics import pairwise_distances_chunked

from qcore._base.validation import FloatArray, IntArray

_MEGABYTES: Final = 64
"""Working memory for a block of distances, in megabytes."""

_DIGITS: Final = 12
"""Digits kept of squared distances, in units of the largest square in the data: smaller differences are rounding errors."""

_FAR: Final = 1e4
"""The unit is at most this many times the squared length of a usual (median) row: else one far row makes all others equal."""


def sorted_neighbours(features: FloatArray, width: int) -> IntArray:
    """For each row the `width` nearest other rows, nearest first, (n, width); ties go to the lower index."""
    blocks = []
    for start, distances in _distances(features, features):
        rows = np.arange(len(distances))
        # Each row itself comes first, and is left out.
        distances[rows, start + rows] = -1.0
        blocks.append(_sorted_lowest(distances, width + 1)[:, 1:])
    return np.concatenate(blocks)


def nearest_sorted(features: FloatArray, others: FloatArray, k: int) -> IntArray:
    """For each row of `features` the k nearest of `others`, nearest first, (n, k); ties go to the lower index."""
    return np.concatenate([_sorted_lowest(distances, k) for _, distances in _distances(features, others)])


def nearest(features: FloatArray, others: FloatArray, k: int) -> IntArray:
    """As `nearest_sorted`, but in any order."""
    return np.concatenate([_lowest(distances, k) for _, distances in _distances(features, others)])


def _sorted_lowest(distances: FloatArray, k: int) -> IntArray:
    nearest_rows = _lowest(distances, k)
    order = np.argsort(np.take_along_axis(distances, nearest_rows, axis=1), axis=1, kind="stable")
    return np.take_along_axis(nearest_rows, order, axis=1)


def _distances(features: FloatArray, others: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """(index of the first row, rounded squared distances) block by block; lengths are in the unit of `_centre_and_unit`."""
    start = 0
    centre, unit = _centre_and_unit(others)
    scaled = [(rows - centre) / unit for rows in (features, others)]
    for block in pairwise_distances_chunked(*scaled, metric="sqeuclidean", working_memory=_MEGABYTES):
        yield start, np.round(block, _DIGITS)
        start += len(block)


def _centre_and_unit(rows: FloatArray) -> tuple[FloatArray, float]:
    """The centre, (n_features,), and the unit of length: the largest distance of a row from it, limited as `_FAR` says."""
    middle = np.median(rows, axis=0)
    lengths = _lengths(rows, middle)
    usual = float(np.median(lengths[lengths > 0.0])) if lengths.any() else 1.0
    if lengths.max() > np.sqrt(_FAR) * usual:
        return middle, float(np.sqrt(_FAR)) * usual
    centre = rows.mean(axis=0)
    return centre, float(_lengths(rows, centre).max()) or 1.0


def _lengths(rows: FloatArray, centre: FloatArray) -> FloatArray:
    """The distance of each row from the centre, (n,)."""
    # In two steps, since a square could overflow.
    largest = np.abs(rows - centre).max() or 1.0
    lengths: FloatArray = largest * np.sqrt((((rows - centre) / largest) ** 2).sum(axis=1))
    return lengths


def _lowest(distances: FloatArray, k: int) -> IntArray:
    """The indices of the k lowest values of each row, (n, k), increasing; ties go to the lower index."""
    if k == distances.shape[1]:
        return np.tile(np.arange(k), (len(distances), 1))
    # The k-th lowest value of each row; among the values equal to it, the first are taken.
    edge = np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
    below, at = distances < edge, distances == edge
    room = k - below.sum(axis=1, keepdims=True)
    taken = below | (at & (np.cumsum(at, axis=1) <= room))
    return np.nonzero(taken)[1].reshape(-1, k)
