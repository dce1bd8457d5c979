"""What the section "All classes" of "Estimate" computes: the estimates of all classes of a sample."""

from typing import NamedTuple

from pages.estimate.computations import OwnSample, own_scores, resampling_seconds
from pages.pipeline.scores import dataset
from pages.work.answers import shared
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import DatasetReference, RandomStream, Scores, ScoringSettings, estimate_sample, random_stream
from qcore.base import FloatArray
from qcore.intervals import AllClassesEstimate
from qcore.scoring import SampleScores
from qcore.studies.more_than_two_classes import draw_multiclass_sample


class AllClassesSample(NamedTuple):
    """A sample's estimates of all classes, and the true shares where they are known, (n_classes,)."""

    estimate: AllClassesEstimate
    truth: FloatArray | None = None


class DrawnSample(NamedTuple):
    """The scores of a drawn sample, and its true shares, (n_classes,)."""

    scored: SampleScores
    truth: FloatArray


@work(
    "Redrawing sample and labels",
    lambda scored, classes, methods, _level, _seed: resampling_seconds(len(methods), len(scored.sample) * len(classes)),
)
def _class_estimate(
    scored: SampleScores, classes: tuple[str, ...], methods: tuple[str, ...], level: float, seed: int
) -> Work[AllClassesEstimate]:
    how = {"classes": classes, "level": level, "seed": seed, "posteriors": scored.posteriors}
    return Work(estimate_sample, (*scored, methods), how, tells=False)


@shared
def _drawn_scores(scores: Scores, positive: str, share: float, size: int, draw: int) -> SampleScores:
    return _drawn(scores, positive, share, size, draw).scored


def _drawn(scores: Scores, positive: str, share: float, size: int, draw: int) -> DrawnSample:
    rng = random_stream(scores.seed, RandomStream.CLASS_SAMPLE, draw)
    rows, truth = draw_multiclass_sample(scores.pool_labels, scores.classes.index(positive), share, size, rng)
    scored = SampleScores(
        scores.pool_scores[rows], scores.training_scores, scores.training_labels, posteriors=scores.posteriors
    )
    return DrawnSample(scored, truth)


def drawn_sample(
    scores: Scores, positive: str, sample: tuple[float, int, int], methods: tuple[str, ...], level: float
) -> AllClassesSample:
    """All classes of a sample of the pool, given share of the positive class, size and draw. Raises InvalidInput."""
    scored = _drawn_scores(scores, positive, *sample)
    estimate = _class_estimate(scored, scores.classes, methods, level, scores.seed)
    return AllClassesSample(estimate, _drawn(scores, positive, *sample).truth)


def own_sample(
    data: DatasetReference, settings: ScoringSettings, own: OwnSample, methods: tuple[str, ...], level: float
) -> AllClassesSample:
    """All classes of the user's own sample, by the settings of all classes. Raises InvalidInput."""
    scored = own_scores(data, settings, own)
    return AllClassesSample(_class_estimate(scored, dataset(data).classes, methods, level, settings.seed))
