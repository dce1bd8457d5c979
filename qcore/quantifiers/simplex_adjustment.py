"""The correction of several classes at once: a quadratic function, such as a sum of squares, that is least on the simplex."""

import numpy as np

from qcore._base.validation import FloatArray
from qcore.quantifiers.simplex_quadratic_programmes import minimise_on_simplex

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
