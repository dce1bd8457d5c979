"""Estimates of all classes of one sample, with intervals and joint regions.

More than two classes: the result of estimating a sample, and a joint region of all shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import (
    TIE,
    BoolArray,
    FloatArray,
    IntArray,
    InvalidInput,
    check_class_scores,
    check_labelled_scores,
    in_order_of,
)
from qcore.intervals.analytic import Interval
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.class_posterior import ClassPosterior, class_posterior
from qcore.intervals.few_labels import (
    FEWEST_INSTANCES,
    biased_by_few_labels,
    class_cautions,
    needing_labels,
    tell_too_little,
    widened,
    widened_by_method,
)
from qcore.quantifiers.batch import predicted
from qcore.quantifiers.fitting import Methods, estimate_of_one_sample, make_quantifiers

_LEAST_VARIANCE = 1e-8
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

    Examples
    --------
    >>> redrawn = np.random.default_rng(0).dirichlet([80, 10, 10], 1000)
    >>> ClassRegion(redrawn, 0.95).middle.round(1).tolist()
    [0.8, 0.1, 0.1]
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
    table : a row for each method and class: method, class, estimate, low, high, joint_low, joint_high. The interval from low to
        high is only for its class; the wider joint ones hold all shares at once.
    regions : method -> the joint region of all shares; empty where nothing is known of how estimates scatter.
    cautions : a sentence where that is so, and for each class with fewer than 20 training scores.
    posterior : of the shares, only from the predicted classes.
    level : of the intervals and regions.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 2], 40)
    >>> scores = 0.4 * rng.dirichlet([1, 1, 1], 120) + 0.6 * np.eye(3)[labels]
    >>> from qcore import estimate_sample
    >>> result = estimate_sample(scores[:50], scores, labels, ["CC"], classes=("a", "b", "c"))
    >>> result.table[["class", "estimate"]].to_numpy().tolist()
    [['a', 0.8], ['b', 0.2], ['c', 0.0]]
    """

    table: pd.DataFrame
    regions: Mapping[str, ClassRegion]
    cautions: tuple[str, ...]
    posterior: ClassPosterior
    level: float = 0.95

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in their order."""
        return list(dict.fromkeys(map(str, self.table["class"])))

    @cached_property
    def with_posterior(self) -> pd.DataFrame:
        """The table, and rows like its own for the method "posterior"."""
        of_each = level_of_each(self.posterior.draws, self.level, self.posterior.weights)
        (low, high), (joint_low, joint_high) = (self.posterior.intervals(level).T for level in (self.level, of_each))
        ends = {"low": low, "high": high, "joint_low": joint_low, "joint_high": joint_high}
        rows = pd.DataFrame({"method": "posterior", "class": self.classes, "estimate": self.posterior.mean, **ends})
        return pd.concat([self.table, rows], ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON: classes, level, a record for each method and class, cautions."""
        return {
            "classes": self.classes,
            "level": self.level,
            "estimates": self.with_posterior.to_dict("records"),
            "cautions": list(self.cautions),
        }


def level_of_each(draws: FloatArray, level: float, weights: FloatArray | None = None) -> float:
    """The level of each class's equal-tailed interval, so that all intervals together hold a share `level` of the draws.

    `draws` are (n, n_classes), `weights` (n,) with the sum 1, by default all alike. Source: Besag et al. 1995.

    Examples
    --------
    >>> draws = np.random.default_rng(0).dirichlet([20, 30, 50], 2000)
    >>> 0.95 < level_of_each(draws, 0.95) < 1.0 - 0.05 / 3
    True
    """
    given = np.full(len(draws), 1.0 / len(draws)) if weights is None else weights
    needed = np.zeros(len(draws))
    for shares in draws.T:
        _, place = np.unique(shares, return_inverse=True)
        of_value = np.bincount(place, given)
        below = np.cumsum(of_value) - of_value / 2.0
        needed = np.maximum(needed, np.abs(2.0 * below - 1.0)[place])
    order = np.argsort(needed)
    reached = np.searchsorted(np.cumsum(given[order]), level - TIE)
    return max(level, float(needed[order][min(int(reached), len(order) - 1)]))


def checked_classes(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, classes: tuple[str, ...] | None
) -> tuple[FloatArray, FloatArray, IntArray, tuple[str, ...]]:
    """Sample, training scores and labels of all classes, and their names. Raises InvalidInput."""
    training, truth = check_labelled_scores(check_class_scores("scores", scores), labels)
    drawn = check_class_scores("sample", in_order_of(scores, sample))
    names = tuple(classes) if np.iterable(classes) and not isinstance(classes, str) else ()
    if not len(set(names)) == len(names) == training.shape[1]:
        hint = "Pass classes=(...), or only the positive class's scores, for example scores[:, 1]."
        raise InvalidInput("classes", f"name the {training.shape[1]} classes of the scores", repr(classes), hint)
    columns = [str(name) for name in scores.columns] if isinstance(scores, pd.DataFrame) else []
    written = [str(name) for name in names]
    if sorted(columns) == sorted(written) and columns != written:
        hint = f"Write classes={tuple(columns)!r}."
        raise InvalidInput("classes", "be in the order of the columns of the scores", repr(names), hint)
    return drawn, training, truth, names


def estimate_all_classes(
    drawn: FloatArray,
    training: FloatArray,
    truth: IntArray,
    classes: tuple[str, ...],
    methods: Methods,
    *,
    level: float,
    seed: int,
    posteriors: bool = True,
    n_jobs: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> AllClassesEstimate:
    """Estimates of all classes of a sample, with bootstrap intervals and regions; scores and labels are already checked."""
    fitted = make_quantifiers(methods, training, truth, refit=True, posteriors=posteriors)
    posterior, n_labelled = _posterior(drawn, training, truth, seed), np.bincount(truth)
    redrawn: dict[str, FloatArray] = {}
    little_told = all(tell_too_little(training[:, label], (truth == label).astype(np.intp)) for label in range(len(classes)))
    if len(drawn) >= FEWEST_INSTANCES and not little_told:
        rng = random_stream(seed, RandomStream.CLASS_BOOTSTRAP)
        how: Any = {"posteriors": posteriors, "n_jobs": n_jobs, "on_progress": on_progress}
        redrawn = double_bootstrap(methods, drawn, training, truth, rng=rng, **how)
    shares = widened_by_method(methods, int(n_labelled.min()))
    rows: list[tuple[object, ...]] = []
    for name, quantifier in fitted.items():
        estimates = estimate_of_one_sample(name, quantifier, drawn)
        ends = [np.zeros(len(classes)), np.ones(len(classes))] * 2
        if redrawn:
            of_each = level_of_each(redrawn[name], level)
            ends = [end for at in (level, of_each) for end in _interval(redrawn[name], posterior, at, len(drawn), shares[name])]
        rows += [(name, *row) for row in zip(classes, estimates, *ends, strict=True)]
    table = pd.DataFrame(rows, columns=["method", "class", "estimate", "low", "high", "joint_low", "joint_high"])
    regions = {name: ClassRegion(values, level) for name, values in redrawn.items()}
    said = class_cautions(classes, n_labelled, little_told)
    if redrawn:
        fewest = int(n_labelled.min())
        said = (*said, *biased_by_few_labels(needing_labels(methods, fewest), fewest))
    if len(drawn) < FEWEST_INSTANCES:
        said = (f"Fewer than {FEWEST_INSTANCES} instances: too few to tell how the estimates scatter.", *said)
    if posterior.contradicts:
        said = (
            *said,
            "No shares explain the predicted classes: classes have changed since labelling. Do not rely on these.",
        )
    return AllClassesEstimate(table, regions, said, posterior, level)


def _interval(redrawn: FloatArray, posterior: ClassPosterior, level: float, size: int, share: float) -> Interval:
    """The interval of each class from redrawn estimates, (replicates, n_classes), moved by a share to the posterior's."""
    return widened(Interval(*percentiles(redrawn, level, size)), Interval(*posterior.intervals(level).T), share)


def _posterior(drawn: FloatArray, training: FloatArray, truth: IntArray, seed: int) -> ClassPosterior:
    """The posterior of the shares, given the predicted classes (highest score)."""
    n_classes = training.shape[1]
    labelled = np.zeros((n_classes, n_classes), dtype=np.intp)
    np.add.at(labelled, (truth, predicted(training)), 1)
    sample = np.bincount(predicted(drawn), minlength=n_classes)
    return class_posterior(labelled, sample, rng=random_stream(seed, RandomStream.CLASS_POSTERIOR))
