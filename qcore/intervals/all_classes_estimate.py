"""Estimates of all classes of one sample, each with an interval, and their joint regions."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from qcore._base.column_order import in_order_of
from qcore._base.random_streams import RandomStream, random_stream
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_class_scores, check_labelled_scores
from qcore.intervals.analytic import Interval
from qcore.intervals.bootstrap import double_bootstrap, percentiles
from qcore.intervals.class_posterior import ClassPosterior, class_posterior
from qcore.intervals.class_regions import AllClassesEstimate, ClassRegion
from qcore.intervals.few_labels import (
    FEWEST_INSTANCES,
    biased_by_few_labels,
    class_cautions,
    needing_labels,
    tell_too_little,
    widened,
    widened_by_method,
)
from qcore.quantifiers.checked_estimates import estimate_of_one_sample
from qcore.quantifiers.class_batch import predicted
from qcore.quantifiers.fitting import Methods, make_quantifiers


def checked_classes(
    sample: ArrayLike, scores: ArrayLike, labels: ArrayLike, classes: tuple[str, ...] | None
) -> tuple[FloatArray, FloatArray, IntArray, tuple[str, ...]]:
    """Sample, training scores and labels of all classes, and their names. Raises InvalidInput."""
    training, truth = check_labelled_scores(check_class_scores("scores", scores), labels)
    drawn = check_class_scores("sample", in_order_of(scores, sample))
    names = tuple(classes) if np.iterable(classes) and not isinstance(classes, str) else ()
    if not len(set(names)) == len(names) == training.shape[1]:
        way_out = "Pass classes=(...), or the positive class's scores alone, for example scores[:, 1]."
        raise InvalidInput("classes", f"name the {training.shape[1]} classes of the scores", repr(classes), way_out)
    columns = [str(name) for name in scores.columns] if isinstance(scores, pd.DataFrame) else []
    written = [str(name) for name in names]
    if sorted(columns) == sorted(written) and columns != written:
        way_out = f"Write classes={tuple(columns)!r}."
        raise InvalidInput("classes", "be in the order of the columns of the scores", repr(names), way_out)
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
        ends = Interval(np.zeros(len(classes)), np.ones(len(classes)))
        if redrawn:
            towards = Interval(*posterior.intervals(level).T)
            of_redrawn = Interval(*percentiles(redrawn[name], level, len(drawn)))
            ends = widened(of_redrawn, towards, shares[name])
        rows += [(name, *row) for row in zip(classes, estimates, *ends, strict=True)]
    table = pd.DataFrame(rows, columns=["method", "class", "estimate", "low", "high"])
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
    return AllClassesEstimate(table, regions, said, posterior)


def _posterior(drawn: FloatArray, training: FloatArray, truth: IntArray, seed: int) -> ClassPosterior:
    """The posterior of the shares, given the predicted classes (highest score)."""
    n_classes = training.shape[1]
    labelled = np.zeros((n_classes, n_classes), dtype=np.intp)
    np.add.at(labelled, (truth, predicted(training)), 1)
    sample = np.bincount(predicted(drawn), minlength=n_classes)
    return class_posterior(labelled, sample, rng=random_stream(seed, RandomStream.CLASS_POSTERIOR))
