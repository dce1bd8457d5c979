"""What the page "More than two classes" computes: errors on samples of all classes, both ways, the matrices."""

from dataclasses import dataclass

import pandas as pd

from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore.evaluation.estimates import estimation_seconds
from qcore.losses import Smoothing
from qcore.scoring import Scores
from qcore.studies.loss_shapes import ordered_losses
from qcore.studies.more_than_two_classes import (
    AdjustmentMatrix,
    MulticlassErrors,
    adjustment_matrix,
    multiclass_errors,
    native_and_one_vs_all,
    simplex_protocol,
)

_SAMPLES_OF_A_SIMPLEX = 1000


@shared
def in_order(scores: Scores, order: tuple[str, ...]) -> Scores:
    """The scores with the classes in `order`; unchanged for an empty order."""
    return scores.in_order(order)


@shared
def losses_of_ordered(errors: MulticlassErrors, smoothing: Smoothing) -> pd.DataFrame:
    """Table: mean AE and losses of ordered classes of each method."""
    return ordered_losses(errors, smoothing)


@dataclass(frozen=True)
class ClassesSampling:
    """Which samples are drawn, and how an error of their estimates is measured."""

    protocol: str
    size: int
    loss: str
    smoothing: Smoothing


def _seconds(scores: Scores, methods: tuple[str, ...], sampling: ClassesSampling) -> float:
    return estimation_seconds(len(methods) * len(scores.classes), _SAMPLES_OF_A_SIMPLEX, sampling.size)


@work("Estimating all classes", _seconds)
def class_errors(scores: Scores, methods: tuple[str, ...], sampling: ClassesSampling) -> Work[MulticlassErrors]:
    """Errors on samples of a protocol and of a size. Raises InvalidInput."""
    protocol = simplex_protocol(sampling.protocol, scores.pool_labels, sampling.size)
    named = {"loss": sampling.loss, "smoothing": sampling.smoothing, "seed": scores.seed}
    return Work(multiclass_errors, (scores, methods, protocol), named, tells=False)


@shared
def _both_ways(errors: MulticlassErrors, scores: Scores, smoothing: Smoothing) -> pd.DataFrame:
    return native_and_one_vs_all(errors, scores, smoothing)


def both_ways(scores: Scores, methods: tuple[str, ...], sampling: ClassesSampling) -> pd.DataFrame:
    """Table: the mean loss of methods on all classes at once and as one against all. Raises InvalidInput."""
    return _both_ways(class_errors(scores, methods, sampling), scores, sampling.smoothing)


@shared
def matrix(scores: Scores, method: str) -> AdjustmentMatrix:
    """The matrix that AC or PACC inverts."""
    return adjustment_matrix(scores, method)
