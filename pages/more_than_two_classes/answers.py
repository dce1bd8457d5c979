"""The caches of the page "More than two classes": errors on samples of all classes, both ways, the matrices."""

from __future__ import annotations

import pandas as pd

from pages.work.answers import shared
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference
from qcore.evaluation.estimates import estimation_seconds
from qcore.losses import Smoothing
from qcore.scoring import Scores
from qcore.studies.more_than_two_classes import (
    AdjustmentMatrix,
    MulticlassErrors,
    adjustment_matrix,
    multiclass_errors,
    native_and_one_vs_all,
    simplex_protocol,
)

ScoresKey = tuple[DatasetReference, str, int, float]
"""What determines scores of all classes: data set, classifier, seed, training share."""


def class_errors(
    key: ScoresKey, methods: tuple[str, ...], sampling: tuple[str, int], loss: tuple[str, Smoothing], scores: Scores
) -> MulticlassErrors:
    """Errors on samples of a protocol and of a size; `key` determines the `scores`. Raises InvalidInput."""
    protocol = simplex_protocol(sampling[0], scores.pool_labels, sampling[1])
    answer: MulticlassErrors = computed(
        ("class errors", *key, methods, sampling, loss),
        lambda: Work(
            multiclass_errors,
            (scores, methods, protocol),
            {"loss": loss[0], "smoothing": loss[1], "seed": key[2]},
            tells=False,
        ),
        "Estimating all classes",
        estimation_seconds(len(methods) * len(scores.classes), _SAMPLES_OF_A_SIMPLEX, sampling[1]),
    )
    return answer


_SAMPLES_OF_A_SIMPLEX = 1000


def both_ways(
    key: ScoresKey, methods: tuple[str, ...], sampling: tuple[str, int], loss: tuple[str, Smoothing], scores: Scores
) -> pd.DataFrame:
    """Native methods beside one against all. Raises InvalidInput."""
    return _both_ways(key, methods, sampling, loss, class_errors(key, methods, sampling, loss, scores), scores)


@shared
def _both_ways(
    key: ScoresKey,
    methods: tuple[str, ...],
    sampling: tuple[str, int],
    loss: tuple[str, Smoothing],
    _errors: MulticlassErrors,
    _scores: Scores,
) -> pd.DataFrame:
    return native_and_one_vs_all(_errors, _scores, loss[1])


@shared
def matrix(key: ScoresKey, method: str, _scores: Scores) -> AdjustmentMatrix:
    """The matrix that AC or PACC inverts."""
    return adjustment_matrix(_scores, method)
