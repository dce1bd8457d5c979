"""Minimising 1/2 |w|^2 + weight R(w), R the largest of very many planes, by the few of them that count (B Algorithm 2).

Each step adds the plane that is most violated at the present w, and solves the quadratic programme over those that it has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import piqp

from qcore.threads import one_thread
from qcore.validation import FloatArray

_PATIENCE: Final = 20
"""A plane that has not counted in so many programmes is dropped; the argmax gives it back if it is needed."""

_NOTHING: Final = 1e-4
"""Decision values up to here are the solver's rounding: margins are of the order of 1."""

_ACCURACY: Final = 1e-9
"""Of the quadratic programme: far below any tolerance that is asked of the whole."""


@dataclass(frozen=True)
class Plane:
    """A lower bound of R: R(w) >= offset - slope w; `slope` has shape (n_features,).

    `own_loss` is the loss of the table that the w where it was asked for predicts, `reach` its largest decision value.
    """

    slope: FloatArray
    offset: float
    own_loss: float
    reach: float


@dataclass(frozen=True)
class Minimum:
    """Where the search ended.

    Attributes
    ----------
    weights : (n_features,).
    objective : the least 1/2 |w|^2 + weight R(w) that was found.
    bound : no w has a lower objective than this.
    n_planes : planes that were added, one for each step.
    converged : whether objective - bound is within tolerance x weight.
    trivial : whether w = 0, which predicts nothing, is as good as any within the tolerance. Then `weights` are those among all
        that were looked at whose own predictions have the least loss, not the minimum's.
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
"""Told after each plane how many there are and the present gap over the weight; what it raises ends the search."""


def minimise(
    most_violated: Callable[[FloatArray], Plane],
    n_features: int,
    weight: float,
    *,
    tolerance: float,
    most_planes: int,
    on_plane: OnPlane | None = None,
) -> Minimum:
    """Search until the present w is within tolerance x weight of the lower bound, or `most_planes` are there.

    `most_violated(w)` gives the plane that is highest at w; `on_plane` may return True to stop with the best w so far.
    """
    kept = _Planes(np.zeros((0, n_features)), np.zeros(0), np.zeros(0, dtype=int))
    now = best = Minimum(np.zeros(n_features), np.inf, 0.0, 0, converged=False)
    at_zero, least_loss, predicts_best = np.inf, np.inf, now.weights
    with one_thread():
        while True:
            plane = most_violated(now.weights)
            risk = max(plane.offset - float(plane.slope @ now.weights), 0.0)
            now = replace(now, objective=0.5 * float(now.weights @ now.weights) + weight * risk)
            best = replace(now if now.objective < best.objective else best, bound=now.bound, n_planes=now.n_planes)
            at_zero = min(at_zero, now.objective) if not now.n_planes else at_zero
            # Weights that are zero but for the solver's rounding have no direction.
            if plane.own_loss < least_loss and not 0 < plane.reach < _NOTHING:
                least_loss, predicts_best = plane.own_loss, now.weights
            if now.gap <= tolerance * weight:
                # The last w, as in the thesis.
                trivial = at_zero - now.bound <= tolerance * weight
                return replace(now, weights=predicts_best if trivial else now.weights, converged=True, trivial=trivial)
            stopped = on_plane is not None and on_plane(now.n_planes, best.gap / weight) is True
            if stopped or now.n_planes == most_planes:
                return best
            kept, weights, bound = kept.added(plane).solved(weight)
            if not np.isfinite(weights).all():
                return best
            now = Minimum(weights, np.inf, max(now.bound, bound), now.n_planes + 1, converged=False)


@dataclass(frozen=True)
class _Planes:
    """The planes that are kept: slopes (n_planes, n_features), offsets and for how long each has not counted (n_planes,)."""

    slopes: FloatArray
    offsets: FloatArray
    idle: np.ndarray

    def added(self, plane: Plane) -> _Planes:
        return _Planes(np.vstack([self.slopes, plane.slope]), np.append(self.offsets, plane.offset), np.append(self.idle, 0))

    def solved(self, weight: float) -> tuple[_Planes, FloatArray, float]:
        """Minimise 1/2 |w|^2 + weight xi over w and xi >= 0, xi >= offsets - slopes w.

        Returns (the planes that still count, w, a lower bound of the minimum over all planes); w is not finite where the
        solver failed.
        """
        n_planes, n_features = self.slopes.shape
        slopes, basis = self.slopes, None
        if n_features > n_planes:
            # The minimum is a combination of the slopes: the programme is solved in the space that they span.
            basis, corner = np.linalg.qr(self.slopes.T)
            slopes, n_features = corner.T, n_planes
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = _ACCURACY
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
        # Scaled to be feasible, so that what they give is a bound whatever the solver's accuracy.
        multipliers = multipliers * min(1.0, weight / max(multipliers.sum(), 1e-300))
        combined = multipliers @ self.slopes
        bound = float(multipliers @ self.offsets - 0.5 * combined @ combined)
        idle = np.where(multipliers > 1e-8 * weight, 0, self.idle + 1)
        counts = idle < _PATIENCE
        kept = _Planes(self.slopes[counts], self.offsets[counts], idle[counts])
        weights = np.array(solver.result.x[:n_features])
        return kept, weights if basis is None else basis @ weights, bound
