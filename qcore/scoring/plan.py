"""Data set + classifier + seed -> Scores: the split, the trainings, and about how long they take.

A ScoringPlan fixes the split and the folds (or another scheme of rate_estimation.py), and scores each fold separately, so that
a page can show progress, stop between folds and keep finished ones. `score_dataset` does all of it at once.

About how long scoring takes, so that a page can say so before it begins.

The labels of the requested class or classes, and the split of a data set into training part and pool.
"""

import copy
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Self

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline

from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_kind
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import Dataset, check_dataset
from qcore.scoring.rate_estimation import N_FOLDS, RATE_ESTIMATIONS, n_folds
from qcore.scoring.scores import BINARY_ONLY, NO_POSTERIORS, Scores, ScoringSettings
from qcore.scoring.training_part import RowLevels, ScoredByFolds, TrainingPart, in_order_of_rows, row_keys, take_few_values

_SECONDS_A_TEXT, _SECONDS_A_CHARACTER = 1e-4, 3e-6
"""About how long a model of texts takes for each."""


def scoring_seconds(
    dataset: Dataset, classifier: str, training_share: float = 0.5, *, n_models: int = N_FOLDS + 1, n_classes: int = 2
) -> float:
    """Rough seconds on one core for training `n_models` models on that share of a data set, by the classifier's `seconds`.

    On a machine of 2025 mostly right within a factor of three, and more often too long than too short; 0 for given scores, for
    which no model is trained. With more than two `n_classes`, a classifier for two learns each class against all others.
    Measured by `python -m benchmarks.durations`.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> wdbc = load_dataset("wdbc")
    >>> scoring_seconds(wdbc, "logistic regression") < 0.1 < scoring_seconds(wdbc, "random forest") < 5
    True
    """
    if dataset.are_scores:
        return 0.0
    if dataset.text:
        characters = float(dataset.features[dataset.text].str.len().sum())
        return n_models * training_share * (_SECONDS_A_TEXT * len(dataset.labels) + _SECONDS_A_CHARACTER * characters)
    entry = CLASSIFIERS[classifier]
    each = n_classes if entry.binary and n_classes > 2 else 1
    return n_models * each * entry.seconds(training_share * len(dataset.labels), dataset.n_columns)


def labels_of(dataset: Dataset, positive: str | None) -> IntArray:
    """Labels, (n,): 1 for the positive class and 0 for all others; if `positive` is None, all classes from 0 in their order.

    Raises InvalidInput for an unknown class, or if all classes are requested from given scores of one.
    """
    if positive is not None:
        return dataset.binary_labels(positive)
    if dataset.are_scores and dataset.features.shape[1] == 1:
        hint = "Give each of three classes or more a column of scores, such as p0, p1, p2; or choose a table with features."
        raise InvalidInput("data set", "have features, or scores of all classes", "scores of one class", hint)
    return np.array([dataset.classes.index(name) for name in dataset.labels])


def given_scores(dataset: Dataset, scores: FloatArray, positive: str | None) -> FloatArray:
    """Of given scores, (n, n_columns), those of a class against the rest, (n,), or all, (n, n_classes), with the sum 1."""
    if scores.shape[1] == 1:
        return scores[:, 0] if positive == dataset.default_positive else 1.0 - scores[:, 0]
    if positive is not None:
        return scores[:, dataset.classes.index(positive)]
    sums = scores.sum(axis=1, keepdims=True)
    return np.divide(scores, sums, out=np.full(scores.shape, 1.0 / scores.shape[1]), where=sums > 0.0)


def gives_posteriors(dataset: Dataset, classifier: str) -> bool:
    """Whether scores are posteriors: given ones are taken as they are, and those of texts are not."""
    return dataset.are_scores or (not dataset.text and CLASSIFIERS[classifier].gives_posteriors)


def split(
    dataset: Dataset, settings: ScoringSettings, labels: IntArray, state: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Rows of the training part, under-sampled to its prevalence if the settings name one, and of the pool.

    Raises InvalidInput if a class or one of the two parts is too small.
    """
    multiclass, n = settings.positive is None, len(labels)
    _check_prevalence(dataset, settings)
    n_training = int(settings.training_share * n)
    if multiclass:
        _check_all_classes(dataset, labels, n_training)
    else:
        _check_sizes(dataset, settings, labels, n_training)
    if dataset.in_training is not None:
        training, pool = np.flatnonzero(dataset.in_training), np.flatnonzero(~dataset.in_training)
    else:
        training, pool = train_test_split(np.arange(n), train_size=n_training, random_state=state, stratify=labels)
    if multiclass:
        _check_rarest(dataset, int(np.bincount(labels[training]).min()))
        # Folds of all classes are drawn in the order of the split, those of one class against the rest in order of the rows.
        return training, np.sort(pool)
    training = _undersampled(np.sort(training), labels, settings.training_prevalence, rng)
    _check_both_classes(labels, training, np.sort(pool))
    return training, np.sort(pool)


def _undersampled(training: IntArray, labels: IntArray, prevalence: float | None, rng: np.random.Generator) -> IntArray:
    """Drop instances of one class until the requested prevalence is met; keep as many as possible."""
    if prevalence is None:
        return training
    positives, negatives = training[labels[training] == 1], training[labels[training] == 0]
    total = min(len(positives) / prevalence, len(negatives) / (1.0 - prevalence))
    kept = [
        rng.choice(members, size=min(len(members), int(np.rint(total * share))), replace=False)
        for members, share in ((positives, prevalence), (negatives, 1.0 - prevalence))
    ]
    return np.sort(np.concatenate(kept))


def _check_prevalence(dataset: Dataset, settings: ScoringSettings) -> None:
    if settings.training_prevalence is None:
        return
    value = f"{settings.training_prevalence:g}"
    if dataset.are_scores:
        hint = "Leave it out: trained at another prevalence, the classifier would give other scores."
        raise InvalidInput("training prevalence", "be as found", value, hint)
    if settings.positive is None:
        raise InvalidInput("training prevalence", "be as found for all classes", value, "Name a positive class.")


def _check_sizes(dataset: Dataset, settings: ScoringSettings, labels: IntArray, n_training: int) -> None:
    fewest, n = int(np.bincount(labels, minlength=2).min()), len(labels)
    if fewest < 3:
        rule, value = "have at least 3 instances (2 for training, 1 for the pool)", f"{fewest} with {settings.positive!r}"
        hint = "Choose another positive class." if len(dataset.classes) > 2 else f"Label more of {settings.positive!r}."
        raise InvalidInput(f"each class of {dataset.name}", rule, f"{value} as positive class", hint)
    if dataset.in_training is None and not 4 <= n_training <= n - 2:
        rule = f"leave at least 4 of the {n} instances for training and 2 for the pool"
        value = f"{settings.training_share:g}, which trains on {n_training}"
        raise InvalidInput("training share", rule, value, "Choose for example 0.5.")


def _check_all_classes(dataset: Dataset, labels: IntArray, n_training: int) -> None:
    fewest, n_classes = int(np.bincount(labels).min()), len(dataset.classes)
    if fewest < 3 or min(n_training // 2, len(labels) - n_training) < n_classes:
        rule = "have at least 3 instances, and the training share at least 2 of each for training and 1 for the pool"
        value = f"{fewest} in the smallest of {n_classes} classes, {n_training} of {len(labels)} for training"
        raise InvalidInput(f"every class of {dataset.name}", rule, value, "Choose another training share or data set.")


def _check_rarest(dataset: Dataset, n_training: int) -> None:
    if n_training < 2:
        rule, hint = "have at least 2 training instances", "Choose a larger training share."
        raise InvalidInput(f"every class of {dataset.name}", rule, f"{n_training}", hint)


def _check_both_classes(labels: IntArray, training: IntArray, pool: IntArray) -> None:
    more = "Give the training part a larger share, or a training prevalence that keeps more of that class."
    for part, members, minimum, hint in (
        ("training", training, 2, more),
        ("pool", pool, 1, "Give the training part a smaller share."),
    ):
        counts = np.bincount(labels[members], minlength=2)
        for count, side in zip(counts, ("negative", "positive"), strict=True):
            if count < minimum:
                raise InvalidInput(f"the {side} class", f"have at least {minimum} {part} instances", str(int(count)), hint)


class ScoringPlan:
    """The split of a data set into training part and pool, and the parts that models score one by one, such as folds.

    It scores one class against the rest, or all classes, as the settings say. With given scores, no model is trained: scores
    are looked up.

    Parameters
    ----------
    dataset, settings : what to score, and how.

    Raises
    ------
    InvalidInput
        `dataset` is not a Dataset or `settings` not a ScoringSettings; the positive class is unknown, a class has fewer
        than 2 training instances or none in the pool, or the classifier can't leave out single instances.

    Examples
    --------
    >>> from qcore import ScoringSettings, load_dataset
    >>> plan = ScoringPlan(load_dataset("iris"), ScoringSettings("setosa"))
    >>> len(plan.training_rows), len(plan.pool_rows), plan.pool_counts
    (75, 75, (25, 50))
    """

    def __init__(self, dataset: Dataset, settings: ScoringSettings) -> None:
        check_dataset(dataset)
        positive = settings if isinstance(settings, str) else "the positive class"
        check_kind("settings", settings, ScoringSettings, f"Write ScoringSettings({positive[:60]!r}).")
        self._dataset = dataset
        self._settings = settings
        self._remark = ""
        self._is_multiclass = settings.positive is None
        self._labels = labels_of(dataset, settings.positive)
        rng = np.random.default_rng(settings.seed)
        split_state, self._fold_state, self._model_state = (int(state) for state in rng.integers(2**31 - 1, size=3))
        self._training, self._pool = split(dataset, settings, self._labels, split_state, rng)
        self._estimate_rates(settings.rate_estimation, self._fold_state)

    def with_rate_estimation(self, key: str, repeat: int = 0) -> Self:
        """The same split and classifier with another rate estimation; `repeat` numbers the draws of the folds.

        Raises InvalidInput for an unknown key, and for leave-one-out with a classifier that can't leave out single instances.
        """
        check_choice("rate estimation", key, RATE_ESTIMATIONS)
        if not self._dataset.trains_any_classifier and key != "out of fold":
            hint = "Keep it: with given scores, or texts, there is no classifier to train in another way."
            raise InvalidInput("rate estimation", "be 'out of fold'", repr(key), hint)
        other = copy.copy(self)
        state = self._fold_state if repeat == 0 else np.random.default_rng([self._fold_state, repeat]).integers(2**31 - 1)
        other._estimate_rates(key, int(state))
        if "_part" in self.__dict__:
            # With the parameters that were chosen already.
            other.__dict__["_part"] = self._part.with_folds(other._folds)
        return other

    def _estimate_rates(self, key: str, state: int) -> None:
        self._estimation = RATE_ESTIMATIONS[key]
        classifier = self._settings.classifier
        if self._estimation.leaves_one_out and self._is_multiclass:
            raise InvalidInput("rate estimation", f"not be {key} for all classes", key, "Name a positive class.")
        if self._estimation.leaves_one_out and CLASSIFIERS[classifier].leave_one_out is None:
            able = ", ".join(name for name, entry in CLASSIFIERS.items() if entry.leave_one_out)
            raise InvalidInput("rate estimation", f"not be {key}", classifier, f"Choose one of {able}.")
        labels = self._labels[self._training]
        # Given scores are looked up at once, whatever model they come from.
        everything = np.arange(len(labels))
        self._folds = [(everything, everything)] if self._dataset.are_scores else self._estimation.held_out(labels, state)

    @property
    def n_folds(self) -> int:
        """Number of models that score the training part (folds, halves or bootstraps), without the pool's model."""
        return len(self._folds)

    @property
    def n_parts(self) -> int:
        """Number of pieces of work: one for each fold and one for the pool."""
        return self.n_folds + 1

    @property
    def pool_counts(self) -> tuple[int, int]:
        """For one class against the rest, numbers of positives and negatives in the pool, known before anything is fitted."""
        if self._is_multiclass:
            raise InvalidInput(*BINARY_ONLY)
        n_positives = int(self._labels[self._pool].sum())
        return n_positives, len(self._pool) - n_positives

    def check_scores(self, scores: Scores) -> None:
        """Raise InvalidInput unless scores are of the pool of this split: their labels tell."""
        if not np.array_equal(scores.pool_labels, self._labels[self._pool]):
            value = f"those of {len(scores.pool_labels):,} instances, or of other classes, beside a pool of {len(self._pool):,}"
            hint = "Pass score_dataset(dataset, settings) with these two, or leave the scores out."
            raise InvalidInput("scores", "be of this data set with these settings", value, hint)

    @property
    def training_rows(self) -> IntArray:
        """Rows of the data set that make the training part, (n_training,); training scores are in this order, out of fold."""
        return np.sort(self._training)

    @property
    def pool_rows(self) -> IntArray:
        """Rows of the data set that make the pool, (n_pool,), in the order of the pool's scores."""
        return self._pool

    def part(self, number: int) -> FloatArray:
        """Scores of the held-out instances of fold `number` by the model of the others; the last part is the pool."""
        if self._dataset.are_scores:
            return self._given(self._pool if number == self.n_folds else self._training)
        model = self.model(number)
        self._remark = getattr(model[-1], "remark_", "")
        if number == self.n_folds:
            return self._part.scores(model, self._dataset.features.iloc[self._pool])
        leave_one_out = CLASSIFIERS[self._settings.classifier].leave_one_out
        if self._estimation.leaves_one_out and leave_one_out:
            return leave_one_out(model[-1])
        return self._part.fold_scores(number, model)

    def _part_and_remark(self, number: int) -> tuple[FloatArray, str]:
        """(scores of a part, the classifier's remark), which are stored together since the remark comes with the model."""
        return self.part(number), self._remark

    def _given(self, rows: IntArray) -> FloatArray:
        scores = self._dataset.features.iloc[rows].to_numpy(dtype=np.float64)
        return given_scores(self._dataset, scores, self._settings.positive)

    def scores(
        self,
        *,
        on_progress: Callable[[float, str], None] | None = None,
        finished: FinishedPieces | None = None,
        of: str = "",
        within: ScoringSettings | None = None,
    ) -> Scores:
        """The scores: all parts, computed one after the other.

        `on_progress` is called before each part with the share that is done and what is being done, and may raise to stop;
        `finished` stores the parts, only for this data set, so that a later call continues from there. `of` names what is
        scored if it is only a half of the data set, which comes from the split by the settings `within`.
        """
        pieces, parts = FinishedPieces() if finished is None else finished, []
        what = "on all classes" if self._is_multiclass else self._settings.classifier
        what = f"the classifier on {of}" if of else what
        for number in range(self.n_parts):
            if on_progress:
                on_progress(number / self.n_parts, f"Training {what}: {number} of {self.n_parts} done")
            key = (self._settings, f"scores of {of}", within, number) if of else (self._settings, number)
            scored, self._remark = pieces.get(key, partial(self._part_and_remark, number))
            parts.append(scored)
        return self.assemble(parts)

    def assemble(self, parts: Sequence[FloatArray]) -> Scores:
        """Scores from all parts in order; training scores in data set order, even if instances have several or none."""
        held_out = in_order_of_rows(parts[:-1], [self._training[outside] for _, outside in self._folds])
        training, pool = self._equal_rows_alike(held_out.rows, held_out.scores, parts[-1])
        return Scores(
            training,
            self._labels[held_out.rows],
            pool,
            self._labels[self._pool],
            self._notes(),
            held_out.folds if self._estimation.averages else None,
            self._dataset.classes if self._is_multiclass else (),
            self._dataset.reference,
            self._settings,
            gives_posteriors(self._dataset, self._settings.classifier),
        )

    def _equal_rows_alike(self, rows: IntArray, training: FloatArray, pool: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(training scores, pool scores), where features take few values one score for all rows that are equal.

        Else the pool's scores are those of the model in use, as in the papers' experiments.
        """
        if self._dataset.are_scores:
            return training, pool
        keys = row_keys(self._dataset.features)
        if not take_few_values(keys[self._training]):
            return training, pool
        levels = RowLevels.of(keys[rows], training)
        return levels.of_rows(keys[rows], training), levels.of_rows(keys[self._pool], pool)

    @cached_property
    def _part(self) -> TrainingPart:
        return TrainingPart.of(
            self._dataset,
            self._labels,
            self._training,
            self._folds,
            self._settings.classifier,
            state=self._model_state,
            multiclass=self._is_multiclass,
        )

    @property
    def training_part(self) -> TrainingPart:
        """The training part with its folds and its classifier."""
        return self._part

    def model(self, number: int) -> Pipeline:
        """The fitted model of part `number`: of all folds but that one; the last one is of the whole training part."""
        return self._part.model(number, chooses_anew=self._estimation.chooses_anew)

    def pool_as_training(self) -> FloatArray:
        """The pool's scores, (n_pool,), each by the model of a fold drawn at random: see `SampleScores.as_training`.

        With given scores, or where training is not scored out of fold, they are the pool's scores.
        """
        if self._dataset.are_scores or self._settings.rate_estimation != "out of fold":
            return self.part(self.n_folds)
        by_folds = ScoredByFolds(self._part, self._dataset.features.iloc[self._pool], self._settings.seed)
        training = self._part.out_of_fold(on_model=by_folds.add)
        return self._equal_rows_alike(self._training, training, by_folds.scores)[1]

    def _notes(self) -> tuple[str, ...]:
        if self._dataset.are_scores:
            split = (
                "" if self._dataset.in_training is None else " The file says which are the training part, whatever its share."
            )
            return (f"The scores are as given: no classifier is trained.{split}",)
        remark = (self._remark,) if self._remark else ()
        if not gives_posteriors(self._dataset, self._settings.classifier):
            remark = (*remark, NO_POSTERIORS)
        if self._is_multiclass:
            return remark
        folds = n_folds(self._labels[self._training])
        if folds == N_FOLDS or self._estimation.held_out is not RATE_ESTIMATIONS["out of fold"].held_out:
            return remark
        return (
            *remark,
            f"The smaller class has {folds} training instances, so cross-validation uses {folds} folds "
            f"instead of {N_FOLDS}; its tpr and fpr are rough.",
        )


def score_pool_as_training(dataset: Dataset, settings: ScoringSettings) -> FloatArray:
    """`ScoringPlan.pool_as_training` of a data set. Raises InvalidInput as ScoringPlan."""
    return ScoringPlan(dataset, settings).pool_as_training()


def score_dataset(
    dataset: Dataset,
    settings: ScoringSettings | None = None,
    *,
    on_progress: Callable[[float, str], None] | None = None,
    finished: FinishedPieces | None = None,
) -> Scores:
    """Split a data set, cross-validate and score it in one call.

    `settings` defaults to the data set's own positive class, logistic regression and seed 0; with None as positive class, all
    classes are scored. The other arguments are those of `ScoringPlan.scores`. Raises InvalidInput as ScoringPlan.

    Examples
    --------
    >>> from qcore import load_dataset
    >>> scores = score_dataset(load_dataset("wdbc"))
    >>> scores.pool_scores.shape, [round(rate, 2) for rate in scores.rates]
    ((285,), [0.93, 0.01])
    >>> score_dataset(load_dataset("wine"), ScoringSettings(None, "Gaussian naive Bayes")).pool_scores.shape
    (89, 3)
    """
    check_dataset(dataset)
    plan = ScoringPlan(dataset, ScoringSettings(dataset.default_positive) if settings is None else settings)
    return plan.scores(on_progress=on_progress, finished=finished)
