"""Many quadratic programmes over the simplex at once: minimise (1/2) z'Hz - f'z with z >= 0 and sum z = 1."""

import numpy as np

from qcore._base.rounding import TIE
from qcore._base.validation import FloatArray


def minimise_on_simplex(curvature: FloatArray, linear: FloatArray) -> FloatArray:
    """The minimiser of each programme, (n, k), by a primal active-set method on all programmes together.

    Parameters
    ----------
    curvature : H, positive definite, (k, k) for all or (n, k, k) for each.
    linear : f, (n, k).

    Each step solves the equality-constrained problem on the free parts, moves there or as far as no part turns negative, and
    then fixes the part that stopped it at 0, or frees the one that lowers the objective fastest.
    """
    n, k = linear.shape
    curvature = np.broadcast_to(curvature, (n, k, k))
    solutions = np.full((n, k), 1.0 / k)
    free = np.ones((n, k), dtype=bool)
    # Most often the minimiser with sum 1 has no negative part: nothing else is to be looked at then.
    target = _on_free_parts(curvature, linear, free)
    inside = (target >= -TIE).all(axis=1)
    solutions[inside] = np.clip(target[inside], 0.0, None)
    active = np.flatnonzero(~inside)
    # Each step lowers an objective or fixes a part; the bound only guards against rounding.
    for _ in range(10 * k + 10):
        if not len(active):
            break
        current, mask, hessian, slope = solutions[active], free[active], curvature[active], linear[active]
        target = _on_free_parts(hessian, slope, mask)
        blocked = (target < -TIE) & mask
        gap = np.where(blocked, current - target, 1.0)
        reach = np.where(blocked, current / gap, np.inf)
        step = np.minimum(reach.min(axis=1), 1.0)
        arrived = np.logical_not(blocked.any(axis=1))
        current = np.where(arrived[:, np.newaxis], target, current + step[:, np.newaxis] * (target - current))
        current = np.clip(current, 0.0, None)
        stopped = blocked & (reach <= step[:, np.newaxis])
        current[stopped] = 0.0
        mask = mask & ~stopped
        gradient = np.einsum("nij,nj->ni", hessian, current) - slope
        # On the free parts the gradient is one number; a fixed part with less would lower the objective.
        level = (gradient * mask).sum(axis=1) / mask.sum(axis=1)
        excess = np.where(mask, np.inf, gradient - level[:, np.newaxis])
        scale = np.abs(gradient).max(axis=1)
        improves = arrived & (excess.min(axis=1) < -1e-10 * (scale + TIE))
        mask[np.flatnonzero(improves), excess.argmin(axis=1)[improves]] = True
        solutions[active], free[active] = current, mask
        active = active[~arrived | improves]
    return solutions / solutions.sum(axis=1, keepdims=True)


def _on_free_parts(hessian: FloatArray, slope: FloatArray, free: np.ndarray) -> FloatArray:
    """The minimiser with sum 1 and only the free parts other than 0, whatever their sign: (n, k)."""
    n, k = slope.shape
    system = np.zeros((n, k + 1, k + 1))
    both = free[:, :, np.newaxis] & free[:, np.newaxis, :]
    system[:, :k, :k] = np.where(both, hessian, 0.0)
    # A fixed part has the equation z = 0.
    system[:, np.arange(k), np.arange(k)] += ~free
    system[:, :k, k] = system[:, k, :k] = free
    right = np.concatenate([np.where(free, slope, 0.0), np.ones((n, 1))], axis=1)
    return np.linalg.solve(system, right[:, :, np.newaxis])[:, :k, 0]
