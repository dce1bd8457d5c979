"""Quadratic programmes over the simplex, many at once: least (1/2) z'Hz - f'z with z >= 0 and sum z = 1."""

from __future__ import annotations

import numpy as np

from qcore.rounding import TIE
from qcore.validation import FloatArray


def least_on_simplex(curvature: FloatArray, linear: FloatArray) -> FloatArray:
    """The minimiser of each programme, (n, k), by a primal active-set method on all programmes together.

    Parameters
    ----------
    curvature : H, positive definite, (k, k) for all or (n, k, k) for each.
    linear : f, (n, k).

    Each step solves the equality-constrained problem on the parts that are free, goes there or as far as no part turns
    negative, and then fixes the part that stopped it at 0, or frees the one that lowers the objective fastest.
    """
    n, k = linear.shape
    curvature = np.broadcast_to(curvature, (n, k, k))
    found = np.full((n, k), 1.0 / k)
    free = np.ones((n, k), dtype=bool)
    going = np.arange(n)
    # Each step lowers an objective or fixes a part; the bound is there for rounding alone.
    for _ in range(10 * k + 10):
        here, mask, hessian, slope = found[going], free[going], curvature[going], linear[going]
        target = _on_free_parts(hessian, slope, mask)
        blocked = (target < -TIE) & mask
        gap = np.where(blocked, here - target, 1.0)
        reach = np.where(blocked, here / gap, np.inf)
        step = np.minimum(reach.min(axis=1), 1.0)
        arrived = np.logical_not(blocked.any(axis=1))
        here = np.where(arrived[:, np.newaxis], target, here + step[:, np.newaxis] * (target - here))
        here = np.clip(here, 0.0, None)
        stopped = blocked & (reach <= step[:, np.newaxis])
        here[stopped] = 0.0
        mask = mask & ~stopped
        gradient = np.einsum("nij,nj->ni", hessian, here) - slope
        # On the free parts the gradient is one number; a fixed part with less would lower the objective.
        level = (gradient * mask).sum(axis=1) / mask.sum(axis=1)
        wanting = np.where(mask, np.inf, gradient - level[:, np.newaxis])
        scale = np.abs(gradient).max(axis=1)
        improves = arrived & (wanting.min(axis=1) < -1e-10 * (scale + TIE))
        mask[np.flatnonzero(improves), wanting.argmin(axis=1)[improves]] = True
        found[going], free[going] = here, mask
        going = going[~arrived | improves]
        if not len(going):
            break
    return found / found.sum(axis=1, keepdims=True)


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
