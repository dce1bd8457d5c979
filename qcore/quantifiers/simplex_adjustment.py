"""The correction of several classes at once.

Many quadratic programmes over the simplex at once: minimise (1/2) z'Hz - f'z with z >= 0 and sum z = 1.
"""

import numpy as np

from qcore._base.validation import TIE, FloatArray


def minimise_on_simplex(curvature: FloatArray, linear: FloatArray) -> FloatArray:
    """The minimiser of each programme, (n, k), by a primal active-set method on all programmes together.

    Parameters
    ----------
    curvature : H, positive definite, (k, k) for all or (n, k, k) for each.
    linear : f, (n, k).

    Each step solves the equality-constrained problem on the free parts, moves there or as far as no part turns negative, and
    then fixes the part that stopped it at 0, or frees the one that lowers the objective fastest.
    """
    # Part by part, the programmes in a row: operations on few parts of many programmes are five times as fast.
    k = linear.shape[1]
    hessians = np.ascontiguousarray(curvature.reshape(-1, k, k).transpose(1, 2, 0))
    slopes = np.ascontiguousarray(linear.T)
    solutions = _on_free_parts(hessians, slopes)
    # Most often the minimiser with sum 1 has no negative part: nothing else is to be looked at then.
    active = np.flatnonzero((solutions < -TIE).any(axis=0))
    slopes, target = slopes[:, active], solutions[:, active]
    if hessians.shape[2] > 1:
        hessians = hessians[:, :, active]
    current, free = np.full(target.shape, 1.0 / k), np.ones(target.shape, dtype=bool)
    # Each step lowers an objective or fixes a part; the bound only guards against rounding.
    for _ in range(10 * k + 10 if len(active) else 0):
        current, free, on = _step(hessians, slopes, current, free, target)
        solutions[:, active] = current
        if not on.any():
            break
        active, slopes, current, free = active[on], slopes[:, on], current[:, on], free[:, on]
        if hessians.shape[2] > 1:
            hessians = hessians[:, :, on]
        target = _on_free_parts(hessians, slopes, free)
    solutions = np.clip(solutions, 0.0, None)
    return np.ascontiguousarray((solutions / solutions.sum(axis=0)).T)


def _step(
    hessians: FloatArray, slopes: FloatArray, current: FloatArray, free: np.ndarray, target: FloatArray
) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """The parts after a step towards the target, (k, n), those that are free then, and which programmes go on, (n,)."""
    blocked = (target < -TIE) & free
    reach = np.where(blocked, current / np.where(blocked, current - target, 1.0), np.inf)
    step = np.minimum(reach.min(axis=0), 1.0)
    arrived = ~blocked.any(axis=0)
    current = np.clip(np.where(arrived, target, current + step * (target - current)), 0.0, None)
    stopped = blocked & (reach <= step)
    current[stopped] = 0.0
    free = free & ~stopped
    gradient = (hessians * current).sum(axis=1) - slopes
    # On the free parts the gradient is one number; a fixed part with less would lower the objective.
    level = (gradient * free).sum(axis=0) / free.sum(axis=0)
    excess = np.where(free, np.inf, gradient - level)
    improves = arrived & (excess.min(axis=0) < -1e-10 * (np.abs(gradient).max(axis=0) + TIE))
    free[excess.argmin(axis=0)[improves], np.flatnonzero(improves)] = True
    return current, free, ~arrived | improves


def _on_free_parts(hessians: FloatArray, slopes: FloatArray, free: np.ndarray | None = None) -> FloatArray:
    """The minimiser with sum 1 and only the free parts (else all) other than 0, whatever their sign: (k, n).

    `hessians` is (k, k, n), or (k, k, 1) for all.
    """
    k, n = slopes.shape
    right = np.stack([slopes, np.ones((k, n))], axis=1)
    if free is not None:
        # A fixed part has the equation z = 0.
        right *= free[:, np.newaxis]
        hessians = np.where(free[:, np.newaxis] & free, hessians, np.eye(k)[:, :, np.newaxis])
    unbound, towards = _solved(hessians, right).swapaxes(0, 1)
    return unbound + towards * ((1.0 - unbound.sum(axis=0)) / towards.sum(axis=0))


def _solved(matrices: FloatArray, right: FloatArray) -> FloatArray:
    """Solutions of many systems with positive definite matrices, (k, k, n), and right sides, (k, m, n), as these.

    Gauss's elimination of one part after the other in all systems at once; without a choice of pivots, which positive
    definite matrices do not need.
    """
    matrices, right = matrices.copy(), right.copy()
    for part in range(len(matrices) - 1):
        factors = (matrices[part + 1 :, part] / matrices[part, part])[:, np.newaxis]
        matrices[part + 1 :, part + 1 :] -= factors * matrices[part, part + 1 :]
        right[part + 1 :] -= factors * right[part]
    for part in reversed(range(len(matrices))):
        right[part] /= matrices[part, part]
        right[:part] -= matrices[:part, part, np.newaxis] * right[part]
    return right


_DAMPING = 1e-10
"""Weight of the distance to the previous point: small compared with the effect of any two classes that differ."""

_STEPS = 6


def solve_on_simplex(rates: FloatArray, observed: FloatArray, penalties: FloatArray | None = None) -> FloatArray:
    """The prevalences p on the simplex with the lowest |rates p - observed|^2 + |penalties p|^2, (n, n_classes), as observed.

    `rates[i, j]` is what an instance of class j adds to class i. If several p fit equally well (two classes that the classifier
    treats alike), the one nearest to `observed` is taken: the papers leave it open, and the binary correction does the same.
    Source: Marufo 2023, 2.3 and 2.5.
    """
    curvature = rates.T @ rates + (0.0 if penalties is None else penalties.T @ penalties)
    return nearest_minimiser(curvature, observed @ rates, observed)


def nearest_minimiser(curvature: FloatArray, linear: FloatArray, start: FloatArray) -> FloatArray:
    """The prevalences p on the simplex with the lowest p'Cp/2 - f'p, (n, n_classes); of several, the nearest to `start`.

    Parameters
    ----------
    curvature : C, positive semidefinite, (n_classes, n_classes).
    linear, start : f, and the vectors to which p is to be near, (n, n_classes) each.
    """
    damped = curvature + _DAMPING * np.eye(len(curvature))
    pull, prevalences, moved = linear + _DAMPING * start, np.empty_like(start), np.arange(len(start))
    # Where the function determines p, each step removes nearly all of the damping's effect; where it does not, p stays.
    for _ in range(_STEPS):
        prevalences[moved] = minimise_on_simplex(damped, pull[moved])
        before, pull = pull, linear + _DAMPING * prevalences
        moved = np.flatnonzero((pull != before).any(axis=1))
        if not len(moved):
            break
    return prevalences
