"""What the page "Classifier" computes: its evaluation, calibration, all pairs of classes."""

from typing import NamedTuple

import pandas as pd

from pages.pipeline import dataset, fitted, plan
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import ArtificialPrevalence, DatasetReference, RandomStream, Scores, ScoringSettings, Skew, random_stream
from qcore.base import FloatArray, IntArray
from qcore.measures.classification import class_counts, pairwise_auc
from qcore.measures.probability import CalibrationCheck, calibration_check
from qcore.scoring import calibrate
from qcore.studies import classifier_evaluation as evaluation
from qcore.studies.classifier_evaluation import mean_errors
from qcore.studies.posteriors import PosteriorTasks, decisions_by_prevalence
from qcore.studies.posteriors import posterior_tasks as tasks_of


@shared
def calibrated(scores: Scores, method: str) -> Scores:
    """The scores, calibrated by `method`."""
    return calibrate(scores, method)


@shared
def pool_calibration(scores: Scores) -> CalibrationCheck:
    """How far the pool's scores are from probabilities, beside what probabilities would show on as many instances."""
    rng = random_stream(scores.seed, RandomStream.CALIBRATION_CHECK)
    return calibration_check(scores.pool_scores, scores.pool_labels, rng)


@shared
def calibrated_errors(calibrated_scores: Scores, protocol: ArtificialPrevalence) -> pd.DataFrame:
    """Mean AE of the quantifiers that calibration can change. Raises InvalidInput."""
    return mean_errors(calibrated_scores, protocol, calibrated_scores.seed)


@shared
def decisions(scores: Scores, method: str, protocol: ArtificialPrevalence, skew: Skew) -> pd.DataFrame:
    """How well instances are classified with scores adjusted to the method's estimates. Raises InvalidInput."""
    quantifier = fitted(scores, [method])[method]
    return decisions_by_prevalence(quantifier, scores, protocol, skew, scores.seed)


@shared
def posterior_tasks(scores: Scores, method: str, protocol: ArtificialPrevalence) -> PosteriorTasks:
    """The share, the reliability and the classifier's measures that posteriors give by prevalence. Raises InvalidInput."""
    return tasks_of(fitted(scores, [method])[method], scores, protocol)


class AllClasses(NamedTuple):
    """Results on the pool of a classifier trained on all classes: AUC of each pair, and counts, predicted class by row."""

    pairs: FloatArray
    counts: IntArray


@shared
def all_classes(scores: Scores) -> AllClasses:
    """A classifier trained on all classes, evaluated on the pool."""
    predicted = scores.pool_scores.argmax(axis=1)
    return AllClasses(
        pairwise_auc(scores.pool_scores, scores.pool_labels),
        class_counts(predicted, scores.pool_labels, len(scores.classes)),
    )


@work("Training ever more complex models")
def errors_by_complexity(data: DatasetReference, settings: ScoringSettings, complexity: str) -> Work[pd.DataFrame]:
    """Table: the errors of more and more complex models. Moving a control stops the work. Raises InvalidInput."""
    return Work(
        evaluation.errors_by_complexity,
        (dataset(data), settings.positive, plan(data, settings), complexity),
        {"seed": settings.seed},
    )
