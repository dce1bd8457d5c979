"""The caches of a sample of several classes: its scores, the estimates of all classes."""

from __future__ import annotations

from typing import NamedTuple

from pages.estimate.answers import OwnTable, resampling_seconds
from pages.pipeline.class_scores import class_scores
from pages.pipeline.data_sets import dataset
from pages.work.heavy import computed
from pages.work.job import Work
from qcore import DatasetReference, RandomStream, ScoringSettings, random_stream
from qcore._base.validation import FloatArray
from qcore.intervals import ClassSampleEstimate, estimate_class_sample
from qcore.scoring import SampleScores, score_sample
from qcore.scoring.duration import scoring_seconds
from qcore.studies.class_sample import draw_class_sample


class ClassSample(NamedTuple):
    """A sample's estimates of all classes, and the true shares where they are known, (n_classes,)."""

    estimate: ClassSampleEstimate
    truth: FloatArray | None = None


def _class_estimate(
    key: tuple[object, ...],
    methods: tuple[str, ...],
    level: float,
    seed: int,
    labelled: tuple[SampleScores, tuple[str, ...]],
) -> ClassSampleEstimate:
    scored, classes = labelled
    answer: ClassSampleEstimate = computed(
        ("class estimate", *key, methods, level, seed),
        lambda: Work(estimate_class_sample, (*scored, classes, methods), {"level": level, "seed": seed}, tells=False),
        "Redrawing sample and labels",
        resampling_seconds(len(methods), len(scored.sample) * len(classes)),
    )
    return answer


def drawn_class_sample(
    data: DatasetReference, settings: ScoringSettings, sample: tuple[float, int, int], methods: tuple[str, ...], level: float
) -> ClassSample:
    """All classes of a sample of the pool, given share of the positive class, size and draw. Raises InvalidInput."""
    scored = class_scores(data, settings.classifier, settings.seed, settings.training_share)
    share, size, draw = sample
    rng = random_stream(settings.seed, RandomStream.CLASS_SAMPLE, draw)
    rows, truth = draw_class_sample(scored.pool_labels, scored.classes.index(settings.positive), share, size, rng)
    of_sample = SampleScores(scored.pool_scores[rows], scored.training_scores, scored.training_labels)
    key = (data, settings, sample)
    return ClassSample(_class_estimate(key, methods, level, settings.seed, (of_sample, scored.classes)), truth)


def own_class_sample(
    data: DatasetReference,
    settings: ScoringSettings,
    own: OwnTable,
    methods: tuple[str, ...],
    level: float,
) -> ClassSample:
    """All classes of a person's own sample, its digest, owner and table. Raises InvalidInput."""
    digest, owner, frame = own
    labelled, classifier, seed = dataset(data), settings.classifier, settings.seed
    scored: SampleScores = computed(
        ("own class scores", data, classifier, seed, digest, owner),
        lambda: Work(score_sample, (labelled, frame, None, classifier), {"seed": seed}),
        "Training on all classes",
        scoring_seconds(labelled, classifier, 1.0, n_classes=len(labelled.classes)),
    )
    key = (data, classifier, digest, owner)
    return ClassSample(_class_estimate(key, methods, level, seed, (scored, labelled.classes)))
