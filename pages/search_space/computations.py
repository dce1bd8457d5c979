"""What the page "Search space" computes: optima, the classifiers' points, their estimates, the iris example."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pages.pipeline import scores
from pages.work.answers import shared
from qcore import ArtificialPrevalence, DatasetReference, Estimates, ParametricMeasure, Scores, ScoringSettings
from qcore.studies import search_space as spaces
from qcore.studies.search_space import ClassifierPoints, classifier_points


@shared
def optima(measure: ParametricMeasure, positives: int, negatives: int) -> spaces.Optima:
    """The optima of a measure. Raises InvalidInput."""
    return spaces.optima(measure, positives, negatives)


@shared
def iris_example() -> spaces.IrisExample:
    """The two hypotheses of the iris example."""
    return spaces.iris_example()


def classifier_points_so_far(data: DatasetReference, settings: ScoringSettings, classifiers: Sequence[str]) -> ClassifierPoints:
    """The points of the classifiers that are trained already; for the classifier of `settings` also its curve."""
    trained = {key: scores.finished(data, replace(settings, classifier=key)) for key in classifiers}
    known = {key: one for key, one in trained.items() if one is not None}
    return classifier_points(known, settings.classifier if settings.classifier in known else "")


def train(data: DatasetReference, settings: ScoringSettings, classifiers: Sequence[str]) -> dict[str, Scores]:
    """The scores of all classifiers, one after the other, with progress. Raises InvalidInput."""
    return {key: scores(data, replace(settings, classifier=key)) for key in classifiers}


@shared
def learner_estimates(scores: Mapping[str, Scores], protocol: ArtificialPrevalence, correction: str) -> Estimates:
    """Estimates of each classifier, by its key, with its correction. Raises InvalidInput."""
    seed = next(iter(scores.values())).seed
    return spaces.learner_estimates(scores, correction, protocol, seed)
