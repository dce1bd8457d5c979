"""tpr and fpr by the number of folds, by leave-one-out and by the bootstrap, and what AC errs with each.

Barranquero 2013 takes 10 folds: 50 or as many as instances would cost more (5.2.5), and "are prone to yield biased estimations,
producing uneven corrections in practice" (6.4.3). Forman 2008 takes 50.

The bootstrap's models are trained on 63.2% of the instances, so that its rates on those that were not drawn are too bad; .632
mixes them with the rates on the training instances, which are too good, .632+ with less of these the more a model overfits.
Source: Efron and Tibshirani 1997.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from qcore._base.stored_pieces import FinishedPieces
from qcore._base.validation import FloatArray, IntArray, check_integer
from qcore.classifiers import CLASSIFIERS
from qcore.quantifiers.batch import THRESHOLD
from qcore.scoring import Scores, ScoringPlan
from qcore.scoring.rate_estimation import RATE_ESTIMATIONS, stratified_folds
from qcore.studies.threshold_adjustment import EstimatedRates, FoundRates, rates_beside_pool

FOLD_NUMBERS: Final = (2, 5, 10, 20, 50)
LEAVE_ONE_OUT, BOOTSTRAP, POINT_632, PLUS, RESUBSTITUTION = "leave-one-out", "bootstrap", ".632", ".632+", "resubstitution"
MOST_LEFT_OUT = 400
"""Training instances up to which each is left out by a training of its own, where a classifier has no shorter way."""
_WEIGHT = 0.632


class ClassErrors(NamedTuple):
    """Shares of wrong predictions among the positives and among the negatives: 1 - tpr, and fpr."""

    positives: float
    negatives: float

    @property
    def rates(self) -> tuple[float, float]:
        """(tpr, fpr)."""
        return 1.0 - self.positives, self.negatives


def point_632(apparent: ClassErrors, out_of_bag: ClassErrors) -> ClassErrors:
    """.368 times the errors on the training instances plus .632 times those on instances that were not drawn.

    Examples
    --------
    >>> [round(error, 3) for error in point_632(ClassErrors(0.0, 0.1), ClassErrors(0.5, 0.1))]
    [0.316, 0.1]
    """
    pairs = zip(apparent, out_of_bag, strict=True)
    return ClassErrors(*((1.0 - _WEIGHT) * low + _WEIGHT * high for low, high in pairs))


def point_632_plus(apparent: ClassErrors, out_of_bag: ClassErrors, predicted: float) -> ClassErrors:
    """.632+, class by class: the weight of the out-of-bag error grows to 1 as the model overfits.

    Parameters
    ----------
    apparent, out_of_bag : errors on the training instances, and on those that were not drawn.
    predicted : share of the training instances that the model predicts positive. Were scores independent of the classes,
        positives would be wrong with 1 minus this share, negatives with this share: the errors without information.

    Source: Efron and Tibshirani 1997, who have one error of all instances.

    Examples
    --------
    A model that knows its training instances by heart, and nothing else, has the errors without information.

    >>> point_632_plus(ClassErrors(0.0, 0.0), ClassErrors(0.5, 0.5), predicted=0.5)
    ClassErrors(positives=0.5, negatives=0.5)
    """
    mixed = []
    for low, high, without in zip(apparent, out_of_bag, (1.0 - predicted, predicted), strict=True):
        capped = min(high, without)
        overfitting = (capped - low) / (without - low) if capped > low and without > low else 0.0
        weight = _WEIGHT / (1.0 - (1.0 - _WEIGHT) * overfitting)
        mixed.append((1.0 - weight) * low + weight * capped)
    return ClassErrors(*mixed)


def rates_by_folds(
    plan: ScoringPlan,
    classifier: str,
    *,
    n_repeats: int = 10,
    seed: int = 0,
    finished: FinishedPieces | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> EstimatedRates:
    """Rates with 2, 5, 10, 20 and 50 folds, leave-one-out, and three bootstraps, each over `n_repeats` draws.

    Numbers of folds above the smaller class are left out; leave-one-out above MOST_LEFT_OUT instances, unless the classifier
    can leave out single ones. Parameters are those of the whole training part. The other arguments and errors are those of
    `estimated_rates`.
    """
    check_integer("repeats", n_repeats, low=1)
    pieces = FinishedPieces() if finished is None else finished
    work = _Work(plan, classifier)
    smallest = int(np.bincount(work.labels).min())
    tasks: list[tuple[str, int]] = [(f"{n} folds", r) for n in FOLD_NUMBERS if n <= smallest for r in range(n_repeats)]
    if CLASSIFIERS[classifier].leave_one_out or len(work.labels) <= MOST_LEFT_OUT:
        tasks.append((LEAVE_ONE_OUT, 0))
    tasks += [(BOOTSTRAP, repeat) for repeat in range(n_repeats)]
    n, found = len(work.labels), list[FoundRates]()
    apparent, predicted = work.apparent()
    mixed = dict[str, list[FoundRates]]({POINT_632: [], PLUS: []})
    for number, (name, repeat) in enumerate(tasks):
        if on_progress:
            on_progress(number / len(tasks))
        errors = ClassErrors(*pieces.get((name, repeat), partial(work.errors, name, repeat)))
        found.append(FoundRates(name, repeat, n, errors.rates))
        if name == BOOTSTRAP:
            mixed[POINT_632].append(FoundRates(POINT_632, repeat, n, point_632(apparent, errors).rates))
            mixed[PLUS].append(FoundRates(PLUS, repeat, n, point_632_plus(apparent, errors, predicted).rates))
    found += [*mixed[POINT_632], *mixed[PLUS], FoundRates(RESUBSTITUTION, 0, n, apparent.rates)]
    return rates_beside_pool(found, work.pool(), seed)


class _Work:
    """The trainings on the training part of a plan."""

    def __init__(self, plan: ScoringPlan, classifier: str) -> None:
        self._plan, self._classifier = plan, classifier
        self._part = plan.training_part
        self.labels: IntArray = self._part.labels[self._part.rows]

    def pool(self) -> Scores:
        """The pool's scores; those of the training part are not asked for."""
        plan = self._plan
        pool_labels = self._part.labels[plan.pool_rows]
        return Scores(np.full(len(self.labels), THRESHOLD), self.labels, plan.part(plan.n_folds), pool_labels)

    def apparent(self) -> tuple[ClassErrors, float]:
        """The errors of the model on its own training instances, and the share of these that it predicts positive."""
        scores = self._part.scores(self._part.model(len(self._part.folds)), self._part.instances(self._part.rows))
        return self._of(scores), float((scores >= THRESHOLD).mean())

    def errors(self, name: str, repeat: int) -> ClassErrors:
        """The errors on instances that models have not seen, each the mean over the models that have not seen it."""
        n, state = len(self.labels), int(np.random.default_rng([7, repeat]).integers(2**31 - 1))
        able = CLASSIFIERS[self._classifier].leave_one_out
        if name == LEAVE_ONE_OUT and able:
            return self._of(able(self._part.model(len(self._part.folds))[-1]))
        if name == BOOTSTRAP:
            held_out = RATE_ESTIMATIONS["bootstrap"].held_out(self.labels, state)
        elif name == LEAVE_ONE_OUT:
            held_out = [(np.delete(np.arange(n), row), np.array([row])) for row in range(n)]
        else:
            held_out = stratified_folds(self.labels, state, int(name.split()[0]))
        part, wrong, times = self._part.with_folds(held_out), np.zeros(n), np.zeros(n)
        for number, (_, outside) in enumerate(held_out):
            wrong[outside] += (part.fold_scores(number) >= THRESHOLD) != self.labels[outside]
            times[outside] += 1.0
        seen = times > 0.0
        return self._means(wrong[seen] / times[seen], self.labels[seen])

    def _of(self, scores: FloatArray) -> ClassErrors:
        return self._means(((scores >= THRESHOLD) != self.labels).astype(np.float64), self.labels)

    @staticmethod
    def _means(wrong: FloatArray, labels: IntArray) -> ClassErrors:
        return ClassErrors(float(wrong[labels == 1].mean()), float(wrong[labels == 0].mean()))
