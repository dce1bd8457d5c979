"""Nearest neighbours with class weights, and the search for them.

Distances are computed and sorted once; every k, alpha and fold of the grid, and the leave-one-out scores, use that order.
Source: Barranquero 2013, 5.1 and 5.2.4.

Euclidean nearest neighbours: of training instances among themselves, and of other instances among the training instances.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from numbers import Real
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import pairwise_distances_chunked
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.validation import TIE, FloatArray, IntArray, InvalidInput, check_choice, check_integer
from qcore.classifiers.binary_classifier import (
    DEFAULT_SEARCH,
    SEARCHES,
    BinaryClassifier,
    n_search_folds,
    search_folds,
    two_classes,
)

_MEGABYTES = 64
"""Working memory for a block of distances, in megabytes."""

_DIGITS = 12
"""Digits kept of squared distances, in units of the largest square in the data: smaller differences are rounding errors."""

_FAR = 1e4
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


GRID_K = (1, 3, 5, 7, 11, 15, 25, 35, 45)
GRID_ALPHA = (1, 2, 3, 4, 5)
"""Source: Barranquero 2013, 5.2.4."""

_WIDTH = 200
"""Number of neighbours kept for each instance, so that enough of them lie outside its own fold."""

Weighting = Literal["equal", "proportion", "alpha"]
WEIGHTINGS = ("equal", "proportion", "alpha")


def alpha_weights(counts: IntArray, alpha: float) -> FloatArray:
    """w_c = (N_c / M)^(-1/alpha) of classes with `counts` instances, M the lowest count, (n_classes,).

    Source: Barranquero 2013, eq. 5.4.

    Raises InvalidInput for an alpha below 1 or an empty class.
    """
    if not isinstance(alpha, Real) or not alpha >= 1:
        raise InvalidInput("alpha", "be at least 1", repr(alpha), "Choose 1 for PWK's weights, inf for KNN's.")
    checked = _positive_counts(counts)
    return (checked / checked.min()) ** (-1.0 / alpha)


def alpha_weights_by_prevalence(prevalences: Sequence[float]) -> FloatArray:
    """The weight of a class with these shares of the training part, beside one other class, (n_alphas, n_prevalences).

    A row for each of GRID_ALPHA. Source: Barranquero 2013, Table 5.1.
    """
    shares = np.stack([np.asarray(prevalences, float), 1.0 - np.asarray(prevalences, float)], axis=1)
    return np.array([[alpha_weights(pair, alpha)[0] for pair in shares] for alpha in GRID_ALPHA])


def proportion_weights(counts: IntArray) -> FloatArray:
    """w_c = 1 - N_c / S, (n_classes,). Raises InvalidInput for an empty class. Source: Barranquero 2013, eq. 5.5."""
    checked = _positive_counts(counts)
    return 1.0 - checked / checked.sum()


def _positive_counts(counts: IntArray) -> FloatArray:
    checked = np.asarray(counts, dtype=float)
    if not (checked > 0).all():
        raise InvalidInput("counts", "be above 0", f"{np.asarray(counts).tolist()}", "Leave out the class without instances.")
    return checked


def weighted_share(n_positives: IntArray, k: int, weights: FloatArray) -> FloatArray:
    """The weighted share of positive votes among k votes, (...): `weights` are those of negatives and positives.

    A share that differs from one half only by rounding is set to one half, so that scaling the weights never breaks a tie.
    """
    positive, negative = weights[1] * n_positives, weights[0] * (k - n_positives)
    share: FloatArray = positive / (positive + negative)
    return np.where(np.abs(share - 0.5) < TIE, 0.5, share)


class WeightedNeighbours(BinaryClassifier):
    """Vote of the k nearest training instances (Euclidean), by class weights; the score is the weighted share of positives.

    Ties in distance go to the first instance in the training data. A tied vote (0.5) is predicted positive.

    Parameters
    ----------
    weighting : "equal" (KNN), "proportion" (PWK, eq. 5.5) or "alpha" (PWK-alpha, eq. 5.4).
    k, alpha : fixed values, or None to choose from GRID_K and GRID_ALPHA by cross-validation on GM (ties: the first of the
        grid, k before alpha). `alpha` is used by the weighting "alpha" only.
    random_state : seed of the folds.
    largest_k : upper limit for the chosen k, so that it can be used with as few as largest_k + 1 instances.
    search : the cross-validation by which k and alpha are chosen, a key of SEARCHES.

    Attributes
    ----------
    k_, alpha_ : the values that are used; alpha is inf for KNN, and 1 for PWK, which gives the same predictions.
    weights_ : weights of negatives and positives, (2,).
    classes_ : the two labels, the positive one last.
    grid_ : (k, alpha, mean GM) of each point of the grid; empty if there was nothing to choose, or a class has only one
        instance.
    leave_one_out_scores_ : the score of each training instance from all others, (n,).

    Source: Barranquero 2013, section 5.1.

    Examples
    --------
    >>> WeightedNeighbours("proportion", k=1).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[0.5], [2.5]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        weighting: Weighting = "equal",
        k: int | None = None,
        alpha: float | None = None,
        random_state: int | None = None,
        largest_k: int | None = None,
        *,
        search: str = DEFAULT_SEARCH,
    ) -> None:
        self.weighting = weighting
        self.k = k
        self.alpha = alpha
        self.random_state = random_state
        self.largest_k = largest_k
        self.search = search

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,).

        Raises InvalidInput unless there are two classes, and if k is above n - 1, which leave-one-out needs.
        """
        check_choice("weighting", self.weighting, WEIGHTINGS)
        check_choice("search", self.search, SEARCHES)
        self._features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, self._truth = two_classes(labels)
        most = len(labels) - 1
        if self.k is not None:
            check_integer("k", self.k, low=1, high=most, hint=f"The largest allowed with {len(labels)} instances is {most}.")
        points = [(k, alpha) for k in self._ks(most) for alpha in self._alphas()]
        searches = len(points) > 1 and n_search_folds(self._truth, self.search) > 1
        order = sorted_neighbours(self._features, min(most, max(_WIDTH, self.k or 0))) if searches else None
        self.grid_ = [] if order is None else self._mean_gm(order, points)
        self.k_, self.alpha_ = max(self.grid_, key=lambda point: point[2])[:2] if self.grid_ else points[0]
        self.weights_ = self._weights(self._truth, self.alpha_)
        self._order = None if order is None else order[:, : self.k_]
        return self

    @property
    def leave_one_out_scores_(self) -> FloatArray:
        """Score of each training instance from all others, (n,); without a search, distances are sorted on each access."""
        check_is_fitted(self)
        order = sorted_neighbours(self._features, self.k_) if self._order is None else self._order
        return weighted_share(self._truth[order].sum(axis=1), self.k_, self.weights_)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Weighted shares of negative and positive votes, (n, 2)."""
        check_is_fitted(self)
        neighbours = nearest(validate_data(self, X, reset=False, dtype=np.float64), self._features, self.k_)
        share = weighted_share(self._truth[neighbours].sum(axis=1), self.k_, self.weights_)
        return np.stack([1.0 - share, share], axis=1)

    def fixed(self) -> "WeightedNeighbours":
        """An unfitted copy with the k and alpha that this classifier uses."""
        alpha = self.alpha_ if self.weighting == "alpha" else None
        return WeightedNeighbours(self.weighting, self.k_, alpha, self.random_state, search=self.search)

    def _ks(self, most: int) -> Sequence[int]:
        """The values of k in the grid that the training part of every fold allows."""
        if self.k is not None:
            return [self.k]
        n = most + 1
        n_folds = n_search_folds(self._truth, self.search)
        smallest_part = n - ceil(n / n_folds) if n_folds > 1 else most
        largest = min(smallest_part, self.largest_k or smallest_part)
        return [k for k in GRID_K if k <= largest] or [1]

    def _alphas(self) -> Sequence[float]:
        if self.weighting != "alpha":
            return [np.inf if self.weighting == "equal" else 1.0]
        return GRID_ALPHA if self.alpha is None else [self.alpha]

    def _weights(self, truth: IntArray, alpha: float) -> FloatArray:
        counts = np.bincount(truth, minlength=2)
        if self.weighting == "alpha":
            return alpha_weights(counts, alpha)
        return proportion_weights(counts) if self.weighting == "proportion" else np.ones(2)

    def _mean_gm(self, order: IntArray, points: Sequence[tuple[int, float]]) -> list[tuple[int, float, float]]:
        """(k, alpha, mean GM over the folds) of each point of the grid; all folds use the same order of neighbours."""
        values = [[self._gm(*fold, k, alpha) for k, alpha in points] for fold in self._folds(order)]
        means = np.mean(values, axis=0)
        return [(k, alpha, float(mean)) for (k, alpha), mean in zip(points, means, strict=True)]

    def _folds(self, order: IntArray) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """For each fold: positives among the nearest 1, 2, ... training rows, (n_held, k); held-out labels; training labels."""
        for inside, held in search_folds(self._truth, self.random_state, self.search):
            rows = self._nearest_inside(order, inside, held, min(max(*GRID_K, self.k or 0), len(inside)))
            yield np.cumsum(self._truth[rows], axis=1), self._truth[held], self._truth[inside]

    def _nearest_inside(self, order: IntArray, inside: IntArray, held: IntArray, count: int) -> IntArray:
        """The `count` nearest training rows of each held-out row, nearest first, (n_held, count)."""
        trains = np.zeros(len(self._truth), dtype=bool)
        trains[inside] = True
        is_inside = trains[order[held]]
        if is_inside.sum(axis=1).min() >= count:
            # A stable sort of the flags brings the training rows to the front without changing their order.
            columns = np.argsort(~is_inside, axis=1, kind="stable")[:, :count]
            return np.take_along_axis(order[held], columns, axis=1)
        # Many copies of a few instances can fill the kept neighbours with rows of one fold.
        return inside[nearest_sorted(self._features[held], self._features[inside], count)]

    def _gm(self, positives: IntArray, held: IntArray, trained: IntArray, k: int, alpha: float) -> float:
        """Geometric mean of tpr and tnr of a fold. Source: Barranquero 2013, eq. 6.3."""
        k = min(k, positives.shape[1])
        predicted = weighted_share(positives[:, k - 1], k, self._weights(trained, alpha)) >= 0.5
        return float(np.sqrt(predicted[held == 1].mean() * (~predicted[held == 0]).mean()))
