"""The multivariate SVM (Joachims 2005) and the cutting planes that train it.

Minimising 1/2 |w|^2 + weight R(w), where R is the maximum of very many planes, by cutting planes.

Each step adds the plane that is most violated at the current w, and solves the quadratic programme over the planes so far.
Source: Joachims 2005; Barranquero 2013, algorithm 2. The quadratic programmes are solved by PIQP, since SciPy has no solver for
them.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray, check_choice, check_integer, check_positive, optional_package
from qcore.classifiers.binary_classifier import BinaryClassifier, two_classes
from qcore.classifiers.most_violated_constraint import MostViolatedTable
from qcore.losses import UNSIGNED_LOSSES
from qcore.measures.catalog import MEASURES, Q_BETA, ParametricMeasure, one_minus
from qcore.measures.measure import Measure, MeasureOnCounts, check_beta

_IDLE_LIMIT = 20
"""A plane without weight in this many consecutive programmes is dropped; if it is needed later, it is found again."""

_SOLVER_ROUNDING = 1e-4
"""Decision values up to this size are rounding errors of the solver: margins are of the order of 1."""

_SOLVER_ACCURACY = 1e-9
"""Accuracy of the quadratic programme: far below any tolerance of the search."""


@dataclass(frozen=True)
class CuttingPlane:
    """A lower bound of R: R(w) >= offset - slope w; `slope` has shape (n_features,).

    `predicted_loss` is the loss of the predictions with the w at which the plane was found, `largest_value` the largest
    absolute decision value with that w.
    """

    slope: FloatArray
    offset: float
    predicted_loss: float
    largest_value: float


@dataclass(frozen=True)
class Minimum:
    """The result of the search.

    Attributes
    ----------
    weights : (n_features,).
    objective : the lowest value of 1/2 |w|^2 + weight R(w) that was found.
    bound : no w has a lower objective than this.
    n_planes : number of planes, one for each step.
    converged : whether objective - bound is within tolerance x weight.
    trivial : whether w = 0, which separates nothing, is within the tolerance of the minimum. Then `weights` are not those of
        the minimum but, among all that were tried, those whose predictions have the lowest loss.
    """

    weights: FloatArray
    objective: float
    bound: float
    n_planes: int
    converged: bool
    trivial: bool = False

    @property
    def gap(self) -> float:
        """The duality gap, objective - bound."""
        return max(self.objective - self.bound, 0.0)


OnPlane = Callable[[int, float], object]
"""Called after each plane with the number of planes and the gap / weight; an exception it raises ends the search."""


def minimise(
    most_violated: Callable[[FloatArray], CuttingPlane],
    n_features: int,
    weight: float,
    *,
    tolerance: float,
    most_planes: int,
    on_plane: OnPlane | None = None,
) -> Minimum:
    """Minimise until the objective is within tolerance x weight of its lower bound, or there are `most_planes` planes.

    `most_violated(w)` gives the plane that is highest at w; `on_plane` may return True to stop with the best w so far.
    """
    kept = _Planes(np.zeros((0, n_features)), np.zeros(0), np.zeros(0, dtype=np.intp))
    current = best = Minimum(np.zeros(n_features), np.inf, 0.0, 0, converged=False)
    at_zero, lowest_loss, best_predictor = np.inf, np.inf, current.weights
    with one_thread():
        while True:
            plane = most_violated(current.weights)
            risk = max(plane.offset - float(plane.slope @ current.weights), 0.0)
            current = replace(current, objective=0.5 * float(current.weights @ current.weights) + weight * risk)
            best = current if current.objective < best.objective else best
            best = replace(best, bound=current.bound, n_planes=current.n_planes)
            if current.n_planes == 0:
                at_zero = current.objective
            # Weights that are zero up to the solver's rounding have no direction.
            if plane.predicted_loss < lowest_loss and not 0 < plane.largest_value < _SOLVER_ROUNDING:
                lowest_loss, best_predictor = plane.predicted_loss, current.weights
            if current.gap <= tolerance * weight:
                # The last w rather than the best one, as in the source's algorithm.
                trivial = at_zero - current.bound <= tolerance * weight
                weights = best_predictor if trivial else current.weights
                return replace(current, weights=weights, converged=True, trivial=trivial)
            stopped = on_plane is not None and on_plane(current.n_planes, best.gap / weight) is True
            if stopped or current.n_planes == most_planes:
                return best
            kept, weights, bound = kept.added(plane).solved(weight)
            if not np.isfinite(weights).all():
                return best
            current = Minimum(weights, np.inf, max(current.bound, bound), current.n_planes + 1, converged=False)


@dataclass(frozen=True)
class _Planes:
    """The planes that are kept: slopes (n_planes, n_features), offsets and number of programmes without weight, (n_planes,)."""

    slopes: FloatArray
    offsets: FloatArray
    idle: np.ndarray

    def added(self, plane: CuttingPlane) -> "_Planes":
        return _Planes(np.vstack([self.slopes, plane.slope]), np.append(self.offsets, plane.offset), np.append(self.idle, 0))

    def solved(self, weight: float) -> "tuple[_Planes, FloatArray, float]":
        """Minimise 1/2 |w|^2 + weight xi over w and xi >= 0, xi >= offsets - slopes w.

        Returns (the planes that are kept, w, a lower bound of the minimum over all planes); w is not finite if the solver
        failed.
        """
        # Imported where it is used: nothing else in qcore needs it.
        piqp = optional_package("piqp", "train a multivariate SVM", '"quantification-lab[svm]"')
        n_planes, n_features = self.slopes.shape
        slopes, basis = self.slopes, None
        if n_features > n_planes:
            # The minimum is a combination of the slopes, so the programme is solved in the space that they span.
            basis, corner = np.linalg.qr(self.slopes.T)
            slopes, n_features = corner.T, n_planes
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = _SOLVER_ACCURACY
        solver.setup(
            np.diag(np.append(np.ones(n_features), 0.0)),
            np.append(np.zeros(n_features), weight),
            G=np.asfortranarray(np.hstack([slopes, np.ones((n_planes, 1))])),
            h_l=self.offsets,
            x_l=np.append(np.full(n_features, -np.inf), 0.0),
        )
        if solver.solve() != piqp.PIQP_SOLVED:
            return self, np.full(self.slopes.shape[1], np.nan), 0.0
        multipliers = np.maximum(solver.result.z_l, 0.0)
        # Scaled to be feasible, so that they give a valid bound at any accuracy of the solver.
        multipliers = multipliers * min(1.0, weight / max(multipliers.sum(), 1e-300))
        combined = multipliers @ self.slopes
        bound = float(multipliers @ self.offsets - 0.5 * combined @ combined)
        idle = np.where(multipliers > 1e-8 * weight, 0, self.idle + 1)
        used = idle < _IDLE_LIMIT
        kept = _Planes(self.slopes[used], self.offsets[used], idle[used])
        weights = np.array(solver.result.x[:n_features])
        return kept, weights if basis is None else basis @ weights, bound


_COUNT_LOSSES = {
    # A measure is cut off at 0, a loss need not be: KLD is minimised however large it is.
    key: Measure(key=key, of=one_minus(key, clipped=False), idea="", formula="", source="", is_balance=True)
    for key in UNSIGNED_LOSSES
}
"""Losses of the count itself, as 1 minus the loss."""

SVM_LOSSES = (Q_BETA, *MEASURES, *_COUNT_LOSSES)
"""Names of the losses that a multivariate SVM can minimise."""


class MultivariateSVM(BinaryClassifier):
    """Minimise `1/2 |w|^2` + C S max over all tables of (loss - scores of the table's errors / S), by cutting planes.

    S is the number of training instances.
    The scale is that of the hinge-loss SVM: with loss "error" both have the same objective. In Barranquero 2013, eq. 6.6, this
    is w / (2 S) and C / (4 S). A constant feature stands for the intercept, and is penalised as the others are.

    Parameters
    ----------
    loss : what to minimise. A key of MEASURES or "Q_beta" stands for 1 minus that measure ("error" for the error itself); a
        key of LOSSES, but "bias", for that loss of the count, such as "KLD"; or a ParametricMeasure, for 1 minus it.
    beta : parameter of Q_beta and F_beta, from 0 to inf.
    C : weight of the loss, above 0.
    tolerance : limit for the duality gap divided by C S, in units of the loss, above 0.
    most_planes : number of cutting planes after which it stops and warns.
    on_plane : called after each plane with the number of planes and the gap; to stop, it returns True or raises.

    Attributes
    ----------
    coef_, intercept_ : (n_features,) and a number; the sign of the decision value predicts, 0 is positive.
    classes_ : the two labels, the positive one last.
    objective_, duality_gap_ : their values at the end; the gap is divided by C S, as for `tolerance`.
    n_iter_ : number of cutting planes.
    converged_ : whether the gap is within tolerance.
    trivial_ : whether no hyperplane is better than all weights 0 by more than the tolerance, as when rare positives lie among
        the negatives. Then the hyperplane is, among those that were tried, the one whose predictions have the lowest loss.
    remark_ : a sentence if the search did not converge or the result is trivial, else empty.

    Source: Joachims 2005; Barranquero 2013, section 6.3, Algorithms 2 and 3.

    Examples
    --------
    >>> MultivariateSVM().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[0.5], [2.5]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        loss: str | ParametricMeasure = Q_BETA,
        beta: float = 2.0,
        *,
        C: float = 1.0,
        tolerance: float = 1e-3,
        most_planes: int = 10_000,
        on_plane: OnPlane | None = None,
    ) -> None:
        self.loss = loss
        self.beta = beta
        self.C = C
        self.tolerance = tolerance
        self.most_planes = most_planes
        self.on_plane = on_plane

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit on features (n, n_features) and labels (n,) of two classes. Raises InvalidInput, also for bad parameters.

        Warns with ConvergenceWarning when it stops before the gap is within tolerance.
        """
        features, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, truth = two_classes(labels)
        extended = np.hstack([features, np.ones((len(features), 1))])
        counts = int(truth.sum()), len(truth) - int(truth.sum())
        score = score_on_counts(self.loss, self.beta, *counts)
        constraint = _Constraint(extended[truth == 1], extended[truth == 0], score)
        weight = check_positive("C", self.C) * len(features)
        minimum = minimise(
            constraint,
            extended.shape[1],
            weight,
            tolerance=check_positive("tolerance", self.tolerance),
            most_planes=check_integer("most_planes", self.most_planes, low=1),
            on_plane=self.on_plane,
        )
        self.coef_, self.intercept_ = minimum.weights[:-1], float(minimum.weights[-1])
        self.objective_, self.duality_gap_ = minimum.objective, minimum.gap / weight
        self.n_iter_, self.converged_, self.trivial_ = minimum.n_planes, minimum.converged, minimum.trivial
        self.remark_ = self._remark()
        if not minimum.converged:
            warnings.warn(self.remark_, ConvergenceWarning, stacklevel=2)
        return self

    def _remark(self) -> str:
        if not self.converged_:
            return (
                f"The multivariate SVM stopped after {self.n_iter_} planes with a duality gap of {self.duality_gap_:.2g}, "
                f"above its tolerance {self.tolerance:g}."
            )
        if not self.trivial_:
            return ""
        return (
            "Under this loss no hyperplane has a lower objective than all weights 0, which separate nothing. Of those it "
            "tried, the multivariate SVM takes the hyperplane whose predictions have the lowest loss; it may not be good."
        )

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """The decision value of each instance, (n,): at least 0 where it is predicted positive."""
        check_is_fitted(self)
        values: FloatArray = validate_data(self, X, reset=False, dtype=np.float64) @ self.coef_ + self.intercept_
        return values

    def _positive(self, X: ArrayLike) -> np.ndarray:
        return self.decision_function(X) >= 0


def score_on_counts(loss: str | ParametricMeasure, beta: float, positives: int, negatives: int) -> MeasureOnCounts:
    """1 minus a loss of SVM_LOSSES, or a ParametricMeasure, on the tables with these numbers of positives and negatives.

    Raises InvalidInput for an unknown loss, a negative beta or an empty class.
    """
    if isinstance(loss, ParametricMeasure):
        return loss.on_counts(positives, negatives)
    check_choice("loss", loss, SVM_LOSSES)
    if loss == Q_BETA:
        return ParametricMeasure(Q_BETA, beta).on_counts(positives, negatives)
    measure = _COUNT_LOSSES.get(loss) or MEASURES[loss]
    return measure.on_counts(positives, negatives, check_beta(beta))


class _Constraint:
    """The cutting plane of the most violated table at given weights. Source: Barranquero 2013, eq. 6.7."""

    def __init__(self, positives: FloatArray, negatives: FloatArray, score: MeasureOnCounts) -> None:
        self._positives, self._negatives, self._score = positives, negatives, score
        self._most_violated_table = MostViolatedTable(score, len(positives), len(negatives))
        self._size = len(positives) + len(negatives)

    def __call__(self, weights: FloatArray) -> CuttingPlane:
        positive_values, negative_values = self._positives @ weights, self._negatives @ weights
        # The errors that cost least: the positives with the lowest values and the negatives with the highest.
        lowest, highest = np.argsort(positive_values, kind="stable"), np.argsort(-negative_values, kind="stable")
        parts = (_cumulative(-positive_values[lowest]) / self._size, _cumulative(negative_values[highest]) / self._size)
        worst = self._most_violated_table(*parts)
        slope = self._positives[lowest[: worst.fn]].sum(axis=0) - self._negatives[highest[: worst.fp]].sum(axis=0)
        predicted_fn, predicted_fp = np.array([(positive_values < 0).sum()]), np.array([(negative_values >= 0).sum()])
        predicted_loss = float(1.0 - self._score.at(predicted_fp, predicted_fn)[0])
        largest_value = float(max(np.abs(positive_values).max(), np.abs(negative_values).max()))
        return CuttingPlane(slope / self._size, worst.loss, predicted_loss, largest_value)


def _cumulative(values: FloatArray) -> FloatArray:
    """The sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])
