"""Minimising 1/2 |w|^2 + weight R(w), where R is the maximum of very many planes, by cutting planes.

Each step adds the plane that is most violated at the current w, and solves the quadratic programme over the planes so far.
Source: Joachims 2005; Barranquero 2013, algorithm 2. The quadratic programmes are solved by PIQP, since SciPy has no solver for
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from qcore._base.optional_package import optional_package
from qcore._base.threads import one_thread
from qcore._base.validation import FloatArray

_IDLE_LIMIT: Final = 20
"""A plane without weight in this many consecutive programmes is dropped; if it is needed later, it is found again."""

_SOLVER_ROUNDING: Final = 1e-4
"""Decision values up to this size are rounding errors of the solver: margins are of the order of 1."""

_SOLVER_ACCURACY: Final = 1e-9
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

    def added(self, plane: CuttingPlane) -> _Planes:
        return _Planes(np.vstack([self.slopes, plane.slope]), np.append(self.offsets, plane.offset), np.append(self.idle, 0))

    def solved(self, weight: float) -> tuple[_Planes, FloatArray, float]:
        """Minimise 1/2 |w|^2 + weight xi over w and xi >= 0, xi >= offsets - slopes w.

        Returns (the planes that are kept, w, a lower bound of the minimum over all planes); w is not finite if the solver
        failed.
        """
        # Imported where it is used: nothing else in qcore needs it.
        piqp = optional_package("piqp", "train a multivariate SVM")
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
