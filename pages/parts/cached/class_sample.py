"""The caches of a sample of several classes: its scores, the estimates of all classes."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.parts.cached.class_scores import class_scores
from pages.parts.cached.estimate import OwnTable
from pages.parts.cached.progress import once
from pages.parts.cached.scores import dataset
from qcore import DatasetReference, RandomStream, ScoringSettings, random_stream
from qcore._base.validation import FloatArray
from qcore.intervals import ClassSampleEstimate, estimate_class_sample
from qcore.scoring.sample_class_scores import ClassSampleScores, score_class_sample
from qcore.studies.class_sample import draw_class_sample


class ClassSample(NamedTuple):
    """A sample's estimates of all classes, and the true shares where they are known, (n_classes,)."""

    estimate: ClassSampleEstimate
    truth: FloatArray | None = None


@st.cache_resource(show_spinner="Redrawing sample and labels", max_entries=50)
def _class_estimate(
    key: tuple[object, ...],
    methods: tuple[str, ...],
    level: float,
    seed: int,
    _labelled: tuple[ClassSampleScores, tuple[str, ...]],
) -> ClassSampleEstimate:
    scored, classes = _labelled
    return estimate_class_sample(*scored, classes, methods, level=level, seed=seed)


def drawn_class_sample(
    data: DatasetReference, settings: ScoringSettings, sample: tuple[float, int, int], methods: tuple[str, ...], level: float
) -> ClassSample:
    """All classes of a sample of the pool, given share of the positive class, size and draw. Raises InvalidInput."""
    scored = class_scores(data, settings.classifier, settings.seed, settings.training_share)
    share, size, draw = sample
    rng = random_stream(settings.seed, RandomStream.CLASS_SAMPLE, draw)
    rows, truth = draw_class_sample(scored.pool_labels, scored.classes.index(settings.positive), share, size, rng)
    of_sample = ClassSampleScores(scored.pool_scores[rows], scored.training_scores, scored.training_labels)
    key = (data, repr(settings), sample)
    return ClassSample(_class_estimate(key, methods, level, settings.seed, (of_sample, scored.classes)), truth)


@st.cache_resource(show_spinner=False, max_entries=20)
def _own_class_scores(data: DatasetReference, classifier: str, seed: int, digest: str, owner: str) -> list[ClassSampleScores]:
    """Where the scores of all classes of a sample are kept: empty until they are there."""
    return []


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
    scored = once(
        _own_class_scores(data, classifier, seed, digest, owner), "Training on all classes",
        lambda show: score_class_sample(labelled, frame, classifier, seed=seed, on_progress=show),
    )  # fmt: skip
    key = (data, classifier, digest, owner)
    return ClassSample(_class_estimate(key, methods, level, seed, (scored, labelled.classes)))
