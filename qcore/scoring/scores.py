"""The result of scoring, Scores, and what determines it, ScoringSettings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from qcore._base.validation import FloatArray, IntArray, InvalidInput, check_choice, check_fraction, check_seed
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import DatasetReference
from qcore.datasets.dataset import check_order
from qcore.measures.classification import fpr, recall
from qcore.measures.measure import ContingencyTable
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS
from qcore.scoring.sigmoid import Sigmoid

BINARY_ONLY = ("scores", "be of one class against the rest", "scores of all classes", "Name a positive class.")
"""The arguments of InvalidInput where scores of all classes are passed, but those of one class against the rest are needed."""


NO_POSTERIORS = (
    "The classifier gives no probabilities. For PCC, PACC and EMQ its scores are calibrated by Platt's sigmoid, learnt from "
    "held-out training scores."
)
"""A note on scores that quantifiers may not take for posteriors."""

_NAME_THEM = "Pass classes=(...), or only the positive class's scores, for example scores[:, 1]."


@dataclass(frozen=True)
class Scores:
    """Scores in [0, 1] and labels of a training part and of a pool that no training has seen.

    For one class against the rest, its scores, and labels 0 and 1. For all classes, scores that sum to 1 over the classes, and
    labels from 0 to n_classes - 1.

    Attributes
    ----------
    training_scores : (n_training,) or (n_training, n_classes), out of fold, or as ScoringSettings says.
    training_labels : (n_training,).
    pool_scores : (n_pool,) or (n_pool, n_classes), by the model of the whole training part.
    pool_labels : (n_pool,).
    notes : sentences about deviations from the request.
    folds : (n_training,), the fold of each training score if rates are averaged over folds; None if rates are those of all
        scores together.
    classes : names, (n_classes,), if each class has scores; empty for one class against the rest.
    data, settings : the data set and the settings by which a ScoringPlan made these scores, or those that they were changed
        from; None for other scores.
    posteriors : whether the scores are probabilities that the classifier gives. If not, as those of a linear SVM, quantifiers
        that take scores for posteriors get calibrated ones; True takes any scores as they are.

    Raises
    ------
    InvalidInput
        Labels that are names; scores of several classes without the names of these, or with more or fewer of them.

    Examples
    --------
    >>> from qcore import make_quantifiers
    >>> scores = Scores([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], [0.7, 0.6, 0.2, 0.4], [1, 1, 0, 0])
    >>> cc = make_quantifiers(["CC"], scores.training_scores, scores.training_labels)["CC"]
    >>> float(cc.predict(scores.pool_scores))
    0.5
    """

    training_scores: FloatArray
    training_labels: IntArray
    pool_scores: FloatArray
    pool_labels: IntArray
    notes: tuple[str, ...] = ()
    folds: IntArray | None = None
    classes: tuple[str, ...] = ()
    data: DatasetReference | None = None
    settings: "ScoringSettings | None" = None
    posteriors: bool = True

    def __post_init__(self) -> None:
        for name in ("training_labels", "pool_labels"):
            # A masked array stays masked, so that later checks refuse it.
            labels = np.asanyarray(getattr(self, name))
            # Whole numbers may be in an array of objects, as from a table that also holds text.
            labels = np.array(labels.tolist()) if labels.dtype == object else labels
            if labels.dtype.kind not in "biuf":
                hint = "Pass 1 for the positive class and 0 for the other, or the number of each label's class from 0."
                raise InvalidInput(name, "be numbers of classes", repr(labels.ravel()[0]) if labels.size else "none", hint)
            object.__setattr__(self, name, labels)
        for name in ("training_scores", "pool_scores"):
            scores = np.asanyarray(getattr(self, name))
            object.__setattr__(self, name, scores)
            if scores.ndim > 1 and not self.classes:
                raise InvalidInput(name, "be of one class, unless classes are named", f"shape {scores.shape}", _NAME_THEM)
        columns = self.training_scores.shape[1:]
        if self.classes and columns != (len(self.classes),):
            value, hint = f"{len(self.classes)} beside shape {self.training_scores.shape}", "Name each column once."
            raise InvalidInput("classes", "name the columns of the scores", value, hint)

    @property
    def seed(self) -> int:
        """The seed of the settings; 0 without settings."""
        return 0 if self.settings is None else self.settings.seed

    @property
    def pool_counts(self) -> tuple[int, int]:
        """Numbers of positives and of negatives in the pool; of one class against the rest."""
        if self.classes:
            raise InvalidInput(*BINARY_ONLY)
        n_positives = int(np.sum(self.pool_labels))
        return n_positives, len(self.pool_labels) - n_positives

    def in_order(self, order: Sequence[str]) -> "Scores":
        """The same scores with the classes in another order, which o-ACC and the losses of ordered classes use.

        Raises InvalidInput unless it names each class once.
        """
        if not order or check_order(order, self.classes) == self.classes:
            return self
        columns = [self.classes.index(name) for name in order]
        places = np.argsort(columns)
        return replace(
            self,
            training_scores=self.training_scores[:, columns],
            training_labels=places[self.training_labels],
            pool_scores=self.pool_scores[:, columns],
            pool_labels=places[self.pool_labels],
            classes=tuple(order),
        )

    @cached_property
    def pool_posteriors(self) -> FloatArray:
        """The pool's scores, (n_pool,), of one class against the rest; made posteriors by Platt's sigmoid if they are none."""
        if self.posteriors:
            return self.pool_scores
        return Sigmoid.fit(self.training_scores, self.training_labels)(self.pool_scores)

    @property
    def training_prevalence(self) -> float:
        """Share of positives in the training part, for one class against the rest."""
        if self.classes:
            raise InvalidInput(*BINARY_ONLY)
        return float(self.training_labels.mean())

    @cached_property
    def rates(self) -> tuple[float, float]:
        """(tpr, fpr) at the threshold 0.5, out of fold, of one class against the rest. Source: Barranquero 2013, eq. 2.7, 3.2.

        If averaged over folds, they may differ from those that quantifiers learn from the scores: pass them to AdjustedCount.
        """
        folds = np.zeros(len(self.training_labels), dtype=np.intp) if self.folds is None else self.folds
        tables = [
            ContingencyTable.from_scores(self.training_scores[folds == fold], self.training_labels[folds == fold])
            for fold in range(int(folds.max()) + 1)
        ]
        return float(np.mean([recall(table) for table in tables])), float(np.mean([fpr(table) for table in tables]))


@dataclass(frozen=True)
class ScoringSettings:
    """What determines Scores, besides the data set.

    `positive` is the class whose share is wanted; None for all classes.
    `classifier` is a key of CLASSIFIERS; `seed`, from 0 to 2^31 - 1, that of the split, the folds and the models.
    `training_share`, from 0.01 to 0.99, is the part of the instances that is trained on; the others are the pool.
    `training_prevalence` None keeps the prevalence as found; a number from 0.01 to 0.99 sets it by under-sampling the training
    part.
    `rate_estimation`, a key of RATE_ESTIMATIONS, says by which models the training part is scored.
    Raises InvalidInput for a value out of range.

    Examples
    --------
    >>> from qcore import load_dataset, score_dataset
    >>> settings = ScoringSettings("setosa", "Gaussian naive Bayes", seed=3)
    >>> score_dataset(load_dataset("iris"), settings).pool_scores.shape
    (75,)
    """

    positive: str | None
    classifier: str = "logistic regression"
    seed: int = 0
    training_share: float = 0.5
    training_prevalence: float | None = None
    rate_estimation: str = "out of fold"

    def __post_init__(self) -> None:
        check_choice("classifier", self.classifier, CLASSIFIERS)
        check_seed(self.seed)
        check_fraction("training share", self.training_share, low=0.01, high=0.99)
        if self.training_prevalence is not None:
            check_fraction("training prevalence", self.training_prevalence, low=0.01, high=0.99)
        check_choice("rate estimation", self.rate_estimation, RATE_ESTIMATIONS)
