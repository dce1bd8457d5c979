"""The Bayesian posterior of the shares of several classes, given counts: exact weighted draws, without a chain."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from qcore._base.validation import FloatArray, InvalidInput, whole_numbers
from qcore.intervals.weighted_draws import equal_tailed

_DRAWS: Final = (4_000, 64_000)
"""Numbers of draws: more are drawn where too few of the first carry weight."""
_ENOUGH: Final = 400.0
"""Weighted draws must be worth so many draws of equal weight."""
_SINGULAR: Final = 1e-12


@dataclass(frozen=True)
class ClassPosterior:
    """Draws of prevalences, (n, n_classes), with their weights, (n,), which sum to 1."""

    draws: FloatArray
    weights: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean share of each class, (n_classes,)."""
        result: FloatArray = self.weights @ self.draws
        return result

    @property
    def worth(self) -> float:
        """How many draws of equal weight these are worth (Kish 1965)."""
        return float(1.0 / np.square(self.weights).sum())

    def intervals(self, level: float = 0.95) -> FloatArray:
        """Equal-tailed interval of each class, (n_classes, 2)."""
        return np.array([equal_tailed(shares, self.weights, level) for shares in self.draws.T])


def class_posterior(labelled: ArrayLike, sample: ArrayLike, *, rng: np.random.Generator) -> ClassPosterior:
    """The posterior of the shares, with flat priors on the shares and on how each class is predicted.

    Parameters
    ----------
    labelled : (n_classes, n_classes), labelled instances by true class (rows) and predicted class.
    sample : (n_classes,), instances of the sample by predicted class.

    Raises
    ------
    InvalidInput
        The counts are not whole numbers, are negative or have other shapes; or too few of 64,000 draws carry weight: the counts
        contradict the rates, or there are many classes and some are rare.

    Notes
    -----
    The model of Ziegler and Czyz 2024. Their chain of Gibbs draws is not needed: rows phi ~ Dirichlet(F + 1) and predicted
    shares c ~ Dirichlet(N + 1) give p = phi'^-1 c with the weight 1 / abs(det phi), and 0 if a share is negative.

    Examples
    --------
    >>> F = [[42, 12, 6], [9, 42, 9], [6, 12, 42]]
    >>> class_posterior(F, [240, 160, 100], rng=np.random.default_rng(0)).mean.round(2).tolist()
    [0.63, 0.23, 0.14]
    """
    counts, found = whole_numbers("labelled", labelled), whole_numbers("sample", sample)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or found.shape != counts.shape[:1] or len(found) < 2:
        got = f"shapes {counts.shape} and {found.shape}"
        raise InvalidInput("counts", "have the shapes (n_classes, n_classes) and (n_classes,)", got, "Count every class.")
    if (least := min(counts.min(), found.min())) < 0:
        raise InvalidInput("counts", "be at least 0", str(least), "Check them.")
    for n_draws in _DRAWS:
        result = _drawn(counts, found, n_draws, rng)
        if result is not None and result.worth >= _ENOUGH:
            return result
    got = "counts that hardly any shares explain, or too many rare classes for these draws"
    raise InvalidInput(
        "counts", "agree with the rates", got, "Merge rare classes, or check whether classes have changed since labelling."
    )


def _drawn(counts: np.ndarray, found: np.ndarray, n_draws: int, rng: np.random.Generator) -> ClassPosterior | None:
    phi = np.stack([rng.dirichlet(row + 1.0, n_draws) for row in counts], axis=1)
    c = rng.dirichlet(found + 1.0, n_draws)
    size = np.abs(np.linalg.det(phi))
    usable = size > _SINGULAR
    prevalences = np.linalg.solve(phi[usable].transpose(0, 2, 1), c[usable][:, :, np.newaxis])[:, :, 0]
    inside = (prevalences >= 0.0).all(axis=1)
    if not inside.any():
        return None
    weights = 1.0 / size[usable][inside]
    return ClassPosterior(prevalences[inside], weights / weights.sum())
