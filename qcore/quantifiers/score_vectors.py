"""Training scores of all classes as points: means of a function of the distance between them and other instances."""

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from qcore._base.validation import FloatArray, IntArray

_BLOCK = 2**19
"""Number of distances that are computed at once: as many as a processor's cache holds."""


class ClassPoints:
    """The training scores of each class, as points among which equal ones are looked at once.

    Attributes
    ----------
    points : (n_points, n_classes), the distinct vectors of scores.
    weights : (n_points, n_classes), the share of each class's instances that lie at each point.
    """

    def __init__(self, scores: FloatArray, labels: IntArray) -> None:
        self.points, places = distinct_rows(scores)
        n_points, n_classes = len(self.points), scores.shape[1]
        counts = np.bincount(places * n_classes + labels, minlength=n_points * n_classes).reshape(n_points, n_classes)
        self.weights = counts / counts.sum(axis=0)

    def means(self, scores: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The mean of a function of the distances to the instances of each class, (n, n_classes) -> (n, n_classes).

        Parameters
        ----------
        scores : vectors of scores.
        function : of Euclidean distances, (n_rows, n_points), to values of the same shape; it may write into them.
        """
        rows, places = distinct_rows(scores)
        result, step = np.empty(rows.shape), max(1, _BLOCK // len(self.points))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            result[part] = function(cdist(rows[part], self.points)) @ self.weights
        return result[places]


def distinct_rows(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct rows, and for each row its place among them, (n,): redrawn samples hold instances several times.

    Examples
    --------
    >>> points, places = distinct_rows(np.array([[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]]))
    >>> len(points), points[places].tolist()
    (2, [[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]])
    """
    # Sorting one number for each row takes a fraction of the time of sorting rows.
    marks = (rows * np.sqrt(np.arange(2.0, rows.shape[1] + 2.0))).sum(axis=1)
    _, first, places = np.unique(marks, return_index=True, return_inverse=True)
    if np.array_equal(rows[first[places]], rows):
        return rows[first], places
    return rows, np.arange(len(rows))
