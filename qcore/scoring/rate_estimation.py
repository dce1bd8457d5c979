"""How tpr and fpr are estimated: which training instances are scored, and by models trained on which others (registry)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from qcore._base.registry import Entry, registry
from qcore._base.validation import IntArray, InvalidInput

N_FOLDS = 10
N_BOOTSTRAPS = 10

HeldOut = tuple[IntArray, IntArray]
"""Positions in the training part: what a model is trained on, and what it scores."""


@dataclass(frozen=True)
class RateEstimation(Entry):
    """A way to score the training part, from whose scores tpr and fpr are estimated.

    Attributes
    ----------
    held_out : (labels of the training part, random state) -> what each model is trained on and what it scores.
    chooses_anew : whether a classifier that chooses its parameters chooses them anew for each of these models.
    averages : whether rates are the mean of each model's rates, instead of those of all scores together.
    leaves_one_out : whether the model of the whole training part leaves out the instance that it scores.
    """

    held_out: Callable[[IntArray, int], list[HeldOut]]
    chooses_anew: bool = False
    averages: bool = False
    leaves_one_out: bool = False

    @property
    def is_random(self) -> bool:
        """Whether another random state gives other scores."""
        return self.held_out is not _everything


def n_folds(labels: IntArray, most: int = N_FOLDS) -> int:
    """Number of folds of labels from 0, (n,): `most`, or fewer where a class has fewer instances."""
    return min(most, int(np.bincount(labels, minlength=2).min()))


def stratified_folds(labels: IntArray, random_state: int, most: int = N_FOLDS) -> list[HeldOut]:
    """As many stratified folds of labels from 0, (n,), as `n_folds` says. Raises InvalidInput for a class of one instance."""
    n = n_folds(labels, most)
    if n < 2:
        raise InvalidInput("each class", "have at least 2 training instances", str(n), "Take another positive class.")
    return list(StratifiedKFold(n, shuffle=True, random_state=random_state).split(labels, labels))


def _half(labels: IntArray, random_state: int) -> list[HeldOut]:
    # Not scikit-learn's split, which may leave a class of three instances out of a half.
    rng = np.random.default_rng(random_state)
    members = [rng.permutation(np.flatnonzero(labels == label)) for label in range(int(labels.max()) + 1)]
    trained = [rows[: (len(rows) + 1) // 2] for rows in members]
    scored = [rows[(len(rows) + 1) // 2 :] for rows in members]
    return [(np.sort(np.concatenate(trained)), np.sort(np.concatenate(scored)))]


def _bootstraps(labels: IntArray, random_state: int) -> list[HeldOut]:
    rng = np.random.default_rng(random_state)
    classes = [np.flatnonzero(labels == label) for label in range(int(labels.max()) + 1)]
    drawn: list[HeldOut] = []
    while len(drawn) < N_BOOTSTRAPS:
        inside = np.sort(np.concatenate([rng.choice(members, size=len(members)) for members in classes]))
        outside = np.setdiff1d(np.arange(len(labels)), inside)
        # Each class must have instances that were not drawn; with two instances of a class, every second draw leaves none.
        if len(np.unique(labels[outside])) == len(classes):
            drawn.append((inside, outside))
    return drawn


def _everything(labels: IntArray, random_state: int) -> list[HeldOut]:  # noqa: ARG001
    rows = np.arange(len(labels))
    return [(rows, rows)]


RATE_ESTIMATIONS = registry(
    RateEstimation(
        key="out of fold",
        idea="Ten folds: each instance is scored once, by a model of the other nine folds; all scores together give the rates.",
        source="Forman 2008",
        held_out=stratified_folds,
    ),
    RateEstimation(
        key="averaged over folds",
        idea="As out of fold, but tpr and fpr are computed in each fold and then averaged.",
        source="Barranquero 2013, 3.2",
        held_out=stratified_folds,
        averages=True,
    ),
    RateEstimation(
        key="leave-one-out",
        idea="Each instance is scored by a model of all others. Offered for neighbours, which need no further training for it.",
        source="slides on model evaluation (there as hold-out with as many folds as instances)",
        held_out=_everything,
        leaves_one_out=True,
    ),
    RateEstimation(
        key="hold-out half",
        idea="A model trained on one half scores the other half: fewer instances to learn from, and fewer to measure on.",
        source="slides on model evaluation",
        held_out=_half,
    ),
    RateEstimation(
        key="bootstrap",
        idea="Ten models, each trained on a draw with replacement, score the instances that were not drawn (out of bag).",
        source="slides on model evaluation",
        held_out=_bootstraps,
    ),
    RateEstimation(
        key="resubstitution",
        idea="The model scores its own training instances. Wrong: on these it is better than on new instances.",
        source="slides on model evaluation",
        held_out=_everything,
    ),
    RateEstimation(
        key="parameters chosen anew",
        idea="Out of fold, but each fold's model chooses its own parameters: the rates are not those of the model in use.",
        source="Barranquero 2013, 5.2.6, which fixes them",
        held_out=stratified_folds,
        chooses_anew=True,
    ),
)
