"""What the page "Estimate" computes: a sample's scores, its estimates, the recommended quantifier, simulated intervals."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pandas as pd

from pages.estimate.groups import GroupsRequest, columns_of_groups, columns_of_weights
from pages.estimate.settings import ONE_PICTURE
from pages.own_data.uploaded_tables import UploadedFile, uploaded_frame
from pages.own_data.uploads import label_column
from pages.pipeline import dataset, origin_of, plan, pool_as_training, training_words
from pages.work.answers import cache_key_of, shared, with_cache_key
from pages.work.engines import Work
from pages.work.heavy import work
from qcore import (
    DatasetReference,
    PrevalencePath,
    RandomStream,
    Scores,
    ScoringSettings,
    estimate_sample,
    random_stream,
    score_sample,
)
from qcore.base import FloatArray, IntArray
from qcore.datasets.time_order import groups_in_time
from qcore.intervals import (
    AllClassesEstimate,
    Differences,
    LabelledSample,
    LabelledSampleEstimate,
    PrecisePosterior,
    SampleEstimate,
    ShiftVerdict,
    estimate_labelled_sample,
    labelled_sample_differences,
    panel_differences,
    precise_posterior,
    read_labelled_columns,
)
from qcore.intervals.analytic import Interval
from qcore.intervals.difference import BY_FORMULA
from qcore.intervals.labelled_sample import LabelledColumns
from qcore.intervals.sample_estimate import classifier_on_sample
from qcore.intervals.shift_tests import comparison_seconds
from qcore.intervals.which_shift import shift_of, shift_of_pool
from qcore.recommender import SampleRecommendation, recommend_for_sample
from qcore.scoring import SampleScores
from qcore.scoring.plan import scoring_seconds
from qcore.scoring.sample_scores import aligned, known_labels, notes_on_sample, outside_training
from qcore.studies import interval_coverage
from qcore.studies.interval_coverage import CoverageSettings, compare_rules
from qcore.studies.more_than_two_classes import draw_multiclass_sample
from qcore.watching import Batches, read_batches

_FOREST_SECONDS = 1.0
"""About how long the recommender's forest takes to learn for one sample."""

_TESTING = "Testing which shift it is"

_FEW_VALUES = 30
"""If no feature has more distinct values, many instances are alike in all features: see `SampleScores.as_training`."""

_LARGE = 30_000
"""Larger samples of one class against the rest take no longer: numbers of few scores are redrawn."""

_CALIBRATION_SECONDS = 4e-6
"""About how long the check of calibration takes for each training score."""


@dataclass(frozen=True)
class OwnSample:
    """A table that the user has brought: its name, its hash, the secret of their session, and what is in it.

    `unlabelled_in` is the column of classes in which its rows are empty, if the labelled ones are in the same file. `files`:
    the names of the files that it is made of.
    """

    name: str
    digest: str
    owner: str = field(repr=False)
    frame: pd.DataFrame = field(repr=False)
    unlabelled_in: str = ""
    files: tuple[str, ...] = ()

    @property
    def cache_key(self) -> Hashable:
        """What a cache knows it by; the owner keeps it from other sessions."""
        return (self.digest, self.name, self.owner, self.unlabelled_in)


@dataclass(frozen=True)
class Weighted:
    """The user's own sample, and the column of its weights."""

    own: OwnSample
    column: str

    @property
    def weights(self) -> FloatArray:
        """How many each row stands for, (m,)."""
        numbers: FloatArray = self.own.frame[self.column].to_numpy(dtype=float)
        return numbers

    @property
    def cache_key(self) -> Hashable:
        """What a cache knows it by."""
        return (self.own.cache_key, self.column)


def resampling_seconds(n_methods: int, sample_size: int) -> float:
    """About how many seconds `n_methods` methods need for a thousand redrawn samples."""
    return n_methods * (0.02 + 5e-5 * sample_size)


def drawn_scores(scores: Scores, path: PrevalencePath, draw: int) -> SampleScores:
    """The scores of a sample drawn from the pool at the path's single prevalence, with the training scores."""
    scored, (data, settings) = _drawn_scores(scores, path, draw), origin_of(scores)
    if not _has_few_values(data):
        return scored
    as_training = pool_as_training(data, settings)[_drawn_rows(scores, path, draw)]
    return with_cache_key(replace(scored, as_training=as_training), (cache_key_of(scored), "as training"))


@shared
def _has_few_values(data: DatasetReference) -> bool:
    whole = dataset(data)
    return not whole.are_scores and all(whole.features[name].nunique() <= _FEW_VALUES for name in whole.features)


@shared
def _drawn_scores(scores: Scores, path: PrevalencePath, draw: int) -> SampleScores:
    rows = _drawn_rows(scores, path, draw)
    return SampleScores(scores.pool_scores[rows], scores.training_scores, scores.training_labels, posteriors=scores.posteriors)


@shared
def rules(settings: CoverageSettings, seed: int) -> pd.DataFrame:
    """Coverage and width of each rule in use for intervals, on simulated samples. Raises InvalidInput."""
    return compare_rules(settings, seed)


@shared
def precise(scored: SampleScores, seed: int) -> PrecisePosterior:
    """The posterior of the share from histograms of scores. Raises InvalidInput."""
    training = scored.training_scores, scored.training_labels
    return precise_posterior(scored.to_compare, *training, rng=random_stream(seed, RandomStream.PRECISE_QUANTIFIER))


@shared
def classifier_of_drawn(scores: Scores, path: PrevalencePath, draw: int) -> pd.DataFrame:
    """How good the classifier is on the drawn sample, expected and true: the table of `classifier_on_sample`."""
    rows = _drawn_rows(scores, path, draw)
    drawn, truth = scores.pool_scores[rows], scores.pool_labels[rows]
    training = scores.training_scores, scores.training_labels
    return classifier_on_sample(drawn, *training, truth=truth, posteriors=scores.posteriors)


@shared
def classifier_of_own(scored: SampleScores, data: DatasetReference, own: OwnSample, positive: str) -> pd.DataFrame:
    """How good the classifier is on the user's own sample: `classifier_on_sample`, with the truth where labels are known."""
    truth = known_labels(own.frame, label_column(data), positive, dataset(data).classes)
    return classifier_on_sample(*scored, truth=truth, posteriors=scored.posteriors)


def _drawn_rows(scores: Scores, path: PrevalencePath, draw: int) -> IntArray:
    samples = path.draw(scores.pool_labels, random_stream(scores.seed, RandomStream.ESTIMATED_SAMPLE, draw))
    ((_, rows),) = samples.blocks()
    return rows[0]


def _seconds(data: DatasetReference, settings: ScoringSettings, _own: OwnSample) -> float:
    labelled = dataset(data)
    n_classes = len(labelled.classes) if settings.positive is None else 2
    return scoring_seconds(labelled, settings.classifier, 1.0, n_classes=n_classes)


def _learning_words(data: DatasetReference, settings: ScoringSettings, _own: OwnSample) -> str:
    return "Learning from texts" if dataset(data).text else training_words(settings)


@work(_learning_words, _seconds)
def own_scores(data: DatasetReference, settings: ScoringSettings, own: OwnSample) -> Work[SampleScores]:
    """The user's own sample, scored by a classifier that is trained on all of the data set. Raises InvalidInput."""
    arguments = (dataset(data), own.frame, settings.positive, settings.classifier)
    return Work(score_sample, arguments, {"seed": settings.seed})


@shared
def outside(data: DatasetReference, own: OwnSample) -> tuple[float, tuple[str, ...]]:
    """(share of an uploaded sample outside the range of the labelled data, columns in which it is). Raises InvalidInput."""
    beyond = outside_training(own.frame, dataset(data))
    shares = beyond.mean().sort_values(ascending=False)
    return float(beyond.any(axis=1).mean()), tuple(map(str, shares[shares > 0.0].index[:3]))


@shared
def notes_on_own(data: DatasetReference, own: OwnSample) -> tuple[str, ...]:
    """Sentences on how an uploaded sample was read, and on values that could not be used. Raises InvalidInput."""
    return notes_on_sample(own.frame, dataset(data))


@work(
    "Redrawing sample and labels",
    lambda scored, methods, *_: (
        resampling_seconds(len(methods), min(len(scored.sample), _LARGE)) + _CALIBRATION_SECONDS * len(scored.training_scores)
    ),
)
def sample_estimate(
    scored: SampleScores, methods: tuple[str, ...], level: float, seed: int, weighted: Weighted | None = None
) -> Work[SampleEstimate]:
    """Estimates with intervals. Raises InvalidInput."""
    how = {"level": level, "seed": seed, "as_training": scored.as_training, "posteriors": scored.posteriors}
    if weighted is not None:
        how["weights"] = weighted.weights
    return Work(estimate_sample, (*scored, methods), how, tells=False)


def _testing_seconds(data: DatasetReference, n_instances: int) -> float:
    return comparison_seconds(n_instances, dataset(data).n_columns)


@work(
    _TESTING,
    lambda scores, path, *_: _testing_seconds(origin_of(scores)[0], len(scores.training_labels) + path.sample_size),
)
def shift_of_drawn(scores: Scores, path: PrevalencePath, draw: int, n_labels: int) -> Work[ShiftVerdict]:
    """Which shift a drawn sample shows, `n_labels` of it labelled. Raises InvalidInput."""
    data, settings = origin_of(scores)
    rows, split = _drawn_rows(scores, path, draw), plan(data, settings)
    rng = random_stream(scores.seed, RandomStream.SHIFT_TESTS, draw)
    arguments = (dataset(data), scores, rows, (split.training_rows, split.pool_rows[rows]))
    fit_rng = random_stream(scores.seed, RandomStream.GOODNESS_OF_FIT)
    as_training = drawn_scores(scores, path, draw).as_training
    named = {"n_labels": n_labels, "rng": rng, "fit_rng": fit_rng, "as_training": as_training}
    return Work(shift_of_pool, arguments, named, tells=False)


@work(_TESTING, lambda data, _settings, own, _scored: _testing_seconds(data, len(dataset(data).labels) + len(own.frame)))
def _shift_of_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnSample, scored: SampleScores
) -> Work[ShiftVerdict]:
    arguments = (dataset(data), own.frame, scored, settings.positive, label_column(data))
    return Work(shift_of, arguments, {"seed": settings.seed}, tells=False)


def shift_of_own(data: DatasetReference, settings: ScoringSettings, own: OwnSample) -> ShiftVerdict:
    """Which shift the user's own sample shows, also by its labels, if it has any. Raises InvalidInput."""
    return _shift_of_own(data, settings, own, own_scores(data, settings, own))


_LEARNING = "Learning which quantifier to take"


def _forest_seconds(data: DatasetReference, settings: ScoringSettings, share: float) -> float:
    return _FOREST_SECONDS + scoring_seconds(dataset(data), settings.classifier, share)


@work(_LEARNING, lambda scores, *_: _forest_seconds(scores.data, scores.settings, scores.settings.training_share))
def recommended_for_drawn(
    scores: Scores, path: PrevalencePath, draw: int, candidates: tuple[str, ...]
) -> Work[SampleRecommendation]:
    """Which quantifier to take for a drawn sample, learnt from the training part. Raises InvalidInput."""
    data, settings = origin_of(scores)
    split, whole = plan(data, settings), dataset(data)
    features = whole.numeric_features()[split.pool_rows[_drawn_rows(scores, path, draw)]]
    drawn, labelled = drawn_scores(scores, path, draw), whole.subset(split.training_rows)
    return Work(recommend_for_sample, (labelled, settings, drawn, features, candidates))


@work(_LEARNING, lambda data, settings, *_: _forest_seconds(data, settings, 1.0))
def _recommended_for_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnSample, scored: SampleScores, candidates: tuple[str, ...]
) -> Work[SampleRecommendation]:
    labelled = dataset(data)
    features = labelled.numeric_features(aligned(own.frame, labelled))
    return Work(recommend_for_sample, (labelled, settings, scored, features, candidates))


def recommended_for_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnSample, candidates: tuple[str, ...]
) -> SampleRecommendation:
    """Which quantifier to take for the user's own sample, learnt from the data set. Raises InvalidInput."""
    return _recommended_for_own(data, settings, own, own_scores(data, settings, own), candidates)


@work("Simulating intervals", 1.5)
def simulated_coverage(settings: CoverageSettings, seed: int) -> Work[tuple[pd.DataFrame, dict[str, Interval]]]:
    """Coverage of each method over 2,000 samples, and the first hundred intervals of each. Raises InvalidInput."""
    return Work(interval_coverage.simulated_coverage, (settings, seed), tells=False)


@shared
def coverage_along(along: str, settings: CoverageSettings, seed: int) -> pd.DataFrame:
    """Coverage and width over 2,000 samples at each prevalence, or at each size. Raises InvalidInput."""
    return interval_coverage.coverage_along(along, settings, seed)


@shared
def group_columns(own: OwnSample, data: DatasetReference) -> list[str]:
    """The columns of the user's own sample that may tell groups apart, those that are not features first."""
    return columns_of_groups(own.frame, features_of(data))


@shared
def weight_columns(own: OwnSample, data: DatasetReference) -> list[str]:
    """The columns of the user's own sample that may be weights of its rows."""
    return columns_of_weights(own.frame, features_of(data))


@shared
def own_groups(own: OwnSample, column: str) -> pd.Series:
    """The groups of a column of the user's own sample, in their order: with many rows this takes a tenth of a second."""
    return groups_in_time(own.frame[column], column)


def labelled_groups(columns: LabelledColumns, column: str) -> pd.Series:
    """The groups of a column of a table that is labelled in part, in their order."""
    return groups_in_time(columns.table[column], column)


def features_of(data: DatasetReference) -> list[str]:
    """The names of a data set's features."""
    return [str(name) for name in dataset(data).features.columns]


@work(
    "Redrawing groups and labels",
    lambda scored, _own, request, *_: 0.0 if request.method == BY_FORMULA else resampling_seconds(1, len(scored.sample)),
)
def differences_of_groups(
    scored: SampleScores, own: OwnSample, request: GroupsRequest, how: tuple[float, int], weighted: Weighted | None = None
) -> Work[dict[str, Differences]]:
    """Panel -> by how much the share differs between groups; one panel without a name for one picture.

    `how` : the level, and the seed of the bootstrap. Raises InvalidInput.
    """
    groups = own_groups(own, request.column)
    training = scored.training_scores, scored.training_labels
    panels = None if request.panels == ONE_PICTURE else own_groups(own, request.panels)
    named = {"against": request.against, "method": request.method, "level": how[0], "seed": how[1]}
    if weighted is not None:
        named["weights"] = weighted.weights
    arguments = (scored.sample, groups, panels, *training)
    return Work(panel_differences, arguments, {**named, "posteriors": scored.posteriors}, tells=False)


def differences_of_labelled(
    columns: LabelledColumns, request: GroupsRequest, level: float, own: bool
) -> dict[str, Differences]:
    """Without a name, by how much the share differs between groups of a table that is labelled in part. Raises InvalidInput."""
    samples = columns.of_groups(labelled_groups(columns, request.column))
    return {"": labelled_sample_differences(samples, against=request.against, level=level, own=own)}


@shared
def labelled_columns(
    file: UploadedFile, prediction: str, label: str, positive: str, leave_out: tuple[str, ...] = ()
) -> LabelledColumns:
    """The counts of a table with predictions and some labels. Raises InvalidInput."""
    return read_labelled_columns(uploaded_frame(file), prediction, label, positive, leave_out=leave_out)


def labelled_part_estimate(
    sample: LabelledSample, level: float, own: bool, columns: LabelledColumns | None = None
) -> LabelledSampleEstimate:
    """The share of a sample labelled in part, in a millisecond; with scores, if the table has them. Raises InvalidInput."""
    of_table = {} if columns is None else columns.scores_and_labels
    return estimate_labelled_sample(sample, level, own=own, **of_table)


@shared
def batches_of_file(file: UploadedFile, batch: str, prediction: str, positive: str) -> Batches:
    """The batches of a table; empty words where the columns are to be found by their names. Raises InvalidInput."""
    return read_batches(uploaded_frame(file), batch=batch, prediction=prediction, positive=positive)


class AllClassesSample(NamedTuple):
    """A sample's estimates of all classes, and the true shares where they are known, (n_classes,)."""

    estimate: AllClassesEstimate
    truth: FloatArray | None = None


class _DrawnClasses(NamedTuple):
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
def _class_scores(scores: Scores, positive: str, share: float, size: int, draw: int) -> SampleScores:
    return _drawn_classes(scores, positive, share, size, draw).scored


def _drawn_classes(scores: Scores, positive: str, share: float, size: int, draw: int) -> _DrawnClasses:
    rng = random_stream(scores.seed, RandomStream.CLASS_SAMPLE, draw)
    rows, truth = draw_multiclass_sample(scores.pool_labels, scores.classes.index(positive), share, size, rng)
    scored = SampleScores(
        scores.pool_scores[rows], scores.training_scores, scores.training_labels, posteriors=scores.posteriors
    )
    return _DrawnClasses(scored, truth)


def all_classes_of_drawn(
    scores: Scores, positive: str, sample: tuple[float, int, int], methods: tuple[str, ...], level: float
) -> AllClassesSample:
    """All classes of a sample of the pool, given share of the positive class, size and draw. Raises InvalidInput."""
    scored = _class_scores(scores, positive, *sample)
    estimate = _class_estimate(scored, scores.classes, methods, level, scores.seed)
    return AllClassesSample(estimate, _drawn_classes(scores, positive, *sample).truth)


def all_classes_of_own(
    data: DatasetReference, settings: ScoringSettings, own: OwnSample, methods: tuple[str, ...], level: float
) -> AllClassesSample:
    """All classes of the user's own sample, by the settings of all classes. Raises InvalidInput."""
    scored = own_scores(data, settings, own)
    return AllClassesSample(_class_estimate(scored, dataset(data).classes, methods, level, settings.seed))
