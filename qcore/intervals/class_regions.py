"""More than two classes: estimates of a sample, an interval for each class, and a joint region of all shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import BoolArray, FloatArray, IntArray, InvalidInput, check_class_scores, check_fraction, check_seed
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.few_labels import FEWEST_LABELS
from qcore.intervals.sample_estimate import DEFAULT_METHODS, FEWEST
from qcore.quantifiers.fitting import Methods, make_quantifiers

_LEAST_VARIANCE: Final = 1e-8
"""A share that is the same in all redrawn estimates has no variance: its standard deviation counts as 0.0001."""


@dataclass(frozen=True)
class ClassRegion:
    """An ellipse (for more classes an ellipsoid) of prevalence vectors that holds a share `level` of the redrawn estimates.

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
class ClassSampleEstimate:
    """The estimates for a sample of several classes.

    Attributes
    ----------
    table : a row for each method and class: method, class, estimate, low, high. Each interval is for its class alone.
    regions : method -> the joint region of all shares; empty for fewer than 20 instances.
    cautions : a sentence for each class with fewer than ten training scores.
    """

    table: pd.DataFrame
    regions: Mapping[str, ClassRegion]
    cautions: tuple[str, ...] = ()


def estimate_class_sample(
    sample: ArrayLike,
    scores: ArrayLike,
    labels: ArrayLike,
    classes: tuple[str, ...],
    methods: Methods = DEFAULT_METHODS,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> ClassSampleEstimate:
    """Estimates of all classes with intervals and a region, by a bootstrap of the sample and of the training scores.

    Parameters
    ----------
    sample : (m, n_classes), scores that sum to 1.
    scores, labels : (n, n_classes) and (n,), out-of-fold training scores and labels from 0.
    classes : names, (n_classes,).
    methods : as in `make_quantifiers`.
    level, seed : level of intervals and regions, and seed of the bootstrap.

    Raises
    ------
    InvalidInput
        Scores that do not sum to 1, an unknown method, or an invalid level or seed.

    Notes
    -----
    The region is the ellipse of the bootstrap's covariance about its mean, scaled to hold `level` of the redrawn estimates;
    training scores are redrawn, too. Near an edge of the simplex, where estimates are cut off at 0, it holds the truth less
    often than `level` says: `python -m benchmarks.coverage` measures it. Source: Moreo and Salvati 2025.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 2], 60)
    >>> scores = rng.dirichlet(np.ones(3), 180) * 0.4 + 0.6 * np.eye(3)[labels]
    >>> result = estimate_class_sample(scores[30:], scores, labels, ("a", "b", "c"), ["AC"])
    >>> result.table["estimate"].round(1).tolist(), bool(result.regions["AC"].holds([0.2, 0.4, 0.4]))
    ([0.2, 0.4, 0.4], True)
    """
    check_fraction("level", level, low=0.5, high=0.999)
    check_seed(seed)
    drawn, training, truth = check_class_scores("sample", sample), check_class_scores("scores", scores), np.asarray(labels)
    fitted = make_quantifiers(methods, training, truth)
    redrawn: dict[str, FloatArray] = {}
    if len(drawn) >= FEWEST:
        rng = random_stream(seed, RandomStream.CLASS_BOOTSTRAP)
        redrawn = double_bootstrap(methods, drawn, training, truth, rng=rng)
    rows: list[tuple[object, ...]] = []
    for name, quantifier in fitted.items():
        estimates = quantifier.predict(drawn[np.newaxis])[0]
        ends = percentiles(redrawn[name], level, len(drawn)) if redrawn else np.array([[0.0], [1.0]]) * np.ones(len(classes))
        rows += [(name, *row) for row in zip(classes, estimates, *ends, strict=True)]
    table = pd.DataFrame(rows, columns=["method", "class", "estimate", "low", "high"])
    regions = {name: ClassRegion(values, level) for name, values in redrawn.items()}
    return ClassSampleEstimate(table, regions, _cautions(classes, np.bincount(truth, minlength=len(classes))))


def _cautions(classes: tuple[str, ...], n_labelled: IntArray) -> tuple[str, ...]:
    return tuple(
        f"Only {n} labelled instance{'' if n == 1 else 's'} of {name}: intervals and regions may be far too small."
        for name, n in zip(classes, n_labelled, strict=True)
        if n < FEWEST_LABELS
    )
