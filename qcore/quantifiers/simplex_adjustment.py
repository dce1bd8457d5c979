"""The correction of several classes at once: a linear system, solved by least squares on the simplex."""

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
    curvature = rates.T @ rates + (0.0 if penalties is None else penalties.T @ penalties) + _DAMPING * np.eye(len(rates))
    undamped = observed @ rates
    linear, prevalences = undamped + _DAMPING * observed, np.empty_like(observed)
    moved = np.arange(len(observed))
    # Where the system determines p, each step removes nearly all of the damping's effect; where it does not, p stays.
    for _ in range(_STEPS):
        prevalences[moved] = minimise_on_simplex(curvature, linear[moved])
        before, linear = linear, undamped + _DAMPING * prevalences
        moved = np.flatnonzero((linear != before).any(axis=1))
        if not len(moved):
            break
    return prevalences
