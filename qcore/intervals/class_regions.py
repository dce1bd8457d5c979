"""More than two classes: the result of estimating a sample, and a joint region of all shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.validation import BoolArray, FloatArray, InvalidInput
from qcore.intervals.class_posterior import ClassPosterior

_LEAST_VARIANCE: Final = 1e-8
"""A share that is the same in all redrawn estimates has no variance: its standard deviation counts as 0.0001."""


@dataclass(frozen=True)
class ClassRegion:
    """An ellipse (for more classes an ellipsoid) of prevalence vectors that holds a share `level` of the redrawn estimates.

    Near an edge of the simplex, where estimates are cut off at 0, it holds the truth less often than `level` says:
    `python -m benchmarks.coverage` measures it. Source: Moreo and Salvati 2025.

    Attributes
    ----------
    redrawn : (replicates, n_classes), estimates from the bootstrap.
    level : share of them within the region.
    """

    redrawn: FloatArray
    level: float

    @cached_property
    def _axes(self) -> tuple[FloatArray, FloatArray]:
        """Directions, (n_classes - 1, n_classes - 1), and standard deviations along them; the last class follows."""
        covariance = np.atleast_2d(np.cov(self.redrawn[:, :-1], rowvar=False))
        variances, directions = np.linalg.eigh(covariance)
        return directions, np.sqrt(np.maximum(variances, _LEAST_VARIANCE))

    @cached_property
    def middle(self) -> FloatArray:
        """The mean of the redrawn estimates, (n_classes,)."""
        return self.redrawn.mean(axis=0)

    @cached_property
    def _radius(self) -> float:
        return float(np.quantile(self._distances(self.redrawn), self.level))

    def _distances(self, prevalences: FloatArray) -> FloatArray:
        directions, deviations = self._axes
        return np.linalg.norm((prevalences - self.middle)[..., :-1] @ directions / deviations, axis=-1)

    def holds(self, prevalences: ArrayLike) -> BoolArray:
        """Whether prevalence vectors, (..., n_classes), are in the region."""
        return self._distances(np.asarray(prevalences, dtype=np.float64)) <= self._radius

    def outline(self, n_points: int = 121) -> FloatArray:
        """The edge of the ellipse of three classes, (n_points, 3), cut off where a share would be negative.

        Raises InvalidInput for another number of classes.
        """
        if self.redrawn.shape[1] != 3:
            raise InvalidInput("classes", "be three", str(self.redrawn.shape[1]), "Read the interval of each class instead.")
        turns = np.linspace(0.0, 2.0 * np.pi, n_points)
        directions, deviations = self._axes
        circle = self._radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        first = self.middle[:-1] + circle * deviations @ directions.T
        clipped = np.maximum(np.column_stack([first, 1.0 - first.sum(axis=1)]), 0.0)
        return clipped / clipped.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class AllClassesEstimate:
    """The estimates for a sample of several classes.

    Attributes
    ----------
    table : a row for each method and class: method, class, estimate, low, high. Each interval is for its class alone.
    regions : method -> the joint region of all shares; empty where nothing is known of how estimates scatter.
    cautions : a sentence where that is so, and for each class with fewer than 20 training scores.
    posterior : of the shares, from the predicted classes alone.
    """

    table: pd.DataFrame
    regions: Mapping[str, ClassRegion]
    cautions: tuple[str, ...]
    posterior: ClassPosterior

    def posterior_rows(self, level: float = 0.95) -> pd.DataFrame:
        """Rows like those of `table` for the method "posterior"."""
        classes = list(dict.fromkeys(self.table["class"]))
        low, high = self.posterior.intervals(level).T
        return pd.DataFrame(
            {"method": "posterior", "class": classes, "estimate": self.posterior.mean, "low": low, "high": high}
        )
