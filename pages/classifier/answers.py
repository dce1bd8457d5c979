"""What the page "Classifier" computes: its evaluation, calibration, all pairs of classes."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from pages.pipeline.class_scores import class_scores
from pages.pipeline.data_sets import dataset
from pages.pipeline.scores import fitted, plan
from pages.work.answers import shared
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import ArtificialPrevalence, DatasetReference, Scores, ScoringSettings
from qcore._base.validation import FloatArray, IntArray
from qcore.measures import multiclass_auc
from qcore.measures.costs import Skew
from qcore.measures.multiclass_table import class_counts
from qcore.scoring import calibrate
from qcore.studies import overfitting
from qcore.studies.calibration_effects import mean_errors
from qcore.studies.posteriors import decisions_by_prevalence


@shared
def calibrated(data: DatasetReference, settings: ScoringSettings, method: str, _scores: Scores) -> Scores:
    """The scores, calibrated."""
    return calibrate(_scores, method)


@shared
def calibrated_errors(
    data: DatasetReference, settings: ScoringSettings, method: str, protocol: ArtificialPrevalence, _scores: Scores
) -> pd.DataFrame:
    """Mean AE of the quantifiers that calibration can change, on scores calibrated by `method`. Raises InvalidInput."""
    return mean_errors(calibrated(data, settings, method, _scores), protocol, settings.seed)


@shared
def decisions(
    data: DatasetReference,
    settings: ScoringSettings,
    method: str,
    protocol: ArtificialPrevalence,
    skew: Skew,
    *,
    _scores: Scores,
) -> pd.DataFrame:
    """How well instances are classified with scores adjusted to the method's estimates. Raises InvalidInput."""
    quantifier = fitted(data, settings, [method], _scores)[method]
    return decisions_by_prevalence(quantifier, _scores, protocol, skew, settings.seed)


class AllClasses(NamedTuple):
    """A classifier trained on all classes, on the pool: AUC of each pair, and counts with the predicted class by row."""

    pairs: FloatArray
    counts: IntArray


@shared
def _all_classes(data: DatasetReference, classifier: str, seed: int, share: float, _scores: Scores) -> AllClasses:
    predicted = _scores.pool_scores.argmax(axis=1)
    return AllClasses(
        multiclass_auc.pairwise_auc(_scores.pool_scores, _scores.pool_labels),
        class_counts(predicted, _scores.pool_labels, len(_scores.classes)),
    )


def all_classes(data: DatasetReference, classifier: str, seed: int, share: float) -> AllClasses:
    """A classifier trained on all classes and evaluated on the pool, with progress. Raises InvalidInput."""
    return _all_classes(data, classifier, seed, share, class_scores(data, classifier, seed, share))


def errors_by_complexity(data: DatasetReference, settings: ScoringSettings, complexity: str) -> pd.DataFrame:
    """The errors of ever more complex models. A control that moves stops the work. Raises InvalidInput."""
    answer: pd.DataFrame = computed(
        ("errors by complexity", data, settings, complexity),
        lambda: Work(
            overfitting.errors_by_complexity,
            (dataset(data), settings.positive, plan(data, settings), complexity),
            {"seed": settings.seed},
        ),
        "Training ever more complex models",
    )
    return answer
